"""Input population: inputs near known ones, of which native executions of the program as it is say how they end.

    known (31, 8, 2003) fails, (3, 5, 1999) passes   ->   (30, 11, 1999) and (31, 8, 1999) fail, (31, 12, 2003) passes

They are drawn in rounds. A later one changes what ended well in an earlier one, too, and knows between which values an
input of each place was good. What breaks an assumption is not of it, nor is what reads more inputs than there are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Final, TypeAlias, final

from cfrontend.elaborate.constants import wrap_constant
from cfrontend.errors import Location
from cfrontend.record import dataclass
from cfrontend.syntax.types import BOOL, CHAR, INT, SCHAR, SHORT, UCHAR, UINT, USHORT
from cfrontend.units import InputNumber
from sfo.core.executions import Execution, ExecutionInputValue
from sfo.core.policy import policy
from sfo.execution.native.validate_patches import (
    FAILED,
    PASSED,
    READ_BEYOND,
    ValidatePatchesNatively,
)

_Place: TypeAlias = tuple[Location, str]
"""Where inputs are read, and of which type."""

_NARROW: Final = {type_.name: type_ for type_ in (CHAR, SCHAR, UCHAR, SHORT, USHORT, INT, UINT)}
"""Integer types whose values have less bits than a word, whatever the data model."""


@final
@dataclass(frozen=True, slots=True)
class InputPopulation:
    """Executions without an outcome, as only native ones say that they are ``failing`` or ``passing`` without an edit.

    First come those on ways of which there is no other one before.
    """

    failing: tuple[Execution, ...] = ()
    passing: tuple[Execution, ...] = ()


def native_input_population(
    trial: ValidatePatchesNatively,
    known: Sequence[Execution],
    constants: Sequence[int],
    number: int,
    seconds: float,
) -> InputPopulation:
    """The population near ``known`` executions that so many drawn inputs give, the same whenever these are.

    ``constants`` are those of the program. Raises ResourceError where the process of ``trial`` was lost.
    """
    draw = _Draw(known, constants)
    ended: dict[int, list[tuple[int, Execution]]] = {PASSED: [], FAILED: []}
    rounds = policy().population.rounds
    for _ in range(rounds):
        drawn = draw.executions(number // rounds)
        for (end, way), execution in zip(trial.ends(drawn, seconds), drawn, strict=True):
            if end in ended:
                ended[end].append((way, execution))
                draw.learn(execution, way)
            elif end == READ_BEYOND:
                draw.reads_more = True
    return InputPopulation(
        _different_first(ended[FAILED])[: policy().population.failing],
        _different_first(ended[PASSED])[: policy().population.passing],
    )


def _different_first(executions: Iterable[tuple[int, Execution]]) -> tuple[Execution, ...]:
    """``executions`` with their ways: the first one of each way before the second of any."""
    turns: Counter[int] = Counter()
    ordered: list[tuple[int, int, Execution]] = []
    for place, (way, execution) in enumerate(executions):
        turns[way] += 1
        ordered.append((turns[way], place, execution))
    return tuple([execution for _, _, execution in sorted(ordered, key=lambda one: one[:2])])


@final
class _Draw:
    """Drawing of inputs near ``known`` executions, and near those that were learned.

    ``reads_more``: executions have read more inputs than there were.
    """

    def __init__(self, known: Sequence[Execution], constants: Sequence[int]) -> None:
        self._chance: Final = Random(0)  # noqa: S311 - a repeatable choice, no secret
        self._constants: Final = constants
        self._known: Final = [one for one in known if any(map(_is_integer, one.inputs))]
        self._other: Final[list[Execution]] = []
        self._ways: Final[set[int]] = set()
        self._seen: Final = {one.vector for one in known}
        self._values: Final[defaultdict[_Place, list[int]]] = defaultdict(list)
        self._ends: Final[dict[_Place, tuple[int, int]]] = {}
        self.reads_more = False
        for one in known:
            self._learn_values(one)

    def learn(self, execution: Execution, way: int) -> None:
        """Learn from an execution that broke no assumption and took this way."""
        self._learn_values(execution)
        if way not in self._ways:
            self._ways.add(way)
            self._other.append(execution)

    def executions(self, number: int) -> list[Execution]:
        """So many executions on other inputs than all before, or fewer where they are hard to come by."""
        found: list[Execution] = []
        for _ in range(2 * number if self._known else 0):
            if len(found) == number:
                break
            near = self._other if self._other and self._chance.random() < 0.5 else self._known
            made = self._changed(self._chance.choice(near))
            if made.vector not in self._seen:
                self._seen.add(made.vector)
                found.append(made)
        return found

    def _learn_values(self, execution: Execution) -> None:
        for value in filter(_is_integer, execution.inputs):
            number, place = _integer(value.value), (value.location, value.type)
            least, most = self._ends.get(place, (number, number))
            self._ends[place] = min(least, number), max(most, number)
            if len(self._values[place]) < policy().population.values_of_a_place:
                self._values[place].append(number)

    def _changed(self, execution: Execution) -> Execution:
        """``execution`` without an outcome, with some of its inputs changed, or all."""
        chance, inputs = self._chance, list(execution.inputs)
        places = [n for n, value in enumerate(inputs) if _is_integer(value)]
        count = chance.choice((1, 1, 2, 2, 3, min(len(places), policy().population.most_changed)))
        for n in chance.sample(places, min(len(places), count)):
            inputs[n] = replace(inputs[n], value=_fitting(self._number(inputs[n], inputs), inputs[n].type))
        last = inputs[-1]
        if self.reads_more and last.memory is None and _is_integer(last):
            more = range(chance.randint(0, policy().population.more_inputs))
            inputs += [replace(last, value=_fitting(self._number(last, inputs), last.type)) for _ in more]
        return replace(execution, inputs=tuple(inputs), outcome=None)

    def _number(self, value: ExecutionInputValue, inputs: Sequence[ExecutionInputValue]) -> int:
        """Another value for an input: between what was good there or at its ends, near others, a constant, or any."""
        chance, own = self._chance, _integer(value.value)
        place = value.location, value.type
        kind = chance.random()
        if kind < 0.25:
            return chance.randint(*self._ends[place])
        if kind < 0.4:
            return chance.choice(self._ends[place]) + chance.choice((-1, 0, 1))
        if kind < 0.55:
            return chance.choice(self._values[place])
        if kind < 0.7:
            return chance.choice(self._constants or (own,))
        if kind < 0.8:
            return own + chance.choice((-2, -1, 1, 2))
        if kind < 0.9:
            others = [_integer(other.value) for other in inputs if _is_integer(other)]
            return chance.choice(others) + chance.choice((-1, 0, 0, 1))
        if kind < 0.97:
            return chance.randint(-2, chance.choice((4, 10, 100)))
        return chance.getrandbits(chance.randint(1, 32))


def _is_integer(value: ExecutionInputValue) -> bool:
    """True for an integer that is no address."""
    return isinstance(value.value, int) and not value.type.endswith("*")


def _integer(value: InputNumber) -> int:
    assert isinstance(value, int)
    return value


def _fitting(number: int, name: str) -> int:
    """``number`` as one that an input of the type with this name can have; any in wide types, whose low bits count."""
    if name == BOOL.name:
        return number & 1
    if (narrow := _NARROW.get(name)) is None:
        return number
    return wrap_constant(number, narrow)
