"""Tuning constants of minimal diagnoses, and of the groups of failing executions that they make."""

from __future__ import annotations

from typing import final

from cfrontend.record import dataclass


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosesPolicyConstants:
    """Minimal diagnoses: sets of units that explain all failing executions."""

    most_sets: int = 40
    """Sets that are looked for."""
    largest: int = 3
    """Units of the largest sets that are looked for."""
    grid: int = 21
    """Probabilities of a unit that are tried."""
    pairs_at_once: int = 4_096
    """Pairs between two looks at the clock."""
    least: float = 1e-3
    """The least probability, so that nothing is impossible."""
    group_seconds: float = 1.0
    """Seconds for what saves a group of failing executions, and as many for what repairs it."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MultiEditPolicyConstants:
    """Edits of two units together."""

    most: int = 20
    """Pairs of units that are looked for."""
    most_tried: int = 1_000
    """Candidates whose pairs a compiled program tries, but for those that programmers seldom slip by."""
    most_seldom: int = 1_000
    """Candidates that programmers seldom slip by, which stand behind the others there."""
    few_passing: int = 2
    """Passing executions up to which edits are accepted that send all of them another way, where no others do well."""
    parts: int = 4
    """Parts of the candidates that the interpreter tries, whatever the number of processes."""
    asked_at_once: int = 20_000
    """Pairs that a compiled program is asked about at once."""
    price: int = 10_000
    """Effort of one native execution with two edits, at least."""
    native_part: float = 0.01
    """Effort of one native execution as a part of that of the interpreter, besides."""
    most_seconds: float = 600.0
    """Seconds after which a compiler or a compiled program is taken to be lost."""
    trying_part: float = 0.5
    """Part of the effort left in which the compiled program tries them."""
    further_failing: int = 8
    """Failing executions on other inputs than the known ones that pairs are tried on as well."""
    further_passing: int = 12
    """Passing ones."""
    definitions: int = 3
    """Edits of definitions that save some failing executions beside each of which an edit of a unit is looked for."""
    definitions_seconds: float = 5.0
    """Seconds, at least, in which that is done where no pair is found."""
    beside_definitions: int = 24
    """Edits of units that save the most failing executions, beside each of which one of a definition is looked for."""
    most_refused: int = 4
    """Edits of units beside one of them that the interpreter refuses, after which there are no further ones."""
    most_definitions: int = 200
    """Edits of definitions that are held against executions for that."""
    patient_conflicts: int = 1_000_000
    """Conflicts that a single question of the proof of such a pair may cost, which are few."""
