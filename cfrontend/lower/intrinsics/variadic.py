"""``va_list``: a pointer that walks over the arguments beyond the parameters, each in whole words.

    va_start(list, last);        ->   list->overflow_arg_area = VARIABLE ARGUMENTS
    n = va_arg(list, int);       ->   $t1 = list->overflow_arg_area
                                      ASSERT valid((int *)$t1, 4) // f.pointer.1
                                      list->overflow_arg_area = (char *)$t1 + 8
                                      n = *(int *)$t1

The other members of gcc's ``va_list``, which are about registers, are not used.
"""

from __future__ import annotations

from dataclasses import replace

from cfrontend import goto
from cfrontend.lower import checks, pure
from cfrontend.lower.context import Lowering
from cfrontend.lower.intrinsic_registry import CallSite, intrinsic
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CHAR, VOID, ArrayType, PointerType, StructType, size_of_type

_LIST = "struct __va_list_tag"
"""Key of the structure that a ``va_list`` is an array of."""


@intrinsic("__builtin_va_start", "__builtin_va_arg", "__builtin_va_copy", "__builtin_va_end")
def _variadic(c: CallSite) -> Expression | None:
    """Lower an operator on a ``va_list``; only ``va_arg`` has a value."""
    x, e, name = c.x, c.e, c.name
    if len(e.arguments) != (1 if name in ("__builtin_va_end", "__builtin_va_arg") else 2):
        x.emit.refuse(f"{name} with so many arguments", e.location, unsupported=False)
        return pure.placeholder(e)
    if not all(_is_list(a) for a in e.arguments[: 2 if name == "__builtin_va_copy" else 1]):
        x.emit.refuse(f"{name} of what is no va_list", e.location, unsupported=False)
        return pure.placeholder(e)
    match name:
        case "__builtin_va_start":
            walker = _walker(x, e.arguments[0])
            x.emit.add(goto.VariableArgumentsInstruction(location=e.location, target=walker))
            return None
        case "__builtin_va_copy":
            target, source = _walker(x, e.arguments[0]), _walker(x, e.arguments[1])
            checks.access(x, source, write=False)
            x.emit.assign(target, source)
            return None
        case "__builtin_va_end":
            x.effect(e.arguments[0])
            return None
        case _:
            return _argument(x, e)


def _is_list(e: Expression) -> bool:
    return isinstance(e.type, PointerType) and e.type.target == StructType(_LIST)


def _walker(x: Lowering, e: Expression) -> Expression:
    """The member of the list that points to the next argument, checked for writing."""
    target = _list(x, e, x.value(e))
    if isinstance(target, tree.Deref):
        target = replace(target, pointer=x.emit.saved(target.pointer))
    walker = tree.MemberAccess(
        type=PointerType(VOID), location=e.location, base=target, struct_key=_LIST, member="overflow_arg_area"
    )
    checks.access(x, walker, write=True)
    return walker


def _list(x: Lowering, e: Expression, pointer: Expression) -> tree.Deref | tree.Index:
    """The list that a pure ``pointer`` to it stands for."""
    if isinstance(pointer, tree.Decay):
        zero = tree.IntConstant(type=x.structs.model.long, location=e.location, value=0)
        return tree.Index(type=StructType(_LIST), location=e.location, base=pointer.operand, index=zero)
    return tree.Deref(type=StructType(_LIST), location=e.location, pointer=pointer)


def _argument(x: Lowering, e: tree.Call) -> Expression:
    """The next argument as a value of the wanted type."""
    if isinstance(e.type, ArrayType):
        x.emit.refuse(f"va_arg of type {e.type} is not supported yet", e.location)
        return pure.placeholder(e)
    walker = _walker(x, e.arguments[0])
    here = x.emit.saved(walker)
    size = size_of_type(e.type, x.structs)
    pointer = tree.Cast(type=PointerType(e.type), location=e.location, operand=here, implicit=True)
    text = f"no argument of type {e.type} is left in {x.text(e.arguments[0])}"
    x.emit.check("pointer", goto.ValidPointerCondition(pointer=pointer, size=size), text, e.location)
    slot, word = x.structs.model.pointer_bytes, x.structs.model.long
    step = tree.IntConstant(type=word, location=e.location, value=-(-size // slot) * slot)
    bytes_ = tree.Cast(type=PointerType(CHAR), location=e.location, operand=here, implicit=True)
    moved = tree.Binary(type=PointerType(CHAR), location=e.location, op="+", left=bytes_, right=step)
    x.emit.assign(
        walker, tree.Cast(type=PointerType(VOID), location=e.location, operand=moved, implicit=True)
    )
    return tree.Deref(type=e.type, location=e.location, pointer=pointer)
