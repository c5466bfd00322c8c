"""Edited programs that are read incrementally are those that are read as a whole, in every field and location."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cfrontend.edit.patch_preprocessed import PreprocessedUneditedFile
from cfrontend.errors import SfoError
from cfrontend.front_end.incremental import IncrementalFrontEnd
from cfrontend.program import Program, ProgramOptions, load_c_program
from cfrontend.source.preprocess import PreprocessedFile, preprocess

TEXT = """\
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <assert.h>

struct point { int x, y; };
static int table[];
static struct point last;
static int wide;
static jmp_buf place;

static int twice(int n)
{
    static int calls;
    extern int wide __attribute__((aligned(64)));
    const char *text = "twice";
    calls++;
    return text[0] == 't' ? n + n : calls;
}

static int area(struct point p)
{
    enum { SCALE = 3 };
    struct local { int w, h; } size = { p.x, p.y };
    return size.w * size.h * SCALE;
}

static double mean(const int *values, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    if (n == 0)
        longjmp(place, 1);
    return sum == sum ? sum / n : 0;
}

static int spread(const int *values, int n)
{
    int least = values[0], most = least;
    for (int i = 1; i < n; i++) {
        if (values[i] < least)
            least = values[i];
        if (values[i] > most)
            most = values[i];
    }
    return most - least;
}

static int table[4] = { 1, 2, 3, 4 };

int read_one(void)
{
    int n = 0;
    scanf("%d", &n);
    printf("read %d\\n", n);
    return n;
}

int main(void)
{
    int n = read_one();
    if (setjmp(place))
        return 1;
    last.x = twice(n);
    last.y = table[n & 3] + spread(table, 4);
    int *copy = malloc(sizeof *copy);
    if (!copy)
        return 2;
    *copy = area(last);
    printf("%d %s\\n", *copy, mean(table, 4) > 2 ? "high" : "low");
    assert(*copy != 18);
    free(copy);
    wide = _Alignof(wide);
    return 0;
}
"""

EDITS = {
    "a constant": ("n + n", "n + 1"),
    "a statement less, and its unit": ("calls++;", ";"),
    "a statement more": ("calls++;", "calls++; calls++;"),
    "another string": ('"twice"', '"twine"'),
    "a string more": ("calls++;", 'calls++; puts("more");'),
    "a string less": ('printf("read %d\\n", n);', ";"),
    "an address of a variable": ("calls++;", "*&calls = 2;"),
    "another type of a parameter": ("static int twice(int n)", "static int twice(long n)"),
    "another result": ("static int twice(int n)", "static long twice(int n)"),
    "another structure inside": ("int w, h;", "int h, w;"),
    "an enumerator inside": ("SCALE = 3", "SCALE = 4"),
    "a static variable more": ("calls++;", "static int more; more++;"),
    "an undeclared function": ("calls++;", "calls += abs(calls);"),
    "a library function that is new": ("calls++;", "calls += (int)strtol(text, 0, 10);"),
    "an alignment of what is declared outside": ("aligned(64)", "aligned(32)"),
    "a jump less": ("longjmp(place, 1);", ";"),
    "no question for a NaN": ("sum == sum ?", "sum > 0 ?"),
    "a block more": ("sum += values[i];", "{ int k = i; sum += values[k]; }"),
    "an assertion less": ("assert(*copy != 18);", ";"),
    "a name that is not declared": ("calls++;", "counts++;"),
    "no C": ("calls++;", "calls++ +;"),
    "a declaration of a variable": ("static struct point last;", "static struct point last = { 1, 2 };"),
}


def flat(value: Any) -> Any:
    """A value as nested tuples, with the fields that comparisons leave out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = tuple(flat(getattr(value, one.name)) for one in dataclasses.fields(value))
        return type(value).__name__, *parts
    if isinstance(value, Mapping):
        return tuple((flat(key), flat(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return tuple(flat(item) for item in value)
    if isinstance(value, set | frozenset):
        return tuple(sorted(map(repr, value)))
    return str(value) if isinstance(value, Exception) else value


def unedited(path: Path, text: str = TEXT) -> PreprocessedUneditedFile:
    options = ProgramOptions().preprocess
    path.write_text(text)
    return PreprocessedUneditedFile(preprocess(str(path), options), str(path), text, options)


def edited(file: PreprocessedUneditedFile, text: str) -> PreprocessedFile:
    source = file.with_text(text)
    assert source is not None
    return source


def read(
    source: PreprocessedFile, before: Program, known: IncrementalFrontEnd | None, **options: Any
) -> tuple[Any, Program | None]:
    """What a program is in every field, or the error; and the program."""
    how = dataclasses.replace(before.options, **options)
    try:
        program = load_c_program([source.path], how, sources=[source], edits=before, incremental=known)
    except SfoError as error:
        return str(error), None
    return (flat(program.tree), flat(program.goto)), program


@pytest.mark.parametrize("granularity", ["statement", "condition"])
@pytest.mark.parametrize("edit", EDITS)
def test_a_program_that_is_read_incrementally_is_the_same(
    edit: str, granularity: Any, tmp_path: Path
) -> None:
    file = unedited(tmp_path / "a.c")
    before = load_c_program([str(tmp_path / "a.c")], ProgramOptions(granularity=granularity))
    known = IncrementalFrontEnd()
    noted, _ = read(edited(file, TEXT), before, known)
    known.finish()
    assert noted == read(edited(file, TEXT), before, None)[0]
    old, new = EDITS[edit]
    assert TEXT.count(old) == 1
    source = edited(file, TEXT.replace(old, new))
    incremental, _ = read(source, before, known)
    assert incremental == read(source, before, None)[0]
    assert (incremental != noted) or edit == "no question for a NaN"
    # What an edited version became is not known of the next one.
    assert read(edited(file, TEXT), before, known)[0] == noted


def test_what_is_not_edited_is_not_made_again(tmp_path: Path) -> None:
    text = TEXT.replace("static int table[];\n", "")  # which gets its length behind functions
    text = text.replace(
        "    extern int wide __attribute__((aligned(64)));\n", ""
    )  # which functions behind it may ask for
    file = unedited(tmp_path / "a.c", text)
    before = load_c_program([str(tmp_path / "a.c")], ProgramOptions())
    known = IncrementalFrontEnd()
    _, noted = read(edited(file, text), before, known)
    known.finish()
    _, program = read(edited(file, text.replace("n + n", "n - n")), before, known)
    assert noted is not None
    assert program is not None
    same = {name for name, f in program.tree.functions.items() if f.body is noted.tree.functions[name].body}
    assert {"twice", "area", "mean", "read_one", "main"} - same == {
        "twice",
        "area",
    }  # that declares a structure
    code = noted.goto.functions
    assert program.goto.functions["main"] is code["main"]
    assert program.goto.functions["twice"] is not code["twice"]


def test_code_gets_the_new_numbers_of_its_units(tmp_path: Path) -> None:
    file = unedited(tmp_path / "a.c")
    before = load_c_program([str(tmp_path / "a.c")], ProgramOptions())
    known = IncrementalFrontEnd()
    read(edited(file, TEXT), before, known)
    known.finish()
    _, program = read(edited(file, TEXT.replace("calls++;", "calls++; calls++;")), before, known)
    assert program is not None
    for name, function in program.goto.functions.items():
        units = {unit.id for unit in program.units if unit.function == name}
        assert {i.unit for i in function.instructions if i.unit is not None} <= units
