"""How much memory there is, and how to do with it: a word before N x N numbers are asked for, and blocks of points."""

import os
from contextlib import suppress
from pathlib import Path

import numpy as np

BLOCK = 2_000_000  # numbers in the matrices that predictions are made from: 16 MB, quicker than larger ones
MODEST = 100_000_000  # bytes that nobody has to ask for
CGROUPS = {  # where a container's limit stands, and its use: version 2, version 1
    "/sys/fs/cgroup": ("memory.max", "memory.current"),
    "/sys/fs/cgroup/memory": ("memory.limit_in_bytes", "memory.usage_in_bytes"),
}


def memory_at_hand():
    """Bytes that can still be had, as far as the system tells; None if it does not."""
    limits = []
    with suppress(OSError, KeyError, ValueError):
        limits.append(1024 * _numbers("/proc/meminfo")["MemAvailable:"])
    for folder, (limit, use) in CGROUPS.items():
        with suppress(OSError, KeyError, ValueError):  # "max" is not a number: there is no limit
            most, used = (int(Path(folder, name).read_text()) for name in (limit, use))
            kept = _numbers(f"{folder}/memory.stat")
            limits.append(
                most - used + kept["active_file"] + kept["inactive_file"]
            )  # copies of files make room
    if not limits:
        with suppress(AttributeError, OSError, ValueError):
            limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return min(limits, default=None)


def _numbers(path):
    """The numbers in a file of lines such as "name 123 kB", by name."""
    lines = (line.split() for line in Path(path).read_text().splitlines())
    return {name: int(number) for name, number, *_ in lines}


def check_room(n_points, advice, copies=1):
    """Raise MemoryError, with advice, if there is no room for so many matrices of N x N numbers.

    Better now, in one sentence, than when the machine has come to a halt.
    """
    needed = 8 * copies * n_points**2
    at_hand = memory_at_hand() if needed > MODEST else None
    if at_hand is not None and needed > at_hand:
        times = f" ({copies} times {needed / copies / 1e9:.1f})" if copies > 1 else ""
        raise MemoryError(
            f"The kernel matrix of {n_points} points takes {needed / 1e9:.1f} GB{times}, and only "
            f"{at_hand / 1e9:.1f} GB of memory are at hand: {advice}."
        )


def in_blocks(function, X, n_columns):
    """function(X) for X (M, D), for so many points at a time that a matrix with n_columns takes 16 MB at most."""
    step = max(1, BLOCK // max(1, n_columns))
    if len(X) <= step:
        return function(X)
    return np.concatenate([function(X[start : start + step]) for start in range(0, len(X), step)])
