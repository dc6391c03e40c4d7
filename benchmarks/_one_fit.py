"""One fit in a process of its own, for its memory: python benchmarks/_one_fit.py <solver or "theirs"> N D seed.

Prints JSON: seconds of the fit, after a small one that loads what is compiled; megabytes, the most that the process
ever had; gap, of the KKT conditions; objective. The last two are None for theirs.
"""

import json
import resource
import sys
import time
from pathlib import Path

from _shared import two_classes  # sets one thread, before numpy is imported


def machine(solver, gamma):
    """An SVC with C = 1; who does not need the other's library does not pay for it."""
    if solver == "theirs":
        from sklearn.svm import SVC

        return SVC(gamma=gamma, tol=1e-3)
    from sparsekm_edu import SVC, Gaussian

    return SVC(kernel=Gaussian(gamma), solver=solver, tol=1e-3)


def peak_megabytes():
    """Where Linux tells it for this process alone; elsewhere it may include what the parent had."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1000
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def main(solver, N, D, seed):
    X, t = two_classes(int(N), int(seed), int(D))
    model = machine(solver, 1.0 / int(D))
    model.fit(X[:100], t[:100])
    start = time.perf_counter()
    model.fit(X, t)
    seconds = time.perf_counter() - start
    found = getattr(model, "solution_", None)
    result = {
        "seconds": seconds,
        "megabytes": peak_megabytes(),
        "gap": getattr(model, "kkt_violation_", None),
        "objective": found and found.objective,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
