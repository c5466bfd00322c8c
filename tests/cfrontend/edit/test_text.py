"""Text of C: what blanks mean in it."""

from __future__ import annotations

import pytest

from cfrontend.edit.text import (
    SourceText,
    TextEdit,
    apply_text_edits,
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


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ("n-3", "3", "-3", "n- -3"),
        ("n+m", "m", "++m", "n+ ++m"),
        ("a*-b", "*", "-", "a- -b"),
        ("a+*p", "+", "/", "a/ *p"),
        ("a&&b", "b", "&c", "a&& &c"),
        ("a&b", "b", "&c", "a& &c"),
        ("return(x);", "(x)", "x", "return x;"),
        ("else{}", "{}", "x++;", "else x++;"),
        ("k+1", "k", "0xE", "0xE +1"),
        ("k+1", "k", "e", "e+1"),
        ("x-->y", "x--", "x", "x>y"),
        ("i=*p", "*p", "-1", "i=-1"),
        ("a<b", "<", "<=", "a<=b"),
        ("count = 1", "nt", "untable", "couuntable = 1"),
        ('"%d"', "d", "ld", '"%ld"'),
    ],
)  # fmt: skip
def test_an_edit_makes_no_token_of_two(text: str, old: str, new: str, after: str) -> None:
    at = text.index(old)
    assert apply_text_edits(text, [TextEdit(at, at + len(old), new)]) == after


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("ends", [("\r\n", "\r\n"), ("\r\n", ""), ("\n", "")])
def test_a_file_keeps_its_ends_of_lines(mark: str, ends: tuple[str, str]) -> None:
    newline, last = ends
    source = SourceText(mark + "int i;\nint j;\f\nint k;".replace("\n", newline) + last)
    at = source.text.index("j")
    after = source.edited([TextEdit(at, at + 1, "k;\nint l"), TextEdit(at + 2, at + 2, " /* m */")])
    assert after == mark + "int i;\nint k;\nint l; /* m */\f\nint k;".replace("\n", newline) + last
    assert source.line_of(source.text.index("k")) == 3
