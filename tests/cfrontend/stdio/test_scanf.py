"""Formats of scanf, taken apart once for all who read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfrontend.stdio.scanf import ScanfConversion, ScanfLiteral, ScanfSpace, scanf_directives


def test_the_directives_of_a_format() -> None:
    number, comma, space, word = scanf_directives("%5ld, %*[^]a]")
    assert number == ScanfConversion(letter="d", length="l", width=5, stored=True, text="%5ld")
    assert comma == ScanfLiteral(",", ",")
    assert space == ScanfSpace(" ")
    assert word == ScanfConversion(letter="[^]a]", length="", width=0, stored=False, text="%*[^]a]")


def test_flags_of_the_locale_mean_nothing() -> None:
    wide, left_out = scanf_directives("%I64d%'*Iu")
    assert wide == ScanfConversion(letter="d", length="", width=64, stored=True, text="%I64d")
    assert left_out == ScanfConversion(letter="u", length="", width=0, stored=False, text="%'*Iu")


@pytest.mark.parametrize(
    ("template", "skips"),
    [("%d", True), ("%s", True), ("%%", True), (" ", True), ("%c", False), ("%[a]", False), ("a", False)],
)
def test_what_skips_white_space_before_it(template: str, skips: bool) -> None:
    assert [part.skips for part in scanf_directives(template)] == [skips]


@pytest.mark.parametrize("template", ["%", "%5", "%[ab", "%d %"])
def test_a_percent_sign_that_begins_no_conversion(template: str) -> None:
    assert any(isinstance(part, ScanfLiteral) and part.is_malformed for part in scanf_directives(template))


@given(st.text(st.sampled_from("%d*5sc[]^alh \n"), max_size=12))
def test_the_texts_of_the_directives_are_the_format(template: str) -> None:
    assert "".join(part.text for part in scanf_directives(template)) == template
