"""Interruption of a command by SIGINT or SIGTERM: it is told at once, and the command ends within two seconds.

    0 s      "sfo: stopping...", and KeyboardInterrupt in the main thread: each stage hands on what it has
    0.5 s    what goes on gets it again
    0.75 s   counted work raises it from now on (``cfrontend.effort``)
    1 s      what goes on gets it again, and so at 1.25 s
    1.5 s    the last resort: the thread that watches writes what is known, and ends the process

The thread is woken by the system's own handler, so that it hears a signal while the main thread is in a library that
runs no handler of Python. In libraries, where no command listens, Ctrl-C is Python's KeyboardInterrupt as ever.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, Final, final

from cfrontend.effort import refuse_work

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
"""Requests to end."""

_TOLD: Final = b"sfo: stopping...\n"

_REFUSAL: Final = 0.75
"""Seconds after which counted work is refused."""

_LAST: Final = 1.5
"""Seconds after which the process ends, whatever it does."""

_REPETITIONS: Final = (0.5, _REFUSAL, 1.0, 1.25, _LAST)
"""Seconds after which what still goes on is interrupted in some way."""

_WRITING: Final = 0.35
"""Seconds beyond these for output that is being written."""

_SOON: Final = 0.02
"""Seconds after which an interruption that was lost comes again."""

_FINALIZER: Final = weakref.finalize.__call__.__code__


@final
class Interruption:
    """Whether this process was asked to end, what it says then, and who may not be interrupted."""

    def __init__(self) -> None:
        self.is_requested = False
        self.is_over = False
        """True from the end of the command on: what comes then comes too late."""
        self._known: Callable[[], Any] | None = None
        self._last_words: Callable[[Any], object] | None = None
        self._telling = threading.Lock()
        self._writing = threading.Lock()
        self._is_concluding = False
        self._is_due = True
        """True if the next signal raises: the first one, and those of the thread that watches."""
        self._is_lost = threading.Event()

    def listen(self, ended: Callable[[], None]) -> None:
        """Hear requests from now on; ``ended`` ends what this process has started, as the last resort."""
        with suppress(OSError, RuntimeError):  # without room for a thread nothing is repeated
            reading, writing = os.pipe()
            os.set_blocking(writing, False)
            threading.Thread(
                target=self._watch, args=(reading, ended), name="interruption", daemon=True
            ).start()
            signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        for number in SIGNALS:
            signal.signal(number, self._hear)
        os.register_at_fork(after_in_child=self._leave_to_original)

    def tell(self) -> None:
        """Say that the command is going to end; once."""
        self.is_requested = True
        if self._telling.acquire(blocking=False) and not self.is_over:
            with suppress(OSError):
                os.write(2, b"\r\x1b[K" + _TOLD if os.isatty(2) else _TOLD)

    def begin_work(self, last_words: Callable[[Any], object] | None = None) -> None:
        """Work begins, which may be interrupted; ``last_words`` writes a result where it comes to no end."""
        self._known, self._last_words = None, last_words
        if self._is_concluding:
            self._is_concluding = False
            self._writing.release()

    def know(self, known: Callable[[], Any]) -> None:
        """Note how to make a result of what is known so far, None where nothing is, if somebody would write it."""
        if self._last_words is not None:
            self._known = known

    def conclude(self) -> None:
        """What is known is written from now on: no interruption passes, only counted work is refused after one."""
        if not self._is_concluding:
            self._writing.acquire()
            self._is_concluding = True

    def say_last_words(self) -> bool:
        """Write what is known of work that came to no end; False where nothing is."""
        self.conclude()
        known, self._known = self._known, None
        result = None if known is None else known()
        if result is None or self._last_words is None:
            return False
        self._last_words(result)
        return True

    def lose(self, lost: sys.UnraisableHookArgs) -> None:
        """Hook for exceptions that cannot pass, from finalizers and callbacks of solvers: interruptions come again.

        A limit comes again by itself. All else is of no concern to the user: what is finalised is not needed any more.
        """
        if type(lost.exc_value) is KeyboardInterrupt:
            self._is_lost.set()

    def _hear(self, _number: int, frame: FrameType | None) -> None:
        """Handler of requests; the thread that watches repeats what has no effect."""
        if self.is_over:
            return
        self.tell()
        if self._is_concluding:
            refuse_work()
        elif is_finalizing(frame):
            self._is_lost.set()
        elif self._is_due:
            self._is_due = False
            raise KeyboardInterrupt

    def _watch(self, reading: int, ended: Callable[[], None]) -> None:
        while not any(number in SIGNALS for number in os.read(reading, 1)):
            pass
        begin = time.monotonic()
        self.tell()
        for after in _REPETITIONS:
            while self._is_lost.wait(max(0.0, begin + after - time.monotonic())):
                self._is_lost.clear()
                time.sleep(_SOON)
                self._interrupt()
            if self.is_over:
                return
            if (
                after == _REFUSAL
            ):  # not at the time of an interruption: what the one brings on, the other would disturb
                refuse_work()
            elif after < _LAST:
                self._interrupt()
        self._end(ended)

    def _interrupt(self) -> None:
        self._is_due = True
        # z3 hears this one only
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    def _end(self, ended: Callable[[], None]) -> None:
        """End the process from the thread that watches, and say what is known."""
        if self._writing.acquire(timeout=_WRITING):
            self._is_concluding = True
            words = threading.Thread(target=self.say_last_words, daemon=True)
            words.start()
            words.join(_WRITING)
        with suppress(Exception):
            ended()
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(128 + signal.SIGINT)

    def _leave_to_original(self) -> None:
        """In a copy of the process: nothing is told, and whoever made it ends it."""
        self.is_over = True
        signal.set_wakeup_fd(-1)
        for number in SIGNALS:
            signal.signal(number, signal.default_int_handler)


def is_finalizing(frame: FrameType | None) -> bool:
    """True if ``frame`` runs for a finalizer of an object: Python drops, and prints, what is raised there."""
    while frame is not None:
        if frame.f_code is _FINALIZER or frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


INTERRUPTION: Final = Interruption()
"""That of this process."""
