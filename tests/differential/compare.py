"""Where sfo and gcc disagree about one run, in words."""

from __future__ import annotations

from collections.abc import Iterable

from tests.differential.native import NativeRun
from tests.differential.ours import OurRun, Span

CRASHES = frozenset({"bounds", "pointer", "div0"})
"""Checks whose violation is a crash, or undefined, in a native run."""


def differences(ours: OurRun, native: NativeRun) -> list[str]:
    """What differs in end, line, inputs, printed text and covered lines; empty when they agree.

    Coverage is compared on lines that have a unit and that gcov counts. gcov puts parts of an expression that
    takes several lines on any of them, so lines that share a unit are taken together. After a crash nothing
    native can be compared but where it happened.
    """
    if ours.kind in CRASHES:
        return _crash(ours, native)
    found: list[str] = []
    if (ours.end, ours.line) != (native.end, native.line if native.end == "fail" else None):
        found.append(f"end: sfo {ours.end} at line {ours.line}, gcc {native.end} at line {native.line}")
    if ours.inputs != native.inputs:
        found.append(f"inputs: sfo {ours.inputs}, gcc {native.inputs}")
    if ours.printed != native.printed:
        found.append(f"printed: sfo {_difference(ours.printed, native.printed)}")
    if native.covered is not None:
        found += _coverage(ours, native.covered, native.executable)
    return found


def _coverage(ours: OurRun, covered: frozenset[int], executable: frozenset[int]) -> list[str]:
    more: list[Span] = []
    less: list[Span] = []
    for first, last in _groups(ours.units):
        lines = executable & set(range(first, last + 1))
        if not lines:
            continue
        mine = any(first <= span[0] <= last for span in ours.covered)
        theirs = bool(lines & covered)
        if mine and not theirs:
            more.append((first, last))
        if theirs and not mine:
            less.append((first, last))
    words = []
    if more:
        words.append(f"covered only in sfo: lines {_shown(more)}")
    if less:
        words.append(f"covered only in gcc: lines {_shown(less)}")
    return words


def _groups(spans: Iterable[Span]) -> list[Span]:
    """Spans that overlap, put together."""
    groups: list[Span] = []
    for first, last in sorted(spans):
        if groups and first <= groups[-1][1]:
            groups[-1] = (groups[-1][0], max(last, groups[-1][1]))
        else:
            groups.append((first, last))
    return groups


def _shown(spans: Iterable[Span]) -> str:
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)


def _crash(ours: OurRun, native: NativeRun) -> list[str]:
    if native.end == "pass":
        return []
    if ours.kind == "div0" and native.end == "signal-8" and ours.line != native.line:
        return [f"division: sfo at line {ours.line}, gcc at line {native.line}"]
    return []


def _difference(ours: str, native: str) -> str:
    mine, theirs = ours.splitlines(), native.splitlines()
    for n, (a, b) in enumerate(zip(mine, theirs, strict=False), start=1):
        if a != b:
            return f"{a!r}, gcc {b!r} (line {n} of the output)"
    return f"{len(mine)} lines, gcc {len(theirs)}"
