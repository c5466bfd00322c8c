"""Dataset: executions times units, the spectra of units, and units in the order of a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import final

from cfrontend.record import dataclass
from cfrontend.units import Unit, UnitId
from sfo.core.executions import Execution


@final
@dataclass(frozen=True, kw_only=True)
class DatasetSpectrum:
    """The counts of one unit: ``ef ep`` failing and passing executions that cover it, ``nf np`` that do not."""

    ef: int
    ep: int
    nf: int
    np: int


@final
@dataclass(frozen=True, kw_only=True)
class Dataset:
    """Executions times units, failing first when generated; rows without an outcome count for nothing.

    ``finer`` are the units by which executions are told apart (``Execution.seen``) that each of the ``units`` has:
    where several are equally suspicious, the one comes first that has the most suspicious of these; with
    ``is_of_finer`` that is what they are ranked by. ``sides`` are those of conditions in words. ``nearness`` says of
    units how near to the failure they are, from 0 to 1, ``stating`` which of them only state what is right.
    """

    units: tuple[Unit, ...]
    executions: tuple[Execution, ...]
    finer: Mapping[UnitId, tuple[UnitId, ...]] = field(default_factory=dict)
    is_of_finer: bool = False
    sides: Mapping[UnitId, str] = field(default_factory=dict)
    nearness: Mapping[UnitId, float] = field(default_factory=dict)
    stating: frozenset[UnitId] = frozenset()

    @cached_property
    def failing(self) -> tuple[Execution, ...]:
        """The failing executions, in order."""
        return tuple(e for e in self.executions if e.outcome == "fail")

    @cached_property
    def passing(self) -> tuple[Execution, ...]:
        """The passing executions, in order."""
        return tuple(e for e in self.executions if e.outcome == "pass")

    @cached_property
    def ending(self) -> tuple[Execution, ...]:
        """The passing executions that end: the bound cuts none of them."""
        return tuple(e for e in self.passing if not e.is_cut)

    @cached_property
    def intersection(self) -> tuple[UnitId, ...]:
        """Units covered by every failing execution, ascending; empty when nothing failed."""
        if not self.failing:
            return ()
        common = frozenset.intersection(*(e.covered for e in self.failing))
        return tuple(u.id for u in self.units if u.id in common)

    def with_definitions(self, definitions: Sequence[EditedDatasetDefinition]) -> Dataset:
        """The dataset with ``definitions`` as further units, each covered where a unit that uses it is covered."""
        if not definitions:
            return self
        executions = tuple(
            replace(
                execution,
                covered=execution.covered.union(d.unit.id for d in definitions if d.used & execution.covered),
            )
            for execution in self.executions
        )
        return replace(self, units=(*self.units, *(d.unit for d in definitions)), executions=executions)

    def passing_that_cover_most(self, most: int) -> list[Execution]:
        """So many of the passing executions that end: one by one that which covers most units that none before does.

        Of equals the earlier one is chosen (greedy set cover); they stand in their order.
        """
        left, covered = list(range(len(self.ending))), set[UnitId]()
        chosen: list[int] = []
        while left and len(chosen) < most:
            best = max(left, key=lambda n: len(self.ending[n].covered - covered))
            left.remove(best)
            chosen.append(best)
            covered |= self.ending[best].covered
        return [self.ending[n] for n in sorted(chosen)]

    def spectrum(self, unit: UnitId) -> DatasetSpectrum:
        """The four counts of one unit (Landsberg et al. 2018, Definition 4, in the order ef ep nf np)."""
        ef = sum(unit in e.covered for e in self.failing)
        ep = sum(unit in e.covered for e in self.passing)
        return DatasetSpectrum(ef=ef, ep=ep, nf=len(self.failing) - ef, np=len(self.passing) - ep)

    def finer_spectra(self, unit: UnitId) -> Iterator[DatasetSpectrum]:
        """The counts of each of the finer units that a unit has."""
        for one in self.finer.get(unit, ()):
            ef = sum(one in e.seen for e in self.failing)
            ep = sum(one in e.seen for e in self.passing)
            yield DatasetSpectrum(ef=ef, ep=ep, nf=len(self.failing) - ef, np=len(self.passing) - ep)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RankedDatasetUnit:
    """One line of a ranking; ``rank`` counts from 1 and is unique.

    ``side`` is, in words, the side of a condition that is more suspicious than the others; empty where none is.
    """

    rank: int
    unit: UnitId
    score: float
    spectrum: DatasetSpectrum
    rank_keys: tuple[float, ...] = ()
    side: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EditedDatasetDefinition:
    """A definition outside of the statements that can be wrong: ``unit``, and the units ``used`` that name it."""

    unit: Unit
    used: frozenset[UnitId]
