"""The cards in the page: question, say it aloud, turn, grade. And the examination: ten of them against a clock."""

import random
import time
from datetime import date
from pathlib import Path

import anywidget
import ipywidgets as widgets
import traitlets

from sparsekm_edu import explorers
from sparsekm_edu.exercises import record
from sparsekm_edu.exercises.markup import to_html, to_wrapped_mathml
from sparsekm_edu.exercises.viva import boxes
from sparsekm_edu.exercises.viva.card import KINDS, TOPICS, unbroken
from sparsekm_edu.exercises.viva.catalogue import with_tags
from sparsekm_edu.exercises.viva.session import Session, spread
from sparsekm_edu.exercises.viva.statistics import Statistics
from sparsekm_edu.live.explorer import replace_earlier_explorer_of_this_cell


class Page(anywidget.AnyWidget):
    """The card as the page shows it: all of it in one Dict, so that nothing is ever half new."""

    _esm = Path(__file__).parent / "deck.js"
    _css = Path(__file__).parent / "deck.css"

    shown = traitlets.Dict().tag(sync=True)


class Sitting(widgets.VBox):
    """Cards one after the other. What the page can ask for is in `actions`; each is a method, so a test can do it too.

    Below the card stand the link to the section that teaches it, which JupyterLab opens, and the live explorer, if the
    learner asked for it.
    """

    marks = boxes.GRADES  # the words on the three buttons
    repeats = True  # does a card that was graded "again" come once more?

    def __init__(self, cards, today=date.today):
        self.cards = {card.id: card for card in cards}
        self.today = today
        self.session = Session(())
        self.explorer = None
        self.message = ""
        self._earlier = []  # (session, what was graded, its entry before), for undo
        self.page = Page()
        self.below = widgets.Output()
        super().__init__([self.page, self.below])
        self.page.on_msg(self._on_message)
        self.repaint()
        replace_earlier_explorer_of_this_cell(self)

    # ---- what a deck and an examination do differently -----------------------------------------------
    def actions(self):
        """What the page may ask for -> who does it; a subclass adds "go", which begins, and its own."""
        return {"turn": self.turn, "grade": self.grade, "undo": self.undo, "show": self.show_or_close}

    def rest(self):
        """What the page shows between two sittings: fields of `Page.shown`, and Markdown below it."""
        raise NotImplementedError

    def extras(self):
        """Further fields of `Page.shown` while a card lies on the table."""
        raise NotImplementedError

    def regraded(self, entry, grade):
        """What the record says about a card after its grade."""
        return boxes.graded(entry, grade, self.today())

    # ---- the actions that both share ------------------------------------------------------------------
    @property
    def card(self):
        """The card on the table, None between two sittings."""
        return self.cards.get(self.session.card)

    def turn(self):
        """Show the answer."""
        if self.card:
            self.session = self.session.turn()

    def grade(self, grade):
        """Grade the answer that was said, remember it, lay down the next card; nothing before the card is turned."""
        if not (self.card and self.session.turned):
            return
        id, entry = self.card.id, self.entries()[self.card.id]
        after = self.regraded(entry, grade)
        self._earlier.append((self.session, id, entry))
        if after != entry:
            self.remember(id, after)
        self.session = self.session.grade(grade, self.repeats)
        self.close_explorer()

    def undo(self):
        """Take the last grade back: the card lies on the table again, turned, and in the box where it was."""
        if self._earlier:
            self.session, id, entry = self._earlier.pop()
            self.remember(id, {**boxes.NEW, **entry})
            self.close_explorer()

    def show_or_close(self):
        """Open the live explorer of the card in its prepared state, or close it."""
        if self.explorer:
            self.close_explorer()
        elif self.card and self.session.turned and self.card.show:
            self.explorer = eval(self.card.show, {"explorers": explorers})  # a line of our own
            self.children = [self.page, self.below, self.explorer]

    def close_explorer(self):
        if self.explorer:
            self.children = [self.page, self.below]
            self.explorer.close()
            self.explorer = None

    # ---- record and page ------------------------------------------------------------------------------
    def entries(self):
        """id -> what the record holds about each card, {} for a new one."""
        kept = record.load()[0]["cards"]
        return {id: kept.get(id, {}) for id in self.cards}

    def remember(self, id, entry):
        self.message = record.change("cards", id, **entry)

    def repaint(self):
        """Tell the page what there is to see."""
        fields, below = self.on_the_table() if self.card else self.rest()
        self.page.shown = {"undo": bool(self._earlier), "message": self.message, **fields}
        self.below.outputs = in_markdown(below)

    def on_the_table(self):
        """The card as fields of `Page.shown`, and below it the link to where it is taught."""
        card, turned = self.card, self.session.turned
        done, left = len(self.session.graded), len(self.session.waiting)
        box = boxes.box_of(self.entries()[card.id])
        fields = {
            "phase": "answer" if turned else "question",
            "head": f"Card {done + 1} of {done + left}",
            "tags": f"{card.topic} · {card.kind} · " + (f"box {box}" if box else "new"),
            "question": to_html(unbroken(card.question)),
            "answer": to_html(unbroken(card.answer)) if turned else "",  # not in the page before
            "formula": to_wrapped_mathml(card.formula) if turned and card.formula else "",
            "marks": self.marks,
            "show": "" if not (turned and card.show) else "Close the picture" if self.explorer else "Show me",
            "open": bool(self.explorer),
            **self.extras(),
        }
        words, link = card.teaches
        return fields, f"Taught in [{words}]({link})." if turned else ""

    def _on_message(self, _, content, buffers):
        fields = dict(content)
        self.message = ""
        try:
            self.actions()[fields.pop("type")](**fields)
            self.repaint()
        except Exception as mishap:  # told on the page, where the learner looks
            self.page.shown = {**self.page.shown, "message": f"{type(mishap).__name__}: {mishap}"}

    def close(self):
        """Take the cards and their explorer off the page."""
        self.close_explorer()
        for part in (self.page, self.below, self):
            part.layout.close()
        for part in (self.page, self.below):
            part.close()
        super().close()

    def _repr_mimebundle_(self, **kwargs):
        """The live cards; where widgets cannot live, a sentence."""
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle, *metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return {**bundle, "text/html": f"<p>{self!r}</p>", "text/plain": repr(self)}, *metadata


class Deck(Sitting):
    """The cards that are due today, one after the other; what was graded "again" comes once more."""

    def __init__(self, cards, tags=(), shuffle=True, today=date.today):
        self.shuffle = shuffle
        self.tags = [tags] if isinstance(tags, str) else list(tags or ())
        super().__init__(cards, today)
        self.go(only_due=True)
        self.repaint()

    def wanted(self):
        """The ids of the cards with the chosen tags."""
        return [card.id for card in with_tags(self.tags, self.cards.values())]

    def due(self):
        """The ids of those that are to be asked today."""
        entries = self.entries()
        return [id for id in self.wanted() if boxes.is_due(entries[id], self.today())]

    def actions(self):
        return {**super().actions(), "go": self.go, "choose": self.choose}

    def go(self, only_due=False):
        """Begin with the cards that are due, or with all of the chosen ones."""
        ids = self.due() if only_due else self.wanted()
        self.session = Session(tuple(random.sample(ids, len(ids)) if self.shuffle else ids))
        self._earlier = []

    def choose(self, tags):
        """Only cards with these tags, from the menus of the card."""
        with_tags(tags, ())  # complains about a tag that there is not
        self.tags = list(tags)
        self.close_explorer()
        self.go(only_due=True)

    def extras(self):
        # an answer leaves no room for statistics
        return {
            "choices": self.choices(),
            "statistics": "" if self.session.turned else self.statistics().small,
        }

    def rest(self):
        graded = [grade for _, grade in self.session.graded]
        done = ", ".join(f"{graded.count(grade)} {grade}" for grade in boxes.GRADES)
        said = (
            f"Done: {done}."
            if graded
            else "No card is due today."
            if self.wanted()
            else "There is no such card."
        )
        fields = {
            "phase": "rest",
            "head": "All done" if graded else "Nothing to do",
            "question": f"<p>{said} {self.comes_next()}</p>",
            "go": "Go through all of them" if self.wanted() else "",
            "choices": self.choices(),
            "statistics": self.statistics().small,
        }
        return fields, ""

    def comes_next(self):
        """When the next of the chosen cards is due, in words."""
        entries = self.entries()
        days = [boxes.due_on(entries[id]) for id in self.wanted() if boxes.box_of(entries[id])]
        days = [day for day in days if day > self.today()]
        if not days:
            return ""
        number, day = days.count(min(days)), min(days)
        return f"The next {'card is' if number == 1 else f'{number} are'} due on {day.day} {day:%B}."

    def choices(self):
        """For each group of tags what can be chosen, and what is."""
        return [
            {"label": label, "tags": group, "chosen": next((tag for tag in group if tag in self.tags), "")}
            for label, group in (("topic", TOPICS), ("kind", KINDS))
        ]

    def statistics(self):
        entries = self.entries()
        kept = [entries[id] for id in self.wanted()]
        return Statistics(tuple(boxes.filling(kept)), len(self.due()))

    def __repr__(self):
        return f"A deck of {len(self.wanted())} viva cards: run this cell to play it."


class Examination(Sitting):
    """Cards of every topic and kind against a clock, and a summary: what went well, what to look at again.

    It sends a card that was missed back to box 1 and moves no other: an examination asks what is not due, too.
    """

    marks = "missed", "partly", "well"
    repeats = False
    points = {"again": 0, "hard": 0.5, "good": 1}

    def __init__(self, cards, n=10, minutes=20, today=date.today):
        self.n, self.minutes = n, minutes
        self.ends = 0  # by the clock of the page, in milliseconds; 0 before it runs
        self.late = None  # how many cards were graded when the time was over
        self._begun = 0.0
        super().__init__(cards, today)

    def actions(self):
        return {**super().actions(), "go": self.go, "end": self.end, "time over": self.time_is_over}

    def go(self, ends):
        """Begin; the time is over at `ends`, by the clock of the page."""
        asked = spread(list(self.cards.values()), self.n, random.Random())
        self.session = Session(tuple(card.id for card in asked))
        self.ends, self.late, self._earlier, self._begun = ends, None, [], time.monotonic()

    def extras(self):
        return {"ends": self.ends, "end": "End", "show": ""}  # pictures would take time that the answers need

    def regraded(self, entry, grade):
        return super().regraded(entry, grade) if grade == "again" else entry

    def on_the_table(self):
        fields, _ = super().on_the_table()
        return fields, ""  # no links: one does not leave an examination

    def end(self):
        """Stop before the last card; what was graded counts."""
        self.session = Session((), graded=self.session.graded)

    def time_is_over(self):
        """Remember how far the learner came in time."""
        if self.late is None:
            self.late = len(self.session.graded)

    def rest(self):
        graded = self.session.graded
        fields = {"phase": "rest", "minutes": self.minutes, "go": "Begin again" if self.ends else "Begin"}
        if not self.ends:
            said = f"{self.n} questions in {self.minutes:g} minutes. The clock starts when you begin."
            return {**fields, "head": "Examination", "question": f"<p>{said}</p>"}, ""
        points = sum(self.points[grade] for _, grade in graded)
        used = max(round((time.monotonic() - self._begun) / 60), 1)
        said = f"{points:g} of {self.n} points in {used} minute{'s' * (used > 1)}."
        late = len(graded) - self.late if self.late is not None else 0
        if late > 0:
            said += f" Time was over before the last {late} of your answers."
        fields |= {"head": "Your examination", "question": f"<p>{said}</p>", "summary": True}
        return fields, self.summary()

    def summary(self):
        """By topic, then the cards to look at again: Markdown."""
        graded = [(self.cards[id], grade) for id, grade in self.session.graded]
        lines = ["| topic | questions | points |", "|---|---|---|"]
        for topic in TOPICS:
            points = [self.points[grade] for card, grade in graded if card.topic == topic]
            lines += [f"| {topic} | {len(points)} | {sum(points):g} |"] if points else []
        weak = [(card, self.marks[boxes.GRADES.index(grade)]) for card, grade in graded if grade != "good"]
        again = [
            f"- {card.question} *({mark})* [{card.teaches[0]}]({card.teaches[1]})" for card, mark in weak
        ]
        words = "**Look at these again.** Those that you missed are back in box 1 of the deck."
        return "\n".join([*lines, "", words, "", *again] if weak else lines)

    def __repr__(self):
        return f"An examination: {self.n} questions, {self.minutes:g} minutes. Run this cell to take it."


def in_markdown(text):
    """What an Output widget holds to show a text; JupyterLab opens the links in it itself."""
    data = {"output_type": "display_data", "data": {"text/markdown": text}, "metadata": {}}
    return (data,) if text else ()
