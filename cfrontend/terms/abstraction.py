"""Abstraction of hard functions: a variable for each value, and that equal operands have equal values.

x / y == u / v   ->   f1 == f2,  under  x == u and y == v  ->  f1 == f2

Whatever cannot hold of such a formula cannot hold of the formula itself (Ackermann's reduction of uninterpreted
functions). Two programs that compute a mean in the same way are so compared by what they divide.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final, final

from cfrontend.record import dataclass
from cfrontend.terms import Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.substitute import rebuilt_term

_COMMUTATIVE: Final = frozenset({T.MUL})
"""Functions whose operands can be swapped: none of floating-point numbers, where the first NaN is the result."""

_MOST_OF_A_FUNCTION: Final = 40
"""Values of one function that are compared with each other, the first ones."""


@final
@dataclass(frozen=True, slots=True)
class _Value:
    """A variable in the place of ``term``, the value of a function, with its operands and these abstracted."""

    term: Term
    variable: Term
    inner: tuple[Term, ...]
    operands: tuple[Term, ...]


@final
class TermAbstraction:
    """The abstraction of terms of one store; remembers everything that it has rebuilt.

    ``constraints`` are what has to be asserted of the variables that stand for values.
    """

    def __init__(self, terms: Terms) -> None:
        self.t: Final = terms
        self.constraints: Final[list[Term]] = []
        self._new: Final[dict[Term, Term]] = {}
        self._values: Final[dict[Hashable, list[_Value]]] = {}
        self._points: Final[set[tuple[Hashable, tuple[int, ...]]]] = set()

    @property
    def may_prove(self) -> bool:
        """Whether some function is applied more than once: otherwise nothing is known of its values."""
        return bool(self.constraints)

    @property
    def applied(self) -> Sequence[Term]:
        """Values of functions and their operands, as they stand in the terms."""
        every = [one for values in self._values.values() for one in values]
        return [term for one in every for term in (one.term, *one.inner)]

    def refine(self, found: Mapping[Term, int]) -> None:
        """Constrain the functions to the values that they have in ``found``, an evaluation of ``applied``."""
        t = self.t
        for function, values in self._values.items():
            for one in values[:_MOST_OF_A_FUNCTION]:
                point = tuple(found[term] for term in one.inner)
                if (function, point) in self._points:
                    continue
                self._points.add((function, point))
                for other in values:
                    self.constraints.append(_at_point(t, other, point, found[one.term]))

    def of(self, roots: Sequence[Term]) -> tuple[Term, ...]:
        """The abstractions of Booleans."""
        for term in self._open(roots):
            self._new[term] = self._abstracted(term)
        return tuple(self._new[root] for root in roots)

    def _open(self, roots: Iterable[Term]) -> list[Term]:
        """What is not abstracted yet, operands first; of a function's value only its operands."""
        found: set[Term] = set()
        stack = [root for root in roots if root not in self._new]
        while stack:
            term = stack.pop()
            if term not in found and term not in self._new:
                found.add(term)
                stack.extend(self._operands(term))
        return sorted(found)

    def _operands(self, term: Term) -> Sequence[Term]:
        known = self.t.applications.get(term)
        return self.t.operands(term) if known is None else known[1]

    def _abstracted(self, term: Term) -> Term:
        t, new = self.t, self._new
        op, args, width = t.op[term], t.args[term], t.width[term]
        if op in (T.CONST, T.VAR):
            return term
        function: Hashable
        known = t.applications.get(term)
        if known is not None:
            function, operands = known
        elif op in T.PRODUCTS and not any(t.op[operand] == T.CONST for operand in t.operands(term)):
            function, operands = (op, width), tuple(t.operands(term))
        else:
            return rebuilt_term(t, op, args, width, new)
        return self._variable(term, function, operands)

    def _variable(self, term: Term, function: Hashable, inner: tuple[Term, ...]) -> Term:
        """The variable for ``term``, a value of a function, equal to that for equal operands."""
        t = self.t
        operands = tuple(self._new[operand] for operand in inner)
        widths = tuple(t.width[operand] for operand in operands)
        others = self._values.setdefault((function, t.width[term], widths), [])
        for other in others:
            if other.operands == operands:
                return other.variable
        variable = t.var(f"?value of {term}", t.width[term])
        for other in others[:_MOST_OF_A_FUNCTION]:
            same = t.any_of(
                t.all_of(t.eq(a, b) for a, b in zip(order, other.operands, strict=True))
                for order in _orders(function, operands)
            )
            self.constraints.append(t.implies(same, t.eq(variable, other.variable)))
        others.append(_Value(term, variable, inner, operands))
        return variable


def _at_point(t: Terms, value: _Value, point: Sequence[int], result: int) -> Term:
    """A function's value is ``result`` where its operands are this point."""
    there = t.all_of(
        t.eq(operand, t.const(number, t.width[operand]))
        for operand, number in zip(value.operands, point, strict=True)
    )
    return t.implies(there, t.eq(value.variable, t.const(result, t.width[value.variable])))


def _orders(function: Hashable, operands: tuple[Term, ...]) -> Iterator[tuple[Term, ...]]:
    """The orders of operands in which a function has the same value."""
    yield operands
    name = function[0] if isinstance(function, tuple) else function
    if name in _COMMUTATIVE and len(operands) == 2:
        yield operands[::-1]
