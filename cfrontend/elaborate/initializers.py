"""Initialisers into single writes: the initialiser of a variable, and compound literals.

First a plan, a list of ways into the object with a value each, because only its end tells the length of ``a[]``;
then the plan becomes lvalues of the finished object.

    struct p { int x, y; } a[] = {1, 2, [1].y = 4};
    -> a[0].x = 1, a[0].y = 2, a[1].y = 4, the rest zero; a has two elements
"""

from __future__ import annotations

from typing import Any, final

from pycparser import c_ast

from cfrontend.elaborate import brace_initializers
from cfrontend.elaborate.context import ElaborationContext, location_of
from cfrontend.elaborate.conversions import require_complete
from cfrontend.errors import Location
from cfrontend.syntax import tree
from cfrontend.syntax.types import ArrayType, CType, StructType


@final
class InitializerElaborator:
    """Elaborates the initialisers of one file."""

    def __init__(self, context: ElaborationContext) -> None:
        self._context = context
        self._filling = brace_initializers.Filling(context)

    # -- entry points ----------------------------------------------------------------------------------------

    def plan(self, ctype: CType, node: Any, *, is_static: bool) -> tuple[brace_initializers.Plan, CType]:
        """The writes of an initialiser, and the type with its length completed."""
        plan = brace_initializers.Plan(is_static)
        braces = self._unwrapped(ctype, node, is_static=is_static)
        if isinstance(braces, c_ast.InitList):
            self._filling.braced(plan, (), ctype, braces)
        else:
            self._filling.single(plan, ctype, braces)
        if isinstance(ctype, ArrayType) and ctype.length is None:
            return plan, ArrayType(ctype.element, plan.length)
        if isinstance(ctype, StructType) and plan.elements:
            return plan, self._context.types.records.with_elements(ctype, plan.elements)
        return plan, ctype

    def build(
        self, plan: brace_initializers.Plan, symbol: tree.SyntaxSymbol, at: Location
    ) -> tree.Initializer:
        """The plan as writes to a variable."""
        writes = plan.writes
        if plan.is_designated:
            writes.sort(key=self._positions)
        items = tuple([tree.InitItem(target=self._target(symbol, w), value=w.value) for w in writes])
        zero_fill = isinstance(symbol.type, ArrayType | StructType) and all(w.way for w in writes)
        return tree.Initializer(items=items, zero_fill=zero_fill, location=at)

    def compound_literal(self, node: Any) -> tree.Expression:
        """``(T){...}``: at file scope a variable without a name, inside a function a node of its own."""
        context, at = self._context, location_of(node)
        is_static = context.function is None
        plan, ctype = self.plan(context.types.of(node.type), node.init, is_static=is_static)
        require_complete(ctype, context.structs, at, "compound literal of")
        if not is_static:
            symbol = context.new_local("<literal>", ctype, at, declared=node.type)
            initializer = self.build(plan, symbol, location_of(node.init))
            return tree.CompoundLiteral(type=ctype, location=at, symbol=symbol, initializer=initializer)
        key = context.program.unique("<literal>")
        symbol = context.program.declare_variable(
            key,
            "<literal>",
            ctype,
            "static",
            at,
            unit=context.path,
            is_constant=context.is_constant(node.type),
        )
        context.program.define_variable(key, self.build(plan, symbol, location_of(node.init)), at)
        return symbol.reference(at)

    def _unwrapped(self, ctype: CType, node: Any, *, is_static: bool) -> Any:
        """The braces of a compound literal where gcc takes it as an initialiser; else the node itself."""
        if not isinstance(node, c_ast.CompoundLiteral):
            return node
        literal = self._context.types.of(node.type)
        if isinstance(ctype, ArrayType) or (is_static and literal == ctype):
            return node.init
        return node

    def _positions(self, write: brace_initializers.Write) -> tuple[int, ...]:
        """Where the part of a write stands in the object: the order in which gcc evaluates what designators mix."""
        structs = self._context.structs
        return tuple(
            [step if isinstance(step, int) else structs[step[0]].members.index(step[1]) for step in write.way]
        )

    def _target(self, symbol: tree.SyntaxSymbol, write: brace_initializers.Write) -> tree.Expression:
        """The lvalue at the end of a way."""
        at = write.value.location
        target: tree.Expression = symbol.reference(at)
        for step in write.way:
            if isinstance(step, int):
                index = tree.IntConstant(type=self._context.model.ulong, location=at, value=step)
                element = target.type.element if isinstance(target.type, ArrayType) else target.type
                target = tree.Index(type=element, location=at, base=target, index=index)
            else:
                key, member = step
                target = tree.MemberAccess(
                    type=member.type, location=at, base=target, struct_key=key, member=member.name
                )
        return target
