"""Native patch validation: one compiled meta-program has all edits in it, and tries one or two at a time.

    with NativePatchValidation.of_pairs(program, texts, jobs, seconds) as trial:
        trial.answers([(3, 17), (3, 18)], runs, seconds=1)   ->   bytes([FAILS, GOOD])

It answers some ten thousand questions a second; the interpreter would take hundreds of times as long. What it says is a
hint: sanitizers do not see all that is checked, and gcc decides what C leaves open.
"""

from __future__ import annotations

import os
import re
import time
from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path
from typing import Final, Self, TypeAlias, final

from cfrontend.edit.function_clones import function_clones_refused, function_complaints_outside_clones
from cfrontend.edit.schemata import schemata_text_with_pairs
from cfrontend.encoded_program import EXAMPLE
from cfrontend.errors import ResourceError
from cfrontend.goto.product_program import KIND as REFERENCE
from cfrontend.host.child_processes import ChildProcessWorkplace
from cfrontend.program import Program, load_c_program
from cfrontend.settings import HOLE, OTHER, VARIANT
from cfrontend.symex.observer import comparable_output_spec
from cfrontend.terms.floats import FORMATS
from cfrontend.terms.floats.text import parse_float_text
from sfo.core.executions import Execution, ExecutionInputValue, Native
from sfo.execution.native.build import (
    NativeBuild,
    NativeBuildPlan,
    NativeBuildPurpose,
    NumberedCandidates,
    build_natively,
    missing_native_build_tool,
    plan_native_build,
)
from sfo.execution.native.execute import execute_natively, native_vector_to_execute
from sfo.execution.native.fuzz import BYTES
from sfo.execution.native.objects import NativeBuildRefusalError

_FURTHER: Final = 2
"""What stands for the outcome of an execution without one."""

_EXPECTED: Final = 2
"""What stands for an execution that has to print a given text."""

_EXPECTED_WORDS: Final = 4
"""As ``EXPECTED``, and of white space no more counts than where it is."""

_FINAL: Final = 3
"""Outcome of an execution whose final state, as a caller sees it, is held against that of the reference."""

_BYTES_OF_FINAL: Final = 8 * (2 + 1024)
"""Bytes of what a caller sees of one execution: how it ends, what it prints, the states of variables."""

_SHOWN: Final = 1 << 16
"""Bytes that are compared of what an execution prints."""

_ESCAPE: Final = "\\x"
"""Escape of a byte that is no character in the decoded output of an execution."""

_FIRST_SUM: Final = 1469598103934665603
_PRIME: Final = 1099511628211

_WORD: Final = 8
"""Bytes of the largest input that is given in memory."""

_ATTEMPTS: Final = 4
"""How often a program is compiled without what gcc refuses."""

_ERROR: Final = re.compile(r"^(.+?):(\d+):(?:(\d+):)? error: (.*)$", re.MULTILINE)
"""An error: gcc says no column in very long lines."""

_CHOSEN: Final = re.compile(rf"\b{VARIANT} == (\d+) ".encode())
_NAMED: Final = re.compile(rf"\({VARIANT}\) == (\d+) \?")
"""A choice among edits in what an error quotes."""

Pair: TypeAlias = tuple[int, int]
"""The numbers of two edits, 0 for none."""

GOOD: Final = 1
"""None of the executions fails."""

FAILS: Final = 2
"""Some execution does."""

LATE: Final = 3
"""Some execution takes many more blocks of code than it took before."""

STRAYS: Final = 4
"""No execution fails, but no passing one goes on as before, or no failing one reads as much or is asserted about."""

BEYOND: Final = 5
"""Executions fail only where they have read more inputs than are known."""

PASSED: Final = 1
"""An execution without an edit passes."""

FAILED: Final = 2
"""One without an edit fails."""

READ_BEYOND: Final = 5
"""One without an edit reads more inputs than there are; it breaks an assumption with 4, and is too long with 3."""

MOST_SEEN: Final = 2_048
"""Units and assertions that the harness sees, those with the smallest numbers."""


@final
class ValidatePatchesNatively:
    """A compiled meta-program that ``built`` makes in a directory, executed by so many ``jobs``.

    Raises what ``built`` raises.
    """

    def __init__(self, jobs: int, built: Callable[[Path], NativeBuild]) -> None:
        self.refused: frozenset[int] = frozenset()
        self._first_assertion: int | None = None
        self._relational: frozenset[str] = frozenset()
        self._reference: ValidatePatchesNatively | None = None
        self._finals: dict[str, bytes] = {}
        self._jobs = jobs
        self._place = ChildProcessWorkplace("sfo-patches-")
        try:
            self._build = built(self._place.path)
        except BaseException:
            self._place.close()
            raise

    @classmethod
    def of_pairs(
        cls,
        program: Program,
        texts: Mapping[str, str],
        jobs: int,
        seconds: float,
        native: Native = "sandboxed",
    ) -> Self:
        """``program`` with ``texts`` that hold numbered edits in place of its files, any two of which can be chosen.

        Raises SfoError where it cannot be compiled within ``seconds``.
        """
        return cls(jobs, lambda home: _built_for_pairs(program, texts, home, seconds, native))

    @classmethod
    def of_single_edits(
        cls,
        program: Program,
        candidates: NumberedCandidates,
        jobs: int,
        seconds: float,
        native: Native = "sandboxed",
        assertions: Mapping[str, int] | None = None,
    ) -> Self:
        """``program`` with numbered edits in functions, of which one is chosen, the other number is 0.

        Units out of macros are not seen, nor are those of their files. ``assertions`` are the properties that failing
        executions violate, with numbers above those of the units: an edit strays after which none is come to. Edits
        that gcc refuses are left out, and ``refused`` then; so are all that are no expressions where it does not say
        which.

        Raises SfoError where the program cannot be compiled within ``seconds``.
        """
        refused: set[int] = set()

        def built(home: Path) -> NativeBuild:
            for attempt in range(_ATTEMPTS):
                left = [one for one in candidates if one[0] not in refused]
                try:
                    purpose = NativeBuildPurpose(candidates=left, assertions=assertions or {})
                    return build_natively(program, home / "build", purpose, seconds=seconds, native=native)
                except NativeBuildRefusalError as error:
                    cloned = function_clones_refused(error.complaint)
                    numbers = cloned | _numbers_of_refused(
                        program, left, error.complaint, of_lines=attempt > 0 and not cloned
                    )
                    numbers = numbers or frozenset([number for number, one in left if not one.is_expression])
                    if not numbers:
                        raise
                    refused.update(numbers)
            raise ResourceError("gcc refuses too many edits")

        found = cls(jobs, built)
        found.refused = frozenset(refused)
        found._first_assertion = min(assertions.values()) if assertions else None
        found._relational = frozenset([p.id for p in program.properties if p.kind == REFERENCE])
        if program.harness is not None and program.older is not None:
            try:
                older, telling = program.older, NativeBuildPurpose(tells=True)
                found._reference = cls(
                    1,
                    lambda home: build_natively(
                        older, home / "build", telling, seconds=seconds, native=native
                    ),
                )
            except BaseException:
                found.close()
                raise
        return found

    def close(self) -> None:
        """End what was started, and remove what was compiled."""
        if self._reference is not None:
            self._reference.close()
        self._place.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def answers(self, pairs: Sequence[Pair], executions: Sequence[Execution], seconds: float) -> bytes:
        """Try each of ``pairs`` on ``executions``; one byte each, from ``GOOD`` to ``BEYOND``.

        0 where ``seconds`` were too few to try it. Raises ResourceError where a process was lost.
        """
        return self.validated(pairs, executions, seconds)[0]

    def validated(
        self,
        pairs: Sequence[Pair],
        executions: Sequence[Execution],
        seconds: float,
        constants: Sequence[int] = (),
        *,
        print_alike: bool = False,
    ) -> tuple[bytes, Sequence[int]]:
        """``answers``, and for each the number, from 0, of the last execution.

        With ``GOOD`` and ``STRAYS`` it is how many passing executions cover what they did before, as far as units are
        seen; without any, how many failing ones still cover all that they did. ``constants`` are those for the holes
        of each pair, of 32 bits; 0 where none are given. An execution without an outcome is one that nobody has asked
        for: an edit fails that fails there, and nothing else counts. Where passing executions have to
        ``print_alike``, one fails that prints or returns something else than before.
        """
        if not pairs:
            return b"", ()
        # Examples say what has to be printed, as a reference does.
        relational = self._relational.union(one.property for one in executions if one.property == EXAMPLE)
        finals = b"" if self._reference is None else self._reference.finals(executions, seconds)
        lines = [
            _line(one, self._build.plan, relational, print_alike, is_final=bool(finals)) for one in executions
        ]
        count = len(pairs)
        sizes = {"SFO_ANSWERS": count, "SFO_PLACES": 4 * count}
        told = self._told(pairs, lines, constants, sizes, seconds, finals)
        return told["SFO_ANSWERS"], array("I", told["SFO_PLACES"])

    def ends(self, executions: Sequence[Execution], seconds: float) -> Sequence[tuple[int, int]]:
        """Outcomes of native executions of the unedited program on ``executions``, each with a number of its path.

        The first number is one from ``PASSED`` to ``READ_BEYOND``, or 0 where the executions before took too long.
        Raises ResourceError where the process was lost.
        """
        if not executions:
            return ()
        lines = self._lines(executions)
        sizes = {"SFO_ANSWERS": 1, "SFO_PLACES": 4, "SFO_ENDS": 16 * len(executions)}
        told = array("Q", self._told([(0, 0)], lines, (), sizes, seconds)["SFO_ENDS"])
        return list(zip(told[::2], told[1::2], strict=True))

    def finals(self, executions: Sequence[Execution], seconds: float) -> bytes:
        """Final states of the unedited program after ``executions``, as a caller sees them, one behind the other.

        Raises ResourceError where the process was lost.
        """
        lines = self._lines(executions)
        left = [line for line in dict.fromkeys(lines) if line not in self._finals]
        if left:
            sizes = {"SFO_ANSWERS": 1, "SFO_PLACES": 4, "SFO_FINAL": _BYTES_OF_FINAL * len(left)}
            told = self._told([(0, 0)], left, (), sizes, seconds)["SFO_FINAL"]
            parts = [told[n : n + _BYTES_OF_FINAL] for n in range(0, len(told), _BYTES_OF_FINAL)]
            self._finals.update(zip(left, parts, strict=True))
        return b"".join([self._finals[line] for line in lines])

    def reach(
        self, pairs: Sequence[Pair], executions: Sequence[Execution], seconds: float
    ) -> Sequence[tuple[int, int]]:
        """For each of ``pairs``: on how many edges between units ``executions`` go with it, and on how many ways.

        Both are 0 where one of them fails, but for the pair of no edits. Raises ResourceError where the process was
        lost.
        """
        if not pairs or not executions:
            return [(0, 0)] * len(pairs)
        lines = self._lines(executions)
        count = len(pairs)
        sizes = {"SFO_ANSWERS": count, "SFO_PLACES": 4 * count, "SFO_REACH": 16 * count}
        told = array("Q", self._told(pairs, lines, (), sizes, seconds)["SFO_REACH"])
        return list(zip(told[::2], told[1::2], strict=True))

    def _lines(self, executions: Sequence[Execution]) -> list[str]:
        """Executions as lines for patches.c, whatever they print."""
        return [_line(one, self._build.plan, (), print_alike=False) for one in executions]

    def _told(
        self,
        pairs: Sequence[Pair],
        lines: Sequence[str],
        constants: Sequence[int],
        sizes: Mapping[str, int],
        seconds: float,
        finals: bytes = b"",
    ) -> dict[str, bytes]:
        """Shared files that the compiled program fills for ``pairs`` on the executions of ``lines``; bytes by name.

        ``finals`` are what a caller sees of the reference after each of them.
        """
        home = self._place.path
        runs, asked = home / "runs", home / "pairs"
        runs.write_text("".join(lines), encoding="ascii")
        filled = zip(pairs, constants or repeat(0), strict=False)
        words = array("i", chain.from_iterable((*pair, constant) for pair, constant in filled))
        asked.write_bytes(words.tobytes())
        settings = {"SFO_EXPLORE": "pairs", "SFO_JOBS": str(self._jobs if len(pairs) > 1 else 1)}
        settings |= {"SFO_RUNS": "runs", "SFO_PAIRS": "pairs"}
        files = {"runs": runs, "pairs": asked}
        if finals:
            files["finals"] = home / "finals"
            files["finals"].write_bytes(finals)
            settings["SFO_REFERENCE"] = "finals"
        if self._first_assertion is not None:
            settings["SFO_ASSERTIONS"] = str(self._first_assertion)
        begin = time.monotonic()
        with ExitStack() as opened:
            kept: list[int] = []
            for name, size in sizes.items():
                (home / name).write_bytes(bytes(size))
                kept.append(opened.enter_context((home / name).open("r+b")).fileno())
                settings[name] = str(kept[-1])
            outcome = execute_natively(
                self._build,
                home,
                settings,
                seconds,
                BYTES,
                files=files,
                kept=kept,
            )
        if outcome.why and time.monotonic() - begin < seconds:
            raise ResourceError(f"edits cannot be tried natively: {outcome.why}")
        # The program may have made them shorter or longer.
        return {name: (home / name).read_bytes()[:size].ljust(size, b"\0") for name, size in sizes.items()}


def _numbers_of_refused(
    program: Program, candidates: NumberedCandidates, complaint: str, *, of_lines: bool = False
) -> frozenset[int]:
    """The numbers of the edits of expressions in which gcc finds errors, by its ``complaint`` about their meta-program.

    These are those that an error quotes, or else the last one before its column. ``of_lines``: all before it on its
    line, any of which may be what it complains about.
    """
    errors = _ERROR.findall(function_complaints_outside_clones(complaint))
    if not errors:
        return frozenset()
    plan = plan_native_build(program, NativeBuildPurpose(candidates=candidates))
    lines = {path: _lines_of(source.text) for path, source in zip(program.paths, plan.own, strict=True)}
    found: set[int] = set()
    for path, line, column, said in errors:
        text = lines.get(path, {}).get(int(line), b"")[: int(column) if column else None]
        chosen = _CHOSEN.findall(text)
        blamed = _NAMED.findall(said) or (chosen if of_lines or not column else chosen[-1:])
        # The last one of a group stands behind the number before it.
        found |= {number + n for number in map(int, blamed) for n in (0, 1)}
    return frozenset(found)


def _lines_of(text: bytes) -> dict[int, bytes]:
    """The lines of a file that is compiled, by their numbers in the user's file, which begin behind its first mark."""
    _, _, own = text.partition(b"\n# 1 ")
    return dict(enumerate(own.split(b"\n")[1:], start=1))


def _built_for_pairs(
    program: Program, texts: Mapping[str, str], home: Path, seconds: float, native: Native
) -> NativeBuild:
    """The program with other texts, read and compiled anew."""
    declared = home / "chosen.h"
    declared.write_text(f"extern int {VARIANT}, {OTHER}, {HOLE};\n", encoding="ascii")
    own = home / "own"
    own.mkdir()
    for path, text in texts.items():
        (own / Path(path).name).write_bytes(os.fsencode(schemata_text_with_pairs(text)))
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
    edited = load_c_program([str(own / Path(path).name) for path in program.paths], options)
    return build_natively(
        edited, home / "build", NativeBuildPurpose(pairs=True), seconds=seconds, native=native
    )


def shows_all_natively(program: Program) -> bool:
    """True if all that is compared with a reference is what ``program`` prints and its exit status."""
    return (
        program.reference is not None
        and program.options.entry == "main"
        and not program.reference.variables
        and not program.tree.keeps_files
    )


def can_validate_patches_natively(
    program: Program,
    executions: Sequence[Execution],
    *,
    beside_reference: bool = False,
    with_harness: bool = False,
) -> bool:
    """True if ``program`` can be compiled with edits in it, and all inputs of ``executions`` can be given.

    ``beside_reference``: also where a reference says what has to be printed, as far as that can be compared.
    ``with_harness``: also with a harness around a function, and what a caller sees of a reference of it.
    """
    names = [Path(path).name for path in program.paths]
    return (
        missing_native_build_tool() is None
        and (
            program.reference is None
            or (beside_reference and shows_all_natively(program))
            or (with_harness and program.harness is not None and program.older is not None)
        )
        and (program.harness is None or with_harness)
        and len(set(names)) == len(names)
        and not any(path.endswith(".i") for path in program.paths)
        and all(_fits(value) for execution in executions for value in execution.inputs)
    )


def _fits(value: ExecutionInputValue) -> bool:
    """True if an input comes from a call, or stands in memory that nobody wrote and has 64 bits at most."""
    return value.memory is None or (value.memory.size <= _WORD and value.memory.ordinal is not None)


def _line(
    execution: Execution,
    plan: NativeBuildPlan,
    relational: Collection[str],
    print_alike: bool,
    *,
    is_final: bool = False,
) -> str:
    """An execution as a line for patches.c: its outcome, the inputs of calls, and those in memory.

    ``relational`` are the properties about what is printed, beside a reference or examples. ``print_alike``: passing
    executions have to print what they did. ``is_final``: what a caller sees after it is held against the reference.

    Raises ResourceError where one of them cannot be given natively.
    """
    given = native_vector_to_execute(execution.inputs, plan)
    if isinstance(given, str):
        raise ResourceError(given)
    passes = _FURTHER if execution.outcome is None else int(execution.outcome == "pass")
    # Where numbers are printed in other formats, an execution may count as failing that prints the same.
    is_wrong = execution.property in relational and execution.output != execution.expected
    is_passing = execution.outcome == "pass"
    is_shown = int((bool(relational) and (is_passing or is_wrong)) or (print_alike and is_passing))
    expected = _text_to_print(execution, relational)
    if expected is not None:
        code = _EXPECTED_WORDS if EXAMPLE in relational and execution.ignores_space else _EXPECTED
        is_shown = code if len(expected) < _SHOWN else 0
    if is_final:
        is_shown = 0 if execution.outcome is None else _FINAL
    called = [_word(value) for value in execution.inputs if value.memory is None]
    called += [int(value) for value in execution.vector_of_test[len(execution.vector) :]]
    words = [passes, is_shown, _checksum(expected or b""), execution.inputs_before_end]
    words += [len(called), *called, len(given.fills)]
    for fill in given.fills:
        words += [fill.object, fill.ordinal, fill.offset, len(fill.data), int.from_bytes(fill.data, "little")]
    return f"{' '.join(map(str, words))}\n"


def _text_to_print(execution: Execution, relational: Collection[str]) -> bytes | None:
    """Expected output by an example, or by the reference of a failing execution; None where that is not known.

    A failing execution that prints just this differs in white space, or in what is no text.
    """
    if EXAMPLE in relational:
        example = execution.example
        is_free = execution.ignores_space
        return None if example is None else comparable_output_spec(example, ignores_space=is_free)
    expected = execution.expected
    if not relational or execution.outcome != "fail" or expected is None or _ESCAPE in expected:
        return None
    text = comparable_output_spec(os.fsencode(expected))
    is_same = execution.property in relational and text == comparable_output_spec(
        os.fsencode(execution.output)
    )
    return None if is_same else text


def _checksum(text: bytes) -> int:
    """Checksum of a text as patches.c has it: FNV-1a of 64 bits."""
    found = _FIRST_SUM
    for byte in text:
        found = (found ^ byte) * _PRIME % (1 << 64)
    return found


def _word(value: ExecutionInputValue) -> int:
    """An input as 64 bits: an integer, or a floating value as a double."""
    if isinstance(value.value, int):
        return value.value % (1 << 64)
    return parse_float_text(FORMATS[64], value.value) or 0
