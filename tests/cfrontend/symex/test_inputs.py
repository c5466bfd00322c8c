"""Sources of inputs: whichever gives an execution its values, the execution is the same."""

from itertools import product
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeDrawnValues, EncodeFixedValues, EncodeSuppliedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.terms import TRUE
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.units import InputNumber, InputSite

PROGRAM = """\
#include <assert.h>
int nondet_int(void);
int main(void)
{
    int a, b = nondet_int(), c = 0;
    if (b > 3)
        c = a;
    c += nondet_int();
    assert(c != 12);
    return 0;
}
"""

BOUND = Bound(unwind=2)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    file: Path = tmp_path_factory.mktemp("inputs") / "a.c"
    file.write_text(PROGRAM)
    return load_c_program([str(file)], ProgramOptions())


def read(encoded: EncodedProgram) -> list[int | None]:
    return [encoded.terms.value[event.value] for event in encoded.inputs]


def fails(encoded: EncodedProgram) -> bool:
    return any(violation.condition == TRUE for violation in encoded.violations)


@pytest.mark.parametrize(
    ("vector", "drawn", "is_failure"),
    [
        ((1, 12), (5, 1, 12), True),
        ((4, 5, 7), (5, 4, 7), True),
        ((4, 5, 6), (5, 4, 6), False),
    ],
)
def test_every_source_leads_to_the_same_execution(
    program: Program, vector: tuple[int, ...], drawn: tuple[int, ...], is_failure: bool
) -> None:
    left = list(vector)

    def supply(_: InputSite) -> InputNumber | None:
        return left.pop(0)

    fixed = encode_program(program, BOUND, inputs=EncodeFixedValues(vector))
    places = [event.site.memory for event in fixed.inputs]
    executions = [
        fixed,
        encode_program(program, BOUND, inputs=EncodeFixedValues(vector, places=places)),
        encode_program(program, BOUND, inputs=EncodeSuppliedValues(supply)),
        encode_program(program, BOUND, inputs=EncodeDrawnValues(drawn)),
    ]
    for encoded in executions:
        assert read(encoded) == list(vector)
        assert fails(encoded) == is_failure
        assert encoded.concrete.missing_input is None
        assert encoded.concrete.undrawn_input is None


def test_a_vector_that_ends_and_a_supply_that_has_nothing_say_what_is_missing(program: Program) -> None:
    for encoded in (
        encode_program(program, BOUND, inputs=EncodeFixedValues([1])),
        encode_program(program, BOUND, inputs=EncodeSuppliedValues(lambda _: None)),
    ):
        assert encoded.concrete.missing_input is not None
    assert encode_program(program, BOUND).concrete.missing_input is None


def test_free_inputs_are_variables_that_only_some_executions_read(program: Program) -> None:
    encoded = encode_program(program, BOUND)
    conditions = {event.site.name: event.condition for event in encoded.inputs}
    assert len(conditions) == 3
    assert conditions["a"] != TRUE
    assert all(encoded.terms.value[event.value] is None for event in encoded.inputs)


TWICE = """\
int nondet_int(void);
int main(void)
{
    signed char a[4];
    int i = nondet_int(), c = nondet_int(), found = 0;
    __CPROVER_assume(i >= 0 && i < 4);
    if (c) {
        if (a[i] == 1)
            found = 1;
        if (c > 1)
            found += a[i] + a[0];
    } else {
        found = a[3 - i];
    }
    return found;
}
"""


def test_a_cell_that_the_path_has_read_is_noted_once(tmp_path: Path) -> None:
    """Each execution reads what it reads, and no event is there of what all its executions have read before."""
    path = tmp_path / "p.c"
    path.write_text(TWICE)
    encoded = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1))
    numbers = {event.site.name: event.value for event in encoded.inputs if event.site.memory is None}
    cells = [event for event in encoded.inputs if event.site.memory is not None]
    assert len(cells) == 4 + 4 + 1  # at two places, and at a[0]
    for i, c in product(range(4), range(3)):
        given = {numbers["i"]: i, numbers["c"]: c}
        holds = evaluate_terms(encoded.terms, [event.condition for event in cells], given)
        read = {event.site.memory.offset for event in cells if event.site.memory and holds[event.condition]}
        assert read == ({i} if c else {3 - i}) | ({0} if c > 1 else set())
