"""Plausible patches beside examples: what the search needs of a localisation by examples, and how it judges an edit.

An edit is judged by the interpreter, which sees what is undefined: it has to pass all
examples, those that failed first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import final

from cfrontend.bound import Bound
from cfrontend.encoded_program import EXAMPLE
from cfrontend.errors import InputError, ResourceError, UsageError
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.terms import Terms
from cfrontend.units import UnitId
from sfo.core.budget import BudgetClock
from sfo.core.executions import ENDLESS, Execution
from sfo.core.policy import policy
from sfo.core.repairs import Repairs
from sfo.execution.example_executions import execute_example
from sfo.execution.examples import Example
from sfo.pipeline.options import PipelineOptions
from sfo.program_repair.plausible_patches import search_plausible_patches
from sfo.program_repair.schemata import RepairSchemataVariant, unit_ids_after_edit_of_schemata
from sfo.program_repair.validation_tests import PatchValidationTests


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutedExample:
    """An executed example: ``judged`` ends where its output differs, ``whole`` is the same whatever it prints."""

    example: Example
    judged: Execution
    whole: Execution


def plausible_patches_of_examples(
    program: Program,
    examples: Sequence[ExecutedExample],
    rounds: int,
    order: Sequence[UnitId],
    options: PipelineOptions,
) -> Repairs:
    """Edits after which all ``examples`` pass, at the units in ``order`` that all failing ones cover.

    Where there are none, those after which one of the first failing ones passes and as many others as with no other
    edit, and all that passed. ``rounds`` is how long the longest loop was in any of them.
    """
    failing = [one for one in examples if one.judged.outcome == "fail"]
    passing = [one for one in examples if one.judged.outcome == "pass"]
    uneditable = program.specifying | options.no_suspects(program)

    def searched(mended: Sequence[ExecutedExample]) -> Repairs:
        clock = BudgetClock(policy().given_tests.repair_seconds * options.effort, factor=options.effort)
        judge = _Judge(
            program=program,
            mended=mended,
            others=[one for one in failing if one not in mended],
            passing=passing,
            iterations=4 * rounds + policy().validation.more_rounds,
            clock=clock,
        )
        common = frozenset.intersection(*(one.judged.covered for one in mended)) - uneditable
        tests = PatchValidationTests(
            failing=[_failing(one) for one in mended],
            passing=[one.whole for one in passing],
            bound=Bound(unwind=None, free=True),
            properties=program.properties,
            left_out=(),
            rounds=rounds,
            solver=options.solver,
        )
        units = [unit for unit in order if unit in common]
        found = search_plausible_patches(
            program, units, tests, judge.judged, clock, options.jobs, options.native
        )
        return replace(found, failing=len(failing))

    found = searched(failing)
    if found.undecided or len(failing) == 1:
        return found
    partial = (searched([one]) for one in failing[: policy().given_tests.mended_alone])
    return next((one for one in partial if one.undecided), found)


def _failing(one: ExecutedExample) -> Execution:
    """The whole execution of a failing example, as one that fails by what it prints, unless it ends otherwise."""
    if one.whole.outcome == "fail" or one.whole.ended == ENDLESS:
        return replace(one.whole, outcome="fail")
    return replace(one.whole, outcome="fail", property=EXAMPLE, expected=one.judged.expected)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Judge:
    """Judge of edits: executes them on the examples that have to pass, those to be ``mended`` first."""

    program: Program
    mended: Sequence[ExecutedExample]
    others: Sequence[ExecutedExample]
    passing: Sequence[ExecutedExample]
    iterations: int
    clock: BudgetClock
    terms: Terms = field(default_factory=Terms)

    def judged(self, variant: RepairSchemataVariant) -> tuple[int, int] | None:
        """Test oracle: how many passing examples cover the same as before, and how many failing ones pass."""
        ids = unit_ids_after_edit_of_schemata(variant.program.units, self.program.units)
        compared = frozenset(ids.values())
        kept = 0
        for one in (*self.mended, *self.passing):
            execution = self._executed(variant, one)
            if execution is None or execution.outcome != "pass":
                return None
            covered = frozenset(ids[unit] for unit in execution.covered if unit in ids)
            kept += one.judged.outcome == "pass" and covered == one.judged.covered & compared
        others = (self._executed(variant, one) for one in self.others)
        return kept, len(self.mended) + sum(one is not None and one.outcome == "pass" for one in others)

    def _executed(self, variant: RepairSchemataVariant, one: ExecutedExample) -> Execution | None:
        settings: Mapping[str, int | None] = variant.settings(0)
        try:
            with self.clock.within(policy().validation.execution_seconds):
                return execute_example(
                    variant.program,
                    one.example,
                    one.judged.id,
                    one.example.expected,
                    iterations=self.iterations,
                    settings=settings,
                    terms=self.terms,
                ).execution
        except (InputError, ResourceError, UsageError):
            return None
