"""Traversal of the expressions of an instruction and of each other, from the outside in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from cfrontend.goto.conditions import (
    AllFreedCondition,
    Condition,
    FitsCondition,
    FreeableCondition,
    InitialisedCondition,
    ValidPointerCondition,
    ValidRangeCondition,
    ValidStringCondition,
)
from cfrontend.goto.instructions import (
    AllocateInstruction,
    AssertInstruction,
    AssignInstruction,
    AssumeInstruction,
    BranchInstruction,
    CallInstruction,
    CopyInstruction,
    CoverInstruction,
    DeadInstruction,
    DeclareInstruction,
    EffectInstruction,
    ExitInstruction,
    FillInstruction,
    FreeInstruction,
    InputInstruction,
    Instruction,
    JumpInstruction,
    LeaveInstruction,
    ObjectSizeInstruction,
    ObserveInstruction,
    OutputInstruction,
    RefuseInstruction,
    ReturnInstruction,
    SymbolicInstruction,
    VariableArgumentsInstruction,
)
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression


def _operands_of_condition(condition: Condition) -> tuple[Expression, ...]:
    """The expressions that a condition evaluates."""
    match condition:
        case ValidRangeCondition():
            return (condition.pointer, condition.size)
        case ValidStringCondition(pointer=pointer, most=most):
            return (pointer,) if most is None else (pointer, most)
        case ValidPointerCondition() | FreeableCondition():
            return (condition.pointer,)
        case AllFreedCondition():
            return ()
        case InitialisedCondition():
            return (condition.place,)
        case FitsCondition():
            return (condition.expression,)
        case _:
            return (condition,)


def goto_expressions_of(i: Instruction) -> tuple[Expression, ...]:
    """The expressions an instruction evaluates or writes to."""
    match i:
        case AssignInstruction():
            return (i.target, i.value)
        case InputInstruction() | VariableArgumentsInstruction():
            return (i.target,)
        case SymbolicInstruction():
            return (i.pointer, i.size)
        case AllocateInstruction():
            return (i.target, i.size)
        case FreeInstruction():
            return (i.pointer,)
        case ObjectSizeInstruction():
            return (i.target, i.pointer)
        case CopyInstruction():
            return (i.target, i.source, i.size)
        case FillInstruction():
            return (i.target, i.byte, i.size)
        case AssumeInstruction() | AssertInstruction():
            return _operands_of_condition(i.condition)
        case BranchInstruction():
            return (i.condition,)
        case CallInstruction():
            return (i.callee, *i.arguments)
        case ReturnInstruction():
            return () if i.value is None else (i.value,)
        case ExitInstruction():
            return () if i.status is None else (i.status,)
        case OutputInstruction() | ObserveInstruction() | EffectInstruction():
            return i.arguments
        case (
            CoverInstruction()
            | DeclareInstruction()
            | DeadInstruction()
            | JumpInstruction()
            | RefuseInstruction()
            | LeaveInstruction()
        ):
            return ()
        case _:
            assert_never(i)


def direct_goto_subexpressions(e: Expression) -> tuple[Expression, ...]:
    """The direct subexpressions."""
    if isinstance(e, tree.VariableRef | tree.IntConstant):
        return ()  # most are, and need not be compared with all others
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
        case tree.MathFunctionCall():
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
        case tree.FloatConstant() | tree.StringLiteral() | tree.FunctionRef() | tree.RefusedSyntax():
            return ()
        case _:
            assert_never(e)


def goto_subexpressions(e: Expression) -> Iterator[Expression]:
    """The expression and everything below it (statement expressions are not entered)."""
    stack = [e]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(direct_goto_subexpressions(top)))
