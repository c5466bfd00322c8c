"""The harness of a program's entry: whether there is one, and what both versions of it need.

int f(struct s *p);   older:  if (!p) return 0;     ->   p may be null in the harness of the newer version, too
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from cfrontend.environment.harness import (
    Harness,
    HarnessSubject,
    find_harness_subject,
    harness_parameter_extents,
    harness_parameters_that_may_meet,
    harness_pointer_use,
    harness_subject_of_entry,
    make_harness,
)
from cfrontend.environment.native_text import SEEING
from cfrontend.environment.pointer_use import PointerUse
from cfrontend.environment.program_options import ProgramOptions
from cfrontend.environment.surroundings import Surroundings
from cfrontend.environment.undefined_functions import (
    GIVEN_OBJECTS,
    UndefinedFunction,
    find_undefined_functions,
    functions_behind_results,
    undefined_function_assumptions,
    undefined_function_code,
)
from cfrontend.errors import Location, UnsupportedError, UsageError
from cfrontend.source.contract import HARNESS_FILE, UNDEFINED_FILE, is_contract_option
from cfrontend.source.parse import ParsedFile, parsed_file_defines
from cfrontend.source.preprocess import PreprocessedFile, PreprocessOptions, preprocess
from cfrontend.syntax.types import FloatType, IntType, StructTypeTable, is_complete_type


class LoadedProgram(Protocol):
    """Another version of the program, which is loaded."""

    @property
    def around(self) -> Harness | None:
        """Its harness, or the functions that are defined around its ``main``."""


def harness_of_program(
    files: Sequence[ParsedFile],
    sources: Sequence[PreprocessedFile],
    options: ProgramOptions,
    alike: LoadedProgram | None,
    *,
    allocated: bool,
    surrounded: bool,
    is_known: Callable[[str], bool],
) -> Harness | None:
    """Make the harness of the entry of ``files``, of which ``sources`` are the texts.

    None where it needs nothing but the values of its scalars, and is not ``surrounded`` as its reference is, or as it
    is for ``alike``. The library ``is_known`` by the names of its functions. Around a ``main`` it defines functions
    that nobody else does.
    """
    subject = harness_subject_of_entry(files, options)
    if subject is None:
        return _around_main(files, sources, options, alike, is_known)
    undefined = _undefined(subject, files, options, is_known)
    own = _own_use(subject, files, options, is_known)
    if alike is not None and alike.around is None and not (undefined or own.declared):
        return None
    if alike is not None and alike.around is not None and alike.around.prepares != subject.prepares:
        called = [", ".join(names) or "nothing" for names in (alike.around.prepares, subject.prepares)]
        raise UsageError(
            f"--construct: before '{options.entry}', {called[0]} is called, and {called[1]} in the reference"
        )
    plain = all(isinstance(p.type, IntType | FloatType) for p in subject.function.parameters)
    use = options.environment.use or own
    nothing = plain and not (subject.clauses or undefined or use.declared) and options.environment.havoc == ()
    if nothing and alike is None and not surrounded:
        return None
    if alike is not None and alike.around is not None:
        meeting, extents = alike.around.meeting, alike.around.extents
        use = alike.around.use.with_other(own)
    else:
        extents = harness_parameter_extents(subject, options.environment)
        meeting = harness_parameters_that_may_meet(subject, extents) if options.reference else ()
    return make_harness(
        subject,
        replace(options.environment, use=use),
        allocated=allocated,
        meeting=meeting,
        extents=extents,
        undefined=undefined,
        variables=own.declared,
        declarations=_text_around(subject, sources) if options.reference or alike is not None else "",
    )


def _around_main(
    files: Sequence[ParsedFile],
    sources: Sequence[PreprocessedFile],
    options: ProgramOptions,
    alike: LoadedProgram | None,
    is_known: Callable[[str], bool],
) -> Harness | None:
    """The definitions of what the file of ``main`` calls and nobody defines; None where there is nothing."""
    if options.entry != "main" or options.undefined != "nondet":
        return None
    subject = find_harness_subject(files, options.entry, (), options.preprocess.model)
    undefined = () if subject is None else _undefined(subject, files, options, is_known)
    if subject is None or not undefined:
        return None
    own = replace(harness_pointer_use(subject, options.environment), declared=frozenset())
    use = options.environment.use or own
    if alike is not None and alike.around is not None:
        use = alike.around.use.with_other(own)
    declarations = _text_around(subject, sources) if options.reference or alike is not None else ""
    return _define_around_main(subject, replace(options.environment, use=use), undefined, declarations)


def _define_around_main(
    subject: HarnessSubject,
    environment: Surroundings,
    undefined: Sequence[UndefinedFunction],
    declarations: str,
) -> Harness:
    """Define the functions that are ``undefined`` behind the file of a ``main``, in which executions begin."""
    behind = functions_behind_results(undefined, environment, subject.file)
    functions = [one.with_outputs(declarations) for one in (*undefined, *behind)]
    stubs = undefined_function_code(functions, environment, subject.file)
    mark = f'#line 1 "{UNDEFINED_FILE}"'
    return Harness(
        text="\n".join([mark, *stubs.lines, f'#line 1 "{HARNESS_FILE}"', GIVEN_OBJECTS, ""]),
        native="\n".join([*SEEING, mark, *stubs.native, GIVEN_OBJECTS, ""]),
        lines=(GIVEN_OBJECTS,),
        quoted={},
        assumptions=tuple(undefined_function_assumptions(functions, stubs)),
        said_by=(("--undefined", "nondet"),),
        undefined=stubs,
        use=environment.use or PointerUse(),
        start=subject.function.name,
    )


def _own_use(
    subject: HarnessSubject,
    files: Sequence[ParsedFile],
    options: ProgramOptions,
    is_known: Callable[[str], bool],
) -> PointerUse:
    """What the version itself does with pointers; its variables that nobody defines are inputs as functions are."""
    use = harness_pointer_use(subject, options.environment)
    alone = options.entry != "main" and options.undefined != "error" and len(files) == 1
    structs, constant = subject.unit.structs, subject.constants.globals
    found = {
        v.symbol.name
        for v in subject.unit.variables
        if v.symbol.name in use.declared
        and v.symbol.storage == "extern"
        and is_complete_type(v.symbol.type, structs)
        and v.symbol.name not in constant
        and not is_known(v.symbol.name)
    }
    return replace(use, declared=frozenset(found if alone else ()))


def _undefined(
    subject: HarnessSubject,
    files: Sequence[ParsedFile],
    options: ProgramOptions,
    is_known: Callable[[str], bool],
) -> Sequence[UndefinedFunction]:
    """The functions that no file defines, where they give inputs."""
    if options.undefined == "error" or (options.entry == "main" and options.undefined == "auto"):
        return ()

    def is_defined(name: str) -> bool:
        return is_known(name) or any(parsed_file_defines(file, name) for file in files)

    return find_undefined_functions(subject.roots, subject.unit, is_defined)


def _text_around(subject: HarnessSubject, sources: Sequence[PreprocessedFile]) -> str:
    """The text of the file that defines the function, with what it includes."""
    place = subject.function.location.file
    return next((source.text for source in sources if place in source.files), "")


def refuse_opaque_objects(harness: Harness, structs: StructTypeTable) -> None:
    """Raise UnsupportedError where another file knows what is in an object that the harness makes without a type."""
    for key, variable in harness.said.opaque.items():
        if key in structs:
            raise UnsupportedError(
                f"a pointer to {key}, which another file defines, as a parameter of an entry function"
                f" ('{variable.name}') is not supported yet: start in a function that makes one and calls it",
                variable.location,
            )


def preprocess_with_harness(path: str, harness: Harness, options: PreprocessOptions) -> PreprocessedFile:
    """Preprocess one C file with the harness behind it.

    Raises UsageError for what is wrong with a clause of the command line, and what ``preprocess`` raises.
    """
    source = preprocess(path, options, harness.text)
    return replace(
        source,
        files={
            **source.files,
            **_option_lines(harness),
            HARNESS_FILE: harness.lines,
            UNDEFINED_FILE: harness.undefined.lines,
        },
        quoted=harness.quoted,
        has_harness=True,
    )


def _option_lines(harness: Harness) -> Mapping[str, tuple[str, ...]]:
    """The lines of the options that are called as files: each clause as it was written, at its columns."""
    found: dict[str, list[str]] = {}
    for (file, line), quotations in sorted(harness.quoted.items()):
        if is_contract_option(Location(file, line)):
            lines = found.setdefault(file, [])
            lines += [""] * (line - len(lines))
            lines[line - 1] = quotations[-1].text
    return {file: tuple(lines) for file, lines in found.items()}
