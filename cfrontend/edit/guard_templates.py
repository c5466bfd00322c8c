"""Tests that may be missing before a statement or at the beginning of a function.

p->left = a[i] / d;            ->   if (p) ...,  if (i >= 0) ...,  if (i < HOLE) ...,  if (d) ...,  if (d < HOLE) ...
int f(const char *s, int n)    ->   if (!s) return HOLE;  if (n == HOLE) return 0;  if (n < HOLE) return -1;  ...
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from cfrontend import goto
from cfrontend.edit.ingredients import is_word
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression, Symbol
from cfrontend.syntax.types import ArrayType, CType, PointerType, VoidType

Leaving: TypeAlias = tuple[str, str]
"""A test, and the statement that leaves the function where it holds."""

_MOST_VARIABLES: Final = 4
"""Variables of a statement that are compared."""

_MOST_PARAMETERS: Final = 3
"""Parameters that are."""

_RESULTS: Final = ("0", "1", "-1")
"""What a function usually returns where there is nothing to do."""


def pointers_in(e: Expression) -> tuple[str, ...]:
    """The pointer variables that an expression dereferences."""
    read = (queries.written(part.pointer) for part in goto.subexpressions(e) if isinstance(part, tree.Deref))
    return tuple(dict.fromkeys(part.symbol.name for part in read if isinstance(part, tree.VariableRef)))


def divisors_in(e: Expression) -> tuple[str, ...]:
    """The integer variables that an expression divides by."""
    divided = (
        queries.written(part.right if isinstance(part, tree.Binary) else part.value)
        for part in goto.subexpressions(e)
        if isinstance(part, tree.Binary | tree.CompoundAssign) and part.op in ("/", "%")
    )
    found = (
        part.symbol.name for part in divided if isinstance(part, tree.VariableRef) and is_word(part.type)
    )
    return tuple(dict.fromkeys(found))


def guards(e: Expression) -> Iterator[str]:
    """Tests of what a statement's expression reads: of pointers, indexes, divisors and variables."""
    inner = list(goto.subexpressions(e))
    yield from pointers_in(e)
    for part in inner:
        if isinstance(part, tree.Index) and isinstance(
            index := queries.written(part.index), tree.VariableRef
        ):
            name, above = index.symbol.name, f"{index.symbol.name} < {_length(part.base)}"
            yield from (f"{name} >= 0", above, f"{name} >= 0 && {above}")
    yield from divisors_in(e)
    written = e.target if isinstance(e, tree.Assign | tree.CompoundAssign) else None
    words = (
        part.symbol.name
        for part in inner
        if isinstance(part, tree.VariableRef) and is_word(part.type) and part is not written
    )
    names = list(dict.fromkeys(words))[:_MOST_VARIABLES]
    for name in names:
        for op in (">", "<", "!="):
            yield f"{name} {op} {HOLE}"
    for one, two in combinations(names, 2):
        for op in (">", "<", "!=", "||", "&&"):
            yield f"{one} {op} {two}"


def _length(base: Expression) -> str:
    """How many elements an array has; any number where that is not known."""
    array = queries.unconverted(base).type
    return HOLE if not isinstance(array, ArrayType) or array.length is None else str(array.length)


def leaving(result: CType, parameters: Sequence[Symbol], *, is_main: bool) -> Iterator[Leaving]:
    """What may be missing at the beginning of a function with this ``result``: to leave it on some arguments."""
    for pointer in (p.name for p in parameters if isinstance(p.type, PointerType)):
        for way in ways_out(result, parameters, is_main=is_main):
            yield f"!{pointer}", way
    ways = [f"return {value}" for value in _RESULTS]
    if isinstance(result, VoidType):
        ways = ["return"]
    elif is_main or not is_word(result):
        ways = ["return 0"]
    for name in [p.name for p in parameters if is_word(p.type)][:_MOST_PARAMETERS]:
        for op in ("==", "<", ">"):
            for way in ways:
                yield f"{name} {op} {HOLE}", way


def ways_out(result: CType, parameters: Sequence[Symbol], *, is_main: bool) -> Iterator[str]:
    """The statements that leave a function with this ``result``: with any value, or with that of a parameter."""
    if isinstance(result, VoidType):
        yield "return"
        return
    yield f"return {HOLE}" if is_word(result) and not is_main else "return 0"
    if not is_main:
        yield from (f"return {p.name}" for p in parameters if p.type == result)
