"""The result as lines for machines, a line for each violated property, each suspicious unit and each note.

GNU coding standards, from which editors jump; workflow commands of GitHub Actions, which it shows beside the source:

    minmax.c:22:5: error: main.assertion.1 is violated: least <= most; inputs: input1=0 input2=-1 input3=0
    minmax.c:18:9: warning: rank 1 of 11: most = input2; ...
    ::error file=minmax.c,line=22,col=5,title=main.assertion.1::main.assertion.1 is violated: ...; look first at ...
    ::warning file=minmax.c,line=18,endLine=18,col=9,title=sfo%3A rank 1::rank 1 of 11: ...
"""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import Final

from cfrontend.errors import Location
from sfo.core.result import Result
from sfo.report import findings
from sfo.report.text import SHORT

SHOWN: Final = 10
"""Annotations of a kind that GitHub shows for a step: only the first errors are written."""

SUSPECTS: Final = 5
"""Suspicious units that are annotated: those that the report shows, as more lines hide the first."""


def gnu_report_lines(result: Result, *, everything: bool) -> str:
    """Lines of the GNU coding standards; of the suspicious units the first ones, or ``everything``."""
    shown = findings.suspects(result)[: None if everything else SHORT]
    lines = [
        *(f"{item.property.location}: error: {item.message}" for item in findings.violations(result)),
        *(f"{one.unit.location}: {'warning' if one.likely else 'note'}: {one.message}" for one in shown),
        *(f"sfo: note: {note}" for note in result.notes),
    ]
    return "".join(f"{_one_line(line)}\n" for line in lines)


def _one_line(text: str) -> str:
    """Control characters would end the line or the editor's patience; bytes of names are left to who prints it."""
    return "".join(c if c.isprintable() or "\udc80" <= c <= "\udcff" else ascii(c)[1:-1] for c in text)


def github_annotations(result: Result, *, everything: bool) -> str:
    """Workflow commands of GitHub Actions: as many as it shows, or ``everything``."""
    found = findings.suspects(result)
    first = ""
    if found:
        where = found[0].unit.location
        first = f"; look first at {where.file}:{where.line}: {found[0].unit.text}"
    errors = [
        _command("error", item.property.location, item.property.id, item.message + first)
        for item in findings.violations(result)
    ]
    suspects = [
        _command(
            "warning" if item.likely else "notice",
            item.unit.location,
            f"sfo: rank {item.place}",
            item.message,
        )
        for item in found[: None if everything else SUSPECTS]
    ]
    notes = [f"::notice title=sfo::{_message(note)}" for note in result.notes]
    return "".join(f"{line}\n" for line in (*errors[: None if everything else SHOWN], *suspects, *notes))


def _command(level: str, location: Location, title: str, message: str) -> str:
    fields = {"file": _relative(location.file), "line": str(location.line)}
    if location.end_line > location.line:
        fields["endLine"] = str(location.end_line)
    if location.column is not None:
        fields["col"] = str(location.column)
        if location.end_column is not None and location.end_line in {0, location.line}:
            fields["endColumn"] = str(location.end_column)
    fields["title"] = title
    listed = ",".join(f"{key}={_value(text)}" for key, text in fields.items())
    return f"::{level} {listed}::{_message(message)}"


def _relative(file: str) -> str:
    """``file`` from the root of the checked-out repository, where that is known."""
    root = os.environ.get("GITHUB_WORKSPACE")
    absolute = PurePath(file) if PurePath(file).is_absolute() else PurePath(os.path.abspath(file))  # noqa: PTH100 - links stay
    if root and absolute.is_relative_to(root):
        return absolute.relative_to(root).as_posix()
    return file


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
