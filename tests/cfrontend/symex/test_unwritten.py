"""Never-written cells that a value may come from: what is remembered of a value is what looking again would find."""

import random
from types import SimpleNamespace
from typing import Any

import pytest

from cfrontend.symex import unwritten
from cfrontend.terms import Term, Terms
from cfrontend.terms.evaluate import evaluate_terms

CELLS = 20


def chain(t: Terms, cells: list[Term]) -> list[Term]:
    """Values of which each is the one before or the next cell, by one more decision."""
    values = [cells[0]]
    for n, cell in enumerate(cells[1:]):
        values.append(t.ite(t.var(f"c{n}", 0), cell, values[-1]))
    return values


def machine(t: Terms, inputs: list[Term], values: list[Term]) -> Any:
    """Stand-in for a symbolic machine: its store, the cells that are inputs, the values that may be one of them."""
    return SimpleNamespace(t=t, sites=dict.fromkeys(inputs), unknown={*inputs, *values})


def test_the_same_value_is_looked_into_once(monkeypatch: pytest.MonkeyPatch) -> None:
    t = Terms()
    cells = [t.var(f"x{n}", 8) for n in range(CELLS)]
    values = chain(t, cells)
    found = unwritten.is_unwritten(machine(t, cells[::2], values[1:]), values[-1])
    monkeypatch.delattr(unwritten, "conditions_of_leaves")
    assert unwritten.is_unwritten(machine(t, cells[::2], values[1:]), values[-1]) == found


def test_what_is_remembered_ends_where_a_part_becomes_something_else() -> None:
    t = Terms()
    cells = [t.var(f"x{n}", 8) for n in range(CELLS)]
    values = chain(t, cells)
    decisions = [t.var(f"c{n}", 0) for n in range(CELLS - 1)]
    drawn = random.Random(5)
    even = range(0, CELLS, 2)
    for inputs, first in ((even, 1), (range(CELLS), 1), (range(3), 1), (even, 12), (even, 1)):
        m = machine(t, [cells[n] for n in inputs], values[first:])
        condition = unwritten.is_unwritten(m, values[-1])
        for _ in range(200):
            taken = [drawn.random() < 0.2 for _ in decisions]
            chosen = max((n + 1 for n, is_taken in enumerate(taken) if is_taken), default=0)
            # What is not marked as unwritten is not looked into: the cells behind it are none.
            expected = chosen in inputs and chosen >= (first if first > 1 else 0)
            given = dict(zip(decisions, map(int, taken), strict=True))
            assert evaluate_terms(t, [condition], given)[condition] == int(expected)
