"""Plausible patches beside examples: what the search needs of a localisation by examples, and how it judges an edit.

An edit is judged by the interpreter, which sees what is undefined: it has to pass all
examples, those that failed first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from itertools import takewhile
from typing import final

from cfrontend.bound import Bound
from cfrontend.encoded_program import EXAMPLE
from cfrontend.errors import InputError, ResourceError, UsageError
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.terms import Terms
from cfrontend.units import UnitId
from sfo.core.budget import BudgetClock, BudgetedWork
from sfo.core.executions import ENDLESS, Execution
from sfo.core.policy import policy
from sfo.core.repairs import Repairs
from sfo.execution.example_executions import execute_example
from sfo.execution.examples import Example
from sfo.pipeline.options import PipelineOptions
from sfo.program_repair.plausible_patches import Gain, search_plausible_patches
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
    progress: Callable[[str], None],
    further: Sequence[Example] = (),
) -> Repairs:
    """Edits after which all ``examples`` pass, at the units in ``order``: first those that all failing ones cover.

    Where there are none, those after which most failing ones pass, then most print more that is right, and none is
    worse. ``rounds`` is how long the longest loop was in any of them.
    """
    # Short ones reject most edits.
    examples = sorted(examples, key=lambda one: sum(one.whole.counts.values()))
    failing = [one for one in examples if one.judged.outcome == "fail"]
    passing = [one for one in examples if one.judged.outcome == "pass"]
    clock = BudgetClock(policy().given_tests.repair_seconds * options.effort, factor=options.effort)
    progress(BudgetedWork("edits with which all examples pass", clock))
    judge = _Judge(
        program=program,
        failing=failing,
        passing=passing,
        further=further,
        iterations=4 * rounds + policy().validation.more_rounds,
        clock=clock,
    )
    uneditable = program.specifying | options.no_suspects(program)
    some, common = (
        join(*(one.judged.covered for one in failing)) - uneditable
        for join in (frozenset.union, frozenset.intersection)
    )
    tests = PatchValidationTests(
        failing=[_failing(one) for one in failing],
        passing=[one.whole for one in passing],
        bound=Bound(unwind=None, free=True),
        properties=program.properties,
        left_out=(),
        rounds=rounds,
        solver=options.solver,
    )
    units = sorted((unit for unit in order if unit in some), key=lambda unit: unit not in common)
    return search_plausible_patches(program, units, tests, judge, clock, options.jobs, options.native)


def _failing(one: ExecutedExample) -> Execution:
    """The whole execution of a failing example, as one that fails by what it prints, unless it ends otherwise."""
    if one.whole.outcome == "fail" or one.whole.ended == ENDLESS:
        return replace(one.whole, outcome="fail")
    return replace(one.whole, outcome="fail", property=EXAMPLE, expected=one.judged.expected)


def right_words(execution: Execution) -> int:
    """Number of words at the beginning of what an execution of an example prints that are as expected."""
    expected = (execution.example or b"").decode("utf-8", "surrogateescape").split()
    right = takewhile(lambda pair: pair[0] == pair[1], zip(execution.output.split(), expected, strict=False))
    return sum(1 for _ in right) + (execution.outcome == "pass")


def _unwritten_reads(execution: Execution) -> int:
    """Number of values that an execution reads from memory where nobody has written."""
    return sum(value.memory is not None for value in execution.inputs)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Judge:
    """Judge of edits: executes them on the examples, the ``failing`` ones first."""

    program: Program
    failing: Sequence[ExecutedExample]
    passing: Sequence[ExecutedExample]
    further: Sequence[Example]
    iterations: int
    clock: BudgetClock
    terms: Terms = field(default_factory=Terms)

    def judged(self, variant: RepairSchemataVariant) -> int | None:
        """Test oracle: how many passing examples cover the same as before; None where one does not pass."""
        for one in self.failing:
            execution = self._executed(variant, one)
            if execution is None or execution.outcome != "pass":
                return None
        return self._kept(variant)

    def differing(self, variant: RepairSchemataVariant, most: int) -> int | None:
        """On how many further examples the edited program prints something else than a reference, up to ``most``.

        None where there are none.
        """
        count, left = 0, self.clock.left
        for number, example in enumerate(self.further, start=1):
            if count == most:
                break
            execution = self._execution(variant, example, number)
            count += execution is None or execution.outcome != "pass"
        self.clock.restart(left)
        return count if self.further else None

    @property
    def further_count(self) -> int:
        """Number of further examples."""
        return len(self.further)

    def gained(self, variant: RepairSchemataVariant) -> tuple[Gain, int] | None:
        """Gain of a partial patch, and the number of passing examples that cover the same; None where any is worse."""
        mended = grown = 0
        for number, one in enumerate(self.failing):
            if number == policy().given_tests.partial_examples and not grown:
                return None
            execution = self._executed(variant, one)
            more = -1 if execution is None else right_words(execution) - right_words(one.judged)
            if more < 0:
                return None
            mended += execution is not None and execution.outcome == "pass"
            reads_less = execution is not None and _unwritten_reads(execution) < _unwritten_reads(one.judged)
            grown += more > 0 or reads_less
        kept = self._kept(variant) if grown else None
        return None if kept is None else ((mended, grown), kept)

    def _kept(self, variant: RepairSchemataVariant) -> int | None:
        """Regression test: the number of passing examples that cover the same; None where one no longer passes."""
        ids = unit_ids_after_edit_of_schemata(variant.program.units, self.program.units)
        compared = frozenset(ids.values())
        kept = 0
        for one in self.passing:
            execution = self._executed(variant, one)
            if execution is None or execution.outcome != "pass":
                return None
            covered = frozenset(ids[unit] for unit in execution.covered if unit in ids)
            kept += covered == one.judged.covered & compared
        return kept

    def _executed(self, variant: RepairSchemataVariant, one: ExecutedExample) -> Execution | None:
        return self._execution(variant, one.example, one.judged.id)

    def _execution(self, variant: RepairSchemataVariant, example: Example, number: int) -> Execution | None:
        settings: Mapping[str, int | None] = variant.settings(0)
        try:
            with self.clock.within(policy().validation.execution_seconds):
                return execute_example(
                    variant.program,
                    example,
                    number,
                    example.expected,
                    iterations=self.iterations,
                    settings=settings,
                    terms=self.terms,
                ).execution
        except (InputError, ResourceError, UsageError):
            return None
