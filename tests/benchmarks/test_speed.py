"""The speed benchmark counts what is executed."""

from pathlib import Path

from click.testing import CliRunner

from benchmarks.manifest import load_manifest, select
from benchmarks.speed import CONCRETE, count_instructions, main, measure
from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.program import ProgramOptions, load_c_program

FREE = Bound(unwind=None, free=True)


def count(directory: Path, rounds: int) -> int:
    path = directory / f"loop{rounds}.c"
    path.write_text(
        f"int main(void) {{ int a[2] = {{0}}; for (int n = 0; n < {rounds}; n++) a[n & 1] = n; return 0; }}"
    )
    return count_instructions(load_c_program([str(path)], ProgramOptions()), FREE, EncodeFixedValues(()))


def test_instructions_are_counted_as_often_as_they_are_executed(tmp_path: Path) -> None:
    ten, twenty, thirty = (count(tmp_path, n) for n in (10, 20, 30))
    assert thirty - twenty == twenty - ten
    assert (twenty - ten) % 10 == 0
    assert twenty > ten


def test_the_table_has_a_line_for_each_program() -> None:
    done = CliRunner().invoke(main, [*map(str, CONCRETE), "--runs", "1"])
    assert done.exit_code == 0, done.output
    for path in CONCRETE:
        assert f"speed_programs/{path.stem} " in done.output


def test_free_inputs_are_measured_in_terms() -> None:
    (version,) = select(load_manifest(), ["matrix/fault1"])
    speed = measure(version.path, Bound(unwind=1, free=True), None, 1)
    assert speed.terms > 0
    assert speed.seconds > 0
