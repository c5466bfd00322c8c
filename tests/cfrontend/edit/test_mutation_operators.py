"""Edits of text, and the faults that are found in a small program."""

from pathlib import Path

import pytest

from cfrontend.edit.mutation_operators import OPERATORS, MutationOperatorFault, find_mutations
from cfrontend.edit.text import SourceText, TextEdit, apply_text_edits
from cfrontend.errors import InputError, InternalError, Location
from cfrontend.program import ProgramOptions, load_c_program

PROGRAM = """#include <assert.h>
#define LIMIT 7
#define NEXT(x) ((x) + 1)
int total;
int sum(int n, const int *a) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    long far = i;
    s += a[i] /* + */ * 2;
  }
  if ((s > LIMIT) && (n != 0)) s = NEXT(s);
  total = s << 1;
  return s;
}
int main(void) {
  int b[2] = {1, 2};
  assert(sum(2, b) <= 6);
  return 0;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "sum.c"
    path.write_text(PROGRAM)
    return str(path)


def found(path: str, *kinds: str) -> list[MutationOperatorFault]:
    return [
        m for m in find_mutations(load_c_program([path], ProgramOptions()), OPERATORS) if m.operator in kinds
    ]


def said(mutations: list[MutationOperatorFault]) -> list[str]:
    return [f"{m.line}: {m.before} -> {m.edit.text}" for m in mutations]


def test_arithmetic(program: str) -> None:
    assert said(found(program, "arithmetic")) == ["7: ++ -> --", "9: += -> -=", "9: * -> +", "12: << -> >>"]


def test_comparisons(program: str) -> None:
    assert said(found(program, "off-by-one")) == ["7: < -> <=", "11: > -> >="]
    assert said(found(program, "relational")) == [
        "7: < -> ==", "7: < -> >", "11: > -> <", "11: > -> ==", "11: != -> ==",
    ]  # fmt: skip
    assert said(found(program, "logical")) == ["11: && -> ||"]


def test_constants_but_not_those_of_macros(program: str) -> None:
    assert said(found(program, "constant")) == [
        "6: 0 -> 1", "7: 0 -> 1", "9: 2 -> 0", "9: 2 -> 1", "9: 2 -> 3", "11: 0 -> 1", "12: 1 -> 0", "12: 1 -> 2",
        "16: 1 -> 0", "16: 1 -> 2", "16: 2 -> 0", "16: 2 -> 1", "16: 2 -> 3", "18: 0 -> 1",
    ]  # fmt: skip


def test_variables_of_the_same_type_that_are_visible(program: str) -> None:
    names = said(found(program, "variable"))
    assert [n for n in names if n.startswith("8:")] == ["8: i -> n", "8: i -> s", "8: i -> total"]
    assert [n for n in names if n.startswith("13:")] == ["13: s -> n", "13: s -> total"]
    assert not [n for n in names if "far" in n]


def test_conditions_and_values_that_lose_a_part(program: str) -> None:
    assert said(found(program, "operand")) == [
        "11: (s > LIMIT) && (n != 0) -> ((n != 0))", "11: (s > LIMIT) && (n != 0) -> ((s > LIMIT))",
    ]  # fmt: skip
    assert said(found(program, "guard")) == ["11: (s > LIMIT) && (n != 0) -> 1"]
    assert said(found(program, "narrow")) == ["12: s << 1 -> (signed char)(s << 1)"]


def test_missing_assignments(program: str) -> None:
    missing = found(program, "missing")
    assert said(missing) == ["9: s += a[i] /* + */ * 2 -> ", "11: s = NEXT(s) -> ", "12: total = s << 1 -> "]
    assert all(m.omission for m in missing)
    assert str(missing[2]) == "missing: total = s << 1 becomes nothing"


def test_definitions_that_a_unit_uses(program: str) -> None:
    assert said(found(program, "definition")) == [
        "2: 7 -> 6", "2: 7 -> 8", "3: 1 -> 0", "3: 1 -> 2",
        "16: 2 -> 20", "16: 2 -> 200", "16: 2 -> 3", "16: 2 -> 4",
    ]  # fmt: skip


def test_assertions_are_left_alone(program: str) -> None:
    assert not [m for m in found(program, *OPERATORS) if m.line == 17]


def test_every_mutant_is_a_program_and_changes_one_place(program: str, tmp_path: Path) -> None:
    mutations = found(program, *OPERATORS)
    assert len(mutations) == len({m.edit for m in mutations}) > 40
    for number, mutation in enumerate(mutations):
        text = apply_text_edits(PROGRAM, [mutation.edit])
        assert text.count("\n") == PROGRAM.count("\n")
        path = tmp_path / f"m{number}.c"
        path.write_text(text)
        load_c_program([str(path)], ProgramOptions())


def test_a_statement_over_several_lines_leaves_them_behind(tmp_path: Path) -> None:
    path = tmp_path / "long.c"
    path.write_text("int main(void) {\n  int s;\n  s = 1 +\n      2;\n  return s;\n}\n")
    (mutation,) = found(str(path), "missing")
    assert apply_text_edits(path.read_text(), [mutation.edit]).splitlines() == [
        "int main(void) {", "  int s;", "  ", ";", "  return s;", "}",
    ]  # fmt: skip


def test_a_file_that_is_gone_when_it_is_read_again(program: str) -> None:
    loaded = load_c_program([program], ProgramOptions())
    Path(program).unlink()
    with pytest.raises(InputError, match="cannot read"):
        find_mutations(loaded)


# -- text --------------------------------------------------------------------------------------------------------


def test_edits_are_made_from_left_to_right() -> None:
    assert (
        apply_text_edits("abcdef", [TextEdit(4, 5, "X"), TextEdit(0, 1, ""), TextEdit(2, 2, "--")])
        == "b--cdXf"
    )
    with pytest.raises(InternalError, match="overlap"):
        apply_text_edits("abc", [TextEdit(0, 2, ""), TextEdit(1, 3, "")])


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (TextEdit(0, 2, ""), TextEdit(1, 3, ""), True),
        (TextEdit(0, 2, ""), TextEdit(2, 3, ""), False),
        (TextEdit(1, 1, "x"), TextEdit(1, 1, "y"), True),
    ],
)
def test_overlaps(a: TextEdit, b: TextEdit, expected: bool) -> None:
    assert a.overlaps(b) == b.overlaps(a) == expected


def test_spans() -> None:
    source = SourceText("ab\ncde\nf")
    assert source.span(Location("x", 2, 2, 2, 3)) == (4, 6)
    assert source.span(Location("x", 1, 2, 3, 1)) == (1, 8)
    assert source.span(Location("x", 2)) is None
    assert source.span(Location("x", 9, 1, 9, 1)) is None
    assert [source.line_of(offset) for offset in (0, 2, 3, 7)] == [1, 1, 2, 3]
