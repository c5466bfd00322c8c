r"""Fuzzing of examples: texts made of their lines and numbers, on which program and reference differ.

"P 3 40\nM 3 5\nE" and "P 5 70\nT 5 1\nE"    ->    "P 3 100\nM 3 5\nE", "T 5 1\nE", "P 5 70\nM 5 3\nP 5 1\nE", ...

This is generation-based fuzzing with a grammar that is read off the examples: a text is some of their items, a number
in it one that stands at its place in another item, or one near the ends of these. Both versions are executed natively;
what tells them apart counts only when the interpreter has executed it, too.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, final

from cfrontend.record import dataclass
from sfo.core.policy import policy
from sfo.execution.shortened_examples import form_of_line
from sfo.execution.test_import.cases import ExampleList, TextTestCase

_PLAIN: Final = re.compile(rb"(?<![\w.])[-+]?\d+(?![\w.])")
"""Whole number that is no part of something else."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzedExamples:
    """Fuzzed examples: how many were executed natively, and the first ones that tell program and reference apart."""

    executed: int = 0
    differing: tuple[TextTestCase, ...] = ()


@final
class ExampleFuzzer:
    """Draws lists like some examples; the same ones of the same examples."""

    def __init__(self, examples: Sequence[ExampleList]) -> None:
        self._examples = examples
        self._items = [item for example in examples for item in example.items]
        self._longest = max((len(example.items) for example in examples), default=0)
        seed = zlib.crc32(b"\0".join(self._items))
        self._random = random.Random(seed)  # noqa: S311 - nothing is kept secret
        self._columns: dict[tuple[bytes, int], list[int]] = {}
        for item in self._items:
            for column, number in enumerate(_PLAIN.findall(item)):
                self._columns.setdefault((form_of_line(item), column), []).append(int(number))

    def draw(self) -> TextTestCase:
        """The next list: short ones are likelier, and in each few numbers come again and again."""
        whole = self._random.choice(self._examples)
        least, most = whole.least, max(whole.least, min(self._longest, policy().fuzzed_examples.longest))
        count = min(most, least + int(self._random.expovariate(1 / policy().fuzzed_examples.usual)))
        pools: dict[tuple[bytes, int], list[int]] = {}
        items = tuple(self._item(pools) for _ in range(count))
        return replace(whole, example="the examples").part(items, "fuzzed")

    def _item(self, pools: dict[tuple[bytes, int], list[int]]) -> bytes:
        """An item of an example with some other numbers."""
        item = self._random.choice(self._items)
        if self._random.random() < policy().fuzzed_examples.as_it_is:
            return item
        form, column = form_of_line(item), -1

        def number(_found: re.Match[bytes]) -> bytes:
            nonlocal column
            column += 1
            used = [one for pool in pools.values() for one in pool]
            pool = pools.setdefault((form, column), [])
            if not pool or (len(pool) < policy().fuzzed_examples.numbers and self._random.random() < 0.5):
                pool.append(self._number(self._columns[form, column], used))
            return b"%d" % self._random.choice(pool)

        return _PLAIN.sub(number, item)

    def _number(self, known: Sequence[int], used: Sequence[int]) -> int:
        """A number like those at its place in the examples, perhaps one that is ``used`` in the text already."""
        least, greatest = min(known), max(known)
        fitting = [number for number in used if least <= number <= greatest]
        way = self._random.random()
        if way < 0.3 and fitting:
            return self._random.choice(fitting)
        if way < 0.6:
            return self._random.choice(known)
        if way < 0.85:
            return self._random.randint(least, greatest)
        return self._random.choice((least, greatest)) + self._random.choice((-1, 0, 1))


def fuzzed_examples(
    examples: Sequence[ExampleList],
    differ: Callable[[Sequence[bytes]], Sequence[bytes] | None],
    is_like_examples: Callable[[bytes], bool],
) -> FuzzedExamples:
    """Texts like the examples that ``differ`` finds to tell program and reference apart.

    ``differ`` is None where nothing was executed. There are as many as the policy says, at most.
    """
    if not examples:
        return FuzzedExamples()
    fuzzer = ExampleFuzzer(examples)
    drawn = [fuzzer.draw() for _ in range(policy().fuzzed_examples.texts)]
    known = {case.data: case for case in reversed(drawn)}
    found = differ(tuple(known))
    if found is None:
        return FuzzedExamples()
    like: list[TextTestCase] = []
    shortest_first = sorted(found, key=lambda data: (len(data), data))
    for data in shortest_first[: policy().fuzzed_examples.looked_at]:
        if is_like_examples(data):
            like.append(known[data])
        if len(like) == policy().fuzzed_examples.tried:
            break
    return FuzzedExamples(executed=len(known), differing=tuple(like))
