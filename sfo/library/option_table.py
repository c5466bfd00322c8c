"""The options of all commands, a row each: commands, keywords of the library, configuration files and help come of it.

    Option("--depth", "D", "How many structures ...", least=0, default=DEPTH)   ->   --depth 2, depth=2, depth = 2

The words of the command line become values here; ``sfo.library.options`` makes the records of an analysis of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, TypeAlias, final, get_args

from cfrontend.environment.arguments import LENGTH
from cfrontend.environment.program_options import ALL_CHECKS, DEFAULT_CHECKS
from cfrontend.environment.surroundings import ARRAY_SIZE, DEPTH
from cfrontend.units import Granularity
from sfo.pipeline.options import BACKENDS, MAX_UNWIND
from sfo.report import REPORTS

DEFAULT_PASSING: Final = 15
"""Passing executions that are asked for; the paper asks for 20 (section 5), the nearest tell the most."""

TRACES: Final = 10
"""Failing executions, and passing ones, that reports show step by step."""

GOALS: Final = ("units", "branches", "conditions", "mcdc", "boundaries", "mutants")
"""Values of ``generate --goal``."""

FORMS: Final = (
    "c", "pytest", "stdin", "testcomp", "corpus", "cmocka", "googletest", "criterion", "unity",
)  # fmt: skip
"""Values of ``generate --as``."""

RESULT_FORMS: Final = ("text", "json", *REPORTS)
"""Values of ``--format``, and forms of ``--report``."""

Words: TypeAlias = Sequence[str]
"""The values of an option on the command line: one, or those of one that is repeated."""


@final
@dataclass(frozen=True, slots=True)
class Option:
    """An option: ``flags`` with blanks between them, ``metavar`` for its value (none: it is true or false), ``help``.

    ``default`` is its value where it is not given, which the help shows as ``shown`` says. A value is one of
    ``choices``, a number from ``least`` (``is_open``: greater than it) and less than ``below``, a whole one unless it
    ``is_real``, or what ``read`` makes of its words, which raises ValueError where they make no sense. ``many``: it can
    be repeated; ``names``: it is a list with commas. ``alone`` is its value where none follows; of one that ``counts``
    it is how often it is given. ``commands`` have it, below the heading ``group``. In the library it is a keyword of
    the name ``key``, whose value is ``field`` (that key, unless told otherwise) of a ``record``: program, preprocess,
    environment, pipeline, or one that is ``made`` of several. ``users_own``: it names what is written, asked or
    executed, and no file that comes with a program says that.
    """

    flags: str
    metavar: str
    help: str
    name: str = ""
    default: Any = None
    shown: str = ""
    choices: Sequence[str] = ()
    least: float | None = None
    is_open: bool = False
    below: float | None = None
    is_real: bool = False
    read: Callable[[Words], Any] | None = None
    many: bool = False
    names: bool = False
    required: bool = False
    alone: str = ""
    commands: str = ""
    group: str = ""
    record: str = ""
    field: str = ""
    users_own: bool = False
    counts: bool = False

    @property
    def key(self) -> str:
        """The name of its value: the last flag with ``_`` for ``-``, unless told otherwise."""
        return self.name or self.flags.partition("/")[0].split()[-1].lstrip("-").replace("-", "_")

    @property
    def is_flag(self) -> bool:
        """Whether it is true or false."""
        return not self.metavar and not self.choices and not self.counts

    @property
    def explained(self) -> str:
        """Its help, with its default."""
        shown = self.shown
        if not shown and self.many and self.choices:
            shown = ", ".join(self.default or ())
        elif (
            not shown
            and isinstance(self.default, int | float | str | Fraction)
            and self.metavar + "".join(self.choices)
        ):
            shown = str(self.default)
        return f"{self.help}  [default: {shown}]" if shown else self.help

    def value(self, words: Words) -> Any:
        """The value that ``words`` of the command line are; raises ValueError where they make no sense."""
        if not words:
            empty = False if self.is_flag and "/" not in self.flags else () if self.many else None
            return empty if self.default is None else self.default
        if self.read is not None:
            return self.read(words)
        if self.names:
            return split_option_names(",".join(words))
        return tuple(words) if self.many else words[-1]


def split_option_names(value: str | None) -> tuple[str, ...]:
    """The items of a comma-separated list."""
    return tuple(name for item in (value or "").split(",") if (name := item.strip()))


# -- values of options -------------------------------------------------------------------------------------------


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) >= 1


def _unwind(words: Words) -> int | str:
    if words[-1] != "auto" and not _is_count(words[-1]):
        raise ValueError(f"{words[-1]!r} is neither 'auto' nor a number from 1.")
    return "auto" if words[-1] == "auto" else int(words[-1])


def _unwindset(words: Words) -> dict[str, int]:
    """``main.0:3,f.1:5``: bound by loop."""
    bounds: dict[str, int] = {}
    for item in split_option_names(words[-1]):
        loop, _, count = item.rpartition(":")
        if not loop or not _is_count(count):
            raise ValueError(f"{item!r} is not of the form function.loop:K, as in main.0:3.")
        bounds[loop] = int(count)
    return bounds


def _checks(words: Words) -> frozenset[str]:
    """``assert,bounds``, or ``none``; ``+overflow``: besides the default ones."""
    names = split_option_names(words[-1])
    if names == ("none",):
        return frozenset()
    is_more = bool(names) and all(name.startswith("+") for name in names)
    names = tuple(name.removeprefix("+") for name in names) if is_more else names
    return known_checks(names) | DEFAULT_CHECKS if is_more else known_checks(names)


def known_checks(names: Iterable[str]) -> frozenset[str]:
    """Kinds of property by name; raises ValueError for one that there is not."""
    for name in names:
        if name not in ALL_CHECKS:
            raise ValueError(f"unknown check {name!r}: choose from {', '.join(sorted(ALL_CHECKS))}, or none.")
    return frozenset(names)


def _reference_checks(words: Words) -> frozenset[str]:
    if "+" in words[-1]:
        raise ValueError("no check is looked at by default: name them without +.")
    return _checks(words)


def _report_files(words: Words) -> tuple[tuple[str, str], ...]:
    """``html=page.html``: form and file."""
    asked: list[tuple[str, str]] = []
    for item in words:
        form, _, file = item.partition("=")
        if form not in RESULT_FORMS or not file:
            raise ValueError(
                f"{item!r} is not of the form FORM=FILE, as in html=page.html; forms are {', '.join(RESULT_FORMS)}."
            )
        if file == "-":
            raise ValueError(f"{item!r}: a report goes into a file; --format {form} prints it.")
        asked.append((form, file))
    return tuple(asked)


def _array_size(words: Words) -> Mapping[str, int]:
    """``4,a:8``: by pointer, for all others by the empty text."""
    sizes: dict[str, int] = {}
    for item in split_option_names(",".join(words)):
        pointer, _, count = item.rpartition(":")
        if not _is_count(count):
            raise ValueError(f"{item!r} is neither a number from 1 nor of the form pointer:N, as in a:8.")
        sizes[pointer] = int(count)
    return sizes


def _extents(words: Words) -> Mapping[str, str] | None:
    """``buf:len,table:rows*cols,s:any``; None for ``none``, which is that of no name beside others."""
    items = split_option_names(",".join(words))
    found: dict[str, str] = {"": "none"} if "none" in items else {}
    for item in (one for one in items if one != "none"):
        pointer, _, length = (word.strip() for word in item.partition(":"))
        if not pointer or not length:
            raise ValueError(f"{item!r} is not of the form pointer:length, as in buf:len.")
        found[pointer] = length
    return None if list(found) == [""] else found


def policy_values(words: Words) -> Mapping[str, str]:
    """``repair.rounds=40``: other tuning constants by name."""
    from sfo.core.policy import Policy, policy_constants, policy_with_values, written_policy_constant

    for item in words:
        name, _, number = item.partition("=")
        try:
            policy_with_values(Policy(), {name: number})
        except KeyError:
            import difflib

            like = difflib.get_close_matches(name, policy_constants(Policy()), n=1)
            hint = f"did you mean {like[0]}?" if like else "docs/policy.md lists them."
            raise ValueError(f"there is no tuning constant {name!r}; {hint}") from None
        except ValueError as error:
            example = f"{name}={written_policy_constant(Policy(), name)}"
            raise ValueError(f"{item!r}: {error}, as in {example}.") from None
    return dict(item.partition("=")[::2] for item in words)


def _forms_by_reader() -> str:
    """The forms of a result by who reads them."""
    forms = {"people": ["text"], "programs": ["json"]}
    for name, report in REPORTS.items():
        forms.setdefault(report.readers, []).append(name)
    return ", ".join(f"for {who} ({', '.join(names)})" for who, names in forms.items())


# -- rows --------------------------------------------------------------------------------------------------------

_BOUNDED: Final = (
    "localize bisect-explain explain generate repair batch check run replay export mutate evaluate-corpus"
)
"""Commands that look for executions within a bound."""

_ON_PROGRAMS: Final = f"{_BOUNDED} profile reduce show harness"
"""Commands on a program."""

_ON_ONE_ENTRY: Final = _ON_PROGRAMS.replace("bisect-explain ", "")
_PASSING: Final = "localize bisect-explain explain generate repair batch evaluate-corpus"
_RESULTS: Final = "localize bisect-explain repair check run replay"
_EVALUATED: Final = "evaluate-scores evaluate-graph evaluate-hitting evaluate-causes evaluate-corpus"


def _rows(group: str, commands: str, *options: Option, record: str = "pipeline") -> tuple[Option, ...]:
    """``options`` below one heading, of these commands and for this record where they do not say which."""
    return tuple(
        replace(option, group=group, commands=option.commands or commands, record=option.record or record)
        for option in options
    )


OPTIONS: Final = (
    *_rows(
        "Options", "localize",
        Option("--git", "OLD..NEW", "The files in revision NEW, with those in OLD as --reference; without files, each function that changed.",
               commands="localize repair check"),
        Option("--project", "DIR", "Take the files that the entry function needs from the compile_commands.json of DIR, as sfo capture writes it; FILE may be left out.",
               commands="localize explain repair check harness", users_own=True),
        Option("--patches", "DIR", "Write each edit as a patch file into DIR.", commands="localize bisect-explain repair", users_own=True),
        Option("--io", "DIR", "Examples: files with input, each with one of the expected output.", commands="localize explain repair batch"),
        Option("--ignore-space/--no-ignore-space", "", "Compare what examples (--io) expect up to white space: a row of blanks, tabs and line ends counts as one blank, at the beginning and the end as none (default).",
               commands="localize explain repair batch"),
        Option("--crash", "REPORT", "Look for the crash that the file REPORT is about: what a sanitizer, a failed assertion or gdb's backtrace said."),
        Option("--input", "FILE", "Start from the execution with FILE as standard input, which crashes: its failure is what is looked for."),
        Option("--arguments", "WORDS", "Start from the execution with these arguments, written as for a shell, which crashes; with --input or alone."),
        Option("--test-command", "COMMAND", "Execute a test of the project, as 'make check', in a copy of it: what it covers counts, too; repeatable.",
               many=True, users_own=True),
        Option("--domain", "", "Which inputs count with --reference and --io: those like the examples in kind and size, or any.",
               choices=("examples", "any"), default="examples", commands="localize bisect-explain explain batch"),
        Option("--tests", "DIR|VECTORS", "Start from the executions of existing tests, and add what they lack; repeatable.",
               many=True, commands="localize generate"),
        Option("--stop-on-fail", "", "End with the first violation: one question instead of one for each property.", commands="check"),
        Option("--each", "", "Check each file by itself, as the hook of pre-commit does; files without the entry function are passed over.",
               commands="check"),
        Option("--inputs", "VECTORS.csv", "Input vectors, one row each.", required=True, commands="replay profile"),
        Option("--inputs", "VECTORS.csv", "Input vectors, one row each; without it, the one execution of a program that reads none.", commands="run"),
        Option("-o --output", "PROFILE.json", "Where to write the edge profile.", required=True, commands="profile", users_own=True),
        Option("-o --output", "FILE", "Where to write SMT-LIB 2; - for standard output.", required=True, commands="export", users_own=True),
    ),
    *_rows(
        "Suite", "generate",
        Option("-o --output", "DIR", "Where to write the files; with --update, its DIR unless given.", users_own=True),
        Option("--update", "DIR", "Update the suite in DIR: its tests stay as long as they reach something, what is missing is added.",
               users_own=True),
        Option("--as", "", "Write the executions as tests, too, in a folder of this name; repeatable.", choices=FORMS, many=True),
        Option("--goal", "", "What the executions have to reach: units, both outcomes of each condition, of each operand of && and ||, where it alone decides (mcdc), values around comparisons, mutants killed.",
               choices=GOALS, default="branches", shown="branches, or that of the suite of --update"),
        Option("--report", "FORM=FILE", "Write the result to FILE in another form, too, such as sarif; repeatable.",
               read=_report_files, many=True, default=(), users_own=True),
    ),
    *_rows(
        "Batch", "batch",
        Option("-o --output", "OUT", "Directory for index.html, table.csv, table.json, pages and results.", required=True, users_own=True),
        Option("--harness", "FILE.c", "A further file of each program, such as one with main and assertions."),
        Option("--again", "", "Analyse only those again that OUT says have a fault (failing), as without --rank coverage, or those of them without an edit (guesses), for more --effort; the other rows stay.",
               choices=("failing", "guesses")),
    ),
    *_rows(
        "Executions", _PASSING,
        Option("--passing", "[=N]", f"Ask N times for a passing execution (without N: {DEFAULT_PASSING}).",
               least=0, default=0, alone=str(DEFAULT_PASSING), commands="localize bisect-explain repair"),
        Option("--passing", "[=N]", f"Ask N times for a passing execution (without N: {DEFAULT_PASSING}).",
               least=0, default=DEFAULT_PASSING, alone=str(DEFAULT_PASSING), commands="explain generate batch evaluate-corpus"),
        Option("--reactive/--no-reactive", "", "Count executions as passing that violate nothing up to the bound, which cuts them.  [default: where none ends]"),
        Option("--replay/--no-replay", "", "Replay each execution natively, compiled by gcc, and compare; --native off rules out all native executions, those that look for inputs too.  [default: where gcc is installed]",
               commands="localize bisect-explain explain generate"),
        Option("--slice", "", "Units that count as covered: all that are evaluated; those that can influence how an execution ends (static); those that did (dynamic).",
               choices=("none", "static", "dynamic"), default="none", field="slicing", commands="localize bisect-explain explain generate run"),
    ),
    *_rows(
        "Ranking", "localize bisect-explain explain batch run",
        Option("--trust", "F,...", "Functions that are known to be right: neither suspects nor edited, nor named in an edit.",
               names=True, default=(), record="program", field="trusted", commands="localize bisect-explain explain batch run repair"),
        Option("--measure", "NAME", "Suspiciousness measure; opt-NAME is Opt of it.", default="naish2"),
        Option("--rank", "", "full: units that could save the failing executions first; coverage: by the measure alone.",
               choices=("full", "coverage"), default="full"),
    ),
    *_rows(
        "Bound and search", _BOUNDED,
        Option("--unwind", "auto|K", "Bound: a loop goes round at most K - 1 times, a function calls itself at most K times; auto: the smallest that fails.",
               read=_unwind, least=1, default="auto"),
        Option("--unwindset", "LOOP:K,...", "Bounds of single loops, as in main.0:3, and recursions, as in f:3.",
               read=_unwindset, default=MappingProxyType({})),
        Option("--max-unwind", "K", "Where --unwind auto ends.", least=1, default=MAX_UNWIND),
        Option("--property", "ID,...", "Look at these properties only.", names=True, default=(), field="properties"),
        Option("--backend", "", "Who finds executions; cbmc is the command that SFO_CBMC names, or cbmc; cbmc-each calls it for each question.", choices=tuple(BACKENDS), default="sfo"),
        Option("--solver", "NAME", "Which solver to use.", default="auto"),
        Option("--solver-only", "", "Algorithm 1 to the letter: take the solver's first model, look for no better one."),
        Option("--timeout", "SECONDS", "End after this time with what is known.", least=0, is_real=True, is_open=True),
        Option("--memory", "MIB", "End when so much memory is taken, with what is known.  [default: nine tenths of what is free]",
               least=1, record="made"),
        Option("--effort", "FACTOR", "Multiply the work that each phase may do, which is counted: the same on every machine.",
               least=0, is_real=True, is_open=True, default=1.0),
        Option("--policy", "NAME=VALUE", "Change a tuning constant, such as repair.rounds=40, which docs/policy.md lists; repeatable.",
               read=policy_values, many=True, default=MappingProxyType({}), field="tuned"),
        Option("--native", "", "Whether the program may be compiled and executed natively: not at all (the interpreter alone tries inputs, and nothing is replayed), in a sandbox, or with all your rights.",
               choices=("off", "sandboxed", "on"), default="sandboxed", commands=f"{_BOUNDED} reduce"),
        Option("--jobs", "N", "Processes that may work at the same time.  [default: the processors, at most 4]", least=1,
               commands="localize bisect-explain explain generate repair batch check"),
    ),
    *_rows(
        "Program", _ON_PROGRAMS,
        Option("--entry", "F", "Function where executions start.", default="main", commands=_ON_ONE_ENTRY),
        Option("--check", "LIST", "Kinds of property that are looked at ('none': none; '+overflow': overflow, too).", read=_checks, default=DEFAULT_CHECKS,
               shown="assert,ensures,reach,bounds,pointer,div0,double-free,overlap,format", field="checks"),
        Option("--units", "", "What counts as a unit; auto: statements, with passing executions told apart by path conditions.",
               choices=get_args(Granularity), default="auto", record="pipeline", commands=_ON_PROGRAMS.replace(" show", "")),
        Option("--argv", "N", "Value of argc; the characters of argv[1] to argv[N-1] are inputs.  [default: 1, or all that main names where it gives up without]",
               least=0),
        Option("--argv-length", "L", "Most characters of each of these arguments.", least=0, default=LENGTH),
        Option("--reference", "OLD.c", "An older version that the program has to agree with; repeatable for its further files.",
               many=True, commands=_ON_ONE_ENTRY),
        Option("--reference-check", "LIST", "Kinds of property of the reference that rule out an input which violates them, besides those of --check.  [default: none; of batch: overflow,shift]",
               read=_reference_checks, default=None, field="reference_checks"),
        Option("--stdin", "", "What the standard input is beside a reference: values that fit each format whose result nobody looks at, or any text.",
               choices=("values", "text"), default="values", record="made"),
        Option("--undefined", "", "What a call of an undefined function is: an error, a result that is an input, or (auto) the latter with --entry only.",
               choices=("auto", "error", "nondet"), default="auto"),
        Option("--files", "", "What fopen is: an error, or a file with any contents, if there is one.",
               choices=("error", "nondet"), default="nondet", field="named_files"),
        Option("-I", "DIR", "Look for headers in DIR.", name="include_dirs", many=True, record="preprocess"),
        Option("-D", "NAME[=VALUE]", "Define a macro.", name="defines", many=True, record="preprocess"),
        Option("-include", "FILE", "Include FILE first.", name="forced_includes", many=True, record="preprocess"),
        Option("--compile-commands", "FILE", "Take -I, -D, -include and -std from FILE too.  [default: the nearest compile_commands.json above the first file]",
               record="made"),
        Option("--ilp32/--lp64", "", "Types as with gcc -m32 -msse2 -mfpmath=sse, or as on x86-64.", shown="lp64", default=False, record="made"),
        Option("-std", "STANDARD", "Language standard, as in -std=c11.", name="standard", record="preprocess"),
        record="program",
    ),
    *_rows(
        "One function", _ON_PROGRAMS,
        Option("--requires", "CONDITION", "What the entry function may count on, in C; repeatable.", many=True),
        Option("--ensures", "CONDITION", "What the entry function has to establish, in C, with __sfo_result and __sfo_old(x); repeatable.",
               many=True),
        Option("--from-callers", "", "Inputs are only what the callers in the given files may give, as far as that can be told.", record="made"),
        Option("--array-size", "N|P:N,...", "Elements of what a pointer parameter of the entry function points to; P:N for pointer P; repeatable.",
               read=_array_size, many=True, least=1, default=ARRAY_SIZE, record="made"),
        Option("--extent", "P:LENGTH,...|none", "How many elements pointer P leads to: a parameter, a product of two (P:rows*cols), a pointer behind the last, or 'any' for a fixed number; none: tell nothing else from names and use; repeatable.",
               read=_extents, many=True, default=MappingProxyType({}), record="made"),
        Option("--depth", "D", "How many structures stand behind one another there.", least=0, default=DEPTH, record="environment"),
        Option("--nullable/--no-nullable", "", "Pointers given to the entry function may be null.", default=False, record="environment"),
        Option("--construct", "", "Structures given to the entry function are made by their constructors (x_new, x_init), and by up to two mutators.",
               record="environment", field="constructs"),
        Option("--havoc", "all|G,...", "Global variables that begin as inputs; repeatable.", many=True, names=True, default=(), record="made"),
        record="program",
    ),
    *_rows(
        "Matrix", "rank reduce convert",
        Option("--measure", "M,...", "Measures or techniques ('all' for all of them, see 'sfo measures').", default="naish2", commands="rank"),
        Option("--tests", "DIR|VECTORS", "Tests of the C program FILE..., see 'sfo localize'; repeatable.", many=True, commands="reduce"),
        Option("--goal", "", "Keep what the tests reach of these goals, see 'sfo generate'; repeatable.",
               choices=GOALS, many=True, commands="reduce"),
        Option("--property", "ID,...", "Only violations of these properties are failures.", names=True, default=(), commands="reduce"),
        Option("--from", "FORM", "How to read the matrix, if its name does not say: gzoltar, tcm, csv, json or coverage; rank: crashes.",
               commands="rank reduce convert evaluate-causes"),
        Option("-o --output", "OUT", "Write the matrix of the executions that are kept to OUT, in the form of its name.",
               commands="reduce", users_own=True),
    ),
    *_rows(
        "Options", "show",
        Option("--units", "", "The units, of this kind unless auto.", choices=get_args(Granularity), default="auto", alone="statement"),
        Option("--goto", "", "The goto program."),
        Option("--properties", "", "The properties: id, place, meaning."),
    ),
    *_rows(
        "Mutants", "mutate",
        Option("-o --output", "DIR", "Where to write the versions, or with --inputs the mutation matrix.", required=True, users_own=True),
        Option("--inputs", "VECTORS.csv", "Input vectors: FILE is faulty, and a mutation matrix is made for 'sfo rank'."),
        Option("--subject", "NAME", "What the program is called in versions.json.  [default: FILE without .c]"),
        Option("--operators", "LIST", "Kinds of fault: arithmetic, relational, off-by-one, logical, constant, variable, missing, operand, guard, narrow.  [default: all]",
               names=True, default=()),
        Option("--faults", "K", "Faults of a version.", least=1, default=1),
        Option("--limit", "N", "Versions at most, chosen at random; ends early where none of many mutants in a row fails.", least=1),
        Option("--jobs", "N", "Processes.  [default: the processors]", least=1, commands="mutate evaluate-corpus"),
    ),
    *_rows(
        "Evaluation", _EVALUATED,
        Option("--measure", "M,...", "Measures or techniques ('all' for all of them).",
               default="naish2", commands="evaluate-scores evaluate-hitting evaluate-corpus"),
        Option("--faulty", "UNIT", "A faulty unit of a coverage matrix; repeatable.", many=True, commands="evaluate-scores evaluate-graph evaluate-hitting"),
        Option("--runs", "", "failing: as if nobody had looked for passing executions.",
               choices=("all", "failing"), default="all", commands="evaluate-scores evaluate-graph"),
        Option("--common", "", "Only versions that every technique can rank.", commands="evaluate-scores"),
        Option("--dataset", "", "Which versions: all, or those that break no assumption of the theory, or just one. Repeatable.",
               choices=("typical", "base", "crash", "non-single"), many=True, default=("typical",), commands="evaluate-graph"),
        Option("--formulas", "LIST", "xckx (the 30), all (the 42), every (measure there is), and names, separated by commas.",
               default="xckx", commands="evaluate-graph"),
        Option("--suites", "N", "Test suites drawn for each version and share.", least=1, default=100, commands="evaluate-graph"),
        Option("--draw", "FILE", "Draw the graph as FILE.svg, FILE.png or FILE.dot; of several data sets each as FILE-DATASET.svg.", commands="evaluate-graph", users_own=True),
        Option("-o --output", "DIR", "Where corpus.json, the datasets and the database of results are kept and taken up again.", required=True, commands="evaluate-corpus", users_own=True),
        Option("--model", "", "Debugging model; edges: those of the flow graph as behaviours. Repeatable.",
               choices=("list", "jumps", "behaviours", "edges"), many=True, default=("list", "jumps"), commands="evaluate-hitting"),
        Option("--p-jump", "P", "Probability of a jump.", least=0, is_real=True, below=1, default=0.5, commands="evaluate-hitting"),
        Option("--sampled", "", "Compare exact with sampled times instead of ranks.", commands="evaluate-hitting"),
        Option("--given", "FORMULA", "The condition.", commands="evaluate-causes"),
        Option("--seed", "N", "Seed of what is random.",
               least=0, default=0, commands="evaluate-hitting"),
    ),
    *_rows(
        "Output", _RESULTS,
        Option("--format", "", f"Form of the result: {_forms_by_reader()}.", choices=RESULT_FORMS, default="text"),
        Option("--format", "", "Form of the result; of evaluate scores csv has every version.",
               choices=("text", "csv", "json"), default="text", commands="rank evaluate-scores"),
        Option("--format", "", "Form of the result.", choices=("text", "json"), default="text", commands="reduce evaluate-graph"),
        Option("-o --output", "FILE", "Write the result to FILE.", commands=f"{_RESULTS} evaluate-scores evaluate-graph evaluate-hitting evaluate-causes explain harness rank measures", users_own=True),
        Option("-o --output", "FILE", "Where the compiler calls are written; calls for other files stay in it.",
               default="compile_commands.json", commands="capture", users_own=True),
        Option("--report", "FORM=FILE", "Write the result to FILE in another form, too; repeatable.",
               read=_report_files, many=True, default=(), users_own=True),
        Option("--timeout", "SECONDS", "End an analysis after this time with what is known.", least=0, is_real=True, is_open=True, default=30.0, commands="lsp"),
        Option("-q --quiet", "", "No progress on standard error, where a line changes on a terminal, else one follows every ten seconds.",
               commands=f"{_ON_PROGRAMS.removesuffix(' harness')} evaluate-scores evaluate-graph evaluate-hitting"),
        Option("-v --verbose", "", "Everything in the report; -vv: tracebacks too.", default=0, counts=True,
               commands=f"{_ON_PROGRAMS.removesuffix(' harness')} {_EVALUATED} rank"),
    ),
)  # fmt: skip
"""The options of all commands, in the order of the help."""


FIRST: Final = "First options"
"""Heading of the options that people need first."""

FIRST_OPTIONS: Final = {
    "localize": ("io", "reference", "entry", "requires", "ensures", "git", "crash", "passing", "report", "timeout"),
    "repair": ("io", "reference", "entry", "requires", "ensures", "git", "patches", "passing", "report", "timeout"),
    "explain": ("io", "reference", "entry", "requires", "ensures", "passing", "unwind", "timeout", "output"),
    "check": ("entry", "requires", "ensures", "reference", "check", "unwind", "property", "git", "report", "timeout"),
    "generate": ("output", "entry", "goal", "forms", "reference", "update", "passing", "report", "timeout"),
    "batch": ("output", "reference", "io", "harness", "entry", "again", "rank", "jobs", "timeout"),
}  # fmt: skip
"""By command: keys of the options that people need first. They stand first in its help, and alone in that of -h."""

COMMAND_EXAMPLES: Final = {
    "localize": (
        "sfo localize sum.c --io examples",
        "sfo localize new.c --reference old.c --entry median",
        "sfo localize list.c --entry pop --requires 'n > 0' --ensures '__sfo_result >= 0'",
    ),
    "repair": ("sfo repair sum.c --io examples --patches edits",),
    "explain": ("sfo explain sum.c :18 --io examples",),
    "check": ("sfo check queue.c --entry push --requires 'n < 8' --unwind 4",),
    "generate": ("sfo generate max.c -o suite --goal branches --as pytest",),
    "batch": ("sfo batch class --reference correct.c --io examples -o marks",),
}
"""By command: command lines, the first of which is the most frequent."""

GROUP_EXAMPLES: Final = {
    "Executions": "--passing=20 --slice dynamic",
    "Ranking": "--trust read_line,main",
    "Bound and search": "--unwind 6 --effort 4",
    "Program": "--check +overflow -I include",
    "One function": "--array-size 8 --nullable",
    "Output": "--report html=page.html -q",
}
"""By heading of options: some of them with values."""


def options_of_command(name: str) -> tuple[Option, ...]:
    """The options of a command; those of ``evaluate scores`` by ``evaluate-scores``."""
    return tuple(option for option in OPTIONS if name in option.commands.split())
