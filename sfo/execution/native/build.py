"""Native build: a loaded program compiled by gcc, with the harness that gives it inputs and catches its ends.

    build(program, directory)  ->  Build(binary=directory/"program", ...)

The user's files are only read: what is compiled are copies, in which the variables without a value are filled.
gcc compiles with ``-O0 -fwrapv -fno-strict-aliasing``, the referee of the semantics.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias, final

from cfrontend import instrument
from cfrontend.edit.candidate import Candidate
from cfrontend.edit.function_clones import function_texts_to_clone
from cfrontend.elaborate.calls import CONDITION_FUNCTIONS
from cfrontend.errors import InputError
from cfrontend.host.child_processes import end_child_processes
from cfrontend.host.regular_files import read_regular_file_bytes
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.settings import HOLE, VARIANT
from cfrontend.source.preprocess import (
    MODEL_FLAGS,
    NATIVE_HEADERS,
    PreprocessOptions,
    is_preprocessed_library_file,
    preprocessor_user_flags,
)
from cfrontend.syntax import tree
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import ArrayType
from sfo.core.executions import Native
from sfo.execution.native.objects import (
    BUILD_SECONDS,
    MODEL_PREFIX,
    NativeBuildRefusalError,
    SourceToBuild,
    compile_launcher,
    compile_object,
    make_directory_of_headers,
    run_build_tool,
)
from sfo.execution.native.sandbox import Sandbox, make_sandbox

NumberedCandidates: TypeAlias = Sequence[tuple[int, Candidate]]
"""Edits that one meta-program holds, by the numbers that choose them."""

HARNESS: Final = Path(__file__).with_name("harness.c")
"""Runtime linked to every program: inputs, verdict and printed output."""

EXPLORE: Final = Path(__file__).with_name("explore.c")
"""Fuzzer linked where inputs are looked for."""

GUARDS: Final = Path(__file__).with_name("guards.c")
"""Runtime linked beside the fuzzer for one function: what surrounds it ends at memory that cannot be read."""

PAIRS: Final = Path(__file__).with_name("patches.c")
"""Runtime linked where pairs of edits are tried."""

HARNESS_NAME: Final = "sfo-harness.c"
"""Name of the harness in a build, so that no file of a program is taken for it."""

FLAGS: Final = (
    "-O0",
    "-g",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-builtin",
    "-fkeep-static-functions",
    "-w",
)
"""``-fno-builtin``: gcov then knows that no call need return, so a crash inside one leaves right counts."""

OVERFLOW: Final = "signed-integer-overflow"
"""The sanitizer that sees nothing where overflow is defined to wrap around."""

SANITIZERS: Final[Mapping[str, tuple[str, ...]]] = {
    "bounds": ("bounds-strict",),
    "pointer": ("address", "null"),
    "double-free": ("address",),
    "overlap": ("address",),
    "div0": ("integer-divide-by-zero", "builtin"),
    "overflow": (OVERFLOW,),
    "shift": ("shift-exponent",),
}
"""By check: the sanitizers that see its violations. Undefined behaviour that is not checked goes on as in gcc."""

_LENIENT: Final = {"bounds-strict": "bounds"}
"""Sanitizer that replaces another one where arrays at the end of a structure may be of any length."""

UNDEFINED: Final = ("address", "undefined")
"""Sanitizers for all undefined behaviour that gcc knows of but overflow, which is defined here."""

_WRAPPED: Final = ("main", "malloc", "realloc", "reallocarray", "aligned_alloc", "scanf", "fscanf")
_WRAPPED_IN: Final[Mapping[Path, tuple[str, ...]]] = {
    PAIRS: ("calloc", "free", "malloc_usable_size"),
    GUARDS: ("calloc", "free", "malloc_usable_size"),
}
"""Functions that parts of the harness stand in for."""

_OTHER_NAMES: Final = {
    "scanf": ("__isoc99_scanf", "__isoc23_scanf"),
    "fscanf": ("__isoc99_fscanf", "__isoc23_fscanf"),
}
"""Names by which the system's headers call library functions."""

_DECLARED: Final = "unsigned long long sfo_next(int, int, void *); void sfo_next_real(int, void *, void *);\n"
_UNCALLED: Final = (
    "--rename-section=.preinit_array=sfo_preconstructors",
    "--rename-section=.init_array=sfo_constructors",
    "--rename-section=.ctors=sfo_constructors",
    "--rename-section=.fini_array=sfo_destructors",
    "--rename-section=.dtors=sfo_destructors",
)
"""Options of objcopy that hide constructors and destructors: the harness calls them in each execution.

gcc's own ones have a priority, and other names.
"""

_EXPLORING: Final = (
    "-O1",
    "-fsanitize-coverage=trace-pc,trace-cmp",
    "-D__NO_INLINE__",
    "-U_FORTIFY_SOURCE",
)
"""Options of gcc that instrument edges and comparisons for the fuzzer.

With optimization the system's headers would make calls of other functions of calls such as getchar().
"""

_COUNTING: Final = ("-fsanitize-coverage=trace-pc", "-fdiagnostics-column-unit=byte")
"""Options of gcc for edited programs: executions are ended after so many blocks, errors are placed by bytes."""

_UNCOUNTED: Final = " extern __typeof__({0}) {0} __attribute__((no_sanitize_coverage));"
"""Declaration in a function that gcc's calls at blocks are not worth their time there, as those at units count."""

_ASKING: Final = ("-D__VERIFIER_nondet_int=sfo_library_int", "-DSFO_CHARACTER=sfo_library_character")
"""Options of gcc that tell the inputs of library models, and characters among them, from those of the program."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NativeBuildPurpose:
    """What a native build is for: by default, to be executed on input vectors.

    ``coverage``: gcov counts lines, too. ``explores``: the program looks for inputs by itself. ``pairs``: it tries
    edits that are in its text, or the numbered ``candidates``, which make it a meta-program, whose harness sees the
    properties ``assertions`` by their numbers. ``tells``: it tells what a caller sees of executions. ``sanitizers``
    None: those of the checks in force, without the slow one where thousands of executions are wanted.
    """

    coverage: bool = False
    explores: bool = False
    pairs: bool = False
    tells: bool = False
    candidates: NumberedCandidates = ()
    assertions: Mapping[str, int] = field(default_factory=dict)
    sanitizers: Collection[str] | None = None

    @property
    def tries(self) -> bool:
        """True if edits are tried."""
        return self.pairs or bool(self.candidates)

    @property
    def asks(self) -> bool:
        """True if the program is asked about many executions in one process (patches.c)."""
        return self.tries or self.tells

    @property
    def instrumenting(self) -> tuple[str, ...]:
        """Options of gcc that instrument blocks of code."""
        return _EXPLORING if self.explores else _COUNTING if self.asks else ()

    def parts(self, program: Program) -> list[Path]:
        """The parts of the harness that only some native executions need."""
        is_beside_one_function = self.explores and program.options.entry != "main"
        needed = {EXPLORE: self.explores, GUARDS: is_beside_one_function, PAIRS: self.asks}
        return [path for path, is_needed in needed.items() if is_needed]

    def sanitizers_for(self, program: Program) -> Collection[str]:
        """Names of gcc's sanitizers; the memory of ``address`` makes every new process slow."""
        if self.sanitizers is not None:
            return self.sanitizers
        found = _sanitizers_to_build_with(program)
        return [name for name in found if name != "address"] if self.instrumenting else found


EXECUTING: Final = NativeBuildPurpose()
"""Purpose of a build that is only executed."""

REPLAYING: Final = NativeBuildPurpose(coverage=True)
"""Purpose of a build whose executions are compared with those of the interpreter."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NativeBuildPlan:
    """Plan of a build: ``own`` are the program's files, ``others`` what is linked to them.

    ``numbers`` are the harness' numbers of variables, ``unfilled`` the variables that it cannot fill.
    """

    own: tuple[SourceToBuild, ...]
    others: tuple[SourceToBuild, ...]
    link: tuple[str, ...]
    numbers: Mapping[str, int]
    unfilled: frozenset[str]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NativeBuild:
    """A compiled program, and what starts it inside its limits, in a sandbox; ``plan`` says what was compiled."""

    directory: Path
    binary: Path
    launcher: Path
    sandbox: Sandbox
    plan: NativeBuildPlan
    coverage: bool

    @property
    def objects(self) -> tuple[str, ...]:
        """The object files of the program's own files."""
        return tuple(source.object for source in self.plan.own)


def missing_native_build_tool() -> str | None:
    """Name of a tool that a native build needs and that is not installed; None if all are there."""
    tools = ("gcc", "gcov", "objcopy", "readelf", "addr2line")
    return next((tool for tool in tools if shutil.which(tool) is None), None)


def plan_native_build(program: Program, purpose: NativeBuildPurpose = EXECUTING) -> NativeBuildPlan:
    """Plan the native build of a program. Raises InputError for an input that has no native value."""
    model = MODEL_FLAGS[program.options.preprocess.model.name]
    sanitizers = purpose.sanitizers_for(program)
    base = _checked(_common_flags(program, purpose), sanitizers)
    profile = ["--coverage"] if purpose.coverage else []
    variables = instrument.variables_to_instrument(program.goto)
    filled: set[str] = set()
    wrapped = (
        *_WRAPPED,
        *(name for part in purpose.parts(program) for name in _WRAPPED_IN.get(part, ())),
    )
    symbols = (*_taken(_models(program)), *_replaced_symbols(program), *_UNCALLED)
    own = [
        SourceToBuild(
            name=f"{number}{'.i' if path.endswith('.i') else '.c'}",
            text=text,
            flags=(
                *base,
                *profile,
                *purpose.instrumenting,
                *native_user_flags(program.options.preprocess, path),
            ),
            symbols=symbols,
        )
        for number, (path, text) in enumerate(_copies(program, variables, filled, purpose))
    ]
    return NativeBuildPlan(
        own=tuple(own),
        others=native_build_runtime(program, purpose),
        link=(*model, *profile, *_link_flags(sanitizers, wrapped), *_left_out(program)),
        numbers=_numbers(program),
        unfilled=frozenset(variables.keys() - filled),
    )


def native_build_runtime(program: Program, purpose: NativeBuildPurpose) -> tuple[SourceToBuild, ...]:
    """What is linked to the files of a program, whatever edits they hold."""
    model = MODEL_FLAGS[program.options.preprocess.model.name]
    common = _common_flags(program, purpose)
    models = _models(program)
    taken = _taken(models)
    harness = (
        *common,
        *_harness_flags(program, coverage=purpose.coverage),
        *(_small(_numbers(program)) if purpose.asks else ()),
    )
    asking = (*model, *purpose.instrumenting, *(_ASKING if purpose.instrumenting else ()))
    return (
        SourceToBuild(
            name="inputs.c",
            text=os.fsencode(_DECLARED + instrument.instrument_nondet_functions(program.goto)),
            flags=common,
        ),
        SourceToBuild(name=HARNESS_NAME, text=HARNESS.read_bytes(), flags=harness, symbols=_spared(taken)),
        *(_model(library, taken, asking) for library in models),
        *(
            SourceToBuild(
                name=path.name,
                text=path.read_bytes(),
                # Few executions of edits are worth no optimization; what they call most asks for its own.
                flags=(*common, *(() if path == PAIRS else ("-O1",)), "-U_FORTIFY_SOURCE"),
                symbols=_spared(taken),
            )
            for path in purpose.parts(program)
        ),
    )


def _common_flags(program: Program, purpose: NativeBuildPurpose) -> tuple[str, ...]:
    """Flags of all files. Nobody asks where in the text an edited execution ends: without that gcc is quicker."""
    model = MODEL_FLAGS[program.options.preprocess.model.name]
    return (*(flag for flag in FLAGS if flag != "-g" or not purpose.asks), *model)


def _models(program: Program) -> Sequence[instrument.InstrumentModelFile]:
    return instrument.instrument_model_files(
        program.goto, program.options.entry, keeps_files=program.tree.keeps_files
    )


def _taken(models: Sequence[instrument.InstrumentModelFile]) -> list[str]:
    """Options of objcopy by which the functions of models stand in for those of the library."""
    return [f"--redefine-sym={name}=__wrap_{name}" for library in models for name in library.taken]


def _numbers(program: Program) -> dict[str, int]:
    """The harness' numbers of variables and of what makes objects."""
    variables = instrument.variables_to_instrument(program.goto)
    makers = {name: number for number, name in enumerate(instrument.MAKERS)}
    return {key: number for key, (number, _) in variables.items()} | makers


def _checked(flags: Sequence[str], sanitizers: Collection[str]) -> list[str]:
    """``flags`` of gcc with ``sanitizers`` that end an execution; overflow wraps unless one of them sees it."""
    kept = [flag for flag in flags if flag != "-fwrapv" or OVERFLOW not in sanitizers]
    ending = [f"-fsanitize={','.join(sanitizers)}", "-fno-sanitize-recover=all"] if sanitizers else []
    return [*kept, *ending]


def _link_flags(sanitizers: Collection[str], wrapped: Sequence[str]) -> list[str]:
    """Options of the linker: the runtime of ``sanitizers``, and the ``wrapped`` functions of the harness."""
    runtime = ["-fsanitize=address"] if "address" in sanitizers else []
    return ["-no-pie", *runtime, "-Wl,--gc-sections", *_wraps(wrapped)]


def _left_out(program: Program) -> Iterator[str]:
    """Options of the linker for one function: nobody defines what it does not come to."""
    if program.options.entry != "main":
        yield "-Wl,--unresolved-symbols=ignore-all"


def _harness_flags(program: Program, *, coverage: bool) -> Iterator[str]:
    """Macros of the harness: what it counts, and how the program reads its standard input."""
    if coverage:
        yield "-DSFO_COVERAGE"
    if program.tree.counts_each:
        yield "-DSFO_COUNTS_EACH=1"
    if program.tree.reads_text:
        yield "-DSFO_TEXT"


def _replaced_symbols(program: Program) -> tuple[str, ...]:
    """Options of objcopy: functions of the program that give way to ours, and those that assume something.

    Functions that nobody defines have other names than those of the machine.
    """
    weak = (
        f"--weaken-symbol={name}"
        for name in instrument.instrument_replaced_functions(program.goto, program.options.checks)
    )
    assumed = (f"--redefine-sym={name}=sfo_assumed_{name}" for name in sorted(program.goto.assumed))
    undefined = () if program.around is None else program.around.undefined.names
    own = program.goto.functions.get("exit")
    # The harness ends by the library's exit, which an own one does not replace where main returns either.
    ends = () if own is None or own.foreign else ("--redefine-sym=exit=sfo_own_exit",)
    return (
        *weak,
        *assumed,
        *ends,
        *(f"--redefine-sym={name}=sfo_undefined_{name}" for name in undefined),
    )


def _small(numbers: Mapping[str, int]) -> tuple[str, ...]:
    """Options that make the harness' tables small where they are put back before each execution."""
    return ("-DMOST_VALUES=1", "-DMOST_READ=64", f"-DMOST_OBJECTS={max(numbers.values(), default=0) + 1}")


def _sanitizers_to_build_with(program: Program) -> list[str]:
    """Names of gcc's sanitizers that see violations of the checks in force."""
    found = sorted({name for check in program.options.checks for name in SANITIZERS.get(check, ())})
    return [_LENIENT.get(name, name) for name in found] if _has_open_arrays(program) else found


def _has_open_arrays(program: Program) -> bool:
    """True if some structure ends with an array of length one, which may stand for a flexible array."""
    last = [layout.members[-1].type for layout in program.goto.structs.values() if layout.members]
    return any(isinstance(ctype, ArrayType) and ctype.length == 1 for ctype in last)


def build_natively(
    program: Program,
    directory: Path,
    purpose: NativeBuildPurpose = REPLAYING,
    *,
    seconds: float = BUILD_SECONDS,
    native: Native = "sandboxed",
) -> NativeBuild:
    """Compile ``program`` in ``directory``, each file within ``seconds``, to be executed as ``native`` says.

    What is there from an earlier build is not compiled again where its text and options are the same.

    Raises ResourceError when gcc refuses or takes longer or there is no sandbox, and what ``plan_native_build`` raises.
    """
    sandbox = make_sandbox(native)
    planned = plan_native_build(program, purpose)
    headers = make_directory_of_headers(directory)
    launcher = directory / "launch"
    _compile_all(directory, headers, launcher, (*planned.own, *planned.others), seconds)
    binary = directory / "program"
    parts = [str(directory / source.object) for source in (*planned.own, *planned.others)]
    run_build_tool(["gcc", *planned.link, *parts, "-lm", "-o", str(binary)], directory)
    return NativeBuild(
        directory=directory,
        binary=binary,
        launcher=launcher,
        sandbox=sandbox,
        plan=planned,
        coverage=purpose.coverage,
    )


def _compile_all(
    directory: Path, headers: Path, launcher: Path, sources: Sequence[SourceToBuild], seconds: float
) -> None:
    """Compile the files of a native build, and what starts it, side by side."""
    with ThreadPoolExecutor() as pool:
        try:
            made = pool.submit(compile_launcher, launcher, directory, seconds)
            list(pool.map(partial(compile_object, directory, headers, seconds), sources))
            made.result()
        except NativeBuildRefusalError:
            raise  # after all others are compiled, which another attempt then has
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            end_child_processes(directory)
            raise


def _model(
    library: instrument.InstrumentModelFile, taken: Sequence[str], model: Sequence[str]
) -> SourceToBuild:
    """A file of library models, whose functions stand in for those of the library in each other, too."""
    names = [f"-D{name}=__wrap_{name}" for name in library.taken]
    names += [f"-D{name}=sfo_model_{name}" for name in (*library.other, "errno")]
    return SourceToBuild(
        name=f"{MODEL_PREFIX}{library.path.name}",
        text=library.path.read_bytes(),
        flags=(*FLAGS, *model, *library.flags, *names, "-ffunction-sections"),
        symbols=tuple(taken),
    )


def _copies(
    program: Program,
    variables: Mapping[str, tuple[int, SyntaxSymbol]],
    filled: set[str],
    purpose: NativeBuildPurpose,
) -> list[tuple[str, bytes]]:
    """(path, text to compile) of each file; the keys of variables that are filled go into ``filled``."""
    entry = program.goto.functions[program.start]
    ending = instrument.instrument_entry_call(entry, program.options.arguments, program.goto.structs)
    if program.around is not None:
        ending = f"{program.around.native}{ending}"
    place = program.goto.functions[program.options.entry].location.file
    home = place if place in program.paths else program.paths[0]
    declared = prototypes_for_gcc(program.tree)
    copies: list[tuple[str, bytes]] = []
    for path in program.paths:
        raw = read_regular_file_bytes(path, error=InputError)
        encoding = "utf-8"
        try:
            text = raw.decode("utf-8-sig")  # gcc takes the mark for one at the very beginning only
        except UnicodeDecodeError:
            encoding = "latin-1"
            text = raw.decode(encoding)
        counted = instrument.instrument_counted_scans(program.goto, path)
        parts = [
            instrument.instrument_structure_functions(program.goto, path),
            ending if path == home else "",
        ]
        own = [(number, candidate) for number, candidate in purpose.candidates if candidate.file == path]
        seen: tuple[tuple[int, str], ...] = ()
        if purpose.pairs or own:
            # Edits are held against executions where no unit is seen, too; they are only told less of each other.
            with suppress(*(() if purpose.pairs else (InputError,))):
                seen = instrument.instrument_steps(program, path, text)
        watched = instrument.instrument_assertions(program, path, text, purpose.assertions)
        ended = "\n".join(filter(None, parts))
        functions = function_texts_to_clone(program.tree, path, text) if own else ()
        counted_by_units = {unit.function for unit in program.units} if seen else set[str]()
        uncounted = [
            (one.body + 1, _UNCOUNTED.format(one.called))
            for one in functions
            if one.called in counted_by_units
        ]
        edits = (*instrument.instrument_labels(program.goto, path, text), *seen, *watched, *uncounted)
        made = instrument.instrument(path, text, variables, ended, counted, edits, own, functions)
        here = {key for key, (_, symbol) in variables.items() if symbol.location.file == path}
        filled |= here - made.without
        head = declared + (f"\nextern int {VARIANT}, {HOLE};" if purpose.candidates else "")
        whole = f"{head}\n#line 1\n{made.text}" if head and not path.endswith(".i") else made.text
        copies.append((path, whole.encode(encoding, "surrogateescape")))
    return copies


def native_user_flags(options: PreprocessOptions, path: str) -> list[str]:
    """Preprocessor options of the user, for the user's own compiler; our headers stand behind those of the system."""
    return [
        "-D__SFO__",
        f"-iquote{Path(path).parent}",
        *preprocessor_user_flags(options.of_file(path)),
        *NATIVE_HEADERS,
    ]


def _spared(taken: Sequence[str]) -> tuple[str, ...]:
    """Options of objcopy with which the harness calls the library's own functions.

    The models stand in for functions in the program and in each other, and nowhere else. What counts the coverage
    is linked to the program, too, and calls getenv and the like on its own; so does the harness, for which that
    goes for what it stands in for itself.
    """
    own = [other for name in _WRAPPED[1:] for other in (name, *_OTHER_NAMES.get(name, ()))]
    spared = [f"--redefine-sym={name}=__real_{name}" for name in own]
    return (*spared, *[flag for flag in taken if "=__sfo_" in flag])


def _wraps(names: Sequence[str]) -> list[str]:
    """Linker options by which the harness and the models stand in for functions."""
    flags = [f"-Wl,--wrap={name}" for name in names]
    for name in names:
        for other in _OTHER_NAMES.get(name, ()):
            flags += [f"-Wl,--wrap={other}", f"-Wl,--defsym=__wrap_{other}=__wrap_{name}"]
    return flags


_WORD: Final = re.compile(r"[A-Za-z_]\w*")


def prototypes_for_gcc(program: tree.TranslationUnit) -> str:
    """Prototypes of functions that the program uses undeclared: gcc would take all of them for ``int f()``.

    What a condition is given for may be a pointer, of which the callee would see the lowest byte. Where only
    ``__builtin_strcmp`` is called, gcc knows it, and a header may declare ``strcmp``.
    """
    own = [lines for file, lines in program.files.items() if not is_preprocessed_library_file(file)]
    text = "\n".join(line for lines in own for line in lines)
    words = frozenset(_WORD.findall(text))
    lines: list[str] = []
    for name, ctype in sorted(program.implicit.items()):
        if f"__builtin_{name}" in words and name not in words:
            continue
        parameters = ", ".join([str(each) for each in ctype.parameters] + ["..."] * ctype.variadic)
        if not ctype.prototyped:
            parameters = "_Bool, ..." if name in CONDITION_FUNCTIONS - {"assert"} else ""
        elif not parameters:
            parameters = "void"
        if ctype.prototyped or parameters:
            lines.append(f"{ctype.result} {name}({parameters});")
    return " ".join(lines)
