"""Explorers of algorithms: play them, step forward and back.

The state has a field `step`. The steps themselves are computed once for all other fields and kept, so that going
back is as quick as going forward, and the picture of step 7 is the same whichever way it was reached.
"""

import dataclasses
from numbers import Real

import ipywidgets as widgets

from sparsekm_edu.live.controls import accepted

SPEEDS = {"slow": 1000, "medium": 400, "fast": 120}  # milliseconds from step to step


class Player:
    """To be mixed into an Explorer, on the left of it. Its step slider comes first among the controls.

    The subclass makes its other controls with `{**super().make_controls(), "C": ...}` and says how many steps there
    are, `last_step(state)`; what is Impossible there is a sentence in the readout.
    """

    link = None  # a constructor that fails on its way leaves a player without

    def last_step(self, state):
        """The number of the last step that the algorithm takes in this state."""
        raise NotImplementedError

    def make_controls(self):
        self.steps = widgets.IntSlider(description="step", min=0, max=0)
        return {"step": self.steps}

    def extra_controls(self):
        self.player = widgets.Play(min=0, max=0, interval=SPEEDS["medium"], show_repeat=False)
        # in the page, so that it plays without the kernel's help
        self.link = widgets.jslink((self.player, "value"), (self.steps, "value"))
        self.speed = widgets.Dropdown(options=list(SPEEDS.items()), value=SPEEDS["medium"])
        self.speed.layout.width = "92px"
        self.speed.observe(lambda change: setattr(self.player, "interval", change["new"]), "value")
        back = self.button("◀ Back", "one step back", lambda: self.go(-1))
        on = self.button("Step ▶", "one step forward", lambda: self.go(+1))
        rows = [widgets.HBox([self.player, self.speed]), widgets.HBox([back, on])]
        for row in rows:
            row.add_class("skm-row")
        return [*rows, *super().extra_controls()]

    def go(self, steps):
        """So many steps forward, or back."""
        self.set(step=self.state.step + steps)

    def accepted(self, fields):
        """Any whole number is a step: `settled` brings it between the first and the last one."""
        others = super().accepted({name: value for name, value in fields.items() if name != "step"})
        if "step" not in fields:
            return others
        step = fields["step"]
        return others | {"step": accepted("step", max(step, 0) if isinstance(step, Real) else step, like=0)}

    def settled(self, state):
        """No step before the first or after the last."""
        self._last = self.last_step(state)
        return dataclasses.replace(state, step=int(min(max(state.step, 0), self._last)))

    def _sync_controls(self):
        self._quiet = True  # a shorter slider moves its own value
        self.steps.max = self.player.max = max(1, self._last)
        super()._sync_controls()

    def close(self):
        """Take the link between player and slider away, too."""
        if self.link is not None:
            self.link.close()
        super().close()
