"""Three classes at once: what the explorer claims."""

import numpy as np

from sparsekm_edu import RVC, Gaussian, datasets
from sparsekm_edu.explorers.rvm import softmax


def test_three_classes_are_what_a_fresh_machine_says(make):
    explorer = make("softmax_rvm")
    explorer.set(gamma=1.0, probability="plug-in", x1=0.3, x2=-0.2)
    X, t = datasets.three_classes(36)
    model = RVC(kernel=Gaussian(1.0), probability="plug-in").fit(X, t)
    x1, x2 = softmax.GRID
    points = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    P = model.predict_proba(points).T.reshape(3, len(x2), len(x1))
    np.testing.assert_allclose(explorer.picture.P, P, atol=1e-10)
    np.testing.assert_allclose(explorer.picture.P.sum(axis=0), 1)
    np.testing.assert_array_equal(explorer.picture.centres, model.relevance_vectors_)
    there = model.predict_proba([[0.3, -0.2]])[0]
    assert explorer.picture.facts["p(●), p(■), p(▲) at ◆"] == " ".join(f"{p:.2f}" for p in there)
    R = np.isfinite(model.alpha_).sum()
    assert explorer.picture.facts["weights, of M K"] == f"{R} of 111"
    assert np.sum(explorer.picture.W != 0) + np.sum(explorer.picture.bias != 0) == R


def test_averaging_makes_nobody_surer(make):
    """On average the averaged probabilities are closer to a third each."""
    explorer = make("softmax_rvm")
    averaged = explorer.picture.P.max(axis=0)
    explorer.set(probability="plug-in")
    assert explorer.picture.P.max(axis=0).mean() > averaged.mean()


def test_the_probe_is_dragged_like_a_point(make):
    explorer = make("softmax_rvm")
    before = explorer.picture.facts["p(●), p(■), p(▲) at ◆"]
    index = len(explorer.state.t)  # after all points
    u, v = explorer.canvas.handles[0][:2]
    explorer._on_gesture({"type": "move", "index": index, "u": u, "v": v})
    np.testing.assert_allclose((explorer.state.x1, explorer.state.x2), explorer.state.X[0], atol=1e-6)
    assert explorer.picture.facts["p(●), p(■), p(▲) at ◆"] != before
    explorer.mode.value = "remove"
    explorer._on_gesture({"type": "remove", "index": index})
    assert len(explorer.state.t) == index


def test_a_class_without_points_is_explained(make):
    explorer = make("softmax_rvm")
    keep = explorer.state.t != 2
    explorer.set(X=explorer.state.X[keep], t=explorer.state.t[keep])
    assert "three classes" in explorer.message
    assert explorer.canvas.stale
    explorer.reset()
    assert explorer.message == ""
