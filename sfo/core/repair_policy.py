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
    restructured_suspects: int = 4
    """First suspects whose statements are tried in another order, or otherwise together, before all other edits."""
    restructured_first: int = 6
    """Such edits that are tried before all others: each is read alone, which takes ten times as long."""
    part_before_proofs: float = 0.5
    """Part of the effort after which plausible edits are proved, if not all units had their turn in a round by then."""
    asked_whether_hollow: int = 4
    """Verified edits of which it is asked whether code is dead after them, the best ones."""
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
    seconds_of_surest: float = 1.0
    """Seconds of effort for one of the edits that natively keep nearly all executions, where the others had it all."""
    proof_seconds: float = 1.0
    """Seconds of effort for proofs of plausible patches of the first units, in any case."""
    proved_first: int = 3
    """Units that shall have a verified repair, the first ones in the order of plausible patches."""
    again_seconds: float = 1.5
    """Further seconds of effort, at most as many as before, where edits are left and none may be all that is wrong."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationPolicyConstants:
    """Inputs near the known ones on which native executions try edits that do well with these."""

    drawn: int = 1_000
    """Inputs that are drawn, and executed without an edit."""
    rounds: int = 2
    """Rounds in which they are drawn: a later one knows what was good in an earlier one."""
    part: float = 0.1
    """Part of the native executions that are worth their effort which they may be at most."""
    failing: int = 24
    """Failing inputs of the population, without an edit, on which edits are tried."""
    passing: int = 24
    """Passing inputs of the population, without an edit, on which edits are tried."""
    most_changed: int = 16
    """Inputs of an execution that are changed at once, at most."""
    values_of_a_place: int = 200
    """Good values that are kept of the inputs that are read in one place."""
    more_inputs: int = 4
    """Inputs behind the known ones, where executions read more."""
    confirmed: int = 8
    """Inputs that refute the most edits, on which the interpreter executes the program, too."""
    confirming_seconds: float = 1.0
    """Seconds of effort of the interpreter for the inputs that refute edits."""
