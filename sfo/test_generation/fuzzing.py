"""Fuzzing: executions on inputs tried one after the other, where formulas of all executions are too large.

    c='x' c='7' c=' '  ->  new coverage, kept;   c='x' c='7' c='+'  ->  fails

Inputs are drawn from what the program itself speaks of: its constants and the texts in it. Those that lead to new
coverage are kept, and changed here and there for the next executions. Where one breaks an assumption its last input is
drawn again. Seeds are fixed and rounds have their effort: what a round finds is the same on every machine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import TYPE_CHECKING, ClassVar, Final, final

from cfrontend import effort
from cfrontend.bound import larger_bounds
from cfrontend.encode_options import EncodeSuppliedValues
from cfrontend.errors import InputError, ResourceError
from cfrontend.goto.spoken_constants import spoken_integers, spoken_texts
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.terms import Terms
from cfrontend.units import CHARACTER_TYPES, InputNumber, InputSite, UnitId
from sfo.core.budget import BudgetClock
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import ASSUMPTION_BROKEN, Execution, Native
from sfo.core.interpret import interpret
from sfo.core.policy import policy
from sfo.oracles.bounded import BoundedOracle
from sfo.oracles.protocol import Found, PoolOracle, UnknownOracleAnswer
from sfo.oracles.query_loop import QueryLoop

_END: Final = -1
"""What a function that reads characters answers at the end of the input."""

_MOST_TERMS: Final = 300_000
"""Terms of fuzzed executions that are kept for the next ones, which share the compiled program with them."""

_LETTERS: Final = b"0123456789 \nabcxyzABXZ.,-+*/()=_\t"
"""Characters that texts are made of."""

_FLOATS: Final = ("0.0", "1.0", "-1.0", "0.5", "2.0", "3.5", "10.0", "-7.25", "100.0", "1e-3", "1e6")
"""Floating-point numbers that are drawn."""

if TYPE_CHECKING:
    from sfo.execution.native.fuzz import NativeFuzzer, NativeFuzzSighting


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzedExecutions:
    """Failing executions and passing ones with pairwise different coverage, and ``others`` that fail as one of them.

    ``unwindset`` is the bound, loop by loop, that all of them need. ``hints`` are inputs of calls on which others are
    said to fail.
    """

    failing: tuple[Execution, ...]
    passing: tuple[Execution, ...]
    others: tuple[Execution, ...] = ()
    unwindset: Mapping[str, int]
    hints: tuple[tuple[InputNumber, ...], ...] = ()


@final
class Fuzzer:
    """Executions of ``program`` on drawn inputs; only a violation of one of ``properties`` is a failure.

    Unless ``native`` executions are off, compiled code looks for such inputs, too.
    """

    def __init__(self, program: Program, properties: Collection[str], native: Native = "sandboxed") -> None:
        self._program = program
        self._native = native
        self._properties = properties
        self._draw = _Draw(program)
        self._failing: dict[frozenset[UnitId], Execution] = {}
        self._passing: dict[frozenset[UnitId], Execution] = {}
        self._others: list[Execution] = []
        self._unwindset: dict[str, int] = {}
        self._told: list[NativeFuzzSighting] = []
        self._doubts = 0
        self._turn = False
        self._terms = Terms()

    def rounds(self, seconds: float) -> Iterator[FuzzedExecutions]:
        """Rounds of so many seconds of effort: after each, what is found so far.

        The last one is that in which some executions fail. That none does means nothing: only some inputs are tried.
        The effort is counted apart from that of others.
        """
        # Most commands try nothing, and do not pay for the import.
        from sfo.execution.native.fuzz import FuzzingDictionary, NativeFuzzer

        words = FuzzingDictionary(numbers=self._draw.constants, texts=self._draw.texts)
        with NativeFuzzer(self._program, words, self._native) as natively:
            for number in count(1):
                self._round(natively, seconds)
                if self._failing:
                    further = self._further_seconds(number * seconds)
                    self._round(natively, further)
                yield self.found()
                if self._failing:
                    return

    def _further_seconds(self, seconds: float) -> float:
        """Effort for further failing executions where the first one took so many seconds."""
        further = max(policy().fuzzing.least_seconds, policy().fuzzing.more_time * seconds)
        return min(further, policy().portfolio.round) if self._draw.is_function else further

    def _round(self, natively: NativeFuzzer, seconds: float) -> None:
        """One round: inputs of our own first, while compiled code is at work, and then those that it tells of."""
        shares = policy().fuzzing
        work, part = shares.native_work * seconds, shares.own_part
        if self._draw.is_function:
            # What else fails natively is known soon, and nobody hears of the first failure before.
            work = shares.native_work_in_function * min(seconds, policy().portfolio.round)
            part = shares.own_part_in_function
        with effort.effort_apart():
            clock = BudgetClock(seconds)
            natively.order(round(work))
            own = seconds if natively.is_over else part * seconds
            while clock.left > seconds - own and not self._is_told_of_failing:
                self._execute_next(natively)
            news = natively.sightings()
            self._told += news
            self._told.sort(key=lambda one: (one.outcome != "fail", one.blocks))
            while not clock() and (self._is_told_of_failing or self._failing):
                self._execute_next(natively)
            if not self._failing:
                self._look_closer(news, BudgetClock(shares.closer_part * seconds))

    def _look_closer(self, news: Sequence[NativeFuzzSighting], clock: BudgetClock) -> None:
        """Execute what passes natively, the last first, until one fails: gcc's code does not see all checks."""
        for one in reversed(news):
            if self._failing or clock():
                return
            if one.outcome == "pass" and one in self._told:
                self._told.remove(one)
                self._is_new(
                    self._draw.told(one.values), policy().fuzzing.seconds_beside_native, _rounds(one)
                )

    def found(self) -> FuzzedExecutions:
        """What is found so far."""
        failures = sorted(
            self._failing.values(), key=lambda execution: (len(execution.covered), len(execution.inputs))
        )
        known = {execution.vector for execution in failures}
        similar = [execution for execution in self._others if execution.vector not in known]
        found = [*failures, *self._passing.values(), *similar]
        executions = [replace(execution, id=number) for number, execution in enumerate(found, start=1)]
        failing, others = len(failures), len(found) - len(similar)
        return FuzzedExecutions(
            failing=tuple(executions[:failing]),
            passing=tuple(executions[failing:others]),
            others=tuple(executions[others:]),
            unwindset=self._unwindset,
            hints=tuple(one.values for one in self._told if one.outcome == "fail")[
                : policy().fuzzing.most_hints
            ],
        )

    @property
    def _is_told_of_failing(self) -> bool:
        return (
            bool(self._told)
            and self._told[0].outcome == "fail"
            and self._doubts <= policy().fuzzing.most_doubts
        )

    def _execute_next(self, natively: NativeFuzzer) -> None:
        """Execute on the next input: one that was told of, or else one of our own."""
        if not self._is_told_of_failing and not (self._told and self._failing):
            seconds = (
                policy().fuzzing.execution_seconds
                if natively.is_over
                else policy().fuzzing.seconds_beside_native
            )
            self._is_new(self._draw.supply(), seconds, policy().fuzzing.rounds)
            return
        told = self._take()
        known = len(self._failing)
        is_new = self._is_new(self._draw.told(told.values), policy().fuzzing.told_seconds, _rounds(told))
        if told.outcome == "fail":
            self._doubts = 0 if is_new or known else self._doubts + 1

    def _note(self, execution: Execution) -> None:
        """Keep a failing execution that has the coverage of another one."""
        if len(self._others) < policy().fuzzing.most_others and all(
            execution.vector != other.vector for other in self._others
        ):
            self._others.append(execution)

    def _take(self) -> NativeFuzzSighting:
        """The next that was told of: one that fails, and in turns with these, once one has failed here, another one."""
        self._turn = not self._turn
        first = self._told[0]
        if self._failing and self._turn:
            first = next((one for one in self._told if one.outcome == "pass"), first)
        self._told.remove(first)
        return first

    def _is_new(self, supply: _Supply, seconds: float, rounds: int) -> bool:
        """Execute the program on ``supply`` for so many seconds of effort, and rounds of a loop.

        True if it fails in a new way.
        """
        if len(self._terms) > _MOST_TERMS:
            self._terms = Terms()
        try:
            with effort.within_effort(seconds * effort.SECOND):
                inputs = EncodeSuppliedValues(supply)
                encoded = interpret(self._program, inputs, rounds, terms=self._terms)
        except (InputError, ResourceError):
            return False
        if encoded.concrete.missing_input is not None:
            return False
        execution = decode_only_execution(encoded, 0, self._properties)
        known = self._failing if execution.outcome == "fail" else self._passing
        is_new = execution.outcome is not None and execution.covered not in known
        self._draw.learn(supply, is_new=is_new, breaks=execution.ended == ASSUMPTION_BROKEN)
        is_shorter = execution.covered in known and len(execution.inputs) < len(
            known[execution.covered].inputs
        )
        if execution.outcome == "fail" and (is_new or is_shorter):
            self._draw.shorten(supply)
        if execution.outcome == "fail" and not is_new:
            self._note(known[execution.covered] if is_shorter else execution)
        if is_new or is_shorter:
            known[execution.covered] = execution
            self._unwindset = larger_bounds(self._unwindset, encoded.unrolled.unwindset)
        return is_new and execution.outcome == "fail"


@final
class FuzzingOracle(BoundedOracle):
    """An oracle that chooses among executions found by fuzzing; what they do not show is not known."""

    lacks: ClassVar = {
        **BoundedOracle.lacks,
        "proofs": "these executions are on inputs that were tried one after the other: nothing is proved of others",
    }

    def __init__(self, tried: FuzzedExecutions, loop: QueryLoop) -> None:
        self.loop = loop
        self.unwindset = tried.unwindset
        self.others = tried.others
        self._pool = PoolOracle((*tried.failing, *tried.passing))
        self._failing = tried.failing

    def failing(self, not_all_of: Collection[UnitId] | None = None, *, effort: int | None = None) -> Found:  # noqa: ARG002 - none is needed
        """A failing execution that does not cover all of ``not_all_of``."""
        if not_all_of is not None and not not_all_of:
            return None
        return self._pool.failing(not_all_of) or UnknownOracleAnswer("tried")

    def passing(self, unlike: Sequence[frozenset[UnitId]]) -> Found:
        """A passing execution whose covered set is none of ``unlike``."""
        return self._pool.passing(unlike) or UnknownOracleAnswer("tried")

    def violating(self, properties: Collection[str]) -> Found:
        """An execution that fails by violating one of ``properties``."""
        found = (execution for execution in self._failing if execution.property in properties)
        return next(found, None if not properties else UnknownOracleAnswer("tried"))


@final
class _Draw:
    """Draws inputs, and learns from what they lead to."""

    def __init__(self, program: Program) -> None:
        self._chance = Random(0)  # noqa: S311 - a repeatable choice, no secret
        constants = sorted(set(spoken_integers(program.goto)))
        self.is_function: Final = program.start != "main"
        self._numbers = [0, 1, -1, *constants, *(c + 1 for c in constants), *(c - 1 for c in constants)]
        texts = sorted(set(spoken_texts(program.goto)))
        self.constants: Final = constants
        self.texts: Final = texts
        spoken = [c for c in constants if 32 <= c < 127 or c in (9, 10)] + [c for t in texts for c in t]
        self._characters = sorted(set(spoken)) or list(_LETTERS)
        self._kept: list[Sequence[InputNumber]] = []
        self._failing: list[InputNumber] = []
        self._prefix: Sequence[InputNumber] = ()
        self._bad: defaultdict[InputSite, set[InputNumber]] = defaultdict(set)
        self._good: defaultdict[InputSite, list[InputNumber]] = defaultdict(list)

    def supply(self) -> _Supply:
        """The inputs of the next execution."""
        prefix, self._prefix = self._prefix, ()
        if prefix:
            return _Supply(self, prefix, frozenset())
        if self._failing and self._chance.random() < policy().fuzzing.shorter_part:
            first = self._chance.randrange(len(self._failing))
            last = first + self._chance.randint(1, max(1, len(self._failing) // 2))
            return _Supply(self, [*self._failing[:first], *self._failing[last:]], frozenset())
        if self._kept and self._chance.random() < policy().fuzzing.kept_part:
            kept = self._chance.choice(self._kept)
            changes = frozenset(self._chance.randrange(len(kept)) for _ in range(self._chance.randint(1, 3)))
            if self._chance.random() < policy().fuzzing.cut_part:
                kept = kept[: self._chance.randrange(len(kept))]
            return _Supply(self, kept, changes)
        return _Supply(self, (), frozenset())

    def told(self, values: Sequence[InputNumber]) -> _Supply:
        """The inputs of a native execution."""
        return _Supply(self, values, frozenset(), only_calls=True)

    def learn(self, supply: _Supply, *, is_new: bool, breaks: bool) -> None:
        """Learn from an execution with new coverage, or from one that broke an assumption.

        The assumption is taken to be about its last input.
        """
        good = supply.given
        if breaks and good:
            site, value = good[-1]
            self._bad[site].add(value)
            good = good[:-1]
            self._prefix = [value for _, value in good]
        for site, value in good:
            if value not in self._good[site]:
                self._good[site].append(value)
        if is_new and good:
            self._kept.append([value for _, value in good])

    def shorten(self, supply: _Supply) -> None:
        """An execution has failed on inputs that are worth leaving out some."""
        if not self._failing or len(supply.given) < len(self._failing):
            self._failing = [value for _, value in supply.given]

    def drawn(self, site: InputSite, text: list[int]) -> InputNumber:
        """A value for an input; ``text`` are characters that were read in a row."""
        value = self._one(site, text)
        for _ in range(policy().fuzzing.tries):
            if value not in self._bad[site]:
                break
            value = self._one(site, text)
        return value

    def _one(self, site: InputSite, text: list[int]) -> InputNumber:
        chance = self._chance
        if site.floating:
            return chance.choice(_FLOATS)
        if site.type == "_Bool":
            return chance.randint(0, 1)
        if site.reading is not None and site.reading.is_character:
            return self._character(site, text)
        kind = chance.random()
        if site.type in CHARACTER_TYPES and kind < 0.5:
            return _fitting(chance.choice(self._characters), site)
        if kind < 0.55 and self._good[site]:
            return chance.choice(self._good[site])
        if kind < 0.7:
            return _fitting(chance.choice(self._numbers), site)
        if kind < 0.95:
            return _fitting(chance.randint(-2, chance.choice((4, 10, 100))), site)
        return _fitting(chance.getrandbits(chance.randint(1, site.width)), site)

    def _character(self, site: InputSite, text: list[int]) -> int:
        chance = self._chance
        if len(text) > policy().fuzzing.text_length:
            return _END if site.width > 8 else ord("\n")
        kind = chance.random()
        if kind < 0.04 and site.width > 8:
            return _END
        if kind < 0.55:
            return _fitting(chance.choice(self._characters), site)
        return _fitting(chance.choice(_LETTERS), site)


@final
class _Supply:
    """Supply of inputs for one execution: those of ``before``, but for the ``changes``, and then drawn ones.

    ``only_calls``: ``before`` has nothing for memory that nobody wrote, which is 0 then.
    """

    def __init__(
        self,
        draw: _Draw,
        before: Sequence[InputNumber],
        changes: Collection[int],
        *,
        only_calls: bool = False,
    ) -> None:
        self._draw = draw
        self._before = before
        self._changes = changes
        self._only_calls = only_calls
        self._calls = 0
        self._text: list[int] = []
        self.given: list[tuple[InputSite, InputNumber]] = []

    def __call__(self, site: InputSite) -> InputNumber | None:
        is_told = (
            self._only_calls and self._draw.is_function
        )  # of inputs of calls, which memory has no part in
        count = self._calls if is_told else len(self.given)
        if count >= max(policy().fuzzing.most_inputs, len(self._before)) and not (is_told and site.memory):
            return None
        if self._only_calls and site.memory is not None:
            self.given.append((site, nothing := "0.0" if site.floating else 0))
            return nothing
        number = self._calls
        self._calls += 1
        value: InputNumber
        if number < len(self._before) and number not in self._changes:
            value = self._before[number]
            value = value if site.floating == isinstance(value, str) else self._draw.drawn(site, self._text)
        else:
            value = self._draw.drawn(site, self._text)
        if isinstance(value, int) and not site.floating:
            value = _fitting(value, site)
        if site.reading is not None and site.reading.is_character and isinstance(value, int):
            self._text.append(value)
        self.given.append((site, value))
        return value


def _rounds(told: NativeFuzzSighting) -> int:
    """Rounds of a loop within which a native execution is followed: no loop of it had more than it had blocks."""
    return max(policy().fuzzing.rounds, told.blocks)


def _fitting(value: int, site: InputSite) -> int:
    """``value`` as one that the input can have."""
    value &= (1 << site.width) - 1
    return value - (1 << site.width) if site.signed and value >> (site.width - 1) else value
