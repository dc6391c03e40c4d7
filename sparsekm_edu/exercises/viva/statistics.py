"""How the cards lie in their boxes, as a small picture and in words."""

from dataclasses import dataclass

WIDTH, HEIGHT, BAR, GAP, TOP = 330, 96, 46, 8, 16  # pixels
NAMES = "new", "box 1", "box 2", "box 3", "box 4", "box 5"


@dataclass(frozen=True)
class Statistics:
    """counts: cards that are new, then those in box 1 to 5; due: how many are to be asked today."""

    counts: tuple
    due: int

    def __repr__(self):
        where = ", ".join(f"{count} in {name}" for name, count in zip(NAMES[1:], self.counts[1:]))
        return f"{sum(self.counts)} cards: {self.counts[0]} new, {where}. Due today: {self.due}."

    @property
    def svg(self):
        """Bars whose numbers stand above them; colours are those of the page."""
        floor = HEIGHT - 18
        tallest = max(*self.counts, 1)
        bars = ""
        for n, (name, count) in enumerate(zip(NAMES, self.counts)):
            height = (floor - TOP) * count / tallest
            x, middle = n * (BAR + GAP) + GAP / 2, n * (BAR + GAP) + (BAR + GAP) / 2
            bars += (
                f'<rect x="{x:g}" y="{floor - height:.1f}" width="{BAR}" height="{height:.1f}"'
                ' fill="var(--jp-brand-color1, #1976d2)"/>'
                f'<text x="{middle:g}" y="{floor - height - 4:.1f}" text-anchor="middle">{count}</text>'
                f'<text x="{middle:g}" y="{HEIGHT - 4}" text-anchor="middle">{name}</text>'
            )
        return (
            f'<svg role="img" aria-label="{self!r}" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
            f'style="max-width: 100%; display: block" font-size="12" fill="currentColor">{bars}'
            f'<path d="M0 {floor} H{WIDTH}" stroke="currentColor"/></svg>'
        )

    @property
    def small(self):
        """The picture, and the one number that counts today."""
        return f"{self.svg}<p>Due today: {self.due} of {sum(self.counts)} cards.</p>"

    def _repr_html_(self):
        return f"{self.svg}<p>{self!r}</p>"
