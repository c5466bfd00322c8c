"""A suite for KLEE: one ``.ktest`` file for each test, version 3 of the format.

All integers of the file are unsigned, 32 bits, most significant byte first; the bytes of an object are its memory,
so their order is the machine's:

    KTEST 3 | command line | 0 0 | objects (name, bytes)

A call that returns an input is an object with the name of its function, the memory of one ``klee_make_symbolic`` is
one object. The arguments of ``main`` are on the command line.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from cfrontend.environment.arguments import environment_argument_number
from cfrontend.errors import UsageError
from cfrontend.program import Program
from cfrontend.terms.floats import FORMATS
from cfrontend.terms.floats.text import parse_float_text
from cfrontend.units import FLOATING_TYPES, MemoryPlace
from sfo.core.executions import Execution, ExecutionInputValue
from sfo.execution.native.execute import interpreted_native_execution

_MAKER: Final = "klee_make_symbolic"
_SIZES: Final = {
    "_Bool": 1, "char": 1, "signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 4,
    "unsigned int": 4, "long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8,
}  # fmt: skip


def ktest_suite(program: Program, executions: Sequence[Execution]) -> Mapping[str, bytes]:
    """The files of the suite. Raises UsageError for inputs that no object of a .ktest file can hold."""
    bitcode = Path(program.paths[0]).with_suffix(".bc").name
    files: dict[str, bytes] = {}
    for e in executions:
        line = [bitcode.encode(), *_arguments(program, e)]
        files[f"{e.outcome}-{e.id}.ktest"] = _file(line, _objects(program, e))
    return files


def _arguments(program: Program, execution: Execution) -> list[bytes]:
    """Values of ``argv[1]`` and the arguments after it."""
    count = program.options.arguments.count if program.reads_arguments else 1
    words = [b""] * (count - 1)
    for value in execution.inputs:
        number = _argument_number(program, value)
        if number is not None and value.value:
            words[number - 1] += _bytes(value, 1)
    return words


def _argument_number(program: Program, value: ExecutionInputValue) -> int | None:
    """Number of the argument of ``main`` that an input is a character of; None for other inputs."""
    return (
        environment_argument_number(value.name)
        if program.options.entry == "main" and value.memory is None
        else None
    )


def _file(command_line: Sequence[bytes], objects: Sequence[tuple[str, bytes]]) -> bytes:
    parts = [
        b"KTEST",
        _number(3),
        _number(len(command_line)),
        *map(_text, command_line),
        _number(0),
        _number(0),
    ]
    parts.append(_number(len(objects)))
    for name, data in objects:
        parts += [_text(name.encode()), _text(data)]
    return b"".join(parts)


def _number(value: int) -> bytes:
    return struct.pack(">I", value)


def _text(data: bytes) -> bytes:
    return _number(len(data)) + data


def _objects(program: Program, execution: Execution) -> list[tuple[str, bytes]]:
    """Name and bytes of each object, in the order in which they are made."""
    inputs = execution.inputs
    if any(i.memory is not None for i in inputs):
        run = interpreted_native_execution(program, execution.vector)
        assert run is not None
        inputs = run.inputs
    objects: list[tuple[str, bytearray, MemoryPlace | None]] = []
    for value in inputs:
        place = value.memory
        if _argument_number(program, value) is not None:
            continue
        if place is None:
            objects.append((value.name.removesuffix("()"), bytearray(_bytes(value, None)), None))
            continue
        if place.object != _MAKER:
            raise UsageError(f"{value.name} at {value.location} is no object that KLEE makes symbolic")
        if not objects or objects[-1][2] is None or objects[-1][2].ordinal != place.ordinal:
            name = value.name[: len(value.name)].split(".")[0].split("[")[0]
            objects.append((name, bytearray(), place))
        memory = objects[-1][1]
        memory.extend(bytes(place.offset + place.size - len(memory)))
        memory[place.offset : place.offset + place.size] = _bytes(value, place.size)
    return [(name, bytes(memory)) for name, memory, _ in objects]


def _bytes(value: ExecutionInputValue, size: int | None) -> bytes:
    """The memory of a value, ``size`` bytes or those of its type."""
    if value.type in FLOATING_TYPES:
        bits = FLOATING_TYPES[value.type]
        word = parse_float_text(FORMATS[bits], str(value.value))
        assert word is not None
        return word.to_bytes(size or -(-bits // 32) * 4, "little")
    size = _SIZES.get(value.type) if size is None else size
    if size is None or not isinstance(value.value, int):
        raise UsageError(f"{value.name} of type {value.type} cannot be written to a .ktest file")
    return (value.value % (1 << 8 * size)).to_bytes(size, "little")
