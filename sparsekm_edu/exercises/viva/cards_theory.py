"""Cards of the viva: theory."""

CARDS = ()
