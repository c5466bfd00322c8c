"""Progress counters of a product program: cells that count the output, the inputs and the end of each version.

They are part of the state, so they are merged where paths join, as all other cells are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from cfrontend.errors import Location
from cfrontend.goto.product_program import ProductReference
from cfrontend.symex.observer import Observer
from cfrontend.syntax.types import UINT, ArrayType

if TYPE_CHECKING:
    from cfrontend.symex.machine import SymbolicMachine
    from cfrontend.symex.state import StateOfMemoryObject

PRINTED: Final = 0
"""Number of the cell that counts the printed tokens: the position in the output."""

ENDED: Final = 1
"""Number of the cell that says how the execution ended."""

STATUS: Final = 2
"""Number of the cell with the exit status."""

STREAMS: Final = 3
"""Number of the first of the cells that count the inputs read, one for each input stream."""

RESULT: Final = 1 << 11
"""Number of the first of the cells that hold the words of the result."""

OBSERVED: Final = 1 << 12
"""Number of the first of the cells that count observations, one for each observed place."""

EFFECTS: Final = OBSERVED - 1
"""Number of the cell that counts the side effects outside of the process, in characters and numbers of their text."""


@final
class ProgressCounters(Observer):
    """The object that holds the progress counters; an observer that begins with it, and compares nothing yet."""

    compares_output = True

    def __init__(self, reference: ProductReference) -> None:
        self._sites = sorted(set(reference.sites.values()))
        self._object: StateOfMemoryObject | None = None

    def begin(self, m: SymbolicMachine) -> None:
        """Allocate the cells."""
        layout = m.layouts.of(ArrayType(UINT, OBSERVED + 1 + max(self._sites, default=0)))
        self._object = m.new_object(layout, "comparison", "comparison", "zero", Location("", 0))

    def cell(self, number: int) -> int:
        """The key of a cell."""
        assert self._object is not None
        return self._object.base + number

    def observed(self) -> list[int]:
        """The cells that count how often each place was observed."""
        return [OBSERVED + site for site in self._sites]
