"""A typed program as C text in which every conversion is a cast: gcc must run it like the original.

unsigned char c; c += 1;   ->   (f_c = (unsigned char)((int)(f_c) + (int)(1)));
"""

from __future__ import annotations

import itertools
import re
from typing import assert_never

from cfrontend.syntax import tree
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    StructTypeLayout,
    VoidType,
)

SKIPPED_STRUCTS = {"struct __va_list_tag"}


def explicit_c(unit: tree.TranslationUnit) -> str:
    return _Printer(unit).program()


def _name(key: str) -> str:
    if key == "main":
        return key
    return "v_" + re.sub(r"\W", lambda m: f"_{ord(m[0]):x}_", key)


def _member(name: str) -> str:
    return "m_" + re.sub(r"\W", lambda m: f"_{ord(m[0]):x}_", name)


def declare(ctype: CType, inside: str) -> str:
    match ctype:
        case PointerType(target=target):
            return declare(target, f"(*{inside})")
        case ArrayType(element=StructType(key="struct __va_list_tag")):
            return f"__builtin_va_list {inside}"
        case ArrayType(element=element, length=length):
            return declare(element, f"({inside})[{'' if length is None else length}]")
        case FunctionType():
            if ctype.prototyped:
                parameters = [declare(p, "") for p in ctype.parameters] + (["..."] if ctype.variadic else [])
                return declare(ctype.result, f"({inside})({', '.join(parameters) or 'void'})")
            return declare(ctype.result, f"({inside})()")
        case StructType(key=key):
            return f"struct {_name(key)} {inside}"
        case IntType() | FloatType() | VoidType():
            return f"{ctype} {inside}"
        case _:
            assert_never(ctype)


def type_text(ctype: CType) -> str:
    return declare(ctype, "")


class _Printer:
    def __init__(self, unit: tree.TranslationUnit) -> None:
        self.unit = unit
        self.temporaries = itertools.count()

    # -- program ---------------------------------------------------------------------------------------------

    def program(self) -> str:
        parts: list[str] = []
        done: set[str] = set(SKIPPED_STRUCTS)
        for key in self.unit.structs:
            self._struct(key, done, parts)
        for function in self.unit.functions.values():
            if function.name.startswith("__builtin_"):
                continue
            name = function.name if function.body is None else _name(function.name)
            parts.append(declare(function.type, name) + ";")
        for variable in self.unit.variables:
            symbol = variable.symbol
            if symbol.storage == "extern":
                parts.append(f"extern {declare(symbol.type, symbol.name)};")
            else:
                parts.append(f"static {declare(symbol.type, _name(symbol.key))};")
        parts += [self._function(f) for f in self.unit.functions.values() if f.body is not None]
        if "assert" in self.unit.functions and self.unit.functions["assert"].body is None:
            parts.append("void assert(int condition) { if (!condition) __builtin_abort(); }")
        parts.append("__attribute__((constructor)) static void start(void) {")
        parts += [
            self._writes(v.symbol, v.initializer) for v in self.unit.variables if v.initializer is not None
        ]
        parts.append("}")
        return "\n".join(parts) + "\n"

    def _struct(self, key: str, done: set[str], parts: list[str]) -> None:
        if key in done or key not in self.unit.structs:
            return
        done.add(key)
        layout = self.unit.structs[key]
        for member in layout.members:
            inner = member.type
            while isinstance(inner, ArrayType):
                inner = inner.element
            if isinstance(inner, StructType):
                self._struct(inner.key, done, parts)
        parts.append(self._struct_text(layout))

    def _struct_text(self, layout: StructTypeLayout) -> str:
        body = []
        for member in layout.members:
            bits = "" if member.bit_width is None else f" : {member.bit_width}"
            body.append(f"  {declare(member.type, _member(member.name))}{bits};")
        name = _name(layout.key)
        if layout.is_union:
            return f"struct {name} {{ union {{\n" + "\n".join(body) + "\n}; };"
        return f"struct {name} {{\n" + "\n".join(body) + "\n};"

    def _function(self, function: tree.Function) -> str:
        assert function.body is not None
        types = function.type.parameters
        parameters = [declare(t, _name(p.key)) for t, p in zip(types, function.parameters, strict=True)]
        if function.type.variadic:
            parameters.append("...")
        if not function.type.prototyped:
            names = ", ".join([_name(p.key) for p in function.parameters])
            head = declare(function.type.result, f"{_name(function.name)}({names})")
            return f"{head} {' '.join([p + ';' for p in parameters])} {self.statement(function.body)}"
        head = declare(function.type.result, f"{_name(function.name)}({', '.join(parameters) or 'void'})")
        return f"{head} {self.statement(function.body)}"

    def _reference(self, symbol: tree.SyntaxSymbol) -> str:
        return symbol.name if symbol.storage == "extern" else _name(symbol.key)

    def _writes(self, symbol: tree.SyntaxSymbol, initializer: tree.Initializer) -> str:
        writes = []
        if initializer.zero_fill:
            writes.append(
                f"__builtin_memset(&{self._reference(symbol)}, 0, sizeof {self._reference(symbol)});"
            )
        writes += [f"{self.e(i.target)} = {self.e(i.value)};" for i in initializer.items]
        return " ".join(writes)

    # -- statements ------------------------------------------------------------------------------------------

    def statement(self, s: tree.Statement) -> str:
        match s:
            case tree.Compound(items=items):
                return "{\n" + "\n".join([self.statement(i) for i in items]) + "\n}"
            case tree.Declaration(symbol=symbol, initializer=initializer):
                text = declare(symbol.type, _name(symbol.key)) + ";"
                return text if initializer is None else f"{text} {self._writes(symbol, initializer)}"
            case tree.ExpressionStatement(expression=expression):
                return f"(void){self.e(expression)};"
            case tree.Empty():
                return ";"
            case tree.If(condition=condition, then=then, otherwise=otherwise):
                text = f"if ({self.e(condition)}) {{ {self.statement(then)} }}"
                return text if otherwise is None else f"{text} else {{ {self.statement(otherwise)} }}"
            case tree.While(condition=condition, body=body):
                return f"while ({self.e(condition)}) {{ {self.statement(body)} }}"
            case tree.DoWhile(condition=condition, body=body):
                return f"do {{ {self.statement(body)} }} while ({self.e(condition)});"
            case tree.For():
                start = "\n".join([self.statement(i) for i in s.start])
                condition_text = "" if s.condition is None else self.e(s.condition)
                step = "" if s.step is None else self.e(s.step)
                return f"{{ {start} for (;{condition_text};{step}) {{ {self.statement(s.body)} }} }}"
            case tree.Switch(selector=selector, body=body):
                return f"switch ({self.e(selector)}) {{ {self.statement(body)} }}"
            case tree.Case(low=low, high=high, body=body):
                return f"case {_integer(low)} ... {_integer(high)}: ; {self.statement(body)}"
            case tree.Default(body=body):
                return f"default: ; {self.statement(body)}"
            case tree.Label(name=name, body=body):
                return f"{name}: ; {self.statement(body)}"
            case tree.Goto(label=label):
                return f"goto {label};"
            case tree.Break():
                return "break;"
            case tree.Continue():
                return "continue;"
            case tree.Return(value=value):
                return "return;" if value is None else f"return {self.e(value)};"
            case _:
                assert_never(s)

    # -- expressions -----------------------------------------------------------------------------------------

    def e(self, e: tree.Expression) -> str:
        match e:
            case tree.IntConstant(value=value, type=ctype):
                return f"(({type_text(ctype)}){_integer(value)})"
            case tree.FloatConstant(value=value, type=ctype):
                suffix = {"float": "f", "double": "", "long double": "L"}[str(ctype)]
                return f"{value}{suffix}"
            case tree.StringLiteral(data=data):
                return '("' + "".join([f"\\{byte:03o}" for byte in data[:-1]]) + '")'
            case tree.VariableRef(symbol=symbol):
                return self._reference(symbol)
            case tree.FunctionRef(name=name):
                function = self.unit.functions.get(name)
                return name if function is None or function.body is None else _name(name)
            case tree.Unary(op=op, operand=operand):
                return f"({op}{self.e(operand)})"
            case tree.Binary(op=op, left=left, right=right) | tree.Logical(op=op, left=left, right=right):
                return f"({self.e(left)} {op} {self.e(right)})"
            case tree.Conditional():
                return f"({self.e(e.condition)} ? {self.e(e.then)} : {self.e(e.otherwise)})"
            case tree.Assign(target=target, value=value):
                return f"({self.e(target)} = {self.e(value)})"
            case tree.CompoundAssign():
                return self._compound_assign(e)
            case tree.IncDec(op=op, is_prefix=is_prefix, target=target):
                return f"({op * 2}{self.e(target)})" if is_prefix else f"({self.e(target)}{op * 2})"
            case tree.Comma(left=left, right=right):
                return f"({self.e(left)}, {self.e(right)})"
            case tree.Call(callee=callee, arguments=arguments):
                if isinstance(callee, tree.FunctionRef) and callee.name == "__builtin_va_arg":
                    return f"__builtin_va_arg({self.e(arguments[0])}, {type_text(e.type)})"
                return f"{self.e(callee)}({', '.join([self.e(a) for a in arguments])})"
            case tree.Cast(operand=operand, type=ctype):
                return (
                    self.e(operand)
                    if isinstance(ctype, StructType)
                    else f"(({type_text(ctype)}){self.e(operand)})"
                )
            case tree.MemberAccess(base=base, member=member):
                return f"({self.e(base)}.{_member(member)})"
            case tree.Index(base=base, index=index):
                return f"({self.e(base)}[{self.e(index)}])"
            case tree.Deref(pointer=pointer):
                return f"(*{self.e(pointer)})"
            case tree.AddressOf(operand=operand):
                return f"(&{self.e(operand)})"
            case tree.Decay(operand=operand):
                return f"({self.e(operand)})"
            case tree.CompoundLiteral(symbol=symbol, initializer=initializer):
                name = _name(symbol.key)
                return f"(*({{ static {declare(symbol.type, name)}; {self._writes(symbol, initializer)} &{name}; }}))"
            case tree.StatementExpression(body=body, result=result):
                inside = "\n".join([self.statement(i) for i in body.items])
                return f"({{ {inside} {'(void)0' if result is None else self.e(result)}; }})"
            case _:
                assert_never(e)

    def _compound_assign(self, e: tree.CompoundAssign) -> str:
        """Evaluates the target once; a bit-field has no address, so its structure's is taken."""
        number = next(self.temporaries)
        if isinstance(e.target, tree.MemberAccess):
            base, place = f"&{self.e(e.target.base)}", f"(p{number}->{_member(e.target.member)})"
            holder = declare(PointerType(e.target.base.type), f"p{number}")
        else:
            base, place = f"&{self.e(e.target)}", f"(*p{number})"
            holder = declare(PointerType(e.target.type), f"p{number}")
        operation = type_text(e.operation_type)
        value = f"(({operation}){place} {e.op} {self.e(e.value)})"
        converted = f"({type_text(e.target.type)}){value}"
        return f"({{ {holder} = {base}; {place} = {converted}; }})"


def _integer(value: int) -> str:
    if value < 0:
        return f"(-{-value - 1}L - 1)"
    return f"{value}UL" if value >= 2**63 else f"{value}L"
