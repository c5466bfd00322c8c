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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, groupby, pairwise
from typing import Any, Final, TypeAlias, final

from cfrontend import goto
from cfrontend.edit.candidate import Candidate, candidate_made_by
from cfrontend.edit.file_definitions import (
    FileDefinitionOfNames,
    FileDefinitions,
    Tokens,
    file_definitions,
)
from cfrontend.edit.ingredients import (
    ingredient_expressions,
    ingredient_statements,
)
from cfrontend.edit.registry import templates_for
from cfrontend.edit.template import DefinitionTemplateSite, Span, Template, TemplateChange
from cfrontend.edit.text import SourceText
from cfrontend.lower.dialect import ASSERTS, ASSUMES
from cfrontend.lower.number_units import NumberedUnits
from cfrontend.record import dataclass
from cfrontend.source.parse.lexemes import Lexeme, lexemes
from cfrontend.syntax import queries, tree
from cfrontend.units import Unit, UnitId

_STATING: Final = ASSERTS | ASSUMES
"""Names of calls and macros that state what has to hold."""


Proposed: TypeAlias = tuple[Template, TemplateChange]
"""A change with the template that makes it."""


@final
@dataclass(frozen=True, slots=True)
class EditableDefinitionSites:
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
    edits: tuple[Proposed, ...]
    function: str = ""
    selector: UnitId | None = None


def find_definition_sites(
    program: tree.TranslationUnit,
    table: NumberedUnits,
    sources: Mapping[str, SourceText],
    covered: Iterable[Collection[UnitId]],
    unwritten: Collection[str] = (),
) -> tuple[EditableDefinitionSites, ...]:
    """The definitions in ``sources`` that can be edited, used by a unit of each set in ``covered``, in source order.

    It need not be the same unit; what an assertion names is used wherever the program uses it. ``unwritten`` are the
    keys of variables that are read before they are written.
    """
    units, runs = table.units, list(covered)
    found = [
        (path, one)
        for path, source in sources.items()
        for one in _definitions(program, table, path, source, unwritten)
    ]
    words = {unit.id: _names(lexemes(unit.text)) for unit in units}
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
    stated = frozenset(_stated_words(sources))
    kept = [
        (path, one, used)
        for (path, one), used in zip(found, users, strict=True)
        if all(map(used.intersection, runs)) or (used and one.names & stated)
    ]
    return tuple(
        _numbered(sources[path], path, one, used, len(units) + n)
        for n, (path, one, used) in enumerate(kept, start=1)
    )


def _stated_words(sources: Mapping[str, SourceText]) -> Iterator[str]:
    """The names in what is asserted and assumed."""
    for source in sources.values():
        tokens = lexemes(source.text)
        depth = 0
        for before, part in pairwise(tokens):
            if part.text == "(" and (depth or before.text in _STATING):
                depth += 1
            elif part.text == ")" and depth:
                depth -= 1
            elif depth and part.kind == "ID":
                yield part.text


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
) -> EditableDefinitionSites:
    location = source.location(path, one.start, one.end)
    text = " ".join(source.text[one.start : one.end].split())
    unit = Unit(id=number, kind="definition", function=one.function, location=location, text=text)
    candidates = [
        candidate_made_by(template, change, number, path, _span(change, one))
        for template, change in one.edits
    ]
    return EditableDefinitionSites(unit, used, tuple(candidates))


def _definitions(
    program: tree.TranslationUnit,
    table: NumberedUnits,
    path: str,
    source: SourceText,
    unwritten: Collection[str],
) -> list[_Found]:
    """Definitions of a file that can be edited, in the order of the text."""
    inside = file_definitions(source.text)
    runs = _Running(program, path, source)
    bodies = [
        (span, name)
        for name, function in program.functions.items()
        if function.body is not None
        and function.location.file == path
        and (span := source.span(function.body.location)) is not None
    ]
    found = [
        *(
            _Found(
                frozenset({one.name}),
                _names(one.body),
                one.start,
                one.end,
                _numbers(one.body, source, is_evaluated=runs.is_evaluated(one.name, inside)),
            )
            for one in inside.macros
        ),
        *(
            _Found(frozenset({one.name}), _names(one.value), one.start, one.end, _numbers(one.value, source))
            for one in inside.enumerators
        ),
        *(_declaration(one, source, bodies, unwritten) for one in inside.declarations),
        *_initial_values(program, path, source),
        *_labels(program, table, path, source, inside.code),
    ]
    return sorted((one for one in found if one.edits), key=lambda one: (one.start, one.end))


@final
class _Running:
    """Spans of the expressions of a file that are evaluated in an execution."""

    def __init__(self, program: tree.TranslationUnit, path: str, source: SourceText) -> None:
        spans = (source.span(e.location) for e in ingredient_expressions(program, path))
        self._ends: dict[int, int] = {}
        for begin, end in filter(None, spans):
            self._ends[begin] = max(end, self._ends.get(begin, 0))
        self._begins = sorted(self._ends)
        self._furthest = list(accumulate((self._ends[begin] for begin in self._begins), max))

    def _holds(self, token: Lexeme) -> bool:
        place = bisect_right(self._begins, token.start) - 1
        return place >= 0 and self._furthest[place] >= token.end

    def is_evaluated(self, name: str, inside: FileDefinitions, behind: frozenset[str] = frozenset()) -> bool:
        """True if every use of a macro is evaluated in an execution; ``behind`` are the macros on the way to it."""
        if name in inside.tested or not all(self._holds(part) for part in inside.code if part.text == name):
            return False
        others = (
            macro.name
            for macro in inside.macros
            if macro.name not in behind and any(part.text == name for part in macro.body)
        )
        return all(self.is_evaluated(other, inside, behind | {name}) for other in others)


def _asked(site: DefinitionTemplateSite[Any]) -> Iterator[Proposed]:
    """Edits that the templates propose at a site."""
    for one in templates_for(site.role, type(site.node)):
        for change in one.changes(site):
            yield one, change if change.at is not None else replace(change, at=site.span)


def _span(change: TemplateChange, of: _Found) -> Span:
    """The characters that a change of a definition replaces."""
    return change.at if isinstance(change.at, tuple) else (of.start, of.end)


def _numbers(
    tokens: Iterable[Lexeme], source: SourceText, *, is_evaluated: bool = False
) -> tuple[Proposed, ...]:
    """Edits that the templates propose for those of some tokens that are numbers."""
    sites = (
        DefinitionTemplateSite(
            node=part, role="number", source=source, span=(part.start, part.end), is_evaluated=is_evaluated
        )
        for part in tokens
    )
    return tuple([edit for site in sites for edit in _asked(site)])


def _names(tokens: Iterable[Lexeme]) -> frozenset[str]:
    return frozenset(part.text for part in tokens if part.kind == "ID")


def _declaration(
    one: FileDefinitionOfNames,
    source: SourceText,
    bodies: Sequence[tuple[tuple[int, int], str]],
    unwritten: Collection[str],
) -> _Found:
    function = next((name for (begin, end), name in bodies if begin <= one.start < end), "")
    edits = list[Proposed]()
    for size in one.sizes:
        span = (size[0].start, size[-1].end)
        edits += _asked(DefinitionTemplateSite(node=size, role="size", source=source, span=span))
    if one.type and not one.points:
        span = (one.type[0].start, one.type[-1].end)
        edits += _asked(DefinitionTemplateSite(node=one, role="type", source=source, span=span))
    for name, place in one.bare if not one.points else ():
        if f"{function}::{name}" in unwritten:
            span = (place, place)
            edits += _asked(DefinitionTemplateSite(node=name, role="uninitialized", source=source, span=span))
    mentions = _names(lexemes(source.text[one.start : one.end])) - set(one.names)
    return _Found(frozenset(one.names), mentions, one.start, one.end, tuple(edits), function)


def _labels(
    program: tree.TranslationUnit,
    table: NumberedUnits,
    path: str,
    source: SourceText,
    code: Tokens,
) -> Iterator[_Found]:
    """The labels of each ``switch``."""
    begins = [part.start for part in code]
    for s in ingredient_statements(program, path):
        if not isinstance(s, tree.Switch):
            continue
        cases = [label for label in queries.syntax_labels_of_switch(s.body) if isinstance(label, tree.Case)]
        for label in cases:
            span = source.span(label.location)
            if span is None:
                continue
            first = bisect_right(begins, span[0])
            end = next((n for n in range(first, len(code)) if code[n].text == ":"), first)
            value = code[first:end]
            if value:
                edits, of = _numbers(value, source), table.of(s.selector)
                yield _Found(frozenset(), _names(value), span[0], value[-1].end, edits, selector=of)


def _initial_values(
    program: tree.TranslationUnit,
    path: str,
    source: SourceText,
) -> Iterator[_Found]:
    """Initial values of static variables, a line at a time."""
    for variable in program.variables:
        initializer = variable.initializer
        if initializer is None or initializer.location.file != path:
            continue
        placed = [
            (span, item.value)
            for item in initializer.items
            if (span := source.span_of(item.value)) is not None
        ]
        for _, group in groupby(placed, key=lambda one: source.line_of(one[0][0])):
            line = list(group)
            start, end = min(span[0] for span, _ in line), max(span[1] for span, _ in line)
            if len(placed) == len(line):
                start = min(start, source.line_start(variable.symbol.location.line))
                whole = source.span(initializer.location)
                end = end if whole is None else max(end, whole[1])
            constants = [token for _, value in line for token in _constants(value, source)]
            edits, name = _numbers(constants, source, is_evaluated=True), frozenset({variable.symbol.name})
            words = _names(lexemes(source.text[start:end])) - name
            yield _Found(name, words, start, end, edits, variable.symbol.function or "")


def _constants(value: tree.Expression, source: SourceText) -> Iterator[Lexeme]:
    """The numbers in one initial value."""
    for e in goto.goto_subexpressions(queries.syntax_below_implicit_conversions(value)):
        span = source.span(e.location)
        if span is not None and isinstance(e, tree.IntConstant | tree.FloatConstant):
            yield Lexeme("NUMBER", source.text[slice(*span)], *span)
