"""Answers that are formulas: a sympy expression in the names of the parameters is an answer, too."""


def is_symbolic(answer):
    """Is it an expression of sympy? Who has made one has sympy; nobody else needs it."""
    return type(answer).__module__.split(".")[0] == "sympy" and hasattr(answer, "free_symbols")


def function_of(expression, names):
    """(the function of the parameters `names` that an expression stands for, "") or (None, what is wrong)."""
    from sympy import Dummy, lambdify

    symbols = {symbol.name: symbol for symbol in expression.free_symbols}
    strange = sorted(set(symbols) - set(names))
    if strange:
        return None, f"The formula may contain {', '.join(names)}, and it contains {', '.join(strange)}."
    return lambdify([symbols.get(name, Dummy()) for name in names], expression, "numpy"), ""
