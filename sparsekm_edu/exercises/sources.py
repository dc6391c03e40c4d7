"""The code of a worked solution: what a learner's cell shows of it, and all that it needs to run on its own."""

import ast
import inspect
import sys
import textwrap
from functools import cache


def opening(function):
    """The signature and the docstring, which a cell to fill begins with."""
    source = inspect.getsource(function)
    return "\n".join(source.splitlines()[: docstring_ends(source)])


def body(function):
    """The lines below the docstring, not indented."""
    source = inspect.getsource(function)
    return textwrap.dedent("\n".join(source.splitlines()[docstring_ends(source) :])).strip()


def docstring_ends(source):
    """The number of the line with which the docstring ends."""
    return ast.parse(source).body[0].body[0].end_lineno


def needed(functions):
    """What functions of one module use of it, themselves included: what they import, as pairs (module, name), with ""
    for a module itself, and definitions, in their order."""
    statements = statements_of(functions[0].__module__)
    waiting, used = [function.__name__ for function in functions], set()
    while waiting:
        name = waiting.pop()
        if name in statements and name not in used:
            used.add(name)
            waiting += free_names(statements[name][0])
    imports, definitions = [], []
    for name, (node, text) in statements.items():
        if name in used and isinstance(node, ast.Import | ast.ImportFrom):
            imports.append(imported(node, name))
        elif name in used and text not in definitions:
            definitions.append(text)
    return imports, definitions


@cache
def statements_of(module):
    """Name -> (node, text) of every statement that defines one in a module."""
    source = inspect.getsource(sys.modules[module])
    lines = source.splitlines()
    return {
        name: (node, "\n".join(lines[node.lineno - 1 : node.end_lineno]))
        for node in ast.parse(source).body
        for name in names_bound(node)
    }


def names_bound(node):
    """The names that a statement of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name for alias in node.names]
    if isinstance(node, ast.Assign):
        return [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
    return []


def free_names(node):
    """The names that a statement reads and does not make itself."""
    parts = list(ast.walk(node))
    read = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    made = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return sorted(read - made - {part.arg for part in parts if isinstance(part, ast.arg)})


def imported(node, name):
    """("scipy.special", "expit"), or ("", "numpy as np")."""
    alias = next(alias for alias in node.names if name in (alias.asname, alias.name))
    words = alias.name + (f" as {alias.asname}" if alias.asname else "")
    return "" if isinstance(node, ast.Import) else node.module, words


def import_lines(pairs):
    """The lines that import such pairs, sorted as the formatter does: Python's own modules, other packages, ours."""
    names = {}
    for module, name in sorted(pairs):
        names.setdefault(module, []).append(name)
    modules = [f"import {name}" for name in names.pop("", [])]
    lines = modules + [f"from {module} import {', '.join(several)}" for module, several in names.items()]
    blocks = [[line for line in lines if origin(line) == n] for n in range(3)]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def origin(line):
    """Of an import line: 0 for Python's own modules, 1 for other packages, 2 for ours."""
    package = line.split()[1].split(".")[0]
    return 0 if package in sys.stdlib_module_names else 2 if package == "sparsekm_edu" else 1
