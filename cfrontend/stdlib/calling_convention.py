"""Calls of library functions by other declarations than the library's, as the calling convention passes them.

    int strlen(char *);  n = strlen(s)   ->   n = (int)strlen(s), where strlen is unsigned long(const char *)
    double abs(int);     x = abs(n)      ->   an error where an execution comes to it

Integers and pointers travel in registers or stack slots of a machine word. What is cut there is cut; where more bits
are read than were passed, a value keeps its meaning if no sign is lost, and anything else is an error.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, final

from cfrontend.elaborate import elaborate_function_types
from cfrontend.lower import dialect
from cfrontend.lower.dialect import CONVENTION
from cfrontend.record import dataclass
from cfrontend.source.parse import parse_file
from cfrontend.source.preprocess import (
    HEADERS,
    PreprocessOptions,
    is_preprocessed_header_file,
    is_preprocessed_library_file,
    preprocess,
)
from cfrontend.stdlib.models import library_models
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    BOOL,
    CHAR,
    INT,
    LP64,
    VOID,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    StructTypeTable,
    VoidType,
    bit_width_of_type,
    size_of_type,
)

_INSTRUCTIONS: Final = dialect.BUILT_IN | dialect.OUTPUTS | dialect.WIDE_OUTPUTS | dialect.INPUTS
"""Library functions that become instructions where they are called, besides those that are models, too."""


def with_library_calling_convention(
    program: tree.TranslationUnit, options: PreprocessOptions
) -> tree.TranslationUnit:
    """The program with each call of a library function by the library's own declaration of it."""
    rewriting = _Rewriting(_declarations(program, options), program.structs)
    if not rewriting.library:
        return program
    functions = {
        name: f
        if f.body is None or is_preprocessed_library_file(f.location.file)
        else dataclasses.replace(f, body=rewriting.of(f.body))
        for name, f in program.functions.items()
    }
    for name, ctype in rewriting.library.items():
        if functions[name].body is None:
            functions[name] = dataclasses.replace(functions[name], type=ctype)
    variables = tuple(
        [dataclasses.replace(v, initializer=rewriting.of(v.initializer)) for v in program.variables]
    )
    return dataclasses.replace(program, functions=functions, variables=variables)


def _declarations(program: tree.TranslationUnit, options: PreprocessOptions) -> Mapping[str, FunctionType]:
    """The library's types of the library functions that the program may declare otherwise."""
    found: dict[str, FunctionType] = {}
    for name, function in program.functions.items():
        if function.body is not None:
            if is_preprocessed_library_file(function.location.file):
                found[name] = function.type
        elif (name in library_models() or name in _INSTRUCTIONS) and not is_preprocessed_header_file(
            function.location.file
        ):
            ctype = _library_type(name, options)
            if ctype is not None:
                found[name] = ctype
    return found


def _library_type(name: str, options: PreprocessOptions) -> FunctionType | None:
    """The type of a library function by the headers that come with us, None if none declares it."""
    known = elaborate_function_types((), options.model).get(name)
    for header in _headers_with(name) if known is None else ():
        known = known or _in_header(header, options).get(name)
    return known


@cache
def _headers_with(name: str) -> tuple[Path, ...]:
    """The headers that come with us in which a function of this name may be declared."""
    word = re.compile(rf"\b{re.escape(name)}\s*\(")
    return tuple(p for p in sorted(HEADERS.rglob("*.h")) if word.search(p.read_text(encoding="utf-8")))


@cache
def _in_header(header: Path, options: PreprocessOptions) -> Mapping[str, FunctionType]:
    return elaborate_function_types((parse_file(preprocess(str(header), options)),), options.model)


_LEAVES: Final = (tree.IntConstant, tree.FloatConstant, tree.StringLiteral)
"""Values in which nothing is called; tables have many."""


@final
@dataclass(frozen=True, slots=True)
class _Rewriting:
    """The rewriting of trees; ``library`` are the types of library functions."""

    library: Mapping[str, FunctionType]
    structs: StructTypeTable

    def of(self, node: Any) -> Any:
        """A node, or a tuple of nodes, with every call by the library's declaration."""
        match node:
            case tree.InitItem() if isinstance(queries.syntax_below_conversions(node.value), _LEAVES):
                return node
            case tuple():
                parts = tuple([self.of(part) for part in node])
                return parts if any(new is not old for new, old in zip(parts, node, strict=True)) else node
            case tree.Call(callee=tree.FunctionRef(name=name)) if name in self.library:
                given = self.of(node.arguments)
                is_same = given is node.arguments
                return self._call(node if is_same else dataclasses.replace(node, arguments=given), name)
            case tree.ExpressionStatement(expression=tree.Call() as call):
                return self._with_parts(self._unread(node, "expression", call))
            case tree.Cast(type=VoidType(), operand=tree.Call() as call):
                return self._with_parts(self._unread(node, "operand", call))
            case tree.Comma(left=tree.Call() as call):
                return self._with_parts(self._unread(node, "left", call))
            case tree.For(step=tree.Call() as call):
                return self._with_parts(self._unread(node, "step", call))
            case tree.AddressOf(operand=tree.FunctionRef(name=name) as named) if name in self.library:
                return self._address(node, named)
            case tree.SyntaxTreeNode() | tree.SyntaxTreeStatement() | tree.Initializer() | tree.InitItem():
                return self._with_parts(node)
            case _:
                return node

    def _unread(self, node: Any, part: str, call: tree.Call) -> Any:
        """A node whose part is a call with a result that nobody reads, so that there need be none."""
        name = dialect.callee_name_in_dialect(call) or ""
        is_void = name in self.library and isinstance(self.library[name].result, VoidType)
        if not is_void or call.type == VOID:
            return node
        return dataclasses.replace(node, **{part: dataclasses.replace(call, type=VOID)})

    def _with_parts(self, node: Any) -> Any:
        changes: dict[str, Any] = {}
        for part in dataclasses.fields(node):
            old = getattr(node, part.name)
            new = self.of(old)
            if new is not old:
                changes[part.name] = new
        return dataclasses.replace(node, **changes) if changes else node

    # -- calls -----------------------------------------------------------------------------------------------

    def _call(self, call: tree.Call, name: str) -> Expression:
        """A call by the library's declaration, with its result as the program's declaration says."""
        own, library = call.callee.type, self.library[name]
        if own == library and call.type == library.result:
            return call
        assert isinstance(own, FunctionType)
        said = (
            f"'{name}' is declared as '{_text(own, name)}' and is '{_text(library, name)}' in the C library"
        )
        error = tree.RefusedSyntax(type=call.type, location=call.location, message=f"{said}: {_NO_MEANING}")
        if library.variadic and own.prototyped and not own.variadic and not _as_variable_arguments(call):
            return error
        count, fixed = len(call.arguments), len(library.parameters)
        if library.prototyped and (count < fixed or (count > fixed and not library.variadic)):
            few = "few" if count < fixed else "many"
            return dataclasses.replace(error, message=f"too {few} arguments to '{name}': {said}")
        expected = library.parameters if library.prototyped else ()
        given: list[Expression] = []
        for n, argument in enumerate(call.arguments):
            what = f"{said}: the upper bits of argument {n + 1} are not passed"
            passed = self._moved(argument, expected[n], what) if n < len(expected) else argument
            if passed is None:
                return error
            given.append(passed)
        exact = dataclasses.replace(
            call,
            type=library.result,
            callee=dataclasses.replace(call.callee, type=library),
            arguments=tuple(given),
        )
        return self._result(exact, call.type, said) or error

    def _result(self, call: tree.Call, declared: CType, said: str) -> Expression | None:
        """The result of a call as the caller takes it; None where that has no meaning."""
        if declared == call.type:
            return call
        match call.type, declared:
            case StructType(), StructType():
                alike = self._moved(call, declared, "")
                return None if alike is None else dataclasses.replace(call, type=declared)
            case PointerType(), PointerType():
                return dataclasses.replace(call, type=declared)
            case VoidType(), _:
                message = f"{said}: there is no result"
                none = tree.RefusedSyntax(type=declared, location=call.location, message=message)
                return tree.Comma(type=declared, location=call.location, left=call, right=none)
            case IntType() | PointerType(), VoidType():
                return _converted(call, VOID)
            case FloatType(), VoidType() if self.structs.model == LP64:
                return _converted(call, VOID)
            case IntType() | PointerType() as have, IntType() | PointerType():
                old, new = bit_width_of_type(have, self.structs), bit_width_of_type(declared, self.structs)
                name = call.callee.name if isinstance(call.callee, tree.FunctionRef) else ""
                if new < old and _ZERO_OR_NOT.fullmatch(name):
                    message = f"{said}: the library does not say which bits of the result are set"
                    return self._checked(call, declared, message, only_zero=True)
                if new <= self.structs.model.word < old:  # the first of two registers
                    return _converted(call, declared)
            case _:
                pass
        return self._moved(call, declared, f"{said}: the upper bits of the result are not returned")

    def _moved(self, value: Expression, to: CType, message: str) -> Expression | None:
        """A value as the other side reads the registers or slots that it is in; None where they are others."""
        have = value.type
        if have == to or (isinstance(have, PointerType) and isinstance(to, PointerType)):
            return value
        if isinstance(have, StructType) and isinstance(to, StructType):
            # Only a program without the model does not know the library's structure: then its model is still to come.
            known = have.key in self.structs and to.key in self.structs
            return (
                value
                if not known or size_of_type(have, self.structs) == size_of_type(to, self.structs)
                else None
            )
        if not (isinstance(have, IntType | PointerType) and isinstance(to, IntType | PointerType)):
            return None
        old, new, word = (
            bit_width_of_type(have, self.structs),
            bit_width_of_type(to, self.structs),
            self.structs.model.word,
        )
        if (old > word) != (new > word):
            return None
        if to == BOOL or (new > max(old, INT.width) and isinstance(have, IntType) and have.signed):
            return self._checked(value, to, message)
        return _converted(value, to)

    @staticmethod
    def _checked(value: Expression, to: CType, message: str, *, only_zero: bool = False) -> Expression:
        """A value that keeps its meaning only under the condition that the lowering of ``CONVENTION`` knows."""
        if to != BOOL and isinstance(value, tree.IntConstant) and value.value >= 0:
            return _converted(value, to)
        data = os.fsencode(message) + b"\0"
        at = value.location
        array = tree.StringLiteral(type=ArrayType(CHAR, len(data)), location=at, data=data)
        text = tree.Decay(type=PointerType(CHAR), location=at, operand=array)
        zero = (tree.IntConstant(type=INT, location=at, value=0),) if only_zero else ()
        arguments = (value, text, *zero)
        ctype = FunctionType(to, tuple([argument.type for argument in arguments]))
        callee = tree.FunctionRef(type=ctype, location=at, name=CONVENTION)
        return tree.Call(type=to, location=at, callee=callee, arguments=arguments)

    # -- pointers to functions -------------------------------------------------------------------------------

    def _address(self, node: tree.AddressOf, named: tree.FunctionRef) -> Expression:
        """The address of a library function, which is called by the type that the program gives it."""
        own, library = named.type, self.library[named.name]
        if isinstance(own, FunctionType) and self._same_passing(own, library):
            return node
        assert isinstance(own, FunctionType)
        message = (
            f"'{named.name}' is declared as '{_text(own, named.name)}' and is "
            f"'{_text(library, named.name)}' in the C library: calls through its address are not supported yet"
        )
        return tree.RefusedSyntax(type=node.type, location=node.location, message=message)

    def _same_passing(self, own: FunctionType, library: FunctionType) -> bool:
        """True if a call by one type passes the same words as one by the other."""
        if self._word(own.result) != self._word(library.result):
            return False
        if not (own.prototyped and library.prototyped):
            return True
        one, other = ([*map(self._word, f.parameters)] for f in (own, library))
        return own.variadic == library.variadic and one == other

    def _word(self, ctype: CType) -> object:
        """What a value of a type is passed as: equal for types that are passed alike."""
        match ctype:
            case PointerType():
                return PointerType
            case StructType(key=key) if key in self.structs:
                return StructType, size_of_type(ctype, self.structs)
            case IntType():
                return ctype.width, ctype.signed
            case _:
                return ctype


_ZERO_OR_NOT: Final = re.compile(
    r"is(?:al|[dglpsuxcb])\w+|isascii|(?:str|mem)\w*cmp|bcmp|strcoll|feof|ferror"
)
"""Functions whose result is specified only as zero, not zero, or by its sign."""

_NO_MEANING: Final = "such a call has no defined meaning; declare it as its header does"


def _as_variable_arguments(call: tree.Call) -> bool:
    """Whether a call without ``...`` passes its arguments as one with it: whole numbers from int on, and pointers.

    The caller of a function with ``...`` also says how many registers have floating-point values.
    """
    return all(
        isinstance(argument.type, PointerType)
        or (isinstance(argument.type, IntType) and argument.type.width >= INT.width)
        for argument in call.arguments
    )


def _converted(value: Expression, to: CType) -> Expression:
    return tree.Cast(type=to, location=value.location, operand=value, implicit=True)


def _text(ctype: FunctionType, name: str) -> str:
    """A declaration as C writes it."""
    inside = ", ".join([*map(str, ctype.parameters), *(["..."] if ctype.variadic else [])])
    if not inside and ctype.prototyped:
        inside = "void"
    result = str(ctype.result)
    return f"{result}{'' if result.endswith('*') else ' '}{name}({inside})"
