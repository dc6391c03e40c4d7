"""Re-estimation with all that happens inside: the same run as the library's, opened up."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.special import expit

from sparsekm_edu import Gaussian, datasets
from sparsekm_edu.lessons.inside_reestimation import inside_steps
from sparsekm_edu.solvers import laplace_fit, reestimate, reestimate_steps

FOLLOWS = {  # what may come next
    "start": {"newton"},
    "newton": {"newton", "prune", "evidence"},
    "prune": {"evidence"},
    "evidence": {"re-estimate"},
    "re-estimate": {"newton"},
}


def problem(n=30, gamma=0.45):
    X, t = datasets.overlapping(n)
    return np.column_stack([Gaussian(gamma=gamma)(X), np.ones(n)]), (t > 0).astype(float)


@pytest.mark.parametrize("gamma", [0.05, 0.45, 1.0])
def test_every_evidence_and_the_end_are_those_of_reestimation(gamma):
    Phi, t = problem(gamma=gamma)
    told = [step for step in inside_steps(Phi, t) if step.action == "evidence"]
    known = list(reestimate_steps(Phi, t, "bernoulli", tol=1e-3))
    assert [step.log_evidence for step in told] == [step.log_evidence for step in known]
    end = reestimate(Phi, t, "bernoulli", tol=1e-3)
    np.testing.assert_array_equal(told[-1].inside, end.support)
    np.testing.assert_array_equal(told[-1].w, end.m)
    np.testing.assert_array_equal(told[-1].alpha, end.alpha[end.support])


def test_steps_come_in_the_order_of_the_algorithm():
    steps = list(inside_steps(*problem()))
    assert steps[0].action == "start"
    assert steps[-1].action == "evidence"
    for one, following in pairwise(steps):
        assert following.action in FOLLOWS[one.action]
        assert following.round == one.round + (following.action == "re-estimate")


def test_the_slope_is_the_gradient_and_newton_takes_it_to_zero():
    Phi, t = problem()
    steps = list(inside_steps(Phi, t))
    for step in steps:
        if step.action in ("start", "newton", "re-estimate"):
            members = Phi[:, step.inside]
            gradient = members.T @ (t - expit(members @ step.w)) - step.alpha * step.w  # (7.110)
            assert np.abs(gradient).max() == pytest.approx(step.slope, abs=1e-12)
    assert all(one.slope < 1e-6 for one, following in pairwise(steps) if following.action == "evidence")


def test_reestimated_alpha_are_the_books_up_to_a_factor_of_two():
    Phi, t = problem()
    for one, following in pairwise(inside_steps(Phi, t)):
        if following.action == "re-estimate":
            fit = laplace_fit(Phi[:, one.inside], t, one.alpha, one.w)
            best = (1 - one.alpha * np.diag(fit.Sigma)) / fit.w**2  # (7.116)
            np.testing.assert_allclose(
                following.alpha, np.clip(best, one.alpha / 2, one.alpha * 2), rtol=1e-4
            )


def test_who_is_pruned_was_inside_and_is_not_any_more():
    for one, following in pairwise(inside_steps(*problem())):
        if following.action == "prune":
            assert set(following.pruned) <= set(one.inside)
            assert set(following.inside) == set(one.inside) - set(following.pruned)


def test_a_limit_of_rounds_is_kept():
    assert list(inside_steps(*problem(), max_iter=3))[-1].round == 3
