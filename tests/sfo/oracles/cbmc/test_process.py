"""CBMC as a child process; what goes wrong with children is played by small scripts."""

import os
import time
from pathlib import Path

import pytest

from cfrontend.errors import UsageError
from sfo.oracles.cbmc.process import (
    CbmcProcess,
    CbmcProcessFailedError,
    CbmcProcessUnwinding,
    find_cbmc_for_process,
    run_cbmc_process,
)
from tests.conftest import require_tool


def script(directory: Path, body: str) -> str:
    path = directory / "cbmc"
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def environment(command: str) -> dict[str, str]:
    return {"SFO_CBMC": command, "PATH": os.environ["PATH"]}


def test_the_real_one_is_found() -> None:
    found = find_cbmc_for_process(environment(require_tool("cbmc")))
    assert int(found.version.split(".")[0]) >= 6


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("echo 5.95.1 '(cbmc-5.95.1)'", "CBMC 5.95.1, which is too old: 6.0 or later is needed"),
        ("echo hello", "does not say its version"),
        ("printf '\\377\\376'", "does not say its version"),
        ("exit 3", "does not say its version"),
    ],
)
def test_what_is_no_cbmc_6_is_refused(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        find_cbmc_for_process(environment(script(tmp_path, body)))


def test_a_missing_one_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"not installed: install CBMC 6, or run scripts/get-cbmc, and set SFO_CBMC"
    ):
        find_cbmc_for_process({"PATH": str(tmp_path)})
    with pytest.raises(UsageError, match=r"SFO_CBMC names '/no/such', which is no command"):
        find_cbmc_for_process(environment("/no/such"))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("kill -9 $$", "ended by SIGKILL"),
        ("kill -11 $$", "ended by SIGSEGV"),
        ("exit 137", "ended by SIGKILL"),
        ("echo 'PARSING ERROR' >&2; exit 6", "exit code 6: PARSING ERROR"),
        ("exit 64", "exit code 64"),
    ],
)
def test_an_end_without_an_answer_is_told_in_one_line(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(CbmcProcessFailedError, match=said) as caught:
        run_cbmc_process(CbmcProcess(script(tmp_path, body), "6"), (), tmp_path, 10)
    assert "\n" not in str(caught.value)


def test_a_child_and_its_own_child_end_when_the_time_is_up(tmp_path: Path) -> None:
    marker = tmp_path / "alive"
    command = script(tmp_path, f"(sleep 2; touch {marker}) & sleep 60")
    start = time.monotonic()
    assert run_cbmc_process(CbmcProcess(command, "6"), (), tmp_path, 0.2) is None
    assert time.monotonic() - start < 30
    time.sleep(2.5)
    assert not marker.exists()


def test_bounds_become_options() -> None:
    assert CbmcProcessUnwinding(limits={"f_f.0": 3, "f_g": 2}, others=4).options() == (
        "--unwind",
        "4",
        "--unwindset",
        "f_f.0:3,f_g:2",
    )
    assert CbmcProcessUnwinding(limits={}, others=None).options() == ()
