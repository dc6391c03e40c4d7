"""Explorers: the figures of the course, alive. `explorers.margin()` as the last line of a cell shows one."""

from sparsekm_edu.explorers.foundations import geometry, lagrange, parzen_limit
from sparsekm_edu.explorers.margins import kernel_margin, margin

__all__ = ["geometry", "kernel_margin", "lagrange", "margin", "parzen_limit"]
