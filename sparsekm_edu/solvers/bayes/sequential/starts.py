"""Where the climbs of sequential sparse Bayesian learning begin, and which of their ends is kept.

The evidence has many maxima, and a climb (`fast`, for K classes `softmax`) ends at one of them. So we do not trust the
first, and climb again from elsewhere, as long as that is cheap; where there is reason for doubt, with more patience.

  - Reheating. A greedy search for beta and the functions together tends to end where too much is called noise. So when
    nothing is left to gain, we pretend that there is less noise, let more functions in, and then learn beta again, as
    metals are heated to cool into a better order; as long as that raises the evidence, it is done again.
  - Little noise from the beginning, and beta learned only when no function is left to add. Wide kernels are alike: only
    differences of several say anything, and no single one is worth adding to nothing.
  - Kicks. A member is thrown out and may not come back while we climb from there: others show what they can do in its
    place. Each member in turn, and round again as long as that raises the evidence.
  - Where re-estimation of all functions leads within some steps, or functions that span all others. Narrow kernels are
    nearly all needed, and re-estimation is the short way there.
  - Classes: the functions that tell them apart by regression on their labels.
  - beta given: the functions of a search that learns it.

The highest evidence wins. All climbs together have a budget of work, of which one may use a quarter of what is left;
what remains at the end is for settling at the best end with patience.

What was tried, on 76 problems of regression and 42 of two classes; how far below the best end known the worst was:

    first climb alone                                     300 nats; with wide kernels it often ends without functions
    + reheating by 2, while it helps                      10 nats, 115 with wide kernels
    + by 8 and 512                                        2 nats where kernels are neither wide nor narrow
    + little noise from the beginning, where in doubt     20 nats with wide kernels, 35 with narrow ones
    + re-estimation and functions that span all           2 nats; 6 on rugged problems in five dimensions, where
                                                          patience would cost more than other machines take in all
    classes: from an empty model / + regressions          25 nats / 4 nats

on 136 and 114 others, beside searches with other beta0, without the constant and on parts of the functions:

    all of the above                                      23 nats, 10 problems above 2; classes 10 nats, 14 above 2
    + kicks, in doubt more searches from nothing          5 nats, 5 above 2; classes 8 nats, 9 above 2

and on a map of 150, with up to 1000 points (benchmarks/rvm_map.py), beside re-estimation and fastrvm:

    all of the above                                      109 nats, 16 above 2; no room for re-estimation
    + room for it; many classes: strangers together       3 nats, 6 above 2
"""

import numpy as np

from sparsekm_edu.solvers.bayes.evidence import MOST_PRECISE, spread
from sparsekm_edu.solvers.bayes.reestimation import em_steps, reestimate_steps
from sparsekm_edu.solvers.bayes.sequential.fast import (
    Members,
    Problem,
    Products,
    climb,
    few_columns,
    with_one_more,
)
from sparsekm_edu.solvers.bayes.sequential.model import AGAIN, FIRST_BETA, FIRST_NOISE, PRECISE
from sparsekm_edu.solvers.bayes.sequential.softmax import softmax_climb

# climbs
SHARE = 0.25  # of the work that is left: what a climb may use
FIRST = 0.15  # the same for the first, of regression on many points
TRIFLE = 1e-2  # nats that are not worth the trouble among members while the search is on
WORTH_ADDING = 1e-2  # the same for additions
ROUNDS, LAST_ROUNDS = 10, 200  # steps of the members between two looks, while the search is on and in the end
GREEDY, CROWD = 0.25, 0.5  # newcomers between two looks for each member there is; the same in the heat
TOGETHER = 0.3  # of the greatest gain: what must be promised to join for another class in the same turn

# starts
HEATING = (2.0, 8.0, 512.0)  # factors on beta; the next if the last did not help
COPIES = 1.0 - 1e-12  # squared cosine of functions that are the same but for a factor
HELPS = 0.1  # nats that reheating or kicks must have brought to be worth doing again
LATE = 100  # additions before beta is learned where a climb begins with little noise
OTHER_BETAS = (100.0, 10.0, 0.1)  # where else to begin, in units of the first beta
SAME_END = 0.2  # nats between ends that count as one
REESTIMATIONS, FULL_STEPS = 50, 10  # at most; before most functions have left
BY_BLAS, NEWTON = 0.1, 0.5  # work of re-estimating R functions, in units of R^3; the same for classes
VAGUE = 1e-3  # alpha where a climb begins with functions that span all others, in units of 1 / var(t)
VAGUE_ALONE = 1e-2  # the same for re-estimation of narrow kernels, in units of phi_i' phi_i / var(t)
LABEL_BETAS = (1.5, 4.0, 16.0)  # of regressions on labels -1 and 1: noise of 0.8, 1/2 and 1/4
ROUGHLY = 0.1  # nats, for finding a start

# how many of them
RUGGED, LARGE = 0.15, 200  # more work for each member beyond the first few; N from which on it is less
CHEAP, CHEAP_LABELS = 1.3, 5.0  # all climbs may cost so many times the first; the same for classes
PATIENCE = 0.2  # of all work, where the first end is in doubt
OTHERS = 0.4  # of all work: whoever has used more does not begin afresh
FEW_POINTS, FEW_MEMBERS, FEW_OF_CLASSES = 100, 4, 2  # few data, or next to nothing in the model: in doubt
WIDE, WIDE_AND_FEW = 0.9, 0.5  # mean cosine between columns: in doubt; the second if they span few dimensions
NARROW, MANY_MEMBERS, TOO_MANY = 0.5, 25, 200  # members for each point, if more than some; members
ALONE = 2.0  # mean cosine between columns, in units of 1 / N, below which none overlaps with others
ALL = 0.9  # members for each point: nearly all are needed
CALL, LOOK = 1e5, 1e4  # multiplications in the time that it takes to begin a climb, or a look, at all
SMALL_WORK = 5e5  # multiplications that nobody notices
MODE = 10.0  # for each point and pair of members: the work to find a mode from nothing, with many classes
MOST_KNOWN = 1000  # rows phi_i' Phi that are kept
MOST_ROWS, SUMMARY = 100, 1e-14  # of a summary of Phi; what it may leave out, in units of the size of Phi

START, HEAT, KICK = 0.0, 4.0, 5.0  # actions in the log; the others are those of `fast`
NOBODY = np.empty(0, dtype=np.int64), np.empty(0)  # no functions at the start, and their alpha


class Search:
    """Climbs over one problem that share a budget of work; the best end that any of them has reached.

    Attributes: members, the first R of them; beta; log_evidence; log (n, 6), of the climbs that led there; converged;
    of all climbs, n_iter looks and the work so far, and whether members were ever nearly collinear (overlap).
    """

    def __init__(self, problem, classes, learn, tol, budget):
        self.problem, self.classes, self.learn = problem, classes, learn
        self.tol, (self.most_looks, self.most_work) = tol, budget
        self.R, self.log_evidence, self.n_iter, self.work, self.overlap = 0, -np.inf, 0, 0.0, False
        M = problem.Phi.shape[1]
        room = 0 if classes else min(M, MOST_KNOWN)
        self.known = Products(np.full(M, -1), np.empty((room, M)), np.zeros(1, np.int64))

    def begin(self, beta=1.0, hold=0, crowd=GREEDY, functions=NOBODY, most_work=np.inf):
        """Climb from functions, given as their indices and alpha; see `climb` for the rest."""
        Phi, (N, M) = self.problem.Phi, self.problem.Phi.shape
        members = Members(
            np.empty(M, np.int64),
            np.empty(M),
            np.zeros(M),
            np.empty((16, N)),
            np.empty((16, 0 if self.classes else M)),
        )
        for R, (i, alpha) in enumerate(zip(*functions)):
            members = with_one_more(members, np.int64(R), Phi, i, alpha, Phi[:, i] @ Phi)
        self._climb(members, len(functions[0]), beta, hold, crowd, started(functions[0]), most_work)

    def begin_reestimated(self, steps, **options):
        """Climb from where steps of re-estimation of all functions lead, if the budget has room for them."""
        Phi, t, most_beta = self.problem.Phi, self.problem.t, self.problem.most_beta
        cost, left = (NEWTON if self.classes else BY_BLAS), (1.0 - SHARE) * self.most_work
        if self.work + FULL_STEPS * cost * Phi.shape[1] ** 3 > left:
            return
        likelihood = "bernoulli" if self.classes else "gaussian"
        for step in steps(Phi, t, likelihood, max_iter=REESTIMATIONS, tol=ROUGHLY, **options):
            self.work += cost * len(step.m) ** 3
            if self.work > left:
                return
        used = np.flatnonzero(np.isfinite(step.alpha))
        beta = 1.0 if self.classes else min(step.beta, most_beta)
        self.begin(beta, functions=(used, step.alpha[used]))

    def reheat(self, factor, most_work=np.inf):
        """Climb from the best end so far, as if there were less noise."""
        heated = np.array([[HEAT, -1.0, np.nan, np.nan, np.nan, self.log_evidence]])
        beta = min(factor * self.beta, self.problem.most_beta)
        log = np.vstack([self.log, heated])
        self._climb(self._copy(), self.R, beta, FIRST_NOISE + self.R, CROWD, log, most_work)

    def reheat_while_it_helps(self, factors, most_work):
        """Reheat by each of the factors in turn, and from the first on again after each success."""
        heat = 0
        while heat < len(factors) and self.work < most_work and not self.exhausted:
            before = self.log_evidence
            self.reheat(factors[heat], most_work)
            heat = 0 if self.log_evidence > before + HELPS else heat + 1

    def finish(self):
        """Climb from the best end so far, with patience, to where nothing gains more than tol."""
        self._climb(self._copy(), self.R, self.beta, 0, GREEDY, self.log, last=True)

    def kick(self, i, most_work=np.inf):
        """Climb from the best end so far without its function i, which may not come back on the way, nor its copies.

        beta stays as it is until others have had their chance.
        """
        Phi, own = self.problem.Phi, self.problem.own
        members, j = self._copy(), np.flatnonzero(self.functions[0] == i)[0]
        products = Phi[:, i] @ Phi if self.classes else members.G[j]
        barred = products**2 >= COPIES * own * own[i]
        for array in members:
            array[j : self.R - 1] = array[j + 1 : self.R]
        kicked = np.array([[KICK, i, np.nan, np.nan, np.nan, self.log_evidence]])
        log = np.vstack([self.log, kicked])
        self._climb(members, self.R - 1, self.beta, FIRST_NOISE, GREEDY, log, most_work, barred=barred)

    def kick_while_it_helps(self, most_work):
        """Do without each member in turn, and once more after a round with success."""
        before = -np.inf
        while self.R > 1 and self.log_evidence > before + HELPS:
            before = self.log_evidence
            for i in self.functions[0].copy():
                if self.work >= most_work or self.exhausted:
                    return
                if i in self.functions[0]:
                    self.kick(i, most_work - self.work)

    def afresh(self, share=1.0):
        """A Search over the same problem that has not found anything yet, with a share of what is left to do."""
        left = share * (self.most_looks - self.n_iter), share * (self.most_work - self.work)
        other = Search(self.problem, self.classes, self.learn, self.tol, left)
        other.known = self.known
        return other

    def take(self, other):
        """The end of another Search, if it is higher; and its work."""
        self.n_iter, self.work = self.n_iter + other.n_iter, self.work + other.work
        if other.log_evidence > self.log_evidence:
            for name in ("members", "R", "beta", "log_evidence", "log", "converged"):
                setattr(self, name, getattr(other, name))

    def _copy(self):
        """The members of the best end, in arrays of their own, as climbs write into them."""
        used, alpha, w, F, G = self.members
        return Members(used.copy(), alpha.copy(), w.copy(), F[: self.R + 1].copy(), G[: self.R + 1].copy())

    def _climb(self, members, R, beta, hold, crowd, log, most_work=np.inf, last=False, barred=False):
        if self.exhausted:
            self.converged = False
            return
        worth, tol, rounds, share = patience(self.tol, last)
        joined = np.zeros(self.problem.Phi.shape[1], np.int64)
        joined[barred] = AGAIN
        members, R, beta, log_evidence, lines, looks, converged, overlap, work = climb(
            self.problem,
            self.known,
            self.classes,
            members,
            np.int64(R),
            joined,
            float(beta),
            self.learn,
            hold,
            crowd,
            worth,
            tol,
            rounds,
            float(self.most_looks - self.n_iter),
            min(share * (self.most_work - self.work), most_work),
        )
        self.n_iter += looks
        self.work += work + CALL + LOOK * looks
        self.overlap = self.overlap or overlap
        if log_evidence > self.log_evidence or last:
            self.members, self.R, self.beta, self.log_evidence = members, int(R), beta, log_evidence
            self.log, self.converged = np.vstack([log, lines]), converged

    @property
    def exhausted(self):
        """Whether the budget is used up."""
        return self.n_iter >= self.most_looks or self.work >= self.most_work

    @property
    def functions(self):
        """Indices and alpha of the best end's members."""
        return self.members.used[: self.R], self.members.alpha[: self.R]

    @property
    def weights(self):
        return self.members.w[: self.R]


class ManyClassesSearch:
    """The same for K classes, where functions have the numbers i K + k and there is no beta.

    Attributes: Phi (N, M), T (N, K); functions, numbers and alpha of the best end's members; their weights; the rest
    as in Search.
    """

    def __init__(self, Phi, T, tol, budget):
        self.Phi, self.T, self.tol, (self.most_looks, self.most_work) = Phi, T, tol, budget
        self.log_evidence, self.n_iter, self.work = -np.inf, 0, 0.0

    def begin(self, together=TOGETHER, functions=NOBODY, most_work=np.inf):
        """Climb from functions, given as their numbers and alpha."""
        self._climb(functions, np.zeros(len(functions[0])), together, started(functions[0]), most_work)

    def finish(self):
        """Climb from the best end so far, with patience, to where nothing gains more than tol."""
        self._climb(self.functions, self.weights, TOGETHER, self.log, last=True)

    def _climb(self, functions, weights, together, log, most_work=np.inf, last=False):
        if self.exhausted:
            self.converged = False
            return
        worth, tol, rounds, share = patience(self.tol, last)
        most_looks = self.most_looks - self.n_iter
        most_work = min(share * (self.most_work - self.work), most_work)
        used, alpha, w, log_evidence, lines, looks, converged, work = softmax_climb(
            self.Phi, self.T, *functions, weights, together, worth, tol, rounds, most_looks, most_work
        )
        self.n_iter += looks
        self.work += work
        if log_evidence > self.log_evidence or last:
            self.functions, self.weights, self.log_evidence = (used, alpha), w, log_evidence
            self.log, self.converged = np.vstack([log, lines]), converged

    exhausted = Search.exhausted


def patience(tol, last):
    """What an addition must gain, what a step of the members, how many of these between looks; share of the work."""
    if last:
        return tol, PRECISE * tol, LAST_ROUNDS, 1.0
    return max(tol, WORTH_ADDING), max(tol, TRIFLE), ROUNDS, SHARE


def started(numbers):
    """The log of a climb that starts with the functions of these numbers."""
    log = np.full((len(numbers), 6), np.nan)
    log[:, 0], log[:, 1] = START, numbers
    return log


# ------------------------------------------------------------------ regression


def search_regression(Phi, t, beta, learn, tol, budget):
    """The Search after climbs from several places, at rest at the best of their ends.

    Parameters: Phi (N, M); t (N,); beta at first, to be learned or not; tol in nats; budget: looks
    at the functions outside, and work in multiplications.
    """
    problem, spanning = summary(Phi, t, MOST_PRECISE / spread(t))
    search, hold = Search(problem, False, learn, tol, budget), max(FIRST_NOISE, len(t) // 20)
    search.begin(beta, hold, most_work=(FIRST if len(t) > LARGE else SHARE) * search.most_work)
    if learn:
        search_elsewhere(search, beta, len(t), spanning)
    elif not search.exhausted:  # alone, it ends too early where functions say little one by one
        free = search.afresh(share=0.5)
        free.learn = True
        free.begin(beta, hold)
        search_elsewhere(free, beta, len(t), spanning)
        search.n_iter, search.work = search.n_iter + free.n_iter, search.work + free.work
        search.begin(beta, functions=free.functions)
        search.kick_while_it_helps(2.0 * search.work)
    search.finish()
    return search


def search_elsewhere(search, beta, N, spanning):
    """Other climbs than the first: as long as that is cheap, with patience where its end is in doubt."""
    if narrow(search, N):
        search_narrow(search, beta, N)
    else:
        search_sparse(search, beta, N, spanning)


def search_narrow(search, beta, N):
    """Where kernels are so narrow that many are needed: with little noise, and from where re-estimation leads.

    Members are too many for kicks, unless there are few points, and few can take the place of another. Where nearly all
    are needed, re-estimation is the short way; with more functions than points, which of them stay out is left open.
    """
    patient = PATIENCE * search.most_work
    if search.converged:
        search.reheat_while_it_helps(HEATING[:1], patient)
        if search.R < ALL * N:
            other = search.afresh()
            other.begin(beta, LATE, CROWD, most_work=patient)
            other.reheat_while_it_helps(HEATING, patient)
            search.take(other)
    if search.R > ALL * N or not search.converged:
        alone = VAGUE_ALONE * search.problem.own / spread(search.problem.t)
        search.begin_reestimated(reestimate_steps, alpha0=np.where(alone > 0, alone, np.inf))
    if N <= FEW_POINTS:
        search_from_other_noise(search, beta, patient)


def search_sparse(search, beta, N, spanning):
    """Where few are needed: all of the above, until that is no longer cheap, or until our patience ends."""
    problem = search.problem
    doubtful = (
        search.R <= FEW_MEMBERS
        or search.overlap
        or search.beta == problem.most_beta
        or wide(problem, len(spanning))
        or (N <= FEW_POINTS and search.R > MANY_MEMBERS)
    )
    patient = PATIENCE * search.most_work
    work, first = search.work, search.log_evidence

    def cheap():
        return min((CHEAP + rugged(search, N)) * work + SMALL_WORK, patient)

    enough = patient if doubtful or N < FEW_POINTS else cheap()
    search.reheat_while_it_helps(HEATING[:1], enough)
    if search.work < enough:
        search.begin(beta, LATE, CROWD, most_work=enough)
    if enough == patient or search.log_evidence > first + HELPS:
        enough = max(enough, cheap())  # there may be more members now
        wander(search, enough)
    before = search.log_evidence
    search.finish()
    if search.log_evidence > before + HELPS:  # it was not the end yet
        wander(search, max(enough, (1.0 + 0.5 * min(1.0, 2.0 * LARGE / N)) * search.work))
    before = search.log_evidence
    if doubtful and len(spanning):
        search.begin(beta, LATE, CROWD, vague(problem, spanning, VAGUE * beta / FIRST_BETA / N))
    elif doubtful:
        search.begin_reestimated(reestimate_steps)
        if search.beta == problem.most_beta:  # without noise EM has been seen to find more
            search.begin_reestimated(em_steps)
    if search.log_evidence > before + HELPS:
        wander(search, search.work + enough)
    if enough == patient:
        search_from_other_noise(search, beta, enough)


def search_from_other_noise(search, beta, enough):
    """Searches from nothing, each with other noise, until one ends where the best so far did."""
    for factor in OTHER_BETAS:
        if search.work > OTHERS * search.most_work:
            return  # the rest is for settling
        other, before = search.afresh(), search.log_evidence
        other.begin(factor * beta, LATE, CROWD, most_work=SHARE * enough)
        wander(other, other.work + enough)
        search.take(other)
        if search.R > FEW_MEMBERS and abs(other.log_evidence - before) < SAME_END:
            return


def wander(search, most_work):
    """Do without each of the members, and reheat, as long as one or the other helps."""
    before = -np.inf
    while search.log_evidence > before + HELPS and search.work < most_work:
        before = search.log_evidence
        search.kick_while_it_helps(most_work)
        search.reheat_while_it_helps(HEATING, most_work)


def rugged(search, N):
    """How much work to add, in units of that so far: the more members, the more ways to combine others; less with
    many points, where each climb is long.
    """
    return RUGGED * max(search.R - FEW_MEMBERS, 0) * min(1.0, LARGE / N) ** 2


def narrow(search, N):
    """Whether kernels are so narrow that most of them are needed, or more than can be replaced one by one."""
    return min(max(NARROW * N, MANY_MEMBERS), TOO_MANY) < search.R


def wide(problem, few):
    """Whether kernels are so wide that all columns are alike, or similar and spanned by a few."""
    return mean_cosine(problem) > (WIDE_AND_FEW if few else WIDE)


def mean_cosine(problem):
    """Of the angles between columns of Phi: near 1 if kernels are so wide that all are alike."""
    lengths = np.sqrt(problem.own)
    total = problem.Phi @ np.divide(1.0, lengths, out=np.zeros(len(lengths)), where=lengths > 0)
    return float(total @ total) / len(lengths) ** 2


def whole(Phi, t, most_beta, classes=False):
    """The Problem of `fast` for Phi (N, M) and t (N,)."""
    squares = Phi * Phi if classes else Phi[:0]
    own = np.einsum("ni,ni->i", Phi, Phi)
    return Problem(Phi, t, squares, own, t @ Phi, float(len(t)), 0.0, most_beta)


def summary(Phi, t, most_beta):
    """The same with fewer rows, if the columns of Phi (N, M) span a space of much fewer than N dimensions.

    In a basis of this space all inner products are what they were, and t has a rest that no function reaches. Also
    returns functions that span it, none otherwise.
    """
    columns = few_columns(Phi, min(len(t) // 2, MOST_ROWS), SUMMARY)
    if len(columns) == 0:
        return whole(Phi, t, most_beta), columns
    basis = np.linalg.qr(Phi[:, columns])[0]
    seen = t @ basis
    rest = t - basis @ seen
    problem = whole(np.ascontiguousarray(basis.T @ Phi), seen, most_beta)
    return problem._replace(n_points=float(len(t)), rest=float(rest @ rest)), columns


def vague(problem, columns, alpha):
    """Functions that span all others, and for each a small alpha, in units of its length without those before it."""
    lengths = np.abs(np.diag(np.linalg.qr(problem.Phi[:, columns], mode="r")))
    return columns, alpha * np.maximum(lengths, SUMMARY * lengths.max()) ** 2


# ------------------------------------------------------------------ classes


def search_two_classes(Phi, t, tol, budget):
    """The Search for t (N,), zeros and ones: from an empty model, and from functions that a regression finds."""
    search = Search(whole(Phi, t, np.inf, classes=True), True, False, tol, budget)
    search.begin(crowd=0.0)
    labels, few = summary(Phi, 2.0 * t - 1.0, MOST_PRECISE)
    patient = PATIENCE * search.most_work
    empty = search.R <= FEW_OF_CLASSES and mean_cosine(labels) > ALONE / len(t)
    doubtful = empty or wide(labels, len(few))
    enough = patient if doubtful else min(CHEAP_LABELS * search.work + SMALL_WORK, patient)
    part = SHARE * enough if doubtful else enough
    for beta in (*LABEL_BETAS, None):
        if search.work < enough:
            functions, work = by_regression(labels, beta, 0.5 * part)
            search.work += work
            other = search.afresh()
            other.begin(functions=functions, most_work=part)
            if doubtful and not narrow(other, len(t)):
                other.kick_while_it_helps(min(enough - search.work, other.work + part))
            search.take(other)
    search.kick_while_it_helps(max(enough, (1.0 + 2.0 * rugged(search, len(t))) * search.work))
    if search.R <= FEW_OF_CLASSES and wide(labels, True):
        search.begin_reestimated(reestimate_steps)
    search.finish()
    return search


def search_many_classes(Phi, T, tol, budget):
    """The ManyClassesSearch for T (N, K), one-of-K: from an empty model, and from functions that regressions find."""
    search, K = ManyClassesSearch(Phi, T, tol, budget), T.shape[1]
    search.begin(together=1.0)
    summaries = [summary(Phi, 2.0 * t - 1.0, np.inf) for t in np.ascontiguousarray(T.T)]
    labels, few = [problem for problem, _ in summaries], summaries[0][1]
    enough = min(CHEAP_LABELS * search.work + SMALL_WORK, PATIENCE * search.most_work)
    if len(search.functions[0]) <= FEW_OF_CLASSES or wide(labels[0], len(few)):
        enough = PATIENCE * search.most_work
    for beta in LABEL_BETAS:
        if search.work < enough:
            parts = [by_regression(problem, beta, 0.5 * enough / K) for problem in labels]
            search.work += sum(work for _, work in parts)
            numbers = np.concatenate([used * K + k for k, ((used, _), _) in enumerate(parts)])
            precisions = np.concatenate([alpha for (_, alpha), _ in parts])
            if MODE * len(numbers) ** 2 * len(T) < SHARE * (search.most_work - search.work):
                search.begin(functions=(numbers, precisions), most_work=enough)
    search.finish()
    return search


def by_regression(labels, beta, most_work):
    """Functions, with their alpha, that tell labels -1 and 1 apart by regression; and the work that it took.

    labels: the Problem; beta: the noise precision to assume, None to learn one.
    """
    search = Search(labels, False, beta is None, ROUGHLY, (np.inf, most_work / SHARE))
    search.begin(FIRST_BETA if beta is None else beta, FIRST_NOISE)
    used, alpha = search.functions
    return (used, alpha / 4.0), search.work  # log odds are larger than +-1
