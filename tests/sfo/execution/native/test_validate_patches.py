"""Two edits at a time in a compiled program, beside the interpreter on a program with the same two edits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.edit.candidate import Candidate
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms import FALSE
from cfrontend.units import InputNumber
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import Execution
from sfo.execution.native.validate_patches import (
    FAILS,
    GOOD,
    LATE,
    STRAYS,
    Pair,
    ValidatePatchesNatively,
    can_validate_patches_natively,
)
from sfo.program_repair.candidates import repair_search_candidates
from sfo.program_repair.schemata import RepairSchemataMaker, read_texts_for_repair_schemata
from tests.conftest import require_tool

TWO_FAULTS = """\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int calls, worst;
static int larger(int a, int b)
{
    calls++;
    if (a < b)
        return a;
    return b;
}
int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int table[3] = {1, 2, 3};
    __VERIFIER_assume(a >= 0 && a <= 2 && b >= 0 && b <= 2);
    worst = larger(a, b) - 1;
    __CPROVER_assert(worst >= a && worst >= b && calls == 1, "larger");
    __CPROVER_assert(table[worst] == worst + 1, "table");
    return 0;
}
"""
"""Every input but none fails by either fault, so that no edit of one of them saves it."""


@pytest.fixture(autouse=True)
def _compiler() -> None:
    """Nothing here is without one."""
    require_tool("gcc")


@contextmanager
def trial_of(
    path: Path,
) -> Iterator[tuple[RepairSchemataMaker, dict[int, Candidate], ValidatePatchesNatively]]:
    """All small edits of a program without a constant to be found, by number, and the compiled program."""
    program = load_c_program([str(path)], ProgramOptions())
    sources = read_texts_for_repair_schemata(program)
    assert sources is not None
    edits = RepairSchemataMaker(program, sources)
    found = repair_search_candidates(program, sources, [unit.id for unit in program.units], ())
    wanted = [
        c
        for c in found
        if not (c.has_hole or c.form == "statement" or c.form == "definition") and c.size == "small"
    ]
    in_one = edits.in_one(wanted, lambda: False)
    assert in_one is not None
    numbers, texts = in_one
    with ValidatePatchesNatively.of_pairs(program, texts, 2, 60) as trial:
        yield edits, {number: wanted[place] for place, number in numbers.items()}, trial


def runs_of(edits: RepairSchemataMaker, vectors: list[tuple[InputNumber, ...]]) -> list[Execution]:
    """What the program does with these inputs."""
    bound = Bound(unwind=None, free=True)
    runs = [
        decode_only_execution(encode_program(edits.program, bound, inputs=EncodeFixedValues(vector)), number)
        for number, vector in enumerate(vectors)
    ]
    assert can_validate_patches_natively(edits.program, runs)
    return runs


def does_well(
    edits: RepairSchemataMaker, candidates: tuple[Candidate, ...], runs: list[Execution]
) -> bool | None:
    """The interpreter's answer; None where the edits together are no program."""
    variant = edits.alone(*candidates)
    if variant is None:
        return None
    bound = Bound(unwind=None, free=True, free_limit=100)
    for run in runs:
        encoded = encode_program(variant.program, bound, inputs=EncodeFixedValues(run.vector))
        if encoded.cut != FALSE or any(v.condition != FALSE for v in encoded.violations):
            return False
    return True


def overlap(one: Candidate, other: Candidate) -> bool:
    """Whether two edits cannot both be made."""
    return one.start < other.end and other.start < one.end


def test_the_compiled_program_agrees_with_the_interpreter_on_every_pair(tmp_path: Path) -> None:
    path = tmp_path / "two.c"
    path.write_text(TWO_FAULTS)
    with trial_of(path) as (edits, candidates, trial):
        runs = runs_of(edits, [(a, b) for a in range(3) for b in range(3)])
        pairs: list[Pair] = [
            pair
            for pair in combinations(sorted(candidates), 2)
            if not overlap(*(candidates[number] for number in pair))
            and len({candidates[number].unit for number in pair}) == 2
        ]
        pairs = pairs[:: max(1, len(pairs) // 150)]
        answers = trial.answers(pairs, runs, 60)
        assert len(answers) == len(pairs)
        compared = 0
        for pair, answer in zip(pairs, answers, strict=True):
            expected = does_well(edits, tuple(candidates[number] for number in pair), runs)
            if expected is None:
                continue
            compared += 1
            assert (answer in (GOOD, STRAYS)) == expected, [candidates[n] for n in pair]
    assert compared > 100


def test_both_right_edits_do_well_and_neither_does_alone(tmp_path: Path) -> None:
    path = tmp_path / "two.c"
    path.write_text(TWO_FAULTS)
    with trial_of(path) as (edits, candidates, trial):
        runs = runs_of(edits, [(0, 0), (1, 0), (2, 1)])
        assert all(run.outcome == "fail" for run in runs)
        right = {number for number, c in candidates.items() if c.text in ("a > b", "a >= b")}
        others = {number for number, c in candidates.items() if c.text == "larger(a, b)"}
        pairs = [(one, other) for one in sorted(right) for other in sorted(others)]
        assert len(pairs) == len(right) == 2
        assert trial.answers(pairs, runs, 60) == bytes([GOOD, GOOD])
        assert set(trial.answers([(number, 0) for number in sorted(right | others)], runs, 60)) == {FAILS}


def test_executions_reach_less_with_an_edit_that_takes_something_out(tmp_path: Path) -> None:
    text = """\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void)
{
    int n = __VERIFIER_nondet_int(), is_open = 1, rest = 0;
    __VERIFIER_assume(n >= 0 && n < 4);
    if (n < 2)
        is_open = 0;
    if (!is_open)
        rest = n;
    __CPROVER_assert(n < 2 || !is_open, "closed");
    return rest > 1;
}
"""
    path = tmp_path / "door.c"
    path.write_text(text)
    with trial_of(path) as (edits, candidates, trial):
        runs = runs_of(edits, [(0,), (1,), (2,), (3,)])
        at = text.index("n < 2)\n")
        number = {c.text: n for n, c in candidates.items() if at <= c.start < at + len("n < 2")}
        pairs = [(0, 0), (number["n >= 2"], 0), (number["n != 2"], 0), (number["is_open"], 0)]
        before, right, wrong, always = trial.reach(pairs, runs, 60)
        assert wrong == (0, 0)
        assert right[0] > always[0] > 0
        assert (before[1], right[1], always[1]) == (2, 2, 1)


def test_what_a_run_writes_is_gone_in_the_next(tmp_path: Path) -> None:
    path = tmp_path / "memory.c"
    path.write_text("""\
#include <stdlib.h>
static int count;
static int *kept;
int main(void)
{
    static int again = 1;
    if (!kept) {
        kept = malloc(sizeof *kept);
        if (!kept)
            return 0;
        *kept = 0;
    }
    *kept += 1;
    count += again++;
    __CPROVER_assert(count == 1 && *kept == 1, "the first time");
    return 0;
}
""")
    with trial_of(path) as (edits, _, trial):
        runs = runs_of(edits, [()] * 5)
        assert set(trial.answers([(0, 0)] * 1_000, runs, 60)) == {GOOD}


BESIDE = """\
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char text[8];
    const char *where = text;
    int few = 8, many = 1000, sum = __VERIFIER_nondet_int() & 1;
    memset(text, 'x', sizeof text);
    for (int k = 0; k < few; k++)
        sum += where[k];
    __CPROVER_assert(many == 1000 && (sum & 1) == 0, "even");
    return 0;
}
"""
"""With an edit that makes it read the stack beyond its array, it fails or does well as is by chance there."""


def test_what_an_edit_reads_on_the_stack_is_always_the_same(tmp_path: Path) -> None:
    (tmp_path / "beside.c").write_text(BESIDE)
    with trial_of(tmp_path / "beside.c") as (edits, candidates, trial):
        runs = runs_of(edits, [(0,)])
        beyond = next(
            n for n, one in candidates.items() if BESIDE[one.start : one.end] == "few" and one.text == "many"
        )
        answers = [trial.answers([(beyond, 0)] * 30, runs, 60) for _ in range(12)]
    assert len(set(b"".join(answers))) == 1
    assert answers[0][0] in {GOOD, STRAYS, FAILS}


def test_endless_and_crashing_edits_end_neither_the_trial_nor_the_next_answers(tmp_path: Path) -> None:
    path = tmp_path / "endless.c"
    path.write_text("""\
extern int __VERIFIER_nondet_int(void);
int *where, cells[4];
int main(void)
{
    int n = __VERIFIER_nondet_int(), i, zero = 0, sum = 0;
    where = cells;
    for (i = 0; i < 3; i++)
        sum += where[i & 3] + n;
    sum += where[zero];
    __CPROVER_assert(sum == 3 * n, "sum");
    return 0;
}
""")
    with trial_of(path) as (edits, candidates, trial):
        runs = runs_of(edits, [(1,), (1 << 28,)])
        text = path.read_text()
        by_place = {(c.start, c.text): number for number, c in candidates.items()}
        endless = by_place[text.index("i++"), "i--"]
        wild = by_place[text.index("zero];"), "n"]
        answers = trial.answers([(endless, 0), (wild, 0), (endless, 0), (0, 0), (wild, 0), (0, 0)], runs, 60)
        assert answers == bytes([LATE, FAILS, LATE, GOOD, FAILS, GOOD])


def test_a_floating_input_is_what_it_was(tmp_path: Path) -> None:
    path = tmp_path / "floating.c"
    path.write_text("""\
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
int main(void)
{
    float one = __VERIFIER_nondet_float();
    double other = __VERIFIER_nondet_double();
    int less = one < other;
    __CPROVER_assert(one == 0.1f && other == 1e-300 && !less, "as given");
    return 0;
}
""")
    with trial_of(path) as (edits, _, trial):
        runs = runs_of(edits, [("0.1", "1e-300")])
        assert runs[0].outcome == "pass"
        assert trial.answers([(0, 0)], runs, 60) == bytes([GOOD])
        other = runs_of(edits, [("0.2", "1e-300")])
        assert trial.answers([(0, 0)], other, 60) == bytes([FAILS])


def test_time_ends_a_trial_with_what_is_known(tmp_path: Path) -> None:
    path = tmp_path / "two.c"
    path.write_text(TWO_FAULTS)
    with trial_of(path) as (edits, _, trial):
        runs = runs_of(edits, [(0, 0), (1, 0)])
        answers = trial.answers([(0, 0)] * 500_000, runs, 0.2)
        assert len(answers) == 500_000
        assert set(answers) <= {0, FAILS}
        assert FAILS in answers


SPOILT = """\
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), few;
    few = n;
    __CPROVER_assert(few < 5, "few");
    return 0;
}
"""

FROM_LIBRARY = "({{ extern void *__libc_malloc(unsigned long); long *p = __libc_malloc(100000); {} n; }})"
"""An edit that allocates where the library does; what spoils that heap is seen by the next one that asks it."""


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_edit_that_loses_its_process_behind_others_is_asked_again_alone(jobs: int, tmp_path: Path) -> None:
    path = tmp_path / "spoilt.c"
    path.write_text(SPOILT)
    program = load_c_program([str(path)], ProgramOptions())
    sources = read_texts_for_repair_schemata(program)
    assert sources is not None
    edits = RepairSchemataMaker(program, sources)
    found = repair_search_candidates(program, sources, [unit.id for unit in program.units], ())
    start = SPOILT.index("n;\n    __CPROVER")
    one = next(c for c in found if (c.start, c.end) == (start, start + 1) and c.is_expression)
    spoiling = "for (int k = 12500; k < 12504; k++) p[k] = -1;"
    texts = [
        FROM_LIBRARY.format(""),
        FROM_LIBRARY.format(spoiling),
        "({ extern int raise(int); raise(6); n; })",
    ]
    numbered = [(number, replace(one, text=text)) for number, text in enumerate(texts, start=1)]
    right, spoils, aborts = 1, 2, 3
    asked = [spoils, spoils, right, right, right, right, aborts, aborts, right, right, aborts, aborts]
    runs = runs_of(edits, [(1,)])
    with ValidatePatchesNatively.of_single_edits(program, numbered, jobs, 60) as trial:
        assert not trial.refused
        answers = trial.answers([(number, 0) for number in asked], runs, 60)
    assert list(answers) == [FAILS if number == aborts else GOOD for number in asked]


def test_what_an_edit_writes_behind_memory_of_calloc_fails_no_later_one(tmp_path: Path) -> None:
    path = tmp_path / "behind.c"
    text = """\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int() & 3, k, where, far = 1200, many = 1400;
    long *cells = calloc(n + 1, sizeof *cells);
    if (!cells)
        return 0;
    for (k = 0; k < n; k++)
        cells[k] = -1;
    where = n;
    __CPROVER_assert(cells[where] == 0, "zero");
    return 0;
}
"""
    path.write_text(text)
    with trial_of(path) as (edits, candidates, trial):
        runs = runs_of(edits, [(0,), (1,), (3,)])
        at = text.index("n; k++")
        behind = next(number for number, c in candidates.items() if c.start == at and c.text == "many")
        at = text.index("n;\n    __CPROVER")
        reads = next(number for number, c in candidates.items() if c.start == at and c.text == "far")
        asked = [(number, 0) for number in (behind, behind, 0, 0, 0, behind, reads, reads)] * 3
        answers = trial.answers(asked, runs, 60)
    others = [answer for (number, _), answer in zip(asked, answers, strict=True) if number != behind]
    assert set(others) == {GOOD}
    assert not {GOOD, STRAYS} & {answers[0], answers[1], answers[5]}


def test_memory_that_executions_do_not_give_back_fails_no_later_one(tmp_path: Path) -> None:
    path = tmp_path / "leak.c"
    path.write_text("""\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    char *kept = malloc(1 << 20);
    __CPROVER_assert(kept && n < 5, "kept");
    return 0;
}
""")
    with trial_of(path) as (edits, _, trial):
        runs = runs_of(edits, [(1,), (2,)])
        assert set(trial.answers([(0, 0)] * 2_000, runs, 60)) == {GOOD}
