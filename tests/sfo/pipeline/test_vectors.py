"""GNU vectors from end to end: a wrong comparison is found and repaired, and executions are as gcc's code has them."""

import json
from pathlib import Path
from typing import Any

from sfo.cli import main
from tests.conftest import require_tool

LEAST = """\
#include <stdio.h>
typedef int v4si __attribute__((vector_size(16)));
static v4si least(v4si a, v4si b)
{
    v4si m = a < b;
    return (a & m) | (b & ~m);
}
int main(void)
{
    v4si a, b = {10, 20, 30, 40};
    for (int i = 0; i < 4; i++)
        if (scanf("%d", &a[i]) != 1) return 1;
    v4si c = least(a, b);
    printf("%d %d\\n", c[0], c[3]);
    return 0;
}
"""
UNWRITTEN = """\
#include <assert.h>
typedef int v4si __attribute__((vector_size(16)));
int use(v4si given, const v4si *seen, short __attribute__((vector_size(8))) small)
{
    v4si never;
    assert(never[2] != 7 || given[1] != 8 || (*seen)[3] != 9 || small[1] != -1);
    return 0;
}
"""


NARROW = """\
typedef signed char v4qi __attribute__((vector_size(4)));
extern int nondet_int(void);
int main(void)
{
    v4qi v = {nondet_int(), 1, 2, 3}, w = {100};
    v4qi sum = v + w, none = -v;
    return (sum / w)[0] + none[1] == 5;
}
"""


def result(tmp_path: Path, text: str, *options: str, command: str, code: int) -> dict[str, Any]:
    path, out = tmp_path / "program.c", tmp_path / "result.json"
    path.write_text(text)
    assert main([command, str(path), *options, "--format", "json", "-o", str(out), "-q"]) == code
    found: dict[str, Any] = json.loads(out.read_text())
    return found


def test_elements_of_parameters_and_of_what_is_not_written_are_inputs(tmp_path: Path) -> None:
    require_tool("gcc")
    found = result(tmp_path, UNWRITTEN, "--entry", "use", command="localize", code=0)
    names = {entry["name"]: entry["value"] for entry in found["executions"][0]["inputs"]}
    wanted = {"never[2]": "7", "given[1]": "8", "(*seen)[3]": "9", "small[1]": "-1"}
    assert wanted.items() <= names.items()
    assert {check["status"] for check in found["native"]} == {"agrees"}


def test_an_element_overflows_in_its_own_type(tmp_path: Path) -> None:
    found = result(tmp_path, NARROW, "--check", "overflow,div0", command="check", code=10)
    violated = [p["description"] for p in found["properties"] if p["status"] == "violated"]
    assert violated[:2] == ["arithmetic overflow in v + w", "arithmetic overflow in -v"]
    assert violated[2:] == ["division by zero in (sum / w)"]
