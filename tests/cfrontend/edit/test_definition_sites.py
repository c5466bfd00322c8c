"""Edits of definitions: which there are, who uses them, and that each one is text that can be read again."""

from pathlib import Path

import pytest

from cfrontend.edit.definition_sites import EditableDefinitionSites, find_definition_sites
from cfrontend.edit.text import SourceText, apply_text_edits
from cfrontend.errors import InputError
from cfrontend.lower.number_units import number_units
from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.settings import HOLE

TEXT = """extern int nondet_int(void);
#define LIMIT 11
#define SIZE 4
#define SQUARE(x) x * x
#define OFTEN (LIMIT * 2)
enum color { RED = 1, GREEN, BLUE };
static int twice(int a) { return a * 2; }
static int thrice(int a) { return a * 3; }
static int (*const acts[2])(int) = { twice, thrice };
static const int table[2][2] = {
    { 1, 20 },
    { -3, RED },
};
static unsigned char total = 0;
static int unused = 5;
int main(void)
{
    int a[SIZE];
    int n = nondet_int();
    switch (n) {
    case 30: n = LIMIT; break;
    case GREEN: n = SQUARE(n + 1); break;
    }
    for (int i = 0; i < SIZE; i++)
        a[i] = n < OFTEN ? table[i & 1][0] : acts[i & 1](i);
    total += a[0];
    return total;
}
"""


def definitions(tmp_path: Path, text: str = TEXT) -> tuple[EditableDefinitionSites, ...]:
    path = tmp_path / "program.c"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions())
    table = number_units(program.tree, "statement")
    return find_definition_sites(
        program.tree, table, {str(path): SourceText(text)}, [[unit.id for unit in program.units]]
    )


def edits(tmp_path: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in definitions(tmp_path):
        found.setdefault(one.unit.text, set()).update(c.text for c in one.candidates)
    return found


def test_constants_of_macros_enumerators_and_tables(tmp_path: Path) -> None:
    found = edits(tmp_path)
    assert {"12", "10", HOLE} <= found["#define LIMIT 11"]
    assert {"2", "0"} == found["RED = 1"]
    assert {"2", "0", "21", "19", HOLE} <= found["1, 20"]


def test_types_and_sizes(tmp_path: Path) -> None:
    found = edits(tmp_path)
    assert {"int", "unsigned int"} == found["static unsigned char total"]
    assert {"SIZE + 1", "2 * SIZE", "10 * SIZE", "100 * SIZE"} <= found["int a[SIZE]"]


def test_labels_belong_to_the_selector(tmp_path: Path) -> None:
    labels = {one.unit.text: one for one in definitions(tmp_path) if one.unit.text.startswith("case")}
    assert {c.text for c in labels["case 30"].candidates} == {"29", "31"}
    assert labels["case 30"].used != frozenset()


def test_what_no_unit_uses_is_left_out(tmp_path: Path) -> None:
    assert not any("unused" in one.unit.text for one in definitions(tmp_path))


def test_each_run_may_use_a_definition_by_another_unit(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "#define N 3\n#define M 4\nint f(int a) { if (a) return N; return N + M; }\nint main(void) { return f(1); }\n"
    )
    program = load_c_program([str(path)], ProgramOptions())
    table, sources = number_units(program.tree, "statement"), {str(path): SourceText(path.read_text())}
    one, two = (
        [unit.id for unit in program.units if unit.text == text] for text in ("return N", "return N + M")
    )
    found = find_definition_sites(program.tree, table, sources, [one, two])
    assert [definition.unit.text for definition in found if definition.unit.text.startswith("#")] == [
        "#define N 3"
    ]


def test_use_through_other_definitions_counts(tmp_path: Path) -> None:
    found = {one.unit.text: one for one in definitions(tmp_path)}
    assert found["#define OFTEN (LIMIT * 2)"].used < found["#define LIMIT 11"].used
    assert found["int a[SIZE]"].used <= found["#define SIZE 4"].used


def test_a_macro_that_has_to_be_constant_is_edited_apart(tmp_path: Path) -> None:
    found = {one.unit.text: one for one in definitions(tmp_path)}
    assert all(c.form == "definition" for c in found["#define SIZE 4"].candidates)
    assert not any(
        c.form == "definition" for c in found["#define LIMIT 11"].candidates if c.text in ("10", "12", HOLE)
    )


def test_numbers_follow_those_of_the_units(tmp_path: Path) -> None:
    found = definitions(tmp_path)
    program = load_c_program([str(tmp_path / "program.c")], ProgramOptions())
    assert [one.unit.id for one in found] == [len(program.units) + n for n in range(1, len(found) + 1)]
    assert {one.unit.kind for one in found} == {"definition"}
    assert all(c.unit == one.unit.id for one in found for c in one.candidates)


def test_edited_texts_are_programs(tmp_path: Path) -> None:
    copy = tmp_path / "edited.c"
    for one in definitions(tmp_path):
        for candidate in one.candidates:
            if not candidate.has_hole and candidate.text != "double":  # nothing to switch on
                copy.write_text(apply_text_edits(TEXT, [candidate.edit]))
                try:
                    load_c_program([str(copy)], ProgramOptions())
                except InputError as error:
                    pytest.fail(f"{one.unit.text}: {candidate.text}: {error}")


def test_what_an_assertion_names_is_used_wherever_the_program_uses_it(tmp_path: Path) -> None:
    text = """#include <assert.h>
#define PLACES 3
#define LAST (PLACES - 0)
#define ONLY_STATED 5
static int places[PLACES];
static int first(int n) { int v = n + 1; return v; }
static int set(int n) { places[LAST] = n; return n; }
int main(void) { int r = first(2); if (r > 3) set(r); assert(places[LAST] < ONLY_STATED); return r; }
"""
    path = tmp_path / "places.c"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions())
    covered = [{unit.id for unit in program.units if unit.function == "first"}]
    found = find_definition_sites(program.tree, program.table, {str(path): SourceText(text)}, covered)
    assert [one.unit.location.line for one in found if one.unit.text.startswith("#define LAST")] == [3]
    assert not any("ONLY_STATED" in one.unit.text for one in found)
