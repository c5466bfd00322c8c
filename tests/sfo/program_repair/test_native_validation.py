"""Native patch validation of single edits, beside the interpreter."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.edit.candidate import Candidate
from cfrontend.edit.text import apply_text_edits
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.errors import ResourceError
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms import FALSE, Terms
from cfrontend.units import InputNumber
from sfo.core.budget import BudgetClock
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import Execution
from sfo.execution.native.validate_patches import BEYOND, FAILS, ValidatePatchesNatively
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.program_repair.candidates import repair_search_candidates
from sfo.program_repair.native_validation import (
    NativeValidationVerdicts,
    native_validation_of_candidates,
    native_validation_with_places,
)
from sfo.program_repair.patch_validation import (
    PatchValidation,
    patch_validation_refutation,
)
from sfo.program_repair.schemata import (
    RepairSchemataMaker,
    RepairSchemataVariant,
    read_texts_for_repair_schemata,
)
from sfo.program_repair.search import search_repairs
from sfo.program_repair.validation_tests import PatchValidationTests
from tests.conftest import require_tool
from tests.tuning import Tune

LARGEST = """\
extern int __VERIFIER_nondet_int(void);
struct box { int most, least, changes; };
static int spread(const struct box *b)
{
    int gap = b->most - b->least;
    if (gap < 0)
        gap = -gap;
    return gap;
}
static void take(struct box *b, int value)
{
    if (value > b->most) {
        b->most = value;
        b->changes++;
    }
    if (value > b->least)
        b->least = value;
}
int main(void)
{
    struct box b = {-1, 10, 0};
    int i, values[3];
    for (i = 0; i < 3; i++) {
        values[i] = __VERIFIER_nondet_int();
        if (values[i] < 0 || values[i] > 9)
            return 0;
        take(&b, values[i]);
    }
    __CPROVER_assert(b.least <= values[0] && b.least <= values[1] && b.least <= values[2], "least");
    __CPROVER_assert(spread(&b) == b.most - b.least, "spread");
    return 0;
}
"""
"""The second comparison is the wrong way round; statements that write ``*b`` are no C in ``spread``."""

VECTORS: list[tuple[InputNumber, ...]] = [(1, 2, 3), (3, 2, 9), (5, 5, 5), (7, 2, 1), (10,)]


def suite_of(edits: RepairSchemataMaker, vectors: list[tuple[InputNumber, ...]]) -> PatchValidationTests:
    """The executions of the program on these inputs as a test suite."""
    bound = Bound(unwind=None, free=True)
    executions = [
        decode_only_execution(encode_program(edits.program, bound, inputs=EncodeFixedValues(vector)), number)
        for number, vector in enumerate(vectors)
    ]
    return PatchValidationTests(
        failing=[execution for execution in executions if execution.outcome == "fail"],
        passing=[execution for execution in executions if execution.outcome == "pass"],
        bound=Bound(unwind=4),
        properties=edits.program.properties,
        left_out=(),
        rounds=4,
        solver="auto",
    )


def all_edits(path: Path) -> tuple[RepairSchemataMaker, list[Candidate]]:
    """All candidates of a program."""
    program = load_c_program([str(path)], ProgramOptions())
    sources = read_texts_for_repair_schemata(program)
    assert sources is not None
    units = [unit.id for unit in program.units]
    return RepairSchemataMaker(program, sources), repair_search_candidates(program, sources, units, ())


@pytest.fixture(autouse=True)
def _compiler() -> None:
    """Nothing here is without one."""
    require_tool("gcc")


def test_what_fails_natively_fails_in_the_interpreter(tmp_path: Path) -> None:
    path = tmp_path / "largest.c"
    path.write_text(LARGEST)
    edits, candidates = all_edits(path)
    executions = suite_of(edits, VECTORS)
    clock = BudgetClock(1_000)
    verdicts = native_validation_of_candidates(edits, candidates, executions, clock, jobs=2)
    rejected = verdicts.rejected
    assert len(rejected) > len(candidates) / 2
    sieve = PatchValidation(RepairSchemataVariant(edits.program, None), executions, [], Terms(), clock)
    compared = 0
    for place in sorted(rejected)[::5]:
        variant = edits.alone(candidates[place])
        assert variant is not None
        known = (*executions.failing, *executions.passing, *verdicts.confirmed)
        assert not all(sieve.does_well(variant, execution) for execution in known), candidates[place]
        compared += 1
    assert compared > 20


def test_the_right_edit_is_not_rejected_and_the_repairs_are_those_of_the_interpreter(tmp_path: Path) -> None:
    path = tmp_path / "largest.c"
    path.write_text(LARGEST)
    edits, _ = all_edits(path)
    executions = suite_of(edits, VECTORS)
    units = [unit.id for unit in edits.program.units]
    with_compiler, without = (
        search_repairs(edits.program, units, (), executions, BudgetClock(1_000), native=native, thorough=True)
        for native in ("on", "off")
    )
    assert ("value > b->least", "value < b->least") in [(r.before, r.after) for r in with_compiler.found]
    assert with_compiler.found == without.found
    assert with_compiler.complete


GUARDED = """\
extern int __VERIFIER_nondet_int(void);
#include <assert.h>
static int parse(int v, int *out)
{
    if (v < 0 || v > 99)
        return 0;
    *out = v / 10 + v % 9;
    return 1;
}
int main(void)
{
    int sum = 0, v = __VERIFIER_nondet_int();
    if (parse(v, &sum))
        assert(sum >= v / 10 && sum - v / 10 == v % 10);
    return 0;
}
"""
"""Of a number that is refused nothing is asserted."""

NUMBERS: list[tuple[InputNumber, ...]] = [(9,), (28,), (99,), (3,), (12,), (40,), (-1,), (100,)]


@pytest.mark.parametrize(
    "text", [GUARDED, GUARDED.replace("assert(sum", "__CPROVER_assert(sum").replace("10);", '10, "s");')]
)
def test_an_edit_strays_natively_where_no_failing_execution_comes_to_what_it_violates(
    text: str, tmp_path: Path
) -> None:
    path = tmp_path / "guarded.c"
    path.write_text(text)
    edits, candidates = all_edits(path)
    suite = suite_of(edits, NUMBERS)
    assert len(suite.failing) == 5
    known = native_validation_of_candidates(edits, candidates, suite, BudgetClock(1_000), 1)
    compared = 0
    for place, candidate in enumerate(candidates):
        if candidate.has_hole or not candidate.is_expression or (place, 0) not in known.right:
            continue
        variant = edits.alone(candidate)
        assert variant is not None
        ends = [
            encode_program(
                variant.program,
                Bound(unwind=None, free=True),
                inputs=EncodeFixedValues([*execution.vector, 0, 0]),
                settings=variant.settings(None),
            )
            for execution in suite.failing
        ]
        comes = any(
            condition != FALSE for end in ends for condition in end.checked.get("main.assertion.1", ())
        )
        assert comes or place in known.straying, candidate
        compared += not comes
    assert compared > 5


@pytest.mark.parametrize("passes", [True, False])
def test_as_many_executions_are_kept_natively_as_by_the_interpreter(passes: bool, tmp_path: Path) -> None:
    """The passing ones go their way; where none is known, failing ones evaluate all that they did."""
    path = tmp_path / "largest.c"
    path.write_text(LARGEST)
    edits, candidates = all_edits(path)
    suite = suite_of(edits, VECTORS)
    if not passes:
        suite = suite_of(edits, [execution.vector for execution in suite.failing])
    known = native_validation_of_candidates(edits, candidates, suite, BudgetClock(1_000), 1)
    seen: set[int] = set()
    for (place, _), kept in known.right.items():
        candidate = candidates[place]
        variant = None if candidate.has_hole or candidate.form == "statement" else edits.alone(candidate)
        if variant is None or "values[1]" in candidate.text or "values[2]" in candidate.text:
            continue  # which nobody may have written
        same = 0
        for execution in suite.passing or suite.failing:
            bound, inputs = Bound(unwind=None, free=True), EncodeFixedValues([*execution.vector, 0, 0])
            settings = variant.settings(None)
            end = encode_program(variant.program, bound, inputs=inputs, settings=settings)
            covered = {unit for unit, condition in end.coverage.items() if condition != FALSE}
            same += covered == execution.covered if passes else covered >= execution.covered
        assert kept == same, candidate
        seen.add(same)
    assert len(seen) > 1


def test_edits_that_the_compiler_refuses_keep_no_other_from_being_tried(tmp_path: Path) -> None:
    path = tmp_path / "largest.c"
    path.write_text(LARGEST)
    edits, candidates = all_edits(path)
    plain = [c for c in candidates if not (c.has_hole or c.form == "statement" or c.form == "definition")]
    inside = [c for c in plain if c.text == "b->least" and c.start < LARGEST.index("take")]
    writes = [replace(c, text="b->least++") for c in inside][:2]
    plain = [plain[0], writes[0], *plain[1:-1], writes[1], plain[-1]]
    numbered = list(enumerate([plain[place] for place in edits.fitting(plain, range(len(plain)))], start=1))
    with ValidatePatchesNatively.of_single_edits(edits.program, numbered, 1, 60) as trial:
        refused = [c for number, c in numbered if number in trial.refused]
        assert set(writes) <= set(refused)
        assert len(refused) < 10
        asked = [(number, 0) for number, _ in numbered if number not in trial.refused]
        assert 0 not in trial.answers(asked, suite_of(edits, VECTORS).failing, 60)


COPY = """\
extern int __VERIFIER_nondet_int(void);
static void copy(const int *from, int *to, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        to[k++] = from[i];
}
int main(void)
{
    int a[3] = {1, 2, 3}, b[3] = {0}, n = __VERIFIER_nondet_int();
    copy(a, b, n > 2 ? 3 : 1);
    __CPROVER_assert(b[0] == 1 && b[2] == 0, "copied");
    return 0;
}
"""


def test_a_pointer_to_what_is_constant_keeps_no_edit_of_other_lines_from_being_tried(tmp_path: Path) -> None:
    path = tmp_path / "copy.c"
    path.write_text(COPY)
    edits, _ = all_edits(path)
    unit = next(u for u in edits.program.units if u.text.startswith("to[k++]"))
    place, index = COPY.index("to[k++]"), COPY.index("k++]")
    made = [edit_of(unit.id, str(path), place, "to", "from")]
    made += [
        edit_of(unit.id, str(path), index, "k++", other)
        for other in ("k--", "i++", "n++", "i--", "n--", "k", "i", "n")
    ]
    bound = next(u for u in edits.program.units if u.text == "i < n")
    made.append(edit_of(bound.id, str(path), COPY.index("i < n"), "i < n", "i <= n"))
    with ValidatePatchesNatively.of_single_edits(
        edits.program, list(enumerate(made, start=1)), 1, 60
    ) as trial:
        assert 1 in trial.refused
        assert len(made) not in trial.refused


def edit_of(unit: int, path: str, start: int, old: str, new: str) -> Candidate:
    return Candidate(
        template="variable",
        unit=unit,
        file=path,
        start=start,
        end=start + len(old),
        text=new,
        size="small",
        is_operand=True,
    )


def test_a_failure_behind_the_last_known_input_rejects_nothing(tmp_path: Path) -> None:
    path = tmp_path / "sum.c"
    path.write_text("""\
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), more = n > 5 ? __VERIFIER_nondet_int() : 1;
    __CPROVER_assert(more != 0 && n != 7, "more");
    return 0;
}
""")
    edits, candidates = all_edits(path)
    plain = [c for c in candidates if not (c.has_hole or c.form == "statement" or c.form == "definition")]
    numbered = list(enumerate([plain[place] for place in edits.fitting(plain, range(len(plain)))], start=1))
    number = next(number for number, c in numbered if c.text == "n < 5")
    executions = suite_of(edits, [(3,), (7, 1)])
    with ValidatePatchesNatively.of_single_edits(edits.program, numbered, 1, 60) as trial:
        assert trial.answers([(number, 0)], executions.passing, 60) == bytes([BEYOND])
        assert trial.answers([(0, 0)], executions.failing, 60) == bytes([FAILS])


TWO_MONTHS = """\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int limit(int month)
{
    if (month == 8)
        return 30;
    if (month == 11)
        return 31;
    return 31;
}
int main(void)
{
    int month = __VERIFIER_nondet_int();
    __VERIFIER_assume(month >= 1 && month <= 12);
    int found = limit(month);
    __CPROVER_assert(month != 8 || found == 31, "August");
    __CPROVER_assert(month != 11 || found == 30, "November");
    return 0;
}
"""
"""Lines 6 and 8. The known executions fail in August only."""


@pytest.mark.parametrize("price", [1, 1_000_000], ids=["small", "large"])
def test_an_edit_that_does_well_on_known_inputs_is_rejected_by_others_that_fail_without_it(
    price: int, tmp_path: Path, tune: Tune
) -> None:
    """So it is in a program that is so large that not all edits are tried on all inputs."""
    tune(validation={"worth_compiling": 1, "executions_of_a_question": price})
    path = tmp_path / "months.c"
    path.write_text(TWO_MONTHS)
    edits, candidates = all_edits(path)
    suite = suite_of(edits, [(8,), (1,), (9,)])
    found = native_validation_of_candidates(edits, candidates, suite, BudgetClock(1_000), 1)
    (place,) = (n for n, c in enumerate(candidates) if c.text == "31" and c.start == TWO_MONTHS.index("30;"))
    assert place in found.rejected
    assert (11,) in [execution.vector for execution in found.confirmed if execution.outcome == "fail"]
    repairs = search_repairs(
        edits.program, [candidates[place].unit], (), suite, BudgetClock(1_000), native="on"
    )
    assert not [repair for repair in repairs.found if repair.after == "31"]
    assert (11,) in [execution.vector for execution in repairs.refuting]


def test_few_candidates_are_not_worth_a_compiler(tmp_path: Path, tune: Tune) -> None:
    tune(validation={"worth_compiling": 10_000})
    path = tmp_path / "largest.c"
    path.write_text(LARGEST)
    edits, candidates = all_edits(path)
    known = native_validation_of_candidates(
        edits, candidates, suite_of(edits, VECTORS), BudgetClock(1_000), 1
    )
    assert known == NativeValidationVerdicts()


def test_a_likely_constant_that_does_well_natively_is_tried_before_a_solver_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "limit.c"
    path.write_text("""\
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), big = 0;
    if (n < 0 || n > 100)
        return 0;
    if (n > 90)
        big = 1;
    __CPROVER_assert(big == (n > 92), "big");
    return 0;
}
""")
    edits, candidates = all_edits(path)
    executions = suite_of(edits, [(91,), (92,), (93,), (7,)])
    known = native_validation_of_candidates(edits, candidates, executions, BudgetClock(1_000), 1)
    place = next(n for n, c in enumerate(candidates) if c.has_hole and edits.constant_at(c) == 90)
    assert known.constants[place][0] == 92


def test_inputs_in_memory_that_nobody_wrote_are_given_natively(tmp_path: Path) -> None:
    path = tmp_path / "unwritten.c"
    path.write_text("""\
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int first, second, most, n = __VERIFIER_nondet_int();
    short pair[2];
    if (first < 0 || second < 0 || n < 0 || pair[1] < 0)
        return 0;
    most = first;
    if (second < most)
        most = second;
    if (n > most)
        most = n;
    if (pair[1] > most)
        most = pair[1];
    __CPROVER_assert(most >= first && most >= second && most >= n && most >= pair[1], "most");
    return 0;
}
""")
    found = run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), passing=5, rank="coverage", replay=False)
    )
    edits, candidates = all_edits(path)
    executions = PatchValidationTests(
        failing=found.dataset.failing,
        passing=found.dataset.passing,
        bound=Bound(unwind=1),
        properties=edits.program.properties,
        left_out=(),
        rounds=1,
        solver="auto",
    )
    clock = BudgetClock(1_000)
    rejected = native_validation_of_candidates(edits, candidates, executions, clock, jobs=1).rejected
    assert len(rejected) > len(candidates) / 3
    right = next(n for n, c in enumerate(candidates) if c.text == "second > most")
    assert right not in rejected
    for place in sorted(rejected)[::7]:
        variant = edits.alone(candidates[place])
        assert variant is not None
        refuting = patch_validation_refutation(variant, 0, executions, clock)
        assert isinstance(refuting, Execution), candidates[place]


def test_an_input_in_memory_whose_place_is_not_counted_cannot_be_given_natively(tmp_path: Path) -> None:
    path = tmp_path / "unwritten.c"
    path.write_text(
        'int main(void)\n{\n    int a;\n    __CPROVER_assert(a + 1 != 3, "sum");\n    return 0;\n}\n'
    )
    edits, candidates = all_edits(path)
    (execution,) = suite_of(edits, [(2,)]).failing
    (value,) = execution.inputs
    assert value.memory is not None
    uncounted = replace(execution, inputs=(replace(value, memory=replace(value.memory, ordinal=None)),))
    with ValidatePatchesNatively.of_single_edits(edits.program, [(1, candidates[0])], 1, 60) as trial:
        assert len(trial.answers([(1, 0)], [execution], 60)) == 1
        with pytest.raises(ResourceError):
            trial.answers([(1, 0)], [uncounted], 60)
    assert native_validation_with_places(edits.program, uncounted) == execution


LETTERS = """\
#include <ctype.h>
#include <stdio.h>
int main(void)
{
    int c, letters = 0, others = 0;
    while ((c = getchar()) != EOF && c != '.') {
        if (isalnum(c))
            letters++;
        else
            others++;
    }
    printf("%d letters, %d others\\n", letters, others);
    return others > letters;
}
"""
"""It counts digits as letters."""


def shown_by(text: str, folder: Path, inputs: Sequence[bytes]) -> list[tuple[bytes, int]]:
    """What a program that gcc compiles prints on each input, and its status; nothing where that has no end."""
    path = folder / "edited.c"
    path.write_text(text)
    subprocess.run(["gcc", "-w", "-fwrapv", path, "-o", folder / "edited"], check=True)
    shown: list[tuple[bytes, int]] = []
    for given in inputs:
        try:
            ended = subprocess.run(
                [folder / "edited"], input=given, capture_output=True, timeout=2, check=False
            )
            shown.append((ended.stdout, ended.returncode))
        except subprocess.TimeoutExpired:
            shown.append((b"", -1))
    return shown


def test_beside_a_reference_an_edit_has_to_print_the_same_and_end_with_the_same_status(
    tmp_path: Path,
) -> None:
    path, reference = tmp_path / "letters.c", tmp_path / "reference.c"
    path.write_text(LETTERS)
    reference.write_text(LETTERS.replace("isalnum(c)", "isalpha(c)"))
    options = ProgramOptions(reference=(str(reference),))
    result = run_localize_pipeline(
        [str(path)], PipelineOptions(program=options, passing=8, rank="coverage", replay=False)
    )
    program = load_c_program([str(path)], options)
    sources = read_texts_for_repair_schemata(program)
    assert sources is not None
    edits = RepairSchemataMaker(program, sources)
    candidates = repair_search_candidates(program, sources, [unit.id for unit in program.units], ())
    executions = PatchValidationTests(
        failing=result.dataset.failing,
        passing=result.dataset.passing,
        bound=Bound(unwind=4),
        properties=program.properties,
        left_out=(),
        rounds=4,
        solver="auto",
    )
    known = native_validation_of_candidates(edits, candidates, executions, BudgetClock(1000), 2)
    assert len(known.rejected) > 30
    texts = [
        bytes(value for value in execution.vector if isinstance(value, int) and value >= 0)
        for execution in (*executions.failing, *executions.passing)
    ]
    source = sources[str(path)].text
    expected = shown_by(reference.read_text(), tmp_path, texts)
    assert shown_by(source, tmp_path, texts) != expected
    for place in sorted(known.rejected)[::8]:
        edited = apply_text_edits(source, [candidates[place].edit])
        assert shown_by(edited, tmp_path, texts) != expected, candidates[place]


ORDERED = """\
int swaps;
int ordered(int *a, int *b)
{
    int kept = *a;
    if (*a > *b) {
        *a = *b;
        *b = kept;
        swaps += 1;
    }
    return *b - *a > 9;
}
"""
"""A function that leaves two objects, a variable and a result to its caller."""

CALLER = """
#include <stdio.h>
int main(void)
{
    int a[4], b[4], *from = a, n, is_same, result;
    for (n = 0; n < 8; n++)
        if (scanf("%d", n < 4 ? &a[n] : &b[n - 4]) != 1)
            return 1;
    if (scanf("%d", &is_same) != 1)
        return 1;
    result = ordered(from, is_same ? from : b);
    for (n = 0; n < 8; n++)
        printf("%d ", n < 4 ? a[n] : b[n - 4]);
    printf("%d %d", swaps, result);
    return 0;
}
"""
"""Reads what the surroundings of the function give it, and prints what it leaves."""


def test_beside_the_reference_of_a_function_an_edit_has_to_leave_the_same_to_the_caller(
    tmp_path: Path,
) -> None:
    path, reference = tmp_path / "ordered.c", tmp_path / "reference.c"
    path.write_text(ORDERED.replace("*b = kept", "*b = *a"))
    reference.write_text(ORDERED)
    program = load_c_program([str(path)], ProgramOptions(entry="ordered", reference=(str(reference),)))
    rest = (3, 5, 7)
    vectors = [(a, *rest, b, *rest, same) for a, b, same in ((0, 0, 0), (1, 20, 0), (9, 2, 0), (4, 4, 1))]
    bound = Bound(unwind=2)
    known_ones = [
        decode_only_execution(encode_program(program, bound, inputs=EncodeFixedValues(vector)), number)
        for number, vector in enumerate(vectors)
    ]
    assert [one.outcome for one in known_ones] == ["pass", "pass", "fail", "pass"]
    sources = read_texts_for_repair_schemata(program)
    assert sources is not None
    edits = RepairSchemataMaker(program, sources)
    candidates = repair_search_candidates(program, sources, [unit.id for unit in program.units], ())
    executions = PatchValidationTests(
        failing=tuple(one for one in known_ones if one.outcome == "fail"),
        passing=tuple(one for one in known_ones if one.outcome == "pass"),
        bound=bound,
        properties=program.properties,
        left_out=(),
        rounds=2,
        solver="auto",
    )
    known = native_validation_of_candidates(edits, candidates, executions, BudgetClock(1000), 2)
    assert len(known.rejected) > 30
    texts = [" ".join(map(str, vector)).encode() for vector in vectors]
    source = sources[str(path)].text
    expected = shown_by(reference.read_text() + CALLER, tmp_path, texts)
    assert shown_by(source + CALLER, tmp_path, texts) != expected
    for place in sorted(known.rejected)[::8]:
        edited = apply_text_edits(source, [candidates[place].edit])
        assert shown_by(edited + CALLER, tmp_path, texts) != expected, candidates[place]
    right = [candidates[place] for place, _ in known.right if not candidates[place].has_hole]
    for one in right:
        edited = apply_text_edits(source, [one.edit])
        assert shown_by(edited + CALLER, tmp_path, texts) == expected, one
    assert "kept" in {one.text for one in right}


JOINED = """\
extern unsigned char __VERIFIER_nondet_uchar(void);
void *malloc(unsigned long size);
static char *copy_of(const char *text, int n)
{
    char *copy = malloc(n);
    int i;
    if (!copy)
        return 0;
    for (i = 0; i < n; i++)
        copy[i] = text[i];
    copy[n] = 0;
    return copy;
}
static int length(const char *text)
{
    int n = 0;
    while (text[n])
        n++;
    return n;
}
int main(void)
{
    char text[5];
    char *first, *second;
    int n;
    for (n = 0; n < 4; n++)
        text[n] = __VERIFIER_nondet_uchar();
    text[4] = 0;
    n = length(text);
    first = copy_of(text, n);
    second = copy_of(text + n / 2, n - n / 2);
    if (!first || !second)
        return 0;
    __CPROVER_assert(length(first) == n, "first");
    __CPROVER_assert(length(second) == n - n / 2, "second");
    return 0;
}
"""
"""Each copy is a byte too short, so that edits read and write behind a block."""


def test_verdicts_do_not_depend_on_what_was_tried_before_in_the_same_process(tmp_path: Path) -> None:
    path = tmp_path / "joined.c"
    path.write_text(JOINED)
    edits, candidates = all_edits(path)
    executions = suite_of(edits, [(120, 121, 0, 0), (97, 98, 99, 100), (0, 1, 2, 3), (59, 121, 120, 0)])
    assert executions.failing
    verdicts = [
        native_validation_of_candidates(edits, candidates, executions, BudgetClock(1_000), jobs=jobs)
        for jobs in (1, 2, 3)
    ]
    assert verdicts[0].rejected
    assert all(verdict == verdicts[0] for verdict in verdicts)


def test_what_little_effort_rejects_all_effort_rejects_too(tmp_path: Path, tune: Tune) -> None:
    """The failing executions come first, then as many edits as the effort allows have all known ones."""
    path = tmp_path / "joined.c"
    path.write_text(JOINED)
    edits, candidates = all_edits(path)
    executions = suite_of(edits, [(120, 121, 0, 0), (97, 98, 99, 100), (0, 1, 2, 3), (59, 121, 120, 0)])

    def verdicts(jobs: int) -> NativeValidationVerdicts:
        return native_validation_of_candidates(edits, candidates, executions, BudgetClock(1_000), jobs=jobs)

    whole = verdicts(1)
    known: list[set[int]] = []
    for seconds in (0.5, 4.0):
        tune(
            validation={
                "seconds_as_if_interpreted": seconds,
                "executions_of_a_question": 1_000_000,
                "questions_of_a_part": 40,
            }
        )
        some = verdicts(1)
        assert some == verdicts(3)
        assert some.rejected <= whole.rejected
        assert {place for place, _ in some.right} <= {
            *whole.refuting,
            *(place for place, _ in whole.right),
            *whole.constants,
        }
        known.append({*some.rejected, *(place for place, _ in some.right)})
    assert 0 < len(known[0]) < len(known[-1])
    assert known[0] <= known[1]
