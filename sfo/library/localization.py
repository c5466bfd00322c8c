"""One localisation, with or without examples of input and output; command line and library begin here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cfrontend.errors import UsageError
from sfo.core.result import Result
from sfo.pipeline import localize as pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.session import Progress

if TYPE_CHECKING:
    from sfo.execution.examples import Example
    from sfo.pipeline.localize import Heard


def library_localization(
    paths: Sequence[str],
    options: PipelineOptions,
    examples: Sequence[Example],
    progress: Progress,
    heard: Heard | None = None,
) -> Result:
    """The localisation with these options: from ``examples`` alone where only they say what is right."""
    if not examples:
        return pipeline.run_localize_pipeline(paths, options, progress, heard=heard)
    from sfo.pipeline.localize_tests import cases_to_localize_tests, localize_tests_of_examples

    if not options.program.reference:
        return localize_tests_of_examples(paths, options, examples, progress)
    tests = (*options.tests, *cases_to_localize_tests(examples))
    return pipeline.run_localize_pipeline(paths, replace(options, tests=tests), progress, heard=heard)


def examples_must_fit_localization(options: PipelineOptions, *, compared: bool) -> None:
    """Raises UsageError for what makes no sense with examples; ``compared``: with an older version besides."""
    if options.program.entry != "main":
        raise UsageError("--io is for programs that start in main")
    if options.tests and not compared:
        raise UsageError("--tests and --io without --reference: --io alone says what is right")
    if options.backend != "sfo":
        raise UsageError("--io executes the examples by sfo itself: use --backend sfo")
    if options.slicing != "none":
        raise UsageError(
            f"--slice {options.slicing} cannot be used with --io: all that is printed matters there"
        )


def with_library_crash(options: PipelineOptions, paths: Sequence[str], report: str | None) -> PipelineOptions:
    """``options`` for the crash that the file ``report`` is about, None for none; UsageError where they do not fit."""
    if report is None:
        return options
    if options.properties:
        raise UsageError("--crash says which property is asked about: leave out --property")
    from sfo.formats.crash_reports import read_crash_report
    from sfo.pipeline.crash_place import crash_options

    return crash_options(options, read_crash_report(report), paths)
