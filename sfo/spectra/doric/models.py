"""Probabilities of any hypothesis, by listing the causal models (Landsberg and Barr 2018, Definitions 3.1 to 3.6).

A model chooses for every failing execution the units that caused its error: a non-empty subset of those it covers. All
models are equally likely; P_k is a share of models, and P the mean of P_k over all executions. There are
prod_k (2^rho_k - 1) models, so this is for small matrices; ``sfo.spectra.doric.likelihood`` has what has a closed form.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Final, TypeAlias, assert_never

from cfrontend.errors import UsageError
from sfo.spectra.doric.language import (
    DoricBoth,
    DoricCause,
    DoricEither,
    DoricExecuted,
    DoricFailed,
    DoricFault,
    DoricInExecution,
    DoricNot,
    DoricOnlyCause,
    Formula,
)
from sfo.spectra.matrix import CoverageMatrix

MODEL_LIMIT: Final = 1_000_000
"""Models that are listed at most."""

Model: TypeAlias = tuple[frozenset[int], ...]
"""For each execution the units (from 1) that caused its error; empty for a passing one."""


def count_doric_models(matrix: CoverageMatrix) -> int:
    """Number of causal models; 0 when a failing execution covers no unit."""
    count = 1
    for units, failed in _rows(matrix):
        if failed:
            count *= 2 ** len(units) - 1
    return count


def _causal_models(matrix: CoverageMatrix) -> Iterator[Model]:
    """Every causal model. Raises UsageError when there are none or more than ``MODEL_LIMIT``."""
    count = count_doric_models(matrix)
    if count > MODEL_LIMIT:
        raise UsageError(f"{count} causal models are too many to list; at most {MODEL_LIMIT} are")
    if not count:
        raise UsageError("a failing execution covers no unit, so nothing can have caused its error")
    choices = [_subsets(units) if failed else [frozenset[int]()] for units, failed in _rows(matrix)]
    return iter(product(*choices))


def doric_model_probability(
    matrix: CoverageMatrix, formula: Formula, given: Formula | None = None
) -> Fraction:
    """P(formula), or P(formula | given) = P(formula and given) / P(given).

    Raises UsageError when there is no execution, when the condition has probability 0, for units and executions that do
    not exist, and as ``models`` does.
    """
    _check(matrix, formula)
    if given is None:
        return _expected(matrix, formula)
    _check(matrix, given)
    condition = _expected(matrix, given)
    if not condition:
        raise UsageError("the condition has probability 0")
    return _expected(matrix, DoricBoth(formula, given)) / condition


def _expected(matrix: CoverageMatrix, formula: Formula) -> Fraction:
    rows = _rows(matrix)
    if not rows:
        raise UsageError("a matrix without executions has no probabilities")
    true = total = 0
    for model in _causal_models(matrix):
        total += len(rows)
        true += sum(_holds(formula, rows, model, execution) for execution in range(len(rows)))
    return Fraction(true, total)


def _holds(formula: Formula, rows: list[tuple[frozenset[int], bool]], model: Model, execution: int) -> bool:
    """True if ``formula`` is true in this execution (from 0) of this model (Definition 3.4)."""
    match formula:
        case DoricExecuted(unit):
            return unit in rows[execution][0]
        case DoricFailed():
            return rows[execution][1]
        case DoricCause(unit):
            return unit in model[execution]
        case DoricOnlyCause(unit):
            return model[execution] == {unit}
        case DoricFault(unit):
            return any(unit in causes for causes in model)
        case DoricNot(inner):
            return not _holds(inner, rows, model, execution)
        case DoricBoth(left, right):
            return _holds(left, rows, model, execution) and _holds(right, rows, model, execution)
        case DoricEither(left, right):
            return _holds(left, rows, model, execution) or _holds(right, rows, model, execution)
        case DoricInExecution(other, inner):
            return _holds(inner, rows, model, other - 1)
        case _:
            assert_never(formula)


def _check(matrix: CoverageMatrix, formula: Formula) -> None:
    match formula:
        case DoricExecuted(unit) | DoricCause(unit) | DoricOnlyCause(unit) | DoricFault(unit):
            if unit > len(matrix.units):
                raise UsageError(f"there is no unit {unit}: the matrix has {len(matrix.units)}")
        case DoricFailed():
            pass
        case DoricNot(inner):
            _check(matrix, inner)
        case DoricBoth(left, right) | DoricEither(left, right):
            _check(matrix, left)
            _check(matrix, right)
        case DoricInExecution(execution, inner):
            if execution > len(matrix.failed):
                raise UsageError(f"there is no execution {execution}: the matrix has {len(matrix.failed)}")
            _check(matrix, inner)
        case _:
            assert_never(formula)


def _rows(matrix: CoverageMatrix) -> list[tuple[frozenset[int], bool]]:
    rows = matrix.covered
    return [
        (frozenset(int(unit) + 1 for unit in rows.indices[rows.indptr[k] : rows.indptr[k + 1]]), bool(failed))
        for k, failed in enumerate(matrix.failed)
    ]


def _subsets(units: frozenset[int]) -> list[frozenset[int]]:
    """The non-empty subsets."""
    ordered = sorted(units)
    return [
        frozenset(unit for place, unit in enumerate(ordered) if bits >> place & 1)
        for bits in range(1, 2 ** len(ordered))
    ]
