"""Ways of reading: which formats take the same of every text."""

from __future__ import annotations

import pytest

from cfrontend.goto.reading_equivalence import is_same_reading, reading_way_of
from cfrontend.units import NEXT_CHARACTER, InputReading


def by(template: str) -> InputReading:
    return InputReading(function="scanf", format=template)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("%d", " %d"),
        ("%d", "\n\t %d"),
        ("%hd", "%lld"),
        ("%d", "%u"),
        ("%f", "%Lg"),
        ("%c", "%1c"),
        (" \n%c", " %c"),
        ("%s", " %s"),
        (", %d", ",%d"),
        ("%*d %d", "%*d%d"),
        (" %%%d", "%%%d"),
    ],
)
def test_alike(one: str, two: str) -> None:
    assert is_same_reading(reading_way_of(by(one)), reading_way_of(by(two)), with_spaces=True)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (",%d", "%d"),
        (" ,%d", ",%d"),
        (":%d", ",%d"),
        ("%c", " %c"),
        ("%2d", "%d"),
        ("%2d", "%3d"),
        ("%i", "%d"),
        ("%x", "%d"),
        ("%7[a-z]", "%7s"),
        ("%[a-z]", "%[^a-z]"),
        ("%*d%d", "%d"),
        ("%*c%c", "%c"),
        ("%d,", "%d"),
    ],
)
def test_not_alike(one: str, two: str) -> None:
    assert not is_same_reading(reading_way_of(by(one)), reading_way_of(by(two)), with_spaces=False)


def test_white_space_at_the_end_counts_only_where_something_else_does_not_skip_it() -> None:
    assert is_same_reading(reading_way_of(by("%d ")), reading_way_of(by("%d")), with_spaces=False)
    assert not is_same_reading(reading_way_of(by("%d ")), reading_way_of(by("%d")), with_spaces=True)


def test_a_character_is_read_alike_by_scanf_and_by_getchar() -> None:
    assert is_same_reading(
        reading_way_of(by("%c")),
        reading_way_of(InputReading(function=NEXT_CHARACTER)),
        with_spaces=True,
    )
    assert not is_same_reading(
        reading_way_of(by(" %c")),
        reading_way_of(InputReading(function=NEXT_CHARACTER)),
        with_spaces=True,
    )
