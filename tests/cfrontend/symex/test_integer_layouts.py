from __future__ import annotations

import itertools
import random

import pytest

from cfrontend.stdio import printf
from cfrontend.stdio.printed import PrintedArgument, render_printed
from cfrontend.symex.tokens import integer_layout_of, integers_in_text, integers_printed_alike

FORMATS = (
    *("%lld", "%llu", "%02lld", "%+lld", "% lld", "%+ lld", "%5lld", "%-5lld", "%05lld", "%.0lld", "%.3lld"),
    *(
        "%8.3lld",
        "%08.3lld",
        "%-08lld",
        "%+05lld",
        "%llx",
        "%#llx",
        "%llX",
        "%#08llx",
        "%.4llx",
        "%llo",
        "%#llo",
    ),
    *("%#.0llo", "%+llu", "%22lld"),
)


def _printed(template: str, value: int) -> bytes:
    """The text of an integer by the conversion itself, whose ``render_printed`` is held against glibc elsewhere."""
    argument = PrintedArgument(value=value % 2**64, width=64, signed=template[-1] == "d")
    return render_printed(template.encode(), [argument])


def _values(template: str, draw: random.Random) -> list[int]:
    powers = [base**n + d for base in (8, 10, 16) for n in range(22) for d in (-1, 0, 1)]
    drawn = [draw.getrandbits(draw.randrange(1, 64)) for _ in range(40)]
    numbers = {*range(30), *powers, *drawn}
    if template[-1] == "d":
        return sorted(n for m in numbers for n in (m, -m) if -(2**63) <= n < 2**63)
    return sorted(n for n in numbers if 0 <= n < 2**64)


@pytest.mark.parametrize("one", FORMATS)
@pytest.mark.sample(6)
def test_integers_are_printed_alike_where_their_texts_are_the_same(one: str) -> None:
    draw = random.Random(one)
    mine = printf.printf_conversions(one.encode())[0]
    for two in FORMATS:
        theirs = printf.printf_conversions(two.encode())[0]
        ranges = integers_printed_alike(integer_layout_of(mine), integer_layout_of(theirs))
        for value in sorted(set(_values(one, draw)) & set(_values(two, draw))):
            is_said = any(low <= value <= high for low, high in ranges)
            is_alike = _printed(one, value) == _printed(two, value)
            assert is_alike or not is_said, (one, two, value)
            if one[-1] == two[-1] or {one[-1], two[-1]} == {"d", "u"}:
                assert is_said == is_alike, (one, two, value)


@pytest.mark.parametrize("template", FORMATS)
@pytest.mark.sample(4)
def test_each_integer_is_found_in_its_text(template: str) -> None:
    draw = random.Random(template)
    layout = integer_layout_of(printf.printf_conversions(template.encode())[0])
    for value, behind in itertools.product(_values(template, draw), (b"", b"7", b" x")):
        text = _printed(template, value)
        found = dict(integers_in_text(layout, text + behind))
        assert found[len(text)] == value
        for length, other in found.items():
            assert _printed(template, other) == (text + behind)[:length] or other >= 2**63
