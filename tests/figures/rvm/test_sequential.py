"""The q-s plane and the player's picture: every basis function is where its q and s put it."""

import numpy as np
import pytest
from drawings.rvm.sequential import FRAME, NOISE, RUN, WINDOW, T, X, draw_plane
from looking import offsets
from matplotlib.colors import to_hex

from sparsekm_edu import figures
from sparsekm_edu.figures.quick_text import QuickText
from sparsekm_edu.figures.rvm.sequential import (
    BOX,
    LINES_OF_LOG,
    PATHS,
    STEPS,
    SequentialRun,
    name_of,
    ratio_for,
    sentence,
    short,
)
from sparsekm_edu.figures.style import LIGHT, Sheet


def plane(q, s, active, step=None):
    return figures.figure_q_s_plane(figures.panels()[1], q, s, active, WINDOW, step)


def colours_of(view):
    return [to_hex(colour) for colour in view.functions.get_facecolor()]


# the plane


@pytest.mark.parametrize("k", [1, 2, 7, len(RUN) - 1])
def test_functions_are_at_s_and_q_squared_and_members_are_filled(k):
    view, (now, _) = draw_plane([figures.panels()[1]], k)
    seen = (now.s > 2) & (now.s < 800) & (now.q**2 > 0.2) & (now.q**2 < 8e3)
    assert seen.sum() >= 5
    places = view.functions.get_offsets()
    np.testing.assert_allclose(places[seen], np.column_stack([now.s, now.q**2])[seen])
    assert len(places) == len(now.q)  # nobody vanishes
    filled = np.array(colours_of(view)) == to_hex(LIGHT.ink)
    np.testing.assert_array_equal(filled, now.active)


@pytest.mark.parametrize(
    ("s", "q2", "mark"),
    [
        (30.0, 50.0, (0, 0)),
        (1e-9, 50.0, (-1, 0)),
        (1e9, 50.0, (1, 0)),
        (30.0, 0.0, (0, -1)),
        (30.0, 1e20, (0, 1)),
        (0.0, 0.0, (0, -1)),  # in a corner
    ],
)
def test_beyond_the_window_a_function_waits_at_the_edge_as_a_triangle(s, q2, mark):
    view = plane(np.sqrt([q2, 9.0]), np.array([s, 3.0]), np.array([False, True]))
    assert view.functions.get_paths()[0] is PATHS[mark]
    assert view.functions.get_paths()[1] is PATHS[0, 0]
    x, y = view.functions.get_offsets()[0]
    left, right, bottom, top = WINDOW
    assert left < x < right
    assert bottom < y < top
    assert len({id(path) for path in PATHS.values()}) == 5


def test_lines_of_equal_gain_are_those_of_7_97():
    for gain in (0.8069, 1, 10, 100):
        ratio = ratio_for(gain)
        s = 3.0
        q2, alpha = ratio * s, s**2 / (ratio * s - s)  # (7.101)
        assert 0.5 * (np.log(alpha) - np.log(alpha + s) + q2 / (alpha + s)) == pytest.approx(gain)  # (7.97)
    assert ratio_for(0.5 * (3 - np.log(4))) == pytest.approx(4)  # figure 7.11, q^2 = 4, s = 1


def test_the_next_action_has_a_ring_an_arrow_and_words():
    view, (_, to_come) = draw_plane([figures.panels()[1]])
    place = view.functions.get_offsets()[to_come.index]
    np.testing.assert_allclose(offsets(view.ring), [place])
    assert view.words.get_text() == f"add {name_of(to_come.index)}"
    assert view.arrow.artists[0].get_visible()
    (x0, y0), (x1, y1) = view.arrow.artists[0]._posA_posB
    assert np.hypot(*np.log10([x1 / place[0], y1 / place[1]])) < np.hypot(
        *np.log10([x0 / place[0], y0 / place[1]])
    )
    assert "Next: add" in view.axes[0].get_figure().description


def test_without_a_next_action_there_is_no_arrow():
    now = RUN[-1]
    view = plane(now.q, now.s, now.active)
    assert not view.arrow.artists[0].get_visible()
    assert not view.words.get_visible()
    assert len(offsets(view.ring)) == 0
    assert (
        "3 are in the model, 3 of them above the line; of the 8 outside, 0"
        in view.axes[0].get_figure().description
    )


@pytest.mark.parametrize("place", [(1.01, 0.11), (990.0, 9.9e3), (1.01, 9.9e3), (990.0, 0.11), (30.0, 30.0)])
def test_the_words_stay_inside_the_window(place):
    s, q2 = place
    step = RUN[1].__class__(**{**vars(RUN[1]), "index": 0, "action": "re-estimate"})
    view = plane(np.sqrt([q2, 9.0]), np.array([s, 3.0]), np.array([True, False]), step)
    x, y = view.words.get_position()
    left, right, bottom, top = WINDOW
    assert left < x < right
    assert bottom < y < top


# words


def test_sentences_name_the_action_the_reason_and_the_gain():
    names = [*map(name_of, range(10)), "bias"]
    assert sentence(RUN[0], names) == "start with φ₂: q² = 40818 > s = 190, gain 100 nats"
    assert sentence(RUN[2], names) == "add φ₉: q² = 964 > s = 78.1, gain 4.4 nats"
    assert sentence(RUN[NOISE], names).startswith("new noise: β = 18.4, gain 6.6")
    assert sentence(RUN[-1], names) == "no gain worth an action is left: the algorithm ends"
    idle = RUN[2].__class__(
        **{**vars(RUN[2]), "action": "none", "quality": 1.0, "sparsity": 2.0, "index": 10}
    )
    assert sentence(idle, names) == "bias: q² = 1 ≤ s = 2, no action is required"
    assert name_of(17) == "φ₁₇"


def test_sentences_say_why_a_function_above_the_line_is_left_alone():
    names = [*map(name_of, range(10)), "bias"]

    def idle(index, barred=False):
        changed = {"action": "none", "quality": 2.0, "sparsity": 3.0, "index": index}
        return RUN[2].__class__(**{**vars(RUN[2]), **changed, "barred": np.full(11, barred)})

    assert sentence(idle(9), names) == "φ₉: q² = 4 > s = 3, its α is the best already"
    assert sentence(idle(5), names) == "φ₅: q² = 4 > s = 3, too little to gain"
    assert sentence(idle(5, True), names) == "φ₅: q² = 4 > s = 3, it has joined 3 times already"


@pytest.mark.parametrize(
    ("number", "text"),
    [(9.1, "9.1"), (963.6, "964"), (40818.2, "40818"), (2.5e7, "2e7"), (1.4e-9, "1.4e-9"), (0.0, "0")],
)
def test_short_numbers(number, text):
    assert short(number) == text


# the player's picture


def run_view(k):
    sheet = Sheet(7.6, 4.8)
    view = SequentialRun(*sheet.subplots(5, 1), FRAME)
    x = np.linspace(0, 1, 11)
    names = [name_of(i) for i in range(11)]
    view.update(X, T, names, RUN[: k + 1], {1}, (x, np.zeros(11), np.ones(11)), -3.7876)
    return view


@pytest.mark.parametrize("k", [1, NOISE - 1, NOISE, len(RUN) - 1])
def test_the_step_of_the_box_that_comes_next_is_lit(k):
    view = run_view(k)
    light = view.cells.get_facecolor()[:, 3]
    number, on_the_way = STEPS[RUN[k].action]
    assert light.argmax() == number - 1
    assert set(np.flatnonzero(light) + 1) == {number, *on_the_way}
    assert len(light) == len(BOX) == 9


def test_every_action_is_a_step_of_the_box():
    book = {"start": 2, "re-estimate": 5, "add": 6, "delete": 7, "noise": 8, "stop": 9}
    assert {action: STEPS[action][0] for action in book} == book


def test_the_trace_and_the_log_tell_what_happened():
    view = run_view(NOISE + 1)
    numbers, evidence = view.evidence.get_data()
    np.testing.assert_array_equal(numbers, np.arange(NOISE + 1))
    np.testing.assert_allclose(evidence, [step.log_evidence + 3.7876 for step in RUN[: NOISE + 1]])
    actions, gains = (text.get_text().split("\n") for text in view.log)
    assert len(actions) == len(gains) == LINES_OF_LOG
    assert actions[0] == f"{NOISE}  ⑧ new β"
    assert actions[1].startswith(f"{NOISE - 1}  ⑤ re-estimate φ")
    assert gains[0] == "+6.6"


def test_what_somebody_chose_has_a_pen():
    actions, _ = (text.get_text().split("\n") for text in run_view(3).log)
    assert [line.endswith("✎") for line in actions] == [False, True]


def test_relevance_vectors_and_the_candidate_are_ringed_in_the_fit():
    view = run_view(2)
    places = np.column_stack([X, T])
    np.testing.assert_allclose(offsets(view.rings), places[RUN[1].active[:10]])
    np.testing.assert_allclose(offsets(view.candidate), places[[RUN[2].index]])


@pytest.mark.parametrize(
    ("ha", "va"), [("left", "center"), ("center", "center"), ("right", "center"), ("left", "top")]
)
def test_quick_text_covers_the_pixels_that_text_covers(ha, va):
    """Our own way of painting words: the same place and the same amount of ink as matplotlib's, to a pixel or so."""

    def ink(make):
        sheet = Sheet(4, 1)
        ax = sheet.subplots()
        ax.set_axis_off()
        make(ax)
        dark = 255.0 - sheet.pixels()[..., :3].mean(axis=2)
        rows, columns = np.flatnonzero(dark.sum(axis=1) > 50), np.flatnonzero(dark.sum(axis=0) > 50)
        return np.array([rows[0], rows[-1], columns[0], columns[-1]]), dark.sum()

    words, x = "add φ₉: gain 4.4", {"left": 0.1, "center": 0.5, "right": 0.9}[ha]
    ours, our_ink = ink(lambda ax: QuickText(ax, size=14, ha=ha, va=va, x=x, y=0.7).set_text(words))
    theirs, their_ink = ink(lambda ax: ax.text(x, 0.7, words, fontsize=14, ha=ha, va=va))
    assert np.abs(ours - theirs).max() <= 5  # the whole is 200 wide
    assert our_ink == pytest.approx(their_ink, rel=0.15)  # ours is not hinted
