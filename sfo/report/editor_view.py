"""A JSON result as an editor shows it by the Language Server Protocol: diagnostics, and edits to apply.

    violated property   ->  error at its line, with the failing input; the first suspects are related places
    suspicious unit     ->  information at its place
    known edit          ->  a quick fix of what changes, the best one preferred

The sentences are those of the compact form of the result (``answer``).

Lines and characters count from 0, as editors count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby, takewhile
from pathlib import Path
from typing import Any, Final, final

from lsprotocol import types

from cfrontend.record import dataclass
from sfo.report import wording
from sfo.report.unified_diff import read_diff_hunks

EDITS: Final = 5
"""Edits that are offered."""

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


def diagnostics(result: Mapping[str, Any], answer: Mapping[str, Any], path: str) -> list[types.Diagnostic]:
    """The diagnostics of a result that are about the file ``path``, the violated properties first."""
    suspects = [*_suspects(answer)]
    related = [
        types.DiagnosticRelatedInformation(
            location=types.Location(uri=Path(file).resolve().as_uri(), range=place), message=message
        )
        for file, place, message in suspects
    ]
    first = answer["property"] or {"id": ""}
    found = [
        _diagnostic(
            _range(item["line"]),
            answer["summary"] if item["id"] == first["id"] else f"{item['description']} ({item['id']}) fails",
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


def _suspects(answer: Mapping[str, Any]) -> Iterator[tuple[str, types.Range, str]]:
    """File, place and message of each of the first suspects."""
    for one in answer["suspects"]:
        begin = types.Position(line=one["line"] - 1, character=(one["column"] or 1) - 1)
        end = types.Position(line=begin.line, character=begin.character + len(one["text"]))
        yield one["file"], types.Range(begin, end), f"suspect {one['rank']}: {one['text']}; {one['reason']}"


def offered_edits(result: Mapping[str, Any], answer: Mapping[str, Any], uri: str) -> tuple[OfferedEdit, ...]:
    """The known edits of a result, offered where they are and where a property is violated; the best is preferred."""
    repairs = result["repairs"] or {"found": [], "undecided": []}
    best = (answer["edit"] or {"diff": None})["diff"]
    known = sorted([*repairs["found"], *repairs["undecided"]], key=lambda repair: repair["diff"] != best)
    broken = [
        (item["file"], item["line"] - 1) for item in result["properties"] if item["status"] == "violated"
    ]
    return tuple(
        OfferedEdit(
            repair["file"],
            (repair["line"] - 1, *(line for file, line in broken if file == repair["file"])),
            types.CodeAction(
                title=f"sfo: {wording.edit(repair['before'], repair['after'])} ({_status(repair, repairs)})",
                kind=types.CodeActionKind.QuickFix,
                is_preferred=number == 0,
                edit=types.WorkspaceEdit(changes={uri: [*_smallest_edits(repair["diff"])]}),
            ),
        )
        for number, repair in enumerate(known[:EDITS])
    )


def _status(repair: Mapping[str, Any], repairs: Mapping[str, Any]) -> str:
    if repair in repairs["undecided"]:
        return "plausible"
    return wording.STRAYING if repair["evades"] or repair["kept"] == 0 else "verified"


def _smallest_edits(diff: str) -> Iterator[types.TextEdit]:
    """The hunks of a unified diff of one file as edits: of what differs in lines that stay, else of whole lines."""
    for hunk in read_diff_hunks(diff):
        line = hunk.line - (hunk.count > 0)
        for is_kept, row in groupby(hunk.lines, lambda one: one.kind == "kept"):
            lines = [*row]
            old, new = ([one.code for one in lines if one.kind == kind] for kind in ("removed", "added"))
            if not is_kept and len(old) == len(new):
                yield from (
                    _smallest_edit(line + n, *pair) for n, pair in enumerate(zip(old, new, strict=True))
                )
            elif not is_kept:
                ends = (types.Position(line=n, character=0) for n in (line, line + len(old)))
                yield types.TextEdit(range=types.Range(*ends), new_text="".join(f"{one}\n" for one in new))
            line += sum(one.kind != "added" for one in lines)


def _smallest_edit(line: int, old: str, new: str) -> types.TextEdit:
    """The edit of one line, of the characters between what both begin and end with."""
    begin = _alike(old, new)
    end = _alike(old[begin:][::-1], new[begin:][::-1])
    ends = (types.Position(line, _units(old[:n])) for n in (begin, len(old) - end))
    return types.TextEdit(range=types.Range(*ends), new_text=new[begin : len(new) - end])


def _alike(one: str, other: str) -> int:
    """Number of characters that both texts begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _units(text: str) -> int:
    """Number of UTF-16 units of a text, in which editors count."""
    return len(text.encode("utf-16-le")) // 2


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
