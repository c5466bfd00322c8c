"""Generated programs with tiny inputs: repeatable, and each rewrite changes some text."""

from dataclasses import replace
from random import Random

import pytest

from benchmarks.tiny_domain_programs import (
    TINY_DOMAIN_REWRITES,
    TinyDomainProgramWriter,
    tiny_domain_program,
)


def test_the_same_number_gives_the_same_program() -> None:
    assert tiny_domain_program(3) == tiny_domain_program(3)
    assert tiny_domain_program(3).text != tiny_domain_program(4).text


def test_rewrites_keep_the_inputs() -> None:
    for number in range(30):
        plain, other = tiny_domain_program(number), tiny_domain_program(number, rewrites=True)
        assert replace(other, text="", rewrites=()) == replace(plain, text="")
        assert other.text.count("nondet_int()") == plain.text.count("nondet_int()")


@pytest.mark.parametrize("rewrite", TINY_DOMAIN_REWRITES)
def test_each_rewrite_changes_some_program(rewrite: str) -> None:
    def text(number: int, rewrites: frozenset[str]) -> str:
        return TinyDomainProgramWriter(Random(number), rewrites).program(number).text

    assert any(text(n, frozenset([rewrite])) != text(n, frozenset()) for n in range(20))


@pytest.mark.parametrize(
    "word",
    ["switch (", "goto ", "while (", "strcpy(", "ratio =", "depth((", "call = mix", "pair.low =", "word."],
)
def test_constructs_occur(word: str) -> None:
    assert any(word in tiny_domain_program(n, rewrites=True).text.split("int main")[1] for n in range(100))
