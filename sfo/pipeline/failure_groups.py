"""Failing executions in groups of one cause each: by the property that they violate, or by the unit that saves them.

    three executions violate p, one violates q      ->   the ranking for p, then that for q
    {a, b} saves all; a alone saves some, b others  ->   the ranking of the executions of a, then that of b's

A fault of one group says nothing about the executions of another one, so that a ranking of all together is of none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from cfrontend.goto.product_program import KIND as REFERENCE
from cfrontend.units import UnitId
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.core.repairs import DiagnosesFound, Repairs
from sfo.core.result import FailureGroup
from sfo.core.savings import AngelicSavings, Saving
from sfo.pipeline.refinement import (
    RefinementProblem,
    refine_by_savings,
    refine_by_savings_of,
    refine_by_verified_repairs,
)

_MOST_GROUPS: Final = 3
"""Groups that have a ranking of their own, those with the most executions."""

_MOST_REPAIRED: Final = 2
"""Groups whose repairs are looked for, the first ones: a search takes as long as that for the whole program."""

_MOST_SETS: Final = 4
"""Minimal sets that are tried for groups, the first ones."""


def find_failure_groups(
    problem: RefinementProblem,
    angelic: AngelicSavings,
    repairs: Repairs | None,
    sets: DiagnosesFound | None,
) -> tuple[FailureGroup, ...]:
    """The groups of the failing executions, those with the most executions first; none where there is one only.

    They are made by the properties that are violated. Where that is one, and where no unit accounts for all executions,
    they are those that each unit of a minimal set saves alone, if the set has a unit for each execution.
    """
    executions = list(angelic.runs)
    if is_explained_by_one_unit(sets):
        by_property = _by_property(problem, executions)
        if len(by_property) == 1:
            return ()
        return tuple(_restricted(problem, angelic, repairs, names) for names in by_property)
    assert sets is not None
    executions += [one for one in sets.runs if one not in executions]
    by_property = _by_property(problem, executions)
    if len(by_property) > 1:
        return tuple(
            _asked(problem, one, names, repair=place < _MOST_REPAIRED)
            for place, (names, one) in enumerate(by_property.items())
        )
    by_unit = _by_unit(problem, sets)
    return tuple(replace(_asked(problem, one, (), repair=False), unit=unit) for unit, one in by_unit.items())


def is_explained_by_one_unit(sets: DiagnosesFound | None) -> bool:
    """True if one unit may account for all failing executions.

    Sets of units are looked for where no edit of one that may is a repair. Then none accounts for all where each is
    known to miss some execution, or to save it by other inputs or no assertion only, and where edits of two are
    repairs.
    """
    return sets is None or (bool(sets.alone) and not sets.repairs)


def _by_property(
    problem: RefinementProblem, executions: Sequence[Execution]
) -> dict[tuple[str, ...], tuple[Execution, ...]]:
    """Executions by the properties that they violate; to print something else than the reference is one property."""
    kinds = {item.id: item.kind for item in problem.program.properties}
    found: dict[str, list[Execution]] = {}
    for one in executions:
        if one.property is not None:
            kind = kinds.get(one.property)
            found.setdefault(REFERENCE if kind == REFERENCE else one.property, []).append(one)
    ordered = sorted(found.values(), key=len, reverse=True)[:_MOST_GROUPS]
    return {tuple(dict.fromkeys(str(one.property) for one in group)): tuple(group) for group in ordered}


def _by_unit(problem: RefinementProblem, sets: DiagnosesFound) -> dict[UnitId, tuple[Execution, ...]]:
    """The executions that each unit of a minimal set saves and no other one of it; of the first set that has all."""
    clock = problem.clock(policy().diagnoses.group_seconds, "failing executions with the same cause")
    tried = 0
    whole: set[UnitId] = set()  # beside a unit that saves every execution no other one has any of its own
    for units in sets.sets:
        if tried == _MOST_SETS:
            break
        if not whole.isdisjoint(units):
            continue
        tried += 1
        asked = refine_by_savings_of(problem, sets.runs, units, clock)
        whole |= {unit for unit in units if set(asked[unit]) == {"saved"}}
        saving = [
            [unit for unit in units if asked[unit][place] == "saved"] for place in range(len(sets.runs))
        ]
        groups = {
            unit: tuple(one for one, able in zip(sets.runs, saving, strict=True) if able == [unit])
            for unit in units
        }
        if all(saving) and all(groups.values()):
            return dict(sorted(groups.items(), key=lambda item: -len(item[1])))
    return {}


def _narrowed(
    problem: RefinementProblem, executions: Sequence[Execution], properties: Sequence[str]
) -> RefinementProblem:
    """The problem of these failing executions alone, with the specification that they violate."""
    passing = problem.dataset.passing
    return replace(
        problem,
        dataset=replace(problem.dataset, executions=(*executions, *passing)),
        properties=frozenset(properties) if properties else problem.properties,
        others=(),
    )


def _asked(
    problem: RefinementProblem,
    executions: Sequence[Execution],
    properties: Sequence[str],
    *,
    repair: bool,
) -> FailureGroup:
    """A group whose executions the filter is asked about; ``repair``: repairs are looked for, too."""
    own = _narrowed(problem, executions, properties)
    seconds = policy().diagnoses.group_seconds
    angelic = refine_by_savings(own, executions, seconds)
    repairs = refine_by_verified_repairs(own, angelic, seconds) if repair else None
    return FailureGroup(
        properties=tuple(properties),
        executions=tuple(executions),
        ranking=own.ranking(angelic, _at_units(own, repairs)),
        angelic=angelic,
        repairs=repairs,
        is_alone=bool(properties),
    )


def _at_units(problem: RefinementProblem, repairs: Repairs | None) -> Repairs | None:
    """``repairs`` of units only: definitions are numbered anew by each search."""
    if repairs is None:
        return None
    units = {unit.id for unit in problem.dataset.units}
    found = tuple(repair for repair in repairs.found if repair.unit in units)
    return replace(repairs, found=found, definitions=())


def _restricted(
    problem: RefinementProblem, angelic: AngelicSavings, repairs: Repairs | None, properties: Sequence[str]
) -> FailureGroup:
    """A group as far as the answers about all executions are about its own."""
    places = [place for place, one in enumerate(angelic.runs) if one.property in properties]
    executions = [angelic.runs[place] for place in places]

    def cut(tier: Mapping[UnitId, tuple[Saving, ...]]) -> dict[UnitId, tuple[Saving, ...]]:
        # What was not asked because an execution of another group is lost is not known of this one.
        return {
            unit: tuple("undecided" if answers[n] == "skipped" else answers[n] for n in places)
            for unit, answers in tier.items()
        }

    own = _narrowed(problem, executions, properties)
    savings = replace(angelic, runs=tuple(executions), savings=cut(angelic.savings))
    return FailureGroup(
        properties=tuple(properties),
        executions=tuple(executions),
        ranking=own.ranking(savings, repairs),
        angelic=savings,
        repairs=repairs,
    )
