"""White space of what examples expect: ignored unless it is asked for, in every comparison of outputs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import sfo
from cfrontend.encoded_program import EXAMPLE
from cfrontend.program import ProgramOptions
from cfrontend.units import UnitId
from sfo.cli import main
from sfo.core.executions import Execution
from sfo.execution.examples import read_examples
from sfo.pipeline.localize_tests import contradicted_examples
from sfo.pipeline.options import PipelineOptions
from sfo.report import wording

DOUBLE = """#include <stdio.h>
int main(void)
{
    int n;
    scanf("%d", &n);
    printf("twice  %d is\\n%d\\t", n, 2 * n);
    return 0;
}
"""

NEXT = """#include <stdio.h>
int main(void)
{
    int n;
    scanf("%d", &n);
    for (int i = 1; i <= n; i++)
        printf("%d\\n", i * i);
    printf("sum %d\\n", n * n);
    return 0;
}
"""
"""Prints its squares in lines; its last line is to have ``n + n``."""


def written(folder: Path, program: str, pairs: list[tuple[str, str]]) -> tuple[str, str]:
    examples = folder / "io"
    examples.mkdir()
    for n, (read, expected) in enumerate(pairs, start=1):
        (examples / f"{n}.in").write_text(read)
        (examples / f"{n}.out").write_text(expected)
    (folder / "p.c").write_text(program)
    return str(folder / "p.c"), str(examples)


@pytest.mark.parametrize(
    ("expected", "fails", "fails_exactly"),
    [
        ("twice  3 is\n6\t", False, False),
        ("twice 3 is 6", False, True),
        ("\n twice\t3\r\nis\n\n6\n", False, True),
        ("twice 3 is6", True, True),
        ("twice3 is 6", True, True),
        ("twice 3 is 6 6", True, True),
        ("twice 3 is", True, True),
        ("twice 3 is 66", True, True),
        ("", True, True),
    ],
)
def test_rows_of_white_space_are_one_blank(
    expected: str, fails: bool, fails_exactly: bool, tmp_path: Path
) -> None:
    path, examples = written(tmp_path, DOUBLE, [("3\n", expected)])
    for ignored, wanted in ((None, fails), (True, fails), (False, fails_exactly)):
        found = sfo.localize(path, io=examples, rank="coverage", ignore_space=ignored)
        assert (found.verdict == "violated") == wanted, ignored


def test_the_report_says_that_white_space_is_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, examples = written(tmp_path, DOUBLE, [("3\n", "twice 3 is 6\n")])
    said = "white space of outputs is not compared (--no-ignore-space)"
    assert main(["localize", path, "--io", examples, "-q", "--format", "json"]) == 4
    assert said in json.loads(capsys.readouterr().out)["notes"]
    assert main(["localize", path, "--io", examples, "--no-ignore-space", "-q", "--rank", "coverage"]) == 0
    shown = " ".join(capsys.readouterr().out.split(" "))
    assert said not in shown
    assert "expected 'twice 3 is 6'" in shown


@pytest.mark.parametrize("native", ["off", "on"])
def test_an_edit_that_only_mends_white_space_is_no_repair(native: str, tmp_path: Path) -> None:
    program = NEXT.replace('printf("%d\\n", i * i)', 'printf("%d", i * i)')
    path, examples = written(tmp_path, program, [("1\n", "1\nsum 1\n")])
    assert sfo.repair(path, io=examples, native=native).verdict == "violated"  # "1sum 1" is one word
    program = NEXT.replace('printf("%d\\n", i * i)', 'printf("%d ", i * i)')
    Path(path).write_text(program)
    found = sfo.repair(path, io=examples, native=native)
    assert found.verdict == "unknown"
    assert not found.plausible


@pytest.mark.parametrize("native", ["off", "on"])
def test_an_edit_is_found_whose_output_differs_in_white_space(native: str, tmp_path: Path) -> None:
    pairs = [("3\n", " 1 4 9\n\nsum 6"), ("1\n", "1 sum 2\n"), ("2\n", "1  4\tsum 4\n")]
    path, examples = written(tmp_path, NEXT, pairs)
    found = sfo.repair(path, io=examples, native=native)
    assert any("n + n" in repr(patch) for patch in found.plausible)
    exact = sfo.repair(path, io=examples, native=native, ignore_space=False).result.repairs
    assert exact is not None
    assert exact.is_partial or not exact.undecided


def test_a_number_that_is_not_known_stands_behind_any_white_space(tmp_path: Path) -> None:
    program = DOUBLE.replace('"twice  %d is\\n%d\\t", n, 2 * n', '"%-6d|%4d", n, 3 * n')
    path, examples = written(tmp_path, program, [("3\n", "3 |\n6\n")])
    no_edit = {"given_tests.repair_seconds": "0"}  # nobody asks what values could save where one is known
    found = sfo.localize(path, io=examples, policy=no_edit)
    assert any(one.line == 6 and one.saves for one in found.suspects)
    Path(examples, "1.out").write_text("3| 6\n")  # the blanks behind the 3 are printed whatever its value
    found = sfo.localize(path, io=examples, policy=no_edit)
    assert not any(one.line == 5 and one.saves for one in found.suspects)


def test_white_space_of_a_reference_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, examples = written(tmp_path, DOUBLE, [("3\n", "twice 3 is 6\n")])
    older = tmp_path / "older.c"
    older.write_text(DOUBLE.replace("twice  %d", "twice %d"))
    beside = ["localize", path, "--reference", str(older), "-q", "--rank", "coverage"]
    assert main([*beside, "--io", examples]) == 0
    capsys.readouterr()
    assert main([*beside, "--ignore-space"]) == 2
    said = capsys.readouterr().err
    assert "--ignore-space" in said
    assert "--io DIR" in said
    assert said.count("\n") == 1


def test_a_reference_that_prints_other_white_space_contradicts_no_example_where_it_is_ignored(
    tmp_path: Path,
) -> None:
    path, examples = written(tmp_path, DOUBLE, [("3\n", "twice 3 is 6\n")])
    beside = PipelineOptions(program=ProgramOptions(reference=(path,)))
    assert contradicted_examples(beside, read_examples(examples))
    assert not contradicted_examples(beside, read_examples(examples, ignores_space=True))


@pytest.mark.parametrize(
    ("given", "status"), [([], "examples pass"), (["--no-ignore-space"], "fails")], ids=["default", "exact"]
)
def test_a_batch_obeys(given: list[str], status: str, tmp_path: Path) -> None:
    path, examples = written(tmp_path, DOUBLE, [("3\n", "twice 3 is 6\n")])
    (tmp_path / "list").write_text(f"{path}\n")
    out = tmp_path / "out"
    asked = ["batch", str(tmp_path / "list"), "--io", examples, "--rank", "coverage", "-o", str(out), "-q"]
    assert main([*asked, *given]) == 0
    rows = json.loads((out / "table.json").read_text())
    assert f'"{status}"' in json.dumps(rows)


def execution(output: str, example: bytes) -> Execution:
    return Execution(
        id=1, outcome="fail", property=EXAMPLE, inputs=(), covered=frozenset[UnitId](), output=output,
        example=example, ignores_space=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("output", "example", "found"),
    [
        ("1 2\n3\n", b"1\n2\n4\n", (2, "3", "4")),
        ("1\n2\n", b"1 2\n3\n", (3, None, "3")),
        ("1\n2 ", b"1 2\n3\n", (2, "2 ", "3")),
        ("", b"7\n", (1, None, "7")),
        ("7\n", b"", (1, "7", None)),
        ("12", b"1 2", (1, "12", "1 2")),
        ("7\n8\n", b"7\n", (2, "8", None)),
        (" 7  \n\n8", b"7 8\n", None),
    ],
)
def test_the_line_of_the_first_other_word_is_shown(
    output: str, example: bytes, found: tuple[int, str | None, str | None] | None
) -> None:
    assert wording.output_difference(execution(output, example)) == found
    exact = replace(execution("1  2\n3\n", b"1 2\n4\n"), ignores_space=False)
    assert wording.printed_instead(exact) == "line 1 of the output: '1  2', expected: '1 2'"
