"""Candidates for repair in one program."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.every_place import EVERY_PLACE
from cfrontend.effort import INSTRUCTION, spent_effort
from cfrontend.errors import InputError, Location
from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.units import Unit, UnitKind
from sfo.core.policy import policy
from sfo.execution.example_executions import execute_example
from sfo.execution.examples import Example
from sfo.program_repair.candidates import repair_search_candidates
from sfo.program_repair.schemata import (
    RepairSchemataMaker,
    RepairSchemataProgram,
    RepairSchemataVariant,
    read_texts_for_repair_schemata,
    unit_ids_after_edit_of_schemata,
)

TWICE = """#include <stdio.h>
int main(void)
{
    int a = 2, b = 2, s = a;
    if (a < b)
        s = 5;
    if (b < a)
        s++;
    printf("%d", s);
    return 0;
}
"""

TEXT = """struct load { int power, on; };
static const struct load usual[2] = {{3, 1}, {4, 0}};
static struct load now[2];
static int left;
static void start(int i)
{
    left = 4;
    now[i] = usual[i];
}
int main(void)
{
    start(1);
    if (now[1].power < 3)
        left++;
    return left;
}
"""


STRUCTURE = """struct pair { int a, b; };
static struct pair larger(struct pair p, int n, int *count)
{
    struct pair q = p;
    if (p.a < n)
        q.a = n, *count += 1;
    return q;
}
int main(void)
{
    struct pair p = {1, 2};
    int count = 0;
    p = larger(p, 3, &count);
    return p.a + count;
}
"""


ELEMENTS = """struct shelf { int left[3]; int credit; };
static int calls;
static int grid[3][3];
static struct shelf twice[2];
static void fill(struct shelf *m, int i, int j)
{
    char name[6] = "shelf";
    int seen = 0, most = 3;
    const struct shelf *p = twice;
    const char *s = name, *to = s;
    if (i < most && j < most)
        grid[i][j] = m->left[i];
    grid[i][j]++;
    while (p < twice + 2)
        p++;
    if (*s == 's')
        s++;
    if (s != to && m->left[j] == m->credit)
        seen++;
    twice[0] = twice[i];
    calls += seen;
}
int main(void)
{
    struct shelf m = {{1, 2, 3}, 4};
    int before = calls, quiet = 0;
    if (calls == before && quiet == 3)
        quiet = 1;
    {
        int late = calls;
        if (late != before && quiet == 2)
            quiet = 2;
    }
    fill(&m, 1, 2);
    return m.credit + quiet;
}
"""


def candidates(tmp_path: Path, text: str = TEXT) -> tuple[RepairSchemataMaker, list[Candidate]]:
    path = tmp_path / "program.c"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions())
    sources = read_texts_for_repair_schemata(program)
    assert sources is not None
    units = [unit.id for unit in program.units]
    given, others = ((), units) if text == TEXT else (units, ())
    return RepairSchemataMaker(program, sources), repair_search_candidates(program, sources, given, others)


def test_what_is_put_behind_an_assigned_structure_is_read_with_the_others(tmp_path: Path) -> None:
    edits, wanted = candidates(tmp_path)
    behind = [n for n, c in enumerate(wanted) if c.text.startswith("now[i] = usual[i], ")]
    assert behind
    assert set(behind) < set(edits.read(wanted, range(len(wanted))))


def test_every_candidate_is_a_program_with_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = RepairSchemataMaker._readable
    failed: list[str] = []

    def told(self: RepairSchemataMaker, items: list[Candidate], places: list[int]) -> object:
        try:
            return read(self, items, places)
        except InputError as error:
            failed.append(str(error))
            raise

    monkeypatch.setattr(RepairSchemataMaker, "_readable", told)
    maker, found = candidates(tmp_path, ELEMENTS)
    assert maker.read(found, range(len(found)))
    assert not failed
    assert {"value off by a term", "missing test of a variable", EVERY_PLACE} <= {c.template for c in found}


def test_an_edit_at_every_place_is_chosen_at_each_of_them_by_one_number(tmp_path: Path) -> None:
    edits, wanted = candidates(tmp_path, TWICE)
    both = "a <= b)\n        s = 5;\n    if (b <= a"
    (place,) = (n for n, c in enumerate(wanted) if c.template == EVERY_PLACE and c.edit.text == both)
    together, alone = edits.read(wanted, range(len(wanted)))[place], edits.alone(wanted[place])
    assert together.number
    assert alone is not None
    example = Example(name="one", data=b"", expected=b"6")
    for variant in (together, alone):
        ran = execute_example(variant.program, example, 1, b"6", settings=variant.settings(0))
        assert ran.execution.outcome == "pass"


def test_one_candidate_that_cannot_be_read_leaves_the_others_together(tmp_path: Path) -> None:
    edits, wanted = candidates(tmp_path)
    expressions = [c for c in wanted if c.form != "statement"]
    single = [c for c in expressions if not c.parts]
    wrong = replace(single[len(single) // 2], text="usual +")
    given = [*expressions, wrong]
    whole = edits.read(given, range(len(given)))
    assert len(given) - 1 not in whole
    assert len(whole) > len(given) * 3 // 4
    assert len({id(variant.program) for variant in whole.values()}) > 1


def test_edits_of_a_function_that_returns_a_structure_are_one_program(tmp_path: Path) -> None:
    edits, wanted = candidates(tmp_path, STRUCTURE)
    expressions = [n for n, c in enumerate(wanted) if c.is_expression]
    assert any(wanted[n].guard for n in expressions)
    read = edits.read(wanted, expressions)
    assert len({id(variant.program) for variant in read.values()}) == 1


def test_only_edits_whose_type_matters_are_typed(tmp_path: Path) -> None:
    edits, wanted = candidates(tmp_path)
    free = [n for n, c in enumerate(wanted) if c.is_expression and (c.use != "value" or c.form == "before")]
    spans = {(wanted[n].start, wanted[n].end) for n in free}
    typed = next(c for c in wanted if c.text == "i + 1" and (c.start, c.end) not in spans)
    before = spent_effort()
    fitting = edits.fitting(wanted, free)
    assert sorted(fitting) == free
    starts = [wanted[n].start for n in fitting if not wanted[n].parts]
    assert starts == sorted(starts)
    assert spent_effort() == before
    strange = replace(typed, text="usual")
    assert edits.fitting([*wanted, strange], [*free, len(wanted)]) == fitting
    assert spent_effort() > before


def test_lines_that_cannot_be_read_are_set_aside(tmp_path: Path) -> None:
    """Each wrong line costs one attempt, and effort, not a search by halves."""
    edits, wanted = candidates(tmp_path)
    expressions = [c for c in wanted if c.form not in {"statement", "definition"} and not c.parts]
    text = edits.sources[expressions[0].file]
    by_line = {text.line_of(c.start): c for c in expressions}
    wrong = [replace(c, text="unknown_name") for c in by_line.values()]
    given = [c for c in expressions if c not in by_line.values()] + wrong
    assert len(by_line) >= 4
    before = spent_effort()
    read = edits.read(given, range(len(given)))
    assert not {n for n in read if given[n] in wrong}
    assert spent_effort() - before > len(wrong) * INSTRUCTION


def test_what_names_something_unknown_is_left_out_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Candidates with an undeclared name cost one failed parse, however many stand on a line."""
    edits, wanted = candidates(tmp_path)
    first = next(c for c in wanted if c.is_expression)
    wrong = [replace(first, text=f"unknown_name + {n}") for n in range(40)]
    right = [c for c in wanted if c.is_expression and c.start == first.start]
    read = RepairSchemataMaker._readable
    sizes: list[int] = []

    def counted(
        self: RepairSchemataMaker, given: Sequence[Candidate], places: Sequence[int]
    ) -> dict[int, RepairSchemataVariant]:
        sizes.append(len(places))
        return read(self, given, places)

    monkeypatch.setattr(RepairSchemataMaker, "_readable", counted)
    assert not edits.read([*right, *wrong], range(len(right) + len(wrong))).keys() & {
        len(right) + n for n in range(len(wrong))
    }
    assert sizes[0] == len(right) + len(wrong)
    assert sizes[1] == len(right)


def test_the_first_candidates_do_not_wait_for_the_others(tmp_path: Path) -> None:
    edits, wanted = candidates(tmp_path)
    first = policy().schemata.first
    every = [c for c in wanted if c.form != "statement"]
    many = every * (4 * first // len(every))
    assert 3 * first < len(many) <= 4 * first
    together = RepairSchemataProgram(edits, many)
    variants = [together.variant(place) for place in range(len(many))]
    sizes = Counter(id(variant.program) for variant in variants if variant is not None)
    assert list(sizes.values()) == [first, 2 * first, len(many) - 3 * first]
    known = edits.read(every, range(len(every)))
    assert sum(variant is not None for variant in variants) == len(many) // len(every) * len(known)


def test_variables_of_the_library_are_no_candidates(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text("""#include <stdlib.h>
static int most;
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    if (n > most)
        most = n;
    exit(most);
}
""")
    program = load_c_program([str(path)], ProgramOptions(argv=2))
    sources = read_texts_for_repair_schemata(program)
    assert sources is not None
    found = repair_search_candidates(program, sources, [unit.id for unit in program.units], ())
    assert "errno" in {variable.symbol.name for variable in program.tree.variables}
    assert any(c.text == "most" for c in found)
    assert not any("errno" in c.text for c in found)


def test_the_reference_is_read_once(tmp_path: Path) -> None:
    path, older = tmp_path / "program.c", tmp_path / "older.c"
    path.write_text(TEXT)
    older.write_text(TEXT.replace("left = 4", "left = 3"))
    program = load_c_program([str(path)], ProgramOptions(reference=(str(older),)))
    sources = read_texts_for_repair_schemata(program)
    assert sources is not None
    wanted = repair_search_candidates(program, sources, (), [unit.id for unit in program.units])
    older.unlink()
    variant = RepairSchemataMaker(program, sources).alone(wanted[0])
    assert variant is not None
    assert variant.program.reference is not None


@pytest.mark.parametrize(("use", "is_read"), [("first(a)", False), ("a[0]", True), ("sizeof a", True)])
def test_another_type_has_to_fit_pointers_to_the_variable(use: str, is_read: bool, tmp_path: Path) -> None:
    text = (
        "static int first(const unsigned char *p) { return p[0]; }\n"
        f"int main(void) {{ unsigned char a[4] = {{1}}; return first((const unsigned char *)a) + (int)({use}); }}\n"
    )
    path = tmp_path / "program.c"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions())
    sources = read_texts_for_repair_schemata(program)
    assert sources is not None
    start = text.index("unsigned char a")
    other = Candidate(
        template="another type",
        unit=1,
        file=str(path),
        start=start,
        end=start + len("unsigned char"),
        text="int",
        size="small",
        form="definition",
    )
    assert (RepairSchemataMaker(program, sources).alone(other) is not None) == is_read


def test_what_the_harness_declares_is_no_candidate(tmp_path: Path) -> None:
    text = (
        "int count;\nint main(void)\n{\n    int a = 3, b = 4;\n    count = a < b;\n    return count + a;\n}\n"
    )
    path = tmp_path / "p.c"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions(ensures=("__sfo_result == 0",)))
    sources = read_texts_for_repair_schemata(program)
    assert sources is not None
    found = repair_search_candidates(program, sources, (), [unit.id for unit in program.units])
    assert found
    assert not [c for c in found if "__sfo" in c.text]


LONG = """#include <assert.h>
#include <stdio.h>
int main(void)
{
    int a[4] = {0, 1, 2, 3}, n = a[2], m = a[1];
    m = (n
         + a[n] /* of
         two lines */);
    printf("%d %d\\n", // both
           n,
           a[m - 3]);
    n = a[m - n]
        + m;
    assert(a[n - 8] == 0);
    return 0;
}
"""


def test_lines_behind_edits_of_several_lines_stay(tmp_path: Path) -> None:
    """Properties of an edited program are known by their lines."""
    edits, wanted = candidates(tmp_path, LONG)
    assert any("\n" in edits.sources[c.file].text[c.start : c.end] and c.is_expression for c in wanted)
    lines = {(one.kind, one.location.line) for one in edits.program.properties}
    read = edits.read(wanted, range(len(wanted)))
    assert len(read) > len(wanted) // 2
    for variant in {id(variant.program): variant for variant in read.values()}.values():
        assert {(one.kind, one.location.line) for one in variant.program.properties} >= lines
    asserted = max(line for kind, line in lines if kind == "assert")
    alone = [edits.alone(c) for c in wanted if c.end < LONG.index("assert(a")]
    assert len(alone) > 10
    for one in alone:
        if one is not None:
            assert max(p.location.line for p in one.program.properties if p.kind == "assert") == asserted


def test_units_keep_their_ids_beside_an_edit_that_adds_one() -> None:
    """Edits of other units stand in their texts, and an added unit on the line of another one."""

    def units(*given: tuple[int, UnitKind, str]) -> list[Unit]:
        return [
            Unit(id=id_, kind=kind, function="f", location=Location("x.c", line, 1), text=text)
            for id_, (line, kind, text) in enumerate(given, start=1)
        ]

    before = units(
        (1, "assignment", "a = 1"), (2, "condition", "a < b"), (3, "assignment", "a++"), (4, "call", "g(a)")
    )
    edited = units(
        (1, "expression", "a = pick ? 1 : 0"),
        (2, "condition", "pick ? a < b : a > b"),
        (3, "assignment", "a++"),
        (3, "return", "return a"),
        (4, "call", "g(pick ? a : b)"),
    )
    assert unit_ids_after_edit_of_schemata(edited, before) == {1: 1, 2: 2, 3: 3, 5: 4}


def test_no_edit_takes_an_assertion_along(tmp_path: Path) -> None:
    """Braces around the next statement would be one, too, were it no assertion."""
    path = tmp_path / "x.c"
    for state in ("__VERIFIER_assert(n < 7)", "put(n < 7)"):
        path.write_text(
            "#include <assert.h>\nvoid __VERIFIER_assert(int x) { if (!x) __builtin_trap(); }\nvoid put(int x) { }\nint nondet_int(void);\n"
            f"int main(void) {{ int n = nondet_int(); if (n > 5)\n        n--;\n    {state}; assert(n < 9); return 0; }}\n"
        )
        program = load_c_program([str(path)], ProgramOptions())
        texts = read_texts_for_repair_schemata(program)
        assert texts is not None
        found = repair_search_candidates(program, texts, [unit.id for unit in program.units], ())
        taken = [one for one in found if state in texts[one.file].text[one.start : one.end]]
        assert bool(taken) == state.startswith("put")


def test_an_edited_function_is_called_in_the_surroundings_of_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "int last(const int *a, int n, int m)\n{\n    int s = 0;\n    for (int i = 0; i < n; i++)\n"
        "        s = a[i];\n    m = s;\n    return m;\n}\n"
    )
    program = load_c_program([str(path)], ProgramOptions(entry="last"))
    assert program.harness is not None
    assert [extent.factors for extent in program.harness.extents] == [(1,)]
    sources = read_texts_for_repair_schemata(program)
    assert sources is not None
    found = repair_search_candidates(program, sources, [unit.id for unit in program.units], ())
    edits = RepairSchemataMaker(program, sources)
    # Where the length may be changed, the text would not say that the array has so many elements.
    written = next(candidate for candidate in found if candidate.text.startswith("n++"))
    alone = edits.alone(written)
    together = edits.read(found, range(len(found)))
    assert alone is not None
    assert together
    for variant in (alone, *together.values()):
        assert variant.program.harness == program.harness, "inputs mean the same"
