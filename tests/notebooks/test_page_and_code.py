"""What a page says is what the code does: formulas of the page evaluated literally beside figures, numbers of the text
recomputed, and the notebooks' own loops run from end to end of the sliders that the text sends the learner to.

A notebook's cells are taken from its file and run here, with another parameter where a test wants one.
"""

import contextlib
import io
import re
import signal
import warnings
from functools import partial
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import multivariate_normal

from sparsekm_edu import RVC, Gaussian, Polynomial, datasets, explorers, figures
from sparsekm_edu.lessons.true_error import cell_masses
from sparsekm_edu.solvers import em, evidence_gradient, log_evidence, reestimate, reestimate_steps

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
PATIENCE = 60  # seconds: far more than any of this takes, far less than for ever


def cells(number):
    """All cells of the notebook whose name begins with this number."""
    (path,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    return nbformat.read(path, as_version=4).cells


def prose(number):
    """The text of a notebook as one line, so that no line break hides a sentence."""
    return re.sub(r"\s+", " ", " ".join(c.source for c in cells(number) if c.cell_type == "markdown"))


@contextlib.contextmanager
def patience():
    """Raises where a loop does not end."""

    def too_long(*_):
        raise TimeoutError(f"still running after {PATIENCE} seconds")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def run(number, *marks, change=()):
    """Run the set-up cell and, for each mark, the one code cell that holds it; returns their names and what they print.

    change: pairs of strings, old and new, to be replaced in the cells.
    """
    setup, *others = [cell.source for cell in cells(number) if cell.cell_type == "code"]
    sources = []
    for mark in marks:
        found = [source for source in others if mark in source]
        assert len(found) == 1, f"{len(found)} cells hold {mark!r}"
        sources += found
    for old, new in change:
        assert any(old in source for source in sources), f"no cell holds {old!r}"
        sources = [source.replace(old, new) for source in sources]
    names, printed = {}, io.StringIO()
    with patience(), contextlib.redirect_stdout(printed):
        for source in (setup, *sources):
            exec(source, names)
    return names, printed.getvalue()


def slider(explorer, field):
    """Both ends of a slider, as numbers of the state."""
    control = getattr(explorers, explorer)().widgets[field]
    logarithmic = hasattr(control, "base")
    return [round(control.base**end if logarithmic else end, 6) for end in (control.min, control.max)]


# ------------------------------------------------------------------ 09: three climbs

SINUSOID = "X, t = datasets.sinusoid()"
DESIGN = "Phi = np.hstack([kernel(X)"
OWN_LOOP = "def by_reestimation"
OWN_RUN = "alpha, beta = by_reestimation(Phi, t)"


def as_printed(alpha, m, variances, gamma):
    return gamma / m**2  # (7.87)


def braked(alpha, m, variances, gamma):
    return np.clip(gamma / m**2, alpha / 2, 2 * alpha)


def by_expectations(alpha, m, variances, gamma):
    return 1 / (m**2 + variances)  # (9.67)


def literal_climb(Phi, t, alpha, beta, rule, steps):
    """ln p(t | alpha, beta) at the start and after each step by the formulas of the page.

    A column leaves when its alpha passes 1e9, as in the notebook's own loop.
    """
    N, heights = len(t), []
    for _ in range(steps + 1):
        Phi, alpha = Phi[:, alpha < 1e9], alpha[alpha < 1e9]
        C = np.eye(N) / beta + Phi @ np.diag(1 / alpha) @ Phi.T  # (7.86)
        heights.append(multivariate_normal(np.zeros(N), C).logpdf(t))  # (7.85)
        Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)  # (7.83)
        m = beta * Sigma @ Phi.T @ t  # (7.82)
        gamma = 1 - alpha * np.diag(Sigma)  # (7.89)
        error = np.sum((t - Phi @ m) ** 2)
        alpha = rule(alpha, m, np.diag(Sigma), gamma)
        if rule is by_expectations:
            beta = N / (error + gamma.sum() / beta)  # (9.68)
        else:
            beta = (N - gamma.sum()) / error  # (7.88)
    return np.array(heights)


@pytest.fixture(scope="module")
def climbs():
    """What the cells of notebook 09 compute and draw."""
    return run("09", SINUSOID, DESIGN, "best = reestimate", "figure_evidence_climb", "within 0.01")


@pytest.mark.parametrize(
    ("way", "rule", "before_pruning"),
    [("as printed", as_printed, 3), ("with a brake", braked, 26), ("EM", by_expectations, 87)],
)
def test_09_the_figure_draws_the_formulas_of_the_page(climbs, way, rule, before_pruning):
    """Exactly, until the first function leaves."""
    names, _ = climbs
    start, n = names["runs"][way][0], before_pruning
    heights = literal_climb(names["Phi"], names["t"], start.alpha, start.beta, rule, n)
    assert not any(len(step.pruned) for step in names["runs"][way][: n + 1])
    assert len(names["runs"][way][n + 1].pruned)
    axes = names["panels"][0, 0]
    (line,) = [line for line in axes.lines if line.get_label() == way]
    nats_to_go = names["best"].log_evidence - heights
    np.testing.assert_allclose(line.get_ydata()[: n + 1], nats_to_go, atol=1e-5)


def test_09_as_printed_pruning_hardly_changes_the_climb(climbs):
    """The library lets functions go earlier than at 1e9. They were worth nothing: heights are the same to 0.02."""
    names, _ = climbs
    run_printed = names["runs"]["as printed"]
    start = run_printed[0]
    literal = literal_climb(names["Phi"], names["t"], start.alpha, start.beta, as_printed, 10)
    drawn = [step.log_evidence for step in run_printed[:11]]
    np.testing.assert_allclose(drawn, literal, atol=0.02)
    assert np.round(literal[[1, 5, 10]], 2) == pytest.approx([-33.84, -4.21, -3.79])


def test_09_the_order_of_the_three_is_as_told(climbs):
    names, printed = climbs
    heights = {way: np.array([step.log_evidence for step in steps]) for way, steps in names["runs"].items()}
    first, brake, em_way = (heights[way] for way in ("as printed", "with a brake", "EM"))
    shortest = min(map(len, heights.values()))
    assert np.all(first[1:shortest] > brake[1:shortest])
    assert np.all(first[1:shortest] > em_way[1:shortest])
    passes = 1 + np.flatnonzero(brake[1:] > em_way[1 : len(brake)])[0]
    assert f"passes EM only at step {passes}" in prose("09")
    doublings = np.log2(1 / np.median(names["runs"]["as printed"][0].alpha))
    assert f"some {doublings:.0f} times" in prose("09")
    for way, values in heights.items():
        (row,) = [row for row in printed.splitlines() if row.startswith(way)]
        shown = [f"{values[n]:.2f}" for n in (1, 5, 10, -1)]
        close = np.flatnonzero(values > values[-1] - 0.01)[0]
        assert row.removeprefix(way).split()[:6] == [*shown, f"{close}", f"{len(values) - 1}"]


@pytest.mark.filterwarnings("ignore:at rest")
def test_09_the_answers_about_other_widths():
    X, t = datasets.sinusoid()
    ways = partial(reestimate, rule="printed"), reestimate, em
    ends = {}
    for width in (0.1, 0.3):
        Phi = np.hstack([Gaussian(1 / (2 * width**2))(X), np.ones((10, 1))])
        ends[width] = [f"{way(Phi, t).log_evidence:.2f}" for way in ways]
    printed, brake, by_em = ends[0.1]
    assert f"${printed}$ as printed, ${brake}$ with the brake, ${by_em}$ by EM" in prose("09")
    printed, brake, by_em = ends[0.3]
    assert brake == by_em
    assert f"${printed}$ as printed, ${brake}$ for the other two" in prose("09")


def test_09_how_often_the_brake_pays():
    more, less = 0, 0
    Phi = np.hstack([Gaussian(1 / (2 * 0.15**2))(datasets.sinusoid()[0]), np.ones((10, 1))])
    for seed in range(40):
        _, t = datasets.sinusoid(seed=seed)
        brake, printed = (list(reestimate_steps(Phi, t, rule=rule))[-1] for rule in ("braked", "printed"))
        gain = brake.log_evidence - printed.log_evidence
        more, less = more + (gain > 0.01), less + (gain < -0.01)
    assert f"the brake ends higher in {more} and lower in {less}." in prose("09")


@pytest.mark.parametrize("width", [*slider("rvm_regression", "width"), 0.1, 0.3])
def test_09_own_loop_is_right_from_end_to_end_of_the_slider(width):
    """Its own assertion against the library holds, and it comes to rest on a stationary point."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "at rest|beta = ")  # not the highest top; no noise to be seen
        names, _ = run(
            "09",
            SINUSOID,
            DESIGN,
            "best = reestimate",
            OWN_LOOP,
            OWN_RUN,
            change=[("2 * 0.15**2", f"2 * {width}**2")],
        )
    alpha, beta, Phi, t = (names[name] for name in ("alpha", "beta", "Phi", "t"))
    assert np.all(alpha > 0)
    slopes, slope = evidence_gradient(Phi, t, alpha, beta)
    assert max(np.abs(slopes).max(), abs(slope)) < 1e-3


@pytest.mark.parametrize("width", slider("rvm_regression", "width"))
def test_09_plain_em_ends_and_climbs_from_end_to_end_of_the_slider(width):
    change = [("2 * 0.15**2", f"2 * {width}**2")]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "beta = ")  # no noise to be seen
        names, _ = run(
            "09", SINUSOID, DESIGN, "best = reestimate", "alpha_em, beta_em = np.ones", change=change
        )
    alpha, beta, Phi, t = (names[name] for name in ("alpha_em", "beta_em", "Phi", "t"))
    assert log_evidence(Phi, t, alpha, beta) > log_evidence(Phi, t, np.ones(11), 1 / np.var(t)) + 1


# ------------------------------------------------------------------ 11: two log odds

MODEL = "figures.figure_7_12"
ODDS = "half of them have |log odds| above"
DERIVATIVES = "def log_posterior"
CLASSIFIER = "def rvm_classifier"
LAPLACE = "fit = laplace_fit(Phi, t01, alpha)"
TWO = "figures.figure_two_probabilities"


@pytest.fixture(scope="module")
def classifier():
    """What the cells of notebook 11 compute and draw, up to the two probabilities."""
    return run("11", MODEL, ODDS, DERIVATIVES, LAPLACE, TWO, "surer than 99 %")


def literal_odds(model, X, k):
    """a(x) = w'phi(x), and kappa(sigma^2) a(x) with sigma^2 = phi'Sigma phi, at X."""
    Phi = k(X, model.relevance_vectors_)
    a = Phi @ model.coef_
    variance = np.einsum("ni,ij,nj->n", Phi, model.sigma_, Phi)
    return a, a / np.sqrt(1 + np.pi * variance / 8)  # (4.154), (4.155)


def test_11_figure_7_12_shows_the_log_odds_that_its_text_names():
    names, printed = run("11", MODEL, ODDS)
    X, model = names["X"], names["model"]
    a, _ = literal_odds(model, X, names["k"])
    strip = names["axes"][2]
    marks = np.concatenate([artist.get_offsets() for artist in strip.collections])
    marks = marks[marks[:, 1] == 2]  # the row of all points
    np.testing.assert_allclose(np.sort(marks[:, 0]), np.sort(a), rtol=1e-9)
    assert "a = wᵀφ(x)" in strip.texts[0].get_text()
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expit(a))  # (7.108), the ink
    assert str(np.round(np.sort(a[model.relevance_]), 1)) in printed


def test_11_the_two_answers_are_sigma_of_a_and_of_kappa_a(classifier):
    names, printed = classifier
    X, model, averaged = names["X"], names["model"], names["averaged"]
    a, shrunk = literal_odds(model, X, names["k"])
    np.testing.assert_allclose(averaged.predict_proba(X)[:, 1], expit(shrunk), rtol=1e-6)
    against = names["axes"][2]
    pairs = np.concatenate(
        [artist.get_offsets() for artist in against.collections[1:]]
    )  # the first are rings
    drawn = {tuple(pair) for pair in np.round(pairs, 4)}
    assert drawn == {tuple(pair) for pair in np.round(np.column_stack([a, shrunk]), 4)}
    for n in model.relevance_:
        (row,) = [row for row in printed.splitlines() if row.startswith(f"point {n:2d} ")]
        assert f"{a[n]:.1f}" in row.split()
        assert f"{shrunk[n]:.1f}" in row.split()


def test_11_what_the_text_says_of_both(classifier):
    names, printed = classifier
    a, shrunk = literal_odds(names["model"], names["X"], names["k"])
    surest = np.abs(a).argmax()
    assert 1 / expit(-a[surest]) == pytest.approx(400e9, rel=0.05)  # "one error in 400 billion"
    assert 1 / expit(-shrunk[surest]) == pytest.approx(300, rel=0.05)  # "one in 300"
    assert "one error in 400 billion, it says, where the average says one in 300" in prose("11")
    odds, _ = literal_odds(names["model"], names["X_test"], names["k"])
    wrong = names["t_test"] * odds < 0
    share = np.mean(wrong[np.maximum(expit(odds), expit(-odds)) > 0.99])
    assert f"more than 99 % (within the dashed lines), {100 * share:.0f} % are wrong" in prose("11")


def test_11_the_answers_about_narrow_kernels():
    explorer = explorers.rvm_classification(gamma=10.0)
    a = explorer.picture.at_points
    of_members = np.abs(a[explorer.picture.relevance])
    assert (len(of_members), np.sum(of_members < 2)) == (11, 5)
    assert r"five of the eleven have $|a|<2$" in prose("11")
    assert np.abs(a).max() == pytest.approx(14471, rel=0.01)
    share = explorer.picture.facts["plane above 99 %"]
    explorer.set(probability="averaged")
    facts = explorer.picture.facts
    assert f"Averaged, {facts['largest |log odds|']} is the largest of all log odds" in prose("11")
    assert facts["plane above 99 %"] == "0%"
    assert f"the plug-in claims that in {share[:-1]} % of the plane" in prose("11")


def test_11_averaging_is_no_law():
    """Mean distance of the probabilities from the true ones, over Ripley's mixture."""
    plane = figures.grid_over(figures.RIPLEY, 100)
    minus, plus = (
        cell_masses(*plane, centres, datasets.RIPLEY_VARIANCE) for centres in datasets.RIPLEY_CENTRES
    )
    truth, off = plus / (minus + plus), []
    for seed in range(25):
        X, t = datasets.ripley(100, seed=seed)
        both = [RVC(kernel=Gaussian(4.0), probability=kind).fit(X, t) for kind in ("plug-in", "averaged")]
        off.append([np.sum((minus + plus) * np.abs(expit(m.surface(*plane)) - truth)) for m in both])
    closer = np.sum(np.array(off)[:, 0] < np.array(off)[:, 1])
    assert f"the plug-in is closer to the truth in {closer} draws of 25" in prose("11")


@pytest.mark.parametrize("gamma", [*slider("rvm_classification", "gamma"), *slider("placing", "gamma"), 3.0])
def test_11_own_classifier_is_right_from_end_to_end_of_the_slider(gamma):
    """It ends at a mode, (7.110); at the ends of the first slider as high as the library's re-estimation."""
    names, _ = run("11", MODEL, ODDS, DERIVATIVES, CLASSIFIER)
    X, t = names["X"], names["t01"]
    Phi = np.column_stack([Gaussian(gamma)(X), np.ones(len(t))])
    with patience():
        inside, alpha, w, _ = names["rvm_classifier"](Phi, t)
    Phi = Phi[:, inside]
    assert np.all(alpha > 0)
    exact = names["irls"](Phi, t, alpha).w
    np.testing.assert_allclose(w, exact, atol=0.01 * np.abs(exact).max())
    height = names["laplace_fit"](Phi, t, alpha).log_evidence
    known = {0.05: -16.755, 10.0: -28.337}
    if gamma in known:
        every = np.column_stack([Gaussian(gamma)(X), np.ones(len(t))])
        climbed = list(reestimate_steps(every, t, "bernoulli", max_iter=2000))[-1].log_evidence
        assert height == pytest.approx(climbed, abs=0.01)
        assert height == pytest.approx(known[gamma], abs=0.01)


def test_11_own_classifier_halves_steps_that_go_too_far():
    """On powers up to the fifth Newton's full step runs away from w = 0."""
    names, _ = run("11", MODEL, ODDS, DERIVATIVES, CLASSIFIER)
    X, t = names["X"], names["t01"]
    Phi = np.column_stack([Polynomial(5)(X), np.ones(len(t))])
    w, alpha = np.zeros(81), np.ones(81)
    for _ in range(30):
        y = expit(Phi @ w)
        w = w + np.linalg.solve((Phi.T * (y * (1 - y))) @ Phi + np.diag(alpha), Phi.T @ (t - y) - alpha * w)
    assert np.abs(w).max() > 1e4
    with patience():
        inside, alpha, w, _ = names["rvm_classifier"](Phi, t)
    assert np.abs(w).max() < 10
    slope = Phi[:, inside].T @ (t - expit(Phi[:, inside] @ w)) - alpha * w  # (7.110)
    size = np.abs(Phi[:, inside]).sum(axis=0)
    assert np.abs(slope / size).max() < 1e-6


def test_11_the_picture_in_words_counts_where_a_kernel_is_worth_adding():
    names, printed = run(
        "11", MODEL, ODDS, DERIVATIVES, LAPLACE, "X_few, t_few", "C^-1 t_hat", "titles = [", "cos^2"
    )
    (words,) = [
        output.data["text/plain"]
        for cell in cells("11")
        if cell.source == "explorers.placing()"
        for output in cell.outputs
    ]
    share = np.mean(names["ratios"][0] ** 2 > 1)  # nobody in the model
    assert f"A kernel is worth adding in {share:.0%} of the plane" in words
    assert f"where q^2 > s:    {share:.0%}" in printed
