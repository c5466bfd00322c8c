"""Templates for operators and their operands.

i <= n                ->   i < n,  i == n,  ...
a && b || c           ->   a && (b || c),  a && b,  !a && b || c
n - i                 ->   i - n,  n,  i
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cfrontend.edit.template import LARGE, SMALL, SMALL_SELDOM, TemplateChange, TemplateSite, template
from cfrontend.edit.text import operand_text
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import ArrayType, FloatType, IntType, PointerType, is_integer_type_but_bool

RELATIONAL: Final = ("<", "<=", ">", ">=", "==", "!=")
LIKELIEST: Final = {
    "<": ("<=", ">", ">=", "!=", "=="),
    "<=": ("<", ">=", ">", "==", "!="),
    ">": (">=", "<", "<=", "!=", "=="),
    ">=": (">", "<=", "<", "==", "!="),
    "==": ("!=", "<=", ">=", "<", ">"),
    "!=": ("==", "<", ">", "<=", ">="),
}
"""Comparisons that may be meant in the place of one, the likeliest first: what differs where both sides are equal."""

_ARITHMETIC: Final = ("+", "-", "*", "/", "%")
_BITWISE: Final = ("&", "|", "^")
_SHIFTS: Final = ("<<", ">>")

GROUPS: Final = (RELATIONAL, _ARITHMETIC, _BITWISE, _SHIFTS)
"""Operators of the same kind."""

_BINDING: Final = {
    op: strength
    for strength, ops in enumerate(
        (
            ("||",),
            ("&&",),
            ("|",),
            ("^",),
            ("&",),
            ("==", "!="),
            ("<", "<=", ">", ">="),
            _SHIFTS,
            ("+", "-"),
            ("*", "/", "%"),
        )
    )
    for op in ops
}
"""Precedence of operators: the higher, the tighter an operator binds."""

_ALIKE: Final = ("+", "*", "&", "|", "^")
"""Operators that may be grouped as one likes."""


@template(
    "another operator of its kind",
    example="while (i <= n) i++; -> while (i < n) i++;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=(tree.Binary, tree.Logical),
)
def _another_operator(site: TemplateSite[tree.Binary | tree.Logical]) -> Iterator[TemplateChange]:
    """Another comparison, arithmetic, bitwise, shift or logical operator."""
    left, right, op = site.node.left, site.node.right, site.node.op
    one, two = site.text_of(left), site.text_of(right)
    if one is None or two is None:
        return
    group: Sequence[str] = next((g for g in GROUPS if op in g), ("&&", "||"))
    if isinstance(left.type, FloatType):
        group = tuple(other for other in group if other != "%")
    if isinstance(left.type, PointerType) or isinstance(right.type, PointerType):
        group = (
            RELATIONAL if op in RELATIONAL else ("+", "-") if is_integer_type_but_bool(right.type) else (op,)
        )
    for other in LIKELIEST.get(op, group):
        if other != op and not _is_empty(left, other, right):
            binds = _BINDING.get(other, 0) >= _BINDING.get(op, 0)
            yield TemplateChange(f"{operand_text(one)} {other} {operand_text(two)}", binds=binds)


def _is_empty(left: Expression, op: str, right: Expression) -> bool:
    """True if an operator leaves one operand as it is, gives a constant or is undefined: ``x * 1``, ``p < NULL``."""
    if op in ("<", "<=", ">", ">=") and (_is_null(left) or _is_null(right)):
        return True
    first, last = (
        inner.value
        if isinstance(inner := queries.syntax_below_implicit_conversions(e), tree.IntConstant)
        else None
        for e in (left, right)
    )
    if op in ("*", "/", "%"):
        return last in (0, 1) or (op == "*" and first in (0, 1))
    if op in (">=", "<") and last == 0:
        number = queries.syntax_below_implicit_conversions(left).type
        return isinstance(number, IntType) and not number.signed
    return op in ("+", "-", "|", "^", "<<", ">>") and last == 0


def _is_null(e: Expression) -> bool:
    """True if a constant was written for the null pointer, which has no place in an order (C11 6.5.8)."""
    constant = queries.syntax_below_conversions(e)
    return isinstance(e.type, PointerType) and isinstance(constant, tree.IntConstant) and constant.value == 0


@template(
    "other parentheses",
    example="x = i && n || y; -> x = i && (n || y);",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=(tree.Binary, tree.Logical),
)
def _regrouped_expression(site: TemplateSite[tree.Binary | tree.Logical]) -> Iterator[TemplateChange]:
    """Other parentheses around the same operators and operands, where that makes a difference."""
    e = site.node
    for inner, outer, is_left in ((e.left, e.right, True), (e.right, e.left, False)):
        within = queries.syntax_below_implicit_conversions(inner)
        if not isinstance(within, type(e)) or not isinstance(within, tree.Binary | tree.Logical):
            continue
        if not _may_be_meant(e.op, within.op) or _computes_with_pointers(e, within, outer):
            continue
        texts = [site.text_of(part) for part in (within.left, within.right, outer)]
        if None in texts:
            continue
        one, two, other = (operand_text(text) for text in texts if text is not None)
        if is_left:
            yield TemplateChange(f"{one} {within.op} ({two} {e.op} {other})")
        else:
            yield TemplateChange(f"({other} {e.op} {one}) {within.op} {two}")


def _computes_with_pointers(e: Expression, within: tree.Binary | tree.Logical, outer: Expression) -> bool:
    """True if an operand is a pointer: in other parentheses an operator may take none."""
    if isinstance(e, tree.Logical):
        return False
    parts = (within.left, within.right, outer)
    return any(
        isinstance(queries.syntax_type_below_conversions(part), PointerType | ArrayType) for part in parts
    )


def _may_be_meant(outer: str, inner: str) -> bool:
    """True if operators that stand in each other may be meant the other way round, and that says something else."""
    if outer == inner:
        return outer not in (*_ALIKE, "&&", "||", *RELATIONAL)
    compares = {outer, inner} & {*RELATIONAL}
    return not compares or (len(compares) == 1 and not {outer, inner}.isdisjoint(_BITWISE))


@template(
    "operands in the other order",
    example="x = n - i; -> x = i - n;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.Binary,
)
def _swapped_operands(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """Two operands of one type change places, where that makes a difference."""
    e = site.node
    one, two = site.text_of(e.left), site.text_of(e.right)
    if one is None or two is None or e.left.type != e.right.type:
        return
    if e.op not in ("+", "*", "&", "|", "^", "==", "!="):
        yield TemplateChange(f"{operand_text(two)} {e.op} {operand_text(one)}")


@template(
    "one operand alone",
    example="x = n - i + y; -> x = n + y;",
    kind="replacement",
    cost=LARGE,
    at=("value", "place"),
    of=tree.Binary,
)
def _one_operand(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """The left or the right operand of an arithmetic operator."""
    e = site.node
    one, two = site.text_of(e.left), site.text_of(e.right)
    if one is None or two is None or e.left.type != e.right.type or e.op in RELATIONAL:
        return
    yield TemplateChange(one)
    yield TemplateChange(two)


@template(
    "parts of a condition in the other order",
    example="if (a[i] && i < n) x = 1; -> if ((i < n) && a[i]) x = 1;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("value", "place"),
    of=tree.Logical,
)
def _exchanged_parts(site: TemplateSite[tree.Logical]) -> Iterator[TemplateChange]:
    """The second part of a condition is tested first, as where it says whether the other one may be looked at."""
    e = site.node
    one, two = site.text_of(e.left), site.text_of(e.right)
    if one is not None and two is not None:
        yield TemplateChange(f"{operand_text(two)} {e.op} {operand_text(one)}")


@template(
    "one part of a condition alone",
    example="if (x && y) n = 1; -> if (x) n = 1;",
    kind="replacement",
    cost=LARGE,
    at="part",
)
def _one_part(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The left or the right operand of a logical operator."""
    if site.text is not None:
        yield TemplateChange(site.text, at=site.parent)


@template(
    "negated part of a condition",
    example="if (x && y) n = 1; -> if (x && !(y)) n = 1;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at="part",
)
def _negated_part(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The opposite of an operand of a logical operator."""
    if site.text is not None:
        yield TemplateChange(f"!({site.text})", binds=True, is_test=True)
