"""Copied blocks: what of never-written memory counts as read."""

from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms import FALSE
from cfrontend.terms.evaluate import evaluate_terms

COPY = """
#include <assert.h>
#include <string.h>
unsigned long nondet_ulong(void);
static unsigned char data[8];
int main(void)
{
    unsigned char b[6];
    unsigned long n = nondet_ulong();
    b[0] = b[1] = 0;
    if (n <= 3)
        memcpy(data + 5, b, n);
    assert(data[6] == 0 && data[7] == 0);
    return 0;
}
"""


@pytest.mark.parametrize(("size", "read"), [(0, set()), (1, set()), (2, set()), (3, {"b[2]"})])
def test_a_copied_block_reads_no_unwritten_bytes_behind_its_end(
    tmp_path: Path, size: int, read: set[str]
) -> None:
    """Pieces that no block reaches would be written behind the target: they are not read either."""
    path = tmp_path / "copy.c"
    path.write_text(COPY)
    e = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1))
    size_of_copy, *memory = e.inputs
    given = {size_of_copy.value: size} | {event.value: 0 for event in memory}
    holds = evaluate_terms(e.terms, [event.condition for event in memory], given)
    assert {event.site.name for event in memory if holds[event.condition]} == read


SWAP = """
static void swap(char *a, char *b, size_t n)
{
    char kept[n];
    memcpy(kept, a, n);
    memcpy(a, b, n);
    memcpy(b, kept, n);
}
static void sort(void *all, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    char *p = all;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && compare(p + (j - 1) * size, p + j * size) > 0; j--)
            swap(p + (j - 1) * size, p + j * size, size);
}
"""


@pytest.mark.parametrize("sort", ["qsort", "sort"])
def test_pointers_of_an_array_that_grows_stay_pointers_where_they_are_swapped(
    tmp_path: Path, sort: str
) -> None:
    """The buffer of a swap has the layout of the array, at whichever element of whichever block it is copied from."""
    path = tmp_path / "words.c"
    path.write_text(
        f"""#include <assert.h>
#include <stdlib.h>
#include <string.h>
char nondet_char(void);
{SWAP}
static int compare(const void *a, const void *b)
{{
    return strcmp(*(char *const *)a, *(char *const *)b);
}}
int main(void)
{{
    char **words = NULL;
    size_t n = 0, room = 0;
    while (n < 3 && nondet_char()) {{
        if (n == room) {{
            room = room ? room * 2 : 2;
            words = realloc(words, room * sizeof *words);
        }}
        words[n] = malloc(2);
        words[n][0] = nondet_char();
        words[n++][1] = 0;
    }}
    {sort}(words, n, sizeof *words, compare);
    for (size_t i = 1; i < n; i++)
        assert(strcmp(words[i - 1], words[i]) <= 0);
    return 0;
}}
"""
    )
    e = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=4))
    assert not e.refused
    given = {event.value: 100 - number for number, event in enumerate(e.inputs)}
    conditions = [v.condition for v in e.violations]
    values = evaluate_terms(e.terms, conditions, given)
    assert not any(values[condition] for condition in conditions)


PARTS = """
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct record { int count; char tag; short data[]; };
int main(void)
{
    struct record *r = malloc(sizeof *r + 2 * sizeof(short));
    unsigned word, again;
    unsigned char bytes[4];
    r->count = 2;
    r = realloc(r, sizeof *r + 4 * sizeof(short));
    r->data[3] = 5;
    assert(r->count == 2 && r->data[3] == 5);
    memcpy(bytes, &word, 4);
    bytes[1] = 7;
    memcpy(&again, bytes, 4);
    assert(bytes[1] == 7);
    return READ;
}
"""


@pytest.mark.parametrize(
    ("read", "inputs"), [("0", set()), ("r->tag", {"allocated.tag"}), ("again > 5", {"word"})]
)
def test_parts_of_unwritten_words_are_copied_unread(tmp_path: Path, read: str, inputs: set[str]) -> None:
    """``realloc`` of a structure to a size that it does not divide, and bytes of a word."""
    path = tmp_path / "parts.c"
    path.write_text(PARTS.replace("READ", read))
    e = encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1))
    assert {event.site.name for event in e.inputs} == inputs
    assert not [violation for violation in e.violations if violation.condition != FALSE]
