"""Answers that are formulas: a sympy expression in the names of the parameters is an answer, too.

sympy itself is not needed for the course: who hands over one of its expressions has loaded it.
"""

import sys


def is_symbolic(answer):
    """Is it an expression of sympy?"""
    return type(answer).__module__.split(".")[0] == "sympy" and hasattr(answer, "free_symbols")


def function_of(expression, names):
    """(the function of the parameters `names` that an expression stands for, "") or (None, what is wrong)."""
    sympy = sys.modules["sympy"]
    if isinstance(expression, sympy.Lambda):
        expression = expression.expr
    elif isinstance(expression, sympy.Poly):
        expression = expression.as_expr()
    symbols = {symbol.name: symbol for symbol in expression.free_symbols}
    strange = sorted(set(symbols) - set(names))
    if strange:
        return None, f"The formula may contain {', '.join(names)}, and it contains {', '.join(strange)}."
    ordered = [symbols.get(name, sympy.Dummy()) for name in names]
    return sympy.lambdify(ordered, expression, "numpy"), ""
