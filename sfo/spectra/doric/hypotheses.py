"""Probabilities of hypotheses, by listing the causal models (Landsberg and Barr 2018, Definitions 3.1 to 3.6).

    u2        unit 2 was executed                 e         the error occurred
    h2        unit 2 was a cause of the error     !p  p & q  p | q
    H2        unit 2 was the cause: h2 and no other
    [3]p      p in the third execution
    f2        unit 2 is a fault: a cause in some execution

Executions and units are counted from 1. A model chooses for every failing execution the units that caused its error: a
non-empty subset of those it covers. All models are equally likely, unless ``odds`` of a cause weigh them; P_k is the
share of models, and P the mean of P_k over all executions. There are prod_k (2^rho_k - 1) models, so this is for small
matrices; ``sfo.spectra.doric.likelihood`` has what has a closed form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Final, TypeAlias

from cfrontend.errors import UsageError
from sfo.spectra.matrix import CoverageMatrix

MODEL_LIMIT: Final = 1_000_000
"""Models that are listed at most."""

Model: TypeAlias = tuple[frozenset[int], ...]
"""For each execution the units (from 1) that caused its error; empty for a passing one."""

Rows: TypeAlias = list[tuple[frozenset[int], bool]]
"""For each execution the units (from 1) that it covers, and whether it fails."""

Formula: TypeAlias = Callable[[Rows, Model, int], bool]
"""A formula of Definition 3.3: whether it is true in a model and one of its executions, from 0 (Definition 3.4)."""


def doric_model_probability(
    matrix: CoverageMatrix, formula: str, given: str | None = None, odds: Fraction = Fraction(1)
) -> Fraction:
    """P(formula), or P(formula | given) = P(formula and given) / P(given); a model with n causes weighs ``odds``^n.

    Raises UsageError for a malformed formula, for units and executions that do not exist, when there is no execution,
    when the condition has probability 0, and when there are no models or more than ``MODEL_LIMIT``.
    """
    rows = _rows(matrix)
    holds = _Parser(formula, len(matrix.units), len(rows)).formula()
    if given is None:
        return _expected(rows, holds, odds)
    condition = _Parser(given, len(matrix.units), len(rows)).formula()
    likely = _expected(rows, condition, odds)
    if not likely:
        raise UsageError("the condition has probability 0")
    return _expected(rows, lambda *world: holds(*world) and condition(*world), odds) / likely


def count_doric_models(matrix: CoverageMatrix) -> int:
    """Number of causal models; 0 when a failing execution covers no unit."""
    return _number_of_models(_rows(matrix))


def _number_of_models(rows: Rows) -> int:
    count = 1
    for units, failed in rows:
        if failed:
            count *= 2 ** len(units) - 1
    return count


def _causal_models(rows: Rows) -> Iterator[Model]:
    """Every causal model. Raises UsageError when there are none or more than ``MODEL_LIMIT``."""
    count = _number_of_models(rows)
    if count > MODEL_LIMIT:
        raise UsageError(f"{count} causal models are too many to list; at most {MODEL_LIMIT} are")
    if not count:
        raise UsageError("a failing execution covers no unit, so nothing can have caused its error")
    return product(*(_subsets(units) if failed else [frozenset[int]()] for units, failed in rows))


def _expected(rows: Rows, formula: Formula, odds: Fraction) -> Fraction:
    if not rows:
        raise UsageError("a matrix without executions has no probabilities")
    true = total = Fraction(0)
    for model in _causal_models(rows):
        weight = odds ** sum(map(len, model)) if odds != 1 else 1
        total += weight * len(rows)
        true += weight * sum(formula(rows, model, execution) for execution in range(len(rows)))
    return true / total


def _rows(matrix: CoverageMatrix) -> Rows:
    return [
        (frozenset((matrix.row(execution) + 1).tolist()), bool(failed))
        for execution, failed in enumerate(matrix.failed)
    ]


def _subsets(units: frozenset[int]) -> list[frozenset[int]]:
    """The non-empty subsets."""
    ordered = sorted(units)
    return [
        frozenset(unit for place, unit in enumerate(ordered) if bits >> place & 1)
        for bits in range(1, 2 ** len(ordered))
    ]


# -- the language ------------------------------------------------------------------------------------------------

_ATOMS: Final[dict[str, Callable[[int], Formula]]] = {
    "u": lambda unit: lambda rows, _model, execution: unit in rows[execution][0],
    "h": lambda unit: lambda _rows, model, execution: unit in model[execution],
    "H": lambda unit: lambda _rows, model, execution: model[execution] == {unit},
    "f": lambda unit: lambda _rows, model, _execution: any(unit in causes for causes in model),
}
"""Formulas about one unit, by the letter before its number."""

_TOKEN: Final = re.compile(r"\s*(?:([uhHf])([1-9][0-9]*)|(e)|\[([1-9][0-9]*)\]|([!&|()]))")


class _Parser:
    """Recursive descent: ``!`` and ``[k]`` bind strongest, then ``&``, then ``|``."""

    def __init__(self, text: str, units: int, executions: int) -> None:
        self._text = text
        self._at = 0
        self._units = units
        self._executions = executions

    def formula(self) -> Formula:
        """The formula that is the whole text."""
        found = self._either()
        if self._text[self._at :].strip():
            self._fail()
        return found

    def _fail(self) -> None:
        raise UsageError(
            f"formula {self._text!r}, position {self._at + 1}: expected u1, h1, H1, f1, e, [1], !, &, | or brackets"
        )

    def _take(self, sign: str) -> bool:
        match = _TOKEN.match(self._text, self._at)
        if match is None or match[5] != sign:
            return False
        self._at = match.end()
        return True

    def _either(self) -> Formula:
        parts = [self._both()]
        while self._take("|"):
            parts.append(self._both())
        return lambda *world: any(part(*world) for part in parts)

    def _both(self) -> Formula:
        parts = [self._single()]
        while self._take("&"):
            parts.append(self._single())
        return lambda *world: all(part(*world) for part in parts)

    def _single(self) -> Formula:
        if self._take("!"):
            denied = self._single()
            return lambda *world: not denied(*world)
        if self._take("("):
            inner = self._either()
            if not self._take(")"):
                self._fail()
            return inner
        match = _TOKEN.match(self._text, self._at)
        if match is None or match[5]:
            self._fail()
        assert match is not None
        self._at = match.end()
        letter, number, _, execution, _ = match.groups()
        if letter:
            return _ATOMS[letter](_existing(int(number), self._units, "unit"))
        if execution:
            other = _existing(int(execution), self._executions, "execution") - 1
            inside = self._single()
            return lambda rows, model, _execution: inside(rows, model, other)
        return lambda rows, _model, execution: rows[execution][1]


def _existing(number: int, count: int, what: str) -> int:
    if number > count:
        raise UsageError(f"there is no {what} {number}: the matrix has {count}")
    return number
