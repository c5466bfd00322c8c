"""Harness of one function: C text that makes inputs, assumes preconditions, calls it and asserts postconditions.

    int abs(int n)   @ensures __sfo_result >= 0 -> void __sfo_harness(void)
                                                 {
                                                     int n = __VERIFIER_nondet_int();
                                                     int __sfo_result = abs(n);
                                                     __sfo_ensures(__sfo_result >= 0, "abs", "__sfo_result >= 0");
                                                 }

It stands behind the text of the file, whose types and static functions it can name. What is executed and what people
get to edit are the same lines but for the places of the clauses.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Final, final

from cfrontend.elaborate import elaborate_files, elaborate_function_types
from cfrontend.environment.assumptions import (
    AssumedObjects,
    EnvironmentOption,
    comment_of_options,
    environment_options,
)
from cfrontend.environment.constructors import NOTHING_CONSTRUCTED, Construction, find_constructions
from cfrontend.environment.declarations import environment_input_declaration
from cfrontend.environment.extents import ANY, ParameterExtent, find_parameter_extents
from cfrontend.environment.global_inputs import (
    global_variables_as_inputs,
    native_global_definition,
    pointers_into_global_arrays,
    pointers_of_one_version,
)
from cfrontend.environment.inputs import ASSUME, MARGIN, EnvironmentInputCode, make_environment_inputs
from cfrontend.environment.native_text import (
    SEEING,
    guarded_object_lines,
    places_of_jumps,
    seen_state_lines,
)
from cfrontend.environment.pointer_use import (
    MAKE_OUTSIDE_FILE,
    OUTSIDE_FILE,
    PointerUse,
    find_pointer_use,
)
from cfrontend.environment.program_options import ProgramOptions
from cfrontend.environment.purity import require_purity
from cfrontend.environment.surroundings import SurroundedFile, Surroundings
from cfrontend.environment.undefined_functions import (
    GIVEN_OBJECTS,
    UndefinedFunction,
    UndefinedFunctionCode,
    functions_behind_results,
    undefined_function_assumptions,
    undefined_function_code,
)
from cfrontend.errors import Location, UnsupportedError, UsageError
from cfrontend.lower.dialect import ENSURES, callee_name_in_dialect
from cfrontend.lower.specification import specification_functions
from cfrontend.record import dataclass
from cfrontend.source.contract import (
    HARNESS,
    HARNESS_FILE,
    OLD,
    RESULT,
    UNDEFINED_FILE,
    ContractClause,
    contract_clauses_above,
    contract_clauses_of_options,
    contract_old_values,
    is_contract_in_program,
    is_contract_option,
    place_in_contract_clause,
    raise_contract_clause_error,
)
from cfrontend.source.parse import (
    ParsedFile,
    ParsedFileConstants,
    parsed_file_const_declarations,
    parsed_file_defines,
    parsed_file_restrict_parameters,
)
from cfrontend.source.preprocess import PreprocessedQuotation
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Function, TranslationUnit
from cfrontend.syntax.types import DataModelOfTypes, FunctionType, PointerType, VoidType
from cfrontend.units import Property

START: Final = "__sfo_harness"
"""Name of the harness function, where executions start."""

_MOST_MEETING: Final = 6
"""Maximum number of pairs of parameters that may alias."""

_MARK: Final = f"/* {HARNESS}: no statement of this function is a unit. */"
_PORTABLE: Final = f"""\
#ifndef __SFO__ /* for other tools and compilers */
#include <assert.h>
#define {ENSURES}(condition, function, clause) assert(condition)
#endif
"""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """Harness of a function: ``text`` defines ``START`` and stands behind the file; ``native`` is that for compilers.

    ``lines`` are those of ``HARNESS_FILE``; ``quoted`` are its quotations by the file and the line they are from.
    ``assumptions`` say in words what it takes for granted of the objects that it makes, ``said_by`` are the options
    that say the same. They come from malloc where they are ``allocated``. ``meeting`` are the numbers of the
    parameters that may lead to one object, ``extents`` say how far some of them lead. ``preconditions`` has the
    clauses that are assumed, by the line of ``HARNESS_FILE`` that assumes them. ``undefined`` defines functions
    that nobody else does. ``said`` has all that is assumed of objects, ``use`` is that of pointers. ``kept`` are the
    global variables that begin at their initial values. The functions that it ``prepares`` an object with are called
    first. Executions begin in ``start``: in ``main`` where the text only defines functions.
    """

    text: str
    native: str
    lines: tuple[str, ...]
    quoted: Mapping[tuple[str, int], Sequence[PreprocessedQuotation]]
    assumptions: tuple[str, ...] = ()
    said_by: tuple[EnvironmentOption, ...] = ()
    allocated: bool = False
    meeting: tuple[tuple[int, int], ...] = ()
    extents: tuple[ParameterExtent, ...] = ()
    preconditions: Mapping[int, ContractClause] = field(default_factory=dict)
    undefined: UndefinedFunctionCode = UndefinedFunctionCode()
    said: AssumedObjects = field(default_factory=AssumedObjects)
    use: PointerUse = PointerUse()
    kept: frozenset[str] = frozenset()
    prepares: tuple[str, ...] = ()
    start: str = START


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class HarnessSubject:
    """Function under test, which is executed alone.

    ``unit`` is the file that defines ``function``, ``clauses`` is its contract. ``constants`` are names of what nothing
    but its initialiser writes to, ``restricted`` those of parameters. ``constructions`` are the
    structures that are made by constructors, by key.
    """

    unit: TranslationUnit
    function: Function
    clauses: tuple[ContractClause, ...]
    constants: ParsedFileConstants
    restricted: frozenset[str]
    constructions: Mapping[str, Construction] = NOTHING_CONSTRUCTED

    @property
    def prepares(self) -> tuple[str, ...]:
        """The constructors and mutators that are called before the function."""
        return tuple(dict.fromkeys(name for one in self.constructions.values() for name in one.names))

    @property
    def roots(self) -> tuple[str, ...]:
        """All functions that the harness calls."""
        return (self.function.name, *self.prepares)

    @property
    def file(self) -> SurroundedFile:
        """Names that the C text around the function can use; nothing that is made may have a name of the program."""
        unit = self.unit
        taken = {*unit.functions, *unit.enumerators, *(v.symbol.name for v in unit.variables)}
        names = taken | {p.name for p in self.function.parameters}
        return SurroundedFile(unit.structs, self.constants, frozenset(names))


def find_harness_subject(
    files: Sequence[ParsedFile], name: str, given: Sequence[ContractClause], model: DataModelOfTypes
) -> HarnessSubject | None:
    """Find the function under test ``name`` with its contract: clauses in comments come before those ``given``.

    None where no file defines it, or sfo does not model its declaration.
    """
    home = next((file for file in files if parsed_file_defines(file, name)), None)
    unit = None if home is None else elaborate_files([home], model)
    function = None if unit is None else unit.functions.get(name)
    if home is None or unit is None or function is None:
        return None
    clauses = (*contract_clauses_above(function.location, unit.files), *given)
    for clause in clauses:
        list(contract_old_values(clause))
        if RESULT in clause.text and clause.kind == "requires":
            raise_contract_clause_error(clause, clause.text.index(RESULT), f"{RESULT} has no value at entry")
        if RESULT in clause.text and isinstance(function.type.result, VoidType):
            raise_contract_clause_error(clause, clause.text.index(RESULT), f"'{name}' returns no value")
    return HarnessSubject(
        unit=unit,
        function=function,
        clauses=clauses,
        constants=parsed_file_const_declarations(home),
        restricted=parsed_file_restrict_parameters(home, name),
    )


def harness_subject_of_entry(files: Sequence[ParsedFile], options: ProgramOptions) -> HarnessSubject | None:
    """The entry, if sfo models such a function; of ``main`` only what it has to establish counts."""
    given = contract_clauses_of_options(options.requires, options.ensures)
    if options.entry != "main":
        found = find_harness_subject(files, options.entry, given, options.preprocess.model)
        if found is None or not options.environment.constructs:
            return found
        elsewhere = _functions_of_other_files(files, options)
        return replace(found, constructions=find_constructions(found.unit, found.function, elsewhere))
    wrong = next(("--requires" for clause in given if clause.kind == "requires"), None)
    if wrong is None and options.environment.havoc != ():
        wrong = "--havoc"
    if wrong is None and options.environment.constructs:
        wrong = "--construct"
    if wrong is not None:
        raise UsageError(f"{wrong} is about a function other than main: choose it with --entry")
    if not given:
        return None
    subject = find_harness_subject(files, options.entry, given, options.preprocess.model)
    if subject is not None and subject.function.parameters:
        raise UsageError(
            "--ensures is about a main without parameters, or about another function: choose it with --entry"
        )
    return subject


def _functions_of_other_files(
    files: Sequence[ParsedFile], options: ProgramOptions
) -> dict[str, FunctionType]:
    """The functions that the file of the entry declares and another one defines."""
    home = [file for file in files if parsed_file_defines(file, options.entry)][:1]
    others = [file for file in files if file not in home]
    if not others:
        return {}
    types = elaborate_function_types(home, options.preprocess.model)
    return {
        name: ctype
        for name, ctype in types.items()
        if any(parsed_file_defines(file, name) for file in others)
    }


def harness_pointer_use(subject: HarnessSubject, environment: Surroundings) -> PointerUse:
    """What the function, all that it may call, and the options do with pointers."""
    conditions = [clause.text for clause in subject.clauses]
    said = [
        *conditions,
        *(word for path in environment.sizes for word in re.findall(r"(?:->|\.)(\w+)", path)),
    ]
    unit, function = subject.unit, subject.function
    use = find_pointer_use(subject.roots, unit.functions, said, unit.structs)
    return replace(use, inside=frozenset(pointers_into_global_arrays(unit, function.location.file)))


def harness_parameter_extents(
    subject: HarnessSubject, environment: Surroundings
) -> tuple[ParameterExtent, ...]:
    """How far the pointers lead that the function is given. Raises UsageError for options that do not fit.

    Where a condition names certain elements of one (``a[3]``, ``*a``), there are these elements, whatever a length is.
    """
    said = " ".join([clause.text for clause in subject.clauses])
    fixed = {
        parameter.name: ANY
        for parameter in subject.function.parameters
        if re.search(rf"\b{re.escape(parameter.name)}\s*\[\s*\d|\*\s*{re.escape(parameter.name)}\b", said)
    }
    given = {**fixed, **environment.extents}
    return find_parameter_extents(subject.function, given, recognised=environment.finds_extents)


def harness_parameters_that_may_meet(
    subject: HarnessSubject, extents: Sequence[ParameterExtent] = ()
) -> tuple[tuple[int, int], ...]:
    """The pairs of parameters that may lead to one object: it has as many elements for both."""
    size = {
        extent.pointer: (extent.factors, extent.ends_in_zero, extent.is_room)
        for extent in extents
        if extent.end is None
    }
    ends = {n for extent in extents if extent.end is not None for n in (extent.pointer, extent.end)}
    free = [
        (n, parameter.type)
        for n, parameter in enumerate(subject.function.parameters)
        if isinstance(parameter.type, PointerType) and parameter.name not in subject.restricted
    ]
    pairs = ((one, two) for (one, left), (two, right) in itertools.combinations(free, 2) if left == right)
    return tuple(
        (one, two)
        for one, two in itertools.islice(pairs, _MOST_MEETING)
        if size.get(one) == size.get(two) and not {one, two} & ends
    )


def make_harness(
    subject: HarnessSubject,
    environment: Surroundings,
    *,
    allocated: bool = False,
    meeting: tuple[tuple[int, int], ...] = (),
    extents: tuple[ParameterExtent, ...] = (),
    undefined: Sequence[UndefinedFunction] = (),
    variables: Collection[str] = (),
    declarations: str = "",
) -> Harness:
    """Make the harness that stands behind the file of ``subject``.

    Objects are ``allocated`` where the function may free them, too; parameters ``meeting`` may lead to one; functions
    that are ``undefined`` give inputs. They write only where ``declarations`` say that they may, texts of C.
    Compilers get a definition of each of the ``variables`` that nobody defines, inputs of both versions or not.
    Raises UnsupportedError for a parameter that nothing can be made for, UsageError for options that do not fit.
    """
    declared = sorted(environment.use.declared) if environment.use is not None else []
    types = {v.symbol.name: v.symbol.type for v in subject.unit.variables}
    pointers = pointers_of_one_version(types, environment, {*variables} - {*declared})
    frees = allocated or _frees(subject, undefined)
    made, allocated = _made(subject, environment, pointers, allocated=frees, meeting=meeting, extents=extents)
    lines = _Lines(marked=True)
    lines.add(*_declarations(made, subject, allocated=allocated), _MARK)
    _write_body(lines, subject, made, START)
    behind = functions_behind_results(undefined, environment, subject.file)
    functions = [one.with_outputs(declarations) for one in (*undefined, *_callbacks(made), *behind)]
    stubs = undefined_function_code(functions, environment, subject.file)
    mark = [f'#line 1 "{UNDEFINED_FILE}"'] if stubs.lines else []
    own = [f'#line 1 "{HARNESS_FILE}"', *lines.lines, *([GIVEN_OBJECTS] if stubs.lines else []), ""]
    guarded = guarded_object_lines(own, _MARK, made.held, subject.unit.structs)
    taken = [f"{name} without a definition: an input" for name in (*declared, *pointers)]
    taken += undefined_function_assumptions(functions, stubs)
    defined = [native_global_definition(name, types[name]) for name in sorted({*declared, *variables})]
    return Harness(
        text="\n".join([*mark, *stubs.lines, *own]),
        native="\n".join([*SEEING, *defined, *mark, *stubs.native, *guarded, *_seen(subject, made), ""]),
        lines=tuple(lines.lines),
        quoted=lines.quoted,
        allocated=allocated,
        meeting=meeting,
        extents=extents,
        assumptions=(*made.assumptions, *taken),
        said_by=environment_options(
            subject.function, subject.clauses, environment, made.said, extents, stands_in=bool(taken)
        ),
        preconditions=lines.assumed,
        undefined=stubs,
        said=made.said,
        use=environment.use or PointerUse(),
        kept=_kept(subject, environment),
        prepares=subject.prepares,
    )


def _seen(subject: HarnessSubject, made: EnvironmentInputCode) -> Iterator[str]:
    """The function that shows the fuzzer what a caller sees when the function has returned."""
    held = {s.name: s.type for s in global_variables_as_inputs(subject.unit, None, subject.constants.globals)}
    if not isinstance(subject.function.type.result, VoidType):
        held[RESULT] = subject.function.type.result
    jumps = places_of_jumps(subject.unit.functions.values())
    seen = {name: ctype for name, ctype in held.items() if name not in jumps}
    return seen_state_lines({**seen, **made.held}, subject.unit.structs)


def _kept(subject: HarnessSubject, environment: Surroundings) -> frozenset[str]:
    """The global variables that could begin as inputs and do not."""
    if environment.havoc is None:
        return frozenset()
    written = global_variables_as_inputs(subject.unit, None, subject.constants.globals)
    declared = environment.use.declared if environment.use is not None else ()
    return frozenset(symbol.name for symbol in written) - {*environment.havoc, *declared}


def _callbacks(made: EnvironmentInputCode) -> Iterator[UndefinedFunction]:
    """The functions that pointers lead to."""
    for name, one in made.callbacks.items():
        yield UndefinedFunction(name, one.type, is_declared=False, called=one.called)


def harness_text(subject: HarnessSubject, environment: Surroundings, file: str, name: str) -> str:
    """A C file with the harness of ``subject`` for people to edit, called ``name``; it includes ``file``."""
    extents = harness_parameter_extents(subject, environment)
    environment = replace(environment, use=environment.use or harness_pointer_use(subject, environment))
    made, allocated = _made(subject, environment, allocated=_frees(subject, ()), extents=extents)
    function = subject.function
    entry = f" --entry {name}" if name != "main" else ""
    lines = _Lines(marked=False)
    stubs = undefined_function_code(list(_callbacks(made)), environment, subject.file)
    lines.add(
        f"/* A harness for {function.name} of {file}. Analyse this file alone, which includes the other: sfo localize FILE{entry} */",
        *comment_of_options(
            environment_options(subject.function, subject.clauses, environment, made.said, extents)
        ),
        f'#include "{file}"',
        "",
        *_PORTABLE.splitlines(),
        *stubs.plain,
        *_declarations(made, subject, allocated=allocated),
        "",
        _MARK,
    )
    _write_body(lines, subject, made, name)
    return "\n".join([*lines.lines, ""])


def _made(
    subject: HarnessSubject,
    environment: Surroundings,
    pointers: Sequence[str] = (),
    *,
    allocated: bool,
    meeting: tuple[tuple[int, int], ...] = (),
    extents: tuple[ParameterExtent, ...] = (),
) -> tuple[EnvironmentInputCode, bool]:
    """The code that makes inputs, ``pointers`` to functions among them, and whether its objects are allocated.

    They are where a function that is given may free them.
    """
    program, function = subject.unit, subject.function
    if function.type.variadic:
        raise UnsupportedError(
            f"an entry function with variable arguments ('{function.name}') is not supported yet: start in a function that"
            " calls it",
            function.location,
        )
    declared = [*sorted(environment.use.declared if environment.use is not None else ()), *pointers]
    wanted = None if environment.havoc is None else tuple(dict.fromkeys((*environment.havoc, *declared)))
    havocked = tuple(global_variables_as_inputs(program, wanted, subject.constants.globals, declared))

    def made(*, allocated: bool) -> EnvironmentInputCode:
        return make_environment_inputs(
            function,
            havocked,
            environment,
            subject.file,
            allocated=allocated,
            meeting=meeting,
            extents=extents,
            constructions=subject.constructions,
        )

    code = made(allocated=allocated)
    if allocated or not any(one.frees for one in _callbacks(code)):
        return code, allocated
    return made(allocated=True), True


def _frees(subject: HarnessSubject, undefined: Iterable[UndefinedFunction]) -> bool:
    """Whether the function may free the memory it is given, also by functions that are ``undefined``."""
    if any(one.frees for one in undefined):
        return True
    functions = subject.unit.functions
    return bool(specification_functions(subject.roots, functions) & {"free", "realloc", "reallocarray"})


def _ends_the_program(subject: HarnessSubject) -> bool:
    """Whether functions registered with ``atexit`` are called after the function, as behind ``main``."""
    known = subject.unit.functions.get("exit")
    return subject.function.name == "main" and (known is None or known.body is None)


# -- lines -------------------------------------------------------------------------------------------------------


def _declarations(made: EnvironmentInputCode, subject: HarnessSubject, *, allocated: bool) -> Iterator[str]:
    """Declarations of what the harness calls and the program does not declare, and of the objects that it makes."""
    known = subject.unit.functions
    yield f"void {ASSUME}(int condition);" if ASSUME not in known else ""
    yield "#ifdef __SFO__"
    yield f"void {ENSURES}(_Bool condition, const char *function, const char *clause);"
    yield "#endif"
    for name, ctype in sorted(made.nondet.items()):
        if name not in known:
            yield f"{ctype} {name}(void);"
    if _ends_the_program(subject) and "exit" not in known:
        yield "_Noreturn void exit(int status);"
    if (allocated or made.measures) and "calloc" not in known:
        yield "void *calloc(__typeof__(sizeof 0), __typeof__(sizeof 0));"
    files = (f"{MAKE_OUTSIDE_FILE}(void)" if each == OUTSIDE_FILE else each for each in made.said.streams)
    yield from (f"extern struct _IO_FILE *{file};" for file in files)
    yield from (f"static {each}" for each in made.objects)
    if not isinstance(subject.function.type.result, VoidType):
        yield f"static {environment_input_declaration(subject.function.type.result, RESULT)};"


def _write_body(lines: _Lines, subject: HarnessSubject, made: EnvironmentInputCode, name: str) -> None:
    """The definition of the harness."""
    function, clauses = subject.function, subject.clauses
    lines.add(f"{'int' if name == 'main' else 'void'} {name}(void)", "{")
    callee = function.name
    if any(parameter.name == callee for parameter in function.parameters):
        callee = f"{callee}_itself"  # The parameter hides the function.
        lines.add(f"{MARGIN}__typeof__({function.name}) *{callee} = {function.name};")
    lines.add(*(f"{MARGIN}{each}" for each in made.statements))
    for clause in clauses:
        if clause.kind == "requires":
            lines.assumed[len(lines.lines) + 1] = clause
            lines.add_quoting(f"{ASSUME}(", _Quoted(clause, 0, clause.text, "!!("), "));")
    ensured: list[tuple[ContractClause, str]] = []
    count = 0
    for clause in clauses:
        if clause.kind != "ensures":
            continue
        text = clause.text
        for start, inner, end in contract_old_values(clause):
            count += 1
            value = _Quoted(clause, inner, clause.text[inner : end - 1], "(")
            lines.add_quoting("__typeof__(", value, f")) {OLD}{count} = ", value, ");")
            named = f"{OLD}{count}"
            rest = re.sub(r"[^\n]", " ", clause.text[start + len(named) : end])
            text = f"{text[:start]}{named}{rest}{text[end:]}"
        ensured.append((clause, text))
    called = f"{callee}({', '.join(p.name for p in function.parameters)});"
    if not isinstance(function.type.result, VoidType):
        called = f"{RESULT} = {called}"
    lines.add(f"{MARGIN}{called}")
    for clause, text in ensured:
        said = clause.line.replace("\\", "\\\\").replace('"', '\\"')
        lines.add_quoting(f"{ENSURES}(", _Quoted(clause, 0, text, "!!("), f'), "{function.name}", "{said}");')
    if _ends_the_program(subject):
        lines.add(f"{MARGIN}exit({'0' if isinstance(function.type.result, VoidType) else RESULT});")
    lines.add("}")


@final
@dataclass(frozen=True, slots=True)
class _Quoted:
    """Quotation of a clause's text from ``offset`` on, with the tokens that are put before it."""

    clause: ContractClause
    offset: int
    words: str
    before: str


@final
class _Lines:
    """Lines of a generated file; where they are ``marked``, line directives give a clause's own place."""

    def __init__(self, *, marked: bool) -> None:
        self.lines: list[str] = []
        self.quoted: dict[tuple[str, int], list[PreprocessedQuotation]] = {}
        self.assumed: dict[int, ContractClause] = {}
        self._marked = marked

    def add(self, *lines: str) -> None:
        """Append lines as they are."""
        self.lines += [*lines]

    def add_quoting(self, *parts: str | _Quoted) -> None:
        """Append a statement that begins and ends with generated words, with a word behind each quotation."""
        if not self._marked:
            flat = [
                part if isinstance(part, str) else part.before + " ".join(part.words.split())
                for part in parts
            ]
            self.lines.append(MARGIN + "".join(flat))
            return
        self.lines.append(MARGIN + str(parts[0]))
        for quoted, after in zip(parts[1::2], parts[2::2], strict=True):
            assert isinstance(quoted, _Quoted)
            self._quote(quoted, str(after))
        self.lines.append(f'#line {len(self.lines) + 2} "{HARNESS_FILE}"')

    def _quote(self, quoted: _Quoted, after: str) -> None:
        place = place_in_contract_clause(quoted.clause, quoted.offset)
        self.lines.append(f'#line {place.line} "{_escaped(place.file)}"')
        first, *rest = quoted.words.split("\n")
        texts = [" " * ((place.column or 1) - 1) + first, *rest]
        texts[-1] += after
        for n, text in enumerate(texts):
            before = quoted.before if n == 0 else ""
            line = PreprocessedQuotation(text, len(before))
            self.lines.append(before + text)
            self.quoted.setdefault((place.file, place.line + n), []).append(line)


def _escaped(file: str) -> str:
    return file.replace("\\", "\\\\").replace('"', '\\"')


# -- what has been read ------------------------------------------------------------------------------------------


def refuse_impure_harness_clauses(program: TranslationUnit) -> None:
    """Raise UsageError or InputError where a clause of the harness in ``program`` does anything but compute."""
    begin = program.functions.get(START)
    body = None if begin is None else begin.body
    for statement in body.items if body is not None else ():
        match statement:
            case tree.ExpressionStatement(expression=tree.Call() as call) if callee_name_in_dialect(call) in {
                ASSUME,
                ENSURES,
            }:
                require_purity(call.arguments[0], program)
            case tree.Declaration(symbol=symbol, initializer=tree.Initializer(items=items)) if (
                symbol.name.startswith(OLD)
            ):
                for item in items:
                    require_purity(item.value, program)
            case _:
                pass


def harness_property_placed(item: Property, function: Location) -> Property:
    """A property of the harness placed at the function under test, so that every report can show its place."""
    if is_contract_in_program(item.location):
        return item
    is_clause = is_contract_option(item.location) and item.kind != "ensures"
    said = f"{item.description} ({item.location})" if is_clause else item.description
    return replace(item, location=function, description=said)
