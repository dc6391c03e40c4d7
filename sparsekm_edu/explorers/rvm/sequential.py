"""The sequential player: sparse Bayesian learning one action at a time, seen in the q-s plane (PRML 7.2.2).

A pass through the book's box is two steps here, so that each is seen by itself: an action, and the new noise of step 8.
Whoever clicks a function plays step 4 of the box, and is told what the greedy rule would have made of the same steps.
"""

import warnings
from dataclasses import dataclass, replace
from math import ceil
from numbers import Integral

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.rvm.sequential import Frame, SequentialRun, describe_run, name_of, two_digits
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import four, log_slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.player import Player
from sparsekm_edu.solvers import sequential, sequential_steps
from sparsekm_edu.solvers.bayes.laplace import averaged_probability
from sparsekm_edu.solvers.bayes.sequential.model import best_alpha, contribution
from sparsekm_edu.validation import Impossible, shown

# ---- the data sets --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Problem:
    """A data set: X (N, D), t (N,), its likelihood, the unit of kernel widths, and the frame in which it is seen."""

    X: np.ndarray
    t: np.ndarray
    likelihood: str
    unit: float
    frame: Frame

    @property
    def names(self):
        """Of the basis functions: a kernel on every point, and the bias."""
        return [*map(name_of, range(len(self.t))), "bias"]

    @property
    def places(self):
        """Where the points are seen, (N, 2)."""
        return np.column_stack([self.X, self.t]) if self.likelihood == "gaussian" else self.X


def two_classes():
    """Labels are 0 and 1, as the likelihood wants them."""
    X, t = datasets.overlapping(30)
    return X, (t > 0).astype(float)


PLANE = (-3.2, 3.2, -2.2, 2.2)
PROBLEMS = {
    "10-point sinusoid": Problem(
        *datasets.sinusoid(),
        "gaussian",
        1.0,
        Frame((-0.1, 1.1, -1.5, 1.5), (0.1, 1e3, 1e-2, 1e5), (0, 0.5, 1)),
    ),
    "noisy sinc": Problem(
        *datasets.sinc(30, noise=0.2),
        "gaussian",
        10.0,
        Frame((-11, 11, -0.8, 1.4), (0.3, 1e4, 1e-2, 1e6), (-10, 0, 10)),
    ),
    "two classes": Problem(
        *two_classes(),
        "bernoulli",
        5.0,
        Frame(PLANE, (3e-4, 10, 1e-4, 30), (-3, 0, 3), ("$x_1$", "$x_2$")),
    ),
}
GRID = grid_over(PLANE, 60)
YOURS = "you choose"  # who steps on without choosing gets the greatest gain
SCHEDULES = {"greatest gain": "gain", "cyclic": "in turn", "random": "random", YOURS: "gain"}
LONGEST = SequentialRun.LONGEST  # steps of a run
CHAPTER, AHEAD = 10, 5  # runs are computed so many steps at a time, and so many before they are needed


# ---- a run ----------------------------------------------------------------------------------------------


class Basis:
    """The basis functions of a data set, for kernels of one width; schedules and choices do not change them.

    Phi (N, M): at the data; fast: the log evidence that `sequential` reaches by its own schedule.
    """

    def __init__(self, data, width):
        self.problem = problem = PROBLEMS[data]
        self.kernel = Gaussian(gamma=1 / (2 * (problem.unit * width) ** 2))
        self.Phi = self.design(problem.X)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that beta is at its limit is seen in the readout
            self.fast = sequential(self.Phi, problem.t, problem.likelihood).log_evidence
        if problem.likelihood == "gaussian":
            self.x = np.linspace(*problem.frame.fit[:2], 201)
            self.seen = self.design(self.x[:, None])
        else:
            self.seen = self.design(np.stack(np.meshgrid(*GRID), axis=-1).reshape(-1, 2))

    def design(self, X):
        """The basis functions at X (n, D): a kernel on every point of the data, and the bias, (n, M)."""
        return np.hstack([self.kernel(X, self.problem.X), np.ones((len(X), 1))])

    def fit(self, step):
        """What the model after a step predicts: x, mean and standard deviation; or the grid and both probabilities."""
        Phi = self.seen[:, step.active]
        mean, variance = Phi @ step.m, np.sum(Phi @ step.Sigma * Phi, axis=1)
        if self.problem.likelihood == "gaussian":
            return self.x, mean, np.sqrt(1.0 / step.beta + variance)  # (7.90), (7.91)
        p = averaged_probability(mean, variance).reshape(len(GRID[1]), len(GRID[0]))
        return GRID, np.stack([p, 1.0 - p])


class Run:
    """The steps on one basis, by one schedule and with the choices made by hand.

    There can be hundreds, and few people look at all of them. So they are computed when somebody asks, and kept, so
    that going back is exact.
    """

    def __init__(self, basis, schedule, choices):
        self.basis, by_hand = basis, dict(choices)
        self._rest = sequential_steps(
            basis.Phi,
            basis.problem.t,
            basis.problem.likelihood,
            choose=lambda step: by_hand.get(step.n_iter, SCHEDULES[schedule]),
            max_iter=LONGEST,
        )
        self._known = [next(self._rest)]

    def steps(self, number):
        """The empty model and the next `number` steps; fewer if the run is over before. The last one is "stop"."""
        while len(self._known) <= number and self._known[-1].action != "stop":
            self._known.append(next(self._rest))
        return self._known[: number + 1]


basis_of = remembered(maxsize=32)(Basis)


@remembered(maxsize=32)
def _run(data, width, schedule, choices):
    return Run(basis_of(data, width), schedule, choices)


def run_of(state):
    """The run that a state is a step of."""
    return _run(state.data, state.width, state.schedule, state.choices)


def greedy_run(state):
    """The run on the same data in which the greatest gain is chosen every time."""
    return _run(state.data, state.width, "greatest gain", ())


def seen(state):
    """The steps so far and the next one; whom the rule would choose is not given away to those who play step 4."""
    *past, to_come = run_of(state).steps(state.step + 1)
    if state.schedule == YOURS and to_come.index is not None:
        to_come = replace(to_come, action="yours", index=None)
    return past, to_come


def best_gains(step):
    """What an action on each function would gain after a step, (M,), by (7.97) and (7.101)."""
    return contribution(best_alpha(step.q, step.s), step.q, step.s) - contribution(step.alpha, step.q, step.s)


def place_in_box(step):
    """How far through the box a step is: passes, and whether step 8 of the present one is done; -1 before step 2."""
    return (-1 if step.n_iter == 0 else step.passes), step.action == "noise"


def score_of(state, past):
    """Readout rows for whoever plays step 4: the last choice beside the best one, and the run beside the greedy one."""
    by_hand = [k + 1 for k, _ in state.choices if k + 1 < len(past)]
    if not by_hand:
        return {"your choices": "click a point"}
    last, run, now = by_hand[-1], greedy_run(state), past[-1]
    # after as many passes: the noise of a pass counts on both sides, or on neither
    rival = [
        step
        for step in run.steps(len(past))
        if step.action != "stop" and place_in_box(step) <= place_in_box(now)
    ]
    ahead = now.log_evidence - rival[-1].log_evidence
    score = {
        "your choices": f"{len(by_hand)}, the last in step {last}",
        "its gain, of the best": f"{two_digits(past[last].gain)} of {two_digits(best_gains(past[last - 1]).max())}",
        "you − greedy, so far": f"{ahead:+.2f} nats",
    }
    if run_of(state).steps(len(past))[-1].action == "stop":
        score["passes, you and greedy"] = f"{now.passes} and {run.steps(LONGEST)[-1].passes}"
    return score


# ---- the explorer ---------------------------------------------------------------------------------------
OF_A_RUN = "data", "schedule", "width"  # fields


@dataclass(frozen=True)
class SequentialState:
    """step: how many were taken; data: a key of PROBLEMS; schedule: a key of SCHEDULES; width of the kernels, in units
    of the data set; choices: (step, index) of every candidate chosen by hand, in the order of the steps."""

    step: int = 1
    data: str = "10-point sinusoid"
    schedule: str = "greatest gain"
    width: float = 0.15
    choices: tuple = ()


@dataclass(frozen=True, eq=False)
class SequentialPicture(Picture):
    """q, s, active (M,) after the step; evidence (step + 1,) so far; fit: see Basis.fit; run: everything else."""

    q: np.ndarray
    s: np.ndarray
    active: np.ndarray
    evidence: np.ndarray
    fit: tuple
    run: Run


class SequentialExplorer(Player, Explorer):
    """Play the sequential algorithm in the q-s plane: the next action, and why; click a point to choose your own."""

    title = "The sequential player"
    State = SequentialState
    size = 7.6, 4.8

    def make_view(self, sheet):
        cells = sheet.add_gridspec(3, 2, height_ratios=(0.8, 3.3, 1.3), width_ratios=(1, 1.12))
        places = cells[0, :], cells[1, 0], cells[1, 1], cells[2, 0], cells[2, 1]
        axes = [sheet.add_subplot(place) for place in places]
        return SequentialRun(*axes, PROBLEMS[self.State().data].frame)

    def make_controls(self):
        return {
            **super().make_controls(),
            "data": widgets.Dropdown(description="data", options=list(PROBLEMS)),
            "schedule": widgets.Dropdown(description="schedule", options=list(SCHEDULES)),
            "width": log_slider("width", 0.15 * 10**-0.3, 0.15 * 10**0.45),  # 0.15 is on its grid
        }

    def accepted(self, fields):
        """A choice made by hand belongs to its run: other data, another schedule or width begin without any."""
        fields = super().accepted(fields)
        if any(fields.get(name, getattr(self.state, name)) != getattr(self.state, name) for name in OF_A_RUN):
            fields.setdefault("choices", ())
        return fields

    def check(self, state):
        M = len(PROBLEMS[state.data].names)
        for pair in state.choices:
            whole = isinstance(pair, tuple) and all(isinstance(n, Integral) and n >= 0 for n in pair)
            if not whole or len(pair) != 2:
                raise Impossible(f"choices must be pairs (step, index) of whole numbers, got {shown(pair)}")
            if pair[1] >= M:
                raise Impossible(f"choices must name functions from 0 to {M - 1}, got {pair[1]}")

    def last_step(self, state):
        """The last step, or one that is so far off that the slider can grow before it is reached."""
        far = CHAPTER * ceil((min(max(state.step, 0), LONGEST) + AHEAD) / CHAPTER)
        steps = run_of(state).steps(far + 1)
        return len(steps) - 2 if steps[-1].action == "stop" else far

    @staticmethod
    def compute(state):
        run = run_of(state)
        past, to_come = seen(state)
        now, basis, problem = past[-1], run.basis, run.basis.problem
        above, inside = now.q**2 > now.s, now.active
        gains = best_gains(now)
        evidence = np.array([step.log_evidence for step in past])
        if problem.likelihood == "gaussian":
            gain_left, quality = "largest gain left", {"noise: β": f"{now.beta:.4g}"}
        else:
            wrong = (basis.Phi[:, inside] @ now.m > 0) != problem.t
            gain_left, quality = (
                "largest gain promised",
                {"training errors": f"{wrong.sum()} of {len(wrong)}"},
            )
        facts = {
            "step": f"{state.step}" + (", the last" if to_come.action == "stop" else ""),
            "passes through the box": f"{now.passes}",
            "in the model": f"{inside.sum()} of {len(inside)}",
            "members above line": f"{np.sum(inside & above)} of {inside.sum()}",
            "others above line": f"{np.sum(~inside & above)} of {np.sum(~inside)}",
            gain_left: f"{two_digits(gains.max())} nats" if gains.max() > 1e-8 else "< 1e-8 nats",
            "ln evidence": four(now.log_evidence),
            "times it fell so far": f"{np.sum(np.diff(evidence) < -1e-9)}",
            "where fast ends": four(basis.fast),
            **quality,
            **score_of(state, past),
        }
        description = describe_run([*past, to_come], problem.names)
        return SequentialPicture(facts, description, now.q, now.s, inside, evidence, basis.fit(now), run)

    def draw(self, view, state, picture):
        basis, problem = picture.run.basis, picture.run.basis.problem
        if view.look_at(problem.frame):
            self.stage.background = None  # other axes
        by_hand = {step + 1 for step, _ in state.choices}
        past, to_come = seen(state)
        view.update(problem.X, problem.t, problem.names, [*past, to_come], by_hand, picture.fit, basis.fast)

    # ---- choices made by hand
    def handles(self, view, state):
        run, colours = run_of(state), self.stage.sheet.palette
        now = run.steps(state.step)[-1]
        in_plane, _ = view.plane.places(now.q, now.s)
        _, fit, plane, *_ = view.axes
        spots = [
            *((i, plane, place) for i, place in enumerate(in_plane)),
            *((i, fit, place) for i, place in enumerate(run.basis.problem.places)),
        ]
        return [Handle(("function", i), ax, *place, colours.own, fixed=True) for i, ax, place in spots]

    def chosen(self, state, name):
        """Function i is the next candidate; what was chosen for later steps is forgotten."""
        k = asked_at(state)
        return {"choices": (*(pair for pair in state.choices if pair[0] < k), (k, name[1])), "step": k + 1}

    def _on_choose(self, gesture):
        if run_of(self.state).steps(asked_at(self.state) + 1)[-1].action == "stop":
            self._say("the run is over; step back to choose")
        else:
            super()._on_choose(gesture)


def asked_at(state):
    """The step from which a candidate is selected next: step 8 of the box, which asks nobody, may come before."""
    run, k = run_of(state), state.step
    while run.steps(k + 1)[-1].action == "noise":
        k += 1
    return k


sequential_player = factory("sequential_player", SequentialExplorer)
