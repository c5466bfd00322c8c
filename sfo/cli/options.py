"""Options that commands share, and what becomes of their values."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, get_args

import click

from cfrontend.environment.arguments import LENGTH
from cfrontend.environment.surroundings import ARRAY_SIZE, DEPTH
from cfrontend.errors import UsageError
from cfrontend.units import Granularity
from sfo.cli.output import PROGRESS_FORMS
from sfo.cli.project import take_project_files
from sfo.cli.time_limit import seconds_left_of_limit
from sfo.cli.written_files import require_written_files_apart
from sfo.library.defaults import DEFAULT_PASSING, TRACES
from sfo.pipeline.options import BACKENDS
from sfo.report import REPORTS

if TYPE_CHECKING:
    from cfrontend.program import ProgramOptions
    from sfo.core.executions import Native
    from sfo.execution.examples import Example
    from sfo.pipeline.options import PipelineOptions

F = TypeVar("F", bound=Callable[..., Any])

GRANULARITIES: Final = get_args(Granularity)
"""Values of ``--units``."""

DOMAINS: Final = ("examples", "any")
"""Values of ``--domain``."""

OUTSIDE: Final = ("error", "nondet")
"""Values of ``--files``."""

STDIN: Final = ("values", "text")
"""Values of ``--stdin``."""

UNDEFINED: Final = ("auto", "error", "nondet")
"""Values of ``--undefined``."""

FORMS: Final = (
    "c",
    "pytest",
    "stdin",
    "testcomp",
    "ktest",
    "corpus",
    "cmocka",
    "googletest",
    "criterion",
    "unity",
)
"""Values of ``generate --as``."""

RESULT_FORMS: Final = ("text", "json", *REPORTS)
"""Values of ``--format``, and forms of ``--report``."""

STRATEGIES: Final = ("auto", "any", "nearest")
"""Values of ``--passing-strategy``."""

GOALS: Final = ("units", "branches", "conditions", "mcdc", "boundaries", "mutants")
"""Values of ``generate --goal``."""

SLICES: Final = ("none", "static", "dynamic")
"""Values of ``--slice``."""


# -- values of options -------------------------------------------------------------------------------------------


def _unwind(_context: click.Context, _option: click.Parameter, value: str) -> int | None:
    """``auto`` (None) or a number from 1."""
    if value == "auto":
        return None
    if not _is_count(value):
        raise click.BadParameter(f"{value!r} is neither 'auto' nor a number from 1.")
    return int(value)


def _unwindset(_context: click.Context, _option: click.Parameter, value: str | None) -> dict[str, int]:
    """``main.0:3,f.1:5``: bound by loop."""
    bounds: dict[str, int] = {}
    for item in split_option_names(value):
        loop, _, count = item.rpartition(":")
        if not loop or not _is_count(count):
            raise click.BadParameter(f"{item!r} is not of the form function.loop:K, as in main.0:3.")
        bounds[loop] = int(count)
    return bounds


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) >= 1


def _checks(_context: click.Context, _option: click.Parameter, value: str | None) -> frozenset[str]:
    """``assert,bounds``, or ``none``; ``+overflow``: besides the default ones."""
    from cfrontend.program import ALL_CHECKS, DEFAULT_CHECKS

    if value is None:
        return DEFAULT_CHECKS
    names = split_option_names(value)
    if names == ("none",):
        return frozenset()
    is_more = bool(names) and all(name.startswith("+") for name in names)
    names = tuple(name.removeprefix("+") for name in names) if is_more else names
    for name in names:
        if name not in ALL_CHECKS:
            known = ", ".join(sorted(ALL_CHECKS))
            raise click.BadParameter(f"unknown check {name!r}: choose from {known}, or none.")
    return frozenset(names) | DEFAULT_CHECKS if is_more else frozenset(names)


def _reference_checks(
    context: click.Context, option: click.Parameter, value: str | None
) -> frozenset[str] | None:
    """``overflow``, or ``none``; None where nothing is said."""
    if value is None:
        return None
    if "+" in value:
        raise click.BadParameter("no check is looked at by default: name them without +.")
    return _checks(context, option, value)


def report_file_options(
    _context: click.Context, _option: click.Parameter, value: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """``html=page.html``: form and file."""
    asked: list[tuple[str, str]] = []
    for item in value:
        form, _, file = item.partition("=")
        if form not in RESULT_FORMS or not file:
            raise click.BadParameter(
                f"{item!r} is not of the form FORM=FILE, as in html=page.html; forms are {', '.join(RESULT_FORMS)}."
            )
        if file == "-":
            raise click.BadParameter(f"{item!r}: a report goes into a file; --format {form} prints it.")
        asked.append((form, file))
    return tuple(asked)


def _array_size(
    _context: click.Context, _option: click.Parameter, value: tuple[str, ...]
) -> tuple[int, Mapping[str, int]]:
    """``4,a:8``: for all pointers, and by pointer."""
    size, sizes = ARRAY_SIZE, {}
    for item in split_option_names(",".join(value)):
        pointer, _, count = item.rpartition(":")
        if not _is_count(count):
            raise click.BadParameter(
                f"{item!r} is neither a number from 1 nor of the form pointer:N, as in a:8."
            )
        if pointer:
            sizes[pointer] = int(count)
        else:
            size = int(count)
    return size, sizes


def _extents(
    _context: click.Context, _option: click.Parameter, value: tuple[str, ...]
) -> Mapping[str, str] | None:
    """``buf:len,table:rows*cols,s:any``; None for ``none``, which is that of no name beside others."""
    items = split_option_names(",".join(value))
    found: dict[str, str] = {"": "none"} if "none" in items else {}
    for item in (one for one in items if one != "none"):
        pointer, _, length = (word.strip() for word in item.partition(":"))
        if not pointer or not length:
            raise click.BadParameter(f"{item!r} is not of the form pointer:length, as in buf:len.")
        found[pointer] = length
    return None if list(found) == [""] else found


def _policy(context: click.Context, _option: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Have other tuning constants in force until the command ends."""
    if not value:
        return ()
    import difflib

    from sfo.core.policy import policy, policy_constants, policy_with_values, using_policy

    for item in value:
        name, _, number = item.partition("=")
        try:
            context.with_resource(using_policy(policy_with_values(policy(), {name: number})))
        except KeyError:
            like = difflib.get_close_matches(name, policy_constants(policy()), n=1)
            hint = f"did you mean {like[0]}?" if like else "docs/policy.md lists them."
            raise click.BadParameter(f"there is no tuning constant {name!r}; {hint}") from None
        except ValueError as error:
            raise click.BadParameter(f"{item!r}: {error}, as in {name}={_default_of(name)}.") from None
    return value


def _default_of(name: str) -> str:
    """The default value of a tuning constant, as it is written."""
    from sfo.core.policy import Policy, written_policy_constant

    return written_policy_constant(Policy(), name)


def _havoc(
    _context: click.Context, _option: click.Parameter, value: tuple[str, ...]
) -> tuple[str, ...] | None:
    """Names of global variables; None for all of them."""
    names = split_option_names(",".join(value))
    return None if "all" in names else names


def split_option_names(value: str | None) -> tuple[str, ...]:
    """The items of a comma-separated list."""
    return tuple(name for item in (value or "").split(",") if (name := item.strip()))


# -- options that commands share ---------------------------------------------------------------------------------

FILES: Final = click.argument("files", nargs=-1, required=True, metavar="FILE...")
FILES_OR_REVISIONS: Final = click.argument("files", nargs=-1, metavar="[FILE...]")

REVISIONS: Final = click.option(
    "--git",
    "revisions",
    metavar="OLD..NEW",
    help="The files in revision NEW, with those in OLD as --reference; without files, each function that changed.",
)


def _permitted_native(context: click.Context, option: click.Parameter, value: Native) -> Native:
    """``--native``; an error where a sandbox was asked for and there is none.

    Where it was not, native executions are off then; whoever looks for the sandbox first says so.
    """
    source = context.get_parameter_source(option.name or "")
    if value != "sandboxed" or source is click.core.ParameterSource.DEFAULT or context.resilient_parsing:
        return value
    from sfo.execution.native.build import missing_native_build_tool
    from sfo.execution.native.sandbox import find_sandbox

    found = find_sandbox() if missing_native_build_tool() is None else ""
    if isinstance(found, str) and found:
        raise UsageError(f"--native sandboxed: {found}")
    return value


NATIVE_OPTIONS: Final = (
    click.option("--native", type=click.Choice(["off", "sandboxed", "on"]), default="sandboxed", show_default=True,
                 callback=_permitted_native,
                 help="Whether the program may be compiled and executed natively: not at all (the interpreter alone tries inputs, and nothing is replayed), in a sandbox, or with all your rights."),
)  # fmt: skip

ENVIRONMENT_OPTIONS: Final = (
    click.option("--requires", multiple=True, metavar="CONDITION",
                 help="What the entry function may count on, in C; repeatable."),
    click.option("--ensures", multiple=True, metavar="CONDITION",
                 help="What the entry function has to establish, in C, with __sfo_result and __sfo_old(x); repeatable."),
    click.option("--from-callers", is_flag=True,
                 help="Inputs are only what the callers in the given files may give, as far as that can be told."),
    click.option("--array-size", multiple=True, callback=_array_size, default=(str(ARRAY_SIZE),), metavar="N|P:N,...", show_default=True,
                 help="Elements of what a pointer parameter of the entry function points to; P:N for pointer P; repeatable."),
    click.option("--extent", multiple=True, callback=_extents, metavar="P:LENGTH,...|none",
                 help="How many elements pointer P leads to: a parameter, a product of two (P:rows*cols), a pointer behind the last, or 'any' for a fixed number; none: tell nothing else from names and use; repeatable."),
    click.option("--depth", type=click.IntRange(min=0), default=DEPTH, metavar="D", show_default=True,
                 help="How many structures stand behind one another there."),
    click.option("--nullable/--no-nullable", help="Pointers given to the entry function may be null."),
    click.option("--construct", is_flag=True,
                 help="Structures given to the entry function are made by their constructors (x_new, x_init), and by up to two mutators."),
    click.option("--havoc", multiple=True, callback=_havoc, metavar="all|G,...", help="Global variables that begin as inputs; repeatable."),
)  # fmt: skip

PROGRAM_OPTIONS: Final = (
    click.option("--entry", default="main", metavar="F", show_default=True, help="Function where executions start."),
    click.option("--check", "checks", callback=_checks, metavar="LIST",
                 help="Kinds of property that are looked at ('none': none; '+overflow': overflow, too).  [default: assert,ensures,reach,bounds,pointer,div0,double-free,overlap,format]"),
    click.option("--units", "granularity", default="auto", show_default=True, type=click.Choice(GRANULARITIES),
                 help="What counts as a unit; auto: statements, with passing executions told apart by path conditions."),
    click.option("--argv", type=click.IntRange(min=0), metavar="N",
                 help="Value of argc; the characters of argv[1] to argv[N-1] are inputs.  [default: 1, or all that main names where it gives up without]"),
    click.option("--argv-length", type=click.IntRange(min=0), default=LENGTH, metavar="L", show_default=True,
                 help="Most characters of each of these arguments."),
    click.option("--reference", "reference", multiple=True, metavar="OLD.c",
                 help="An older version that the program has to agree with; repeatable for its further files."),
    click.option("--reference-check", "reference_checks", callback=_reference_checks, metavar="LIST",
                 help="Kinds of property of the reference that rule out an input which violates them, besides those of --check.  [default: none; of batch: overflow,shift]"),
    click.option("--stdin", type=click.Choice(STDIN), default="values", show_default=True,
                 help="What the standard input is beside a reference: values that fit each format whose result nobody looks at, or any text."),
    click.option("--observe", type=click.Choice(["assert"]),
                 help="Besides, what assertions look at has to be what it is in the reference, whether they hold or not."),
    click.option("--undefined", type=click.Choice(UNDEFINED), default="auto", show_default=True,
                 help="What a call of an undefined function is: an error, a result that is an input, or (auto) the"
                      " latter with --entry only."),
    click.option("--files", "named_files", type=click.Choice(OUTSIDE), default="nondet", show_default=True,
                 help="What fopen is: an error, or a file with any contents, if there is one."),
    click.option("-I", "include_dirs", multiple=True, metavar="DIR", help="Look for headers in DIR."),
    click.option("-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="Define a macro."),
    click.option("-include", "forced_includes", multiple=True, metavar="FILE", help="Include FILE first."),
    click.option("--compile-commands", metavar="FILE",
                 help="Take -I, -D, -include and -std from FILE too.  [default: the nearest compile_commands.json above the first file]"),
    click.option("--lp64/--ilp32", "lp64", default=True, show_default=True,
                 help="Types as on x86-64, or as with gcc -m32 -msse2 -mfpmath=sse."),
    click.option("-std", "standard", metavar="STANDARD", help="Language standard, as in -std=c11."),
    *ENVIRONMENT_OPTIONS,
)  # fmt: skip

BOUND_OPTIONS: Final = (
    click.option("--unwind", callback=_unwind, metavar="auto|K", default="auto", show_default=True,
                 help="Bound: a loop goes round at most K - 1 times, a function calls itself at most K times; auto: the smallest that fails."),
    click.option("--unwindset", callback=_unwindset, metavar="LOOP:K,...", help="Bounds of single loops, as in main.0:3, and recursions, as in f:3."),
    click.option("--max-unwind", type=click.IntRange(min=1), default=64, metavar="K", show_default=True,
                 help="Where --unwind auto ends."),
    click.option("--property", "properties", metavar="ID,...", help="Look at these properties only."),
    click.option("--show-properties", is_flag=True, help="List the properties and end."),
    click.option("--backend", type=click.Choice(tuple(BACKENDS)), default="sfo", show_default=True,
                 help="Who finds executions; cbmc is the command that SFO_CBMC names, or cbmc."),
    click.option("--cbmc-mode", type=click.Choice(["encode-once", "process"]), default="encode-once", show_default=True,
                 help="One formula for all questions to CBMC, or a process for each."),
    click.option("--solver", default="auto", metavar="NAME", show_default=True, help="Which solver to use."),
    click.option("--solver-only", is_flag=True,
                 help="Algorithm 1 to the letter: take the solver's first model, look for no better one."),
    click.option("--double-check", is_flag=True,
                 help="Prove the last refutation again: by another solver, and without narrowing words."),
    click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
                 help="End after this time with what is known."),
    click.option("--memory", type=click.IntRange(min=1), metavar="MIB",
                 help="End when so much memory is taken, with what is known.  [default: nine tenths of what is free]"),
    click.option("--effort", type=click.FloatRange(min=0, min_open=True), default=1.0, show_default=True, metavar="FACTOR",
                 help="Multiply the work that each phase may do, which is counted: the same on every machine."),
    click.option("--policy", "tuned", multiple=True, callback=_policy, metavar="NAME=VALUE",
                 help="Change a tuning constant, such as repair.rounds=40, which docs/policy.md lists; repeatable."),
    *NATIVE_OPTIONS,
)  # fmt: skip

JOBS_OPTIONS: Final = (
    click.option("--jobs", type=click.IntRange(min=1), metavar="N",
                 help="Processes that may work at the same time.  [default: the processors, at most 4]"),
)  # fmt: skip

TRUST_OPTIONS: Final = (
    click.option("--trust", "trusted", metavar="F,...",
                 help="Functions that are known to be right: neither suspects nor edited, nor named in an edit."),
)  # fmt: skip

RANK_OPTIONS: Final = (
    *TRUST_OPTIONS,
    click.option("--measure", default="naish2", metavar="NAME", show_default=True,
                 help="Suspiciousness measure; opt-NAME is Opt of it."),
    click.option("--rank", type=click.Choice(["full", "coverage"]), default="full", show_default=True,
                 help="full: units that could save the failing executions first; coverage: by the measure alone."),
    click.option("--angelic", type=click.Choice(["weak", "exact"]), default="weak", show_default=True,
                 help="What --rank full asks of a unit: could it save the failing executions (weak), and every failing input (exact)?"),
)  # fmt: skip

REPLAY_OPTIONS: Final = (
    click.option("--replay/--no-replay", default=None,
                 help="Replay each execution natively, compiled by gcc, and compare; --native off rules out all native executions, those that look for inputs too.  [default: where gcc is installed]"),
)  # fmt: skip

TEST_OPTIONS: Final = (
    click.option("--tests", multiple=True, metavar="DIR|VECTORS",
                 help="Start from the executions of existing tests, and add what they lack; repeatable."),
)  # fmt: skip

SLICE_OPTIONS: Final = (
    click.option("--slice", "slicing", type=click.Choice(SLICES), default="none", show_default=True,
                 help="Units that count as covered: all that are evaluated; those that can influence how an execution ends (static); those that did (dynamic)."),
)  # fmt: skip


def _forms_by_reader() -> str:
    """The forms of a result by who reads them."""
    forms = {"people": ["text"], "programs": ["json"]}
    for name, report in REPORTS.items():
        forms.setdefault(report.readers, []).append(name)
    return ", ".join(f"for {who} ({', '.join(names)})" for who, names in forms.items())


OUTPUT_OPTIONS: Final = (
    click.option("--format", "format_", type=click.Choice(RESULT_FORMS), default="text", show_default=True,
                 help=f"Form of the result: {_forms_by_reader()}."),
    click.option("-o", "--output", metavar="FILE", help="Write the result to FILE."),
    click.option("--report", "reports", multiple=True, callback=report_file_options, metavar="FORM=FILE",
                 help="Write the result to FILE in another form, too; repeatable."),
)  # fmt: skip

TALK_OPTIONS: Final = (
    click.option("-q", "--quiet", is_flag=True, help="No progress, as --progress none."),
    click.option("--progress", "progress_form", type=click.Choice(PROGRESS_FORMS), default=PROGRESS_FORMS[0], show_default=True,
                 help="What goes on, on standard error: auto: a line that changes on a terminal, else plain; plain: a line every ten seconds."),
    click.option("-v", "--verbose", count=True, help="Everything in the report; -vv: tracebacks too."),
)  # fmt: skip


def passing_option(default: int) -> Callable[[F], F]:
    """``--passing[=N]``."""
    asked = click.option("--passing", type=click.IntRange(min=0), default=default, metavar="[=N]", show_default=True,
                         help=f"Ask N times for a passing execution (without N: {DEFAULT_PASSING}).")  # fmt: skip
    which = click.option("--passing-strategy", type=click.Choice(STRATEGIES), default=STRATEGIES[0], show_default=True,
                         help="Which: any with new coverage, or nearest to failing ones (auto, where that can be told).")  # fmt: skip
    cut = click.option("--reactive/--no-reactive", default=None,
                       help="Count executions as passing that violate nothing up to the bound, which cuts them.  [default: where none ends]")  # fmt: skip
    return lambda command: asked(which(cut(command)))


PATCHES_OPTION = click.option(
    "--patches", "directory", metavar="DIR", help="Write each edit as a patch file into DIR."
)


def examples_option(command: F) -> F:
    """``--io`` and ``--ignore-space``."""
    return click.option("--io", metavar="DIR",
                        help="Examples: files with input, each with one of the expected output.")(space_option(command))  # fmt: skip


def space_option(command: F) -> F:
    """``--ignore-space / --no-ignore-space``."""
    return click.option("--ignore-space/--no-ignore-space", "ignore_space", default=None,
                        help="Compare what examples (--io) expect up to white space: a row of blanks, tabs and line ends counts as one blank, at the beginning and the end as none (default: unless there is a reference).")(command)  # fmt: skip


def given_examples(given: Mapping[str, Any], options: PipelineOptions) -> tuple[Example, ...]:
    """The examples in the directory of ``--io``; empty without one. Raises UsageError where they make no sense."""
    from sfo.library.localization import given_library_examples

    return given_library_examples(given["io"], options, given.get("revisions"))


def domain_option(command: F) -> F:
    """``--domain``."""
    return click.option("--domain", type=click.Choice(DOMAINS), default=DOMAINS[0], show_default=True,
                        help="Which inputs count with --reference and --io: those like the examples in kind and size, or any.")(command)  # fmt: skip


def options_without(options: Sequence[Any], *names: str) -> tuple[Any, ...]:
    """The ``options`` of a group but for those with these names, as ``--entry``."""

    def is_kept(option: Any) -> bool:
        def command() -> None:
            """Take one option."""

        option(command)
        (made,) = command.__click_params__  # type: ignore[attr-defined] # where click keeps them
        return not {*made.opts} & {*names}

    return tuple(option for option in options if is_kept(option))


def with_options(*groups: Sequence[Any]) -> Callable[[F], F]:
    """All options of ``groups`` on a command, in order."""

    def decorate(command: F) -> F:
        options = [option for group in groups for option in group]
        return functools.reduce(lambda decorated, option: option(decorated), reversed(options), command)

    return decorate


class OptionCommand(click.Command):
    """A command whose ``--passing`` takes a value only after ``=``, as GNU options with optional values do."""

    OPTIONAL: ClassVar[dict[str, tuple[str, tuple[str, ...]]]] = {"--passing": (str(DEFAULT_PASSING), ())}
    """By option: its value when none follows, and the words that are a value when they follow."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Fill in the values that were left out."""
        end = args.index("--") if "--" in args else len(args)
        filled = list(args)
        for index, word in enumerate(args[:end]):
            if word in self.OPTIONAL:
                value, values = self.OPTIONAL[word]
                if not set(args[index + 1 : index + 2]) & set(values):
                    filled[index] = f"{word}={value}"
        return super().parse_args(ctx, filled)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless it would write over what it reads."""
        take_project_files(ctx)
        require_written_files_apart(self, ctx.params)
        return super().invoke(ctx)


class ProgramOptionCommand(OptionCommand):
    """A command on C files, for which ``--show-properties`` lists the properties instead."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, or list. A time limit counts from ``ctx.obj`` on, the start of the process."""
        if ctx.obj is not None and ctx.params.get("timeout") is not None:
            ctx.params["timeout"] = seconds_left_of_limit(ctx.params["timeout"], ctx.obj)
        if not ctx.params.get("show_properties"):
            return super().invoke(ctx)
        take_project_files(ctx)
        from sfo.cli.listing import list_properties

        if not ctx.params.get("files", True):
            raise UsageError("--show-properties is about a program: give its FILE, too")
        return list_properties(ctx.params.get("files") or (ctx.params["file"],), ctx.params)


class ShowOption(OptionCommand):
    """``show --units`` alone asks for the units, ``show --units labelled`` for the labelled ones."""

    OPTIONAL: ClassVar = {"--units": ("statement", GRANULARITIES)}


def program_options(given: dict[str, Any]) -> ProgramOptions:
    """Options of the front end, from the command line's ``PROGRAM_OPTIONS``."""
    from sfo.library.options import library_program_options

    asked = click.get_current_context().params
    paths = asked.get("files") or [path for path in [asked.get("file")] if path]
    return library_program_options(paths, _program_keywords(given))


def _program_keywords(given: dict[str, Any]) -> dict[str, Any]:
    """``PROGRAM_OPTIONS`` as the library names them."""
    size, sizes = given["array_size"]
    return {
        "entry": given["entry"],
        "check": given["checks"],
        "units": given["granularity"],
        "argv": given["argv"],
        "argv_length": given["argv_length"],
        "reference": given["reference"],
        "reference_check": given["reference_checks"] or (),
        "stdin": given["stdin"],
        "observe": given["observe"],
        "undefined": given["undefined"],
        "files": given["named_files"],
        "include_dirs": given["include_dirs"],
        "defines": given["defines"],
        "forced_includes": given["forced_includes"],
        "compile_commands": given.get("compile_commands"),
        "ilp32": not given["lp64"],
        "standard": given["standard"],
        "from_callers": given["from_callers"],
        "requires": given["requires"],
        "ensures": given["ensures"],
        "array_size": {"": size, **sizes},
        "depth": given["depth"],
        "nullable": given["nullable"],
        "construct": given["construct"],
        "extent": given["extent"],
        "havoc": given["havoc"],
        "trust": split_option_names(given.get("trusted")),
    }


def run_options(given: dict[str, Any]) -> PipelineOptions:
    """Options of an analysis, from the options that commands share."""
    from sfo.library.options import library_analysis_options

    keywords = {
        "unwind": given["unwind"] or "auto",
        "unwindset": given["unwindset"],
        "max_unwind": given["max_unwind"],
        "property": split_option_names(given["properties"]),
        "passing_strategy": given.get("passing_strategy", "auto"),
        "measure": given.get("measure", "naish2"),
        "rank": given.get("rank", "coverage"),
        "angelic": given.get("angelic", "weak"),
        "solver": given["solver"],
        "solver_only": given["solver_only"],
        "timeout": given["timeout"],
        "double_check": given["double_check"],
        "replay": given.get("replay", False),
        "native": given["native"],
        "tests": given.get("tests", ()),
        "backend": given["backend"],
        "cbmc_mode": given["cbmc_mode"],
        "slice": given.get("slicing", "none"),
        "domain": given.get("domain", "examples"),
        "ignore_space": given.get("ignore_space"),
        "jobs": given.get("jobs", 1),
        "effort": given["effort"],
        "units": given["granularity"],
        "reactive": given.get("reactive"),
        "policy": dict(item.partition("=")[::2] for item in given["tuned"]),
    }
    return library_analysis_options(
        (),
        keywords,
        passing=given.get("passing", 0),
        traces=_traces(given),
        program=program_options(given),
    )


def _traces(given: dict[str, Any]) -> int:
    """Number of failing and of passing executions that the reports show step by step."""
    forms = {given.get("format_"), *(form for form, _ in given.get("reports", ()))}
    return TRACES if any(report.shows_steps for form, report in REPORTS.items() if form in forms) else 0
