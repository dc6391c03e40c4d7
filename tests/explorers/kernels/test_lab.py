"""The kernel lab: what it shows is what the kernels, computed once more, say."""

import numpy as np
import pytest

from sparsekm_edu import Cosine, Gaussian, Linear, LinearSpline, Matern, Polynomial, Sigmoid
from sparsekm_edu.explorers.kernels.lab import KERNELS, X

ALONE = {
    "Gaussian": Gaussian(1 / (2 * 0.7**2)),
    "Matern": Matern(2.5, 0.7),
    "linear": Linear(),
    "polynomial": Polynomial(3, -0.5),
    "linear spline": LinearSpline(),
    "cosine": Cosine(),
    "sigmoid": Sigmoid(1.0, -0.5),
}
SETTINGS = {"length": 0.7, "nu": "5/2", "degree": 3, "offset": -0.5}


def number(text):
    return float(text.replace("−", "-"))


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_alone(make, name):
    explorer = make("kernel_lab")
    explorer.set(kernel=name, x0=-1.5, **SETTINGS)
    kernel, picture = ALONE[name], explorer.picture
    K = kernel(X[:, None])
    np.testing.assert_allclose(picture.K, K / np.abs(K).max(), atol=1e-12)
    k = kernel(X[:, None], [[-1.5]])[:, 0]
    np.testing.assert_allclose(picture.k, k / np.abs(k).max(), atol=1e-12)
    eigenvalues = np.linalg.eigvalsh(K)
    np.testing.assert_allclose(picture.eigenvalues, eigenvalues, atol=1e-12 * eigenvalues[-1])
    assert number(picture.facts["λ, largest"]) == pytest.approx(eigenvalues[-1], rel=1e-3)
    assert (
        (picture.functions is None) == (picture.v is not None) == (eigenvalues[0] < -1e-9 * eigenvalues[-1])
    )
    assert picture.facts["on these points"] == ("no objection" if picture.v is None else "v objects")
    assert picture.facts["proven Mercer"] == ("yes" if kernel.is_mercer else "no")


def test_who_is_mercer_here(make):
    explorer, found = make("kernel_lab"), {}
    for name in KERNELS:
        explorer.set(kernel=name)
        facts = explorer.picture.facts
        found[name] = facts["on these points"], facts["proven Mercer"]
    objections = {name for name, (here, _) in found.items() if here == "v objects"}
    assert objections == {"linear spline", "sigmoid"}
    assert {name for name, (_, proven) in found.items() if proven == "no"} == objections


@pytest.mark.parametrize(("name", "nu"), [("1/2", 0.5), ("3/2", 1.5), ("5/2", 2.5), ("∞", np.inf)])
def test_orders_of_matern(make, name, nu):
    explorer = make("kernel_lab")
    explorer.set(kernel="Matern", nu=name, length=0.7)
    np.testing.assert_allclose(explorer.picture.K, Matern(nu, 0.7)(X[:, None]), atol=1e-12)


def test_sliders_stand_exactly_where_the_state_is(make):
    """On a notch: the page rounds to the nearest one, and shows two digits of it."""
    explorer = make("kernel_lab")
    for field in ("length", "second_length"):
        control, value = explorer.widgets[field], getattr(explorer.state, field)
        steps = round((np.log10(value) - control.min) / control.step)
        notch = 10 ** (control.min + steps * control.step)
        assert f"{notch:.2g}" == f"{value:.2g}"


def test_sums_and_products(make):
    explorer = make("kernel_lab")
    explorer.set(kernel="Matern", second="polynomial", **SETTINGS, second_length=2.0)
    for join, K in (
        ("plus", ALONE["Matern"](X[:, None]) + ALONE["polynomial"](X[:, None])),
        ("times", ALONE["Matern"](X[:, None]) * ALONE["polynomial"](X[:, None])),
    ):
        explorer.set(join=join)
        np.testing.assert_allclose(explorer.picture.K, K / np.abs(K).max(), atol=1e-12)
    explorer.set(second="Gaussian", second_length=2.0, join="plus")
    K = ALONE["Matern"](X[:, None]) + Gaussian(1 / 8)(X[:, None])
    np.testing.assert_allclose(explorer.picture.K, K / np.abs(K).max(), atol=1e-12)


def test_sums_and_products_of_mercer_kernels_meet_no_objection(make):
    explorer = make("kernel_lab")
    mercer = [name for name in KERNELS if name not in ("linear spline", "sigmoid")]
    for join in ("plus", "times"):
        for first in mercer:
            for second in mercer:
                explorer.set(kernel=first, second=second, join=join)
                facts = explorer.picture.facts
                assert (facts["on these points"], facts["proven Mercer"]) == ("no objection", "yes")


def test_the_witness_speaks_against_the_kernel(make):
    explorer = make("kernel_lab")
    explorer.set(kernel="sigmoid", offset=-1.0)
    v, K = explorer.picture.v, np.tanh(np.outer(X, X) - 1)
    assert v @ K @ v == pytest.approx(explorer.picture.value)
    assert number(explorer.picture.facts["v′Kv"]) == pytest.approx(v @ K @ v, rel=0.01)
    assert number(explorer.picture.facts["λ, smallest"]) == pytest.approx(np.linalg.eigvalsh(K)[0], rel=0.01)
    assert "v'Kv" in explorer.description


def test_only_what_matters_can_be_moved(make):
    explorer = make("kernel_lab")

    def free():
        return {field for field, control in explorer.widgets.items() if not control.disabled}

    always = {"kernel", "join", "x0"}
    assert free() == always | {"length"}
    explorer.set(kernel="Matern")
    assert free() == always | {"length", "nu"}
    explorer.set(kernel="sigmoid", join="times", second="Gaussian")
    assert free() == always | {"offset", "second", "second_length"}
    explorer.set(kernel="linear", second="polynomial")
    assert free() == always | {"second", "degree", "offset"}


def test_drag_the_other_point(make):
    explorer = make("kernel_lab")
    (u, v, *_), ax = explorer.canvas.handles[0], explorer.stage.view.axes[0]
    u, v = explorer.stage.to_page(ax, -2.0, 0.3)
    explorer._on_gesture({"type": "move", "index": 0, "u": u, "v": v})
    assert explorer.state.x0 == pytest.approx(-2.0)
    assert X[np.argmax(explorer.picture.k)] == pytest.approx(-2.0)
