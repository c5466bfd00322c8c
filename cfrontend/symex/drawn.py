"""Input source of another tool's execution (CBMC): its values in the order in which they come into being."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, final

from cfrontend.cbmc.drawn_values import MOST_OF_MANY, cells_of_drawn_values
from cfrontend.symex.inputs import FixedSymexInputs
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.terms import TRUE, Term
from cfrontend.units import InputNumber, InputSite

if TYPE_CHECKING:
    from cfrontend.symex.machine import SymbolicMachine
    from cfrontend.symex.state import StateOfMemoryObject


@final
class DrawnInputs(FixedSymexInputs):
    """Input source of drawn values: each is taken when it comes into being and found again when it is first read.

    ``much``: among them are those of larger objects, and the bytes of allocated memory. A never-written cell that was
    not drawn is 0; the first one is ``undrawn``.
    """

    def __init__(self, drawn: Sequence[int], *, much: bool) -> None:
        super().__init__(drawn)
        self._much = much
        self._cells: dict[str, int] = {}

    def comes_to_life(self, m: SymbolicMachine, symbol: SyntaxSymbol, context: str) -> None:
        """Give an uninitialised variable some of the drawn values."""
        for path, ctype in cells_of_drawn_values(symbol, m.layouts.structs, much=self._much):
            width = 8 * m.layouts.of(ctype).size
            site = InputSite(
                name=symbol.name + path, type=str(ctype), width=width, signed=False, location=symbol.location
            )
            self._cells[f"?{context}{path}"] = self._draw(m, site, width, context)

    def allocated(self, m: SymbolicMachine, obj: StateOfMemoryObject) -> None:
        """Give the first bytes of allocated memory some of the drawn values, where these have any."""
        if not self._much or obj.default != "unknown":
            return
        count = min(obj.layout.size, MOST_OF_MANY)
        context, values = obj.context, bytearray()
        for number in range(count):
            site = InputSite(
                name=f"{obj.name}[{number}]",
                type="unsigned char",
                width=8,
                signed=False,
                location=obj.location,
            )
            values.append(self._draw(m, site, 8, context))
        offset = 0
        while offset < count:
            cell = obj.layout.cell(offset)
            offset = cell.offset + cell.size
            if offset <= count:
                known = int.from_bytes(values[cell.offset : offset], "little")
                self._cells[f"?{context}{cell.name}"] = known

    def _draw(self, m: SymbolicMachine, site: InputSite, width: int, context: str) -> int:
        """The next drawn value."""
        value = m.t.value[self.take(m, site, width, TRUE, context)]
        assert value is not None
        return value

    def of_memory(self, m: SymbolicMachine, site: InputSite, width: int, condition: Term, name: str) -> Term:
        """The drawn value of a never-written cell."""
        if name not in self._cells:
            self.undrawn = self.undrawn or site
        return m.truth(site, m.t.const(self._cells.get(name, 0), width))

    def word(self, m: SymbolicMachine, number: InputNumber | None, site: InputSite, width: int) -> Term:
        """A drawn value, which is the word itself, also of a floating number."""
        if number is None:
            number = site.at_end
        return m.t.const(number if isinstance(number, int) else 0, width)
