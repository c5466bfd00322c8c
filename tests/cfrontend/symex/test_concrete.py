"""Execution on constants leaves behind what it needs, not what it did."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from cfrontend import symex
from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.terms import TRUE
from cfrontend.units import MemoryPlace

PROGRAM = """
static int total;
static int f(int n)
{
    int a[4] = {n & 1, 1, 2, 3};
    for (int i = 0; i < 2; i++) {
        int local = a[i], *p = &local;
        total = (total + *p) & 7;
    }
    return a[n & 3];
}
int main(void)
{
    for (int n = 0; n < %d; n++)
        f(n);
    return 0;
}
"""


def memory_after(directory: Path, rounds: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Cells and names at the end."""
    path = directory / "program.c"
    path.write_text(PROGRAM % rounds)
    machines: list[SymbolicMachine] = []

    def machine(*arguments: object, **options: object) -> SymbolicMachine:
        machines.append(SymbolicMachine(*arguments, **options))  # type: ignore[arg-type]
        return machines[-1]

    monkeypatch.setattr(symex, "SymbolicMachine", machine)
    encode_program(
        load_c_program([str(path)], ProgramOptions()),
        Bound(unwind=None, free=True),
        inputs=EncodeFixedValues(()),
    )
    (last,) = machines
    assert last.overlay.parent is None
    return len(last.writes), len(last._names)


def test_what_variables_hold_at_the_end_is_known_but_for_addresses(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "static int total = 7, untouched[2]; static short a[3]; static int *p;"
        "int main(void) { static char last; int local = 5; total += 3; a[2] = -1; p = &total; last = 'x'; return local; }"
    )
    encoded = encode_program(
        load_c_program([str(path)], ProgramOptions()),
        Bound(unwind=None, free=True),
        inputs=EncodeFixedValues(()),
        ends=True,
    )
    found = {
        (key.split("::")[-1].split("#")[0], number): bits for key, number, bits in encoded.concrete.final
    }
    assert found["total", 0] == 10
    assert found["a", 2] == 0xFFFF
    assert found["last", 0] == ord("x")
    assert not {key for key, _ in found} & {"p", "local"}


def test_memory_does_not_grow_with_what_is_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert memory_after(tmp_path, 300, monkeypatch) == memory_after(tmp_path, 30, monkeypatch)


def test_a_variable_that_has_ended_is_noticed_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "static int *f(void) { int local = 3; return &local; }\n"
        "int main(void) { int *p = f(); f(); return *p; }\n"
    )
    formula = encode_program(
        load_c_program([str(path)], ProgramOptions()),
        Bound(unwind=None, free=True),
        inputs=EncodeFixedValues(()),
    )
    (violation,) = formula.violations
    assert violation.property.startswith("main.pointer")


def test_an_execution_that_a_constructor_ends_does_not_come_to_main(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "void __CPROVER_assert(_Bool, const char *); int nondet_int(void); int g;\n"
        '__attribute__((constructor)) static void start(void) { g = nondet_int(); __CPROVER_assert(g != 7, ""); }\n'
        'int main(void) { __CPROVER_assert(g != 8, ""); }\n'
    )
    program = load_c_program([str(path)], ProgramOptions())
    ends = {
        value: encode_program(program, Bound(unwind=None, free=True), inputs=EncodeFixedValues([value]))
        for value in (6, 7, 8)
    }
    assert {value: [v.property for v in e.violations] for value, e in ends.items()} == {
        6: [], 7: ["start.assertion.1"], 8: ["main.assertion.1"],
    }  # fmt: skip
    assert [value for value, e in ends.items() if e.passing == TRUE] == [6]


UNINITIALISED = """
void __CPROVER_assert(_Bool, const char *); int nondet_int(void); int first, second;
int main(void) {
    int n, m;
    if (first) n = 0;
    if (second) m = 0;
    int a = nondet_int() + n;
    int b = nondet_int() + m;
    __CPROVER_assert(a != 11, ""); __CPROVER_assert(b != 22, "");
}
"""


def place(name: str) -> MemoryPlace:
    return MemoryPlace(object=f"main::{name}", ordinal=0, offset=0, size=4)


def violated(path: Path, inputs: Sequence[int], places: Sequence[MemoryPlace | None]) -> list[str]:
    """What the program in ``path`` violates on these inputs, some of which were read from memory."""
    program = load_c_program([str(path)], ProgramOptions())
    found = encode_program(
        program, Bound(unwind=None, free=True), inputs=EncodeFixedValues(inputs, places=places)
    )
    return [violation.property for violation in found.violations]


@pytest.mark.parametrize(
    ("starts", "sums"), [("", (11, 22)), ("int first = 1;", (10, 22)), ("int second = 1;", (11, 20)),
                         ("int first = 1, second = 1;", (10, 20))],
)  # fmt: skip
def test_values_of_memory_that_is_no_longer_read_are_passed_over(
    starts: str, sums: tuple[int, int], tmp_path: Path
) -> None:
    path = tmp_path / "program.c"
    path.write_text(UNINITIALISED.replace("int first, second;", f"int first, second; {starts}"))
    text = path.read_text().replace("11", str(sums[0])).replace("22", str(sums[1] + 1))
    path.write_text(text)
    assert violated(path, [10, 1, 20, 2], [None, place("n"), None, place("m")]) == ["main.assertion.1"]
    path.write_text(
        text.replace("b != " + str(sums[1] + 1), "b != " + str(sums[1])).replace("a != ", "a == ")
    )
    assert violated(path, [10, 1, 20, 2], [None, place("n"), None, place("m")]) == ["main.assertion.2"]


def test_memory_that_the_inputs_do_not_know_is_zero(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(UNINITIALISED.replace("!= 11", "!= 10").replace("!= 22", "!= 21"))
    assert violated(path, [10, 20, 2], [None, None, place("m")]) == ["main.assertion.1"]
