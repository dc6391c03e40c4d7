"""The fast schedule of sequential sparse Bayesian learning, compiled.

The book looks at all M basis functions after every single action. But what a member of the model should do follows from
Sigma and m alone,

    s_i = 1 / Sigma_ii - alpha_i,     q_i = m_i / Sigma_ii,

and costs next to nothing to find out. So after each addition the members settle among themselves: each in turn takes
its best alpha, or leaves, until nobody gains more than a trifle; only then do we look outside for the next addition.
What is outside is computed afresh at each look, so that no rounding errors pile up.

Classification is treated as the regression that the Laplace approximation makes of it: precision b_n = y_n (1 - y_n)
and a target of its own for point n, renewed by Newton's method until the members are at rest.

Reheating. The evidence has many maxima, and a greedy search for beta and the functions together tends to end where too
much is called noise. So when nothing is left to gain, we pretend that there is less noise, let more functions in, and
then learn beta again, as metals are heated to cool into a better order; as long as that raises the evidence, it is
done again.

All functions that `fast_schedule` calls stand in this file, because the cache of compiled code does not look further.
"""

from collections import namedtuple

import numpy as np

from sparsekm_edu.jit import jit
from sparsekm_edu.solvers.bayes.sequential.model import AGAIN, FIRST_NOISE, PRECISE, RESTLESS, SAME, STILL

START, ADD, REESTIMATE, DELETE, NOISE, HEAT, COOL = 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0  # actions in the log
NOBODY = -1.0  # the index of those that concern no function
LOG_WIDTH = 6  # action, index, q, s, gain, log evidence
COLLINEAR = 1e8  # H_ii Sigma_ii of members so alike that differences of squares lose their digits; then
SAME_LENGTH = 1e-20  # takes the place of SAME
TRIFLE = 1e-3  # nats that are not worth the trouble among members while the search is on
WORTH_ADDING = 1e-2  # the same for additions
HEATING = (2.0, 8.0, 512.0)  # factors on beta; the next if the last did not help, but
CHEAP = (np.inf, 1.0, 0.0)  # only if R^2 <= this times N, or
FEW_MEMBERS = 4  # R <= this: a model with next to nothing in it
WORTH_HEATING = 0.1  # nats that reheating must have brought to be tried again
SWEEPS = 50  # through the members before the posterior is computed afresh
ROUNDS = 10  # of posterior and sweeps between two looks, while the search is on; and in the end:
LAST_ROUNDS = 500
PATIENCE = 5  # times LAST_ROUNDS
NEWTON_STEPS = 30

#: The members of the model, in the first R entries: indices used, alpha, weights w, columns as rows F (., N), and F Phi
#: as G (., M), which only regression needs. R goes along as a number of its own.
Members = namedtuple("Members", "used alpha w F G")


@jit
def contribution(alpha, q, s):
    """lambda(alpha) of (7.97), as in `model`, and compiled: the cache asks for a copy in this file."""
    return 0.5 * (q * q / (alpha + s) - np.log1p(s / alpha))


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
def settle(members, R, Sigma, m, tol, sweeps, log, n_log, evidence):
    """Let each member in turn take its best alpha, or leave, until none gains more than tol; all in place.

    Parameters: the R members; Sigma (R, R) and m (R,); sweeps at most; log with n_log lines; the log evidence.
    Returns: R, n_log and log evidence afterwards. Sigma and m are then valid in their first R entries.
    """
    alpha, used = members.alpha, members.used
    for _ in range(sweeps):
        settled = True
        j = np.int64(0)  # a plain 0 would be compiled for itself
        while j < R:
            s = 1.0 / Sigma[j, j] - alpha[j]
            q = m[j] / Sigma[j, j]
            if s <= 0.0 or q * q <= s:  # 7. delete
                gain = -contribution(alpha[j], q, max(s, 0.0))
                evidence += gain
                n_log = write(log, n_log, DELETE, float(used[j]), q, s, gain, evidence)
                change(Sigma, m, R, j, 1.0 / Sigma[j, j])
                R -= 1
                close_gap(members, R, Sigma, m, j)
                settled = False
                continue
            best = s * s / (q * q - s)  # (7.101)
            gain = contribution(best, q, s) - contribution(alpha[j], q, s)
            if gain > tol:  # 5. re-estimate
                step = best - alpha[j]
                change(Sigma, m, R, j, step / (1.0 + step * Sigma[j, j]))
                alpha[j] = best
                evidence += gain
                n_log = write(log, n_log, REESTIMATE, float(used[j]), q, s, gain, evidence)
                settled = False
            j += 1
        if settled:
            break
    return R, n_log, evidence


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
def with_one_more(members, R, Phi, i, alpha_i):
    """The R members and function i of Phi (N, M), with precision alpha_i."""
    used, alpha, w, F, G = members
    F, G = with_room(F, R, 1), with_room(G, R, 1)
    used[R], alpha[R], w[R] = i, alpha_i, 0.0
    put(F[R], Phi[:, i])
    if G.shape[1] > 0:
        put(G[R], np.dot(F[R], Phi))
    return Members(used, alpha, w, F, G)


@jit
def copied(members, R):
    """Another set of arrays with the same R members."""
    used, alpha, w, F, G = members
    return Members(used[:R].copy(), alpha[:R].copy(), w[:R].copy(), F[:R].copy(), G[:R].copy())


@jit
def restore(members, kept):
    """The members that were kept are the members again."""
    for a in range(len(kept.used)):
        members.used[a], members.alpha[a], members.w[a] = kept.used[a], kept.alpha[a], kept.w[a]
        put(members.F[a], kept.F[a])
        put(members.G[a], kept.G[a])


@jit
def inverse(H):
    """H^-1 and ln |H| of H (R, R), positive definite up to rounding, by Cholesky's H = LL' and U = L^-1."""
    R = len(H)
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


@jit
def column_squares(Phi):
    """phi_i' phi_i, (M,), without another matrix of the size of Phi (N, M)."""
    squares = np.zeros(Phi.shape[1])
    for n in range(Phi.shape[0]):
        for i in range(Phi.shape[1]):
            squares[i] += Phi[n, i] * Phi[n, i]
    return squares


@jit
def regression_posterior(members, R, t, beta):
    """Sigma (7.83), m (7.82), the log evidence (7.85), and whether members are nearly collinear."""
    alpha, F = members.alpha, members.F[:R]
    H = np.empty((R, R))
    for i in range(R):
        for j in range(R):
            H[i, j] = beta * members.G[i, members.used[j]]
        H[i, i] += alpha[i]
    Sigma, log_determinant = inverse(H)
    collinear = False
    for i in range(R):
        collinear = collinear or H[i, i] * Sigma[i, i] > COLLINEAR
    if collinear:
        triangle = np.ascontiguousarray(np.linalg.qr(stacked(F, alpha, beta))[1])
        root = np.ascontiguousarray(np.linalg.inv(triangle))
        Sigma = np.dot(root, root.T)
        log_determinant = 2.0 * np.sum(np.log(np.abs(np.diag(triangle))))
    m = np.dot(Sigma, beta * np.dot(F, t))
    residual = t - np.dot(m, F)
    if collinear:
        m += np.dot(Sigma, beta * np.dot(F, residual) - alpha[:R] * m)  # what rounding left
        residual = t - np.dot(m, F)
    evidence = len(t) * np.log(beta / (2.0 * np.pi)) - beta * np.dot(residual, residual) - log_determinant
    for i in range(R):
        evidence += np.log(alpha[i]) - alpha[i] * m[i] * m[i]
    return Sigma, m, 0.5 * evidence, collinear


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
def outside_by_residuals(members, R, Phi, t, beta):
    """Q and S of all functions (M,), as inner products of what is left of phi_i and t without the members' share."""
    N, M = Phi.shape
    basis = np.ascontiguousarray(np.linalg.qr(stacked(members.F[:R], members.alpha, beta))[0])
    left = np.zeros((N + R, M + 1))
    for n in range(N):
        for i in range(M):
            left[n, i] = np.sqrt(beta) * Phi[n, i]
        left[n, M] = np.sqrt(beta) * t[n]
    for _ in range(2):  # once more for what rounding left
        left = left - np.dot(basis, np.dot(basis.T, left))
    Q, S = np.zeros(M), np.zeros(M)
    for n in range(N + R):
        for i in range(M):
            Q[i] += left[n, i] * left[n, M]
            S[i] += left[n, i] * left[n, i]
    return Q, S


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
def bernoulli_posterior(members, R, t, y, b):
    """Sigma (7.113), the mode, and the log evidence (7.114), by Newton's method with step halving from w.

    y and b (N,) are overwritten with those at the mode.
    """
    alpha, w, F = members.alpha[:R], members.w[:R], members.F[:R]
    value = bernoulli_terms(np.dot(w, F), t, y, b) - 0.5 * np.dot(alpha * w, w)  # (7.109)
    Sigma, log_determinant = np.zeros((R, R)), 0.0
    for _ in range(NEWTON_STEPS):
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
    return Sigma, w, value - 0.5 * log_determinant


@jit
def fast_schedule(Phi, t, bernoulli, beta, learn, most_beta, start, start_alpha, tol, max_iter):
    """Add, settle, look outside, until nothing gains more than tol.

    Parameters: Phi (N, M); t (N,); bernoulli: True for classification (t is 0 or 1), else regression with noise
    precision beta at first, to be learned or not, most_beta at most; start (R,), start_alpha (R,): functions in the
    model at first; max_iter looks outside.
    Returns: the Members, beta, the log evidence, log (n, 6), number of looks, converged.
    """
    N, M = Phi.shape
    R, room = np.int64(0), 16
    F, G = np.empty((room, N)), np.empty((room, 0 if bernoulli else M))
    members = Members(np.empty(M, np.int64), np.empty(M), np.zeros(M), F, G)
    joined = np.zeros(M, np.int64)
    y, b = np.empty(N), np.empty(N)
    Phi2 = Phi * Phi if bernoulli else Phi[:0]
    own, toward = column_squares(Phi), np.dot(t, Phi)  # phi_i' phi_i and phi_i' t
    log, n_log = np.empty((64, LOG_WIDTH)), np.int64(0)
    learning, last, converged, look, patience, collinear = False, False, False, 0, PATIENCE, False
    evidence = -np.inf
    best, best_beta, best_evidence, heat, limit = copied(members, 0), beta, -np.inf, 0, FIRST_NOISE

    for a in range(len(start)):
        members = with_one_more(members, R, Phi, start[a], start_alpha[a])
        R += 1

    while look < max_iter and not converged:
        look += 1
        # 3. Sigma and m; 5., 7. the members settle; 8. beta
        rounds, quiet = 0, False
        while True:
            if bernoulli:
                Sigma, m, evidence = bernoulli_posterior(members, R, t, y, b)
                put(members.w, m)
            else:
                Sigma, m, evidence, collinear = regression_posterior(members, R, t, beta)
            rounds += 1
            if n_log == 0:
                log = with_room(log, n_log, len(start))
                for a in range(len(start)):
                    n_log = write(log, n_log, START, float(start[a]), np.nan, np.nan, np.nan, evidence)
            if quiet or rounds > (LAST_ROUNDS if last else ROUNDS):
                break
            log, before = with_room(log, n_log, (SWEEPS + 1) * R + 4), n_log
            precision = PRECISE * tol if last else TRIFLE
            # In classification mode and curvature move along: to settle for good under the old ones would overshoot.
            sweeps = 1 if bernoulli or collinear else SWEEPS
            R, n_log, evidence = settle(members, R, Sigma, m, precision, sweeps, log, n_log, evidence)
            quiet = n_log == before
            moved = False
            if learning:
                residual = t - np.dot(m[:R], members.F[:R])
                gamma = 0.0
                for i in range(R):
                    gamma += 1.0 - members.alpha[i] * Sigma[i, i]  # (7.89)
                new = min((N - gamma) / np.dot(residual, residual), most_beta)  # (7.88)
                if abs(np.log(new / beta)) > (STILL if last else RESTLESS):
                    beta, moved, quiet = new, True, False
                    n_log = write(log, n_log, NOISE, NOBODY, np.nan, np.nan, np.nan, evidence)
            if not (moved or bernoulli or collinear or last):
                break  # Sigma and m have been kept up to date, apart from a few rounding errors
        Sigma, m = np.ascontiguousarray(Sigma[:R, :R]), m[:R]

        # 3. q and s of the functions outside; 4. the one with the greatest gain
        alone = np.dot(b, Phi2) if bernoulli else beta * own
        if collinear:
            Q, S = outside_by_residuals(members, R, Phi, t, beta)
        else:
            if bernoulli:
                cross = np.dot(members.F[:R] * b, Phi)
                Q = np.dot(t - y, Phi)
            else:
                cross = beta * members.G[:R]
                Q = beta * (toward - np.dot(m, members.G[:R]))  # (7.106)
            S, seen = alone.copy(), np.dot(Sigma, cross)
            for j in range(R):
                for i in range(M):
                    S[i] -= cross[j, i] * seen[j, i]  # (7.107)
        same = SAME_LENGTH if collinear else SAME
        for j in range(R):
            S[members.used[j]] = 0.0  # members have had their turn
        candidate, gain = -1, tol if last else max(tol, WORTH_ADDING)
        for i in range(M):
            if S[i] > same * alone[i] and Q[i] * Q[i] > S[i] and joined[i] < AGAIN:
                ratio = Q[i] * Q[i] / S[i]
                promise = 0.5 * (ratio - 1.0 - np.log(ratio))  # (7.97) at (7.101)
                if promise > gain:
                    candidate, gain = i, promise

        if candidate >= 0:  # 6. add
            alpha_i = S[candidate] ** 2 / (Q[candidate] ** 2 - S[candidate])  # (7.101)
            members = with_one_more(members, R, Phi, candidate, alpha_i)
            n_log = write(
                log, n_log, ADD, float(candidate), Q[candidate], S[candidate], gain, evidence + gain
            )
            joined[candidate] += 1
            R += 1
            learning = learning or (learn and joined.sum() >= limit)
        elif learn and not learning:
            learning = True
        elif last:  # 9.
            converged = quiet
            patience -= 1
            if patience == 0:
                break
        else:
            heat = 0 if evidence > best_evidence + WORTH_HEATING else heat
            if evidence >= best_evidence:
                best, best_beta, best_evidence = copied(members, R), beta, evidence
            else:
                R, beta, evidence = np.int64(len(best.used)), best_beta, best_evidence
                restore(members, best)
                n_log = write(log, n_log, COOL, NOBODY, np.nan, np.nan, np.nan, evidence)
            last = not learn or heat == len(HEATING) or (R > FEW_MEMBERS and CHEAP[heat] * N < R * R)
            if not last:
                beta, learning = min(HEATING[heat] * beta, most_beta), False
                joined, heat, limit = np.zeros(M, np.int64), heat + 1, FIRST_NOISE + R
                n_log = write(log, n_log, HEAT, NOBODY, np.nan, np.nan, np.nan, evidence)
    if not last and evidence <= best_evidence:  # max_iter looks were over while it was hot
        members, R, beta, evidence = best, np.int64(len(best.used)), best_beta, best_evidence
        n_log = write(log, n_log, COOL, NOBODY, np.nan, np.nan, np.nan, evidence)
    return copied(members, R), beta, evidence, log[:n_log], look, converged
