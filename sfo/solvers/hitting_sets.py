"""Minimal hitting sets, the smallest first, of sets that become known one by one.

    sets {1, 2, 3} and {3, 4}   ->   {3},  {1, 4},  {2, 4}

They are found as a MaxSAT problem by RC2 (Ignatiev, Morgado and Marques-Silva 2019), as python-sat has it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, final

from pysat.examples.hitman import Hitman


@final
class HittingSets:
    """Sets of positive numbers that share one with each set of ``demand``."""

    def __init__(self) -> None:
        self._hitman: Any = Hitman(solver="g4", htype="sorted")
        self._demanded = False

    def demand(self, numbers: Collection[int]) -> None:
        """Require that every set from now on contains one of ``numbers``, which are not none."""
        self._demanded = True
        self._hitman.hit(sorted(numbers))

    def exclude(self, numbers: Collection[int]) -> None:
        """Require that no set from now on contains all of ``numbers``."""
        self._hitman.block(sorted(numbers))

    def smallest(self) -> frozenset[int] | None:
        """A smallest set; None when there is none left."""
        if not self._demanded:
            return frozenset()
        found = self._hitman.get()
        return None if found is None else frozenset(found)
