"""Cards of the viva: kernels."""

CARDS = ()
