"""Edits of definitions as units: macros, enumerators, tables and the like, which stand in no unit of a program.

a repair of `#define MOST 3`   ->   unit 27, behind the 26 units of the program, covered where MOST is used
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cfrontend.edit.definition_sites import EditableDefinitionSites
from cfrontend.program import Program
from sfo.core.dataset import EditedDatasetDefinition
from sfo.core.repairs import Repair, Repairs


def repairs_with_edited_definitions(
    repairs: Repairs, program: Program, definitions: Sequence[EditableDefinitionSites]
) -> Repairs:
    """``repairs`` with those of ``definitions`` that some of them edit, as units behind those of ``program``."""
    every = (*repairs.found, *repairs.undecided, *repairs.steps)
    edited = [d for d in definitions if any(repair.unit == d.unit.id for repair in every)]
    new = {d.unit.id: number for number, d in enumerate(edited, start=len(program.units) + 1)}

    def numbered(some: Sequence[Repair]) -> tuple[Repair, ...]:
        return tuple([replace(repair, unit=new.get(repair.unit, repair.unit)) for repair in some])

    return replace(
        repairs,
        found=numbered(repairs.found),
        undecided=numbered(repairs.undecided),
        steps=numbered(repairs.steps),
        definitions=tuple(
            [EditedDatasetDefinition(unit=replace(d.unit, id=new[d.unit.id]), used=d.used) for d in edited]
        ),
    )
