"""Settings that hold for all tests."""

from hypothesis import settings

# The same examples on every run and every machine, and no deadline: the first call compiles.
settings.register_profile("course", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("course")
