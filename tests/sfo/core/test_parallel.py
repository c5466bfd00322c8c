"""Parts of one work in several processes: what each says, what stops them, what they cost."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from cfrontend.effort import SECOND, charge_effort, spent_effort
from cfrontend.program import ProgramOptions
from sfo.core import parallel
from sfo.core.budget import BudgetClock, budget_effort_seconds
from sfo.core.halt import Halt, Stop, halt_reason_of
from sfo.core.parallel import (
    ParallelPartAnswer,
    ParallelWorkerRounds,
    memory_growth_in_parallel,
    parallel_processors,
    resident_memory_in_parallel,
    work_in_parallel_parts,
)
from sfo.core.repairs import RepairOfSeveralUnits
from sfo.core.result import Result
from sfo.diagnosis import angelic
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.program_repair import search
from tests.tuning import Tune

MIB = 1 << 20

_FORK = multiprocessing.get_context("fork")


@pytest.fixture(autouse=True)
def never_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much other tests have left in this process, copies are made of it."""
    monkeypatch.setattr(parallel, "LARGE", sys.maxsize)


@dataclass(frozen=True)
class Said:
    """What a part says, and who said it."""

    words: str
    process: int
    stop: Stop | None = None


def said(words: str, stop: Stop | None = None) -> Said:
    return Said(words, os.getpid(), stop)


def test_each_part_is_a_process_with_all_that_is_known() -> None:
    known = ["a", "b", "c"]
    for jobs in (1, 2, 3):
        answers, stop = work_in_parallel_parts(lambda part: said(known[part]), 3, BudgetClock(10), jobs)
        assert ([answer.words for answer in answers], stop) == (known, None)
        assert len({os.getpid(), *(answer.process for answer in answers)}) == 4


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_no_part_knows_of_another_one(jobs: int) -> None:
    known: list[int] = []

    def work(part: int) -> Said:
        known.append(part)
        charge_effort(part * SECOND)
        return said(f"{known} {budget_effort_seconds() - begin:.0f}")

    clock, begin = BudgetClock(10), budget_effort_seconds()
    answers, _ = work_in_parallel_parts(work, 3, clock, jobs)
    assert [answer.words for answer in answers] == ["[0] 0", "[1] 1", "[2] 2"]
    assert known == []
    assert round(clock.left) == 7  # what the copies took counts


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_more_work_at_the_same_time_than_jobs(jobs: int, tmp_path: Path) -> None:
    def work(part: int) -> Said:
        (tmp_path / str(part)).touch()
        time.sleep(0.05)
        most = len(list(tmp_path.iterdir()))
        (tmp_path / str(part)).unlink()
        return said(str(most))

    answers, _ = work_in_parallel_parts(work, 5, BudgetClock(10), jobs)
    assert max(int(answer.words) for answer in answers) <= jobs


def test_a_copy_makes_no_copies() -> None:
    def work(part: int) -> Said:
        return (
            work_in_parallel_parts(lambda inner: said(f"{part}{inner}"), 2, BudgetClock(10), 2)[0][1]
            if part
            else said("0")
        )

    answers, _ = work_in_parallel_parts(work, 2, BudgetClock(10), 2)
    assert answers[1].words == "11"
    assert answers[1].process != os.getpid()


def test_a_worker_that_is_interrupted_before_it_begins_says_nothing(
    capfd: pytest.CaptureFixture[str],
) -> None:
    here = os.getpid()
    is_armed = [True]

    def interrupt() -> None:
        if is_armed[0]:
            os.kill(os.getpid(), signal.SIGINT)

    os.register_at_fork(after_in_child=interrupt)
    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # ignored in what a shell starts behind it
    try:
        answers, stop = work_in_parallel_parts(lambda part: said(str(part)), 2, BudgetClock(10), 2)
    finally:
        is_armed[0] = False
        signal.signal(signal.SIGINT, before)
    assert ([(answer.words, answer.process) for answer in answers], stop) == (
        [("0", here), ("1", here)],
        None,
    )
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(("parts", "large"), [(1, sys.maxsize), (3, MIB)])
def test_one_part_alone_and_those_of_a_large_process_are_done_here(
    parts: int, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "LARGE", large)
    answers, _ = work_in_parallel_parts(lambda part: said(str(part)), parts, BudgetClock(10), parts)
    assert answers == [said(str(part)) for part in range(parts)]


@pytest.mark.parametrize("large", [False, True])
def test_each_part_has_its_share_of_the_effort(large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if large:
        monkeypatch.setattr(parallel, "LARGE", MIB)
    clock = BudgetClock(6)

    def spend(part: int) -> Said:
        begin = spent_effort()
        while not clock() and not (part == 0 and spent_effort() - begin >= SECOND):
            charge_effort(SECOND // 100)
        return said(f"{(spent_effort() - begin) / SECOND:.1f}")

    answers, _ = work_in_parallel_parts(spend, 2, clock, 1)
    assert [answer.words for answer in answers] == ["1.0", "3.0"]
    # What they took is counted here, and what they left is left.
    assert clock.left == pytest.approx(2)


def test_a_copy_that_ends_without_an_answer_is_replaced() -> None:
    here = os.getpid()

    def work(part: int) -> Said:
        if os.getpid() != here:
            raise ValueError("not here")
        return said(str(part))

    answers, stop = work_in_parallel_parts(work, 3, BudgetClock(10), 3)
    assert (answers, stop) == ([said("0"), said("1"), said("2")], None)


def test_an_error_of_a_part_is_an_error() -> None:
    def work(part: int) -> Said:
        if part == 1:
            raise ValueError("part 1")
        return said(str(part))

    with pytest.raises(ValueError, match="part 1"):
        work_in_parallel_parts(work, 2, BudgetClock(10), 2)


def waiting(ready: Event) -> Said:
    """The part of a copy that goes on for a minute, unless it is stopped."""
    try:
        ready.set()
        time.sleep(60)
    except KeyboardInterrupt as error:
        return said("there", halt_reason_of(error))
    return said("not stopped")


def wait_for(ready: Event) -> None:
    end = time.monotonic() + 60
    while not ready.is_set():
        assert time.monotonic() < end
        time.sleep(0.001)


def later(ready: Event, act: Callable[[], None]) -> None:
    """Act somewhat after ``ready``, beside what this thread does."""

    def wait() -> None:
        wait_for(ready)
        time.sleep(0.3)
        act()

    threading.Thread(target=wait, daemon=True).start()


@pytest.mark.parametrize(
    ("number", "stop"), [(None, "timeout"), (signal.SIGINT, "interrupt"), (signal.SIGUSR1, "memory")]
)
def test_where_one_part_is_stopped_the_others_say_what_they_have(
    number: signal.Signals | None, stop: Stop
) -> None:
    """This part says so itself, or this process hears a signal while it waits for the other one."""
    ready = _FORK.Event()

    def hear(_number: int, _frame: object) -> None:
        raise Halt(stop) if number == signal.SIGUSR1 else KeyboardInterrupt

    def work(part: int) -> Said:
        if part:
            return waiting(ready)
        wait_for(ready)
        return said("here", None if number else stop)

    handlers = {one: signal.signal(one, hear) for one in (signal.SIGINT, signal.SIGUSR1)}
    begin = time.monotonic()
    try:
        if number:
            later(ready, lambda: os.kill(os.getpid(), number))
        answers, why = work_in_parallel_parts(work, 2, BudgetClock(10), 2)
    finally:
        for one, handler in handlers.items():
            signal.signal(one, handler)
    assert ([answer.words for answer in answers], why) == (["here", "there"], stop)
    assert time.monotonic() - begin < 30


def test_a_copy_that_does_not_stop_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_LAST_WORDS", 0.2)

    ready = _FORK.Event()

    def work(part: int) -> Said:
        if part:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            ready.set()
            time.sleep(60)
        wait_for(ready)
        return said("here", "timeout")

    begin = time.monotonic()
    answers, stop = work_in_parallel_parts(work, 2, BudgetClock(10), 2)
    assert ([answer.words for answer in answers], stop) == (["here"], "timeout")
    assert time.monotonic() - begin < 30


def test_long_answers() -> None:
    answers, _ = work_in_parallel_parts(lambda part: said("x" * (part << 20)), 2, BudgetClock(10), 2)
    assert [len(answer.words) for answer in answers] == [0, 1 << 20]


@pytest.mark.parametrize("ahead", [0, 2])
def test_rounds_are_done_when_they_are_ordered(ahead: int) -> None:
    done = _FORK.Value("i", 0)

    def work() -> Iterator[tuple[int, int]]:
        for number in range(5):
            done.value = number + 1
            yield number, os.getpid()

    worker = ParallelWorkerRounds(work, ahead)
    try:
        for number in range(5):
            assert worker.is_done(60)
            assert done.value <= number + 1 + ahead
            answer = worker.take()
            assert answer is not None
            assert answer[0] == number
            assert answer[1] != os.getpid()
        assert worker.take() is None
    finally:
        worker.end()
        worker.end()


def test_a_round_that_takes_long_is_not_waited_for() -> None:
    def work() -> Iterator[str]:
        time.sleep(60)
        yield "late"

    worker = ParallelWorkerRounds(work, 0)
    try:
        assert not worker.is_done(0.01)
    finally:
        worker.end()


def test_memory_of_copies_is_counted_as_far_as_it_grows() -> None:
    held = bytearray(os.urandom(200 * MIB))
    ready, seen = _FORK.Event(), _FORK.Event()
    sizes: list[int] = []

    def work(part: int) -> Said:
        if part:
            more = bytearray(os.urandom(30 * MIB))
            ready.set()
            wait_for(seen)
            return said(str(len(more)))
        wait_for(seen)
        return said("")

    def look() -> None:
        sizes.append(memory_growth_in_parallel())
        seen.set()

    later(ready, look)
    work_in_parallel_parts(work, 2, BudgetClock(60), 2)
    assert 25 * MIB < sizes[0] < 150 * MIB
    assert (memory_growth_in_parallel(), len(held)) == (0, 200 * MIB)
    assert resident_memory_in_parallel() > 200 * MIB


@pytest.mark.parametrize(
    ("quota", "most"),
    [("max 100000", 4), ("100000 100000", 1), ("50000 100000", 1), ("300000 100000", 3), (None, 4)],
)
def test_processors(quota: str | None, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cpu.max"
    if quota is not None:
        path.write_text(f"{quota}\n")
    monkeypatch.setattr(parallel, "_QUOTA", path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(16)))
    assert parallel_processors() == most


def test_without_copies_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    assert parallel_processors() == 1


LIMITS = """#include <assert.h>
extern int nondet_int(void);
static int low = 2, high = 9;
static int limited(int x)
{
    int y = x;
    if (y < low)
        y = low + 1;
    else if (y > high)
        y = high;
    return y;
}
int main(void)
{
    int given = nondet_int();
    int limit = limited(given);
    int twice = limited(limit);
    assert(limit >= low && limit <= high && twice == limit);
    assert(given < low || given > high || limit == given);
    assert(given >= low || limit == low);
    return 0;
}
"""


@pytest.mark.usefixtures("patience")
def test_several_processes_find_what_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    # However quick the machine is, they have work.
    tune(angelic={"worth_parts": 0.0})
    path = tmp_path / "limits.c"
    path.write_text(LIMITS)
    copied: list[int] = []

    def found(jobs: int) -> Result:
        options = PipelineOptions(program=ProgramOptions(), passing=20, rank="full", jobs=jobs)
        return run_localize_pipeline([str(path)], options)

    def counted(
        work: Callable[[int], ParallelPartAnswer], parts: int, clock: BudgetClock, jobs: int
    ) -> tuple[list[ParallelPartAnswer], Stop | None]:
        copied.append(min(parts, jobs))
        return work_in_parallel_parts(work, parts, clock, jobs)

    alone = found(1)
    for module in (angelic, search):
        monkeypatch.setattr(module, "work_in_parallel_parts", counted)
    together = found(3)
    assert alone.angelic is not None
    assert together.angelic is not None
    assert together.angelic.savings == alone.angelic.savings
    assert alone.repairs is not None
    assert together.repairs is not None
    assert together.repairs == alone.repairs
    assert together.repairs.complete
    assert together.ranking == alone.ranking
    assert max(copied) == 3


TWO_FAULTS = """#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    int a = nondet_int(), b = nondet_int();
    int less = a < b ? b : b;
    int more = a < b ? b : b;
    assert(less <= a && less <= b);
    assert(more >= a && more >= b);
    return 0;
}
"""


@pytest.mark.usefixtures("patience")
def test_several_processes_find_the_same_pairs_of_edits(tmp_path: Path, tune: Tune) -> None:
    tune(refinement={"sets_seconds": 20.0})
    path = tmp_path / "two.c"
    path.write_text(TWO_FAULTS)

    def found(jobs: int) -> tuple[RepairOfSeveralUnits, ...]:
        options = PipelineOptions(program=ProgramOptions(), passing=20, rank="full", jobs=jobs)
        diagnoses = run_localize_pipeline([str(path)], options).diagnoses
        assert diagnoses is not None
        return diagnoses.repairs

    alone = found(1)
    assert alone
    assert found(3) == alone


WITH_A_COPY = """import time
from sfo.core.parallel import ParallelWorkerProcess
copy = ParallelWorkerProcess(lambda: time.sleep(60))
print(copy._process.pid, flush=True)
time.sleep(60)
"""


def test_a_copy_ends_with_the_process_that_it_is_of(tmp_path: Path) -> None:
    """Also where that is killed and has no time to end it."""
    program = tmp_path / "program.py"
    program.write_text(WITH_A_COPY)
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True) as original:
        assert original.stdout is not None
        copy = int(original.stdout.readline())
        assert Path(f"/proc/{copy}").exists()
        original.kill()
    end = time.monotonic() + 30
    while _is_alive(copy) and time.monotonic() < end:
        time.sleep(0.1)
    assert not _is_alive(copy)


def _is_alive(process: int) -> bool:
    """Whether it is there and no zombie that nobody has asked after."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    except OSError:
        return False
