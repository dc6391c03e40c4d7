"""The area of a product of densities: shown, summed, by formula, and by scipy's quadrature."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm


@pytest.mark.parametrize("rho", [0.25, 0.5, 1.0, 1.5])
@pytest.mark.parametrize(("sigma", "x", "z"), [(0.4, -3.0, 3.0), (1.2, -0.6, 0.8), (0.7, 0.1, 0.1)])
def test_readout(make, rho, sigma, x, z):
    explorer = make("overlap", rho=rho, sigma=sigma, x=x, z=z)
    width = sigma / np.sqrt(2 * rho)
    middle = (x + z) / 2
    area, _ = quad(
        lambda u: norm.pdf(u, x, sigma) ** rho * norm.pdf(u, z, sigma) ** rho,
        middle - 12 * width,
        middle + 12 * width,
        epsabs=0,
    )
    picture = explorer.picture
    assert picture.area == pytest.approx(area, rel=1e-9)
    assert picture.k == pytest.approx(area, rel=1e-9)
    assert picture.facts["area, summed"] == picture.facts["k(x, z), formula"] == f"{area:.5g}"
    assert picture.facts["k(x, z) / k(x, x)"] == f"{np.exp(-rho * (x - z) ** 2 / (4 * sigma**2)):.4f}"


def test_bhattacharyya_makes_every_density_overlap_with_itself_by_one(make):
    assert make("overlap", rho=0.5).picture.facts["k(x, x)"] == "1.0000"


def test_densities_are_dragged_along_the_line_and_not_out_of_it(make):
    explorer = make("overlap")
    ax = explorer.stage.view.axes[0]
    for place, kept in ((1.5, 1.5), (4.5, 3.0), (-4.5, -3.0)):
        u, v = explorer.stage.to_page(ax, place, 0.9)
        explorer._on_gesture({"type": "move", "index": 1, "u": u, "v": v})
        assert explorer.state.z == pytest.approx(kept)
    assert explorer.state.x == -0.6
