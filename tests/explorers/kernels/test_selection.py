"""The surface of cross-validation, cell by cell, against fresh machines and folds."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.svm import SVC as SklearnSVC

from sparsekm_edu import SVC, Gaussian, datasets
from sparsekm_edu.explorers.kernels.selection import CELLS_C, CELLS_GAMMA, EVERY_C, PLANE, known
from sparsekm_edu.lessons.true_error import true_errors
from sparsekm_edu.models import grid_search


def number(explorer, label, which=0):
    return float(explorer.picture.facts[label].replace(",", " ").split()[which].strip("%"))


@pytest.mark.parametrize(("C", "gamma", "folds"), [(1.0, 1.0, 5), (200.0, 0.3, 10), (0.01, 50.0, 2)])
def test_the_readout_is_what_fresh_machines_say(make, C, gamma, folds):
    explorer = make("cv_surface")
    explorer.set(C=C, gamma=gamma, folds=folds)
    X, t = datasets.mixture(n=100, seed=0)
    machine = SVC(C=C, kernel=Gaussian(gamma), tol=1e-8).fit(X, t)
    Y, kept = explorer.picture.machine
    np.testing.assert_allclose(Y, machine.surface(*PLANE), atol=1e-5)
    np.testing.assert_array_equal(kept, machine.support_)
    assert explorer.picture.facts["support vectors"] == f"{len(kept)} of 100"
    assert number(explorer, "true error") == pytest.approx(100 * known().error(machine), abs=0.06)
    new_X, new_t = datasets.mixture(n=60_000, seed=99)
    assert number(explorer, "true error") == pytest.approx(
        100 * np.mean(machine.predict(new_X) != new_t), abs=0.6
    )
    split = StratifiedKFold(folds, shuffle=True, random_state=0)
    errors = 1 - cross_val_score(SklearnSVC(C=C, gamma=gamma, tol=1e-9), X, t, cv=split)
    row, column = explorer.picture.scores.place((C, gamma))
    np.testing.assert_allclose(explorer.picture.scores.errors[row, column], errors, atol=1e-12)
    assert number(explorer, "CV error") == pytest.approx(100 * errors.mean(), abs=0.06)
    deviation = 100 * np.std(errors, ddof=1) / np.sqrt(folds)
    assert number(explorer, "CV error", 2) == pytest.approx(deviation, abs=0.06)
    assert number(explorer, "Bayes error") == 21.0


def test_the_slice_passes_through_the_cells(make):
    explorer = make("cv_surface")
    explorer.set(gamma=5.0)
    C, mean = explorer.picture.every
    row = np.flatnonzero(CELLS_GAMMA == 5.0)[0]
    np.testing.assert_array_equal(mean[np.isin(C, CELLS_C)], explorer.picture.scores.mean[row])
    assert len(EVERY_C) > 150
    view = explorer.stage.view
    np.testing.assert_array_equal(view.slice.line.get_xdata(), C)
    assert view.here.get_data() == ([1.0], [explorer.picture.scores.mean[row, CELLS_C == 1.0][0]])


def test_buttons_go_to_the_best_cell_and_to_the_simplest_within_one_standard_error(make):
    explorer = make("cv_surface")
    scores = explorer.picture.scores
    explorer.go("best")
    assert (explorer.state.C, explorer.state.gamma) == scores.best
    assert number(explorer, "CV error") == pytest.approx(100 * scores.mean.min(), abs=0.06)
    explorer.go("one_standard_error")
    assert (explorer.state.C, explorer.state.gamma) == scores.one_standard_error
    assert explorer.state.C <= scores.best.C


def handle(explorer):
    """Index, u and v of the handle that can be dragged."""
    places = explorer.canvas.handles
    (index,) = [n for n, each in enumerate(places) if not each[4]]
    return index, *places[index][:2]


def test_a_click_anywhere_on_the_map_chooses_the_nearest_cell(make):
    explorer = make("cv_surface")
    assert len(explorer.canvas.handles) == 400
    names = [handle.name for handle in explorer.handles(explorer.stage.view, explorer.state)]
    target = names.index((50.0, 0.2))
    explorer._on_gesture({"type": "choose", "index": target})
    assert (explorer.state.C, explorer.state.gamma) == (50.0, 0.2)
    view = explorer.stage.view
    places = np.array([h[:2] for h in explorer.canvas.handles]) * np.array(
        [1, explorer.size[1] / explorer.size[0]]
    )
    spots = [(C, gamma) for gamma in (0.026, 0.4, 55.0) for C in (0.008, 3.0, 25_000.0)]
    for C, gamma in spots:
        u, v = explorer.stage.to_page(view.axes[1], C, gamma)
        away = np.hypot(*(places - (u, v * explorer.size[1] / explorer.size[0])).T).min()
        assert away * explorer.size[0] * 100 < 14  # pixels within which a press counts


def test_dragged_it_goes_from_cell_to_cell_and_stays_where_the_hand_hesitates(make):
    explorer = make("cv_surface")
    ax = explorer.stage.view.axes[1]
    index, *_ = handle(explorer)
    u, v = explorer.stage.to_page(ax, 9.0, 0.22)
    for shift in (0.0, 0.001, -0.001, 0.002):  # within a pixel or two: no flicker
        explorer._on_gesture({"type": "move", "index": index, "u": u + shift, "v": v + shift})
        assert (explorer.state.C, explorer.state.gamma) == (10.0, 0.2)


@pytest.mark.parametrize(
    ("arrow", "C", "gamma"),
    [((1, 0), 2.0, 1.0), ((-1, 0), 0.5, 1.0), ((0, -1), 1.0, 1.4), ((0, 1), 1.0, 0.7)],
)
@pytest.mark.parametrize("pixels", [5, 20])  # without and with shift, as canvas.js has it
def test_an_arrow_key_moves_by_one_cell(make, arrow, C, gamma, pixels):
    explorer = make("cv_surface")
    index, u, v = handle(explorer)
    stride = pixels / (100 * explorer.size[0])
    ratio = explorer.size[0] / explorer.size[1]
    gesture = {"type": "move", "index": index, "u": u + arrow[0] * stride, "v": v + arrow[1] * stride * ratio}
    explorer._on_gesture(gesture)
    state = explorer.state
    if pixels == 5:
        assert (state.C, state.gamma) == (C, gamma)
    else:  # one cell or two: their steps are not all alike
        assert (np.sign(state.C - 1), np.sign(state.gamma - 1)) == (np.sign(C - 1), np.sign(gamma - 1))


def test_arrow_keys_reach_the_edges_and_stop_there(make):
    explorer = make("cv_surface")
    explorer.set(C=20_000.0, gamma=50.0)
    index, u, v = handle(explorer)
    explorer._on_gesture({"type": "move", "index": index, "u": u + 5 / 760, "v": v})
    assert (explorer.state.C, explorer.state.gamma) == (20_000.0, 50.0)


def test_what_takes_long_is_announced(make, monkeypatch):
    explorer = make("cv_surface")
    said = []
    monkeypatch.setattr(explorer, "_say", said.append)
    explorer.set(C=2.0)
    assert said == [""]
    explorer.set(folds=2)
    assert said[1:] == ["following 20 paths for each fold ...", ""]


def test_best_C_falls_as_gamma_grows():
    """MLaPP 14.5.3, on five draws, up to gamma = 5: beyond, C hardly matters, as few kernels overlap."""
    gamma = CELLS_GAMMA[CELLS_GAMMA <= 5][1::2]
    by_folds, true = [], []
    for draw in range(5):
        X, t = datasets.mixture(n=200, seed=draw)
        by_folds.append(spearmanr(gamma, grid_search(X, t, CELLS_C, gamma, progress=False).best_C)[0])
        true.append(spearmanr(gamma, CELLS_C[true_errors(X, t, CELLS_C, gamma, known()).argmin(axis=1)])[0])
    assert max(true) < -0.8
    assert max(by_folds) < 0
    assert np.median(by_folds) < -0.7
