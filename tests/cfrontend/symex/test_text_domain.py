"""The constraint on a character of a text: it holds of the characters that a pattern of the whole text allows."""

from __future__ import annotations

import re
from itertools import pairwise, product

import pytest

from cfrontend.symex.shared_inputs import OF_LINES, OF_WORDS, domain_constraint, length_constraint
from cfrontend.syntax.input_domain import DIGITS, TextDomain, kind_of_character
from cfrontend.terms import FALSE, TRUE, Terms

CHARACTERS = "01 -a"

KINDS = [kind_of_character(ord(c)) for c in CHARACTERS]

PAIRS = {
    "all": [(one, two) for one in ("", *KINDS) for two in (*KINDS, "")],
    "no blank first": [(one, two) for one in ("", *KINDS) for two in KINDS if (one, two) != ("", "blank")],
    "minus before digits": [
        (one, two) for one in ("", *KINDS) for two in KINDS if one != "-" or two == "digit"
    ],
    "single blanks": [
        (one, two) for one in ("", *KINDS) for two in KINDS if one != "blank" or two != "blank"
    ],
}


def holds(domain: TextDomain, text: str) -> bool:
    """Whether each character of a text may stand behind those before it."""
    t = Terms()
    terms = [t.const(ord(c), 32) for c in text]
    return all(
        domain_constraint(
            t, domain, one, [terms[n - k] if k <= n else None for k in (1, 2, 3)], is_first=n == 0, end=-1
        )
        == TRUE
        for n, one in enumerate(terms)
    )


@pytest.mark.parametrize("padded", [True, False])
@pytest.mark.parametrize("pairs", PAIRS)
def test_a_text_is_in_the_domain_where_no_rule_forbids_it(pairs: str, *, padded: bool) -> None:
    domain = TextDomain(
        characters=frozenset(map(ord, CHARACTERS)) | DIGITS,
        digits=3,
        pairs=frozenset(PAIRS[pairs]),
        padded=padded,
    )
    forbidden = re.compile(r"\d{4}" if padded else r"\d{4}|(?<![\d.])0\d")
    for text in map("".join, product(CHARACTERS, repeat=4)):
        kinds = ["", *(kind_of_character(ord(c)) for c in text)]
        allowed = set(pairwise(kinds)) <= set(PAIRS[pairs])
        assert holds(domain, text) == (allowed and forbidden.search(text) is None), text


def test_the_end_stands_behind_what_ends_a_text() -> None:
    t = Terms()
    pairs = frozenset({("", "letter"), ("letter", "line end"), ("line end", "")})
    domain = TextDomain(characters=frozenset(b"ac\n"), digits=1, pairs=pairs)
    letter, line, end = (t.const(code, 32) for code in (ord("a"), ord("\n"), -1))
    assert domain_constraint(t, domain, end, [line, letter], is_first=False, end=-1) == TRUE
    assert domain_constraint(t, domain, end, [letter, None], is_first=False, end=-1) != TRUE
    assert domain_constraint(t, domain, end, [None, None], is_first=True, end=-1) != TRUE


def test_a_character_is_one_of_the_domain_or_the_end() -> None:
    t = Terms()
    domain = TextDomain(characters=frozenset(b"ac"), digits=1, pairs=frozenset({("", "letter"), ("", "")}))
    for code in range(-1, 256):
        found = domain_constraint(t, domain, t.const(code, 32), (None, None), is_first=True, end=-1)
        assert (found == TRUE) == (code in {-1, ord("a"), ord("c")})
    assert domain_constraint(t, domain, t.const(0, 8), (None, None), is_first=True, end=0) == TRUE
    assert domain_constraint(t, domain, t.const(0, 8), (None, None), is_first=True, end=None) != TRUE


@pytest.mark.parametrize(
    ("text", "is_word", "is_line"),
    [(b"abc", True, True), (b"a c", False, True), (b"a\nc", False, False), (b"ab\0", False, False)],
)
def test_a_row_is_too_long_where_all_of_it_is_one_word_or_line(
    text: bytes, *, is_word: bool, is_line: bool
) -> None:
    t = Terms()
    row = [t.const(code, 32) for code in text]
    assert length_constraint(t, row, OF_WORDS) == (FALSE if is_word else TRUE)
    assert length_constraint(t, row, OF_LINES) == (FALSE if is_line else TRUE)
