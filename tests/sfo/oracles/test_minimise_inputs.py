"""Inputs that are easier to read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from sfo.oracles.minimise_inputs import Inputs, minimise_inputs

TEXT = """
#include <stdio.h>
int main(void)
{
    int a, b, c;
    scanf("%d %d", &a, &b);
    c = getchar();
    return a + b + c;
}
"""


@pytest.mark.parametrize(
    ("given", "keeps", "tries", "expected"),
    [
        ((-2146363169, 1654058815, 200), lambda a, b, c: True, 50, (0, 0, ord("x"))),
        ((-2146363169, 1654058815, 200), lambda a, b, c: a < b and b > 500, 50, (0, 1000, ord("x"))),
        ((-2146363169, 1654058815, 200), lambda a, b, c: a < -1000 and c > 126, 50, (-2146363169, 0, 200)),
        ((7, 2_000_000, ord("q")), lambda a, b, c: True, 50, (7, 0, ord("q"))),
        ((7, 2_000_000, -1), lambda a, b, c: True, 0, (7, 2_000_000, -1)),
        ((7, 70_000, -1), lambda a, b, c: b % 7 == 0 and b > 0, 50, (7, 70_000, -1)),
    ],
)
def test_what_is_hard_to_read_becomes_easy_where_nothing_else_changes(
    given: tuple[int, int, int],
    keeps: Callable[[int, int, int], bool],
    tries: int,
    expected: tuple[int, int, int],
    tmp_path: Path,
) -> None:
    path = tmp_path / "read.c"
    path.write_text(TEXT)
    encoded = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1))
    variables = [event.value for event in encoded.inputs]
    asked = 0

    def signed(inputs: Inputs) -> tuple[int, int, int]:
        one, two, three = (encoded.terms.signed(inputs[v], 32) for v in variables)
        return one, two, three

    def is_same(inputs: Inputs) -> bool:
        nonlocal asked
        asked += 1
        return keeps(*signed(inputs))

    found = minimise_inputs(
        encoded, dict(zip(variables, (v % (1 << 32) for v in given), strict=True)), is_same, tries
    )
    assert signed(found) == expected
    assert asked <= tries
