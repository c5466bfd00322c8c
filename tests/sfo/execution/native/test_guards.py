"""Guarded objects in the native fuzzer: behind each object around one function is memory that nobody can read."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions, load_c_program
from sfo.execution.native.fuzz import FuzzingDictionary, NativeFuzzer, NativeFuzzSighting

TEXT = """
int f(const char *s) {
    int n = 0;
    while (*s != ';') { n += *s == ','; s += 1; }
    return n;
}
"""

MEASURED = """
struct line { char *content; unsigned long length, at; };
int f(struct line *line) {
    int n = 0;
    while (line->at < line->length && line->content[line->at] == '{') line->at++;
    if (line->at > 2) { line->content += line->at; n = line->content[0]; }
    return n;
}
"""

COPY = """
#include <stdlib.h>
#include <string.h>
int f(const char *s) {
    unsigned long n = strlen(s);
    char *copy = malloc(n ? n : 1);
    int same;
    if (!copy) return 0;
    if (n == 3) strcpy(copy, s); else copy[0] = 0;
    same = copy[0] == s[0];
    free(copy);
    return same;
}
"""

USED = """
#include <stdlib.h>
int f(int x) {
    int *cell = calloc(1, sizeof *cell), y;
    if (!cell) return 0;
    *cell = x;
    if (x == 7) free(cell);
    y = *cell;
    if (x != 7) free(cell);
    return y;
}
"""

TWICE = """
#include <stdlib.h>
void f(int x) {
    void *cell = realloc(malloc(4), 100);
    free(cell);
    if (x == 3) free(cell);
}
"""

GOOD = """
#include <stdlib.h>
#include <string.h>
struct pair { short one; char name[3]; struct pair *next; };
int f(struct pair *first, char *s, unsigned char *bytes, int count) {
    int n = 0, i;
    char *copy = malloc(strlen(s) + 1), *more = strdup(s);
    if (!copy || !more) return 0;
    strcpy(copy, s);
    copy = realloc(copy, strlen(s) + 7);
    if (!copy) return 0;
    strcat(copy, "more");
    for (; first; first = first->next) n += first->one + first->name[2];
    for (i = 0; i < count; i++) n += bytes[i];
    n += copy[strlen(s)] == 'm';
    free(copy);
    free(more);
    free(NULL);
    return n;
}
"""


def told_of(directory: Path, text: str) -> list[NativeFuzzSighting]:
    path = directory / "p.c"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions(entry="f"))
    with NativeFuzzer(program, FuzzingDictionary(numbers=(3, 7), texts=())) as fuzzer:
        fuzzer.order(3000)
        return fuzzer.sightings()


@pytest.mark.parametrize(
    "text", [TEXT, MEASURED, COPY, USED, TWICE], ids=["text", "measured", "copy", "used", "twice"]
)
def test_accesses_beyond_an_object_fail(text: str, tmp_path: Path) -> None:
    assert {one.outcome for one in told_of(tmp_path, text)} == {"pass", "fail"}


def test_accesses_of_what_is_there_pass(tmp_path: Path) -> None:
    assert {one.outcome for one in told_of(tmp_path, GOOD)} == {"pass"}
