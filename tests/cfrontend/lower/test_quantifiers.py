"""Quantifiers of CBMC and ESBMC: the values they are tried for. Their verdicts are held against CBMC's elsewhere."""

from pathlib import Path

import pytest

from cfrontend import goto
from cfrontend.bound import Bound
from cfrontend.errors import UnsupportedError
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program


def program(tmp_path: Path, condition: str) -> Program:
    path = tmp_path / "p.c"
    text = f"int main(void) {{ int a[4] = {{0}}, n = nondet_int(), i; unsigned u;\n  return {condition}; }}\n"
    path.write_text(text, encoding="utf-8")
    return load_c_program([str(path)], ProgramOptions(checks=frozenset({"bounds"})))


def indices(loaded: Program) -> list[int]:
    """The constant indices that are read behind the initialisation of the array."""
    code = "\n".join(
        str(i)
        for i in loaded.goto.functions["main"].instructions
        if not (isinstance(i, goto.AssignInstruction) and str(i).startswith("a["))
    )
    return sorted({n for n in range(-3, 12) if f"a[{n}]" in code or f"a[({n})]" in code})


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        ("__CPROVER_forall { int i; 0 <= i && i < 3 ==> a[i] == 0 }", [0, 1, 2]),
        ("__CPROVER_forall { int i; 1 <= i ==> 3 >= i ==> a[i] == 0 }", [1, 2, 3]),
        ("__CPROVER_forall { int i; i < 1 || i > 2 || a[i] == 0 }", [1, 2]),
        ("__CPROVER_forall { unsigned i; i < 2 ==> a[i] == 0 }", [0, 1]),
        ("__CPROVER_forall { int i; 0 <= i && i < n ==> a[i] == 0 }", [0, 1, 2, 3, 4]),
        ("__CPROVER_forall { int i; 0 <= i && i == 2 ==> a[i] == 0 }", [2]),
        ("__CPROVER_exists { int i; 2 <= i && i < 4 && a[i] == 0 }", [2, 3]),
        ("__CPROVER_exists { int i; 0 <= i && i < 3 ==> a[i] == 0 }", [3]),
        ("__CPROVER_forall { int i; 0 <= i && i < 3 && a[i] == 0 }", [3]),
        ("__CPROVER_exists { _Bool i; a[i] == 0 }", [0, 1]),
        ("__ESBMC_forall(&i, !(0 <= i && i < 3) || a[i] == 0)", [0, 1, 2]),
        ("__ESBMC_exists(&u, u < 2 && a[u] == 0)", [0, 1]),
    ],
)
def test_the_values_that_matter_are_tried(condition: str, values: list[int], tmp_path: Path) -> None:
    assert indices(program(tmp_path, condition)) == values


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("__CPROVER_forall { int i; i < n ==> a[i] == 0 }", "more than 1024 values of 'i'"),
        ("__CPROVER_forall { int i; 0 <= i && i < n ==> n > 0 }", "more than 1024 values of 'i'"),
        (
            "__CPROVER_forall { int i; 0 <= i && i < n && n != 7 ==> a[i] == 0 }",
            "more than 1024 values of 'i'",
        ),
        ("__CPROVER_forall { int i; 0 <= i && i < n ==> (n > 7 || a[i] == 0) }", "more than 1024 values"),
        ("__CPROVER_forall { unsigned char i; nondet_int() }", "a call or an assignment in a quantifier"),
        ("__CPROVER_forall { unsigned char i; n++ > i }", "a call or an assignment in a quantifier"),
        ("__CPROVER_forall { double i; i == i }", "a quantifier over 'i' of type double"),
        ("__CPROVER_forall { int i = 3; i == i }", "a quantifier with an initialiser"),
        (
            "__CPROVER_forall { unsigned char i; ({ i = i; 1; }) }",
            "writing to 'i', the variable of a quantifier",
        ),
        ("__CPROVER_forall { unsigned char i; i++ < 3 }", "writing to 'i', the variable of a quantifier"),
        ("__ESBMC_exists(&u, *&u == 3)", "writing to 'u', the variable of a quantifier"),
        ("__ESBMC_forall(&a[1], 1)", "__ESBMC_forall over what is no variable"),
    ],
)
def test_what_is_refused_by_name(condition: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError) as error:
        encode_program(program(tmp_path, condition), Bound(unwind=1))
    assert message in str(error.value)
    assert str(error.value).endswith("is not supported yet")
