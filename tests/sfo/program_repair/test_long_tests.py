"""Patch validation where some passing executions have very many inputs."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import sfo
from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.units import InputNumber
from sfo.core.budget import BudgetClock
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import Execution, Native
from sfo.core.repairs import Repairs
from sfo.program_repair import search
from sfo.program_repair.patch_validation import PatchValidation
from sfo.program_repair.search import search_repairs
from sfo.program_repair.validation_tests import PatchValidationTests
from tests.conftest import require_tool
from tests.tuning import Tune

COUNTING = """\
#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    int count = 0, most = 60, x;
    while ((x = nondet_int()) != 0 && count < 90)
        count = count + (x > 5);
    assert(count > most || x >= 0 || count < 1);
    return 0;
}
"""
"""With ``count < 2`` in the place of ``count < 1`` a short list passes; so it does with ``most`` less than 1."""


def _tests(path: Path, failing: list[int], passing: list[list[int]]) -> PatchValidationTests:
    program = load_c_program([str(path)], ProgramOptions())

    def execution(number: int, vector: list[int]) -> Execution:
        given: tuple[InputNumber, ...] = tuple(vector)
        bound = Bound(unwind=None, free=True)
        return decode_only_execution(encode_program(program, bound, inputs=EncodeFixedValues(given)), number)

    return PatchValidationTests(
        failing=[execution(0, failing)],
        passing=[execution(n, vector) for n, vector in enumerate(passing, start=1)],
        bound=Bound(unwind=3),
        properties=program.properties,
        left_out=(),
        rounds=3,
        solver="auto",
    )


def test_few_inputs_are_short_and_some_executions_in_any_case(tmp_path: Path, tune: Tune) -> None:
    tune(validation={"least_compared": 2, "inputs_compared": 20})
    path = tmp_path / "counting.c"
    path.write_text(COUNTING)
    lists = [[7] * n + [0] for n in (40, 3, 5, 70, 9)]
    tests = _tests(path, [7, -3] + [1] * 88, lists)
    assert [len(one.inputs) for one in tests.short] == [4, 6, 10]
    assert [len(one.inputs) for one in tests.long] == [41, 71]
    assert tests.known_short == 3
    many = _tests(path, [7], [[7] * 40 + [0], [7] * 50 + [0], [7] * 60 + [0]])
    assert [len(one.inputs) for one in many.short] == [41, 51]


WIDE = """\
#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    int sum = 0, n = 0, x;
    while ((x = nondet_int()) > 0 && n < 200) {
        sum += 4;
        n++;
    }
    if (n > 100)
        sum = sum - 4;
    assert(n != 1 || sum == 5);
    assert(n < 110 || sum == 4 * n - 4);
    return 0;
}
"""
"""``sum += 4`` as ``sum += 5`` is right for the failing list, and wrong for the long one alone."""


def _searched(path: Path, native: Native) -> Repairs:
    tests = _tests(path, [6, 0], [[0], [2, 3, 0], [4, 4, 0], [1, 2, 3, 0], [1] * 120 + [0]])
    assert [len(one.inputs) for one in tests.long] == [121]
    program = load_c_program([str(path)], ProgramOptions())
    units = [unit.id for unit in program.units if unit.text == "sum += 4"]
    assert units
    return search_repairs(program, units, (), tests, BudgetClock(math.inf), native=native)


@pytest.mark.parametrize("native", ["sandboxed", "off"])
def test_no_edit_fails_a_long_execution(
    native: Native, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if native != "off":
        require_tool("gcc")
    # What no execution refutes counts as proved.
    monkeypatch.setattr(search, "patch_validation_guess", lambda *_: None)
    monkeypatch.setattr(search, "patch_validation_refutation", lambda *_: None)
    path = tmp_path / "wide.c"
    path.write_text(WIDE)
    made = {(repair.before, repair.after) for repair in _searched(path, native).found}
    assert ("4", "5") not in made
    path.write_text(WIDE.replace("sum == 4 * n - 4", "sum >= 4 * n - 4"))
    assert ("4", "5") in {(repair.before, repair.after) for repair in _searched(path, native).found}


def test_an_execution_that_effort_cuts_rejects_no_edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The edit that was tried when the effort ended is not among those that are known to fail."""
    path = tmp_path / "wide.c"
    path.write_text(WIDE)
    asked: list[str] = []
    inner = PatchValidation.fit

    def cut(self: PatchValidation, *given: object, **more: object) -> object:
        asked.append("fit")
        if len(asked) == 1:
            self._clock.restart(0.0)
            return None
        return inner(self, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(PatchValidation, "fit", cut)
    found = _searched(path, "off")
    assert not found.complete
    assert asked
    assert found.tried == 0


MEAN = """\
#include <stdio.h>
int main(void)
{
    int x, n = 0, sum = 0, i;
    while (1) {
        scanf("%d", &x);
        if (x == 0)
            break;
        sum += x;
        n++;
    }
    for (i = 0; i < 3; i++)
        sum += i;
    printf("%d\\n", sum / n);
    return 0;
}
"""


def test_to_leave_the_bound_saves_nothing_where_executions_beyond_it_pass(tmp_path: Path) -> None:
    (tmp_path / "mean.c").write_text(MEAN)
    (tmp_path / "right.c").write_text(MEAN.replace("sum / n)", "n ? sum / n : 0)"))
    examples = tmp_path / "examples"
    examples.mkdir()
    for name, given, printed in (("1", "0", "0"), ("2", "7 4 0", "7"), ("3", "6 3 0", "6")):
        (examples / f"{name}.in").write_text(f"{given}\n")
        (examples / f"{name}.out").write_text(f"{printed}\n")
    result = sfo.localize(tmp_path / "mean.c", reference=tmp_path / "right.c", io=examples).result
    texts = {unit.id: unit.text for unit in result.dataset.units}
    assert result.angelic is not None
    saved = {texts[unit]: savings for unit, savings in result.angelic.savings.items()}
    assert texts[result.ranking[0].unit] != "i++"
    assert "saved" not in saved["i++"]


def test_an_edited_program_reads_all_of_the_text_of_a_failing_test(tmp_path: Path) -> None:
    """The failing execution ends at the second word, as its first letter is a blank."""
    text = (
        "#include <stdio.h>\nint main(void)\n{\n    char c;\n    int n, sum = 0;\n"
        "    while (scanf(\" %c %d\", &c, &n) == 2)\n        sum += c == '+' ? n : -n;\n"
        '    printf("%d\\n", sum);\n    return 0;\n}\n'
    )
    (tmp_path / "right.c").write_text(text)
    (tmp_path / "wrong.c").write_text(text.replace('" %c', '"%c'))
    examples = tmp_path / "examples"
    examples.mkdir()
    for name, given, printed in (
        ("1", "+ 3\n- 2\n+ 4\n", "5"),
        ("2", "+ 7\n", "7"),
        ("3", "- 1\n+ 9\n", "8"),
    ):
        (examples / f"{name}.in").write_text(given)
        (examples / f"{name}.out").write_text(f"{printed}\n")
    result = sfo.localize(
        tmp_path / "wrong.c", reference=tmp_path / "right.c", io=examples, domain="any", effort=0.3
    ).result
    failing = next(one for one in result.dataset.failing if one.test_text == b"+ 3\n- 2\n+ 4\n")
    assert len(failing.vector) < len(failing.vector_of_test) == len(b"+ 3\n- 2\n+ 4\n")
    assert result.repairs is not None
    made = [repair.after for repair in (*result.repairs.found, *result.repairs.undecided)]
    assert 'scanf(" %c %d", &c, &n)' in made
