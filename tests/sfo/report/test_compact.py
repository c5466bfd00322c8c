"""The compact form: the answer in two kilobytes, as its schema says, whatever the result is."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sfo import cli
from sfo.core.result import Comparison, Result, ResultBound
from sfo.report.compact import LARGEST, compact_report
from tests.sfo.report.test_brief import edit, repaired
from tests.sfo.results import nothing_fails, paper_result

SCHEMA = json.loads(Path("docs/compact.schema.json").read_text(encoding="utf-8"))
LONG = "a text that goes on and on, \u00fc, " * 200


def long_everywhere() -> Result:
    result = repaired(edit("least", diff=f"--- a\n+++ b\n@@ -1 +1 @@\n-x\n+{LONG}\n", file=LONG))
    units = tuple(replace(unit, text=LONG, function=LONG) for unit in result.dataset.units)
    return replace(
        result,
        dataset=replace(result.dataset, units=units),
        properties=tuple(
            replace(one, property=replace(one.property, description=LONG)) for one in result.properties
        ),
        bound=ResultBound(unwind=1, unwindset={}, complete=True, assumptions=(LONG,) * 20),
        comparison=Comparison(compared=(), left_out=(LONG,) * 20),
        reason=LONG,
        command=("sfo", "localize", LONG),
    )


@pytest.mark.parametrize(
    "made",
    [
        paper_result,
        nothing_fails,
        lambda: repaired(edit("least")),
        lambda: repaired(edit("stray", kept=0)),
        lambda: repaired(undecided=(edit("perhaps"),)),
        long_everywhere,
    ],
)
def test_it_is_small_and_as_its_schema_says(made: Callable[[], Result]) -> None:
    text = compact_report(made(), everything=False)
    assert len(text.encode()) <= LARGEST
    document = json.loads(text)
    Draft202012Validator(SCHEMA).validate(document)
    assert document["summary"]


def test_the_answer() -> None:
    document: dict[str, Any] = json.loads(compact_report(repaired(edit("least")), everything=False))
    assert (
        document["summary"]
        == "minmax.c:22 fails: least <= most does not hold; for input1=1 input2=0 input3=2"
    )
    assert document["suspects"][0]["reason"] == "an edit here mends it"
    assert document["edit"]["status"] == "verified"
    assert document["edit"]["diff"].endswith("-most\n+least\n")
    assert document["input"] == {"typed": None, "values": "input1=1 input2=0 input3=2"}
    assert document["repeat"] is None


def test_the_command_names_how_to_repeat_it(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["localize", "benchmarks/programs/minmax.c", "--rank", "coverage", "--format", "compact"]
    assert cli.main(words) == 0
    assert json.loads(capsys.readouterr().out)["repeat"] == f"sfo {' '.join(words)}"
