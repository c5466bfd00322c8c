import bitwuzla
import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrontend.terms import FALSE, TRUE, Terms
from sfo.solvers import SolverAnswer, make_solver
from sfo.solvers.smtlib import smtlib_script, smtlib_symbol
from tests.cfrontend.randomterms import Program, build


def z3_answer(text: str) -> str:
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(text)
    return str(solver.check())


def bitwuzla_answer(text: str) -> str:
    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(text.removesuffix("(check-sat)\n"), parse_only=True, parse_file=False)
    return str(parser.bitwuzla().check_sat())


def test_script(t: Terms) -> None:
    x, y, p = t.var("x", 8), t.var("y", 8), t.var("p", 0)
    total = t.add(x, y)
    asserted = [t.implies(p, t.ult(total, x)), t.eq(t.sext(t.extract(total, 3, 0), 8), t.const(-3, 8)), TRUE]
    assert smtlib_script(t, asserted) == (
        "(set-option :produce-models true)\n"
        "(set-logic QF_BV)\n"
        "(declare-fun x () (_ BitVec 8))\n"
        "(declare-fun y () (_ BitVec 8))\n"
        "(declare-fun p () Bool)\n"
        f"(define-fun $t{total} () (_ BitVec 8) (bvadd x y))\n"
        f"(assert (or (not p) (bvult $t{total} x)))\n"
        f"(assert (= ((_ extract 3 0) $t{total}) (_ bv13 4)))\n"
        "(assert true)\n"
        "(check-sat)\n"
    )


def test_only_what_is_asserted_is_declared(t: Terms) -> None:
    t.var("unused", 8)
    assert "unused" not in smtlib_script(t, [t.var("used", 0)])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("x", "x"),
        ("main::x!2", "|main::x!2|"),
        ("a b", "|a b|"),
        ("", "||"),
        ("and", "|%61;nd|"),
        ("exit", "|%65;xit|"),
        ("bvadd", "|%62;vadd|"),
        ("$t5", "|%24;t5|"),
        ("a|b", "|a%7c;b|"),
        ("100%", "|100%25;|"),
        ("3", "|3|"),
    ],
)
def test_symbols(name: str, expected: str) -> None:
    assert smtlib_symbol(name) == expected


@given(st.lists(st.text(max_size=5), unique=True, max_size=5))
def test_any_names_can_be_read_back(names: list[str]) -> None:
    t = Terms()
    names += ["and", "|and|", "%61;nd", "$t9", "t9", "bvand", "true", "check-sat", "exit", "Bool"]
    text = smtlib_script(
        t, [t.ult(t.var(f"{name}", 8), t.const(i + 1, 8)) for i, name in enumerate(dict.fromkeys(names))]
    )
    assert bitwuzla_answer(text) == z3_answer(text) == "sat"


def test_long_terms_do_not_nest(t: Terms) -> None:
    root, parts = t.var("x", 8), [t.var(f"y{i}", 8) for i in range(7)]
    for i in range(25_000):
        root = t.bxor(t.sub(parts[i % 7], root), parts[i * i % 7])
    text = smtlib_script(t, [t.eq(root, root), t.eq(root, t.const(5, 8)), FALSE])
    assert max(len(line) for line in text.splitlines()) < 400
    assert len(text) < 30 * 50_000
    assert bitwuzla_answer(text) == z3_answer(text) == "unsat"


@settings(max_examples=150)
@given(st.binary(min_size=8, max_size=120).map(build), st.data())
def test_other_readers_agree(program: Program, data: st.DataObject) -> None:
    t = program.terms
    literals = [literal for node in program.booleans for literal in (node.term, t.not_(node.term))]
    words = [t.eq(node.term, t.const(data.draw(st.integers(0, 9)), node.width)) for node in program.words]
    asserted = data.draw(st.lists(st.sampled_from(literals + words), max_size=4))
    solver = make_solver("bitwuzla", t)
    for term in asserted:
        solver.add(term)
    text = smtlib_script(t, asserted)
    answer = solver.check()
    assert answer is not SolverAnswer.UNKNOWN
    assert bitwuzla_answer(text) == z3_answer(text) == answer.value
