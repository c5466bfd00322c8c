"""Edited programs beside a reference, on the inputs of an execution of the program as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfo
from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.terms import Terms
from cfrontend.units import InputNumber
from sfo.core.budget import BudgetClock
from sfo.core.decode_model import decode_only_execution
from sfo.program_repair.patch_validation import PatchValidation
from sfo.program_repair.schemata import RepairSchemataVariant
from sfo.program_repair.validation_tests import PatchValidationTests

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
    ("before", "after", "does_well", "passes"),
    [
        ("last + 1", "last - 1 + 2", True, True),
        # What nobody wrote is none of the inputs that are given, and moves none of them.
        ("kept[0] = within(1", "kept[1] = within(1", False, False),
        ("last = within(11, 18);", "last = kept[1] ? 0 : within(11, 18);", True, True),
        ("last = within(11, 18);", "last = kept[1] ? within(11, 18) : 13;", False, False),
        # An assumption that is broken says nothing where it is about a given input, but may where it is about others.
        ("within(11, 18)", "within(11, 11)", True, False),
        ("last = within(11, 18);", "last = within(11, 18); within(3, 4);", True, False),
    ],
)
def test_unwritten_memory_and_broken_assumptions_of_an_edit(
    before: str, after: str, does_well: bool, passes: bool, tmp_path: Path
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
    found = (sieve.does_well(edited, failing), sieve.passes(edited, failing))
    assert found == (does_well, passes)


@pytest.mark.parametrize(
    "text",
    [
        "unsigned char n;\nvoid f(int v) { if (v < 0) n = 5; }\n",
        "struct s { unsigned char k; int sum; };\nvoid f(struct s *p) { if (p->sum > 3) p->k = 5; }\n",
    ],
)
def test_what_is_compared_no_more_is_not_repaired(text: str, tmp_path: Path) -> None:
    """Another type of what callers see would leave nothing to fail, and nothing right."""
    (tmp_path / "old.c").write_text(text)
    (tmp_path / "new.c").write_text(text.replace("= 5", "= 0"))
    found = sfo.repair(tmp_path / "new.c", reference=(str(tmp_path / "old.c"),), entry="f").result
    assert found.repairs is not None
    assert found.repairs.found
    for repair in found.repairs.found:
        assert repair.line == 2, repair.diff


DATE = r"""#include <stdio.h>
int main(void)
{
    int d, m;
    if (scanf("%d/%d", &d, &m) != 2) {
        printf("format\n");
        return 1;
    }
    if (m < 1 || m > 12)
        return 2;
    m++;
    if (m > 12)
        m = 1;
    printf("%02d.%02d\n", d, m);
    return 0;
}
"""


def test_edits_of_a_format_that_reads_leave_the_inputs_of_others_as_they_are(tmp_path: Path) -> None:
    """One edit among many can ask for another model of the input, in which a vector means something else."""
    (tmp_path / "old.c").write_text(DATE)
    (tmp_path / "new.c").write_text(DATE.replace("m > 12)\n        m", "m >= 12)\n        m"))
    found = sfo.repair(tmp_path / "new.c", reference=(str(tmp_path / "old.c"),)).result
    assert found.repairs is not None
    (first, *_) = found.repairs.found
    assert first.line == 12
    assert not first.evades


PRICED = """#include <stdio.h>
#define RATE {rate}
int main(void)
{{
    int price;
    if (scanf("%d", &price) != 1 || price < 0 || price > 1000)
        return 1;
    if (price >= {least})
        price += price * RATE / 100;
    printf("%d\\n", price);
    return 0;
}}
"""


@pytest.mark.parametrize(("wrong", "before", "after"), [((7, 40), "7", "19"), ((19, 90), "90", "40")])
def test_a_number_that_only_the_reference_has_is_meant(
    tmp_path: Path, wrong: tuple[int, int], before: str, after: str
) -> None:
    (tmp_path / "new.c").write_text(PRICED.format(rate=wrong[0], least=wrong[1]))
    (tmp_path / "old.c").write_text(PRICED.format(rate=19, least=40))
    found = sfo.repair(tmp_path / "new.c", reference=(str(tmp_path / "old.c"),)).result.repairs
    assert found is not None
    assert (found.found[0].before, found.found[0].after) == (before, after)
