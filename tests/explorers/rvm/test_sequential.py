"""The sequential player: every step against the solver, forwards and back, and by hand."""

import dataclasses

import numpy as np
import pytest
from driving import values_of
from scipy.stats import multivariate_normal

from sparsekm_edu import RVR, Gaussian, datasets
from sparsekm_edu.explorers.rvm.sequential import CHAPTER, GRID, PROBLEMS, SCHEDULES, run_of
from sparsekm_edu.figures.rvm.sequential import BOX, STEPS, name_of
from sparsekm_edu.solvers import sequential, sequential_steps

DATA = list(PROBLEMS)
REGRESSION = DATA[:2]


def design(explorer):
    """Phi, t and the likelihood, made here once more."""
    problem, width = PROBLEMS[explorer.state.data], explorer.state.width
    r = problem.unit * width
    squares = ((problem.X[:, None] - problem.X[None]) ** 2).sum(axis=2)
    return (
        np.hstack([np.exp(-squares / (2 * r * r)), np.ones((len(problem.t), 1))]),
        problem.t,
        problem.likelihood,
    )


def to_the_end(explorer):
    explorer.set(step=10**6)
    return run_of(explorer.state).steps(10**6)


def possible_gains(step):
    """What any function could gain alone, by (7.97) and (7.101)."""
    q2, s = step.q**2, step.s
    with np.errstate(divide="ignore", invalid="ignore"):
        best = np.where(q2 > s, s**2 / (q2 - s), np.inf)

        def lam(alpha):
            return np.where(
                np.isfinite(alpha), 0.5 * (np.log(alpha) - np.log(alpha + s) + q2 / (alpha + s)), 0.0
            )

        return lam(best) - lam(step.alpha)


def click(explorer, index):
    explorer.canvas._receive(explorer.canvas, {"type": "choose", "index": index, "nonce": 1}, [])


# from the first step to the last, and back


@pytest.mark.parametrize("data", DATA)
def test_first_to_last_to_first(painted, make, data):
    """The walk through a whole run: back is bit for bit what forward was, and the end is what `sequential` finds."""
    explorer = make("sequential_player")
    explorer.set(data=data, step=0)
    seen = []
    while True:
        picture = explorer.picture
        arrays = [
            a.copy() for a in (picture.q, picture.s, picture.active, picture.evidence, *picture.fit[1:])
        ]
        seen.append((explorer.state, explorer.canvas.frame, explorer.facts, explorer.description, arrays))
        explorer.go(+1)
        if explorer.state.step == seen[-1][0].step:
            break
    assert len(seen) > 10
    assert ", the last" in seen[-1][2]
    for state, frame, facts, description, arrays in reversed(seen):
        assert explorer.state == state
        assert explorer.canvas.frame == frame
        assert explorer.facts == facts
        assert explorer.description == description
        picture = explorer.picture
        now = (picture.q, picture.s, picture.active, picture.evidence, *picture.fit[1:])
        for one, other in zip(arrays, now, strict=True):
            np.testing.assert_array_equal(one, other)
        explorer.go(-1)
    assert explorer.state.step == 0


@pytest.mark.parametrize("width", [0.1, 0.15, 0.25])
@pytest.mark.parametrize("data", DATA)
def test_the_last_model_is_that_of_the_book_s_schedule(make, data, width):
    explorer = make("sequential_player")
    explorer.set(data=data, width=width)
    *_, last, stop = to_the_end(explorer)
    Phi, t, likelihood = run_of(explorer.state).basis.Phi, *design(explorer)[1:]
    np.testing.assert_allclose(Phi, design(explorer)[0], atol=1e-12)
    book = sequential(Phi, t, likelihood, schedule="book")
    for name in ("active", "alpha", "m", "Sigma"):
        np.testing.assert_array_equal(getattr(last, name), getattr(book, name))
    assert (last.beta, last.log_evidence) == (book.beta, book.log_evidence)
    assert stop.converged
    fast = sequential(Phi, t, likelihood)
    assert explorer.picture.facts["where fast ends"] == f"{fast.log_evidence:.4f}"


def test_the_first_state_ends_in_figure_7_9(make):
    explorer = make("sequential_player")
    *_, last, _ = to_the_end(explorer)
    X, t = datasets.sinusoid()
    model = RVR(Gaussian(gamma=1 / (2 * 0.15**2)), bias=False, extra="constant").fit(X, t)
    assert np.flatnonzero(last.active).tolist() == model.relevance_.tolist() == [2, 7, 9]
    assert explorer.picture.facts["ln evidence"] == "-3.7876"
    assert last.beta == pytest.approx(model.beta_, rel=1e-3)
    x, mean, deviation = explorer.picture.fit
    theirs = model.predict(x[:, None], return_std=True)
    np.testing.assert_allclose(mean, theirs[0], atol=1e-4)
    np.testing.assert_allclose(deviation, theirs[1], atol=1e-4)


# what every picture says


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("data", REGRESSION)
def test_the_evidence_is_that_of_c_and_never_falls(make, data, schedule):
    explorer = make("sequential_player")
    explorer.set(data=data, schedule=schedule)
    steps = to_the_end(explorer)
    Phi, t, _ = design(explorer)
    for step in steps[:25]:
        members = Phi[:, step.active]
        C = np.eye(len(t)) / step.beta + members / step.alpha[step.active] @ members.T  # (7.86)
        assert step.log_evidence == pytest.approx(
            multivariate_normal.logpdf(t, np.zeros(len(t)), C), abs=1e-6
        )
    np.testing.assert_array_equal(explorer.picture.evidence, [step.log_evidence for step in steps[:-1]])
    assert np.diff(explorer.picture.evidence).min() > -1e-9
    assert explorer.picture.facts["times it fell so far"] == "0"


@pytest.mark.parametrize("width", [0.08, 0.13, 0.2, 0.4])
@pytest.mark.parametrize("schedule", ["greatest gain", "cyclic"])
@pytest.mark.parametrize("data", REGRESSION)
def test_at_the_end_members_lie_above_the_line_and_all_others_below(make, data, schedule, width):
    explorer = make("sequential_player")
    explorer.set(data=data, schedule=schedule, width=width)
    *_, last, stop = to_the_end(explorer)
    assert stop.converged
    above, inside = last.q**2 > last.s, last.active
    assert above[inside].all()
    gains = possible_gains(last)
    assert gains[~inside].max() <= 1e-4  # at most on the line
    assert gains[inside].max() <= 1e-8
    facts = explorer.picture.facts
    assert facts["members above line"] == f"{inside.sum()} of {inside.sum()}"
    assert facts["others above line"] == f"{np.sum(above & ~inside)} of {np.sum(~inside)}"
    assert facts["in the model"] == f"{inside.sum()} of {len(inside)}"


def test_the_promised_gain_is_what_regression_gains_and_the_point_does_not_move(make):
    """q_i and s_i do not know alpha_i: a function's own point stays where it is when it acts."""
    explorer = make("sequential_player")
    steps = to_the_end(explorer)
    for before, step in zip(steps, steps[1:], strict=False):
        if step.index is None:
            continue
        assert step.gain == pytest.approx(possible_gains(before)[step.index], abs=1e-8)
        assert before.q[step.index] == pytest.approx(step.q[step.index], rel=1e-6)
        assert before.s[step.index] == pytest.approx(step.s[step.index], rel=1e-6)


def test_greatest_gain_is_the_hollow_point_highest_above_the_line(make):
    explorer = make("sequential_player")
    explorer.set(step=1)
    before, step = run_of(explorer.state).steps(2)[1:]
    height = np.where(before.active, 0, before.q**2 / before.s)
    assert step.action == "add"
    assert step.index == height.argmax()


def test_every_step_of_the_box_is_named(make):
    explorer, seen = make("sequential_player"), set()
    explorer.set(data="noisy sinc", width=0.1, step=0)
    while True:
        run = run_of(explorer.state)
        to_come = run.steps(explorer.state.step + 1)[-1]
        number, on_the_way = STEPS[to_come.action]
        seen |= {number, *on_the_way}
        assert f"step {number} of the box ({BOX[number - 1]})" in explorer.description
        light = explorer.stage.view.cells.get_facecolor()[:, 3]
        assert light.argmax() == number - 1
        before = explorer.state.step
        explorer.go(+1)
        if explorer.state.step == before:
            break
    assert seen == set(range(1, 10))


def test_classification_shows_averaged_probabilities(make):
    explorer = make("sequential_player")
    explorer.set(data="two classes", step=6)
    step = run_of(explorer.state).steps(6)[-1]
    problem, r = PROBLEMS["two classes"], 5.0 * explorer.state.width
    grid, P = explorer.picture.fit
    i, j = 11, 37
    x = np.array([GRID[0][j], GRID[1][i]])
    phi = np.append(np.exp(-((problem.X - x) ** 2).sum(axis=1) / (2 * r * r)), 1.0)[step.active]
    a, variance = phi @ step.m, phi @ step.Sigma @ phi
    p = 1 / (1 + np.exp(-a / np.sqrt(1 + np.pi * variance / 8)))
    assert P[:, i, j] == pytest.approx([p, 1 - p])
    assert grid is GRID


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_schedules_are_those_of_the_solver(make, schedule):
    explorer = make("sequential_player")
    explorer.set(schedule=schedule)
    steps = to_the_end(explorer)
    rule = {"greatest gain": "gain", "cyclic": "in turn", "random": "random", "you choose": "gain"}[schedule]
    Phi, t, likelihood = design(explorer)
    theirs = list(sequential_steps(Phi, t, likelihood, choose=rule))
    assert [(s.action, s.index) for s in steps] == [(s.action, s.index) for s in theirs]


@pytest.mark.parametrize("data", REGRESSION)
def test_step_8_is_seen_in_every_pass(make, data):
    """An action, then the new noise, and so on to the end; the readout counts the passes."""
    explorer = make("sequential_player")
    explorer.set(data=data)
    *steps, _ = to_the_end(explorer)
    for k in range(2, len(steps)):
        assert (steps[k].action == "noise") == (k % 2 == 1)
        assert steps[k].passes == k // 2
        explorer.set(step=k)
        assert explorer.picture.facts["passes through the box"] == str(k // 2)


@pytest.mark.parametrize("width", [0.0752, 0.423])
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("data", DATA)
def test_at_both_ends_of_the_width_every_run_ends(make, data, schedule, width):
    explorer = make("sequential_player")
    explorer.set(data=data, schedule=schedule, width=width)
    stop = to_the_end(explorer)[-1]
    assert stop.converged
    assert stop.n_iter < 1000


# the slider


def test_the_slider_grows_before_the_player_reaches_its_end(make):
    explorer = make("sequential_player")
    explorer.set(data="noisy sinc", width=0.1, step=0)
    assert explorer.steps.max == explorer.player.max == CHAPTER
    for _ in range(4 * CHAPTER):
        explorer.go(+1)
        assert explorer.steps.max > explorer.state.step
    explorer.set(step=10**6)
    assert explorer.steps.max == explorer.state.step > 4 * CHAPTER


# choices made by hand


@pytest.mark.parametrize("where", ["plane", "fit"])
def test_a_click_makes_a_function_the_next_candidate(make, where):
    explorer = make("sequential_player")
    explorer.set(step=1)
    index = 5
    M = len(explorer.picture.q)
    click(explorer, index if where == "plane" else M + index)
    assert explorer.state.choices == ((1, index),)
    assert explorer.state.step == 2
    past = run_of(explorer.state).steps(2)
    assert (past[2].action, past[2].index) == ("add", index)
    assert "✎" in explorer.stage.view.log[0].get_text().split("\n")[0]
    assert to_the_end(explorer)[-1].converged  # the schedule goes on


def test_a_choice_with_nothing_to_gain_is_answered(make):
    explorer = make("sequential_player")
    explorer.set(step=3)
    idle = int(np.flatnonzero(~explorer.picture.active & (explorer.picture.q**2 < explorer.picture.s))[0])
    before = explorer.picture.evidence[-1]
    click(explorer, idle)
    step = run_of(explorer.state).steps(4)[4]
    assert (step.action, step.index) == ("none", idle)
    assert explorer.picture.evidence[-1] == before
    assert "no action on" in explorer.stage.view.log[0].get_text()


def test_a_click_forgets_later_choices(make):
    explorer = make("sequential_player")
    explorer.set(step=0)
    for index in (1, 4, 6):
        click(explorer, index)
    assert explorer.state.choices == ((0, 1), (1, 4), (3, 6))  # step 3 is the new noise
    explorer.set(step=1)
    assert len(explorer.state.choices) == 3  # stepping back forgets nothing
    click(explorer, 8)
    assert explorer.state.choices == ((0, 1), (1, 8))
    assert explorer.state.step == 2


def test_the_noise_comes_before_a_choice(make):
    explorer = make("sequential_player")
    actions = [step.action for step in to_the_end(explorer)]
    k = actions.index("noise") - 1
    explorer.set(step=k)
    click(explorer, 2)
    assert explorer.state.choices == ((k + 1, 2),)
    assert explorer.state.step == k + 2
    steps = run_of(explorer.state).steps(k + 2)
    assert steps[k + 1].action == "noise"
    assert steps[k + 2].index == 2


def test_after_the_end_nobody_can_be_chosen(make):
    explorer = make("sequential_player")
    to_the_end(explorer)
    state = explorer.state
    click(explorer, 0)
    assert explorer.state == state
    assert "the run is over" in explorer.message


@pytest.mark.parametrize("fields", [{"data": "noisy sinc"}, {"width": 0.2}, {"schedule": "cyclic"}])
def test_another_run_begins_without_choices(make, fields):
    explorer = make("sequential_player")
    click(explorer, 5)
    assert explorer.state.choices
    explorer.set(**fields)
    assert explorer.state.choices == ()
    assert explorer.message == ""


def test_choices_survive_a_cold_start(painted, make):
    explorer, cold = make("sequential_player"), make("sequential_player")
    explorer.set(data="noisy sinc", schedule="random", step=0)
    rng = np.random.default_rng(0)
    for _ in range(12):
        click(explorer, int(rng.integers(31)))
        explorer.go(int(rng.integers(-1, 3)))
    cold.set(**dataclasses.asdict(explorer.state))
    assert cold.state == explorer.state
    assert cold.facts == explorer.facts
    assert cold.canvas.frame == explorer.canvas.frame


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"choices": ((0, 99),)}, "from 0 to 10, got 99"),
        ({"choices": ((0, 1.5),)}, "whole numbers"),
        ({"choices": ((0,),)}, "pairs"),
        ({"data": "digits"}, "10-point sinusoid"),
        ({"schedule": "alphabetic"}, "greatest gain"),
    ],
)
def test_impossible_states_are_explained(make, fields, word):
    explorer = make("sequential_player")
    state = explorer.state
    explorer.set(**fields)
    assert word in explorer.message
    assert explorer.state == state


def test_handles_are_all_fixed_and_on_the_points(make):
    explorer = make("sequential_player")
    for value in values_of(explorer.widgets["data"]):
        explorer.set(data=value, step=10)
        N = len(PROBLEMS[value].t)
        handles = explorer.canvas.handles
        assert len(handles) == 2 * N + 1
        assert all(handle[4] for handle in handles)
        assert all(0 < handle[0] < 1 and 0 < handle[1] < 1 for handle in handles)


# be the algorithm


def test_the_score_is_the_gain_beside_the_best_and_the_run_beside_the_greedy_one(make):
    explorer = make("sequential_player")
    explorer.set(step=0, schedule="you choose")
    assert explorer.picture.facts["your choices"] == "click a point"
    greedy = list(sequential_steps(*design(explorer)[:2]))
    for index in (4, 6, 2):
        before = run_of(explorer.state).steps(explorer.state.step)[-1]
        if before.passes:  # step 8 comes first
            before = run_of(explorer.state).steps(explorer.state.step + 1)[-1]
        best = possible_gains(before).max()
        click(explorer, index)
        k, facts = explorer.state.step, explorer.picture.facts
        taken = run_of(explorer.state).steps(k)[-1]
        mine, possible = map(float, facts["its gain, of the best"].split(" of "))
        assert mine == pytest.approx(taken.log_evidence - before.log_evidence, rel=0.06)
        assert possible == pytest.approx(best, rel=0.06)
        assert mine <= possible
        ahead = taken.log_evidence - greedy[k].log_evidence
        assert facts["you − greedy, so far"] == f"{ahead:+.2f} nats"
    assert "passes, you and greedy" not in facts
    last = to_the_end(explorer)[-1]
    passes = last.passes, greedy[-1].passes
    assert explorer.picture.facts["passes, you and greedy"] == "{} and {}".format(*passes)
    assert explorer.picture.facts["your choices"].startswith("3,")
    explorer.set(step=0)
    assert explorer.picture.facts["your choices"] == "click a point"  # none so far


def test_who_plays_the_greedy_rule_ties_with_it(make):
    explorer = make("sequential_player")
    explorer.set(step=0, schedule="you choose")
    for _ in range(4):
        state = explorer.state
        k = state.step + (run_of(state).steps(state.step + 1)[-1].action == "noise")
        click(explorer, int(possible_gains(run_of(state).steps(k)[-1]).argmax()))
        mine, possible = explorer.picture.facts["its gain, of the best"].split(" of ")
        assert mine == possible
        assert explorer.picture.facts["you − greedy, so far"] == "+0.00 nats"


def test_nobody_gets_ahead_by_learning_the_noise_first(make):
    """Below the line nothing happens but step 8; the greedy run is compared with after its own step 8."""
    explorer = make("sequential_player")
    explorer.set(step=0, schedule="you choose")
    click(explorer, 5)
    assert run_of(explorer.state).steps(1)[-1].action == "none"
    explorer.go(+1)
    now = run_of(explorer.state).steps(2)[-1]
    assert (now.action, now.passes) == ("noise", 1)
    rival = next(step for step in sequential_steps(*design(explorer)[:2]) if step.action == "noise")
    expected = now.log_evidence - rival.log_evidence
    assert expected < 0
    assert explorer.picture.facts["you − greedy, so far"] == f"{expected:+.2f} nats"


def test_whoever_plays_is_not_told_whom_the_rule_would_choose(make):
    explorer = make("sequential_player")
    explorer.set(step=1)
    told = run_of(explorer.state).steps(2)[-1].index
    assert name_of(told) in explorer.stage.view.sentence.get_text()
    explorer.set(schedule="you choose", step=1)
    view = explorer.stage.view
    assert "your turn" in view.sentence.get_text()
    assert "your turn" in explorer.description
    assert not view.plane.arrow.artists[0].get_visible()
    assert len(view.candidate.artists[0].get_offsets()) == 0
    assert view.cells.get_facecolor()[:, 3].argmax() == 3  # step 4 of the box
    explorer.go(+2)  # add, then the new noise
    assert "your turn" in view.sentence.get_text()
    explorer.go(-1)
    assert "new noise" in view.sentence.get_text()
