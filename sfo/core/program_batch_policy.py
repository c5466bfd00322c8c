"""Tuning constants of many programs with one specification, a part of the policy."""

from __future__ import annotations

from typing import final

from cfrontend.record import dataclass


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramBatchPolicyConstants:
    """Many programs with one specification: how much of the work on one program is done for each."""

    least_unwind: int = 2
    """Unwinding within which it has to be known that nothing fails; else nothing is said of the program."""
    effort: float = 0.25
    """Effort for each program, as a part of that for one program alone."""
    effort_of_ranking: float = 0.75
    """The same for the full ranking of a program that is known to fail."""
