"""The result in at most two kilobytes of JSON, for scripts and coding agents.

    {"format": 1, "verdict": "violated", "summary": "minmax.c:22 fails: ...", "suspects": [{"file": "minmax.c", ...}],
     "edit": {"status": "verified", "diff": "--- a/minmax.c ..."}, "repeat": "sfo localize minmax.c"}

docs/compact.schema.json describes it. What is long is cut, and what is least needed is left out first.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from typing import Any, Final

from sfo.core.repairs import Repair
from sfo.core.result import Result
from sfo.report import inputs, layout, summary

LARGEST: Final = 2048
"""Bytes of the text in UTF-8."""

_TEXT: Final = 240
"""Characters that are kept of a text that is too long, but for edits, which are left out as a whole."""

_LEFT_OUT: Final = ("certificate", "premises", "input", "repeat", "reason")
"""Keys that are emptied in this order where the rest is too long."""


def compact_report(result: Result, *, everything: bool) -> str:  # noqa: ARG001 - every report takes it
    """The report, one line for each key."""
    return next(
        text for document in _shorter(_document(result)) if len((text := _text(document)).encode()) <= LARGEST
    )


def _text(document: dict[str, Any]) -> str:
    lines = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in document.items())
    return "{" + ",\n ".join(lines) + "}\n"


def _shorter(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The document, and ever shorter ones, the last of them short whatever it is about."""
    yield document
    while len(document["suspects"]) > 1:
        document = {**document, "suspects": document["suspects"][:-1]}
        yield document
    if document["edit"] is not None:
        document = {**document, "edit": {**document["edit"], "diff": None}}
        yield document
    document = _cut(document)
    yield document
    for key in _LEFT_OUT:
        document = {**document, key: [] if key == "premises" else None}
        yield document
    yield {**document, "summary": document["summary"][:_TEXT], "suspects": [], "edit": None, "property": None}


def _cut(value: Any) -> Any:
    """Plain data with all texts cut."""
    if isinstance(value, str):
        return layout.clipped(value, _TEXT)
    if isinstance(value, dict):
        return {key: _cut(one) for key, one in value.items()}
    return [_cut(one) for one in value] if isinstance(value, list) else value


def _document(result: Result) -> dict[str, Any]:
    first = next(iter(result.dataset.failing), None)
    violated = [
        p.property for p in result.properties if first is not None and p.property.id == first.property
    ]
    by_id = {unit.id: unit for unit in result.dataset.units}
    repairs = result.repairs
    known = 0 if repairs is None else len(repairs.found) + len(repairs.undecided)
    return {
        "format": 1,
        "kind": "compact",
        "verdict": result.verdict,
        "summary": summary.verdict(result),
        "reason": result.reason,
        "property": next(
            ({"id": p.id, "check": p.kind, "file": p.location.file, "line": p.location.line} for p in violated), None
        ),
        "input": None if first is None else {"typed": inputs.to_type(first), "values": " ".join(inputs.described(first))},
        "suspects": [
            {
                "rank": line.rank, "file": unit.location.file, "line": unit.location.line, "column": unit.location.column,
                "function": unit.function, "text": unit.text, "reason": summary.reason(result, line),
            }
            for line in summary.shown_suspects(result)
            for unit in [by_id[line.unit]]
        ],
        "edit": _edit(result),
        "other_edits": max(0, known - 1),
        "certificate": summary.certificate(result) or None,
        "premises": list(summary.premises(result)),
        "repeat": shlex.join(result.command) or None,
    }  # fmt: skip


def _edit(result: Result) -> dict[str, Any] | None:
    best = summary.best_edit(result)
    if best is None:
        return None
    edit = best.edit
    place = (
        {"file": edit.file, "line": edit.line} if isinstance(edit, Repair) else {"file": None, "line": None}
    )
    return {"status": best.status, "sure": best.known, **place, "diff": edit.diff}
