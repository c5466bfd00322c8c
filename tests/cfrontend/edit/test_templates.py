"""Each edit template by its own example: where ``before`` stands in a function, the template makes ``after`` of it."""

from collections import Counter
from pathlib import Path

import pytest

import cfrontend.edit
from cfrontend.edit.candidate import Candidate
from cfrontend.edit.definition_sites import find_definition_sites
from cfrontend.edit.every_place import EVERY_PLACE
from cfrontend.edit.registry import FAMILIES, TEMPLATES, templates_for
from cfrontend.edit.template import ROLES, Template
from cfrontend.edit.text import SourceText, apply_text_edits
from cfrontend.edit.unit_sites import find_candidates_at_units
from cfrontend.errors import InputError
from cfrontend.lower.number_units import number_units
from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.settings import HOLE

BEFORE = """#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define LEAST 3
#define MOST 40
enum color { RED, GREEN, BLUE };
struct node { int value, count; struct node *next; };
static int g;
static int twice(int v) { return 2 * v; }
static int half(int v) { return v / 2; }
static int least(int v, int w) { return v < w ? v : w; }
static int most(int v, int w) { return v > w ? v : w; }
static struct node *found(int v, struct node *w) { return v ? w : w->next; }
static void count(int v) { g += v; }
static int f(int *a, int n, struct node *p, char *s, int i, int x, int y, char c, double d, int (*act)(int),
             struct node *q)
{
"""
"""What stands around an example: the names that it may use."""

AFTER = """
    return g + x + y + i + c + act(x) + (int)d;
}
int main(void)
{
    int a[8] = { 1, 2, 3 };
    struct node one = { 1, 2, 0 };
    return f(a, 8, &one, "text", 0, LEAST, MOST, 'c', 1.5, half, &one) + (twice(1) < most(1, least(1, 2)));
}
"""


NUMBERS = ("17", "0.25")
"""Constants of a reference."""


def candidates(path: Path, text: str) -> list[Candidate]:
    """All candidates of a program, where nothing that is declared has been written."""
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions(undefined="nondet"))
    table, sources = number_units(program.tree, "statement"), {str(path): SourceText(text)}
    units = [unit.id for unit in program.units]
    unwritten = [f"f::{name}" for name in ("total", "i")]
    definitions = find_definition_sites(program.tree, table, sources, [units], unwritten)
    return [
        *find_candidates_at_units(program.tree, table, sources, units, unwritten, numbers=NUMBERS),
        *(candidate for one in definitions for candidate in one.candidates),
    ]


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("template", TEMPLATES, ids=[one.name for one in TEMPLATES])
def test_a_template_does_what_its_example_says(template: Template, tmp_path: Path) -> None:
    before, arrow, after = template.example.partition(" -> ")
    assert arrow, "an example is `before -> after`"
    text = f"{BEFORE}{before}{AFTER}"
    found = [c for c in candidates(tmp_path / "program.c", text) if c.template == template.name]
    begin, end = len(BEFORE), len(AFTER)
    edited = {
        apply_text_edits(text, [c.edit]) for c in found if begin <= c.start and c.end <= len(text) - end
    }
    made = {plain(one[begin:-end].replace(HOLE, "?")) for one in edited}
    assert plain(after) in made, f"made of {before}: {sorted(made)}"
    chosen = next(one for one in sorted(edited) if plain(one[begin:-end].replace(HOLE, "?")) == plain(after))
    edited_path = tmp_path / "edited.c"
    edited_path.write_text(chosen.replace(HOLE, "7"))
    try:
        load_c_program([str(edited_path)], ProgramOptions(undefined="nondet"))
    except InputError as error:
        pytest.fail(f"no program: {after}: {error}")


def test_an_edit_costs_what_its_template_says(tmp_path: Path) -> None:
    named = {one.name: one for one in TEMPLATES}
    every = candidates(tmp_path / "program.c", f"{BEFORE}{AFTER}")
    for c in (one for one in every if one.template != EVERY_PLACE):
        template = named[c.template]
        assert (c.size, c.is_odd) == (template.cost.size, template.cost.is_odd)
        assert c.adds == (template.kind == "addition")


def test_names_are_unique_and_every_template_is_visited() -> None:
    assert [name for name, count in Counter(one.name for one in TEMPLATES).items() if count > 1] == []
    assert {role for one in TEMPLATES for role in one.roles} == set(ROLES)
    assert all(one.about.endswith(".") and one.kind and one.roles for one in TEMPLATES)


def test_every_module_of_templates_is_in_the_registry() -> None:
    folder = Path(next(iter(cfrontend.edit.__path__)))
    with_templates = {path.stem for path in folder.glob("*.py") if "\n@template(\n" in path.read_text()}
    assert {family.__name__.rpartition(".")[2] for family in FAMILIES} == with_templates


def test_templates_are_asked_in_their_order() -> None:
    places = {one.name: place for place, one in enumerate(TEMPLATES)}
    for one in TEMPLATES:
        for role in one.roles:
            asked = [
                places[other.name] for other in templates_for(role, one.nodes[0] if one.nodes else object)
            ]
            assert asked == sorted(asked)
            assert places[one.name] in asked


def test_a_condition_that_a_macro_writes_is_in_nobodys_way(tmp_path: Path) -> None:
    text = """#define GET(a, i) (a[i] != 0 ? a[i] : 1)
int f(int *a, int i, int n) { int x; x = GET(a, i % 4); return x + n; }
int main(void) { int a[4] = {0}; return f(a, 1, 2); }
"""
    assert candidates(tmp_path / "p.c", text)


def test_truth_values_are_no_numbers(tmp_path: Path) -> None:
    text = f"#define TRUE 1\n#define FALSE 0\n{BEFORE}if (i < n) x = 2; y = TRUE;{AFTER}"
    every = candidates(tmp_path / "program.c", text)
    named = "another named constant"
    assert [c.text for c in every if c.template == named and text[c.start : c.end] == "TRUE"] == ["FALSE"]
    assert {"TRUE + 1", "TRUE - 1"}.isdisjoint(c.text for c in every)


@pytest.mark.parametrize("const", ["", "const "])
def test_an_array_that_is_constant_is_not_written(const: str, tmp_path: Path) -> None:
    text = f"{BEFORE}int b[4] = {{0}}; {const}int e[4] = {{1}}; b[i & 3] = x; y = e[0];{AFTER}"
    named = "another array or variable pointed to"
    found = [c for c in candidates(tmp_path / "program.c", text) if c.template == named and c.text == "e"]
    assert [c.start for c in found] == ([] if const else [text.index("b[i & 3]")])
