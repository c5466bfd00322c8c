"""What floating point in programs means where no native execution can say it: refusals, inputs, relaxed units."""

from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, SfoError, UnsupportedError
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms import FALSE, TRUE

INPUTS = "double nondet_double(void); float nondet_float(void); int nondet_int(void);\n"


def encoded(
    tmp_path: Path, text: str, inputs: tuple[int | str, ...] | None = None, **options: object
) -> EncodedProgram:
    path = tmp_path / "p.c"
    path.write_text(INPUTS + text)
    program = load_c_program([str(path)], ProgramOptions(**options))  # type: ignore[arg-type]
    return encode_program(
        program, Bound(unwind=3, free=True), inputs=None if inputs is None else EncodeFixedValues(inputs)
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("_Decimal64 z;", r"p\.c:3:\d+: decimal floating point is not supported yet"),
        ("__float128 z;", r"p\.c:3:\d+: .*__float128.* not supported yet"),
        (
            "double a[4]; double x = sin(a[0] + a[1] + a[2] + a[3]);",
            r"sin of double where an argument depends on inputs",
        ),
        (
            "float x = powf(nondet_float() * nondet_float(), nondet_float() - nondet_float());",
            r"p\.c:3:15: pow of float where an argument depends on inputs",
        ),
        (
            "double a[4]; double x = fmod(a[0] * a[1], a[2] * a[3]);",
            r"fmod of double where an argument depends",
        ),
        ("long double x = expl(1.5L);", r"p\.c:3:\d+: exp of long double is not supported yet"),
        ("fesetround(0x400);", r"p\.c:3:5: rounding in another direction"),
        ("double x = 1; x %= 2;", r"invalid operands to '%='"),
        ("double x = 1; int y = x << 1;", r"invalid operands to '<<'"),
        ("static double x = 1; static double y = sqrt(x);", r"initializer element is not constant"),
    ],
)
def test_what_is_not_modelled_is_said(tmp_path: Path, body: str, message: str) -> None:
    text = f"#include <math.h>\n#include <fenv.h>\n#include <stdio.h>\nint main(void) {{\n    {body}\n    return 0; }}\n"
    with pytest.raises(SfoError, match=message.replace("c:3", "c:6")):
        encoded(tmp_path, text)


def test_refusals_matter_only_where_an_execution_comes(tmp_path: Path) -> None:
    text = "double sin(double); int main(void) { int n = 1; if (n == 2) sin(nondet_double()); return 0; }"
    assert encoded(tmp_path, text).passing == TRUE


def test_a_program_may_have_a_function_of_its_own(tmp_path: Path) -> None:
    text = (
        "double sin(double x) { double y = nondet_double(); __CPROVER_assume(y >= -1 && y <= 1); return y; }"
        'int main(void) { double s = sin(nondet_double()); __CPROVER_assert(s <= 1, ""); return 0; }'
    )
    assert [v.condition for v in encoded(tmp_path, text, (0, "0.5")).violations] == []


@pytest.mark.parametrize(
    ("declared", "given", "condition"),
    [
        ("double x = nondet_double();", "0.1", "x == 0.1"),
        ("float x = nondet_float();", "0.1", "x == 0.1f && x != 0.1"),
        ("float x = nondet_float();", 3, "x == 3"),
        ("double x = nondet_double();", "-inf", "x < -1e308 && x - x != 0"),
        ("double x = nondet_double();", "nan", "x != x"),
        ("long double x;", "0.1", "x == 0.1L && x != 0.1"),
        ("double a[2]; double x = a[1];", "-0x1.8p1", "x == -3"),
    ],
)
def test_inputs_are_spelled(tmp_path: Path, declared: str, given: int | str, condition: str) -> None:
    text = f'int main(void) {{ {declared} __CPROVER_assert({condition}, ""); return 0; }}'
    assert encoded(tmp_path, text, (given,)).passing == TRUE


def test_parameters_of_the_entry_are_inputs(tmp_path: Path) -> None:
    text = 'int f(double x, float y, long double z) { __CPROVER_assert(x + y + z == 6, ""); return 0; }'
    assert encoded(tmp_path, text, ("1", "2.0", 3), entry="f").passing == TRUE


def test_a_relaxed_unit_yields_any_value_of_its_type(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text('int main(void) { long double x; x = 1; __CPROVER_assert(x == 1, ""); return 0; }')
    program = load_c_program([str(path)], ProgramOptions())
    relaxed = encode_program(program, Bound(unwind=1), relax=[1])
    assert relaxed.passing not in (TRUE, FALSE)


def test_constants_are_folded(tmp_path: Path) -> None:
    text = "double f(double x) { return x * 3 - 1.5; } int main(void) { int a[(int)2.9]; return f(0.5) == 0 && sizeof a == 8; }"
    assert encoded(tmp_path, text).passing == TRUE


def test_arguments_must_be_numbers(tmp_path: Path) -> None:
    with pytest.raises((InputError, UnsupportedError)):
        encoded(tmp_path, "double sqrt(double); int main(void) { int x; sqrt(&x); return 0; }")


@pytest.mark.parametrize(
    ("expression", "inputs", "violated"),
    [
        ("x + y", ("1e308", "1e308"), {"float-overflow"}),
        ("x + y", ("inf", "1e308"), set()),
        ("x - y", ("inf", "inf"), {"nan"}),
        ("x * y", ("1e200", "1e200"), {"float-overflow"}),
        ("x * y", ("inf", 0), {"nan"}),
        ("x * y", ("nan", 0), set()),
        ("x / y", (1, 0), {"float-div0"}),
        ("x / y", (0, 0), {"float-div0", "nan"}),
        ("x / y", ("1e300", "1e-300"), {"float-overflow"}),
        ("(float)(x * y)", ("1e39", 1), {"float-overflow"}),
        ("x += y", ("1e308", "1e308"), {"float-overflow"}),
        ("sqrt(x)", (-1,), {"nan"}),
        ("ldexp(x, 2000)", (1,), {"float-overflow"}),
        ("(int)x", ("2147483648.0",), {"conversion"}),
        ("(int)x", ("2147483647.9",), set()),
        ("(unsigned char)x", ("-0.9",), set()),
        ("(unsigned char)x", ("256",), {"conversion"}),
        ("(long)x", ("nan",), {"conversion"}),
        ("n = x", ("1e10",), {"conversion"}),
        ("x < y", ("nan", "nan"), set()),
    ],
)
def test_checks(tmp_path: Path, expression: str, inputs: tuple[int | str, ...], violated: set[str]) -> None:
    second = "double y = nondet_double();" if len(inputs) > 1 else ""
    text = f"""double sqrt(double), ldexp(double, int);
int main(void) {{ int n; double x = nondet_double(); {second} {expression}; return 0; }}"""
    for kind in ("float-overflow", "float-div0", "nan", "conversion"):
        found = encoded(tmp_path, text, inputs, checks=frozenset({kind}))
        assert found.violations == () if kind not in violated else found.passing == FALSE, kind
    assert encoded(tmp_path, text, inputs).passing == TRUE
