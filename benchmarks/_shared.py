"""What the benchmarks share: one thread, how calls are timed, tables with verdicts, and the file of the results.

Import it before anything that imports numpy: the number of threads is read once, when numpy is loaded.
"""

import argparse
import os
import platform
import re
import time
import warnings
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
os.environ.update(dict.fromkeys(THREADS, "1"))

import numpy as np  # noqa: E402
from tqdm import tqdm  # noqa: E402

RESULTS = Path(__file__).resolve().with_name("results.md")
SEEDS = range(3)


# ------------------------------------------------------------------ data


def two_classes(N, seed, D=2):
    """Two Gaussian classes of unit covariance, their means one to the left and one to the right of the origin."""
    rng = np.random.default_rng(seed)
    t = np.where(np.arange(N) % 2, 1.0, -1.0)
    X = rng.normal(size=(N, D))
    X[:, 0] += t
    return X, t


def ripple(N, seed, D=1):
    """sinc of the distance from the origin, with noise of standard deviation 0.1, on [-3, 3]^D."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(N, D))
    return X, np.sinc(np.linalg.norm(X, axis=1)) + 0.1 * rng.normal(size=N)


# ------------------------------------------------------------------ measuring

HOW_OFTEN = (
    "Milliseconds: medians over 9 interleaved rounds (31 where all calls take less than 20 ms, 5 where one takes more\n"
    f"than 300 ms), then over {len(SEEDS)} seeds of the data; ratio: ours / theirs, the median of the seeds' ratios."
)


def medians(calls, arguments, most_rounds):
    """Milliseconds of each call: 9 interleaved rounds, 31 of short calls, 5 if one takes more than 0.3 s."""
    for call in calls:
        call(*arguments)  # compiles, and fills the caches
    longest = max(timed(call, arguments) for call in calls)
    rounds = min(most_rounds, 31 if longest < 0.02 else 9 if longest < 0.3 else 5)
    times = np.empty((rounds, len(calls)))
    for k in range(rounds):
        for n in range(len(calls))[:: 1 if k % 2 else -1]:
            times[k, n] = timed(calls[n], arguments)
    return 1000 * np.median(times, axis=0)


def timed(call, arguments):
    start = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - start


class Compared:
    """Something that was timed beside a rival: `times` holds ms of ours, and of theirs, for each seed."""

    @property
    def ms(self):
        return np.median(self.times, axis=0)

    @property
    def ratio(self):
        ours, theirs = np.transpose(self.times)
        return np.median(ours / theirs)


# ------------------------------------------------------------------ tables


@dataclass
class Table:
    """Cells with the same columns, one row each; a cell has a `key`, the columns that name it, and `run`.

    A subclass says what stands in `head` and in the `row` of a cell, which cells are `misses` of the target and for
    what `reason`, and sums up in `summary`.
    """

    title: str
    about: str
    columns: tuple
    cells: list

    def text(self):
        head = [*self.columns, *self.head()]
        return "\n".join(
            [
                f"## {self.title}\n",
                f"{self.about}\n",
                line(head),
                line(["---"] * len(head)),
                *(line([*map(str, cell.key), *self.row(cell)]) for cell in self.cells),
                f"\n{self.summary()}",
                *(f"- {self.name(cell)}: {self.reason(cell)}." for cell in self.misses()),
                "",
            ]
        )

    def name(self, cell):
        return ", ".join(f"{column} = {part}" for column, part in zip(self.columns, cell.key, strict=True))

    def N(self, cell):
        return cell.key[self.columns.index("N")]


def line(entries):
    return "| " + " | ".join(entries) + " |"


def mark(ratio, good):
    return f"{ratio:.2g}" if good else f"**{ratio:.3g} misses**"


# ------------------------------------------------------------------ results


def main(about, head, tables, packages):
    """Run the cells of all tables, each a function of `quick`, and store the report, or only print it if quick.

    about, what the command line says of itself; head, the opening of the report, with its title in the first line;
    packages, those whose versions belong into it.
    """
    parser = argparse.ArgumentParser(description=about.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a few small cells on one seed, printed only")
    quick = parser.parse_args().quick
    warnings.simplefilter("ignore")  # whoever has not converged is found out by what is computed afresh
    before = os.getloadavg()[0]
    tables = [table(quick) for table in tables]
    with tqdm(total=sum(len(table.cells) for table in tables), unit="cell") as progress:
        for table in tables:
            progress.set_description(table.title)
            for cell in table.cells:
                cell.run(SEEDS[:1] if quick else SEEDS, 3 if quick else 31)
                progress.update()
    circumstances = (
        f"Written by `make bench` with one thread on {os.cpu_count()} cores; load average {before:.1f} at the "
        f"beginning and {os.getloadavg()[0]:.1f} at the end; Python {platform.python_version()}, "
        f"{', '.join(f'{name} {version(name)}' for name in packages)}.\n"
    )
    text = "\n".join([head, circumstances, *(table.text() for table in tables)])
    if quick:
        print("One seed, three rounds: to see that everything works, not to be quoted.\n")
    else:
        store(text)
    print(text)


def store(report):
    """Put a report into results.md: in place of the one with the same title, or after all others."""
    old = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    reports = {part.splitlines()[0]: part for part in re.split(r"^(?=# )", old, flags=re.M) if part}
    reports[report.splitlines()[0]] = report
    RESULTS.write_text("\n".join(part.rstrip("\n") + "\n" for part in reports.values()), encoding="utf-8")
