"""Edits that may repair a faulty unit: what the templates make of each site of a function.

if (i <= n) s += a[i];   ->   i < n,  i == n,  i <= n - 1,  s -= a[i],  s += a[i - 1],  without s += a[i], ...
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final, final

from cfrontend.edit.assumed_inputs import (
    assumed_inputs_of_function,
    edit_writes_assumed_input,
    is_computed_from_input,
    is_of_numbers,
)
from cfrontend.edit.call_templates import call_template_argument_texts
from cfrontend.edit.candidate import Candidate, candidate_made_by, candidate_seldomness
from cfrontend.edit.every_place import edits_at_every_place
from cfrontend.edit.expression_templates import RELATIONAL
from cfrontend.edit.file_definitions import names_defined_below
from cfrontend.edit.ingredients import is_ingredient_truth_or_bool
from cfrontend.edit.names_in_scope import NamesInScope, Scope
from cfrontend.edit.registry import templates_for
from cfrontend.edit.site_context import SiteContext, SiteUse
from cfrontend.edit.statements_in_scope import StatementsInScope
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
    statements = {path: StatementsInScope(program, path, source) for path, source in sources.items()}
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
            statements=statements[function.location.file],
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
        if isinstance(e, tree.Binary) and e.op in RELATIONAL:
            sides = (queries.syntax_below_implicit_conversions(side) for side in (e.left, e.right))
            left, right = (source.span(side.location) for side in sides)
            if left is not None and right is not None:
                found[left], found[right] = source.text[slice(*right)], source.text[slice(*left)]
    return found


def _candidates(
    body: tree.Compound, around: TemplateSurroundings, wanted: Collection[UnitId]
) -> Iterable[Candidate]:
    """The candidates in a function's ``body``, first those of its expressions and of what may be missing."""
    visible = [v.symbol for v in around.program.variables if _is_visible(v.symbol, around.function)]
    scope = {s.name: s for s in (*visible, *around.function.parameters) if s.key not in around.unnamed}
    walk = _Walk(body, around, wanted)
    walk.statement(body, scope, None, SiteContext())
    walk.structure(body)
    return walk.found


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


def _has_specification(node: Expression | tree.Statement) -> bool:
    """True for an expression in which an assumption or an assertion stands."""
    return isinstance(node, tree.SyntaxTreeNode) and any(map(_states, goto_subexpressions(node)))


def _states(e: Expression) -> bool:
    """True for a call that states an assumption or an assertion: it is the specification, which no edit changes."""
    return callee_name_in_dialect(e) in _STATING


_PLAINLY: Final = SiteUse()
_FOR_ITS_EFFECT: Final = SiteUse(is_unused=True)


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

    def statement(self, s: tree.Statement, scope: Scope, unit: UnitId | None, inside: SiteContext) -> None:
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
                site = self._site(s.expression, "effect", scope, own)
                self._ask(replace(site, may_be_guarded=inside.may_be_guarded))
                self.value(s.expression, scope, own, _FOR_ITS_EFFECT)
            case tree.Return():
                if s.value is not None:
                    self._ask(self._site(s.value, "result", scope, unit))
                    self.value(s.value, scope, unit, _PLAINLY)
                    self._given(s.value, "given", scope, unit)
            case tree.Switch():
                self.value(s.selector, scope, self._units.of(s.selector), _PLAINLY)
                self._below(s, scope, inside.switch)
            case _:
                self._below(s, scope, inside.plain)

    def _below(self, s: tree.Statement, scope: Scope, inside: SiteContext) -> None:
        """The sites in the statements that stand directly in one."""
        for part in queries.syntax_statements_in(s):
            self.statement(part, dict(scope), None, inside)

    def _block(self, block: tree.Compound, scope: Scope, inside: SiteContext) -> Scope:
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
            self._ask(self._site(e, "block end", inner, self._units.of(e)))
        return inner

    def _loop(self, loop: tree.While | tree.DoWhile | tree.For, scope: Scope) -> None:
        """Ask the templates for code that is missing before a loop."""
        span = self._source.span(loop.location)
        unit = None if loop.condition is None else self._units.of(loop.condition)
        if span is not None:
            site = TemplateSite(
                node=loop,
                role="loop",
                unit=unit,
                around=self._around,
                scope=scope,
                span=(span[0], span[0]),
                text="",
            )
            self._ask(site)

    def _branch(self, s: tree.Statement | None, scope: Scope, inside: SiteContext) -> None:
        """Ask the templates for a jump that is missing at the end of a branch."""
        while isinstance(s, tree.Compound) and s.items:
            s = s.items[-1]
        if not isinstance(s, tree.ExpressionStatement):
            return
        site = self._site(s.expression, "branch", scope, self._units.of(s.expression))
        behind = None if site.span is None else _BEHIND.match(self._source.text, site.span[1])
        if site.span is not None and behind is not None:
            self._ask(replace(site, span=(site.span[0], behind.end()), jumps=inside.jumps))

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
        constant = queries.syntax_below_implicit_conversions(e)
        span = self._around.source.span(constant.location)
        is_text = span is not None and self._around.source.text[span[1] - 1] == '"'
        return is_text and isinstance(constant, tree.IntConstant)

    # -- expressions -------------------------------------------------------------------------------------------

    def _condition(self, e: Expression, scope: Scope) -> None:
        """A test, and what is in it."""
        site = self._site(e, "condition", scope, self._units.of(e))
        if site.span is not None:
            self._ask(site)
        self.value(e, scope, site.unit, _PLAINLY)

    def value(self, e: Expression, scope: Scope, unit: UnitId | None, used: SiteUse) -> None:
        """The sites in an expression whose value is used; a place is not replaced by a value."""
        if _states(e):
            return
        unit = self._units.of(e) or unit
        if isinstance(e, tree.Call):
            used = replace(used, aims=True)
        if unit in self._wanted:
            site = self._site(e, "place" if used.is_place else "value", scope, unit, used)
            self._ask(site)
            self._parts(site)
            if used.is_operand and not used.is_place and isinstance(e, _OPERANDS):
                self._ask(replace(site, role="operand"))
        implicit = isinstance(e, tree.Cast) and e.implicit
        inner = SiteUse(is_operand=used.is_operand or not implicit, aims=used.aims)
        self._inside(e, scope, unit, inner)

    def _parts(self, site: TemplateSite[Expression]) -> None:
        """Ask the templates about the parts of an expression, as sites of their own."""
        match e := site.node:
            case tree.Binary() if e.op in RELATIONAL:
                self._part(site, e.right, "amount")
            case tree.Logical():
                self._part(site, e.left, "part")
                self._part(site, e.right, "part")
            case tree.CompoundAssign():
                self._part(site, e.value, "amount")
            case tree.Assign():
                self._part(site, e.value, "given")
                if is_ingredient_truth_or_bool(e.value):
                    self._part(site, e.value, "truth")
            case tree.Conditional():
                self._part(site, e.condition, "truth")
            case tree.Index():
                self._part(site, e.index, "amount")
            case tree.Call() if call_template_argument_texts(e, site) is not None:
                for argument in e.arguments:
                    self._part(site, argument, "argument")
            case _:
                pass

    def _inside(self, e: Expression, scope: Scope, unit: UnitId | None, used: SiteUse) -> None:
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
            inner = self._block(e.body, scope, SiteContext())
            if e.result is not None:
                unit = self._units.of(e.result)
                self.value(e.result, inner, unit, _PLAINLY)
                self._given(e.result, "given", inner, unit)

    def _given(self, e: Expression, role: Role, scope: Scope, unit: UnitId | None) -> None:
        """Ask the templates about a value that a variable or the caller gets, and about a truth value as such."""
        site = self._site(e, role, scope, unit)
        self._ask(site)
        if is_ingredient_truth_or_bool(e):
            self._ask(replace(site, role="truth"))

    # -- sites -------------------------------------------------------------------------------------------------

    def _site(
        self,
        e: Expression,
        role: Role,
        scope: Scope,
        unit: UnitId | None,
        used: SiteUse = _PLAINLY,
        parent: Expression | None = None,
    ) -> TemplateSite[Expression]:
        """An expression as a site."""
        span = self._source.span(queries.syntax_below_implicit_conversions(e).location)
        text = None if span is None else self._source.text[span[0] : span[1]]
        return TemplateSite(
            node=e,
            role=role,
            unit=unit,
            around=self._around,
            scope=scope,
            span=span,
            text=text,
            parent=parent,
            is_operand=used.is_operand,
            aims=used.aims,
            is_unused=used.is_unused,
        )

    def _part(self, site: TemplateSite[Expression], e: Expression, role: Role) -> None:
        """Ask about a part of the expression of a site."""
        used = SiteUse(is_operand=site.is_operand, aims=site.aims)
        self._ask(self._site(e, role, site.scope, site.unit, used, site.node))

    def _ask_of_statements(
        self, node: tree.Statement | tuple[tree.Statement, tree.Statement], role: Role
    ) -> None:
        """Ask the templates about one or two statements, whose units they know themselves."""
        site = TemplateSite(
            node=node, role=role, unit=None, around=self._around, scope={}, span=None, text=None
        )
        for one in templates_for(role, type(node)):
            for change in one.edits(site):
                self._collect(one, site, change)

    def _ask(self, site: TemplateSite[Any]) -> None:
        """Ask the templates about a site, if its unit is wanted, and nothing of the specification stands in it.

        Where an input is drawn, only what is missing before it is asked for.
        """
        if site.unit not in self._wanted or _has_specification(site.node):
            return
        if site.role == "loop" or not self._draws_an_input(site.node):
            for one in templates_for(site.role, type(site.node)):
                for change in one.edits(site):
                    self._collect(one, site, change)

    def _draws_an_input(self, node: Expression | tree.Statement) -> bool:
        """True where an input is drawn, as by ``n = nondet_int()``: an edit there makes the inputs others."""
        defined = self._around.program.functions
        return isinstance(node, tree.SyntaxTreeNode) and any(
            is_input_drawn_in_dialect(e, defined) for e in goto_subexpressions(node)
        )

    def _collect(self, one: Template, site: TemplateSite[Any], change: TemplateChange) -> None:
        """Keep a change as a candidate. Parentheses are part of what is edited, and stay."""
        unit = site.unit if change.unit is None else change.unit
        span = self._span(site, change.at)
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

    def _span(self, site: TemplateSite[Any], at: Expression | Span | None) -> Span | None:
        """The characters that a change of a site replaces."""
        if at is None or isinstance(at, tuple):
            return site.span if at is None else at
        return self._source.span(queries.syntax_below_implicit_conversions(at).location)
