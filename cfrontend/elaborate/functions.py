"""Function definitions: parameters, also in the old style, and the body.

The parameters and the outermost block of the body share one scope.

    int f(a, b) char a; { return a + b; }
    -> Function("f", FunctionType(int, (char, int), prototyped=False), (f::a, f::b), ...)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, final

from pycparser import c_ast

from cfrontend.elaborate import nested_functions, scope
from cfrontend.elaborate.constants import constant_value
from cfrontend.elaborate.context import ElaborationContext, ElaborationFunctionContext, location_of
from cfrontend.elaborate.label_addresses import addressed_labels
from cfrontend.elaborate.type_names import type_name_of_parameter
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.syntax import queries, tree
from cfrontend.syntax.printer import printed_type_in_words
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import (
    INT,
    ArrayType,
    CType,
    FunctionType,
    PointerType,
    VoidType,
    is_complete_object_type,
)


@final
class FunctionElaborator:
    """Elaborates the function definitions of one file."""

    def __init__(self, context: ElaborationContext) -> None:
        self._context = context

    def define(self, node: Any) -> None:
        """Add a function with its body to the program."""
        context, declaration = self._context, node.decl
        ctype = context.types.of(declaration)
        if not isinstance(ctype, FunctionType) or not isinstance(declaration.type, c_ast.FuncDecl):
            raise InputError(
                f"'{declaration.name}' is defined like a function but is none", location_of(node)
            )
        names, types = self._parameters(node, declaration.type, ctype)
        if not ctype.prototyped:
            ctype = FunctionType(ctype.result, tuple(types), prototyped=False)
        key = context.declarations.function(declaration, ctype)
        function = context.program.functions[key]
        if function.body is not None:
            if "inline" in (declaration.funcspec or ()):
                return
            message = f"redefinition of '{declaration.name}'; the other one is at {function.location}"
            raise InputError(message, location_of(declaration))
        self._require_complete_result(ctype, declaration)
        if function.uncalled and types:
            message = (
                f"attribute '{min(function.uncalled)}' of a function with parameters is not supported yet"
            )
            raise UnsupportedError(message, location_of(declaration))
        context.program.define_function(key)
        if context.incremental is None:
            self._define_body(node, key, ctype, names, types)
        else:
            context.incremental.body(
                node, key, context, lambda: self._define_body(node, key, ctype, names, types)
            )
        function.location = location_of(declaration)

    def _define_body(
        self, node: Any, key: str, ctype: FunctionType, names: Sequence[Any], types: Sequence[CType]
    ) -> None:
        """Elaborate parameters and body of the function ``key``."""
        context = self._context
        function = context.program.functions[key]
        context.function = ElaborationFunctionContext(
            key, node.decl.name, ctype.result, *addressed_labels(node.body)
        )
        with context.scopes.block():
            function.parameters = self._declare(names, types)
            lengths = context.function.new_lengths(0)
            body = context.statements.body(node.body)
            function.body, function.end = replace(body, items=(*lengths, *body.items)), body.end
        self._check_gotos(context.function)
        nested_functions.refuse_jumps_over(context, context.function)
        context.function = None

    def define_nested(self, node: Any, key: str, ctype: FunctionType) -> Mapping[str, SyntaxSymbol]:
        """Add a function within another one; the variables around it that it uses, by their keys."""
        context, at, outer = self._context, location_of(node), self._context.function
        program, body, parameters = context.program, node.init.body, node.type.args
        self._require_complete_result(ctype, node)
        function = program.declare_function(key, node.name, ctype, at, unit=context.path)
        context.scopes.declare(node.name, scope.Function(key))
        names = [] if parameters is None else parameters.params[: len(ctype.parameters)]
        context.function = inner = ElaborationFunctionContext(
            key, node.name, ctype.result, *addressed_labels(body)
        )
        try:
            with context.scopes.block():
                function.parameters = self._declare(names, ctype.parameters)
                elaborated = context.statements.body(body)
                items = (*inner.new_lengths(0), *elaborated.items)
                function.body, function.end = replace(elaborated, items=items), elaborated.end
            nested_functions.refuse_jumps_out(inner, at)
            nested_functions.refuse_jumps_over(context, inner)
        except UnsupportedError:
            del program.functions[key], program.nested[key]
            raise
        finally:
            context.function = outer
        return inner.captured

    def _require_complete_result(self, ctype: FunctionType, declaration: Any) -> None:
        if not isinstance(ctype.result, VoidType) and not is_complete_object_type(
            ctype.result, self._context.structs
        ):
            raise InputError(
                f"'{declaration.name}' returns incomplete {printed_type_in_words(ctype.result)}",
                location_of(declaration),
            )

    # -- parameters ------------------------------------------------------------------------------------------

    def _parameters(self, node: Any, declarator: Any, ctype: FunctionType) -> tuple[list[Any], list[CType]]:
        """The nodes that name the parameters, and the types."""
        nodes = [] if declarator.args is None else declarator.args.params
        if any(isinstance(parameter, c_ast.ID) for parameter in nodes):
            return self._old_style(nodes, node.param_decls or ())
        if node.param_decls:
            raise InputError("old-style parameter declarations in a prototyped definition", location_of(node))
        return nodes[: len(ctype.parameters)], list(ctype.parameters)

    def _old_style(self, nodes: Sequence[Any], declarations: Sequence[Any]) -> tuple[list[Any], list[CType]]:
        declared = {
            d.name: type_name_of_parameter(self._context.types.of(d))
            for d in declarations
            if isinstance(d, c_ast.Decl)
        }
        unknown = [name for name in declared if name not in {node.name for node in nodes}]
        if unknown:
            raise InputError(
                f"declaration for parameter '{unknown[0]}' but no such parameter", location_of(nodes[0])
            )
        return list(nodes), [declared.get(node.name, INT) for node in nodes]

    def _declare(self, nodes: Sequence[Any], types: Sequence[CType]) -> tuple[SyntaxSymbol, ...]:
        context = self._context
        symbols = []
        effects: list[tree.Statement] = []
        for number, (node, declared) in enumerate(zip(nodes, types, strict=True), start=1):
            ctype = context.types.parameter(node) if _has_open_array(declared) else declared
            if not is_complete_object_type(ctype, context.structs):
                raise InputError(
                    f"parameter {number} has incomplete {printed_type_in_words(ctype)}", location_of(node)
                )
            length = self._declared_length(node, effects)
            name = node.name or f"<unnamed {number}>"
            if node.name and context.scopes.find_here(name) is not None:
                raise InputError(f"redefinition of parameter '{name}'", location_of(node))
            at = location_of(node)
            symbol = context.new_local(
                name, ctype, at, is_parameter=True, declared_length=length, declared=node
            )
            context.scopes.declare(name, scope.LocalVariable(symbol))
            context.scopes.note(name, node)
            symbols.append(symbol)
        if context.function is not None:
            # As gcc evaluates them: behind the lengths of inner arrays, of all parameters.
            context.function.lengths += effects
        return tuple(symbols)

    def _declared_length(self, node: Any, effects: list[tree.Statement]) -> int | None:
        """The constant outermost length of an array parameter; None where it has none.

        It is evaluated at each call although it means nothing: one with side effects goes to ``effects``.
        """
        declarator = getattr(node, "type", None)
        length = declarator.dim if isinstance(declarator, c_ast.ArrayDecl) else None
        # The star in int a[*] stands for a length that is not said.
        if length is None or (isinstance(length, c_ast.ID) and length.name == "*"):
            return None
        value = self._context.expressions.value(length)
        if queries.has_side_effects(value):
            effects.append(tree.ExpressionStatement(location=value.location, expression=value))
            return None
        return constant_value(value, self._context.structs)

    @staticmethod
    def _check_gotos(function: ElaborationFunctionContext) -> None:
        for label, at in function.gotos:
            if label not in function.labels:
                raise InputError(f"label '{label}' used but not defined", at)


def _has_open_array(ctype: CType) -> bool:
    """True if a parameter may point to arrays whose length is that of another parameter."""
    while isinstance(ctype, PointerType):
        ctype = ctype.target
    return isinstance(ctype, ArrayType) and (ctype.length is None or _has_open_array(ctype.element))
