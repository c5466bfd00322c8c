"""RESULTS.md: the text between two markers is replaced, everything around it is the author's.

... <!-- table: begin --> old table <!-- table: end --> ...   ->   ... new table ...
"""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from benchmarks.provenance import line_of_present_sources
from benchmarks.run import Row
from benchmarks.table import finding, markdown_table

RESULTS: Final = Path(__file__).parent / "RESULTS.md"
"""Where the table is published."""

BEGIN: Final = "<!-- table: begin (python -m benchmarks --write) -->"
"""What stands before the published table."""

END: Final = "<!-- table: end -->"
"""What stands after it."""

_LIBRARIES: Final = ("sfo", "bitwuzla", "python-sat", "pycparser", "numpy")


def replace_between(text: str, new: str, begin: str = BEGIN, end: str = END) -> str:
    """``text`` with ``new`` between the markers. Raises ValueError unless each is there once, in order."""
    head, found_begin, rest = text.partition(begin)
    _, found_end, tail = rest.partition(end)
    if not found_begin or not found_end or begin in rest or end in tail:
        raise ValueError(f"the text needs the markers {begin} and {end} once, in this order")
    lines = new.strip("\n")
    return f"{head}{begin}\n\n{lines}\n\n{end}{tail}"


def section(command: str, rows: Sequence[Row], environment: str) -> str:
    """What stands between the markers: the command, where it ran, the table, what is to be said of single rows."""
    findings = [f"* {row.program}/{row.version}: {said}" for row in rows if (said := finding(row))]
    parts = [f"    {command}", environment, markdown_table(rows)]
    if findings:
        parts.append("\n".join(findings))
    return "\n\n".join(parts)


def describe_environment() -> str:
    """Date, versions and kind of machine, without anything that names it."""
    libraries = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    compiler = subprocess.run(["cc", "-dumpfullversion"], capture_output=True, text=True, check=False)
    return (
        f"{datetime.now(tz=UTC):%Y-%m-%d}; {platform.system()} {platform.machine()}, {os.cpu_count()} cores; "
        f"Python {platform.python_version()}, {libraries}, cc {compiler.stdout.strip() or 'unknown'}."
    )


def write(command: str, rows: Sequence[Row], file: Path = RESULTS) -> None:
    """Put the table of ``rows`` into ``file``. Raises ValueError when its markers are missing."""
    publish(section(command, rows, describe_environment()), BEGIN, END, file)


def publish_run(command: str, said: str, begin: str, end: str) -> None:
    """Put into RESULTS.md, between two markers, the command, where it ran, and what it ``said``."""
    publish("\n\n".join([f"    {command}", describe_environment(), said]), begin, end)


def publish(new: str, begin: str, end: str, file: Path = RESULTS) -> None:
    """Put the table ``new``, with where it is from, between two markers. Raises ValueError when they are missing."""
    publish_list(f"{new.rstrip()}\n\n{line_of_present_sources()}", begin, end, file)


def publish_list(new: str, begin: str, end: str, page: Path) -> None:
    """Put ``new``, which code says and nothing measured, between two markers. Raises ValueError as ``publish``."""
    old = page.read_text(encoding="utf-8")
    page.write_text(replace_between(old, new, begin, end), encoding="utf-8")
