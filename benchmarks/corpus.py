"""Correct programs of other people: ``python -m benchmarks.corpus FOLDER --results corpus.jsonl``.

Every C file below FOLDER that gcc makes a program of, and that ends with exit code 0 without input, is given to ``sfo
check``. Nothing may be violated in it but what gcc's sanitizers report as well. None of these programs is part of the
project; the results file has a line of JSON for each, and what it has is not run again.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from benchmarks.campaign import FINDINGS, JOBS, in_order, keep, kept, limit_memory
from cfrontend.errors import UnsupportedError
from sfo.cli import output

KINDS: Final = {
    "safe": "nothing is violated, by any execution",
    "bounded": "nothing is violated within the bound",
    "violated": "sfo reports a violated property",
    "undecided": "not decided in time",
    "refused": "something in it is not supported",
    "broken": "an internal error, or no end in time",
    "skipped": "gcc makes no program of it that ends with 0",
}
"""By kind of outcome: what it means."""

_EXIT_CODES: Final = {
    UnsupportedError.exit_code: "refused",
    output.EXIT_LIMIT: "undecided",
    output.EXIT_VIOLATED: "violated",
}
_NO_PROPERTY: Final = "the program has no property"
_NATIVE_SECONDS: Final = 10.0
_GRACE: Final = 20.0
"""Seconds beyond its time limit in which sfo has to end."""


def natively(source: Path, directory: Path) -> bool:
    """Whether gcc makes a program of ``source`` that ends with 0."""
    program = directory / "program"
    compiled = _run(["gcc", "-w", "-O0", str(source), "-o", str(program), "-lm"], _NATIVE_SECONDS)
    if compiled is None or compiled.returncode != 0:
        return False
    ended = _run([str(program)], _NATIVE_SECONDS)
    return ended is not None and ended.returncode == 0


def examine(source: Path, root: Path, seconds: float) -> dict[str, Any]:
    """The line of the results file for one program below ``root``."""
    name = str(source.relative_to(root))
    with tempfile.TemporaryDirectory() as directory:
        if not natively(source, Path(directory)):
            return {"file": name, "kind": "skipped", "seconds": 0.0, "text": ""}
    begin = time.monotonic()
    command = [sys.executable, "-m", "sfo", "check", str(source), "-q", "--format", "json"]
    ended = _run([*command, "--timeout", str(seconds)], seconds + _GRACE)
    taken = round(time.monotonic() - begin, 2)
    kind, text = (
        ("broken", "no end") if ended is None else outcome(ended.returncode, ended.stdout, ended.stderr)
    )
    return {"file": name, "kind": kind, "seconds": taken, "text": text.replace(str(source), name)}


def outcome(code: int, out: str, err: str) -> tuple[str, str]:
    """The kind that an exit code and the output of ``sfo check`` are, and what is said of it."""
    try:
        result = json.loads(out)
    except json.JSONDecodeError:
        if _NO_PROPERTY in err:
            return "safe", ""
        return _EXIT_CODES.get(code, "broken"), err.strip()
    if code == 0:
        return "safe" if result["bound"]["complete"] else "bounded", ""
    if code == output.EXIT_VIOLATED:
        violated = [item["description"] for item in result["properties"] if item["status"] == "violated"]
        return "violated", "; ".join(violated)
    reason = result["reason"] or err.strip()
    return "refused" if "not supported" in reason else _EXIT_CODES.get(code, "broken"), reason


def summary(items: Sequence[dict[str, Any]]) -> str:
    """A line for each kind, the times, and what is refused most often."""
    counts = Counter(item["kind"] for item in items)
    lines = [f"{counts[kind]:6}  {kind}: {meaning}" for kind, meaning in KINDS.items() if counts[kind]]
    times = sorted(item["seconds"] for item in items if item["kind"] != "skipped")
    if times:
        lines.append(f"seconds: median {statistics.median(times):.1f}, largest {times[-1]:.1f}")
    reasons = Counter(_without_place(item["text"]) for item in items if item["kind"] == "refused")
    lines += [f"{count:6}  refused: {reason}" for reason, count in reasons.most_common(10)]
    return "\n".join(lines)


def _without_place(text: str) -> str:
    """What is said behind ``file:line:column: ``."""
    return text.splitlines()[0].rpartition(": ")[2] if text else ""


def run_all(root: Path, results: Path, seconds: float, jobs: int) -> Iterator[dict[str, Any]]:
    """What is said of each C file below ``root``, in order of their names; each is kept in ``results``."""
    known = {item["file"] for item in kept(results)}
    files = [path for path in sorted(root.rglob("*.c")) if str(path.relative_to(root)) not in known]
    for item in in_order(partial(examine, root=root, seconds=seconds), files, jobs):
        keep(results, item)
        yield item


def _run(command: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str] | None:
    """A command that ended in time, without input and with a limit of memory; None: it did not."""
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
            preexec_fn=limit_memory,
        )
    except subprocess.TimeoutExpired:
        return None


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@FINDINGS
@click.option(
    "--timeout", default=10.0, show_default=True, metavar="S", help="Seconds for one program in sfo."
)
@JOBS
def main(folder: Path, results: Path, timeout: float, jobs: int) -> None:
    """Check the C programs below FOLDER, which are correct.

    The exit code is 1 where sfo broke.
    """
    root = folder.resolve()
    for item in run_all(root, results, timeout, jobs):
        click.echo(f"{item['file']} {item['kind']} {item['seconds']} s {item['text']}", err=True)
    items = kept(results)
    click.echo(summary(items))
    if any(item["kind"] == "broken" for item in items):
        sys.exit(1)


if __name__ == "__main__":
    main()
