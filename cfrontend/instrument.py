"""Instrumentation for native executions of a program on given inputs: added code, and stand-ins for the library.

    int a, b[2];       ->   int a = ({ ... sfo_fill(&sfo_v, sizeof sfo_v, 16); sfo_v; }), b[2]; sfo_fill(...);

The program's own text is copied, never printed anew, so that a native execution is one of what the programmer wrote.
Lines keep their numbers. The functions whose names begin with ``sfo_`` are those of the harness that is linked
to it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import Final, final

from cfrontend import goto
from cfrontend.edit.candidate import Candidate
from cfrontend.edit.function_clones import FunctionText, function_clone_choices, function_clones
from cfrontend.edit.schemata import schemata_text_with_variants
from cfrontend.edit.text import SourceText, text_with_insertions
from cfrontend.environment.arguments import NAME, EnvironmentArguments, environment_argument_sites
from cfrontend.environment.pointer_use import MAKE_OUTSIDE_FILE
from cfrontend.errors import InputError, Location
from cfrontend.goto import GotoFunction, GotoProgram, goto_program_single_conditions
from cfrontend.lower.dialect import ASSUMES, REACH
from cfrontend.lower.function_pointers_to_library import STAND_INS
from cfrontend.lower.intrinsics.formatted_input import STORED, STORED_IN, TEXT_SCANNERS
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.source.contract import UNDEFINED_FILE
from cfrontend.source.preprocess import HEADERS, LIBRARY
from cfrontend.stdlib.link import ENTERED, KEPT
from cfrontend.stdlib.models import library_models
from cfrontend.symex.layout import Layouts
from cfrontend.syntax import tree
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    StructTypeTable,
    VoidType,
)
from cfrontend.units import Unit

FIRST_VARIABLE: Final = 16
"""Smallest number of a variable; numbers below are those of the functions that allocate memory (``MAKERS``)."""

MAKERS: Final = ("malloc", "realloc", "reallocarray", "aligned_alloc", "klee_make_symbolic")
"""Functions whose memory the harness fills; each has its index here as its number."""

STEPS: Final = "void sfo_at(unsigned); int sfo_test(unsigned, int);"
"""Prototypes of the harness's functions that count steps, see ``with_steps``."""

_SPACE: Final = r"(?:\s|//[^\n]*|/\*.*?\*/)"
_SKIPPED: Final = re.compile(rf"{_SPACE}+|\d[\w.]*'\w[\w.']*|([\"'])(?:\\.|(?!\1)[^\\])*\1", re.DOTALL)
_RETURN: Final = re.compile(r"return\b")
_SCANF: Final = re.compile(r"f?scanf\b")
_SCANF_CALL: Final = re.compile(r"\bf?scanf\b")
_COUNTED: Final = "sfo_counted_"
"""Prefix of the harness's functions that stand in for ``scanf``."""

_SEEN: Final = "(sfo_at("
"""Begin of what is put before a unit that is no return and no initialiser."""

_DECLARED: Final = "void sfo_fill(void *, unsigned long, int); void sfo_reached(void);"
_DECLARED_NEXT: Final = "unsigned long long sfo_next(int, int, void *);"


# -- the text of the program -------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InstrumentedText:
    """Instrumented text to compile in place of a file; ``without`` are keys of variables that could not be filled."""

    text: str
    without: frozenset[str]


def variables_to_instrument(program: GotoProgram) -> dict[str, tuple[int, SyntaxSymbol]]:
    """Variables that begin uninitialised: number and symbol of each by its key."""
    found: dict[str, tuple[int, SyntaxSymbol]] = {}
    for function in program.functions.values():
        for i in function.instructions:
            if (
                isinstance(i, goto.DeclareInstruction)
                and not i.zero
                and not i.initialised
                and i.symbol.key not in found
            ):
                found[i.symbol.key] = (FIRST_VARIABLE + len(found), i.symbol)
    return found


def instrument(
    file: str,
    text: str,
    variables: Mapping[str, tuple[int, SyntaxSymbol]],
    ending: str = "",
    counted: Sequence[Location] = (),
    others: Sequence[tuple[int, str]] = (),
    candidates: Sequence[tuple[int, Candidate]] = (),
    functions: Sequence[FunctionText] = (),
) -> InstrumentedText:
    """The ``text`` of ``file`` with its uninitialised variables filled by the harness, and ``ending`` after it.

    The calls of ``scanf`` at ``counted`` become calls of ``sfo_counted_scanf``. ``others`` are those of
    ``instrument_labels`` and ``instrument_steps``. The numbered ``candidates``, edits of ``text``, make it a
    meta-program; those that are no expressions are in clones of ``functions``.
    """
    edits: list[tuple[int, str]] = list(others)
    without: set[str] = set()
    starts = _line_starts(text)
    for key, (number, symbol) in variables.items():
        if symbol.location.file != file:
            continue
        edit = _filled(text, starts, number, symbol)
        if edit is None:
            without.add(key)
        else:
            edits.append(edit)
    for where in counted:
        if where.column is not None and where.line < len(starts):
            place = starts[where.line - 1] + where.column - 1
            edits += [(place, _COUNTED)] if _SCANF.match(text, place) else []
    edits.sort()
    name = file.replace("\\", "\\\\").replace('"', '\\"')
    body = text_with_insertions(text, edits)
    if candidates:
        cloned = [one for one in candidates if not one[1].is_expression]
        insertions = _Insertions(edits)
        moved = {number: insertions.moved(candidate) for number, candidate in cloned}
        clones = function_clones(text, name, functions, cloned, edits, moved)
        edits = sorted([*function_clone_choices(functions, cloned), *edits], key=itemgetter(0))
        insertions = _Insertions(edits)
        numbered = [(number, insertions.moved(one)) for number, one in candidates if one.is_expression]
        body = schemata_text_with_variants(text_with_insertions(text, edits), numbered) + clones
    tail = f'\n# 1 "{LIBRARY}"\n{ending}\n' if ending else ""
    declared = f"{_DECLARED} {STEPS}" if others else _DECLARED
    return InstrumentedText(text=f'{declared}\n# 1 "{name}"\n{body}{tail}', without=frozenset(without))


@final
class _Insertions:
    """Insertions in a text, in the order of their places, with the sums of their lengths."""

    def __init__(self, edits: Sequence[tuple[int, str]]) -> None:
        self._edits = edits
        self._places = [place for place, _ in edits]
        self._lengths = [0, *accumulate(len(one) for _, one in edits)]
        self._counts = any(one == _COUNTED for _, one in edits)

    def moved(self, candidate: Candidate) -> Candidate:
        """A candidate in the text with these insertions in it: what is put before its place stays before it.

        A statement that is put before another one stands before what sees that one begin, and one that takes its place
        replaces that, too. Where calls are renamed in the text they are in the candidate.
        """
        start = candidate.start
        behind: tuple[str, ...] = (_COUNTED,)
        if candidate.form in ("before", "statement"):
            behind = (*behind, _SEEN)
        first, last = bisect_left(self._places, start), bisect_right(self._places, start)
        before = self._lengths[first] + sum(
            len(one) for _, one in self._edits[first:last] if not one.startswith(behind)
        )
        whole = self._lengths[bisect_left(self._places, candidate.end)]
        inside = max(0, whole - before)
        if self._counts:
            candidate = replace(candidate, text=_SCANF_CALL.sub(rf"{_COUNTED}\g<0>", candidate.text))
        end, parts = candidate.end + before + inside, tuple(map(self.moved, candidate.parts))
        return replace(candidate, start=start + before, end=end, parts=parts)


def instrument_steps(program: Program, file: str, text: str) -> tuple[tuple[int, str], ...]:
    """Edits of the ``text`` of ``file`` by which the harness sees each unit begin and each condition come out.

    x = f(y);  ->  (sfo_at(3), x = f(y));      if (x > 0)  ->  if ((sfo_at(4), sfo_test(4, !!(x > 0))))

    An initialiser in braces, or of an array, is seen behind it, by a pointer that is declared there. A condition
    that several branches test has no outcome. Raises InputError for a unit out of a macro.
    """
    source = SourceText(text)
    tested = {
        unit
        for function in program.goto.functions.values()
        for unit in goto_program_single_conditions(function)
    }
    edits: list[tuple[int, str]] = []
    for unit in program.units:
        if unit.location.file != file:
            continue
        span = source.span(unit.location)
        if span is None:
            raise InputError("the steps of a unit out of a macro cannot be counted natively", unit.location)
        edits += _step(text, span, unit, outcome=unit.kind == "condition" and unit.id in tested)
    return tuple(edits)


def instrument_assertions(
    program: Program, file: str, text: str, numbers: Mapping[str, int]
) -> tuple[tuple[int, str], ...]:
    """Edits of the ``text`` of ``file`` by which the harness sees some assertions, each by its number.

    assert(x > 0);  ->  (sfo_at(70), assert(x > 0));
    """
    source = SourceText(text)
    edits: list[tuple[int, str]] = []
    for item in program.properties:
        span = source.span(item.location) if item.id in numbers and item.location.file == file else None
        if span is not None:
            edits += [(span[0], f"(sfo_at({numbers[item.id]}), "), (span[1], ")")]
    return tuple(edits)


def instrument_labels(program: GotoProgram, file: str, text: str) -> tuple[tuple[int, str], ...]:
    """Edits of the ``text`` of ``file`` by which an execution fails where it reaches what it must not.

    ERROR: return 1;   ->   ERROR: sfo_reached(); return 1;

    So it does where a function returns that is declared not to: ``for (sfo_reached();;) return;``.
    """
    label = re.compile(rf"{program.failing_label or '(?!)'}{_SPACE}*:", re.DOTALL)
    starts = _line_starts(text)
    edits: list[tuple[int, str]] = []
    for item in program.properties:
        at = item.location
        if item.kind != "reach" or at.file != file or at.column is None or at.line >= len(starts):
            continue
        start = starts[at.line - 1] + at.column - 1
        found = label.match(text, start)
        edits += [(found.end(), " sfo_reached();")] if found is not None else []
        edits += [(start, "sfo_reached();")] if text.startswith("}", start) else []
        edits += [(start, "for (sfo_reached();;) ")] if _RETURN.match(text, start) else []
    return tuple(edits)


def _line_starts(text: str) -> list[int]:
    """Offsets of the line starts, and of the end of the text."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _step(text: str, span: tuple[int, int], unit: Unit, *, outcome: bool) -> Iterator[tuple[int, str]]:
    start, end = span
    here = f"sfo_at({unit.id})"
    if unit.kind == "return":
        yield start + len("return"), f" {here},"
        return
    if unit.kind == "initialiser":
        equals = _declarator_end(text, start, "=")
        assert equals is not None
        start = equals + 1
        while (skipped := re.compile(f"{_SPACE}+", re.DOTALL).match(text, start)) is not None:
            start = skipped.end()
        if re.match(r"\{|(?:u8|[uUL])?\"", text[start:]):
            yield end, f", *sfo_at_{unit.id} = ({here}, (void *)0)"
            return
    yield start, f"({here}, sfo_test({unit.id}, !!(" if outcome else f"({here}, "
    yield end, ")))" if outcome else ")"


def instrument_counted_scans(program: GotoProgram, file: str) -> tuple[Location, ...]:
    """Calls of ``scanf`` whose result the program looks at, which is an input then."""
    found = (
        i.location
        for function in program.functions.values()
        for i in function.instructions
        if isinstance(i, goto.CallInstruction)
        and isinstance(i.callee, tree.FunctionRef)
        and i.callee.name in {STORED, STORED_IN}
        and i.location.file == file
    )
    # A call that asks for each conversion by itself does so more than once.
    return tuple(dict.fromkeys(found))


def _filled(text: str, starts: Sequence[int], number: int, symbol: SyntaxSymbol) -> tuple[int, str] | None:
    """Edits that fill ``symbol``; None where its declaration is not plain text."""
    line, column = symbol.location.line, symbol.location.column
    if column is None or line >= len(starts):
        return None
    start = starts[line - 1] + column - 1
    if not re.match(rf"{re.escape(symbol.name)}\b", text[start:]):
        return None
    end = _declarator_end(text, start + len(symbol.name), ",;")
    if end is None:
        return None
    if not isinstance(symbol.type, ArrayType):
        name = symbol.name
        value = f"({{ __typeof__({name}) sfo_v; sfo_fill((void *)&sfo_v, sizeof sfo_v, {number}); sfo_v; }})"
        return end, f" = {value}"
    end = _declarator_end(text, end, ";")
    if end is None:
        return None
    return end + 1, f" sfo_fill((void *){symbol.name}, sizeof {symbol.name}, {number});"


def _declarator_end(text: str, start: int, stops: str) -> int | None:
    """The offset of the first of the characters ``stops`` outside brackets opened after ``start``; None at other ends.

    Those around ``start`` may end before, and others follow: ``(*f)(int, int)``.
    """
    depth = 0
    position = start
    while position < len(text):
        skipped = _SKIPPED.match(text, position)
        if skipped:
            position = skipped.end()
            continue
        character = text[position]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth = max(depth - 1, 0)
        elif depth == 0 and character in stops:
            return position
        elif (depth == 0 and character == "=" and stops == ",;") or character == "#":
            return None
        position += 1
    return None


def instrument_entry_call(
    function: GotoFunction, arguments: EnvironmentArguments, structs: StructTypeTable
) -> str:
    """The function ``sfo_entry`` that calls the entry function, ``main`` with its command line.

    A structure is read scalar by scalar.

    Raises InputError for a parameter that cannot be given natively.
    """
    if function.name == "main":
        return _main_call(function, arguments)
    reads: list[str] = []
    layouts = Layouts(structs)
    for n, parameter in enumerate(function.parameters):
        cells = [(cell.offset, cell.type) for cell in layouts.of(parameter.type).scalars()]
        named = re.fullmatch(r"[\w ]+", str(parameter.type))
        if not named or not all(ctype is not None and _is_native(ctype) for _, ctype in cells):
            raise InputError(f"an input of type {parameter.type} has no native value", parameter.location)
        reads.append(f"{parameter.type} sfo_{n};")
        reads += [
            _read(ctype, f"*({ctype} *)((char *)&sfo_{n} + {offset})", "0")
            for offset, ctype in cells
            if ctype is not None
        ]
    call = f"(void){function.name}({', '.join(f'sfo_{n}' for n in range(len(function.parameters)))});"
    declared = f"{_DECLARED_NEXT} void sfo_next_real(int, void *, void *);"
    return f"{declared} void sfo_entry(void) {{ {' '.join(reads)} {call} }}"


def _main_call(function: GotoFunction, arguments: EnvironmentArguments) -> str:
    """The function ``sfo_entry`` for ``main``, with arguments that live until the end.

    Each is as long as its string, so that a sanitizer sees what is read beyond.
    """
    count = arguments.count
    characters = ", ".join(map(str, NAME))
    lines = [
        _DECLARED_NEXT,
        "int sfo_status; void sfo_returned(void); void sfo_entry(void) {",
        f"static char sfo_name[] = {{ {characters} }}; static char *sfo_argv[{count + 1}];",
        "static char *sfo_envp[1]; (void)sfo_envp;",
        f"char sfo_word[{arguments.length + 1}]; int sfo_k; (void)sfo_name; (void)sfo_word; (void)sfo_k;",
        *(["sfo_argv[0] = sfo_name;"] if count else []),
    ]
    for n, sites in enumerate(environment_argument_sites(function, arguments), start=1):
        lines += [
            "sfo_k = 0; do sfo_word[sfo_k] = 0;",
            f"while (sfo_k < {len(sites)} && (sfo_word[sfo_k] = (char)sfo_next(8, 1, 0)) && ++sfo_k);",
            f"sfo_argv[{n}] = __builtin_alloca(sfo_k + 1);",
            f"do sfo_argv[{n}][sfo_k] = sfo_word[sfo_k]; while (sfo_k-- > 0);",
        ]
    given = [str(count), "sfo_argv", "sfo_envp"][: len(function.parameters)]
    status = "(void)" if isinstance(function.result, VoidType) else "sfo_status = (int)"
    return " ".join([*lines, f"{status}main({', '.join(given)}); sfo_returned(); }}"])


def _is_native(ctype: CType) -> bool:
    """Whether the harness has inputs of a type."""
    return isinstance(ctype, FloatType) or (isinstance(ctype, IntType) and ctype.width <= 64)


def _read(ctype: CType, variable: str, caller: str) -> str:
    """The statement that reads the next input into ``variable``."""
    if isinstance(ctype, FloatType):
        return f"sfo_next_real({ctype.width}, &{variable}, {caller});"
    assert isinstance(ctype, IntType)
    return f"{variable} = ({ctype})sfo_next({ctype.width}, {int(ctype.signed)}, {caller});"


# -- functions of the dialects -----------------------------------------------------------------------------------


def instrument_nondet_functions(program: GotoProgram) -> str:
    """Weak definitions of the functions that the program asks for inputs.

    Raises InputError for one that returns what cannot be given natively.
    """
    found: dict[str, str] = {}
    for function in program.functions.values():
        for i in function.instructions:
            if not isinstance(i, goto.InputInstruction) or not i.site.function:
                continue
            name, ctype = i.site.function, i.target.type
            if not _is_native(ctype):
                raise InputError(f"an input of type {ctype} has no native value", i.location)
            read = _read(ctype, "value", "__builtin_return_address(0)")
            found[name] = (
                f"__attribute__((weak)) {ctype} {name}(void) {{ {ctype} value; {read} return value; }}"
            )
    return "".join(f"{found[name]}\n" for name in sorted(found))


def instrument_structure_functions(program: GotoProgram, file: str) -> str:
    """Weak definitions of the functions that return structures as inputs and are first called in ``file``.

    They stand behind the text of the file, which declares the functions and knows the types.
    """
    files: dict[str, str] = {}
    for function in program.functions.values():
        for i in function.instructions:
            if isinstance(i, goto.SymbolicInstruction) and i.function is not None:
                files.setdefault(i.function, i.location.file)
    made = "klee_make_symbolic((void *)&value, sizeof value, (const char *)0); return value;"
    lines = [
        f"__attribute__((weak)) __typeof__({name}()) {name}() {{ __typeof__({name}()) value; {made} }}"
        for name in sorted(files)
        if files[name] == file
    ]
    declared = "void klee_make_symbolic(void *, unsigned long, const char *);"
    return " ".join([declared, *lines]) if lines else ""


def instrument_replaced_functions(program: GotoProgram, checks: Iterable[str]) -> tuple[str, ...]:
    """Functions that end or restrict executions, whatever body the program gives them."""
    names = set(ASSUMES)
    if "reach" in checks:
        names |= REACH - {"abort"}
    return tuple(sorted(name for name in names if name in program.functions))


# -- the library -------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InstrumentModelFile:
    """File of library models to compile: ``taken`` are used in place of the library's, ``other`` are only in it."""

    path: Path
    flags: tuple[str, ...]
    taken: tuple[str, ...]
    other: tuple[str, ...]


_FILE_PRINTERS: Final = "printf", "vprintf", "fprintf", "vfprintf", "dprintf", "vdprintf"

_STRING_PRINTERS: Final = "sprintf", "vsprintf", "snprintf", "vsnprintf", "asprintf", "vasprintf"

_CHECKED_PRINTERS: Final = "__printf_chk", "__fprintf_chk", "__sprintf_chk", "__snprintf_chk"
"""Names that glibc's headers give printers whose buffers are checked."""

_OF_LIBC: Final = frozenset(
    {
        *_FILE_PRINTERS,
        *_STRING_PRINTERS,
        *_CHECKED_PRINTERS,
        "__sfo_fscanf",
        *TEXT_SCANNERS,
    }
)
"""Functions that stay libc's own natively, and are asked for the state that they share with others."""

_OF_HARNESS: Final = frozenset({"__sfo_vfscanf", "__sfo_input", "__sfo_taken", "__sfo_put_back"})
"""Library functions that the harness calls where they are part of the program."""

_OUTSIDE: Final = frozenset(
    {"system", "getenv", "secure_getenv", "popen", "remove", "rename", "unlink", "freopen"}
)
"""Functions with an effect on the system, which a native execution must not have."""

_STREAMS: Final = frozenset({"__sfo_input", MAKE_OUTSIDE_FILE})
"""Functions that make or take streams of ours, and read no inputs themselves."""


def instrument_model_files(
    program: GotoProgram, entry: str, *, keeps_files: bool
) -> tuple[InstrumentModelFile, ...]:
    """Library models that a native execution needs to read and do what the symbolic one does.

    A library function reads inputs, or shares the state of one that does, or acts on the world outside, or is KLEE's,
    of which there is no library: its model is compiled and takes its place. All others are the library's own.
    ``entry`` is the function that executions begin in.
    """
    library = {
        n: f
        for n, f in program.functions.items()
        if f.location.file.startswith(LIBRARY) and f.location.file not in {STAND_INS, UNDEFINED_FILE}
    }
    facts = {name: _Facts.of(function) for name, function in library.items()}
    reading = {name for name in library if any(facts[n].reads for n in _reached(name, facts))}
    reading |= _STREAMS & library.keys()  # others have to know their streams
    state = {key for name in reading for n in _reached(name, facts) for key in facts[n].state}
    called = {n for name, f in program.functions.items() if name not in library for n in _Facts.of(f).names}
    taken = {
        name
        for name in (called - _OF_LIBC | _OF_HARNESS) & library.keys()
        if name in reading
        or name in _OUTSIDE | _OF_HARNESS
        or name.startswith("klee_")
        or any(facts[n].state & state for n in _reached(name, facts))
    }
    known = library_models((KEPT,) if keeps_files else ())
    files: dict[Path, list[str]] = {}
    for name in sorted(taken):
        files.setdefault(known[name].path, []).append(name)
    keeps = [f"-D{KEPT}"] if keeps_files else []
    keeps += [f"-D{ENTERED}"] if keeps_files and entry != "main" else []
    flags = ("-D__SFO__", "-DSFO_NATIVE", *keeps, "-isystem", str(HEADERS))
    return tuple(
        InstrumentModelFile(
            path=path,
            flags=flags,
            taken=tuple(names),
            other=tuple(n for n, model in known.items() if model.path == path and n not in taken),
        )
        for path, names in sorted(files.items())
    )


@final
@dataclass(frozen=True, slots=True)
class _Facts:
    """Direct effects of a function: whether it reads inputs, the functions it names, the static variables it uses."""

    reads: bool
    names: frozenset[str]
    state: frozenset[str]

    @classmethod
    def of(cls, function: GotoFunction) -> _Facts:
        names: set[str] = set()
        state: set[str] = set()
        for e in _expressions(function):
            if isinstance(e, tree.FunctionRef):
                names.add(e.name)
            elif (
                isinstance(e, tree.VariableRef) and e.symbol.storage == "static" and e.symbol.name != "errno"
            ):
                state.add(e.symbol.key)
        reads = any(isinstance(i, goto.InputInstruction) for i in function.instructions)
        return cls(reads, frozenset(names), frozenset(state))


def _expressions(function: GotoFunction) -> Iterator[tree.Expression]:
    for i in function.instructions:
        for top in goto.goto_expressions_of(i):
            yield from goto.goto_subexpressions(top)


def _reached(name: str, facts: Mapping[str, _Facts]) -> frozenset[str]:
    """Transitive callees of the library function ``name``, itself included."""
    seen: set[str] = set()
    stack = [name]
    while stack:
        n = stack.pop()
        if n in facts and n not in seen:
            seen.add(n)
            stack += facts[n].names
    return frozenset(seen)
