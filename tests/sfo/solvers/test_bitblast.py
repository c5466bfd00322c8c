from typing import Any

import pytest

from cfrontend.terms import Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.evaluate import evaluate_terms
from sfo.solvers import SolverAnswer, make_solver
from sfo.solvers.bitblast import (
    BitBlaster,
    Word,
    bitblast_constant,
    signed_bitblast_width,
    unsigned_bitblast_width,
)
from sfo.solvers.gates import FALSE, TRUE, Gates
from tests.cfrontend.randomterms import COMPARISONS, WORD_OPERATIONS

DIVISIONS = ("udiv", "urem", "sdiv", "srem")


def lowered(t: Terms, *roots: Term) -> tuple[Gates, list[Any]]:
    """Gates, and the literal or word of each root."""
    gates = Gates()
    nodes: list[Any] = [None] * len(t)
    BitBlaster(gates).lower(t, t.cone(roots), nodes)
    return gates, [nodes[root] for root in roots]


def assert_computes(t: Terms, inputs: list[Term], results: list[Term]) -> None:
    """For all values of the inputs, each result can have the right value and cannot have another one."""
    solver = make_solver("glucose", t)
    names = [t.var(f"result {i}", t.width[result]) for i, result in enumerate(results)]
    for result, name in zip(results, names, strict=True):
        solver.add(t.eq(result, name))
    total = sum(max(t.width[x], 1) for x in inputs)
    for bits in range(2**total):
        model, left = {}, bits
        for x in inputs:
            size = 2 ** max(t.width[x], 1)
            model[x], left = left % size, left // size
        fixed = [t.eq(x, t.const(value, t.width[x])) for x, value in model.items()]
        expected = evaluate_terms(t, results, model)
        wanted = [expected[result] for result in results]
        assert solver.check(fixed) is SolverAnswer.SAT
        assert solver.values(names) == wanted, model
        right = t.all_of(
            t.eq(name, t.const(value, t.width[name])) for name, value in zip(names, wanted, strict=True)
        )
        assert solver.check([*fixed, t.not_(right)]) is SolverAnswer.UNSAT, model


# -- operators -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("name", WORD_OPERATIONS | COMPARISONS)
def test_operators_on_all_words(t: Terms, name: str, width: int) -> None:
    """Includes division by zero and of the most negative number by -1, and shifts beyond the width."""
    x, y = t.var("x", width), t.var("y", width)
    assert_computes(t, [x, y], [getattr(t, name)(x, y)])


@pytest.mark.parametrize("name", DIVISIONS)
def test_division_against_the_definition(t: Terms, name: str) -> None:
    """The special cases by numbers, not by another implementation."""
    x, y = t.var("x", 4), t.var("y", 4)
    solver = make_solver("glucose", t)
    solver.add(t.eq(t.var("result", 4), getattr(t, name)(x, y)))
    cases = {
        "udiv": {(9, 0): 15, (0, 0): 15, (8, 15): 0, (13, 4): 3},
        "urem": {(9, 0): 9, (0, 0): 0, (8, 15): 8, (13, 4): 1},
        "sdiv": {(9, 0): 1, (0, 0): 15, (5, 0): 15, (8, 15): 8, (13, 2): 15, (7, 14): 13},
        "srem": {(9, 0): 9, (0, 0): 0, (5, 0): 5, (8, 15): 0, (13, 2): 15, (7, 14): 1},
    }
    for (a, b), wanted in cases[name].items():
        assert solver.check([t.eq(x, t.const(a, 4)), t.eq(y, t.const(b, 4))]) is SolverAnswer.SAT
        assert solver.values([t.var("result", 4)]) == [wanted], (a, b)


@pytest.mark.parametrize("name", ["bnot", "neg"])
def test_unary_operators(t: Terms, name: str) -> None:
    x = t.var("x", 4)
    assert_computes(
        t, [x], [getattr(t, name)(x), getattr(t, name)(t.sext(x, 7)), getattr(t, name)(t.zext(x, 7))]
    )


def test_choices_and_connectives(t: Terms) -> None:
    p, q, r = t.var("p", 0), t.var("q", 0), t.var("r", 0)
    x, y = t.var("x", 2), t.var("y", 2)
    results = [t.ite(p, x, y), t.ite(p, q, r), t.and_(p, q), t.or_(q, r), t.eq(p, r), t.not_(t.implies(p, q))]
    assert_computes(t, [p, q, r, x, y], results)


def test_parts_and_extensions(t: Terms) -> None:
    x, y = t.var("x", 4), t.var("y", 3)
    results = [t.concat(x, y), t.extract(t.mul(x, x), 2, 1), t.zext(y, 6), t.sext(y, 6)]
    assert_computes(t, [x, y], results)


@pytest.mark.parametrize("name", [*DIVISIONS, "mul"])
@pytest.mark.parametrize("value", range(16))
def test_constant_operands(name: str, value: int) -> None:
    t = Terms()
    x, short, c = t.var("x", 4), t.var("short", 2), t.const(value, 4)
    apply = getattr(t, name)
    operands = [x, t.sext(short, 4), t.zext(short, 4)]
    results = [apply(a, b) for a in operands for b in (c,)] + [apply(c, a) for a in operands]
    assert_computes(t, [x, short], results)


@pytest.mark.parametrize("name", ["add", "sub", "mul", *DIVISIONS, "slt", "ult", "eq"])
def test_extended_operands(name: str) -> None:
    """Operands known to be short are computed on few bits, also when only one is short."""
    t = Terms()
    x, y = t.var("x", 3), t.var("y", 2)
    apply = getattr(t, name)
    short = [
        (extend_x(x, 6), extend_y(y, 6)) for extend_x in (t.sext, t.zext) for extend_y in (t.sext, t.zext)
    ]
    assert_computes(t, [x, y], [apply(a, b) for a, b in short] + [apply(b, a) for a, b in short])


@pytest.mark.parametrize("name", ["mul", *DIVISIONS])
def test_partly_constant_operands(name: str) -> None:
    t = Terms()
    x, y = t.var("x", 2), t.var("y", 4)
    apply = getattr(t, name)
    partly = [t.concat(x, t.const(2, 2)), t.concat(t.const(2, 2), x), t.concat(t.const(1, 2), x)]
    assert_computes(t, [x, y], [apply(y, a) for a in partly] + [apply(a, y) for a in partly])


def test_division_and_remainder_share_one_circuit(t: Terms) -> None:
    x, y = t.var("x", 32), t.var("y", 32)
    alone, _ = lowered(t, t.sdiv(x, y))
    both, _ = lowered(t, t.sdiv(x, y), t.srem(x, y))
    assert both.variables < 1.1 * alone.variables


def test_short_operands_make_small_circuits(t: Terms) -> None:
    long_, _ = lowered(t, t.mul(t.var("x", 32), t.var("y", 32)))
    short, (word,) = lowered(t, t.mul(t.sext(t.var("u", 8), 32), t.sext(t.var("v", 8), 32)))
    assert short.variables < long_.variables / 7
    assert signed_bitblast_width(word) == 16
    _, (quotient,) = lowered(t, t.sdiv(t.sext(t.var("u", 8), 32), t.const(10, 32)))
    assert signed_bitblast_width(quotient) <= 6


def test_constants_have_few_digits(t: Terms) -> None:
    """``x * 255`` is ``x * 256 - x``: one sum, not seven."""
    x = t.var("x", 32)
    gates, _ = lowered(t, t.mul(x, t.const(255, 32)))
    assert gates.variables - 33 <= 2 * 32


# -- widths ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "signed", "unsigned"),
    [
        ((2, 3, 3, 3), 2, 4),
        ((2, 3, FALSE, FALSE), 3, 2),
        ((2, 2), 1, 2),
        ((FALSE, FALSE), 1, 0),
        ((TRUE, TRUE), 1, 2),
        ((2, -2), 2, 2),
    ],
)
def test_widths(word: Word, signed: int, unsigned: int) -> None:
    assert signed_bitblast_width(word) == signed
    assert unsigned_bitblast_width(word) == unsigned


def test_constant_words() -> None:
    assert bitblast_constant(5, 4) == (TRUE, FALSE, TRUE, FALSE)
    assert bitblast_constant(-1, 2) == (TRUE, TRUE)
    assert bitblast_constant(0, 0) == ()


# -- random terms ----------------------------------------------------------------------------------------------


def test_every_operator_is_lowered(t: Terms) -> None:
    blaster = BitBlaster(Gates())
    missing = [op for op in range(T.EQ, T.CONCAT) if blaster._words[op] is None]
    assert missing == [T.ITE, T.BNOT, T.NEG]
    x = t.var("x", 3)
    t.op[x] = 99
    with pytest.raises(ValueError, match="unknown operator 99"):
        blaster._other(t, x, [])
