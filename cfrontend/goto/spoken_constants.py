"""Dictionary of a program for fuzzing: the integer constants and string literals in its own functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

from cfrontend.goto import GotoProgram, Instruction, goto_expressions_of, goto_subexpressions
from cfrontend.syntax import tree

_MOST_IN_TABLES: Final = 200
"""Texts of static tables that are looked at."""


def spoken_integers(program: GotoProgram) -> Iterator[int]:
    """The integer constants of a program."""
    return (e.value for e in _spoken(program) if isinstance(e, tree.IntConstant))


def spoken_texts(program: GotoProgram) -> Iterator[bytes]:
    """The string literals of a program and of its static tables, without the zeros at their ends."""
    return chain(_texts(_spoken(program)), texts_of_tables(program))


def texts_of_tables(program: GotoProgram) -> Iterator[bytes]:
    """The first string literals of the static tables of a program, without the zeros at their ends."""
    tables = chain.from_iterable(map(_expressions, program.start.instructions))
    return islice(_texts(tables), _MOST_IN_TABLES)


def _texts(expressions: Iterable[tree.Expression]) -> Iterator[bytes]:
    return (e.data.rstrip(b"\0") for e in expressions if isinstance(e, tree.StringLiteral))


def _spoken(program: GotoProgram) -> Iterator[tree.Expression]:
    """Expressions of the program's own functions."""
    for function in program.own_functions():
        for i in function.instructions:
            yield from _expressions(i)


def _expressions(instruction: Instruction) -> Iterator[tree.Expression]:
    for e in goto_expressions_of(instruction):
        yield from goto_subexpressions(e)
