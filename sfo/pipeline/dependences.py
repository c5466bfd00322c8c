"""Program dependence graph between the units of a program, for scores that measure distances in it."""

from __future__ import annotations

from collections.abc import Sequence

from cfrontend.slice.dependence import unit_dependences
from cfrontend.units import UnitId
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.session import AnalysisSession, no_session_progress


def program_dependences(paths: Sequence[str], options: PipelineOptions) -> tuple[tuple[UnitId, UnitId], ...]:
    """Pairs of units of which the first depends on the second, by data or control."""
    program = AnalysisSession(paths, options, no_session_progress).program
    return unit_dependences(program.goto, program.options.entry)
