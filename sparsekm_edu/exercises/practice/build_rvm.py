"""Build it: sequential sparse Bayesian learning, one action at a time (PRML 7.2.2)."""

import numpy as np

from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.tasks import Mistake, Task

ENOUGH = 1e-3  # nats: what a single action may still gain at an end that is accepted
ROUNDS = 300  # mostly about thirty are enough, and seldom more than eighty
TOO_FEW = 20  # actions, that of the greatest gain each time: after so many there is no end yet
TOO_FEW_ROUNDS = 5  # of all functions in turn
RATIOS = (1.02, 1.04), (0.96, 0.98)  # q^2 / s of one function: hardly wanted, or hardly not


# ---- what every single action would gain ----------------------------------------------------------------


def model(rng):
    """Phi (10, 6), t (10,), alpha (6,) and beta. One function, member or not, is near the line q^2 = s, no other is.

    The model is empty, or it has two to four members, of whom at least one has to leave and at least one stays.
    """
    number = int(rng.choice([0, 0, 2, 3, 4]))
    while True:
        Phi, beta = rng.normal(size=(10, 6)), float(rng.uniform(0.5, 4))
        t = Phi[:, :3] @ rng.normal(size=3) + rng.normal(size=10) / np.sqrt(beta)
        alpha = np.full(6, np.inf)
        members = rng.permutation(6)[:number]
        alpha[members] = rng.uniform(0.3, 4, number)
        q, s = letters_without(Phi, t, alpha, beta)
        near = int(rng.integers(6))
        wanted = np.sqrt(rng.uniform(*RATIOS[rng.integers(2)]) * s[near])
        t += Phi[:, near] * (np.copysign(wanted, q[near]) - q[near]) / s[near]  # makes its q the wanted one
        q, s = letters_without(Phi, t, alpha, beta)
        stays = (q**2 > s)[members]
        far = np.delete(np.abs(q**2 / s - 1) > 0.1, near)
        if far.all() and (number == 0 or stays.any() > stays.all()):
            return Phi, t, alpha, beta


def actions(Phi, t, alpha, beta):
    """The best precision of every function, all others left as they are, and what it gains: two arrays (M,).

    Phi (N, M), t (N,); alpha (M,), np.inf for functions outside the model, which may be empty; beta > 0.
    """
    inside = np.isfinite(alpha)
    members = Phi[:, inside]
    Sigma = np.linalg.inv(np.diag(alpha[inside]) + beta * members.T @ members)  # (7.83)
    shared = Phi.T @ members
    Q = beta * Phi.T @ t - beta**2 * shared @ Sigma @ members.T @ t  # (7.106)
    S = beta * np.sum(Phi**2, axis=0) - beta**2 * np.sum(shared @ Sigma * shared, axis=1)  # (7.107)
    factor = np.ones(len(alpha))
    factor[inside] = alpha[inside] / (alpha[inside] - S[inside])
    q, s = factor * Q, factor * S  # (7.104), (7.105)
    best, above = np.full(len(alpha), np.inf), q**2 > s
    best[above] = s[above] ** 2 / (q[above] ** 2 - s[above])  # (7.101)
    before = 0.5 * (q**2 / (alpha + s) - np.log1p(s / alpha))  # (7.97), 0 for alpha = infinity
    after = 0.5 * (q**2 / (best + s) - np.log1p(s / best))
    return best, after - before


def letters_without(Phi, t, alpha, beta):
    """q (M,) and s (M,) by their definitions, with one inverse of C_-i for each function."""
    q, s = np.empty(len(alpha)), np.empty(len(alpha))
    for i, phi in enumerate(Phi.T):
        inverse = np.linalg.inv(covariance(Phi, changed(alpha, i, np.inf), beta))
        q[i], s[i] = phi @ inverse @ t, phi @ inverse @ phi  # (7.99), (7.98)
    return q, s


def covariance(Phi, alpha, beta):
    return np.eye(len(Phi)) / beta + Phi / alpha @ Phi.T  # (7.86)


def changed(alpha, i, alpha_i):
    return np.where(np.arange(len(alpha)) == i, alpha_i, alpha)


def log_evidence(Phi, t, alpha, beta):
    """(7.85) without its constant."""
    C = covariance(Phi, alpha, beta)
    return -0.5 * (np.linalg.slogdet(C)[1] + t @ np.linalg.solve(C, t))


def actions_by_evidence(Phi, t, alpha, beta):
    """The same from N x N matrices: letters by their definitions, gains as differences of log evidences."""
    q, s = letters_without(Phi, t, alpha, beta)
    best = np.full(len(alpha), np.inf)
    best[q**2 > s] = (s**2 / (q**2 - s))[q**2 > s]  # (7.101)
    before = log_evidence(Phi, t, alpha, beta)
    gains = [log_evidence(Phi, t, changed(alpha, i, best[i]), beta) - before for i in range(len(alpha))]
    return best, np.array(gains)


def s_for_s_squared(q, s):
    return s / (q**2 - s)


def actions_with(
    letters=letters_without, best_of=lambda q, s: s**2 / (q**2 - s), above=lambda q, s: q**2 > s
):
    """The wrong answers that differ in the letters, in (7.101) or in when it holds."""

    def wrong(Phi, t, alpha, beta):
        q, s = letters(Phi, t, alpha, beta)
        best = np.where(above(q, s), best_of(q, s), np.inf)
        return best, contribution(best, q, s) - contribution(alpha, q, s)

    return wrong


def contribution(alpha, q, s):
    """lambda (7.97)."""
    return 0.5 * (q**2 / (alpha + s) - np.log1p(s / alpha))


def large_letters(Phi, t, alpha, beta):
    inverse = np.linalg.inv(covariance(Phi, alpha, beta))
    return Phi.T @ inverse @ t, np.diag(Phi.T @ inverse @ Phi)  # (7.102), (7.103)


def lambda_for_gain(Phi, t, alpha, beta):
    best, _ = actions(Phi, t, alpha, beta)
    return best, contribution(best, *letters_without(Phi, t, alpha, beta))


def members_stay(Phi, t, alpha, beta):
    best, gain = actions(Phi, t, alpha, beta)
    doomed = np.isfinite(alpha) & np.isinf(best)
    return np.where(doomed, alpha, best), np.where(doomed, 0.0, gain)


def deletions_gain_nothing(Phi, t, alpha, beta):
    best, gain = actions(Phi, t, alpha, beta)
    return best, np.where(np.isinf(best), 0.0, gain)


# ---- the algorithm --------------------------------------------------------------------------------------


def overlapping(rng):
    """Phi (16, 6), t (16,) and beta. Function 0 is nearly the sum of two others, which t is made of: it looks best at
    first, and has to leave again. Draws on which a learner ends soon are thrown away."""
    while True:
        given = draw(rng)
        if is_long(*given):
            return given


def draw(rng):
    Phi = rng.normal(size=(16, 6))
    Phi[:, 0] = 0.8 * (Phi[:, 1] + Phi[:, 2]) + 0.2 * rng.normal(size=16)
    weights = np.array([0.0, rng.uniform(1.2, 1.6), rng.uniform(0.8, 1.1), rng.choice([-0.5, 0.5]), 0.0, 0.0])
    beta, noise, three = float(rng.uniform(6, 12)), rng.normal(size=16), Phi[:, :3]
    noise -= three @ np.linalg.lstsq(three, noise)[0]
    return Phi, Phi @ weights + noise / np.sqrt(beta), beta


def is_long(Phi, t, beta):
    """Is there something left to be gained after a few actions or rounds, and function 0 outside at the end?"""
    alpha = np.full(Phi.shape[1], np.inf)
    for _ in range(TOO_FEW):
        best, gain = actions(Phi, t, alpha, beta)
        i = np.argmax(gain)
        if gain[i] <= ENOUGH:
            return False
        alpha[i] = best[i]
    in_turn = learner(rounds=TOO_FEW_ROUNDS)(Phi, t, beta)
    most = min(np.max(actions(Phi, t, each, beta)[1]) for each in (alpha, in_turn))
    return most > ENOUGH and np.isinf(sequential_rvm(Phi, t, beta)[0])


def sequential_rvm(Phi, t, beta):
    """Precisions alpha (M,) at which no single action raises the log evidence; np.inf for functions outside the model.

    Phi (N, M), t (N,); beta > 0, the noise precision, is known and stays as it is.
    """
    alpha = np.full(Phi.shape[1], np.inf)  # the empty model
    for _ in range(ROUNDS):
        best, gain = actions(Phi, t, alpha, beta)
        i = np.argmax(gain)
        if gain[i] < 1e-8:
            break
        alpha[i] = best[i]  # add, re-estimate or delete
    return alpha


def what_is_left(alpha, Phi, t, beta):
    """The most that is still to be gained by each kind of action: {"add": (gain, i), ...}."""
    alpha = np.asarray(alpha, float)
    if not np.all(alpha > 0):
        raise ValueError(f"alpha must be positive, got {alpha}.")
    best, gain = actions_by_evidence(Phi, t, alpha, beta)
    inside, finite = np.isfinite(alpha), np.isfinite(best)
    kinds = {"add": ~inside & finite, "re-estimate": inside & finite, "delete": inside & ~finite}
    return {
        kind: max(((gain[i], int(i)) for i in np.flatnonzero(there)), default=(0.0, None))
        for kind, there in kinds.items()
    }


def is_an_end(value, Phi, t, beta):
    """None if no single action gains more than ENOUGH, else a sentence."""
    alpha = np.asarray(value, float)
    if alpha.shape != (Phi.shape[1],):
        return f"It returns an array of shape {alpha.shape}; {Phi.shape[1]} precisions are wanted, one per function."
    if np.any(np.isnan(alpha)):
        return "There is a nan in alpha: 0/0, or infinity minus infinity."
    if np.any(alpha <= 0):
        i = int(np.argmin(alpha))
        return f"alpha[{i}] is {alpha[i]:.4g}: a precision is positive, and np.inf outside the model."
    kind, (gain, i) = max(what_is_left(alpha, Phi, t, beta).items(), key=lambda item: item[1][0])
    if gain <= ENOUGH:
        return None
    return f"This is no end: to {kind} function {i} would gain {gain:.3g} nats."


def symptom(shows):
    """The same for whatever is an array of M numbers."""

    def shown(value, Phi, t, beta):
        alpha = np.asarray(value, float)
        return alpha.shape == (Phi.shape[1],) and not np.isnan(alpha).any() and shows(alpha, Phi, t, beta)

    return shown


def left(*kinds):
    """A symptom: something is left to be gained by the actions of these kinds, and by no others."""

    def shows(alpha, Phi, t, beta):
        gains = {kind: gain for kind, (gain, _) in what_is_left(alpha, Phi, t, beta).items()}
        return np.isfinite(alpha).any() and {kind for kind in gains if gains[kind] > ENOUGH} == set(kinds)

    return symptom(shows)


def restless(alpha, Phi, t, beta):
    return what_is_left(alpha, Phi, t, beta)["re-estimate"][0] > ENOUGH


def end_at_another_noise(alpha, Phi, t, beta):
    return restless(alpha, Phi, t, beta) and is_an_end(alpha, Phi, t, 1 / beta) is None


def settled_without_the_square(alpha, Phi, t, beta):
    inside = np.isfinite(alpha)
    best = s_for_s_squared(*letters_without(Phi, t, alpha, beta))
    return inside.any() and np.allclose(alpha[inside], best[inside], rtol=1e-2)


def learner(actions=actions, noise=lambda beta: beta, asked=lambda alpha: range(len(alpha)), rounds=300):
    """The wrong answers: functions in turn, with other actions, another noise, or not all of them asked."""

    def wrong(Phi, t, beta):
        alpha = np.full(Phi.shape[1], np.inf)
        alpha[0] = actions(Phi, t, alpha, noise(beta))[0][0]
        for _ in range(rounds):
            before = alpha.copy()
            for i in asked(alpha):
                alpha[i] = actions(Phi, t, alpha, noise(beta))[0][i]
            if np.allclose(alpha, before, rtol=1e-9):
                break
        return alpha

    return wrong


EXERCISE = Exercise(
    "build-rvm",
    "A sequential relevance vector machine",
    "build it",
    3,
    "10",
    (
        ("10, section 4", "10_sparsity.ipynb#4-Large-and-small-letters-·-core"),
        ("10, section 5", "10_sparsity.ipynb#5-The-box,-in-full-·-core"),
    ),
    r"""
Write the learner of PRML 7.2.2 yourself. Given are a design matrix $\boldsymbol\Phi$ ($N\times M$), targets
$\mathbf t$ and the noise precision $\beta$, which stays fixed. Wanted are precisions $\alpha_1,\dots,\alpha_M$ of the
weights, some of them infinite, at a maximum of the log evidence. The book begins with one function; you may begin
with none, as we do, and the first one is added like all others. One function acts at a time:

| $q_i^2>s_i$? | in the model? | action |
|---|---|---|
| yes | no | *add* it, with $\alpha_i=s_i^2/(q_i^2-s_i)$ (7.101) |
| yes | yes | *re-estimate* its $\alpha_i$, by the same rule |
| no | yes | *delete* it, $\alpha_i=\infty$ |
| no | no | nothing |

What an action adds to the log evidence is known exactly: $\lambda(\text{new }\alpha_i)-\lambda(\text{old }\alpha_i)$
with

$$\lambda(\alpha_i)=\tfrac12\Big[\ln\alpha_i-\ln(\alpha_i+s_i)+\frac{q_i^2}{\alpha_i+s_i}\Big]\quad(7.97),
\qquad\lambda(\infty)=0.$$

Sparsity $s_i$ and quality $q_i$ of function $i$, column $\boldsymbol\varphi_i$ of $\boldsymbol\Phi$, are seen from
the model without it. Let
$\mathbf C_{-i}=\beta^{-1}\mathbf I+\sum_j\alpha_j^{-1}\boldsymbol\varphi_j\boldsymbol\varphi_j^{\mathsf T}$, a sum
over all members but $i$. Then

$$s_i=\boldsymbol\varphi_i^{\mathsf T}\mathbf C_{-i}^{-1}\boldsymbol\varphi_i\quad(7.98),\qquad q_i=
\boldsymbol\varphi_i^{\mathsf T}\mathbf C_{-i}^{-1}\mathbf t\quad(7.99).$$

There is a quicker way, with one inverse for all functions: exercise 7.17. But the matrices of the check are small, 16
points and 6 functions at most, so a slow way is no sin. (All instances of a check together have 4 seconds.) Numpy is
all you need.""",
    "(7.97), (7.101); exercise 7.17 helps",
    steps=(
        Task(
            "build-rvm-a",
            "return the best precision of every function, and what it would gain",
            model,
            actions,
            instances=16,  # so that an empty model is among them
            mistakes=(
                Mistake(
                    "the large letters Q and S",
                    actions_with(letters=large_letters),
                    "function i is in C there. s_i and q_i of a member are seen from the model without it: leave "
                    "its term out of the sum, or take it out by (7.104) and (7.105) of exercise 7.17",
                ),
                Mistake(
                    "s for s² in (7.101)",
                    actions_with(best_of=s_for_s_squared),
                    "alpha = s²/(q² - s)",
                ),
                Mistake(
                    "(7.101) upside down",
                    actions_with(best_of=lambda q, s: (q**2 - s) / s**2),
                    "this is 1/alpha, a variance: alpha = s²/(q² - s)",
                ),
                Mistake(
                    "no test of q² > s, or a wrong one",
                    actions_with(above=lambda q, s: q == q),
                    "a precision is negative, and then its logarithm is a nan: s²/(q² - s) is for q² > s only, "
                    "otherwise the best alpha is np.inf",
                    shows=lambda value, *given: np.any(np.asarray(value[0], float) < -1e-3),
                ),
                Mistake(
                    "q compared with s",
                    actions_with(above=lambda q, s: q > s),
                    "a negative q is as good as a positive one: compare q² with s",
                ),
                Mistake(
                    "|q| compared with s",
                    actions_with(above=lambda q, s: np.abs(q) > s),
                    "(7.101) is a precision for q² > s: compare the square of q with s",
                ),
                Mistake(
                    "beta taken for a variance",
                    lambda Phi, t, alpha, beta: actions(Phi, t, alpha, 1 / beta),
                    "beta is the precision of the noise; its variance is 1/beta",
                ),
                Mistake(
                    "lambda of the new precision for the gain",
                    lambda_for_gain,
                    "a member is in the model already: subtract lambda(old alpha), which is 0 only outside",
                ),
                Mistake(
                    "the gain with the wrong sign",
                    lambda *given: (actions(*given)[0], -actions(*given)[1]),
                    "a gain is what comes after minus what was before; it is never negative here",
                ),
                Mistake(
                    "the gain without 1/2",
                    lambda *given: (actions(*given)[0], 2 * actions(*given)[1]),
                    "lambda has a factor 1/2",
                ),
                Mistake(
                    "members below the line stay",
                    members_stay,
                    "if q² <= s, lambda rises up to alpha = infinity: the function has to leave, which is a gain",
                ),
                Mistake(
                    "a deletion gains nothing",
                    deletions_gain_nothing,
                    "who leaves gains lambda(infinity) - lambda(alpha) = -lambda(alpha), and for q² < s this is "
                    "positive",
                ),
                Mistake(
                    "the absolute value of q² - s",
                    actions_with(best_of=lambda q, s: s**2 / np.abs(q**2 - s), above=lambda q, s: q == q),
                    "for q² <= s lambda rises all the way: the best alpha is np.inf",
                ),
                Mistake(
                    "the results the wrong way round",
                    lambda *given: actions(*given)[::-1],
                    "first the best precisions, then the gains",
                ),
                Mistake(
                    "0 for infinity",
                    lambda *given: (np.nan_to_num(actions(*given)[0], posinf=0.0), actions(*given)[1]),
                    "a weight with alpha = 0 may be anything; a weight that is 0 for sure has alpha = np.inf",
                ),
            ),
            hints=(
                "The plain way: for each i build C without function i (1/alpha is 0 outside the model), and invert "
                "it. Quicker: Q = phi'C^-1 t and S = phi'C^-1 phi with one and the same C for all.",
                "From there q and s are alpha/(alpha - S) times Q and S for members, and Q and S for all others.",
                "best = s^2/(q^2 - s) where q^2 > s, else np.inf. With lambda(a) = 0.5 (q^2/(a + s) - "
                "np.log1p(s/a)), which is 0 for np.inf, the gain is lambda(best) - lambda(alpha).",
            ),
            route=("differences of log evidences", actions_by_evidence),
            text=r"""
First the heart of it. For every function, inside the model or outside, and with all others left as they are: which
$\alpha_i$ is best (`np.inf` if it should be out), and what would that gain? Return two arrays of shape $(M,)$. The
model may be empty.""",
        ),
        Task(
            "build-rvm-b",
            "return the precisions alpha (M,) at the end, np.inf for functions outside the model",
            overlapping,
            sequential_rvm,
            mistakes=(
                Mistake(
                    "0 outside the model",
                    lambda *given: np.nan_to_num(sequential_rvm(*given), posinf=0.0),
                    "alpha = 0 means a weight without any prior; a function outside has alpha = np.inf",
                    shows=symptom(lambda alpha, *given: np.any(alpha == 0)),
                ),
                Mistake(
                    "a negative precision",
                    lambda Phi, t, beta: (
                        -np.abs(actions_by_evidence(Phi, t, np.full(6, np.inf), beta)[1]) - 0.1
                    ),
                    "s²/(q² - s) is for q² > s only, otherwise alpha is np.inf: the test is missing, or it is "
                    "another one",
                    shows=symptom(lambda alpha, *given: np.any(alpha < 0)),
                ),
                Mistake(
                    "the model is empty",
                    lambda Phi, t, beta: np.full(Phi.shape[1], np.inf),
                    "in the empty model C is I/beta, so q = beta phi't and s = beta phi'phi. Some functions have "
                    "q² > s, and one of them joins. Compare q² with s, not q or |q|",
                    shows=symptom(lambda alpha, *given: np.all(np.isinf(alpha))),
                ),
                Mistake(
                    "beta taken for a variance",
                    learner(noise=lambda beta: 1 / beta),
                    "this would be an end for the noise precision 1/beta; beta is the precision itself",
                    shows=symptom(end_at_another_noise),
                ),
                Mistake(
                    "s for s² in (7.101)",
                    learner(actions_with(best_of=s_for_s_squared)),
                    "all members have alpha = s/(q² - s), and it should be s²/(q² - s)",
                    shows=symptom(settled_without_the_square),
                ),
                Mistake(
                    "members that have not settled",
                    learner(rounds=1),
                    "the loop may stop too early: each action changes q and s of all the others, so go round until "
                    "no action gains anything. Or it never settles because q and s of a member are not those of "
                    "the model without it, or because the test is another one than q² > s",
                    shows=symptom(restless),
                ),
                Mistake(
                    "a member is left that should go",
                    learner(members_stay),
                    "it has q² <= s. What joined early may be useless once others are there; to delete it gains "
                    "-lambda(alpha), which is positive then. Perhaps nobody is ever deleted, or only by another rule, "
                    "or the loop stopped too early",
                    shows=left("delete"),
                ),
                Mistake(
                    "a function is left outside that should join",
                    learner(asked=lambda alpha: np.flatnonzero(np.isfinite(alpha))),
                    "it has q² > s. Perhaps functions outside are not asked again, or with a wrong test (compare q² "
                    "with s, also if q is negative), or the loop stopped too early. And if you take the greatest "
                    "gain: that of a member is lambda(new) - lambda(old), or it is chosen again and again",
                    shows=left("add"),
                ),
            ),
            hints=(
                "Begin with alpha = np.full(M, np.inf), and let build-rvm-a say what every action would gain.",
                "Take the action with the greatest gain, set that one alpha, and ask again: q and s have changed.",
                "The loop ends when the greatest gain is below 1e-8, say. Adding, re-estimating and deleting are "
                "one and the same line: alpha[i] = best[i].",
            ),
            accepts=is_an_end,
            text=r"""
Now the learner. Ends may differ: which function acts first is your choice, and the evidence may have more than one
top. So the check does not compare with ours. It accepts every end: a model in which no single action, to add, to
re-estimate or to delete, would gain more than 0.001 nats. (A *nat* is what the natural logarithm counts.) So a
precision that is huge, say $10^{10}$, will do for `np.inf`, too. Twenty actions are seldom enough to get there.""",
        ),
    ),
    worked=r"""
**One function.** With
$\mathbf C^{-1}=\beta\mathbf I-\beta^2\boldsymbol\Phi\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}$ (exercise 7.17) all
$Q_i$ and $S_i$ are a few products. Members have seen themselves in $\mathbf C$; the factor $\alpha_i/(\alpha_i-S_i)$
takes them out. Then $\lambda$ is known as a function of $\alpha_i$, and its top is (7.101) or infinity. In the form

$$\lambda(\alpha)=\tfrac12\Big[\frac{q^2}{\alpha+s}-\ln\Big(1+\frac s\alpha\Big)\Big]$$

it is 0 for $\alpha=\infty$ without a special case.

**The loop.** Every action raises the log evidence by exactly its gain: the evidence never falls, and where
no gain is left, no single action helps. We take the greatest gain each time. In turn, or at random, works as well and
may end elsewhere.

In the data of this check function 0 is nearly the sum of functions 1 and 2, which the targets are made of. As long as
it is alone it explains most, so it usually comes first. Once 1 and 2 have joined, what is left for it is noise:
$q_0^2$ falls below $s_0$, and it is deleted. A learner that never deletes keeps it for ever.""",
)
