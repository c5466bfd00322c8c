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
DIRECTORY = (16877, 5, 1, 1, 0, 0, 0, 0, 0)
READABLE = (33184, -1, 1, 1, 0, 0, 0, 0, 0)
"""Modes and sizes by ``stat``: of a directory, and of an empty file with the permissions 0640."""
IN_DIRECTORIES = [
    NativeInputVector(values=values, seed=9)
    for values in (
        (0, *DIRECTORY, 0, 0, 0, *READABLE, 0, 2, 47, 97, 0, 0, 0, 0),
        (0, *DIRECTORY, 39, 0, 2, 2, 2, 2, 0, 13),
        (2, 1, 1, 0, 5, 47, 97, 47, 98, 98, 0, 0, 0, 13),
        (17, 1, 1, 2, 2, 2, 0, 0),
    )
]


def entry_of_directory(name: str, kind: int = 0) -> tuple[int, ...]:
    """The inputs that an entry is, with its number 7."""
    return (*name.encode(), *([0] if len(name) < 15 else []), kind, 7)


ITSELF, ABOVE, END = entry_of_directory("."), entry_of_directory("..", 4), (0,)
LISTINGS = [
    NativeInputVector(values=values, seed=9)
    for values in (
        (0, *ITSELF, *ABOVE, *END, 0, 0, 2, 0, 0, *ABOVE, *ITSELF, *END),
        (0, *entry_of_directory("b.c", 8), *ITSELF, *entry_of_directory("a", 4), *ABOVE, *END, 0, 0, 2, 17),
        (0, *ABOVE, *entry_of_directory("a" * 15), *ITSELF, *entry_of_directory("ab"), *END, 13, 0, 20, 0, 2),
        (0, *ABOVE, *ABOVE),
        (0, *ABOVE, *END),
        (20, 13, 2, 2, 0, *ITSELF, *ABOVE, *entry_of_directory("a")),
    )
]
LETTERS, OF_OTHERS = (48, 97, 90, 51, 52, 53), (66,) * 6
DUPLICATES = (
    *(0, 33152, *[1] * 7, *LETTERS, 0, 33152, *[1] * 7, 0, 33184, *[1] * 7, 0),
    *(*LETTERS, 0, 0, *ITSELF, *ABOVE, *END, 0, *LETTERS, *OF_OTHERS),
)
"""Inputs with which all goes well: what ``stat`` says, and the letters of names that nothing has."""
ABOUT = (33152, *[1] * 7)
LENGTHS = (0, 0, 97, 98, 99, *ABOUT, *ABOUT, 1)
"""A file with three bytes or more that is cut to three, what ``stat`` says twice, and that another one is missing."""
OF_PROGRAMS = {
    "lengths": [
        NativeInputVector(values=values, seed=9)
        for values in (LENGTHS, (1, *LENGTHS[1:]), (0, 1), (0, 0, 97, -1, *ABOUT, *ABOUT, 1), (0, 0, -1))
    ],
    "listings": LISTINGS,
    "duplicates": [
        NativeInputVector(values=values, seed=9)
        for values in (DUPLICATES, (1,), (0, 33152), (*DUPLICATES[:15], 1, *LETTERS, 1, *LETTERS, *OF_OTHERS))
    ],
}
RANDOM = [NativeInputVector(seed=seed) for seed in range(1, 30)]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_gcc_and_sfo_agree_on_the_same_inputs(path: Path, tmp_path: Path) -> None:
    program = load_program(path)
    inputs = [*OF_PROGRAMS.get(path.stem, OPENED + IN_DIRECTORIES), *RANDOM]
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


def test_a_descriptor_moves_its_stream_as_with_a_real_file(tmp_path: Path) -> None:
    path = Path(__file__).with_name("kept") / "moves.c"
    binary = tmp_path / "program"
    subprocess.run([require_tool("gcc"), "-w", str(path), "-o", str(binary)], check=True)
    real = subprocess.run([str(binary)], capture_output=True, text=True, check=False, cwd=tmp_path)
    ours = concrete(load_program(path), (0,))
    assert (real.returncode, ours.end, ours.printed) == (0, "pass", real.stdout)


def test_a_directory_is_listed_as_a_real_one(tmp_path: Path) -> None:
    path = Path(__file__).with_name("kept") / "listings.c"
    binary = tmp_path / "program"
    subprocess.run([require_tool("gcc"), "-w", str(path), "-o", str(binary)], check=True)
    (tmp_path / "d" / "sub").mkdir(parents=True)
    for name in ("b.c", "a.c", ".hidden", "no_longer_names"):
        (tmp_path / "d" / name).touch()
    real = subprocess.run([str(binary)], capture_output=True, text=True, check=False, cwd=tmp_path)
    kinds = {".": 4, "..": 4, "sub": 4}
    order = real.stdout.split(" | ")[0].split()
    found = [value for name in order for value in entry_of_directory(name, kinds.get(name, 8))]
    in_made = (0, 0, *ITSELF, *ABOVE, *END)
    ours = concrete(load_program(path), (0, *found, *END, 0, 0, 2, *in_made))
    assert (real.returncode, ours.end, ours.printed) == (0, "pass", real.stdout)


def test_descriptors_are_shared_as_those_of_real_files(tmp_path: Path) -> None:
    path = Path(__file__).with_name("kept") / "duplicates.c"
    binary = tmp_path / "program"
    subprocess.run([require_tool("gcc"), "-w", str(path), "-o", str(binary)], check=True)
    real = subprocess.run([str(binary)], capture_output=True, text=True, check=False, cwd=tmp_path)
    ours = concrete(load_program(path), DUPLICATES)
    assert (real.returncode, ours.end, ours.printed) == (0, "pass", real.stdout)


def test_lengths_are_those_of_real_files(tmp_path: Path) -> None:
    path = Path(__file__).with_name("kept") / "lengths.c"
    binary = tmp_path / "program"
    subprocess.run([require_tool("gcc"), "-w", str(path), "-o", str(binary)], check=True)
    (tmp_path / "data").write_text("abcdefgh")
    real = subprocess.run([str(binary)], capture_output=True, text=True, check=False, cwd=tmp_path)
    ours = concrete(load_program(path), LENGTHS)
    assert (real.returncode, ours.end, ours.printed) == (0, "pass", real.stdout)
