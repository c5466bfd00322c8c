"""Commands whose options are those of the table, and the options of an analysis from the values that they are given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from cfrontend.errors import UsageError
from sfo.cli.files import require_written_files_apart, take_project_files
from sfo.cli.time_limit import seconds_left_of_limit
from sfo.library.option_table import (
    COMMAND_EXAMPLES,
    FIRST,
    FIRST_OPTIONS,
    GROUP_EXAMPLES,
    TRACES,
    Option,
    Words,
    options_of_command,
)
from sfo.report import REPORTS

if TYPE_CHECKING:
    from cfrontend.program import ProgramOptions
    from sfo.execution.examples import Example
    from sfo.pipeline.options import PipelineOptions

FILES: Final = click.Argument(["paths"], nargs=-1, required=True, metavar="FILE...")
FILES_OR_REVISIONS: Final = click.Argument(["paths"], nargs=-1, metavar="[FILE...]")


_SHORT: Final = "sfo.short_help"
"""Key of whether a help ends behind the first options, in the contexts of click."""

_LIMIT_OF_EACH: Final = frozenset({"batch", "evaluate-corpus", "lsp"})
"""Commands whose time limit is that of each program, or each analysis, and counts from its own start."""


# -- commands ----------------------------------------------------------------------------------------------------


class OptionCommand(click.Command):
    """A command with the options of the table, below their headings in its help.

    An option like ``--passing`` takes a value only after ``=``, as GNU options with optional values do.
    """

    def __init__(self, name: str, arguments: Sequence[click.Parameter], **settings: Any) -> None:
        self.options: Final = options_of_command(name)
        self.first: Final = FIRST_OPTIONS.get(name, ())
        self.examples: Final = COMMAND_EXAMPLES.get(name, ())
        self._has_one_limit: Final = name not in _LIMIT_OF_EACH
        parameters = [*arguments, *map(_click_option, self.options)]
        super().__init__(name.removeprefix("evaluate-"), params=parameters, **settings)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Fill in the values that were left out."""
        end = args.index("--") if "--" in args else len(args)
        filled = list(args)
        alone = {option.flags: option for option in self.options if option.alone}
        for index, word in enumerate(args[:end]):
            if word in alone and not {*args[index + 1 : index + 2]} & {*alone[word].choices}:
                filled[index] = f"{word}={alone[word].alone}"
        return super().parse_args(ctx, filled)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, with ``-h`` for a help that has the options which people need first."""
        short = click.Option(
            ["-h"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_first,
            help="The first options.",
        )
        return [*super().get_params(ctx), *([short] if self.first else [])]

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """``--help``, and ``-h`` where there is no shorter help."""
        return [name for name in super().get_help_option_names(ctx) if not self.first or name != "-h"]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples, the options that people need first, and the others, each below the heading of its group."""
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write_text(example)
        by_key = {option.key: FIRST if option.key in self.first else option.group for option in self.options}
        groups: dict[str, list[tuple[str, str]]] = {FIRST: []} if self.first else {}
        groups |= {group: [] for group in by_key.values()}
        parameters = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        parameters.sort(
            key=lambda one: self.first.index(one.name) if one.name in self.first else len(self.first)
        )
        for parameter in parameters:
            record = parameter.get_help_record(ctx)
            if record is not None:
                groups.setdefault(by_key.get(parameter.name or "", "Output"), []).append(record)
        for heading, records in groups.items():
            shown = GROUP_EXAMPLES.get(heading) if self.first else None
            with formatter.section(f"{heading} ({shown})" if shown else heading):
                formatter.write_dl(records)
            if heading == FIRST and ctx.meta.get(_SHORT):
                formatter.write_paragraph()
                formatter.write_text(f"{ctx.command_path} --help shows all {len(self.options)} options.")
                return

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless it would write over what it reads.

        A time limit counts from ``ctx.obj`` on, the start of the process, but for one of each program.
        """
        given = ctx.params
        if self._has_one_limit and ctx.obj is not None and given.get("timeout") is not None:
            given["timeout"] = seconds_left_of_limit(given["timeout"], ctx.obj)
        if given.get("policy"):
            from sfo.library.options import tuned_library_options

            ctx.with_resource(tuned_library_options(given["policy"]))
        take_project_files(ctx)
        require_written_files_apart(self, given)
        return super().invoke(ctx)


def _show_first(ctx: click.Context, _option: click.Parameter, is_asked: bool) -> None:
    """Print the help as far as people need it first, and end."""
    if is_asked and not ctx.resilient_parsing:
        ctx.meta[_SHORT] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def command(
    name: str, *arguments: click.Argument, cls: type[OptionCommand] = OptionCommand, **settings: Any
) -> Callable[[Callable[..., int]], OptionCommand]:
    """The command of this name with the options that the table has for it; its help is that of the function."""

    def decorate(function: Callable[..., int]) -> OptionCommand:
        return cls(name, arguments, callback=function, help=inspect.getdoc(function), **settings)

    return decorate


def _click_option(option: Option) -> click.Option:
    """An option of the table as click has it."""
    kind: Any = None
    if option.choices:
        kind = click.Choice(option.choices)
    elif option.least is not None and option.read is None:
        limits: type[click.FloatRange | click.IntRange] = (
            click.FloatRange if option.is_real else click.IntRange
        )
        kind = limits(option.least, option.below, option.is_open, option.below is not None)  # type: ignore[arg-type]
    settings: dict[str, Any] = {"type": kind, "multiple": option.many, "callback": _reader(option)}
    if option.counts:
        settings = {"count": True}
    elif option.is_flag:
        settings = {"is_flag": True, "default": option.value(())}
    names = [option.flags] if "/" in option.flags else option.flags.split()
    return click.Option(
        [option.key, *names],
        help=option.explained,
        metavar=option.metavar or None,
        required=option.required,
        **settings,
    )


def _reader(option: Option) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """The callback of click that makes the value of an option of its words."""

    def read(context: click.Context, parameter: click.Parameter, given: Any) -> Any:
        words: Words = given if option.many else () if given is None else (given,)
        try:
            value = option.value(words)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None
        if option.key == "native":
            _must_be_permitted(context, parameter, value)
        return value

    return read


def _must_be_permitted(context: click.Context, option: click.Parameter, native: str) -> None:
    """Raises UsageError where a sandbox was asked for by ``--native`` and there is none.

    Where it was not, native executions are off then; whoever looks for the sandbox first says so.
    """
    source = context.get_parameter_source(option.name or "")
    if native != "sandboxed" or source is click.core.ParameterSource.DEFAULT or context.resilient_parsing:
        return
    from sfo.execution.native.build import missing_native_build_tool
    from sfo.execution.native.sandbox import find_sandbox

    found = find_sandbox() if missing_native_build_tool() is None else ""
    if isinstance(found, str) and found:
        raise UsageError(f"--native sandboxed: {found}")


# -- what becomes of their values ----------------------------------------------------------------------------------


def was_given(name: str) -> bool:
    """Whether the option of the command that is executed has its value from the command line or a file of options."""
    source = click.get_current_context().get_parameter_source(name)
    return source is not click.core.ParameterSource.DEFAULT


def _paths_of(given: Mapping[str, Any]) -> tuple[str, ...]:
    """The files of the program that a command is about."""
    return tuple(given.get("paths") or [path for path in [given.get("file")] if path])


def _keywords(given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    from sfo.library.options import DEFAULTS

    yield from ((name, value) for name, value in given.items() if name in DEFAULTS)


def program_options(given: Mapping[str, Any]) -> ProgramOptions:
    """Options of the front end, from the options of a command."""
    from sfo.library.options import library_program_options

    paths = _paths_of(click.get_current_context().params)
    return library_program_options(paths, dict(_keywords(given)))


def run_options(given: Mapping[str, Any]) -> PipelineOptions:
    """Options of an analysis, from the options of a command."""
    from sfo.library.options import library_analysis_options

    without = {"rank": "coverage", "replay": False, "jobs": 1}
    return library_analysis_options(
        (),
        {**without, **dict(_keywords(given))},
        passing=given.get("passing", 0),
        traces=_traces(given),
        program=program_options(given),
    )


def _traces(given: Mapping[str, Any]) -> int:
    """Number of failing and of passing executions that the reports show step by step."""
    forms = {given.get("format"), *(form for form, _ in given.get("report", ()))}
    return TRACES if any(report.shows_steps for form, report in REPORTS.items() if form in forms) else 0


def given_examples(given: Mapping[str, Any], options: PipelineOptions) -> tuple[Example, ...]:
    """The examples in the directory of ``--io``; empty without one. Raises UsageError where they make no sense."""
    from sfo.library.localization import given_library_examples

    return given_library_examples(given["io"], options, given.get("git"))
