"""Analysis of a program on text, where a given test ends, or does not fit, at a ``scanf`` whose result is ignored.

    scanf("%d", &n); for (i = 0; i <= n; i++) scanf("%d", &a[i]);      test "2 5 7": a[2] is never stored

Read as values, whatever a ``scanf`` asks for fits, and such a test says nothing. Read as text, it is followed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from sfo.core.executions import ASSUMPTION_BROKEN
from sfo.execution.standard_input import StandardInputMisfitError
from sfo.execution.test_import.cases import TextTestCase
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.session import AnalysisSession, Progress


def analysis_session_of_tests(
    paths: Sequence[str], options: PipelineOptions, progress: Progress
) -> AnalysisSession:
    """The analysis of a program; of one beside a reference on text, where a test that is a text is to be followed."""
    session = AnalysisSession(paths, options, progress)
    if session.program.reference is None or not _needs_text(session):
        return session
    options = replace(options, program=replace(options.program, reads_text=True))
    if session.deadline is not None:
        options = replace(options, timeout=max(0.0, session.deadline - time.monotonic()))
    return AnalysisSession(paths, options, progress)


def _needs_text(session: AnalysisSession) -> bool:
    """True if a test that is a text ends, or does not fit, where values are read that always fit."""
    if session.program.tree.reads_text:
        return False
    texts = {case.name for case in session.options.tests if isinstance(case, TextTestCase)}
    if not texts:
        return False
    try:
        executions = session.tests().executions
    except StandardInputMisfitError:
        return True
    return session.program.tree.counts_scans and any(
        execution.test in texts and execution.ended == ASSUMPTION_BROKEN for execution in executions
    )
