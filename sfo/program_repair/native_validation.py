"""Native patch validation of single edits: most candidates fail natively on a known execution, and need no interpreter.

    1,740 candidates on 22 executions: 1,582 fail on one of them natively; 158 are left for the interpreter

One compiled meta-program holds the candidates that are expressions of the right type in a unit, and those that change
a statement or a declaration of a function, each in a clone of it. What an execution fails with natively is rejected, as
a violation on known inputs, or as an execution without end; what seems to overfit waits for the others. Whatever does
well is validated by the interpreter, and so is what cannot be compiled, and edits outside of functions. In a hole
likely constants are tried: those near what stood there, of the program, and of the executions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import Final, TypeAlias, final

from cfrontend.edit.candidate import Candidate, candidate_is_hollow_with
from cfrontend.edit.function_clones import function_text_around, function_texts_to_clone
from cfrontend.edit.text import SourceText
from cfrontend.effort import SECOND, charge_effort
from cfrontend.encoded_program import EXAMPLE
from cfrontend.errors import SfoError
from cfrontend.goto.spoken_constants import spoken_integers
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.units import InputNumber, Property
from sfo.core.budget import BudgetClock
from sfo.core.executions import ENDLESS, Execution, Native
from sfo.core.policy import policy
from sfo.execution.native.build import NumberedCandidates
from sfo.execution.native.execute import interpreted_native_execution
from sfo.execution.native.input_population import InputPopulation, native_input_population
from sfo.execution.native.validate_patches import (
    BEYOND,
    FAILS,
    GOOD,
    LATE,
    MOST_SEEN,
    STRAYS,
    ValidatePatchesNatively,
    can_validate_patches_natively,
)
from sfo.program_repair.candidates import repair_search_numbers_of_reference
from sfo.program_repair.patch_validation import PatchValidation, new_patch_validation
from sfo.program_repair.schemata import RepairSchemataMaker, schemata_candidate_reads
from sfo.program_repair.validation_tests import PatchValidationTests

Question: TypeAlias = tuple[int, int]
"""The number of an edit, and the constant in its hole; 0 without one."""

Answer: TypeAlias = tuple[int, int]
"""An answer of the compiled program, and the number of the last execution, or of those that go on as before."""

_MOST: Final = 1 << 31
"""Constants of holes are of type int."""

_REJECTING: Final = frozenset({FAILS, LATE})
"""Answers after which an edit is no repair: an execution that must not fail does, or takes many times as long."""

_DOING_WELL: Final = frozenset({GOOD, STRAYS})
"""Answers after which all executions go right."""

_ASSERTION: Final = re.compile(r"(?:assert|__CPROVER_assert)\s*\(")
"""Calls that state a property and are expressions of C."""

_REDEFINED: Final = re.compile(r"#\s*define\s+(?:assert|__CPROVER_assert)\b")

_EXECUTION: Final = 3_000
"""Price of one native execution of an edited program."""

_COMPILING: Final = 150_000_000
"""Price of compiling a meta-program, besides that of its candidates."""

_COMPILED: Final = 100_000
"""Price of compiling one candidate of it."""

_COMPILED_CHARACTER: Final = 2_000
"""Price of compiling one character of a function that is there once more for a candidate."""


@final
@dataclass(frozen=True, slots=True)
class NativeValidationVerdicts:
    """Verdicts of native executions on candidates, by their places.

    ``rejected`` are those with which an execution fails that must not. ``constants`` has, for each candidate with a
    hole that was tried, those of the likely constants with which none is known to fail, the likeliest first.
    ``refuting`` are executions on other inputs with which candidates fail that do well with all that are known.
    ``straying`` are candidates after which no passing execution covers what it did before, or no failing one reads as
    much: they likely overfit. With those that fail ``beyond``, executions fail that read more inputs than are known.
    With the ``right`` ones, and the constant in their hole or 0, all known executions go right; they have the number of
    passing ones that cover what they did before, or where none is known of failing ones that still cover all that they
    did; None where that is not seen. ``mended`` has, where no candidate is right beside examples, those with which some
    failing one passes and no passing one fails: with how many of the first few. ``confirmed`` are further
    executions of the program as it is: those with which the most candidates failed that do well with all known ones.
    """

    rejected: frozenset[int] = frozenset()
    constants: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    refuting: Mapping[int, Execution] = field(default_factory=dict)
    straying: frozenset[int] = frozenset()
    beyond: frozenset[int] = frozenset()
    right: Mapping[tuple[int, int], int | None] = field(default_factory=dict)
    mended: Mapping[tuple[int, int], int] = field(default_factory=dict)
    confirmed: tuple[Execution, ...] = ()


def native_validation_of_candidates(
    edits: RepairSchemataMaker,
    candidates: Sequence[Candidate],
    executions: PatchValidationTests,
    clock: BudgetClock,
    jobs: int,
    native: Native = "sandboxed",
    before: PatchValidation | None = None,
) -> NativeValidationVerdicts:
    """Verdicts on those of ``candidates`` that one compiled program can hold; what it does with ``executions`` counts.

    ``before`` holds edited programs against these executions, and has held none so far.

    There are none where too few candidates are worth a compiler, or where the program cannot be compiled.
    """
    known = (*executions.failing, *executions.others, *executions.passing)
    tests = [native_validation_with_places(edits.program, execution) for execution in known]
    has_examples = any(test.property == EXAMPLE for test in tests)
    places, cloned = _compilable(edits, candidates, has_examples=has_examples)
    if (
        len(places) + len(cloned) < policy().validation.worth_compiling
        or not executions.checks_all
        or not can_validate_patches_natively(edits.program, tests, beside_reference=True, with_harness=True)
    ):
        return NativeValidationVerdicts()
    # Beside a reference, or examples, it is not known what other executions have to print.
    is_open = edits.program.reference is None and not has_examples
    before = before or new_patch_validation(edits.program, executions, clock)
    most = _most_executions(before)
    fitting = edits.fitting(candidates, _worth_asking(places, most))
    charge_effort(_COMPILING + _COMPILED * len(fitting) + _COMPILED_CHARACTER * sum(cloned.values()))
    held = (*fitting, *cloned)
    numbered = [(number, candidates[place]) for number, place in enumerate(held, start=1)]
    lost = policy().validation.lost_seconds
    seconds = lost if clock.seconds is None else min(lost, clock.seconds)
    population = InputPopulation()
    try:
        with ValidatePatchesNatively.of_single_edits(
            edits.program, numbered, jobs, seconds, native, _assertions(edits, before, executions)
        ) as trial:
            questions = _questions(edits, [one for one in numbered if one[0] not in trial.refused], tests)
            order = sorted(range(len(held)), key=held.__getitem__)
            if is_open:
                population = native_validation_population(trial, edits.program, tests, most, seconds)
            every = (*tests, *population.failing, *population.passing)
            counts = len(executions.failing), len(tests)
            asker = _Asker(clock, trial, seconds, questions, [1 + n for n in order], every, *counts, most)
            answers = asker.answers()
            mended = asker.mended(answers) if has_examples else {}
    except SfoError:
        return NativeValidationVerdicts()
    charge_effort(_EXECUTION * len(answers) * len(tests))
    found = _verdicts(candidates, held, answers, mended, len(tests), every)
    confirmed = native_validation_confirmed(
        edits.program, population, found.refuting.values(), policy().population.confirmed, clock
    )
    return _with_confirmed(found, confirmed)


def _compilable(
    edits: RepairSchemataMaker, candidates: Sequence[Candidate], *, has_examples: bool
) -> tuple[list[int], dict[int, int]]:
    """The places of those ``candidates`` that are expressions of a unit, and of those in clones with their sizes."""
    units = {unit.id for unit in edits.program.units}
    places = [
        place
        for place, one in enumerate(candidates)
        if one.unit in units and one.is_expression and one.file in edits.program.paths
    ]
    cloned = _in_clones(edits, candidates)
    if has_examples:
        # The compiled program is given values, not the text of an example that these are read from.
        places = [place for place in places if not schemata_candidate_reads(candidates[place])]
        cloned = {n: size for n, size in cloned.items() if not schemata_candidate_reads(candidates[n])}
    return places, cloned


def _with_confirmed(
    verdicts: NativeValidationVerdicts, confirmed: Mapping[tuple[InputNumber, ...], Execution]
) -> NativeValidationVerdicts:
    """``verdicts`` with ``confirmed`` executions as known ones: what they refute is rejected.

    Those are left out that do not come to all of their inputs: the edited program may have come to more of them.
    """
    confirmed = {vector: one for vector, one in confirmed.items() if one.vector == vector}
    rejected = {place for place, execution in verdicts.refuting.items() if execution.vector in confirmed}
    return replace(
        verdicts,
        rejected=verdicts.rejected | rejected,
        refuting={place: one for place, one in verdicts.refuting.items() if place not in rejected},
        confirmed=tuple(confirmed.values()),
    )


def _assertions(
    edits: RepairSchemataMaker, before: PatchValidation, executions: PatchValidationTests
) -> dict[str, int]:
    """The assertions that failing executions violate and alternatives of these, with numbers behind those of the units.

    There are none where a violated one is no call that stands in a file as it is.
    """
    violated = {execution.property for execution in executions.failing}
    items = [item for item in edits.program.properties if item.id in violated]
    first = 1 + max((unit.id for unit in edits.program.units), default=0)
    if first + len(items) > MOST_SEEN or not all(_is_call(item, edits.sources) for item in items):
        return {}
    lines = before.baseline.alternatives
    others = [
        item
        for item in edits.program.properties
        if item.location.line in lines and item.id not in violated and _is_call(item, edits.sources)
    ]
    seen = (*items, *others)[: MOST_SEEN - first]
    return {item.id: number for number, item in enumerate(seen, start=first)}


def _is_call(item: Property, sources: Mapping[str, SourceText]) -> bool:
    """True if a property is an assertion that stands in a file as the call of a library function or macro."""
    source = sources.get(item.location.file)
    span = None if source is None else source.span(item.location)
    if source is None or span is None or item.kind != "assert":
        return False
    return _ASSERTION.match(source.text, span[0]) is not None and _REDEFINED.search(source.text) is None


def _verdicts(
    candidates: Sequence[Candidate],
    held: Sequence[int],
    answers: Mapping[Question, Answer],
    mended: Mapping[Question, int],
    known: int,
    executions: Sequence[Execution],
) -> NativeValidationVerdicts:
    """The verdicts by the ``answers`` on ``executions``, the first ones ``known``; ``held`` are places by number."""
    rejected: set[int] = set()
    likely: dict[int, tuple[int, ...]] = {}
    refuting: dict[int, Execution] = {}
    straying: set[int] = set()
    beyond: set[int] = set()
    right: dict[tuple[int, int], int | None] = {}
    for (number, constant), (answer, at) in answers.items():
        place = held[number - 1]
        if candidates[place].has_hole:
            likely_so_far = likely.get(place, ())
            likely[place] = likely_so_far if answer in _REJECTING else (*likely_so_far, constant)
        elif answer in _REJECTING and at < known:
            rejected.add(place)
        elif answer == FAILS:
            refuting[place] = executions[at]
        elif answer == STRAYS and candidates[place].form != "statement":  # its units have no names in a clone
            straying.add(place)
        elif answer == BEYOND:
            beyond.add(place)
        if answer in _DOING_WELL:
            right[place, constant] = None if candidates[place].form == "statement" else at
    return NativeValidationVerdicts(
        rejected=frozenset(rejected),
        constants=likely,
        refuting=refuting,
        straying=frozenset(straying),
        beyond=frozenset(beyond),
        right=right,
        mended={(held[number - 1], constant): count for (number, constant), count in mended.items()},
    )


def _in_clones(edits: RepairSchemataMaker, candidates: Sequence[Candidate]) -> dict[int, int]:
    """The places of candidates that are no expressions, with the characters of the functions that hold them.

    They are as many of the first ones as the policy takes characters.
    """
    functions = {
        path: function_texts_to_clone(edits.program.tree, path, source.text)
        for path, source in edits.sources.items()
        if path in edits.program.paths
    }
    found: dict[int, int] = {}
    left = policy().validation.most_cloned
    for place, candidate in enumerate(candidates):
        around = (
            None
            if candidate.is_expression
            else function_text_around(functions.get(candidate.file, ()), candidate)
        )
        if around is not None and around.end - around.head <= left:
            found[place] = around.end - around.head
            left -= found[place]
    return found


def _most_executions(before: PatchValidation) -> int:
    """Native executions that are worth their effort, by what the interpreter takes for known ones without an edit."""
    return int(policy().validation.seconds_as_if_interpreted * SECOND / before.effort_of_an_execution)


def _worth_asking(places: Sequence[int], most: int) -> Sequence[int]:
    """Places of the candidates to compile: all, or the likeliest, as many as ``most`` executions allow."""
    is_little = len(places) * policy().validation.executions_of_a_question > most
    return places[: most // 2] if is_little else places


@final
@dataclass(frozen=True, slots=True)
class _Asker:
    """Asks a compiled program ``questions`` on ``executions``, of which the first ``failing`` ones fail.

    ``order`` has the numbers of the edits, the likeliest first. Of so many executions it is ``known`` what they do
    without an edit; ``most`` executions are worth their effort. No question takes more ``seconds``. The ``clock``
    counts them.
    """

    clock: BudgetClock
    trial: ValidatePatchesNatively
    seconds: float
    questions: Mapping[int, Sequence[int]]
    order: Sequence[int]
    executions: Sequence[Execution]
    failing: int
    known: int
    most: int

    def answers(self) -> dict[Question, Answer]:
        """The answer to each question that is asked. Those of one edit stand in the order of its constants."""
        each = policy().validation.constants_of_a_round
        asked = sum(min(len(constants), each) for constants in self.questions.values())
        # Most questions end with the first of the executions.
        is_short = asked * policy().validation.executions_of_a_question <= self.most
        return self._all(each) if is_short else self._likeliest(each)

    def mended(self, answers: Mapping[Question, Answer]) -> dict[Question, int]:
        """Partial patches: with how many of the first few failing executions each passes, where no passing one fails.

        Without any entry where all of them pass with some edit, or there is only one.
        """
        if self.failing == 1 or any(answer in _DOING_WELL for answer, _ in answers.values()):
            return {}
        few = min(self.failing, policy().given_tests.partial_examples)
        asked = [one for one, (answer, _) in answers.items() if answer != LATE]
        charge_effort(_EXECUTION * few * len(asked))
        counts: Counter[Question] = Counter()
        size, spent = policy().validation.questions_of_a_part, 0
        for execution in self.executions[:few]:
            found, more = self._in_parts(asked, [execution], size, self.most - spent)
            counts.update(one for one, (answer, _) in found.items() if answer in _DOING_WELL)
            spent += more
        passing = self.executions[self.failing : self.known]
        kept = self._asked(list(counts), passing) if passing else dict.fromkeys(counts, (GOOD, 0))
        return {one: counts[one] for one in counts if kept[one][0] in _DOING_WELL}

    def _all(self, each: int) -> dict[Question, Answer]:
        """Constants are asked about in rounds, and no more of an edit that does well with as many as are of use."""
        answers: dict[Question, Answer] = {}
        good: Counter[int] = Counter()
        begin = spent = 0
        size = policy().validation.questions_of_a_part
        while asked := [
            (number, constant)
            for number in filter(self.questions.__contains__, self.order)
            if good[number] < policy().repair.likely_constants
            for constant in self.questions[number][begin : begin + each]
        ]:
            found, more = self._in_parts(asked, self.executions, size, self.most - spent)
            spent += more
            answers.update(found)
            good.update(number for (number, _), (answer, _) in found.items() if answer not in _REJECTING)
            begin += each
        return answers

    def _likeliest(self, each: int) -> dict[Question, Answer]:
        """The failing executions reject most edits, for half of the effort; the passing ones are for what is left.

        What does well with all of these is held against the further ones.
        """
        numbers = filter(self.questions.__contains__, self.order)
        plain_first = sorted(numbers, key=lambda n: len(self.questions[n]) > 1)
        asked = [(number, constant) for number in plain_first for constant in self.questions[number][:each]]
        size = policy().validation.questions_of_a_part
        first, spent = self._in_parts(asked, self.executions[: self.failing], size, (self.most + 1) // 2)
        left = [one for one, answer in first.items() if answer[0] not in _REJECTING]
        known, every = self.executions[: self.known], self.executions
        second, _ = self._in_parts(left, known, size // self.known, self.most - spent)
        good = [one for one in left if one in second and second[one][0] == GOOD]
        more = int(policy().population.part * self.most)
        third, _ = self._in_parts(good, every, size // len(every), more)
        rejected = {one: answer for one, answer in first.items() if answer[0] in _REJECTING}
        return {**rejected, **second, **third}

    def _in_parts(
        self, asked: Sequence[Question], executions: Sequence[Execution], size: int, most: int
    ) -> tuple[dict[Question, Answer], int]:
        """Answers to parts of ``size`` questions each, until they took ``most`` executions; and how many they took.

        Those that were lost are left out.
        """
        answers: dict[Question, Answer] = {}
        spent, size = 0, max(1, size)
        for begin in range(0, len(asked), size):
            if spent >= most:
                break
            self.clock.count(begin, len(asked))
            for one, (answer, at) in self._asked(asked[begin : begin + size], executions).items():
                if answer:
                    answers[one] = answer, at
                    spent += at + 1 if answer in _REJECTING else len(executions)
                    # One that is late has gone on for as many times as long as it was given.
                    spent += policy().validation.times_as_late if answer == LATE else 0
        return answers, spent

    def _asked(self, asked: Sequence[Question], executions: Sequence[Execution]) -> dict[Question, Answer]:
        """The answers of the compiled program, 0 to a question that was lost."""
        numbers, constants = [(number, 0) for number, _ in asked], [constant for _, constant in asked]
        found, last = self.trial.validated(numbers, executions, self.seconds, constants)
        return dict(zip(asked, zip(found, last, strict=True), strict=True))


def native_validation_population(
    trial: ValidatePatchesNatively, program: Program, tests: Sequence[Execution], most: int, seconds: float
) -> InputPopulation:
    """Other inputs than those of ``tests``, of which so many executions are worth their effort in the whole search."""
    number = min(policy().population.drawn, int(policy().population.part * most))
    charge_effort(_EXECUTION * number)
    try:
        return native_input_population(trial, tests, _likely_constants(program, tests), number, seconds)
    except SfoError:
        return InputPopulation()


def native_validation_confirmed(
    program: Program,
    population: InputPopulation,
    refuting: Iterable[Execution],
    number: int,
    clock: BudgetClock,
) -> dict[tuple[InputNumber, ...], Execution]:
    """Executions of ``refuting`` whose native outcome without an edit the interpreter confirms, by their inputs.

    The interpreter executes so many of them, those first that refute the most edits.
    """
    failing = {execution.vector for execution in population.failing}
    counts = Counter(execution.vector for execution in refuting)
    first = [vector for vector, _ in counts.most_common(number)]
    found: dict[tuple[InputNumber, ...], Execution] = {}
    with clock.within(policy().population.confirming_seconds), suppress(SfoError):
        for vector in first:
            execution = interpreted_native_execution(program, vector)
            if execution is not None and execution.outcome == ("fail" if vector in failing else "pass"):
                found[vector] = execution
    return found


def native_validation_with_places(program: Program, execution: Execution) -> Execution:
    """``execution`` with the places of its inputs in memory counted, as a native execution needs them."""
    if all(value.memory is None or value.memory.ordinal is not None for value in execution.inputs):
        return execution
    found = interpreted_native_execution(program, execution.vector, is_endless=execution.ended == ENDLESS)
    return execution if found is None else replace(execution, inputs=found.inputs)


def _questions(
    edits: RepairSchemataMaker, numbered: NumberedCandidates, tests: Sequence[Execution]
) -> dict[int, tuple[int, ...]]:
    """The constants that the hole of each candidate is likely to have, by its number; 0 alone without a hole.

    First come those that the reference has more often than the program. Beside examples no constant is taken from their
    inputs: of seven such edits that were shown for Codeflaws none was right.
    """
    has_examples = any(test.property == EXAMPLE for test in tests)
    written = repair_search_numbers_of_reference(edits.program, edits.sources)
    meant = [int(number) for number in written if number.isdecimal() and not number.startswith("0")]
    usual = _likely_constants(edits.program, () if has_examples else tests)
    questions: dict[int, tuple[int, ...]] = {}
    for number, candidate in numbered:
        if not candidate.has_hole:
            questions[number] = (0,)
            continue
        before = edits.constant_at(candidate)
        near = 1 if has_examples else policy().validation.near
        around = (
            ()
            if before is None
            else sorted(range(before - near, before + near + 1), key=lambda c: abs(c - before))
        )
        tried = dict.fromkeys((*meant, *around, *usual))
        questions[number] = tuple(
            [one for one in tried if -_MOST <= one < _MOST and not candidate_is_hollow_with(candidate, one)]
        )
    return questions


def _likely_constants(program: Program, tests: Sequence[Execution]) -> list[int]:
    """Constants that stand in the program, inputs of the executions, and their neighbours: small ones first."""
    given = {value.value for test in tests for value in test.inputs if isinstance(value.value, int)}
    spoken = (*spoken_integers(program.goto), *given)
    around = {value + n for value in spoken for n in (-1, 0, 1)}.union(range(-1, 3))
    return sorted(around, key=lambda value: (abs(value), value < 0))[: policy().validation.most_constants]
