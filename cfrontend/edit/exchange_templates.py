"""Templates for two operands of one expression that stand in each other's place.

x = m[j][i];                  ->   x = m[i][j]
x = p->n * p->d - q->n * i;   ->   x = p->n * q->n - p->d * i,  ...
to[i + k] = from[i];          ->   to[i] = from[i + k]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cfrontend.edit.template import SMALL_SELDOM, Span, TemplateChange, TemplateSite, template
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
    of=(tree.Binary, tree.Index),
)
def _exchanged_operands(site: TemplateSite[tree.Binary | tree.Index]) -> Iterator[TemplateChange]:
    """Two variables, members or elements of one type change places, one from either side of an operator."""
    e, whole, text = site.node, site.span, site.text
    if whole is None or text is None:
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
            yield TemplateChange(exchanged, binds=True)


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
