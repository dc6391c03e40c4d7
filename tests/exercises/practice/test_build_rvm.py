"""Build it, the sequential learner: whatever order it goes in, its end is accepted, and nothing else is."""

import numpy as np
import pytest
from answering import never_passes, passes, said
from scipy.optimize import minimize_scalar

from sparsekm_edu import exercises
from sparsekm_edu.exercises.practice import build_rvm
from sparsekm_edu.exercises.tasks import judge
from sparsekm_edu.solvers import log_evidence, reestimate, sequential, sparsity_quality

ACTIONS, LEARNER = exercises.EXERCISES["build-rvm"].steps


def test_worked_solutions_on_many_seeds():
    passes(ACTIONS, ACTIONS.solution, range(100, 125))
    passes(LEARNER, LEARNER.solution, range(100, 115))


# ---- single actions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_the_best_precision_is_where_the_evidence_is_greatest(seed):
    """By a search over ln alpha_i in the log evidence of the solvers, and against their letters."""
    Phi, t, alpha, beta = ACTIONS.instance(np.random.default_rng(seed))
    best, gain = build_rvm.actions(Phi, t, alpha, beta)
    before = log_evidence(Phi, t, alpha, beta)

    def height(i, alpha_i):
        return log_evidence(Phi, t, build_rvm.changed(alpha, i, alpha_i), beta)

    for i in range(len(alpha)):
        out = height(i, np.inf)
        search = minimize_scalar(lambda x, i=i: -height(i, np.exp(x)), bounds=(-8, 12), method="bounded")
        assert gain[i] == pytest.approx(max(out, -search.fun) - before, abs=1e-6)
        assert np.isfinite(best[i]) == (-search.fun > out)
        if np.isfinite(best[i]):
            assert np.log(best[i]) == pytest.approx(search.x, abs=1e-3)
    q, s, *_ = sparsity_quality(Phi, t, np.isfinite(alpha), alpha, beta)
    np.testing.assert_allclose(build_rvm.letters_without(Phi, t, alpha, beta), (q, s), rtol=1e-8)


def test_instances_meet_all_actions_and_the_empty_model():
    kinds = set()
    for n in range(40):
        Phi, t, alpha, beta = ACTIONS.instance(np.random.default_rng([n, 0]))
        best, _ = build_rvm.actions(Phi, t, alpha, beta)
        kinds |= set(zip(np.isfinite(alpha).tolist(), np.isfinite(best).tolist(), strict=True))
        if np.isinf(alpha).all():
            kinds.add("empty")
    assert kinds == {(False, False), (False, True), (True, False), (True, True), "empty"}


def test_every_model_with_members_has_one_to_delete():
    """So that a deletion whose gain is forgotten never passes."""
    for n in range(60):
        Phi, t, alpha, beta = ACTIONS.instance(np.random.default_rng([n, 1]))
        best, gain = build_rvm.actions(Phi, t, alpha, beta)
        leaves = np.isfinite(alpha) & np.isinf(best)
        assert leaves.any() == np.isfinite(alpha).any()
        assert np.all(gain[leaves] > 1e-3)


@pytest.mark.parametrize("line", [0.95, 1.05])
def test_the_line_itself_is_wanted(line):
    never_passes(ACTIONS, build_rvm.actions_with(above=lambda q, s: q**2 > line * s), range(40))


def on_empty_models(answer):
    """The worked solution, but this where the model is empty."""
    return lambda Phi, t, alpha, beta: (
        answer(Phi, t, alpha, beta) if np.isinf(alpha).all() else ACTIONS.solution(Phi, t, alpha, beta)
    )


@pytest.mark.parametrize("seed", range(30))
def test_every_check_has_empty_models_and_others(seed):
    assert "It stopped with IndexError" in said(ACTIONS, on_empty_models(lambda *given: [][0]), seed)
    assert "nan" in said(ACTIONS, on_empty_models(lambda Phi, *given: np.full((2, 6), np.nan)), seed)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (build_rvm.actions_with(above=lambda q, s: np.abs(q) > s), "|q| compared with s"),
        (build_rvm.actions_with(above=lambda q, s: q > s), "mistake, q compared with s"),
        (build_rvm.actions_with(above=lambda q, s: q == q), "no test of q² > s, or a wrong one"),
        (build_rvm.actions_with(best_of=lambda q, s: (q**2 - s) / s**2), "(7.101) upside down"),
    ],
)
def test_other_tests_and_precisions_are_named(wrong, told):
    with np.errstate(all="ignore"):
        for seed in range(5):
            assert told in said(ACTIONS, wrong, seed)


def test_other_ways_to_write_the_actions():
    def by_loops(Phi, t, alpha, beta):
        C = np.eye(len(t)) / beta
        for i in range(len(alpha)):
            C = C + np.outer(Phi[:, i], Phi[:, i]) / alpha[i]
        best, gains = [], []
        for i in range(len(alpha)):
            phi = Phi[:, i]
            Q, S = phi @ np.linalg.solve(C, t), phi @ np.linalg.solve(C, phi)
            q, s = (
                (Q, S)
                if alpha[i] == np.inf
                else (alpha[i] * Q / (alpha[i] - S), alpha[i] * S / (alpha[i] - S))
            )
            old = (
                0.0
                if alpha[i] == np.inf
                else 0.5 * (np.log(alpha[i] / (alpha[i] + s)) + q**2 / (alpha[i] + s))
            )
            if q * q > s:
                best.append(s * s / (q * q - s))
                gains.append(0.5 * (q * q / s - 1 - np.log(q * q / s)) - old)
            else:
                best.append(np.inf)
                gains.append(-old)
        return best, gains

    passes(ACTIONS, by_loops)
    passes(ACTIONS, build_rvm.actions_by_evidence)


# ---- the learner --------------------------------------------------------------------------------------------


def in_turn(Phi, t, beta):
    alpha = np.full(Phi.shape[1], np.inf)
    for n in range(1500):
        alpha[n % len(alpha)] = build_rvm.actions(Phi, t, alpha, beta)[0][n % len(alpha)]
    return alpha


def at_random(Phi, t, beta):
    rng, alpha = np.random.default_rng(0), np.full(Phi.shape[1], np.inf)
    for i in rng.integers(len(alpha), size=1500):
        alpha[i] = build_rvm.actions(Phi, t, alpha, beta)[0][i]
    return alpha.tolist()


def from_everybody(Phi, t, beta):
    """Beginning with all functions in the model."""
    alpha = np.ones(Phi.shape[1])
    for n in range(1500):
        alpha[n % len(alpha)] = build_rvm.actions(Phi, t, alpha, beta)[0][n % len(alpha)]
    return alpha


@pytest.mark.parametrize("answer", [in_turn, at_random, from_everybody])
def test_any_order_is_right(answer):
    passes(LEARNER, answer, range(2))


def test_what_the_library_learns_is_right():
    passes(LEARNER, lambda Phi, t, beta: sequential(Phi, t, beta=beta).alpha)
    passes(
        LEARNER,
        lambda Phi, t, beta: np.where((found := reestimate(Phi, t, beta=beta)).active, found.alpha, np.inf),
    )


def test_ends_are_as_high_as_those_of_the_library():
    """Mostly: the evidence has more than one top, so an end may be a little lower or higher."""
    heights = []
    for seed in range(20):
        Phi, t, beta = LEARNER.instance(np.random.default_rng([seed, 3]))
        end = LEARNER.solution(Phi, t, beta)
        heights.append(log_evidence(Phi, t, end, beta) - sequential(Phi, t, beta=beta).log_evidence)
    assert np.sum(np.abs(heights) < 1e-3) >= 15
    assert np.min(heights) > -2


def test_what_is_still_to_be_gained_is_told():
    for seed in range(5):
        Phi, t, beta = LEARNER.instance(np.random.default_rng([seed, 4]))
        end = LEARNER.solution(Phi, t, beta)
        assert build_rvm.is_an_end(end, Phi, t, beta) is None
        i = int(np.flatnonzero(np.isfinite(end))[0])
        missing, loose = build_rvm.changed(end, i, np.inf), build_rvm.changed(end, i, 5 * end[i])
        assert f"add function {i} would gain" in build_rvm.is_an_end(missing, Phi, t, beta)
        gain = log_evidence(Phi, t, end, beta) - log_evidence(Phi, t, loose, beta)
        assert f"re-estimate function {i} would gain {gain:.3g} nats" in build_rvm.is_an_end(
            loose, Phi, t, beta
        )
        j = int(np.flatnonzero(np.isinf(end))[0])
        assert f"delete function {j}" in build_rvm.is_an_end(build_rvm.changed(end, j, 0.01), Phi, t, beta)


def test_most_instances_need_a_deletion():
    """So that a learner that never deletes is found out, whatever the seed."""
    stay = build_rvm.learner(build_rvm.members_stay)
    for seed in range(12):
        assert "a member is left that should go" in said(LEARNER, stay, seed)


def test_few_actions_or_rounds_are_not_enough():
    def twenty_actions(Phi, t, beta):
        return greatest_gain(build_rvm.actions, 20)(Phi, t, beta)

    for answer in (build_rvm.learner(rounds=5), twenty_actions):
        never_passes(LEARNER, answer, range(10))
        assert "the loop may stop too early" in said(LEARNER, answer)
    passes(LEARNER, greatest_gain(build_rvm.actions, 100))


def test_a_huge_precision_will_do_as_the_text_says():
    def huge(*given):
        alpha = LEARNER.solution(*given)
        return np.where(np.isinf(alpha), 1e10, alpha)

    passes(LEARNER, huge, range(10))
    assert "$10^{10}$" in LEARNER.text


@pytest.mark.parametrize("above", [lambda q, s: np.abs(q) > s, lambda q, s: q > s])
def test_a_wrong_test_is_told_what_to_compare(above):
    for learn in (build_rvm.learner, greatest_gain):
        for seed in range(6):
            message = said(LEARNER, learn(build_rvm.actions_with(above=above)), seed)
            assert any(words in message.lower() for words in ("compare q²", "than q² > s"))
    assert "Compare q² with s" in said(LEARNER, lambda Phi, t, beta: np.full(6, np.inf))


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda Phi, t, beta: np.ones(3), "6 precisions are wanted"),
        (lambda Phi, t, beta: np.array([0, 2, 3]), "6 precisions are wanted"),  # indices of members
        (lambda Phi, t, beta: np.full(6, np.nan), "There is a nan in alpha"),
        (lambda Phi, t, beta: -np.ones(6), "a negative precision"),
        (lambda Phi, t, beta: np.zeros(6), "0 outside the model"),
        (lambda Phi, t, beta: np.ones(6), "members that have not settled"),
        (lambda Phi, t, beta: "alpha", "not what is asked for"),
        (lambda Phi, t, beta: build_rvm.sequential_rvm(Phi, t, 1 / beta), "beta taken for a variance"),
    ],
)
def test_wrong_ends(answer, told):
    assert told in said(LEARNER, answer)


def by_em(Phi, t, beta):
    """Re-estimates all alpha at once and takes out who has a large one: it does delete, but too late."""
    alpha = np.ones(6)
    for _ in range(200):
        inside = alpha < 1e6
        F = Phi[:, inside]
        Sigma = np.linalg.inv(np.diag(alpha[inside]) + beta * F.T @ F)
        alpha[inside] = 1 / ((beta * Sigma @ F.T @ t) ** 2 + np.diag(Sigma))
    return np.where(alpha < 1e6, alpha, np.inf)


def until_members_stay_the_same(Phi, t, beta):
    alpha = np.full(6, np.inf)
    while True:
        before = np.isfinite(alpha)
        for i in range(6):
            alpha[i] = build_rvm.actions(Phi, t, alpha, beta)[0][i]
        if np.array_equal(before, np.isfinite(alpha)):
            return alpha


def asks_by_absolute_value(Phi, t, beta):
    """|q| > s for those outside, and they join as they should; q² > s for members."""
    alpha = np.full(6, np.inf)
    for n in range(900):
        i = n % 6
        q, s = build_rvm.letters_without(Phi, t, alpha, beta)
        best = build_rvm.actions(Phi, t, alpha, beta)[0][i]
        if np.isfinite(alpha[i]) or abs(q[i]) > s[i]:
            alpha[i] = best
    return alpha


def test_who_deletes_or_asks_is_not_told_that_he_does_not():
    seen = set()
    for answer in (by_em, until_members_stay_the_same, asks_by_absolute_value):
        for seed in range(12):
            message = judge(LEARNER, answer, seed).message
            assert answer is not until_members_stay_the_same or "too early" in message
            if "should go" in message:
                seen.add(answer)
                assert "or the loop stopped too early" in message
            if "should join" in message:
                seen.add(answer)
                assert "or with a wrong test" in message
    assert seen >= {by_em, asks_by_absolute_value}


def greatest_gain(actions, number=60):
    """The worked learner with other actions, which may never come to rest."""

    def learn(Phi, t, beta):
        alpha = np.full(Phi.shape[1], np.inf)
        for _ in range(number):
            best, gain = actions(Phi, t, alpha, beta)
            i = np.argmax(gain)
            if gain[i] < 1e-8:
                break
            alpha[i] = best[i]
        return alpha

    return learn


@pytest.mark.parametrize(
    ("actions", "told"),
    [
        (build_rvm.actions_with(letters=build_rvm.large_letters), "the model without it"),
        (build_rvm.lambda_for_gain, "lambda(new) - lambda(old)"),
        (build_rvm.members_stay, "a member is left that should go"),
        (build_rvm.deletions_gain_nothing, "a member is left that should go"),
    ],
)
def test_causes_that_are_told_include_the_true_one(actions, told):
    for seed in (0, 1, 129):
        message = said(LEARNER, greatest_gain(actions), seed)
        assert told in message
        assert "This is no end: to " in message


def test_the_text_says_what_the_check_does():
    Phi, _, _ = LEARNER.instance(np.random.default_rng(0))
    assert Phi.shape == (16, 6)
    assert "16 points and 6 functions at most" in " ".join(exercises.EXERCISES["build-rvm"].task.split())
    assert f"more than {build_rvm.ENOUGH} nats" in " ".join(LEARNER.text.split())
