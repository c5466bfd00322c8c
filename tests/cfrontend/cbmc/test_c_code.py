"""Expressions as C text: operations in types below int, which only elements of vectors have."""

import subprocess
from pathlib import Path

import pytest

from cfrontend import goto
from cfrontend.cbmc.c_code import CbmcConditionCode, CCodeExpressionPrinter
from cfrontend.errors import Location
from cfrontend.syntax import tree
from cfrontend.syntax.types import INT, SCHAR, IntType, StructTypeTable
from tests.conftest import require_tool

AT = Location("a.c", 1)


def variable(name: str, ctype: IntType) -> tree.VariableRef:
    symbol = tree.SyntaxSymbol(key=name, name=name, type=ctype, storage="auto", function="f", location=AT)
    return tree.VariableRef(type=ctype, location=AT, symbol=symbol)


def operation(op: tree.BinaryOp, ctype: IntType) -> tree.Binary:
    return tree.Binary(type=ctype, location=AT, op=op, left=variable("a", ctype), right=variable("b", ctype))


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "&", "<<"])
def test_a_narrow_operation_is_cut_and_others_are_not(op: tree.BinaryOp) -> None:
    text = CCodeExpressionPrinter(StructTypeTable(), ())
    assert text.of(operation(op, SCHAR)).startswith("((signed char)(")
    assert text.of(operation(op, INT)).startswith("(v_a")
    minus = tree.Unary(type=SCHAR, location=AT, op="-", operand=variable("a", SCHAR))
    assert text.of(minus) == "((signed char)(-v_a))"


def test_what_overflows_in_a_narrow_type_does_not_fit(tmp_path: Path) -> None:
    conditions = CbmcConditionCode(CCodeExpressionPrinter(StructTypeTable(), ()), frees=False)
    minus = tree.Unary(type=SCHAR, location=AT, op="-", operand=variable("a", SCHAR))
    tests = [f"({conditions.of(goto.FitsCondition(expression=minus))}) != (v_a != -128)"]
    for name, op in (("add", "+"), ("sub", "-"), ("mul", "*")):
        fits = conditions.of(goto.FitsCondition(expression=operation(op, SCHAR)))  # type: ignore[arg-type]
        tests.append(f"({fits}) == __builtin_{name}_overflow(v_a, v_b, &r)")
    source, program = tmp_path / "a.c", tmp_path / "a"
    source.write_text(
        "int main(void) { signed char r; for (int a = -128; a < 128; a++) for (int b = -128; b < 128; b++) {"
        f" signed char v_a = a, v_b = b; if ({' || '.join(tests)}) return 1; }} return 0; }}"
    )
    subprocess.run([require_tool("gcc"), "-w", str(source), "-o", str(program)], check=True)
    assert subprocess.run([str(program)], check=False).returncode == 0
