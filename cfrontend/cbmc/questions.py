"""Questions to CBMC about the executions of a program: a failing one, a passing one, a longer one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, final

from cfrontend.units import UnitId


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FailingQuestion:
    """Question for a failing execution: it violates one of ``properties`` and does not cover all of ``not_all_of``.

    No ``not_all_of`` (None) means any failing execution.
    """

    properties: frozenset[str]
    not_all_of: frozenset[UnitId] | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PassingQuestion:
    """Question for a passing execution whose covered set is none of ``unlike``."""

    unlike: tuple[frozenset[UnitId], ...]


@final
@dataclass(frozen=True, slots=True)
class AnyQuestion:
    """All questions in one text: every guess is left open."""


@final
@dataclass(frozen=True, slots=True)
class LongerQuestion:
    """Question for an execution that leaves the bound: the text has no assertion of its own."""


@final
@dataclass(frozen=True, slots=True)
class UnmodelledQuestion:
    """Question for an execution that reaches what is not modelled."""


Question: TypeAlias = FailingQuestion | PassingQuestion | AnyQuestion | LongerQuestion | UnmodelledQuestion
