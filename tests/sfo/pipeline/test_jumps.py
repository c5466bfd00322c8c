"""setjmp and longjmp: the fault of a program that gives up by a jump is found, and jumps that lead nowhere are."""

import json
from pathlib import Path
from typing import Any

import pytest

from sfo.cli import main
from tests.conftest import require_tool

ROOT = """\
#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
extern int nondet_int(void);
static jmp_buf env;
enum { DONE, NEGATIVE, LARGE };
static int root(int n)
{
    int r = 0;
    if (n < 0) longjmp(env, NEGATIVE);
    if (n > 20) longjmp(env, NEGATIVE); /* FAULT */
    while ((r + 1) * (r + 1) <= n) r++;
    return r;
}
int main(void)
{
    int n = nondet_int();
    volatile int r = -1;
    switch (setjmp(env)) {
    case DONE: r = root(n); break;
    case NEGATIVE: printf("negative\\n"); assert(n < 0); break;
    case LARGE: printf("large\\n"); assert(n > 20); break;
    }
    assert(r == -1 || r * r <= n);
    return 0;
}
"""
NOWHERE = """\
#include <setjmp.h>
extern int nondet_int(void);
static jmp_buf place;
static int begin(void) { return setjmp(place); }
int main(void)
{
    int k = nondet_int();
    if (k > 4) begin();
    if (k == 3) longjmp(place, 1);
    if (k == 7) longjmp(place, 1);
    return 0;
}
"""
GLIBC = """\
struct __jmp_buf_tag { long int __jmp_buf[8]; int __mask_was_saved; struct { unsigned long v[16]; } __saved_mask; };
typedef struct __jmp_buf_tag jmp_buf[1];
extern int _setjmp (struct __jmp_buf_tag __env[1]) __attribute__ ((__nothrow__));
extern void longjmp (struct __jmp_buf_tag __env[1], int __val)
     __attribute__ ((__nothrow__)) __attribute__ ((__noreturn__));
"""


def result(
    tmp_path: Path, text: str, *options: str, command: str = "check", code: int = 10
) -> dict[str, Any]:
    path, out = tmp_path / "program.c", tmp_path / "result.json"
    path.write_text(text)
    assert main([command, str(path), *options, "--format", "json", "-o", str(out), "-q"]) == code
    found: dict[str, Any] = json.loads(out.read_text())
    return found


def violated(found: dict[str, Any]) -> list[tuple[int, str]]:
    return [(p["line"], p["class"]) for p in found["properties"] if p["status"] == "violated"]


def test_the_wrong_value_of_a_jump_is_first_and_native_runs_agree(tmp_path: Path) -> None:
    require_tool("gcc")
    found = result(tmp_path, ROOT, "--passing", command="localize", code=0)
    fault = next(n for n, line in enumerate(ROOT.splitlines(), 1) if "FAULT" in line)
    units = {unit["id"]: unit["line"] for unit in found["units"]}
    assert units[found["ranking"][0]["unit"]] == fault
    assert {check["status"] for check in found["native"]} == {"agrees"}


@pytest.mark.parametrize("options", [(), ("--ilp32",)])
def test_data_models_and_headers_agree(options: tuple[str, ...], tmp_path: Path) -> None:
    assert violated(result(tmp_path, ROOT, *options)) == [(21, "assert")]
    preprocessed = ROOT.replace("#include <setjmp.h>\n", GLIBC).replace(" setjmp(", " _setjmp(")
    assert violated(result(tmp_path, preprocessed, *options)) == [(21 + 4, "assert")]


def test_jumps_to_what_is_not_there_violate_pointer(tmp_path: Path) -> None:
    found = result(tmp_path, NOWHERE)
    assert violated(found) == [(9, "pointer"), (12, "pointer")]
    texts = [p["description"] for p in found["properties"] if p["status"] == "violated"]
    assert texts == [
        "invalid pointer inside longjmp called in longjmp(place, 1)",
        "jump into a function that has ended",
    ]
