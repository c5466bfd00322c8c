r"""Examples as lists of numbers or lines: their beginnings, which show a fault on less input, and texts like them.

"0 76 137 0 257 12 -1"   ->   "0 -1", "0 76 -1", "0 76 137 0 -1"     where all examples end with -1
"3\n8 0 5"               ->   "1\n8", "2\n8 0"                       where all examples begin with their length
"P 3 40\nM 3 5\nE"       ->   "P 3 100\nM 3 5\nE", "T 5 1\nE", ...  on which program and reference differ

Beside a reference nobody has to say what is printed then. Lists of lines are not cut, but fuzzed, with a grammar that
is read off the examples: a text is some of their items, a number in it one that stands at its place in another item, or
one near the ends of these. Both versions are executed natively; what tells them apart counts only when the interpreter
has executed it, too.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, final

from cfrontend.record import dataclass
from sfo.core.policy import policy
from sfo.execution.examples import Example
from sfo.execution.test_import.cases import ExampleList, TextTestCase

NUMBER = re.compile(rb"[-+]?\d+")
"""Whole number as it stands in a text."""


def examples_as_lists(examples: Sequence[Example], *, lines: bool = True) -> tuple[TextTestCase, ...]:
    """The examples, and beginnings of them where all are lists of numbers, none shorter than the shortest example.

    A part of another text is no input like them. ``lines``: they may be lists of lines, which have no beginnings.
    """
    numbers = _lists_of_numbers(examples)
    by_name = {one.example: one for one in numbers or (_lists_of_lines(examples) if lines else ())}
    whole = [
        TextTestCase(name=example.name, data=example.data, parts=by_name.get(example.name))
        for example in examples
    ]
    return (*whole, *_beginnings(numbers))


def _lists_of_numbers(examples: Sequence[Example]) -> list[ExampleList]:
    """The examples as lists of numbers with one end, or with their lengths; empty where they are something else."""
    texts = [tuple(example.data.split()) for example in examples]
    if not all(text and all(map(NUMBER.fullmatch, text)) for text in texts):
        return []
    ends = {text[-1] for text in texts}
    if len(ends) == 1:
        (end,) = ends
        inner = [text[:-1] for text in texts]
        if any(end in numbers for numbers in inner):
            return []
        counted, joint = False, b" "
    elif len({len(text) for text in texts}) > 1 and all(int(text[0]) == len(text) - 1 for text in texts):
        inner, end, counted = [text[1:] for text in texts], None, True
        joint = b"\n" if all(b"\n" in example.data.strip() for example in examples) else b" "
    else:
        return []
    least = max(1, min(map(len, inner)))
    return [
        ExampleList(example=example.name, items=numbers, least=least, end=end, counted=counted, joint=joint)
        for example, numbers in zip(examples, inner, strict=True)
    ]


def _lists_of_lines(examples: Sequence[Example]) -> list[ExampleList]:
    """The examples as lists of lines, of which not all have as many; empty where they are something else.

    First lines that are unlike the later ones stay where they are, and so does a last line that all have.
    """
    texts = [tuple(example.data.strip(b"\n").split(b"\n")) for example in examples]
    if len({len(text) for text in texts}) < 2:
        return []
    heads = _heads(texts)
    counted = heads == 0 and all(text[0] == b"%d" % (len(text) - 1) for text in texts)
    inner = [text[heads + counted :] for text in texts]
    ends = {text[-1] if text else b"" for text in inner}
    end = next(iter(ends)) if len(ends) == 1 and not counted else None
    if end is not None:
        inner = [text[:-1] for text in inner]
        if not end or any(end in text for text in inner):
            return []
    least = max(1, min(map(len, inner)))
    return [
        ExampleList(
            example=example.name,
            items=lines,
            least=least,
            end=end,
            counted=counted,
            joint=b"\n",
            begin=b"".join(line + b"\n" for line in text[:heads]),
            separator=b"\n",
        )
        for example, text, lines in zip(examples, texts, inner, strict=True)
    ]


def _heads(texts: Sequence[Sequence[bytes]]) -> int:
    """How many first lines have one form in all texts that no later line has, but for a number alone."""
    heads = 0
    while all(len(text) > heads + 1 for text in texts):
        forms = {form_of_line(text[heads]) for text in texts}
        later = {form_of_line(line) for text in texts for line in text[heads + 1 :]}
        if len(forms) > 1 or forms & later or forms == {b"#"}:
            return heads
        heads += 1
    return 0


def form_of_line(line: bytes) -> bytes:
    """A line with a mark in the place of each number."""
    return NUMBER.sub(b"#", line)


def _beginnings(lists: Sequence[ExampleList]) -> Iterator[TextTestCase]:
    """Beginnings of lists that are no list themselves, each twice as long as the one before."""
    known = {one.items for one in lists}
    for one in lists:
        for step in range(policy().given_tests.cuts):
            part = one.items[: one.least << step]
            if part not in known:
                known.add(part)
                yield one.part(part, "cut")


# -- fuzzing ---------------------------------------------------------------------------------------------------


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
