"""Texts of edits that undo common slips, from expressions alone: no scope, no unit, no position.

s = a[i]              ->   s += a[i],  s -= a[i]
a && b || c           ->   a && (b || c)
0 < x < 9,  !a == b   ->   0 < x && x < 9,  !(a == b)
while (scanf(f, &n))  ->   while (scanf(f, &n) == HOLE)
n - i - 1             ->   i,  n
line[i]               ->   tolower(line[i])
isalpha(c)            ->   isalnum(c),  isdigit(c),  ...
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from typing import Final, TypeAlias

from cfrontend import goto
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CHAR, INT, FloatType, IntType, PointerType

Texts: TypeAlias = Callable[[Expression], str | None]
"""The source text of an expression; None where it has none of its own."""

_ALIKE: Final = ("+", "*", "&", "|", "^")
"""Operators that may be grouped as one likes."""

_SIMPLE: Final = re.compile(r"'(?:[^'\\]|\\.)+'|(?:[\w.]|->|\[[^\[\]]*\])+|\w+\([^()]*\)|-?\d+")
"""What needs no parentheses beside an operator."""

_PARENTHESIS: Final = re.compile(r"[()]|'(?:[^'\\]|\\.)+'|\"(?:[^\"\\]|\\.)*\"")
"""A parenthesis, or a literal with those in it that are none."""

_INCLUDE: Final = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(\w+\.h)>", re.MULTILINE)

_FAMILIES: Final = tuple(
    (header, frozenset(names.split()))
    for header, names in (
        ("ctype.h", "isalnum isalpha isdigit islower ispunct isspace isupper isxdigit"),
        ("ctype.h", "tolower toupper"),
        ("math.h", "floor ceil round trunc"),
        ("math.h", "floorf ceilf roundf truncf"),
        ("math.h", "sin cos"),
    )
)
"""Functions of the library that are taken for each other, with their header."""

_RELATIONAL: Final = ("<", "<=", ">", ">=", "==", "!=")
_BITWISE: Final = ("&", "|", "^")
_BITWISE_AND_LOGICAL: Final = {"&": "&&", "|": "||", "&&": "&", "||": "|"}


def operand(text: str) -> str:
    """``text`` where it can stand beside any operator."""
    return text if _SIMPLE.fullmatch(text) or is_enclosed(text) else f"({text})"


def is_enclosed(text: str) -> bool:
    """Whether the parenthesis that ``text`` begins with ends it, as in ``(a + f(b))`` but not in ``(a) + (b)``."""
    depth = 0
    for match in _PARENTHESIS.finditer(text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return match[0] == ")" and match.end() == len(text) and text[0] == "("
    return False


def is_empty(left: Expression, op: str, right: Expression) -> bool:
    """Whether an operator leaves one operand as it is, gives a constant or is undefined: ``x * 1``, ``p < NULL``."""
    if op in ("<", "<=", ">", ">=") and (_is_null(left) or _is_null(right)):
        return True
    first, last = (
        inner.value if isinstance(inner := queries.written(e), tree.IntConstant) else None
        for e in (left, right)
    )
    if op in ("*", "/", "%"):
        return last in (0, 1) or (op == "*" and first in (0, 1))
    if op in (">=", "<") and last == 0:
        number = queries.written(left).type
        return isinstance(number, IntType) and not number.signed
    return op in ("+", "-", "|", "^", "<<", ">>") and last == 0


def _is_null(e: Expression) -> bool:
    """Whether a constant was written for the null pointer, which has no place in an order (C11 6.5.8)."""
    constant = queries.unconverted(e)
    return isinstance(e.type, PointerType) and isinstance(constant, tree.IntConstant) and constant.value == 0


def accumulated(e: tree.Assign, text_of: Texts) -> Iterator[str]:
    """An assignment that should add to its target, or take from it: of no constant, nor where it does so already."""
    if (texts := _new_number(e, text_of)) is not None:
        target, value = texts
        for op in ("+", "-"):
            yield f"{target} {op}= {value}"


def extremes(e: tree.Assign, text_of: Texts) -> Iterator[str]:
    """Instead of the value of an assignment the larger, or the smaller, of it and what is there.

    Not where to evaluate it twice would do something.
    """
    acts = (tree.Assign, tree.CompoundAssign, tree.IncDec, tree.Call, tree.StatementExpression)
    if (texts := _new_number(e, text_of)) is None or any(
        isinstance(part, acts) for side in (e.target, e.value) for part in goto.subexpressions(side)
    ):
        return
    target, value = texts
    for op in (">", "<"):
        yield f"{operand(value)} {op} {target} ? {value} : {target}"


def _new_number(e: tree.Assign, text_of: Texts) -> tuple[str, str] | None:
    """The texts of both sides where a number is assigned that is no constant and has nothing to do with the target."""
    target, value = text_of(e.target), text_of(e.value)
    are_numbers = all(isinstance(side.type, IntType | FloatType) for side in (e.target, e.value))
    is_constant = isinstance(queries.written(e.value), tree.IntConstant | tree.FloatConstant)
    if target is None or value is None or not are_numbers or is_constant or _stands_in(target, value):
        return None
    return target, value


def regrouped(e: tree.Binary | tree.Logical, text_of: Texts) -> Iterator[str]:
    """The same operators and operands with other parentheses, where that makes a difference."""
    for inner, outer, is_left in ((e.left, e.right, True), (e.right, e.left, False)):
        within = queries.written(inner)
        if not isinstance(within, type(e)) or not isinstance(within, tree.Binary | tree.Logical):
            continue
        if not _may_be_meant(e.op, within.op):
            continue
        texts = [text_of(part) for part in (within.left, within.right, outer)]
        if None in texts:
            continue
        one, two, other = (operand(text) for text in texts if text is not None)
        if is_left:
            yield f"{one} {within.op} ({two} {e.op} {other})"
        else:
            yield f"({other} {e.op} {one}) {within.op} {two}"


def misread(e: tree.Binary | tree.Logical, text_of: Texts) -> Iterator[str]:
    """What mathematics or English would make of it: chains of comparisons, *not* before them, *and* as ``&``."""
    one, two = text_of(e.left), text_of(e.right)
    if one is None or two is None:
        return
    left = queries.written(e.left)
    if e.op in _RELATIONAL and isinstance(left, tree.Binary) and left.op in _RELATIONAL:
        middle = text_of(left.right)
        if middle is not None:
            yield f"{one} && {operand(middle)} {e.op} {operand(two)}"
    if e.op in _RELATIONAL and isinstance(left, tree.Unary) and left.op == "!":
        inner = text_of(left.operand)
        if inner is not None:
            yield f"!({operand(inner)} {e.op} {operand(two)})"
    other = _BITWISE_AND_LOGICAL.get(e.op)
    if other is not None and all(isinstance(side.type, IntType) for side in (e.left, e.right)):
        yield f"{operand(one)} {other} {operand(two)}"


def tested(e: Expression, text: str, hole: str) -> Iterator[str]:
    """A test of a call that tells success from failure by another value than 0."""
    if isinstance(queries.written(e), tree.Call) and isinstance(e.type, IntType):
        for op in ("==", ">"):
            yield f"{operand(text)} {op} {hole}"


def variables_alone(e: Expression) -> Sequence[str]:
    """The variables of which an arithmetic expression of their type is made."""
    inner = queries.written(e)
    if not isinstance(inner, tree.Binary):
        return ()
    parts = (part for part in goto.subexpressions(inner) if isinstance(part, tree.VariableRef))
    return tuple(dict.fromkeys(part.symbol.name for part in parts if part.type == inner.type))


def _may_be_meant(outer: str, inner: str) -> bool:
    """Whether operators that stand in each other may be meant the other way round, and that says something else."""
    if outer == inner:
        return outer not in (*_ALIKE, "&&", "||", *_RELATIONAL)
    compares = {outer, inner} & {*_RELATIONAL}
    return not compares or (len(compares) == 1 and not {outer, inner}.isdisjoint(_BITWISE))


def _stands_in(target: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(target)}(?!\w)", value) is not None


def relatives(name: str, included: Collection[str]) -> tuple[str, ...]:
    """Functions of the library that are taken for the one with this name, where their header is among ``included``."""
    return tuple(
        sorted(
            other
            for header, family in _FAMILIES
            if name in family and header in included
            for other in family - {name}
        )
    )


@cache
def headers(text: str) -> frozenset[str]:
    """The headers of the system that a file with this text includes itself."""
    return frozenset(_INCLUDE.findall(text))


def normalized(e: Expression, text: str, included: Collection[str]) -> Iterator[str]:
    """A character in one case, a difference without its sign, where the functions for it are declared."""
    if not isinstance(e.type, IntType):
        return
    if "ctype.h" in included and e.type.rank == CHAR.rank and e.type.width > 1:
        yield f"tolower({text})"
        yield f"toupper({text})"
    if "stdlib.h" in included and e.type == INT and isinstance(e, tree.Binary) and e.op == "-":
        yield f"abs({text})"
