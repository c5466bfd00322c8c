"""Wider surroundings of one function: more elements, other initial values, where nothing fails in those of the options.

f(buf, len)   nothing fails within 4 elements   ->   8 elements;  then, beside a reference, globals as inputs, too

What fails only so is a failure all the same: the report lists the surroundings in which it was found.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from cfrontend.environment.inputs import ARRAY_SIZE, EnvironmentInputSizes
from cfrontend.errors import SfoError
from cfrontend.program import load_c_program
from sfo.core.halt import Halt
from sfo.core.result import Result
from sfo.pipeline import localize as pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.session import Progress

_FACTOR: Final = 2
"""How many times as many elements the objects of wider surroundings have."""

_LEAST_SECONDS: Final = 2.0
"""Seconds that have to be left of a time limit to begin once more."""


def localize_in_wider_surroundings(
    paths: Sequence[str],
    options: PipelineOptions,
    progress: Progress,
    heard: pipeline.Heard | None = None,
) -> Result:
    """The localisation with these options, or where nothing fails then the first one in wider surroundings that fails.

    Where nothing fails there either, the result is that of the widest in which it is *safe*, if it is in the first.
    """
    start = time.monotonic()
    result = pipeline.run_localize_pipeline(paths, options, progress, heard=heard)
    if not _may_look_further(result, options):
        return result
    with suppress(Halt):
        for environment in _wider(paths, options):
            left = None if options.timeout is None else options.timeout - (time.monotonic() - start)
            if left is not None and left < _LEAST_SECONDS:
                break
            wider = replace(options, timeout=left, program=replace(options.program, environment=environment))
            with suppress(SfoError):
                further = pipeline.run_localize_pipeline(paths, wider, progress, heard=heard)
                if further.verdict == "violated":
                    return further
                has_same_globals = environment.havoc == options.program.environment.havoc
                if further.verdict == result.verdict == "safe" and has_same_globals:
                    result = further
    return result


def _may_look_further(result: Result, options: PipelineOptions) -> bool:
    """Whether nothing fails, and nobody has said more of the inputs or stopped the work."""
    return (
        result.verdict != "violated"
        and result.stopped not in {"memory", "interrupt"}
        and options.program.entry != "main"
        and options.backend == "sfo"
        and options.suite is None
        and options.crash is None
        and not options.tests
    )


def _wider(paths: Sequence[str], options: PipelineOptions) -> Iterator[EnvironmentInputSizes]:
    """The surroundings to try, from the narrowest on."""
    asked = options.program.environment
    harness = None
    with suppress(SfoError):
        harness = load_c_program(paths, options.program).harness
    larger = replace(asked, array_size=_FACTOR * asked.array_size)
    grows = harness is not None and harness.grows and asked.array_size == ARRAY_SIZE
    if grows:
        yield larger
    if options.program.reference and asked.havoc == ():
        yield replace(asked, havoc=None)
        if grows:
            yield replace(larger, havoc=None)
