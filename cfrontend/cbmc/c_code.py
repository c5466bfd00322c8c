"""C code generator for types, structures, pure expressions and conditions.

    i < 10u, int i   ->   (((unsigned int)v_f_3a__3a_i) < 10u)

Names are made from the keys of the program, so that none of them clashes with a library's; every conversion is a
cast. The text of ``cfrontend.syntax.printer`` is for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never, final

from cfrontend import goto
from cfrontend.errors import InternalError, UnsupportedError
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.syntax.types import (
    INT,
    LLONG,
    LONG,
    LP64,
    ULONG,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructMember,
    StructType,
    StructTypeLayout,
    StructTypeTable,
    VoidType,
    size_of_type,
)

_FLOAT_SUFFIX = {"float": "f", "double": "", "long double": "L"}
_INT_SUFFIX = {
    "int": "",
    "unsigned int": "u",
    "long": "l",
    "unsigned long": "ul",
    "long long": "ll",
    "unsigned long long": "ull",
}


def _c_identifier(key: str, prefix: str) -> str:
    """A C identifier for a key of the program; different keys give different identifiers."""
    return prefix + re.sub(r"[^A-Za-z0-9]", lambda found: f"_{ord(found[0]):x}_", key)


def c_code_function_name(name: str) -> str:
    """The name of a function in the text."""
    return _c_identifier(name, "f_")


def c_code_variable_name(symbol: SyntaxSymbol) -> str:
    """The name of a variable in the text."""
    return _c_identifier(symbol.key, "v_")


def _struct_name(key: str) -> str:
    """The tag of a structure or union in the text."""
    return _c_identifier(key, "s_")


def c_code_member_name(name: str) -> str:
    """The name of a member in the text."""
    return _c_identifier(name, "m_")


# -- types -------------------------------------------------------------------------------------------------------


def c_code_declaration(ctype: CType, name: str, structs: StructTypeTable) -> str:
    """``name`` declared with a type, without the semicolon; the type alone when ``name`` is empty."""
    match ctype:
        case PointerType(target=target):
            return c_code_declaration(target, f"(*{name})", structs)
        case ArrayType(element=ArrayType(element=element, length=None), length=length):
            # Rows of no constant length: only addresses of such arrays are taken, computed in bytes.
            return c_code_declaration(ArrayType(ArrayType(element, 1), length), name, structs)
        case ArrayType(element=element, length=length):
            return c_code_declaration(element, f"{name}[{'' if length is None else length}]", structs)
        case FunctionType():
            parameters = [c_code_declaration(p, "", structs) for p in ctype.parameters]
            inside = ", ".join([*parameters, *(["..."] if ctype.variadic else [])])
            return c_code_declaration(
                ctype.result, f"({name})({inside or ('void' if ctype.prototyped else '')})", structs
            )
        case StructType(key=key):
            is_union = key in structs and structs[key].is_union
            return f"{'union' if is_union else 'struct'} {_struct_name(key)} {name}".rstrip()
        case IntType():
            return f"{_integer_type(ctype)} {name}".rstrip()
        case FloatType() | VoidType():
            return f"{ctype} {name}".rstrip()
        case _:
            assert_never(ctype)


def _integer_type(ctype: IntType) -> str:
    """The name of an integer type; one without a name in C, such as a bit-field's, is CBMC's type of so many bits."""
    if ctype.name.replace("_", "").replace(" ", "").isalnum() and not ctype.name[0].isdigit():
        return ctype.name
    return f"{'signed' if ctype.signed else 'unsigned'} __CPROVER_bitvector[{ctype.width}]"


def c_code_structures(structs: StructTypeTable) -> list[str]:
    """The definitions of all structures and unions, each after those it contains.

    Padding is written down; bit-fields are left to be placed as gcc does without being told.
    """
    done: dict[str, str] = {}

    def define(key: str) -> None:
        if key in done or key not in structs:
            return
        for member in structs[key].members:
            inner = member.type
            while isinstance(inner, ArrayType):
                inner = inner.element
            if isinstance(inner, StructType) and inner.key != key:
                define(inner.key)
        done[key] = _structure(structs[key], structs)

    for key in structs:
        define(key)
    return list(done.values())


def _structure(layout: StructTypeLayout, structs: StructTypeTable) -> str:
    if any(m.bit_width is not None for m in layout.members):
        if structs.model != LP64 and any(_is_wide(m.type) for m in layout.members):
            raise UnsupportedError(
                f"{layout.key}, bit-fields beside words of 64 bits, is not supported here yet"
            )
        body = [_member(m, structs) for m in layout.members]
        packed = ""
    else:
        body = list(_padded(layout, structs))
        packed = " __attribute__((packed))"
    return "\n".join([f"{c_code_declaration(StructType(layout.key), '', structs)} {{", *body, f"}}{packed};"])


def _is_wide(ctype: CType) -> bool:
    """Whether a member is aligned to less than its size on i386."""
    while isinstance(ctype, ArrayType):
        ctype = ctype.element
    return isinstance(ctype, IntType | FloatType) and ctype.width >= LLONG.width


def _member(member: StructMember, structs: StructTypeTable) -> str:
    bits = "" if member.bit_width is None else f" : {member.bit_width}"
    return f"  {c_code_declaration(member.type, c_code_member_name(member.name), structs)}{bits};"


def _padded(layout: StructTypeLayout, structs: StructTypeTable) -> Iterator[str]:
    """The members with every byte of padding as a member."""
    position = 0
    for member in layout.members:
        if member.offset > position:
            yield f"  unsigned char padding_{position}[{member.offset - position}];"
        yield _member(member, structs)
        flexible = isinstance(member.type, ArrayType) and member.type.length is None
        end = member.offset + (0 if flexible else size_of_type(member.type, structs))
        position = max(position, end) if layout.is_union else end
    if position < layout.size and not layout.is_union:
        yield f"  unsigned char padding_{position}[{layout.size - position}];"
    elif position < layout.size:
        yield f"  unsigned char padding[{layout.size}];"


# -- expressions -------------------------------------------------------------------------------------------------


class CCodeExpressionPrinter:
    """Printer of the pure expressions of one program as C text."""

    def __init__(self, structs: StructTypeTable, defined: Iterable[str]) -> None:
        self.structs = structs
        self._defined = frozenset(defined)

    def type(self, ctype: CType) -> str:
        """The name of a type, as in a cast."""
        return c_code_declaration(ctype, "", self.structs)

    def function(self, name: str) -> str:
        """The name of a function of the program. Raises UnsupportedError for one without a body."""
        if name not in self._defined:
            raise UnsupportedError(f"the address of '{name}', which has no body, is not supported here yet")
        return c_code_function_name(name)

    def of(self, e: Expression) -> str:
        """The text of an expression, in parentheses unless it is primary."""
        match e:
            case tree.IntConstant(value=value, type=IntType() as ctype):
                return _c_integer(value, ctype)
            case tree.IntConstant(value=value):
                return f"(({self.type(e.type)}){value}l)"
            case tree.FloatConstant(value=value, type=ctype):
                return _c_real(value, _FLOAT_SUFFIX[str(ctype)])
            case tree.StringLiteral(data=data, type=ArrayType(element=IntType(width=width) as element)) if (
                width > 8
            ):
                size, prefix = width // 8, {4: "U", 2: "u"}[width // 8]
                prefix = "L" if element.signed else prefix
                units = [
                    int.from_bytes(data[n : n + size], "little") for n in range(0, len(data) - size, size)
                ]
                return "(" + " ".join(f'{prefix}"\\x{unit:x}"' for unit in units or []) + f' {prefix}"")'
            case tree.StringLiteral(data=data):
                return '("' + "".join(f"\\{byte:03o}" for byte in data[:-1]) + '")'
            case tree.VariableRef(symbol=symbol):
                return c_code_variable_name(symbol)
            case tree.FunctionRef(name=name):
                return self.function(name)
            case tree.Unary(op=op, operand=operand):
                return self._cut(e, f"({op}{self._operand(operand)})")
            case tree.Binary(op="<<" | ">>"):
                return self._cut(e, self._shift(e))
            case tree.Binary(op=op, left=left, right=right) | tree.Logical(op=op, left=left, right=right):
                return self._cut(e, f"({self._operand(left)} {op} {self._operand(right)})")
            case tree.Conditional():
                return f"({self.of(e.condition)} ? {self.of(e.then)} : {self.of(e.otherwise)})"
            case tree.Cast(operand=operand, type=StructType() | VoidType()):
                return self.of(operand)
            case tree.Cast(operand=operand, type=ctype):
                return f"(({self.type(ctype)}){self.of(operand)})"
            case tree.MemberAccess(base=base, member=member):
                return f"{self.of(base)}.{c_code_member_name(member)}"
            case tree.Index(base=base, index=index):
                return f"{self.of(base)}[{self.of(index)}]"
            case tree.Deref(pointer=pointer):
                return f"(*{self.of(pointer)})"
            case tree.AddressOf(operand=tree.MemberAccess() as operand) if (
                self.bit_field(operand) is not None
            ):
                return self._address_of_bits(operand)
            case tree.AddressOf(operand=operand):
                return f"(&{self.of(operand)})"
            case tree.Decay(operand=operand):
                return self.of(operand)
            case _:
                raise InternalError(f"not a pure expression: {type(e).__name__}", e.location)

    def bit_field(self, e: Expression) -> StructMember | None:
        """The bit-field member that ``e`` names, if it names one."""
        if not isinstance(e, tree.MemberAccess):
            return None
        member = next(m for m in self.structs[e.struct_key].members if m.name == e.member)
        return None if member.bit_width is None else member

    def _operand(self, e: Expression) -> str:
        """The text of an operand; a bit-field has its declared type, not one of so many bits."""
        return self.of(e) if self.bit_field(e) is None else f"(({self.type(e.type)}){self.of(e)})"

    def _cut(self, e: Expression, text: str) -> str:
        """An operation in a type below int, as elements of vectors have; C computes it in int."""
        is_narrow = isinstance(e.type, IntType) and e.type.width < INT.width
        return f"(({self.type(e.type)}){text})" if is_narrow else text

    def _address_of_bits(self, e: tree.MemberAccess) -> str:
        """The address of the bytes that a bit-field stands in: what is checked before it is accessed."""
        member = self.bit_field(e)
        assert member is not None
        return f"((unsigned char *)&{self.of(e.base)} + {member.offset})"

    def _shift(self, e: tree.Binary) -> str:
        """The text of a shift; a distance out of range is taken modulo the width, as x86 does."""
        width = 8 * size_of_type(e.left.type, self.structs)
        return f"({self._operand(e.left)} {e.op} ({self._operand(e.right)} & {width - 1}))"


def _c_real(value: str, suffix: str) -> str:
    """A constant of the floating type that has a suffix."""
    if value.endswith("inf"):
        return f"({value.removesuffix('inf')}__builtin_inf{suffix.lower()}())"
    return f"{value}{suffix}"


def _c_integer(value: int, ctype: IntType) -> str:
    """A constant of an integer type."""
    suffix = _INT_SUFFIX.get(ctype.name)
    if suffix is None and -(1 << 63) <= value < 1 << 63:
        return f"(({_integer_type(ctype)}){_c_integer(value, LONG)})"
    if suffix is None:
        high, low = divmod(value, 1 << 64)
        name = _integer_type(ctype)
        return f"((({name}){_c_integer(high, LONG)} << 64) | ({name}){_c_integer(low, ULONG)})"
    if ctype.signed and value == -(1 << (ctype.width - 1)):
        return f"(-{-value - 1}{suffix} - 1{suffix})"
    return f"{value}{suffix}" if value >= 0 else f"({value}{suffix})"


# -- initialisers ------------------------------------------------------------------------------------------------


def c_code_initialiser(
    initializer: tree.Initializer, root: SyntaxSymbol, text: CCodeExpressionPrinter
) -> str:
    """The initialiser of a static object: a value, or a list with designators."""
    items: Mapping[str, str] = {
        _designator(item.target, text): text.of(item.value) for item in initializer.items
    }
    if not isinstance(root.type, ArrayType | StructType):
        return items[""]
    return "{" + ", ".join(f"{place} = {value}" for place, value in items.items()) + "}"


def _designator(place: Expression, text: CCodeExpressionPrinter) -> str:
    match place:
        case tree.MemberAccess():
            return f"{_designator(place.base, text)}.{c_code_member_name(place.member)}"
        case tree.Index(index=tree.IntConstant(value=value)):
            return f"{_designator(place.base, text)}[{value}]"
        case tree.Index():
            return f"{_designator(place.base, text)}[{text.of(place.index)}]"
        case _:
            return ""


# -- conditions --------------------------------------------------------------------------------------------------


def freed_condition_code(pointer: str) -> str:
    """Whether the object a pointer points into has been freed."""
    return f"sfo_freed[__CPROVER_POINTER_OBJECT({pointer})]"


@final
class CbmcConditionCode:
    """Printer of the conditions of one program; where something ``frees``, they say that the object is alive."""

    def __init__(self, expressions: CCodeExpressionPrinter, *, frees: bool) -> None:
        self.x = expressions
        self.frees = frees

    def of(self, condition: goto.Condition) -> str:
        """The text of a condition of an assertion or assumption."""
        match condition:
            case goto.ValidPointerCondition():
                pointer = self.x.of(condition.pointer)
                function = "__CPROVER_w_ok" if condition.write else "__CPROVER_r_ok"
                valid = f"{function}({pointer}, {condition.size}ul)"
                return f"({valid} && !{freed_condition_code(pointer)})" if self.frees else valid
            case goto.ValidRangeCondition():
                pointer, size = self.x.of(condition.pointer), self.x.of(condition.size)
                function = "__CPROVER_w_ok" if condition.write else "__CPROVER_r_ok"
                valid = f"({size} == 0 || {function}({pointer}, {size}))"
                return f"({valid} && !{freed_condition_code(pointer)})" if self.frees else valid
            case goto.ValidStringCondition():
                most = "-1" if condition.most is None else self.x.of(condition.most)
                text = f"sfo_string({self.x.of(condition.pointer)}, {most}, {condition.width})"
                return f"({self.x.of(condition.pointer)} == 0 || {text})" if condition.or_null else text
            case goto.InitialisedCondition() | goto.AllFreedCondition():
                raise InternalError("a condition without a form is refused")
            case goto.FreeableCondition():
                pointer = self.x.of(condition.pointer)
                start = f"__CPROVER_DYNAMIC_OBJECT({pointer}) && __CPROVER_POINTER_OFFSET({pointer}) == 0"
                return f"({pointer} == 0 || ({start} && !{freed_condition_code(pointer)}))"
            case goto.FitsCondition():
                return self._fits(condition.expression)
            case _:
                return self.x.of(condition)

    def _fits(self, e: tree.Binary | tree.Unary | tree.Cast) -> str:
        """An overflow check: the mathematical result, in a type that holds it, equals that in the expression's type."""
        result, wide = self.x.of(e), "__int128"
        match e:
            case tree.Cast():
                return f"({wide}){result} == ({wide}){self.x.of(e.operand)}"
            case tree.Unary():
                return f"({wide}){result} == -({wide}){self.x.of(e.operand)}"
            case tree.Binary(op="/"):
                return "1"
            case tree.Binary(op="<<"):
                distance = f"({self.x.of(e.right)} & {8 * self._bytes(e.left) - 1})"
                return f"({wide}){result} == (({wide}){self.x.of(e.left)} << {distance})"
            case tree.Binary(op="+" | "-" | "*") if self._bytes(e) < 4:
                exact = f"({wide}){self.x.of(e.left)} {e.op} ({wide}){self.x.of(e.right)}"
                return f"({wide}){result} == {exact}"
            case tree.Binary(op="+" | "-" | "*"):
                name = {"+": "plus", "-": "minus", "*": "mult"}[e.op]
                return f"!__CPROVER_overflow_{name}({self.x.of(e.left)}, {self.x.of(e.right)})"
            case _:
                raise UnsupportedError(f"an overflow check of {e.op} is not supported here yet", e.location)

    def _bytes(self, e: Expression) -> int:
        assert isinstance(e.type, IntType)
        return e.type.width // 8
