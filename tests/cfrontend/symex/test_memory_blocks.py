"""Copied blocks: what of never-written memory counts as read."""

from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions, encode_program, load_c_program
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
