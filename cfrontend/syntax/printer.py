"""Expressions of the typed tree as C text, for listings, property descriptions and messages.

    Index(VariableRef(a), Cast(long, VariableRef(i)))   ->   a[i]

Implicit conversions are left out: the text reads as the programmer would write it.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CType, VoidType

_Operation: TypeAlias = (
    tree.Binary | tree.Logical | tree.Conditional | tree.Assign | tree.CompoundAssign | tree.Comma
    | tree.Cast | tree.Unary | tree.IncDec | tree.Deref | tree.AddressOf
)  # fmt: skip
"""Expressions that stand in parentheses as operands."""

_Primary: TypeAlias = (
    tree.IntConstant | tree.FloatConstant | tree.StringLiteral | tree.VariableRef | tree.FunctionRef | tree.Call
    | tree.MathFunctionCall | tree.MemberAccess | tree.Index | tree.Decay | tree.CompoundLiteral
    | tree.StatementExpression | tree.RefusedSyntax
)  # fmt: skip
"""All others."""


def print_syntax(e: Expression) -> str:
    """The expression as C, fully parenthesised below the top."""
    return _operation(e) if isinstance(e, _Operation) else _primary(e)


def _operation(e: _Operation) -> str:
    match e:
        case tree.Binary() | tree.Logical():
            return f"{_inner(e.left)} {e.op} {_inner(e.right)}"
        case tree.Conditional():
            return f"{_inner(e.condition)} ? {_inner(e.then)} : {_inner(e.otherwise)}"
        case tree.Assign():
            return f"{print_syntax(e.target)} = {_inner(e.value)}"
        case tree.CompoundAssign():
            return f"{print_syntax(e.target)} {e.op}= {_inner(e.value)}"
        case tree.Comma():
            return f"{_inner(e.left)}, {_inner(e.right)}"
        case tree.Cast():
            return print_syntax(e.operand) if e.implicit else f"({e.type}){_inner(e.operand)}"
        case tree.Unary():
            return f"{e.op}{_inner(e.operand)}"
        case tree.IncDec():
            sign = e.op * 2
            return f"{sign}{_inner(e.target)}" if e.is_prefix else f"{_inner(e.target)}{sign}"
        case tree.Deref():
            return f"*{_inner(e.pointer)}"
        case tree.AddressOf():
            return f"&{_inner(e.operand)}"
        case _:
            assert_never(e)


def _primary(e: _Primary) -> str:
    match e:
        case tree.IntConstant():
            return str(e.value)
        case tree.FloatConstant():
            return e.value
        case tree.StringLiteral():
            text = e.data[:-1].decode("latin-1").encode("unicode_escape").decode().replace('"', '\\"')
            return f'"{text}"'
        case tree.VariableRef():
            return e.symbol.name
        case tree.FunctionRef():
            return e.name
        case tree.Call(callee=tree.FunctionRef(name="__sfo_convention")):
            return print_syntax(e.arguments[0])
        case tree.Call():
            return f"{_inner(e.callee)}({', '.join(map(print_syntax, e.arguments))})"
        case tree.MathFunctionCall():
            return f"{e.name}({', '.join(map(print_syntax, e.arguments))})"
        case tree.MemberAccess(base=tree.Deref() as base):
            return f"{_inner(base.pointer)}->{e.member}"
        case tree.MemberAccess():
            return f"{_inner(e.base)}.{e.member}"
        case tree.Index():
            return f"{_inner(e.base)}[{print_syntax(e.index)}]"
        case tree.Decay():
            return _inner(e.operand)
        case tree.CompoundLiteral():
            return f"({e.type}){{...}}"
        case tree.StatementExpression():
            return "({...})"
        case tree.RefusedSyntax():
            return f"<{e.message}>"
        case _:
            assert_never(e)


def _inner(e: Expression) -> str:
    """The expression as an operand: in parentheses unless it is primary."""
    if isinstance(e, tree.Cast) and e.implicit:
        return _inner(e.operand)
    return f"({_operation(e)})" if isinstance(e, _Operation) else _primary(e)


def type_in_words(ctype: CType) -> str:
    """A type in an error message."""
    return "no value" if isinstance(ctype, VoidType) else f"type '{ctype}'"
