"""csmith's programs print the same checksum in sfo as natively. `benchmarks.csmith_campaign` runs many more."""

import json
from pathlib import Path

import pytest

from benchmarks.csmith import INCLUDE, Outcome, differs, examine, generate, in_sfo, native, with_inputs
from benchmarks.csmith_campaign import Campaign, Finding, from_json, known, markdown_table, run_seed, summary
from tests.conftest import require_tool

SMALL = tuple(
    word
    for what, most in {
        "funcs": 3,
        "block-depth": 3,
        "block-size": 3,
        "expr-complexity": 5,
        "array-dim": 2,
        "array-len-per-dim": 5,
        "struct-fields": 5,
    }.items()
    for word in (f"--max-{what}", str(most))
)
"""Programs that load in less than a second."""

WRONG = """
#include "csmith.h"
int main(void)
{
    int local = 1;
    crc32_gentab();
    transparent_crc(%s, "address", 0);
    printf("checksum = %%X\\n", crc32_context);
    return 0;
}
"""


@pytest.fixture(autouse=True)
def csmith() -> None:
    for tool in ("csmith", "gcc"):
        require_tool(tool)
    assert INCLUDE.is_dir(), f"csmith's headers are not in {INCLUDE}: set CSMITH_INCLUDE"


@pytest.mark.parametrize("number", range(20))
@pytest.mark.sample(11)
def test_checksums_agree(number: int, tmp_path: Path) -> None:
    """The first of ten seeds whose native execution ends in time."""
    source = tmp_path / "program.c"
    for seed in range(10 * number, 10 * number + 10):
        generate(seed, SMALL, source)
        if expected := native(source, tmp_path / "native", ("-O0",)):
            assert expected.startswith("checksum = "), seed
            ours = in_sfo(source)
            assert (ours.output, ours.error) == (expected, ""), seed
            return
    pytest.fail("no native execution ends in time")


@pytest.mark.parametrize("number", range(5))
def test_a_solver_finds_the_same_checksum(number: int, tmp_path: Path) -> None:
    """The first of ten seeds whose native execution ends in time and whose globals can be inputs."""
    for seed in range(100 + 10 * number, 110 + 10 * number):
        source = tmp_path / "program.c"
        generate(seed, SMALL, source)
        expected = native(source, tmp_path / "native", ("-O0",))
        text = with_inputs(source.read_text(), seed)
        if expected and text:
            source.write_text(text)
            ours = in_sfo(source, "solve")
            assert (ours.output, ours.error) == (expected, ""), seed
            return
    pytest.fail("no program to compare")


def test_global_variables_become_inputs() -> None:
    text = (
        "static int8_t g_1 = (-2L);\nstatic int32_t g_2[2] = {1};\n\nint main (void)\n{\n    return g_1;\n}\n"
    )
    assert with_inputs(text, 7) == (
        "static int8_t g_1 = (-2L);\nstatic int32_t g_2[2] = {1};\n\n"
        "void __CPROVER_assume(int);\nint8_t nondet_int8_t(void);\nint main (void)\n{\n"
        "    g_1 = nondet_int8_t();\n    __CPROVER_assume((g_1 ^ 42) == (((int8_t)((-2L))) ^ 42));\n"
        "    return g_1;\n}\n"
    )
    assert with_inputs("int main (void)\n{\n}\n", 0) is None


def test_a_wrong_checksum_is_found(tmp_path: Path) -> None:
    """Where an object is in the address space is the one thing that is not as in a native execution."""
    source = tmp_path / "program.c"
    source.write_text(WRONG % "(unsigned long)&local >> 40 > 64")
    outcome = examine(source, tmp_path, 60)
    assert outcome.kind == "wrong"
    assert "checksum = " in outcome.text
    assert differs(source, tmp_path, 60)
    source.write_text(WRONG % "local")
    assert examine(source, tmp_path, 60).kind == "agree"
    assert not differs(source, tmp_path, 60)


def test_what_gcc_does_not_vouch_for_is_not_reduced_to(tmp_path: Path) -> None:
    """The address differs from one gcc program to the next, so it is no fault of sfo."""
    source = tmp_path / "program.c"
    source.write_text(WRONG % "(unsigned long)&local")
    assert examine(source, tmp_path, 60).kind == "wrong"
    assert not differs(source, tmp_path, 60)


def test_other_outcomes(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text("int main(void) { for (;;) { } }\n")
    assert examine(source, tmp_path, 60).kind == "skipped"
    source.write_text(
        "int main(void) { int n = 0, a[2] = {0}; while (a[n & 1] < 9000000) a[n & 1]++; return 0; }\n"
    )
    assert examine(source, tmp_path, 1).kind == "timeout"
    source.write_text('int main(void) { int a[2] = {0}; __asm__("nop"); return a[a[0]]; }\n')
    refused = examine(source, tmp_path, 60)
    assert refused.kind == "refused"
    assert "not supported yet" in refused.text


def test_findings_survive_the_results_file(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    assert known(results) == []
    campaign = Campaign(options=SMALL, way="run", seconds=60, kept=tmp_path / "kept")
    finding = run_seed(1, campaign)
    assert finding.outcome.kind == "agree"
    results.write_text(json.dumps(finding.as_json()) + '\n{"seed": 2, "opt')
    assert known(results) == [finding]
    assert from_json(finding.as_json()) == finding
    assert "1 of 1 agree (100.0 %)" in summary([finding])


def test_the_table_has_a_line_for_each_campaign() -> None:
    findings = [
        Finding(3, (), "run", Outcome("skipped")),
        Finding(0, (), "run", Outcome("agree", seconds=1.5)),
        Finding(1, (), "run", Outcome("agree", seconds=2.5)),
        Finding(7, ("--builtins",), "solve", Outcome("wrong", "gcc '1', sfo '2'")),
    ]
    _, _, default, builtins = markdown_table(findings).splitlines()
    assert default == "| 0-1, 3 | default | on constants | 2 | 0 | 0 | 0 | 0 | 1 | 100.0 | 2.0 | 2.5 |"
    assert builtins == "| 7 | `--builtins` | by solver | 0 | 1 | 0 | 0 | 0 | 0 | 0.0 | - | - |"
