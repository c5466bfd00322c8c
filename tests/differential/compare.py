"""Where sfo and gcc disagree about one run, in words: what replay compares, and the printed text."""

from __future__ import annotations

from sfo.execution.native.compare import (
    OBSERVED,
    ComparedNativeExecution,
    ExecutionToCompareNatively,
    compare_native_execution,
)

CRASHES = frozenset(OBSERVED) - {"assert", "reach"}
"""Checks whose violation is a crash, or undefined, in a native execution."""


def differences(ours: ExecutionToCompareNatively, native: ComparedNativeExecution) -> list[str]:
    """What differs in end, place, inputs, covered lines and printed text; empty when they agree.

    After a violation that was not observed, or a crash, nothing is said of what was printed.
    """
    comparison = compare_native_execution(ours, native)
    found = list(comparison.problems)
    if comparison.status == "agrees" and ours.kind not in CRASHES and ours.printed != native.printed:
        found.append(f"printed: sfo {_difference(ours.printed, native.printed)}")
    return found


def _difference(ours: str, native: str) -> str:
    mine, theirs = ours.splitlines(), native.splitlines()
    for n, (a, b) in enumerate(zip(mine, theirs, strict=False), start=1):
        if a != b:
            return f"{a!r}, gcc {b!r} (line {n} of the output)"
    return f"{len(mine)} lines, gcc {len(theirs)}"
