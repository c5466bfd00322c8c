"""Where sfo and gcc disagree about one run, in words."""

from __future__ import annotations

from tests.differential.native import NativeRun
from tests.differential.ours import OurRun

CRASHES = frozenset({"bounds", "pointer", "div0"})
"""Checks whose violation is a crash, or undefined, in a native run."""


def differences(ours: OurRun, native: NativeRun, unclear: frozenset[int] = frozenset()) -> list[str]:
    """What differs in end, line, inputs, printed text and covered lines; empty when they agree.

    After a crash nothing native is compared but the inputs read and the text printed until then. Coverage is
    compared on lines that have a unit and that gcov counts; ``unclear`` are lines to leave out.
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
        lines = (ours.units & native.executable) - unclear
        more, less = (ours.covered - native.covered) & lines, (native.covered - ours.covered) & lines
        if more:
            found.append(f"covered only in sfo: lines {sorted(more)}")
        if less:
            found.append(f"covered only in gcc: lines {sorted(less)}")
    return found


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
