"""Memory that a function without a type for it allocates is compared with that of a reference, pointers as pointers."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions

HEAD = """
#include <stddef.h>
extern void *xmalloc(size_t);
struct node { struct node *next; int n; char data[]; };
extern struct node *first;
void f(int x)
{
"""

BODIES = {
    "structure": "struct node *one = xmalloc(sizeof *one); one->n = x; one->next = first; first = one;",
    "number first": "struct node *one = xmalloc(sizeof *one); one->n = x; one->next = NULL; first = one;",
    "characters behind": (
        "struct node *one = xmalloc(sizeof *one + 5); one->n = x; one->data[x & 3] = 7; one->next = first; first = one;"
    ),
    "characters first": (
        "char *raw = xmalloc(sizeof(struct node) + 3); struct node *one = (struct node *)raw; raw[14] = 1;"
        "one->n = x; one->next = first; first = one;"
    ),
}


def verdict(directory: Path, one: str, two: str) -> str:
    for name, body in (("p.c", one), ("fixed.c", two)):
        (directory / name).write_text(f"{HEAD}{body}}}\n")
    program = ProgramOptions(entry="f", undefined="nondet", reference=(str(directory / "fixed.c"),))
    return run_localize_pipeline(
        [str(directory / "p.c")], PipelineOptions(program=program, rank="coverage")
    ).verdict


@pytest.mark.parametrize("case", BODIES)
def test_equal_versions_agree(case: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, BODIES[case], BODIES[case]) == "safe"


@pytest.mark.parametrize("case", BODIES)
@pytest.mark.parametrize(
    "other", [("one->n = x", "one->n = x + (x == 50)"), ("first = one", "if (x != 7) first = one")]
)
def test_other_versions_differ(case: str, other: tuple[str, str], tmp_path: Path) -> None:
    assert verdict(tmp_path, BODIES[case], BODIES[case].replace(*other)) == "violated"
