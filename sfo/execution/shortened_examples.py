r"""Shortened examples: beginnings of lists of numbers, which show a fault on less input.

"0 76 137 0 257 12 -1"   ->   "0 -1", "0 76 -1", "0 76 137 0 -1"     where all examples end with -1
"3\n8 0 5"               ->   "1\n8", "2\n8 0"                       where all examples begin with their length

Beside a reference nobody has to say what is printed then. What fails is reduced further (``reduced_tests``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sfo.core.policy import policy
from sfo.execution.examples import Example
from sfo.execution.test_import.cases import NumberList, TextTestCase

_NUMBER = re.compile(rb"[-+]?\d+")


def examples_as_lists(examples: Sequence[Example]) -> tuple[TextTestCase, ...]:
    """The examples, and beginnings of them where all are lists of numbers, none shorter than the shortest example.

    A part of another text is no input like them.
    """
    lists = _lists(examples)
    by_name = {one.example: one for one in lists}
    whole = [
        TextTestCase(name=example.name, data=example.data, numbers=by_name.get(example.name))
        for example in examples
    ]
    return (*whole, *_beginnings(lists))


def _lists(examples: Sequence[Example]) -> list[NumberList]:
    """The examples as lists of numbers with one end, or with their lengths; empty where they are something else."""
    texts = [tuple(example.data.split()) for example in examples]
    if not all(text and all(map(_NUMBER.fullmatch, text)) for text in texts):
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
        NumberList(example=example.name, numbers=numbers, least=least, end=end, counted=counted, joint=joint)
        for example, numbers in zip(examples, inner, strict=True)
    ]


def _beginnings(lists: Sequence[NumberList]) -> Iterator[TextTestCase]:
    """Beginnings of lists that are no list themselves, each twice as long as the one before."""
    known = {one.numbers for one in lists}
    for one in lists:
        for step in range(policy().given_tests.cuts):
            part = one.numbers[: one.least << step]
            if part not in known:
                known.add(part)
                yield one.part(part, "cut")
