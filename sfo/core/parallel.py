"""Parts of one work, each in a copy of this process, as many at the same time as may be.

    answers, stop = in_parts(work, 4, clock, jobs=2)     # work(0) and work(1), then work(2) and work(3)

A copy begins with everything that is known here, so nothing has to be handed over but what it found. No part knows of
another one, whether they work at the same time or not: what is found does not depend on the number of processes.
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, ClassVar, Final, Generic, Protocol, TypeVar, final

from cfrontend import effort
from cfrontend.effort import SECOND
from sfo.core.budget import BudgetClock
from sfo.core.halt import Stop, halt_reason_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_MOST: Final = 4
"""Processes at once: the parts of more are so small that what each of them has to do first counts."""

_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")
"""File with the processor quota of the control group: microseconds (or ``max``) in a period of so many."""

_STATM: Final = Path("/proc/self/statm")

_MAPS: Final = "/proc/{}/smaps_rollup"

_OWN: Final = re.compile(r"^Private_Dirty: +(\d+) kB$", re.MULTILINE)
"""Memory of a worker that is its own. A copy begins with the memory of this process, page by page until one of both
writes to it."""

LARGE: Final = 1 << 30
"""Bytes of a process that is not copied: in time a copy has most of them once more."""

_LOOKS_BACK: Final = 0.5
"""Seconds between two looks of a copy whether the process that it is of is still there."""

_INTERRUPTING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)
"""Signals of which a process makes an exception: Ctrl-C, a request to end, and a limit."""

_LAST_WORDS: Final = 1.0
"""Seconds in which a copy that is stopped may still say what it found."""


class ParallelPartAnswer(Protocol):
    """Answer of one part of parallel work."""

    @property
    def stop(self) -> Stop | None:
        """The reason why the part was stopped from outside, None if it was not."""


T = TypeVar("T", bound=ParallelPartAnswer)
R = TypeVar("R")


def may_work_in_parallel() -> bool:
    """True if this process can be copied."""
    return hasattr(os, "fork")


def parallel_processors() -> int:
    """Number of processes that can work at the same time, up to four; one where a process cannot be copied."""
    if not may_work_in_parallel():
        return 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with suppress(OSError, ValueError):
        quota, period = _QUOTA.read_text(encoding="ascii").split()
        usable = min(usable, int(quota) // int(period))
    return max(1, min(usable, _MOST))


def work_in_parallel_parts(
    work: Callable[[int], T], parts: int, clock: BudgetClock, jobs: int
) -> tuple[list[T], Stop | None]:
    """What ``work`` says of its parts 0, 1, …, each of which has its share of the effort that ``clock`` has left.

    At most ``jobs`` copies are at work. Where one part is stopped so are the others, and the second answer is why. A
    part is done here whose copy ended without an answer. A copy makes none of its own, and of a very large process
    none is made.
    """
    if parts == 1:
        answer = work(0)
        return [answer], answer.stop
    left, start = clock.left, effort.spent_effort()

    def part(number: int) -> tuple[T, int]:
        """The answer of a part, and the effort that it took."""
        clock.restart(left / parts)
        begin = effort.spent_effort()
        return work(number), effort.spent_effort() - begin

    try:
        if (
            ParallelWorkerProcess.is_here
            or resident_memory_in_parallel() > LARGE
            or not may_work_in_parallel()
        ):
            answers = [part(number)[0] for number in range(parts)]
            return answers, next((answer.stop for answer in answers if answer.stop is not None), None)
        return _in_copies(part, parts, jobs)
    finally:
        clock.restart(left - (effort.spent_effort() - start) / SECOND)


def _in_copies(part: Callable[[int], tuple[T, int]], parts: int, jobs: int) -> tuple[list[T], Stop | None]:
    """What the parts say, and what stopped them; their effort is charged."""
    answers: list[T] = []
    stop: Stop | None = None
    charged = 0  # in the end, so that every copy begins with the same effort
    copies: list[ParallelWorkerProcess[tuple[T, int]]] = []
    try:
        for number in range(parts):
            if stop is None:
                waiting = range(len(copies), min(number + jobs, parts))
                copies += [ParallelWorkerProcess(partial(part, one)) for one in waiting]
            elif number >= len(copies):
                break
            done, stop = copies[number].answer(stop)
            copies[number].end()
            if done is not None:
                charged += done[1]
            elif stop is None:
                done = part(number)
            if done is not None:
                answers.append(done[0])
                stop = stop or done[0].stop
        return answers, stop
    finally:
        for copy in copies:
            copy.end()
        effort.charge_effort(charged)


def resident_memory_in_parallel() -> int:
    """Bytes of memory that this process has; 0 where the system does not tell."""
    try:
        pages = _STATM.read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def memory_growth_in_parallel() -> int:
    """Bytes of memory by which the copies that are at work have grown."""
    return sum(copy.grown for copy in tuple(_AT_WORK))


class _Copy:
    """A copy of this process that does something, and answers through a pipe; ``sends`` does and tells it."""

    def __init__(self, sends: Callable[[Connection], None]) -> None:
        # What copies nothing does not pay for the import.
        from multiprocessing import get_context

        context = get_context("fork")
        atexit.register(self.end)
        self._answers, answers = context.Pipe(duplex=False)
        original = os.getpid()

        def answer() -> None:
            """Do the work and end the process; control never returns to where the process was copied."""
            code = 1
            try:
                ParallelWorkerProcess.is_here = True
                gc.enable()  # this process may just be making terms, of which none is garbage
                gc.freeze()  # what is known is kept: looking for cycles in it takes time and copies its memory
                signal.signal(signal.SIGTERM, signal.default_int_handler)
                signal.pthread_sigmask(signal.SIG_SETMASK, masked)
                Thread(target=_leave_with, args=(original,), daemon=True).start()
                sends(answers)
                code = 0
            except BaseException:  # noqa: BLE001, S110 - done again where it can be told
                pass
            finally:
                os._exit(code)

        self._process = context.Process(target=answer)
        # What interrupts a worker before ``answer`` is begun would be a traceback of multiprocessing's.
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTING)
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)
        answers.close()
        _AT_WORK.append(self)

    @property
    def grown(self) -> int:
        """Bytes of memory that are its own; 0 where the system does not tell."""
        try:
            own = _OWN.search(Path(_MAPS.format(self._process.pid)).read_text(encoding="ascii"))
        except OSError:
            return 0
        return 0 if own is None else int(own[1]) << 10

    def end(self) -> None:
        """End the worker and reap it, so that its processor time is counted; may be called again if interrupted."""
        atexit.unregister(self.end)
        if self in _AT_WORK:
            _AT_WORK.remove(self)
        self._process.kill()
        self._process.join()
        self._answers.close()


@final
class ParallelWorkerProcess(_Copy, Generic[R]):
    """Worker process: a copy of this process that does ``work``."""

    is_here: ClassVar[bool] = False
    """True in a worker process."""

    def __init__(self, work: Callable[[], R]) -> None:
        super().__init__(lambda answers: answers.send(work()))

    def answer(self, stop: Stop | None = None) -> tuple[R | None, Stop | None]:
        """The answer of the worker, None where it ended without one, and why the work is stopped.

        ``stop`` is the reason for which the work is stopped already: the worker is then ended.
        """
        try:
            if stop is None:
                return self._received(None), None
        except KeyboardInterrupt as error:
            stop = halt_reason_of(error)
        self._process.terminate()
        return self._received(_LAST_WORDS), stop

    def _received(self, seconds: float | None) -> R | None:
        with suppress(EOFError, OSError):
            if self._answers.poll(seconds):
                found: R = self._answers.recv()
                return found
        return None


@final
class ParallelWorkerRounds(_Copy, Generic[R]):
    """Worker process that does ``work`` in rounds, each of them when it is ordered.

    At most ``ahead`` rounds are done before anybody asks for them; 0: the worker waits until they are.
    """

    def __init__(self, work: Callable[[], Iterator[R]], ahead: int) -> None:
        self._read, self._orders = os.pipe()
        self._is_asked = False

        def send(answers: Connection) -> None:
            """Do a round for each order."""
            os.close(self._orders)  # with the last one that gives orders the work ends
            rounds = work()
            while os.read(self._read, 1):
                answers.send(next(rounds))

        super().__init__(send)
        os.close(self._read)
        self._order(ahead)

    def is_done(self, seconds: float | None) -> bool:
        """True if the next round is done, or will not be; waits for it, ``seconds`` at most (None: any time)."""
        if not self._is_asked:
            self._is_asked = True
            self._order(1)
        with suppress(OSError):
            return self._answers.poll(seconds)
        return True

    def take(self) -> R | None:
        """What the next round found, as soon as it is done; None where the worker ended without an answer."""
        self.is_done(None)
        self._is_asked = False
        with suppress(EOFError, OSError):
            found: R = self._answers.recv()
            return found
        return None

    def end(self) -> None:
        """End the worker and reap it; may be called again if interrupted."""
        super().end()
        if self._orders >= 0:
            os.close(self._orders)
            self._orders = -1

    def _order(self, rounds: int) -> None:
        with suppress(OSError):
            os.write(self._orders, b"." * rounds)


def _leave_with(original: int) -> None:
    """End this worker soon after the process that it is a copy of, which may be killed before it can end its copies."""
    while os.getppid() == original:
        time.sleep(_LOOKS_BACK)
    os._exit(1)


_AT_WORK: Final[list[_Copy]] = []
