from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.manifest import load_manifest
from cfrontend.lower.specification_code import (
    SpecificationCode,
    find_specification_code,
    units_of_test_driver,
)
from cfrontend.program import Program, ProgramOptions, load_c_program

DECLARED = "#include <assert.h>\n#include <stdio.h>\nextern int nondet_int(void);\n"


def loaded(tmp_path: Path, text: str, trusted: tuple[str, ...] = ()) -> Program:
    path = tmp_path / "program.c"
    path.write_text(DECLARED + text, encoding="utf-8")
    return load_c_program([str(path)], ProgramOptions(trusted=trusted))


def found(tmp_path: Path, text: str, trusted: tuple[str, ...] = ()) -> SpecificationCode:
    return find_specification_code(loaded(tmp_path, text, trusted).tree, "main", trusted)


def texts(program: Program) -> set[str]:
    trusted = program.trusted_units
    return {unit.text for unit in program.units if unit.id in trusted}


def pair(name: str, call: str) -> str:
    functions = "int twice(int x) { return x * 2 + (x > 9); } int NAME(int x) { return x + x; } "
    return (functions + f"int main(void) {{ int x = nondet_int(); {call} return 0; }}").replace("NAME", name)


def test_a_function_whose_name_says_so_belongs_to_the_specification(tmp_path: Path) -> None:
    code = found(tmp_path, pair("expected_twice", "assert(twice(x) == expected_twice(x));"))
    assert code.functions == {"expected_twice"}
    assert code.unnamed == {"twice", "expected_twice"}


def test_of_two_functions_that_only_assertions_look_at_both_are_suspects(tmp_path: Path) -> None:
    code = found(tmp_path, pair("other", "assert(twice(x) == other(x));"))
    assert not code.functions
    assert code.unnamed == {"twice", "other"}


def test_what_is_called_in_assertions_only_is_named_by_no_edit(tmp_path: Path) -> None:
    text = "int n; void add(void) { n += 2; } int count(void) { return n; } int least(void) { return n; } "
    harness = "int main(void) { int e = 0; if (nondet_int()) { add(); e++; } n += least(); "
    code = found(tmp_path, text + harness + "assert(count() == e); return 0; }")
    assert not code.functions
    assert code.unnamed == {"count"}


def test_what_else_calls_only_itself_is_named_by_no_edit(tmp_path: Path) -> None:
    text = "int n; void add(void) { n += 2; } int count(int k) { return k > 0 ? count(k - 1) + 1 : 0; } "
    harness = "int main(void) { int e = 0; if (nondet_int()) { add(); e++; } "
    assert found(tmp_path, text + harness + "assert(count(n) == e); return 0; }").unnamed == {"count"}
    assert not found(tmp_path, text + harness + "n = count(n); assert(count(n) == e); return 0; }").unnamed


def test_what_only_observes_does_so_behind_an_assertion_of_the_program_itself(tmp_path: Path) -> None:
    text = "extern void abort(void); void reach_error(void) {} "
    text += "void __VERIFIER_assert(int cond) { if (!cond) { reach_error(); abort(); } } "
    text += "int a[2]; void move(int n) { a[0] -= n; a[1] += n; } int total(void) { return a[0] + a[1]; } "
    harness = "int main(void) { int before = total(); move(nondet_int()); __VERIFIER_assert(total() == before); return 0; }"
    assert found(tmp_path, text + harness).functions == {"total"}


def test_a_trusted_function_is_right_whatever_its_name(tmp_path: Path) -> None:
    text = pair("other", "assert(twice(x) == other(x));")
    assert found(tmp_path, text, ("twice",)).functions == {"twice"}
    program = loaded(tmp_path, text, ("twice",))
    assert texts(program) == {"return x * 2 + (x > 9)"}


def test_what_only_an_assertion_looks_at_is_the_program_where_nothing_else_is(tmp_path: Path) -> None:
    assert not found(tmp_path, pair("reference_of", "assert(reference_of(x) % 2 == 0);")).functions
    assert not found(tmp_path, pair("model", "int y = twice(x); assert(model(y) == 4 * x);")).functions


def test_an_accessor_of_what_the_program_has_written_is_a_suspect(tmp_path: Path) -> None:
    code = found(
        tmp_path,
        "static int n; void put(int x) { if (x > 0) n++; } int ref_count(void) { return n - 1; }"
        'int main(void) { put(nondet_int()); put(3); printf("%d", n); assert(ref_count() <= 2); return 0; }',
    )
    assert not code.functions


def test_harness_code_that_computes_what_is_right_is_no_suspect(tmp_path: Path) -> None:
    call = "int want = 0; for (int i = 0; i < 2; i++) want += x; int r = twice(x); assert(r == want);"
    program = loaded(tmp_path, pair("other", call))
    assert texts(program) == {"want = 0", "i = 0", "i < 2", "i++", "want += x"}


def test_a_copy_is_no_specification_where_the_program_is_given_it(tmp_path: Path) -> None:
    call = "int want = 0; if (x > 3) want = x; int r = twice(want); assert(r == 2 * want);"
    assert not texts(loaded(tmp_path, pair("other", call)))


def test_what_a_trusted_function_calls_is_right_and_can_be_named(tmp_path: Path) -> None:
    text = (
        "int half(int x) { return x / 2; } int part(int x) { return half(x) + (x == 7); }"
        "int spec_part(int x) { return half(x); }"
        "int main(void) { int x = nondet_int(); assert(part(x) == spec_part(x)); return 0; }"
    )
    code = found(tmp_path, text)
    assert code.functions == {"half", "spec_part"}
    assert "half" not in code.unnamed


def test_no_fault_of_the_benchmark_programs_is_taken_for_the_specification() -> None:
    """Every third program: whether one is located is a question of the campaigns."""
    for program in load_manifest()[::3]:
        version = program.versions[-1]
        loaded_version = load_c_program([str(version.path)], ProgramOptions(entry=version.entry))
        trusted = loaded_version.trusted_units
        faulty = {u.id for u in loaded_version.units if u.location.line in version.faulty_lines}
        assert not faulty & trusted, version.id


@pytest.mark.parametrize(
    ("older", "entry", "suspects"),
    [
        ("int half(int x) { return x / 2; } int f(int x) { return half(x + 1); }", "f", {"f"}),
        ("int half(int x) { return x >> 1; } int f(int x) { return half(x); }", "f", {"half"}),
        ("int half(int x) { return x >> 1; } int f(int x) { return half(x + 1); }", "f", {"half", "f"}),
        ("int f(int x) { return x / 2; }", "f", {"half", "f"}),
        ("int half(int x) { return x / 2; }\n\nint f(int x) { return half(x); }", "f", {"half", "f"}),
    ],
)
def test_functions_that_the_older_version_has_alike_are_no_suspects(
    tmp_path: Path, older: str, entry: str, suspects: set[str]
) -> None:
    new, old = tmp_path / "new.c", tmp_path / "old.c"
    new.write_text("int half(int x) { return x / 2; } int f(int x) { return half(x); }\n")
    old.write_text(f"{older}\n")
    version = load_c_program([str(new)], ProgramOptions(entry=entry, reference=(str(old),)))
    assert {u.function for u in version.units if u.id not in version.trusted_units} == suspects


SORTED = """
static int count(const int *a, int n, int what) { int c = 0; for (int i = 0; i < n; i++) c += a[i] == what; return c; }
static void order(int *a, int n) { if (n > 1 && a[0] > a[1]) { int t = a[0]; a[0] = a[1]; a[1] = t; } }
int main(void)
{
    int a[2] = { nondet_int(), nondet_int() }, what = nondet_int(), before, after;
    before = count(a, 2, what);
    order(a, 2);
    after = count(a, 2, what);
    assert(ASSERTED);
    assert(a[0] <= a[1]);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("asserted", "is_right"),
    [
        ("before == after", True),
        ("count(a, 2, what) == before && after >= count(a, 2, what)", True),
        ("after == 1", False),
        ("before == after + what", False),
        ("before == after + a[0]", False),
    ],
)
def test_what_is_compared_with_itself_around_other_code_is_right(
    asserted: str, is_right: bool, tmp_path: Path
) -> None:
    code = found(tmp_path, SORTED.replace("ASSERTED", asserted))
    assert code.functions == ({"count"} if is_right else frozenset())
    assert "order" not in code.unnamed


def test_what_is_compared_with_itself_alone_may_be_wrong(tmp_path: Path) -> None:
    text = """
    static int size(int x) { return x < 0 ? -x : x; }
    int main(void) { int x = nondet_int() % 9; int one = size(x), two = size(-x); assert(one == two); return 0; }
    """
    assert found(tmp_path, text).functions == frozenset()
    steps = """
    static int parse(int x, int *v) { *v = x / 2; return x > 0; }
    static int value(const int *v) { return *v + 1; }
    int main(void) { int v, x = nondet_int(); parse(x, &v); int r = value(&v); assert(r == x / 2 + 1); return 0; }
    """
    assert found(tmp_path, steps).functions == frozenset()


TESTED = "int half(int n) { int m = n; if (n < 0) m = -n; m /= 2; if (n < 0) m = -m; return m; } "


@pytest.mark.parametrize(
    "asserts",
    [
        "assert(half(n) <= n);",
        "if (n > 3) { assert(half(n) > 1); }",
        "check(half(n) <= n);",
    ],
)
def test_a_main_that_asserts_what_others_did_is_a_test_driver(asserts: str, tmp_path: Path) -> None:
    check = (
        "void reach_error(void); void check(int c) { if (!c) reach_error(); } " if "check" in asserts else ""
    )
    program = loaded(
        tmp_path, f"{check}{TESTED}int main(void) {{ int n = nondet_int(); {asserts} return 0; }}"
    )
    driver = units_of_test_driver(program.tree, "main", program.table)
    assert driver == {unit.id for unit in program.units if unit.function == "main"}
    assert driver


@pytest.mark.parametrize(
    "text",
    [
        TESTED + 'int main(void) { printf("%d", half(nondet_int())); return 0; }',
        (
            "int twice(int n) { return 2 * n; } int main(void) { int n = nondet_int(), m = twice(n); if (m < n) m = n;"
            " n += m; if (n > 9) n = 9; assert(n <= 9); return 0; }"
        ),
    ],
)
def test_a_main_that_asserts_nothing_or_is_most_of_the_program_is_none(text: str, tmp_path: Path) -> None:
    program = loaded(tmp_path, text)
    assert units_of_test_driver(program.tree, "main", program.table) == frozenset()


def test_what_the_program_calls_itself_is_no_specification(tmp_path: Path) -> None:
    text = "int far(int a, int b) { return a > b ? a - b : b - a; } "
    nearest = "int nearest(int a, int b, int x) { return BETTER ? b : a; } "
    harness = "int main(void) { int a = nondet_int(), b = nondet_int(), n = nearest(a, b, 1); "
    harness += "assert(far(n, 1) <= far(a, 1)); return 0; }"
    shared = found(tmp_path, text + nearest.replace("BETTER", "far(b, 1) < far(a, 1)") + harness)
    assert not shared.functions | shared.unnamed


COUNTED = """static int my_abs(int x) { return x > 0 ? x : x; }
static int test_abs(void) { int fails = 0; if (my_abs(-2) < 0) fails++; return fails; }
int main(void) { int fails = test_abs(); printf("%d", fails); return RESULT; }
"""


@pytest.mark.parametrize(
    ("result", "is_counted"), [("fails != 0", True), ("fails", True), ("test_abs()", False)]
)
def test_a_main_that_counts_failed_tests_returns_what_is_right(
    result: str, is_counted: bool, tmp_path: Path
) -> None:
    path = tmp_path / "program.c"
    path.write_text(DECLARED + COUNTED.replace("RESULT", result), encoding="utf-8")
    program = load_c_program([str(path)], ProgramOptions(ensures=("__sfo_result == 0",)))
    last = max(unit.id for unit in program.units if unit.function == "main")
    assert (last in program.specifying) == is_counted
    assert program.counting == ("main",)
    plain = load_c_program([str(path)], ProgramOptions())
    assert not plain.counting
    assert last not in plain.specifying


def test_a_main_that_calls_nothing_counts_nothing(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(DECLARED + "int main(void) { int n = nondet_int(); return n != 3; }", encoding="utf-8")
    program = load_c_program([str(path)], ProgramOptions(ensures=("__sfo_result == 0",)))
    assert not program.counting
    assert not program.specifying


CHECKED = """static void fail(void) { assert(0); }
static void check(int held) { if (!held) { printf("no"); fail(); } }
static int limited(int x) { if (x > 9) fail(); return x; }
int main(void) {
    int x = nondet_int(), y = limited(x);
    if (y > x) { fail(); } else { y--; }
    for (int i = 0; i < 2; i++) check(y < x + i);
    do { if (y == 7) fail(); } while (0);
    return 0;
}
"""


def test_calls_of_functions_that_only_fail_are_assertions(tmp_path: Path) -> None:
    program = loaded(tmp_path, CHECKED)
    stating = {unit.text for unit in program.units if unit.id in program.specifying}
    assert {"!held", "fail()", "check(y < x + i)", "y == 7", "x > 9"} <= stating
    assert not {"y--", "y > x", "x", "y = limited(x)", "x = nondet_int()"} & stating
