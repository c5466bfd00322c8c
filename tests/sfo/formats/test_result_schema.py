"""Real results fit the published schema, and the schema names every key that they have."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sfo import cli
from sfo.formats.result_json import result_json_document
from tests.conftest import require_tool
from tests.sfo.results import nothing_fails, paper_result

SCHEMA = json.loads(Path("docs/result.schema.json").read_text(encoding="utf-8"))
MINMAX = "benchmarks/programs/minmax.c"


def strict(schema: Any) -> Any:
    """The schema without the licence to add keys."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: strict(value) for key, value in schema.items()}
    if isinstance(made.get("required"), list) and "additionalProperties" not in made:
        made["additionalProperties"] = False
    return made


def problems(document: Any) -> list[str]:
    found = Draft202012Validator(strict(SCHEMA)).iter_errors(document)
    return [f"{list(error.path)}: {error.message}" for error in found]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_what_is_listed_is_required() -> None:
    def objects(schema: Any) -> list[dict[str, Any]]:
        items = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
        inner = [found for item in items for found in objects(item)]
        return (
            [*inner, schema]
            if isinstance(schema, dict) and isinstance(schema.get("required"), list)
            else inner
        )

    for item in objects(SCHEMA):
        assert item["required"] == list(item["properties"])


@pytest.mark.parametrize("result", [paper_result(), nothing_fails()])
def test_results(result: Any) -> None:
    assert problems(result_json_document(result)) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["localize", MINMAX, "--passing"],
        ["localize", MINMAX, "--rank", "coverage", "--measure", "dstar", "--no-replay"],
        ["check", MINMAX],
        ["check", MINMAX, "--check", "assert,overflow", "--unwind", "1"],
        ["repair", MINMAX],
        ["run", MINMAX, "--inputs", "VECTORS"],
        ["replay", MINMAX, "--inputs", "VECTORS"],
    ],
    ids=" ".join,
)
def test_what_commands_write(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    require_tool("gcc")
    vectors = tmp_path / "vectors.csv"
    vectors.write_text("input1,input2,input3\n1,0,2\n0,0,0\n")
    arguments = [str(vectors) if word == "VECTORS" else word for word in arguments]
    assert cli.main([*arguments, "--format", "json"]) in {0, 10, 11}
    assert problems(json.loads(capsys.readouterr().out)) == []


def test_what_generate_writes(tmp_path: Path) -> None:
    assert cli.main(["generate", MINMAX, "-o", str(tmp_path)]) == 0
    assert problems(json.loads((tmp_path / "dataset.json").read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [("format", 2), ("verdict", "perhaps"), ("more", 1), ("bound", {"unwind": 1}), ("intersection", [1, 1])],
)
def test_the_schema_refuses(key: str, value: Any) -> None:
    assert problems(result_json_document(paper_result()) | {key: value})


def test_what_generate_writes_of_mutants(tmp_path: Path) -> None:
    words = ["--goal", "mutants", "--no-replay", "--native", "off", "-o", str(tmp_path)]
    assert cli.main(["generate", "benchmarks/programs/minmax/correct.c", *words]) == 0
    document = json.loads((tmp_path / "dataset.json").read_text(encoding="utf-8"))
    assert document["coverage"]["score"] == 1
    assert problems(document) == []
