"""One localisation, with or without examples of input and output; command line and library begin here."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cfrontend.errors import InputError, ResourceError, UsageError
from cfrontend.host.regular_files import read_regular_file_bytes
from cfrontend.program import load_c_program
from sfo.core.executions import ENDLESS
from sfo.core.halt import LIMITS, halt_reason_of
from sfo.core.policy import policy
from sfo.core.result import Result
from sfo.execution.test_import import TextTestCase
from sfo.pipeline import localize as pipeline
from sfo.pipeline.comparison import UNFIT_INPUTS
from sfo.pipeline.diagnostics import diagnostic_of_stop
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.session import Progress
from sfo.pipeline.wider_surroundings import localize_in_wider_surroundings

if TYPE_CHECKING:
    from sfo.execution.examples import Example


def library_localization(
    paths: Sequence[str],
    options: PipelineOptions,
    examples: Sequence[Example],
    progress: Progress,
) -> Result:
    """The localisation with these options: from ``examples`` alone where only they say what is right."""
    if not examples:
        result = localize_in_wider_surroundings(paths, options, progress)
        return (_endless_on_text(paths, options, progress) if _may_be_endless(result) else None) or result
    if options.program.reference:
        return _localization_beside_reference(paths, options, examples, progress)
    from sfo.pipeline.localize_tests import localize_tests_of_examples

    return localize_tests_of_examples(paths, options, examples, progress)


def _localization_beside_reference(
    paths: Sequence[str],
    options: PipelineOptions,
    examples: Sequence[Example],
    progress: Progress,
) -> Result:
    """The localisation from examples that fail, with the reference as test oracle of further ones.

    Where none fails, no edit mends them, or other inputs count as well, program and reference are compared on all
    inputs within the bound.
    """
    from sfo.pipeline.localize_tests import (
        contradicted_examples,
        diagnostic_of_contradicted_examples,
        localize_tests_of_examples,
    )
    from sfo.pipeline.reference_beside_examples import ReferenceOracle

    by_examples: Result | None = None
    contradicted = contradicted_examples(options, examples)
    said = diagnostic_of_contradicted_examples(options, contradicted)
    if options.domain == "examples":
        from sfo.execution.learnt_domain import learnt_input_domain

        domain = learnt_input_domain(options.program, examples)
        options = replace(options, program=replace(options.program, domain=domain))
        agreed = [example for example in examples if example.name not in contradicted]
        if agreed and not options.tests:
            oracle = ReferenceOracle(options, pipeline.localize_pipeline_checks)
            alone = replace(options, program=replace(options.program, reference=(), domain=None))
            by_examples = localize_tests_of_examples(paths, alone, agreed, progress, oracle).noted(*said)
            if _is_answer(by_examples, options):
                return by_examples
    # Short examples first: the first that fails is shown.
    short = sorted(examples, key=lambda example: len(example.data))
    cases = [TextTestCase(name=example.name, data=example.data, unwritten=0) for example in short]
    options = replace(options, tests=(*options.tests, *cases))
    known = by_examples if by_examples is not None and by_examples.dataset.failing else None
    if known is not None:
        options = replace(options, effort=policy().fuzzed_examples.comparison_effort * options.effort)
    try:
        result = pipeline.run_localize_pipeline(paths, options, progress)
    except (KeyboardInterrupt, ResourceError) as error:
        if known is None:
            raise
        return known if isinstance(error, ResourceError) else replace(known, stopped=halt_reason_of(error))
    if known is not None and not _has_edit(result):
        return known
    compared = result.comparison
    if compared is None or result.stopped in LIMITS:
        return result
    return replace(result, comparison=replace(compared, left_out=(*compared.left_out, *said)))


def _is_answer(result: Result, options: PipelineOptions) -> bool:
    """True if examples fail, and an edit mends them, or none is looked for."""
    return bool(result.dataset.failing) and (
        _has_edit(result) or options.rank == "coverage" or result.stopped in LIMITS
    )


def _has_edit(result: Result) -> bool:
    """True if an edit is known after which nothing known fails."""
    repairs = result.repairs
    return repairs is not None and bool(repairs.found or (repairs.undecided and not repairs.is_partial))


def library_localization_with_commands(
    paths: Sequence[str],
    options: PipelineOptions,
    examples: Sequence[Example],
    commands: Sequence[str],
    progress: Progress,
) -> Result:
    """The localisation with the executions of test commands beside those that are generated, if any can be.

    Raises what ``execute_test_commands`` raises, besides.
    """
    from sfo.execution.test_commands import execute_test_commands
    from sfo.pipeline.test_command_rows import result_of_test_commands_alone, result_with_test_commands

    ran = execute_test_commands(paths, commands, options.native, progress)
    try:
        generated = library_localization(paths, options, examples, progress)
    except InputError as error:  # where it is about reading the program, it is raised again
        return result_of_test_commands_alone(paths, options, ran, str(error))
    except KeyboardInterrupt as error:
        stop = halt_reason_of(error)
        why = diagnostic_of_stop(stop, options.effort)
        return replace(result_of_test_commands_alone(paths, options, ran, why), stopped=stop)
    return result_with_test_commands(options, ran, generated)


def _may_be_endless(result: Result) -> bool:
    """True if nothing fails, there is time to look further, and inputs that end were not compared."""
    return (
        result.verdict != "violated"
        and result.stopped not in LIMITS
        and result.comparison is not None
        and UNFIT_INPUTS in result.comparison.left_out
    )


def _endless_on_text(paths: Sequence[str], options: PipelineOptions, progress: Progress) -> Result | None:
    """The localisation on text where an execution does not terminate as it reads on behind the end of its input.

    On values, what is typed fits wherever the program does not look at the result of ``scanf``; its reference may look.
    None where no such execution is found.
    """
    reference = load_c_program(paths, options.program).reference
    assert reference is not None
    if options.properties and reference.end not in options.properties:
        return None
    asked = replace(
        options,
        program=replace(options.program, reads_text=True),
        properties=(reference.end,),
        effort=min(options.effort, policy().bound.text_effort),
    )
    result = pipeline.run_localize_pipeline(paths, asked, progress)
    failing = result.dataset.failing
    return result if failing and failing[0].ended == ENDLESS else None


def given_library_examples(
    directory: str | os.PathLike[str] | None, options: PipelineOptions, revisions: str | None = None
) -> tuple[Example, ...]:
    """The examples in a directory; none without one. Raises UsageError where they make no sense with ``options``.

    ``revisions``: one of these is the reference.
    """
    compared = bool(options.program.reference or revisions)
    if directory is None:
        space_must_be_of_examples(options, compared=compared)
        return ()
    from sfo.execution.examples import read_examples

    examples_must_fit_localization(options, compared=compared)
    return read_examples(str(directory), ignores_space=options.ignore_space is not False)


def space_must_be_of_examples(options: PipelineOptions, *, compared: bool) -> None:
    """Raises UsageError where white space should be left out of what a reference prints, without examples."""
    if options.ignore_space and compared:
        raise UsageError(
            "--ignore-space is about what examples expect, and a reference is compared character by character: "
            "leave it out, or give examples in place of the reference (--io DIR)"
        )


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


def with_library_crash(
    options: PipelineOptions,
    paths: Sequence[str],
    report: str | None,
    text: str | None = None,
    arguments: str | None = None,
) -> PipelineOptions:
    """``options`` for the crash that the file ``report`` is about, or that happens with a standard input and arguments.

    ``text`` is the file with the standard input, ``arguments`` are written as for a shell; None where there is none.
    Raises UsageError where they do not fit the options.
    """
    if report is None and text is None and arguments is None:
        return options
    if options.properties:
        raise UsageError("a crash says which property is asked about: leave out --property")
    from sfo.pipeline.crash_place import crash_input_options, crash_options

    if report is not None:
        from sfo.formats.crash_reports import read_crash_report

        options = crash_options(options, read_crash_report(report), paths)
    if text is None and arguments is None:
        return options
    try:
        words = tuple(map(os.fsencode, shlex.split(arguments or "")))
    except ValueError as error:
        raise UsageError(f"--arguments {arguments}: {error}") from error
    data = b"" if text is None else read_regular_file_bytes(text)
    name = f"--arguments {arguments}" if text is None else text
    return crash_input_options(options, TextTestCase(name=name, data=data, arguments=words))
