"""Typed abstract syntax tree: C as the programmer wrote it, with every type known and every conversion explicit.

It still has side effects inside expressions, short-circuit operators and loops; ``lower`` takes those apart.
Nodes are frozen and tuple-valued; a location stands on each, outside equality.

    x = y + 1L;     (int x, y)
    -> Assign(target=x, value=Cast(int, Binary("+", Cast(long, y), 1L)))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias, final

from cfrontend.errors import Location, UnsupportedError
from cfrontend.record import dataclass
from cfrontend.syntax.input_domain import InputDomain
from cfrontend.syntax.types import CType, FunctionType, IntType, StructTypeTable

Storage: TypeAlias = Literal["auto", "parameter", "static", "extern"]
"""Storage class of an object: ``static`` has static duration and is defined here; ``extern`` is only declared."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SyntaxSymbol:
    """Variable. ``key`` is unique in the program (``main::x``, ``main::x#2``, ``counter``).

    ``declared_length`` is the constant number of elements that a pointer parameter is declared with (``int a[3]``),
    ``alignment`` that in bytes which the declaration asks for.
    ``is_constant``: the object is defined ``const``, so that writing to it is undefined (C11 6.7.3p6).
    """

    key: str
    name: str
    type: CType
    storage: Storage
    function: str | None
    location: Location = field(compare=False)
    declared_length: int | None = field(default=None, compare=False)
    alignment: int = field(default=1, compare=False)
    is_constant: bool = False

    def reference(self, location: Location) -> VariableRef:
        """The variable as an expression."""
        return VariableRef(type=self.type, location=location, symbol=self)


def plain_syntax_symbol_key(key: str) -> str:
    """The key of a variable without the number that tells variables of one name apart."""
    return key.partition("#")[0]


# -- expressions ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntaxTreeNode:
    """Base class of expressions: C type after conversion, and source location."""

    type: CType
    location: Location = field(compare=False)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class IntConstant(SyntaxTreeNode):
    """Integer constant, in range of its type; also enumerators, characters and ``sizeof``."""

    value: int


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FloatConstant(SyntaxTreeNode):
    """A floating constant; ``value`` is its spelling without the suffix, or ``inf``, ``nan`` with a sign."""

    value: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class StringLiteral(SyntaxTreeNode):
    """An lvalue of type ``char[n]``; ``data`` holds the bytes with the closing zero."""

    data: bytes


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class VariableRef(SyntaxTreeNode):
    """An lvalue naming a variable."""

    symbol: SyntaxSymbol


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionRef(SyntaxTreeNode):
    """A function designator; as an argument of ``AddressOf`` or as the callee of a call."""

    name: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Unary(SyntaxTreeNode):
    """``-`` or ``~`` on a promoted operand, or ``!`` on a scalar (type int)."""

    op: Literal["-", "~", "!"]
    operand: Expression


BinaryOp: TypeAlias = Literal[
    "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">="
]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Binary(SyntaxTreeNode):
    """Arithmetic on operands of one type (shifts: the left's), comparison (type int), or pointer arithmetic.

    Pointer arithmetic is ``pointer + integer``, ``pointer - integer`` (the pointer left, the integer converted
    to long, counted in elements) and ``pointer - pointer`` (type long, in elements).
    """

    op: BinaryOp
    left: Expression
    right: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Logical(SyntaxTreeNode):
    """``&&`` or ``||`` with its sequence point; type int."""

    op: Literal["&&", "||"]
    left: Expression
    right: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Conditional(SyntaxTreeNode):
    """``condition ? then : otherwise``, both branches converted to the type of the whole."""

    condition: Expression
    then: Expression
    otherwise: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Assign(SyntaxTreeNode):
    """``target = value``; the value is already converted to the target's type. Structures too."""

    target: Expression
    value: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CompoundAssign(SyntaxTreeNode):
    """``target op= value``: compute in ``operation_type``, convert back, evaluate ``target`` once.

    ``value`` is converted to ``operation_type`` (shifts: promoted alone; pointers: long, in elements).
    """

    op: BinaryOp
    target: Expression
    value: Expression
    operation_type: CType


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class IncDec(SyntaxTreeNode):
    """``++`` and ``--``, before or after. On pointers by one element."""

    op: Literal["+", "-"]
    is_prefix: bool
    target: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Comma(SyntaxTreeNode):
    """``left, right``."""

    left: Expression
    right: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Call(SyntaxTreeNode):
    """``callee`` is a FunctionRef for a direct call, else an expression of pointer-to-function type.

    Arguments are converted to the parameters' types, or promoted where there is no prototype.
    """

    callee: Expression
    arguments: tuple[Expression, ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Cast(SyntaxTreeNode):
    """A conversion of ``operand`` to ``type``; ``implicit`` when the programmer did not write it."""

    operand: Expression
    implicit: bool


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MemberAccess(SyntaxTreeNode):
    """``base.member``; ``p->m`` is ``MemberAccess(Deref(p), m)``. An lvalue when ``base`` is one."""

    base: Expression
    struct_key: str
    member: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Index(SyntaxTreeNode):
    """``base[index]``, an lvalue: ``base`` of array type or a pointer, ``index`` long or unsigned long (converted)."""

    base: Expression
    index: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Deref(SyntaxTreeNode):
    """``*pointer``, an lvalue (or a function designator when it points to a function)."""

    pointer: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AddressOf(SyntaxTreeNode):
    """``&operand`` of an lvalue or a FunctionRef."""

    operand: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Decay(SyntaxTreeNode):
    """An lvalue of array type used as a pointer to its first element."""

    operand: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CompoundLiteral(SyntaxTreeNode):
    """``(T){...}``: an unnamed object, initialised each time it is evaluated; an lvalue."""

    symbol: SyntaxSymbol
    initializer: Initializer


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MathFunctionCall(SyntaxTreeNode):
    """A pure function of scalars that has no operator in C, such as ``sqrt``; made by ``lower`` from calls.

    ``name`` is that of the function for double; the type of the first argument says in which format it computes.
    """

    name: str
    arguments: tuple[Expression, ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class StatementExpression(SyntaxTreeNode):
    """GNU ``({ ... })``: the value is that of the last expression statement, ``result`` (None for void).

    One that is not ``is_written`` stands for an operator; its statements are no units.
    """

    body: Compound
    result: Expression | None
    is_written: bool = True


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedSyntax(SyntaxTreeNode):
    """An expression or declaration that sfo does not model: an error where an execution comes to it."""

    message: str


Expression: TypeAlias = (
    IntConstant
    | FloatConstant
    | StringLiteral
    | VariableRef
    | FunctionRef
    | Unary
    | Binary
    | Logical
    | Conditional
    | Assign
    | CompoundAssign
    | IncDec
    | Comma
    | Call
    | Cast
    | MemberAccess
    | Index
    | Deref
    | AddressOf
    | Decay
    | CompoundLiteral
    | MathFunctionCall
    | StatementExpression
    | RefusedSyntax
)


# -- initialisers --------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InitItem:
    """One write: ``target`` is an lvalue below the initialised variable, of scalar or structure type.

    A ``char`` array initialised by a string literal is expanded to one item per character.
    """

    target: Expression
    value: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Initializer:
    """Writes in source order (a later one to the same place wins); ``zero_fill``: the rest becomes zero."""

    items: tuple[InitItem, ...]
    zero_fill: bool
    location: Location = field(compare=False)


# -- statements ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntaxTreeStatement:
    """Base class of statements: the source location."""

    location: Location = field(compare=False)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Compound(SyntaxTreeStatement):
    """A block; its declarations end with it. ``end`` is the closing brace."""

    items: tuple[Statement, ...]
    end: Location = field(compare=False)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration(SyntaxTreeStatement):
    """An automatic variable comes to life; ``location`` spans the declarator with its initialiser.

    Static-storage variables of a function are globals of the program and leave no statement. One that is not
    ``is_written`` is part of the declaration of a variable-length array, and no unit. ``cleanup`` is evaluated when
    its block is left.
    """

    symbol: SyntaxSymbol
    initializer: Initializer | None
    is_written: bool = True
    cleanup: Expression | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ExpressionStatement(SyntaxTreeStatement):
    """``location`` spans the expression without the semicolon."""

    expression: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Empty(SyntaxTreeStatement):
    """``;``"""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class If(SyntaxTreeStatement):
    """``condition`` has scalar type; its location spans what stands between the parentheses."""

    condition: Expression
    then: Statement
    otherwise: Statement | None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class While(SyntaxTreeStatement):
    """``while (condition) body``."""

    condition: Expression
    body: Statement


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DoWhile(SyntaxTreeStatement):
    """``do body while (condition);``."""

    body: Statement
    condition: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class For(SyntaxTreeStatement):
    """``start`` holds declarations or one ExpressionStatement; it lives as long as the loop."""

    start: tuple[Statement, ...]
    condition: Expression | None
    step: Expression | None
    body: Statement


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(SyntaxTreeStatement):
    """``selector`` is promoted. The ``Case`` and ``Default`` nodes stand anywhere inside ``body``."""

    selector: Expression
    body: Statement


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Case(SyntaxTreeStatement):
    """``case low:`` (or GNU ``low ... high``), values converted to the selector's type, then ``body``."""

    low: int
    high: int
    body: Statement


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Default(SyntaxTreeStatement):
    """``default:`` then ``body``."""

    body: Statement


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Label(SyntaxTreeStatement):
    """``name:`` then ``body``."""

    name: str
    body: Statement


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Goto(SyntaxTreeStatement):
    """``goto label;``."""

    label: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Break(SyntaxTreeStatement):
    """``break;``."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Continue(SyntaxTreeStatement):
    """``continue;``."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Return(SyntaxTreeStatement):
    """``return value;``, the value converted to the function's type. ``location`` spans all but the semicolon."""

    value: Expression | None


Statement: TypeAlias = (
    Compound
    | Declaration
    | ExpressionStatement
    | Empty
    | If
    | While
    | DoWhile
    | For
    | Switch
    | Case
    | Default
    | Label
    | Goto
    | Break
    | Continue
    | Return
)


# -- the program ---------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function; ``body`` is None when it is only declared, ``end`` is the closing brace.

    ``uncalled``: before the entry (``constructor``) or at the end (``destructor``). ``never_returns``: by declaration.
    """

    name: str
    type: FunctionType
    parameters: tuple[SyntaxSymbol, ...]
    body: Compound | None
    location: Location = field(compare=False)
    end: Location = field(compare=False)
    uncalled: frozenset[str] = frozenset()
    never_returns: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GlobalVariableSyntax:
    """An object of static duration, function-local statics included; without initialiser it is zero."""

    symbol: SyntaxSymbol
    initializer: Initializer | None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationUnit:
    """Elaborated program. ``files`` maps each source file named in a location to its lines.

    ``enumerations`` maps each enumerator to the first one of its enumeration. ``refused`` are the functions whose
    declaration sfo does not model, with the reason. ``implicit`` are the types of the functions that the program uses
    without declaring them.
    ``keeps_files``: what is written to named files is kept by the models.
    ``counts_scans``: how many conversions of ``scanf`` succeed is an input wherever the standard input is
    read, whether the program looks at it or not. ``counts_each``: whether one does is an input of its own, as another
    version may read the same by more calls or by fewer. ``reads_text``: what ``scanf`` reads are the characters of a
    text, as another version reads it in another way. ``scans_fail``: what is read is a given text, in which a
    conversion of ``scanf`` may fail where nobody looks. ``domain`` limits what is read from the standard input.
    """

    functions: Mapping[str, Function]
    variables: tuple[GlobalVariableSyntax, ...]
    structs: StructTypeTable
    enumerators: Mapping[str, tuple[int, IntType]]
    enumerations: Mapping[str, str]
    files: Mapping[str, tuple[str, ...]]
    refused: Mapping[str, UnsupportedError] = field(default_factory=dict)
    implicit: Mapping[str, FunctionType] = field(default_factory=dict)
    keeps_files: bool = False
    counts_scans: bool = False
    counts_each: bool = False
    reads_text: bool = False
    scans_fail: bool = False
    domain: InputDomain | None = None

    @property
    def asks_for_the_end(self) -> bool:
        """Whether the program tests for the end of a file (``feof``)."""
        return "feof" in self.functions
