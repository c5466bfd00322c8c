"""pycparser's statements into typed ones, with the checks C makes on labels and jumps.

Each label is checked against the switch or function it belongs to.

    switch (c) { case 'a' ... 'z': break; }
    -> Switch(Cast(int, c), Compound((Case(97, 122, Break()),)))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from pycparser import c_ast

from cfrontend.elaborate import declarations, expressions
from cfrontend.elaborate.constants import wrap_constant
from cfrontend.elaborate.context import (
    Context,
    FunctionContext,
    SwitchContext,
    location_of,
)
from cfrontend.elaborate.conversions import convert_for_assignment, implicit_conversion, promoted
from cfrontend.elaborate.held_values import behind_declarations
from cfrontend.elaborate.label_addresses import goto_label_address
from cfrontend.errors import InputError, InternalError, Location, UnsupportedError
from cfrontend.source.parse import ComputedGotoNode, LocalLabelsNode, RangeNode, RefusedNode
from cfrontend.syntax import tree
from cfrontend.syntax.printer import type_in_words
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import INT, VOID, IntType, VoidType

_DECLARATIONS = (c_ast.Decl, c_ast.Typedef, c_ast.StaticAssert, c_ast.FuncDef)


# -- blocks ----------------------------------------------------------------------------------------------


def outermost_block(context: Context, node: Any) -> tree.Compound:
    """The outermost block of a function, whose scope is that of the parameters."""
    return tree.Compound(
        location=location_of(node), items=_items(context, node.block_items or ()), end=_end(node)
    )


def _block(context: Context, node: Any) -> tree.Compound:
    with context.scopes.block(), _function(context).label_scope():
        return outermost_block(context, node)


def _items(context: Context, nodes: Sequence[Any]) -> tuple[tree.Statement, ...]:
    items: list[tree.Statement] = []
    for node in nodes:
        if isinstance(node, _DECLARATIONS):
            items += declarations.local(context, node)
        elif isinstance(node, LocalLabelsNode):
            _function(context).declare_labels(node.names)
        elif not isinstance(node, c_ast.Pragma):
            items.append(statement(context, node))
    return tuple(items)


def _supported(context: Context, elaborate: Callable[[Any], Expression], node: Any) -> Expression:
    """An expression, or the refusal of one that sfo does not model: only an execution that comes here minds."""
    function = _function(context)
    mark = len(function.lengths)
    try:
        value = elaborate(node)
    except UnsupportedError as error:
        value = tree.RefusedSyntax(
            type=INT, location=error.location or location_of(node), message=error.message
        )
    lengths = function.new_lengths(mark)
    if not lengths or isinstance(value, tree.RefusedSyntax):
        return value
    return behind_declarations(lengths, value, value.location)


def _value(context: Context, node: Any) -> Expression:
    return _supported(context, context.value, node)


def _condition(context: Context, node: Any) -> Expression:
    return _supported(context, partial(expressions.condition, context), node)


def statement_expression(context: Context, node: Any) -> Expression:
    """``({ ... })``. The last expression statement is the result and no longer part of the body."""
    if context.function is None:
        raise InputError("a statement expression outside of a function", location_of(node))
    with context.scopes.block(), _function(context).label_scope():
        body = outermost_block(context, node)
    labels: list[tree.Statement] = []
    last = body.items[-1] if body.items else None
    while isinstance(last, tree.Label):
        labels.append(replace(last, body=tree.Empty(location=last.location)))
        last = last.body
    if not isinstance(last, tree.ExpressionStatement) or isinstance(last.expression.type, VoidType):
        return tree.StatementExpression(type=VOID, location=location_of(node), body=body, result=None)
    if isinstance(last.expression, tree.RefusedSyntax):
        raise UnsupportedError(last.expression.message, last.expression.location)
    rest = tree.Compound(location=body.location, items=(*body.items[:-1], *labels), end=body.end)
    result = last.expression
    return tree.StatementExpression(type=result.type, location=location_of(node), body=rest, result=result)


# -- all statements --------------------------------------------------------------------------------------


def statement(context: Context, node: Any) -> tree.Statement:
    """Elaborate one statement."""
    match node:
        case c_ast.Compound():
            return _block(context, node)
        case c_ast.If() | c_ast.Switch() | c_ast.While() | c_ast.DoWhile() | c_ast.For():
            # C11 6.8.4, 6.8.5: each is a block of its own, in which its condition may declare a type.
            with context.scopes.block():
                return _selection_or_iteration(context, node)
        case c_ast.Case() | c_ast.Default():
            return _case(context, node)
        case c_ast.Label():
            return _label(context, node)
        case c_ast.Goto() | c_ast.Break() | c_ast.Continue() | c_ast.Return():
            return _jump(context, node)
        case ComputedGotoNode():
            return goto_label_address(context, _function(context), node)
        case RefusedNode():
            refused = tree.RefusedSyntax(type=INT, location=location_of(node), message=node.message)
            return tree.ExpressionStatement(location=location_of(node), expression=refused)
        case c_ast.EmptyStatement() | c_ast.Pragma():
            return tree.Empty(location=location_of(node))
        case _:
            return _expression_statement(context, node)


def _expression_statement(context: Context, node: Any) -> tree.ExpressionStatement:
    expression = _value(context, node)
    return tree.ExpressionStatement(location=location_of(node), expression=expression)


def _if(context: Context, node: Any) -> tree.Statement:
    return tree.If(
        location=location_of(node),
        condition=_condition(context, node.cond),
        then=_substatement(context, node.iftrue),
        otherwise=None if node.iffalse is None else _substatement(context, node.iffalse),
    )


def _substatement(context: Context, node: Any) -> tree.Statement:
    """A statement whose types end with it: what an ``if``, a ``switch`` or a loop governs."""
    with context.scopes.block():
        return statement(context, node)


# -- loops -----------------------------------------------------------------------------------------------


def _selection_or_iteration(context: Context, node: Any) -> tree.Statement:
    """An ``if``, a ``switch`` or a loop, inside the block that it is."""
    match node:
        case c_ast.If():
            return _if(context, node)
        case c_ast.Switch():
            return _switch(context, node)
        case c_ast.While():
            condition = _condition(context, node.cond)
            return tree.While(
                location=location_of(node), condition=condition, body=_loop_body(context, node.stmt)
            )
        case c_ast.DoWhile():
            body = _loop_body(context, node.stmt)
            condition = _condition(context, node.cond)
            return tree.DoWhile(location=location_of(node), body=body, condition=condition)
        case _:
            return _for(context, node)


def _for(context: Context, node: Any) -> tree.Statement:
    if isinstance(node.init, c_ast.DeclList):
        start = _items(context, node.init.decls)
    else:
        start = () if node.init is None else (_expression_statement(context, node.init),)
    return tree.For(
        location=location_of(node),
        start=start,
        condition=None if node.cond is None else _condition(context, node.cond),
        step=None if node.next is None else _value(context, node.next),
        body=_loop_body(context, node.stmt),
    )


def _loop_body(context: Context, node: Any) -> tree.Statement:
    function = _function(context)
    function.loops += 1
    function.breakable += 1
    body = _substatement(context, node)
    function.loops -= 1
    function.breakable -= 1
    return body


# -- switch ----------------------------------------------------------------------------------------------


def _switch(context: Context, node: Any) -> tree.Statement:
    selector = _value(context, node.cond)
    if not isinstance(selector.type, IntType):
        raise InputError(f"switch on {type_in_words(selector.type)}", selector.location)
    selector = promoted(selector, context.structs)
    if not isinstance(selector.type, IntType):
        raise InternalError("the promoted selector is not an integer", selector.location)
    with _inside_switch(context, selector.type):
        body = _substatement(context, node.stmt)
    return tree.Switch(location=location_of(node), selector=selector, body=body)


@contextmanager
def _inside_switch(context: Context, ctype: IntType) -> Iterator[None]:
    function = _function(context)
    function.switches.append(SwitchContext(ctype))
    function.breakable += 1
    yield
    function.breakable -= 1
    function.switches.pop()


def _case(context: Context, node: Any) -> tree.Statement:
    at = location_of(node)
    is_default = isinstance(node, c_ast.Default)
    if not _function(context).switches:
        raise InputError(f"{'default' if is_default else 'case'} label not within a switch", at)
    switch = _function(context).switches[-1]
    if is_default:
        if switch.has_default:
            raise InputError("multiple default labels in one switch", at)
        switch.has_default = True
        return tree.Default(location=at, body=statement(context, node.stmts[0]))
    low, high = _case_values(context, node.expr, switch)
    return tree.Case(location=at, low=low, high=high, body=statement(context, node.stmts[0]))


def _case_values(context: Context, node: Any, switch: SwitchContext) -> tuple[int, int]:
    if isinstance(node, RangeNode):
        low = wrap_constant(context.constant(node.low, "a case label"), switch.type)
        high = wrap_constant(context.constant(node.high, "a case label"), switch.type)
    else:
        low = high = wrap_constant(context.constant(node, "a case label"), switch.type)
    _refuse_duplicate(low, high, switch, location_of(node))
    return low, high


def _refuse_duplicate(low: int, high: int, switch: SwitchContext, at: Location) -> None:
    is_taken = low in switch.values if low == high else any(low <= value <= high for value in switch.values)
    if is_taken or any(a <= high and low <= b for a, b in switch.ranges):
        raise InputError("duplicate case value", at)
    if low == high:
        switch.values[low] = at
    elif low < high:
        switch.ranges.append((low, high))


# -- labels and jumps ------------------------------------------------------------------------------------


def _label(context: Context, node: Any) -> tree.Statement:
    labels, name = _function(context).labels, _function(context).label(node.name)
    if name in labels:
        raise InputError(f"duplicate label '{node.name}'", location_of(node))
    labels.add(name)
    return tree.Label(location=location_of(node), name=name, body=statement(context, node.stmt))


def _jump(context: Context, node: Any) -> tree.Statement:
    at, function = location_of(node), _function(context)
    match node:
        case c_ast.Goto():
            label = function.label(node.name)
            function.gotos.append((label, at))
            return tree.Goto(location=at, label=label)
        case c_ast.Break():
            if not function.breakable:
                raise InputError("break statement not within a loop or switch", at)
            return tree.Break(location=at)
        case c_ast.Continue():
            if not function.loops:
                raise InputError("continue statement not within a loop", at)
            return tree.Continue(location=at)
        case _:
            return _return(context, node)


def _return(context: Context, node: Any) -> tree.Statement:
    at, result = location_of(node), _function(context).result
    if node.expr is None:
        return tree.Return(location=at, value=None)
    value = _value(context, node.expr)
    if isinstance(value, tree.RefusedSyntax):
        return tree.ExpressionStatement(location=at, expression=value)
    if isinstance(result, VoidType):
        # gcc only warns: the value is computed and dropped.
        return tree.Return(location=at, value=implicit_conversion(value, VOID))
    return tree.Return(location=at, value=convert_for_assignment(value, result, "return"))


def _function(context: Context) -> FunctionContext:
    if context.function is None:
        raise InternalError("a statement outside of a function")
    return context.function


def _end(node: Any) -> Location:
    """The closing brace of a block."""
    at = location_of(node)
    return Location(at.file, at.end_line, at.end_column, at.end_line, at.end_column)
