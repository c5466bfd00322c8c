"""Answers of CBMC in JSON: an array of objects that are told apart by their keys.

    [{"program": ...}, {"messageText": ...}, ..., {"property": ..., "status": "failed", "trace": [...]}]
    -> Violation(description="main.assertion.1", drawn=(3, -1))

With ``--stop-on-fail`` the first violated property is an object of its own; when none is violated, an array
``result`` has the status of each.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, final

from cfrontend.cbmc.instrumentation import DRAWN
from sfo.oracles.cbmc.process import CbmcProcessFailedError, CbmcProcessOutput


@final
@dataclass(frozen=True, slots=True)
class CbmcAnswerViolation:
    """An assertion that can be violated, by its text, and the values drawn on the way, as unsigned words."""

    description: str
    drawn: tuple[int, ...]


Verdict: TypeAlias = CbmcAnswerViolation | None
"""Verdict of CBMC: a violation, or None where no assertion can be violated."""


def read_cbmc_answer(output: CbmcProcessOutput) -> Verdict:
    """The answer in ``output``. Raises CbmcFailedError for a document that is cut off or says nothing."""
    try:
        document = json.loads(output.text)
    except ValueError as error:
        raise CbmcProcessFailedError(
            f"CBMC's answer is no JSON document ({len(output.text)} bytes: {error})"
        ) from error
    entries = [entry for entry in document if isinstance(entry, dict)] if isinstance(document, list) else []
    for entry in entries:
        if entry.get("status") == "failed" and "property" in entry:
            return _violation(entry)
        results = entry.get("result")
        if isinstance(results, list):
            return _of_results(results)
    errors = [str(entry["messageText"]) for entry in entries if entry.get("messageType") == "ERROR"]
    raise CbmcProcessFailedError(f"CBMC's answer has no verdict{': ' if errors else ''}{'; '.join(errors)}")


def _of_results(results: list[Any]) -> Verdict:
    for result in results:
        match result:
            case {"status": "FAILURE"}:
                return _violation(result)
            case {"status": "SUCCESS"}:
                continue
            case _:
                raise CbmcProcessFailedError(
                    f"CBMC's answer leaves a property undecided: {str(result)[:200]}"
                )
    return None


def _violation(entry: dict[str, Any]) -> CbmcAnswerViolation:
    trace = entry.get("trace")
    if not isinstance(trace, list):
        raise CbmcProcessFailedError("CBMC's answer names a violated property but has no trace")
    return CbmcAnswerViolation(str(entry.get("description", "")), tuple(_drawn(trace)))


def _drawn(trace: list[Any]) -> Iterator[int]:
    for step in trace:
        if isinstance(step, dict) and step.get("stepType") == "input" and step.get("inputID") == DRAWN:
            try:
                yield int(step["values"][0]["binary"], 2)
            except (KeyError, IndexError, TypeError, ValueError) as error:
                raise CbmcProcessFailedError("CBMC's trace has an input without a value") from error
