"""What the decisions of a path say of later conditions, held against all assignments of small words."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.symex.paths import (
    PathFacts,
    decided_on_path,
    extended_path,
    facts_of_path,
    root_path,
)
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms_in_order

_WIDTH = 3


def _condition(t: Terms, words: list[Term], draw: random.Random, depth: int) -> Term:
    """A random condition on small words."""
    kind = draw.randrange(8 if depth else 4)
    if kind < 4:
        operands = [*words, *(t.const(draw.randrange(1 << _WIDTH), _WIDTH) for _ in words)]
        a, b = draw.choice(operands), draw.choice(operands)
        return (t.eq, t.ult, t.slt, t.sle)[kind](a, b)
    one = _condition(t, words, draw, depth - 1)
    if kind == 4:
        return t.not_(one)
    two = _condition(t, words, draw, depth - 1)
    if kind < 7:
        return t.and_(one, two) if kind == 5 else t.or_(one, two)
    return t.ite(one, two, _condition(t, words, draw, depth - 1))


@pytest.mark.parametrize("seed", range(4))
def test_what_is_decided_holds_in_every_execution_of_the_path(seed: int) -> None:
    draw = random.Random(seed)
    decided = {TRUE: 0, FALSE: 0}
    for _ in range(400):
        t = Terms()
        words = [t.var("x", _WIDTH), t.var("y", _WIDTH)]
        path = root_path()
        for _ in range(draw.randrange(1, 5)):
            path = extended_path(t, path, _condition(t, words, draw, 1))
        asked = [_condition(t, words, draw, 2) for _ in range(8)]
        found = [decided_on_path(t, path, condition) for condition in asked]
        order = t.cone((path.term, *asked))
        for x, y in product(range(1 << _WIDTH), repeat=2):
            value = evaluate_terms_in_order(t, order, {words[0]: x, words[1]: y})
            if not value[path.term]:
                continue
            for condition, answer in zip(asked, found, strict=True):
                if answer in decided and condition not in decided:
                    assert value[condition] == (answer == TRUE), (t.show(path.term), t.show(condition))
                    decided[answer] += 1
    assert min(decided.values()) > 400


def test_comparisons_with_constants_exclude_each_other() -> None:
    t = Terms()
    c, limit = t.var("c", 8), t.var("limit", 8)
    path = extended_path(t, root_path(), t.eq(c, t.const(42, 8)))
    assert decided_on_path(t, path, t.eq(c, t.const(63, 8))) == FALSE
    assert decided_on_path(t, path, t.slt(t.const(9, 8), c)) == TRUE
    assert decided_on_path(t, path, t.eq(limit, t.const(63, 8))) not in {TRUE, FALSE}
    path = extended_path(t, path, t.ult(limit, c))
    assert decided_on_path(t, path, t.eq(limit, t.const(42, 8))) == FALSE


def test_a_long_path_keeps_its_first_decisions() -> None:
    t = Terms()
    first = t.var("first", 8)
    path = extended_path(t, root_path(), t.slt(first, t.const(4, 8)))
    for n in range(1_000):
        path = extended_path(t, path, t.eq(t.var(f"v{n}", 8), t.const(1, 8)))
    assert decided_on_path(t, path, t.eq(first, t.const(9, 8))) == FALSE
    assert decided_on_path(t, path, t.eq(t.var("v3", 8), t.const(2, 8))) == FALSE


def test_a_path_of_many_decisions_has_few_tables_in_which_the_latest_bounds_count() -> None:
    t = Terms()
    word = t.var("word", 16)
    path = root_path()
    for n in range(5_000):
        path = extended_path(t, path, t.eq(t.var(f"v{n}", 8), t.const(1, 8)))
        if n % 500 == 0:
            path = extended_path(t, path, t.ult(word, t.const(20_000 - n, 16)))
    tables, facts = 0, facts_of_path(t, path)
    assert facts.interval(t, word)[:2] == (0, 20_000 - 4_500 - 1)
    assert all(facts.truth(t.eq(t.var(f"v{n}", 8), t.const(1, 8))) for n in range(5_000))
    here: PathFacts | None = facts
    while here is not None:
        tables, here = tables + 1, here.below
    assert tables <= 8, "tables behind one another double in size"


def test_a_recursion_that_reads_the_same_again_is_not_followed_where_it_cannot_go(tmp_path: Path) -> None:
    file = tmp_path / "skip.c"
    file.write_text(
        "#include <assert.h>\nextern char __VERIFIER_nondet_char(void);\n"
        "static int stars(const char *p) {\n"
        "    if (*p == 0) return 0;\n"
        "    if (*p == '*') return 1 + stars(p + 1);\n"
        "    if (*p == '?') return stars(p + 1);\n"
        "    return *p == '*' ? stars(p + 1) : stars(p + 1) + (*p == '?');\n"
        "}\n"
        "int main(void) {\n"
        "    char p[5];\n"
        "    for (int i = 0; i < 4; i++) p[i] = __VERIFIER_nondet_char();\n"
        "    p[4] = 0;\n"
        "    assert(stars(p) < 4);\n"
        "}\n"
    )
    encoded = encode_program(load_c_program([str(file)], ProgramOptions()), Bound(unwind=1, free=True))
    second = next(u for u in encoded.units if u.location.line == 5 and "stars" in u.text)
    # Three calls follow from each activation (the fourth one would need *p == '*' behind *p != '*').
    assert len(encoded.instances[second.id]) == 1 + 3 + 9 + 27
