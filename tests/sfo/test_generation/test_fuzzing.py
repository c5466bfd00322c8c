"""Executions on inputs that are tried: what is found so, and when it counts."""

from __future__ import annotations

import inspect
import json
import math
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from cfrontend import effort
from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues, EncodeSuppliedValues
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.terms import Terms
from sfo import cli
from sfo.core.decode_model import decode_model_values_in_turn, decode_only_execution
from sfo.core.executions import Execution, Native
from sfo.core.halt import Halt, Stop
from sfo.core.parallel import ParallelWorkerRounds
from sfo.core.policy import policy
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.pipeline.bound_phase import _BoundPhase
from sfo.pipeline.localize import localize_pipeline_checks, run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.solvers import SolverAnswer, make_solver
from sfo.solvers.ask import solver_to_ask
from sfo.test_generation import portfolio
from sfo.test_generation.fuzzing import FuzzedExecutions, Fuzzer
from sfo.test_generation.portfolio import Portfolio
from tests.tuning import Tune

MAGIC = """#include <assert.h>
#include <stdio.h>
int main(void)
{
    int count = 0, c;
    while ((c = getchar()) != EOF && c != '\\n')
        if (c == '%')
            count++;
        else if (count == 2 && c == '#')
            assert(0);
    return count;
}
"""

ASSUMED = """#include <assert.h>
extern int nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        int x = nondet_int();
        __VERIFIER_assume(x >= 300 && x <= 312);
        sum += x;
    }
    assert(sum < 1830);
    return 0;
}
"""

KINDS = """#include <assert.h>
extern double nondet_double(void);
extern _Bool nondet_bool(void);
extern unsigned char nondet_uchar(void);
int main(void)
{
    double d = nondet_double();
    _Bool b = nondet_bool();
    unsigned char c = nondet_uchar();
    assert(!(d == 0.5 && b && c == 217));
    return 0;
}
"""


NUMBERS = """
#include <assert.h>
int nondet_int(void);
double nondet_double(void);
int main(void) {
    int kept, sum = 0;
    for (int i = 0;; i++) {
        int x = nondet_int();
        if (x < 0) return kept != 0;
        sum += x;
        if (nondet_double() == 0.5 && i > 1) assert(sum != 21 + kept);
    }
}
"""

LONG = """
#include <assert.h>
int nondet_int(void);
int main(void) {
    int last = 0;
    for (int i = 0;; i++) {
        int x = nondet_int();
        if (x < 0) return 0;
        if (i > 70) last = x;
        assert(last != 4711);
    }
}
"""


NOTHING = FuzzedExecutions(failing=(), passing=(), unwindset={})


def tried(tmp_path: Path, text: str, native: Native = "on", rounds: int = 60) -> FuzzedExecutions:
    """What the first round finds in which an execution fails, or the last of so many."""
    path = tmp_path / "p.c"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions())
    done = Fuzzer(program, {item.id for item in program.properties}, native).rounds(1.0)
    return [*islice(done, rounds)][-1]


def test_inputs_are_drawn_from_what_the_program_speaks_of_and_shortened(tmp_path: Path) -> None:
    found = tried(tmp_path, MAGIC)
    assert found.failing
    texts = [bytes(int(value.value) for value in run.inputs) for run in found.failing]
    assert all(text.count(b"%") >= 2 and text.endswith(b"#") for text in texts)
    assert min(map(len, texts)) <= 12
    assert [run.id for run in (*found.failing, *found.passing)] == list(
        range(1, len(found.failing) + len(found.passing) + 1)
    )
    assert len({run.covered for run in found.passing}) == len(found.passing) > 0
    assert found.unwindset["main.0"] >= max(map(len, texts))


def test_inputs_that_break_an_assumption_are_drawn_again(tmp_path: Path) -> None:
    found = tried(tmp_path, ASSUMED)
    assert found.failing
    for execution in (*found.failing, *found.passing):
        assert all(300 <= int(value.value) <= 312 for value in execution.inputs)


def test_inputs_of_every_kind_are_drawn(tmp_path: Path) -> None:
    assert [str(value.value) for value in tried(tmp_path, KINDS).failing[0].inputs] == ["0.5", "1", "217"]


def test_compiled_runs_find_what_drawn_inputs_do_not(tmp_path: Path) -> None:
    text = """
        #include <assert.h>
        int nondet_int(void);
        unsigned char nondet_uchar(void);
        int main(void) {
            int missing, kept[2];
            for (int i = 0; i < 8; i++) {
                if (nondet_int() != 1000 + 37 * i * i) return 0;
                if (nondet_uchar() > 200 && kept[i % 2] == 5) return 1;
            }
            assert(missing == 5);
            return 0;
        }
        """
    found = tried(tmp_path, text)
    assert {run.property for run in found.failing} == {"main.assertion.1"}
    for run in found.failing:
        asked = [int(value.value) for value in run.inputs if value.type == "int" and value.memory is None]
        assert asked == [1000 + 37 * i * i for i in range(8)]


def test_what_fails_natively_is_executed_as_far_as_it_went_there(tmp_path: Path) -> None:
    rounds = 2 * policy().fuzzing.rounds
    text = f"""
        #include <assert.h>
        int nondet_int(void);
        int main(void) {{
            int x = nondet_int(), sum = 0;
            for (int i = 0; i < {rounds}; i++) sum += i & x;
            assert(x != 4711);
            return 0;
        }}
        """
    found = tried(tmp_path, text)
    assert [[str(value.value) for value in run.inputs] for run in found.failing] == [["4711"]]
    assert found.unwindset["main.0"] >= rounds


def test_what_compiled_code_does_not_notice_is_found_behind_what_it_found(tmp_path: Path) -> None:
    text = """
        #include <stdlib.h>
        unsigned char nondet_uchar(void);
        int nondet_int(void);
        int main(void) {
            unsigned char *text = malloc(6), last = 0;
            for (int n = 0; n < 6; n++) text[n] = nondet_uchar();
            for (int n = 0; n < 6; n++) if (text[n] != "<!--#%"[n]) return n;
            int at = nondet_int();
            if (at >= 0 && at <= 6) last = text[at];
            return last != 0;
        }
        """
    found = tried(tmp_path, text)
    assert {str(run.inputs[-1].value) for run in found.failing} == {"6"}
    assert {(run.property or "").split(".")[1] for run in found.failing} == {"pointer"}


def test_without_gcc_inputs_are_drawn_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfo.execution.native.fuzz.missing_native_build_tool", lambda: "gcc")
    found = tried(tmp_path, ASSUMED)
    assert found.failing


def test_without_a_failing_execution_there_are_further_rounds(tmp_path: Path) -> None:
    found = tried(tmp_path, MAGIC.replace("assert(0)", "assert(1)"), rounds=3)
    assert found.failing == ()
    assert found.passing


@pytest.mark.parametrize("native", ["on", "off"])
def test_rounds_find_the_same_whatever_else_the_machine_does(native: Native, tmp_path: Path) -> None:
    quiet = tried(tmp_path, NUMBERS, native)
    busy = [ParallelWorkerRounds(_work_for_ever, 1) for _ in range(4)]
    try:
        assert tried(tmp_path, NUMBERS, native) == quiet
    finally:
        for one in busy:
            one.end()


def _work_for_ever() -> Iterator[str]:
    while True:
        pass
    yield "never"


@pytest.fixture
def at_once(tune: Tune) -> None:
    """Fuzzing begins at once, and what its first round finds is looked at before the first question."""
    tune(portfolio={"fuzz_after": 0.0, "round": 0.001})
    tune(fuzzing={"least_seconds": 2.0})


@pytest.fixture
def content(monkeypatch: pytest.MonkeyPatch, tune: Tune, at_once: None) -> None:  # noqa: ARG001
    """What is tried is enough at once, however much the search may have to do; no questions go on from it."""
    tune(portfolio={"content_after": 0.0, "least_searched": 0.0})
    monkeypatch.setattr(_BoundPhase, "_told", lambda *_: None)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search waits for what is tried, however many rounds that takes."""
    original = Portfolio.step

    def later(self: Portfolio) -> None:
        original(self)
        while self._rounds is not None and not self._rounds._is_over:
            self._rounds._receive(math.inf)

    monkeypatch.setattr(Portfolio, "step", later)


@pytest.mark.usefixtures("content", "slow")
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_tried_counts_when_the_search_has_had_its_time(jobs: int, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(MAGIC)
    options = PipelineOptions(program=ProgramOptions(), passing=20, rank="full", jobs=jobs)
    result = run_localize_pipeline([str(path)], options)
    assert (result.verdict, result.optimal, result.stopped) == ("violated", False, None)
    assert result.reason == "only some inputs were tried"
    assert any("tried one after the other" in note for note in result.notes)
    assert result.dataset.failing
    assert result.dataset.passing
    assert set(result.undecided) == set(result.intersection)
    assert result.angelic is not None


@pytest.mark.usefixtures("content", "slow")
def test_the_same_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.c"
    path.write_text(MAGIC)
    assert cli.main(["check", str(path), "--format", "json"]) == 10
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "violated"
    assert {item["id"]: item["status"] for item in found["properties"]}["main.assertion.1"] == "violated"
    assert cli.main(["localize", str(path), "--no-replay", "--rank", "coverage", "-v"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "not proved optimal (only some inputs were tried): some failing execution may avoid" in shown
    assert "nothing is proved of others" in shown


@pytest.mark.usefixtures("at_once", "slow")
@pytest.mark.parametrize("jobs", [1, 2])
def test_questions_go_on_from_what_was_tried_within_a_near_bound(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    tune(bound={"near": 60})
    told: list[bool] = []
    original = BmcOracle.tell

    def noted(self: BmcOracle, *arguments: Any) -> bool:
        told.append(original(self, *arguments))
        return told[-1]

    monkeypatch.setattr(BmcOracle, "tell", noted)
    path = tmp_path / "p.c"
    path.write_text(MAGIC)
    expected = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), unwind=5, jobs=1))
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), jobs=jobs))
    assert (result.verdict, result.optimal, result.reason) == ("violated", True, None)
    assert result.intersection == expected.intersection
    assert told == [*[False] * (len(told) - 1), True]
    assert [run.id for run in result.dataset.failing] == list(range(1, len(result.dataset.failing) + 1))
    assert result.bound.unwind is not None
    assert not any("tried" in note for note in result.notes)
    for unwind, verdict in ((result.bound.unwind, "violated"), (2, "safe")):
        assert (
            localize_pipeline_checks(
                [str(path)], PipelineOptions(program=ProgramOptions(), unwind=unwind)
            ).verdict
            == verdict
        )


def test_executions_that_are_known_are_answers_within_their_bound(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(NUMBERS)
    program = load_c_program([str(path)], ProgramOptions())
    runs = tried(tmp_path, NUMBERS).failing
    hint = (5, "2.5", 7, "0.5", 9, "0.5")
    for unwind, fails in ((2, False), (3, True)):
        encoded = encode_program(program, Bound(unwind=unwind, free=True))
        oracle = BmcOracle(encoded, SolverQueryLoop(solver_to_ask("auto", encoded.terms)))
        assert oracle.tell([], [hint]) == fails
        inputs, execution = decode_model_values_in_turn(encoded, hint, only_calls=True)
        assert execution == oracle.execution(inputs)
        assert (execution.outcome == "fail") == fails
        if fails:
            assert [value.value for value in execution.inputs if value.memory is None] == list(hint)
            known = [
                run for run in runs if decode_model_values_in_turn(encoded, run.vector)[1].outcome == "fail"
            ]
            for run in known:
                assert decode_model_values_in_turn(encoded, run.vector)[1].covered == run.covered
            assert oracle.tell(known)
            calls = oracle.loop.solver.statistics.calls
            found = [oracle.failing() for _ in range(1 + len(known))]
            assert [one.id for one in found if isinstance(one, Execution)] == list(range(1, 2 + len(known)))
            assert oracle.loop.solver.statistics.calls == calls


def test_what_the_search_finds_itself_comes_first(tmp_path: Path, tune: Tune) -> None:
    tune(portfolio={"fuzz_after": 0.0})
    path = tmp_path / "p.c"
    path.write_text(MAGIC)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), jobs=2))
    assert (result.optimal, result.reason) == (True, None)
    assert not any("tried" in note for note in result.notes)


@pytest.mark.usefixtures("content")
@pytest.mark.parametrize(
    "options",
    [{"unwind": 2}, {"solver_only": True}, {"slicing": "static"}],
    ids=["unwind", "solver", "slice"],
)
def test_nothing_is_tried_where_the_question_is_another_one(
    options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any) -> FuzzedExecutions:
        raise AssertionError("tried")

    monkeypatch.setattr(Fuzzer, "rounds", never)
    path = tmp_path / "p.c"
    path.write_text(MAGIC)
    result = localize_pipeline_checks([str(path)], PipelineOptions(program=ProgramOptions(), **options))
    assert result.verdict in {"safe", "violated"}


def test_longer_executions_than_those_within_the_bounds_are_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    tune(portfolio={"at_last": 60.0})
    path = tmp_path / "p.c"
    path.write_text(LONG)
    options = PipelineOptions(program=ProgramOptions(), passing=20, rank="coverage", max_unwind=8)
    result = run_localize_pipeline([str(path)], options)
    assert (result.verdict, result.optimal) == ("violated", False)
    assert all(int(run.inputs[-1].value) == 4711 for run in result.dataset.failing)
    assert result.bound.unwind is not None
    assert result.bound.unwind >= result.bound.unwindset["main.0"] > 70
    assert any("no execution fails within unwind 8" in note for note in result.notes)
    monkeypatch.setattr(Fuzzer, "rounds", lambda *_: iter([NOTHING]))
    assert localize_pipeline_checks([str(path)], options).verdict == "safe"


@pytest.mark.usefixtures("content")
def test_what_was_tried_in_vain_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fuzzer, "rounds", lambda *_: iter([NOTHING]))
    path = tmp_path / "p.c"
    path.write_text(MAGIC)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions()))
    assert (result.verdict, result.optimal, result.reason) == ("violated", True, None)


@pytest.mark.usefixtures("content", "slow")
def test_questions_end_when_what_was_tried_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    original = SolverQueryLoop.ask

    def slow(self: SolverQueryLoop, *arguments: Any, **options: Any) -> SolverAnswer:
        if self._background is not None:
            asked.append(arguments)
            assert len(asked) < 3
            self._background.step()
            self.must_stop()
            return SolverAnswer.UNKNOWN
        return original(self, *arguments, **options)

    monkeypatch.setattr(SolverQueryLoop, "ask", slow)
    path = tmp_path / "p.c"
    path.write_text(KINDS)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions()))
    assert (result.verdict, result.optimal, result.stopped) == ("violated", False, None)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("stop", ["interrupt", "memory"])
def test_what_stops_the_wait_for_what_is_tried_stops_the_search(
    stop: Stop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> bool:
        raise Halt(stop)

    monkeypatch.setattr(ParallelWorkerRounds, "is_done", stopped)
    path = tmp_path / "p.c"
    path.write_text(MAGIC)
    with pytest.raises(Halt) as raised:
        run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), jobs=2))
    assert raised.value.stop == stop


def test_what_an_interrupted_search_is_told_of_waits_for_no_round(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float | None] = []

    def begun(*_: object) -> None:
        pass

    def not_done(_: object, seconds: float | None) -> bool:
        waited.append(seconds)
        return False

    module: Any = portfolio
    seconds = iter([0.0, *[1000.0] * 10])  # many rounds are due
    monkeypatch.setattr(module, "budget_effort_seconds", lambda: next(seconds))
    monkeypatch.setattr(ParallelWorkerRounds, "__init__", begun)
    monkeypatch.setattr(ParallelWorkerRounds, "is_done", not_done)
    rounds = module._Rounds(None, 2, math.inf)
    assert rounds.ready() is None
    assert waited == [0.0]
    assert rounds.found() is None
    assert waited == [0.0, None]


@pytest.mark.usefixtures("at_once")
def test_what_was_tried_is_known_where_the_first_bound_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: _BoundPhase, _bound: Bound) -> BmcOracle:
        end = time.monotonic() + 60
        while self.trial.ready() is None and time.monotonic() < end:
            time.sleep(0.1)
        raise Halt("interrupt")

    monkeypatch.setattr(_BoundPhase, "_bmc_oracle", interrupted)
    path = tmp_path / "p.c"
    path.write_text(MAGIC)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), jobs=2))
    assert (result.verdict, result.stopped) == ("violated", "interrupt")
    assert result.dataset.executions


def test_what_is_known_is_kept_when_the_time_ends_with_a_worker_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    tune(portfolio={"fuzz_after": 0.0})
    ended: list[ParallelWorkerRounds[Any]] = []
    original = ParallelWorkerRounds.end

    def late(self: ParallelWorkerRounds[Any]) -> None:
        ended.append(self)
        if len(ended) == 1:
            raise Halt("timeout")
        original(self)

    monkeypatch.setattr(ParallelWorkerRounds, "end", late)
    path = tmp_path / "p.c"
    path.write_text(MAGIC)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), jobs=2))
    assert len(ended) == 2
    assert (result.verdict, result.stopped) == ("violated", "timeout")


def test_failing_executions_that_go_the_same_way_are_kept_beside_the_others(tmp_path: Path) -> None:
    found = tried(tmp_path, ASSUMED.replace("1830", "1801"))
    assert len(found.failing) == 1
    assert found.others
    vectors = [run.vector for run in (*found.failing, *found.others)]
    assert len(set(vectors)) == len(vectors)
    assert {run.outcome for run in found.others} == {"fail"}
    assert {run.covered for run in found.others} == {found.failing[0].covered}


def test_a_reference_may_read_on_where_the_program_has_failed(tmp_path: Path) -> None:
    text = """
    int nondet_int(void);
    static int total, table[2] = {3, 4};
    int main(void)
    {
        for (int n = 0; n < 3; n++)
            total += nondet_int() == 7 ? table[INDEX] : 1;
        return total;
    }
    """
    old, new = tmp_path / "old.c", tmp_path / "new.c"
    old.write_text(text.replace("INDEX", "1"))
    new.write_text(text.replace("INDEX", "2"))
    program = load_c_program([str(new)], ProgramOptions(reference=(str(old),)))
    values = iter([7, 5, 6])
    encoded = encode_program(
        program, Bound(unwind=None, free=True), inputs=EncodeSuppliedValues(lambda _: next(values))
    )
    assert encoded.concrete.missing_input is None
    run = decode_only_execution(encoded, 0, {item.id for item in program.properties})
    assert run.outcome == "fail"
    assert [item.value for item in run.inputs] == [7]
    assert [value for value, _ in run.reference_inputs.values()] == [7, 5, 6]
    again = encode_program(
        program,
        Bound(unwind=None, free=True),
        inputs=EncodeFixedValues(run.vector, reference=run.reference_inputs),
    )
    assert decode_only_execution(again, 0, {item.id for item in program.properties}).outcome == "fail"


@pytest.mark.usefixtures("content")
@pytest.mark.parametrize("jobs", [1, 2])
def test_only_a_step_begins_to_fuzz(jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No question and no predicate does."""
    callers: list[set[str]] = []
    original = Portfolio._start

    def seen(self: Portfolio, *arguments: Any) -> None:
        callers.append({frame.function for frame in inspect.stack()})
        original(self, *arguments)

    monkeypatch.setattr(Portfolio, "_start", seen)
    path = tmp_path / "p.c"
    path.write_text(KINDS)
    run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), jobs=jobs))
    assert callers
    for names in callers:
        assert "step" in names
        assert names.isdisjoint({"poll", "must_stop"})


def test_to_poll_changes_nothing(tmp_path: Path, tune: Tune) -> None:
    tune(portfolio={"fuzz_after": 0.0})
    path = tmp_path / "p.c"
    path.write_text(KINDS)
    program = load_c_program([str(path)], ProgramOptions())
    loop = SolverQueryLoop(make_solver("auto", Terms()), time.monotonic() + 100)
    trial = Portfolio(program, frozenset(p.id for p in program.properties), loop, 1, "off", is_wanted=True)
    with loop.beside(trial):
        trial.step()
        for _ in range(10):
            before = dict(vars(trial))
            assert loop.poll() is None
            assert dict(vars(trial)) == before
    trial.close()


@pytest.mark.parametrize(("jobs", "patience"), [(1, 1.0), (2, 1.0), (1, 0.0)])
def test_a_search_waits_for_the_rounds_that_are_due(
    jobs: int, patience: float, tmp_path: Path, tune: Tune
) -> None:
    tune(portfolio={"fuzz_after": 0.0, "round": 0.5})
    path = tmp_path / "p.c"
    path.write_text(MAGIC)
    program = load_c_program([str(path)], ProgramOptions())
    loop = SolverQueryLoop(make_solver("auto", Terms()))
    chosen = frozenset(p.id for p in program.properties)
    trial = Portfolio(program, chosen, loop, jobs, "off", is_wanted=True, patience=patience)
    trial.step()
    for _ in range(40):
        if trial.poll() is not None:
            break
        effort.charge_effort(effort.SECOND // 4)
    number = next(n for n, found in enumerate(_rounds(program, 0.5), start=1) if found.failing)
    assert trial._rounds is not None
    assert trial._rounds._known == number
    news = trial.news()
    assert news is not None
    assert news == next(found for found in _rounds(program, 0.5) if found.failing)
    # A search that is patient goes on for an answer of its own, from which more is proved.
    assert (trial.poll(), trial.news()) == (None if patience else "tried", None)
    trial.close()


def test_a_search_that_had_no_time_for_a_step_has_its_rounds_at_the_end(tmp_path: Path, tune: Tune) -> None:
    """Fuzzed executions are looked at behind a formula that took all of the effort."""
    tune(portfolio={"fuzz_after": 0.0, "round": 0.5})
    path = tmp_path / "p.c"
    path.write_text(MAGIC)
    program = load_c_program([str(path)], ProgramOptions())
    number = next(n for n, found in enumerate(_rounds(program, 0.5), start=1) if found.failing)
    loop = SolverQueryLoop(make_solver("auto", Terms()))
    chosen = frozenset(p.id for p in program.properties)
    trial = Portfolio(program, chosen, loop, 1, "off", is_wanted=True)
    effort.charge_effort((number + 1) * effort.SECOND // 2)
    assert trial.found() is None
    found = trial.overdue()
    trial.close()
    assert found is not None
    assert isinstance(found.failing(), Execution)


def _rounds(program: Program, seconds: float) -> Iterator[FuzzedExecutions]:
    return Fuzzer(program, {item.id for item in program.properties}, "off").rounds(seconds)
