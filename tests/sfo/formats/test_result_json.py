import json
import math
from dataclasses import replace

from sfo.core.result import ResultOfProperty
from sfo.formats.result_json import result_json_document, write_result_json
from tests.sfo.models import assertion
from tests.sfo.results import nothing_fails, paper_result

KEYS = [
    "format", "verdict", "reason", "bound", "optimal", "undecided", "intersection", "granularity", "units",
    "properties",
    "executions", "measure", "rank", "ranking", "statistics", "native", "angelic",
    "diagnoses", "repairs", "notes", "slice", "unreached", "comparison", "coverage",
    "groups",
]  # fmt: skip


def test_the_contract() -> None:
    data = json.loads(write_result_json(paper_result()))
    assert list(data) == KEYS
    assert data["format"] == 1
    assert data["verdict"] == "violated"
    assert data["bound"] == {
        "unwind": 1, "unwindset": {}, "complete": True, "assumptions": [], "options": [], "argc": None, "argv_length": None,
    }  # fmt: skip
    assert data["optimal"] is True
    assert data["intersection"] == [1, 4]
    assert data["granularity"] == "statement"
    assert data["units"][3] == {
        "id": 4, "label": "C4", "kind": "assignment", "function": "main", "file": "minmax.c",
        "line": 19, "column": 3, "end_line": 19, "text": "most = input2",
    }  # fmt: skip
    assert data["properties"] == [
        {"id": "main.assertion.1", "class": "assert", "file": "minmax.c", "line": 22,
         "status": "violated", "description": "least <= most",
        "called_from": [], "differences": []},
    ]  # fmt: skip
    first = data["executions"][0]
    assert {key: first[key] for key in ("id", "outcome", "property", "covered")} == {
        "id": 1, "outcome": "fail", "property": "main.assertion.1", "covered": [1, 3, 4],
    }  # fmt: skip
    assert first["inputs"][0] == {
        "name": "input1", "type": "int", "value": "1", "file": "minmax.c", "line": 10,
    }  # fmt: skip
    assert (data["measure"], data["rank"]) == ("naish2", "coverage")
    assert data["ranking"][0] == {
        "rank": 1, "unit": 4, "score": 2.875, "rank_keys": [], "ef": 3, "ep": 1, "nf": 0, "np": 6, "side": None,
    }  # fmt: skip
    assert data["statistics"] == {"solver": "bitwuzla", "calls": 7, "seconds": {"total": 0.2, "solve": 0.1}}


def test_nothing_failed() -> None:
    data = result_json_document(nothing_fails())
    assert data["optimal"] is None
    assert data["executions"] == data["ranking"] == data["intersection"] == []
    assert list(data["bound"]["unwindset"]) == ["f.1", "main.0"]


def test_infinite_scores_are_texts() -> None:
    result = paper_result()
    first, second, *rest = result.ranking
    ranking = (
        replace(first, score=math.inf),
        replace(second, score=-math.inf, rank_keys=(1.0, math.inf)),
        *rest,
    )
    data = json.loads(write_result_json(replace(result, ranking=ranking)))
    assert [line["score"] for line in data["ranking"]][:3] == ["inf", "-inf", 0.75]
    assert data["ranking"][1]["rank_keys"] == [1.0, "inf"]


def test_macro_columns_are_null() -> None:
    result = paper_result()
    item = result.dataset.units[0]
    bare = replace(item, location=replace(item.location, column=None, end_line=0))
    data = result_json_document(replace(result, dataset=replace(result.dataset, units=(bare,))))
    assert (data["units"][0]["column"], data["units"][0]["end_line"]) == (None, 12)


def test_same_result_same_bytes() -> None:
    assert write_result_json(paper_result()) == write_result_json(paper_result())


def test_text_that_is_not_ascii_survives() -> None:
    prop = assertion(description="größer „als“ ≤")
    data = json.loads(
        write_result_json(
            replace(paper_result(), properties=(ResultOfProperty(property=prop, status="safe"),))
        )
    )
    assert data["properties"][0]["description"] == "größer „als“ ≤"
