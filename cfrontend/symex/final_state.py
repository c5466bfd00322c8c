"""Relational check of the final state: global variables, and the memory that pointers in them and in the result reach.

int total;   reference: total += x      program: total -= x      ->   differs where  x != 0  (of 32 bits: 2x != 0)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, final

from cfrontend.encoded_program import EndDifference
from cfrontend.goto.product_program import ProductReference
from cfrontend.symex.end_differences import end_difference, end_place_name
from cfrontend.symex.heap_shapes import HeapShapes
from cfrontend.symex.unwritten import written_bits_differ
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import PointerType
from cfrontend.terms import TRUE, Term

if TYPE_CHECKING:
    from cfrontend.symex.functions import CompiledFunctionsWorld
    from cfrontend.symex.machine import SymbolicMachine


@final
class FinalState:
    """Global variables of both versions of a product program, with their initial values.

    That is, of each, the scalars that were written before the entry function, by number. ``seen`` are differences of
    executions on fixed inputs.
    """

    def __init__(self, world: CompiledFunctionsWorld, reference: ProductReference) -> None:
        self._world: Final = world
        self._reference: Final = reference
        self._initial: Final[dict[str, dict[int, Term]]] = {}
        self.seen: Final[list[EndDifference]] = []

    def note_globals(self, m: SymbolicMachine, *, of_reference: bool) -> None:
        """Keep the initial values of the compared global variables, as far as those were written."""
        written = m.overlay.keys()
        for pair in (*self._reference.variables, *self._reference.kept):
            symbol = pair[of_reference]
            numbers = self._world.written_scalars(m, symbol, written)
            self._initial[symbol.key] = {n: self._world.static_scalar(m, symbol, n) for n in numbers}

    def shapes(self, m: SymbolicMachine) -> HeapShapes:
        """A comparison of what pointers lead to in both versions."""
        return HeapShapes(m, self._reference)

    def differences(
        self, m: SymbolicMachine, returned: Iterable[tuple[PointerType, Term, Term]]
    ) -> tuple[list[Term], HeapShapes]:
        """Where the final state differs from that of the reference, and the comparison of what pointers lead to.

        Compared are global variables, and what pointers in them and in the result lead to. What neither version wrote
        is looked at where such pointers lead.
        """
        shapes = self.shapes(m)
        found = [shapes.pointers(theirs, mine, ctype.target) for ctype, theirs, mine in returned]
        found += self._unlike(m, shapes, self._reference.variables)
        found += shapes.differences()
        self.seen.extend(shapes.seen)
        return found, shapes

    def library_differs(self, m: SymbolicMachine) -> Term:
        """Where the library keeps something else for its later calls than in the reference: what was pushed back."""
        shapes = self.shapes(m)
        found = list(self._unlike(m, shapes, self._reference.kept))
        return m.t.any_of((*found, *shapes.differences(), shapes.beside, *shapes.unknown.values()))

    def _unlike(
        self, m: SymbolicMachine, shapes: HeapShapes, variables: Iterable[tuple[SyntaxSymbol, SyntaxSymbol]]
    ) -> Iterator[Term]:
        """Where variables that either version has changed differ, by ``shapes`` in what pointers lead to."""
        world, written = self._world, m.overlay.keys()
        for mine, other in variables:
            scalars = world.written_scalars(m, mine, written) | world.written_scalars(m, other, written)
            for number in sorted(scalars):
                before: list[Term] = []
                for symbol in (mine, other):
                    known = self._initial[symbol.key].get(number)
                    before.append(world.initial_scalar(m, symbol, number) if known is None else known)
                one, two = (world.static_scalar(m, symbol, number) for symbol in (mine, other))
                changed = _is_changed(m, (before[0], before[1]), (one, two))
                ctype = scalars[number]
                if not isinstance(ctype, PointerType):
                    differs = m.t.and_(changed, written_bits_differ(m, two, one))
                elif m.unknown.isdisjoint((one, two)):
                    differs = shapes.pointers(two, one, ctype.target, changed)
                else:
                    continue
                yield differs
                if m.is_fixed and differs == TRUE:
                    name = end_place_name(mine, world.layouts.of(mine.type), number)
                    self.seen.append(end_difference(m, name, ctype, one, two))


def _is_changed(m: SymbolicMachine, before: tuple[Term, Term], after: tuple[Term, Term]) -> Term:
    """Whether either version has changed a word. What neither changes is no result: a table may differ."""
    return m.t.any_of(m.t.not_(m.t.eq(one, two)) for one, two in zip(before, after, strict=True))
