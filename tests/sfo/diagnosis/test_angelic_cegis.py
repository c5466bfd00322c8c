"""The exact angelic question against brute force: gcc runs every input with every value at every unit."""

import json
import math
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions, load_c_program
from sfo import cli
from sfo.core.budget import BudgetClock
from sfo.core.executions import Execution
from sfo.diagnosis.angelic import AngelicFilter
from sfo.diagnosis.angelic_cegis import AngelicCegis
from sfo.oracles.protocol import UnknownOracleAnswer
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from tests.sfo.diagnosis.test_angelic import generated, native

pytestmark = pytest.mark.usefixtures("patience")

BOUND = Bound(unwind=2, free=True)


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.sample(8)
def test_beyond_saving_is_what_no_value_saves(seed: int, tmp_path: Path) -> None:
    program = generated(seed)
    path = tmp_path / "plain.c"
    path.write_text(program.plain)
    truth = native(program, tmp_path)
    loaded = load_c_program([str(path)], ProgramOptions(entry="check"))
    ids = [item.id for item in loaded.properties]
    asked = AngelicCegis(loaded, BOUND, "auto", ids, BudgetClock(math.inf), reactive=False)
    for unit in range(1, program.units + 1):
        lost = {x for x, one in truth.items() if not one.passes and not one.by_value[unit - 1]}
        found = asked.beyond_saving(unit)
        assert not isinstance(found, UnknownOracleAnswer)
        if found is None:
            assert not lost
        else:
            assert found.inputs[0].value in lost


SEQUENCE = """#include <assert.h>
extern _Bool nondet_bool(void);
int main(void)
{
    int count = 0, seen = 0;
    for (int step = 0; step < 4; step++) {
        if (nondet_bool()) {
            count += 2;
            seen++;
            assert(count == seen);
        } else {
            seen = seen;
            assert(seen < 3 || count == seen);
        }
    }
    return 0;
}
"""


def test_inputs_that_a_run_does_not_come_to_are_fixed_too(tmp_path: Path) -> None:
    """``seen = 0`` at the start saves the first failure.

    Whatever follows, too, does it only where nothing else is counted.
    """
    path = tmp_path / "sequence.c"
    path.write_text(SEQUENCE)
    program = load_c_program([str(path)], ProgramOptions())
    ids = [item.id for item in program.properties]
    by_text = {unit.text: unit.id for unit in program.units}
    asked = AngelicCegis(
        program, Bound(unwind=4, free=True), "auto", ids, BudgetClock(math.inf), reactive=False
    )
    assert asked.beyond_saving(by_text["count += 2"]) is None
    found = asked.beyond_saving(by_text["seen = 0"])
    assert isinstance(found, Execution)
    assert found.further
    weak = AngelicFilter(program, Bound(unwind=5, free=True), "auto", reactive=False)
    assert weak.saving((by_text["seen = 0"],), found) == "lost"
    assert weak.saving((by_text["count += 2"],), found) == "saved"


def test_the_answer_is_a_key_and_in_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sequence.c"
    path.write_text(SEQUENCE)
    weak = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="full"))
    exact = run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), rank="full", angelic="exact")
    )
    assert weak.angelic is not None
    assert weak.angelic.exact is None
    assert exact.angelic is not None
    answers = exact.angelic.exact
    assert answers is not None
    assert len(exact.ranking[0].rank_keys) == len(weak.ranking[0].rank_keys) + 1
    by_text = {unit.text: unit.id for unit in exact.dataset.units}
    assert answers[by_text["count += 2"]] == "saved"
    assert set(exact.angelic.beyond) == {unit for unit, answer in answers.items() if answer == "lost"}
    assert cli.main(["localize", str(path), "--angelic", "exact", "--format", "json", "--no-replay"]) == 0
    written = json.loads(capsys.readouterr().out)["angelic"]["exact"]
    assert {item["unit"]: item["saving"] for item in written} == answers


def test_without_time_nothing_is_claimed(tmp_path: Path) -> None:
    path = tmp_path / "sequence.c"
    path.write_text(SEQUENCE)
    program = load_c_program([str(path)], ProgramOptions())
    ids = [item.id for item in program.properties]
    asked = AngelicCegis(program, BOUND, "auto", ids, BudgetClock(0.0), reactive=False)
    assert isinstance(asked.beyond_saving(1), UnknownOracleAnswer)
