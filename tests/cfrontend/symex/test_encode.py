"""Encoding: inputs in evaluation order, fixed inputs, a relaxed unit, ends of executions, refusals."""

from itertools import product
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError, UnsupportedError
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms import FALSE, TRUE, VAR, Terms
from cfrontend.terms.evaluate import evaluate_terms

MINMAX = """int main(void)
{
    int input1, input2, input3;
    int least = input1; int most = input1; /* C1 */
    if (most < input2)
        most = input2; /* C2 */
    if (most < input3)
        most = input3; /* C3 */
    if (least > input2)
        most = input2; /* C4 */
    if (least > input3)
        least = input3; /* C5 */
    __CPROVER_assert(least <= most, "in order");
    return 0;
}
"""


def encoded(tmp_path: Path, text: str, bound: Bound | None = None, **options: object) -> EncodedProgram:
    path = tmp_path / "p.c"
    path.write_text(text, encoding="utf-8")
    inputs = options.pop("inputs", None)
    relax = options.pop("relax", ())
    program = load_c_program([str(path)], ProgramOptions(**options))  # type: ignore[arg-type]
    return encode_program(program, bound or Bound(unwind=8), inputs=inputs, relax=relax)  # type: ignore[arg-type]


def outcomes(e: EncodedProgram, inputs: dict[int, int]) -> tuple[bool, bool, bool]:
    """(fails, passes, is cut) under an assignment."""
    roots = [v.condition for v in e.violations]
    values = evaluate_terms(e.terms, [*roots, e.passing, e.cut], inputs)
    return any(values[r] for r in roots), bool(values[e.passing]), bool(values[e.cut])


def test_each_execution_has_exactly_one_end(tmp_path: Path) -> None:
    e = encoded(tmp_path, MINMAX)
    variables = [event.value for event in e.inputs]
    for values in product(range(3), repeat=3):
        fails, passes, cut = outcomes(e, dict(zip(variables, values, strict=True)))
        fixed = encoded(tmp_path, MINMAX, inputs=EncodeFixedValues(values))
        assert fails + passes == 1
        assert not cut
        assert (fixed.passing == TRUE) == passes
        assert any(v.condition == TRUE for v in fixed.violations) == fails


@pytest.mark.parametrize("read", ['klee_make_symbolic(&x, sizeof x, "x")', "", "x = nondet()"])
def test_an_edited_program_may_read_another_type_in_the_same_place(read: str, tmp_path: Path) -> None:
    terms, path = Terms(), tmp_path / "p.c"
    for ctype, width in (("int", 32), ("long", 64), ("int", 32)):
        path.write_text(f"{ctype} nondet(void); int main(void) {{ {ctype} x; {read}; return x > 5; }}")
        found = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1), terms=terms)
        assert [terms.width[event.value] for event in found.inputs] == [width]


def test_uninitialised_variables_are_inputs_where_they_are_read(tmp_path: Path) -> None:
    text = """int main(void)
{
    int a, b, unused;
    int first = b;
    b = 3;
    if (first > 0) first = a + b;
    return first + b;
}
"""
    e = encoded(tmp_path, text)
    assert [event.site.name for event in e.inputs] == ["b", "a"]
    assert e.inputs[0].condition == TRUE
    assert e.inputs[1].condition not in {TRUE, FALSE}
    assert [event.site.location.line for event in e.inputs] == [3, 3]


def test_inputs_are_named_after_what_they_are_assigned_to(tmp_path: Path) -> None:
    text = """int nondet_int(void); unsigned char nondet_uchar(void);
int main(void)
{
    int a[2];
    a[1] = nondet_int();
    return a[1] + nondet_uchar();
}
"""
    sites = [event.site for event in encoded(tmp_path, text).inputs]
    assert [(s.name, s.type, s.width) for s in sites] == [
        ("a[1]", "int", 32),
        ("nondet_uchar()", "unsigned char", 8),
    ]


def test_rows_that_are_too_short_or_too_long_are_noticed(tmp_path: Path) -> None:
    short = encoded(tmp_path, MINMAX, inputs=EncodeFixedValues([1, 2]))
    assert short.concrete.missing_input is not None
    assert short.concrete.missing_input.name == "input3"
    assert encoded(tmp_path, MINMAX, inputs=EncodeFixedValues([1, 2, 3, 4])).concrete.unused_inputs == 1


@pytest.mark.parametrize(
    ("label", "can_be_saved"), [("C1", True), ("C4", True), ("C3", False), ("C5", False)]
)
def test_a_relaxed_unit_yields_any_value(tmp_path: Path, label: str, *, can_be_saved: bool) -> None:
    """Input (1, 0, 1) fails through C4: only other values at C4, or at the start, make it pass."""
    text = MINMAX.replace("int least = input1; int most = input1;", "int most = input1; int least = input1;")
    path = tmp_path / "p.c"
    path.write_text(text, encoding="utf-8")
    program = load_c_program([str(path)], ProgramOptions())
    unit = next(u.id for u in program.units if u.label == label)
    e = encode_program(program, Bound(unwind=1), inputs=EncodeFixedValues((1, 0, 1)), relax=[unit])
    free = [t for t in e.terms.cone([e.passing]) if e.terms.op[t] == VAR]
    width = 4
    found = any(
        evaluate_terms(
            e.terms, [e.passing], {v: n % (1 << e.terms.width[v]) for v, n in zip(free, values, strict=True)}
        )[e.passing]
        for values in product(range(-width, width), repeat=len(free))
    )
    assert found == can_be_saved


def test_a_relaxed_condition_may_read_other_inputs(tmp_path: Path) -> None:
    text = """int nondet_int(void);
int main(void)
{
    int a = nondet_int();
    if (a) a = nondet_int();
    __CPROVER_assert(a == 7, "seven");
    return 0;
}
"""
    path = tmp_path / "p.c"
    path.write_text(text, encoding="utf-8")
    program = load_c_program([str(path)], ProgramOptions())
    unit = next(u.id for u in program.units if u.kind == "condition")
    e = encode_program(program, Bound(unwind=1), inputs=EncodeFixedValues((0,)), relax=[unit])
    assert e.concrete.missing_input is None
    assert e.passing not in {TRUE, FALSE}


@pytest.mark.parametrize(
    "body",
    ["int x; return x > 0 ? 1 : 2;", "int v[2]; return v[1];", "return f();"],
    ids=["branch", "first read", "call"],
)
def test_a_deadline_is_looked_at_in_every_step_that_can_take_long(tmp_path: Path, body: str) -> None:
    path = tmp_path / "p.c"
    path.write_text(f"static int f(void) {{ return 0; }} int main(void) {{ {body} }}")
    program = load_c_program([str(path)], ProgramOptions())
    with pytest.raises(ResourceError, match="time limit"):
        encode_program(program, Bound(unwind=8), inputs=EncodeFixedValues([0]), deadline=0.0)


def test_exit_passes_and_assumptions_leave_no_end(tmp_path: Path) -> None:
    text = """void exit(int); int nondet_int(void);
int main(void)
{
    int a = nondet_int();
    __CPROVER_assume(a > 0);
    if (a == 5) exit(1);
    __CPROVER_assert(a != 6, "six");
    return 0;
}
"""
    e = encoded(tmp_path, text)
    a = e.inputs[0].value
    assert outcomes(e, {a: 5}) == (False, True, False)
    assert outcomes(e, {a: 6}) == (True, False, False)
    assert outcomes(e, {a: 0}) == (False, False, False)


def test_assumed_ranges_are_known_only_where_nothing_can_escape_them(tmp_path: Path) -> None:
    text = """int nondet_int(void);
int main(void)
{
    int a = nondet_int(), b = nondet_int();
    __CPROVER_assume(a >= 0 && a <= 9);
    __CPROVER_assert(b != 3, "three");
    __CPROVER_assume(b >= 0 && b <= 9);
    return 0;
}
"""
    e = encoded(tmp_path, text)
    a, b = (event.value for event in e.inputs)
    assert e.terms.ranges == {a: (0, 9)}
    assert outcomes(e, {a: 0, b: 3}) == (True, False, False)


def test_unreached_constructs_are_no_error_and_reached_ones_are(tmp_path: Path) -> None:
    text = "int main(void) { int a = 1; void *p; if (a == %d) p = __builtin_frame_address(0); return 0; }"
    assert encoded(tmp_path, text % 2).passing == TRUE
    with pytest.raises(UnsupportedError, match=r"p\.c:1:\d+: .*not supported yet"):
        encoded(tmp_path, text % 1)
    with pytest.raises(InputError, match="undefined function 'other'"):
        encoded(tmp_path, "int other(int); int main(void) { return other(2); }")


@pytest.mark.parametrize(
    ("access", "kind"),
    [
        ("a[n]", "bounds"),
        ("*p", "pointer"),
        ("*dangling()", "pointer"),
        ("8 / n", "div0"),
        ("g[1] + a[3]", None),
    ],
)
def test_default_checks(tmp_path: Path, access: str, kind: str | None) -> None:
    text = f"""int nondet_int(void); int g[2];
int *dangling(void) {{ int local = 1; int *q = &local; return q; }}
int main(void)
{{
    int n = nondet_int(); int a[4] = {{0}}; int *p = n == 1 ? 0 : &n;
    int x = {access};
    return x;
}}
"""
    e = encoded(tmp_path, text)
    violated = {v.property.split(".")[1] for v in e.violations if v.condition != FALSE}
    assert violated == ({kind} if kind else set())


STRUCTURE = "struct p { int x; struct { unsigned char a[2]; _Bool b; } in; };\n"


@pytest.mark.parametrize(
    "start",
    ["void f(struct p p) {", "struct p nondet_p(void);\nvoid f(void) { struct p p = nondet_p();"],
    ids=["parameter", "result"],
)
def test_a_structure_is_as_many_inputs_as_it_has_scalars(tmp_path: Path, start: str) -> None:
    text = f'{STRUCTURE}{start} __CPROVER_assert(p.x != 300 || p.in.a[1] != 44 || !p.in.b, "x"); }}'
    e = encoded(tmp_path, text, entry="f")
    assert [event.site.name for event in e.inputs] == ["p.x", "p.in.a[0]", "p.in.a[1]", "p.in.b"]
    for values, fails in (((300, 7, 44, 1), True), ((300, 7, 44, 0), False), ((300, 44, 7, 1), False)):
        fixed = encoded(tmp_path, text, entry="f", inputs=EncodeFixedValues(values))
        assert any(v.condition == TRUE for v in fixed.violations) == fails


def test_an_undefined_function_that_returns_a_structure_is_an_error_where_it_is_called(
    tmp_path: Path,
) -> None:
    text = "struct p { int x; }; struct p f(void);\nint main(void) { struct p p = f(); return p.x; }\n"
    with pytest.raises(InputError, match="undefined function 'f' is called"):
        encoded(tmp_path, text)


def test_loops_of_the_library_are_not_bounded_when_their_end_is_known(tmp_path: Path) -> None:
    text = (
        '#include <string.h>\nint main(void) { __CPROVER_assert(strlen("abcdefgh") == 8, "x"); return 0; }\n'
    )
    assert encoded(tmp_path, text, Bound(unwind=1)).cut == FALSE


@pytest.mark.parametrize("printing", ['printf("%s", w);', "puts(w);", 'fprintf(stdout, "%s", w);'])
def test_what_stands_behind_the_end_of_a_printed_string_is_not_read(printing: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "#include <stdio.h>\nint nondet_int(void);\nint main(void)\n{\n    char w[3];\n    int n = nondet_int();\n"
        "    w[0] = 'a';\n    if (n > 0)\n        w[1] = 0;\n    else {\n        w[1] = 'b';\n        w[2] = 0;\n    }\n"
        f"    {printing}\n    return 0;\n}}\n"
    )
    formula = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1))
    assert [event.site.name for event in formula.inputs] == ["n"]


@pytest.mark.parametrize("parameters", ["int a, int b", "int a, char **b, char **c, char **d", "char **a"])
def test_other_parameters_of_main_are_refused(parameters: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match=r"p\.c:1:\d+: main with a parameter '[abd]' of type"):
        encoded(tmp_path, f"int main({parameters}) {{ __CPROVER_assert(a != 0, 0); return 0; }}")


def test_memory_without_a_type_is_what_is_put_into_it(tmp_path: Path) -> None:
    text = """void *malloc(unsigned long); void klee_make_symbolic(void *, unsigned long, const char *);
    int main(void) {
        void *p = malloc(8);
        klee_make_symbolic(p, 8, "p");
        unsigned one = *((unsigned *)p + 1);
        unsigned char *bytes = p;
        __CPROVER_assert(one == (bytes[4] | bytes[5] << 8 | bytes[6] << 16 | (unsigned)bytes[7] << 24), "");
        return 0;
    }"""
    e = encoded(tmp_path, text)
    assert [event.site.name for event in e.inputs] == [f"p[{n}]" for n in range(8)]
    assert outcomes(e, {event.value: 200 + n for n, event in enumerate(e.inputs)}) == (False, True, False)


def test_inputs_that_lead_to_a_function_with_other_parameters_leave_the_bound(tmp_path: Path) -> None:
    text = """int nondet_int(void);
    int one(int a) { return a; }
    int two(int a, int b) { return a + b; }
    int main(void) {
        int is_one = nondet_int() > 3;
        int (*f)(int) = is_one ? one : (int (*)(int))two;
        int result = f(5);
        __CPROVER_assert(result == 5, "");
        return 0;
    }"""
    e = encoded(tmp_path, text)
    (value,) = (event.value for event in e.inputs)
    assert outcomes(e, {value: 4}) == (False, True, False)
    assert outcomes(e, {value: 3}) == (False, False, True)


@pytest.mark.parametrize(
    ("call", "function", "message"),
    [
        ("f(1)", "int f(int a, int b) { return b; }", "fewer arguments than it has parameters"),
        (
            "f(1)",
            "int f(double a) { return a > 0; }",
            "an argument of type int for the parameter 'a' of type double",
        ),
        (
            "f(1.0)",
            "int f(int a) { return a; }",
            "an argument of type double for the parameter 'a' of type int",
        ),
        (
            "f(s)",
            "int f(int a) { return a; }",
            "an argument of type struct s for the parameter 'a' of type int",
        ),
        (
            "f(1)",
            "int f(struct s a) { return a.x; }",
            "an argument of type int for the parameter 'a' of type",
        ),
    ],
)
def test_old_style_calls_that_pass_something_else_are_refused(
    call: str, function: str, message: str, tmp_path: Path
) -> None:
    text = f"struct s {{ int x, y; }} s; int f();\nint main(void) {{\n    return {call}; }}\n{function}\n"
    with pytest.raises(UnsupportedError, match=rf"p\.c:3:12: a call of 'f' with {message}"):
        encoded(tmp_path, text)


RECORDS = """
#include <stdio.h>
#include <string.h>
struct entry { char name[12]; int number; };
int main(void) {
    struct entry all[20] = {{"", 0}};
    for (int i = 0; i < 11; i++)
        all[3].name[i] = __VERIFIER_nondet_char();
    memcpy(all[5].name, "twelve lette", 12);
    all[5].number = 0x6c6c6577;
    all[6].name[0] = 0;
    printf("%s", all[3].name);
    printf("%s", all[5].name);
    return 0;
}
"""


def test_a_string_in_a_table_is_followed_to_its_end(tmp_path: Path) -> None:
    e = encoded(tmp_path, RECORDS, Bound(unwind=20))
    symbolic, known = (event.arguments[0].characters or () for event in e.outputs)
    assert len(symbolic) == 12
    assert [chr(e.terms.value[c] or 0) for c in known] == [*"twelve lettewell", "\0"]
    assert e.cut == FALSE


def test_a_string_that_leaves_its_array_leaves_the_bound_somewhat_later(tmp_path: Path) -> None:
    e = encoded(
        tmp_path,
        """
        #include <stdio.h>
        char grid[9][4];
        int main(void) {
            for (int i = 0; i < 9; i++)
                for (int k = 0; k < 4; k++)
                    grid[i][k] = __VERIFIER_nondet_char();
            grid[8][3] = 0;
            printf("%s", grid[1]);
            return 0;
        }
        """,
        Bound(unwind=20),
    )
    assert len(e.outputs[0].arguments[0].characters or ()) == 12
    assert e.cut != FALSE


@pytest.mark.parametrize(
    ("length", "leaves"),
    [("[16000]", False), ("[70000]", True), ("[100][100]", False), ("[3000][70]", True)],
)
def test_of_large_arrays_the_first_elements_are_followed(length: str, leaves: bool, tmp_path: Path) -> None:
    text = f"""
        int cells{length};
        int main(void) {{
            unsigned i = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
            if (i < 100 && k < 70) {{
                cells[i]{"[k]" if "][" in length else ""} = 1;
                __CPROVER_assert(cells[k]{"[i % 70]" if "][" in length else ""} == 0, "");
            }}
            return 0;
        }}
        """
    e = encoded(tmp_path, text)
    assert (e.cut != FALSE) == leaves
    assert any(v.property == "main.assertion.1" and v.condition != FALSE for v in e.violations)


@pytest.mark.parametrize(("accesses", "leaves"), [(3, False), (20, True), (80, True)])
@pytest.mark.parametrize("cells", ["cells[i + n]", "p[i + n]"])
def test_many_accesses_to_a_large_array_follow_fewer_elements_in_the_end(
    accesses: int, leaves: bool, cells: str, tmp_path: Path
) -> None:
    text = f"""
        int cells[4000];
        int main(void) {{
            int i = __VERIFIER_nondet_int(), *p = cells, sum = 0;
            if (i >= 0 && i < 3000)
                for (int n = 0; n < {accesses}; n++)
                    sum += {cells};
            __CPROVER_assert(sum == 0 && i != 7, "");
            return 0;
        }}
        """
    e = encoded(tmp_path, text)
    assert (e.cut != FALSE) == leaves
    failing = [v.condition for v in e.violations if v.property == "main.assertion.1"]
    assert failing
    assert failing != [FALSE]


@pytest.mark.parametrize(
    "call", ['scanf("%lf", x)', 'scanf("%d", x)', 'scanf("%s", x)', 'fscanf(stdin, "%d", y)']
)
def test_a_floating_number_where_scanf_takes_an_address_leads_nowhere(call: str, tmp_path: Path) -> None:
    text = f"#include <stdio.h>\nint main(void) {{ double x = 1; float y = 2; {call}; return x > y; }}\n"
    found = encoded(tmp_path, text).violations
    assert found
    assert all(v.property.startswith("main.pointer") for v in found)
