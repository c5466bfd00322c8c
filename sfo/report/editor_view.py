"""A JSON result as an editor shows it: diagnostics with related places, and verified edits to apply.

    violated property   ->  error at its line, with the failing input; the first suspects are related places
    suspicious unit     ->  information at its place
    verified repair     ->  an edit of whole lines

Lines and characters count from 0, as editors count.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, final

from cfrontend.record import dataclass
from sfo.report import wording
from sfo.report.unified_diff import read_diff_hunks

SUSPECTS: Final = 5
"""Units of the ranking that are shown."""

EDITS: Final = 10
"""Verified edits that are offered."""

_NOTHING_TO_DO: Final = re.compile(
    r"no function 'main' to start from|^the program has no property to violate"
)
"""Pattern of what is said of a file in which nothing can be executed, or nothing fail."""

_PLACE: Final = re.compile(r"^(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<message>.*)$")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EditorPlace:
    """A line of a file from a character on, with what is said of it."""

    file: str
    line: int
    character: int
    message: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EditorDiagnostic:
    """What is said at a place; ``related`` are places that belong to it."""

    place: EditorPlace
    severity: Literal["error", "information"]
    related: tuple[EditorPlace, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LineEdit:
    """Lines from ``begin`` to before ``end`` are replaced by ``text``."""

    begin: int
    end: int
    text: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EditorAction:
    """A verified edit of ``file`` that is offered at ``lines``."""

    file: str
    title: str
    lines: tuple[int, ...]
    edits: tuple[LineEdit, ...]


def diagnostics(result: Mapping[str, Any]) -> tuple[EditorDiagnostic, ...]:
    """The diagnostics of a result, the violated properties first."""
    suspects = tuple(_suspects(result))
    shown = {execution["property"]: execution for execution in reversed(result["executions"])}
    found = [
        EditorDiagnostic(
            place=EditorPlace(
                file=item["file"],
                line=item["line"] - 1,
                character=0,
                message=f"{item['description']} ({item['id']}) fails for {_input(shown.get(item['id']))}",
            ),
            severity="error",
            related=suspects,
        )
        for item in result["properties"]
        if item["status"] == "violated"
    ]
    return (*found, *(EditorDiagnostic(place=place, severity="information") for place in suspects))


def _suspects(result: Mapping[str, Any]) -> Iterator[EditorPlace]:
    by_id = {unit["id"]: unit for unit in result["units"]}
    count = len(result["ranking"])
    for line in result["ranking"][:SUSPECTS]:
        unit = by_id[line["unit"]]
        if line["ef"]:
            yield EditorPlace(
                file=unit["file"],
                line=unit["line"] - 1,
                character=(unit["column"] or 1) - 1,
                message=f"suspect {line['rank']} of {count}: {unit['text']}",
            )


def _input(execution: Mapping[str, Any] | None) -> str:
    if execution is None or not execution["inputs"]:
        return "every input"
    return " ".join(f"{value['name']}={value['value']}" for value in execution["inputs"][:SUSPECTS])


def actions(result: Mapping[str, Any]) -> tuple[EditorAction, ...]:
    """The verified edits of a result, the best first, offered where they are and where a property is violated."""
    repairs = result["repairs"] or {"found": []}
    broken = [
        (item["file"], item["line"] - 1) for item in result["properties"] if item["status"] == "violated"
    ]
    return tuple(
        EditorAction(
            file=repair["file"],
            title=f"sfo: {wording.edit(repair['before'], repair['after'])} ({_remark(repair)})",
            lines=(repair["line"] - 1, *(line for file, line in broken if file == repair["file"])),
            edits=tuple(_line_edits(repair["diff"])),
        )
        for repair in repairs["found"][:EDITS]
    )


def _remark(repair: Mapping[str, Any]) -> str:
    strays = repair["evades"] or repair["kept"] == 0
    return "verified, likely overfits" if strays else "verified within the bound"


def _line_edits(diff: str) -> Iterator[LineEdit]:
    """The hunks of a unified diff of one file, as edits of whole lines."""
    for hunk in read_diff_hunks(diff):
        kept = [line.code + "\n" for line in hunk.lines if line.kind != "removed"]
        begin = hunk.line - (hunk.count > 0)
        yield LineEdit(begin=begin, end=begin + hunk.count, text="".join(kept))


def complaint_diagnostic(complaint: str, file: str) -> EditorDiagnostic:
    """Diagnostic for the error message of a command, at the place that it names, or at the first line of ``file``.

    That a file has nothing to execute or to violate is no error of it: files of a library are opened, too.
    """
    said = complaint.strip().splitlines()[-1] if complaint.strip() else "sfo gave no answer"
    said = said.removeprefix("sfo: ").removeprefix("error: ")
    severity: Literal["error", "information"] = "information" if _NOTHING_TO_DO.search(said) else "error"
    found = _PLACE.match(said)
    if found is None or os.path.realpath(found["file"]) != os.path.realpath(file):
        return EditorDiagnostic(
            place=EditorPlace(file=file, line=0, character=0, message=said), severity=severity
        )
    place = EditorPlace(
        file=file,
        line=int(found["line"]) - 1,
        character=int(found["column"] or 1) - 1,
        message=found["message"],
    )
    return EditorDiagnostic(place=place, severity=severity)
