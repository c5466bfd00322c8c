"""The constraint on a character of a text: it holds of the characters that a pattern of the whole text allows."""

from __future__ import annotations

import re
from itertools import product

import pytest

from cfrontend.symex.text_domain import text_domain_constraint
from cfrontend.syntax.input_domain import DIGITS, TextDomain
from cfrontend.terms import TRUE, Terms

CHARACTERS = "01 -a"

RULES = {
    "indented": r"^\s",
    "spaced": r"\s\s",
    "padded": r"(?<![\d.])0\d",
    "dashed": r"-[^\d.]",
}


def holds(domain: TextDomain, text: str) -> bool:
    """Whether each character of a text may stand behind those before it."""
    t = Terms()
    terms = [t.const(ord(c), 32) for c in text]
    return all(
        text_domain_constraint(
            t, domain, one, [terms[n - k] if k <= n else None for k in (1, 2, 3)], is_first=n == 0, end=-1
        )
        == TRUE
        for n, one in enumerate(terms)
    )


@pytest.mark.parametrize("rule", RULES)
def test_a_text_is_in_the_domain_where_no_rule_forbids_it(rule: str) -> None:
    domain = TextDomain(
        characters=frozenset(map(ord, CHARACTERS)) | DIGITS,
        digits=3,
        **{name: name != rule for name in RULES},
    )
    forbidden = re.compile(rf"{RULES[rule]}|\d{{4}}")
    for text in map("".join, product(CHARACTERS, repeat=4)):
        assert holds(domain, text) == (forbidden.search(text) is None), text


def test_a_character_is_one_of_the_domain_or_the_end() -> None:
    t = Terms()
    domain = TextDomain(
        characters=frozenset(b"ac"), digits=1, indented=True, spaced=True, padded=True, dashed=True
    )
    for code in range(-1, 256):
        found = text_domain_constraint(t, domain, t.const(code, 32), (None, None), is_first=True, end=-1)
        assert (found == TRUE) == (code in {-1, ord("a"), ord("c")})
    assert text_domain_constraint(t, domain, t.const(0, 8), (None, None), is_first=True, end=0) == TRUE
    assert text_domain_constraint(t, domain, t.const(0, 8), (None, None), is_first=True, end=None) != TRUE
