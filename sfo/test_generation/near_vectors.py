"""Input vectors near those of known executions: some values changed, moved, left out or repeated.

    known (3, 7, 7)  ->  (3, 7, 8)  (4, 7, 7)  (3, 3, 7)  (3, 7, 7, 7)  ...

They are many and cheap to make, for programs that say in microseconds whether one is worth a look.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final, TypeAlias, final

from sfo.core.executions import Execution, ExecutionInputValue

NearVector: TypeAlias = tuple[ExecutionInputValue, ...]
"""Inputs of an execution that nobody has seen."""

_FURTHER: Final = 8
"""Inputs behind the end of a known vector, for executions that read more."""

_FAR: Final = (0, 1, -1, 127, 128, 255, 256, 32767, 65535, 2147483647, -2147483648)
"""Integers at which something often changes."""


@final
class NearVectors:
    """Maker of vectors near known ones; ``constants`` are those of the program. The same ones are always drawn."""

    def __init__(self, constants: Sequence[int]) -> None:
        self._chance: Final = Random(0)  # noqa: S311 - a repeatable choice, no secret
        self._numbers: Final = sorted({*_FAR, *(c + n for c in constants for n in (-1, 0, 1))})

    def of(self, known: Sequence[Execution], number: int) -> list[NearVector]:
        """So many vectors near the ``known`` executions, none of which has the inputs of one of these."""
        usable = [e.inputs for e in known if any(map(_is_changed, e.inputs))]
        seen = {_values(e.inputs) for e in known}
        found: list[NearVector] = []
        for _ in range(number if usable else 0):
            made = self._changed(self._chance.choice(usable))
            if _values(made) not in seen:
                seen.add(_values(made))
                found.append(made)
        return found

    def _changed(self, inputs: NearVector) -> NearVector:
        """Inputs with up to three changes, and further ones at the end."""
        values = list(inputs)
        for _ in range(self._chance.choice((1, 1, 2, 3))):
            self._change(values)
        called = [value for value in inputs if value.memory is None]
        last = called[-1] if called else inputs[-1]
        return (*values, *(self._other(last, values) for _ in range(_FURTHER if called else 0)))

    def _change(self, values: list[ExecutionInputValue]) -> None:
        """One change of some places."""
        chance, places = self._chance, [n for n, value in enumerate(values) if _is_changed(value)]
        if not places:
            return
        place, kind = chance.choice(places), chance.random()
        if kind < 0.7:
            values[place] = self._other(values[place], values)
        elif kind < 0.8:
            other = chance.choice(places)
            values[place], values[other] = (
                replace(values[place], value=values[other].value),
                replace(values[other], value=values[place].value),
            )
        elif kind < 0.85:
            for later in range(place + 1, min(len(values), place + 1 + chance.randint(1, len(values)))):
                values[later] = replace(values[later], value=values[place].value)
        else:
            self._change_length(values, places)

    def _change_length(self, values: list[ExecutionInputValue], places: Sequence[int]) -> None:
        """Some values less or more, and often a number before them that says how many there are."""
        chance = self._chance
        number, place = sorted((chance.choice(places), chance.choice(places)))
        count = chance.choice((-2, -1, -1, 1, 1, 1, 2, 3))
        one, said = values[place], values[number]
        if number < place and isinstance(said.value, int):
            values[number] = replace(said, value=said.value + count)
        if one.memory is None:
            values[place : place + max(0, -count)] = [one] * max(0, count)

    def _other(self, one: ExecutionInputValue, values: Sequence[ExecutionInputValue]) -> ExecutionInputValue:
        """An input with another value: near its own, that of another one, a number of the program, or any."""
        chance = self._chance
        if not isinstance(one.value, int):
            return one
        kind = chance.random()
        if kind < 0.3:
            number = one.value + chance.choice((-2, -1, 1, 2))
        elif kind < 0.55:
            known = [one.value, *(v.value for v in values if isinstance(v.value, int))]
            number = chance.choice(known) + chance.choice((-1, 0, 0, 1))
        elif kind < 0.75:
            number = chance.choice(self._numbers)
        elif kind < 0.95:
            number = chance.randint(-2, chance.choice((4, 10, 100)))
        else:
            number = chance.getrandbits(chance.randint(1, 32))
        return replace(one, value=number)


def _is_changed(value: ExecutionInputValue) -> bool:
    """Whether another value of the input is worth a try: memory that nobody wrote may hold anything."""
    return isinstance(value.value, int) and not (value.memory is not None and value.type.endswith("*"))


def _values(inputs: NearVector) -> tuple[object, ...]:
    return tuple(value.value for value in inputs)
