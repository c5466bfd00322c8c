"""Statements that may be missing, made from those that stand elsewhere: their texts, and that gcc finds them right."""

import re
import subprocess
from pathlib import Path

import pytest

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.text import SourceText, apply_text_edits
from cfrontend.edit.unit_sites import find_candidates_at_units
from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.settings import HOLE
from tests.conftest import require_tool

TREES = """#include <stddef.h>
enum kind { LEAF, FORK, GONE };
struct node { int key, uses; enum kind kind; struct node *left, *right; struct { int reads, writes; } count; };
struct date { int day, month; };
static struct node pool[4];
static struct date next_day(struct date d) { d.day++; return d; }
static int pop(struct node *n) { return n->key--; }
static struct node *insert(struct node *t, int key)
{
    if (t == NULL) {
        pool[key].right = NULL;
        pool[key].kind = FORK;
        return &pool[key];
    }
    if (key < t->key)
        ;
    else
        t->right = insert(t->right, key);
    t->uses -= key;
    return t;
}
static int use(struct node *n, int key)
{
    struct date today = { 1, 2 }, tomorrow;
    int *sum = &n->key, kept = 0, a, b;
    today.month = n->count.reads;
    if (pop(n))
        a = pop(n);
    b = pop(n) + n->count.writes;
    n->count.writes = key;
    pool[kept] = pool[key];
    kept++;
    return a + b + tomorrow.day + today.day;
}
int main(void) { return use(insert(NULL, 1), 2); }
"""


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, tuple[Candidate, ...]]:
    """The program, and all candidates; ``a`` and ``tomorrow`` are read before they are written."""
    path = tmp_path_factory.mktemp("trees") / "trees.c"
    path.write_text(TREES)
    program = load_c_program([str(path)], ProgramOptions())
    sources = {str(path): SourceText(TREES)}
    units = [unit.id for unit in program.units]
    unwritten = ("use::a", "use::tomorrow")
    return TREES, find_candidates_at_units(program.tree, program.table, sources, units, unwritten)


@pytest.mark.parametrize(
    "text",
    [
        "pool[key].right = NULL, pool[key].kind = FORK",
        "t->uses += key, t->uses -= key",
        "n->count.reads++, today.month = n->count.reads",  # read within another structure, and nothing writes it
        "pool[kept] = pool[key], kept++",
    ],
)
def test_what_may_be_missing(text: str, trees: tuple[str, tuple[Candidate, ...]]) -> None:
    made = {" ".join(candidate.edit.text.split()) for candidate in trees[1]}
    assert text in made, sorted(one for one in made if one.partition(" ")[0] == text.partition(" ")[0])


def test_gcc_finds_no_type_wrong(trees: tuple[str, tuple[Candidate, ...]], tmp_path: Path) -> None:
    require_tool("gcc")
    text, candidates = trees
    wrong: list[str] = []
    added = [one for one in candidates if one.adds and one.size == "large" and not one.guard]
    for candidate in added[:: max(1, len(added) // 150)]:
        path = tmp_path / "edited.c"
        path.write_text(f"static const int {HOLE} = 1;\n{apply_text_edits(text, [candidate.edit])}")
        gcc = [
            "gcc",
            "-fsyntax-only",
            "-Werror=incompatible-pointer-types",
            "-Werror=int-conversion",
            str(path),
        ]
        if subprocess.run(gcc, capture_output=True, check=False).returncode:
            wrong.append(candidate.edit.text)
    assert len(added) > 150
    assert not wrong


def test_a_pointer_to_what_is_const_is_a_variable_that_may_be_set(tmp_path: Path) -> None:
    text = """struct node { int key; struct node *next; };
static int common(const struct node *a, const struct node *b, struct node *const end)
{
    int n = 0;
    while (a != end && b != end) {
        if (a->key < b->key) {
            a = a->next;
        } else if (a->key > b->key) {
            b = b->next;
        } else {
            n++;
            a = a->next;
        }
    }
    return n;
}
int main(void) { struct node x = { 1, 0 }; return common(&x, &x, 0); }
"""
    path = tmp_path / "lists.c"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions())
    units = [unit.id for unit in program.units if unit.location.line == 12]
    sources = {str(path): SourceText(text)}
    found = find_candidates_at_units(program.tree, program.table, sources, units, frozenset())
    texts = {candidate.text for candidate in found}
    assert "b = b->next, a = a->next" in texts
    assert [t for t in texts if re.search(r"\bend = |a->key =|key\+\+", t)] == []


def test_no_edit_names_what_is_not_in_scope_or_computes_with_a_pointer_as_with_a_number(
    tmp_path: Path,
) -> None:
    text = """#define LENGTH(x) (sizeof(x) / sizeof((x)[0]))
struct set { int *bucket[4]; };
static int check(int limit) { return limit > 2; }
enum kind { SMALL, LARGE };
static int *middle(int *p, int half, int size) { return p + half * size; }
static int *find(struct set *s, unsigned key) { return s->bucket[key % LENGTH(s->bucket)]; }
int main(void)
{
    int a[4] = { 0 };
    struct set s = { { a } };
    enum kind kind = check(1) ? LARGE : SMALL;
    return *middle(a, 1, 1) + *find(&s, 0) + kind;
}
"""
    path = tmp_path / "scope.c"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions())
    sources = {str(path): SourceText(text)}
    units = [unit.id for unit in program.units]
    found = find_candidates_at_units(program.tree, program.table, sources, units, frozenset())
    texts = {candidate.text for candidate in found}
    of_check = {one.text for one in found if text[: one.start].count("\n") == 2}
    assert not any(re.search(r"\b(SMALL|LARGE)\b", one) for one in of_check)
    assert "(p + half) * size" not in texts
    of_middle = {one.text for one in found if text[: one.start].count("\n") == 4}
    assert not any("LENGTH" in one for one in of_middle)
