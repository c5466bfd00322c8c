from collections.abc import Callable
from itertools import product

import pytest
from pysat.solvers import Solver as Sat

from sfo.solvers.gates import FALSE, TRUE, Gates, Literal

GATES: dict[str, tuple[int, Callable[..., bool]]] = {
    "and_": (2, lambda a, b: a and b),
    "or_": (2, lambda a, b: a or b),
    "xor": (2, lambda a, b: a != b),
    "mux": (3, lambda c, a, b: a if c else b),
    "xor3": (3, lambda a, b, c: (a + b + c) % 2 == 1),
    "majority": (3, lambda a, b, c: a + b + c >= 2),
}
"""Number of inputs and meaning."""


def literals(variables: list[int]) -> list[Literal]:
    return [TRUE, FALSE, *variables, *[-v for v in variables]]


def value(literal: Literal, assignment: dict[int, bool]) -> bool:
    return assignment[abs(literal)] == (literal > 0)


def assert_means(
    gates: Gates, variables: list[int], gate: Literal, meaning: Callable[[dict[int, bool]], bool]
) -> None:
    """Under each assignment of the variables the clauses leave ``gate`` one value, the right one."""
    with Sat(name="minisat22", bootstrap_with=gates.clauses) as sat:
        for bits in product([False, True], repeat=len(variables)):
            assignment = {TRUE: True, **dict(zip(variables, bits, strict=True))}
            fixed = [v if bit else -v for v, bit in zip(variables, bits, strict=True)]
            right = gate if meaning(assignment) else -gate
            assert sat.solve([*fixed, right])
            assert not sat.solve([*fixed, -right])


@pytest.mark.parametrize("name", GATES)
def test_meaning_for_all_kinds_of_inputs(name: str) -> None:
    """Constants, equal, opposite and independent inputs, in each order."""
    count, meaning = GATES[name]
    for inputs in product(literals([2, 3, 4][:count]), repeat=count):
        gates = Gates()
        variables = [gates.fresh() for _ in range(count)]
        gate = getattr(gates, name)(*inputs)
        assert_means(gates, variables, gate, lambda v, i=inputs: meaning(*[value(x, v) for x in i]))  # type: ignore[misc]


@pytest.mark.parametrize("name", GATES)
def test_folds_to_a_literal_wherever_the_meaning_is_one(name: str) -> None:
    count, meaning = GATES[name]
    for inputs in product(literals([2, 3, 4][:count]), repeat=count):
        gates = Gates()
        variables = [gates.fresh() for _ in range(count)]
        tables = {}
        assignments = [
            {TRUE: True, **dict(zip(variables, bits, strict=True))}
            for bits in product([False, True], repeat=count)
        ]
        for literal in literals(variables):
            tables[tuple(value(literal, a) for a in assignments)] = literal
        folded = tables.get(tuple(bool(meaning(*[value(x, a) for x in inputs])) for a in assignments))
        gate = getattr(gates, name)(*inputs)
        if folded is not None:
            assert gate == folded
            assert gates.clauses == [(TRUE,)]
        else:
            assert gates.variables == count + 2


@pytest.mark.parametrize("name", ["and_", "or_", "xor", "xor3", "majority"])
def test_order_of_inputs_does_not_matter(name: str) -> None:
    count, _ = GATES[name]
    gates = Gates()
    a, b, c = (gates.fresh() for _ in range(3))
    inputs = [a, -b, c][:count]
    first = getattr(gates, name)(*inputs)
    assert getattr(gates, name)(*inputs[::-1]) == first
    assert getattr(gates, name)(*inputs[1:], inputs[0]) == first


def test_signs_are_pulled_out() -> None:
    gates = Gates()
    a, b, c = (gates.fresh() for _ in range(3))
    assert gates.xor(-a, b) == gates.xor(a, -b) == -gates.xor(a, b)
    assert gates.xor3(-a, -b, -c) == -gates.xor3(a, b, c)
    assert gates.majority(-a, -b, -c) == -gates.majority(a, b, c)
    assert gates.majority(a, -b, -c) == -gates.majority(-a, b, c)
    assert gates.mux(-c, a, b) == gates.mux(c, b, a)
    assert gates.mux(c, -a, -b) == -gates.mux(c, a, b)
    assert gates.variables == 1 + 3 + 6  # mux(c, b, a) is not mux(c, a, b)


@pytest.mark.parametrize("size", range(5))
def test_many_inputs(size: int) -> None:
    for inputs in product([2, -2, 3, 4, 5, TRUE, FALSE], repeat=size):
        gates = Gates()
        variables = [gates.fresh() for _ in range(4)]
        every, some = gates.all_of(inputs), gates.any_of(inputs)
        if len(set(inputs)) < 3 or FALSE in inputs or {2, -2} <= set(inputs):
            assert gates.variables <= 7
        if size < 4 or inputs[0] == 3:
            assert_means(gates, variables, every, lambda v, i=inputs: all(value(x, v) for x in i))  # type: ignore[misc]
            assert_means(gates, variables, some, lambda v, i=inputs: any(value(x, v) for x in i))  # type: ignore[misc]


def test_many_inputs_make_one_gate() -> None:
    gates = Gates()
    inputs = [gates.fresh() for _ in range(30)]
    assert gates.all_of(inputs) == gates.all_of([*reversed(inputs), TRUE])
    assert gates.any_of([-x for x in inputs]) == -gates.all_of(inputs)
    assert gates.variables == 32


def test_clauses_are_taken_once() -> None:
    gates = Gates()
    a, b = gates.fresh(), gates.fresh()
    gates.and_(a, b)
    gates.require(a, -b)
    assert gates.take() == [(TRUE,), (-4, 2), (-4, 3), (4, -2, -3), (2, -3)]
    assert gates.take() == []
    gates.and_(b, a)
    assert gates.take() == []
