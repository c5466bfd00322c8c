"""Edits of what stands outside of the statements: macros, enumerators, initial values, types and sizes.

A definition is no unit under test: it is evaluated where it is used. It counts as covered where a unit is that names
it, or names what it makes up.

    #define LIMIT 11                    ->   12,  10,  any other
    #define SQUARE(x) x * x             ->   ((x) * (x))
    enum { RED = 1 }                    ->   RED = 2,  RED = 0
    case RED:                           ->   case BLUE:
    static int days[] = {31, 28}        ->   32, any other ...
    unsigned char total, buf[8];        ->   int,  [8 + 1],  total = 0 where it is read first
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from typing import Final, final

from cfrontend import goto
from cfrontend.edit.candidate import Candidate, Size
from cfrontend.edit.expression_templates import is_enclosed, operand
from cfrontend.edit.find_definitions import Declaration, Declared, Enumerator, Macro, Tokens, declared
from cfrontend.edit.ingredients import (
    Nearby,
    Standing,
    named_constant,
    named_constants,
    statements,
    subexpressions,
)
from cfrontend.edit.text import SourceText
from cfrontend.edit.unit_templates import GROUPS, INTEGER
from cfrontend.lower.number_units import UnitTable
from cfrontend.record import dataclass
from cfrontend.settings import HOLE
from cfrontend.source.parse.lexemes import Lexeme, lexemes
from cfrontend.syntax import queries, tree
from cfrontend.units import Unit, UnitId

_WIDER: Final[Mapping[frozenset[str], tuple[str, ...]]] = {
    frozenset({"char"}): ("int", "unsigned char"),
    frozenset({"signed", "char"}): ("int", "unsigned char"),
    frozenset({"unsigned", "char"}): ("int", "unsigned int"),
    frozenset({"short"}): ("int",),
    frozenset({"short", "int"}): ("int",),
    frozenset({"unsigned", "short"}): ("int", "unsigned int"),
    frozenset({"int8_t"}): ("int",),
    frozenset({"int16_t"}): ("int",),
    frozenset({"uint8_t"}): ("int", "unsigned int"),
    frozenset({"uint16_t"}): ("int", "unsigned int"),
    frozenset({"_Bool"}): ("int",),
    frozenset({"bool"}): ("int",),
    frozenset({"float"}): ("double",),
    frozenset({"unsigned"}): ("int", "unsigned long"),
    frozenset({"unsigned", "int"}): ("int", "unsigned long"),
    frozenset({"uint32_t"}): ("int", "unsigned long"),
    frozenset({"size_t"}): ("long",),
    frozenset({"unsigned", "long"}): ("long",),
    frozenset({"int"}): ("long", "unsigned int", "double"),
    frozenset({"int32_t"}): ("long", "unsigned int"),
}
"""By the words of a type, what may have been meant: one with more values first."""

_USUAL: Final = frozenset({"int", "int32_t"})
"""The words of the type that most variables have, mostly rightly so."""

_MOST_NAMED: Final = 5
"""Other names of constants that are tried in the place of one."""

_BEFORE_OPERAND: Final = frozenset({"(", ",", "?", ":", "=", "return", "&&", "||", "!", "~"})
"""Behind these ``-``, ``*`` and ``&`` have one operand."""


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """``unit`` is what the report shows, numbered behind the units of the program, which ``used`` are some of.

    ``candidates`` are edits of it.
    """

    unit: Unit
    used: frozenset[UnitId]
    candidates: tuple[Candidate, ...]


@final
@dataclass(frozen=True, slots=True)
class _Found:
    """A definition of ``names`` from ``start`` to before ``end``; ``mentions`` are the words in it.

    ``selector`` is the unit that a label of a ``switch`` belongs to.
    """

    names: frozenset[str]
    mentions: frozenset[str]
    start: int
    end: int
    function: str
    edits: tuple[_Edit, ...]
    selector: UnitId | None = None


@final
@dataclass(frozen=True, slots=True)
class _Edit:
    """One edit; ``apart``: see ``Candidate.is_apart``, for the others as well."""

    start: int
    end: int
    text: str
    size: Size = "small"
    apart: bool = True
    is_odd: bool = False
    initializes: bool = False


def find_definitions(
    program: tree.TranslationUnit,
    table: UnitTable,
    sources: Mapping[str, SourceText],
    covered: Iterable[Collection[UnitId]],
    unwritten: Collection[str] = (),
) -> tuple[Definition, ...]:
    """The definitions in ``sources`` that can be edited, used by a unit of each set in ``covered``, in source order.

    It need not be the same unit. ``unwritten`` are the keys of variables that are read before they are written.
    """
    units, runs = table.units, list(covered)
    found = [
        (path, one)
        for path, source in sources.items()
        for one in _definitions(program, table, path, source, unwritten)
    ]
    words = {unit.id: frozenset(_words(unit.text)) for unit in units}
    users = [_direct_users(one, path, units, words) for path, one in found]
    changed = True
    while changed:
        changed = False
        for place, (_, one) in enumerate(found):
            further = [
                users[n] for n, (_, other) in enumerate(found) if n != place and one.names & other.mentions
            ]
            wider = users[place].union(*further)
            changed = changed or wider != users[place]
            users[place] = wider
    kept = [
        (path, one, used)
        for (path, one), used in zip(found, users, strict=True)
        if all(map(used.intersection, runs))
    ]
    return tuple(
        _numbered(sources[path], path, one, used, len(units) + n)
        for n, (path, one, used) in enumerate(kept, start=1)
    )


def _words(text: str) -> Iterator[str]:
    return (part.text for part in lexemes(text) if part.kind == "ID")


def _direct_users(
    one: _Found, path: str, units: Sequence[Unit], words: Mapping[UnitId, frozenset[str]]
) -> frozenset[UnitId]:
    """The units that name it: those of its function only, where it stands in one."""
    inside = (path, one.function)
    return frozenset(
        unit.id
        for unit in units
        if unit.id == one.selector
        or (
            one.names & words[unit.id] and (not one.function or (unit.location.file, unit.function) == inside)
        )
    )


def _numbered(
    source: SourceText, path: str, one: _Found, used: frozenset[UnitId], number: UnitId
) -> Definition:
    location = source.location(path, one.start, one.end)
    text = " ".join(source.text[one.start : one.end].split())
    unit = Unit(id=number, kind="definition", function=one.function, location=location, text=text)
    candidates = [
        Candidate(
            unit=number,
            file=path,
            start=edit.start,
            end=edit.end,
            text=edit.text,
            size=edit.size,
            is_odd=edit.is_odd,
            is_apart=edit.apart,
            initializes=edit.initializes,
        )
        for edit in one.edits
    ]
    return Definition(unit, used, tuple(candidates))


def _definitions(
    program: tree.TranslationUnit,
    table: UnitTable,
    path: str,
    source: SourceText,
    unwritten: Collection[str],
) -> list[_Found]:
    """Those of a file, in the order of the text."""
    inside = declared(source.text)
    runs = _Running(program, path, source)
    bodies = [
        (span, name)
        for name, function in program.functions.items()
        if function.body is not None
        and function.location.file == path
        and (span := source.span(function.body.location)) is not None
    ]
    found = [
        *(_macro(one, inside, runs.is_evaluated(one.name, inside)) for one in inside.macros),
        *map(_enumerator, inside.enumerators),
        *(_declaration(one, source, bodies, unwritten) for one in inside.declarations),
        *_initial_values(program, path, source),
        *_labels(program, table, path, source, inside.code),
    ]
    return sorted((one for one in found if one.edits), key=lambda one: (one.start, one.end))


@final
class _Running:
    """Where expressions stand that are evaluated while the program runs."""

    def __init__(self, program: tree.TranslationUnit, path: str, source: SourceText) -> None:
        spans = (source.span(e.location) for e in subexpressions(program, path))
        self._ends: dict[int, int] = {}
        for begin, end in filter(None, spans):
            self._ends[begin] = max(end, self._ends.get(begin, 0))
        self._begins = sorted(self._ends)
        self._furthest = list(accumulate((self._ends[begin] for begin in self._begins), max))

    def _holds(self, token: Lexeme) -> bool:
        place = bisect_right(self._begins, token.start) - 1
        return place >= 0 and self._furthest[place] >= token.end

    def is_evaluated(self, name: str, inside: Declared, behind: frozenset[str] = frozenset()) -> bool:
        """Whether nothing that has to be constant names a macro, directly or through those ``behind`` it."""
        if name in inside.tested or not all(self._holds(part) for part in inside.code if part.text == name):
            return False
        others = (
            macro.name
            for macro in inside.macros
            if macro.name not in behind and any(part.text == name for part in macro.body)
        )
        return all(self.is_evaluated(other, inside, behind | {name}) for other in others)


def _macro(macro: Macro, inside: Declared, is_evaluated: bool) -> _Found:
    edits = [
        edit for part in macro.body for edit in _integer(part, apart=not is_evaluated, any_=is_evaluated)
    ]
    edits += _operators(macro.body)
    edits += _named(macro, inside)
    edits += _parenthesised(macro)
    return _Found(
        frozenset({macro.name}),
        frozenset(part.text for part in macro.body if part.kind == "ID"),
        macro.start,
        macro.end,
        "",
        tuple(edits),
    )


def _integer(part: Lexeme, *, apart: bool, any_: bool) -> Iterator[_Edit]:
    """One more, one less, and any other (``any_``) than an integer constant."""
    text = part.text
    if not INTEGER.fullmatch(text):
        return
    digits = text.rstrip("uUlL")
    suffix = text[len(digits) :].lower() if digits[0].isdigit() else ""
    if digits[0] == "'":
        if len(digits) != 3:
            return
        value = ord(digits[1])
    else:
        is_octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
        if is_octal and not set(digits) <= set("01234567"):
            return
        value = int(digits, 8 if is_octal else 0)
    for other in (value + 1, value - 1):
        written = f"{other}{suffix}" if other >= 0 else f"({other}{suffix})"
        yield _Edit(part.start, part.end, written, apart=apart)
    if any_:
        yield _Edit(part.start, part.end, f"({HOLE} + 0{suffix})" if suffix else HOLE, "large", apart=False)


def _operators(body: Tokens) -> Iterator[_Edit]:
    """Another operator of the same kind, where it has two operands."""
    for before, part, after in zip(body, body[1:], body[2:], strict=False):
        is_binary = before.kind in ("ID", "NUMBER", "CHAR") or before.text in (")", "]")
        group = next((g for g in (*GROUPS, ("&&", "||")) if part.text in g), ())
        if is_binary and (after.kind in ("ID", "NUMBER", "CHAR") or after.text in _BEFORE_OPERAND | {"-"}):
            for other in group:
                if other != part.text:
                    yield _Edit(part.start, part.end, other)


def _named(macro: Macro, inside: Declared) -> Iterator[_Edit]:
    """Another parameter, or another macro without parameters, in the place of one."""
    constants = [one for one in inside.macros if one.parameters is None and one.name != macro.name]
    names = {one.name for one in constants}
    for part in macro.body:
        others: Iterable[str] = ()
        if part.text in (macro.parameters or ()):
            others = macro.parameters or ()
        elif part.text in names:
            near = sorted(constants, key=lambda one: abs(one.start - macro.start))
            others = [one.name for one in near[: _MOST_NAMED + 1]]
        yield from (_Edit(part.start, part.end, other) for other in others if other != part.text)


def _parenthesised(macro: Macro) -> Iterator[_Edit]:
    """The body with parentheses around each parameter and around all of it, where some are missing."""
    body = macro.body
    texts = [
        f"({part.text})"
        if part.text in (macro.parameters or ()) and not _is_between_parentheses(body, place)
        else part.text
        for place, part in enumerate(body)
    ]
    if len(body) == 1 or any(part.text in ("#", "##", ";", "{") for part in body):
        return
    whole = " ".join(texts)
    if not is_enclosed(whole):
        yield _Edit(body[0].start, body[-1].end, f"({whole})")
    elif any(old.text != new for old, new in zip(body, texts, strict=True)):
        yield _Edit(body[0].start, body[-1].end, whole)


def _is_between_parentheses(body: Tokens, place: int) -> bool:
    """Whether a token stands alone between parentheses or commas."""
    around = [body[n].text for n in (place - 1, place + 1) if 0 <= n < len(body)]
    return len(around) == 2 and around[0] in ("(", ",") and around[1] in (")", ",")


def _enumerator(one: Enumerator) -> _Found:
    edits = tuple(edit for part in one.value for edit in _integer(part, apart=True, any_=False))
    words = frozenset(part.text for part in one.value if part.kind == "ID")
    return _Found(frozenset({one.name}), words, one.start, one.end, "", edits)


def _declaration(
    one: Declaration,
    source: SourceText,
    bodies: Sequence[tuple[tuple[int, int], str]],
    unwritten: Collection[str],
) -> _Found:
    edits: list[_Edit] = []
    for size in one.sizes:
        text = source.text[size[0].start : size[-1].end]
        edits.append(_Edit(size[0].start, size[-1].end, f"{operand(text)} + 1"))
        edits.append(_Edit(size[0].start, size[-1].end, f"2 * {operand(text)}", "large"))
    if one.type and not one.points:
        first, last = one.type[0], one.type[-1]
        for other in _WIDER.get(words := frozenset(part.text for part in one.type), ()):
            usual: Size = "large" if words <= _USUAL else "small"
            edits.append(_Edit(first.start, last.end, other, usual, is_odd=True))
    function = next((name for (begin, end), name in bodies if begin <= one.start < end), "")
    for name, place in one.bare if not one.points else ():
        if f"{function}::{name}" in unwritten:
            value = "{0}" if source.text[place - 1] == "]" else HOLE
            edits.append(_Edit(place, place, f" = {value}", initializes=True))
    mentions = frozenset(_words(source.text[one.start : one.end])) - set(one.names)
    return _Found(frozenset(one.names), mentions, one.start, one.end, function, tuple(edits))


def _labels(
    program: tree.TranslationUnit, table: UnitTable, path: str, source: SourceText, code: Tokens
) -> Iterator[_Found]:
    """The labels of each ``switch``."""
    begins = [part.start for part in code]
    for s in statements(program, path):
        if not isinstance(s, tree.Switch):
            continue
        cases = [label for label in queries.labels_of_switch(s.body) if isinstance(label, tree.Case)]
        taken = {case.low for case in cases}
        for label in cases:
            span = source.span(label.location)
            if span is None:
                continue
            first = bisect_right(begins, span[0])
            end = next((n for n in range(first, len(code)) if code[n].text == ":"), first)
            value = code[first:end]
            edits = [edit for part in value for edit in _integer(part, apart=True, any_=False)]
            edits += [
                _Edit(part.start, part.end, name)
                for part in value
                for name in _enumerators_near(part.text, program, taken)
            ]
            if value:
                last, words = value[-1].end, frozenset(part.text for part in value if part.kind == "ID")
                yield _Found(frozenset(), words, span[0], last, "", tuple(edits), table.of(s.selector))


def _enumerators_near(name: str, program: tree.TranslationUnit, taken: Container[int]) -> Sequence[str]:
    """The enumerators whose value is not ``taken``, those that stand nearest to the one called ``name`` first."""
    names = list(program.enumerators)
    if name not in program.enumerators:
        return ()
    free = [n for n, other in enumerate(names) if program.enumerators[other][0] not in taken]
    free.sort(key=lambda n: abs(n - names.index(name)))
    return [names[n] for n in free[:_MOST_NAMED]]


def _initial_values(program: tree.TranslationUnit, path: str, source: SourceText) -> Iterator[_Found]:
    """What static variables start with, a line at a time."""
    constants = Nearby(named_constants(program, path, source))
    for variable in program.variables:
        initializer = variable.initializer
        if initializer is None or initializer.location.file != path:
            continue
        placed = [
            (span, item.value)
            for item in initializer.items
            if (span := source.span(queries.written(item.value).location)) is not None
        ]
        for _, group in groupby(placed, key=lambda one: source.line_of(one[0][0])):
            line = list(group)
            start, end = min(span[0] for span, _ in line), max(span[1] for span, _ in line)
            if len(placed) == len(line):
                start = min(start, source.line_start(variable.symbol.location.line))
                whole = source.span(initializer.location)
                end = end if whole is None else max(end, whole[1])
            edits = tuple(edit for _, value in line for edit in _values(value, program, source, constants))
            words = frozenset(_words(source.text[start:end])) - {variable.symbol.name}
            function = variable.symbol.function or ""
            yield _Found(frozenset({variable.symbol.name}), words, start, end, function, edits)


def _values(
    value: tree.Expression, program: tree.TranslationUnit, source: SourceText, constants: Nearby
) -> Iterator[_Edit]:
    """Edits of one initial value."""
    for e in goto.subexpressions(value):
        span = source.span(e.location)
        if span is None:
            continue
        others: Iterable[str] = ()
        if isinstance(e, tree.IntConstant):
            yield from _integer(Lexeme("NUMBER", source.text[slice(*span)], *span), apart=False, any_=True)
        if (named := named_constant(e, program, source)) is not None:
            others = _named_alike(named, constants)
        if isinstance(e, tree.FunctionRef):
            others = _functions_alike(e.name, program)
        yield from (_Edit(*span, other, apart=False) for other in others)


def _named_alike(named: Standing, constants: Nearby) -> Sequence[str]:
    """Other names of constants of the type."""

    def is_another(one: Standing) -> bool:
        return one.text != named.text and one.type == named.type

    return constants.texts(named.start, _MOST_NAMED, is_another)


def _functions_alike(name: str, program: tree.TranslationUnit) -> Iterator[str]:
    """Other functions of the type of the one with this name."""
    own = program.functions[name].type
    for other, function in program.functions.items():
        if other != name and function.type == own and function.body is not None:
            yield other
