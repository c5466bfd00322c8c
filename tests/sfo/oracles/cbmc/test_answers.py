"""CBMC's JSON, in both of its forms, and what a killed CBMC leaves of it."""

import json
from typing import Any

import pytest

from cfrontend.host.child_processes import FinishedChildProcess
from sfo.oracles.cbmc.process import CbmcExecution, CbmcProcessFailedError, read_cbmc_answer


def drawn(binary: str) -> dict[str, Any]:
    return {"stepType": "input", "inputID": "sfo_drawn", "values": [{"name": "integer", "binary": binary}]}


TRACE = [
    {"stepType": "assignment", "lhs": "x", "value": {"data": "3"}},
    drawn("00000011"),
    {"stepType": "input", "inputID": "another", "values": [{"binary": "1"}]},
    drawn("11111111"),
]
HEAD: list[dict[str, Any]] = [
    {"program": "CBMC 6.6.0"},
    {"messageText": "...", "messageType": "STATUS-MESSAGE"},
]
FOUND = CbmcExecution("main.assertion.1", (3, 255))


def output(document: Any) -> FinishedChildProcess:
    return FinishedChildProcess(10, json.dumps(document).encode(), b"")


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ([{"property": "p", "description": "main.assertion.1", "status": "failed", "trace": TRACE}], FOUND),
        ([{"result": [{"status": "SUCCESS"}, {"description": "main.assertion.1", "status": "FAILURE", "trace": TRACE}]}], FOUND),
        ([{"result": [{"status": "SUCCESS"}]}], None),
        ([{"result": []}], None),
    ],
)  # fmt: skip
def test_verdicts(document: list[Any], expected: CbmcExecution | None) -> None:
    assert read_cbmc_answer(output([*HEAD, *document])) == expected


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (HEAD, "has no verdict"),
        ({"result": []}, "has no verdict"),
        ([*HEAD, {"messageType": "ERROR", "messageText": "syntax error"}], "no verdict: syntax error"),
        ([{"result": [{"status": "UNKNOWN"}]}], "leaves a property undecided"),
        ([{"result": [{"status": "FAILURE"}]}], "has no trace"),
        ([{"property": "p", "status": "failed", "trace": [{**drawn("1"), "values": []}]}], "without a value"),
    ],
)
def test_what_is_no_verdict_is_said(document: Any, said: str) -> None:
    with pytest.raises(CbmcProcessFailedError, match=said):
        read_cbmc_answer(output(document))


def test_a_document_that_is_cut_off_anywhere_is_said() -> None:
    whole = json.dumps([*HEAD, {"property": "p", "status": "failed", "trace": TRACE}]).encode()
    for length in range(len(whole)):
        with pytest.raises(CbmcProcessFailedError, match="no JSON document"):
            read_cbmc_answer(FinishedChildProcess(-9, whole[:length], b""))
    with pytest.raises(CbmcProcessFailedError, match="no JSON document"):
        read_cbmc_answer(FinishedChildProcess(0, b"\xff\xfe garbage", b""))
