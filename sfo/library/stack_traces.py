"""Stack traces as spectra: each crash report is a failing execution that covers the places of its frames.

    crash1.txt  #0 pick at t.c:5  #1 main at t.c:9         pick at t.c:5     1, 1/2   ->   stack-trace 3/4
    crash2.txt  #0 put at t.c:2   #1 pick at t.c:5 ...      put at t.c:2      0, 1     ->   stack-trace 1/2

Faults stand in the first frames more often than further out (Schröter et al. 2010), so the technique ``stack-trace``
gives a place the mean over all reports of 1 / depth of its first frame, 0 where a report has none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from cfrontend.errors import UsageError
from sfo.formats.crash_reports import CrashFrame, read_crash_report
from sfo.spectra.matrix import CoverageMatrix, MatrixUnit, make_coverage_matrix
from sfo.spectra.techniques import TechniqueScores, technique_order_by_value

CRASHES: Final = "crashes"
"""Name of the form: a crash report, or a directory of them."""

STACK_TRACE: Final = "stack-trace"
"""Name of the technique."""


def read_stack_traces(path: Path) -> tuple[CoverageMatrix, TechniqueScores]:
    """The matrix of the crash reports in ``path``, and its ranking by ``stack-trace``.

    Raises UsageError where there is none, and for a file that is no crash report.
    """
    files = sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]
    reports = [read_crash_report(str(file)) for file in files]
    frames = list(dict.fromkeys(frame for report in reports for frame in report.frames))
    if not frames:
        raise UsageError(f"{path}: no frame of a crash report is here")
    place = {frame: number for number, frame in enumerate(frames)}
    shares = np.zeros((len(reports), len(frames)))
    for row, report in zip(shares, reports, strict=True):
        for depth, frame in reversed(list(enumerate(report.frames, start=1))):
            row[place[frame]] = 1 / depth
    matrix = make_coverage_matrix(
        [_unit(frame) for frame in frames],
        [np.flatnonzero(row).tolist() for row in shares],
        [True] * len(reports),
        [True] * len(reports),
        [file.name for file in files],
    )
    return matrix, technique_order_by_value(shares.mean(axis=0))


def _unit(frame: CrashFrame) -> MatrixUnit:
    return MatrixUnit(name=str(frame), function=frame.function, file=frame.file, line=frame.line)
