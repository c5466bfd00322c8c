r"""Examples of input and expected output, as they lie beside exercises: pairs of files in a directory.

    tests/1.in  tests/1.out          ->  Example(name="tests/1.in", data=b"3 4\n", expected=b"7\n")
    tests/t1/input  tests/t1/output  ->  Example(name="tests/t1/input", ...)

What decides is a word in the name of a file: ``in``, ``inp``, ``input`` or ``stdin`` says that it is read, ``out``,
``output``, ``stdout``, ``ans``, ``answer``, ``exp`` or ``expected`` that it is to be printed. Two files are a pair
when the rest of their paths is the same. Other files are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, final

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import read_regular_file_bytes, regular_files_below
from cfrontend.record import dataclass

_WORD: Final = re.compile(
    r"(?<![a-z])(?:(inp?|input|stdin)|(out|output|stdout|ans|answer|exp|expected))(?![a-z])", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"(\d+)")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An example of wanted behaviour: bytes on the standard input, and those to be printed; ``name`` is a path.

    ``ignores_space``: what is printed is compared up to white space.
    """

    name: str
    data: bytes
    expected: bytes
    ignores_space: bool = False


def read_examples(directory: str, *, ignores_space: bool = False) -> tuple[Example, ...]:
    """The examples below ``directory``, in the order of their names, numbers by size; ``ignores_space`` as of these.

    Raises UsageError when there is none, for a file whose other half is missing, and for a pair of more than two.
    """
    place = Path(directory)
    if not place.is_dir():
        raise UsageError(f"--io {directory}: no such directory")
    halves: dict[tuple[str, str], list[Path]] = {}
    for file, role, rest in _files(place):
        halves.setdefault((rest, role), []).append(file)
    pairs = sorted({rest for rest, _ in halves}, key=_in_order)
    if not pairs:
        raise UsageError(
            f"--io {directory}: no examples here: pairs such as 1.in and 1.out, or input1.txt and output1.txt"
        )
    read = (_example(halves.get((rest, "read"), []), halves.get((rest, "printed"), [])) for rest in pairs)
    return tuple(replace(example, ignores_space=ignores_space) for example in read)


def _files(place: Path) -> Iterator[tuple[Path, str, str]]:
    """Each half of an example: its file, whether it is read or printed, and its path without the word that says so."""
    for file in regular_files_below(place):
        found = list(_WORD.finditer(file.name))
        if found:
            word = found[-1]
            rest = f"{file.parent}/{file.name[: word.start()]}*{file.name[word.end() :]}"
            yield file, "read" if word[1] else "printed", rest


def _example(read: list[Path], printed: list[Path]) -> Example:
    for half in (read, printed):
        if len(half) > 1:
            raise UsageError(f"{half[0]} and {half[1]} are the same half of one example")
    if not printed:
        raise UsageError(f"{read[0]}: there is no expected output for this input")
    if not read:
        raise UsageError(f"{printed[0]}: there is no input for this expected output")
    return Example(
        name=str(read[0]), data=read_regular_file_bytes(read[0]), expected=read_regular_file_bytes(printed[0])
    )


def _in_order(path: str) -> list[tuple[int, str]]:
    """Numbers in a path by size, all else by text."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in _NUMBER.split(path)]
