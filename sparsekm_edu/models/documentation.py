"""`help(SVC)` tells everything, the source tells it once.

In the source a machine says `kernel, tol : see SupportVectorMachine.` and `the others as in SupportVectorMachine`, a
class that it inherits from. `spelled_out` puts the lines of that class there, and beside each parameter its default.
"""

import inspect
import re
import textwrap

PARAMETER = re.compile(r"^(\w+) : (.*(?:\n    .*)*)", re.M)  # name : text, with the indented lines after it
SEE = re.compile(r"^(\w+(?:, \w+)*) : see (\w+)\.$", re.M)
OTHERS = re.compile(r"the others as\s+in\s+(\w+)")
WIDTH = 110


def spelled_out(cls):
    """Class decorator: the docstring with what it refers to, and with the defaults of the constructor."""
    if cls.__doc__ is None:  # python -OO
        return cls
    paragraphs = [_spelled_out(cls, text) for text in inspect.cleandoc(cls.__doc__).split("\n\n")]
    cls.__doc__ = "\n\n".join(paragraphs) + "\n"
    return cls


def _spelled_out(cls, text):
    """One paragraph of a docstring; only those on parameters and on fitted attributes refer to other classes."""
    if text.startswith("Fitted:"):
        text = OTHERS.sub(lambda match: _fitted(_parent(cls, match[1])), text)
        return textwrap.fill(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False)
    if text.startswith("Parameters\n"):
        defaults = inspect.signature(cls).parameters
        text = SEE.sub(lambda match: _lines(_parent(cls, match[2]), match[1].split(", ")), text)
        return PARAMETER.sub(lambda match: f"{match[1]} = {defaults[match[1]].default!r} : {match[2]}", text)
    return text


def _parent(cls, name):
    return next(parent for parent in cls.__mro__ if parent.__name__ == name)


def _paragraph(cls, beginning):
    paragraphs = inspect.cleandoc(cls.__doc__).split("\n\n")
    return next(text for text in paragraphs if text.startswith(beginning))


def _lines(cls, names):
    """The lines on these parameters in the docstring of a class."""
    texts = dict(PARAMETER.findall(_paragraph(cls, "Parameters\n")))
    return "\n".join(f"{name} : {texts[name]}" for name in names)


def _fitted(cls):
    """What the docstring of a class says after "Fitted:", without the full stop."""
    return _paragraph(cls, "Fitted:").removeprefix("Fitted:").strip().removesuffix(".")
