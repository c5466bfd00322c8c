"""Text of C: what blanks mean in it."""

from __future__ import annotations

import pytest

from cfrontend.edit.text import without_blanks_of_text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("x  =\n y", "x=y"),
        ('scanf( " %c", &c )', 'scanf(" %c",&c)'),
        ("c == ' '", "c==' '"),
        ('f("a \\" b", c , d)', 'f("a \\" b",c,d)'),
        ("g('\\'', x , y)", "g('\\'',x,y)"),
    ],
)
def test_blanks_mean_nothing_but_in_literals(text: str, plain: str) -> None:
    assert without_blanks_of_text(text) == plain
