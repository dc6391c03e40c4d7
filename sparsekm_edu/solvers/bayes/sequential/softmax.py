"""The fast schedule of sequential sparse Bayesian learning for K classes (softmax), its inner loops compiled.

As in `fast`, the members of the model settle among themselves after each addition, before we look outside
for the next one. A member is a function i for a class k; it has the number i K + k.

Turning back. The best alpha_i of (7.101) is right for the mode and the curvature of the moment. Both move with alpha_i,
and where they move far, the best alpha_i seen from the new place lies on the other side of the old one: two places that
point at each other, for ever. So a member that turns back by more than half of its last move (in ln alpha) goes only
half as far from then on.
"""

import numpy as np

from sparsekm_edu.jit import jit
from sparsekm_edu.solvers.bayes.sequential.fast import TRIFLE, WORTH_ADDING
from sparsekm_edu.solvers.bayes.sequential.model import AGAIN, PRECISE, SAME

START, ADD, REESTIMATE, DELETE = 0.0, 1.0, 2.0, 3.0  # actions in the log, as in `fast`
LOG_WIDTH = 6  # action, number of the member, q, s, gain, log evidence
NEWTON_STEPS = 30
ROUNDS = 10  # of posterior and a sweep through the members between two looks, while the search is on; and in the end:
LAST_ROUNDS = 500


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
    """Sigma (R, R), the mode (R,) and the log evidence (7.114), by Newton's method with step halving from w (R,).

    Parameters: F (R, N): the members' columns, as rows; of_class (R,); alpha (R,); own (N,) labels 0 ... K - 1; y
    (K, N) is overwritten with the probabilities at the mode.
    """
    R, N = F.shape
    value = softmax_terms(F, of_class, w, own, y) - 0.5 * np.dot(alpha * w, w)
    Sigma, H, Z, gradient = np.zeros((R, R)), np.zeros((R, R)), np.empty((R, N)), np.empty(R)
    for _ in range(NEWTON_STEPS):
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
    return Sigma, w, value - 0.5 * (np.linalg.slogdet(H)[1] - np.sum(np.log(alpha)))


@jit
def settle(F, of_class, alpha, w, own, y, tol, rounds):
    """The members settle: in every round each in turn takes its best alpha, or leaves. All in place.

    Parameters: as in `softmax_posterior`, for R members; tol: the gain that is worth a step; rounds at most.
    Returns: places (R,), those who stay first; how many these are; Sigma, the log evidence, the log, where members have
    their places for numbers, and whether all are at rest. alpha and w begin with those who stay.
    """
    R, place = len(F), np.arange(len(F))
    stride, turn = np.ones(R), np.zeros(R)
    log, n_log, at_rest = np.empty((rounds * R, LOG_WIDTH)), 0, False
    while True:
        Sigma, m, evidence = softmax_posterior(F[:R], of_class[:R], alpha[:R], w[:R], own, y)
        for j in range(R):
            w[j] = m[j]
        if at_rest or rounds == 0:
            return place, R, Sigma, evidence, log[:n_log], at_rest
        rounds -= 1
        at_rest = True
        for j in range(R):
            s, q = 1.0 / Sigma[j, j] - alpha[j], m[j] / Sigma[j, j]
            old = 0.5 * (q * q / (alpha[j] + s) - np.log1p(max(s, 0.0) / alpha[j]))  # (7.97)
            if s <= 0.0 or q * q <= s:  # 7. delete
                action, gain, kappa = DELETE, -old, 1.0 / Sigma[j, j]
                alpha[j] = np.inf
            else:  # 5. re-estimate
                action, gain = REESTIMATE, 0.5 * (q * q / s - 1.0 - np.log(q * q / s)) - old
                if gain <= tol:
                    continue
                move = np.log(s * s / (q * q - s) / alpha[j])  # (7.101)
                if move * turn[j] < -0.5 * turn[j] ** 2:
                    stride[j] /= 2.0
                turn[j] = move
                step = alpha[j] * (np.exp(stride[j] * move) - 1.0)
                kappa = step / (1.0 + step * Sigma[j, j])
                alpha[j] += step
            change(Sigma, m, j, kappa)
            evidence += gain
            log[n_log, 0], log[n_log, 1], log[n_log, 2] = action, place[j], q
            log[n_log, 3], log[n_log, 4], log[n_log, 5] = s, gain, evidence
            n_log, at_rest = n_log + 1, False
        stay = 0
        for j in range(R):  # those who stay move up
            if alpha[j] < np.inf:
                place[stay], of_class[stay], alpha[stay], w[stay] = place[j], of_class[j], alpha[j], w[j]
                stride[stay], turn[stay] = stride[j], turn[j]
                for n in range(F.shape[1]):
                    F[stay, n] = F[j, n]
                stay += 1
        R = stay


@jit
def change(Sigma, m, j, kappa):
    """Sigma - kappa Sigma_j Sigma_j' and m - kappa m_j Sigma_j, in place, as in `fast`."""
    row, weight = Sigma[j].copy(), m[j]
    for a in range(len(m)):
        m[a] -= weight * kappa * row[a]
        for b in range(len(m)):
            Sigma[a, b] -= kappa * row[a] * row[b]


def softmax_schedule(Phi, T, used, alpha, tol, max_iter):
    """Add, settle, look outside, until nothing gains more than tol.

    Parameters: Phi (N, M); T (N, K), one-of-K; used (R,), alpha (R,): numbers of the members at first, and their
    precisions; max_iter looks outside.
    Returns: used, alpha, weights, the log evidence, log (n, 6), number of looks, converged.
    """
    N, K = T.shape
    columns, squares, own = np.ascontiguousarray(Phi.T), Phi.T**2, T.argmax(axis=1)
    alpha, w, y = alpha.copy(), np.zeros(len(used)), np.empty((K, N))
    joined, lines, last = np.zeros(Phi.shape[1] * K, dtype=int), [], False
    for look in range(1, max_iter + 1):
        # 3. the posterior; 5., 7. the members settle
        precision, rounds = (PRECISE * tol, LAST_ROUNDS) if last else (TRIFLE, ROUNDS)
        place, R, Sigma, log_evidence, log, at_rest = settle(
            columns[used // K], used % K, alpha, w, own, y, precision, rounds
        )
        log[:, 1] = used[log[:, 1].astype(int)]
        if look == 1:
            first = log[0, 5] - log[0, 4] if len(log) else log_evidence
            lines.extend(np.array([[START, i, np.nan, np.nan, np.nan, first]]) for i in used)
        lines.append(log)
        used, alpha, w = used[place[:R]], alpha[:R], w[:R]

        # 3. q and s of those outside; 4. the one with the greatest gain
        q, s, alone = outside(columns, squares, T, used, Sigma, y)
        possible = (s > SAME * alone) & (q * q > s) & (joined < AGAIN)
        possible[used] = False
        ratio = np.divide(q * q, s, out=np.ones(len(q)), where=possible)
        gains = 0.5 * (ratio - 1.0 - np.log(ratio))  # (7.97) at (7.101)
        i = int(np.argmax(gains))
        if gains[i] > (tol if last else max(tol, WORTH_ADDING)):  # 6. add
            used = np.append(used, i)
            alpha, w = np.append(alpha, s[i] ** 2 / (q[i] ** 2 - s[i])), np.append(w, 0.0)
            joined[i] += 1
            lines.append(np.array([[ADD, i, q[i], s[i], gains[i], log_evidence + gains[i]]]))
        elif last:  # 9.
            return used, alpha, w, log_evidence, np.vstack(lines), look, at_rest
        else:
            last = True
    return used, alpha, w, log_evidence, np.vstack(lines), max_iter, False


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
