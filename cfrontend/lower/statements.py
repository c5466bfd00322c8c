"""Statements become branches and jumps, loops shaped as CBMC shapes them so that bounds mean the same.

Every loop has one backward jump: ``while`` and ``for`` an unconditional one after the body, ``do`` its own
condition; ``continue`` jumps forward to it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from itertools import takewhile
from typing import assert_never, final

from cfrontend import goto
from cfrontend.elaborate.variable_length import LENGTH
from cfrontend.errors import Location
from cfrontend.lower import calls
from cfrontend.lower.dialect import AT_EXIT
from cfrontend.lower.emitter import Emitter, EmitterMark
from cfrontend.lower.expressions import ExpressionLowering
from cfrontend.lower.number_units import NumberedUnits
from cfrontend.record import dataclass
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression, Statement, SyntaxSymbol
from cfrontend.syntax.types import INT, IntType, VoidType


@final
@dataclass(slots=True)
class _Scope:
    """A block, or a full expression: the objects that end with it, and where ``break`` and ``continue`` go.

    ``dying`` are its escaping variables and compound literals, the pointers of its variable-length arrays, and, of a
    full expression, its temporaries. ``declared`` are the keys of all its objects so far; ``variables`` are its
    variables so far, for jumps that pass over their declarations.
    """

    is_block: bool = True
    dying: list[SyntaxSymbol] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)
    variables: list[SyntaxSymbol] = field(default_factory=list)
    break_to: int | None = None
    continue_to: int | None = None


@final
@dataclass(frozen=True, slots=True)
class _LabelPlace:
    """A label of the program that has its place: the blocks around it and how much each has declared before it.

    ``declared`` counts the objects of each block, ``variables`` its variables.
    """

    number: int
    scopes: tuple[_Scope, ...]
    declared: tuple[int, ...]
    variables: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class _Forward:
    """A jump to a label that has no place yet: its own label, and the blocks around it.

    ``dying`` and ``variables`` count the objects that each of these blocks has declared before the jump.
    """

    stub: int
    location: Location
    scopes: tuple[_Scope, ...]
    dying: tuple[int, ...]
    variables: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class _Switch:
    """A ``switch``: the label of each of its cases, by the identity of the node, and how many blocks are around it."""

    labels: dict[int, int]
    depth: int


@final
class StatementLowerer:
    """Lowers the statements of one function.

    ``revisited`` are the keys of the objects that are declared again in their own block: by a backward ``goto``, behind
    a jump that passed over the declaration, or as compound literals in the head of a loop. They stay the same objects
    (C11 6.2.4p6, 6.5.2.5p5). ``arrays`` are the keys of variable-length arrays, which end before they are declared
    again (p7). To reach ``failing_label`` violates ``reach``.
    """

    def __init__(
        self,
        expressions: ExpressionLowering,
        units: NumberedUnits,
        escaping: frozenset[str],
        *,
        is_entry: bool,
        failing_label: str | None = None,
        never_returns: bool = False,
    ) -> None:
        functions = expressions.program.functions
        ends_something = (
            "leak" in expressions.emit.checks
            or AT_EXIT in functions
            or any("destructor" in function.uncalled for function in functions.values())
        )
        self.is_entry = is_entry and ends_something
        self.failing_label = failing_label
        self.never_returns = never_returns
        self.x = expressions
        self.emit: Emitter = expressions.emit
        self.units = units
        self.escaping = escaping
        self.scopes: list[_Scope] = []
        self.labels: dict[str, _LabelPlace] = {}
        self.forward: defaultdict[str, list[_Forward]] = defaultdict(list)
        self.revisited: set[str] = set()
        self.arrays: dict[str, SyntaxSymbol] = {}
        self.switches: list[_Switch] = []
        self.cleanups: dict[str, Expression] = {}
        expressions.statements = self

    def statement(self, s: Statement) -> None:
        """Lower one statement."""
        self.emit.location = s.location
        match s:
            case tree.Compound():
                self.block(s, None, None)
            case tree.Declaration():
                self.declaration(s)
            case tree.ExpressionStatement():
                self.expression_statement(s.expression)
            case tree.If():
                self.if_statement(s)
            case tree.DoWhile():
                self.do_loop(s)
            case tree.While() | tree.For():
                self.loop(s)
            case tree.Switch():
                self.switch(s)
            case tree.Case() | tree.Default():
                self.case_label(s)
                self.statement(s.body)
            case tree.Label():
                self.label(s.name)
                if s.name == self.failing_label:
                    text = f"label {s.name} is reachable"
                    self.emit.check(
                        "reach", tree.IntConstant(type=INT, location=s.location, value=0), text, s.location
                    )
                self.statement(s.body)
            case tree.Goto():
                self.goto(s.label)
            case tree.Break() | tree.Continue():
                self.leave_loop(is_break=isinstance(s, tree.Break))
            case tree.Return():
                self.return_statement(s)
            case tree.Empty():
                pass
            case _:
                assert_never(s)

    # -- labels and goto -------------------------------------------------------------------------------------

    def label(self, name: str) -> None:
        """A label of the program stands here; variables of the blocks that jumps to it have left die on the way."""
        around = tuple(self.scopes)
        place = _LabelPlace(
            self.emit.label(),
            around,
            tuple(len(scope.declared) for scope in around),
            tuple(len(scope.variables) for scope in around),
        )
        for jump in self.forward.pop(name, ()):
            shared = _shared(jump.scopes, around)
            left = self._left(jump, shared)
            passed = _variables(around, jump.variables[:shared])
            if left or passed:
                self.emit.jump(place.number)
            self.emit.place(jump.stub)
            if not self.cleanups.keys().isdisjoint(symbol.key for symbol in left):
                # The block may have been entered again before an execution comes here.
                message = "goto out of the block of a variable with attribute 'cleanup' is not supported yet"
                self.emit.refuse(message, jump.location)
            for symbol in left:
                self.dead(symbol)
            self.pass_over(passed)
        self.emit.place(place.number)
        self.labels[name] = place

    def _left(self, jump: _Forward, shared: int) -> list[SyntaxSymbol]:
        """What ends with the blocks that a jump leaves, the youngest first.

        A jump back may have declared what stands behind ``jump`` before: to end what does not live does nothing.
        """
        return [
            symbol
            for scope, before in reversed(list(zip(jump.scopes, jump.dying, strict=True))[shared:])
            for place, symbol in reversed(list(enumerate(scope.dying)))
            if place < before or not (symbol.key in self.cleanups or symbol.key in self.arrays)
        ]

    def goto(self, name: str) -> None:
        """``goto``. One that goes back comes again to what its own blocks have declared since the label."""
        place = self.labels.get(name)
        if place is None:
            jump = _Forward(
                self.emit.label(),
                self.emit.location,
                tuple(self.scopes),
                tuple(len(scope.dying) for scope in self.scopes),
                tuple(len(scope.variables) for scope in self.scopes),
            )
            self.forward[name].append(jump)
            self.emit.jump(jump.stub)
            return
        shared = _shared(self.scopes, place.scopes)
        for scope in reversed(self.scopes[shared:]):
            self.kill(scope)
        for scope, before in zip(place.scopes[:shared], place.declared, strict=False):
            self.revisited.update(scope.declared[before:])
            for key in reversed(scope.declared[before:]):
                if key in self.arrays:
                    self.dead(self.arrays[key])
                else:
                    self.clean_up(key)
        for scope, before in zip(place.scopes[shared:], place.variables[shared:], strict=True):
            self.pass_over(scope.variables[:before])
        self.emit.jump(place.number)

    def case_label(self, s: tree.Case | tree.Default) -> None:
        """``case`` or ``default``: the jump from the selector passes over what the body has declared before."""
        switch = self.switches[-1]
        passed = _variables(self.scopes[switch.depth :], ())
        if not passed:
            self.emit.place(switch.labels[id(s)])
            return
        over = self.emit.label()
        self.emit.jump(over)
        self.emit.place(switch.labels[id(s)])
        self.pass_over(passed)
        self.emit.place(over)

    def pass_over(self, variables: Sequence[SyntaxSymbol]) -> None:
        """A jump comes into the scope of ``variables`` behind their declarations: they live, indeterminate."""
        for symbol in variables:
            self.revisited.add(symbol.key)
            self.emit.code.append(
                goto.DeclareInstruction(location=self.emit.location, unit=None, symbol=symbol)
            )

    def literal(self, symbol: SyntaxSymbol) -> None:
        """A compound literal, an object of the innermost block (C11 6.5.2.5p5)."""
        block = self.scopes[self._innermost_block()]
        block.declared.append(symbol.key)
        if symbol.key in self.escaping and symbol not in block.dying:
            block.dying.append(symbol)

    def temporary(self, symbol: SyntaxSymbol) -> None:
        """An object that ends with the innermost full expression (C11 6.2.4p8)."""
        self.scopes[self._innermost_block() + 1 :][0].dying.append(symbol)

    def _innermost_block(self) -> int:
        return max(place for place, scope in enumerate(self.scopes) if scope.is_block)

    # -- blocks ----------------------------------------------------------------------------------------------

    def block(
        self,
        body: tree.Compound,
        last: Expression | None,
        result: tree.VariableRef | None,
        *,
        is_written: bool = True,
    ) -> None:
        """A block; ``result`` takes the value of ``last``, the end of a statement expression.

        What stands in one that is not ``is_written`` belongs to the block around it.
        """
        self.scopes.append(_Scope(is_block=is_written))
        for item in body.items:
            self.statement(item)
        if last is not None:
            with self.full_expression(last):
                if result is None:
                    self.x.effect(last)
                else:
                    self.emit.assign(result, self.x.value(last), yields=self.units.of(last) is not None)
        self.end_scope()

    @contextmanager
    def scope(self, *, is_block: bool = True) -> Iterator[_Scope]:
        """What is lowered inside is a block (or not): its objects end behind it."""
        inner = _Scope(is_block=is_block)
        self.scopes.append(inner)
        yield inner
        self.end_scope()

    @contextmanager
    def full_expression(self, node: object) -> Iterator[None]:
        """What is lowered inside is the full expression ``node``, maybe a unit: its temporaries end behind it."""
        outer = self.enter(node)
        if self.scopes[-1].is_block:
            with self.scope(is_block=False):
                yield
        else:  # a part of the one around it
            yield
        self.emit.unit = outer

    def end_scope(self) -> None:
        """The innermost block ends."""
        self.kill(self.scopes.pop())

    def kill(self, scope: _Scope) -> None:
        """The lifetimes of a block's variables end."""
        for symbol in reversed(scope.dying):
            self.dead(symbol)

    def dead(self, symbol: SyntaxSymbol) -> None:
        """The lifetime of a variable ends."""
        self.clean_up(symbol.key)
        self.emit.code.append(goto.DeadInstruction(location=self.emit.location, unit=None, symbol=symbol))

    def clean_up(self, key: str) -> None:
        """Call the function of GNU's attribute ``cleanup``, if any, where a variable's block is left."""
        if key in self.cleanups:
            self.x.effect(self.cleanups[key])

    def declaration(self, s: tree.Declaration) -> None:
        """An automatic variable, its initialiser a unit."""
        scope, symbol = self.scopes[-1], s.symbol
        is_array = not s.is_written and symbol.name != LENGTH
        if is_array:
            self.arrays[symbol.key] = symbol
        if is_array or symbol.key in self.escaping:
            scope.dying.append(symbol)
        if s.cleanup is not None:
            self.cleanups[symbol.key] = s.cleanup
        scope.declared.append(symbol.key)
        scope.variables.append(symbol)
        with self.full_expression(s):
            self.x.declare(symbol, s.initializer, yields=self.emit.unit is not None)

    def enter(self, node: object) -> int | None:
        """Begin the unit that ``node`` is, if it is one; returns the unit around it."""
        outer = self.emit.unit
        unit = self.units.of(node)
        if unit is not None:
            self.emit.unit = unit
            self.emit.cover(unit)
        return outer

    def expression_statement(self, e: Expression) -> None:
        """A full expression whose value is thrown away."""
        with self.full_expression(e):
            self.x.effect(e)

    def return_statement(self, s: tree.Return) -> None:
        """``return``."""
        outer = self.enter(s)
        value = None
        self.function_returns(s.location)
        self.scopes.append(_Scope(is_block=False))
        if s.value is not None and isinstance(s.value.type, VoidType):
            self.x.effect(s.value)
        elif s.value is not None:
            value = self.x.value(s.value)
        self.scopes.pop()  # its temporaries end with the function, and the value may stand in one
        left = [symbol.key for scope in reversed(self.scopes) for symbol in reversed(scope.dying)]
        if self.is_entry or not self.cleanups.keys().isdisjoint(left):
            value = value and self.emit.saved(value)
        for key in left:
            self.clean_up(key)
        if self.is_entry:
            calls.end_of_entry(self.x, s.location)
        self.emit.add(
            goto.ReturnInstruction(location=s.location, value=value, yields=self.emit.unit is not None)
        )
        self.emit.unit = outer

    def function_returns(self, at: Location) -> None:
        """The function returns here, which one that is declared not to must not do."""
        if self.never_returns:
            false = tree.IntConstant(type=INT, location=at, value=0)
            self.emit.check("reach", false, "return from a function that is declared not to return", at)

    # -- conditions and loops --------------------------------------------------------------------------------

    def condition(self, e: Expression, target: int, *, when: bool, is_loop: bool) -> None:
        """Lower the condition of a statement, a unit: jump to ``target`` when it is ``when``."""
        self.emit.location = e.location
        outer = self.enter(e)
        self.scopes.append(_Scope(is_block=False))
        with self.emit.captured() as code:
            self.x.branch(e, target, when=when, split=is_loop)
        ended = self.scopes.pop()
        if not ended.dying:
            self.emit.code += code
        else:
            left, over = self.emit.label(), self.emit.label()
            self.emit.code += [_retargeted(i, target, left) for i in code]
            self.kill(ended)
            self.emit.jump(over)
            self.emit.place(left)
            self.kill(ended)
            self.emit.jump(target)
            self.emit.place(over)
        self.emit.unit = outer

    def if_statement(self, s: tree.If) -> None:
        """``if``; a chain of ``else if`` is walked, not recursed into. It is a block, and so is each of its parts."""
        end = self.emit.label()
        with self.scope():
            while True:
                other = self.emit.label()
                self.condition(s.condition, other, when=False, is_loop=False)
                with self.scope():
                    self.statement(s.then)
                if s.otherwise is None:
                    self.emit.place(other)
                    break
                self.emit.jump(end)
                self.emit.place(other)
                if not isinstance(s.otherwise, tree.If):
                    with self.scope():
                        self.statement(s.otherwise)
                    break
                s = s.otherwise
                self.emit.location = s.location
            self.emit.place(end)

    @contextmanager
    def loop_head(self) -> Iterator[None]:
        """What is lowered inside is a loop: what stands in its head has the same objects in each round."""
        head = self.scopes[-1]
        before = len(head.declared)
        yield
        self.revisited.update(head.declared[before:])

    def loop_body(self, body: Statement, break_to: int, continue_to: int) -> None:
        """A body in which ``break`` and ``continue`` have somewhere to go."""
        self.scopes.append(_Scope(break_to=break_to, continue_to=continue_to))
        self.statement(body)
        self.end_scope()

    def do_loop(self, s: tree.DoWhile) -> None:
        """``head: body; again: if (c) goto head; end:``."""
        head, again, end = self.emit.label(), self.emit.label(), self.emit.label()
        with self.scope(), self.loop_head():
            self.emit.place(head)
            self.loop_body(s.body, end, again)
            self.emit.place(again)
            self.condition(s.condition, head, when=True, is_loop=False)
            self.emit.place(end)

    def loop(self, s: tree.While | tree.For) -> None:
        """``start; head: if (!c) goto end; body; again: step; goto head; end:``."""
        head, again, end = self.emit.label(), self.emit.label(), self.emit.label()
        start, step = (s.start, s.step) if isinstance(s, tree.For) else ((), None)
        with self.scope():
            for item in start:
                self.statement(item)
            with self.loop_head():
                self.emit.place(head)
                if s.condition is not None:
                    self.condition(s.condition, end, when=False, is_loop=True)
                self.loop_body(s.body, end, again)
                self.emit.place(again)
                if step is not None:
                    self.emit.location = step.location
                    self.expression_statement(step)
                self.emit.location = s.location
                self.emit.jump(head)
                self.emit.place(end)

    def leave_loop(self, *, is_break: bool) -> None:
        """``break`` or ``continue``: variables of the blocks left on the way die."""
        left: list[_Scope] = []
        for scope in reversed(self.scopes):
            left.append(scope)
            target = scope.break_to if is_break else scope.continue_to
            if target is not None:
                for inner in left:
                    self.kill(inner)
                self.emit.jump(target)
                return

    # -- switch ----------------------------------------------------------------------------------------------

    def switch(self, s: tree.Switch) -> None:
        """The selector once, then a comparison for each case in order, then the body."""
        self.emit.location = s.selector.location
        end = self.emit.label()
        with self.scope():
            targets = self._selection(s, end)
            self.switches.append(_Switch(targets, len(self.scopes)))
            self.scopes.append(_Scope(break_to=end))
            self.statement(s.body)
            self.end_scope()
            self.switches.pop()
            self.emit.place(end)

    def _selection(self, s: tree.Switch, end: int) -> dict[int, int]:
        """The jumps to the cases of a ``switch``: the label of each, by the identity of the node."""
        outer = self.enter(s.selector)
        selector = self.emit.variable(s.selector.type, s.selector.location)
        with self.scope(is_block=False):
            self.emit.assign(selector, self.x.value(s.selector), yields=True)
        targets: dict[int, int] = {}
        default = end
        for node in queries.syntax_labels_of_switch(s.body):
            targets[id(node)] = label = self.emit.label()
            if isinstance(node, tree.Default):
                default = label
            else:
                self.emit.branch(_matches(selector, node), label, when=True)
        self.emit.jump(default)
        self.emit.unit = outer
        return targets


def _retargeted(i: goto.Instruction | EmitterMark, old: int, new: int) -> goto.Instruction | EmitterMark:
    """The instruction; where it jumps to label ``old``, the jump leads to ``new``."""
    if isinstance(i, goto.JumpOrBranch) and i.target == old:
        return replace(i, target=new)
    return i


def _shared(some: Sequence[_Scope], others: Sequence[_Scope]) -> int:
    """Number of blocks that are around both of two places."""
    return sum(takewhile(bool, (a is b for a, b in zip(some, others, strict=False))))


def _variables(scopes: Sequence[_Scope], before: Sequence[int]) -> list[SyntaxSymbol]:
    """Variables of blocks without the first ``before`` of each; all of the blocks beyond its end."""
    counts = [*before, *[0] * (len(scopes) - len(before))]
    return [symbol for scope, count in zip(scopes, counts, strict=True) for symbol in scope.variables[count:]]


def _matches(selector: Expression, case: tree.Case) -> Expression:
    """Condition that the selector is in the range of a case."""
    assert isinstance(selector.type, IntType)

    def compare(op: tree.BinaryOp, value: int) -> tree.Binary:
        constant = tree.IntConstant(type=selector.type, location=case.location, value=value)
        return tree.Binary(type=INT, location=case.location, op=op, left=selector, right=constant)

    if case.low == case.high:
        return compare("==", case.low)
    return tree.Logical(
        type=INT,
        location=case.location,
        op="&&",
        left=compare(">=", case.low),
        right=compare("<=", case.high),
    )
