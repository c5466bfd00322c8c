r"""Existing tests by the form they are written in, and the inputs that the program reads from them.

supply_of_test_case(CallTestCase(name="t1.xml", values=("-3",)), program)(site of a)  ->  -3
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, TypeAlias, assert_never, final

from cfrontend.environment.arguments import environment_argument_number
from cfrontend.errors import UsageError
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.terms.floats.format import BINARY64
from cfrontend.terms.floats.text import parse_float_text
from cfrontend.units import InputNumber, InputSite, Supply
from sfo.execution.standard_input import StandardInput
from sfo.formats.vectors import InputVector

_CALL: Final = "__VERIFIER_nondet_"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class VectorTestCase:
    """A row of an input vector file."""

    name: str
    vector: InputVector


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TextTestCase:
    """Existing test that is a text on the standard input; ``arguments`` are behind the program's name, None: unsaid.

    ``unwritten`` is each byte of memory that is read and was never written; None: that is an error.
    """

    name: str
    data: bytes
    arguments: tuple[bytes, ...] | None = None
    unwritten: int | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CallTestCase:
    """The values of calls, in order, as text: a Test-Comp test."""

    name: str
    values: tuple[str, ...]


Case: TypeAlias = VectorTestCase | TextTestCase | CallTestCase


def supply_of_test_case(case: Case, program: Program) -> Supply:
    """Supply of inputs for one execution from a test.

    Its calls raise UsageError where the test does not fit the program.
    """
    match case:
        case VectorTestCase():
            return _Row(case)
        case TextTestCase():
            model = program.options.preprocess.model
            text = StandardInput(case.data, case.name, model.long.width)
            text.memory = case.unwritten
            return text if case.arguments is None else _command(case.arguments, text)
        case CallTestCase():
            return _calls(case)
        case _:
            assert_never(case)


def unread_test_case_values(supply: Supply) -> UsageError | None:
    """The error in a vector with more values than are read, or None; tests of other forms may have more."""
    return supply.left() if isinstance(supply, _Row) else None


class _Row:
    """The values of a row, each of which has to fit its input."""

    def __init__(self, case: VectorTestCase) -> None:
        self._case = case
        self._used = 0

    def __call__(self, site: InputSite) -> InputNumber | None:
        vector = self._case.vector
        if self._used >= len(vector.values):
            return None
        value = vector.values[self._used]
        place = replace(vector.location, column=vector.columns[self._used])
        self._used += 1
        if not site.floating and (isinstance(value, str) or not _case_value_fits_input(value, site)):
            raise UsageError(f"{value} does not fit into {site.name} ({site.type})", place)
        return value

    def left(self) -> UsageError | None:
        vector = self._case.vector
        if self._used == len(vector.values):
            return None
        place = replace(vector.location, column=vector.columns[self._used])
        return UsageError(f"row too long: column {self._used + 1} is never read", place)


def _case_value_fits_input(value: int, site: InputSite) -> bool:
    """True if the bits of an integer input can hold ``value``, as a signed or an unsigned number."""
    return -(1 << site.width) // 2 <= value < 1 << site.width


def _calls(case: CallTestCase) -> Supply:
    """Each call takes the next value, whatever it is called; scanf of the runners makes it fit."""
    values = iter(case.values)

    def supply(site: InputSite) -> InputNumber | None:
        if not site.function.startswith(_CALL) or site.reading is not None:
            raise UsageError(
                f"{case.name}: a Test-Comp test gives values to {_CALL}* functions only, and {site.name} at"
                f" {site.location} is none"
            )
        text = next(values, None)
        value = None if text is None else _parse_case_number(text, case.name)
        if value is None or site.floating:
            return value
        if isinstance(value, str):
            raise UsageError(f"{case.name}: {text} is no value for {site.name} ({site.type})")
        return value % (1 << site.width)

    return supply


_INTEGER: Final = re.compile(r"([-+]?)(0[xX][0-9a-fA-F]+|[0-9]+)[lLuU]*")
_CHARACTER: Final = re.compile(r"'(.)'", re.DOTALL)


def _parse_case_number(text: str, name: str) -> InputNumber:
    """A value as Test-Comp's runners read it. Raises UsageError for what is none."""
    bare = text.strip()
    if found := _CHARACTER.fullmatch(bare):
        return ord(found[1])
    bare = bare.strip("\"'")
    if found := _INTEGER.fullmatch(bare):
        return int(found[1] + found[2], 16 if "x" in found[2].lower() else 10)
    if not bare.lower().lstrip("+-").startswith(("0x", "inf")):
        bare = bare.rstrip("fFlL")
    if parse_float_text(BINARY64, bare) is None:
        raise UsageError(f"{name}: {text!r} is not a number")
    return bare


def _command(arguments: tuple[bytes, ...], text: StandardInput) -> Supply:
    """The characters of arguments by their places, and all else from a text."""

    def supply(site: InputSite) -> InputNumber | None:
        argument = environment_argument_number(site.name) if site.memory is None else None
        if argument is None or site.reading is not None or argument > len(arguments):
            return text(site)
        word, index = arguments[argument - 1], int(site.name.rsplit("[", 1)[1][:-1])
        return word[index] if index < len(word) else 0  # zero behind its end

    return supply


def missing_test_case_value(case: Case, site: InputSite) -> UsageError:
    """The error in a test that has no value for ``site``."""
    place = case.vector.location if isinstance(case, VectorTestCase) else None
    name = "" if place is not None else f"{case.name}: "
    return UsageError(f"{name}no value for the read of {site.name} ({site.type}) at {site.location}", place)
