"""Text of C: what blanks mean in it."""

from __future__ import annotations

import pytest

from cfrontend.edit.text import (
    SourceText,
    character_constant_text,
    negated_test_text,
    without_blanks_of_text,
)


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


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("i < n", "!(i < n)"),
        ("!rows", "rows"),
        ("! p->next", "p->next"),
        ("!(a || b)", "a || b"),
        ("!(a = b)", "(a = b)"),
        ("!(a) || b", "!(!(a) || b)"),
        ("!strcmp(s, t)", "strcmp(s, t)"),
        ("!x & 1", "!(!x & 1)"),
        ("!!x", "!(!!x)"),
    ],
)
def test_the_opposite_of_an_opposite_is_the_test_itself(text: str, opposite: str) -> None:
    assert negated_test_text(text) == opposite


@pytest.mark.parametrize(
    ("code", "text"),
    [(117, "'u'"), (0, r"'\0'"), (10, r"'\n'"), (39, r"'\''"), (92, r"'\\'"), (-1, "-1"), (200, "200"), (31, "31")],
)  # fmt: skip
def test_character_constants_are_those_of_c(code: int, text: str) -> None:
    assert character_constant_text(code) == text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("c == 'a' && n < 3", {"c"}),
        ("line[i] >= '0'", {"line"}),
        ("c = 'a'; d == 3", set()),
        ("p->c != 'x'", {"c"}),
    ],
)
def test_what_is_compared_with_characters(text: str, names: set[str]) -> None:
    assert SourceText(text).compared_with_characters == names
