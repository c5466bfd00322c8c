"""Gates over SAT literals: each is made once, folded where it can be, and written down as clauses.

A literal is an int, negative for the complement, as in DIMACS; variable 1 is the constant.

    g.and_(a, TRUE)    ->  a
    g.xor(-a, b)       ->  -g.xor(a, b)
    g.mux(c, a, -a)    ->  -g.xor(c, a)

Every gate is equivalent to its definition (not only implied by it), so any literal can be read from a model and
assumed either way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias, final

Literal: TypeAlias = int
"""A SAT variable, from 1, or its complement, the negative number."""

Clause: TypeAlias = tuple[Literal, ...]
"""Literals of which at least one is true."""

TRUE: Final[Literal] = 1
FALSE: Final[Literal] = -1


@final
class Gates:
    """The gates made so far. ``clauses`` are those that nobody has taken yet; ``variables`` is the last variable."""

    __slots__ = ("_ands", "_majorities", "_muxes", "_sums", "_xors", "clauses", "variables")

    def __init__(self) -> None:
        self.variables = TRUE
        self.clauses: list[Clause] = [(TRUE,)]
        self._ands: dict[Clause, Literal] = {}
        self._xors: dict[Clause, Literal] = {}
        self._muxes: dict[Clause, Literal] = {}
        self._sums: dict[Clause, Literal] = {}
        self._majorities: dict[Clause, Literal] = {}

    def fresh(self) -> Literal:
        """A new variable."""
        self.variables += 1
        return self.variables

    def require(self, *literals: Literal) -> None:
        """Demand that at least one of ``literals`` is true."""
        self.clauses.append(literals)

    def take(self) -> list[Clause]:
        """The clauses since the last call."""
        clauses, self.clauses = self.clauses, []
        return clauses

    def and_(self, a: Literal, b: Literal) -> Literal:
        """Conjunction."""
        if a == b or b == TRUE:
            return a
        if a == TRUE:
            return b
        if a == -b or a == FALSE or b == FALSE:
            return FALSE
        key = (a, b) if a < b else (b, a)
        gate = self._ands.get(key)
        if gate is None:
            self.variables = gate = self._ands[key] = self.variables + 1
            self.clauses += ((-gate, a), (-gate, b), (gate, -a, -b))
        return gate

    def or_(self, a: Literal, b: Literal) -> Literal:
        """Disjunction."""
        return -self.and_(-a, -b)

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        """Conjunction of any number of literals, as one gate."""
        inputs = set(literals)
        inputs.discard(TRUE)
        if len(inputs) < 3:
            return self.and_(*inputs) if len(inputs) == 2 else inputs.pop() if inputs else TRUE
        if FALSE in inputs or any(-a in inputs for a in inputs):
            return FALSE
        key = tuple(sorted(inputs))
        gate = self._ands.get(key)
        if gate is None:
            self.variables = gate = self._ands[key] = self.variables + 1
            self.clauses += [(-gate, a) for a in key]
            self.clauses.append((gate, *[-a for a in key]))
        return gate

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        """Disjunction of any number of literals, as one gate."""
        return -self.all_of([-a for a in literals])

    def xor(self, a: Literal, b: Literal) -> Literal:
        """Exclusive or."""
        sign = 1
        if a < 0:
            a, sign = -a, -1
        if b < 0:
            b, sign = -b, -sign
        if a == b:
            return -sign  # FALSE times the sign
        if a > b:
            a, b = b, a
        if a == TRUE:
            return -sign * b
        key = (a, b)
        gate = self._xors.get(key)
        if gate is None:
            self.variables = gate = self._xors[key] = self.variables + 1
            self.clauses += ((-gate, a, b), (-gate, -a, -b), (gate, -a, b), (gate, a, -b))
        return sign * gate

    def mux(self, c: Literal, a: Literal, b: Literal) -> Literal:
        """``c ? a : b``."""
        if c == TRUE or a == b:
            return a
        if c == FALSE:
            return b
        if c < 0:
            c, a, b = -c, b, a
        if a == -b:
            return -self.xor(c, a)
        if a == TRUE or a == c:
            return -self.and_(-c, -b)
        if a == FALSE or a == -c:
            return self.and_(-c, b)
        if b == FALSE or b == c:
            return self.and_(c, a)
        if b == TRUE or b == -c:
            return -self.and_(c, -a)
        sign = 1
        if a < 0:
            a, b, sign = -a, -b, -1
        key = (c, a, b)
        gate = self._muxes.get(key)
        if gate is None:
            self.variables = gate = self._muxes[key] = self.variables + 1
            self.clauses += (
                (-gate, -c, a),
                (gate, -c, -a),
                (-gate, c, b),
                (gate, c, -b),
                (-gate, a, b),
                (gate, -a, -b),
            )
        return sign * gate

    def xor3(self, a: Literal, b: Literal, c: Literal) -> Literal:
        """Exclusive or of three: the sum of a full adder."""
        sign = 1
        if a < 0:
            a, sign = -a, -1
        if b < 0:
            b, sign = -b, -sign
        if c < 0:
            c, sign = -c, -sign
        if a > b:
            a, b = b, a
        if b > c:
            b, c = c, b
            if a > b:
                a, b = b, a
        if a == b:
            return sign * c
        if b == c:
            return sign * a
        if a == TRUE:
            return -sign * self.xor(b, c)
        key = (a, b, c)
        gate = self._sums.get(key)
        if gate is None:
            self.variables = gate = self._sums[key] = self.variables + 1
            self.clauses += (
                (-gate, a, b, c),
                (-gate, a, -b, -c),
                (-gate, -a, b, -c),
                (-gate, -a, -b, c),
                (gate, -a, -b, -c),
                (gate, -a, b, c),
                (gate, a, -b, c),
                (gate, a, b, -c),
            )
        return sign * gate

    def majority(self, a: Literal, b: Literal, c: Literal) -> Literal:
        """Majority of three, the carry of a full adder: at least two are true."""
        if a == b or b == c:
            return b
        if a == c or b == -c:
            return a
        if a == -b:
            return c
        if a == -c:
            return b
        if a > b:
            a, b = b, a
        if b > c:
            b, c = c, b
            if a > b:
                a, b = b, a
        # Sorted, so that a constant is not in a fixed place.
        if a == FALSE or b == FALSE or c == FALSE:
            return self.and_(*(x for x in (a, b, c) if x != FALSE))
        if a == TRUE or b == TRUE or c == TRUE:
            return self.or_(*(x for x in (a, b, c) if x != TRUE))
        sign = 1
        if b < 0:
            a, b, c, sign = -c, -b, -a, -1
        key = (a, b, c)
        gate = self._majorities.get(key)
        if gate is None:
            self.variables = gate = self._majorities[key] = self.variables + 1
            self.clauses += (
                (gate, -a, -b),
                (gate, -a, -c),
                (gate, -b, -c),
                (-gate, a, b),
                (-gate, a, c),
                (-gate, b, c),
            )
        return sign * gate
