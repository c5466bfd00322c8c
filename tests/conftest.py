"""What all tests share: external tools, golden files and Hypothesis settings.

Tests import the helpers by name: `from tests.conftest import require_tool`.
"""

import difflib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, final

import pytest
from hypothesis import settings

from sfo.cli import output
from sfo.core.policy import policy, using_policy
from tests import quick
from tests.tuning import Tune

# No line on what goes on: what is printed does not depend on how fast the machine is.
output.Progress.PLAIN = float(threading.TIMEOUT_MAX)  # type: ignore[misc]

_BEGUN = pytest.StashKey[float]()
_SECONDS = "processor seconds"

settings.register_profile("sfo", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("sfo")


def require_tool(name: str) -> str:
    """Path of the external tool `name`; without it the test is skipped by name.

    `SFO_<NAME>` in the environment (as in `SFO_CBMC`) comes before PATH. With `SFO_REQUIRE_TOOLS=1` a missing
    tool is a failure, so that no run that claims to be complete leaves tests out.
    """
    beside = str(Path(sys.executable).parent)  # what pip installed, whether or not its folder is on PATH
    path = shutil.which(os.environ.get(f"SFO_{name.upper()}") or name) or shutil.which(name, path=beside)
    if path is not None:
        return path
    if os.environ.get("SFO_REQUIRE_TOOLS") == "1":
        pytest.fail(f"{name} is not installed, and SFO_REQUIRE_TOOLS=1 requires it", pytrace=False)
    pytest.skip(f"{name} is not installed")


def require_32_bits() -> str:
    """Path of a gcc that links programs for i386; without one, what ``require_tool`` does."""
    gcc = require_tool("gcc")
    return gcc if _has_32_bits(gcc) else require_tool("gcc with -m32 (gcc-multilib)")


@cache
def _has_32_bits(gcc: str) -> bool:
    command = [gcc, "-m32", "-x", "c", "-", "-o", os.devnull]
    program = b"#include <stdio.h>\nint main(void) { return 0; }"
    return subprocess.run(command, input=program, capture_output=True, check=False).returncode == 0


@pytest.fixture
def tune() -> Iterator[Tune]:
    """Changes tuning constants for one test."""
    with ExitStack() as ends:

        def change(**groups: Mapping[str, Any]) -> None:
            parts = {group: replace(getattr(policy(), group), **values) for group, values in groups.items()}
            ends.enter_context(using_policy(replace(policy(), **parts)))

        yield change


@pytest.fixture(autouse=True)
def _only_within_bounds(tune: Tune) -> None:
    """No seconds go into executions longer than those within the bounds; tests that are about these say so."""
    tune(portfolio={"at_last": 0.0, "instead": 0.0})


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt, also where the test suite was started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def patience(tune: Tune) -> None:
    """The filter and the repairs look for longer than by default."""
    tune(refinement={"least_seconds": 20.0})


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:  # noqa: ARG001 - what xdist calls
    """One worker more than there are cores: some tests wait for clocks and other processes."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (usable or 1) + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden files instead of comparing with them"
    )
    parser.addoption(
        "--record-seconds", type=Path, metavar="FILE", help="write the processor time of each test to FILE"
    )
    parser.addoption(
        "--record-passed", type=Path, metavar="FILE", help="write the names of the tests that passed to FILE"
    )
    parser.addoption(
        "--but-passed",
        type=Path,
        metavar="FILE",
        help="leave out the tests that --record-passed wrote to FILE",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark ``slow`` what `make test` leaves out, and ``campaign`` what `make test-all` leaves out (`tests.quick`)."""
    passed: Path | None = config.getoption("--but-passed")
    sampled = {
        quick.function_of(item.nodeid): marker.args[0]
        for item in items
        if (marker := item.get_closest_marker("sample")) is not None
    }
    slow = [item.nodeid for item in items if item.get_closest_marker("slow") is not None]
    names = [item.nodeid for item in items]
    choices = quick.read_choices()
    campaign = quick.left_out(names, quick.Choice(sampled, ())) | quick.left_out(names, choices["test-all"])
    in_gate = [name for name in names if name not in campaign]
    out = {*campaign, *slow} | quick.left_out(in_gate, choices["test"])
    for item in items:
        if item.nodeid in campaign:
            item.add_marker(pytest.mark.campaign)
        if item.nodeid in out:
            item.add_marker(pytest.mark.slow)
    if passed is not None:
        done = {*passed.read_text(encoding="utf-8").splitlines()}
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in done])
        items[:] = [item for item in items if item.nodeid not in done]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Each test is reported with the processor time that it and its children took so far."""
    item.stash[_BEGUN] = _processor_time()
    return (yield)


def pytest_runtest_teardown(item: pytest.Item) -> None:
    item.user_properties.append((_SECONDS, round(_processor_time() - item.stash[_BEGUN], 3)))


def _processor_time() -> float:
    return sum(os.times()[:4])


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--record-seconds") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Recorder(config.getoption("--record-seconds")))
    if config.getoption("--record-passed") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Passed(config.getoption("--record-passed")))


@final
class _Recorder:
    """Writes what the tests took, wherever they were executed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, seconds in report.user_properties:
            if name == _SECONDS:
                self._seconds[report.nodeid] = seconds

    def pytest_sessionfinish(self) -> None:
        self._path.write_text(json.dumps(self._seconds, indent=0, sort_keys=True) + "\n", encoding="utf-8")


@final
class _Passed:
    """Writes which tests passed: neither failed nor were skipped, from their setup to their teardown."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._all = dict[str, bool]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._all[report.nodeid] = self._all.get(report.nodeid, True) and report.passed

    def pytest_sessionfinish(self) -> None:
        passed = sorted(name for name, has_passed in self._all.items() if has_passed)
        self._path.write_text("".join(f"{name}\n" for name in passed), encoding="utf-8")


@pytest.fixture
def check_golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Function `check(path, actual)`: fails with a diff unless the file at `path` holds the text `actual`."""

    def check(path: Path, actual: str) -> None:
        if request.config.getoption("--update-golden"):
            path.write_text(actual, encoding="utf-8")
            return
        expected = path.read_text(encoding="utf-8") if path.exists() else ""
        if actual != expected:
            diff = difflib.unified_diff(
                expected.splitlines(keepends=True), actual.splitlines(keepends=True), str(path), "actual"
            )
            pytest.fail(
                "".join(diff) + "\n`pytest --update-golden` accepts this; read the diff", pytrace=False
            )

    return check
