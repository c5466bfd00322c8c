"""Cells of C types: they cover every byte once, and no two have the same name."""

from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.elaborate import elaborate_files
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.source.parse import parse_file
from cfrontend.source.preprocess import PreprocessedFile
from cfrontend.symex.layout import Layout, LayoutCell, Layouts


def layout_of(declaration: str) -> Layout:
    file = PreprocessedFile("a.c", f"{declaration} x;", {})
    unit = elaborate_files([parse_file(file)])
    return Layouts(unit.structs).of(unit.variables[0].symbol.type)


def cells_of(layout: Layout) -> list[LayoutCell]:
    cells: list[LayoutCell] = []
    while not cells or cells[-1].offset + cells[-1].size < layout.size:
        cells.append(layout.cell(cells[-1].offset + cells[-1].size if cells else 0))
    return cells


@pytest.mark.parametrize(
    "declaration",
    [
        "struct { char c; long n; short s[3]; }",
        "struct { unsigned a : 16, b : 3, c : 20; char d; }",
        "struct { char c; struct { short s; long n; } in[2]; } __attribute__((packed))",
        "union { struct { char c; int n; } s[3]; char d; }",
        "struct { char c; union { unsigned long a : 3; long b; struct { char c; int n; } p; } u[2]; }",
    ],
)
def test_cells_cover_each_byte_once_under_names_of_their_own(declaration: str) -> None:
    cells = cells_of(layout_of(declaration))
    assert [c.number for c in cells] == list(range(len(cells)))
    assert len({c.name for c in cells}) == len(cells)


@pytest.mark.parametrize(
    ("declaration", "data"),
    [
        ("struct { char c; int n; }", [0, 4]),
        ("union { struct { char c; short n; } s; }", [0, 2]),
        ("union { struct { char c; short n; } s; int all; }", [0, 1, 2]),
        ("union { struct { char c; int n; } s; short t[4]; }", [0, 1, 2, 3, 4]),
        ("union { unsigned long a : 3; long b; }", list(range(8))),
    ],
)
def test_a_union_has_no_padding_that_another_member_may_use(declaration: str, data: list[int]) -> None:
    assert [c.offset for c in layout_of(declaration).scalars()] == data


CHOSEN_PADDING = """
#include <assert.h>
extern int nondet_int(void);
struct tagged { int kind; union { _Bool flag; int number; char text[6]; } as; };
static struct tagged flag(_Bool f) { struct tagged v; v.kind = 1; v.as.flag = f; return v; }
static struct tagged any(void)
{
    struct tagged v = { 0, { 0 } };
    if (nondet_int() == 0)
        v = flag(1);
    return v;
}
int main(void)
{
    struct tagged a = any();
    assert(a.as.number != 1025);
    return 0;
}
"""


def test_unwritten_bytes_are_inputs_where_a_choice_was_joined(tmp_path: Path) -> None:
    """The bytes of a word that was chosen are put together before the choice: each of them is still an input."""
    path = tmp_path / "tagged.c"
    path.write_text(CHOSEN_PADDING)
    encoded = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1))
    read = [event.site.name for event in encoded.inputs]
    assert len(read) == 4
    assert sum(name.startswith("v.as") for name in read) == 3


CHOSEN_MEMBER = """
#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    union { unsigned long all; struct { int number; char tag; } parts; } a, b;
    a.parts.number = 1;
    b.parts.number = 2;
    if (nondet_int())
        a = b;
    assert(a.parts.number != 2);
    return 0;
}
"""

FLEXIBLE = """
#include <assert.h>
#include <stdlib.h>
extern int nondet_int(void);
struct queue { unsigned long count, room; struct { int number; char tag; } items[]; };
int main(void)
{
    struct queue *q = malloc(sizeof *q + 2 * sizeof q->items[0]);
    q->items[0].number = 1;
    q->items[1].number = 2;
    if (nondet_int())
        q->items[0] = q->items[1];
    assert(q->items[0].number != 2);
    return 0;
}
"""


@pytest.mark.parametrize("source", [CHOSEN_MEMBER, FLEXIBLE], ids=["union", "flexible"])
def test_what_a_chosen_structure_has_beside_the_member_that_is_read_is_no_input(
    tmp_path: Path, source: str
) -> None:
    path = tmp_path / "chosen.c"
    path.write_text(source)
    encoded = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1))
    assert [event.site.name for event in encoded.inputs] == ["nondet_int()"]


def test_elements_of_a_flexible_array_member_are_cells_of_their_own() -> None:
    unit = elaborate_files(
        [parse_file(PreprocessedFile("a.c", "struct { long n; struct { int i; char c; } items[]; } x;", {}))]
    )
    layouts = Layouts(unit.structs)
    found = layouts.elements(layouts.of(unit.variables[0].symbol.type), 24)
    assert found is not None
    assert [cell.name for cell in found.scalars()] == [
        ".n",
        ".items[0].i",
        ".items[0].c",
        ".items[1].i",
        ".items[1].c",
    ]


CHANGED_FIELD = """
extern int nondet_int(void);
struct pair { unsigned a : 3, b : 5; };
int main(void)
{
    struct pair x = { 0, 0 };
    for (int i = 0; i < 64; i++)
        if (nondet_int() == i)
            x.a = x.a + i;
    return x.b;
}
"""


def test_words_that_share_their_parts_are_searched_once(tmp_path: Path) -> None:
    """Each change of a bit-field doubles the ways to what was there before it."""
    path = tmp_path / "pair.c"
    path.write_text(CHANGED_FIELD)
    encoded = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=65))
    assert len(encoded.inputs) == 64
