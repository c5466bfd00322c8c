"""Branches on the variant selector: whatever is skipped, each variant is the program with its edit alone."""

from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.settings import VARIANT
from cfrontend.symex.steps import control
from cfrontend.terms import Terms

MOST = 9
"""The number of the last edit in ``TEXT``."""

TEXT = """
#include <assert.h>
extern int nondet_int(void);
static int first(int x, int y) {
    CHOSEN == 1 ? (void)(x = 7) : (void)0; CHOSEN == 2 ? (void)(y = 3) : (void)0; if (CHOSEN == 3) return x;
    if (CHOSEN == 4) if (x > 2) y = x;
    return (CHOSEN - 5u < 3u ? CHOSEN == 5 ? x + y : CHOSEN == 6 ? x * y : x : x - y);
}
int main(void) {
    int given = nondet_int(), sum = 0;
    for (int i = 0; i < 3; i++) {
        if (CHOSEN == 8) break;
        CHOSEN == 1 ? (void)(sum += 2) : (void)0; CHOSEN == 2 ? (void)(sum += 4) : (void)0;
        if (given > 4)
            sum += first(given, i);
        CHOSEN == 9 ? (void)(sum = 0) : (void)0;
    }
    assert(sum < 12);
    return 0;
}
"""


def violated(text: str, where: Path, terms: Terms, variant: int | None) -> list[tuple[str, int]]:
    """The violations within a bound, and those of executions on fixed inputs, as terms of one store."""
    where.write_text(text)
    program = load_c_program([str(where)], ProgramOptions())
    settings = None if variant is None else {VARIANT: variant}
    encodings: list[EncodedProgram] = [
        encode_program(program, Bound(unwind=4), terms=terms, settings=settings)
    ]
    for value in (0, 5, 9):
        inputs = EncodeFixedValues([value])
        encodings.append(
            encode_program(program, Bound(unwind=4), terms=terms, settings=settings, inputs=inputs)
        )
    return [(v.property, v.condition) for encoded in encodings for v in encoded.violations]


@pytest.mark.parametrize("variant", range(MOST + 1))
def test_a_variant_is_the_program_with_its_edit(variant: int, tmp_path: Path) -> None:
    terms = Terms()
    chosen = violated(f"int {VARIANT};\n" + TEXT.replace("CHOSEN", VARIANT), tmp_path / "a.c", terms, variant)
    # A line more, so that names of inputs and properties are the same.
    alone = violated("int nothing;\n" + TEXT.replace("CHOSEN", str(variant)), tmp_path / "a.c", terms, None)
    assert chosen == alone
    assert any(condition > 0 for _, condition in chosen) or variant in {4, 8, 9}


def test_branches_in_a_row_are_one_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    make = control.selector_branch_step

    def noting(f, pc, i, step):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        made = make(f, pc, i, step)

        def noted(m):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
            to = made(m)
            taken.append((pc + 1 if to is None else to) - pc)
            return to

        return noted

    monkeypatch.setattr("cfrontend.symex.steps.control.selector_branch_step", noting)
    where = tmp_path / "a.c"
    where.write_text(f"int {VARIANT};\n" + TEXT.replace("CHOSEN", VARIANT))
    program = load_c_program([str(where)], ProgramOptions())
    encode_program(program, Bound(unwind=4), inputs=EncodeFixedValues([5]), settings={VARIANT: 0})
    assert max(taken) > 2
