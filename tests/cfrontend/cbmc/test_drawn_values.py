"""Values in the order in which they come into being, and the input vector that follows from them."""

from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeDrawnValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms.evaluate import evaluate_terms
from sfo.core.decode_model import decode_model_execution, terms_to_decode_model

PROGRAM = """
int nondet_int(void);
struct pair { char one; int two[2]; };
int f(int given) {
    int a, b;
    struct pair pair;
    int c = nondet_int();
    int *where = &b;
    if (b > given) return pair.two[1] + a;
    return c + *where;
}
"""


def drawn(tmp_path: Path, text: str, *values: int, much: bool = False) -> EncodedProgram:
    path = tmp_path / "p.c"
    path.write_text(text, encoding="utf-8")
    program = load_c_program([str(path)], ProgramOptions(entry="f"))
    return encode_program(program, Bound(unwind=4), inputs=EncodeDrawnValues(values, much=much))


@pytest.mark.parametrize(
    ("values", "read"),
    [
        ((5, 10, 20, 1, 2, 3, 9), {"given": 5, "b": 20, "pair.two[1]": 3, "a": 10}),
        ((5, 10, 4, 1, 2, 3, 9), {"given": 5, "b": 4}),
    ],
)
def test_what_is_read_stands_in_the_order_of_reading(
    tmp_path: Path, values: tuple[int, ...], read: dict[str, int]
) -> None:
    encoded = drawn(tmp_path, PROGRAM, *values)
    run = decode_model_execution(
        encoded, evaluate_terms(encoded.terms, terms_to_decode_model(encoded), {}), 1
    )
    inputs = {value.name: value.value for value in run.inputs}
    assert {name: value for name, value in inputs.items() if name != "c"} == read
    assert inputs["c"] == 9
    assert (encoded.concrete.missing_input, encoded.concrete.undrawn_input) == (None, None)


def test_too_few_values_and_objects_that_are_not_drawn_are_noticed(tmp_path: Path) -> None:
    missing = drawn(tmp_path, PROGRAM, 5, 10).concrete.missing_input
    assert missing is not None
    assert missing.name == "b"
    undrawn = drawn(tmp_path, "int f(void) { int big[65]; return big[7]; }").concrete.undrawn_input
    assert undrawn is not None
    assert undrawn.name == "big[7]"


LARGE = """
#include <stdlib.h>
union either { char text[3]; short number; };
int f(void) {
    int big[65];
    union either either;
    int *made = malloc(2 * sizeof *made);
    if (!made) return 0;
    return big[64] + either.text[2] + made[1];
}
"""


def test_much_is_drawn_where_that_is_wanted(tmp_path: Path) -> None:
    undrawn = drawn(tmp_path, LARGE, 1, 2, 3).concrete.undrawn_input
    assert undrawn is not None
    assert undrawn.name == "big[64]"
    values = (*range(65), 1, 2, 3, 0, 0, 0, 0, 5, 1, 0, 0)
    encoded = drawn(tmp_path, LARGE, *values, much=True)
    run = decode_model_execution(
        encoded, evaluate_terms(encoded.terms, terms_to_decode_model(encoded), {}), 1
    )
    assert {v.name: v.value for v in run.inputs} == {"big[64]": 64, "either.text[2]": 3, "allocated[1]": 261}
    assert (encoded.concrete.missing_input, encoded.concrete.undrawn_input) == (None, None)
