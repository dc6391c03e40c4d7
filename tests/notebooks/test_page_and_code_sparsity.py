"""What notebook 10 says is what the code does: its own box at both ends of the sliders, the numbers of its answers."""

import itertools
import re

import numpy as np
import pytest
from test_page_and_code import cells, prose, run, slider

from sparsekm_edu import Gaussian, LinearSpline, datasets, explorers
from sparsekm_edu.explorers.rvm.sequential import PROBLEMS, SequentialState, place_in_box, run_of
from sparsekm_edu.explorers.rvm.sparsity import COLOURS
from sparsekm_edu.solvers import log_evidence, sequential, sequential_steps

OWN_BOX = (
    "def lam(",
    "beta10, i = 10.0",
    'small_letters = exercises.solution("',
    "def seen_from",
    "def by_the_book",
)
WIDTHS = slider("sequential_player", "width")


def with_bias(kernel, X):
    return np.column_stack([kernel(X), np.ones(len(X))])


def sinc(seed, kernel, shift=0.0):
    X, t = datasets.sinc(100, noise=0.2, seed=seed)
    return with_bias(kernel, X + shift), t


def steps_of(**fields):
    """All steps of the player but the last, which only says that the run is over."""
    *steps, stop = run_of(SequentialState(**fields)).steps(10**6)
    assert stop.converged
    return steps


def on_the_slider(width):
    """The value of the width slider that its readout, with two digits, shows as this one."""
    control = explorers.sequential_player().widgets["width"]
    values = control.base ** np.arange(control.min, control.max + 1e-9, control.step)
    return float(values[np.abs(values - width).argmin()])


# ---- the box on the page ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_box():
    names, _ = run("10", *OWN_BOX)
    return names["by_the_book"]


def own_actions(box, Phi, t):
    alpha, beta, log = box(Phi, t, 30 / t.var())
    return log, log_evidence(Phi, t, alpha, beta)


@pytest.mark.parametrize("width", [*WIDTHS, 0.1, 0.15, 0.27])
@pytest.mark.parametrize("data", list(PROBLEMS)[:2])
def test_own_box_takes_the_library_s_steps_from_end_to_end_of_the_slider(own_box, data, width, capsys):
    problem = PROBLEMS[data]
    Phi = with_bias(Gaussian(1 / (2 * (problem.unit * width) ** 2)), problem.X)
    log, height = own_actions(own_box, Phi, problem.t)
    _, start, *later = sequential_steps(Phi, problem.t)
    assert start.action == "start"
    assert log == [(step.action, step.index) for step in later if step.index is not None]
    assert height == pytest.approx(later[-1].log_evidence, abs=1e-6)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("width", [0.01, 0.02, 0.05, 1.0, 3.0])
def test_own_box_ends_where_kernels_are_like_the_identity_or_a_constant(own_box, width):
    X, t = datasets.sinusoid()
    Phi = with_bias(Gaussian(1 / (2 * width**2)), X)
    _, height = own_actions(own_box, Phi, t)
    *_, last = sequential_steps(Phi, t)
    assert height == pytest.approx(last.log_evidence, abs=1e-3)


def test_a_spent_budget_is_told(own_box, capsys):
    X, t = datasets.sinusoid()
    own_box(with_bias(Gaussian(22.0), X), t, 30 / t.var(), passes=3)
    assert "budget of passes is spent" in capsys.readouterr().out


def test_the_library_s_actions_are_those_of_the_cell_to_fill():
    from sparsekm_edu import exercises

    act = exercises.solution("10-action")
    for data in list(PROBLEMS)[:2]:
        steps = steps_of(data=data, width=on_the_slider(0.11))
        for before, after in itertools.pairwise(steps):
            if after.index is not None:
                i = after.index
                action, alpha = act(before.q[i], before.s[i], before.alpha[i])
                assert action == ("add" if after.action == "start" else after.action)
                assert after.alpha[i] == pytest.approx(alpha, rel=1e-9)


def test_the_printed_rule_of_notebook_09_rests_where_section_3_says():
    """alpha <- gamma / m^2, (7.87), written with q and s: alpha <- s (alpha + s) / q^2."""
    from sparsekm_edu.solvers import posterior, sparsity_quality

    X, t = datasets.sinusoid()
    Phi, beta = with_bias(Gaussian(1 / (2 * 0.15**2)), X), 10.0
    alpha = np.exp(np.random.default_rng(1).normal(size=11))
    m, Sigma = posterior(Phi, t, alpha, beta)
    q, s, _, _ = sparsity_quality(Phi, t, np.ones(11, bool), alpha, beta)
    rule = (1 - alpha * np.diag(Sigma)) / m**2  # (7.87) with (7.89)
    np.testing.assert_allclose(rule, s * (alpha + s) / q**2, rtol=1e-6)
    above = q**2 > s
    best = s[above] ** 2 / (q[above] ** 2 - s[above])
    np.testing.assert_allclose(s[above] * (best + s[above]) / q[above] ** 2, best, rtol=1e-9)


# ---- numbers of the answers -------------------------------------------------------------------------------


def test_how_short_t_passes_for_noise():
    """At 30 degrees and beta = 1, by bisection on what the explorer computes."""
    explorer = explorers.sparsity(angle=30.0, fitted=False, beta=1.0, t=(2.0, 0.0))
    low, high = 0.3, 2.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        explorer.set(t=(middle, 0.0))
        keep = np.isfinite(explorer.picture.lam.best)
        low, high = (low, middle) if keep else (middle, high)
    assert f"shorter than about {high:.2f}" in prose("10")


def test_the_box_needs_no_more_than_the_text_says():
    steps = steps_of()
    counts = [np.sum((step.q**2 > step.s) & ~step.active) for step in steps]
    assert counts[1] == 8
    assert np.sum(~steps[1].active) == 10
    assert "At first eight of the ten others lie above" in prose("10")
    assert np.flatnonzero(steps[-1].active).tolist() == [2, 7, 9]
    assert min(step.gain for step in steps) >= 0  # "here it did no harm"


def test_step_8_moves_everybody_down_and_to_the_left():
    """s roughly like beta, q^2 like its square."""
    before, after = steps_of()[2:4]
    assert after.action == "noise"
    shrunk = after.beta / before.beta
    assert np.all(after.s < before.s)
    assert np.median(np.log(after.s / before.s)) == pytest.approx(np.log(shrunk), rel=0.2)
    outside = ~after.active
    squares = np.log(after.q[outside] ** 2 / before.q[outside] ** 2)
    assert np.median(squares) == pytest.approx(2 * np.log(shrunk), rel=0.25)


def test_nobody_gets_far_ahead_of_the_greedy_rule():
    """Any first two choices, compared after as many passes."""
    problem = PROBLEMS["10-point sinusoid"]
    Phi = with_bias(Gaussian(1 / (2 * 0.15**2)), problem.X)
    greedy = steps_of()
    best = 0.0
    for pair in itertools.product(range(11), repeat=2):
        asked = iter(pair)
        for step in sequential_steps(
            Phi, problem.t, choose=lambda _, asked=asked: next(asked, "gain"), max_iter=60
        ):
            if step.action != "stop" and step.n_iter:
                rival = [one for one in greedy if place_in_box(one) <= place_in_box(step)][-1]
                best = max(best, step.log_evidence - rival.log_evidence)
    assert 0.0003 < best <= 0.0004
    assert "never by more than 0.0004 nats" in prose("10")


def test_the_worst_start_is_not_let_in():
    empty = steps_of()[0]
    assert np.argmin(empty.q**2 / empty.s) == 5
    assert empty.q[5] ** 2 < empty.s[5]
    assert steps_of(choices=((0, 5),))[1].action == "none"


def test_who_pushed_the_first_function_out():
    steps = steps_of(width=on_the_slider(0.27))
    k = next(k for k, step in enumerate(steps) if step.action == "delete")
    assert (k, steps[k].index, steps[1].index) == (14, 1, 1)
    assert (steps[4].action, steps[4].index) == ("add", 2)
    squares = [step.q[1] ** 2 for step in (steps[3], steps[4], steps[k - 1])]
    told = f"fell from {squares[0]:.0f} to {squares[1]:.1f} at once and to {squares[2]:.2f} in the end"
    assert told in prose("10").replace("$q^2$ ", "")
    assert f"below $s={steps[k - 1].s[1]:.1f}$" in prose("10")


def test_quick_but_not_wise():
    ends = {
        schedule: steps_of(data="noisy sinc", width=on_the_slider(0.11), schedule=schedule)[-1]
        for schedule in ("greatest gain", "cyclic", "random")
    }
    passes = [end.passes for end in ends.values()]
    heights = [f"{end.log_evidence:.2f}" for end in ends.values()]
    assert heights[1] == heights[2]
    text = prose("10")
    assert "after {} passes, *cyclic* after {}, *random* after {}".format(*passes) in text
    assert f"ends at {heights[0]}, and both others at {heights[1]}, with seven functions each" in text
    assert {int(end.active.sum()) for end in ends.values()} == {7}


def test_section_7_and_what_it_says_of_its_table():
    text = prose("10")
    (facts,) = [
        output.text
        for cell in cells("10")
        for output in cell.get("outputs", [])
        if "largest distance of two curves" in output.get("text", "")
    ]
    *in_one_dimension, on_the_plane = map(float, re.search(r"noise sd +(.+)", facts)[1].split())
    assert f"no more than {max(in_one_dimension)} standard deviations" in text
    assert f"by {on_the_plane} on the plane" in text


def test_section_8_the_noise_that_is_learned_too_early():
    Phi, t = sinc(0, LinearSpline(), shift=10.0)
    book, patient = (sequential(Phi, t, schedule=schedule) for schedule in ("book", "patient"))
    steps = list(sequential_steps(Phi, t))
    above = [np.sum((step.q**2 > step.s) & ~step.active) for step in steps]
    text = prose("10")
    assert f"a standard deviation of {book.beta**-0.5:.2f}, three times too much" in text
    assert book.beta**-0.5 == pytest.approx(3 * 0.2 / 3**0.5, rel=0.05)
    assert f"all {above[2]} others that lay above the line lie below it" in text
    assert above[3] == 0
    assert book.support.tolist() == [100]  # the constant
    assert steps[-1].passes == 3
    assert f"ends {patient.log_evidence - book.log_evidence:.0f} nats higher" in text


def test_section_8_gaussian_kernels_are_kinder():
    draws = [sinc(seed, Gaussian(1 / 9)) for seed in range(30)]
    box, default = (
        [sequential(*data, schedule=way).log_evidence for data in draws] for way in ("book", "fast")
    )
    ahead = np.array(box) - np.array(default)
    near, lower, (higher,) = np.sum(np.abs(ahead) < 1), np.sum(ahead < -1), np.flatnonzero(ahead > 1)
    text = prose("10")
    told = f"within a nat of the default in {near}, lower in {lower}, and higher in one (draw {higher})"
    assert told in text
    patient = sequential(*draws[28], schedule="patient").log_evidence
    assert f"In draw 28 it stops at {box[28]:.1f}, and the patient run goes on to {patient:.1f}" in text


def test_section_9_about_ten_times_fewer():
    (facts,) = [
        output.text
        for cell in cells("10")
        for output in cell.get("outputs", [])
        if "largest matrix" in output.get("text", "")
    ]
    pairs = re.findall(r"(\d+) and +(\d+), multiplications (\S+) and (\S+)", facts)
    assert len(pairs) == 4
    assert max(int(box) for _, box, *_ in pairs) == 15
    ratios = [float(many) / float(few) for *_, many, few in pairs]
    assert min(ratios) > 5
    assert np.median(ratios) == pytest.approx(10, rel=0.25)


def test_equations_have_the_colours_of_the_readout():
    text = prose("10")
    for colour in COLOURS.values():
        assert rf"{{\color{{{colour}}}" in text
    assert set(re.findall(r"\\color\{(#\w+)\}", text)) == set(COLOURS.values())
