"""Native patch validation of single edits: most candidates fail natively on a known execution, and need no interpreter.

    1,740 candidates on 22 executions: 1,582 fail on one of them natively; 158 are left for the interpreter

One compiled meta-program holds the candidates that are expressions of the right type in a unit. It only rejects:
whatever does well natively is validated by the interpreter, and so is what cannot be compiled or takes long, and edits
of definitions, which are fixed when a program is compiled. A rejection is a violation on known inputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cfrontend.edit.candidate import Candidate
from cfrontend.effort import charge
from cfrontend.errors import SfoError
from sfo.core.budget import Clock
from sfo.core.policy import policy
from sfo.execution.native.validate_patches import FAILS, NativePatchValidation, can_validate_natively
from sfo.repair.patch_validation import ValidationTests
from sfo.repair.schemata import PatchedPrograms

_EXECUTION: Final = 5_000
"""Price of one native execution of an edited program."""

_COMPILING: Final = 150_000_000
"""Price of compiling a meta-program, besides that of its candidates."""

_COMPILED: Final = 100_000
"""Price of compiling one candidate of it."""


def fail_natively(
    edits: PatchedPrograms,
    candidates: Sequence[Candidate],
    executions: ValidationTests,
    clock: Clock,
    jobs: int,
) -> frozenset[int]:
    """The places of ``candidates`` with which some of ``executions`` fails natively that must not.

    None of them where there are too few candidates to be worth a compiler, or where the program cannot be compiled.
    """
    tests = (*executions.failing, *executions.others, *executions.passing)
    units = {unit.id for unit in edits.program.units}
    places = [
        place
        for place, one in enumerate(candidates)
        if one.unit in units and _can_be_chosen(one) and one.file in edits.program.paths
    ]
    if (
        len(places) < policy().validation.worth_compiling
        or not executions.checks_all
        or not can_validate_natively(edits.program, tests)
    ):
        return frozenset()
    fitting = edits.fitting(candidates, places)
    charge(_COMPILING + _COMPILED * len(fitting))
    numbered = [(number, candidates[place]) for number, place in enumerate(fitting, start=1)]
    seconds = policy().multi_edit.most_seconds if clock.seconds is None else clock.seconds
    try:
        with NativePatchValidation.of_single_edits(edits.program, numbered, jobs, seconds) as trial:
            asked = [number for number, _ in numbered if number not in trial.refused]
            answers = trial.answers([(number, 0) for number in asked], tests, seconds)
    except SfoError:
        return frozenset()
    charge(_EXECUTION * len(asked) * len(tests))
    return frozenset(
        [fitting[number - 1] for number, answer in zip(asked, answers, strict=True) if answer == FAILS]
    )


def _can_be_chosen(candidate: Candidate) -> bool:
    """True if a candidate is an expression that is evaluated, without a constant that is still to be found."""
    return not (candidate.has_hole or candidate.is_statement or candidate.is_apart)
