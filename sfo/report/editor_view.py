"""A JSON result as an editor shows it by the Language Server Protocol: diagnostics, and verified edits to apply.

    violated property   ->  error at its line, with the failing input; the first suspects are related places
    suspicious unit     ->  information at its place
    verified repair     ->  a quick fix of whole lines

Lines and characters count from 0, as editors count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, final

from lsprotocol import types

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
@dataclass(frozen=True, slots=True)
class OfferedEdit:
    """A quick fix of a file, and the lines at which it is offered."""

    file: str
    lines: tuple[int, ...]
    action: types.CodeAction


def is_same_file(one: str, other: str) -> bool:
    """Whether two names are those of one file."""
    return Path(one).resolve() == Path(other).resolve()


def _range(line: int, character: int = 0) -> types.Range:
    """From a place, which counts from 1, to the end of its line."""
    begin = types.Position(line=line - 1, character=character)
    return types.Range(start=begin, end=types.Position(line=line, character=0))


def _diagnostic(
    place: types.Range, message: str, *, is_error: bool, related: list[types.DiagnosticRelatedInformation]
) -> types.Diagnostic:
    severity = types.DiagnosticSeverity.Error if is_error else types.DiagnosticSeverity.Information
    return types.Diagnostic(
        range=place, message=message, severity=severity, source="sfo", related_information=related
    )


def diagnostics(result: Mapping[str, Any], path: str) -> list[types.Diagnostic]:
    """The diagnostics of a result that are about the file ``path``, the violated properties first."""
    suspects = [*_suspects(result)]
    related = [
        types.DiagnosticRelatedInformation(
            location=types.Location(uri=Path(file).resolve().as_uri(), range=place), message=message
        )
        for file, place, message in suspects
    ]
    shown = {execution["property"]: execution for execution in reversed(result["executions"])}
    found = [
        _diagnostic(
            _range(item["line"]),
            f"{item['description']} ({item['id']}) fails for {_input(shown.get(item['id']))}",
            is_error=True,
            related=related,
        )
        for item in result["properties"]
        if item["status"] == "violated" and is_same_file(item["file"], path)
    ]
    found += [
        _diagnostic(place, message, is_error=False, related=[])
        for file, place, message in suspects
        if is_same_file(file, path)
    ]
    return found


def _suspects(result: Mapping[str, Any]) -> Iterator[tuple[str, types.Range, str]]:
    """File, place and message of each of the first suspects."""
    by_id = {unit["id"]: unit for unit in result["units"]}
    count = len(result["ranking"])
    for line in result["ranking"][:SUSPECTS]:
        unit = by_id[line["unit"]]
        if line["ef"]:
            place = _range(unit["line"], (unit["column"] or 1) - 1)
            yield unit["file"], place, f"suspect {line['rank']} of {count}: {unit['text']}"


def _input(execution: Mapping[str, Any] | None) -> str:
    if execution is None or not execution["inputs"]:
        return "every input"
    return " ".join(f"{value['name']}={value['value']}" for value in execution["inputs"][:SUSPECTS])


def offered_edits(result: Mapping[str, Any], uri: str) -> tuple[OfferedEdit, ...]:
    """The verified edits of a result, the best first, offered where they are and where a property is violated."""
    repairs = result["repairs"] or {"found": []}
    broken = [
        (item["file"], item["line"] - 1) for item in result["properties"] if item["status"] == "violated"
    ]
    return tuple(
        OfferedEdit(
            repair["file"],
            (repair["line"] - 1, *(line for file, line in broken if file == repair["file"])),
            types.CodeAction(
                title=f"sfo: {wording.edit(repair['before'], repair['after'])} ({_remark(repair)})",
                kind=types.CodeActionKind.QuickFix,
                edit=types.WorkspaceEdit(changes={uri: [*_line_edits(repair["diff"])]}),
            ),
        )
        for repair in repairs["found"][:EDITS]
    )


def _remark(repair: Mapping[str, Any]) -> str:
    strays = repair["evades"] or repair["kept"] == 0
    return "verified, likely overfits" if strays else "verified within the bound"


def _line_edits(diff: str) -> Iterator[types.TextEdit]:
    """The hunks of a unified diff of one file, as edits of whole lines."""
    for hunk in read_diff_hunks(diff):
        kept = [line.code + "\n" for line in hunk.lines if line.kind != "removed"]
        begin = hunk.line - (hunk.count > 0)
        ends = (types.Position(line=line, character=0) for line in (begin, begin + hunk.count))
        yield types.TextEdit(range=types.Range(*ends), new_text="".join(kept))


def complaint_diagnostic(complaint: str, file: str) -> types.Diagnostic:
    """Diagnostic for the error message of a command, at the place that it names, or at the first line of ``file``.

    That a file has nothing to execute or to violate is no error of it: files of a library are opened, too.
    """
    lines = [line for line in complaint.splitlines() if line.startswith("sfo: ")]
    said = (lines or [complaint.strip()])[-1] or "sfo gave no answer"
    said = said.removeprefix("sfo: ").removeprefix("error: ")
    is_error, found, place = not _NOTHING_TO_DO.search(said), _PLACE.match(said), _range(1)
    if found is not None and is_same_file(found["file"], file):
        place, said = _range(int(found["line"]), int(found["column"] or 1) - 1), found["message"]
    return _diagnostic(place, said, is_error=is_error, related=[])
