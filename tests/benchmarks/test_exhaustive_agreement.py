"""Programs with tiny inputs beside all of their native executions, and that the comparison sees what differs."""

from dataclasses import asdict, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.exhaustive_agreement import (
    ExhaustiveFinding,
    examine_exhaustively,
    main,
    markdown_of_exhaustive_findings,
    native_endings,
)
from benchmarks.tiny_domain_programs import TinyDomainProgram, tiny_domain_program
from tests.conftest import require_tool

HEAD = "#include <assert.h>\nint nondet_int(void);\nvoid __CPROVER_assume(int);\n"


@pytest.fixture(autouse=True)
def gcc() -> None:
    require_tool("gcc")


def program_of(body: str, *domains: int) -> TinyDomainProgram:
    """A program by hand; its body begins in line 6 and each input ``i`` is assumed to be in its domain."""
    return TinyDomainProgram(1, f"{HEAD}int main(void)\n{{\n{body}\n}}\n", domains, ())


@pytest.mark.parametrize("rewrites", [False, True])
@pytest.mark.parametrize("number", [5, 6])
@pytest.mark.sample(2)
def test_gcc_and_sfo_agree_on_every_vector(number: int, rewrites: bool) -> None:
    finding = examine_exhaustively(tiny_domain_program(number, rewrites=rewrites))
    assert (finding.kind, finding.text) == ("agree", "")
    assert finding.executions > 3


def test_endings_are_those_of_each_vector(tmp_path: Path) -> None:
    source = tmp_path / "tiny.c"
    body = "int i = nondet_int();\n__CPROVER_assume(i != 1);\nassert(i != 2);\nint k = 2147483645 + i;\nreturn 0 * k;"
    source.write_text(program_of(body, 4).text)
    vectors = [(0,), (1,), (2,), (3,)]
    endings = native_endings(source, vectors, ("-fsanitize=undefined", "-fno-sanitize-recover=all"))
    assert endings == {(0,): "pass", (1,): "assume", (2,): 8, (3,): "undefined"}


def test_a_claim_of_optimality_is_tried() -> None:
    body = "int i = nondet_int();\n__CPROVER_assume(i >= 0 && i < 4);\nint k = 0;\nif (i > 1)\nk = 1;\nassert(!k);\nreturn 0;"
    finding = examine_exhaustively(program_of(body, 4))
    assert (finding.kind, finding.failing, finding.certificate) == ("agree", 2, True)


@pytest.mark.parametrize(
    ("native", "part"),
    [
        ("i != 2", "check: main.assertion.1"),
        ("i != 3 && i != 2", "formula: (2,) ends as pass"),
    ],
)
def test_another_meaning_natively_is_found(native: str, part: str) -> None:
    ours = "1" if native == "i != 2" else "i != 3"
    body = (
        "int i = nondet_int();\n__CPROVER_assume(i >= 0 && i < 4);\n"
        f"#ifdef __SANITIZE_ADDRESS__\nint good = {native};\n#else\nint good = {ours};\n#endif\nassert(good);\nreturn 0;"
    )
    finding = examine_exhaustively(program_of(body, 4))
    assert finding.kind == "wrong"
    assert part in finding.text


def test_other_coverage_natively_is_found() -> None:
    body = (
        "int i = nondet_int();\n__CPROVER_assume(i >= 0 && i < 4);\nint k = 0;\n"
        "#ifdef __OPTIMIZE__\n#endif\n#ifdef COVERAGE\nif (i > 3)\n#else\nif (i >= 0)\n#endif\nk = 1;\nassert(i < 2);\nreturn 0 * k;"
    )
    finding = examine_exhaustively(program_of(body, 4))
    assert (finding.kind, finding.text[:8]) == ("wrong", "coverage")


def test_a_rewrite_of_another_meaning_is_found() -> None:
    plain = next(p for p in map(tiny_domain_program, range(1, 50)) if p.domains == (4, 4))
    text = plain.text.replace("return 0;\n}", "assert(in0 == 0);\nreturn 0;\n}")
    finding = examine_exhaustively(replace(plain, text=text, rewrites=("names changed",)))
    assert (finding.kind, finding.text) == ("wrong", "the rewrite natively means something else")


def test_what_is_there_is_not_run_again(tmp_path: Path) -> None:
    results = tmp_path / "found.jsonl"
    runs = [CliRunner().invoke(main, ["1", "--first", "5", "--results", str(results)]) for _ in range(2)]
    assert [run.exit_code for run in runs] == [0, 0]
    assert len(results.read_text().splitlines()) == 1


def test_differences_are_named_below_the_table() -> None:
    findings = [ExhaustiveFinding(3, True, "refused", "no such thing"), ExhaustiveFinding(4, False, "agree")]
    table = markdown_of_exhaustive_findings(findings)
    assert "* 3 rewritten, refused: no such thing" in table
    assert "| as generated | 1 | 1 | 0 |" in table
    assert ExhaustiveFinding(**asdict(findings[0])) == findings[0]
