"""Kernel PCA alive: maps, shares and errors against scikit-learn's; what can be dragged and clicked."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.neighbors import KNeighborsClassifier

from sparsekm_edu import datasets
from sparsekm_edu.datasets.flow import rims, surfaces
from sparsekm_edu.explorers.kernels.components import GAUSSIAN, LINEAR, PLACES, QUADRATIC


def up_to_sign(ours, theirs):
    """Both with the larger end of every column positive."""
    return [
        Z * np.sign(np.take_along_axis(Z, np.abs(theirs).argmax(axis=0)[None], axis=0))
        for Z in (ours, theirs)
    ]


def wrong_neighbours(Z, t):
    """1-NN, each point asked without itself."""
    others = [KNeighborsClassifier(1).fit(np.delete(Z, n, axis=0), np.delete(t, n)) for n in range(len(t))]
    return np.array([model.predict(Z[n : n + 1])[0] != t[n] for n, model in enumerate(others)])


# ---- figures 14.7 and 14.8
THEIRS = {
    GAUSSIAN: {"kernel": "rbf", "gamma": 1 / 0.3},
    QUADRATIC: {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0},
    LINEAR: {"kernel": "linear"},
}


@pytest.mark.parametrize(("kernel", "components"), [(GAUSSIAN, 8), (QUADRATIC, 5), (LINEAR, 2)])
def test_maps_are_those_of_scikit_learn(make, kernel, components):
    explorer = make("kernel_components", kernel=kernel, sigma2=0.3)
    X, picture = explorer.state.X, explorer.picture
    model = TheirKernelPCA(components, **THEIRS[kernel]).fit(X)
    ours, theirs = up_to_sign(picture.maps.reshape(len(PLACES), -1), model.transform(PLACES))
    np.testing.assert_allclose(ours, theirs, atol=1e-7 * np.abs(theirs).max())
    ours, theirs = up_to_sign(picture.Z, model.transform(X)[:, :2])
    np.testing.assert_allclose(ours, theirs, atol=1e-9 * np.abs(theirs).max())
    np.testing.assert_allclose(
        picture.shares[:components] / picture.shares[0], model.eigenvalues_ / model.eigenvalues_[0]
    )
    if kernel != GAUSSIAN:  # of so many features there are no more components
        assert picture.facts["above rounding error"] == str(components)
        assert picture.shares.sum() == pytest.approx(1)


def test_two_components_tell_the_clusters_apart_and_the_others_split_them(make):
    explorer = make("kernel_components")
    for drawn in range(5):
        X, t = datasets.three_clusters(seed=100 + drawn)
        explorer.set(X=X, t=t)
        between, facts = explorer.picture.between, explorer.picture.facts
        assert between[:2].min() > 0.95
        assert between[2:8].max() < 0.05
        assert facts["1-NN errors on z1, z2"] == "0 of 90"
        assert 6 < int(facts["for 95 % of variance"]) < 12


def test_a_wide_kernel_is_pca_and_a_narrow_one_sees_every_point_alone(make):
    explorer = make("kernel_components")
    linear = PCA().fit(explorer.state.X)
    explorer.set(sigma2=100.0)
    np.testing.assert_allclose(explorer.picture.shares[:2], linear.explained_variance_ratio_, atol=0.002)
    explorer.set(sigma2=0.001)
    assert explorer.picture.shares[0] < 0.05
    assert int(explorer.picture.facts["for 95 % of variance"]) > 60
    assert int(explorer.picture.facts["1-NN errors on z1, z2"].split()[0]) > 15


def test_components_of_the_linear_kernel_are_those_of_pca(make):
    explorer = make("kernel_components", kernel=LINEAR)
    ours, theirs = up_to_sign(explorer.picture.Z, PCA().fit_transform(explorer.state.X))
    np.testing.assert_allclose(ours, theirs, atol=1e-12)
    assert explorer.picture.facts["3–8: between clusters"] == "—"


def test_components_grow_to_the_right(make):
    explorer = make("kernel_components")
    for sigma2 in np.geomspace(0.01, 10, 20):
        explorer.set(sigma2=sigma2)
        x = explorer.state.X[:, 0]
        assert ((x - x.mean()) @ explorer.picture.Z > 0).all()


def drag(explorer, name, x, y):
    names = [handle.name for handle in explorer.handles(explorer.stage.view, explorer.state)]
    ax = explorer.stage.view.axes[0]
    u, v = explorer.stage.to_page(ax, x, y)
    explorer._on_gesture({"type": "move", "index": names.index(name), "u": float(u), "v": float(v)})


def test_a_cluster_is_dragged_by_its_middle_and_stays_as_it_is(make):
    explorer = make("kernel_components")
    before = explorer.state.X
    drag(explorer, ("centre", 1), 0.5, 0.0)
    moved = explorer.state.X - before
    np.testing.assert_allclose(moved[explorer.state.t == 1], [(0.5, -0.6)] * 30, atol=1e-9)
    assert not moved[explorer.state.t != 1].any()
    # two clusters in one place: one component parts them from the third, and the next one splits a cluster
    assert explorer.picture.between[0] > 0.9
    assert explorer.picture.between[1] < 0.1
    drag(explorer, ("centre", 1), 5.0, 5.0)
    assert np.abs(explorer.state.X).max() <= 1 + 1e-12  # no point leaves the picture
    shape = explorer.state.X[explorer.state.t == 1] - explorer.state.centres()[1]
    np.testing.assert_allclose(shape, (before - (0.0, 0.6))[explorer.state.t == 1], atol=1e-9)


def test_few_points(make):
    explorer = make("kernel_components")
    explorer.set(X=[(0.0, 0.0), (0.5, 0.5)], t=[0, 1])
    assert explorer.message == ""
    assert explorer.picture.facts["above rounding error"] == "1"
    assert explorer.picture.shares == pytest.approx([1])
    explorer.remove(0)
    assert "two different points" in explorer.message
    explorer.set(X=np.full((4, 2), 0.1), t=[0, 1, 2, 0])
    assert "two different points" in explorer.message
    explorer.set(X=[(0.0, 0.0), (1e-8, 0.0)], t=[0, 1], sigma2=100.0)
    assert "all points are alike" in explorer.message


# ---- figure 14.9
@pytest.mark.parametrize(("drawn", "width"), [(0, 1.0), (3, 0.3), (7, 3.0)])
def test_flow_counts_what_scikit_learn_counts(make, drawn, width):
    explorer = make("flow", drawn=drawn, width=width)
    X, t = datasets.three_phase_flow(seed=drawn)
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    median = np.median(distances[np.triu_indices(100, 1)])
    Zs = (
        PCA(2).fit_transform(X),
        TheirKernelPCA(2, kernel="rbf", gamma=1 / (2 * (width * median) ** 2)).fit_transform(X),
    )
    for name, Z, ours, crossed in zip(
        ("PCA", "kernel PCA"), Zs, explorer.picture.Zs, explorer.picture.wrong, strict=True
    ):
        ours, theirs = up_to_sign(ours, Z)
        np.testing.assert_allclose(ours, theirs, atol=1e-9)
        wrong = wrong_neighbours(Z, t)
        np.testing.assert_array_equal(crossed, wrong)
        assert explorer.picture.facts[f"wrong, {name}"] == f"{wrong.sum()} of 100"
    assert explorer.picture.facts["wrong, all 12"] == f"{wrong_neighbours(X, t).sum()} of 100"


def test_flow_kernel_pca_wins_a_little_at_the_median_and_loses_when_narrow(make):
    explorer = make("flow")
    errors = {}
    for width in (0.25, 1.0, 10.0):
        counts = []
        for drawn in range(10):
            explorer.set(width=width, drawn=drawn)
            counts.append([crossed.sum() for crossed in explorer.picture.wrong])
        errors[width] = np.mean(counts, axis=0)
    pca = errors[1.0][0]
    assert 10 < pca < 14
    assert pca - 3 < errors[1.0][1] < pca  # better, but not by much
    assert errors[0.25][1] > 1.5 * pca
    assert errors[10.0][1] == pytest.approx(pca, abs=0.3)  # wide: nearly PCA itself


def test_flow_a_click_in_either_plane_shows_the_pipe(make):
    explorer = make("flow")
    handles = explorer.handles(explorer.stage.view, explorer.state)
    assert len(handles) == 200
    t, shares = datasets.pipe_contents(100, seed=0)
    for index, n in ((4, 4), (40, 40), (100 + 80, 80)):
        explorer._on_gesture({"type": "choose", "index": index})
        assert explorer.state.n == n + 1
        picture = explorer.picture
        np.testing.assert_array_equal(picture.shares, shares[n])
        assert picture.facts["this pipe"] == ("homogeneous", "annular", "stratified")[int(t[n])]
        for ring, Z in zip(explorer.stage.view.rings, picture.Zs, strict=True):
            np.testing.assert_allclose(ring.artists[0].get_offsets()[0], (Z / np.abs(Z).max())[n])
        view = explorer.stage.view
        readings = np.append(view.low.get_ydata(), view.high.get_ydata())
        np.testing.assert_array_equal(readings, datasets.three_phase_flow(seed=0)[0][n])
    np.testing.assert_array_equal(explorer.picture.borders, surfaces([shares[80]])[0])
    explorer.set(n=41)
    np.testing.assert_array_equal(explorer.picture.borders, rims([shares[40]])[0])
