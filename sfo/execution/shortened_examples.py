r"""Shortened examples: beginnings of lists of numbers, which show a fault on less input.

"0 76 137 0 257 12 -1"   ->   "0 -1", "0 76 -1", "0 76 137 0 -1"     where all examples end with -1
"3\n8 0 5"               ->   "1\n8", "2\n8 0"                       where all examples begin with their length

Beside a reference nobody has to say what is printed then. What fails is reduced further (``given_tests``). Lists of
lines are not cut, but reduced and fuzzed (``example_fuzzing``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
