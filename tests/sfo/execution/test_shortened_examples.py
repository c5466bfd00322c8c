"""Beginnings of examples that are lists of numbers."""

import pytest

from sfo.execution.example_lists import examples_as_lists
from sfo.execution.examples import Example


def cut(*texts: bytes) -> dict[str, bytes]:
    examples = [Example(name=f"{n}.in", data=text, expected=b"") for n, text in enumerate(texts, start=1)]
    return {case.name: case.data for case in examples_as_lists(examples)[len(examples) :]}


def test_a_list_is_cut_to_its_first_numbers_and_its_end() -> None:
    assert cut(b"0 76\n137 0 257 12 -1\n", b"5 -1\n") == {
        "1.in, cut to 1 number": b"0 -1\n",
        "1.in, cut to 2 numbers": b"0 76 -1\n",
        "1.in, cut to 4 numbers": b"0 76 137 0 -1\n",
    }


def test_no_list_becomes_shorter_than_the_shortest_example() -> None:
    assert cut(b"1 2 3 4 5 6 7 8 9 -1", b"7 7 7 -1") == {
        "1.in, cut to 3 numbers": b"1 2 3 -1\n",
        "1.in, cut to 6 numbers": b"1 2 3 4 5 6 -1\n",
    }


def test_a_list_with_its_length_is_cut_with_it() -> None:
    assert cut(b"5\n8 0 5 1 2\n", b"1\n7\n") == {
        "1.in, cut to 1 number": b"1\n8\n",
        "1.in, cut to 2 numbers": b"2\n8 0\n",
        "1.in, cut to 4 numbers": b"4\n8 0 5 1\n",
    }


def parts(*texts: bytes) -> list[tuple[bytes, tuple[bytes, ...], bytes | None] | None]:
    examples = [Example(name=f"{n}.in", data=text, expected=b"") for n, text in enumerate(texts, start=1)]
    cases = examples_as_lists(examples)
    assert [case.data for case in cases] == list(texts)
    return [case.parts and (case.parts.begin, case.parts.items, case.parts.end) for case in cases]


def test_a_list_of_lines_ends_with_the_line_that_all_have() -> None:
    assert parts(b"add 3\nadd 4\n-1\n", b"add 2\n-1") == [
        (b"", (b"add 3", b"add 4"), b"-1"),
        (b"", (b"add 2",), b"-1"),
    ]


def test_a_list_of_lines_has_its_length_before_it() -> None:
    texts = (b"2\nP 1 2\nP 2 3\n", b"1\nP 5 5\n")
    assert parts(*texts) == [(b"", (b"P 1 2", b"P 2 3"), None), (b"", (b"P 5 5",), None)]
    examples = [Example(name="1.in", data=text, expected=b"") for text in texts]
    whole = examples_as_lists(examples)[0].parts
    assert whole is not None
    assert whole.part((b"P 2 3",), "reduced").data == b"1\nP 2 3\n"


def test_first_lines_of_another_form_stay() -> None:
    assert parts(b"size 5\nx 1\nx 2\nend\n", b"size 6\nx 3\nend\n") == [
        (b"size 5\n", (b"x 1", b"x 2"), b"end"),
        (b"size 6\n", (b"x 3",), b"end"),
    ]


def test_texts_of_as_many_lines_are_no_lists() -> None:
    assert parts(b"a 1\nb 2\n", b"a 3\nb 4\n") == [None, None]


@pytest.mark.parametrize(
    "texts",
    [
        (b"3 1 2 40", b"9 5 17"),  # the ends are numbers like the others
        (b"1 -1 2 -1", b"4 -1"),  # the end stands within
        (b"1.5 2.5 -1", b"2.5 -1"),
        (b"", b"3 -1"),
        (b"4 -1", b"4 -1"),
    ],
)
def test_other_texts_are_left_as_they_are(texts: tuple[bytes, ...]) -> None:
    assert cut(*texts) == {}
