"""The benchmarks run: a few small cells, one seed, and every table with its verdicts."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_quick_run_of_the_support_vector_machines():
    results = ROOT / "benchmarks/results.md"
    before = results.read_text(encoding="utf-8") if results.exists() else None
    run = subprocess.run(
        [sys.executable, ROOT / "benchmarks/svm.py", "--quick"], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("\n## ") == 5
    assert "not to be quoted" in run.stdout
    assert (results.read_text(encoding="utf-8") if results.exists() else None) == before  # nothing is written
