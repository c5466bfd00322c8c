"""Builds and histories of real packages: ``python -m benchmarks.real_projects`` captures and bisects them.

A build of each kind is recorded by ``sfo capture``, and of the files that it compiles those are counted that are read.
Then repositories are made whose last commit is one of the patches of real.toml, and built; where does ``sfo localize
--git HEAD..HEAD~1`` rank the fault, which has to find the function by itself?
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, final

import click

from benchmarks.campaign import KEPT, WRITE, keep, kept
from benchmarks.processes import refusal_of_tool
from benchmarks.publish import publish_run
from benchmarks.real import gcc_accepts, prepare_for_build, try_of_document
from benchmarks.real_session import clone_with_patch
from benchmarks.real_sources import (
    SOURCES,
    RealPatch,
    SourceError,
    build_commands,
    capture_build,
    downloaded_description,
    read_real_patches,
    unpack,
)

BEGIN: Final = "<!-- projects: begin (python -m benchmarks.real_projects --write) -->"
"""Marker before the published tables of builds and commits."""

END: Final = "<!-- projects: end -->"
"""Marker behind these tables."""

COMMITS: Final = (
    "cjson/0002-add-null-check-to-cjson-setvaluestring",
    "yajl/CVE-2022-24795",
    "giflib/CVE-2026-23868",
    "giflib/CVE-2026-26740",
    "indent/03-fix-an-out-of-buffer-read",
)
"""Patches of real.toml, each the last commit of a repository."""

_FIRST: Final = 5
"""Places that a reader looks at."""

_SECONDS: Final = 60.0
"""Seconds of the clock for a command about a commit."""

_READ_SECONDS: Final = 240.0
"""Seconds of the clock for reading one file."""

_LISTED: Final = "(defined here: "
"""Words of the error on a file without a main, before the list of its functions."""

_NO_ENTRY: Final = "an entry function with variable arguments"
"""Said of a function that is read where another one calls it."""

_ENTRIES: Final = 4
"""Functions of a file that are read with all that they need."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedPackage:
    """A package and what builds it; ``commands`` are empty where its files tell."""

    package: str
    version: str
    system: str
    commands: tuple[str, ...] = ()


BUILDS: Final = (
    RecordedPackage(package="cjson", version="1.7.15-1+deb12u4", system="make", commands=("make -k",)),
    RecordedPackage(
        package="yajl",
        version="2.1.0-3+deb12u2",
        system="cmake and make",
        commands=("cmake -S . -B built", "make -k -C built"),
    ),
    RecordedPackage(package="indent", version="2.2.12-4+deb12u3", system="configure and make"),
    RecordedPackage(
        package="libslirp",
        version="4.7.0-1",
        system="meson and ninja",
        commands=("meson setup built", "ninja -k 0 -C built"),
    ),
)
"""Builds of four kinds."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRow:
    """One build: C files that were recorded, those that gcc compiles with that call, those of them that are read.

    ``problem`` says why there is nothing, or names the first file that is not read.
    """

    id: str
    system: str
    recorded: int = 0
    compiled: int = 0
    read: int = 0
    problem: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CommitRow:
    """One commit: functions that were named with their verdicts, and the place of the fault (from 1)."""

    id: str
    said: str
    rank: int | None


def examine_build(build: RecordedPackage, sources: Path = SOURCES) -> BuildRow:
    """Record a build and read what it compiles."""
    root = sources / "captures" / build.package
    try:
        unpack(downloaded_description(build.package, build.version, sources), root)
    except SourceError as error:
        return BuildRow(id=build.package, system=build.system, problem=str(error))
    capture_build(root, build.commands or build_commands(root))
    database = root / "compile_commands.json"
    if not database.exists():
        return BuildRow(id=build.package, system=build.system, problem="nothing was compiled")
    calls = [entry for entry in json.loads(database.read_text("utf-8")) if entry["file"].endswith(".c")]
    compiled = [entry for entry in calls if gcc_accepts(Path(entry["directory"]), entry["arguments"])]
    said = [
        reading_of((Path(one["directory"]) / one["file"]).resolve().relative_to(root), root)
        for one in compiled
    ]
    return BuildRow(
        id=build.package,
        system=build.system,
        recorded=len(calls),
        compiled=len(compiled),
        read=said.count(""),
        problem=next(filter(None, said), ""),
    )


def reading_of(file: Path, root: Path) -> str:
    """The error message on a file of which the front end refuses a function; empty where it reads all that are tried.

    A file is read as far as its entry function needs it, so that some functions, far apart, are entries.
    """
    said = _properties_listed(file, root)
    _, found, listed = said.partition(_LISTED)
    if not found:
        return said
    functions = listed.partition(")")[0].split(", ")
    entries = functions[:: -(-len(functions) // _ENTRIES)]
    return next(filter(None, (_properties_listed(file, root, "--entry", name) for name in entries)), "")


def _properties_listed(file: Path, root: Path, *options: str) -> str:
    """The error where the properties of a file cannot be listed; empty where they can."""
    words = [sys.executable, "-m", "sfo", "show", str(file), "--properties", *options]
    try:
        done = subprocess.run(
            words, cwd=root, capture_output=True, text=True, timeout=_READ_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"{file}: not read within {_READ_SECONDS:g} s"
    if done.returncode == 0 or _NO_ENTRY in done.stderr:
        return ""
    return refusal_of_tool(done.stderr) or f"{file}: refused"


def examine_commit(case: RealPatch, sources: Path = SOURCES) -> CommitRow:
    """Make the repository of a patch, build it, and localise what its last commit mends."""
    root = sources / "commits" / case.id.replace("/", "-")
    try:
        clone_with_patch(case, root)
    except SourceError as error:
        return CommitRow(id=case.id, said=str(error), rank=None)
    capture_build(root, case.build or build_commands(root))
    words = [sys.executable, "-m", "sfo", "localize", "--git", "HEAD..HEAD~1"]
    words += ["--timeout", f"{_SECONDS:g}", "--format", "json"]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    said = [line.removeprefix("sfo: ") for line in done.stderr.splitlines() if line.startswith("sfo: ")]
    try:
        document = json.loads(done.stdout)
    except json.JSONDecodeError:
        return CommitRow(id=case.id, said=(said or [f"exit code {done.returncode}"])[-1], rank=None)
    found = try_of_document(document, case, 0.0)
    named = [line for line in said if line.startswith(f"{case.function} of ")]
    return CommitRow(id=case.id, said=(named or [found.said])[-1], rank=found.rank)


def project_tables(builds: Sequence[BuildRow], commits: Sequence[CommitRow]) -> str:
    """A table of the builds, one of the commits, and what they come to."""
    lines = [
        "| package | build | C files recorded | compiled by gcc | of these read | what is not |",
        "|---|---|---:|---:|---:|---|",
        *(
            f"| {b.id} | {b.system} | {b.recorded} | {b.compiled} | {b.read} | {b.problem or '-'} |"
            for b in builds
        ),
        "",
        "| commit | what is said | place of the fault |",
        "|---|---|---:|",
        *(f"| {c.id} | {c.said} | {c.rank or '-'} |" for c in commits),
        "",
        _counts(builds, commits),
    ]
    return "\n".join(lines)


def _counts(builds: Sequence[BuildRow], commits: Sequence[CommitRow]) -> str:
    ranks = [commit.rank for commit in commits if commit.rank is not None]
    return (
        f"{sum(build.recorded > 0 for build in builds)} of {len(builds)} builds are recorded; "
        f"of {sum(build.compiled for build in builds)} files {sum(build.read for build in builds)} are read; "
        f"`--git` alone ranks the fault of {len(ranks)} of {len(commits)} commits, "
        f"of {sum(rank <= _FIRST for rank in ranks)} among the first five."
    )


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--install", is_flag=True, help="As root: install what the packages need to be built, by apt.")
@KEPT
@WRITE
def main(install: bool, results: Path | None, publish: bool) -> None:
    """Record builds of real packages, and localise what commits of them mend."""
    cases = {case.id: case for case in read_real_patches()}
    known = {row["id"]: row for row in kept(results)}
    builds, commits = [], []
    for build in BUILDS:
        if build.package not in known:
            if install:
                prepare_for_build(build.package, build.version)
            known[build.package] = asdict(examine_build(build))
            keep(results, known[build.package])
        builds.append(BuildRow(**known[build.package]))
        click.echo(str(builds[-1]), err=True)
    for name in COMMITS:
        if name not in known:
            if install:
                prepare_for_build(cases[name].package, cases[name].version)
            known[name] = asdict(examine_commit(cases[name]))
            keep(results, known[name])
        commits.append(CommitRow(**known[name]))
        click.echo(str(commits[-1]), err=True)
    text = project_tables(builds, commits)
    click.echo(text)
    if publish:
        command = f"python -m benchmarks.real_projects{' --install' if install else ''} --write"
        publish_run(command, text, BEGIN, END)


if __name__ == "__main__":
    main()
