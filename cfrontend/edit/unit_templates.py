"""Edits that may repair a faulty unit.

if (i <= n) s += a[i];   ->   i < n,  i == n,  i <= n - 1,  s -= a[i],  s += a[i - 1],  without s += a[i], ...
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Final, final

from cfrontend import goto
from cfrontend.edit.candidate import NOTHING, Candidate, Size
from cfrontend.edit.expression_templates import (
    accumulated,
    extremes,
    headers,
    is_empty,
    is_enclosed,
    misread,
    normalized,
    operand,
    regrouped,
    relatives,
    tested,
    variables_alone,
)
from cfrontend.edit.guard_templates import divisors_in, guards, leaving, pointers_in, ways_out
from cfrontend.edit.ingredients import is_word, named_constant, parts, used_type
from cfrontend.edit.names_in_scope import Nameable, Scope
from cfrontend.edit.statement_templates import restructured
from cfrontend.edit.text import SourceText
from cfrontend.lower.number_units import UnitTable
from cfrontend.settings import HOLE
from cfrontend.source.preprocess import is_foreign
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression, Symbol
from cfrontend.syntax.types import (
    INT,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    VoidType,
)
from cfrontend.units import UnitId

_RELATIONAL: Final = ("<", "<=", ">", ">=", "==", "!=")
_ARITHMETIC: Final = ("+", "-", "*", "/", "%")
_BITWISE: Final = ("&", "|", "^")
_SHIFTS: Final = ("<<", ">>")
_SCANNING: Final = frozenset({"scanf", "fscanf", "sscanf"})
"""Functions that take addresses of what they store."""

GROUPS: Final = (_RELATIONAL, _ARITHMETIC, _BITWISE, _SHIFTS)

_BINDING: Final = {
    op: strength
    for strength, ops in enumerate(
        (
            ("||",),
            ("&&",),
            ("|",),
            ("^",),
            ("&",),
            ("==", "!="),
            ("<", "<=", ">", ">="),
            _SHIFTS,
            ("+", "-"),
            ("*", "/", "%"),
        )
    )
    for op in ops
}
"""How strongly an operator binds."""

INTEGER: Final = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*|'(?:[^'\\]|\\.)'")
_BEHIND: Final = re.compile(r"\s*;")
_DECLARING: Final = re.compile(r"[\w\s*]*")
"""What stands before the name that is declared."""

_LOOPS: Final = (tree.While, tree.DoWhile, tree.For)

_MOST_FUNCTIONS: Final = 6
"""Functions that a variable is handed to."""


def find_candidates(
    program: tree.TranslationUnit,
    units: UnitTable,
    sources: Mapping[str, SourceText],
    wanted: Collection[UnitId],
    unwritten: Collection[str] = (),
) -> tuple[Candidate, ...]:
    """All candidates for the ``wanted`` units of the functions in ``sources``, without repetitions.

    ``unwritten`` are variables that failing runs read before they are written, by their keys up to a ``#``.
    """
    found: dict[tuple[str, int, int, str], Candidate] = {}
    nameable = {path: Nameable(program, path, source) for path, source in sources.items()}
    for function in program.functions.values():
        source = sources.get(function.location.file)
        if function.body is None or source is None:
            continue
        near = nameable[function.location.file]
        finder = _Finder(program, units, function, source, near, wanted, unwritten)
        visible = [v.symbol for v in program.variables if _is_visible(v.symbol, function)]
        scope = {s.name: s for s in (*visible, *function.parameters)}
        finder.survey(function.body)
        finder.statement(function.body, scope, None)
        finder.structure(function.body)
        for c in finder.found:
            found.setdefault((c.file, c.start, c.end, _plain(c.whole)), c)
    return tuple(c for c in found.values() if _plain(c.whole) != _plain(c.replaced(sources[c.file])))


def _is_visible(symbol: Symbol, function: tree.Function) -> bool:
    """Whether a static variable can be named in a function: one of its own, or of the program's files above it."""
    if symbol.function is not None:
        return symbol.function == function.name
    where = symbol.location
    if where.file == function.location.file:
        return where.line < function.location.line
    return not is_foreign(where.file)


def _functions_above(program: tree.TranslationUnit, function: tree.Function) -> tuple[tree.Function, ...]:
    """The functions of the same file that are defined above ``function``: all others may be unknown there."""
    return tuple(
        other
        for other in program.functions.values()
        if other.location.file == function.location.file and other.location.line < function.location.line
    )


def _first_expression(s: tree.Statement) -> Expression | None:
    """What a statement evaluates first."""
    match s:
        case tree.ExpressionStatement():
            return s.expression
        case tree.If() | tree.While():
            return s.condition
        case tree.For(start=(first, *_)):
            return _first_expression(first)
        case tree.For():
            return s.condition
        case tree.Switch():
            return s.selector
        case tree.Return():
            return s.value
        case tree.Declaration(initializer=tree.Initializer(items=(first, *_))):
            return first.value
        case _:
            return None


def _plain(text: str) -> str:
    return "".join(text.split())


def _leads_to_an_element(e: Expression) -> bool:
    """Whether it is a pointer to a number that may stand beside others: no null pointer, nor one variable's address."""
    return (
        isinstance(e.type, PointerType)
        and isinstance(e.type.target, IntType | FloatType)
        and not isinstance(tree.written(e), tree.AddressOf | tree.Decay)
        and not isinstance(tree.unconverted(e), tree.IntConstant)
    )


def _suffix(ctype: CType) -> str:
    """What a constant of this type ends in."""
    if not isinstance(ctype, IntType) or (ctype.rank <= INT.rank and ctype.signed):
        return ""
    return ("" if ctype.signed else "u") + "l" * (ctype.rank - INT.rank)


@final
class _Finder:
    """Walks one function."""

    def __init__(
        self,
        program: tree.TranslationUnit,
        units: UnitTable,
        function: tree.Function,
        source: SourceText,
        nameable: Nameable,
        wanted: Collection[UnitId],
        unwritten: Collection[str],
    ) -> None:
        self._nameable = nameable
        self._program = program
        self._units = units
        self._function = function
        self._file = function.location.file
        self._above = _functions_above(program, function)
        self._source = source
        self._included = headers(source.text)
        self._wanted = wanted
        self._unwritten = unwritten
        self._is_operand = False
        self._aims = False
        self._reads: dict[str, list[int]] = {}
        self._loops: list[tuple[int, int]] = []
        self._leaves = False
        self._loops_around = False
        self._unguarded: tree.Statement | None = None
        self._is_first = True
        self._unused: Expression | None = None
        self._opposite: dict[tuple[int, int], str] = {}
        self.found: list[Candidate] = []

    def survey(
        self, node: tree.Node | tree.StatementNode, *, is_target: bool = False, is_place: bool = False
    ) -> None:
        """Note where variables are read and where loops are; a variable is read by all that does not only write it.

        One whose address is taken, or that stands within a macro, may be read anywhere.
        """
        span = self._source.span(node.location)
        if isinstance(node, _LOOPS) and span is not None:
            self._loops.append(span)
        if isinstance(node, tree.VariableRef) and not is_target:
            anywhere = is_place or span is None
            at = len(self._source.text) if anywhere or span is None else span[0]
            self._reads.setdefault(node.symbol.key, []).append(at)
        place = is_place or isinstance(node, tree.AddressOf | tree.Decay)
        for part in parts(node):
            if isinstance(part, tree.Node | tree.StatementNode):
                target = isinstance(node, tree.Assign) and part is node.target
                self.survey(part, is_target=target, is_place=place)
            elif isinstance(part, tree.Initializer):
                for item in part.items:
                    self.survey(item.value)

    # -- walk ------------------------------------------------------------------------------------------------

    def statement(self, s: tree.Statement, scope: Scope, unit: UnitId | None) -> None:
        """Candidates in a statement; declarations in it are added to ``scope``."""
        unit = self._units.of(s) or unit
        match s:
            case tree.Compound():
                inner = dict(scope)
                for item in s.items:
                    if isinstance(item, _LOOPS):
                        self._before(item, inner)
                    self._left(item, s is self._function.body)
                    self.statement(item, inner, None)
                if s.items and isinstance(last := s.items[-1], tree.ExpressionStatement):
                    self._addition(last.expression, inner, self._units.of(last.expression), behind=True)
            case tree.Declaration():
                for part in s.initializer.items if s.initializer is not None else ():
                    self.value(part.value, scope, unit)
                    self._given(part.value, scope, unit)
                if s.is_written:
                    scope[s.symbol.name] = s.symbol
            case tree.For():
                inner = dict(scope)
                for start in s.start:
                    self._unguarded = start
                    self.statement(start, inner, None)
                if s.condition is not None:
                    self.condition(s.condition, inner)
                if s.step is not None:
                    self._unused = s.step
                    self.value(s.step, inner, self._units.of(s.step))
                with self._inside(loop=True):
                    self.statement(s.body, inner, None)
            case tree.If():
                self.condition(s.condition, scope)
                if s.otherwise is not None and isinstance(s.then, tree.ExpressionStatement):
                    self._unguarded = s.then  # what is guarded would take the ``else``
                self._jumps(s.then)
                self._jumps(s.otherwise)
                self._statements_below(s, scope)
            case tree.While() | tree.DoWhile():
                self.condition(s.condition, scope)
                with self._inside(loop=True):
                    self._statements_below(s, scope)
            case tree.ExpressionStatement():
                own = self._units.of(s.expression) or unit
                self._add(own, s.expression, NOTHING, "large", is_unused=True)
                if s is not self._unguarded:
                    self._guards(s.expression, scope, own)
                self._addition(s.expression, scope, own)
                self._unused = s.expression
                self.value(s.expression, scope, own)
            case tree.Return():
                if s.value is not None:
                    self._addition(s.value, scope, unit)
                    self.value(s.value, scope, unit)
                    self._given(s.value, scope, unit)
            case tree.Switch():
                self.value(s.selector, scope, self._units.of(s.selector))
                with self._inside(loop=False):
                    self._statements_below(s, scope)
            case _:
                self._statements_below(s, scope)

    @contextmanager
    def _inside(self, *, loop: bool) -> Iterator[None]:
        """The body of a loop, or of a switch: what a jump leaves there."""
        before = self._leaves, self._loops_around
        self._leaves, self._loops_around = True, self._loops_around or loop
        yield
        self._leaves, self._loops_around = before

    def _statements_below(self, s: tree.Statement, scope: Scope) -> None:
        for part in tree.statements_in(s):
            self.statement(part, dict(scope), None)

    def condition(self, e: Expression, scope: Scope) -> None:
        """A test: also its negation and its constants."""
        self._is_operand = False
        unit, span = self._units.of(e), self._span(e)
        if unit in self._wanted and span is not None:
            text = self._source.text[span[0] : span[1]]
            words = self._nameable.words(span[0], scope, text)
            self._add(unit, e, f"!({text})", "small", binds=True, is_odd=True, is_test=True)
            self._compares(e, unit)
            self._pointer_itself(e, unit)
            self._add(unit, e, "1", "large", is_test=True)
            self._add(unit, e, "0", "large", is_test=True)
            self._bounded(e, text, unit)
            self._guarded(e, text, words, unit)
            self._joined(e, text, (*self._nameable.flags(span[0], scope, text), *words), unit)
            for one in tested(e, text, HOLE):
                self._add(unit, e, one, "large", is_test=True)
            self._addition(e, scope, unit, is_test=True)
        self.value(e, scope, unit)

    def _compares(self, e: Expression, unit: UnitId | None) -> None:
        """A test that assigns compares."""
        assigned = tree.unconverted(e)
        if isinstance(assigned, tree.Assign):
            one, two = self._of(assigned.target), self._of(assigned.value)
            if one is not None and two is not None:
                self._add(unit, e, f"{one} == {operand(two)}", "small", is_test=True)

    def _pointer_itself(self, e: Expression, unit: UnitId | None) -> None:
        """``while (p)`` for ``while (p->next)``."""
        tested = tree.unconverted(e)
        if isinstance(tested, tree.MemberAccess) and isinstance(tested.base, tree.Deref):
            pointer = self._of(tested.base.pointer)
            if pointer is not None:
                self._add(unit, e, pointer, "large", is_test=True)

    def value(
        self,
        e: Expression,
        scope: Scope,
        unit: UnitId | None,
        *,
        is_place: bool = False,
        is_operand: bool = False,
    ) -> None:
        """Candidates in an expression whose value is used; a place is not replaced by a value."""
        unit = self._units.of(e) or unit
        self._is_operand = is_operand
        self._named_constant(e, unit)
        if not is_place:
            self._normalized(e, unit)
        match e:
            case tree.Cast(type=FloatType(), operand=tree.Binary(op="/") as quotient, implicit=True):
                self._whole_quotient(quotient, unit)
            case tree.Binary():
                self._operators(e, e.left, e.right, e.op, unit)
                self._regrouped(e, unit)
                self._misread(e, unit)
                self._operands(e, unit)
                self._compared(e, scope, unit)
                if e.op in _RELATIONAL:
                    self._note_opposite(e.left, e.right)
                    self._note_opposite(e.right, e.left)
                    self._beside(e.right, scope, unit)
            case tree.Logical():
                self._operators(e, e.left, e.right, e.op, unit)
                self._regrouped(e, unit)
                self._misread(e, unit)
                self._exchanged(e, unit)
                for part in (e.left, e.right):
                    text = self._of(part)
                    if text is not None:
                        self._add(unit, e, text, "large")
                        self._add(unit, part, f"!({text})", "small", binds=True, is_odd=True, is_test=True)
            case tree.CompoundAssign():
                self._compound(e, unit)
                self._targets(e, e.target, scope, unit)
                self._beside(e.value, scope, unit)
            case tree.Assign():
                self._targets(e, e.target, scope, unit)
                for one in accumulated(e, self._of):
                    self._add(unit, e, one, "small")
                for one in extremes(e, self._of):
                    self._add(unit, e.value, one, "large")
                self._given(e.value, scope, unit)
            case tree.IncDec():
                self._step(e, unit)
                self._targets(e, e.target, scope, unit)
            case tree.IntConstant():
                self._constant(e, unit)
                self._meant(e, scope, unit)
            case tree.VariableRef() if not is_place:
                self._variable(e, scope, unit)
                self._meant(e, scope, unit)
            case tree.FunctionRef():
                self._function_named(e, unit)
            case tree.MemberAccess() if not is_place:
                self._member(e, unit)
                self._handed_on(e, unit)
                self._meant(e, scope, unit)
            case tree.Deref() if not is_place:
                self._handed_on(e, unit)
                self._meant(e, scope, unit)
            case tree.Index():
                if not is_place:
                    self._handed_on(e, unit)
                    self._meant(e, scope, unit)
                self._beside(e.index, scope, unit)
            case tree.Call():
                with self._acting():
                    self._call(e, scope, unit)
            case _:
                pass
        implicit = isinstance(e, tree.Cast) and e.implicit
        self._below(e, scope, unit, is_operand=is_operand or not implicit)

    def _below(self, e: Expression, scope: Scope, unit: UnitId | None, *, is_operand: bool) -> None:
        match e:
            case tree.Assign() | tree.CompoundAssign():
                self._target(e.target, scope, unit)
                # A variable that is given to itself is a statement that is taken out.
                others = scope
                if isinstance(e.target, tree.VariableRef) and isinstance(
                    tree.written(e.value), tree.VariableRef
                ):
                    others = {n: s for n, s in scope.items() if s.key != e.target.symbol.key}
                self.value(e.value, others, unit)
            case tree.IncDec():
                self._target(e.target, scope, unit)
            case tree.AddressOf() | tree.Decay():
                self.value(e.operand, scope, unit, is_place=True)
            case tree.MemberAccess():
                self.value(e.base, scope, unit, is_place=True)
            case tree.Index():
                self.value(e.base, scope, unit, is_place=True)
                self.value(e.index, scope, unit)
            case tree.Call():
                with self._acting():
                    for argument in e.arguments:
                        self.value(argument, scope, unit)
            case tree.StatementExpression() | tree.CompoundLiteral():
                pass
            case _:
                for field in fields(e):
                    part = getattr(e, field.name)
                    if isinstance(part, tree.Node):
                        self.value(part, scope, unit, is_operand=is_operand)  # type: ignore[arg-type]

    def _target(self, e: Expression, scope: Scope, unit: UnitId | None) -> None:
        """What is written: all edits in it change the place."""
        with self._acting():
            self.value(e, scope, unit, is_place=True)

    @contextmanager
    def _acting(self) -> Iterator[None]:
        """Edits of where a unit acts, which its value cannot stand in for."""
        before, self._aims = self._aims, True
        yield
        self._aims = before

    # -- templates -------------------------------------------------------------------------------------------

    def _operators(
        self, e: Expression, left: Expression, right: Expression, op: str, unit: UnitId | None
    ) -> None:
        one, two = self._of(left), self._of(right)
        if one is None or two is None:
            return
        group: Sequence[str] = next((g for g in GROUPS if op in g), ("&&", "||"))
        if isinstance(left.type, FloatType):
            group = tuple(other for other in group if other != "%")
        if isinstance(left.type, PointerType) or isinstance(right.type, PointerType):
            group = _RELATIONAL if op in _RELATIONAL else ("+", "-") if is_word(right.type) else (op,)
        for other in group:
            if other != op and not is_empty(left, other, right):
                binds = _BINDING.get(other, 0) >= _BINDING.get(op, 0)
                self._add(unit, e, f"{operand(one)} {other} {operand(two)}", "small", binds=binds)

    def _whole_quotient(self, e: tree.Binary, unit: UnitId | None) -> None:
        """A quotient of integers that becomes a floating-point number was meant to be one."""
        one, two = self._of(e.left), self._of(e.right)
        if one is not None and two is not None and is_word(e.type):
            self._add(unit, e, f"(double){operand(one)} / {operand(two)}", "small")

    def _operands(self, e: tree.Binary, unit: UnitId | None) -> None:
        one, two = self._of(e.left), self._of(e.right)
        if one is None or two is None or e.left.type != e.right.type:
            return
        if e.op not in ("+", "*", "&", "|", "^", "==", "!="):
            self._add(unit, e, f"{operand(two)} {e.op} {operand(one)}", "small")
        if e.op not in _RELATIONAL:
            self._add(unit, e, one, "large")
            self._add(unit, e, two, "large")

    def _exchanged(self, e: tree.Logical, unit: UnitId | None) -> None:
        """The second part of a condition is tested first, as where it says whether the other one may be looked at."""
        one, two = self._of(e.left), self._of(e.right)
        if one is not None and two is not None:
            self._add(unit, e, f"{operand(two)} {e.op} {operand(one)}", "small", is_odd=True)

    def _compound(self, e: tree.CompoundAssign, unit: UnitId | None) -> None:
        one, two = self._of(e.target), self._of(e.value)
        if one is None or two is None:
            return
        group: Sequence[str] = next((g for g in GROUPS if e.op in g), ())
        if isinstance(e.target.type, PointerType):
            group = ("+", "-")
        if isinstance(e.target.type, FloatType) or isinstance(e.value.type, FloatType):
            group = tuple(other for other in group if other != "%")
        for other in group:
            if other != e.op:
                self._add(unit, e, f"{one} {other}= {two}", "small")
        if e.target.type == e.value.type or is_word(e.target.type):
            self._add(unit, e, f"{one} = {two}", "small")

    def _targets(self, e: Expression, target: Expression, scope: Scope, unit: UnitId | None) -> None:
        """Another variable is written, one that is read afterwards."""
        whole, place = self._source.span(e.location), self._source.span(target.location)
        if whole is None or place is None or not isinstance(target, tree.VariableRef):
            return
        text = self._source.text
        with self._acting():
            for symbol in self._nameable.alike(target.symbol, scope):
                new = text[whole[0] : place[0]] + symbol.name + text[place[1] : whole[1]]
                if self._is_read_after(symbol, whole[1]) and not (
                    isinstance(e, tree.Assign) and self._of(e.value) == symbol.name
                ):
                    self._add(unit, e, new, "small")

    def _note_opposite(self, e: Expression, other: Expression) -> None:
        """Nothing is compared with itself."""
        span, text = self._span(e), self._of(other)
        if span is not None and text is not None:
            self._opposite[span] = text

    def _step(self, e: tree.IncDec, unit: UnitId | None) -> None:
        text = self._of(e.target)
        if text is not None:
            own, other = ("++", "--") if e.op == "+" else ("--", "++")
            self._add(unit, e, f"{other}{text}" if e.is_prefix else f"{text}{other}", "small")
            if e is not self._unused:
                self._add(unit, e, f"{text}{own}" if e.is_prefix else f"{own}{text}", "small")

    def _constant(self, e: tree.IntConstant, unit: UnitId | None) -> None:
        text = self._of(e)
        if text is None or not INTEGER.fullmatch(text):
            return
        suffix = _suffix(e.type)
        for other in dict.fromkeys((e.value + 1, e.value - 1, 0, 1)):
            self._add(unit, e, f"{other}{suffix}", "small" if abs(other - e.value) == 1 else "large")
        if e.value:
            self._add(unit, e, f"-{text}", "small", is_odd=True)
        if is_word(e.type):
            self._add(unit, e, f"({HOLE} + 0{suffix})" if suffix else HOLE, "large")

    def _named_constant(self, e: Expression, unit: UnitId | None) -> None:
        """One more or less than a macro says, or another macro or enumerator that the file names."""
        if unit not in self._wanted or (named := named_constant(e, self._program, self._source)) is None:
            return
        for other in self._nameable.constants(named):
            self._add(unit, e, other, "small")
        if named.text not in self._program.enumerators:
            for op in ("+", "-"):
                self._add(unit, e, f"{named.text} {op} 1", "small")

    def _bounded(self, e: Expression, text: str, unit: UnitId | None) -> None:
        """A condition with a bound more, or with an exception, for each variable that it reads."""
        names = dict.fromkeys(
            part.symbol.name
            for part in goto.subexpressions(e)
            if isinstance(part, tree.VariableRef) and is_word(part.type)
        )
        for name in names:
            for joint, operators in (("&&", ("<", ">", "!=")), ("||", ("<", ">", "=="))):
                for op in operators:
                    self._add(
                        unit, e, f"({text}) {joint} {name} {op} {HOLE}", "large", is_odd=True, is_test=True
                    )

    def _guarded(self, e: Expression, text: str, words: Sequence[str], unit: UnitId | None) -> None:
        """A condition behind a test of an index, which may have one of ``words`` for a bound, or of a pointer."""
        inner, guards = list(goto.subexpressions(e)), list[str]()
        for index in (tree.written(part.index) for part in inner if isinstance(part, tree.Index)):
            if isinstance(index, tree.VariableRef):
                name = index.symbol.name
                guards += [f"{name} >= 0", f"{name} < {HOLE}", *(f"{name} < {word}" for word in words)]
        for pointer in (tree.written(part.pointer) for part in inner if isinstance(part, tree.Deref)):
            if isinstance(pointer, tree.VariableRef):
                guards.append(pointer.symbol.name)
        for guard in dict.fromkeys(guards):
            self._add(unit, e, f"{guard} && ({text})", "large", is_odd=True, is_test=True)

    def _joined(self, e: Expression, text: str, flags: Sequence[str], unit: UnitId | None) -> None:
        """A condition with one more part: one of ``flags``, which is set or is not."""
        for one in flags:
            for joint, flag in itertools.product(("&&", "||"), (f"!{operand(one)}", operand(one))):
                self._add(unit, e, f"({text}) {joint} {flag}", "large", is_odd=True, is_test=True)

    def _variable(self, e: tree.VariableRef, scope: Scope, unit: UnitId | None) -> None:
        if isinstance(e.type, StructType | FunctionType):
            return
        for symbol in self._nameable.alike(e.symbol, scope):
            self._add(unit, e, symbol.name, "small")
        self._handed_on(e, unit)

    def _handed_on(self, e: Expression, unit: UnitId | None) -> None:
        """What a function makes of a value."""
        text = self._of(e)
        for other in self._above[-_MOST_FUNCTIONS:]:
            takes_it = other.type.parameters == (e.type,) and not other.type.variadic
            if text is not None and takes_it and other.type.result == e.type:
                self._add(unit, e, f"{other.name}({text})", "large", binds=True)

    def _normalized(self, e: Expression, unit: UnitId | None) -> None:
        """A value that went through a function of the library first."""
        text = self._of(e)
        if text is not None and isinstance(
            e, tree.VariableRef | tree.Index | tree.Deref | tree.MemberAccess | tree.Binary
        ):
            for one in normalized(e, text, self._included):
                self._add(unit, e, one, "large", binds=True)

    def _meant(self, e: Expression, scope: Scope, unit: UnitId | None) -> None:
        """Another operand: a variable in the place of what is none, an element, a member or a named constant."""
        span = self._span(e)
        if unit not in self._wanted or span is None or isinstance(e.type, FunctionType | ArrayType):
            return
        for one in self._nameable.operands(e, span[0], scope, self._source.text[span[0] : span[1]]):
            self._add(unit, e, one, "large")

    def _function_named(self, e: tree.FunctionRef, unit: UnitId | None) -> None:
        """Another function of the type, where one is named and not called."""
        for other in self._above:
            if other.name != e.name and other.type == e.type and self._of(e) == e.name:
                self._add(unit, e, other.name, "small")

    def _compared(self, e: tree.Binary, scope: Scope, unit: UnitId | None) -> None:
        """Two other variables are compared, the nearest ones."""
        one, two = tree.written(e.left), tree.written(e.right)
        span = self._source.span(e.location)
        if not isinstance(one, tree.VariableRef) or not isinstance(two, tree.VariableRef) or span is None:
            return
        if one.type != two.type or e.op not in _RELATIONAL:
            return
        for left, right in self._nameable.pairs(one.symbol, two.symbol, span[0], scope):
            self._add(unit, e, f"{left} {e.op} {right}", "large", is_odd=True)

    def _is_read_after(self, symbol: Symbol, offset: int) -> bool:
        """Whether what a variable is given at ``offset`` may be read, later in the text or in the next round."""
        if symbol.function is None or symbol.storage != "auto":
            return True
        reads = self._reads.get(symbol.key, ())
        loops = [(start, end) for start, end in self._loops if start <= offset <= end]
        return any(at >= offset or any(start <= at <= end for start, end in loops) for at in reads)

    def _member(self, e: tree.MemberAccess, unit: UnitId | None) -> None:
        text = self._of(e)
        layout = self._program.structs.get(e.struct_key)
        if text is None or layout is None or not text.endswith(e.member):
            return
        for member in layout.members:
            if member.name and member.name != e.member and member.type == e.type:
                self._add(unit, e, text[: -len(e.member)] + member.name, "small")

    def _call(self, e: tree.Call, scope: Scope, unit: UnitId | None) -> None:
        whole = self._source.span(e.location)
        texts = [self._of(argument) for argument in e.arguments]
        if whole is None or not isinstance(e.callee, tree.FunctionRef):
            return
        name, text = e.callee.name, self._source.text[whole[0] : whole[1]]
        own = self._program.functions.get(name)
        if own is not None and text.startswith(name):
            for other in self._above:
                if other.name != name and other.type == own.type:
                    self._add(unit, e, other.name + text[len(name) :], "small")
        if text.startswith(name):
            for relative in relatives(name, self._included):
                self._add(unit, e, relative + text[len(name) :], "small")
        arguments = [argument for argument in texts if argument is not None]
        if len(arguments) != len(texts):
            return
        if name in _SCANNING:
            for argument, one in zip(e.arguments, arguments, strict=True):
                if isinstance(tree.unconverted(argument).type, IntType | FloatType):
                    self._add(unit, argument, f"&{operand(one)}", "small", binds=True)
        for i in range(len(arguments)):
            for j in range(i + 1, len(arguments)):
                if e.arguments[i].type == e.arguments[j].type:
                    swapped = list(arguments)
                    swapped[i], swapped[j] = swapped[j], swapped[i]
                    self._add(unit, e, f"{name}({', '.join(swapped)})", "small")
        is_operand = self._is_operand
        for argument, one in zip(e.arguments, arguments, strict=True):
            self._given(argument, scope, unit)
            self._is_operand = is_operand
            if argument.type == e.type:
                self._add(unit, e, one, "large")

    def _beside(self, e: Expression, scope: Scope, unit: UnitId | None) -> None:
        """One more and one less, or more and less by a named constant or a variable; of pointers, an element."""
        span = self._span(e)
        steps = _leads_to_an_element(e)
        counts = is_word(e.type) and not isinstance(tree.written(e), tree.IntConstant)
        if span is None or not (steps or counts):
            return
        text = self._source.text[span[0] : span[1]]
        self._is_operand = False
        for op in ("+", "-"):
            self._add(unit, e, f"{operand(text)} {op} 1", "small", is_odd=True)
        if steps or unit not in self._wanted:
            return
        for term in self._nameable.terms(span[0], scope, text, used_type(e)):
            for op in ("+", "-"):
                self._add(unit, e, f"{operand(text)} {op} {term}", "large", is_odd=True)

    def _regrouped(self, e: tree.Binary | tree.Logical, unit: UnitId | None) -> None:
        for one in regrouped(e, self._of):
            self._add(unit, e, one, "small")

    def _misread(self, e: tree.Binary | tree.Logical, unit: UnitId | None) -> None:
        for one in misread(e, self._of):
            self._add(unit, e, one, "small")

    def _given(self, e: Expression, scope: Scope, unit: UnitId | None) -> None:
        """What a variable, a parameter or a caller gets: a little more or less, or only a variable of it."""
        self._beside(e, scope, unit)
        for name in variables_alone(e):
            self._add(unit, e, name, "large")

    def _jumps(self, s: tree.Statement | None) -> None:
        """A jump that is missing at the end of a branch, behind a statement that goes on."""
        while isinstance(s, tree.Compound) and s.items:
            s = s.items[-1]
        if not isinstance(s, tree.ExpressionStatement):
            return
        span = self._span(s.expression)
        unit = self._units.of(s.expression)
        behind = None if span is None else _BEHIND.match(self._source.text, span[1])
        if span is None or behind is None or unit is None or unit not in self._wanted:
            return
        jumps = ["break"] if self._leaves else []
        if self._loops_around:
            jumps.append("continue")
        result = self._function.type.result
        if self._function.name == "main":
            jumps.append("return 0")
        elif isinstance(result, VoidType):
            jumps.append("return")
        elif is_word(result):
            jumps.append(f"return {HOLE}")
        for jump in jumps:
            whole = f"{{ {self._source.text[span[0] : span[1]]}; {jump}; }}"
            self._missing(unit, (span[0], behind.end()), whole, is_statement=True)

    def _guards(self, e: Expression, scope: Scope, unit: UnitId | None) -> None:
        """A test that is missing before a statement."""
        span = self._span(e)
        if unit is None or unit not in self._wanted or span is None:
            return
        text = self._source.text[span[0] : span[1]]
        near = self._nameable.tested(span[0], scope)
        for guard in (*guards(e), *near, *(f"!({one})" for one in near)):
            self._missing(unit, span, text, guard=guard, is_unused=True)

    def _left(self, s: tree.Statement, is_outermost: bool) -> None:
        """What leaves the function before a statement of a block, and is missing."""
        first = _first_expression(s)
        unit = None if first is None else self._units.of(first) or self._units.of(s)
        if first is None or unit is None:
            return
        result, is_main = self._function.type.result, self._function.name == "main"
        given = self._function.parameters
        ways = [
            (f"!{name}", way)
            for name in (*pointers_in(first), *divisors_in(first))
            for way in ways_out(result, given, is_main=is_main)
        ]
        if is_outermost and self._is_first:
            ways += leaving(result, given, is_main=is_main)
        self._is_first = self._is_first and not is_outermost
        span = self._source.span(s.location)
        if unit not in self._wanted or span is None:
            return
        start = span[0]
        if isinstance(s, tree.Declaration):
            start = self._source.line_start(self._source.line_of(start))
            if not _DECLARING.fullmatch(self._source.text[start : span[0]]):
                return
        for guard, leave in ways:
            self._missing(unit, (start, start), leave, guard=guard)

    def structure(self, body: tree.Compound) -> None:
        """Statements that stand together in another way."""
        for edit in restructured(body, self._source, self._units, self._wanted):
            self.found.append(
                Candidate(
                    unit=edit.unit,
                    file=self._file,
                    start=edit.start,
                    end=edit.end,
                    text=edit.text,
                    size="small",
                    aims=True,
                    is_odd=edit.is_odd,
                    is_before=edit.before,
                    is_statement=not edit.before,
                )
            )

    def _addition(
        self, e: Expression, scope: Scope, unit: UnitId | None, *, is_test: bool = False, behind: bool = False
    ) -> None:
        """What is missing before ``e``, or ``behind`` it: an assignment as it stands elsewhere, or a count."""
        self._is_operand = False
        span = self._span(e)
        if unit not in self._wanted or span is None:
            return
        text = self._source.text[span[0] : span[1]]
        for one in self._nameable.added(span[0], scope):
            whole = f"{text}, {one}" if behind else f"{one}, {text}"
            self._add(unit, e, whole, "large", is_odd=True, is_test=is_test, is_unused=behind, adds=True)

    def _before(self, loop: tree.While | tree.DoWhile | tree.For, scope: Scope) -> None:
        """What is missing before a loop: an assignment as it stands elsewhere, or to a variable of its condition."""
        span, condition = self._source.span(loop.location), loop.condition
        unit = None if condition is None else self._units.of(condition)
        if span is None or condition is None or unit is None or unit not in self._wanted:
            return
        tested = {
            f"{part.symbol.name} = {HOLE}": tree.plain_key(part.symbol.key) in self._unwritten
            for part in goto.subexpressions(condition)
            if isinstance(part, tree.VariableRef) and is_word(part.type) and part.symbol.name in scope
        }
        standing = self._nameable.assigned(span[0], scope)
        for text, initializes in (dict.fromkeys(standing, False) | tested).items():
            self._missing(unit, (span[0], span[0]), text, initializes=initializes)

    def _missing(
        self,
        unit: UnitId,
        span: tuple[int, int],
        text: str,
        *,
        guard: str = "",
        is_statement: bool = False,
        is_unused: bool = False,
        initializes: bool = False,
    ) -> None:
        """Record what is missing: ``text`` in the place of a span, or before the statement at an empty one."""
        start, end = span
        self.found.append(
            Candidate(
                unit=unit,
                file=self._file,
                start=start,
                end=end,
                text=text,
                size="large",
                is_odd=True,
                adds=True,
                is_before=start == end,
                is_statement=is_statement,
                is_unused=is_unused,
                initializes=initializes,
                guard=guard,
            )
        )

    # -- text ------------------------------------------------------------------------------------------------

    def _span(self, e: Expression) -> tuple[int, int] | None:
        """Where an expression begins and ends; None where that is within a macro."""
        return self._source.span(tree.written(e).location)

    def _of(self, e: Expression) -> str | None:
        """The source text of an expression; None where it begins or ends within a macro."""
        span = self._span(e)
        return None if span is None else self._source.text[span[0] : span[1]]

    def _add(
        self,
        unit: UnitId | None,
        e: Expression,
        text: str,
        size: Size,
        *,
        binds: bool = False,
        is_odd: bool = False,
        is_test: bool = False,
        is_unused: bool = False,
        adds: bool = False,
    ) -> None:
        """Record a candidate; ``binds``: its text holds together wherever the old one stood.

        Parentheses are part of what is edited, and stay.
        """
        span = self._span(e)
        if span is None or unit is None or unit not in self._wanted or self._opposite.get(span) == text:
            return
        if is_enclosed(self._source.text[span[0] : span[1]]):
            text = operand(text)
        self.found.append(
            Candidate(
                unit=unit,
                file=self._file,
                start=span[0],
                end=span[1],
                text=text,
                size=size,
                is_operand=self._is_operand and not binds,
                aims=self._aims,
                is_odd=is_odd,
                is_test=is_test,
                is_unused=is_unused,
                adds=adds,
            )
        )
