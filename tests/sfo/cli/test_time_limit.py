"""A time limit counts from the start of the process, not from where the analysis begins."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from sfo import cli
from sfo.cli.options import command
from sfo.cli.time_limit import begin_of_process, seconds_left_of_limit

HARD = """extern unsigned nondet_uint(void);
int main(void)
{
    unsigned long long a = nondet_uint(), b = nondet_uint();
    __CPROVER_assert(a < 2 || b < 2 || a > b || a * b != 9223371873002223329ull, "no factors");
    return 0;
}
"""


def test_a_limit_that_is_over_when_the_analysis_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hard.c"
    path.write_text(HARD)
    assert cli.main(["check", str(path), "--timeout", "3600"], begin=time.monotonic() - 7200) == 5
    said = capsys.readouterr()
    assert "time limit" in said.out + said.err


def test_the_start_of_a_process_is_when_the_system_made_it() -> None:
    text = "print('begun', flush=True); input(); from sfo.cli.time_limit import begin_of_process; print(begin_of_process())"
    before = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        begun = time.monotonic()  # before it reads the clock, and before it loads what does
        told, _ = process.communicate("\n")
    # The system counts in hundredths of a second, rounded down.
    assert before - 0.02 <= float(told) <= begun
    assert begin_of_process() < before


def test_something_is_left_of_every_limit() -> None:
    now = time.monotonic()
    assert 0 < seconds_left_of_limit(1, now - 5) < 1
    assert 3000 < seconds_left_of_limit(5000, now - 1) <= 4999


@pytest.mark.parametrize(("name", "seconds"), [("check", 5.0), ("batch", 8.0), ("evaluate-corpus", 8.0)])
def test_a_limit_of_each_program_counts_from_its_own_start(name: str, seconds: float) -> None:
    seen: list[float] = []
    made = command(name)(lambda **given: seen.append(given["timeout"]) or 0)
    needed = {"batch": ["-o", "out"], "evaluate-corpus": ["-o", "out"]}
    made.main(["--timeout", "8", *needed.get(name, [])], obj=time.monotonic() - 3, standalone_mode=False)
    assert seen == [pytest.approx(seconds, abs=0.5)]
