"""Files that are written and read again: what sfo executes and what gcc's code does on the same inputs."""

from pathlib import Path

import pytest

from sfo.replay.build import build
from sfo.replay.native import NativeProgram, Vector
from tests.differential.compare import differences
from tests.differential.ours import concrete, load_program

KEPT = sorted(Path(__file__).with_name("kept").glob("*.c"))
OPENED = [
    Vector(values=(2, n, place, *[0] * 20), seed=9) for n in (-2147483648, -1, 5, 99) for place in range(4)
]
RANDOM = [Vector(seed=seed) for seed in range(1, 30)]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_gcc_and_sfo_agree_on_the_same_inputs(path: Path, tmp_path: Path) -> None:
    program = load_program(path)
    native = NativeProgram(build(program, tmp_path), program).run(OPENED + RANDOM)
    assert any(run.end == "pass" for run in native)
    assert [text for run in native for text in differences(concrete(program, run.inputs), run)] == []
