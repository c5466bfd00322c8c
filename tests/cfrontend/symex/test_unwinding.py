"""The bound means what it means in CBMC: which assertions can be reached within an unwinding."""

import subprocess
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.symex.steps import control
from cfrontend.terms import FALSE, TRUE, Terms
from sfo.solvers import SolverAnswer
from sfo.solvers.ask import ask_for_model, solver_to_ask
from sfo.solvers.protocol import SolverBudget
from tests.conftest import require_tool

WHILE = """int nondet_int(void);
int main(void) {
  int i = 0, n = nondet_int();
  __CPROVER_assume(n >= 0 && n <= 5);
  while (i < n) { i++; __CPROVER_assert(i != LIMIT, "x"); }
  return 0;
}
"""
DO = """int nondet_int(void);
int main(void) {
  int i = 0, n = nondet_int();
  __CPROVER_assume(n >= 0 && n <= 5);
  do { i++; __CPROVER_assert(i != LIMIT, "x"); } while (i < n);
  return 0;
}
"""
CONSTANT = """int main(void) {
  for (int i = 1; i < 5; i++) __CPROVER_assert(i != LIMIT, "x");
  return 0;
}
"""
NESTED = """int main(void) {
  int s = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) { s++; __CPROVER_assert(s != LIMIT, "x"); }
  return 0;
}
"""
RECURSION = """int f(int n) {
  __CPROVER_assert(6 - n != LIMIT, "x");
  if (n <= 0) return 0;
  return f(n - 1) + 1;
}
int main(void) { f(5); return 0; }
"""
JUMP = """int main(void) {
  int i = 0;
again:
  i++;
  __CPROVER_assert(i != LIMIT, "x");
  if (i < 5) goto again;
  return 0;
}
"""
CALLS_AS_CONDITION = """extern int nondet_int(void);
static char text[6];
static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_letter(char c) { return c >= 'a' && c <= 'z'; }
int main(void) {
  int at = 0;
  for (int i = 0; i < 4; i++)
    text[i] = (char)nondet_int();
  do
    at++;
  while (is_digit(text[at]) || is_letter(text[at]));
  __CPROVER_assert(at < 4, "x");
  return 0;
}
"""
TWO_JUMPS = """extern int nondet_int(void);
int main(void) {
  int n = 0, x = nondet_int();
  __CPROVER_assume(0 <= x && x <= 5);
again:
  n++;
  if (x % 2 == 1) { x--; goto again; }
  if (x > 0) { x -= 2; goto again; }
  __CPROVER_assert(n < 4, "x");
  return 0;
}
"""


@pytest.mark.parametrize("text", [CALLS_AS_CONDITION, TWO_JUMPS], ids=["calls", "jumps"])
def test_several_ways_back_end_the_same_iteration(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.c"
    path.write_text(text, encoding="utf-8")
    program = load_c_program([str(path)], ProgramOptions(checks=frozenset({"assert"})))
    assert len(program.goto.functions["main"].loops()) == text.count("for (") + 1
    for unwind in (3, 4, 5):
        terms = Terms()
        encoded = encode_program(program, Bound(unwind=unwind, free=True), terms=terms)
        model = ask_for_model(solver_to_ask("auto", terms), terms, encoded.cut, SolverBudget())
        assert (model is SolverAnswer.UNSAT) == (unwind > 3)


@pytest.mark.parametrize("unwind", [1, 2, 3])
@pytest.mark.parametrize("limit", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "text",
    [WHILE, DO, CONSTANT, NESTED, RECURSION, JUMP],
    ids=["while", "do", "constant", "nested", "recursion", "jump"],
)
@pytest.mark.sample(12)
def test_the_same_assertions_are_reached(tmp_path: Path, text: str, limit: int, unwind: int) -> None:
    cbmc = require_tool("cbmc")
    path = tmp_path / "p.c"
    path.write_text(text.replace("LIMIT", str(limit)), encoding="utf-8")
    arguments = [
        cbmc,
        str(path),
        "--unwind",
        str(unwind),
        "--no-standard-checks",
        "--no-unwinding-assertions",
    ]
    theirs = subprocess.run(arguments, capture_output=True, text=True, check=False).stdout
    program = load_c_program([str(path)], ProgramOptions(checks=frozenset({"assert"})))
    encoded = encode_program(program, Bound(unwind=unwind))
    reached = any(v.condition != FALSE for v in encoded.violations)
    assert reached == ("VERIFICATION FAILED" in theirs), theirs


def test_constant_loops_run_free_and_report_their_bound(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(CONSTANT.replace("LIMIT", "4"), encoding="utf-8")
    encoded = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1, free=True))
    assert encoded.cut == FALSE
    assert encoded.unrolled.unwindset == {"main.0": 4}
    assert encoded.violations


def test_a_recursion_with_the_same_arguments_is_free_on_constants_only(tmp_path: Path) -> None:
    path = tmp_path / "parser.c"
    path.write_text(
        "extern int nondet_int(void); static int depth;"
        "void read(int *at) { ++*at; if (nondet_int()) read(at); }"
        "void count(void) { if (++depth < 40) count(); }"
        "int main(void) { int at = 0; count(); read(&at); return at; }",
        encoding="utf-8",
    )
    encoded = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=2, free=True))
    assert encoded.unrolled.deepest == {"count": 39, "read": 2}


def test_a_loop_that_tests_the_same_thing_again_is_not_free(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        'int main(void) { int stop = 0; while (!stop) ; __CPROVER_assert(0, "x"); }', encoding="utf-8"
    )
    encoded = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=3, free=True))
    assert encoded.cut != FALSE
    assert not encoded.violations


def test_a_loop_with_two_tests_that_stay_as_they_are_is_not_free(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int main(void) { int a = 0, b = 1; while (a < 3 && b < 5) ; }", encoding="utf-8")
    encoded = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=3, free=True))
    assert encoded.cut != FALSE
    assert encoded.unrolled.unwindset == {"main.0": 4}


@pytest.mark.parametrize(("step", "rounds"), [("i++", 301), ("i--", 66)])
def test_a_counter_that_runs_away_from_its_end_is_not_free_for_long(
    step: str, rounds: int, tmp_path: Path
) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        "extern int nondet_int(void);"
        f"int main(void) {{ int i; for (i = 0; i < 300; {step}) if (nondet_int()) break; return i; }}",
        encoding="utf-8",
    )
    encoded = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1, free=True))
    assert encoded.unrolled.unwindset["main.0"] == rounds


def test_a_time_limit_ends_the_joining_of_many_states(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        "extern int nondet_int(void);"
        "int main(void) { int a[50]; for (int i = 0; i < 2000; i++) { a[i % 50] = i; if (nondet_int()) break; } }",
        encoding="utf-8",
    )
    program, ticks = load_c_program([str(path)], ProgramOptions()), iter(range(1, 1_000_000))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("cfrontend.symex.machine.time.monotonic", lambda: next(ticks))
        encode_program(program, Bound(unwind=1, free=True), deadline=1_000_000.0)
    rounds = 2000
    assert next(ticks) > (rounds + rounds + 0.9 * rounds) / 64, "tests, jumps back and joins, one in 64"


@pytest.mark.parametrize(
    "leave", ["break;", "return 0;", "{ i = 7; break; }", "goto out;", "{ int k = i; return k; }"]
)
def test_leaving_a_constant_loop_from_within_is_free(tmp_path: Path, leave: str) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        f'int main(void) {{ int i = 0; for (;;) {{ i++; if (i == 9) {leave} }} out: __CPROVER_assert(i > 9, "x"); }}',
        encoding="utf-8",
    )
    encoded = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1, free=True))
    assert encoded.cut == FALSE
    assert encoded.unrolled.unwindset == {"main.0": 9}


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("unwind", [1, 2, 5])
def test_the_reported_bound_gives_the_same_again(tmp_path: Path, unwind: int, *, free: bool) -> None:
    """Loops that are cut, and recursions, are reported with the bound that cut them."""
    path = tmp_path / "p.c"
    path.write_text(
        """int nondet_int(void);
static int down(int n) { return n > 0 ? down(n - 1) : n; }
int main(void) {
    int n = nondet_int(), i, s = down(n);
    for (i = 0; i < n; i++) s++;
    for (i = 0; i < 3; i++) s++;
    __CPROVER_assert(s != 8, "");
    return s;
}
""",
        encoding="utf-8",
    )
    program, terms = load_c_program([str(path)], ProgramOptions()), Terms()
    one = encode_program(program, Bound(unwind=unwind, free=free), terms=terms)
    assert one.unrolled.unwindset["main.0"] == unwind
    assert one.unrolled.deepest["down"] == unwind
    limits = {**one.unrolled.unwindset, **one.unrolled.deepest}
    two = encode_program(program, Bound(unwind=None, unwindset=limits), terms=terms)
    assert (two.cut, two.violations, two.passing) == (one.cut, one.violations, one.passing)
    assert (two.unrolled.unwindset, two.unrolled.deepest) == (one.unrolled.unwindset, one.unrolled.deepest)


def test_rounds_that_fork_are_not_free_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "_FREE_FORKS", 50)
    source = tmp_path / "program.c"
    source.write_text(
        "int nondet_int(void);\n"
        "int main(void) {\n"
        "  int i = 0, j;\n"
        "  while (i < 100000 && nondet_int()) i++;\n"
        "  for (j = 0; j < 300; j++) i++;\n"
        "  return i;\n"
        "}\n"
    )
    encoded = encode_program(load_c_program([str(source)], ProgramOptions()), Bound(unwind=3, free=True))
    assert encoded.unrolled.unwindset == {"main.0": 52, "main.1": 301}
    assert encoded.cut != FALSE


INNER = """int nondet_int(void);
int main(void) {
  int state = 0, at = 0;
  for (;;) {
    for (int i = 0; i < 3; i++) {
      if (i + at == 20)
        return 1;
      if (nondet_int() == 7)
        return state;
    }
    state ^= nondet_int();
    STEP;
  }
}
"""


@pytest.mark.parametrize(("step", "rounds", "leaves_bound"), [("at += 4", 6, False), ("", 3, True)])
def test_a_counter_of_an_inner_loop_that_starts_again_does_not_free_the_outer_one(
    step: str, rounds: int, tmp_path: Path, *, leaves_bound: bool
) -> None:
    path = tmp_path / "p.c"
    path.write_text(INNER.replace("STEP", step), encoding="utf-8")
    encoded = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=2, free=True))
    assert encoded.unrolled.unwindset["main.1"] == rounds
    assert (encoded.cut != FALSE) == leaves_bound


@pytest.mark.parametrize("condition", ["x", "1", "x == 3 || x++"])
def test_a_loop_that_changes_nothing_ends_with_the_rounds_of_a_free_run(
    condition: str, tmp_path: Path
) -> None:
    path = tmp_path / "p.c"
    path.write_text(f"int main(void) {{ int x = 3; while ({condition}) ; return 0; }}\n")
    program = load_c_program([str(path)], ProgramOptions())
    encoded = encode_program(
        program, Bound(unwind=None, free=True, free_limit=50), inputs=EncodeFixedValues([])
    )
    assert encoded.cut == TRUE
    assert encoded.unrolled.unwindset == {"main.0": 50}


LIST = """#include <stdlib.h>
int nondet_int(void);
struct node { struct node *next; };
int main(void) {
  struct node *head = NULL, *p;
  int count = 0;
  while (TEST) {
    p = malloc(sizeof *p);
    if (p == NULL)
      return 1;
    p->next = head;
    head = p;
    count++;
  }
  for (p = head; p != NULL; p = p->next)
    count--;
  __CPROVER_assert(count == 0, "walked");
  return 0;
}
"""


@pytest.mark.parametrize(
    ("test", "most"),
    [("nondet_int()", {"main.0": 2, "main.1": 2}), ("count < 5", {"main.0": 6, "main.1": 6})],
)
def test_looking_at_what_the_loop_allocates_leads_nowhere(
    test: str, most: dict[str, int], tmp_path: Path
) -> None:
    path = tmp_path / "p.c"
    path.write_text(LIST.replace("TEST", test))
    formula = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=2, free=True))
    assert dict(formula.unrolled.unwindset) == most


def test_a_hundred_thousand_iterations_that_need_no_solver_are_free(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        'int main(void) { int i; for (i = 0; i < 100000; i++); __CPROVER_assert(i == 100000, ""); return 0; }\n'
    )
    formula = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1, free=True))
    assert formula.cut == FALSE
