"""CBMC as the referee of verified repairs: ``python -m benchmarks.repairs --findings full.jsonl``.

Every repair that sfo prints for a faulty version of the benchmark programs is written as a patch, applied by ``patch``,
compiled by gcc, and given to CBMC at the bound within which sfo proved it. Any violated property is a *refuted* repair,
and so is what gcc does not compile;
what CBMC does not decide in its time, or cannot read, is counted apart.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal, TypeAlias, final, get_args

import click

from benchmarks import publish as page
from benchmarks.backends import bound_found
from benchmarks.campaign import JOBS, KEPT, ONLY, WRITE, chosen, find_cbmc, in_order, keep, kept
from benchmarks.full_ranking import Finding, known
from benchmarks.manifest import Version
from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions

BEGIN: Final = "<!-- repairs: begin (python -m benchmarks.repairs --write) -->"
"""What stands before the published table."""

END: Final = "<!-- repairs: end -->"
"""What stands after it."""

Verdict: TypeAlias = Literal["confirmed", "refuted", "undecided"]

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
"""What CBMC says of a repair."""

CBMC_CHECKS: Final = (
    "--no-standard-checks",
    "--bounds-check",
    "--pointer-check",
    "--div-by-zero-check",
    "--no-unwinding-assertions",
    "--no-self-loops-to-assumptions",
)
"""CBMC's options for the checks that sfo makes by default."""

# glibc's macros look characters up in a table that CBMC does not know; it has the functions.
_FLAGS: Final = (*CBMC_CHECKS, "-D__NO_CTYPE")

_PRELUDE: Final = """\
#include <assert.h>
#include <stdlib.h>
void reach_error(void) { __CPROVER_assert(0, "reach"); }
void __VERIFIER_error(void) { __CPROVER_assert(0, "reach"); }
void __VERIFIER_assume(int condition) { __CPROVER_assume(condition); }
void assume_abort_if_not(int condition) { __CPROVER_assume(condition); }
void __VERIFIER_assert(int condition) { __CPROVER_assert(condition, "assert"); }
void abort(void) { __CPROVER_assert(0, "abort"); __CPROVER_assume(0); }
"""
"""What CBMC is told about the names of the dialects, in a file beside the program."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedEdits:
    """The verified edits of a version as unified diffs, and the number of loop rounds within which they were proved."""

    version: Version
    diffs: tuple[str, ...]
    unwind: int | None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The repairs of one version, by what CBMC says of them; ``problems`` are those that are not confirmed."""

    version: str
    counts: Mapping[Verdict, int]
    problems: tuple[str, ...] = ()


def edits_of(version: Version, timeout: float | None) -> VerifiedEdits:
    """The verified edits that sfo prints for ``version``, within ``timeout`` seconds if it is not None."""
    options = PipelineOptions(program=ProgramOptions(entry=version.entry), rank="full", timeout=timeout)
    result = run_localize_pipeline([str(version.path)], options)
    found = () if result.repairs is None else result.repairs.found
    return VerifiedEdits(
        version=version, diffs=tuple(repair.diff for repair in found), unwind=result.bound.unwind
    )


def edits_in(findings: Sequence[Finding], versions: Sequence[Version]) -> tuple[VerifiedEdits, ...]:
    """The verified edits of those ``versions`` about which the full ranking campaign has a finding."""
    of = {finding.id: finding for finding in findings if finding.group == "programs"}
    return tuple(
        VerifiedEdits(version=version, diffs=finding.edits, unwind=finding.unwind)
        for version in versions
        if (finding := of.get(version.id)) is not None
    )


def judge_by_execution(version: Version, timeout: float | None, cbmc: str, seconds: float) -> Judged:
    """The verified edits that sfo prints for ``version``, each before CBMC for up to ``seconds``."""
    return judge(edits_of(version, timeout), cbmc, seconds)


def judge(edits: VerifiedEdits, cbmc: str, seconds: float) -> Judged:
    """Each edit of a version before CBMC for up to ``seconds``, at the bound within which it was proved."""
    version = edits.version
    counts: Counter[Verdict] = Counter()
    problems: list[str] = []
    bound = bound_found(version, edits.unwind) if edits.diffs else Bound(unwind=1)
    with tempfile.TemporaryDirectory(prefix="sfo-") as directory:
        for number, diff in enumerate(edits.diffs, start=1):
            verdict, said = _verdict(diff, Path(directory) / f"{number}.c", version, bound, cbmc, seconds)
            counts[verdict] += 1
            if verdict != "confirmed":
                problems.append(f"{version.id}: {_changed(diff)}: {verdict}, {said}")
    return Judged(version=version.id, counts=dict(counts), problems=tuple(problems))


def _verdict(
    diff: str, path: Path, version: Version, bound: Bound, cbmc: str, seconds: float
) -> tuple[Verdict, str]:
    """Patch of a version, written to ``path``, before CBMC: its verdict; one that does not compile is refuted."""
    try:
        text = patched(version.path.read_text(encoding="utf-8"), diff, path.parent)
    except subprocess.CalledProcessError as error:
        return "refuted", f"{error.cmd[0]} ended with {error.returncode}"
    path.write_text(text, encoding="utf-8")
    return referee(cbmc, path, version, bound, seconds)


def _changed(diff: str) -> str:
    """The lines that a unified diff takes out and adds, on one line."""
    lines = [line for line in diff.splitlines() if line[:1] in {"-", "+"} and line[:3] not in {"---", "+++"}]
    return " ".join(f"{line[0]} {line[1:].strip()}" for line in lines)


def patched(text: str, diff: str, directory: Path) -> str:
    """``text`` after ``patch`` has applied the unified ``diff`` and gcc has compiled the outcome.

    Raises CalledProcessError when one of them does not.
    """
    path = directory / "patched.c"
    path.write_text(text, encoding="utf-8")
    subprocess.run(["patch", "-s", str(path)], input=diff, text=True, check=True)
    subprocess.run(["gcc", "-w", "-fsyntax-only", str(path)], check=True)
    return path.read_text(encoding="utf-8")


def referee(cbmc: str, path: Path, version: Version, bound: Bound, seconds: float) -> tuple[Verdict, str]:
    """What CBMC says of the program in ``path`` within ``bound``, and why it is not confirmed."""
    prelude = path.with_name("prelude.c")
    prelude.write_text(_prelude(path.read_text(encoding="utf-8")), encoding="utf-8")
    loops = ",".join(f"{loop}:{count}" for loop, count in sorted(bound.unwindset.items()))
    command = [cbmc, "--json-ui", *_FLAGS, "--function", version.entry, "--unwind", str(bound.unwind or 1)]
    command += ["--unwindset", loops] if loops else []
    try:
        done = subprocess.run(
            [*command, str(path), str(prelude)], capture_output=True, text=True, check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        return "undecided", f"no answer in {seconds:.0f} s"
    try:
        blocks = json.loads(done.stdout)
    except json.JSONDecodeError:
        return "undecided", f"cbmc ended with {done.returncode}"
    status = [block["cProverStatus"] for block in blocks if "cProverStatus" in block]
    if status == ["success"]:
        return "confirmed", ""
    failed = [
        item["description"]
        for block in blocks
        for item in block.get("result", ())
        if item["status"] == "FAILURE"
    ]
    if status == ["failure"] and failed:
        return "refuted", failed[0]
    said = [b["messageText"] for b in blocks if b.get("messageType") == "ERROR"]
    return "undecided", (said or ["cbmc gave no verdict"])[0]


def _prelude(text: str) -> str:
    """The definitions of the dialects' names that the program calls and does not define itself."""
    lines = _PRELUDE.splitlines()
    kept = [
        line
        for line in lines
        if line.startswith("#")
        or ((name := line.split("(")[0].split()[-1]) in text and not _defines(text, name))
    ]
    return "\n".join(kept) + "\n"


def _defines(text: str, name: str) -> bool:
    """Whether ``text`` has a body for ``name``."""
    return any(
        name in line
        and "(" in line
        and line.split("(")[0].split()[-1:] == [name]
        and not line.rstrip().endswith(";")
        for line in text.splitlines()
        if line[:1].isalpha()
    )


def table(judged: Sequence[Judged]) -> str:
    """A line for each program with an edit that is not confirmed, and one for all."""
    programs = dict.fromkeys(
        item.version.partition("/")[0] for item in judged if set(item.counts) - {"confirmed"}
    )
    rows = [f"| program | versions | repairs | {' | '.join(VERDICTS)} |", "|---|---:|---:|---:|---:|---:|"]
    rows += [_row(name, [j for j in judged if j.version.partition("/")[0] == name]) for name in programs]
    return "\n".join([*rows, _row("all", judged)])


def _row(name: str, judged: Sequence[Judged]) -> str:
    counts = sum((Counter(item.counts) for item in judged), Counter[Verdict]())
    cells = [name, len(judged), counts.total(), *(counts[verdict] for verdict in VERDICTS)]
    return f"| {' | '.join(map(str, cells))} |"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@ONLY
@JOBS
@click.option("--timeout", type=float, metavar="S", help="Seconds of the clock for sfo on one version.")
@click.option(
    "--findings",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    metavar="FILE",
    help="Take the edits that full_ranking kept in FILE.  [default: execute sfo]",
)
@click.option(
    "--cbmc-seconds", default=60.0, show_default=True, metavar="S", help="Seconds for CBMC on one repair."
)
@KEPT
@WRITE
def main(
    only: tuple[str, ...],
    jobs: int,
    timeout: float | None,
    findings: Path | None,
    cbmc_seconds: float,
    results: Path | None,
    publish: bool,
) -> None:
    """Give every verified repair of the benchmark programs to CBMC; exit code 1 when it refutes one.

    CBMC is the command that SFO_CBMC names, or cbmc.
    """
    cbmc = find_cbmc()
    versions = chosen(only)
    done = {item["version"]: Judged(**item) for item in kept(results)}
    left = [version for version in versions if version.id not in done]
    judging = (
        in_order(partial(judge_by_execution, timeout=timeout, cbmc=cbmc, seconds=cbmc_seconds), left, jobs)
        if findings is None
        else in_order(partial(judge, cbmc=cbmc, seconds=cbmc_seconds), edits_in(known(findings), left), jobs)
    )
    for item in judging:
        done[item.version] = item
        keep(results, asdict(item))
        click.echo(f"{item.version}: {dict(item.counts)}", err=True)
        for problem in item.problems:
            click.echo(problem)
    judged = [done[version.id] for version in versions if version.id in done]
    click.echo(table(judged))
    if publish:
        problems = "\n".join(f"* {problem}" for item in judged for problem in item.problems)
        said = "\n\n".join(filter(None, [table(judged), problems]))
        source = "" if findings is None else f" --findings {findings.name}"
        page.publish_run(f"python -m benchmarks.repairs{source} --write", said, BEGIN, END)
    if any(item.counts.get("refuted") for item in judged):
        sys.exit(1)


if __name__ == "__main__":
    main()
