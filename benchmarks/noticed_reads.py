"""Mutants killed by what only they read, and how many of them tests in C notice.

    python -m benchmarks.noticed_reads --results noticed.jsonl   ->   "trim  of 10 by reads: 3 noticed, pattern 10"

``sfo generate --goal mutants --as c`` makes a suite for each program of `benchmarks.mutation_score`. A mutant which it
kills with some value of what the mutant alone reads takes the place of the program. It is *noticed* where a test does
not end as predicted: with variables that begin as the stack has them, and with those that begin as a pattern.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from benchmarks.campaign import FINDINGS, ONLY, keep, kept
from benchmarks.coverage_goals import SuiteQuestion, suite_questions
from benchmarks.mutation_score import PROGRAMS, faults_of, numbers_of_goals
from cfrontend.edit.text import apply_text_edits
from cfrontend.program import ProgramOptions, load_c_program
from sfo.execution.native.build import plan_native_build

WAYS: Final = {"as it is": ("UNWRITTEN=",), "pattern": ()}
"""Words for make, by how variables without a value begin."""


def noticed_reads(question: SuiteQuestion) -> dict[str, Any]:
    """Mutants killed by reads of uninitialised memory that a C suite detects, by what variables begin with."""
    with TemporaryDirectory(prefix="sfo-reads-") as scratch:
        directory = Path(scratch) / "suite"
        words = ["--entry", question.entry, "--goal", "mutants", "--as", "c", "--no-replay", "-q"]
        command = [sys.executable, "-m", "sfo", "generate", question.path, *words, "-o", str(directory)]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        goals = json.loads((directory / "dataset.json").read_text())["coverage"]["goals"]
        if not all(_ends_as_predicted(directory / "c", words) for words in WAYS.values()):
            raise click.ClickException(f"{question.program}: the suite does not pass on its own program")
        mutants = list(_mutants_by_reads(question, goals))
        return {
            "program": question.program,
            "by_reads": len(mutants),
            "noticed": {
                way: sum(not _ends_as_predicted(_with_mutant(directory / "c", question, m), words) for m in mutants)
                for way, words in WAYS.items()
            },
        }  # fmt: skip


def _mutants_by_reads(question: SuiteQuestion, goals: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The texts of the mutants that are killed with some value of what they alone read."""
    faults = faults_of(question)
    text = Path(question.path).read_text(encoding="utf-8")
    for goal, number in zip(goals, numbers_of_goals(goals), strict=True):
        if goal["status"] == "covered" and goal["reason"]:
            same = [f for f in faults if (f.line, str(f)) == (goal["line"], goal["outcome"])]
            yield apply_text_edits(text, [same[number].edit])


def _with_mutant(suite: Path, question: SuiteQuestion, text: str) -> Path:
    """A copy of the suite, with a mutant in the place of the program."""
    copy = suite.with_name("mutant")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(suite, copy)
    source = copy / "mutant.c"
    source.write_text(text, encoding="utf-8")
    program = load_c_program([str(source)], ProgramOptions(entry=question.entry))
    (own,) = plan_native_build(program).own
    (copy / own.name).write_bytes(own.text)
    return copy


def _ends_as_predicted(suite: Path, words: Sequence[str]) -> bool:
    """Whether all tests of a suite end as predicted. Raises CalledProcessError where it is not built."""
    make = ["make", "-s", "-C", str(suite), *words]
    subprocess.run([*make, "-B", "program"], capture_output=True, check=True)
    return subprocess.run([*make, "check"], capture_output=True, check=False).returncode == 0


@click.command(help=(__doc__ or "").split("\n\n", maxsplit=1)[0])
@FINDINGS
@ONLY
def main(results: Path, only: tuple[str, ...]) -> None:
    """Count for the programs that ``results`` does not have."""
    rows = kept(results)
    known = {row["program"] for row in rows}
    for question in suite_questions("mutants"):
        if question.program not in PROGRAMS or question.program in known:
            continue
        if not only or question.program in only:
            row = noticed_reads(question)
            keep(results, row)
            rows.append(row)
            noticed = row["noticed"]
            said = f"{noticed['as it is']} noticed, pattern {noticed['pattern']}"
            click.echo(f"{row['program']}  of {row['by_reads']} by reads: {said}")
    total = {way: sum(row["noticed"][way] for row in rows) for way in WAYS}
    click.echo(f"of {sum(row['by_reads'] for row in rows)}: {total['as it is']}, pattern {total['pattern']}")


if __name__ == "__main__":
    main()
