"""What a program speaks of: the integers and texts in its own functions, of which inputs to try are made."""

from __future__ import annotations

from collections.abc import Iterator

from cfrontend import goto
from cfrontend.program import Program
from cfrontend.syntax import tree


def spoken_integers(program: Program) -> Iterator[int]:
    """The integer constants of a program."""
    return (e.value for e in _spoken(program) if isinstance(e, tree.IntConstant))


def spoken_texts(program: Program) -> Iterator[bytes]:
    """The string literals of a program, without the zeros at their ends."""
    return (e.data.rstrip(b"\0") for e in _spoken(program) if isinstance(e, tree.StringLiteral))


def _spoken(program: Program) -> Iterator[tree.Expression]:
    """Expressions of the program's own functions."""
    for function in program.goto.functions.values():
        if not function.foreign:
            for i in function.instructions:
                for e in goto.goto_expressions_of(i):
                    yield from goto.goto_subexpressions(e)
