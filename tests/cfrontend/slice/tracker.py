"""A second opinion on dynamic slices: a plain interpreter that carries sets of units along with values.

It goes forward where ``cfrontend.symex.dynamic_slice`` goes back, knows no terms, and finds what decides what by trying
all paths. For programs of ``int`` variables, arrays of them, and functions; no pointers, no recursion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from cfrontend import goto
from cfrontend.goto import GotoFunction, GotoProgram
from cfrontend.syntax import tree
from cfrontend.units import UnitId

Units = frozenset[UnitId]
Cell = tuple[str, int]
"""The key of a variable, and the index of an element."""

NONE: Units = frozenset()


class ViolatedError(Exception):
    """A property does not hold."""


class StoppedError(Exception):
    """An exit, or an assumption that does not hold."""


@dataclass
class Run:
    """How an execution ended, and its slice."""

    outcome: str
    slice: Units


@dataclass
class Activation:
    function: GotoFunction
    called: Units
    decided: dict[int, tuple[int, Units]] = field(default_factory=dict)


class Tracker:
    """One execution of ``main`` on given inputs."""

    def __init__(self, program: GotoProgram, inputs: Sequence[int]) -> None:
        self.program = program
        self.inputs = iter(inputs)
        self.values: dict[Cell, int] = {}
        self.slices: dict[Cell, Units] = {}
        self.omitted: dict[str, Units] = {}
        self.ends: Units = NONE
        self.evaluated: Units = NONE
        self.steps = 0
        self.violation: Units = NONE

    def run(self) -> Run:
        try:
            self.call(self.program.start, NONE)
            self.call(self.program.functions["main"], NONE)
        except ViolatedError:
            return Run("fail", self.violation)
        except StoppedError as stopped:
            if stopped.args == ("assumption",):
                return Run("discard", NONE)
        return Run("pass", self.evaluated)

    # -- functions ---------------------------------------------------------------------------------------------

    def call(self, function: GotoFunction, called: Units) -> tuple[int, Units]:
        here = Activation(function, called)
        returned = (0, NONE)
        pc = 0
        while pc < len(function.instructions):
            self.steps += 1
            assert self.steps < 100_000
            i = function.instructions[pc]
            own = NONE if i.unit is None else frozenset([i.unit])
            reached = self.reached(here, pc) | own
            following = pc + 1
            match i:
                case goto.DeclareInstruction():
                    self.declare(i)
                case goto.AssignInstruction():
                    value, read = self.evaluate(i.value)
                    self.write(i.target, value, read | reached, reached)
                case goto.InputInstruction():
                    self.write(i.target, next(self.inputs), reached, reached)
                case goto.AssumeInstruction():
                    value, read = self.evaluate(expression(i.condition))
                    if not i.unchecked:
                        self.ends |= read | reached
                    if not value:
                        raise StoppedError("assumption")
                case goto.AssertInstruction():
                    value, read = self.evaluate(expression(i.condition))
                    slice_ = read | reached | self.ends
                    self.evaluated |= slice_
                    if not value:
                        self.violation = slice_
                        raise ViolatedError
                case goto.BranchInstruction():
                    value, read = self.evaluate(i.condition)
                    here.decided[pc] = (self.steps, read | reached)
                    following = i.target if bool(value) == i.when else pc + 1
                    other = pc + 1 if following == i.target else i.target
                    if following != other:
                        self.leave_out(written_on(self.program, function.name, pc, other), read | reached)
                case goto.JumpInstruction():
                    following = i.target
                case goto.ReturnInstruction():
                    value, read = (0, NONE) if i.value is None else self.evaluate(i.value)
                    returned = (value, read | reached)
                    if own:
                        self.leave_out(written_behind(self.program, function.name, pc), read | reached)
                    following = len(function.instructions)
                case goto.ExitInstruction():
                    raise StoppedError("exit")
                case goto.CallInstruction():
                    value, read = self.enter(i, reached)
                    if i.result is not None:
                        key = i.result.key
                        self.values[key, 0], self.slices[key, 0] = value, read | reached
                        self.omitted[key] = NONE
                case goto.CoverInstruction() | goto.DeadInstruction():
                    pass
                case _:
                    raise NotImplementedError(str(i))
            pc = following
        return returned

    def enter(self, i: goto.CallInstruction, reached: Units) -> tuple[int, Units]:
        assert isinstance(i.callee, tree.FunctionRef)
        callee = self.program.functions[i.callee.name]
        given = [self.evaluate(argument) for argument in i.arguments]
        for parameter, (value, read) in zip(callee.parameters, given, strict=True):
            self.values[parameter.key, 0], self.slices[parameter.key, 0] = value, read | reached
            self.omitted[parameter.key] = NONE
        return self.call(callee, reached)

    def reached(self, here: Activation, pc: int) -> Units:
        """What decided that an instruction is executed: the last of the branches about it, or the call."""
        deciders = {branch for branch, _ in deciding(self.program, here.function.name, pc)}
        last = [here.decided[branch] for branch in deciders if branch in here.decided]
        return max(last, key=lambda decision: decision[0])[1] if last else here.called

    def leave_out(self, keys: Units | frozenset[str], by: Units) -> None:
        for key in keys:
            if key == ENDS:
                self.ends |= by
            else:
                self.omitted[str(key)] = self.omitted.get(str(key), NONE) | by

    # -- variables ---------------------------------------------------------------------------------------------

    def declare(self, i: goto.DeclareInstruction) -> None:
        self.omitted[i.symbol.key] = NONE
        for cell in [cell for cell in self.values if cell[0] == i.symbol.key]:
            self.values[cell], self.slices[cell] = 0, NONE

    def write(self, target: tree.Expression, value: int, slice_: Units, reached: Units) -> None:
        if isinstance(target, tree.VariableRef):
            key = target.symbol.key
            self.values[key, 0], self.slices[key, 0] = value, slice_
            self.omitted[key] = NONE
            return
        assert isinstance(target, tree.Index)
        assert isinstance(target.base, tree.VariableRef)
        key = target.base.symbol.key
        index, place = self.evaluate(target.index)
        self.values[key, index], self.slices[key, index] = value, slice_ | place
        if not isinstance(target.index, tree.IntConstant):
            self.omitted[key] = self.omitted.get(key, NONE) | place | reached

    # -- expressions -------------------------------------------------------------------------------------------

    def evaluate(self, e: tree.Expression) -> tuple[int, Units]:
        match e:
            case tree.IntConstant():
                return e.value, NONE
            case tree.VariableRef():
                return self.load((e.symbol.key, 0))
            case tree.Index(base=tree.VariableRef(symbol=symbol)):
                index, place = self.evaluate(e.index)
                value, read = self.load((symbol.key, index))
                return value, read | place
            case tree.Cast():
                return self.evaluate(e.operand)
            case tree.Unary():
                value, read = self.evaluate(e.operand)
                return {"-": -value, "~": ~value, "!": int(not value)}[e.op], read
            case tree.Logical():
                left, read = self.evaluate(e.left)
                if bool(left) == (e.op == "||"):
                    return int(bool(left)), read
                right, further = self.evaluate(e.right)
                return int(bool(right)), read | further
            case tree.Conditional():
                condition, read = self.evaluate(e.condition)
                value, further = self.evaluate(e.then if condition else e.otherwise)
                return value, read | further
            case tree.Binary():
                left, read = self.evaluate(e.left)
                right, further = self.evaluate(e.right)
                return compute(e.op, left, right), read | further
            case _:
                raise NotImplementedError(str(e))

    def load(self, cell: Cell) -> tuple[int, Units]:
        return self.values.get(cell, 0), self.slices.get(cell, NONE) | self.omitted.get(cell[0], NONE)


def compute(op: str, left: int, right: int) -> int:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "&":
            return left & right
        case "==":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case ">=":
            return int(left >= right)
        case _:
            raise NotImplementedError(op)


def expression(condition: goto.Condition) -> tree.Expression:
    assert isinstance(
        condition, tree.Binary | tree.Logical | tree.Unary | tree.Cast | tree.VariableRef | tree.IntConstant
    )
    return condition


# -- what decides what, by trying all paths --------------------------------------------------------------------------

ENDS = "exit or assumption"
_PROGRAMS: dict[int, GotoProgram] = {}


def ways(function: GotoFunction, pc: int, *, returns_go_on: bool = False) -> list[int]:
    """Where an instruction goes on; ``end`` is the end of the function, ``end + 1`` that of the execution."""
    end = len(function.instructions)
    if pc >= end:
        return [end + 1] if pc == end else []
    match function.instructions[pc]:
        case goto.BranchInstruction(target=target):
            return [pc + 1, target]
        case goto.JumpInstruction(target=target):
            return [target]
        case goto.ReturnInstruction():
            return [end, pc + 1] if returns_go_on else [end]
        case goto.ExitInstruction():
            return [end + 1]
        case _:
            return [pc + 1]


def always_comes_to(function: GotoFunction, start: int, goal: int, *, returns_go_on: bool = False) -> bool:
    """Whether every way from ``start`` to the end leads through ``goal``."""
    seen = {goal}
    stack = [start]
    while stack:
        pc = stack.pop()
        if pc in seen:
            continue
        seen.add(pc)
        if pc == len(function.instructions) + 1:
            return False
        stack += ways(function, pc, returns_go_on=returns_go_on)
    return True


def deciding(program: GotoProgram, name: str, pc: int) -> frozenset[tuple[int, int]]:
    """(branch, way): going on there, the branch makes sure that an instruction is executed; otherwise it may not be."""
    _PROGRAMS[id(program)] = program
    return _deciding(id(program), name, pc, returns_go_on=False)


@cache
def _deciding(program: int, name: str, pc: int, *, returns_go_on: bool) -> frozenset[tuple[int, int]]:
    function = _PROGRAMS[program].functions.get(name, _PROGRAMS[program].start)
    found: set[tuple[int, int]] = set()
    for branch, i in enumerate(function.instructions):
        if not isinstance(i, goto.BranchInstruction) and not (
            returns_go_on and isinstance(i, goto.ReturnInstruction)
        ):
            continue
        leads = {
            way: always_comes_to(function, way, pc, returns_go_on=returns_go_on)
            for way in ways(function, branch, returns_go_on=returns_go_on)
        }
        if branch == pc or not all(leads.values()):
            found |= {(branch, way) for way, leads_there in leads.items() if leads_there}
    return frozenset(found)


def _region(program: GotoProgram, name: str, roots: set[int]) -> set[int]:
    """``roots``, and all that is decided by branches among them."""
    function = program.functions.get(name, program.start)
    found = set(roots)
    while True:
        more = {
            pc
            for pc in range(len(function.instructions))
            if pc not in found and any(branch in found for branch, _ in deciding(program, name, pc))
        }
        if not more:
            return found
        found |= more


def written_on(program: GotoProgram, name: str, branch: int, way: int) -> frozenset[str]:
    """What may be written because a branch goes on at ``way``."""
    function = program.functions.get(name, program.start)
    roots = {pc for pc in range(len(function.instructions)) if (branch, way) in deciding(program, name, pc)}
    return frozenset(written(program, function, _region(program, name, roots)))


def written_behind(program: GotoProgram, name: str, returned: int) -> frozenset[str]:
    """What may be written because a return is not there."""
    _PROGRAMS[id(program)] = program
    function = program.functions.get(name, program.start)
    roots = {
        pc
        for pc in range(len(function.instructions))
        if any(at == returned for at, _ in _deciding(id(program), name, pc, returns_go_on=True))
    }
    return frozenset(written(program, function, _region(program, name, roots)))


def written(program: GotoProgram, function: GotoFunction, places: set[int]) -> Iterator[str]:
    for pc in places:
        match function.instructions[pc]:
            case goto.AssignInstruction(target=target) | goto.InputInstruction(target=target):
                variable = target.base if isinstance(target, tree.Index) else target
                assert isinstance(variable, tree.VariableRef)
                yield variable.symbol.key
            case goto.CallInstruction(callee=tree.FunctionRef(name=name), result=result):
                callee = program.functions[name]
                own = {p.key for p in callee.parameters}
                inside = written(program, callee, set(range(len(callee.instructions))))
                yield from (
                    key for key in inside if key not in own and not key.startswith((f"{name}::", "$"))
                )
                if result is not None:
                    yield result.key
            case goto.ExitInstruction() | goto.AssumeInstruction(unchecked=False):
                yield ENDS
            case _:
                pass
