"""The cards of the viva: complete, balanced, short, linked; every exam question and every goal has one."""

import re
from collections import Counter
from pathlib import Path

import nbformat
import pytest

from sparsekm_edu.exercises.markup import to_html, to_mathml
from sparsekm_edu.exercises.viva import cards_kernels, cards_rvm, cards_svm, cards_theory
from sparsekm_edu.exercises.viva.card import KINDS, TOPICS

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"
MODULES = {"SVM": cards_svm, "RVM": cards_rvm, "kernels": cards_kernels, "theory": cards_theory}
CARDS = {card.id: card for module in MODULES.values() for card in module.CARDS}
EACH = pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)

MATHS = re.compile(r"\$[^$]+\$")

# What the exam questions in the Notes ask, in our words, and who answers. The Notes number their questions afresh in
# each part; the order is theirs.
EXAM = {
    "what is an SVM: support vectors, margin, hyperplane": ["svm-support-vectors", "svm-margin"],
    "derive the maximum margin classifier": ["svm-margin", "svm-dual"],
    "formulate the soft margin": ["svm-soft"],
    "interpret the loss function of an SVM": ["svm-hinge"],
    "the dual form of an SVM": ["svm-dual"],
    "the kernel trick": ["kernel-trick"],
    "types of kernels, and the parameters C and gamma": ["kernel-polynomial", "svm-soft", "theory-dials"],
    "good and bad sides of SVMs": ["svm-solvers", "svm-probabilities", "svm-outlier", "theory-which"],
    "prepare data for an SVM": ["theory-prepare"],
    "the work of the parameter C": ["svm-soft", "svm-box"],
    "Kuhn-Tucker conditions and box constraints": ["svm-box"],
    "features of the polynomial kernel of second order": ["kernel-polynomial"],
    "relate SVM and logistic regression": ["svm-hinge"],
    "SVM for many classes": ["svm-many-classes"],
    "extend the SVM to regression": ["svm-regression"],
    "computational learning theory": ["theory-pac", "theory-shatter", "theory-wide-street"],
    "build an RVM for regression from a modified prior": ["rvm-model", "rvm-evidence", "rvm-prior"],
    "distinguish RVM and SVM for regression": ["rvm-model", "theory-which"],
    "the evidence approximation": ["rvm-evidence"],
    "re-estimate the hyperparameters": ["rvm-climbs"],
    "what are relevance vectors": ["rvm-model"],
    "train an RVM faster": ["rvm-sequential"],
    "analyse the mechanism of sparsity": ["rvm-sparsity"],
    "interpret sparsity and quality": ["rvm-quality"],
    "the sequential algorithm": ["rvm-sequential"],
    "build an RVM for classification": ["rvm-classifier", "rvm-disguise"],
}

# The three goals of each notebook, in order
GOALS = {
    "01": (["svm-margin"], ["svm-dual"], ["svm-support-vectors"]),
    "02": (["svm-soft", "svm-box"], ["svm-nu", "svm-soft"], ["svm-outlier", "kernel-polynomial"]),
    "03": (["svm-solvers"], ["svm-smo"], ["svm-converged", "svm-solvers"]),
    "04": (["svm-hinge"], ["svm-probabilities"], ["theory-no-likelihood"]),
    "05": (["svm-many-classes"], ["svm-many-classes"], ["svm-one-class"]),
    "06": (["svm-regression"], ["svm-regression"], ["svm-count"]),
    "07": (["theory-pac"], ["theory-shatter"], ["theory-leave-one-out"]),
    "08": (["theory-descent"], ["theory-descent"], ["theory-laplace", "theory-bic"]),
    "09": (["rvm-model", "rvm-evidence"], ["rvm-climbs"], ["rvm-error-bars", "rvm-all-data"]),
    "10": (["rvm-quality"], ["rvm-sparsity", "rvm-letters"], ["rvm-sequential", "rvm-noise"]),
    "11": (["rvm-classifier"], ["rvm-archetypes"], ["rvm-ripley"]),
    "12": (["kernel-mercer"], ["kernel-strings", "kernel-models"], ["kernel-strings"]),
    "13": (["kernel-prototypes"], ["kernel-zeros"], ["kernel-zeros"]),
    "14": (["kernel-trick"], ["kernel-ridge"], ["kernel-pca"]),
    "15": (["theory-winner", "theory-evidence"], ["theory-winner"], ["theory-prepare"]),
    "16": (["kernel-bumps", "kernel-window"], ["kernel-line"], ["kernel-line"]),
}


def prose_of(path):
    """All Markdown of a notebook."""
    return "\n\n".join(
        cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"
    )


@pytest.fixture(scope="module")
def prose():
    """Notebook -> its prose."""
    return {path.name: prose_of(path) for path in NOTEBOOKS.glob("[0-9]*.ipynb")}


def test_about_fifty_cards_each_with_its_own_id():
    assert len(CARDS) == sum(len(module.CARDS) for module in MODULES.values())
    assert len({card.question for card in CARDS.values()}) == len(CARDS)
    assert 45 <= len(CARDS) <= 60


def test_tags_are_balanced():
    topics, kinds = (Counter(getattr(card, what) for card in CARDS.values()) for what in ("topic", "kind"))
    assert all(topics[topic] >= 8 for topic in TOPICS), topics
    assert all(kinds[kind] >= 7 for kind in KINDS), kinds


@pytest.mark.parametrize("topic", TOPICS)
def test_a_module_holds_the_cards_of_its_topic(topic):
    assert all(card.topic == topic for card in MODULES[topic].CARDS)


def test_enough_cards_have_a_picture():
    assert sum(bool(card.show) for card in CARDS.values()) >= 30


@EACH
def test_has_one_topic_one_kind_and_nothing_empty(card):
    assert sorted(card.tags) == sorted([card.topic, card.kind])
    assert card.topic in TOPICS
    assert card.kind in KINDS
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", card.id)
    assert all((card.question, card.answer, card.formula, card.teaches))


@EACH
def test_question_is_what_an_examiner_says(card):
    """One to three short sentences."""
    assert len(MATHS.sub("x", card.question).split()) <= 45


@EACH
def test_answer_is_short_enough_to_be_said(card):
    """In a minute. A formula counts as one word; what the picture shows stands by itself and is not said."""
    said, *shown = (len(MATHS.sub("x", part).split()) for part in card.answer.split("\n\n"))
    assert 40 <= said <= 105
    assert len(shown) <= 1
    assert sum(shown) <= 40


@EACH
def test_what_the_picture_shows_is_no_part_of_what_is_said(card):
    said, *shown = card.answer.split("\n\n")
    assert "picture" not in said or card.id == "rvm-noise"  # its whole argument is about that picture
    assert all("picture" in part and card.show for part in shown)


@EACH
def test_further_sections_that_it_names_exist(card, prose):
    for number, section in re.findall(r"(\d\d), section (\d+)", card.answer):
        (page,) = (text for name, text in prose.items() if name.startswith(number))
        assert re.search(rf"^## {section} ", page, re.M)


@EACH
def test_texts_and_formula_become_html(card):
    for text in (card.question, card.answer):
        assert "$" not in to_html(text)
    assert to_mathml(card.formula).startswith("<math")


@EACH
def test_names_the_equation_where_the_book_has_a_number(card):
    unnumbered = {
        "svm-converged",  # the gap of two multipliers
        "svm-one-class",  # a dual that PRML only mentions
        "rvm-archetypes",  # an angle
        "kernel-zeros",  # the conditions of the L1VM
        "theory-shatter",  # Cover's count
        "theory-leave-one-out",  # a mean over data sets
        "theory-winner",  # a minimum of scores
        "theory-prepare",  # a sum of squares
    }
    numbered = re.search(r"\(\d+\.\d+", card.answer + card.formula)
    assert bool(numbered) is (card.id not in unnumbered)


@EACH
def test_equations_that_it_cites_stand_in_the_course(card, prose):
    course = "\n".join(text for name, text in prose.items() if name < "17")  # the lessons
    cited = re.findall(r"\(\d+\.\d+[^()]*\)", card.answer + card.formula)
    for number in re.findall(r"\d+\.\d+", " ".join(cited)):
        assert re.search(rf"(?<!\d){re.escape(number)}(?!\d)", course), number


@EACH
def test_link_leads_to_the_section_that_it_names(card, prose):
    words, link = card.teaches
    notebook, anchor = link.split("#", 1)
    headings = [
        heading.strip().replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", prose[notebook], re.M)
    ]
    assert anchor in headings
    number, section = re.fullmatch(r"(\d\d), section (\d+)", words).groups()
    assert notebook.startswith(number)
    assert anchor.startswith(f"{section}-")


def test_every_lesson_is_linked():
    linked = {card.teaches[0][:2] for card in CARDS.values()}
    assert linked == {f"{n:02}" for n in range(1, 17)}


@pytest.mark.parametrize("question", EXAM)
def test_every_exam_question_of_the_notes_has_a_card(question):
    assert set(EXAM[question]) <= set(CARDS)


@pytest.mark.parametrize("number", GOALS)
def test_every_goal_has_a_card_that_links_to_its_notebook(number, prose):
    (page,) = (text for name, text in prose.items() if name.startswith(number))
    goals = page.split("After this notebook you can", 1)[1].split("\n\n", 2)[1]
    assert len(re.findall(r"^\d\. ", goals, re.M)) == len(GOALS[number]) == 3
    for cards in GOALS[number]:
        assert any(CARDS[name].teaches[0].startswith(number) for name in cards), cards


def test_every_card_serves_a_question_or_a_goal():
    asked = {name for cards in EXAM.values() for name in cards}
    promised = {name for goals in GOALS.values() for cards in goals for name in cards}
    assert set(CARDS) == asked | promised
