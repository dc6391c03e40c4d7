"""help() tells the truth: every example runs, every parameter and every fitted attribute is named."""

import doctest
import inspect
import re

import numpy as np
import pytest

from sparsekm_edu import datasets, kernels, models, solvers
from sparsekm_edu.models.documentation import spelled_out

SOLVERS = [
    *("smo", "qp", "kkt", "soft_margin", "c_path", "chunking"),
    *("reestimate", "em", "sequential", "sequential_steps", "posterior", "log_evidence", "sparsity_quality"),
    *("irls", "laplace", "platt", "l1", "l2"),
]
DATASETS = [name for name, thing in vars(datasets).items() if inspect.isfunction(thing) and name[0] != "_"]
MACHINES = [name for name in models.__all__ if hasattr(getattr(models, name), "fit")]
FUNCTIONS = ["optimise_kernel", "grid_search", "leave_one_out_errors", "evidence_over_gamma"]
PARAMETER = re.compile(r"^(\w+) = (.*?) : ", re.M)

#: who must have an example; others may
WITH_EXAMPLE = {
    **{name: getattr(models, name) for name in [*MACHINES, *FUNCTIONS]},
    **{name: getattr(kernels, name) for name in kernels.__all__},
    **{f"windows.{name}": getattr(kernels.windows, name) for name in ("Window", "rule_of_thumb")},
    **{f"datasets.{name}": getattr(datasets, name) for name in DATASETS},
    **{f"solvers.{name}": getattr(solvers, name) for name in SOLVERS},
}
PUBLIC = WITH_EXAMPLE | {f"solvers.{name}": getattr(solvers, name) for name in solvers.__all__}


def examples(thing, name):
    """The doctests of a function, or of a class and its methods; they may use nothing that they do not import."""
    return [test for test in doctest.DocTestFinder().find(thing, name, globs={}) if test.examples]


TESTS = {test.name: test for name, thing in PUBLIC.items() for test in examples(thing, name)}


@pytest.mark.parametrize("name", TESTS)
def test_example(name):
    said = []
    doctest.DocTestRunner().run(TESTS[name], out=said.append)
    assert not said, "".join(said)


def test_everybody_has_an_example():
    assert [name for name in WITH_EXAMPLE if name not in TESTS] == []
    assert len(TESTS) >= 69


def test_an_example_that_is_wrong_is_noticed():
    def wrong():
        """
        >>> 1 + 1
        3
        """

    (test,) = examples(wrong, "wrong")
    said = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert "Got:\n    2" in "".join(said)


@pytest.mark.parametrize("name", MACHINES)
def test_every_parameter_is_told_with_its_default(name):
    machine = getattr(models, name)
    constructor = inspect.signature(machine).parameters.values()
    assert sorted(PARAMETER.findall(machine.__doc__)) == sorted(
        (p.name, repr(p.default)) for p in constructor
    )
    assert ": see " not in machine.__doc__
    assert "the others as" not in machine.__doc__


@pytest.mark.parametrize("name", MACHINES)
def test_every_fitted_attribute_is_named(name):
    machine = getattr(models, name)()
    X, t = datasets.sinusoid() if name.endswith(("SVR", "RVR", "Regressor")) else datasets.clouds()
    machine.fit(X, t)
    fitted = {key for key in vars(machine) if key.endswith("_") and key[0] != "_"} - {"n_features_in_"}
    described = machine.__doc__.partition("\nFitted: ")[2].partition("\n\n")[0]
    assert len(fitted) >= 2
    assert fitted - set(re.findall(r"\w+", described)) == set()


def test_results_name_their_fields():
    for result in (models.OptimisedKernel, models.KernelState, models.GridScores):
        assert set(result.__dataclass_fields__) - set(re.findall(r"\w+", result.__doc__)) == set()


def test_what_a_docstring_refers_to_is_put_there():
    class Parent:
        """Nobody.

        Parameters
        ----------
        a : a number,
            of any size.
        b : another.

        Fitted: a_, the number found; b_.
        """

    class Child(Parent):
        """Somebody.

        Parameters
        ----------
        c : a third.
        b, a : see Parent.

        Fitted: c_; the others as in Parent. And more.

        Unchanged : see Parent.
        """

        def __init__(self, a=1, b="x", c=np.inf):
            pass

    assert inspect.getdoc(spelled_out(Child)) == inspect.cleandoc("""
        Somebody.

        Parameters
        ----------
        c = inf : a third.
        b = 'x' : another.
        a = 1 : a number,
            of any size.

        Fitted: c_; a_, the number found; b_. And more.

        Unchanged : see Parent.
        """)
