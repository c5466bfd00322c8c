"""Tuning constants of the search for repairs of one unit."""

from __future__ import annotations

from typing import final

from cfrontend.record import dataclass


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RepairPolicyConstants:
    """Search for plausible patches of one unit."""

    explaining_part: float = 1 / 3
    """Part of the passing executions that a patch keeps on their way if what it edits may be all that is wrong."""
    rounds: int = 20
    """Constants that are tried in one place."""
    usual: tuple[int, ...] = (0, 1)
    """What variables begin with: tried as it is, which is cheaper than to look for any constant."""
    most_for_a_unit: int = 5
    """Repairs that are looked for at one unit; large ones only where there is no small one."""
    first_of_a_unit: int = 4
    """Edits of each unit that come before further ones of any; then twice as many of each, and so on."""
    part_before_proofs: float = 0.5
    """Part of the effort after which plausible edits are proved, if not all units had their turn in a round by then."""
    sibling_words: int = 6
    """Words and operators of a statement from which on it is no chance that an edit makes it equal to another one."""
    numbers_of_reference: int = 8
    """Constants of the reference that may be meant in the place of those of the program, the first ones in its text."""
    parts: int = 4
    """Parts of the candidates, whatever the number of processes: none knows what another one has found."""
    likely_constants: int = 3
    """Constants of one place that are tried because native executions do well with them."""
    worth_a_part: int = 24
    """Candidates below which there is no further part."""
    seconds_of_a_part: float = 1.0
    """Seconds of effort below which there is no further part: one would end before it comes to its likeliest edits."""
    later_part: float = 0.25
    """Part of the effort left for edits that likely overfit, or are read alone, where one that does not is verified."""
