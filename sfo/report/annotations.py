"""The result as workflow commands of GitHub Actions, which it shows beside the source.

    ::error file=minmax.c,line=22,col=5,title=main.assertion.1::main.assertion.1 is violated: ...; look first at ...
    ::warning file=minmax.c,line=18,endLine=18,col=9,title=sfo%3A rank 1::rank 1 of 11: ...

GitHub shows ten annotations of each kind for a step, so only the first ten errors are written; of the suspects, those
that the report shows, as more lines hide the first.
"""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import Final

from cfrontend.errors import Location
from sfo.core.result import Result
from sfo.report import findings

SHOWN: Final = 10
"""Annotations of a kind that GitHub shows for a step."""

SUSPECTS: Final = 5
"""Suspicious units that are annotated."""


def github_annotations(result: Result, *, everything: bool) -> str:
    """A line for each violated property, each suspicious unit and each note; all of them if ``everything``."""
    limit = None if everything else SHOWN
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
        _suspect("warning" if item.likely else "notice", item.unit.location, item.place, item.message)
        for item in found[: None if everything else SUSPECTS]
    ]
    notes = [f"::notice title=sfo::{_message(note)}" for note in result.notes]
    return "".join(f"{line}\n" for line in (*errors[:limit], *suspects, *notes))


def _suspect(level: str, location: Location, place: int, message: str) -> str:
    return _command(level, location, f"sfo: rank {place}", message)


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
