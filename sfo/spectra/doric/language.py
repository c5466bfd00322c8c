"""The language of hypotheses (Landsberg and Barr 2018, Definition 3.3), and its text form.

    u2        unit 2 was executed                 e         the error occurred
    h2        unit 2 was a cause of the error     !p  p & q  p | q
    H2        unit 2 was the cause: h2 and no other
    [3]p      p in the third execution
    f2        unit 2 is a fault: a cause in some execution

Executions and units are counted from 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias, final

from cfrontend.errors import UsageError


@final
@dataclass(frozen=True, slots=True)
class DoricExecuted:
    """u_i: the execution covers the unit."""

    unit: int


@final
@dataclass(frozen=True, slots=True)
class DoricFailed:
    """e: the execution fails."""


@final
@dataclass(frozen=True, slots=True)
class DoricCause:
    """h_i: the unit is a cause of the execution's error."""

    unit: int


@final
@dataclass(frozen=True, slots=True)
class DoricOnlyCause:
    """H_i: the unit is a cause of the execution's error and no other unit is."""

    unit: int


@final
@dataclass(frozen=True, slots=True)
class DoricFault:
    """f_i: the unit is a cause in some execution."""

    unit: int


@final
@dataclass(frozen=True, slots=True)
class DoricNot:
    """Negation."""

    inner: Formula


@final
@dataclass(frozen=True, slots=True)
class DoricBoth:
    """Conjunction."""

    left: Formula
    right: Formula


@final
@dataclass(frozen=True, slots=True)
class DoricEither:
    """Disjunction."""

    left: Formula
    right: Formula


@final
@dataclass(frozen=True, slots=True)
class DoricInExecution:
    """[k]p: the inner formula holds in execution ``run``, whichever execution the formula is evaluated in."""

    run: int
    inner: Formula


Formula: TypeAlias = (
    DoricExecuted
    | DoricFailed
    | DoricCause
    | DoricOnlyCause
    | DoricFault
    | DoricNot
    | DoricBoth
    | DoricEither
    | DoricInExecution
)

_ATOMS: Final[dict[str, type[DoricExecuted | DoricCause | DoricOnlyCause | DoricFault]]] = {
    "u": DoricExecuted,
    "h": DoricCause,
    "H": DoricOnlyCause,
    "f": DoricFault,
}
_TOKEN: Final = re.compile(r"\s*(?:([uhHf])([1-9][0-9]*)|(e)|\[([1-9][0-9]*)\]|([!&|()]))")


def parse_doric_language(text: str) -> Formula:
    """The formula in ``text``; ``!`` and ``[k]`` bind strongest, then ``&``, then ``|``. Raises UsageError."""
    parser = _Parser(text)
    formula = parser.either()
    parser.end()
    return formula


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def _peek(self) -> re.Match[str] | None:
        return _TOKEN.match(self._text, self._at)

    def _take(self, sign: str) -> bool:
        match = self._peek()
        if match is None or match[5] != sign:
            return False
        self._at = match.end()
        return True

    def end(self) -> None:
        if self._text[self._at :].strip():
            self._fail()

    def _fail(self) -> None:
        raise UsageError(
            f"formula {self._text!r}, position {self._at + 1}: expected u1, h1, H1, f1, e, [1], !, &, | or brackets"
        )

    def either(self) -> Formula:
        left = self._both()
        while self._take("|"):
            left = DoricEither(left, self._both())
        return left

    def _both(self) -> Formula:
        left = self._single()
        while self._take("&"):
            left = DoricBoth(left, self._single())
        return left

    def _single(self) -> Formula:
        match = self._peek()
        if match is None:
            self._fail()
        assert match is not None
        letter, number, error, execution, sign = match.groups()
        if letter:
            self._at = match.end()
            return _ATOMS[letter](int(number))
        if error:
            self._at = match.end()
            return DoricFailed()
        if execution:
            self._at = match.end()
            return DoricInExecution(int(execution), self._single())
        if self._take("!"):
            return DoricNot(self._single())
        if not self._take("("):
            self._fail()
        assert sign == "("
        inner = self.either()
        if not self._take(")"):
            self._fail()
        return inner
