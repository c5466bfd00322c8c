"""Native patch validation beside the interpreter: ``python -m benchmarks.native_agreement --pairs 2000``.

Random pairs of a candidate edit and an execution, from the first version of each benchmark program:

    minmax/fault1     60 pairs   41 rejected by both, 17 by neither, 2 by the interpreter alone, 0 natively alone

With ``--reference`` each program stands beside its correct version, and has to print what that prints.

Only what is rejected natively alone would be a wrong rejection. What the interpreter alone rejects breaks a rule of C
that no sanitizer of the native build sees, such as a read outside of an object. The exit code is 1 where there is a
wrong rejection.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from benchmarks.manifest import Version, load_manifest
from benchmarks.record import MAX_LINES
from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.terms import Terms
from cfrontend.units import Property
from sfo.core.budget import BudgetClock
from sfo.core.executions import Execution
from sfo.execution.native.validate_patches import (
    BEYOND,
    FAILS,
    LATE,
    ValidatePatchesNatively,
    can_validate_patches_natively,
)
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.program_repair.candidates import repair_search_candidates
from sfo.program_repair.native_validation import native_validation_with_places
from sfo.program_repair.patch_validation import PatchValidation
from sfo.program_repair.schemata import (
    RepairSchemataMaker,
    RepairSchemataProgram,
    RepairSchemataVariant,
    read_texts_for_repair_schemata,
)
from sfo.program_repair.validation_tests import PatchValidationTests

BOTH, NEITHER, INTERPRETER, NATIVE, UNDECIDED = (
    "both",
    "neither",
    "interpreter alone",
    "natively alone",
    "undecided",
)
"""Who rejects an edit on an execution.

Undecided where it read more inputs than there are, and where the interpreter finds, beside a reference, that an
assumption is broken before the edited program has begun.
"""

_SECONDS: Final = 120.0


def verdicts_on(
    version: Version, pairs: int, seed: int, reference: tuple[str, ...] = ()
) -> tuple[Counter[str], list[str]]:
    """How many of so many random ``pairs`` are rejected by whom, and those that are rejected natively alone.

    ``reference`` are the files of a reference, if there is one.
    """
    options = ProgramOptions(entry=version.entry, reference=reference)
    program = load_c_program([str(version.path)], options)
    sources = read_texts_for_repair_schemata(program)
    assert sources is not None
    result = run_localize_pipeline(
        [str(version.path)],
        PipelineOptions(program=options, passing=10, rank="coverage", replay=False),
    )
    executions = [
        native_validation_with_places(program, one)
        for one in result.dataset.executions
        if one.outcome is not None
    ]
    found: Counter[str] = Counter()
    wrong: list[str] = []
    if not executions or not can_validate_patches_natively(program, executions, beside_reference=True):
        return found, wrong
    edits = RepairSchemataMaker(program, sources)
    candidates = [
        one
        for one in repair_search_candidates(program, sources, [unit.id for unit in program.units], ())
        if one.is_expression and not one.has_hole and one.file in program.paths
    ]
    candidates = [candidates[place] for place in edits.fitting(candidates, range(len(candidates)))]
    numbered = list(enumerate(candidates, start=1))
    sieve = PatchValidation(
        RepairSchemataVariant(program, None),
        _suite_of(result.bound.unwind, executions, program.properties),
        [],
        Terms(),
        BudgetClock(10_000),
    )
    whole = RepairSchemataProgram(edits, candidates)
    chance = Random(seed)  # noqa: S311 - a repeatable choice, no secret
    with ValidatePatchesNatively.of_single_edits(program, numbered, 1, _SECONDS) as trial:
        usable = [number for number, _ in numbered if number not in trial.refused]
        for execution in executions:
            chosen = chance.sample(usable, min(len(usable), -(-pairs // len(executions))))
            answers = trial.answers([(number, 0) for number in chosen], [execution], _SECONDS)
            for number, answer in zip(chosen, answers, strict=True):
                variant = whole.variant(number - 1) or edits.alone(candidates[number - 1])
                if variant is None:
                    continue
                verdict = _verdict(answer, is_good=sieve.does_well(variant, execution))
                if verdict == NATIVE and reference and not sieve.passes(variant, execution):
                    verdict = UNDECIDED
                found[verdict] += 1
                if verdict == NATIVE:
                    edit = candidates[number - 1]
                    wrong.append(
                        f"{edit.replaced(sources[edit.file])!r} -> {edit.whole!r} on {execution.vector}"
                    )
    return found, wrong


def _suite_of(
    unwind: int | None, executions: Sequence[Execution], properties: Sequence[Property]
) -> PatchValidationTests:
    return PatchValidationTests(
        failing=[execution for execution in executions if execution.outcome == "fail"],
        passing=[execution for execution in executions if execution.outcome == "pass"],
        bound=Bound(unwind=unwind),
        properties=properties,
        left_out=(),
        rounds=unwind or 1,
        solver="auto",
    )


def _verdict(answer: int, *, is_good: bool) -> str:
    """Who rejects an edit, by the native ``answer`` and that of the interpreter."""
    if answer == BEYOND:
        return UNDECIDED
    if answer in {FAILS, LATE}:
        return NATIVE if is_good else BOTH
    return NEITHER if is_good else INTERPRETER


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 1 where something is rejected natively alone."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.native_agreement", description=__doc__)
    parser.add_argument(
        "--pairs", type=int, default=2_000, metavar="N", help="pairs of a candidate and an execution"
    )
    parser.add_argument("--program", action="append", default=[], help="only this program (may be repeated)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reference", action="store_true", help="beside the correct version of each program")
    chosen = parser.parse_args(arguments)
    chosen_programs = [
        program
        for program in load_manifest()
        if (not chosen.program or program.name in chosen.program)
        and len(program.versions[0].path.read_bytes().splitlines()) <= MAX_LINES
    ]
    total: Counter[str] = Counter()
    for program in chosen_programs:
        version = program.versions[0]
        reference = (str(program.correct),) if chosen.reference else ()
        found, wrong = verdicts_on(version, -(-chosen.pairs // len(chosen_programs)), chosen.seed, reference)
        total += found
        print(f"{version.id}  {found.total()} pairs  {dict(sorted(found.items()))}", flush=True)
        for line in wrong:
            print(f"  rejected natively alone: {line}", flush=True)
    print(f"{total.total()} pairs  {dict(sorted(total.items()))}")
    return 1 if total[NATIVE] else 0


if __name__ == "__main__":
    sys.exit(main())
