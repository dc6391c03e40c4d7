"""One sitting with the cards: which is on the table, which wait, what was graded. No widgets, no files."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Session:
    """waiting: ids, the first lies on the table; turned: does its answer show?; graded: (id, grade), in order."""

    waiting: tuple
    turned: bool = False
    graded: tuple = ()

    @property
    def card(self):
        """The card on the table, None when all are done."""
        return self.waiting[0] if self.waiting else None

    def turn(self):
        return replace(self, turned=True)

    def grade(self, grade, repeats=True):
        """The next card; one that was graded "again" for the first time comes once more at the end."""
        waiting = self.waiting[1:]
        if repeats and grade == "again" and self.card not in [id for id, _ in self.graded]:
            waiting += (self.card,)
        return Session(waiting, graded=(*self.graded, (self.card, grade)))


def spread(cards, n, rng):
    """n cards for an examination, in random order: topics and kinds as evenly as the cards allow.

    rng: a random.Random.
    """
    left, chosen = rng.sample(cards, len(cards)), []
    while left and len(chosen) < n:
        # the rarest topic so far, among those the rarest kind; the order at random decides the rest
        card = min(left, key=lambda one: (count(chosen, one.topic), count(chosen, one.kind)))
        chosen.append(card)
        left.remove(card)
    return rng.sample(chosen, len(chosen))


def count(cards, tag):
    """How many cards have the tag?"""
    return sum(tag in card.tags for card in cards)
