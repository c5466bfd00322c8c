from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from cfrontend.effort import SECOND, within_effort
from cfrontend.program import ProgramOptions, load_c_program

PROGRAM = """
#include <stdlib.h>
int main(int argc, char **argv)
{
    for (volatile int n = 0; n < 2000; n++)
        ;
    if (argc != 3)
        return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    if (n > m)
        return 1;
    return 0;
}
"""


def test_the_clock_does_not_decide_the_number_of_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    assert load_c_program([str(path)], ProgramOptions()).options.argv == 3
    late = SimpleNamespace(monotonic=lambda: time.monotonic() + 3_600)
    monkeypatch.setattr("cfrontend.symex.machine.time", late)
    assert load_c_program([str(path)], ProgramOptions()).options.argv == 3


def test_what_takes_long_without_arguments_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(PROGRAM.replace("2000", "1000000"))
    with within_effort(1_000 * SECOND):
        assert load_c_program([str(path)], ProgramOptions()).options.argv is None
