"""Campaign beside fuzzers: the harness executes the bytes of a test, gcov counts, the summary says who covers more."""

from pathlib import Path
from typing import Any

from benchmarks import beside_fuzzers
from benchmarks.beside_fuzzers import (
    branches_by_gcov,
    bytes_of_inputs,
    is_as_covering_as_fuzzers,
    programs_with_inputs,
    summary_beside_fuzzers,
    table_beside_fuzzers,
)
from benchmarks.coverage_goals import SuiteQuestion
from tests.conftest import require_tool

ASKS = """\
#include <assert.h>
extern void __VERIFIER_assume(int);
extern short __VERIFIER_nondet_short(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void)
{
    short n = __VERIFIER_nondet_short();
    if (n == -2)
        n = 5;
    __VERIFIER_assume(n > 0);
    if (__VERIFIER_nondet_bool())
        return 1;
    return 0;
}
"""

READS = """\
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    if (getchar() == 'x')
        exit(3);
    return 0;
}
"""


def compiled(tmp_path: Path, text: str) -> Path:
    require_tool("gcc")
    require_tool("gcov")
    path = tmp_path / "p.c"
    path.write_text(text)
    return beside_fuzzers._compiled_for_gcov(SuiteQuestion("p", str(path), "main", "conditions"), tmp_path)


def test_the_bytes_of_inputs_are_those_that_the_harness_takes(tmp_path: Path) -> None:
    folder = compiled(tmp_path, ASKS)

    def taken(*inputs: tuple[int, str]) -> int:
        test = bytes_of_inputs([{"value": str(value), "type": type_} for value, type_ in inputs])
        return branches_by_gcov(folder, [test])[0]

    assert branches_by_gcov(folder, [b""]) == (0, 4)
    assert taken((7, "short")) == 1
    assert taken((-2, "short"), (1, "_Bool")) == 2
    assert taken((-3, "short"), (1, "_Bool")) == 0  # breaks the assumption, and is no execution
    both = [b"\xfe\xff\x01", b"\x07\x00\x00"]
    assert branches_by_gcov(folder, both) == (4, 4)


def test_what_reads_the_standard_input_reads_the_bytes(tmp_path: Path) -> None:
    folder = compiled(tmp_path, READS)
    assert branches_by_gcov(folder, [b"x"]) == (1, 2)
    assert branches_by_gcov(folder, [b"y", b""]) == (1, 2)
    assert branches_by_gcov(folder, [b"x", b""]) == (2, 2)


def test_twenty_programs_read_inputs() -> None:
    names = [question.program for question in programs_with_inputs()]
    assert len(set(names)) == 20
    assert "minmax" not in names  # whose inputs are variables without a value


def row(**more: Any) -> dict[str, Any]:
    fuzzer = {"branches": 9, "tests": 40, "seconds": 60.0, "last": 20.0}
    plain = {"program": "p", "given": 60.0, "branches": 10, "afl": fuzzer, "libfuzzer": fuzzer}
    return plain | {"sfo": {"branches": 9, "tests": 4, "seconds": 3.0, "last": 3.0}} | more


def test_the_summary_says_who_covers_more() -> None:
    better = row(libfuzzer={"branches": 10, "tests": 10, "seconds": 60.0, "last": 1.0})
    assert is_as_covering_as_fuzzers(row())
    assert not is_as_covering_as_fuzzers(better)
    said = summary_beside_fuzzers([row(), better])
    assert said.startswith("On 1 of 2 programs")
    assert "Beside AFL++: fewer branches on 0; 0.050 times its seconds" in said
    assert "Beside libFuzzer: fewer branches on 1; 0.050 times its seconds" in said
    assert "| p | 10 | 9 | 9 | 9 | 4 | 40 | 40 | 3.0 | 20.0 | 20.0 |" in table_beside_fuzzers([row()])


def test_fuzzers_find_what_is_easy(tmp_path: Path) -> None:
    require_tool("afl-fuzz")
    require_tool("clang")
    path = tmp_path / "p.c"
    path.write_text(ASKS)
    question = SuiteQuestion("p", str(path), "main", "conditions")
    found = beside_fuzzers.comparison_with_fuzzers(question, 1.0)
    assert found["branches"] == found["sfo"]["branches"] == 4
    assert all(found[tool]["branches"] >= 2 for tool in ("afl", "libfuzzer"))
    again = beside_fuzzers.comparison_with_sfo_again(question, {**found, "sfo": {}})
    assert again["sfo"]["branches"] == 4
    assert {**again, "sfo": {}} == {**found, "sfo": {}}
