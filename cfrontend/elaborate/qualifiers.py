"""Qualifiers of pointer targets, which types do not keep, read from declarations: for ``_Generic``.

    const char *const p;   p   ->   ({'const'}, {'const'}): the pointer itself, then what it points to

Where the text does not tell (what ``typeof`` stands for) the answer is None.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, TypeAlias

from pycparser import c_ast

Levels: TypeAlias = tuple[frozenset[str], ...]
"""The qualifiers of an object, of what it points to (its elements, for an array), and so on."""

Find: TypeAlias = Callable[[Any], Any]
"""The declaration of a name, and of the member that ``s.m`` or ``p->m`` names; None where there is none."""

_PLAIN: frozenset[str] = frozenset()
_STEPS = frozenset({"++", "--", "p++", "p--"})


def of_type(node: Any, find: Find) -> Levels | None:
    """The qualifiers that a declarator or a type name says, up to the first function."""
    levels: list[frozenset[str]] = []
    while not isinstance(node, c_ast.TypeDecl):
        match node:
            case c_ast.PtrDecl():
                levels.append(frozenset(node.quals or ()))
            case c_ast.ArrayDecl():
                levels.append(_PLAIN)
            case c_ast.FuncDecl():
                return (*levels, _PLAIN)
            case c_ast.Typename() | c_ast.Decl() | c_ast.Typedef():
                pass
            case _:
                return None
        node = node.type
    own, base = frozenset(node.quals or ()), node.type
    if isinstance(base, c_ast.Struct | c_ast.Union | c_ast.Enum):
        return (*levels, own)
    if not isinstance(base, c_ast.IdentifierType):
        return None
    named = find(base.names[0]) if len(base.names) == 1 else None
    if not isinstance(named, c_ast.Typedef):
        return (*levels, own)
    inner = of_type(named, find)
    return None if inner is None else (*levels, own | inner[0], *inner[1:])


def is_constant(node: Any, find: Find) -> bool:
    """True if an object with this declaration, or each element of an array, is known to be ``const``."""
    while isinstance(node, c_ast.ArrayDecl | c_ast.Typename | c_ast.Decl | c_ast.Typedef):
        node = node.type
    if not isinstance(node, c_ast.TypeDecl | c_ast.PtrDecl):
        return False
    if "const" in (node.quals or ()):
        return True
    named = find(node.type.names[0]) if isinstance(node.type, c_ast.IdentifierType) else None
    return isinstance(named, c_ast.Typedef) and is_constant(named, find)


def of_value(node: Any, find: Find) -> Levels | None:
    """The qualifiers of what an expression designates, or of its value."""
    match node:
        case c_ast.ID():
            declared = find(node.name)
            is_function = isinstance(getattr(declared, "type", None), c_ast.FuncDecl)
            return of_type(declared, find) if isinstance(declared, c_ast.Decl) and not is_function else None
        case c_ast.Constant(type="string"):
            return (_PLAIN, _PLAIN)
        case c_ast.Constant():
            return (_PLAIN,)
        case c_ast.Cast():
            return of_type(node.to_type, find)
        case c_ast.CompoundLiteral():
            return of_type(node.type, find)
        case c_ast.UnaryOp(op="&"):
            inner = of_value(node.expr, find)
            return None if inner is None else (_PLAIN, *inner)
        case c_ast.UnaryOp(op="*"):
            return _target(of_value(node.expr, find))
        case c_ast.UnaryOp() if node.op in _STEPS:
            return of_value(node.expr, find)
        case c_ast.StructRef():
            return _of_member(node, find)
        case c_ast.ArrayRef():
            return _target(of_value(node.name, find))
        case c_ast.BinaryOp(op="+" | "-"):
            sides = [of_value(side, find) for side in (node.left, node.right)]
            return None if None in sides else max((side for side in sides if side), key=len)
        case c_ast.FuncCall(name=c_ast.ID()):
            declared = find(node.name.name)
            is_function = isinstance(getattr(declared, "type", None), c_ast.FuncDecl)
            return of_type(declared.type.type, find) if is_function else None
        case c_ast.Assignment():
            return of_value(node.lvalue, find)
        case c_ast.ExprList():
            return of_value(node.exprs[-1], find)
        case c_ast.TernaryOp():
            values = [value for value in (node.iftrue, node.iffalse) if not _is_null(value)]
            sides = [of_value(value, find) for value in values]
            return (
                None if None in sides or not sides else reduce(_of_either, [side for side in sides if side])
            )
        case _:
            return None


def differ(one: Levels | None, two: Levels | None) -> bool:
    """True if the targets of two pointers are known to be qualified differently."""
    return one is not None and two is not None and len(one) == len(two) and one[1:] != two[1:]


def _of_member(node: Any, find: Find) -> Levels | None:
    """The qualifiers of a member: elements of an array are qualified as the structure is, too."""
    declared = find(node)
    own = None if declared is None else of_type(declared, find)
    if own is None or not isinstance(declared.type, c_ast.ArrayDecl):
        return own
    around = of_value(node.name, find)
    around = _target(around) if node.type == "->" else around
    elements, element = 0, declared.type
    while isinstance(element, c_ast.ArrayDecl):
        elements, element = elements + 1, element.type
    return around and (*own[:elements], own[elements] | around[0], *own[elements + 1 :])


def _of_either(one: Levels, two: Levels) -> Levels:
    """The qualifiers of a conditional value (C11 6.5.15): its target has those of both; one alone leads to ``void``."""
    if min(len(one), len(two)) < 2:
        return max(one, two, key=len)
    further = one[2:] if len(one) == len(two) else ()
    return (_PLAIN, one[1] | two[1], *further)


def _is_null(node: Any) -> bool:
    """Whether an expression is a null pointer constant."""
    while isinstance(node, c_ast.Cast):
        node = node.expr
    return isinstance(node, c_ast.Constant) and node.value == "0"


def _target(levels: Levels | None) -> Levels | None:
    return levels[1:] if levels is not None and len(levels) > 1 else None
