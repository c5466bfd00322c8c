"""Tuning constants of generated suites, a part of the policy."""

from __future__ import annotations

from typing import final

from cfrontend.record import dataclass


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SuitesPolicyConstants:
    """Generated suites: executions that reach what the goal names."""

    failing: float = 0.5
    """Part of the time limit for failing executions; the rest is for those that reach the goal."""
    reaching: float = 0.8
    """Part of the time left for looking for these; the rest is for executing them and choosing the fewest."""
    mutant_seconds: float = 90.0
    """For asking the solver about mutants that no known execution kills."""
    mutant_least: float = 1.0
    """For one of them, however many are left."""
    mutant_effort: int = 400_000
    """Conflicts that a question about a mutant may cost where no larger bound has more executions."""
    mutants_together: int = 16
    """Mutants that share a solver, which knows the program then and the mutants before."""
    mutant_rounds: int = 200
    """Iterations of a loop of a mutant, after which it is taken for one that does not end, ..."""
    mutant_times: int = 10
    """... beside so many times those of the program."""
    endless_on: int = 4
    """Executions in which a mutant that reads on without end is left undecided."""
    growth: float = 1.5
    """Growth limit: the size of an updated suite as a multiple of the fewest tests, so as to keep those that it had."""
