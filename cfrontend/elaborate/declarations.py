"""Declarations: what a name means from here on, and the variables and functions of the program.

What has linkage goes to the program; what has not stays in its scope.

    static int x = 1; extern int y; int f(int);
    -> variable x (static, initialised), variable y (extern), function f without a body
"""

from __future__ import annotations

import dataclasses
from typing import Any, final

from pycparser import c_ast

from cfrontend.elaborate import attributes, functions, scope, variable_length
from cfrontend.elaborate.aliases import alias_library_name, alias_posix_name
from cfrontend.elaborate.builtins import builtin_declaration
from cfrontend.elaborate.calls import COMPILER_PREFIXES
from cfrontend.elaborate.constants import folded_constant
from cfrontend.elaborate.context import ElaborationContext, location_of
from cfrontend.elaborate.conversions import composite_type, implicit_conversion, nameable_type
from cfrontend.elaborate.held_values import declaration_of
from cfrontend.elaborate.scope import Entity
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.source.parse import CONSTEXPR, GnuAttributeNode, NestedFunctionNode
from cfrontend.syntax import tree
from cfrontend.syntax.printer import type_in_words
from cfrontend.syntax.types import (
    INT,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    VoidType,
    alignment_of_type,
    is_complete_object_type,
    is_scalar_type,
)


@final
class DeclarationElaborator:
    """Elaborates the declarations of one file."""

    def __init__(self, context: ElaborationContext) -> None:
        self._context = context

    # -- entry points ----------------------------------------------------------------------------------------

    def at_file_scope(self, node: Any) -> None:
        """A declaration or definition outside of functions.

        One that sfo does not support, as in many a system header, is refused only where its name is used; an
        inline function of a header stays without its body.
        """
        try:
            self._at_file_scope(node)
        except UnsupportedError as error:
            self._context.function = None
            declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
            name = getattr(declaration, "name", None)
            if isinstance(node, c_ast.FuncDef) and self._is_uncalled(declaration):
                raise
            if name is not None:
                self._context.scopes.declare(name, scope.RefusedName(error))
                if isinstance(declaration, c_ast.Decl) and name in self._context.program.defined:
                    self._context.program.refused[self._context.linkage_key(name)] = error
                elif isinstance(declaration, c_ast.Decl) and "static" not in declaration.storage:
                    self._context.program.refused[name] = error

    def _at_file_scope(self, node: Any) -> None:
        match node:
            case c_ast.FuncDef():
                functions.define(self._context, node)
            case c_ast.Typedef():
                self._typedef(node)
            case c_ast.StaticAssert():
                self.static_assert(node)
            case c_ast.Decl():
                self._declare(node)
            case c_ast.Pragma():
                return
            case _:
                raise UnsupportedError(f"{type(node).__name__} is not supported yet", location_of(node))

    def local(self, node: Any) -> tuple[tree.Statement, ...]:
        """A declaration inside a function: a statement if an automatic variable comes to life.

        One that sfo does not support is refused where its name is used, one of an object, or of a type with a length
        that is not constant, where it is executed.
        """
        function = self._context.function
        assert function is not None
        mark = len(function.lengths)
        try:
            if not isinstance(node, c_ast.Decl):
                self._at_file_scope(node)
                return function.new_lengths(mark)
            if isinstance(node.init, NestedFunctionNode):
                return functions.define_nested(self._context, node)
            declared = self._declare(node)
        except UnsupportedError as error:
            name = getattr(node, "name", None)
            if name is not None:
                self._context.scopes.declare(name, scope.RefusedName(error))
            is_object = name is not None and isinstance(node, c_ast.Decl) and "extern" not in node.storage
            is_object &= not isinstance(getattr(node, "init", None), NestedFunctionNode)
            if not is_object and not function.new_lengths(mark):
                return ()
            at = error.location or location_of(node)
            refused = tree.RefusedSyntax(type=INT, location=at, message=error.message)
            return (tree.ExpressionStatement(location=at, expression=refused),)
        if declared is not None and (named := attributes.named(node, "cleanup")) is not None:
            declared = dataclasses.replace(declared, cleanup=self._cleanup(node.name, named))
        lengths = function.new_lengths(mark)
        return lengths if declared is None else (*lengths, declared)

    def _cleanup(self, variable: str, attribute: GnuAttributeNode) -> tree.Expression:
        """``f(&variable)``, for ``cleanup(f)``."""
        at = attribute.location
        pointer = c_ast.UnaryOp("&", c_ast.ID(variable, at), at)
        function = c_ast.ID(str(attribute.argument), at)
        call = c_ast.FuncCall(function, c_ast.ExprList([pointer], at), at)
        return self._context.expressions.value(call)

    def static_assert(self, node: Any) -> None:
        """``_Static_assert(condition, message)``."""
        if self._context.constant(node.cond, "the condition of a static assertion") == 0:
            message = "" if node.message is None else f": {node.message.value}"
            raise InputError(f"static assertion failed{message}", location_of(node))

    def alignment(self, node: Any) -> int:
        """Alignment in bytes that ``_Alignas`` and ``aligned`` ask for in a declaration, 1 if none."""
        align = attributes.aligned(node, self._context)
        for specifier in node.align or ():
            operand = specifier.alignment
            if isinstance(operand, c_ast.Typename):
                ctype = self._context.types.of(operand)
                wanted = self._context.types.own_alignment(operand) or alignment_of_type(
                    ctype, self._context.structs
                )
            else:
                wanted = self._context.constant(operand, "an alignment")
            if wanted < 0 or wanted & (wanted - 1):
                raise InputError("a requested alignment is not a power of two", location_of(specifier))
            align = max(align, wanted)
        return align

    # -- kinds of declarations -------------------------------------------------------------------------------

    def _declare(self, node: Any) -> tree.Declaration | None:
        if node.name is None:
            self._tag_only(node)
            return None
        attributes.refuse_unsupported(node)
        self._context.scopes.note(node.name, node)
        if _is_inferred(node):
            return self._inferred(node)
        ctype = self._context.types.of(node)
        if isinstance(ctype, FunctionType):
            if node.init is not None:
                raise InputError(f"function '{node.name}' is initialized like a variable", location_of(node))
            self.function(node, ctype)
            return None
        if isinstance(ctype, VoidType):
            raise InputError(f"variable '{node.name}' declared void", location_of(node))
        align = self._declared_alignment(node)
        is_constant = attributes.named(node, CONSTEXPR) is not None
        if is_constant and self._context.scopes.is_file and not node.storage:
            node.storage = ["static"]
        if variable_length.is_variable(ctype) and {"static", "extern"} & set(node.storage):
            raise InputError(f"storage size of '{node.name}' is not constant", location_of(node))
        declaration: tree.Declaration | None = None
        if self._context.scopes.is_file or "extern" in node.storage:
            self._linked_variable(node, ctype)
        elif "static" in node.storage:
            self._static_local(node, ctype)
        else:
            declaration = self._automatic(node, ctype, align or 1)
        if align is not None:
            self._note_alignment(node.name, align)
        if is_constant and node.init is not None and not isinstance(node.init, c_ast.InitList):
            self._note_constant(node, ctype)
        return declaration

    def _note_constant(self, node: Any, ctype: CType) -> None:
        """Keep the value of a ``constexpr`` variable of arithmetic type, which stands for its name from here on."""
        if not isinstance(ctype, IntType | FloatType):
            return
        value = implicit_conversion(self._context.expressions.value(node.init), ctype)
        constant = folded_constant(value, self._context.structs)
        found = self._context.scopes.find_here(node.name)
        if constant is None:
            raise InputError(f"the value of '{node.name}' is not constant", location_of(node.init))
        if isinstance(found, scope.LocalVariable | scope.LinkedVariable):
            self._context.scopes.declare(node.name, dataclasses.replace(found, constant=constant))

    def _declared_alignment(self, node: Any) -> int | None:
        """The alignment of a variable where its declaration says one."""
        asked, own = self.alignment(node), self._context.types.own_alignment(node)
        if attributes.named(node, "aligned") is not None:
            return asked
        return max(asked, own or 1) if own is not None or asked > 1 else None

    def _note_alignment(self, name: str, align: int) -> None:
        """Keep the alignment of a variable for ``_Alignof``, the largest of its declarations."""
        found = self._context.scopes.find_here(name)
        if isinstance(found, scope.LocalVariable | scope.LinkedVariable):
            key = found.key if isinstance(found, scope.LinkedVariable) else found.symbol.key
            known = self._context.alignments
            known[key] = max(align, known.get(key, 1))
            variable = self._context.program.variables.get(key)
            if variable is not None:
                variable.symbol = dataclasses.replace(variable.symbol, alignment=known[key])

    def _tag_only(self, node: Any) -> None:
        specifier = node.type
        if isinstance(specifier, c_ast.Struct | c_ast.Union) and specifier.decls is None:
            self._context.types.records.declare(specifier)
        else:
            self._context.types.of(specifier)

    def _typedef(self, node: Any) -> None:
        attributes.refuse_unsupported(node)
        self._context.types.records.name_by_typedef(node.type, node.name)
        ctype, scopes = self._context.types.of(node), self._context.scopes
        scopes.note(node.name, node)
        found = scopes.find_here(node.name)
        if found is not None:
            is_same = isinstance(found, scope.Typedef) and composite_type(found.type, ctype) is not None
            if not is_same:
                raise InputError(f"conflicting types for '{node.name}'", location_of(node))
        scopes.declare(
            node.name,
            scope.Typedef(
                ctype, self._context.types.enumeration(node), self._context.types.own_alignment(node)
            ),
        )

    # -- functions -------------------------------------------------------------------------------------------

    def _is_uncalled(self, node: Any) -> bool:
        """True if the function is a constructor or destructor by this declaration or an earlier one."""
        known = self._context.program.functions.get(self._context.linkage_key(node.name))
        return bool(attributes.uncalled(node) or (known is not None and known.uncalled))

    def function(self, node: Any, ctype: FunctionType) -> str:
        """Declare a function; returns its key."""
        context = self._context
        found = context.scopes.find_here(node.name) or context.scopes.find_at_file(node.name)
        self._refuse_other_kind(node, found, scope.Function)
        if "static" in node.storage:
            self._refuse_late_static(node, found)
            context.internal.add(node.name)
        at = location_of(node)
        key = alias_posix_name(context.linkage_key(node.name), ctype, at.file)
        linked = context.program.declare_function(key, node.name, ctype, at, unit=context.path)
        linked.uncalled |= attributes.uncalled(node)
        linked.never_returns |= attributes.never_returns(node)
        context.scopes.declare(node.name, scope.Function(key))
        if not isinstance(context.scopes.find_at_file(node.name), scope.Function):
            context.scopes.declare_at_file(node.name, scope.Function(key))
        return key

    def implicit_function(self, name: str, at: Location) -> None:
        """Declare a function that is called without a declaration: a known one, else ``int name()``."""
        if self.builtin(name, at) is None:
            if name.startswith(COMPILER_PREFIXES):
                raise UnsupportedError(f"'{name}' is not supported yet", at)
            self._context.program.declare_function(
                name,
                name,
                FunctionType(INT, (), prototyped=False),
                at,
                unit=self._context.path,
                is_implicit=True,
            )
            self._context.scopes.declare_at_file(name, scope.Function(name))

    def builtin(self, name: str, at: Location) -> scope.Function | None:
        """Declare a function that every program may use undeclared; None if the name is not one."""
        model = self._context.model
        declaration = builtin_declaration(name, model) or builtin_declaration(alias_library_name(name), model)
        if declaration is None:
            return None
        ctype = self._context.types.of(declaration)
        if not isinstance(ctype, FunctionType):
            return None
        key = self._context.linkage_key(name)
        self._context.program.declare_function(
            key, name, ctype, at, unit=self._context.path, is_implicit=True
        )
        declared = scope.Function(key)
        self._context.scopes.declare_at_file(name, declared)
        return declared

    def _refuse_late_static(self, node: Any, found: Entity | None) -> None:
        if found is None or node.name in self._context.internal:
            return
        functions = self._context.program.functions
        if isinstance(found, scope.Function) and functions[found.key].is_implicit:
            return
        raise InputError(
            f"static declaration of '{node.name}' follows non-static declaration", location_of(node)
        )

    def _refuse_other_kind(self, node: Any, found: Entity | None, kind: type) -> None:
        if found is not None and not isinstance(found, kind):
            raise InputError(f"'{node.name}' redeclared as a different kind of symbol", location_of(node))

    # -- variables -------------------------------------------------------------------------------------------

    def _linked_variable(self, node: Any, ctype: CType) -> None:
        """A variable at file scope, or one declared ``extern`` in a block."""
        context, at = self._context, location_of(node)
        if node.name.startswith("__CPROVER_") and "extern" in node.storage and node.init is None:
            error = UnsupportedError(f"CBMC's variable '{node.name}' is not supported yet", at)
            context.scopes.declare(node.name, scope.RefusedName(error))
            return
        found = context.scopes.find_here(node.name)
        self._refuse_other_kind(node, found, scope.LinkedVariable)
        if "static" in node.storage:
            self._refuse_late_static(node, found)
            context.internal.add(node.name)
        key = context.linkage_key(node.name)
        is_definition = "extern" not in node.storage or (node.init is not None and context.scopes.is_file)
        storage: tree.Storage = "static" if is_definition else "extern"
        symbol = context.program.declare_variable(
            key, node.name, ctype, storage, at, unit=context.path, is_constant=context.is_constant(node)
        )
        context.scopes.declare(node.name, scope.LinkedVariable(key))
        if node.init is not None:
            if not is_definition or not context.scopes.is_file:
                raise InputError(f"'{node.name}' has both 'extern' and an initializer", at)
            self._initialize_static(key, symbol.type, node)

    def _static_local(self, node: Any, ctype: CType) -> None:
        context, function = self._context, self._context.function
        self._refuse_redefinition(node)
        prefix = "" if function is None else function.key
        key = context.program.unique(f"{prefix}::{node.name}")
        context.program.declare_variable(
            key,
            node.name,
            ctype,
            "static",
            location_of(node),
            unit=context.path,
            function=prefix,
            is_constant=context.is_constant(node),
        )
        context.scopes.declare(node.name, scope.LinkedVariable(key))
        if node.init is not None:
            self._initialize_static(key, ctype, node)
        self._require_complete(node, context.program.variables[key].symbol.type)

    def _initialize_static(self, key: str, ctype: CType, node: Any) -> None:
        initializers, program = self._context.initializers, self._context.program
        plan, completed = initializers.plan(ctype, node.init, is_static=True)
        symbol = program.complete_variable(key, completed)
        program.define_variable(
            key, initializers.build(plan, symbol, location_of(node.init)), location_of(node)
        )
        if "const" in node.quals and isinstance(node.type, c_ast.TypeDecl) and is_scalar_type(completed):
            program.constants.add(key)

    def _automatic(self, node: Any, ctype: CType, align: int) -> tree.Declaration:
        context, at = self._context, location_of(node)
        self._refuse_redefinition(node)
        if variable_length.is_variable(ctype):
            return self._variable_array(node, ctype)
        symbol = dataclasses.replace(context.new_local(node.name, ctype, at, declared=node), alignment=align)
        context.scopes.declare(node.name, scope.LocalVariable(symbol))
        initializer = None
        if node.init is not None:
            plan, completed = context.initializers.plan(ctype, node.init, is_static=False)
            symbol = dataclasses.replace(symbol, type=completed)
            context.scopes.declare(node.name, scope.LocalVariable(symbol))
            initializer = context.initializers.build(plan, symbol, location_of(node.init))
        self._require_complete(node, symbol.type)
        return tree.Declaration(location=at, symbol=symbol, initializer=initializer)

    def _variable_array(self, node: Any, ctype: CType) -> tree.Declaration:
        context, at = self._context, location_of(node)
        if node.init is not None:
            raise InputError(f"variable-length array '{node.name}' has an initializer", at)
        value = variable_length.storage_of(ctype, context.structs, at)
        symbol = context.new_local(node.name, value.type, at)
        context.scopes.declare(node.name, scope.VariableArray(symbol, ctype))
        return declaration_of(symbol, value, at, is_written=False)

    def _inferred(self, node: Any) -> tree.Declaration:
        """``__auto_type x = value;`` of an automatic variable, ``auto x = value;`` in C23."""
        at = location_of(node)
        if node.init is None or isinstance(node.init, c_ast.InitList):
            raise InputError(f"'{node.name}' is declared with '__auto_type' but has no value", at)
        if self._context.function is None or set(node.storage) - {"auto", "register"}:
            raise UnsupportedError("'__auto_type' of a static variable is not supported yet", at)
        self._refuse_redefinition(node)
        value = self._context.expressions.value(node.init)
        nameable_type(value, self._context.structs, "'__auto_type'")
        symbol = self._context.new_local(node.name, value.type, at)
        self._require_complete(node, value.type)
        self._context.scopes.declare(node.name, scope.LocalVariable(symbol))
        return declaration_of(symbol, value, at)

    def _refuse_redefinition(self, node: Any) -> None:
        if self._context.scopes.find_here(node.name) is not None:
            raise InputError(f"redefinition of '{node.name}'", location_of(node))

    def _require_complete(self, node: Any, ctype: CType) -> None:
        if is_complete_object_type(ctype, self._context.structs):
            return
        kind = (
            "has no known length"
            if isinstance(ctype, ArrayType)
            else f"has incomplete {type_in_words(ctype)}"
        )
        raise InputError(f"'{node.name}' {kind}", location_of(node))


def _is_inferred(node: Any) -> bool:
    """True if the type of a variable is ``__auto_type``."""
    if not isinstance(node.type, c_ast.TypeDecl):
        return False
    specifier = node.type.type
    return isinstance(specifier, c_ast.IdentifierType) and specifier.names == ["__auto_type"]
