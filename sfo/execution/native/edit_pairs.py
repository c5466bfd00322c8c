"""Native validation of pairs of edits: one compiled program has all edits in it and tries two at a time.

    with NativePairValidation(program, texts, jobs, seconds) as trial:
        trial.answers([(3, 17), (3, 18)], runs, seconds=1)   ->   bytes([FAILS, GOOD])

It answers some ten thousand questions a second; the interpreter would take hundreds of times as long. What it says is a
hint: sanitizers do not see all that is checked, and gcc decides what C leaves open.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeAlias, final

from cfrontend.edit.schemata import with_pairs
from cfrontend.errors import ResourceError
from cfrontend.host.child_processes import Workplace
from cfrontend.program import Program, load
from cfrontend.settings import HOLE, OTHER, VARIANT
from cfrontend.terms.floats import FORMATS
from cfrontend.terms.floats.text import parse_float
from sfo.core.data import Execution, InputValue
from sfo.execution.native.build import Build, build, missing_build_tool, quick_sanitizers_to_build_with
from sfo.execution.native.execute import execute_natively
from sfo.execution.native.fuzz import BYTES

Pair: TypeAlias = tuple[int, int]
"""The numbers of two edits, 0 for none."""

GOOD: Final = 1
"""None of the executions fails."""

FAILS: Final = 2
"""Some execution does."""

LATE: Final = 3
"""Some execution takes much longer than all took before."""

STRAYS: Final = 4
"""No execution fails, but no passing one goes on as before, or no failing one reads as much."""


@final
class NativePairValidation:
    """``program``, whose files have ``texts`` that hold numbered edits, compiled.

    Raises SfoError where that cannot be done within ``seconds``.
    """

    def __init__(self, program: Program, texts: Mapping[str, str], jobs: int, seconds: float) -> None:
        self._jobs = jobs
        self._place = Workplace("sfo-pairs-")
        try:
            self._build = self._built(program, texts, seconds)
        except BaseException:
            self._place.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._place.close()

    def answers(self, pairs: Sequence[Pair], executions: Sequence[Execution], seconds: float) -> bytes:
        """Try each of ``pairs`` on ``executions``; one byte each: ``GOOD``, ``FAILS``, ``LATE`` or ``STRAYS``.

        0 where ``seconds`` were too few to try it. Raises ResourceError where a process was lost.
        """
        if not pairs:
            return b""
        home = self._place.path
        files = {"SFO_RUNS": home / "runs", "SFO_PAIRS": home / "pairs", "SFO_ANSWERS": home / "answers"}
        files["SFO_RUNS"].write_text("".join(map(_line, executions)), encoding="ascii")
        files["SFO_PAIRS"].write_bytes(array("I", chain.from_iterable(pairs)).tobytes())
        files["SFO_ANSWERS"].write_bytes(bytes(len(pairs)))
        settings = {"SFO_EXPLORE": "pairs", "SFO_JOBS": str(self._jobs)}
        settings |= {name: str(path) for name, path in files.items()}
        begin = time.monotonic()
        why = execute_natively(self._build, home, settings, seconds, BYTES)
        if why and time.monotonic() - begin < seconds:
            raise ResourceError(f"edits cannot be tried natively: {why}")
        return files["SFO_ANSWERS"].read_bytes()

    def _built(self, program: Program, texts: Mapping[str, str], seconds: float) -> Build:
        """The program, read and compiled anew."""
        home = self._place.path
        declared = home / "chosen.h"
        declared.write_text(f"extern int {VARIANT}, {OTHER}, {HOLE};\n", encoding="ascii")
        own = home / "own"
        own.mkdir()
        for path, text in texts.items():
            (own / Path(path).name).write_text(with_pairs(text), encoding="utf-8")
        given = program.options.preprocess
        folders = tuple(dict.fromkeys(str(Path(path).parent) for path in texts))
        options = replace(
            program.options,
            preprocess=replace(
                given,
                include_dirs=(*folders, *given.include_dirs),
                forced_includes=(str(declared), *given.forced_includes),
            ),
        )
        edited = load([str(own / Path(path).name) for path in program.paths], options)
        sanitizers = quick_sanitizers_to_build_with(edited)
        return build(
            edited, home / "build", sanitizers=sanitizers, coverage=False, pairs=True, seconds=seconds
        )


def can_try_edit_pairs(program: Program, executions: Sequence[Execution]) -> bool:
    """True if ``program`` can be compiled with edits in it, and all inputs of ``executions`` come from calls."""
    names = [Path(path).name for path in program.paths]
    return (
        missing_build_tool() is None
        and program.reference is None
        and program.harness is None
        and len(set(names)) == len(names)
        and not any(path.endswith(".i") for path in program.paths)
        and all(value.memory is None for execution in executions for value in execution.inputs)
    )


def _line(execution: Execution) -> str:
    """An execution as a line for pairs.c: its outcome, the number of inputs and their values."""
    words = (execution.outcome == "pass", len(execution.inputs), *map(_word, execution.inputs))
    return f"{' '.join(str(int(word)) for word in words)}\n"


def _word(value: InputValue) -> int:
    """An input as 64 bits: an integer, or a floating value as a double."""
    if isinstance(value.value, int):
        return value.value % (1 << 64)
    return parse_float(FORMATS[64], value.value) or 0
