"""GNU's addresses of labels: places in an array of their function that nothing else uses.

void *next = &&done; goto *next;
->   void *next = &$labels[0]; switch ((char *)next - $labels) { case 0: goto done; default: no label }
"""

from __future__ import annotations

from typing import Any, Final

from pycparser import c_ast

from cfrontend.elaborate.context import Context, FunctionContext, location_of
from cfrontend.elaborate.conversions import implicit_conversion
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.source.parse import ComputedGotoNode, LabelAddressNode, LocalLabelsNode
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CHAR, INT, VOID, ArrayType, FunctionType, PointerType

NO_LABEL: Final = "__sfo_no_label"
"""Function called by a computed ``goto`` whose target is no label."""

_INNER: Final = "the address of a label that an inner block declares is not supported yet"


def addressed_labels(body: Any) -> tuple[tuple[str, ...], frozenset[str]]:
    """The labels in the body of a function whose addresses are used, in order; those that inner blocks declare."""
    names: dict[str, None] = {}
    inner: set[str] = set()
    stack = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, LabelAddressNode):
            names.setdefault(node.name)
        elif isinstance(node, LocalLabelsNode) and all(node is not item for item in body.block_items):
            inner.update(node.names)
        if isinstance(node, c_ast.Node):
            stack += [child for _, child in reversed(node.children())]
    return tuple(names), frozenset(inner & names.keys())


def label_address(context: Context, node: LabelAddressNode) -> Expression:
    """``&&label``."""
    function, at = context.function, location_of(node)
    if function is None:
        raise InputError("the address of a label outside of functions", at)
    if node.name in function.inner_labels:
        raise UnsupportedError(_INNER, at)
    function.gotos.append((function.label(node.name), at))
    array = _array(context, function, at)
    number = tree.IntConstant(type=context.model.long, location=at, value=function.addressed.index(node.name))
    element = tree.Index(type=CHAR, location=at, base=array, index=number)
    return implicit_conversion(
        tree.AddressOf(type=PointerType(CHAR), location=at, operand=element), PointerType(VOID)
    )


def goto_label_address(context: Context, function: FunctionContext, node: ComputedGotoNode) -> tree.Statement:
    """``goto *target;``, which must be the address of a label of the same function."""
    at = location_of(node)
    if function.inner_labels:
        refused = tree.RefusedSyntax(type=INT, location=at, message=_INNER)
        return tree.ExpressionStatement(location=at, expression=refused)
    target = context.value(node.target)
    if not isinstance(target.type, PointerType):
        raise InputError("the target of a computed goto is no pointer", at)
    base = tree.Decay(type=PointerType(CHAR), location=at, operand=_array(context, function, at))
    number = tree.Binary(
        type=context.model.long,
        location=target.location,
        op="-",
        left=implicit_conversion(target, base.type),
        right=base,
    )
    labels = [function.label(name) for name in function.addressed]
    function.gotos += [(label, at) for label in labels]
    ways: list[tree.Statement] = [
        tree.Case(location=at, low=n, high=n, body=tree.Goto(location=at, label=label))
        for n, label in enumerate(labels)
    ]
    nowhere = tree.Call(
        type=VOID,
        location=at,
        callee=tree.FunctionRef(type=FunctionType(VOID, ()), location=at, name=NO_LABEL),
        arguments=(),
    )
    ways.append(tree.Default(location=at, body=tree.ExpressionStatement(location=at, expression=nowhere)))
    return tree.Switch(
        location=at, selector=number, body=tree.Compound(location=at, items=tuple(ways), end=at)
    )


def _array(context: Context, function: FunctionContext, at: Location) -> Expression:
    """The array with an element for each label whose address the function uses."""
    key = f"{function.key}::$labels"
    ctype = ArrayType(CHAR, max(len(function.addressed), 1))
    if key not in context.program.variables:
        context.program.declare_variable(
            key, "$labels", ctype, "static", at, unit=context.path, function=function.key
        )
    return context.program.variables[key].symbol.reference(at)
