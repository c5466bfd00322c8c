"""Update campaign: suites of correct programs after small changes, updated and made anew.

    python -m benchmarks.suite_updates --results updates.jsonl    ->  "rle  mutant: ...  2 of 2 kept, 1 added; fresh 2"

The programs are the first ten correct ones whose own suite takes no more than ``--within`` seconds of the
processor. Each is changed in five ways, by a rule: three mutants, evenly spaced among those of ``sfo mutate`` that gcc
accepts, and two of three refactorings in turn: comments that move the lines, conditions that are negated twice, a
variable with another name. Of each changed program the suite is updated twice, the second time with two jobs, and made
anew. A change of which a suite takes more than ``SECONDS`` of the processor is left out, and counted.
"""

from __future__ import annotations

import csv
import json
import re
import resource
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, final

import click

from benchmarks.campaign import FINDINGS, ONLY, keep, kept
from benchmarks.coverage_goals import SuiteQuestion, suite_questions
from benchmarks.processes import silent_tool_process, usage_of_process
from cfrontend.edit.mutation_operators import find_mutations
from cfrontend.edit.text import apply_text_edits
from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.record import dataclass

PROGRAMS: Final = 10
MUTANTS: Final = 3
"""Mutants of each program."""

SECONDS: Final = 20
"""Seconds of the processor for one suite of a changed program."""

GROWTH: Final = 1.5
"""Growth limit: the size of an updated suite as a multiple of a fresh one."""

_IF: Final = re.compile(r"^(\s*(?:\} )?(?:else )?if )\((.*)\)( \{)?$")
_VARIABLE: Final = re.compile(
    r"^\s+(?:unsigned |const )*(?:int|long|short|char) (\w+)\b(?! *\()", re.MULTILINE
)
_FILES: Final = ("vectors.csv", "outcomes.csv", "matrix.csv")


@final
@dataclass(frozen=True, slots=True)
class ProgramChange:
    """A changed program: what was done, and its text."""

    name: str
    text: str


@final
@dataclass(frozen=True, slots=True)
class MadeSuite:
    """A suite that was made: what was found, the row and the outcome of each test by its id, and the seconds."""

    found: Mapping[str, Any]
    tests: Mapping[int, tuple[str, str]]
    files: tuple[bytes, ...]
    seconds: float

    def covered(self) -> frozenset[tuple[int, str, str]]:
        """The goals that it reaches."""
        return frozenset(
            (goal["line"], goal["text"], goal["outcome"])
            for goal in self.found["coverage"]["goals"]
            if goal["status"] == "covered"
        )


# -- changes -----------------------------------------------------------------------------------------------------


def moved_lines(text: str) -> str:
    """``text`` with a comment on top and before each ``if``."""
    lines = text.splitlines()
    found = ["/* what this is */", ""]
    for number, line in enumerate(lines):
        joined = number > 0 and lines[number - 1].endswith("\\")
        if line.lstrip().startswith("if (") and not joined:
            found.append("/* a choice */")
        found.append(line)
    return "\n".join(found) + "\n"


def negated_twice(text: str) -> str:
    """``text`` with ``!(!(c))`` for the condition ``c`` of each ``if`` whose line ends behind it."""
    return "".join(_negated_line(line) + "\n" for line in text.splitlines())


def _negated_line(line: str) -> str:
    found = _IF.match(line)
    if found is None or not _is_balanced(found[2]):
        return line
    return f"{found[1]}(!(!({found[2]}))){found[3] or ''}"


def _is_balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0


def renamed_variable(text: str) -> str:
    """``text`` with another name for the first variable of an integer type that a function declares."""
    found = _VARIABLE.search(text)
    return text if found is None else re.sub(rf"\b{found[1]}\b", f"{found[1]}_renamed", text)


REFACTORINGS: Final = {
    "lines moved": moved_lines,
    "negated twice": negated_twice,
    "renamed": renamed_variable,
}


def changes_of(question: SuiteQuestion, number: int) -> Iterator[ProgramChange]:
    """The changes of the program that is the ``number``-th one."""
    path = Path(question.path)
    text = path.read_text(encoding="utf-8")
    program = load_c_program([question.path], ProgramOptions(entry=question.entry))
    mutations = [m for m in find_mutations(program) if m.file == question.path]
    texts = [(f"line {m.line}, {m}", apply_text_edits(text, [m.edit])) for m in mutations]
    yield from _spaced([ProgramChange(f"mutant: {name}", changed) for name, changed in texts], path)
    names = list(REFACTORINGS)
    for turn in range(2):
        name = names[(number + turn) % len(names)]
        change = ProgramChange(name, REFACTORINGS[name](text))
        if change.text != text and is_accepted_by_gcc(change.text, path):
            yield change


def _spaced(changes: Sequence[ProgramChange], path: Path) -> Iterator[ProgramChange]:
    """Evenly spaced ones; the next where gcc does not accept one."""
    taken: set[int] = set()
    for part in range(MUTANTS):
        for n in range((2 * part + 1) * len(changes) // (2 * MUTANTS), len(changes)):
            if n not in taken and is_accepted_by_gcc(changes[n].text, path):
                taken.add(n)
                yield changes[n]
                break


def is_accepted_by_gcc(text: str, path: Path) -> bool:
    """Whether gcc reads ``text`` as a program in place of ``path``."""
    words = ["gcc", "-w", "-fsyntax-only", "-I", str(path.parent), "-x", "c", "-"]
    return subprocess.run(words, input=text.encode(), capture_output=True, check=False).returncode == 0


# -- suites ------------------------------------------------------------------------------------------------------


def made_suite(path: Path, entry: str, directory: Path, *words: str) -> MadeSuite | None:
    """The suite that ``sfo generate`` writes to ``directory``; None where it writes none in ``SECONDS``."""
    options = ("--entry", entry, "-o", str(directory), "--no-replay", "-q", *words)
    process = silent_tool_process(["generate", str(path), *options])
    resource.prlimit(process.pid, resource.RLIMIT_CPU, (SECONDS, SECONDS))
    usage = usage_of_process(process)
    if not (directory / "dataset.json").exists():
        return None
    rows = (directory / "vectors.csv").read_text().splitlines()
    outcomes = list(csv.DictReader((directory / "outcomes.csv").read_text().splitlines()))
    return MadeSuite(
        json.loads((directory / "dataset.json").read_text()),
        {
            int(outcome["id"]): (row, outcome["outcome"])
            for row, outcome in zip(rows[len(rows) - len(outcomes) :], outcomes, strict=True)
        },
        tuple((directory / name).read_bytes() for name in _FILES),
        round(usage.processor, 2),
    )


def update_of(
    question: SuiteQuestion, change: ProgramChange, old: MadeSuite, scratch: Path
) -> dict[str, Any]:
    """What updating the suite in ``scratch``/old for a changed program gives, beside a fresh one."""
    row: dict[str, Any] = {"program": question.program, "change": change.name, "old": len(old.tests)}
    path = scratch / Path(question.path).name
    path.write_text(change.text, encoding="utf-8")
    with TemporaryDirectory(dir=scratch) as here:
        words = ("--update", str(scratch / "old"), "-I", str(Path(question.path).parent))
        fresh = made_suite(path, question.entry, Path(here) / "fresh", *words[2:])
        updated = None if fresh is None else made_suite(path, question.entry, Path(here) / "updated", *words)
        if fresh is None or updated is None:
            return row | {"made": False, "fresh_made": fresh is not None}
        again = made_suite(path, question.entry, Path(here) / "again", *words, "--jobs", "2")
    said = updated.found["coverage"]["update"]
    return row | {
        "made": True,
        **{name: len(said[name]) for name in ("kept", "turned", "redundant", "invalid", "added")},
        "updated": len(updated.tests),
        "fresh": len(fresh.tests),
        "same_rows": all(updated.tests[test][0] == old.tests[test][0] for test in said["kept"]),
        "accounted": len(old.tests) == len(said["kept"]) + len(said["redundant"]) + len(said["invalid"]),
        "missed": len(fresh.covered() - updated.covered()),
        "more": len(updated.covered() - fresh.covered()),
        "same_files": again is not None and updated.files == again.files,
        "update_seconds": updated.seconds,
        "fresh_seconds": fresh.seconds,
    }


def is_good_update(row: Mapping[str, Any]) -> bool:
    """Whether an update keeps what it should, reaches what a fresh suite does, and is small and the same each time."""
    if not row["made"]:
        return False
    small = row["updated"] <= GROWTH * row["fresh"]
    return bool(small and row["same_rows"] and row["accounted"] and row["same_files"] and not row["missed"])


def summary(rows: Sequence[Mapping[str, Any]]) -> str:
    """Table of the campaign, and a line that sums it up."""
    lines = [
        "| program | change | old | kept | other end | redundant | invalid | added | updated | fresh | missed | seconds | fresh seconds |",
        "| --- | --- | " + " | ".join(["---:"] * 11) + " |",
    ]
    made = [row for row in rows if row["made"]]
    names = ("old", "kept", "turned", "redundant", "invalid", "added", "updated", "fresh", "missed")
    for row in made:
        cells = [row["program"], row["change"].replace("|", "\\|"), *(str(row[name]) for name in names)]
        cells += [f"{row['update_seconds']:.1f}", f"{row['fresh_seconds']:.1f}"]
        lines.append(f"| {' | '.join(cells)} |")
    growths = sorted(row["updated"] / row["fresh"] for row in made) or [0.0]
    seconds, fresh = (sum(row[name] for row in made) for name in ("update_seconds", "fresh_seconds"))
    said = (
        f"{sum(map(is_good_update, made))} of {len(made)} updates keep the rows of their tests, reach all that a fresh"
        f" suite reaches, are the same in two executions and at most {GROWTH} times a fresh suite; size to fresh size:"
        f" median {growths[len(growths) // 2]:.2f}, at most {growths[-1]:.2f}; {sum(row['kept'] for row in made)} of"
        f" {sum(row['old'] for row in made)} tests kept, {sum(row['added'] for row in made)} added; seconds:"
        f" {seconds:.0f}, fresh {fresh:.0f}. {len(rows) - len(made)} further changes were left out: a suite took more"
        f" than {SECONDS} s. {sum(row['updated'] > GROWTH * row['fresh'] for row in made)} updated suites are larger"
        f" than that; {sum(row['updated'] > GROWTH * row['fresh'] and row['more'] > 0 for row in made)} of these reach"
        " goals that the fresh ones do not"
    )
    lines += ["", said]
    return "\n".join(lines)


@click.command(help=(__doc__ or "").split("\n\n", maxsplit=1)[0])
@FINDINGS
@ONLY
@click.option(
    "--within", type=float, default=5.0, show_default=True, help="Seconds of the processor for a program's own suite."
)  # fmt: skip
@click.option(
    "--programs", type=click.IntRange(min=1), default=PROGRAMS, show_default=True, help="So many programs."
)
def main(results: Path, only: tuple[str, ...], within: float, programs: int) -> None:
    """Update the suites that ``results`` does not have."""
    done = kept(results)
    known = {(row["program"], row["change"]) for row in done}
    used = 0
    for question in suite_questions("branches"):
        if used == programs or (only and question.program not in only):
            continue
        if sum(row["program"] == question.program for row in done) >= MUTANTS + 2:
            used += 1
            continue
        with TemporaryDirectory() as place:
            scratch = Path(place)
            old = made_suite(Path(question.path), question.entry, scratch / "old")
            if old is None or old.seconds > within:
                click.echo(
                    f"{question.program}  left out: {'no suite' if old is None else f'{old.seconds} s'}"
                )
                continue
            for change in changes_of(question, used):
                if (question.program, change.name) in known:
                    continue
                row = update_of(question, change, old, scratch)
                keep(results, row)
                done.append(row)
                said = (
                    f"{row['kept']} of {row['old']} kept, {row['added']} added; fresh {row['fresh']}"
                    if row["made"]
                    else "no suite"
                )
                click.echo(
                    f"{question.program}  {change.name}  {said}{'' if is_good_update(row) else '  see its row'}"
                )
            used += 1
    click.echo(summary(done))


if __name__ == "__main__":
    main()
