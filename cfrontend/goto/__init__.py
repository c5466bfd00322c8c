"""The goto program: each function as a flat list of instructions over side-effect-free expressions.

    while (i < n) i++;
    ->   3  cover U2
         4  IF !(i < n) GOTO 8
         5  cover U3
         6  i = i + 1
         7  GOTO 3

``str`` of a program is its listing and ``check_goto`` says what is wrong with one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Final, TypeAlias, assert_never, final

from cfrontend.errors import Location
from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.syntax.printer import text_of
from cfrontend.syntax.tree import Expression, Symbol
from cfrontend.syntax.types import CType, StructTable, VoidType
from cfrontend.units import InputSite, Property, Unit, UnitId

# -- expressions that only a goto program has ----------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidPointer:
    """``size`` bytes can be accessed through ``pointer``: not null, inside one object that is alive."""

    pointer: Expression
    size: int
    write: bool = False

    def __str__(self) -> str:
        return f"{'writable' if self.write else 'valid'}({text_of(self.pointer)}, {self.size})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidRange:
    """As many bytes as ``size`` says can be accessed through ``pointer``; no bytes can through any pointer."""

    pointer: Expression
    size: Expression
    write: bool = False

    def __str__(self) -> str:
        return f"{'writable' if self.write else 'valid'}({text_of(self.pointer)}, {text_of(self.size)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidString:
    """``pointer`` points into an object that is alive, and a zero byte is there before its end.

    ``or_null``: a null pointer will do.
    """

    pointer: Expression
    or_null: bool = False

    def __str__(self) -> str:
        return f"string({text_of(self.pointer)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Freeable:
    """``pointer`` is null or the start of an allocated object that is alive."""

    pointer: Expression

    def __str__(self) -> str:
        return f"freeable({text_of(self.pointer)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Fits:
    """The mathematical result of ``expression`` (one operator or conversion) is in the range of its type."""

    expression: tree.Binary | tree.Unary | tree.Cast

    def __str__(self) -> str:
        return f"fits({text_of(self.expression)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Initialised:
    """Every byte that a read of ``place`` depends on has been written."""

    place: Expression

    def __str__(self) -> str:
        return f"initialised({text_of(self.place)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AllFreed:
    """No allocated object is alive; ``outermost``: or this is not the first activation of the function."""

    outermost: bool

    def __str__(self) -> str:
        return "allfreed()"


Condition: TypeAlias = (
    Expression | ValidPointer | ValidRange | ValidString | Freeable | Fits | Initialised | AllFreed
)

OBSERVED: Final = "observed"
"""The kind of what holds where the program has the values of its reference; as a check, what assertions become."""

# -- instructions --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionNode:
    """What every instruction has: where it stands and the unit it belongs to.

    ``yields``: the value computed here is the value of the unit (what ``relax`` replaces); of a call that the
    unit is there for it is the arguments. A check that yields is one of the computation of that value.
    """

    location: Location = field(compare=False)
    unit: UnitId | None = None
    yields: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Cover(InstructionNode):
    """The evaluation of a unit begins."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Declare(InstructionNode):
    """A new automatic object with an indeterminate value; ``zero``: all its bytes are zero.

    ``initialised``: a scalar that is written before anything can read it. ``again``: a jump comes back here while
    the object lives, which then stays the same object.
    """

    symbol: Symbol
    zero: bool = False
    initialised: bool = False
    again: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Dead(InstructionNode):
    """The lifetime of an automatic object ends."""

    symbol: Symbol


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Assign(InstructionNode):
    """``target = value``, scalars and structures alike."""

    target: Expression
    value: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Input(InstructionNode):
    """``target`` takes the next input value."""

    target: Expression
    site: InputSite


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Symbolic(InstructionNode):
    """Every scalar of the ``size`` bytes at ``pointer`` becomes an input (``klee_make_symbolic``).

    ``function`` is the function without a body whose result they are, if any; only with ``is_partial`` may they be
    a part of an object.
    """

    pointer: Expression
    size: Expression
    name: str
    function: str | None = None
    is_partial: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Allocate(InstructionNode):
    """``target`` takes the address of a new object of ``size`` bytes, all zero or indeterminate.

    ``element`` is the type the object is used as, where the code says so. An automatic object ends with the
    function, any other one when it is freed.
    """

    target: Expression
    size: Expression
    element: CType | None
    zero: bool = False
    automatic: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Free(InstructionNode):
    """The allocated object at ``pointer`` ends."""

    pointer: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectSize(InstructionNode):
    """``target`` takes the size in bytes of the object that ``pointer`` points into."""

    target: Expression
    pointer: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Copy(InstructionNode):
    """The ``size`` bytes at ``source`` are copied to ``target``, as if by way of a third place."""

    target: Expression
    source: Expression
    size: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Fill(InstructionNode):
    """Each of the ``size`` bytes at ``target`` becomes ``byte``."""

    target: Expression
    byte: Expression
    size: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class VariableArguments(InstructionNode):
    """``target`` takes the address of the first argument beyond the parameters; each takes whole 8 bytes."""

    target: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Assume(InstructionNode):
    """Executions go on only where ``condition`` holds.

    ``unchecked``: it stands in the place of a check nobody asked for.
    """

    condition: Condition
    unchecked: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Assert(InstructionNode):
    """Executions where ``condition`` does not hold end here and violate the property.

    In a foreign function, ``property`` is only the kind of the property: the one of this kind at the call by
    which the program came there is violated. ``of_place``: it is about the place that is written next.
    """

    condition: Condition
    property: str
    of_place: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Branch(InstructionNode):
    """Jump to ``target`` when ``condition`` is not zero (``when`` False: when it is zero).

    ``inverted``: it is zero where the program's own condition is not, which begins with ``!``.
    """

    condition: Expression
    target: int
    when: bool = True
    inverted: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Jump(InstructionNode):
    """Jump to ``target``; backwards it closes a loop.

    ``joins``: several conditions of the text lead back to ``target``, by way of this one jump.
    """

    target: int
    joins: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Call(InstructionNode):
    """``result = callee(arguments)``; ``callee`` is a FunctionRef or a pointer to a function.

    ``properties`` are the ids, by kind, of what a foreign function can violate that is called here; what is not
    checked here has an empty one. Inputs that it reads are called after ``result_name`` where they are its result,
    after ``filled`` where they go into that array.
    ``format`` is the part of a ``scanf`` format that a model is called for.
    """

    result: Symbol | None
    callee: Expression
    arguments: tuple[Expression, ...]
    properties: Mapping[str, str] = field(default_factory=dict)
    result_name: str = ""
    filled: str = ""
    format: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Return(InstructionNode):
    """Leave the function."""

    value: Expression | None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Exit(InstructionNode):
    """The program ends normally (``exit``), with a status where the call gives one."""

    status: Expression | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Output(InstructionNode):
    """``printf``-like output of ``arguments`` by ``format``.

    ``is_wide``: of wide characters, which nothing is known of but that they are printed.
    """

    format: bytes
    arguments: tuple[Expression, ...]
    is_wide: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Observe(InstructionNode):
    """The values of ``arguments`` are to be those that a reference has here; otherwise nothing happens."""

    arguments: tuple[Expression, ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse(InstructionNode):
    """Something sfo does not model; an error only when an execution can come here."""

    message: str
    unsupported: bool = True


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(InstructionNode):
    """The bound ends here, unless the inputs are given; with ``by_inputs``, unless every execution comes here."""

    by_inputs: bool = False


Instruction: TypeAlias = (
    Cover
    | Declare
    | Dead
    | Assign
    | Input
    | Symbolic
    | Allocate
    | Free
    | ObjectSize
    | Copy
    | Fill
    | VariableArguments
    | Assume
    | Assert
    | Branch
    | Jump
    | Call
    | Return
    | Exit
    | Output
    | Observe
    | Refuse
    | Leave
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GotoFunction:
    """Instructions in order; a jump to ``len(instructions)`` is the end of the function.

    A ``foreign`` function is a library model or stands in a system header: whatever happens in it is reported
    at the call in the program's own code.
    """

    name: str
    result: CType
    parameters: tuple[Symbol, ...]
    variadic: bool
    instructions: tuple[Instruction, ...]
    location: Location = field(compare=False)
    foreign: bool = False

    def loops(self) -> tuple[tuple[str, int, int], ...]:
        """(id, head, back edge) of each loop; ids are ``function.n`` in the order of the back edges."""
        found: list[tuple[str, int, int]] = []
        for pc, instruction in enumerate(self.instructions):
            if isinstance(instruction, Jump | Branch) and instruction.target <= pc:
                found.append((f"{self.name}.{len(found)}", instruction.target, pc))
        return tuple(found)

    def __str__(self) -> str:
        lines = [f"{self.name}({', '.join(p.name for p in self.parameters)})"]
        lines += [f"{pc:6}  {show_instruction(i)}" for pc, i in enumerate(self.instructions)]
        lines.append(f"{len(self.instructions):6}  END")
        return "\n".join(lines)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GotoProgram:
    """All functions with a body, the static objects, and the names found on the way.

    ``start`` initialises the static objects; ``escaping`` holds the keys of the variables whose address is
    used, which therefore need an object of their own. Calls of what is ``assumed`` end an execution that does not
    count; to reach ``failing_label`` violates ``reach``.
    """

    functions: Mapping[str, GotoFunction]
    start: GotoFunction
    variables: tuple[tree.GlobalVariable, ...]
    structs: StructTable
    units: tuple[Unit, ...]
    properties: tuple[Property, ...]
    escaping: frozenset[str]
    assumed: frozenset[str] = frozenset()
    failing_label: str | None = None

    def __str__(self) -> str:
        return "\n\n".join(str(f) for f in (self.start, *self.functions.values())) + "\n"


def show_instruction(i: Instruction) -> str:
    """One instruction as a line of the listing."""
    match i:
        case Cover():
            return f"cover U{i.unit}"
        case Declare():
            return f"declare {i.symbol.key}: {i.symbol.type}{' = 0' if i.zero else ''}"
        case Dead():
            return f"dead {i.symbol.key}"
        case Assign():
            return f"{text_of(i.target)} = {text_of(i.value)}"
        case Input():
            return f"{text_of(i.target)} = input {i.site.name}"
        case Symbolic():
            return f"symbolic {text_of(i.pointer)}, {text_of(i.size)}"
        case Allocate():
            zeroed = ", zero" if i.zero else ""
            return f"{text_of(i.target)} = ALLOCATE {text_of(i.size)}{zeroed}"
        case Free():
            return f"FREE {text_of(i.pointer)}"
        case ObjectSize():
            return f"{text_of(i.target)} = SIZE OF OBJECT {text_of(i.pointer)}"
        case Copy():
            return f"COPY {text_of(i.size)} BYTES {text_of(i.target)} = {text_of(i.source)}"
        case Fill():
            return f"FILL {text_of(i.size)} BYTES {text_of(i.target)} = {text_of(i.byte)}"
        case VariableArguments():
            return f"{text_of(i.target)} = VARIABLE ARGUMENTS"
        case Assume():
            return f"ASSUME {_show_condition(i.condition)}"
        case Assert():
            return f"ASSERT {_show_condition(i.condition)} // {i.property}"
        case Branch():
            condition = text_of(i.condition)
            return f"IF {condition if i.when else f'!({condition})'} GOTO {i.target}"
        case Jump():
            return f"GOTO {i.target}"
        case Call():
            result = f"{i.result.name} = " if i.result else ""
            return f"CALL {result}{text_of(i.callee)}({', '.join(map(text_of, i.arguments))})"
        case Return():
            return "RETURN" if i.value is None else f"RETURN {text_of(i.value)}"
        case Exit():
            return "EXIT" if i.status is None else f"EXIT {text_of(i.status)}"
        case Output():
            return f"OUTPUT {i.format!r} {', '.join(map(text_of, i.arguments))}".rstrip()
        case Observe():
            return f"OBSERVE {', '.join(map(text_of, i.arguments))}"
        case Refuse():
            return f"REFUSE {i.message}"
        case Leave():
            return "LEAVE THE BOUND BY INPUTS" if i.by_inputs else "LEAVE THE BOUND"
        case _:
            assert_never(i)


def _show_condition(condition: Condition) -> str:
    special = ValidPointer | ValidRange | ValidString | Freeable | Fits | Initialised | AllFreed
    return str(condition) if isinstance(condition, special) else text_of(condition)


# -- checker -------------------------------------------------------------------------------------------------

_EFFECTS = (
    tree.Assign,
    tree.CompoundAssign,
    tree.IncDec,
    tree.Comma,
    tree.Call,
    tree.CompoundLiteral,
    tree.StatementExpression,
    tree.Refused,
)


def check_goto(program: GotoProgram) -> list[str]:
    """Findings, empty for a well-formed program: jumps in range, pure expressions, known names."""
    properties = {p.id for p in program.properties}
    units = {u.id for u in program.units}
    findings: list[str] = []
    for function in (program.start, *program.functions.values()):
        for pc, i in enumerate(function.instructions):
            where = f"{function.name}:{pc}"
            if isinstance(i, Jump | Branch) and not 0 <= i.target <= len(function.instructions):
                findings.append(f"{where}: jump to {i.target}, outside the function")
            named = [i.property] if isinstance(i, Assert) and not function.foreign else []
            named += filter(None, i.properties.values()) if isinstance(i, Call) else ()
            findings += [f"{where}: unknown property {name}" for name in named if name not in properties]
            if i.unit is not None and i.unit not in units:
                findings.append(f"{where}: unknown unit {i.unit}")
            findings += [
                f"{where}: side effect in {text_of(e)}"
                for top in expressions_of(i)
                for e in subexpressions(top)
                if isinstance(e, _EFFECTS)
            ]
    return findings


def tested_once(function: GotoFunction) -> frozenset[UnitId]:
    """Conditions whose outcome one branch decides; those with ``&&`` and ``||`` may take several."""
    branches = Counter(i.unit for i in function.instructions if isinstance(i, Branch) and i.yields)
    return frozenset(unit for unit, count in branches.items() if unit is not None and count == 1)


def may_end_without_value(function: GotoFunction) -> bool:
    """Whether the end of a function that promises a value can be reached, as far as jumps show, without one.

    ``main`` gives 0 there (C11 5.1.2.2.3).
    """
    code = function.instructions
    if isinstance(function.result, VoidType) or function.name.rpartition("::")[2] == "main":
        return False
    falls = not code or not isinstance(code[-1], Return | Exit | Jump)
    return falls or any(
        i.target == len(code) if isinstance(i, Jump | Branch) else isinstance(i, Return) and i.value is None
        for i in code
    )


def expressions_of(i: Instruction) -> tuple[Expression, ...]:
    """The expressions an instruction evaluates or writes to."""
    match i:
        case Assign():
            return (i.target, i.value)
        case Input() | VariableArguments():
            return (i.target,)
        case Symbolic():
            return (i.pointer, i.size)
        case Allocate():
            return (i.target, i.size)
        case Free():
            return (i.pointer,)
        case ObjectSize():
            return (i.target, i.pointer)
        case Copy():
            return (i.target, i.source, i.size)
        case Fill():
            return (i.target, i.byte, i.size)
        case Assume() | Assert():
            condition = i.condition
            if isinstance(condition, ValidRange):
                return (condition.pointer, condition.size)
            if isinstance(condition, ValidPointer | ValidString | Freeable):
                return (condition.pointer,)
            if isinstance(condition, AllFreed):
                return ()
            if isinstance(condition, Initialised):
                return (condition.place,)
            return (condition.expression,) if isinstance(condition, Fits) else (condition,)
        case Branch():
            return (i.condition,)
        case Call():
            return (i.callee, *i.arguments)
        case Return():
            return () if i.value is None else (i.value,)
        case Exit():
            return () if i.status is None else (i.status,)
        case Output() | Observe():
            return i.arguments
        case Cover() | Declare() | Dead() | Jump() | Refuse() | Leave():
            return ()
        case _:
            assert_never(i)


def operands(e: Expression) -> tuple[Expression, ...]:
    """The direct subexpressions."""
    match e:
        case tree.Binary() | tree.Logical() | tree.Comma():
            return (e.left, e.right)
        case tree.Unary() | tree.Cast() | tree.AddressOf() | tree.Decay():
            return (e.operand,)
        case tree.Conditional():
            return (e.condition, e.then, e.otherwise)
        case tree.Assign() | tree.CompoundAssign():
            return (e.target, e.value)
        case tree.IncDec():
            return (e.target,)
        case tree.Call():
            return (e.callee, *e.arguments)
        case tree.Intrinsic():
            return e.arguments
        case tree.MemberAccess():
            return (e.base,)
        case tree.Index():
            return (e.base, e.index)
        case tree.Deref():
            return (e.pointer,)
        case tree.CompoundLiteral():
            return tuple(part for item in e.initializer.items for part in (item.target, item.value))
        case tree.StatementExpression():
            return () if e.result is None else (e.result,)
        case (
            tree.IntConstant()
            | tree.FloatConstant()
            | tree.StringLiteral()
            | tree.VariableRef()
            | tree.FunctionRef()
            | tree.Refused()
        ):
            return ()
        case _:
            assert_never(e)


def subexpressions(e: Expression) -> Iterator[Expression]:
    """The expression and everything below it (statement expressions are not entered)."""
    stack = [e]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(operands(top)))
