"""C types with gcc's layout on x86-64 (LP64) or with ``-m32`` (ILP32), and queries on them.

Types are frozen values: equal types are equal objects. A structure or union is named by a unique ``key`` and
its members live in the ``StructTypeTable`` of the program, so that recursive types stay finite. Qualifiers are
dropped: they do not change what an execution does. Enumerations are the integer type gcc chooses for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, final

from cfrontend.record import dataclass


@final
@dataclass(frozen=True, slots=True)
class VoidType:
    """``void``, also as the type of an expression without a value."""

    def __str__(self) -> str:
        return "void"


@final
@dataclass(frozen=True, slots=True)
class IntType:
    """An integer type. ``width`` is in bits of value: ``_Bool`` has width 1 but occupies one byte.

    A bit-field wider than int is promoted to a type of its own width, as in gcc (``promoted_bit_field_type``).
    """

    name: str
    width: int
    signed: bool
    rank: int

    def __str__(self) -> str:
        return self.name


@final
@dataclass(frozen=True, slots=True)
class FloatType:
    """``float`` (32), ``double`` (64) or ``long double`` (80 bits of value in 16 bytes, 12 in ILP32)."""

    name: str
    width: int

    def __str__(self) -> str:
        return self.name


@final
@dataclass(frozen=True, slots=True)
class PointerType:
    """A pointer to an object or function type."""

    target: CType

    def __str__(self) -> str:
        return f"{self.target} *"


@final
@dataclass(frozen=True, slots=True)
class ArrayType:
    """``length`` is None for an incomplete array (``extern int a[];`` or a flexible member).

    It is None, too, where the length is computed; ``variable`` is then the key of the variable that holds it.
    """

    element: CType
    length: int | None
    variable: str | None = None

    def __str__(self) -> str:
        return f"{self.element}[{'' if self.length is None else self.length}]"


@final
@dataclass(frozen=True, slots=True)
class StructType:
    """A structure or union, named by ``key`` (unique in the program, e.g. ``struct point`` or ``struct p#2``)."""

    key: str

    def __str__(self) -> str:
        return self.key


@final
@dataclass(frozen=True, slots=True)
class FunctionType:
    """``prototyped`` is False for ``int f();`` and for old-style definitions."""

    result: CType
    parameters: tuple[CType, ...]
    variadic: bool = False
    prototyped: bool = True

    def __str__(self) -> str:
        inside = ", ".join(map(str, self.parameters)) + (", ..." if self.variadic else "")
        return f"{self.result}({inside})"


CType: TypeAlias = VoidType | IntType | FloatType | PointerType | ArrayType | StructType | FunctionType
"""Union of all C types. ``match`` over it ends in ``assert_never``."""


@final
@dataclass(frozen=True, slots=True)
class StructMember:
    """One member of a structure: byte ``offset``; for a bit-field also its width and its first bit."""

    name: str
    type: CType
    offset: int
    bit_width: int | None = None
    bit_offset: int = 0


@final
@dataclass(frozen=True, slots=True)
class StructTypeLayout:
    """Members in order with the offsets gcc gives them; ``size`` and ``align`` in bytes."""

    key: str
    members: tuple[StructMember, ...]
    size: int
    align: int
    is_union: bool = False


VOID = VoidType()
BOOL = IntType("_Bool", 1, False, 0)
CHAR = IntType("char", 8, True, 1)
SCHAR = IntType("signed char", 8, True, 1)
UCHAR = IntType("unsigned char", 8, False, 1)
SHORT = IntType("short", 16, True, 2)
USHORT = IntType("unsigned short", 16, False, 2)
INT = IntType("int", 32, True, 3)
UINT = IntType("unsigned int", 32, False, 3)
LONG = IntType("long", 64, True, 4)
ULONG = IntType("unsigned long", 64, False, 4)
LLONG = IntType("long long", 64, True, 5)
ULLONG = IntType("unsigned long long", 64, False, 5)
INT128 = IntType("__int128", 128, True, 6)
UINT128 = IntType("unsigned __int128", 128, False, 6)
FLOAT = FloatType("float", 32)
DOUBLE = FloatType("double", 64)
LONG_DOUBLE = FloatType("long double", 80)

_EXACT_RANK = 7


@final
@dataclass(frozen=True, slots=True)
class DataModelOfTypes:
    """Data model: the widths of types (System V ABI: of x86-64, and of i386 with SSE arithmetic).

    ``long`` and ``ulong`` are as wide as a pointer in both models, so addresses are computed in them.
    ``largest_align`` bounds, in bytes, what a scalar aligns the structure to that it is a member of.
    """

    name: str
    long: IntType
    ulong: IntType
    size: IntType
    """``size_t``."""
    difference: IntType
    """``ptrdiff_t``."""
    wide_character: IntType
    """``wchar_t``."""
    pointer_bytes: int
    long_double_bytes: int
    largest_align: int
    has_int128: bool

    @property
    def word(self) -> int:
        """Bits of a pointer."""
        return 8 * self.pointer_bytes


LP64 = DataModelOfTypes("lp64", LONG, ULONG, ULONG, LONG, INT, 8, 16, 16, has_int128=True)
ILP32 = DataModelOfTypes(
    "ilp32",
    IntType("long", 32, True, 4),
    IntType("unsigned long", 32, False, 4),
    UINT,
    INT,
    IntType("long", 32, True, 4),
    4,
    12,
    4,
    has_int128=False,
)


@final
class StructTypeTable(dict[str, StructTypeLayout]):
    """The complete structures of a program by key, with the data model that they are laid out in."""

    def __init__(
        self, known: Mapping[str, StructTypeLayout] | None = None, model: DataModelOfTypes = LP64
    ) -> None:
        super().__init__(known or {})
        self.model = model

    def __copy__(self) -> StructTypeTable:
        return StructTypeTable(self, self.model)


def bit_width_of_type(ctype: CType, structs: StructTypeTable) -> int:
    """Bits of the value of a scalar type; raises TypeError for any other type."""
    match ctype:
        case IntType(width=width) | FloatType(width=width):
            return width
        case PointerType():
            return structs.model.word
        case _:
            msg = f"not a scalar type: {ctype}"
            raise TypeError(msg)


def size_of_type(ctype: CType, structs: StructTypeTable) -> int:
    """Size in bytes as gcc's ``sizeof``; raises TypeError for incomplete and function types."""
    match ctype:
        case IntType(width=width):
            return 1 << ((width + 7) // 8 - 1).bit_length()
        case FloatType(width=width):
            return structs.model.long_double_bytes if width == 80 else width // 8
        case PointerType():
            return structs.model.pointer_bytes
        case ArrayType(element=element, length=length) if length is not None:
            return length * size_of_type(element, structs)
        case StructType(key=key) if key in structs:
            return structs[key].size
        case _:
            msg = f"incomplete type: {ctype}"
            raise TypeError(msg)


def value_bytes_of_type(ctype: CType, structs: StructTypeTable) -> int:
    """Bytes that hold the value of a scalar: all of them, but 10 of a long double."""
    return ctype.width // 8 if isinstance(ctype, FloatType) else size_of_type(ctype, structs)


def alignment_of_type(ctype: CType, structs: StructTypeTable) -> int:
    """Alignment in bytes as gcc's ``_Alignof``, which is that of a member.

    Raises TypeError for incomplete and function types.
    """
    match ctype:
        case ArrayType(element=element):
            return alignment_of_type(element, structs)
        case StructType(key=key) if key in structs:
            return structs[key].align
        case FloatType(width=80):
            return min(16, structs.model.largest_align)
        case _:
            return min(size_of_type(ctype, structs), structs.model.largest_align)


def is_complete_type(ctype: CType, structs: StructTypeTable) -> bool:
    """Whether objects of the type have a size."""
    match ctype:
        case ArrayType(element=element, length=length):
            return length is not None and is_complete_type(element, structs)
        case StructType(key=key):
            return key in structs
        case _:
            return not isinstance(ctype, VoidType | FunctionType)


def is_scalar_type(ctype: CType) -> bool:
    """Whether a value of the type is one machine word: integer, floating or pointer."""
    return isinstance(ctype, IntType | FloatType | PointerType)


def promoted_integer_type(ctype: IntType) -> IntType:
    """Integer promotion (C11 6.3.1.1): everything that fits goes to int."""
    return INT if ctype.rank < INT.rank else ctype


def promoted_bit_field_type(declared: IntType, width: int) -> IntType:
    """The promoted type of a bit-field of ``width`` bits, more than int has."""
    return IntType(f"{declared}:{width}", width, declared.signed, declared.rank)


def is_bit_field_type(ctype: IntType) -> bool:
    """Whether the type is that of a promoted bit-field, whose words are wider than its values."""
    return ctype.width > INT.width and ctype.width & (ctype.width - 1) != 0


def exact_integer_type(bits: int) -> IntType:
    """A signed type of at least ``bits`` bits, which no program can name, for results that must not be cut."""
    width = max(64, 1 << (bits - 1).bit_length())
    return IntType(f"{width}-bit integer", width, True, _EXACT_RANK)


def is_exact_integer_type(ctype: CType) -> bool:
    """Whether the type is one of ``exact_integer_type``: what is computed in it always fits."""
    return isinstance(ctype, IntType) and ctype.rank == _EXACT_RANK


def carrier_of_type(ctype: IntType) -> IntType:
    """The type in which gcc computes on values of the type before truncation: its own, but for bit-fields."""
    if not is_bit_field_type(ctype):
        return ctype
    word, unsigned = (LLONG, ULLONG) if ctype.rank == LLONG.rank else (LONG, ULONG)
    candidates = (word, INT128) if ctype.signed else (unsigned, UINT128)
    return next(t for t in candidates if t.width >= ctype.width)


def usual_arithmetic_type(left: IntType, right: IntType) -> IntType:
    """The common type of two integer operands (C11 6.3.1.8)."""
    left, right = promoted_integer_type(left), promoted_integer_type(right)
    if left == right:
        return left
    if left.width != right.width and (is_bit_field_type(left) or is_bit_field_type(right)):
        return left if left.width > right.width else right
    if left.signed == right.signed:
        return left if left.rank >= right.rank else right
    signed, unsigned = (left, right) if left.signed else (right, left)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.width > unsigned.width:
        return signed
    candidates = (UINT, ULONG, ILP32.ulong, ULLONG, UINT128)
    return next(t for t in candidates if (t.rank, t.width) == (signed.rank, signed.width))


def is_integer_type_but_bool(ctype: CType) -> bool:
    """True if a type is an integer type other than ``_Bool``."""
    return isinstance(ctype, IntType) and ctype.width > 1


def promoted_computation_type(ctype: CType) -> CType:
    """The type in which values of a type are computed: small integers are int then."""
    return INT if isinstance(ctype, IntType) and ctype.width < INT.width else ctype


def is_complete_object_type(ctype: CType, structs: StructTypeTable) -> bool:
    """True if objects of the type can exist: its size is known."""
    match ctype:
        case IntType() | FloatType() | PointerType():
            return True
        case ArrayType(element=element, length=length, variable=variable):
            return not (length is None and variable is None) and is_complete_object_type(element, structs)
        case StructType(key=key):
            return key in structs
        case _:
            return False


def type_has_pointer(ctype: CType, structs: StructTypeTable) -> bool:
    """True if a pointer is in objects of the type."""
    match ctype:
        case PointerType():
            return True
        case ArrayType(element=element):
            return type_has_pointer(element, structs)
        case StructType(key=key):
            return any(type_has_pointer(member.type, structs) for member in structs[key].members)
        case _:
            return False
