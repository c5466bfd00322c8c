"""Candidates of the search for repairs, in the order of their trials."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from cfrontend.edit.candidate import Candidate, candidate_distance_to_names
from cfrontend.edit.definition_sites import EditableDefinitionSites as Editable
from cfrontend.edit.definition_sites import find_definition_sites
from cfrontend.edit.file_definitions import numbers_of_file
from cfrontend.edit.likelihood import edit_likelihood
from cfrontend.edit.text import SourceText, string_literals_of_text
from cfrontend.edit.unit_sites import find_candidates_at_units
from cfrontend.lower.dialect import ASSERTS
from cfrontend.program import Program
from cfrontend.units import UnitId
from sfo.core.policy import policy
from sfo.program_repair.validation_tests import PatchValidationTests

_CALLED: Final = re.compile(r"(\w+)\s*\(")


def repair_search_in_order(
    candidates: Sequence[Candidate],
    definitions: Sequence[Editable],
    sources: Mapping[str, SourceText],
    places: Mapping[UnitId, int],
) -> list[Candidate]:
    """The likeliest candidates in the order of trials, missing first values before all others.

    ``places`` are ranks of the units; a definition stands where the first unit does that uses it.
    """
    order = [(candidate, places.get(candidate.unit, len(places))) for candidate in candidates]
    for definition in definitions:
        place = min((places[unit] for unit in definition.used if unit in places), default=len(places))
        order += [(candidate, place) for candidate in definition.candidates]
    order.sort(key=lambda one: _cost(one[0], sources, one[1]))
    return sorted(
        (candidate for candidate, _ in order[: policy().repair.most_edits]),
        key=lambda one: not one.initializes,
    )


def _cost(candidate: Candidate, sources: Mapping[str, SourceText], place: int) -> tuple[float, int]:
    """Negative log-likelihood of a candidate as the fix, at a unit with so many before it in the ranking.

    Large ones are less likely, as they overfit more easily. Of candidates that are as likely, the one comes first whose
    names are nearest.
    """
    source = sources[candidate.file]
    cost = math.log1p(place) - edit_likelihood(candidate, source) + (candidate.size == "large")
    return cost, candidate_distance_to_names(candidate, source)


def repair_search_candidates(
    program: Program,
    sources: Mapping[str, SourceText],
    units: Sequence[UnitId],
    elsewhere: Sequence[UnitId],
    unwritten: Collection[str] = (),
    expected: Sequence[str] = (),
) -> list[Candidate]:
    """Candidates in the order of trials: edits at ``units``, and of ``elsewhere`` those of another place.

    ``unwritten`` and ``expected``: see ``find_candidates_at_units``.
    """
    places = {unit: place for place, unit in enumerate((*units, *elsewhere))}
    stated = ASSERTS | program.specification.functions
    wanted = [
        c
        for c in find_candidates_at_units(
            program.tree,
            program.table,
            sources,
            places,
            unwritten,
            program.specification,
            _reference_texts(program),
            repair_search_numbers_of_reference(program, sources),
            expected,
        )
        if (c.aims or c.adds or places[c.unit] < len(units))
        and not _touches_assertion(c, stated, sources[c.file])
    ]
    return sorted(wanted, key=lambda c: _cost(c, sources, places[c.unit]))


def repair_search_definitions(
    program: Program, sources: Mapping[str, SourceText], executions: PatchValidationTests
) -> tuple[Editable, ...]:
    """The definitions that can be edited, each used in every failing execution, with their candidates."""
    covered = [execution.covered for execution in executions.failing]
    return find_definition_sites(program.tree, program.table, sources, covered, executions.unwritten)


def _touches_assertion(candidate: Candidate, stated: Collection[str], source: SourceText) -> bool:
    """True if an edit replaces a call that states what is right, as where it moves one into a branch."""
    replaced = source.text[candidate.start : candidate.end]
    return any(word in stated for word in _CALLED.findall(replaced))


def _reference_texts(program: Program) -> tuple[str, ...]:
    """The string literals of the reference, which may be what the program should print."""
    return tuple(
        dict.fromkeys(one for text in _files_of_reference(program) for one in string_literals_of_text(text))
    )


def repair_search_numbers_of_reference(
    program: Program, sources: Mapping[str, SourceText]
) -> tuple[str, ...]:
    """The constants that the reference has more often than the program, which may be what the program should have."""
    own: Counter[str] = Counter()
    for source in sources.values():
        own += numbers_of_file(source.text)
    other: Counter[str] = Counter()
    for text in _files_of_reference(program):
        other += numbers_of_file(text)
    return tuple(other - own)[: policy().repair.numbers_of_reference]


def _files_of_reference(program: Program) -> Iterator[str]:
    """The texts of the files of the reference, if there is one."""
    if program.older is not None:
        older = program.older
        yield from ("\n".join(older.files[path]) for path in older.paths if path in older.files)
