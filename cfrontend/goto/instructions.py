"""Instructions of the goto program, over side-effect-free expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias, final

from cfrontend.errors import Location
from cfrontend.goto.conditions import Condition
from cfrontend.record import dataclass
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.syntax.types import CType
from cfrontend.units import InputSite, UnitId


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionNode:
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


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DeadInstruction(InstructionNode):
    """End of the lifetime of an automatic object."""

    symbol: SyntaxSymbol


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AssignInstruction(InstructionNode):
    """Assignment ``target = value``, of scalars and structures alike.

    ``is_operand``: the value is an operand of ``&&`` or ``||``, whose value ``target`` then is.
    """

    target: Expression
    value: Expression
    is_operand: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InputInstruction(InstructionNode):
    """Input: ``target`` takes the next input value."""

    target: Expression
    site: InputSite


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolicInstruction(InstructionNode):
    """Symbolic memory: every scalar of the ``size`` bytes at ``pointer`` becomes an input (``klee_make_symbolic``).

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


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FreeInstruction(InstructionNode):
    """Deallocation of the allocated object at ``pointer``."""

    pointer: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectSizeInstruction(InstructionNode):
    """Object size: ``target`` takes the size in bytes of the object that ``pointer`` points into."""

    target: Expression
    pointer: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CopyInstruction(InstructionNode):
    """Block copy of ``size`` bytes from ``source`` to ``target``, as if by way of a third place (``memmove``)."""

    target: Expression
    source: Expression
    size: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FillInstruction(InstructionNode):
    """Block fill: each of the ``size`` bytes at ``target`` becomes ``byte`` (``memset``)."""

    target: Expression
    byte: Expression
    size: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class VariableArgumentsInstruction(InstructionNode):
    """Start of variadic arguments: ``target`` takes the address of the first one; each takes whole 8 bytes."""

    target: Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AssumeInstruction(InstructionNode):
    """Assumption: executions go on only where ``condition`` holds.

    ``unchecked``: it stands in the place of a check nobody asked for, of this ``kind`` where its place is worth a word.
    """

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


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class JumpInstruction(InstructionNode):
    """Unconditional jump to ``target``; a backward one closes a loop.

    ``joins``: several conditions of the text lead back to ``target``, by way of this one jump.
    """

    target: int
    joins: bool = False


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


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnInstruction(InstructionNode):
    """Return from the function."""

    value: Expression | None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ExitInstruction(InstructionNode):
    """Normal end of the program (``exit``), with a status where the call gives one.

    ``aborts``: the reference ends so by ``abort``.
    """

    status: Expression | None = None
    aborts: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OutputInstruction(InstructionNode):
    """Formatted output of ``arguments`` by ``format``, as by ``printf``.

    ``is_wide``: of wide characters, which nothing is known of but that they are printed.
    """

    format: bytes
    arguments: tuple[Expression, ...]
    is_wide: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ObserveInstruction(InstructionNode):
    """Observation: ``arguments`` have to have the values of a reference here; without one nothing happens.

    Where it is that a function is ``called`` that nobody defines, ``left_out`` says what is not among the arguments.
    """

    arguments: tuple[Expression, ...]
    called: str = ""
    left_out: str = ""


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


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RefuseInstruction(InstructionNode):
    """Refusal of a construct that sfo does not model; an error only when an execution can come here."""

    message: str
    unsupported: bool = True


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveInstruction(InstructionNode):
    """Cut: the path leaves the bound, unless the inputs are given.

    With ``by_inputs``, it does so unless every execution comes here.
    """

    by_inputs: bool = False


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
