"""Real fixes: ``python -m benchmarks.real`` localises what the archive's patches of its C packages mend.

For each patch of real.toml: is the file compiled by gcc, is it read by sfo, where does the first try rank the fault?

The first try is what a user types who knows the function: ``sfo localize FILE --entry F --reference FIXED``, with the
flags of the build and no other option: what it does is counted, and no clock ends any of it but our own, which is one
of processor seconds. Where it has not ranked the fault, the options that its message names with a value are added, and
those of the message then: two of them at most.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, Final, final

import click

from benchmarks.campaign import KEPT, TIMEOUT, WRITE, keep, kept
from benchmarks.processes import refusal_of_tool
from benchmarks.publish import publish_run
from benchmarks.real_sources import (
    PatchedTree,
    RealPatch,
    SourceError,
    install_build_dependencies,
    prepared_tree,
    read_real_patches,
    recorded_command,
)

BEGIN: Final = "<!-- real: begin (python -m benchmarks.real --write) -->"
"""What stands before the published table."""

END: Final = "<!-- real: end -->"
"""What stands after it."""

_NAMED: Final = re.compile(r"(--[a-z]+(?:-[a-z]+)*) (\d+\b|(?:nondet|any|all)\b|\+[a-z,+-]+)")
"""An option that a message names with a value."""

_MOST_WORDS: Final = 4
"""Words of two options with their values."""

_FIRST: Final = 5
"""Places that a reader looks at."""

_SECONDS: Final = 60.0
"""What --timeout is unless it is said."""

_GRACE: Final = 30.0
"""Seconds of the clock after which a process that was asked to end is killed."""

_TIMES: Final = range(11, 15)
"""Fields of /proc/N/stat behind the name that have the times of a process and of its children that have ended."""

_LOOK: Final = 0.2
"""Seconds between two looks at what a command has said and taken."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RealTry:
    """Answer of one command: verdict or message, place of the fault (from 1), an edit of it, processor seconds."""

    loaded: bool
    said: str
    rank: int | None = None
    repair: str = ""
    seconds: float = 0.0


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RealRow:
    """One patch: whether gcc compiles the file, the first try, and the last one with the options that were named."""

    id: str
    function: str
    compiled: bool
    first: RealTry
    added: tuple[str, ...] = ()
    second: RealTry | None = None


def examine_real_patch(case: RealPatch, timeout: float, stretch: float) -> RealRow:
    """Prepare one patch and localise it; a command is interrupted after ``timeout`` processor seconds.

    By the clock it may take ``stretch`` times as long.
    """
    try:
        tree = prepared_tree(case)
    except SourceError as error:
        return RealRow(
            id=case.id, function=case.function, compiled=False, first=RealTry(loaded=False, said=str(error))
        )
    compiled = is_compiled(tree)
    first = localize_real_patch(case, tree, (), timeout, stretch)
    row = RealRow(id=case.id, function=case.function, compiled=compiled, first=first)
    while (last := row.second or first).rank is None and (named := named_options(last.said, row.added)):
        added = (*row.added, *named)
        row = replace(row, added=added, second=localize_real_patch(case, tree, added, timeout, stretch))
    return row


def named_options(said: str, given: Sequence[str]) -> tuple[str, ...]:
    """The first option that a message names with a value, as words, where it is none of those ``given``.

    Empty where there are two already, which is all that a user may have to add.
    """
    for option, value in _NAMED.findall(said) if len(given) < _MOST_WORDS else ():
        if option not in given:
            return option, value
    return ()


def prepare_for_build(package: str, version: str) -> None:
    """Install what a package needs to be built; what cannot be had is told, and its files may still be compiled."""
    try:
        install_build_dependencies(package, version)
    except SourceError as error:
        click.echo(f"{package}: {error}", err=True)


def is_compiled(tree: PatchedTree) -> bool:
    """Whether gcc compiles the file as the package's build does, or without any flags."""
    return gcc_accepts(*(recorded_command(tree.root, tree.before) or (tree.root, ("gcc", tree.before))))


def gcc_accepts(directory: Path, words: Sequence[str]) -> bool:
    """Whether gcc compiles what a compiler call of a build compiles, with its flags."""
    gcc = ["gcc", "-w", "-fsyntax-only", *words[1:]]
    return subprocess.run(gcc, cwd=directory, capture_output=True, check=False).returncode == 0


def untried_row(case: RealPatch) -> RealRow:
    """The row of a patch that no command has been tried on."""
    said = RealTry(loaded=False, said="not tried")
    return RealRow(id=case.id, function=case.function, compiled=False, first=said)


def localize_real_patch(
    case: RealPatch, tree: PatchedTree, added: Sequence[str], timeout: float, stretch: float
) -> RealTry:
    """One command, with the options ``added``; it is interrupted after ``timeout`` processor seconds."""
    words = [sys.executable, "-m", "sfo", "localize", tree.before, "--entry", case.function]
    words += ["--reference", tree.fixed, *added, "--format", "json"]
    start = processor_seconds()
    with tempfile.TemporaryDirectory() as folder:
        out, complaints = (Path(folder) / name for name in ("out", "err"))
        with out.open("wb") as file, complaints.open("wb") as errors:
            process = subprocess.Popen(words, cwd=tree.root, stdout=file, stderr=errors)
            _watch(process, timeout, timeout * stretch)
        text, said = (one.read_text(encoding="utf-8", errors="replace") for one in (out, complaints))
    seconds = processor_seconds() - start
    try:
        document = json.loads(text)
    except json.JSONDecodeError:
        refused = refusal_of_tool(said) or f"exit code {process.returncode}"
        return RealTry(loaded=_is_read(case, tree, timeout * stretch), said=refused, seconds=seconds)
    return try_of_document(document, case, seconds)


def _watch(process: subprocess.Popen[bytes], most: float, clock: float) -> None:
    """Wait for a process, and interrupt it after ``most`` processor seconds."""
    begin = time.monotonic()
    while process.poll() is None:
        time.sleep(_LOOK)
        if seconds_of_process(process.pid) > most or time.monotonic() - begin > clock + _GRACE:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(_GRACE)
            except subprocess.TimeoutExpired:
                process.kill()


def seconds_of_process(number: int) -> float:
    """Processor seconds of a process, of its children that have ended and of those that live; 0 where it has ended."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()
        children = Path(f"/proc/{number}/task/{number}/children").read_text("utf-8").split()
    except OSError:
        return 0.0
    own = sum(int(fields[n]) for n in _TIMES) / os.sysconf("SC_CLK_TCK")
    return own + sum(seconds_of_process(int(child)) for child in children)


def processor_seconds() -> float:
    """Processor seconds of all child processes that have ended: load of the machine is none of them."""
    return sum(os.times()[2:4])


def _is_read(case: RealPatch, tree: PatchedTree, timeout: float) -> bool:
    """Whether the file is read and translated at all: its properties can be listed."""
    words = ["show", tree.before, "--entry", case.function, "--properties"]
    command = [sys.executable, "-m", "sfo", *words]
    try:
        done = subprocess.run(command, cwd=tree.root, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def try_of_document(document: Mapping[str, Any], case: RealPatch, seconds: float) -> RealTry:
    """Answer in a JSON result, with the place of the faulty lines of ``case``: the fault is a unit that has one.

    Where no unit has, as lines without a statement have none, the ones before and behind them are.
    """
    own = [unit for unit in document["units"] if Path(unit["file"]).name == Path(case.file).name]
    lines = case.faulty_lines
    there = [unit for unit in own if any(unit["line"] <= line <= unit["end_line"] for line in lines)]
    if not there:
        before = [unit for unit in own if unit["end_line"] < min(lines)]
        behind = [unit for unit in own if unit["line"] > max(lines)]
        there = [
            *before[max(0, len(before) - 1) :],
            *behind[:1],
        ]
    faulty = {unit["id"] for unit in there}
    ranks = [place for place, line in enumerate(document["ranking"], 1) if line["unit"] in faulty]
    found = (document.get("repairs") or {}).get("found") or ()
    edits = [f"{one['before']} -> {one['after']}" for one in found if one["unit"] in faulty]
    verdict = document["verdict"] + (f": {document['reason']}" if document.get("reason") else "")
    return RealTry(
        loaded=True,
        said=verdict,
        rank=min(ranks, default=None),
        repair=next(iter(edits), ""),
        seconds=seconds,
    )


def real_table(rows: Sequence[RealRow]) -> str:
    """A row for each patch, and the counts."""
    lines = [
        "| patch | function | gcc | read | rank | repaired | s | added | rank then | verdict or message |",
        "|---|---|---|---|---:|---|---:|---|---:|---|",
    ]
    for row in rows:
        last = row.second or row.first
        cells = [
            row.id,
            f"`{row.function}`",
            _yes(row.compiled),
            _yes(last.loaded),
            _place(row.first.rank),
            _yes(bool(last.repair)),
            f"{last.seconds:.0f}",
            " ".join(row.added) or "-",
            _place(last.rank),
            last.said.replace("|", "\\|"),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", _counts(rows)])


def _counts(rows: Sequence[RealRow]) -> str:
    last = [row.second or row.first for row in rows]
    compiled = [one for row, one in zip(rows, last, strict=True) if row.compiled]
    ranked = [one.seconds for one in last if one.rank is not None]
    packages = {row.id.partition("/")[0] for row in rows}
    middle = f"{median(ranked):.0f} s" if ranked else "none"
    return (
        f"{len(rows)} patches of {len(packages)} packages, "
        f"{sum(row.first.said != 'not tried' for row in rows)} of them tried: {len(compiled)} files are compiled by gcc, "
        f"{sum(one.loaded for one in compiled)} of these are read; the first try ranks the fault in "
        f"{sum(row.first.rank is not None for row in rows)}, with added options in {len(ranked)}; "
        f"among the first five in {sum(one.rank is not None and one.rank <= _FIRST for one in last)}, "
        f"a verified repair of the fault in {sum(bool(one.repair) for one in last)}, "
        f"*safe* in {sum(one.said.startswith('safe') for one in last)}; "
        f"median to the first ranking where the fault is ranked: {middle} of processor time."
    )


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


def _place(rank: int | None) -> str:
    return "-" if rank is None else str(rank)


def row_of_kept(kept_row: Mapping[str, Any]) -> RealRow:
    """A row from a line of the results file."""
    values = dict(kept_row)
    values["first"] = RealTry(**values["first"])
    values["second"] = RealTry(**values["second"]) if values["second"] else None
    values["added"] = tuple(values["added"])
    return RealRow(**values)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--only", multiple=True, metavar="NAME", help="A package, or one patch as in cjson/CVE-2025-57052."
)
@click.option(
    "--kept-only", is_flag=True, help="Try nothing; list what is not in the results file as not tried."
)
@click.option("--install", is_flag=True, help="As root: install what the packages need to be built, by apt.")
@click.option(
    "--stretch", type=float, default=1.0, help="Seconds of the clock for a processor second of --timeout."
)
@TIMEOUT
@KEPT
@WRITE
def main(
    only: tuple[str, ...],
    kept_only: bool,
    install: bool,
    stretch: float,
    timeout: float | None,
    results: Path | None,
    publish: bool,
) -> None:
    """Localise what the archive's patches of its C packages mend."""
    done = {row.id: row for row in map(row_of_kept, kept(results))}
    cases = [c for c in read_real_patches() if not only or c.package in only or c.id in only]
    rows = []
    for case in cases:
        if kept_only and case.id not in done:
            done[case.id] = untried_row(case)
        elif case.id not in done:
            if install:
                prepare_for_build(case.package, case.version)
            row = examine_real_patch(case, timeout or _SECONDS, stretch)
            keep(results, asdict(row))
            done[case.id] = row
        rows.append(done[case.id])
        last = done[case.id].second or done[case.id].first
        click.echo(f"{case.id}: {_place(last.rank)} {last.seconds:.0f} s, {last.said}", err=True)
    text = real_table(rows)
    click.echo(text)
    if publish:
        clock = "" if stretch == 1.0 else f" --stretch {stretch:g}"
        command = f"python -m benchmarks.real{' --install' if install else ''} --timeout {timeout or _SECONDS:g}{clock} --write"
        publish_run(command, text, BEGIN, END)


if __name__ == "__main__":
    main()
