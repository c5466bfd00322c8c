"""Programs that use the C library, printed by gcc's program and by ours.

Each program is read with our headers, and preprocessed with those of the machine in several dialects.
"""

import subprocess
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.differential.ours import concrete, load_program

PROGRAMS = sorted((Path(__file__).parent / "library").glob("*.c"))
DIALECTS = {
    "plain": (),
    "c99": ("-std=c99", "-D_GNU_SOURCE"),
    "gnu89": ("-std=gnu89",),
    "optimising": ("-O2",),
    "fortified": ("-O2", "-D_FORTIFY_SOURCE=2", "-D_GNU_SOURCE"),
}


def printed_natively(path: Path, directory: Path, *options: str) -> str:
    binary = directory / "native"
    command = [
        require_tool("gcc"),
        "-w",
        "-fwrapv",
        "-fno-strict-aliasing",
        "-no-pie",
        *options,
        str(path),
        "-o",
        str(binary),
        "-lm",
    ]
    subprocess.run(command, check=True)
    done = subprocess.run([binary], capture_output=True, check=True, stdin=subprocess.DEVNULL, timeout=20)
    return done.stdout.decode("utf-8", "backslashreplace")


def preprocessed(path: Path, directory: Path, *options: str) -> Path:
    target = directory / f"{path.stem}.i"
    subprocess.run([require_tool("gcc"), "-w", "-E", *options, str(path), "-o", str(target)], check=True)
    return target


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_prints_what_gcc_prints(path: Path, tmp_path: Path) -> None:
    run = concrete(load_program(path), ())
    assert (run.end, run.printed) == ("pass", printed_natively(path, tmp_path))


@pytest.mark.sample(10)
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_preprocessed_by_gcc_it_is_the_same_program(path: Path, dialect: str, tmp_path: Path) -> None:
    run = concrete(load_program(preprocessed(path, tmp_path, *DIALECTS[dialect])), ())
    assert (run.end, run.printed) == ("pass", printed_natively(path, tmp_path))
    ours = concrete(load_program(path), ())
    assert (run.covered, run.units) == (ours.covered, ours.units)
