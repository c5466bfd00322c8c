"""Edits of how statements stand together: semicolons, braces, order, and jumps out of a ``switch``.

for (i = 0; i < n; i++);  s += i;       ->   without the semicolon
if (a) b();  c();                       ->   if (a) { b(); c(); }
if (a) { b(); c(); }                    ->   if (a) { b(); } c();
if (a) if (b) c(); else d();            ->   if (a) { if (b) c(); } else d();
    if (a) b(); if (c) d();                 ->   if (a) b(); else if (c) d();
x = y; y = x;                           ->   y = x; x = y;
case 1: a();  case 2:                   ->   case 1: a(); break; case 2:
if (i < n) a(i++);                      ->   while (i < n) a(i++);
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Final, final

from cfrontend import goto
from cfrontend.edit.text import SourceText
from cfrontend.lower.number_units import UnitTable
from cfrontend.record import dataclass
from cfrontend.syntax import queries, tree
from cfrontend.units import UnitId

_SEMICOLON: Final = re.compile(r"\s*;")

_SIMPLE: Final = (tree.ExpressionStatement, tree.Return, tree.Break, tree.Continue, tree.Goto)
"""Statements whose span ends before their semicolon."""

_IF: Final = "if"

_JUMPS: Final = (tree.Return, tree.Break, tree.Continue, tree.Goto)


@final
@dataclass(frozen=True, slots=True)
class Restructuring:
    """``text`` in place of the characters from ``start`` to before ``end``, or before the statement there (``before``).

    ``unit`` is what is evaluated otherwise. ``is_odd``: programmers slip like this less often.
    """

    unit: UnitId
    start: int
    end: int
    text: str
    before: bool = False
    is_odd: bool = False


def restructured(
    body: tree.Compound, source: SourceText, units: UnitTable, wanted: Collection[UnitId]
) -> Iterator[Restructuring]:
    """The edits inside a function's body at the ``wanted`` units, in no particular order."""
    finder = _Finder(source, units)
    stack: list[tree.Statement] = [body]
    while stack:
        s = stack.pop()
        yield from (edit for edit in finder.edits(s) if edit.unit in wanted)
        stack += queries.statements_in(s)


@final
class _Finder:
    """The edits at one statement."""

    def __init__(self, source: SourceText, units: UnitTable) -> None:
        self._source = source
        self._units = units

    def edits(self, s: tree.Statement) -> Iterator[Restructuring]:
        """Those that begin at ``s``, or at what stands directly in it."""
        if isinstance(s, tree.Compound):
            for one, two in pairwise(s.items):
                yield from self._semicolon(one)
                yield from self._braces(one, two)
                yield from self._swapped(one, two)
                yield from self._fallen_through(one, two)
                yield from self._else(one, two)
        if isinstance(s, tree.If | tree.While | tree.For):
            yield from self._last_outside(s)
        if isinstance(s, tree.If):
            yield from self._dangling(s)
            yield from self._again(s)
            yield from self._without_else(s)

    def _semicolon(self, s: tree.Statement) -> Iterator[Restructuring]:
        """What follows a semicolon that is too much becomes the body."""
        if isinstance(s, tree.If | tree.While | tree.For) and isinstance(_last_body(s), tree.Empty):
            span, unit = self._whole(_last_body(s)), self._unit(s)
            if span is not None and unit is not None:
                yield Restructuring(unit, *span, "")

    def _braces(self, s: tree.Statement, following: tree.Statement) -> Iterator[Restructuring]:
        """The next statement belongs to the body, too."""
        if not isinstance(s, tree.If | tree.While | tree.For) or not isinstance(following, _SIMPLE):
            return
        body = _last_body(s)
        if isinstance(body, tree.Compound | tree.Empty):
            return
        first, last, unit = self._whole(body), self._whole(following), self._unit(following) or self._unit(s)
        if first is not None and last is not None and unit is not None:
            yield Restructuring(unit, first[0], last[1], f"{{ {self._source.text[first[0] : last[1]]} }}")

    def _last_outside(self, s: tree.If | tree.While | tree.For) -> Iterator[Restructuring]:
        """The last statement of the body belongs behind it."""
        body = _last_body(s)
        if not isinstance(body, tree.Compound) or len(body.items) < 2:
            return
        last, whole, unit = self._whole(body.items[-1]), self._whole(body), self._unit(body.items[-1])
        if last is not None and whole is not None and unit is not None:
            text = self._source.text
            rest = text[last[1] : whole[1] - 1].rstrip()
            yield Restructuring(unit, last[0], whole[1], f"}} {text[last[0] : last[1]]}{rest}", is_odd=True)

    def _dangling(self, s: tree.If) -> Iterator[Restructuring]:
        """An ``else`` belongs to the outer ``if``."""
        inner = s.then
        if s.otherwise is not None or not isinstance(inner, tree.If) or inner.otherwise is None:
            return
        begin, then, unit = self._whole(inner), self._whole(inner.then), self._unit(s)
        if begin is not None and then is not None and unit is not None:
            yield Restructuring(unit, begin[0], then[1], f"{{ {self._source.text[begin[0] : then[1]]} }}")

    def _again(self, s: tree.If) -> Iterator[Restructuring]:
        """A branch that is taken again as long as its condition holds."""
        span, unit = self._whole(s), self._unit(s)
        if s.otherwise is None and span is not None and unit is not None:
            end = span[0] + len(_IF)
            if self._source.text[span[0] : end] == _IF and _written_in(s.then) & _named_in(s.condition):
                yield Restructuring(unit, span[0], end, "while", is_odd=True)

    def _else(self, one: tree.Statement, two: tree.Statement) -> Iterator[Restructuring]:
        """An ``else`` is missing before the second ``if``."""
        if isinstance(one, tree.If) and isinstance(two, tree.If):
            while isinstance(one.otherwise, tree.If):
                one = one.otherwise
            span, unit = self._whole(two), self._unit(two)
            if one.otherwise is None and span is not None and unit is not None:
                yield Restructuring(unit, span[0], span[0], "else ")

    def _without_else(self, s: tree.If) -> Iterator[Restructuring]:
        """An ``else`` too much before an ``if``."""
        if isinstance(s.otherwise, tree.If):
            then, following, unit = self._whole(s.then), self._whole(s.otherwise), self._unit(s.otherwise)
            if then is not None and following is not None and unit is not None:
                between = self._source.text[then[1] : following[0]]
                yield Restructuring(unit, then[1], following[0], between.replace("else", "", 1), is_odd=True)

    def _swapped(self, one: tree.Statement, two: tree.Statement) -> Iterator[Restructuring]:
        """Two statements in the other order, one of which names what the other one writes."""
        if not (isinstance(one, tree.ExpressionStatement) and isinstance(two, tree.ExpressionStatement)):
            return
        first, second, unit = self._whole(one), self._whole(two), self._unit(one)
        if first is None or second is None or unit is None or self._unit(two) is None:
            return
        if _written(one) & _named(two) or _written(two) & _named(one):
            text = self._source.text
            swapped = f"{text[slice(*second)]}{text[first[1] : second[0]]}{text[slice(*first)]}"
            yield Restructuring(unit, first[0], second[1], swapped, is_odd=True)

    def _fallen_through(self, one: tree.Statement, two: tree.Statement) -> Iterator[Restructuring]:
        """A ``break`` before the next label of a ``switch``."""
        if not isinstance(two, tree.Case | tree.Default):
            return
        while isinstance(one, tree.Case | tree.Default):
            one = one.body
        span, unit = self._whole(two), self._unit(one)
        if span is not None and unit is not None and not isinstance(one, _JUMPS):
            yield Restructuring(unit, span[0], span[0], "break", before=True)

    def _unit(self, s: tree.Statement) -> UnitId | None:
        """The unit that a statement is, or begins with."""
        match s:
            case tree.If() | tree.While() | tree.DoWhile():
                return self._units.of(s.condition)
            case tree.For():
                return None if s.condition is None else self._units.of(s.condition)
            case tree.Switch():
                return self._units.of(s.selector)
            case tree.ExpressionStatement():
                return self._units.of(s.expression) or self._units.of(s)
            case tree.Compound() if s.items:
                return self._unit(s.items[-1])
            case _:
                return self._units.of(s)

    def _whole(self, s: tree.Statement) -> tuple[int, int] | None:
        """The characters of a statement with its semicolon."""
        span = self._source.span(s.location)
        if span is None or not isinstance(s, _SIMPLE):
            return span
        behind = _SEMICOLON.match(self._source.text, span[1])
        return None if behind is None else (span[0], behind.end())


def _last_body(s: tree.If | tree.While | tree.For) -> tree.Statement:
    """What stands behind the condition, or behind ``else``."""
    if isinstance(s, tree.If):
        return s.then if s.otherwise is None else s.otherwise
    return s.body


def _named(s: tree.ExpressionStatement) -> frozenset[str]:
    """The keys of the variables that a statement names."""
    return _named_in(s.expression)


def _named_in(e: tree.Expression) -> frozenset[str]:
    return frozenset(part.symbol.key for part in goto.subexpressions(e) if isinstance(part, tree.VariableRef))


def _written(s: tree.ExpressionStatement) -> frozenset[str]:
    """The keys of the variables in what a statement writes to."""
    return frozenset(
        inner.symbol.key
        for part in goto.subexpressions(s.expression)
        if isinstance(part, tree.Assign | tree.CompoundAssign | tree.IncDec)
        for inner in goto.subexpressions(part.target)
        if isinstance(inner, tree.VariableRef)
    )


def _written_in(s: tree.Statement) -> frozenset[str]:
    """The same of a statement and all in it."""
    own = _written(s) if isinstance(s, tree.ExpressionStatement) else frozenset()
    return own.union(*(_written_in(inner) for inner in queries.statements_in(s)))
