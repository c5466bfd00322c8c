"""Units under test: found in the typed tree in source order, before any code is lowered.

for (i = 0; i < n; i++) s += i;   ->   U1 i = 0   U2 i < n   U3 i++   U4 s += i
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, TypeAlias, assert_never, cast, final

from cfrontend.errors import Location
from cfrontend.goto import direct_goto_subexpressions
from cfrontend.lower import dialect
from cfrontend.lower.specification import only_specification_functions
from cfrontend.record import dataclass
from cfrontend.settings import VARIANT
from cfrontend.source.contract import has_harness_contract, is_harness_contract
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.body_facts import BodyFacts, fact_of_body
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.source_text import source_text_of_span
from cfrontend.syntax.tree import Expression, Statement
from cfrontend.units import Unit, UnitId, UnitKind

Granularity: TypeAlias = Literal["statement", "condition", "labelled"]

_LABEL = re.compile(r"/\*\s*([A-Za-z]{1,3}\d+)\s*\*/|//\s*([A-Za-z]{1,3}\d+)\s*$")


@final
@dataclass(frozen=True, slots=True)
class NumberedUnits:
    """The units, and which unit each node of the tree is (by identity of the node).

    ``calls`` has the calls whose result is the value of a unit, ``numbers`` the units of each function.
    """

    units: tuple[Unit, ...]
    by_node: Mapping[int, UnitId]
    calls: Mapping[int, UnitId]
    numbers: Mapping[str, Sequence[UnitId]]

    def of(self, node: object) -> UnitId | None:
        """The unit that a node is, or None."""
        return self.by_node.get(id(node))


def number_units(
    program: tree.TranslationUnit, granularity: Granularity, facts: BodyFacts | None = None
) -> NumberedUnits:
    """The units of every function of the program's own files but harnesses, ids from 1 in source order."""
    found: list[Unit] = []
    nodes: list[int] = []
    calls: dict[int, int] = {}
    without = _without_units(program)
    for f in program.functions.values():
        if f.body is not None and f.name not in without:
            one = fact_of_body(
                facts,
                ("units", f.name, granularity),
                f.body,
                partial(_found_units, f.name, f.body, program.files, granularity),
            )
            calls.update({call: len(found) + place for call, place in one.calls.items()})
            found += one.found
            nodes += one.nodes
    units = _labelled(found, program.files)
    kept = [i for i, unit in enumerate(units) if granularity != "labelled" or unit.label is not None]
    numbered = tuple(replace(units[i], id=n) for n, i in enumerate(kept, start=1))
    new = {i: n for n, i in enumerate(kept, start=1)}
    calls = {call: new[i] for call, i in calls.items() if i in new}
    by_function: defaultdict[str, list[UnitId]] = defaultdict(list)
    for unit in numbered:
        by_function[unit.function].append(unit.id)
    return NumberedUnits(numbered, {nodes[i]: n for i, n in new.items()}, calls, by_function)


def _without_units(program: tree.TranslationUnit) -> frozenset[str]:
    """The functions of the library and of systems' headers, harnesses, and what only their conditions call."""
    foreign = {name for name, f in program.functions.items() if is_preprocessed_foreign_file(f.location.file)}
    files = {file for file, lines in program.files.items() if has_harness_contract(lines)}
    harnesses = {
        name
        for name, f in program.functions.items()
        if f.location.file in files and is_harness_contract(f.location, program.files)
    }
    return only_specification_functions(program.functions, sorted(harnesses)) | harnesses | foreign


def _labelled(units: list[Unit], files: Mapping[str, tuple[str, ...]]) -> list[Unit]:
    """Give the label on a line to the last unit that starts on it."""
    last = {(u.location.file, u.location.line): i for i, u in enumerate(units)}
    result = list(units)
    for (file, line), i in last.items():
        lines = files.get(file, ())
        match = _LABEL.search(lines[line - 1]) if 0 < line <= len(lines) else None
        if match:
            result[i] = replace(result[i], label=match[1] or match[2])
    return result


def _found_units(
    function: str, body: tree.Compound, files: Mapping[str, tuple[str, ...]], granularity: Granularity
) -> _UnitFinder:
    """The units of one function, without numbers."""
    finder = _UnitFinder(function, files, with_operands=granularity == "condition")
    finder.statement(body)
    return finder


@final
class _UnitFinder:
    """Walk through the statements of a function in source order; ``found`` and ``nodes`` are parallel.

    ``calls`` has the places in them of the units whose value is that of a call.
    """

    def __init__(self, function: str, files: Mapping[str, tuple[str, ...]], *, with_operands: bool) -> None:
        self.files = files
        self.with_operands = with_operands
        self.function = function
        self.found: list[Unit] = []
        self.nodes: list[int] = []
        self.calls: dict[int, int] = {}

    def add(self, node: object, kind: UnitKind, location: Location) -> None:
        """Record ``node`` as a unit."""
        unit = Unit(
            id=0, kind=kind, function=self.function, location=location, text=self._text(node, location)
        )
        self.found.append(unit)
        self.nodes.append(id(node))

    def _text(self, node: object, location: Location) -> str:
        """The source text of a unit; of one within a macro, what it is there, in the line that uses the macro."""
        text = source_text_of_span(self.files, location)
        within = _printed(node) if location.column is None else ""
        return f"{within} in {text.rstrip(';')}" if within else text

    def value_of_last(self, e: Expression) -> None:
        """``e`` is the value of the unit found last, or does what that unit is there for."""
        call = queries.syntax_below_conversions(e)
        if isinstance(call, tree.Call):
            self.calls[id(call)] = len(self.found) - 1

    def statement(self, s: Statement) -> None:
        """Find the units of a statement and of all below it."""
        match s:
            case tree.Compound():
                for item in s.items:
                    self.statement(item)
            case tree.Declaration():
                if s.initializer is not None:
                    if s.is_written:
                        self.add(s, "initialiser", s.location)
                        for write in s.initializer.items:
                            self.value_of_last(write.value)
                    for write in s.initializer.items:
                        self.inside(write.value)
            case tree.ExpressionStatement():
                self.expression_statement(s)
            case tree.If() if _is_variant(s.condition):
                pass  # put in before another statement
            case tree.If():
                self.condition(s.condition)
                self.statement(s.then)
                if s.otherwise is not None:
                    self.statement(s.otherwise)
            case tree.While():
                self.condition(s.condition)
                self.statement(s.body)
            case tree.DoWhile():
                self.statement(s.body)
                self.condition(s.condition)
            case tree.For():
                self.for_loop(s)
            case tree.Switch():
                self.condition(s.selector)
                self.statement(s.body)
            case tree.Case() | tree.Default() | tree.Label():
                self.statement(s.body)
            case tree.Return():
                if s.value is not None:
                    self.add(s, "return", s.location)
                    self.value_of_last(s.value)
                    self.inside(s.value)
            case tree.Empty() | tree.Goto() | tree.Break() | tree.Continue():
                pass
            case _:
                assert_never(s)

    def for_loop(self, s: tree.For) -> None:
        """Start, condition, step, body."""
        for item in s.start:
            self.statement(item)
        if s.condition is not None:
            self.condition(s.condition)
        if s.step is not None:
            self.add(s.step, _kind(s.step), s.step.location)
            self.inside(s.step)
        self.statement(s.body)

    def expression_statement(self, s: tree.ExpressionStatement) -> None:
        """A unit unless it states a property, an assumption or nothing at all."""
        if not (
            dialect.is_specification_in_dialect(s.expression)
            or _is_nothing(s.expression)
            or _is_put_in(s.expression)
        ):
            self.add(s.expression, _kind(s.expression), s.location)
            done = s.expression
            self.value_of_last(done.value if isinstance(done, tree.Assign | tree.CompoundAssign) else done)
        self.inside(s.expression)

    def condition(self, e: Expression) -> None:
        """Number the condition of a statement as a unit, unless an edit has inserted it."""
        if not _is_variant(e):
            self.add(e, "condition", e.location)
        self.inside(e)

    def inside(self, top: Expression) -> None:
        """Units inside an expression: statement expressions, and operands where they were asked for."""
        stack = [top]
        while stack:
            e = stack.pop()
            if (
                isinstance(e, tree.StatementExpression)
                and (condition := dialect.asserted_condition_in_dialect(e)) is not None
            ):
                stack.append(condition)
                continue
            if isinstance(e, tree.StatementExpression) and not e.is_written:
                stack += [part for item in reversed(e.body.items) for part in _parts(item)]
            elif isinstance(e, tree.StatementExpression):
                self.statement(e.body)
                if e.result is not None:
                    self.add(e.result, _kind(e.result), e.result.location)
            if self.with_operands:
                self.operand_units(e)
            stack.extend(reversed(direct_goto_subexpressions(e)))

    def operand_units(self, e: Expression) -> None:
        """The operands of ``&& ||`` and the parts of ``?:``."""
        parts: tuple[Expression, ...] = ()
        if isinstance(e, tree.Logical):
            parts = (e.left, e.right)
        elif isinstance(e, tree.Conditional):
            parts = (e.condition, e.then, e.otherwise)
        for part in parts:
            if not isinstance(part, tree.Logical | tree.Conditional) and id(part) not in self.nodes:
                self.add(part, "condition", part.location)


def _printed(node: object) -> str:
    """A unit as C text that nobody wrote; empty where that is no one expression."""
    match node:
        case tree.Declaration(initializer=tree.Initializer(items=(item,))):
            return f"{node.symbol.name} = {print_syntax(queries.syntax_below_conversions(item.value))}"
        case tree.Return(value=tree.SyntaxTreeNode() as value):
            return f"return {print_syntax(queries.syntax_below_conversions(value))}"
        case tree.SyntaxTreeNode():
            return print_syntax(queries.syntax_below_conversions(cast("Expression", node)))
        case _:
            return ""


def _parts(s: Statement) -> list[Expression]:
    """The expressions of a declaration or an expression statement."""
    if isinstance(s, tree.Declaration) and s.initializer is not None:
        return [item.value for item in s.initializer.items]
    return [s.expression] if isinstance(s, tree.ExpressionStatement) else []


def _kind(e: Expression) -> UnitKind:
    match e:
        case tree.Assign() | tree.CompoundAssign() | tree.IncDec():
            return "assignment"
        case tree.Call():
            return "call"
        case tree.Cast():
            return _kind(e.operand)
        case _:
            return "expression"


def _is_nothing(e: Expression) -> bool:
    """True if an expression is a constant thrown away, such as ``((void)0)``."""
    return isinstance(queries.syntax_below_conversions(e), tree.IntConstant)


def _is_put_in(e: Expression) -> bool:
    """True if an expression is a statement inserted by an edit: one variant of the program has it, others nothing."""
    e = queries.syntax_below_conversions(e)
    return isinstance(e, tree.Conditional) and _is_variant(e.condition) and _is_nothing(e.otherwise)


def _is_variant(e: Expression) -> bool:
    """True if an expression asks which variant of an edited program is executed."""
    e = queries.syntax_below_conversions(e)
    chosen = queries.syntax_below_conversions(e.left) if isinstance(e, tree.Binary) else e
    return isinstance(chosen, tree.VariableRef) and chosen.symbol.key == VARIANT
