"""Edited programs beside a reference, on the inputs of an execution of the program as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.terms import Terms
from cfrontend.units import InputNumber
from sfo.core.budget import BudgetClock
from sfo.core.decode_model import decode_only_execution
from sfo.program_repair.patch_validation import PatchValidation, PatchValidationTests
from sfo.program_repair.schemata import RepairSchemataVariant

TEXT = """
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int within(int low, int high)
{
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume(value >= low && value <= high);
    return value;
}
int main(void)
{
    int kept[2], last;
    kept[0] = within(1, 8);
    last = within(11, 18);
    printf("%d %d\\n", kept[0], last + 1);
    return 0;
}
"""


def _program(place: Path, before: str, after: str) -> Program:
    assert before in TEXT
    (place / "new.c").write_text(TEXT.replace(before, after, 1))
    (place / "old.c").write_text(TEXT)
    return load_c_program([str(place / "new.c")], ProgramOptions(reference=(str(place / "old.c"),)))


@pytest.mark.parametrize(
    ("before", "after", "does_well", "passes", "saves"),
    [
        ("last + 1", "last - 1 + 2", True, True, True),
        # What nobody wrote is none of the inputs that are given, and moves none of them.
        ("kept[0] = within(1", "kept[1] = within(1", False, False, False),
        ("last = within(11, 18);", "last = kept[1] ? 0 : within(11, 18);", True, True, True),
        ("last = within(11, 18);", "last = kept[1] ? within(11, 18) : 13;", False, False, False),
        # An assumption that is broken says nothing where it is about a given input, but may where it is about others.
        ("within(11, 18)", "within(11, 11)", True, False, False),
        ("last = within(11, 18);", "last = within(11, 18); within(3, 4);", True, False, True),
    ],
)
def test_unwritten_memory_and_broken_assumptions_of_an_edit(
    before: str, after: str, does_well: bool, passes: bool, saves: bool, tmp_path: Path
) -> None:
    vector: tuple[InputNumber, ...] = (5, 12)
    faulty = _program(tmp_path, "last + 1", "last")
    bound = Bound(unwind=None, free=True)
    failing = decode_only_execution(encode_program(faulty, bound, inputs=EncodeFixedValues(vector)), 1)
    assert failing.outcome == "fail"
    tests = PatchValidationTests(
        failing=[failing],
        passing=[],
        bound=Bound(unwind=4),
        properties=faulty.properties,
        left_out=(),
        rounds=4,
        solver="auto",
    )
    sieve = PatchValidation(RepairSchemataVariant(faulty, None), tests, [], Terms(), BudgetClock(1_000))
    edited = RepairSchemataVariant(_program(tmp_path, before, after), None)
    found = (sieve.does_well(edited, failing), sieve.passes(edited, failing), sieve.saves(edited, failing))
    assert found == (does_well, passes, saves)
