"""The goto program: each function as a flat list of instructions over side-effect-free expressions.

    while (i < n) i++;
    ->   3  cover U2
         4  IF !(i < n) GOTO 8
         5  cover U3
         6  i = i + 1
         7  GOTO 3

``str`` of a program, and of an instruction, is its listing; ``check_goto`` says what is wrong with a program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field, fields
from itertools import chain
from typing import Any, ClassVar, Final, TypeAlias, cast, final

from cfrontend.errors import Location
from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.syntax.types import CType, StructTypeTable, VoidType
from cfrontend.units import InputSite, Property, Unit, UnitId

# -- conditions: memory predicates, which C has no expression for ----------------------------------------------


@dataclass(frozen=True, slots=True)
class ListedNode:
    """Base class of what has a listing: a text with its fields in braces."""

    listing: ClassVar = ""

    def __str__(self) -> str:
        return self.listing.format(**{one.name: _shown(getattr(self, one.name)) for one in fields(self)})


def _shown(value: Any) -> Any:
    """Text of expressions; all other fields as they are."""
    if isinstance(value, tree.SyntaxTreeNode):
        return print_syntax(cast("Expression", value))
    return ", ".join(map(print_syntax, value)) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class ConditionNode(ListedNode):
    """Base class of the predicates on pointers, sizes and stored values."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidPointerCondition(ConditionNode):
    """Pointer predicate: ``size`` bytes at ``pointer``, which is not null, lie inside one live object."""

    pointer: Expression
    size: int
    write: bool = False

    def __str__(self) -> str:
        return f"{'writable' if self.write else 'valid'}({print_syntax(self.pointer)}, {self.size})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidRangeCondition(ConditionNode):
    """Range predicate: ``size`` bytes can be accessed through ``pointer``; no bytes can through any pointer."""

    pointer: Expression
    size: Expression
    write: bool = False

    def __str__(self) -> str:
        return f"{'writable' if self.write else 'valid'}({print_syntax(self.pointer)}, {print_syntax(self.size)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidStringCondition(ConditionNode):
    """String predicate: ``pointer`` points to characters of a live object that end with a zero.

    ``most`` is the number of characters that are read at the most, which then need no zero behind them; any number
    without it, or where it is negative. A character has ``width`` bytes. ``or_null``: a null pointer will do.
    """

    pointer: Expression
    most: Expression | None = None
    width: int = 1
    or_null: bool = False

    def __str__(self) -> str:
        given = (self.pointer,) if self.most is None else (self.pointer, self.most)
        return f"string({', '.join(map(print_syntax, given))})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FreeableCondition(ConditionNode):
    """Deallocation predicate: ``pointer`` is null or the start of a live allocated object."""

    listing: ClassVar = "freeable({pointer})"
    pointer: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FitsCondition(ConditionNode):
    """Overflow predicate: the mathematical result of ``expression`` is in the range of its type.

    The expression is one operator or conversion.
    """

    listing: ClassVar = "fits({expression})"
    expression: tree.Binary | tree.Unary | tree.Cast


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InitialisedCondition(ConditionNode):
    """Initialisation predicate: every byte that a read of ``place`` depends on has been written."""

    listing: ClassVar = "initialised({place})"
    place: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AllFreedCondition(ConditionNode):
    """Leak predicate: no allocated object is alive; ``outermost``: or the function's activation is not the first."""

    listing: ClassVar = "allfreed()"
    outermost: bool


Condition: TypeAlias = (
    Expression
    | ValidPointerCondition
    | ValidRangeCondition
    | ValidStringCondition
    | FreeableCondition
    | FitsCondition
    | InitialisedCondition
    | AllFreedCondition
)

OBSERVED: Final = "observed"
"""Property kind of calls of functions that nobody defines: the program makes them as its reference does."""

EFFECTS: Final = "effects"
"""As a check of the options: side effects outside of the process are compared with the reference's."""


# -- instructions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionNode(ListedNode):
    """Base class of instructions: the source location and the unit it belongs to.

    ``yields``: the value computed here is the value of the unit (what ``relax`` replaces); of a call that the
    unit is there for it is the arguments. A check that yields is one of the computation of that value.
    """

    location: Location = field(compare=False)
    unit: UnitId | None = None
    yields: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CoverInstruction(InstructionNode):
    """Coverage: the evaluation of a unit begins."""

    listing: ClassVar = "cover U{unit}"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareInstruction(InstructionNode):
    """Declaration of an automatic object with an indeterminate value; ``zero``: all its bytes are zero.

    ``initialised``: a scalar that is written before anything can read it. ``again``: a jump comes back here while
    the object lives, which then stays the same object.
    """

    symbol: SyntaxSymbol
    zero: bool = False
    initialised: bool = False
    again: bool = False

    def __str__(self) -> str:
        return f"declare {self.symbol.key}: {self.symbol.type}{' = 0' if self.zero else ''}"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DeadInstruction(InstructionNode):
    """End of the lifetime of an automatic object."""

    listing: ClassVar = "dead {symbol.key}"
    symbol: SyntaxSymbol


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AssignInstruction(InstructionNode):
    """Assignment ``target = value``, of scalars and structures alike.

    ``is_operand``: the value is an operand of ``&&`` or ``||``, whose value ``target`` then is.
    """

    listing: ClassVar = "{target} = {value}"
    target: Expression
    value: Expression
    is_operand: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InputInstruction(InstructionNode):
    """Input: ``target`` takes the next input value."""

    listing: ClassVar = "{target} = input {site.name}"
    target: Expression
    site: InputSite


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolicInstruction(InstructionNode):
    """Symbolic memory: every scalar of the ``size`` bytes at ``pointer`` becomes an input (``klee_make_symbolic``).

    ``function`` is the function without a body whose result they are, if any; only with ``is_partial`` may they be
    a part of an object.
    """

    listing: ClassVar = "symbolic {pointer}, {size}"
    pointer: Expression
    size: Expression
    name: str
    function: str | None = None
    is_partial: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AllocateInstruction(InstructionNode):
    """Allocation: ``target`` takes the address of a new object of ``size`` bytes, all zero or indeterminate.

    ``element`` is the type the object is used as, where the code says so. An automatic object ends with the
    function, a lasting one with the program, any other one when it is freed.
    """

    target: Expression
    size: Expression
    element: CType | None
    zero: bool = False
    automatic: bool = False
    lasting: bool = False

    def __str__(self) -> str:
        return (
            f"{print_syntax(self.target)} = ALLOCATE {print_syntax(self.size)}{', zero' if self.zero else ''}"
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FreeInstruction(InstructionNode):
    """Deallocation of the allocated object at ``pointer``."""

    listing: ClassVar = "FREE {pointer}"
    pointer: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectSizeInstruction(InstructionNode):
    """Object size: ``target`` takes the size in bytes of the object that ``pointer`` points into."""

    listing: ClassVar = "{target} = SIZE OF OBJECT {pointer}"
    target: Expression
    pointer: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CopyInstruction(InstructionNode):
    """Block copy of ``size`` bytes from ``source`` to ``target``, as if by way of a third place (``memmove``)."""

    listing: ClassVar = "COPY {size} BYTES {target} = {source}"
    target: Expression
    source: Expression
    size: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FillInstruction(InstructionNode):
    """Block fill: each of the ``size`` bytes at ``target`` becomes ``byte`` (``memset``)."""

    listing: ClassVar = "FILL {size} BYTES {target} = {byte}"
    target: Expression
    byte: Expression
    size: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class VariableArgumentsInstruction(InstructionNode):
    """Start of variadic arguments: ``target`` takes the address of the first one; each takes whole 8 bytes."""

    listing: ClassVar = "{target} = VARIABLE ARGUMENTS"
    target: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AssumeInstruction(InstructionNode):
    """Assumption: executions go on only where ``condition`` holds.

    ``unchecked``: it stands in the place of a check nobody asked for, of this ``kind`` where its place is worth a word.
    """

    listing: ClassVar = "ASSUME {condition}"
    condition: Condition
    unchecked: bool = False
    kind: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AssertInstruction(InstructionNode):
    """Assertion: executions where ``condition`` does not hold end here and violate the property.

    In a foreign function, ``property`` is only the kind of the property: the one of this kind at the call by
    which the program came there is violated. ``of_place``: it is about the place that is written next. ``aborts``: it
    is a call of ``abort`` in the program's own code.
    """

    listing: ClassVar = "ASSERT {condition} // {property}"
    condition: Condition
    property: str
    of_place: bool = False
    aborts: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BranchInstruction(InstructionNode):
    """Conditional branch to ``target``, taken when ``condition`` is not zero (``when`` False: when it is zero).

    ``inverted``: it is zero where the program's own condition is not, which begins with ``!``.
    ``chooses``: it is the condition of ``?:``.
    """

    condition: Expression
    target: int
    when: bool = True
    inverted: bool = False
    chooses: bool = False

    def __str__(self) -> str:
        return f"IF {'' if self.when else '!('}{print_syntax(self.condition)}{'' if self.when else ')'} GOTO {self.target}"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class JumpInstruction(InstructionNode):
    """Unconditional jump to ``target``; a backward one closes a loop.

    ``joins``: several conditions of the text lead back to ``target``, by way of this one jump.
    """

    listing: ClassVar = "GOTO {target}"
    target: int
    joins: bool = False


JumpOrBranch: TypeAlias = JumpInstruction | BranchInstruction
"""Instructions with a target."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CallInstruction(InstructionNode):
    """Call ``result = callee(arguments)``; ``callee`` is a FunctionRef or a pointer to a function.

    ``properties`` are the ids, by kind, of what a foreign function can violate that is called here; what is not
    checked here has an empty one. Inputs that it reads are called after ``result_name`` where they are its result,
    after ``filled`` where they go into that array.
    ``format`` is the part of a ``scanf`` format that a model is called for.
    """

    result: SyntaxSymbol | None
    callee: Expression
    arguments: tuple[Expression, ...]
    properties: Mapping[str, str] = field(default_factory=dict)
    result_name: str = ""
    filled: str = ""
    format: str = ""

    def __str__(self) -> str:
        result = f"{self.result.name} = " if self.result else ""
        return f"CALL {result}{print_syntax(self.callee)}({_shown(self.arguments)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnInstruction(InstructionNode):
    """Return from the function."""

    value: Expression | None

    def __str__(self) -> str:
        return "RETURN" if self.value is None else f"RETURN {print_syntax(self.value)}"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ExitInstruction(InstructionNode):
    """Normal end of the program (``exit``), with a status where the call gives one.

    ``aborts``: the reference ends so by ``abort``.
    """

    status: Expression | None = None
    aborts: bool = False

    def __str__(self) -> str:
        return "EXIT" if self.status is None else f"EXIT {print_syntax(self.status)}"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OutputInstruction(InstructionNode):
    """Formatted output of ``arguments`` by ``format``, as by ``printf``.

    ``is_wide``: of wide characters, which nothing is known of but that they are printed.
    """

    format: bytes
    arguments: tuple[Expression, ...]
    is_wide: bool = False

    def __str__(self) -> str:
        return f"OUTPUT {self.format!r} {_shown(self.arguments)}".rstrip()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ObserveInstruction(InstructionNode):
    """Observation: a function that nobody defines is ``called``, with the ``arguments`` as in a reference.

    Without a reference nothing happens. ``left_out`` says what is not among the arguments.
    """

    listing: ClassVar = "OBSERVE {arguments}"
    arguments: tuple[Expression, ...]
    called: str
    left_out: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EffectInstruction(InstructionNode):
    """Side effect outside of the process, as the text that ``format`` makes of ``arguments``: a file is removed.

    Without a reference nothing happens. ``what`` names the effect where it differs from the reference's, or where
    nothing is known of it but that there is one: then there is no ``format``.
    """

    what: str
    format: bytes | None
    arguments: tuple[Expression, ...] = ()

    def __str__(self) -> str:
        return f"EFFECT {self.format!r} {_shown(self.arguments)}".rstrip()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RefuseInstruction(InstructionNode):
    """Refusal of a construct that sfo does not model; an error only when an execution can come here."""

    listing: ClassVar = "REFUSE {message}"
    message: str
    unsupported: bool = True


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveInstruction(InstructionNode):
    """Cut: the path leaves the bound, unless the inputs are given.

    With ``by_inputs``, it does so unless every execution comes here.
    """

    by_inputs: bool = False

    def __str__(self) -> str:
        return "LEAVE THE BOUND BY INPUTS" if self.by_inputs else "LEAVE THE BOUND"


Instruction: TypeAlias = (
    CoverInstruction
    | DeclareInstruction
    | DeadInstruction
    | AssignInstruction
    | InputInstruction
    | SymbolicInstruction
    | AllocateInstruction
    | FreeInstruction
    | ObjectSizeInstruction
    | CopyInstruction
    | FillInstruction
    | VariableArgumentsInstruction
    | AssumeInstruction
    | AssertInstruction
    | BranchInstruction
    | JumpInstruction
    | CallInstruction
    | ReturnInstruction
    | ExitInstruction
    | OutputInstruction
    | ObserveInstruction
    | EffectInstruction
    | RefuseInstruction
    | LeaveInstruction
)


# -- traversal -------------------------------------------------------------------------------------------------


def goto_expressions_of(i: Instruction) -> tuple[Expression, ...]:
    """The expressions an instruction evaluates or writes to."""
    return tuple(_operands(i))


def direct_goto_subexpressions(e: Expression) -> tuple[Expression, ...]:
    """The direct subexpressions; of a statement expression its result, of whose body nothing is looked at."""
    match e:
        case tree.VariableRef() | tree.IntConstant():
            return ()  # most are, and need not be looked into
        case tree.CompoundLiteral():
            return tuple(part for item in e.initializer.items for part in (item.target, item.value))
        case tree.StatementExpression():
            return () if e.result is None else (e.result,)
        case _:
            return tuple(_operands(e))


def goto_subexpressions(e: Expression) -> Iterator[Expression]:
    """The expression and everything below it, from the outside in (statement expressions are not entered)."""
    stack = [e]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(direct_goto_subexpressions(top)))


def base_variable(lvalue: Expression) -> SyntaxSymbol | None:
    """The variable that an lvalue is, or is a part of; None behind a pointer."""
    while True:
        match lvalue:
            case tree.VariableRef():
                return lvalue.symbol
            case tree.MemberAccess() | tree.Index():
                lvalue = lvalue.base
            case tree.Decay() | tree.Cast():
                lvalue = lvalue.operand
            case _:
                return None


def _operands(node: InstructionNode | ConditionNode | Expression) -> Iterator[Expression]:
    """The expressions that are fields of a node, in their order, and those of a condition that is one."""
    for name in type(node).__slots__:  # without those of the base class
        value = getattr(node, name)
        if isinstance(value, tree.SyntaxTreeNode):
            yield value  # type: ignore[misc]
        elif isinstance(value, tuple):
            yield from value
        elif isinstance(value, ConditionNode):
            yield from _operands(value)


# -- functions and programs --------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GotoFunction:
    """Instructions in order; a jump to ``len(instructions)`` is the end of the function.

    A ``foreign`` function is a library model or stands in a system header: whatever happens in it is reported
    at the call in the program's own code. ``takes_infinities``: one that is not asks whether a floating-point number
    is infinite or a NaN.
    """

    name: str
    result: CType
    parameters: tuple[SyntaxSymbol, ...]
    variadic: bool
    instructions: tuple[Instruction, ...]
    location: Location = field(compare=False)
    foreign: bool = False
    takes_infinities: bool = False

    def loops(self) -> tuple[tuple[str, int, int], ...]:
        """(id, head, back edge) of each loop; ids are ``function.n`` in the order of the back edges."""
        found: list[tuple[str, int, int]] = []
        for pc, instruction in enumerate(self.instructions):
            if isinstance(instruction, JumpOrBranch) and instruction.target <= pc:
                found.append((f"{self.name}.{len(found)}", instruction.target, pc))
        return tuple(found)

    def __str__(self) -> str:
        lines = [f"{self.name}({', '.join(p.name for p in self.parameters)})"]
        lines += [f"{pc:6}  {i}" for pc, i in enumerate(self.instructions)]
        lines.append(f"{len(self.instructions):6}  END")
        return "\n".join(lines)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GotoProgram:
    """Goto program: all functions with a body, the static objects, and the names found on the way.

    ``start`` initialises the static objects; ``escaping`` holds the keys of the variables whose address is
    used, which therefore need an object of their own. Calls of what is ``assumed`` end an execution that does not
    count; to reach ``failing_label`` violates ``reach``. ``takes_infinities``: the program's own code asks whether a
    floating-point number is infinite or a NaN, so that the numbers of a text that it reads may be.
    """

    functions: Mapping[str, GotoFunction]
    start: GotoFunction
    variables: tuple[tree.GlobalVariableSyntax, ...]
    structs: StructTypeTable
    units: tuple[Unit, ...]
    properties: tuple[Property, ...]
    escaping: frozenset[str]
    assumed: frozenset[str] = frozenset()
    failing_label: str | None = None
    takes_infinities: bool = False

    def instructions(self) -> Iterator[Instruction]:
        """The instructions of all functions with a body."""
        return chain.from_iterable(function.instructions for function in self.functions.values())

    def own_functions(self) -> Iterator[GotoFunction]:
        """The functions that are not of the library."""
        return (function for function in self.functions.values() if not function.foreign)

    @property
    def size(self) -> int:
        """Number of instructions of all functions."""
        return sum(len(function.instructions) for function in self.functions.values())

    @property
    def reads_finite_numbers(self) -> bool:
        """Whether floating-point numbers are read from a text, and none of them is an infinity or a NaN."""
        return not self.takes_infinities and any(
            isinstance(i, InputInstruction) and i.site.is_of_text for i in self.instructions()
        )

    @property
    def own_size(self) -> int:
        """Number of instructions of the functions that are not of the library."""
        return sum(len(function.instructions) for function in self.own_functions())

    def __str__(self) -> str:
        return "\n\n".join(str(f) for f in (self.start, *self.functions.values())) + "\n"


def goto_program_single_conditions(function: GotoFunction) -> frozenset[UnitId]:
    """Conditions decided by a single branch; those with ``&&`` and ``||`` may take several."""
    branches = Counter(i.unit for i in function.instructions if isinstance(i, BranchInstruction) and i.yields)
    return frozenset(unit for unit, count in branches.items() if unit is not None and count == 1)


def goto_function_may_lack_value(function: GotoFunction) -> bool:
    """Whether the end of a function that promises a value can be reached, as far as jumps show, without one.

    ``main`` gives 0 there (C11 5.1.2.2.3).
    """
    code = function.instructions
    if isinstance(function.result, VoidType) or function.name.rpartition("::")[2] == "main":
        return False
    falls = not code or not isinstance(code[-1], ReturnInstruction | ExitInstruction | JumpInstruction)
    return falls or any(
        i.target == len(code)
        if isinstance(i, JumpOrBranch)
        else isinstance(i, ReturnInstruction) and i.value is None
        for i in code
    )


# -- well-formedness ---------------------------------------------------------------------------------------------

_EFFECTS = (
    tree.Assign,
    tree.CompoundAssign,
    tree.IncDec,
    tree.Comma,
    tree.Call,
    tree.CompoundLiteral,
    tree.StatementExpression,
    tree.RefusedSyntax,
)


def check_goto(program: GotoProgram) -> list[str]:
    """Check a goto program; the findings are empty where it is well-formed."""
    properties = {p.id for p in program.properties}
    units = {u.id for u in program.units}
    findings: list[str] = []
    for function in (program.start, *program.functions.values()):
        for pc, i in enumerate(function.instructions):
            where = f"{function.name}:{pc}"
            if isinstance(i, JumpOrBranch) and not 0 <= i.target <= len(function.instructions):
                findings.append(f"{where}: jump to {i.target}, outside the function")
            named = [i.property] if isinstance(i, AssertInstruction) and not function.foreign else []
            named += filter(None, i.properties.values()) if isinstance(i, CallInstruction) else ()
            findings += [f"{where}: unknown property {name}" for name in named if name not in properties]
            if i.unit is not None and i.unit not in units:
                findings.append(f"{where}: unknown unit {i.unit}")
            findings += [
                f"{where}: side effect in {print_syntax(e)}"
                for top in goto_expressions_of(i)
                for e in goto_subexpressions(top)
                if isinstance(e, _EFFECTS)
            ]
    return findings
