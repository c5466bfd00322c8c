"""Files that are written and read again: what sfo executes and what gcc's code does on the same inputs."""

import subprocess
from pathlib import Path

import pytest

from sfo.execution.native.build import build_natively
from sfo.execution.native.execute import ExecutableNativeProgram, NativeInputVector
from tests.conftest import require_tool
from tests.differential.compare import differences
from tests.differential.ours import concrete, load_program

KEPT = sorted(Path(__file__).with_name("kept").glob("*.c"))
OPENED = [
    NativeInputVector(values=(2, n, place, *[0] * 20), seed=9)
    for n in (-2147483648, -1, 5, 99)
    for place in range(4)
]
RANDOM = [NativeInputVector(seed=seed) for seed in range(1, 30)]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_gcc_and_sfo_agree_on_the_same_inputs(path: Path, tmp_path: Path) -> None:
    program = load_program(path)
    inputs = [*OPENED, *RANDOM]
    native = ExecutableNativeProgram(build_natively(program, tmp_path), program).run(inputs)
    assert any(run.end == "pass" for run in native)
    assert [text for run in native for text in differences(concrete(program, run.inputs), run)] == []


@pytest.mark.parametrize("n", [-2147483648, 0, 7, 99])
@pytest.mark.parametrize("place", range(4))
@pytest.mark.sample(7)
def test_they_print_what_they_print_with_real_files(n: int, place: int, tmp_path: Path) -> None:
    path = Path(__file__).with_name("kept") / "all.c"
    binary = tmp_path / "program"
    subprocess.run([require_tool("gcc"), "-w", str(path), "-o", str(binary)], check=True)
    real = subprocess.run(
        [str(binary)], input=f"{n} {place}\n", capture_output=True, text=True, check=False, cwd=tmp_path
    )
    opened, nothing_there = (0,) * 5, (-1,) * 9
    ours = concrete(load_program(path), (2, n, place, *opened, *nothing_there))
    assert (real.returncode, ours.end, ours.printed) == (0, "pass", real.stdout)


@pytest.mark.parametrize(("n", "place"), [(7, 1), (-2147483648, 2), (99, 0)])
def test_descriptors_print_what_they_print_with_real_files(n: int, place: int, tmp_path: Path) -> None:
    path = Path(__file__).with_name("kept") / "descriptors.c"
    binary = tmp_path / "program"
    subprocess.run([require_tool("gcc"), "-w", str(path), "-o", str(binary)], check=True)
    real = subprocess.run(
        [str(binary)], input=f"{n} {place}\n", capture_output=True, text=True, check=False, cwd=tmp_path
    )
    opened, other_is_missing = (0, 0), (1,)
    ours = concrete(load_program(path), (2, n, place, *opened, *other_is_missing))
    assert (real.returncode, ours.end, ours.printed) == (0, "pass", real.stdout)
