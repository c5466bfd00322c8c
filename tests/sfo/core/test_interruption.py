"""A command that is asked to end: whatever it does then, it tells what it knows, and ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

ALL = """\
import gc, os, signal, sys, threading, time
from cfrontend.effort import charge_effort
from sfo.core.interruption import INTERRUPTION
def ready():
    print("ready", flush=True)
def swallowing(work):
    try:
        work()
    except KeyboardInterrupt:
        print("swallowed", flush=True)
def busy(seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
def begun():
    ready()
    busy()
def stubborn():
    swallowing(begun)
    while True:
        try:
            busy()
        except KeyboardInterrupt:
            pass
def waiting():
    time.sleep(60)
def charging():
    while True:
        charge_effort(1)
class Finalised:
    def __del__(self):
        ready()
        busy(1)
def loses():
    made = [Finalised()]
    made.clear()
    waiting()
INTERRUPTION.begin_work(lambda result: print(result, flush=True))
INTERRUPTION.listen(lambda: print("ended", flush=True))
sys.unraisablehook = INTERRUPTION.lose
code = 0
try:
    WORK
except KeyboardInterrupt:
    code = 130
    print("orderly", flush=True)
    INTERRUPTION.say_last_words()
os._exit(code)
"""

PHASES = {
    # work: what is printed behind the first line, which is "ready"
    "ready(); busy()": ["orderly"],
    "ready(); waiting()": ["orderly"],
    "ready(); threading.Event().wait()": ["orderly"],
    "INTERRUPTION.know(lambda: 'known'); ready(); busy()": ["orderly", "known"],
    "swallowing(begun); waiting()": ["swallowed", "orderly"],
    "swallowing(begun); charging()": ["swallowed", "orderly"],
    "loses()": ["orderly"],
    # The last resort: no end comes by itself.
    "stubborn()": ["swallowed", "ended"],
    "INTERRUPTION.know(lambda: 'known'); stubborn()": ["swallowed", "known", "ended"],
    # What is written is written to its end.
    "INTERRUPTION.conclude(); ready(); busy(0.2); print('written', flush=True); charging()": ["written", "orderly"],
    "INTERRUPTION.conclude(); ready(); print('written', flush=True); waiting()": ["written", "ended"],
}  # fmt: skip
"""By what a process is at: what it says once it is asked to end."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("work", PHASES)
@pytest.mark.sample(4)
def test_every_phase_ends(work: str, number: signal.Signals) -> None:
    with _started(ALL.replace("WORK", work)) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        out, err = process.stdout.read(), process.stderr.read()
    said = list(dict.fromkeys(out.split()))
    assert said == PHASES[work]
    assert err == "sfo: stopping...\n"
    assert process.returncode == 130


COPY = """copy = os.fork()
    if copy == 0: ready(); waiting()
    os.waitpid(copy, 0)
    print("still here", flush=True)"""


def test_a_copy_tells_nothing() -> None:
    """Nor does what it hears reach the process that it is a copy of."""
    text = ALL.replace("WORK", COPY).replace('"ready"', '"ready", os.getpid()')
    with _started(text) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        os.kill(int(process.stdout.readline().split()[1]), signal.SIGTERM)
        out, err = process.stdout.read(), process.stderr.read()
    assert (out, err, process.returncode) == ("orderly\nstill here\n", "", 0)


def _started(text: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", text]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
