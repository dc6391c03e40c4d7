"""The climbs of sequential sparse Bayesian learning for K classes (softmax), their inner loops compiled.

As in `fast`, the members of the model settle by Newton's method in ln alpha, we look at all functions outside, and the
best of them join, here one for each class at most between two looks, and once there are many members, others that share
nothing with these. A member is a function i for a class k; it has the number i K + k.

Turning back. A step of the alphas is right for the mode and the curvature of the moment. Both move with alpha, and
where they move far, the step from the new place leads back to the old one, for ever. So a member that turns back by
more than half of its last step goes only half as far from then on.

`newton_step` is compiled in `fast`: after a change there, touch this file, or its cache will not notice.
"""

import numpy as np

from sparsekm_edu.jit import jit
from sparsekm_edu.solvers.bayes.sequential.fast import GEMM, GONE, newton_step
from sparsekm_edu.solvers.bayes.sequential.model import AGAIN, SAME

START, ADD, SETTLE, DELETE = 0.0, 1.0, 2.0, 3.0  # actions in the log, as in `fast`
NOBODY = -1.0  # the index of those that concern no single member
LOG_WIDTH = 6  # action, number of the member, q, s, gain, log evidence
NEWTON_STEPS = 30
CROWD = 0.25  # strangers that join as well, for each member
CLOSE = 0.3  # of the greatest gain: what they must promise
STRANGERS = 0.01  # squared cosine between functions that have nothing to do with each other


@jit
def softmax_terms(F, of_class, w, own, y):
    """The log likelihood (7.122) of labels own (N,); the probabilities (7.121) are written over y (K, N)."""
    K, N = y.shape
    for k in range(K):
        for n in range(N):
            y[k, n] = 0.0
    for j in range(len(w)):
        for n in range(N):
            y[of_class[j], n] += w[j] * F[j, n]  # (7.120)
    total = 0.0
    for n in range(N):
        most, mine, norm = y[0, n], y[own[n], n], 0.0
        for k in range(K):
            most = max(most, y[k, n])
        for k in range(K):
            y[k, n] = np.exp(y[k, n] - most)
            norm += y[k, n]
        for k in range(K):
            y[k, n] /= norm
        total += mine - most - np.log(norm)
    return total


@jit
def softmax_posterior(F, of_class, alpha, w, own, y):
    """Sigma (R, R), the mode (R,), the log evidence (7.114), the number of Newton's steps from w to the mode.

    Parameters: F (R, N): the members' columns, as rows; of_class (R,); alpha (R,); own (N,) labels 0 ... K - 1; y
    (K, N) is overwritten with the probabilities at the mode.
    """
    R, N = F.shape
    value = softmax_terms(F, of_class, w, own, y) - 0.5 * np.dot(alpha * w, w)
    Sigma, H, Z, gradient = np.zeros((R, R)), np.zeros((R, R)), np.empty((R, N)), np.empty(R)
    steps = 0
    while steps < NEWTON_STEPS:
        steps += 1
        for j in range(R):
            k, slope = of_class[j], 0.0
            for n in range(N):
                Z[j, n] = F[j, n] * y[k, n]
                slope += (F[j, n] if own[n] == k else 0.0) - Z[j, n]
            gradient[j] = slope - alpha[j] * w[j]
        H, within = -np.dot(Z, Z.T), np.dot(Z, F.T)
        for i in range(R):
            for j in range(R):
                if of_class[i] == of_class[j]:
                    H[i, j] += within[i, j]
            H[i, i] += alpha[i]
        Sigma = np.linalg.inv(H)
        step = np.dot(Sigma, gradient)
        if np.dot(gradient, step) < 1e-12:  # twice what the step can gain
            break
        shrink, trial, trial_value = 2.0, w, -np.inf
        while trial_value < value and shrink > 1e-6:
            shrink *= 0.5
            trial = w + shrink * step
            trial_value = softmax_terms(F, of_class, trial, own, y) - 0.5 * np.dot(alpha * trial, trial)
        w, value = trial, trial_value
    return Sigma, w, value - 0.5 * (np.linalg.slogdet(H)[1] - np.sum(np.log(alpha))), steps


@jit
def settle(F, of_class, alpha, w, own, y, tol, rounds, most_work):
    """The members settle, by Newton's method in ln alpha, until a step promises less than tol; or leave. All in place.

    Parameters: as in `softmax_posterior`, for R members; rounds and work at most.
    Returns: places (R,), those who stay first; how many these are; Sigma, the log evidence, the log, where members have
    their places for numbers, whether all are at rest, and the work done. alpha and w begin with those who stay.
    """
    (R, N), place = F.shape, np.arange(len(F))
    stride, last = np.ones(R), np.zeros(R)
    log, n_log, at_rest, work = np.empty((rounds + R, LOG_WIDTH)), 0, False, 0.0
    while True:
        Sigma, m, evidence, steps = softmax_posterior(F[:R], of_class[:R], alpha[:R], w[:R], own, y)
        work += steps * R * (GEMM * 2.0 * R * N + GEMM * 3.0 * R * R + 3.0 * N)
        for j in range(R):
            w[j] = m[j]
        if at_rest or rounds == 0 or work > most_work:
            return place, R, Sigma, evidence, log[:n_log], at_rest, work
        rounds -= 1
        had, left = R, np.zeros(R, np.bool_)
        while True:  # 7. delete, the worst first
            worst, least, worst_q, worst_s = -1, np.inf, 0.0, 0.0
            for j in range(R):
                if left[j]:
                    continue
                s, q = 1.0 / Sigma[j, j] - alpha[j], m[j] / Sigma[j, j]
                if s <= GONE * alpha[j] or q * q <= s:
                    loss = 0.5 * (q * q / (alpha[j] + s) - np.log1p(max(s, 0.0) / alpha[j]))  # (7.97)
                    if loss < least:
                        worst, least, worst_q, worst_s = j, loss, q, s
            if worst < 0:
                break
            evidence -= least
            log[n_log, 0], log[n_log, 1], log[n_log, 2] = DELETE, place[worst], worst_q
            log[n_log, 3], log[n_log, 4], log[n_log, 5] = worst_s, -least, evidence
            n_log += 1
            change(Sigma, m, worst, 1.0 / Sigma[worst, worst])
            left[worst] = True
            work += R * R
        stay = 0
        for j in range(R):  # those who stay move up
            if not left[j]:
                place[stay], of_class[stay], alpha[stay], w[stay] = place[j], of_class[j], alpha[j], w[j]
                stride[stay], last[stay], m[stay] = stride[j], last[j], m[j]
                for n in range(N):
                    F[stay, n] = F[j, n]
                for k in range(R):
                    Sigma[stay, k] = Sigma[j, k]
                for k in range(R):
                    Sigma[k, stay] = Sigma[k, j]
                stay += 1
        R = stay
        step, promise = newton_step(
            alpha, m, np.ascontiguousarray(Sigma[:R, :R]), R, 0.0, False, 1.0, 0.0, 0.0
        )
        work += 0.3 * R * R * R
        if promise < tol:
            at_rest = had == R
            if at_rest:
                return place, R, Sigma, evidence, log[:n_log], at_rest, work
            continue
        for j in range(R):  # 5. re-estimate, all at once
            if step[j] * last[j] < -0.5 * last[j] * last[j]:
                stride[j] *= 0.5
            last[j] = step[j]
            alpha[j] *= np.exp(stride[j] * step[j])
        log[n_log, 0], log[n_log, 1], log[n_log, 2] = SETTLE, NOBODY, np.nan
        log[n_log, 3], log[n_log, 4], log[n_log, 5] = np.nan, promise, evidence + promise
        n_log += 1


@jit
def change(Sigma, m, j, kappa):
    """Sigma - kappa Sigma_j Sigma_j' and m - kappa m_j Sigma_j, in place, as in `fast`."""
    row, weight = Sigma[j].copy(), m[j]
    for a in range(len(m)):
        m[a] -= weight * kappa * row[a]
        for b in range(len(m)):
            Sigma[a, b] -= kappa * row[a] * row[b]


def softmax_climb(Phi, T, used, alpha, w, together, worth, tol, rounds, most_looks, most_work):
    """Settle, look outside, add, until no addition gains more than `worth` and the members are at rest within tol.

    Parameters: Phi (N, M); T (N, K), one-of-K; used (R,), alpha (R,), w (R,): numbers of the members at first, their
    precisions and weights; together: what a function must promise to join in the same turn as a better one, in units
    of its gain; rounds: of settling between two looks; most_looks; most_work, in multiplications.
    Returns: used, alpha, w, the log evidence, log (n, 6), number of looks, converged, work.
    """
    (N, M), K = Phi.shape, T.shape[1]
    columns, squares, own = np.ascontiguousarray(Phi.T), Phi.T**2, T.argmax(axis=1)
    alpha, w, y = alpha.copy(), w.copy(), np.empty((K, N))
    joined, lines, looks, work = np.zeros(M * K, dtype=int), [], 0, 0.0
    while True:
        looks += 1
        # 3. the posterior; 5., 7. the members settle
        place, R, Sigma, log_evidence, log, at_rest, effort = settle(
            columns[used // K], used % K, alpha, w, own, y, tol, rounds, most_work - work
        )
        single = log[:, 1] >= 0
        log[single, 1] = used[log[single, 1].astype(int)]
        lines.append(log)
        used, alpha, w, Sigma = used[place[:R]], alpha[:R], w[:R], Sigma[:R, :R]
        work += effort
        if work > most_work:
            return used, alpha, w, log_evidence, np.vstack(lines), looks, False, work

        # 3. q and s of those outside; 4., 6. the best of each class joins
        q, s, alone = outside(columns, squares, T, used, Sigma, y)
        work += GEMM * K * R * M * (N + R) + 2.0 * K * N * M
        possible = (s > SAME * alone) & (q * q > s) & (joined < AGAIN)
        possible[used] = False
        ratio = np.divide(q * q, s, out=np.ones(len(q)), where=possible)
        gains = 0.5 * (ratio - 1.0 - np.log(ratio))  # (7.97) at (7.101)
        best = gains.reshape(M, K).argmax(axis=0) * K + np.arange(K)
        best = best[np.argsort(-gains[best], kind="stable")]
        best = best[(gains[best] > worth) & (gains[best] >= together * gains.max())]
        if len(best) and R * CROWD >= 1:
            more = np.argsort(-gains, kind="stable")[: int(CROWD * R)]
            best = with_strangers(columns, K, best, more[gains[more] > max(worth, CLOSE * gains.max())])
        if len(best) == 0 and at_rest:
            return used, alpha, w, log_evidence, np.vstack(lines), looks, True, work
        used = np.append(used, best)
        alpha, w = (
            np.append(alpha, s[best] ** 2 / (q[best] ** 2 - s[best])),
            np.append(w, np.zeros(len(best))),
        )
        joined[best] += 1
        after = log_evidence + np.cumsum(gains[best])
        lines.append(np.column_stack([np.full(len(best), ADD), best, q[best], s[best], gains[best], after]))
        if looks == most_looks:
            return used, alpha, w, log_evidence + gains[best].sum(), np.vstack(lines), looks, False, work


def with_strangers(columns, K, numbers, more):
    """The numbers, and those of `more` whose functions share next to nothing with any chosen before them."""
    for number in more:
        own, others = columns[number // K], columns[numbers // K]
        lengths = np.einsum("ij,ij->i", others, others) * (own @ own)
        if np.all((others @ own) ** 2 <= STRANGERS * lengths):
            numbers = np.append(numbers, number)
    return numbers


def outside(columns, squares, T, used, Sigma, y):
    """Q, S (7.106)-(7.107), and phi_i' B phi_i, of every function for every class, (M K,): q and s of non-members.

    Parameters: columns (M, N) of Phi as rows, and their squares; T (N, K); used (R,) members; Sigma (R, R); y (K, N).
    """
    K = len(y)
    members, of_class = columns[used // K], used % K
    alone = squares @ (y * (1.0 - y)).T
    S = alone.copy()
    for k in range(K):
        B = y[k] * (np.eye(K)[:, [k]] - y)  # row k of every B_n, as (K, N)
        overlap = (members * B[of_class]) @ columns.T  # (R, M)
        S[:, k] -= np.sum(overlap * (Sigma @ overlap), axis=0)
    return (columns @ (T - y.T)).ravel(), S.ravel(), alone.ravel()
