"""Hash-consed store of terms: constants, variables, and the structure of terms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import Final, TypeAlias

from cfrontend.terms import operators
from cfrontend.terms.operators import CONST, EXTRACT, OP_NAMES, PRODUCTS, VAR

Term: TypeAlias = int
"""Term: an index into a ``Terms`` store. Meaningless without its store."""

FALSE: Final[Term] = 0
TRUE: Final[Term] = 1


class TermStore:
    """Terms as indices into parallel lists. ``width`` is in bits, 0 for Boolean; ``value`` is the constant or None.

    Lists are indexed by term: ``op``, ``args`` (terms; for ``EXTRACT`` (term, high, low), for ``ZEXT`` and
    ``SEXT`` (term, added bits), for ``VAR`` (name,), for ``CONST`` (value,)), ``width``, ``value``.

    ``applications`` has functions whose values some words are, as a key, with their operands: those of floating-point
    numbers, each of which is thousands of terms.

    ``ranges`` holds, for variables about which that is known, the smallest and largest signed value that any
    assignment of interest gives them.
    """

    signed = staticmethod(operators.signed_operator_value)

    def __init__(self) -> None:
        self.op: list[int] = [CONST, CONST]
        self.args: list[tuple[int, ...]] = [(0,), (1,)]
        self.width: list[int] = [0, 0]
        self.value: list[int | None] = [0, 1]
        self.names: dict[Term, str] = {}
        self.ranges: dict[Term, tuple[int, int]] = {}
        self.applications: dict[Term, tuple[Hashable, tuple[Term, ...]]] = {}
        self._leaves: list[int] = [1, 1]
        self._nodes: list[dict[tuple[int, ...], Term]] = [{} for _ in OP_NAMES]
        self._constants: defaultdict[int, dict[int, Term]] = defaultdict(dict, {0: {0: FALSE, 1: TRUE}})
        self._variables: dict[str, Term] = {}
        self._joined: dict[tuple[Term, Term], Term] = {}
        self._equal: dict[tuple[Term, Term], Term] = {}

    def __len__(self) -> int:
        return len(self.op)

    def note_application(self, term: Term, function: Hashable, operands: tuple[Term, ...]) -> None:
        """Note that the word ``term`` is the value of a function, for whatever values its operands have."""
        if self.op[term] not in (CONST, VAR) and term not in operands:
            self.applications.setdefault(term, (function, operands))

    # -- leaves ----------------------------------------------------------------------------------------------

    def const(self, value: int, width: int) -> Term:
        """The constant ``value`` modulo 2**width (``width`` 0: ``value`` 0 or 1)."""
        table = self._constants[width]
        found = table.get(value)
        if found is None:
            if width:
                value &= (1 << width) - 1
                found = table.get(value)
            if found is None:
                found = table[value] = self._append(CONST, (value,), width, value, 1)
        return found

    def var(self, name: str, width: int) -> Term:
        """The free variable ``name``; the same name gives the same term. Raises ValueError on another width."""
        found = self._variables.get(name)
        if found is None:
            found = self._variables[name] = self._append(VAR, (len(self._variables),), width, None, 0)
            self.names[found] = name
        elif self.width[found] != width:
            msg = f"variable {name!r} has width {self.width[found]}, asked for {width}"
            raise ValueError(msg)
        return found

    def width_of(self, name: str) -> int | None:
        """The width of the variable ``name``; None where there is none."""
        found = self._variables.get(name)
        return None if found is None else self.width[found]

    def _append(self, op: int, args: tuple[int, ...], width: int, value: int | None, leaves: int) -> Term:
        term = len(self.op)
        self.op.append(op)
        self.args.append(args)
        self.width.append(width)
        self.value.append(value)
        self._leaves.append(leaves)
        return term

    def _node(self, op: int, width: int, *args: int) -> Term:
        nodes = self._nodes[op]  # the width is that of the operands, or follows from them
        found = nodes.get(args)
        if found is None:
            found = nodes[args] = self._append(op, args, width, None, 0)
        return found

    # -- reading ---------------------------------------------------------------------------------------------

    def operands(self, term: Term) -> tuple[Term, ...]:
        """The arguments of a term that are terms themselves."""
        op = self.op[term]
        if op <= VAR:
            return ()
        return self.args[term][:1] if op >= EXTRACT else self.args[term]

    def cone(self, roots: Iterable[Term]) -> list[Term]:
        """Every term the roots depend on, the roots included, arguments before their users."""
        seen = set(roots)
        stack, ops, args = list(seen), self.op, self.args
        while stack:  # what 'operands' says, written out: it is the inside of most questions
            term = stack.pop()
            op = ops[term]
            if op > VAR:
                for below in args[term][:1] if op >= EXTRACT else args[term]:
                    if below not in seen:
                        seen.add(below)
                        stack.append(below)
        return sorted(seen)

    def product_gates(self, terms: Iterable[Term]) -> int:
        """About the number of gates of the products, quotients and remainders among ``terms``."""
        return sum(self.width[term] ** 2 for term in terms if self.op[term] in PRODUCTS)

    def show(self, term: Term, depth: int = 12) -> str:
        """SMT-LIB-like text for people, cut below ``depth``."""
        op = self.op[term]
        if op == CONST:
            if self.width[term] == 0:
                return "true" if term == TRUE else "false"
            return str(self.signed(self.value[term] or 0, self.width[term]))
        if op == VAR:
            return self.names[term]
        if depth == 0:
            return "..."
        inside = " ".join(self.show(a, depth - 1) for a in self.operands(term))
        extra = "".join(f" {n}" for n in self.args[term][1:]) if op >= EXTRACT else ""
        return f"({OP_NAMES[op]} {inside}{extra})"
