"""Native validation of edits that are no expressions: statements and declarations, each in a clone of its function."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.definition_sites import find_definition_sites
from cfrontend.edit.function_clones import function_text_around, function_texts_to_clone
from cfrontend.edit.text import apply_text_edits
from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.terms import Terms
from sfo.core.budget import BudgetClock
from sfo.program_repair.native_validation import native_validation_of_candidates
from sfo.program_repair.patch_validation import PatchValidation
from sfo.program_repair.schemata import RepairSchemataMaker, RepairSchemataVariant
from tests.conftest import require_tool
from tests.sfo.program_repair.test_native_validation import all_edits, suite_of

STEPS = """\
extern int __VERIFIER_nondet_int(void);
#define TOP 9 /* a brace } in a comment; */
static unsigned char total; static int
rounded(n, by)
int n;
int by;
{
    static int calls = 0;
    int rest = n % by;
    calls++;
    if (rest * 2 >= by) {
        n += by;
    }
    n -= rest;
    return calls > 1 ? n : n; // ; }
}
static void add(int amount)
{
    short doubled;
    if (amount < 0)
        return;
    total += amount;
    doubled = total * 2;
    if (doubled > 2 * TOP) {
        total = TOP;
        if (amount > 100)
            add(amount - 100);
    }
}
int main(void)
{
    int i, sum = 0;
    for (i = 0; i < 2; i++) {
        int given = __VERIFIER_nondet_int();
        if (given < 0 || given > 300)
            return 0;
        add(given);
        sum = sum + given;
    }
    __CPROVER_assert(total == (sum > TOP ? TOP : sum), "total");
    __CPROVER_assert(rounded(sum, 10) % 10 == 0, "rounded");
}
"""
"""The sum is kept in one byte: 250 and 10 are 4."""

VECTORS = [(250, 10), (1, 2), (3, 300), (4, 4), (0, 20), (301,), (256, 1), (5, 5)]


@pytest.fixture(autouse=True)
def _compiler() -> None:
    """Nothing here is without one."""
    require_tool("gcc")


def test_what_fails_in_a_clone_fails_in_the_edited_program(tmp_path: Path) -> None:
    path = tmp_path / "steps.c"
    path.write_text(STEPS)
    edits, candidates = all_edits(path)
    definitions = find_definition_sites(
        edits.program.tree,
        edits.program.table,
        edits.sources,
        [frozenset(unit.id for unit in edits.program.units)],
    )
    candidates += [candidate for definition in definitions for candidate in definition.candidates]
    executions = suite_of(edits, list(VECTORS))
    assert executions.failing
    assert executions.passing
    clock = BudgetClock(1_000)
    known = native_validation_of_candidates(edits, candidates, executions, clock, jobs=1)
    cloned = {place for place, candidate in enumerate(candidates) if not candidate.is_expression}
    rejected = sorted(cloned & known.rejected)
    assert len(rejected) > len(cloned) / 4
    assert {candidates[place].form == "statement" for place in rejected} == {True, False}
    sieve = PatchValidation(RepairSchemataVariant(edits.program, None), executions, [], Terms(), clock)
    for place in rejected:
        variant = edits.alone(candidates[place])
        if variant is not None:
            every = (*executions.failing, *executions.passing)
            assert not all(sieve.does_well(variant, one) for one in every), candidates[place]


def test_the_right_type_is_not_rejected(tmp_path: Path) -> None:
    path = tmp_path / "mean.c"
    path.write_text("""\
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned char sum = 0;
    for (int i = 0; i < 2; i++) {
        int one = __VERIFIER_nondet_int();
        if (one < 0 || one > 200)
            return 0;
        sum += one;
        __CPROVER_assert(sum >= one, "sum");
    }
    return 0;
}
""")
    edits, _ = all_edits(path)
    units = [unit.id for unit in edits.program.units]
    definitions = find_definition_sites(
        edits.program.tree, edits.program.table, edits.sources, [frozenset(units)]
    )
    candidates = [candidate for definition in definitions for candidate in definition.candidates] * 20
    executions = suite_of(edits, [(200, 100), (3, 4), (7, 0)])
    known = native_validation_of_candidates(edits, candidates, executions, BudgetClock(1_000), jobs=1)
    texts = {candidates[place].text for place in range(len(candidates)) if place not in known.rejected}
    assert {"int"} & texts or {"long"} & texts
    assert known.rejected


def test_functions_are_cloned_whatever_stands_around_them(tmp_path: Path) -> None:
    path = tmp_path / "steps.c"
    text = STEPS + "int many(int n, ...) { return n; }\nint unnamed(int n) { return n ? 1 : 0; }\n"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions())
    functions = function_texts_to_clone(program.tree, str(path), text)
    assert {one.called: one.arguments for one in functions} == {
        "rounded": ("n", "by"),
        "add": ("amount",),
        "main": (),
        "unnamed": ("n",),
    }
    heads = {one.called: text[one.head : one.name].strip() for one in functions}
    assert heads["rounded"] == "static int"
    assert {text[one.body] + text[one.end] for one in functions} == {"{}"}
    edits, candidates = all_edits(path)
    assert isinstance(edits, RepairSchemataMaker)
    inside = [one for one in candidates if not one.is_expression]
    assert all(function_text_around(functions, one) is not None for one in inside)


def test_what_gcc_refuses_by_name_is_left_to_the_interpreter_and_all_else_is_tried(tmp_path: Path) -> None:
    path = tmp_path / "copy.c"
    path.write_text("""\
extern int __VERIFIER_nondet_int(void);
static const char letters[] = "abcd";
int main(void)
{
    char text[5];
    int most = 3, count = 0;
    for (int i = 0; i < 4; i++) {
        text[i] = letters[i];
        count++;
    }
    int last = __VERIFIER_nondet_int();
    if (last < 0 || last > most)
        return 0;
    text[last] = letters[count - last];
    __CPROVER_assert(text[last] == letters[last], "copied");
    return 0;
}
""")
    edits, candidates = all_edits(path)
    units = [frozenset(unit.id for unit in edits.program.units)]
    definitions = find_definition_sites(edits.program.tree, edits.program.table, edits.sources, units)
    candidates += [candidate for definition in definitions for candidate in definition.candidates]
    wide = [place for place, one in enumerate(candidates) if one.text == "double"]
    assert len(wide) > 1
    candidates += [_constant_array_at(path, at, candidates) for at in ("text[i] =", "text[last] =")]
    written = [place for place, one in enumerate(candidates) if one.text == "letters"]
    assert written  # the array that is const stands in what is written, too
    assert not any(_compiles(edits, candidates[place], tmp_path) for place in written)
    executions = suite_of(edits, [(0,), (1,), (3,), (2,)])
    assert executions.failing
    known = native_validation_of_candidates(edits, candidates, executions, BudgetClock(1_000), jobs=1)
    used_as_index = [place for place in wide if not _compiles(edits, candidates[place], tmp_path)]
    assert used_as_index
    assert not set(used_as_index) & known.rejected  # a definition may be refused for its clone alone
    assert len(known.rejected) > len(candidates) / 2


def _constant_array_at(path: Path, text: str, candidates: Sequence[Candidate]) -> Candidate:
    """An edit that no template makes: an array that is const, where ``text`` begins with one that is written."""
    start = path.read_text().index(text)
    beside = next(one for one in candidates if start <= one.start <= start + len(text))
    return Candidate(
        template="another array or variable pointed to",
        unit=beside.unit,
        file=beside.file,
        start=start,
        end=start + len("text"),
        text="letters",
        size="small",
        aims=True,
    )


def _compiles(edits: RepairSchemataMaker, candidate: Candidate, directory: Path) -> bool:
    """Whether gcc takes the edited file."""
    edited = directory / "edited.c"
    text = edits.sources[candidate.file].text
    edited.write_text(apply_text_edits(text, [candidate.edit]))
    return (
        subprocess.run(
            ["gcc", "-w", "-fsyntax-only", str(edited)], check=False, capture_output=True
        ).returncode
        == 0
    )
