"""The fast schedule of sequential sparse Bayesian learning, compiled.

The book looks at all M basis functions after every single action. Here a *climb* goes on in three turns:

  - the members of the model settle: all ln alpha (and ln beta, once it is learned) at once, by Newton's method. The
    derivatives of the log evidence follow from Sigma and m alone,

        dL / d ln alpha_i                 =  1/2 - x_i / 2,     x_i = alpha_i (m_i^2 + Sigma_ii),
        d^2L / d ln alpha_i d ln alpha_j  =  1/2 alpha_i alpha_j (2 m_i m_j Sigma_ij + Sigma_ij^2) - 1_ij x_i / 2,

    where one alpha at a time would need thousands of steps if functions overlap. Members whose best alpha is infinite,
    q_i^2 <= s_i with s_i = 1 / Sigma_ii - alpha_i and q_i = m_i / Sigma_ii, leave first;
  - we look at all functions outside, q and s computed afresh, so that no rounding errors pile up;
  - the best of them join, one after the other: the more members there are, the more newcomers between two looks. In
    between q and s of the others change by one outer product (Tipping & Faul 2003, appendix).

It ends where nothing is left to gain, or where its work is used up. `schedules` says where climbs begin.

Classification is treated as the regression that the Laplace approximation makes of it: precision b_n = y_n (1 - y_n)
and a target of its own for point n, renewed by Newton's method after every step of the alphas.

All functions that `climb` calls stand in this file, because the cache of compiled code does not look further.
"""

from collections import namedtuple

import numpy as np

from sparsekm_edu.jit import jit
from sparsekm_edu.solvers.bayes.sequential.model import AGAIN, SAME

START, ADD, SETTLE, DELETE = 0.0, 1.0, 2.0, 3.0  # actions in the log
NOBODY = -1.0  # the index of those that concern no single function
LOG_WIDTH = 6  # action, index, q, s, gain, log evidence
COLLINEAR = 1e8  # H_ii Sigma_ii of members so alike that differences of squares lose their digits; then
SAME_LENGTH = 1e-20  # takes the place of SAME
FARTHEST = 2.0  # no ln alpha moves by more in one step of Newton's method
HOPELESS = 1e12  # a damping with which nothing would move: there is no step
ROUGH = 1e-6  # tol above this: the step that promises less is not taken, as the search goes on
GONE = 1e-10  # gamma_i below this: the function has left, but for rounding errors
NEWTON_STEPS = 30  # to the mode in classification
ALIKE = 0.5  # squared cosine of functions that do not join between the same two looks
FEW = 16  # functions that are looked at together
GEMM = 0.2  # what a multiplication costs in a product of matrices, where others cost 1
LARGE = 200  # members from which on a library factors matrices faster than our loops,
BY_LIBRARY = 0.3  # and what part of their time it takes
MOST_REFUSALS = 8  # of steps in a row: then what is left to gain is less than rounding errors

#: What is to be learned. Phi (N, M), t (N,); squares (N, M) of Phi in classification, else without rows; own (M,):
#: phi_i' phi_i; toward (M,): phi_i' t; n_points: of the data, of which the rows may be a summary (`few_rows`), and
#: rest: the part of |t|^2 that the summary leaves out; most_beta.
Problem = namedtuple("Problem", "Phi t squares own toward n_points rest most_beta")

#: phi_i' Phi of functions that have been candidates in regression: computed once, for all climbs over a problem. place
#: (M,): where the row of a function stands in rows (., M), -1 if it does not; count (1,): of rows. As many as fit.
Products = namedtuple("Products", "place rows count")

#: The members of the model, in the first R entries: indices used, alpha, weights w, columns as rows F (., N), and F Phi
#: as G (., M), which only regression needs. R goes along as a number of its own.
Members = namedtuple("Members", "used alpha w F G")


# ------------------------------------------------------------------ small things


@jit
def put(row, values):
    """row[:] = values, which takes a hundred times longer to compile. Both may overlap, if values come later."""
    for i in range(len(values)):
        row[i] = values[i]


@jit
def write(log, n_log, action, index, q, s, gain, evidence):
    """One line more in the log; returns its new length."""
    log[n_log, 0], log[n_log, 1], log[n_log, 2] = action, index, q
    log[n_log, 3], log[n_log, 4], log[n_log, 5] = s, gain, evidence
    return n_log + 1


@jit
def with_room(rows, used, more):
    """The array itself if it has `more` rows after the first `used`, else a longer copy of these."""
    if used + more <= len(rows):
        return rows
    longer = np.empty((2 * (used + more), rows.shape[1]))
    for a in range(used):
        put(longer[a], rows[a])
    return longer


@jit
def with_one_more(members, R, Phi, i, alpha_i, row):
    """The R members and function i of Phi (N, M), with precision alpha_i; row (M,): phi_i' Phi."""
    used, alpha, w, F, G = members
    F, G = with_room(F, R, 1), with_room(G, R, 1)
    used[R], alpha[R], w[R] = i, alpha_i, 0.0
    put(F[R], Phi[:, i])
    if G.shape[1] > 0:
        put(G[R], row)
    return Members(used, alpha, w, F, G)


@jit
def close_gap(members, R, Sigma, m, j):
    """Member j has left: those after it move up, so that the R that remain come first."""
    used, alpha, w, F, G = members
    for a in range(j, R):
        used[a], alpha[a], w[a], m[a] = used[a + 1], alpha[a + 1], w[a + 1], m[a + 1]
        put(F[a], F[a + 1])
        put(G[a], G[a + 1])
        put(Sigma[a], Sigma[a + 1])
    for a in range(R):
        put(Sigma[a, j:], Sigma[a, j + 1 :])


@jit
def contribution(alpha, q, s):
    """lambda(alpha) of (7.97), as in `model`, and compiled: the cache asks for a copy in this file."""
    return 0.5 * (q * q / (alpha + s) - np.log1p(s / alpha))


@jit
def cubed(R):
    """R^3, in units of the time that our loops take for a multiplication: where a library factors, it is less."""
    return R * R * R * (1.0 if R <= LARGE else BY_LIBRARY)


@jit
def inverse(H):
    """H^-1 and ln |H| of H (R, R), positive definite up to rounding, by Cholesky's H = LL' and U = L^-1.

    The loops are faster than a library as long as H fits into the cache.
    """
    R = len(H)
    if R > LARGE:
        return np.linalg.inv(H), np.linalg.slogdet(H)[1]
    L, U = np.zeros((R, R)), np.zeros((R, R))
    log_determinant = 0.0
    for i in range(R):
        for j in range(i + 1):
            rest = H[i, j]
            for k in range(j):
                rest -= L[i, k] * L[j, k]
            if i == j:
                L[i, i] = np.sqrt(max(rest, 1e-14 * H[i, i]))
                log_determinant += 2.0 * np.log(L[i, i])
            else:
                L[i, j] = rest / L[j, j]
    for i in range(R):
        U[i, i] = 1.0
        for k in range(i):
            for j in range(k + 1):
                U[i, j] -= L[i, k] * U[k, j]
        for j in range(i + 1):
            U[i, j] /= L[i, i]
    return np.dot(U.T, U), log_determinant


# ------------------------------------------------------------------ the posterior


@jit
def regression_posterior(problem, members, R, beta):
    """Sigma (7.83), m (7.82), the log evidence (7.85), |t - Phi m|^2, and whether members are nearly collinear."""
    alpha, F, t = members.alpha, members.F[:R], problem.t
    H = np.empty((R, R))
    for i in range(R):
        for j in range(R):
            H[i, j] = beta * members.G[i, members.used[j]]
        H[i, i] += alpha[i]
    Sigma, log_determinant = inverse(H)
    collinear = False
    for i in range(R):
        collinear = collinear or H[i, i] * Sigma[i, i] > COLLINEAR or Sigma[i, i] < 0.0
    m = np.dot(Sigma, beta * np.dot(F, t))
    if collinear:  # by orthogonal factors, whose condition is only the root of that of H
        basis, triangle = np.linalg.qr(stacked(F, alpha, beta))
        root = np.ascontiguousarray(np.linalg.inv(triangle))
        Sigma = np.dot(root, root.T)
        log_determinant = 2.0 * np.sum(np.log(np.abs(np.diag(triangle))))
        m = np.dot(root, np.sqrt(beta) * np.dot(t, np.ascontiguousarray(basis[: len(t)])))
    residual = t - np.dot(m, F)
    error = np.dot(residual, residual) + problem.rest
    evidence = problem.n_points * np.log(beta / (2.0 * np.pi)) - beta * error - log_determinant
    for i in range(R):
        evidence += np.log(alpha[i]) - alpha[i] * m[i] * m[i]
    return Sigma, m, 0.5 * evidence, error, collinear


@jit
def stacked(F, alpha, beta):
    """beta^(1/2) F' (N, R) with A^(1/2) below: (7.83) is the inverse of its square."""
    R, N = F.shape
    rows = np.zeros((N + R, R))
    for i in range(R):
        for n in range(N):
            rows[n, i] = np.sqrt(beta) * F[i, n]
        rows[N + i, i] = np.sqrt(alpha[i])
    return rows


@jit
def bernoulli_terms(a, t, y, b):
    """The log likelihood at outputs a (N,); y = sigma(a) and b = y (1 - y) are written over y, b (N,)."""
    total = 0.0
    for n in range(len(a)):
        small = np.exp(-abs(a[n]))
        y[n] = 1.0 / (1.0 + small) if a[n] >= 0.0 else small / (1.0 + small)
        b[n] = small / (1.0 + small) ** 2
        total += t[n] * a[n] - max(a[n], 0.0) - np.log1p(small)
    return total


@jit
def bernoulli_posterior(problem, members, R, y, b):
    """Sigma (7.113), the mode, the log evidence (7.114) and Newton's steps to the mode, halved where need be, from w.

    y and b (N,) are overwritten with those at the mode.
    """
    alpha, w, F, t = members.alpha[:R], members.w[:R], members.F[:R], problem.t
    value = bernoulli_terms(np.dot(w, F), t, y, b) - 0.5 * np.dot(alpha * w, w)  # (7.109)
    Sigma, log_determinant, steps = np.zeros((R, R)), 0.0, 0
    while steps < NEWTON_STEPS:
        steps += 1
        H = np.dot(F * b, F.T)  # (7.111)
        for i in range(R):
            H[i, i] += alpha[i]
        Sigma, log_determinant = inverse(H)
        gradient = np.dot(F, t - y) - alpha * w  # (7.110)
        step = np.dot(Sigma, gradient)
        if np.dot(gradient, step) < 1e-12:  # twice what the step can gain
            break
        shrink, trial, trial_value = 2.0, w, -np.inf
        while trial_value < value and shrink > 1e-6:
            shrink *= 0.5
            trial = w + shrink * step
            trial_value = bernoulli_terms(np.dot(trial, F), t, y, b) - 0.5 * np.dot(alpha * trial, trial)
        w, value = trial, trial_value
    for i in range(R):
        log_determinant -= np.log(alpha[i])
    return Sigma, w, value - 0.5 * log_determinant, steps


# ------------------------------------------------------------------ the members settle


@jit
def change(Sigma, m, R, j, kappa):
    """Sigma - kappa Sigma_j Sigma_j' and m - kappa m_j Sigma_j, in place: what a new alpha_j does to the posterior.

    Only the first R rows and columns count. kappa = 1 / (Sigma_jj + 1 / (alpha_new - alpha_old)); 1 / Sigma_jj if
    alpha_new is infinite.
    """
    row, weight = Sigma[j, :R].copy(), m[j]
    for a in range(R):
        factor = kappa * row[a]
        m[a] -= weight * factor
        for b in range(R):
            Sigma[a, b] -= factor * row[b]


@jit
def delete_useless(members, R, Sigma, m, log, n_log, evidence):
    """7. Members with q^2 <= s leave, the worst first, because without one another may be needed; all in place.

    Returns: R, n_log and the log evidence afterwards. Sigma and m are then valid in their first R entries.
    """
    alpha, used = members.alpha, members.used
    while True:
        worst, least, worst_q, worst_s = -1, np.inf, 0.0, 0.0
        for j in range(R):
            s = 1.0 / Sigma[j, j] - alpha[j]
            q = m[j] / Sigma[j, j]
            if s <= GONE * alpha[j] or q * q <= s:
                loss = contribution(alpha[j], q, max(s, 0.0))
                if loss < least:
                    worst, least, worst_q, worst_s = j, loss, q, s
        if worst < 0:
            return R, n_log, evidence
        evidence -= least
        n_log = write(log, n_log, DELETE, float(used[worst]), worst_q, worst_s, -least, evidence)
        change(Sigma, m, R, worst, 1.0 / Sigma[worst, worst])
        R -= 1
        close_gap(members, R, Sigma, m, worst)


@jit
def newton_step(alpha, m, Sigma, R, damping, learning, beta, error, n_points):
    """A step (R,), or (R + 1,) with ln beta at the end, of Newton's method in ln alpha, and what it promises to gain.

    Minus the second derivatives, plus damping on the diagonal, which grows until the sum is positive definite. With a
    damping of 1/2 and more the step is about that of EM, which never leads down.
    """
    n = R + 1 if learning else R
    slope, curved = np.empty(n), np.zeros((n, n))
    for i in range(R):
        x = alpha[i] * (m[i] * m[i] + Sigma[i, i])
        slope[i] = 0.5 * (1.0 - x)
        for j in range(i + 1):
            S = Sigma[i, j]
            curved[i, j] = -0.5 * alpha[i] * alpha[j] * S * (2.0 * m[i] * m[j] + S)
        curved[i, i] += 0.5 * x
    if learning:
        # with ln beta, m changes by Sigma A m and Sigma by Sigma A Sigma - Sigma
        pulled = np.dot(Sigma, alpha[:R] * m)
        gamma, shift, seen = 0.0, 0.0, 0.0
        for i in range(R):
            narrower = Sigma[i, i]
            for j in range(R):
                narrower -= alpha[j] * Sigma[i, j] * Sigma[i, j]
            gamma += 1.0 - alpha[i] * Sigma[i, i]  # (7.89)
            shift += alpha[i] * m[i] * pulled[i]
            seen += alpha[i] * narrower
            curved[R, i] = 0.5 * alpha[i] * (2.0 * m[i] * pulled[i] - narrower)
        slope[R] = 0.5 * (n_points - beta * error - gamma)  # its zero is (7.88)
        curved[R, R] = 0.5 * (beta * error - 2.0 * shift + seen)
    step = np.empty(n)
    while not solved(curved, damping, slope, step):
        damping = max(4.0 * damping, 0.01)
        if damping > HOPELESS:
            return np.zeros(n), 0.0
    longest = 0.0
    for i in range(n):
        longest = max(longest, abs(step[i]))
    promise = 0.5 * np.dot(slope, step)
    if longest > FARTHEST:
        step *= FARTHEST / longest
    return step, promise


@jit
def solved(A, damping, b, x):
    """Write the solution of (A + damping I) x = b over x (n,), if A + damping I is positive definite; A: lower half."""
    n = len(b)
    L = np.empty((n, n))
    if n > LARGE:
        try:
            L = np.linalg.cholesky(A + damping * np.eye(n))
        except Exception:  # noqa: BLE001, compiled code knows no other
            return False
    for i in range(n):
        rest_b, own = b[i], A[i, i] + damping
        if n > LARGE:
            for j in range(i):
                rest_b -= L[i, j] * x[j]
        else:
            rest = own
            for j in range(i):
                entry = A[i, j]
                for k in range(j):
                    entry -= L[i, k] * L[j, k]
                L[i, j] = entry / L[j, j]
                rest -= L[i, j] * L[i, j]
                rest_b -= L[i, j] * x[j]
            L[i, i] = np.sqrt(max(rest, 0.0))
        if not L[i, i] * L[i, i] > 1e-10 * abs(own):
            return False
        x[i] = rest_b / L[i, i]
    for i in range(n - 1, -1, -1):
        x[i] /= L[i, i]
        for j in range(i):
            x[j] -= L[i, j] * x[i]
    return True


@jit
def settle_regression(problem, members, R, beta, learning, tol, rounds, most_work, log, n_log):
    """Newton's method in ln alpha, and ln beta if it is being learned, until a step promises less than tol.

    Parameters: the R members; rounds and work at most; log with n_log lines and room for R + rounds more.
    Returns: R, beta, n_log, Sigma, m, the log evidence, whether members are collinear, whether they are at rest, and
    the work done.
    """
    Sigma, m, evidence, error, collinear = regression_posterior(problem, members, R, beta)
    N, work, damping, refusals, quiet = members.F.shape[1], 0.0, 0.0, 0, False
    work += 0.5 * cubed(R) + (2.0 * (N + R) * R * R if collinear else 0.0)
    for _ in range(rounds):
        if work > most_work:
            break
        had = R
        R, n_log, evidence = delete_useless(members, R, Sigma, m, log, n_log, evidence)
        if had > R:
            work += (had - R) * had * had
            Sigma, m = np.ascontiguousarray(Sigma[:R, :R]), m[:R].copy()
            residual = problem.t - np.dot(m, members.F[:R])
            error = np.dot(residual, residual) + problem.rest
        step, promise = newton_step(
            members.alpha, m, Sigma, R, damping, learning, beta, error, problem.n_points
        )
        if learning and beta == problem.most_beta and step[R] > 0.0:  # it stays there
            step, promise = newton_step(
                members.alpha, m, Sigma, R, damping, False, beta, error, problem.n_points
            )
        quiet = promise < tol or refusals == MOST_REFUSALS
        if quiet and (tol > ROUGH or refusals == MOST_REFUSALS):
            break
        old_alpha, old_beta = members.alpha[:R].copy(), beta
        for i in range(R):
            members.alpha[i] *= np.exp(step[i])
        if len(step) > R:
            beta = min(beta * np.exp(step[R]), problem.most_beta)
        there = regression_posterior(problem, members, R, beta)
        work += 0.8 * cubed(R) + (2.0 * (N + R) * R * R if collinear else 0.0) + R * N
        if there[2] > evidence - (tol if quiet else 0.0):
            n_log = write(log, n_log, SETTLE, NOBODY, np.nan, np.nan, there[2] - evidence, there[2])
            Sigma, m, evidence, error, collinear = there
            damping, refusals = 0.1 * damping if damping > 1e-3 else 0.0, 0
        else:
            put(members.alpha, old_alpha)
            beta = old_beta
            damping, refusals = max(10.0 * damping, 0.01), refusals + 1
        if quiet:
            break
    return R, beta, n_log, Sigma, m, evidence, collinear, quiet, work


@jit
def settle_bernoulli(problem, members, R, tol, rounds, most_work, log, n_log, y, b):
    """The same in classification, for the regression that the Laplace approximation makes of it.

    The steps do not quite climb the Laplace evidence, so it cannot tell whether to refuse one. Instead a member that
    turns back by more than half of its last step goes half as far from then on.
    """
    M, N = len(members.used), members.F.shape[1]
    last, stride, work = np.zeros(M), np.ones(M), 0.0
    quiet = False
    while True:
        Sigma, w, evidence, steps = bernoulli_posterior(problem, members, R, y, b)
        put(members.w, w)
        work += steps * (0.5 * cubed(R) + GEMM * R * R * N + R * N)
        if quiet or rounds == 0 or work > most_work:
            return R, n_log, Sigma, w, evidence, quiet, work
        rounds -= 1
        m, had = w.copy(), R
        R, n_log, evidence = delete_useless(members, R, Sigma, m, log, n_log, evidence)
        step, promise = newton_step(members.alpha, m, Sigma, R, 0.0, False, 1.0, 0.0, 0.0)
        work += 0.3 * cubed(R) + (had - R) * had * had
        quiet = had == R and promise < tol
        if quiet:
            return R, n_log, Sigma, w, evidence, quiet, work
        if promise < tol:
            continue
        for i in range(R):
            k = members.used[i]
            if step[i] * last[k] < -0.5 * last[k] * last[k]:
                stride[k] *= 0.5
            last[k] = step[i]
            members.alpha[i] *= np.exp(stride[k] * step[i])
        n_log = write(log, n_log, SETTLE, NOBODY, np.nan, np.nan, promise, evidence + promise)


# ------------------------------------------------------------------ the functions outside


@jit
def outside_by_residuals(problem, members, R, beta):
    """Q and S of all functions (M,), as inner products of what is left of phi_i and t without the members' share.

    A few functions at a time: large arrays that come and go would cost more time than all the rest.
    """
    Phi, t = problem.Phi, problem.t
    N, M = Phi.shape
    basis = np.ascontiguousarray(np.linalg.qr(stacked(members.F[:R], members.alpha, beta))[0])
    share, part = np.empty((R, FEW)), np.empty((N + R, FEW))
    left, of_t = np.empty((N + R, FEW)), np.zeros(N + R)
    for n in range(N):
        of_t[n] = np.sqrt(beta) * t[n]
    for _ in range(2):  # once more for what rounding left
        of_t -= np.dot(basis, np.dot(of_t, basis))
    Q, S = np.zeros(M), np.zeros(M)
    for first in range(0, M, FEW):
        for n in range(N + R):
            for i in range(FEW):
                inside = n < N and first + i < M
                left[n, i] = np.sqrt(beta) * Phi[n, first + i] if inside else 0.0
        for _ in range(2):
            np.dot(basis.T, left, share)
            np.dot(basis, share, part)
            left -= part
        for n in range(N + R):
            for i in range(min(FEW, M - first)):
                Q[first + i] += left[n, i] * of_t[n]
                S[first + i] += left[n, i] * left[n, i]
    return Q, S


@jit
def promise_of(Q, S):
    """What a function outside would gain by joining: (7.97) at (7.101); 0 if q^2 <= s."""
    if S <= 0.0 or Q * Q <= S:
        return 0.0
    ratio = Q * Q / S
    return 0.5 * (ratio - 1.0 - np.log(ratio))


@jit
def different(Phi, weight, promises, S, cross, seen, worth, most):
    """The functions that promise most, more than `worth`, and are not alike, `most` at most; their columns as rows.

    weight (N,): the precision of each point; S (M,), cross (R, M) and seen (R, M) as in `add_best`. Neighbours promise
    the same gain, but only one of them can have it: alike is what is left of their columns without the members' share.
    """
    if most == 1:
        i = np.argmax(promises)
        n = 1 if promises[i] > worth else 0
        return np.array([i])[:n], Phi[:, i].copy().reshape(1, -1)[:n]
    ranked, columns, n = np.empty(most, np.int64), np.empty((most, Phi.shape[0])), 0
    for i in np.argsort(-promises)[: 3 * most]:
        if n == most or promises[i] <= worth:
            break
        put(columns[n], Phi[:, i])
        weighted, alike = columns[n] * weight, False
        for c in range(n):
            k = ranked[c]
            shared = np.dot(weighted, columns[c])
            for j in range(len(cross)):
                shared -= cross[j, i] * seen[j, k]
            alike = alike or shared * shared > ALIKE * S[i] * S[k]
        if not alike:
            ranked[n] = i
            n += 1
    return ranked[:n], columns[:n]


@jit
def products(problem, known, functions, columns):
    """phi_i' Phi for some functions, given with their columns as rows, (n, M); and the work of what was not known."""
    Phi = problem.Phi
    N, M = Phi.shape
    rows, new = np.empty((len(functions), M)), 0
    for c in range(len(functions)):
        if known.place[functions[c]] < 0:
            put(columns[new], columns[c])
            new += 1
    fresh = np.empty((0, M))
    if new > 1:
        fresh = np.dot(columns[:new], Phi)
    elif new == 1:
        fresh = np.dot(columns[0], Phi).reshape(1, M)
    new = 0
    for c in range(len(functions)):
        i = functions[c]
        if known.place[i] >= 0:
            put(rows[c], known.rows[known.place[i]])
            continue
        put(rows[c], fresh[new])
        new += 1
        if known.count[0] < len(known.rows):
            known.place[i] = known.count[0]
            put(known.rows[known.count[0]], rows[c])
            known.count[0] += 1
    return rows, (GEMM if new > 1 else 1.0) * new * N * M


@jit
def add_best(
    problem,
    known,
    classes,
    members,
    R,
    beta,
    b,
    Q,
    S,
    cross,
    seen,
    worth,
    most,
    joined,
    log,
    n_log,
    evidence,
):
    """4., 6. The functions outside that promise most join, `most` at most, as long as each gains more than `worth`.

    Parameters: Q, S (M,), S = 0 for those that may not join; cross = F B Phi and seen = Sigma cross, both (R, M).
    Returns: members, R, n_log, the work done.

    Each newcomer changes Q and S of the others by one outer product (Tipping & Faul, appendix). For this we need the
    row phi_i' B Phi; those of all candidates are computed together, in a fifth of the time.
    """
    Phi, M, had = problem.Phi, len(Q), R
    promises = np.empty(M)
    for i in range(M):
        promises[i] = promise_of(Q[i], S[i])
    ranked, columns = different(Phi, b, promises, S, cross, seen, worth, most)
    if len(ranked) == 0:
        return members, R, n_log, 0.0
    if classes:
        columns *= b  # which is new at every look: nothing to be known
    rows, work = products(problem, known, ranked, columns)
    strength, who = np.empty(most), np.empty(most, np.int64)
    for newcomers in range(min(most, len(ranked))):
        c, gain = -1, worth
        for k in range(len(ranked)):
            promise = promise_of(Q[ranked[k]], S[ranked[k]])
            if promise > gain:
                c, gain = k, promise
        if c < 0:
            break
        i, row = ranked[c], rows[c]
        alpha_i = S[i] ** 2 / (Q[i] ** 2 - S[i])  # (7.101)
        members = with_one_more(members, R, Phi, i, alpha_i, row)
        R += 1
        joined[i] += 1
        evidence += gain
        n_log = write(log, n_log, ADD, float(i), Q[i], S[i], gain, evidence)
        if newcomers + 1 < most:  # how the others look now
            if not classes:
                row *= beta
            for j in range(had):
                for k in range(M):
                    row[k] -= seen[j, i] * cross[j, k]
            for j in range(newcomers):
                factor = strength[j] * rows[who[j], i]
                for k in range(M):
                    row[k] -= factor * rows[who[j], k]
            strength[newcomers], who[newcomers] = 1.0 / (alpha_i + S[i]), c  # Sigma_ii
            weight = Q[i] * strength[newcomers]
            for k in range(M):
                Q[k] -= weight * row[k]
                S[k] -= strength[newcomers] * row[k] * row[k]
            S[i] = 0.0
            work += (R + 2.0) * M
    return members, R, n_log, work


@jit
def climb(
    problem,
    known,
    classes,
    members,
    R,
    joined,
    beta,
    learn,
    hold,
    crowd,
    worth,
    tol,
    rounds,
    most_looks,
    most_work,
):
    """Settle, look outside, add, until no addition gains more than `worth` and the members are at rest within tol.

    Parameters: problem; known, the Products so far; classes: True for classification (t is 0 or 1); the R members at
    first; joined (M,): how often each function has joined, AGAIN for those that may not; beta, the noise precision at
    first; learn it, once `hold` functions have been added or none is left to add; crowd: newcomers between two looks,
    for each member there is; rounds: of settling between two looks; most_looks; most_work, in multiplications.
    Returns: members, R, beta, the log evidence, log (n, 6), number of looks, converged, whether members were ever
    nearly collinear, work.
    """
    Phi = problem.Phi
    N, M = Phi.shape
    y, b = np.empty(N), np.empty(N)  # b: precision of each point
    log, n_log = np.empty((64 + R, LOG_WIDTH)), np.int64(0)
    learning, converged, collinear, quiet, looks, work = learn and hold <= 0, False, False, False, 0, 0.0
    overlap = False
    evidence = -np.inf
    while True:
        looks += 1
        log = with_room(log, n_log, R + rounds + 1)
        if classes:
            R, n_log, Sigma, m, evidence, quiet, effort = settle_bernoulli(
                problem, members, R, tol, rounds, most_work - work, log, n_log, y, b
            )
        else:
            R, beta, n_log, Sigma, m, evidence, collinear, quiet, effort = settle_regression(
                problem, members, R, beta, learning, tol, rounds, most_work - work, log, n_log
            )
        work += effort
        overlap = overlap or collinear
        if work > most_work:
            break

        # 3. q and s of the functions outside
        if not classes:
            b[:] = beta
        alone = np.dot(b, problem.squares) if classes else beta * problem.own
        if classes:
            cross = np.dot(members.F[:R] * b, Phi)
            Q = np.dot(problem.t - y, Phi)
            work += GEMM * R * N * M + 2.0 * N * M
        else:
            cross = beta * members.G[:R]
            Q = beta * (problem.toward - np.dot(m, members.G[:R]))  # (7.106)
        S, seen = alone.copy(), np.dot(Sigma, cross)
        for j in range(R):
            for i in range(M):
                S[i] -= cross[j, i] * seen[j, i]  # (7.107)
        work += GEMM * R * R * M + 2.0 * R * M
        if collinear and R > 0:
            Q, S = outside_by_residuals(problem, members, R, beta)
            work += 4.0 * GEMM * (N + R) * R * M + 4.0 * N * M
        same = SAME_LENGTH if collinear else SAME
        for i in range(M):
            if S[i] <= same * alone[i] or joined[i] >= AGAIN:
                S[i] = 0.0
        for j in range(R):
            S[members.used[j]] = 0.0  # members have had their turn

        # 4., 6. the best of them join
        most, had = 1 if collinear else 1 + int(crowd * R), R
        log = with_room(log, n_log, most)
        members, R, n_log, effort = add_best(
            problem,
            known,
            classes,
            members,
            R,
            beta,
            b,
            Q,
            S,
            cross,
            seen,
            worth,
            most,
            joined,
            log,
            n_log,
            evidence,
        )
        work += effort
        newcomers = R - had
        if newcomers > 0:
            hold -= newcomers
            learning = learning or (learn and hold <= 0)
        elif learn and not learning:
            learning = True
        elif quiet:
            converged = True
            break
        if looks >= most_looks:
            break
    return members, R, beta, evidence, log[:n_log], looks, converged, overlap, work


# ------------------------------------------------------------------ a summary of the rows


@jit
def longest_row(Phi):
    """The index of the row with the greatest length: whatever the order of the rows, the same one."""
    longest, most = 0, -1.0
    for n in range(len(Phi)):
        square = np.dot(Phi[n], Phi[n])
        if square > most:
            longest, most = n, square
    return longest


@jit
def few_columns(Phi, most, tol):
    """Columns that span those of Phi (N, M) up to tol of its size, by cross approximation; none if `most` do not do.

    Takes O(most^2 (N + M)): whatever is left of Phi without the crosses found so far is only looked at along a row,
    whose largest entry says which column is next, and along this column, whose largest entry says which row.
    """
    N, M = Phi.shape
    u, v = np.empty((most, N)), np.empty((most, M))
    chosen, taken = np.empty(most, np.int64), np.zeros(N, np.bool_)
    n, i, size, small = 0, longest_row(Phi), 0.0, 0
    while n < most and n < N:
        taken[i] = True
        row = Phi[i].copy()
        for k in range(n):
            for c in range(M):
                row[c] -= u[k, i] * v[k, c]
        j = np.argmax(np.abs(row))
        if row[j] == 0.0:
            small, length = small + 1, 0.0
            column = np.zeros(N)
        else:
            column = Phi[:, j].copy()
            for k in range(n):
                for r in range(N):
                    column[r] -= v[k, j] * u[k, r]
            length = np.sqrt(np.dot(column, column) * np.dot(row, row)) / abs(row[j])
            size = max(size, length)
            small = small + 1 if length <= tol * size else 0
            put(u[n], column)
            put(v[n], row / row[j])
            chosen[n] = j
            n += 1
        if small == 3:
            return chosen[:n]
        if n >= 10 and length > 10.0 * size * tol ** (n / most):  # at this pace `most` will not do
            return chosen[:0]
        farthest = -1.0
        for r in range(N):
            if not taken[r] and abs(column[r]) > farthest:
                farthest, i = abs(column[r]), r
        if farthest < 0.0:
            return chosen[:n]
    return chosen[:0]
