"""Edits that may repair a faulty unit: what the templates make of each site of a function.

if (i <= n) s += a[i];   ->   i < n,  i == n,  i <= n - 1,  s -= a[i],  s += a[i - 1],  without s += a[i], ...
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final, final

from cfrontend.edit.assumed_inputs import (
    assumed_inputs_of_function,
    edit_writes_assumed_input,
    is_computed_from_input,
    is_of_numbers,
)
from cfrontend.edit.candidate import Candidate, candidate_made_by, candidate_seldomness
from cfrontend.edit.every_place import edits_at_every_place
from cfrontend.edit.expression_templates import argument_texts
from cfrontend.edit.file_definitions import names_defined_below
from cfrontend.edit.ingredients import COMPARISONS, is_ingredient_truth_or_bool
from cfrontend.edit.names_in_scope import NamesInScope, Scope
from cfrontend.edit.registry import templates_for
from cfrontend.edit.template import (
    Role,
    Span,
    Template,
    TemplateChange,
    TemplateSite,
    TemplateSurroundings,
)
from cfrontend.edit.text import (
    WORD,
    SourceText,
    is_enclosed_text,
    operand_text,
    string_literals_of_text,
    without_blanks_of_text,
)
from cfrontend.goto import goto_subexpressions
from cfrontend.lower.dialect import (
    ASSERTS,
    ASSUMES,
    FAILED_ASSERTS,
    callee_name_in_dialect,
    is_input_drawn_in_dialect,
)
from cfrontend.lower.number_units import NumberedUnits
from cfrontend.lower.specification_code import NO_CODE, SpecificationCode
from cfrontend.record import dataclass
from cfrontend.source.contract import HARNESS_FILE
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.units import UnitId

_ASSIGNS: Final = re.compile(r"([^=]*[^-=<>!+*/%&|^])=([^=].*)")
_BEHIND: Final = re.compile(r"\s*;")
_LOOPS: Final = (tree.While, tree.DoWhile, tree.For)
_OPERANDS: Final = (tree.VariableRef, tree.MemberAccess, tree.Index, tree.Deref)

_STATING = ASSERTS | ASSUMES | FAILED_ASSERTS
"""Names of calls that state what has to hold."""


def find_candidates_at_units(
    program: tree.TranslationUnit,
    units: NumberedUnits,
    sources: Mapping[str, SourceText],
    wanted: Collection[UnitId],
    unwritten: Collection[str] = (),
    specification: SpecificationCode = NO_CODE,
    phrases: Collection[str] = (),
    numbers: Sequence[str] = (),
    expected: Sequence[str] = (),
) -> tuple[Candidate, ...]:
    """All candidates for the ``wanted`` units of the functions in ``sources``, each once: for the first of its units.

    ``unwritten`` are variables that failing executions read before they are written, by their keys up to a ``#``. No
    function or variable of the ``specification`` is named in an edit. ``phrases`` are string literals of the reference,
    ``numbers`` constants that it has more often than the program, ``expected`` lines that failing executions should
    print.
    """
    found: dict[tuple[str, int, int, str], Candidate] = {}
    order = {unit: place for place, unit in enumerate(wanted)}
    nameable = {path: NamesInScope(program, path, source) for path, source in sources.items()}
    texts = {unit.id: unit.text for unit in units.units}
    for function in program.functions.values():
        source = sources.get(function.location.file)
        if function.body is None or source is None:
            continue
        literals = dict.fromkeys((*phrases, *string_literals_of_text(source.text)))
        around = TemplateSurroundings(
            program=program,
            units=units,
            function=function,
            above=_functions_above(program, function, specification.unnamed),
            source=source,
            nameable=nameable[function.location.file],
            opposite=opposite_operands(function.body, source),
            unwritten=frozenset(unwritten),
            unnamed=specification.variables,
            phrases=tuple(one for one in literals if one in source.text),
            foreign=tuple(one for one in literals if one not in source.text),
            numbers=tuple(numbers),
            expected=tuple(expected),
        )
        own = [c for c in _candidates(function.body, around, wanted) if not _assigns_itself(c, units, source)]
        for c in (*own, *edits_at_every_place(own, source, texts)):
            key = c.file, c.start, c.end, without_blanks_of_text(c.whole)
            found[key] = min(found.get(key, c), c, key=lambda c: (candidate_seldomness(c), order[c.unit]))
    return tuple(
        c for (*_, whole), c in found.items() if whole != without_blanks_of_text(c.replaced(sources[c.file]))
    )


def _assigns_itself(candidate: Candidate, units: NumberedUnits, source: SourceText) -> bool:
    """True if a unit gives a place what it has after an edit."""
    span = source.span(units.units[candidate.unit - 1].location)
    if span is None or not span[0] <= candidate.start <= candidate.end <= span[1]:
        return False
    text = source.text[span[0] : candidate.start] + candidate.edit.text + source.text[candidate.end : span[1]]
    sides = _ASSIGNS.fullmatch(without_blanks_of_text(text))
    return sides is not None and sides[1] == sides[2]


def opposite_operands(body: tree.Compound, source: SourceText) -> Mapping[Span, str]:
    """The texts that operands of comparisons are compared with, by the operands' places: none replaces the other."""
    found: dict[Span, str] = {}
    for e in queries.syntax_nodes_within(body):
        if isinstance(e, tree.Binary) and e.op in COMPARISONS:
            left, right = source.span_of(e.left), source.span_of(e.right)
            if left is not None and right is not None:
                found[left], found[right] = source.text[slice(*right)], source.text[slice(*left)]
    return found


def _candidates(
    body: tree.Compound, around: TemplateSurroundings, wanted: Collection[UnitId]
) -> Iterable[Candidate]:
    """The candidates in a function's ``body``, first those of its expressions and of what may be missing."""
    visible = [v.symbol for v in around.program.variables if _is_visible(v.symbol, around.function)]
    given = [one for one in around.function.parameters if not _is_unused_of_main(one, body, around)]
    scope = {s.name: s for s in (*visible, *given) if s.key not in around.unnamed}
    walk = _Walk(body, around, wanted)
    walk.statement(body, scope, None, _Context())
    walk.structure(body)
    return walk.found


def _is_unused_of_main(parameter: SyntaxSymbol, body: tree.Compound, around: TemplateSurroundings) -> bool:
    """True for ``argc`` and ``argv`` where a program reads no arguments: no edit brings these in."""
    span = around.source.span(body.location)
    if around.function.name != "main" or span is None:
        return False
    return re.search(rf"\b{parameter.name}\b", around.source.text[slice(*span)]) is None


def _is_visible(symbol: SyntaxSymbol, function: tree.Function) -> bool:
    """True if a static variable can be named in a function: one of its own, or of the program's files above it."""
    if symbol.function is not None:
        return symbol.function == function.name
    where = symbol.location
    if where.file == function.location.file:
        return where.line < function.location.line
    return where.file != HARNESS_FILE and not is_preprocessed_foreign_file(where.file)


def _functions_above(
    program: tree.TranslationUnit, function: tree.Function, unnamed: Collection[str]
) -> tuple[tree.Function, ...]:
    """The functions of the same file that are defined above ``function``: all others may be unknown there.

    Those of ``unnamed`` are left out.
    """
    return tuple(
        other
        for other in program.functions.values()
        if other.location.file == function.location.file
        and other.location.line < function.location.line
        and other.name not in unnamed
    )


def _states(e: Expression) -> bool:
    """True for a call that states an assumption or an assertion: it is the specification, which no edit changes."""
    return callee_name_in_dialect(e) in _STATING


@final
@dataclass(frozen=True, slots=True)
class _Context:
    """Context of a statement: the ``jumps`` that may stand there, and whether it ``may_be_guarded``."""

    jumps: tuple[str, ...] = ()
    may_be_guarded: bool = True

    @property
    def loop(self) -> _Context:
        """The body of a loop."""
        return _Context(("break", "continue"))

    @property
    def switch(self) -> _Context:
        """The body of a ``switch``."""
        return _Context(("break", "continue") if "continue" in self.jumps else ("break",))

    @property
    def plain(self) -> _Context:
        """A statement that nothing else depends on."""
        return _Context(self.jumps)

    @property
    def unguarded(self) -> _Context:
        """Context of a statement that would mean something else behind a test."""
        return _Context(self.jumps, may_be_guarded=False)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Use:
    """Use of an expression, as ``TemplateSite`` says it; ``is_place``: it says where something is."""

    is_place: bool = False
    is_operand: bool = False
    aims: bool = False
    is_unused: bool = False


_PLAINLY: Final = _Use()
_FOR_ITS_EFFECT: Final = _Use(is_unused=True)


@final
class _Walk:
    """Visits the sites of one function, and collects what the templates make of them."""

    def __init__(self, body: tree.Compound, around: TemplateSurroundings, wanted: Collection[UnitId]) -> None:
        self._around = around
        self._units = around.units
        self._source = around.source
        self._wanted = wanted
        start = self._source.span(body.location) or (0, 0)
        self._defined_below = names_defined_below(around.source.text, start[0])
        self._assumed = assumed_inputs_of_function(body, around.program.functions, around.source)
        self.found: list[Candidate] = []

    # -- statements --------------------------------------------------------------------------------------------

    def statement(self, s: tree.Statement, scope: Scope, unit: UnitId | None, inside: _Context) -> None:
        """The sites in a statement; declarations in it are added to ``scope``."""
        unit = self._units.of(s) or unit
        match s:
            case tree.Compound():
                self._block(s, scope, inside.plain)
            case tree.Declaration():
                for part in s.initializer.items if s.initializer is not None else ():
                    if self._is_of_literal(part.value):
                        continue
                    self.value(part.value, scope, unit, _PLAINLY)
                    self._given(part.value, "given", scope, unit)
                if s.is_written and s.symbol.key not in self._around.unnamed:
                    scope[s.symbol.name] = s.symbol
            case tree.For():
                inner = dict(scope)
                for start in s.start:
                    self.statement(start, inner, None, inside.unguarded)
                if s.condition is not None:
                    self._condition(s.condition, inner)
                if s.step is not None:
                    self.value(s.step, inner, self._units.of(s.step), _FOR_ITS_EFFECT)
                self.statement(s.body, inner, None, inside.loop)
            case tree.If():
                self._condition(s.condition, scope)
                self._branch(s.then, scope, inside)
                self._branch(s.otherwise, scope, inside)
                # what is guarded would take the ``else``
                then = inside.plain if s.otherwise is None else inside.unguarded
                self.statement(s.then, dict(scope), None, then)
                if s.otherwise is not None:
                    self.statement(s.otherwise, dict(scope), None, inside.plain)
            case tree.While() | tree.DoWhile():
                self._condition(s.condition, scope)
                self._below(s, scope, inside.loop)
            case tree.ExpressionStatement():
                own = self._units.of(s.expression) or unit
                self._ask(s.expression, "effect", scope, own, may_be_guarded=inside.may_be_guarded)
                self.value(s.expression, scope, own, _FOR_ITS_EFFECT)
            case tree.Return():
                if s.value is not None:
                    self._ask(s.value, "result", scope, unit)
                    self.value(s.value, scope, unit, _PLAINLY)
                    self._given(s.value, "given", scope, unit)
            case tree.Switch():
                self.value(s.selector, scope, self._units.of(s.selector), _PLAINLY)
                self._below(s, scope, inside.switch)
            case _:
                self._below(s, scope, inside.plain)

    def _below(self, s: tree.Statement, scope: Scope, inside: _Context) -> None:
        """The sites in the statements that stand directly in one."""
        for part in queries.syntax_statements_in(s):
            self.statement(part, dict(scope), None, inside)

    def _block(self, block: tree.Compound, scope: Scope, inside: _Context) -> Scope:
        """Visit the sites in a block, and those for code that may be missing between its statements.

        The answer is the scope at its end.
        """
        inner = dict(scope)
        for item in block.items:
            if isinstance(item, _LOOPS):
                self._loop(item, inner)
            self.statement(item, inner, None, inside)
        last = next((item for item in reversed(block.items) if not isinstance(item, tree.Empty)), None)
        if isinstance(last, tree.ExpressionStatement):
            e = last.expression
            self._ask(e, "block end", inner, self._units.of(e))
        return inner

    def _loop(self, loop: tree.While | tree.DoWhile | tree.For, scope: Scope) -> None:
        """Ask the templates for code that is missing before a loop."""
        span = self._source.span(loop.location)
        unit = None if loop.condition is None else self._units.of(loop.condition)
        if span is not None and unit in self._wanted:
            place = span[0], span[0]
            site = TemplateSite(
                node=loop, role="loop", unit=unit, around=self._around, scope=scope, span=place
            )
            self._edit(site)

    def _branch(self, s: tree.Statement | None, scope: Scope, inside: _Context) -> None:
        """Ask the templates for a jump that is missing at the end of a branch."""
        while isinstance(s, tree.Compound) and s.items:
            s = s.items[-1]
        if isinstance(s, tree.ExpressionStatement):
            span = self._source.span_of(s.expression)
            behind = None if span is None else _BEHIND.match(self._source.text, span[1])
            if behind is not None:
                unit = self._units.of(s.expression)
                self._ask(s.expression, "branch", scope, unit, jumps=inside.jumps, end=behind.end())

    def structure(self, body: tree.Compound) -> None:
        """Statements that stand together."""
        stack: list[tree.Statement] = [body]
        while stack:
            s = stack.pop()
            for pair in pairwise(s.items) if isinstance(s, tree.Compound) else ():
                self._ask_of_statements(pair, "pair")
            self._ask_of_statements(s, "statement")
            stack += queries.syntax_statements_in(s)

    def _is_of_literal(self, e: Expression) -> bool:
        """True for a character of the literal that an array begins with: no other expression may stand there."""
        is_text = (self._source.text_of(e) or "").endswith('"')
        return is_text and isinstance(queries.syntax_below_implicit_conversions(e), tree.IntConstant)

    # -- expressions -------------------------------------------------------------------------------------------

    def _condition(self, e: Expression, scope: Scope) -> None:
        """A test, and what is in it."""
        unit = self._units.of(e)
        self._ask(e, "condition", scope, unit)
        self.value(e, scope, unit, _PLAINLY)

    def value(self, e: Expression, scope: Scope, unit: UnitId | None, used: _Use) -> None:
        """The sites in an expression whose value is used; a place is not replaced by a value."""
        if _states(e):
            return
        unit = self._units.of(e) or unit
        if isinstance(e, tree.Call):
            used = replace(used, aims=True)
        if unit in self._wanted:
            self._ask(e, "place" if used.is_place else "value", scope, unit, used)
            for part, role in self._parts(e):
                self._ask(part, role, scope, unit, replace(used, is_unused=False), parent=e)
            if used.is_operand and not used.is_place and isinstance(e, _OPERANDS):
                self._ask(e, "operand", scope, unit, used)
        implicit = isinstance(e, tree.Cast) and e.implicit
        inner = _Use(is_operand=used.is_operand or not implicit, aims=used.aims)
        self._inside(e, scope, unit, inner)

    def _parts(self, e: Expression) -> Iterator[tuple[Expression, Role]]:
        """The parts of an expression that are sites of their own, with their roles."""
        match e:
            case tree.Binary() if e.op in COMPARISONS:
                yield e.right, "amount"
            case tree.Logical():
                yield e.left, "part"
                yield e.right, "part"
            case tree.CompoundAssign():
                yield e.value, "amount"
            case tree.Assign():
                yield e.value, "given"
                if is_ingredient_truth_or_bool(e.value):
                    yield e.value, "truth"
            case tree.Conditional():
                yield e.condition, "truth"
            case tree.Index():
                yield e.index, "amount"
            case tree.Call() if self._source.span_of(e) and argument_texts(e, self._source) is not None:
                yield from ((argument, "argument") for argument in e.arguments)
            case _:
                pass

    def _inside(self, e: Expression, scope: Scope, unit: UnitId | None, used: _Use) -> None:
        """The sites in the parts of an expression."""
        alone, place = replace(used, is_operand=False), replace(used, is_operand=False, is_place=True)
        match e:
            case tree.Assign() | tree.CompoundAssign():
                self.value(e.target, scope, unit, replace(place, aims=True))
                # A variable that is given to itself is a statement that is taken out.
                others = scope
                if isinstance(e.target, tree.VariableRef) and isinstance(
                    queries.syntax_below_implicit_conversions(e.value), tree.VariableRef
                ):
                    others = {n: s for n, s in scope.items() if s.key != e.target.symbol.key}
                self.value(e.value, others, unit, alone)
            case tree.IncDec():
                self.value(e.target, scope, unit, replace(place, aims=True))
            case tree.AddressOf() | tree.Decay():
                self.value(e.operand, scope, unit, place)
            case tree.MemberAccess():
                self.value(e.base, scope, unit, place)
            case tree.Index():
                self.value(e.base, scope, unit, place)
                self.value(e.index, scope, unit, alone)
            case tree.Call():
                for argument in e.arguments:
                    self.value(argument, scope, unit, alone)
            case tree.StatementExpression():
                self._statement_expression(e, scope)
            case tree.CompoundLiteral():
                pass
            case tree.Binary() if is_computed_from_input(e, self._around.program.functions):
                for part in (e.left, e.right):
                    if not is_of_numbers(part):  # these say which values the input has
                        self.value(part, scope, unit, used)
            case _:
                for name in queries.syntax_field_names(e) or ():
                    part = getattr(e, name)
                    if isinstance(part, tree.SyntaxTreeNode):
                        self.value(part, scope, unit, used)

    def _statement_expression(self, e: tree.StatementExpression, scope: Scope) -> None:
        """The sites in the statements of ``({ ... })``, and in its value."""
        if e.is_written:
            inner = self._block(e.body, scope, _Context())
            if e.result is not None:
                unit = self._units.of(e.result)
                self.value(e.result, inner, unit, _PLAINLY)
                self._given(e.result, "given", inner, unit)

    def _given(self, e: Expression, role: Role, scope: Scope, unit: UnitId | None) -> None:
        """Ask the templates about a value that a variable or the caller gets, and about a truth value as such."""
        self._ask(e, role, scope, unit)
        if is_ingredient_truth_or_bool(e):
            self._ask(e, "truth", scope, unit)

    # -- sites -------------------------------------------------------------------------------------------------

    def _ask_of_statements(
        self, node: tree.Statement | tuple[tree.Statement, tree.Statement], role: Role
    ) -> None:
        """Ask the templates about one or two statements, whose units they know themselves."""
        self._edit(TemplateSite(node=node, role=role, unit=None, around=self._around, scope={}))

    def _ask(
        self,
        e: Expression,
        role: Role,
        scope: Scope,
        unit: UnitId | None,
        used: _Use = _PLAINLY,
        *,
        parent: Expression | None = None,
        may_be_guarded: bool = True,
        jumps: tuple[str, ...] = (),
        end: int | None = None,
    ) -> None:
        """Ask the templates about an expression, if its unit is wanted and it stands in the file, up to an ``end``.

        Nothing of the specification is edited, and nothing that draws an input: the inputs would be others.
        """
        span = self._source.span_of(e)
        functions = self._around.program.functions
        if unit not in self._wanted or span is None:
            return
        if any(
            _states(part) or is_input_drawn_in_dialect(part, functions) for part in goto_subexpressions(e)
        ):
            return
        site = TemplateSite(
            node=e,
            role=role,
            unit=unit,
            around=self._around,
            scope=scope,
            span=(span[0], span[1] if end is None else end),
            text=self._source.text[slice(*span)],
            parent=parent,
            is_operand=used.is_operand,
            aims=used.aims,
            is_unused=used.is_unused,
            may_be_guarded=may_be_guarded,
            jumps=jumps,
        )
        self._edit(site)

    def _edit(self, site: TemplateSite[Any]) -> None:
        """Collect the edits at a site."""
        for one in templates_for(site.role, type(site.node)):
            for change in one.changes(site):
                self._collect(one, site, change)

    def _collect(self, one: Template, site: TemplateSite[Any], change: TemplateChange) -> None:
        """Keep a change as a candidate. Parentheses are part of what is edited, and stay."""
        unit = site.unit if change.unit is None else change.unit
        at = site.span if change.at is None else change.at
        span = at if isinstance(at, tuple) else self._source.span_of(at)
        if unit is None or unit not in self._wanted or span is None:
            return
        below = self._defined_below
        if below and any(below.get(word, -1) > span[0] for word in WORD.findall(change.text)):
            return
        if edit_writes_assumed_input(change.text, self._source.text[span[0] : span[1]], self._assumed):
            return
        if change.form == "expression":
            if self._around.opposite.get(span) == change.text:
                return
            if not change.guard and is_enclosed_text(self._source.text[span[0] : span[1]]):
                change = replace(change, text=operand_text(change.text))
        self.found.append(
            candidate_made_by(one, change, unit, self._around.function.location.file, span, site)
        )
