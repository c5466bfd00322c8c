"""``--git OLD..NEW`` without files: the functions that changed, each tried as the entry.

sfo localize --git HEAD~1..HEAD   ->   as with src/parse.c --entry parse_number, the first that fails
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import click

from cfrontend.errors import InputError, UsageError
from cfrontend.program import ProgramOptions, load_c_program, load_c_program_tree
from cfrontend.source.preprocess import PreprocessOptions, preprocess
from cfrontend.syntax.line_numbers import is_same_code
from cfrontend.syntax.names import first_names
from sfo.cli import output
from sfo.cli.files import with_project_note
from sfo.cli.options import run_options
from sfo.cli.revisions import (
    c_files_of_difference,
    change_of_commit,
    included_files_changed_between,
    options_between_revisions,
)
from sfo.core.halt import LIMITS
from sfo.core.result import Result
from sfo.pipeline.comparison import incomparable_objects
from sfo.pipeline.options import PipelineOptions

if TYPE_CHECKING:
    from cfrontend.syntax.tree import SyntaxSymbol, TranslationUnit
    from sfo.pipeline.session import Progress

_OF_A_FILE: Final = {
    "entry": "--entry",
    "io": "--io",
    "ignore_space": "--ignore-space",
    "crash": "--crash",
    "input": "--input",
    "arguments": "--arguments",
}
"""Options that say something of one program, by parameter."""

_NAMED: Final = 3
"""Files that a sentence names."""

_MOST_INCLUDING: Final = 40
"""C files that are looked at because a file changed that they include."""

Analysis: TypeAlias = "Callable[[Sequence[str], PipelineOptions, Progress], Result]"
"""What is done with the paths of a program, and its options."""

Tried: TypeAlias = Callable[[Sequence[str], PipelineOptions], Result]
"""An analysis whose progress is shown."""

Changes: TypeAlias = Callable[[Mapping[str, Any], Tried], Result | None]
"""Where the functions that changed are looked for, and what is done with each."""


def result_of_changed_functions(given: Mapping[str, Any], analysis: Tried) -> Result | None:
    """The result of a command that was given no files, of the first changed function that fails.

    Else that of the first one that is not decided, or of the last one that was tried, or None, with a line on standard
    error, where no function changed. Raises UsageError without ``--git``, beside an option that is about a program, and
    where only included files changed.
    """
    context = click.get_current_context()
    if given["git"] is None:
        raise UsageError("Missing argument 'FILE...', or --git, whose changes say which")
    for name, option in _OF_A_FILE.items():
        if name in given and context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise UsageError(f"{option} is about a program: give its FILE, too")
    revisions = given["git"]
    result = _analyse_changed_functions(revisions, f"--git {revisions}", _options_of_file(given), analysis)
    if isinstance(result, str):
        output.complain(result)
        return None
    return result


def result_of_commit(given: Mapping[str, Any], commit: str, analysis: Tried) -> Result:
    """The result as of ``--git`` between the first parent of a commit and the commit.

    Raises UsageError for no commit, for one without a parent, and for one that changes no C function.
    """
    name, note = change_of_commit(commit)
    revisions = f"{name}~1..{name}"
    result = _analyse_changed_functions(revisions, f"commit {name}", _options_of_file(given), analysis)
    if isinstance(result, str):
        raise UsageError(f"{result}{f' ({note})' if note else ''}")
    return replace(result, notes=(*result.notes, note)) if note else result


def analysed_result(
    paths: Sequence[str],
    given: Mapping[str, Any],
    chosen: PipelineOptions | None,
    analysis: Analysis,
    report: Callable[..., str],
    changes: Changes = result_of_changed_functions,
) -> Result | None:
    """The result of an analysis of a program, or without files of what ``changes`` finds; None where nothing changed.

    ``chosen`` are the options, where there are files. ``report`` writes what is known where the work is interrupted.
    """
    last_words = partial(output.write_result, given=given, report=report)
    if chosen is None:
        with output.under_limits(given, last_words) as progress:
            result = changes(given, lambda files, options: analysis(files, options, progress))
        return None if result is None else with_project_note(result)
    with (
        options_between_revisions(given.get("git"), paths, chosen) as (files, options),
        output.under_limits(given, last_words) as progress,
    ):
        result = analysis(files, options, progress)
    return with_project_note(result)


def _options_of_file(given: Mapping[str, Any]) -> Callable[[str], PipelineOptions]:
    """The options of the command line for a file, with its own flags from the compilation database."""
    context = click.get_current_context()

    def options_of(file: str) -> PipelineOptions:
        context.params["paths"] = (file,)
        return run_options(given)

    return options_of


def _analyse_changed_functions(
    revisions: str, asked: str, options_of: Callable[[str], PipelineOptions], analysis: Tried
) -> Result | str:
    """What ``analysis`` gives with the first changed function as entry that fails, else with an undecided one.

    Functions come in the order of the files and of their text, those behind a changed header last; ``options_of`` gives
    the options of a file. What cannot be tried is named on standard error; where no function changed, the result is a
    message which begins with what was ``asked``. Raises UsageError where what functions use changed and none of them
    did, InputError where nothing could be tried.
    """
    last: Result | None = None
    tried = changed = 0
    files = c_files_of_difference(revisions, "M")
    including, used = _files_of_included(revisions, files)
    for file in (*files, *including):
        with options_between_revisions(revisions, [file], options_of(file)) as (paths, options):
            try:
                old, new = _both_trees(paths[0], options.program)
            except InputError as error:
                output.complain(f"{file} is passed over: {_said(error, options.program)}")
                changed += 1
                continue
            used += [
                f"{symbol.name} of {file}" for symbol in _other_variables(old, new) if not symbol.function
            ]
            for name in _changed_functions(old, new):
                changed += 1
                chosen = replace(options, program=replace(options.program, entry=name))
                try:
                    if unlike := incomparable_objects(load_c_program(paths, chosen.program)):
                        output.complain(f"{name} of {file} is passed over: {unlike}")
                        continue
                    result = analysis(paths, chosen)
                except InputError as error:
                    output.complain(f"{name} of {file} is passed over: {_said(error, options.program)}")
                    continue
                output.complain(f"{name} of {file}: {result.verdict}")
                if result.verdict == "violated" or result.stopped in LIMITS:
                    return result
                last, tried = (result if last is None or last.verdict == "safe" else last), tried + 1
    if last is not None:
        if tried < changed:
            output.complain(f"{changed - tried} of {changed} changes could not be tried")
        if used:
            output.complain(f"{', '.join(used)} changed as well: only functions that did were tried")
        return last
    if changed:
        raise InputError(f"{asked}: none of the functions that changed can be tried as the entry")
    return _nothing_changed(revisions, asked, used)


def _files_of_included(revisions: str, files: Sequence[str]) -> tuple[list[str], list[str]]:
    """C files beside ``files`` whose headers or other included files changed, and the headers whose files are left out.

    Those are headers that no C file includes which both revisions have, and those of too many.
    """
    including: list[str] = []
    left: list[str] = []
    for header, users in included_files_changed_between(revisions).items():
        new = [file for file in users if file not in files and file not in including]
        if users and len(including) + len(new) <= _MOST_INCLUDING:
            including += new
        else:
            left.append(header)
    return including, left


def _nothing_changed(revisions: str, asked: str, used: Sequence[str]) -> str:
    """Message on a range of revisions without a changed function; raises UsageError where what they may use changed."""
    added = c_files_of_difference(revisions, "A")
    hint = f"; {first_names(added, _NAMED)} did not exist before" if added else ""
    if used:
        command = "" if asked.startswith("--git") else f" localize --git {revisions}"
        raise UsageError(
            f"{asked}: no function's own text changed, but what functions may use did: {', '.join(used)};"
            f" give{command} the FILE of a function that uses it, and --entry FUNCTION{hint}"
        )
    return f"{asked}: no function that both revisions define has changed in a C file{hint}"


def _said(error: InputError, options: ProgramOptions) -> str:
    """The text of an error, with the file of the older revision as git calls it."""
    return str(error).replace(options.reference[0], options.reference_name)


def _changed_functions(old: TranslationUnit, new: TranslationUnit) -> tuple[str, ...]:
    """The functions of ``new`` with another body, but the same type, in ``old``, in text order.

    Comments and layout make no difference; what macros and constants become does, and so do the variables that a
    function keeps.
    """
    kept = {symbol.function for symbol in _other_variables(old, new)}
    found = [
        function
        for name, function in new.functions.items()
        if function.body is not None
        and name in old.functions
        and (other := old.functions[name]).body is not None
        and (name in kept or not is_same_code(other.body, function.body))
        and other.type == function.type
    ]
    return tuple(f.name for f in sorted(found, key=lambda f: (f.location.line, f.name)))


def _other_variables(old: TranslationUnit, new: TranslationUnit) -> tuple[SyntaxSymbol, ...]:
    """The variables of static duration of both trees that have another type or begin otherwise."""
    before = {variable.symbol.key: variable for variable in old.variables}
    return tuple(
        variable.symbol
        for variable in new.variables
        if variable.symbol.key in before and not is_same_code(before[variable.symbol.key], variable)
    )


def _both_trees(path: str, options: ProgramOptions) -> tuple[TranslationUnit, TranslationUnit]:
    """The typed trees of the reference and of ``path``. Raises InputError for what is not C."""
    (older,) = options.reference
    old = _tree(older, options, options.reference_preprocess or options.preprocess)
    return old, _tree(path, options, options.preprocess)


def _tree(path: str, options: ProgramOptions, how: PreprocessOptions) -> TranslationUnit:
    """The typed tree of one file alone, with the headers of the machine where ours do not do."""
    alone = replace(options, reference=(), reference_preprocess=None, preprocess=how)
    try:
        return load_c_program_tree([path], alone, [preprocess(path, how)])
    except (InputError, UsageError):
        machine = replace(how, headers="machine")
        return load_c_program_tree([path], replace(alone, preprocess=machine), [preprocess(path, machine)])
