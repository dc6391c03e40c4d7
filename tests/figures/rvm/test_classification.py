"""Figure 7.12, where a kernel is worth its place, the training from inside: what is drawn is what was computed."""

import numpy as np
import pytest
from drawings.rvm.classification import (
    GRID,
    KERNEL,
    T,
    X,
    draw_7_12,
    draw_irls,
    draw_placement,
    draw_two_probabilities,
)
from looking import offsets

from sparsekm_edu import RVC, figures
from sparsekm_edu.figures.layers import two_classes
from sparsekm_edu.figures.rvm.classification import CERTAIN, SLOPES, Placing, describe_placing


def on_three(draw, *args, **kwargs):
    return draw(figures.panels(3)[1], *args, **kwargs)


def test_probabilities_are_those_of_the_sigmoid():
    a = np.array([-800.0, -2.0, 0.0, 3.0, 800.0])
    with np.errstate(over="ignore"):
        expected = 1 / (1 + np.exp(-a))
    np.testing.assert_allclose(two_classes(a), [expected, 1 - expected], atol=1e-15)


# figure 7.12


def test_figure_7_12_rings_the_relevance_vectors_in_both_planes():
    view, (model, _) = on_three(draw_7_12)
    for rings in (view.rings, view.seen_rings):
        np.testing.assert_array_equal(offsets(rings), X[model.relevance_])


def test_figure_7_12_the_boundary_is_where_both_classes_are_equally_probable():
    view, (model, _) = on_three(draw_7_12)
    line = np.concatenate([path.vertices for path in view.boundary.artists[0].get_paths()])
    np.testing.assert_allclose(model.predict_proba(line), 0.5, atol=0.02)


def test_figure_7_12_the_strip_shows_who_is_far_from_the_boundary():
    view, (model, machine) = on_three(draw_7_12)
    marks = np.concatenate([artist.get_offsets() for artist in view.on_strip.artists])
    a = KERNEL(X, model.relevance_vectors_) @ model.coef_  # w' phi(x), as the panel's title says
    assert "a = wᵀφ(x)" in view.what.get_text()
    for row, members in ((2, np.arange(len(T))), (1, machine.support_), (0, model.relevance_)):
        np.testing.assert_allclose(np.sort(marks[marks[:, 1] == row, 0]), np.sort(a[members]))


def test_figure_7_12_the_other_machine_can_be_shown_and_hidden():
    view, (model, machine) = on_three(draw_7_12)
    odds, a = model.surface(*GRID), model.decision_function(X)
    both = X, T, GRID, odds, model.relevance_, a, machine.support_, "plug-in"
    view.update(*both, machine.surface(*GRID))
    assert view.other.artists[0].get_visible()
    np.testing.assert_array_equal(offsets(view.support), X[machine.support_])
    view.update(*both)
    assert not view.other.artists[0].get_visible()
    assert len(offsets(view.support)) == 0


def test_figure_7_12_of_an_averaging_machine_says_so_and_shows_kappa_a():
    _, (model, machine) = on_three(draw_7_12)
    averaging = RVC(kernel=KERNEL).fit(X, T)
    view = figures.figure_7_12(*figures.panels(3)[1], X, T, averaging, machine)
    Phi = KERNEL(X, model.relevance_vectors_)
    kappa = 1 / np.sqrt(1 + np.pi / 8 * np.sum(Phi @ model.sigma_ * Phi, axis=1))  # (4.154)
    marks = np.concatenate([artist.get_offsets() for artist in view.on_strip.artists])
    np.testing.assert_allclose(
        np.sort(marks[marks[:, 1] == 2, 0]), np.sort(kappa * (Phi @ model.coef_)), atol=1e-9
    )
    assert "κ(σ²) a" in view.what.get_text()
    assert "averaged" in view.axes[0].get_figure().description


def test_figure_7_12_log_odds_beyond_the_axis_stand_at_its_edge():
    view, (model, machine) = on_three(draw_7_12)
    far = 1000.0 * model.decision_function(X)
    view.update(X, T, GRID, model.surface(*GRID), model.relevance_, far, machine.support_, "plug-in")
    marks = np.concatenate([artist.get_offsets() for artist in view.on_strip.artists])
    assert np.abs(marks[:, 0]).max() == CERTAIN
    assert view.axes[2].get_xlim()[1] > CERTAIN


def test_two_probabilities_are_sigma_of_a_and_of_kappa_a():
    view, (plug_in, averaged) = on_three(draw_two_probabilities)
    Phi = KERNEL(X, plug_in.relevance_vectors_)
    a = Phi @ plug_in.coef_
    kappa = 1 / np.sqrt(1 + np.pi / 8 * np.sum(Phi @ plug_in.sigma_ * Phi, axis=1))
    drawn, expected = offsets(view.both), np.column_stack([a, kappa * a])
    np.testing.assert_allclose(drawn[np.argsort(drawn[:, 0])], expected[np.argsort(a)], atol=1e-9)
    np.testing.assert_allclose(plug_in.predict_proba(X)[:, 1], 1 / (1 + np.exp(-a)))
    np.testing.assert_allclose(averaged.predict_proba(X)[:, 1], 1 / (1 + np.exp(-kappa * a)))
    for rings, model in zip(view.rings, (plug_in, averaged)):
        np.testing.assert_array_equal(offsets(rings), X[model.relevance_])


def test_two_probabilities_dashed_lines_are_at_99_percent():
    view, models = on_three(draw_two_probabilities)
    inside = []
    for sure, model in zip(view.sure, models, strict=True):
        line = np.concatenate([path.vertices for path in sure.artists[0].get_paths()])
        np.testing.assert_allclose(model.predict_proba(line).max(axis=1), 0.99, atol=2e-3)
        inside.append(np.mean(model.predict_proba(grid_places())[:, 0:2].max(axis=1) > 0.99))
    words = view.axes[0].get_figure().description
    assert f"{inside[0]:.0%} of the plane on the left, {inside[1]:.0%} in the middle" in words


def grid_places():
    """The grid of the printed figures, (n, 2)."""
    return np.stack(np.meshgrid(*figures.grid_over(figures.WIDE)), axis=-1).reshape(-1, 2)


# where a kernel is worth its place


def test_figure_placement_dashed_lines_are_where_q2_equals_s():
    _, (views, ratios, members) = draw_placement(figures.panels(2)[1])
    ends = np.concatenate([path.vertices for path in views[0].surface.margins.get_paths()])
    phi = KERNEL(X, ends)
    q2, s = (phi.T @ T / 2) ** 2, np.sum(phi**2, axis=0) / 4
    np.testing.assert_allclose(q2, s, rtol=0.15)  # between cells 0.16 wide
    np.testing.assert_array_equal(offsets(views[1].rings), X[members[1]])


def test_placing_the_bars_are_the_pulls():
    view = Placing(*figures.panels(2)[1])
    ratio = np.zeros((len(GRID[1]), len(GRID[0])))
    ratio[0, 0] = 2.0
    view.update(X, T, GRID, ratio, ratio - 1, [], np.array([0.3, -0.2]), 1.0, (2.5, -20.0))
    assert [bar.get_width() for bar in view.bars] == [2.5, -8.0, -8.0]
    circle = np.array(view.kernel.get_data())
    np.testing.assert_allclose(np.hypot(circle[0] - 0.3, circle[1] + 0.2), 1.0)


@pytest.mark.parametrize(
    ("pull", "verdict"), [((2.5, -0.3), "worth adding"), ((2.5, -2.4), "not worth adding")]
)
def test_placing_in_words_counts_where_a_kernel_is_worth_adding(pull, verdict):
    """Whatever becomes of the one in the hand: 3 of 10 places have q^2 > s."""
    ratio = np.array([[0.1, -0.9, 1.1, -3.0, 0.5], [0.0, 0.2, 2.0, -0.4, 0.99]])
    words = describe_placing([4], np.array([0.3, -0.2]), pull, ratio)
    assert f"so it is {verdict}. A kernel is worth adding in 30% of the plane." in words


# the training from inside


@pytest.mark.parametrize("k", [0, 3, 40, -1])
def test_figure_irls_shows_the_search_and_the_evidence_so_far(k):
    view, (few, steps, _) = on_three(draw_irls, k % 142)
    k %= 142
    step = steps[k]
    slopes = [
        s.slope for s in steps[: k + 1] if s.round == step.round and s.action not in ("prune", "evidence")
    ]
    np.testing.assert_allclose(view.slopes.get_ydata(), np.maximum(slopes, SLOPES[0]))
    told = [s.log_evidence for s in steps[: k + 1] if s.action == "evidence"]
    np.testing.assert_array_equal(view.so_far.get_ydata(), told)
    np.testing.assert_array_equal(offsets(view.rings), few[step.inside[step.inside < 30]])


def test_figure_irls_names_every_kind_of_step():
    few, steps, _ = on_three(draw_irls)[1]
    named = {
        "start": "start",
        "newton": "Newton",
        "prune": "prune",
        "evidence": "Laplace",
        "re-estimate": "α = γ/w²",
    }
    first = {step.action: k for k, step in reversed(list(enumerate(steps)))}
    assert set(first) == set(named)
    for action, k in first.items():
        view, _ = on_three(draw_irls, k)
        assert named[action] in view.what.get_text()
