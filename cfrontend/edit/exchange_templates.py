"""Templates for operands that stand in each other's place: of one expression, or of both branches of an ``if``.

x = m[j][i];                  ->   x = m[i][j]
x = p->n * p->d - q->n * i;   ->   x = p->n * q->n - p->d * i,  ...
to[i + k] = from[i];          ->   to[i] = from[i + k]
p->low = f(p->low);  in one branch, p->high = 0;  in the other   ->   p->high = f(p->high)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cfrontend.edit.template import SMALL_SELDOM, Span, TemplateChange, TemplateSite, template
from cfrontend.edit.text import WORD
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression

_COMMUTATIVE: Final = ("+", "*", "&", "|", "^", "==", "!=")

_MOST_EXCHANGES: Final = 12
"""Exchanges of operands of one operator."""


@template(
    "two operands exchanged",
    example="x = n * y - i * n; -> x = n * i - y * n;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("value", "place"),
    of=(tree.Binary, tree.Index, tree.Assign, tree.CompoundAssign, tree.IncDec),
)
def _exchanged_operands(
    site: TemplateSite[tree.Binary | tree.Index | tree.Assign | tree.CompoundAssign | tree.IncDec],
) -> Iterator[TemplateChange]:
    """Two variables, members or elements of one type change places, one from either side of an operator.

    The indices of an element that is written do so in the whole assignment: a place cannot be chosen by a condition.
    """
    whole, text = site.span, site.text
    e = site.node if isinstance(site.node, tree.Binary | tree.Index) else site.node.target
    is_written = e is not site.node
    if whole is None or text is None or not isinstance(e, tree.Binary | tree.Index):
        return
    if isinstance(e, tree.Index) and site.role == "place":
        return
    one, other = (e.left, e.right) if isinstance(e, tree.Binary) else (e.base, e.index)
    made = 0
    for left, right in _pairs(list(_operands(one)), list(_operands(other)), isinstance(e, tree.Index)):
        first, second = site.span_of(left), site.span_of(right)
        if left.type != right.type or first is None or second is None or _is_useless(e, left, right):
            continue
        if not whole[0] <= first[0] < first[1] <= second[0] < second[1] <= whole[1]:
            continue
        exchanged = _with_spans_exchanged(text, whole[0], first, second)
        if exchanged != text and made < _MOST_EXCHANGES:
            made += 1
            yield TemplateChange(exchanged, binds=not is_written, aims=is_written)


@template(
    "indices of both sides exchanged",
    example="a[i] = a[n - 1]; -> a[n - 1] = a[i];",
    kind="replacement",
    cost=SMALL_SELDOM,
    at="effect",
    of=tree.Assign,
)
def _exchanged_indices(site: TemplateSite[tree.Assign]) -> Iterator[TemplateChange]:
    """The index of what is written and the index of what is read change places."""
    target = queries.syntax_below_implicit_conversions(site.node.target)
    value = queries.syntax_below_implicit_conversions(site.node.value)
    if not isinstance(target, tree.Index) or not isinstance(value, tree.Index):
        return
    whole, first, second = site.span, site.span_of(target.index), site.span_of(value.index)
    if whole is None or site.text is None or first is None or second is None:
        return
    if whole[0] <= first[0] < first[1] <= second[0] < second[1] <= whole[1]:
        exchanged = _with_spans_exchanged(site.text, whole[0], first, second)
        yield TemplateChange(exchanged, is_unused=True, aims=True, binds=True)


@template(
    "assignment of the other branch, mirrored",
    example="if (i < n) p->value = y * p->value; else p->count = 0; -> if (i < n) p->value = y * p->value; else p->count = y * p->count;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at="statement",
    of=tree.If,
)
def _mirrored_branch(site: TemplateSite[tree.If]) -> Iterator[TemplateChange]:
    """Assignment of the other branch, mirrored: with the one name exchanged in which both targets differ."""
    one, other = _assignment_of(site.node.then), _assignment_of(site.node.otherwise)
    if one is None or other is None:
        return
    for here, there in ((one, other), (other, one)):
        own, model, unit = site.text_of(here), site.text_of(there), site.around.units.of(here)
        targets = site.text_of(here.target), site.text_of(there.target)
        if own is None or model is None or targets[0] is None or targets[1] is None or unit is None:
            continue
        pair = _one_difference(targets[1], targets[0])
        if pair is not None:
            text = re.sub(rf"\b{re.escape(pair[0])}\b", pair[1], model)
            if WORD.findall(text) != WORD.findall(own):
                yield TemplateChange(text, at=here, is_unused=True, aims=True, unit=unit)


def _assignment_of(s: tree.Statement | None) -> tree.Assign | tree.CompoundAssign | None:
    """The assignment that a branch is, alone or in braces."""
    while isinstance(s, tree.Compound) and len(s.items) == 1:
        s = s.items[0]
    e = s.expression if isinstance(s, tree.ExpressionStatement) else None
    return e if isinstance(e, tree.Assign | tree.CompoundAssign) else None


def _one_difference(one: str, other: str) -> tuple[str, str] | None:
    """The names in which two texts differ, if it is always the same pair of names."""
    words, others = WORD.findall(one), WORD.findall(other)
    pairs = {pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]}
    if len(words) != len(others) or len(pairs) != 1:
        return None
    (pair,) = pairs
    return pair if all(word.isidentifier() for word in pair) else None


def _with_spans_exchanged(text: str, begin: int, first: Span, second: Span) -> str:
    """``text``, which begins at ``begin`` of the file, with what stands at two spans of the file exchanged."""
    (a, b), (c, d) = ((start - begin, end - begin) for start, end in (first, second))
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _pairs(
    one: list[tuple[Expression, bool]], other: list[tuple[Expression, bool]], within: bool
) -> Iterator[tuple[Expression, Expression]]:
    """Operands of either side that both stand in indices of elements, or neither; ``within`` one they all do."""
    for left, left_inside in one:
        for right, right_inside in other:
            if (left_inside or within) == (right_inside or within):
                yield left, right


def _operands(e: Expression) -> Iterator[tuple[Expression, bool]]:
    """The variables, members and elements that an expression is computed from, and those in its indices (True)."""
    e = queries.syntax_below_implicit_conversions(e)
    match e:
        case tree.VariableRef() | tree.MemberAccess():
            yield e, False
        case tree.Index():
            yield e, False
            yield from _indices(e)
        case tree.Decay(operand=tree.Index() as element):
            yield from _indices(element)
        case tree.Binary() | tree.Logical():
            yield from _operands(e.left)
            yield from _operands(e.right)
        case tree.Unary() | tree.Cast():
            yield from _operands(e.operand)
        case _:
            pass


def _indices(element: tree.Index) -> Iterator[tuple[Expression, bool]]:
    """The operands in the indices of an element, those of arrays of arrays from left to right."""
    base = queries.syntax_below_implicit_conversions(element.base)
    if isinstance(base, tree.Decay) and isinstance(base.operand, tree.Index):
        yield from _indices(base.operand)
    yield from ((operand, True) for operand, _ in _operands(element.index))


def _is_useless(e: tree.Binary | tree.Index, left: Expression, right: Expression) -> bool:
    """True if both are operands of one chain of a commutative operator, or the two operands of an operator."""
    if isinstance(e, tree.Index):
        return False
    sides = [queries.syntax_below_implicit_conversions(side) for side in (e.left, e.right)]
    if sides[0] is left and sides[1] is right:
        return True
    return e.op in _COMMUTATIVE and left in _chain(e, e.op) and right in _chain(e, e.op)


def _chain(e: Expression, op: str) -> Iterator[Expression]:
    """The operands of a chain of one operator."""
    e = queries.syntax_below_implicit_conversions(e)
    if isinstance(e, tree.Binary) and e.op == op:
        yield from _chain(e.left, op)
        yield from _chain(e.right, op)
    else:
        yield e
