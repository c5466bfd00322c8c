"""Phases hand on what is known; what ends one keeps what was known before it."""

from collections.abc import Iterator
from contextlib import contextmanager

from sfo.core.halt import Halt
from sfo.pipeline.phases import PipelinePhase, run_pipeline_phases

Known = tuple[str, ...]


class Stages:
    def __init__(self) -> None:
        self.charged: list[str] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.charged.append(name)
        yield


def adding(name: str, **more: object) -> PipelinePhase[Known]:
    return PipelinePhase(name=name, work=lambda known: (*known, name), **more)  # type: ignore[arg-type]


def test_each_phase_gets_what_the_one_before_it_hands_on() -> None:
    stages, told = Stages(), list[Known]()
    phases = [
        adding("a", told=True),
        adding("b", charged=False),
        adding("c", wanted=lambda known: "x" in known),
        adding("d", told=True),
    ]
    assert run_pipeline_phases(phases, (), stages.stage, tell=told.append) == (
        ("a", "b", "d"),
        None,
    )
    assert stages.charged == ["a", "d"]
    assert told == [("a",), ("a", "b", "d")]


def test_no_phase_begins_once_it_is_over() -> None:
    phases = [adding("a"), adding("b"), adding("c")]
    assert run_pipeline_phases(phases, (), Stages().stage, ended=lambda known: "b" in known) == (
        ("a", "b"),
        None,
    )


def test_what_was_known_before_an_interrupted_phase_is_kept() -> None:
    def late(_: Known) -> Known:
        raise Halt("timeout")

    def interrupted(_: Known) -> Known:
        raise KeyboardInterrupt

    for work, stop in ((late, "timeout"), (interrupted, "interrupt")):
        phases = [adding("a"), PipelinePhase(name="b", work=work), adding("c")]
        assert run_pipeline_phases(phases, (), Stages().stage) == (("a",), stop)


def test_a_budget_is_around_the_work() -> None:
    seen = []

    @contextmanager
    def budget(known: Known) -> Iterator[None]:
        seen.append(("begin", known))
        yield
        seen.append(("end", known))

    run_pipeline_phases([adding("a"), adding("b", budget=budget)], (), Stages().stage)
    assert seen == [("begin", ("a",)), ("end", ("a",))]
