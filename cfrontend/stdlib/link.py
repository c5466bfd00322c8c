"""Library functions joined to a program: those it calls and does not define, modelled in C.

    strlen(s)  in a program without a strlen of its own   ->   the strlen of library/string.c is elaborated with it

Functions of the library are named by files like ``<library>/string.c``, and have no units under test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Final

from cfrontend.elaborate import elaborate_files
from cfrontend.elaborate.aliases import alias_library_name
from cfrontend.elaborate.builtins import builtin_declaration
from cfrontend.elaborate.incremental import IncrementalElaboration
from cfrontend.goto import GotoProgram, direct_goto_subexpressions, goto_subexpressions
from cfrontend.goto.reading_equivalence import (
    reading_equivalence_may_fail,
    reading_equivalence_may_stop,
)
from cfrontend.lower import lower_evaluations_below
from cfrontend.lower.dialect import ASSUMES, AT_EXIT, BUILT_IN, INPUTS, OUTPUTS, WIDE_OUTPUTS
from cfrontend.lower.intrinsics import formatted, formatted_input
from cfrontend.source.compiled_text import headers_hide_code
from cfrontend.source.parse import ParsedFile
from cfrontend.source.preprocess import (
    PreprocessOptions,
    is_preprocessed_foreign_file,
    is_preprocessed_header_file,
    is_preprocessed_library_file,
)
from cfrontend.stdlib.calling_convention import with_library_calling_convention
from cfrontend.stdlib.models import library_models, read_library_models
from cfrontend.syntax import queries, tree
from cfrontend.syntax.body_facts import BodyFacts, fact_of_body
from cfrontend.syntax.input_domain import InputDomain
from cfrontend.syntax.types import VoidType

KEPT: Final = "SFO_KEPT"
"""The macro with which the models of files keep what is in them."""

ENTERED: Final = "SFO_ENTERED"
"""The macro with which the models of files take descriptors that nobody here has opened: there is an outside."""

_COMPUTED: Final = "()"
"""Suffix of a function of math.h that is called by name: it needs no model, but perhaps the program's own."""


def link_library(
    files: Sequence[ParsedFile],
    options: PreprocessOptions,
    *,
    counts_scans: bool = False,
    counts_each: bool = False,
    reads_text: bool | None = None,
    scans_fail: bool = False,
    domain: InputDomain | None = None,
    incremental: IncrementalElaboration | None = None,
    in_library: Callable[[str], bool] = lambda _: False,
) -> tree.TranslationUnit:
    """Elaborate files into one program, with the library functions that it needs, preprocessed by ``options``.

    ``counts_scans``, ``counts_each``, ``reads_text``, ``scans_fail`` and ``domain`` are as of ``TranslationUnit``; None
    for ``reads_text``: if the program needs it. Bodies that ``incremental`` elaboration knows are taken from there.
    Names that ``in_library`` knows are defined where the program does not do so. Raises what
    ``elaborate_files`` raises.
    """
    files = [_without_header_bodies(file) for file in files]

    def as_asked(program: tree.TranslationUnit) -> tree.TranslationUnit:
        return replace(
            with_library_calling_convention(program, options),
            keeps_files=KEPT in options.defines,
            counts_scans=counts_scans,
            counts_each=counts_each,
            reads_text=linked_scans_what_is_put_back(program, facts) if reads_text is None else reads_text,
            scans_fail=scans_fail,
            domain=domain,
        )

    def models_of(program: tree.TranslationUnit) -> Sequence[ParsedFile]:
        """The library functions that a program needs."""
        program = as_asked(program)
        defined = {name for name, f in program.functions.items() if f.body is not None}
        defined |= {v.symbol.key for v in program.variables if v.symbol.storage == "static"}
        # What is only declared is needed where something names it; calls that become instructions name no model.
        bodies = (name for name, f in program.functions.items() if f.body is not None)
        return read_library_models(
            _functions_called_to_link(program, bodies, facts), frozenset(defined), options
        )

    facts = None if incremental is None else incremental.facts
    program = elaborate_files(files, options.model, models_of, incremental, in_library)
    return _without_unused(as_asked(program), facts)


def linked_scans_what_is_put_back(program: tree.TranslationUnit, facts: BodyFacts | None = None) -> bool:
    """True if ``scanf`` may read a character that ``ungetc`` has put back: numbers are no inputs of their own then."""
    if "ungetc" not in program.functions or INPUTS.isdisjoint(program.functions):
        return False
    needed = _needed_functions(program, facts)
    return "ungetc" in needed and not INPUTS.isdisjoint(needed)


def _without_header_bodies(file: ParsedFile) -> ParsedFile:
    """Remove the inline copies of library functions that a system's headers hold for optimising compilers."""
    known = library_models()
    for n, node in enumerate(file.tree.ext):
        declaration = getattr(node, "decl", None)
        if (
            declaration is not None
            and is_preprocessed_header_file(declaration.coord.file)
            and (name := alias_library_name(declaration.name))
            and (name in known or name in BUILT_IN or name in OUTPUTS)
        ):
            file.tree.ext[n] = declaration
    return file


def _functions_called_to_link(
    program: tree.TranslationUnit, roots: Iterable[str], facts: BodyFacts | None
) -> frozenset[str]:
    """The functions that ``roots`` name, directly and through other functions, the roots included.

    Among them are the names of variables that are declared ``extern`` and not defined.
    """
    seen: set[str] = set()
    stack = list(roots)
    own: dict[str | None, list[str]] = {}
    for variable in program.variables:
        owner = variable.symbol.function
        for item in variable.initializer.items if variable.initializer else ():
            if not isinstance(queries.syntax_below_conversions(item.value), tree.IntConstant):
                own.setdefault(owner, []).extend(_named(item.value, program, wanted=True))
    stack += own.get(None, ())
    while stack:
        name = stack.pop()
        if name in seen:
            continue
        seen.add(name)
        if name.endswith(_COMPUTED):
            computed = program.functions.get(name.removesuffix(_COMPUTED))
            stack += [computed.name] if computed is not None and computed.body is not None else []
            continue
        stack += own.get(name, ())
        function = program.functions.get(name)
        if function is not None and function.body is not None:
            find = partial(_named_below, function.body, program)
            stack += fact_of_body(facts, ("named", _choices(program)), function.body, find)
    return frozenset(seen)


def _choices(program: tree.TranslationUnit) -> tuple[bool, ...]:
    """What decides besides a call which models it needs."""
    values = (getattr(program, one.name) for one in fields(program))
    return (program.asks_for_the_end, *(value for value in values if isinstance(value, bool)))


def _named_below(body: tree.Compound, program: tree.TranslationUnit) -> frozenset[str]:
    """What the expressions of a function body name (see ``_named``)."""
    return frozenset(
        name for e, wanted in lower_evaluations_below(body) for name in _named(e, program, wanted=wanted)
    )


def linked_lacks_headers(
    program: tree.TranslationUnit, paths: Sequence[str], options: PreprocessOptions
) -> bool:
    """True if a program read from ``paths`` names what our headers leave out: a function, or a macro in a condition."""
    return _linked_undeclared(program) or headers_hide_code(paths, options, program.files)


def _linked_undeclared(program: tree.TranslationUnit) -> bool:
    """True if the program's own code calls what nobody declares and the program does not define."""
    model = program.structs.model
    functions = program.functions
    return any(
        name in functions and _is_undefined(functions[name]) and builtin_declaration(name, model) is None
        for name in program.implicit
    )


def _is_undefined(function: tree.Function) -> bool:
    """True for a function without a body of the program's own: what it calls implicitly may be a model's."""
    if is_preprocessed_library_file(function.location.file):
        return True
    return function.body is None and not is_preprocessed_header_file(function.location.file)


def linked_scanf_result_uses(program: tree.TranslationUnit) -> frozenset[bool]:
    """Uses of ``scanf``'s results in the program's own functions: True if some are looked at, False if some are not."""
    found: set[bool] = set()
    for function in program.functions.values():
        if function.body is None or is_preprocessed_foreign_file(function.location.file):
            continue
        for e, wanted in lower_evaluations_below(function.body):
            parts = list(goto_subexpressions(queries.syntax_below_conversions(e)))
            unused = [part.left for part in parts if isinstance(part, tree.Comma)]
            if not wanted:
                unused.append(e)
            nobodys = {id(_yielding(part)) for part in unused}
            found.update(id(part) not in nobodys for part in parts if _is_scan(part))
    return frozenset(found)


def _yielding(e: tree.Expression) -> tree.Expression:
    """The expression whose value is that of ``e``: the last one of several with commas between them."""
    e = queries.syntax_below_conversions(e)
    while isinstance(e, tree.Comma):
        e = queries.syntax_below_conversions(e.right)
    return e


def linked_scanf_skips_text(program: tree.TranslationUnit) -> bool:
    """True if some call of ``scanf`` stores nothing, but takes what its format says."""
    return any(formatted_input.formatted_input_stores_nothing(call) for call in _calls_of_scanf(program))


def linked_assumes(program: tree.TranslationUnit) -> bool:
    """True if the program's own functions assume something: they say which inputs count."""
    return any(
        isinstance(call.callee, tree.FunctionRef) and call.callee.name in ASSUMES
        for call in _own_calls(program)
    )


def linked_parts_in_a_text(
    one: tree.TranslationUnit,
    lowered: GotoProgram,
    other: tree.TranslationUnit,
    other_lowered: GotoProgram,
    domain: InputDomain | None,
) -> bool:
    """Whether two versions may read different kinds of one input text, which is one of ``domain``."""
    is_decimal = domain is not None and domain.text.is_decimal
    if reading_equivalence_may_fail(lowered, other_lowered, is_decimal=is_decimal):
        return True
    if domain is not None and not domain.misfits:
        return False
    return reading_equivalence_may_stop(_scanf_formats(one), _scanf_formats(other))


def _scanf_formats(program: tree.TranslationUnit) -> frozenset[tuple[str, ...] | None]:
    """The formats of all calls of ``scanf``, in parts; None for one that is not known."""
    return frozenset(formatted_input.formatted_input_parts(call) for call in _calls_of_scanf(program))


def _calls_of_scanf(program: tree.TranslationUnit) -> Iterator[tree.Call]:
    return (call for call in _own_calls(program) if _is_scan(call))


def _own_calls(program: tree.TranslationUnit) -> Iterator[tree.Call]:
    """The calls in the program's own functions."""
    for function in program.functions.values():
        if function.body is None or is_preprocessed_foreign_file(function.location.file):
            continue
        for e, _ in lower_evaluations_below(function.body):
            for part in goto_subexpressions(e):
                if isinstance(part, tree.Call):
                    yield part


def _is_scan(e: tree.Expression) -> bool:
    return isinstance(e, tree.Call) and isinstance(e.callee, tree.FunctionRef) and e.callee.name in INPUTS


def _named(top: tree.Expression, program: tree.TranslationUnit, *, wanted: bool) -> list[str]:
    """The functions and the undefined variables that an expression names, and the models behind its calls."""
    names: list[str] = []
    stack = [(top, wanted)]
    while stack:
        e, wanted = stack.pop()
        match e:
            case tree.FunctionRef():
                names += (e.name, AT_EXIT) if e.name == "atexit" else (e.name,)
            case tree.VariableRef() if e.symbol.storage == "extern":
                names.append(e.symbol.key)
            case tree.StatementExpression():
                stack += lower_evaluations_below(e.body)
                stack += [(e.result, wanted)] if e.result is not None else []
            case tree.Cast(type=VoidType()):
                stack.append((e.operand, False))
            case tree.Comma():
                stack += [(e.left, False), (e.right, wanted)]
            case tree.Conditional():
                stack += [(e.condition, True), (e.then, wanted), (e.otherwise, wanted)]
            case tree.Call(callee=tree.FunctionRef(name=name)):
                stack += [(argument, True) for argument in e.arguments]
                if name in library_models() and library_models()[name].path.stem == "math":
                    names.append(name + _COMPUTED)
                elif name in INPUTS:
                    names += [name, *formatted_input.formatted_input_models(e, name, program, wanted=wanted)]
                elif name in OUTPUTS and formatted.is_formatted_output_recorded(
                    e, name, program, wanted=wanted
                ):
                    names += formatted.formatted_output_helpers(e, name, program)
                elif name not in WIDE_OUTPUTS or not formatted.is_wide_formatted_output(
                    e, name, wanted=wanted
                ):
                    stack.append((e.callee, True))
            case _:
                stack += [(part, True) for part in direct_goto_subexpressions(e)]
    return names


def _needed_functions(program: tree.TranslationUnit, facts: BodyFacts | None) -> frozenset[str]:
    """The functions of the program itself, and those that they name, directly and through other functions."""
    own = (n for n, f in program.functions.items() if not is_preprocessed_foreign_file(f.location.file))
    return _functions_called_to_link(program, own, facts)


def _without_unused(program: tree.TranslationUnit, facts: BodyFacts | None) -> tree.TranslationUnit:
    """Remove the functions of the library and of system headers that the program cannot call."""
    needed = _needed_functions(program, facts)
    functions = {
        n: f
        for n, f in program.functions.items()
        if n in needed or not is_preprocessed_foreign_file(f.location.file)
    }
    unused = program.functions.keys() - functions.keys()
    variables = tuple([v for v in program.variables if v.symbol.function not in unused])
    return replace(program, functions=functions, variables=variables)


def linked_scans_counted_differently(*programs: tree.TranslationUnit) -> bool:
    """Whether these versions look at the results of ``scanf`` in some places only.

    What one reads as a number would be for the other whether there is one.
    """
    return len({wanted for program in programs for wanted in linked_scanf_result_uses(program)}) > 1
