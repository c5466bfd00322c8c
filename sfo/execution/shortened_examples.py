"""Shortened examples: the beginnings of lists of numbers, which show a fault on less input.

"0 76 137 0 257 12 -1"   ->   "0 -1", "0 76 -1", "0 76 137 0 -1"     where all examples end with -1

Beside a reference nobody has to say what is printed then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sfo.core.policy import policy
from sfo.execution.examples import Example
from sfo.execution.test_import.cases import TextTestCase

_NUMBER = re.compile(rb"[-+]?\d+")


def shortened_examples(examples: Sequence[Example]) -> tuple[TextTestCase, ...]:
    """Beginnings of examples that are lists of numbers with one end, none shorter than the shortest of the examples.

    There are none where the examples are something else: a part of another text is no input like them.
    """
    lists = [example.data.split() for example in examples]
    ends = {numbers[-1] if numbers else b"" for numbers in lists}
    if len(ends) != 1 or not all(_NUMBER.fullmatch(number) for numbers in lists for number in numbers):
        return ()
    (end,) = ends
    if any(end in numbers[:-1] for numbers in lists):
        return ()
    least = max(1, min(len(numbers) - 1 for numbers in lists))
    known = {tuple(numbers) for numbers in lists}
    found: dict[tuple[bytes, ...], TextTestCase] = {}
    for example, numbers in zip(examples, lists, strict=True):
        for count in _counts(least, len(numbers) - 1):
            text = (*numbers[:count], end)
            if text not in known and text not in found:
                name = f"{example.name}, cut to {count} number{'' if count == 1 else 's'}"
                found[text] = TextTestCase(name=name, data=b" ".join(text) + b"\n")
    return tuple(found.values())


def _counts(least: int, most: int) -> Iterator[int]:
    """The least count, its double and so on, as many as the policy says, below ``most``."""
    for step in range(policy().given_tests.cuts):
        if least << step < most:
            yield least << step
