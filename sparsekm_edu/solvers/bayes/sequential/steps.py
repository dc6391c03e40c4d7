"""Sequential sparse Bayesian learning: basis functions come and go, one at a time (PRML 7.2.2; Tipping & Faul, 2003).

    maximise over alpha (and beta)   ln N(t | 0, C),   C = beta^-1 I + Phi A^-1 Phi'                  (7.85)-(7.86)

as `solvers.reestimation` does, but from the other end: the model starts empty and takes in what it needs, so that it
stays small all the way, where re-estimation begins with all M functions and inverts M x M matrices.

Why one at a time. Take function i out of the model, and call what is left of C C_{-i}. All that the log evidence knows
of alpha_i is one term, (7.96)-(7.97),

    lambda(alpha_i) = 1/2 { ln alpha_i - ln(alpha_i + s_i) + q_i^2 / (alpha_i + s_i) },

with the *sparsity* s_i = phi_i' C_{-i}^-1 phi_i, what is left of beta |phi_i|^2 once the model has had its share (the
more phi_i overlaps with the model, the smaller it is), and the *quality* q_i = phi_i' C_{-i}^-1 t, how well phi_i is
aligned with what the model has not explained. Its maximum is known in closed form, figure 7.11:

    alpha_i = s_i^2 / (q_i^2 - s_i)   if q_i^2 > s_i,      alpha_i = infinity (leave it out)   otherwise.      (7.101)

The box "Sequential Sparse Bayesian Learning Algorithm" turns this into nine steps, which `sequential_steps` goes
through with their numbers on the lines:

    1. initialise beta                            5. in the model, q^2 > s: re-estimate alpha_i
    2. one function in the model                  6. outside,      q^2 > s: add phi_i
    3. Sigma, m, and all q_i, s_i                 7. in the model, q^2 <= s: delete phi_i
    4. select a candidate phi_i                   8. update beta
                                                  9. converged? else back to 3.

Every action raises the evidence by lambda(new alpha_i) - lambda(old alpha_i) exactly, so the candidate with the
greatest gain is a good choice in 4; in turn, at random, or by the caller's choice works as well.

Step 3 need not start from nothing. A new alpha_i changes Sigma^-1 in one entry, so that Sigma, m and all
S_i = phi_i' C^-1 phi_i, Q_i = phi_i' C^-1 t (7.102)-(7.103) change by one outer product (`updated`; the formulae are in
the appendix of Tipping & Faul). Rounding errors pile up, so after a few actions everything is computed afresh; at once,
where columns are nearly collinear.

Classification. With Laplace's approximation (`solvers.laplace`) the same q, s and (7.101) hold for a regression that
stands in for the classification, as long as its mode and curvature stay put. They move a little with every action, so
there the gain is a promise, and Sigma, m, S and Q are computed afresh each time. With many classes promises may lead
back and forth for ever: where alpha_i turns back by more than half of its last move, it goes half as far from then on.

Departs from the book in what the box leaves open, not in its steps: the function of step 2 is the one with the
greatest gain; step 8 is (7.88) at the model that the action has left; step 9 ends the run where no addition gains more
than tol, no member could be tuned by more than a trifle, and beta rests. An s_i that is nothing but rounding error
counts as 0, and beta has a ceiling where there seems to be no noise. Nothing in the box forbids a run to go in circles:
then it ends after max_iter steps, and `converged` is False.

schedule="patient" departs from it in two places. It waits with step 8 until ten functions have been added, or none is
left to add: with too few functions everything looks like noise. And a function that has joined three times does not
come back, which ends every circle, even if it lies above the line q^2 = s at the end: then `sentence` says so.
"""

from dataclasses import dataclass, replace
from numbers import Integral

import numpy as np

from sparsekm_edu.solvers.bayes.sequential.model import (
    AGAIN,
    FIRST_NOISE,
    PRECISE,
    RESTLESS,
    SAME,
    STILL,
    best_alpha,
    contribution,
    empty_model,
    leave_one_out,
)
from sparsekm_edu.validation import real_number, whole_number

AFRESH = 5  # actions, then everything is computed from scratch


@dataclass(frozen=True, eq=False)
class SequentialStep:
    """The model after one action, and how all M basis functions look from there.

    action: "start" (the empty model, then the first function), "add", "re-estimate", "delete", "noise" (a new beta),
    "none" (the caller's candidate has nothing to gain) or "stop"; index of the basis function, None for the empty
    model, "noise" and "stop"; quality, sparsity: its q and s *before*
    the action, which decided it; predicted_gain: by (7.97); gain: of the log evidence, computed from scratch;
    log_evidence; q, s, Q, S (M,); active (M,); barred (M,): have joined so often that they do not come back; alpha
    (M,); beta; m (R,), Sigma (R, R); n_iter: steps so far, an action and a new beta being one each; passes: how often
    the run has gone through 3.-9. of the box, the present time included; converged: nothing that is allowed is worth an
    action. With K classes arrays over functions are (M, K), and index counts along alpha.ravel().
    """

    action: str
    index: int | None
    quality: float
    sparsity: float
    predicted_gain: float
    gain: float
    log_evidence: float
    q: np.ndarray
    s: np.ndarray
    Q: np.ndarray
    S: np.ndarray
    active: np.ndarray
    barred: np.ndarray
    alpha: np.ndarray
    beta: float | None
    m: np.ndarray
    Sigma: np.ndarray
    n_iter: int
    passes: int
    converged: bool

    @property
    def sentence(self):
        """The step in words."""
        return self.told()

    def told(self, name="phi_{}".format, number="{:.3g}".format, nats="{:.2g}".format):
        """The step in words; name, number and nats: functions that write an index, a number and a gain."""
        if self.action == "stop":
            if self.refused is not None:
                i, gain = self.refused
                return f"the end: {name(i)} could gain {nats(gain)} nats, but has joined too often"
            return (
                "no gain worth an action is left: the algorithm ends"
                if self.converged
                else f"stopped after {self.n_iter} steps, before the end"
            )
        if self.action == "noise":
            return f"new noise: beta = {number(self.beta)}, gain {nats(self.gain)} nats"
        if self.index is None:
            return "the model is empty"
        q2, s = self.quality**2, self.sparsity
        why = f"q^2 = {number(q2)} {'>' if q2 > s else '<='} s = {number(s)}"
        if self.action == "none":
            return f"{name(self.index)}: {why}, {self.why_not}"
        return f"{self.action} {name(self.index)}: {why}, gain {nats(self.gain)} nats"

    @property
    def refused(self):
        """At the end: the barred function that could gain most by joining once more, and its gain; None without one."""
        q, s = self.q.ravel(), self.s.ravel()
        above = (self.barred & ~self.active).ravel() & (q**2 > s)
        if self.action != "stop" or not self.converged or not above.any():
            return None
        gains = np.where(above, contribution(best_alpha(q, s), q, s), 0.0)
        return int(gains.argmax()), float(gains.max())

    @property
    def why_not(self):
        """Why nothing was done with the caller's candidate."""
        if self.active.flat[self.index]:
            return "its alpha is the best already"
        if self.quality**2 <= self.sparsity:
            return "no action is required"
        return (
            f"it has joined {AGAIN} times already" if self.barred.flat[self.index] else "too little to gain"
        )


def sequential_steps(
    Phi,
    t,
    likelihood="gaussian",
    beta=None,
    beta0=None,
    choose="gain",
    seed=0,
    schedule="book",
    tol=1e-4,
    max_iter=10_000,
):
    """The algorithm of the book's box, one action at a time: yields a SequentialStep for the start and after each.

    A pass through the box is an action, steps 3.-7., and a new beta, step 8.: two SequentialSteps, as each raises or
    lowers the evidence by itself. (Where beta is given, or in classification, there is no step 8.)

    Parameters: Phi (N, M) design matrix; t (N,) targets; likelihood "gaussian", "bernoulli" (t is 0 or 1) or "softmax"
    (t is (N, K), one-of-K); beta: the noise precision if known, None to learn it, from beta0 on (30 / var(t) if None);
    choose: the candidate with the greatest "gain", those with something to gain "in turn" or at "random" (seed), or a
    function that is given the last SequentialStep and returns an index, or the name of a rule that shall decide this
    time; schedule "book", or "patient", which waits with step 8. and lets nobody join a fourth time (see the top of
    this file); tol: the gain in nats that is worth an addition (the model's own members are tuned to a
    hundred-thousandth of it); max_iter steps.

    >>> from sparsekm_edu import Gaussian, datasets
    >>> from sparsekm_edu.solvers import sequential_steps
    >>> X, t = datasets.sinusoid()
    >>> *_, last = sequential_steps(Gaussian(gamma=22.0)(X), t)
    >>> print("in the model", last.active.nonzero()[0], "with log evidence", round(last.log_evidence, 2))
    in the model [2 7 9] with log evidence -3.8
    """
    model, learn = empty_model(Phi, t, likelihood, beta, beta0)  # 1.
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    if schedule not in ("book", "patient"):
        raise ValueError(f"schedule must be 'book' or 'patient', got {schedule!r}.")
    yield from steps_from(model, learn, selection(choose, seed), schedule == "patient", tol, max_iter)


def steps_from(model, learn, candidate, patient, tol, max_iter):
    """The box, from an empty model on; learn beta or not; candidate: see `selection`; patient, or as the book says."""
    joined = np.zeros(len(model.alpha), dtype=int)
    model = model.afresh()
    step = _step("start", model, model, joined)
    yield step
    while True:
        q, s = leave_one_out(model.alpha, model.m, model.Sigma, model.Q, model.S)  # 3.
        inside = np.isfinite(model.alpha)
        best = best_alpha(q, np.where(inside | (SAME * model.alone() < model.S), s, 0.0))
        gains = contribution(best, q, s) - contribution(model.alpha, q, s)
        worth = gains > np.where(inside, PRECISE * tol, tol)
        if patient:
            worth &= inside | (joined < AGAIN)
        over, n_iter, passes = not worth.any(), step.n_iter + 1, step.passes

        if learn and n_iter <= max_iter:  # 8.
            new = model.reestimated_beta()
            moved = abs(np.log(new / model.beta))
            acted = step.action not in ("start", "noise")  # in this pass; 2. is none
            due = acted and (not patient or (joined.sum() >= FIRST_NOISE and moved > RESTLESS))
            if due or (over and moved > STILL):
                before, model = model, replace(model, beta=new).afresh()
                step = _step("noise", before, model, joined, n_iter, passes + (not acted))
                yield step
                continue
        if over or n_iter > max_iter:  # 9.
            yield replace(_step("stop", model, model, joined, step.n_iter, passes), converged=over)
            return

        i = candidate(gains, worth, step)  # 4.
        if not worth[i]:
            action, after, gain = "none", model, 0.0
        else:
            after = model.step(i, best[i], afresh=n_iter % AFRESH == 0)
            action = "delete" if best[i] == np.inf else "re-estimate" if inside[i] else "add"  # 7., 5., 6.
            gain = contribution(after.alpha[i], q[i], s[i]) - contribution(model.alpha[i], q[i], s[i])
            joined[i] += action == "add"
        action = "start" if n_iter == 1 and action == "add" else action  # 2.
        step = _step(action, model, after, joined, n_iter, passes + (action != "start"))
        step = replace(step, index=i, quality=q[i], sparsity=s[i], predicted_gain=gain)
        model = after
        yield step


def _step(action, before, after, joined, n_iter=0, passes=0):
    """A SequentialStep from one model to the next; joined (M,): how often each function has."""
    shape = np.shape(after.alpha) if after.t.ndim == 1 else (-1, after.t.shape[1])
    q, s = leave_one_out(after.alpha, after.m, after.Sigma, after.Q, after.S)
    by_function = {
        name: array.reshape(shape)
        for name, array in {"q": q, "s": s, "Q": after.Q, "S": after.S, "alpha": after.alpha}.items()
    }
    gain = after.log_evidence - before.log_evidence
    return SequentialStep(
        action=action,
        index=None,
        quality=np.nan,
        sparsity=np.nan,
        predicted_gain=gain,
        gain=gain,
        log_evidence=after.log_evidence,
        active=np.isfinite(by_function["alpha"]),
        barred=(joined >= AGAIN).reshape(shape),
        beta=after.beta,
        m=after.m,
        Sigma=after.Sigma,
        n_iter=n_iter,
        passes=passes,
        converged=False,
        **by_function,
    )


def by_gain(gains, worth, step):
    """The candidate with the greatest gain."""
    return int(np.argmax(np.where(worth, gains, -np.inf)))


def in_turn():
    """Those with something to gain, one after the other."""
    last = -1

    def candidate(gains, worth, step):
        nonlocal last
        waiting = np.flatnonzero(worth)
        last = int(waiting[np.searchsorted(waiting, last, side="right") % len(waiting)])
        return last

    return candidate


def at_random(seed):
    """Any of those with something to gain."""
    rng = np.random.default_rng(seed)
    return lambda gains, worth, step: int(rng.choice(np.flatnonzero(worth)))


def selection(choose, seed):
    """A function of gains (M,), worth (M,) and the last step that selects the next candidate."""
    rules = {"gain": by_gain, "in turn": in_turn(), "random": at_random(seed)}
    if isinstance(choose, str) and choose in rules:
        return rules[choose]
    if not callable(choose):
        raise ValueError(f"choose must be 'gain', 'in turn', 'random' or a function, got {choose!r}.")

    def candidate(gains, worth, step):
        choice = choose(step)
        if isinstance(choice, str) and choice in rules:
            return rules[choice](gains, worth, step)
        whole = isinstance(choice, Integral) and not isinstance(choice, bool | np.bool_)
        if not whole or not 0 <= choice < len(gains):
            raise ValueError(f"choose must return an index from 0 to {len(gains) - 1}, got {choice!r}.")
        return int(choice)

    return candidate
