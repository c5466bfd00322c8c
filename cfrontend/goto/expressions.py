"""Traversal of the expressions of an instruction and of each other, from the outside in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from cfrontend.goto.conditions import (
    AllFreed,
    Fits,
    Freeable,
    Initialised,
    ValidPointer,
    ValidRange,
    ValidString,
)
from cfrontend.goto.instructions import (
    Allocate,
    Assert,
    Assign,
    Assume,
    Branch,
    Call,
    Copy,
    Cover,
    Dead,
    Declare,
    Exit,
    Fill,
    Free,
    Input,
    Instruction,
    Jump,
    Leave,
    ObjectSize,
    Observe,
    Output,
    Refuse,
    Return,
    Symbolic,
    VariableArguments,
)
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression


def expressions_of(i: Instruction) -> tuple[Expression, ...]:
    """The expressions an instruction evaluates or writes to."""
    match i:
        case Assign():
            return (i.target, i.value)
        case Input() | VariableArguments():
            return (i.target,)
        case Symbolic():
            return (i.pointer, i.size)
        case Allocate():
            return (i.target, i.size)
        case Free():
            return (i.pointer,)
        case ObjectSize():
            return (i.target, i.pointer)
        case Copy():
            return (i.target, i.source, i.size)
        case Fill():
            return (i.target, i.byte, i.size)
        case Assume() | Assert():
            condition = i.condition
            if isinstance(condition, ValidRange):
                return (condition.pointer, condition.size)
            if isinstance(condition, ValidPointer | ValidString | Freeable):
                return (condition.pointer,)
            if isinstance(condition, AllFreed):
                return ()
            if isinstance(condition, Initialised):
                return (condition.place,)
            return (condition.expression,) if isinstance(condition, Fits) else (condition,)
        case Branch():
            return (i.condition,)
        case Call():
            return (i.callee, *i.arguments)
        case Return():
            return () if i.value is None else (i.value,)
        case Exit():
            return () if i.status is None else (i.status,)
        case Output() | Observe():
            return i.arguments
        case Cover() | Declare() | Dead() | Jump() | Refuse() | Leave():
            return ()
        case _:
            assert_never(i)


def direct_subexpressions(e: Expression) -> tuple[Expression, ...]:
    """The direct subexpressions."""
    match e:
        case tree.Binary() | tree.Logical() | tree.Comma():
            return (e.left, e.right)
        case tree.Unary() | tree.Cast() | tree.AddressOf() | tree.Decay():
            return (e.operand,)
        case tree.Conditional():
            return (e.condition, e.then, e.otherwise)
        case tree.Assign() | tree.CompoundAssign():
            return (e.target, e.value)
        case tree.IncDec():
            return (e.target,)
        case tree.Call():
            return (e.callee, *e.arguments)
        case tree.MathFunction():
            return e.arguments
        case tree.MemberAccess():
            return (e.base,)
        case tree.Index():
            return (e.base, e.index)
        case tree.Deref():
            return (e.pointer,)
        case tree.CompoundLiteral():
            return tuple(part for item in e.initializer.items for part in (item.target, item.value))
        case tree.StatementExpression():
            return () if e.result is None else (e.result,)
        case (
            tree.IntConstant()
            | tree.FloatConstant()
            | tree.StringLiteral()
            | tree.VariableRef()
            | tree.FunctionRef()
            | tree.Refused()
        ):
            return ()
        case _:
            assert_never(e)


def subexpressions(e: Expression) -> Iterator[Expression]:
    """The expression and everything below it (statement expressions are not entered)."""
    stack = [e]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(direct_subexpressions(top)))
