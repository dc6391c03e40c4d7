"""How wrong can a classifier be that was right on N points? Promises that hold with probability 1 - delta, (7.75).

All of them suppose N points drawn independently from one distribution, and hold whatever that distribution is. The
first four are about classifiers that make no mistake on their data (the "noise-free" case of PRML 7.1.5) and stand on
one idea: a function whose true error exceeds epsilon survives N fresh points with probability below (1 - epsilon)^N.
"""

from math import ceil, exp, lgamma, log, log2

import numpy as np
from scipy.special import betaincinv, ndtr, xlogy

from sparsekm_edu.lessons.capacity import cover_count
from sparsekm_edu.validation import real_number, whole_number


def finite_bound(N, M, delta):
    """Error below which, with probability 1 - delta, all of M functions lie that are right on N points.

    M (1 - epsilon)^N = delta, solved for epsilon: the union bound over the M functions (Blumer et al., 1987).
    """
    N, M, delta = whole_number("N", N, 1), whole_number("M", M, 1), confidence(delta)
    return 1.0 - exp((log(delta) - log(M)) / N)


def vc_probability(N, epsilon, D=2):
    """The most that P(some hyperplane is right on N points and has an error above epsilon) can be, in D dimensions.

    2 Pi(2N) 2^(-epsilon N / 2), where Pi(2N) is the number of labellings of 2N points, `cover_count` (Vapnik &
    Chervonenkis, 1971; Blumer et al., 1989, for N >= 8 / epsilon, and where N is smaller this exceeds 1). At most 1.
    """
    N, epsilon = whole_number("N", N, 1), real_number("epsilon", epsilon, above=0, at_most=1)
    return min(1.0, 2.0 ** (1 + log2(cover_count(2 * N, D)) - epsilon * N / 2))


def vc_bound(N, delta, D=2):
    """Error below which, with probability 1 - delta, all hyperplanes lie that are right on N points: at most 1.

    `vc_probability` = delta, solved for epsilon.
    """
    N = whole_number("N", N, 1)
    return min(1.0, 2 / N * (1 + log2(cover_count(2 * N, D)) - log2(confidence(delta))))


def vc_sample_size(epsilon, delta, D=2):
    """The smallest N from which on `vc_bound` promises an error of at most epsilon."""
    epsilon = real_number("epsilon", epsilon, above=0, at_most=1)
    few, many = 1, 2
    while vc_bound(many, delta, D) > epsilon:  # the bound falls with N
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (middle, many) if vc_bound(middle, delta, D) > epsilon else (few, middle)
    return many


def blumer_sample_size(epsilon, delta, d):
    """N that suffices for any class of VC dimension d, written out: max{4/eps log2(2/delta), 8d/eps log2(13/eps)}.

    Theorem 2.1 (ii a) of Blumer, Ehrenfeucht, Haussler & Warmuth (1989).
    """
    epsilon = real_number("epsilon", epsilon, above=0, at_most=1)
    sizes = 4 / epsilon * log2(2 / confidence(delta)), 8 * d / epsilon * log2(13 / epsilon)
    return ceil(max(sizes))


def compression_bound(N, k, delta):
    """Error of a classifier that k of its N points determine and that is right on the others.

    For each k there are binom(N, k) such classifiers and N - k points left to survive; delta is shared out equally
    among k = 0, ..., N - 1 (Littlestone & Warmuth, 1986). Support vectors determine a hard-margin machine.
    """
    N, k = whole_number("N", N, 1), whole_number("k", k, 0)
    if k >= N:
        return 1.0
    ways = lgamma(N + 1) - lgamma(k + 1) - lgamma(N - k + 1)
    return 1.0 - exp((log(confidence(delta)) - log(N) - ways) / (N - k))


def holdout_bound(errors, n, delta):
    """Error of a classifier that made so many errors on n points it had never seen: the binomial tail, inverted.

    The largest epsilon for which `errors` or fewer out of n still have probability delta (Clopper & Pearson, 1934).
    """
    n, errors = whole_number("n", n, 1), whole_number("errors", errors, 0)
    return 1.0 if errors >= n else float(betaincinv(errors + 1, n - errors, 1 - confidence(delta)))


# ------------------------------------------------------------------ PAC-Bayes


def kl_bernoulli(q, p):
    """kl(q || p), the Kullback-Leibler divergence of two coins, for 0 <= q <= 1 and 0 < p < 1."""
    return xlogy(q, q / p) + xlogy(1 - q, (1 - q) / (1 - p))


def kl_inverse(q, c):
    """The largest p with kl(q || p) <= c, by bisection; arrays q, c are taken element by element."""
    q, c = np.broadcast_arrays(np.asarray(q, float), np.asarray(c, float))
    low, high = q.copy(), np.ones_like(q)
    for _ in range(50):
        middle = 0.5 * (low + high)
        fits = kl_bernoulli(q, np.clip(middle, 1e-300, 1 - 1e-16)) <= c
        low, high = np.where(fits, middle, low), np.where(fits, high, middle)
    return high


def pac_bayes_bound(gibbs, divergence, N, delta):
    """Error of a classifier drawn afresh from Q for every question (McAllester, 1999; in the form of Maurer, 2004).

    With probability 1 - delta, for all Q at once, kl(gibbs || true) <= {KL(Q||P) + ln(2 sqrt(N) / delta)} / N, for
    N >= 8. The prior P is chosen before the data are seen; Q may depend on them in any way.

    Parameters: gibbs, the mean error of Q on the N points; divergence, KL(Q||P); both numbers or arrays of equal shape.
    """
    N = whole_number("N", N, 1)
    return kl_inverse(gibbs, (np.asarray(divergence) + log(2 * N**0.5 / confidence(delta))) / N)


def mcallester_bound(gibbs, divergence, N, delta):
    """McAllester's own form (2003), weaker but readable: gibbs + sqrt({KL + ln(2 sqrt(N) / delta)} / 2N).

    It follows from `pac_bayes_bound` by Pinsker's inequality, kl(q||p) >= 2 (p - q)^2. At most 1.
    """
    N = whole_number("N", N, 1)
    c = (np.asarray(divergence) + log(2 * N**0.5 / confidence(delta))) / N
    return np.minimum(1.0, gibbs + np.sqrt(c / 2))


def cosines(X, t, w, b):
    """t_n cos(angle between (w, b) and (x_n, 1)), (N,): by how much line and point agree, whatever their lengths."""
    X = np.column_stack([X, np.ones(len(X))])
    v = np.append(w, b)
    return t * (X @ v) / (np.linalg.norm(X, axis=1) * np.linalg.norm(v))


def gibbs_error(agreement, mu):
    """Mean error of the lines drawn from Q = N(mu (w, b)/|(w, b)|, I), in closed form: Phi(-mu cosine), averaged.

    Parameters: agreement (N,), the `cosines`; mu, a number or (m,). With the prior N(0, I), KL(Q||P) = mu^2 / 2
    (Langford & Shawe-Taylor, 2002).
    """
    return ndtr(-np.multiply.outer(np.asarray(mu, float), agreement)).mean(axis=-1)


def confidence(delta):
    """delta, if it is a probability to live with."""
    if not 0 < real_number("delta", delta) < 1:
        raise ValueError(f"delta must be a number between 0 and 1, got {delta!r}.")
    return float(delta)
