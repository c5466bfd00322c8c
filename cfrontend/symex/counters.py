"""The cells that count how far two versions of a program have come, which is compared: they join as all others do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from cfrontend.errors import Location
from cfrontend.goto.product_program import Reference
from cfrontend.syntax.types import UINT, ArrayType

if TYPE_CHECKING:
    from cfrontend.symex.machine import Machine
    from cfrontend.symex.state import MemoryObject

PRINTED: Final = 0
"""The position in the output."""

ENDED: Final = 1
"""How the execution ended."""

STATUS: Final = 2
"""The status with which it ended."""

STREAMS: Final = 3
"""From here on one for each stream of inputs, ..."""

RESULT: Final = 1 << 11
"""... from here on those of the result, ..."""

OBSERVED: Final = 1 << 12
"""... and from here on one for each place that is observed."""


@final
class Counters:
    """The object that has these cells."""

    def __init__(self, reference: Reference) -> None:
        self._sites = sorted(set(reference.sites.values()))
        self._object: MemoryObject | None = None

    def begin(self, m: Machine) -> None:
        """Make the cells."""
        layout = m.layouts.of(ArrayType(UINT, OBSERVED + 1 + max(self._sites, default=0)))
        self._object = m.new_object(layout, "comparison", "comparison", "zero", Location("", 0))

    def cell(self, number: int) -> int:
        """The key of a cell."""
        assert self._object is not None
        return self._object.base + number

    def observed(self) -> list[int]:
        """The cells that count how often each place was observed."""
        return [OBSERVED + site for site in self._sites]
