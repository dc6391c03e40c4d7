"""Systematic mutants of a worked solution: one slip each, as people make them and as a generator can list them.

    python tests/exercises/mutants.py [ids ...]        how many mutants of each solution change it, which pass

A mutant is a copy of the function with one change: a sign, a factor, a power, an index, a transposition, an off-by-one,
a term or a function left out, a comparison turned round. Which of them change the function at all is found by running
both on instances that the check does not see.
"""

import ast
import copy
import inspect
import sys
import textwrap
from dataclasses import dataclass

import numpy as np

from sparsekm_edu.exercises.catalogue import TASKS
from sparsekm_edu.exercises.comparing import compare
from sparsekm_edu.exercises.running import run
from sparsekm_edu.exercises.tasks import Task, judge

LOOKED_AT = 24  # instances on which a mutant may show that it is another function
SECONDS = 1.0  # for one of them: a mutant may never end
CLEAR = 1e-4  # a relative difference that nobody would call rounding


@dataclass(frozen=True)
class Mutant:
    """What was changed, and the changed function."""

    change: str
    function: object


# ---- changes of an expression: node -> [(words, new node)] ----------------------------------------------
TURNED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
COMPARED = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
OTHERS = {"sum": "mean", "mean": "sum", "min": "max", "max": "min", "argmin": "argmax", "argmax": "argmin"}


def number(value):
    return ast.Constant(value)


def transposed(node):
    return ast.Attribute(node, "T", ast.Load())


def of_operation(node):
    left, right = node.left, node.right
    if type(node.op) in TURNED:
        yield "the other operation", ast.BinOp(left, TURNED[type(node.op)](), right)
        yield "the second term left out", left
        if not isinstance(node.op, ast.Div):
            yield "the first term left out", right
    if isinstance(node.op, ast.Pow):
        yield "without its power", left
        yield "one power more", ast.BinOp(left, ast.Pow(), ast.BinOp(right, ast.Add(), number(1)))
    if isinstance(node.op, ast.MatMult):
        yield "factors the other way round", ast.BinOp(right, ast.MatMult(), left)
        yield "the left one transposed", ast.BinOp(transposed(left), ast.MatMult(), right)
        yield "the right one transposed", ast.BinOp(left, ast.MatMult(), transposed(right))


def of_call(node):
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in OTHERS:
        other = ast.Attribute(function.value, OTHERS[function.attr], ast.Load())
        yield f"{other.attr} for {function.attr}", ast.Call(other, node.args, node.keywords)
    if isinstance(function, ast.Name) and function.id in ("min", "max", "sum"):
        other = {"min": "max", "max": "min", "sum": "len"}[function.id]
        yield f"{other} for {function.id}", ast.Call(ast.Name(other, ast.Load()), node.args, node.keywords)
    if isinstance(function, ast.Name) and function.id == "range":
        *first, last = node.args[:2]
        shorter = ast.BinOp(last, ast.Sub(), number(1))
        yield "one round too few", ast.Call(function, [*first, shorter, *node.args[2:]], [])
    if len(node.args) == 1 and not node.keywords and not isinstance(function, ast.Name):
        yield "a function left out", node.args[0]


def of_constant(node):
    if isinstance(node.value, int | float) and not isinstance(node.value, bool):
        yield "one more", number(node.value + 1)
        yield "one less", number(node.value - 1)
        if node.value not in (0, 1):
            yield "half of it", number(node.value / 2)


def of_subscript(node):
    if isinstance(node.slice, ast.Name):
        yield (
            "an index too low",
            ast.Subscript(node.value, ast.BinOp(node.slice, ast.Sub(), number(1)), node.ctx),
        )


CHANGES = {
    ast.BinOp: of_operation,
    ast.Call: of_call,
    ast.Constant: of_constant,
    ast.Subscript: of_subscript,
    ast.UnaryOp: lambda node: [("a sign lost", node.operand)] if isinstance(node.op, ast.USub) else [],
    ast.Attribute: lambda node: [("a transposition lost", node.value)] if node.attr == "T" else [],
    ast.Compare: lambda node: [
        ("turned round", ast.Compare(node.left, [COMPARED[type(op)]()], node.comparators))
        for op in node.ops[:1]
        if type(op) in COMPARED
    ],
}
ARITHMETIC = {
    "the sign": lambda value: ast.UnaryOp(ast.USub(), value),
    "twice": lambda value: ast.BinOp(number(2), ast.Mult(), value),
    "half": lambda value: ast.BinOp(value, ast.Div(), number(2)),
    "squared": lambda value: ast.BinOp(value, ast.Pow(), number(2)),
    "plus one": lambda value: ast.BinOp(value, ast.Add(), number(1)),
    "upside down": lambda value: ast.BinOp(number(1), ast.Div(), value),
    "shifted by one place": lambda value: ast.Call(
        ast.Attribute(ast.Name("np", ast.Load()), "roll", ast.Load()), [value, number(1)], []
    ),
}


def of_return(node):
    """The result itself, or each of several."""
    several = isinstance(node.value, ast.Tuple)
    parts = node.value.elts if several else [node.value]
    for place, part in enumerate(parts):
        for words, make in ARITHMETIC.items():
            changed = [*parts[:place], make(part), *parts[place + 1 :]]
            yield f"result: {words}", ast.Return(ast.Tuple(changed, ast.Load()) if several else changed[0])


# ---- mutants of a function ------------------------------------------------------------------------------


def mutants(function):
    """All of them, each with one change."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    definition.decorator_list = []
    if ast.get_docstring(definition):
        definition.body = definition.body[1:]
    places = [
        path for path, node in walk(definition.body) if type(node) in CHANGES or isinstance(node, ast.Return)
    ]
    for path in places:
        node = at(definition.body, path)
        change_of = of_return if isinstance(node, ast.Return) else CHANGES[type(node)]
        for words, new in change_of(node):
            changed = copy.deepcopy(tree)
            put(changed.body[0].body, path, copy.deepcopy(new))
            line = ast.unparse(new)
            mutated = compiled(changed, function)
            if mutated is not None:
                yield Mutant(f"line {getattr(node, 'lineno', 0)}, {words}: {line[:60]}", mutated)


def walk(node, path=()):
    """(path, node) for every node below; a path is a sequence of fields and places."""
    if isinstance(node, list):
        for n, part in enumerate(node):
            yield from walk(part, (*path, n))
    elif isinstance(node, ast.AST):
        if path:
            yield path, node
        for field, part in ast.iter_fields(node):
            if isinstance(part, list | ast.expr | ast.stmt | ast.slice):
                yield from walk(part, (*path, field))


def at(body, path):
    for step in path:
        body = body[step] if isinstance(step, int) else getattr(body, step)
    return body


def put(body, path, node):
    *before, last = path
    parent = at(body, before)
    if isinstance(last, int):
        parent[last] = node
    else:
        setattr(parent, last, node)


def compiled(tree, function):
    """The function that a tree defines, in the module of the original one; None if it is no Python."""
    try:
        code = compile(ast.fix_missing_locations(tree), "<mutant>", "exec")
    except (SyntaxError, TypeError, ValueError):
        return None
    scope = {}
    exec(code, function.__globals__, scope)
    return scope[function.__name__]


# ---- which of them are another function? -----------------------------------------------------------------


def changes_it(task, mutant):
    """Does the mutant give something else than the solution, on instances that no check draws?"""
    looked_at = (
        LOOKED_AT // 6 if task.accepts else LOOKED_AT
    )  # whole algorithms: each says more, and takes longer
    return any(differs(task, mutant, np.random.default_rng([99, 99, n])) for n in range(looked_at))


def differs(task, mutant, rng):
    """On one instance. A mutant that fails or never ends differs."""
    arguments = task.instance(rng)
    outcomes, _ = run(mutant.function, [arguments], SECONDS)
    outcome = outcomes[0] if outcomes else None
    if outcome is None or outcome.error is not None or outcome.value is None:
        return True
    if task.accepts:
        return task.problem_of(outcome.value, arguments, None) is not None
    right = task.solution(*copy.deepcopy(arguments))
    return compare(outcome.value, right, task.agreeing, CLEAR) is not None


def trial(task, seeds=(1, 2, 3), most=60):
    """(mutants that change the solution, those of them that a check lets pass); at most `most`, evenly chosen."""
    everything = list(mutants(task.solution))
    chosen = everything[:: -(-len(everything) // most)]
    changed = [mutant for mutant in chosen if changes_it(task, mutant)]
    passed = [
        mutant.change
        for mutant in changed
        if any(judge(task, mutant.function, seed).passed for seed in seeds)
    ]
    return changed, passed


def report(ids):
    """One line per solution, and the sum."""
    sum_changed = sum_passed = 0
    for id in ids or TASKS:
        if isinstance(TASKS[id], Task):
            changed, passed = trial(TASKS[id])
            print(f"{id:20} {len(changed):4} mutants, {len(passed)} not rejected", *passed, sep="\n    ")
            sum_changed, sum_passed = sum_changed + len(changed), sum_passed + len(passed)
    print(f"{'all':20} {sum_changed:4} mutants, {sum_passed} not rejected")


if __name__ == "__main__":
    report(sys.argv[1:])
