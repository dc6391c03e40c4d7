"""Cards of the viva: rvm."""

CARDS = ()
