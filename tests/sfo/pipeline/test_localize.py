"""The pipeline over hand-made programs; `tests/sfo/cli/test_cli.py` runs it on C."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from cfrontend.bound import Bound, UnrolledBound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.encoded_program import EncodedConcreteExecution, EncodedProgram
from cfrontend.errors import InputError, Location, ResourceError, UnsupportedError, UsageError
from cfrontend.events import InputEvent
from cfrontend.program import ProgramOptions
from cfrontend.slice.reachable_definitions import ReachableDefinitions
from cfrontend.terms import FALSE, TRUE, Terms
from cfrontend.units import Property, Unit
from sfo.formats.vectors import parse_vectors
from sfo.oracles.protocol import UnknownOracleAnswer
from sfo.pipeline import session as pipeline
from sfo.pipeline import unreachable_code
from sfo.pipeline.localize import localize_pipeline_checks, localize_pipeline_dataset, run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.run_vectors import run_vectors
from sfo.solvers import ask as asking
from sfo.test_generation.bound_search import run_bound_search
from tests.sfo.models import PAPER_SPECTRA, PAPER_VECTORS, encoded, minmax, site

pytestmark = pytest.mark.usefixtures("patience")

OPTIONS = PipelineOptions(program=ProgramOptions(), rank="coverage")


@dataclass(frozen=True)
class Loops:
    """A function with one loop."""

    foreign: bool = False
    instructions: tuple[object, ...] = ()

    def loops(self) -> tuple[tuple[str, int, int], ...]:
        return (("f.0", 0, 1),)


@dataclass(frozen=True)
class Goto:
    """As much of a goto program as the pipeline looks at."""

    functions: dict[str, Loops] = field(default_factory=lambda: {"f": Loops()})
    start: Loops = field(default_factory=Loops)
    own_size: int = 0
    assumed: frozenset[str] = frozenset()
    failing_label: str | None = None
    reads_finite_numbers: bool = False

    def own_functions(self) -> Iterable[Loops]:
        return self.functions.values()


@dataclass
class FakeTree:
    reads_text: bool = False


@dataclass(frozen=True)
class FakeProgram:
    units: tuple[Unit, ...]
    properties: tuple[Property, ...]
    files: dict[str, tuple[str, ...]] = field(default_factory=dict)
    goto: Goto = field(default_factory=Goto)
    tree: FakeTree = field(default_factory=FakeTree)
    seconds: dict[str, float] = field(default_factory=lambda: {"parse": 0.25})
    reads_arguments: bool = False
    harness: None = None
    around: None = None
    options: ProgramOptions = field(default_factory=ProgramOptions)
    reference: None = None
    older: None = None
    start: str = "main"
    specifying: frozenset[int] = frozenset()
    trusted_units: frozenset[int] = frozenset()


Encode = Callable[[Terms, Bound], EncodedProgram]


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Callable[[Encode], list[Bound]]:
    """Make `run_localize_pipeline` see the program that `encode` gives; returns the bounds it was asked for."""

    def install(make: Encode) -> list[Bound]:
        asked: list[Bound] = []
        sample = make(Terms(), Bound(unwind=1))

        def encode(_program: Any, bound: Bound, *, terms: Terms | None = None, **_: Any) -> EncodedProgram:
            asked.append(bound)
            return make(terms or Terms(), bound)

        monkeypatch.setattr(
            pipeline, "load_c_program", lambda *_: FakeProgram(sample.units, sample.properties)
        )
        monkeypatch.setattr(pipeline, "encode_program", encode)
        monkeypatch.setattr("sfo.pipeline.run_vectors.encode_program", encode)
        monkeypatch.setattr("sfo.pipeline.results.trace_nearness", lambda *_: {})
        nothing = ReachableDefinitions(functions=frozenset(), variables=frozenset())
        monkeypatch.setattr(unreachable_code, "definitions_reachable_from", lambda *_: nothing)
        return asked

    return install


Install = Callable[[Encode], list[Bound]]


def loop_failing_at(k: int, cut_until: int = 1000) -> Encode:
    """A loop of x rounds that violates in round k; it is cut by every bound below `cut_until`."""

    def make(t: Terms, bound: Bound) -> EncodedProgram:
        x = t.var("x", 8)
        rounds = bound.unwind or 0
        fails = t.eq(x, t.const(k, 8)) if rounds >= k else FALSE
        cut = t.ult(t.const(rounds, 8), x) if rounds < cut_until else FALSE
        return replace(
            encoded(t, {1: TRUE, 2: t.ult(t.const(1, 8), x)}, fails, inputs=[x], cut=cut),
            unrolled=UnrolledBound(unwindset={"main.0": rounds}),
        )

    return make


def test_minmax_without_passing_runs_ties_c1_and_c4(program: Install) -> None:
    program(lambda t, _: minmax(t))
    result = run_localize_pipeline(["minmax.c"], OPTIONS)
    assert (result.verdict, result.optimal, result.intersection, result.undecided) == (
        "violated",
        True,
        (1, 4),
        (),
    )
    assert [line.unit for line in result.ranking[:2]] == [1, 4]
    assert result.ranking[0].score == result.ranking[1].score == len(result.dataset.failing)
    assert result.bound.complete is True
    assert result.properties[0].status == "violated"
    assert result.stopped is None


def test_minmax_with_passing_runs_puts_c4_first(program: Install) -> None:
    program(lambda t, _: minmax(t))
    result = run_localize_pipeline(["minmax.c"], replace(OPTIONS, passing=20))
    assert result.ranking[0].unit == 4
    assert [e.outcome for e in result.dataset.executions] == sorted(
        e.outcome or "" for e in result.dataset.executions
    )
    assert [e.id for e in result.dataset.executions] == list(range(1, len(result.dataset.executions) + 1))
    assert result.statistics.calls == sum(result.statistics.stage_calls.values())
    assert set(result.statistics.seconds) == {
        "total",
        "parse",
        "bound",
        "encode",
        "failing",
        "passing",
        "translate",
        "solve",
    }


def test_auto_finds_the_smallest_failing_bound(program: Install) -> None:
    asked = program(loop_failing_at(3))
    result = run_localize_pipeline(["loop.c"], OPTIONS)
    assert [bound.unwind for bound in asked] == [1, 2, 3]
    assert all(bound.free for bound in asked)
    assert (result.bound.unwind, result.bound.unwindset, result.bound.complete) == (3, {"main.0": 3}, False)


def test_a_given_bound_is_the_only_one_and_binds_every_loop(program: Install) -> None:
    asked = program(loop_failing_at(3))
    result = run_localize_pipeline(["loop.c"], replace(OPTIONS, unwind=2, unwindset={"f.0": 7}))
    assert asked == [Bound(unwind=2, unwindset={"f.0": 7}, free=False)]
    assert (result.verdict, result.bound.complete, result.ranking) == ("safe", False, ())
    assert result.properties[0].status == "safe"
    assert result.optimal is None


def test_a_bound_for_a_loop_that_is_not_there_is_refused(program: Install) -> None:
    program(loop_failing_at(3))
    with pytest.raises(UsageError, match=r"no loop 'g\.0' in this program"):
        run_localize_pipeline(["loop.c"], replace(OPTIONS, unwindset={"g.0": 7}))


def test_auto_ends_when_the_program_is_complete(program: Install) -> None:
    asked = program(loop_failing_at(100, cut_until=4))
    result = run_localize_pipeline(["loop.c"], OPTIONS)
    assert len(asked) == 4
    assert (result.verdict, result.bound.complete) == ("safe", True)


def test_auto_ends_at_the_largest_unwinding(program: Install) -> None:
    asked = program(loop_failing_at(100))
    result = run_localize_pipeline(["loop.c"], replace(OPTIONS, max_unwind=5))
    assert len(asked) == 5
    assert (result.verdict, result.bound.unwind, result.bound.complete) == ("safe", 5, False)


def test_a_time_limit_during_the_search_keeps_what_is_known(
    program: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(loop_failing_at(100))
    inner = pipeline.encode_program

    def slow(source: Any, bound: Bound, **given: Any) -> EncodedProgram:
        if bound.unwind == 3:
            clock.append(1000.0)
            raise ResourceError("time limit")
        return inner(source, bound, **given)

    clock = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[-1])
    monkeypatch.setattr(pipeline, "encode_program", slow)
    monkeypatch.setattr("sfo.pipeline.run_vectors.encode_program", slow)
    result = run_localize_pipeline(["loop.c"], replace(OPTIONS, timeout=10))
    assert (result.verdict, result.stopped, result.bound.unwind) == ("unknown", "timeout", 2)
    assert result.reason == "the time limit was reached; there is no failing execution within unwind 2"


def test_ctrl_c_during_the_search_keeps_what_is_known(
    program: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(loop_failing_at(100))
    inner = pipeline.encode_program

    def interrupted(source: Any, bound: Bound, **given: Any) -> EncodedProgram:
        if bound.unwind == 2:
            raise KeyboardInterrupt
        return inner(source, bound, **given)

    monkeypatch.setattr(pipeline, "encode_program", interrupted)
    monkeypatch.setattr("sfo.pipeline.run_vectors.encode_program", interrupted)
    result = run_localize_pipeline(["loop.c"], OPTIONS)
    assert (result.verdict, result.stopped, result.bound.unwind) == ("unknown", "interrupt", 1)


def test_ctrl_c_during_algorithm_1_ranks_the_failing_runs_found(
    program: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(lambda t, _: minmax(t))
    original = asking.make_solver

    def make_solver(name: str, terms: Terms) -> Any:
        solver = original(name, terms)
        check_ = solver.check
        calls: list[int] = []

        def check(*arguments: Any) -> Any:
            calls.append(1)
            if len(calls) == 2:
                raise KeyboardInterrupt
            return check_(*arguments)

        monkeypatch.setattr(solver, "check", check)
        return solver

    monkeypatch.setattr(asking, "make_solver", make_solver)
    result = run_localize_pipeline(["minmax.c"], replace(OPTIONS, passing=20))
    assert (result.verdict, result.optimal, result.stopped) == ("violated", False, "interrupt")
    assert result.reason == "interrupted"
    assert len(result.dataset.failing) == 1
    assert set(result.undecided) == result.dataset.failing[0].covered - {
        1
    }  # nothing avoids C1: no call needed
    assert [line.unit for line in result.ranking] == sorted(
        range(1, 6), key=lambda u: (u not in result.dataset.failing[0].covered, u)
    )


def test_failing_runs_without_a_common_unit_are_explained(program: Install) -> None:
    def make(t: Terms, _: Bound) -> EncodedProgram:
        x = t.var("x", 1)
        zero = t.eq(x, t.const(0, 1))
        return encoded(
            t,
            {1: zero, 2: t.not_(zero)},
            {"main.assertion.1": zero, "main.assertion.2": t.not_(zero)},
            inputs=[x],
        )

    program(make)
    result = run_localize_pipeline(["two.c"], OPTIONS)
    assert result.intersection == ()
    assert result.optimal is True
    assert "no single unit explains all failing executions" in result.notes[0]
    assert "--property" in result.notes[0]
    one = run_localize_pipeline(["two.c"], replace(OPTIONS, properties=("main.assertion.2",)))
    assert one.intersection == (2,)
    assert one.notes == ()
    assert [item.status for item in one.properties] == ["unknown", "violated"]


def test_a_reactive_program_has_no_passing_run(program: Install) -> None:
    def make(t: Terms, _: Bound) -> EncodedProgram:
        x = t.var("x", 2)
        return encoded(t, {1: TRUE}, t.eq(x, t.const(0, 2)), inputs=[x], cut=TRUE)

    program(make)
    (note,) = run_localize_pipeline(["reactive.c"], replace(OPTIONS, passing=20, reactive=False)).notes
    assert "main loop never ends" in note


def test_a_program_that_always_fails_has_no_passing_run(program: Install) -> None:
    program(lambda t, _: encoded(t, {1: TRUE}, TRUE))
    (note,) = run_localize_pipeline(["fails.c"], replace(OPTIONS, passing=20)).notes
    assert "no passing execution at all" in note


def test_generate_has_no_ranking(program: Install) -> None:
    program(lambda t, _: minmax(t))
    result = localize_pipeline_dataset(["minmax.c"], replace(OPTIONS, passing=20))
    assert (result.measure, result.rank, result.ranking) == (None, None, ())
    assert result.dataset.failing
    assert result.dataset.passing


def test_check_decides_each_property(program: Install) -> None:
    def make(t: Terms, _: Bound) -> EncodedProgram:
        x = t.var("x", 2)
        is_ = [t.eq(x, t.const(n, 2)) for n in range(4)]
        return encoded(t, {1: TRUE}, {
            "main.assertion.1": is_[0], "main.assertion.2": FALSE, "main.assertion.3": is_[2],
        }, inputs=[x])  # fmt: skip

    program(make)
    result = localize_pipeline_checks(["p.c"], OPTIONS)
    assert [item.status for item in result.properties] == ["violated", "safe", "violated"]
    assert {e.property for e in result.dataset.executions} == {"main.assertion.1", "main.assertion.3"}
    assert (result.verdict, result.optimal, result.ranking, result.measure) == ("violated", None, (), None)


def test_check_of_a_safe_program(program: Install) -> None:
    program(loop_failing_at(100, cut_until=2))
    result = localize_pipeline_checks(["loop.c"], OPTIONS)
    assert (result.verdict, result.dataset.executions, result.properties[0].status) == ("safe", (), "safe")


def test_properties_must_exist(program: Install) -> None:
    program(lambda t, _: minmax(t))
    with pytest.raises(UsageError, match=r"no property 'main\.assertion\.9'"):
        run_localize_pipeline(["minmax.c"], replace(OPTIONS, properties=("main.assertion.9",)))
    program(lambda t, _: replace(minmax(t), properties=()))
    for command in (run_localize_pipeline, localize_pipeline_dataset, localize_pipeline_checks):
        with pytest.raises(InputError, match="no property to violate"):
            command(["minmax.c"], OPTIONS)


@pytest.mark.parametrize(("option", "value"), [("measure", "best"), ("solver", "oracle")])
def test_names_are_checked_before_any_work(option: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(pipeline, "load_c_program", load)
    with pytest.raises(UsageError, match=value):
        run_localize_pipeline(["minmax.c"], replace(OPTIONS, **{option: value}))


# -- given vectors -----------------------------------------------------------------------------------------------


@pytest.fixture
def concrete_minmax(program: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    """minmax.c on 8-bit inputs, encoded for fixed inputs as the front end does it."""
    program(lambda t, _: minmax(t, width=8))

    def encode(_program: Any, _bound: Bound, *, inputs: EncodeFixedValues, **_: Any) -> EncodedProgram:
        t, given = Terms(), [value for value in inputs.values if isinstance(value, int)]
        if len(given) < 3:
            missing = EncodedConcreteExecution(missing_input=site(f"input{len(given) + 1}", 8))
            return replace(minmax(t, width=8), concrete=missing)
        values = [t.const(value, 8) for value in given[:3]]
        model = _fixed(t, values)
        return replace(model, concrete=EncodedConcreteExecution(unused_inputs=len(given) - 3))

    monkeypatch.setattr(pipeline, "encode_program", encode)
    monkeypatch.setattr("sfo.pipeline.run_vectors.encode_program", encode)


def _fixed(t: Terms, values: list[int]) -> EncodedProgram:
    """minmax with constants for its variables."""
    original, t.var = t.var, lambda name, _width: values[int(name[-1]) - 1]  # type: ignore[method-assign]
    model = minmax(t, width=8)
    t.var = original  # type: ignore[method-assign]
    events = tuple(
        InputEvent(site=e.site, value=v, condition=TRUE) for e, v in zip(model.inputs, values, strict=True)
    )
    return replace(model, inputs=events)


def csv(*vectors: Sequence[int]) -> Any:
    text = "".join(",".join(map(str, vector)) + "\n" for vector in vectors)
    return parse_vectors(f"input1,input2,input3\n{text}", "v.csv")


@pytest.mark.usefixtures("concrete_minmax")
def test_the_paper_example() -> None:
    result = run_vectors(["minmax.c"], csv(*PAPER_VECTORS), OPTIONS)
    assert [line.unit for line in result.ranking] == [4, 1, 3, 5, 2]
    assert [line.score for line in result.ranking] == [2.875, 2.125, 0.75, 0.625, -0.375]
    spectra = [result.dataset.spectrum(u) for u in range(1, 6)]
    assert [(s.ef, s.ep, s.nf, s.np) for s in spectra] == list(PAPER_SPECTRA)
    assert result.verdict == "violated"
    assert result.statistics.calls == 0


@pytest.mark.usefixtures("concrete_minmax")
def test_vectors_that_pass_are_not_ranked() -> None:
    result = run_vectors(["minmax.c"], csv((0, 1, 0)), OPTIONS)
    assert (result.verdict, result.ranking, len(result.dataset.executions)) == ("unknown", (), 1)


@pytest.mark.usefixtures("concrete_minmax")
@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (
            [(0, 1, 2), (0, 1)],
            "v.csv:3:1: row too short: it has 2 values, and the read of input3 (int) at minmax.c:10:9 found none",
        ),
        (
            [(7,)],
            "v.csv:2:1: row too short: it has 1 value, and the read of input2 (int) at minmax.c:10:9 found none",
        ),
        ([(0, 1, 2, 3)], "v.csv:2:7: row too long: column 4 is never read"),
        ([(0, 1, 300)], "v.csv:2:5: 300 does not fit into input3 (int)"),
        ([(0, -129, 3)], "v.csv:2:3: -129 does not fit into input2 (int)"),
    ],
)
def test_rows_that_do_not_fit(vectors: list[Sequence[int]], message: str) -> None:
    with pytest.raises(UsageError) as error:
        run_vectors(["minmax.c"], csv(*vectors), OPTIONS)
    assert str(error.value) == message


@pytest.mark.usefixtures("concrete_minmax")
def test_both_readings_of_the_top_bit_fit() -> None:
    result = run_vectors(["minmax.c"], csv((255, -1, -128)), OPTIONS)
    assert [value.value for value in result.dataset.executions[0].inputs] == [-1, -1, -128]


@pytest.mark.usefixtures("concrete_minmax")
def test_ctrl_c_between_vectors_keeps_those_before(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = pipeline.encode_program

    def interrupted(source: Any, bound: Bound, *, inputs: EncodeFixedValues, **given: Any) -> EncodedProgram:
        if inputs.values[0] == 9:
            raise KeyboardInterrupt
        return inner(source, bound, inputs=inputs, **given)

    monkeypatch.setattr(pipeline, "encode_program", interrupted)
    monkeypatch.setattr("sfo.pipeline.run_vectors.encode_program", interrupted)
    result = run_vectors(["minmax.c"], csv((2, 0, 1), (9, 0, 1), (2, 0, 1)), OPTIONS)
    assert (result.stopped, len(result.dataset.executions), len(result.ranking)) == ("interrupt", 1, 5)


@dataclass
class Scripted:
    """An oracle within one bound that gives these answers, one after the other."""

    answers: list[Any]
    is_complete: bool
    is_late: bool = False
    grows: bool = True
    tires: bool = False
    solver_loop: None = None
    exhausted: bool = False

    @property
    def loop(self) -> Any:
        up = self.is_late
        return type(
            "Loop", (), {"must_stop": staticmethod(lambda: up), "why": staticmethod(lambda: "timeout")}
        )

    def failing(self, *_: Any, **__: Any) -> Any:
        return self.answers.pop(0)

    def complete(self) -> bool:
        return self.is_complete

    def is_exhausted(self) -> bool:
        return self.exhausted


@pytest.mark.parametrize(
    ("oracles", "skipped"),
    [
        ([Scripted([UnknownOracleAnswer("unknown"), None], is_complete=True)], ()),
        (
            [
                Scripted([UnknownOracleAnswer("unknown")], is_complete=False),
                Scripted([None], is_complete=True),
            ],
            (),
        ),
        (
            [
                Scripted([UnknownOracleAnswer("unknown")], is_complete=False),
                Scripted([UnknownOracleAnswer("unknown"), None], is_complete=True),
            ],
            (),
        ),
    ],
)
def test_a_bound_that_is_decided_in_the_end_is_not_skipped(
    oracles: list[Scripted], skipped: tuple[int, ...]
) -> None:
    given = dict(enumerate(oracles, start=1))
    search = run_bound_search([Bound(unwind=n) for n in given], lambda bound: given[bound.unwind or 0])  # type: ignore[arg-type, return-value]
    assert search.bound.unwind == len(oracles)
    assert search.skipped == skipped


@pytest.mark.parametrize("is_late", [False, True])
def test_nothing_is_looked_for_beyond_the_bounds_when_the_time_is_up(is_late: bool) -> None:
    asked: list[int] = []
    oracles = iter([Scripted([None], is_complete=False, is_late=is_late and n == 3) for n in range(1, 5)])
    run_bound_search(
        [Bound(unwind=n) for n in (1, 2, 3, 4)],
        lambda _bound: next(oracles),  # type: ignore[arg-type, return-value]
        lambda: asked.append(3),  # type: ignore[func-returns-value, return-value, arg-type]
    )
    assert asked == ([] if is_late else [3])


def test_a_search_that_the_time_limit_ends_is_no_proof() -> None:
    given = [Scripted([None], is_complete=False), Scripted([None], is_complete=False, is_late=True)]
    oracles = iter(given)
    search = run_bound_search([Bound(unwind=n) for n in (1, 2, 3)], lambda _bound: next(oracles))  # type: ignore[arg-type, return-value]
    assert isinstance(search.first, UnknownOracleAnswer)
    assert (search.first.stop, search.refuted) == ("timeout", 2)
    oracles = iter([Scripted([None], is_complete=False, is_late=True)])
    search = run_bound_search([Bound(unwind=4)], lambda _bound: next(oracles))  # type: ignore[arg-type, return-value]
    assert search.first is None  # it was decided in time, and nothing more was asked


def test_a_bound_that_no_unwinding_ends_is_not_made_larger() -> None:
    oracles = iter([Scripted([UnknownOracleAnswer("unknown"), None], is_complete=False, grows=False)])
    search = run_bound_search([Bound(unwind=n) for n in (1, 2)], lambda _bound: next(oracles))  # type: ignore[arg-type, return-value]
    assert (search.bound.unwind, search.first, search.complete) == (1, None, False)


def test_no_larger_bound_is_looked_at_where_all_executions_have_ended() -> None:
    """What could not be compared with a reference leaves the bound, and would leave a larger one."""
    oracles = iter([Scripted([None], is_complete=False, exhausted=True)])
    search = run_bound_search([Bound(unwind=n) for n in (1, 2)], lambda _bound: next(oracles))  # type: ignore[arg-type, return-value]
    assert (search.bound.unwind, search.first, search.complete) == (1, None, False)


def test_a_loop_that_needs_no_solver_goes_on_longer_once() -> None:
    asked: list[Bound] = []

    def oracle_for(bound: Bound) -> Scripted:
        asked.append(bound)
        return Scripted([None], is_complete=False, grows=False, tires=True)

    search = run_bound_search([Bound(unwind=n, free=True) for n in (1, 2)], oracle_for)  # type: ignore[arg-type]
    assert (search.bound.unwind, search.first, search.complete) == (1, None, False)
    assert [bound.unwind for bound in asked] == [1, 1]
    assert asked[1].free_limit > asked[0].free_limit


def test_a_larger_bound_that_is_refused_is_unknown() -> None:
    def oracle_for(bound: Bound) -> Scripted:
        if bound.unwind == 3:
            raise UnsupportedError("this is not supported yet", Location("a.c", 1, 2))
        return Scripted(
            [UnknownOracleAnswer("unknown"), None] if bound.unwind == 2 else [None], is_complete=False
        )

    search = run_bound_search([Bound(unwind=n) for n in (1, 2, 3)], oracle_for)  # type: ignore[arg-type]
    assert search.first == UnknownOracleAnswer("unsupported")
    assert (search.bound.unwind, search.refuted) == (2, 2)
    assert search.refused == "a.c:1:2: this is not supported yet"
    with pytest.raises(UnsupportedError):
        run_bound_search([Bound(unwind=3)], oracle_for)  # type: ignore[arg-type]


LONGER = """#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    int n = nondet_int(), k = 0;
    if (n < 0 || n > 5)
        n = 0;
    for (int i = 0; i < n; i++)
        k += 3;
    assert(k > 0);
    return k;
}
"""


@pytest.mark.parametrize("passing", [0, 5])
def test_passing_executions_may_need_a_larger_bound(passing: int, tmp_path: Path) -> None:
    """Those that pass go round the loop once; the smallest failing bound is that of those which do not."""
    path = tmp_path / "longer.c"
    path.write_text(LONGER)
    options = PipelineOptions(program=ProgramOptions(), passing=passing, rank="full")
    result = run_localize_pipeline([str(path)], options)
    assert result.bound.unwind == 1
    assert result.optimal
    assert len({run.id for run in result.dataset.executions}) == len(result.dataset.executions)
    assert bool(result.dataset.passing) == bool(passing)
    assert all(native.status == "agrees" for native in result.native or ())
    assert any("the passing ones are within unwind 2" in note for note in result.notes) == bool(passing)
    assert result.repairs is not None
    assert result.repairs.found


def test_a_bound_that_was_chosen_is_not_widened(tmp_path: Path) -> None:
    path = tmp_path / "longer.c"
    path.write_text(LONGER)
    result = run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), passing=5, unwind=1)
    )
    assert result.dataset.failing
    assert not result.dataset.ending
