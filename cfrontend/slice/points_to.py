"""Points-to analysis, inclusion-based and flow-insensitive (Andersen 1994, chapter 4).

    int *p = &x; if (c) p = a;      ->      p can point to x and to a

An object is one place: a variable, all that one instruction allocates, a function, the string literals. Members and
elements are not told apart, types are not looked at, and a value computed from an address may be that address: what
is said to be impossible is impossible.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias, final

from cfrontend import goto
from cfrontend.goto import GotoFunction, GotoProgram
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import ArrayType

Place: TypeAlias = str
"""Abstract object of the analysis: the key of a variable, or two words that no variable is called by."""

_ARGUMENTS: Final = "command line"
_STRINGS: Final = "string literals"


def variadic_arguments(function: str) -> Place:
    """Abstract object of a variadic function's arguments beyond the parameters."""
    return f"beyond {function}"


def allocated_objects(function: str, pc: int) -> Place:
    """Abstract object of everything that one instruction allocates."""
    return f"allocated {function}:{pc}"


def _function(name: str) -> Place:
    return f"function {name}"


def _result(function: str) -> Place:
    return f"result {function}"


@final
class PointsTo:
    """Points-to solution for the functions that are reachable from ``entry``; ``functions`` are those."""

    def __init__(self, program: GotoProgram, entry: str) -> None:
        self._program = program
        self._held: dict[Place, set[Place]] = {}
        self._changed = True
        self.functions: dict[str, GotoFunction] = {program.start.name: program.start}
        self._reach(entry)
        for parameter in self.functions[entry].parameters:
            self._hold(parameter.key, {_ARGUMENTS})
        self._hold(_ARGUMENTS, {_ARGUMENTS})
        while self._changed:
            self._changed = False
            for name in list(self.functions):
                for pc, i in enumerate(self.functions[name].instructions):
                    self._apply(name, pc, i)

    # -- what the solution says --------------------------------------------------------------------------------

    def held(self, place: Place) -> frozenset[Place]:
        """The points-to set of the pointers in an object."""
        return frozenset(self._held.get(place, ()))

    def of(self, e: Expression) -> set[Place]:
        """The points-to set of the value of ``e``."""
        match e:
            case tree.FunctionRef():
                return {_function(e.name)}
            case tree.AddressOf(operand=tree.FunctionRef(name=name)):
                return {_function(name)}
            case tree.AddressOf() | tree.Decay():
                return self.places(e.operand)
            case (
                tree.VariableRef() | tree.MemberAccess() | tree.Index() | tree.Deref() | tree.StringLiteral()
            ):
                return {p for place in self.places(e) for p in self._held.get(place, ())}
            case _:
                return {p for part in goto.direct_goto_subexpressions(e) for p in self.of(part)}

    def places(self, e: Expression) -> set[Place]:
        """The objects that an lvalue may be or lie in."""
        match e:
            case tree.VariableRef():
                return {e.symbol.key}
            case tree.StringLiteral():
                return {_STRINGS}
            case tree.MemberAccess():
                return self.places(e.base)
            case tree.Index():
                return self.places(e.base) if isinstance(e.base.type, ArrayType) else self.of(e.base)
            case tree.Deref():
                return self.of(e.pointer)
            case _:
                return {p for part in goto.direct_goto_subexpressions(e) for p in self.places(part)}

    def callees(self, i: goto.CallInstruction) -> list[str]:
        """The possible callees of a call that have a body."""
        if isinstance(i.callee, tree.FunctionRef):
            names = [i.callee.name]
        else:
            found = self.of(i.callee)
            names = [name for name in self._program.functions if _function(name) in found]
        return [name for name in names if name in self._program.functions]

    # -- the way to it -----------------------------------------------------------------------------------------

    def _reach(self, name: str) -> None:
        if name not in self.functions:
            self.functions[name] = self._program.functions[name]
            self._changed = True

    def _hold(self, place: Place, pointed: set[Place] | frozenset[Place]) -> None:
        held = self._held.setdefault(place, set())
        if not pointed <= held:
            held |= pointed
            self._changed = True

    def _apply(self, function: str, pc: int, i: goto.Instruction) -> None:
        match i:
            case goto.AssignInstruction():
                self._store(i.target, self.of(i.value))
            case goto.AllocateInstruction():
                self._store(i.target, {allocated_objects(function, pc)})
            case goto.VariableArgumentsInstruction():
                self._store(i.target, {variadic_arguments(function)})
            case goto.CopyInstruction():
                copied = {p for place in self.of(i.source) for p in self._held.get(place, ())}
                for place in self.of(i.target):
                    self._hold(place, copied)
            case goto.ReturnInstruction(value=value) if value is not None:
                self._hold(_result(function), self.of(value))
            case goto.CallInstruction():
                self._call(i)
            case _:
                pass

    def _store(self, target: Expression, pointed: set[Place]) -> None:
        if pointed:
            for place in self.places(target):
                self._hold(place, pointed)

    def _call(self, i: goto.CallInstruction) -> None:
        for name in self.callees(i):
            self._reach(name)
            for place, argument in zip(argument_places(self.functions[name], i), i.arguments, strict=True):
                self._hold(place, self.of(argument))
            if i.result is not None:
                self._hold(i.result.key, self.held(_result(name)))


def argument_places(callee: GotoFunction, call: goto.CallInstruction) -> list[Place]:
    """The places where the arguments of a call go."""
    parameters = [parameter.key for parameter in callee.parameters]
    further = len(call.arguments) - len(parameters)
    return (parameters + [variadic_arguments(callee.name)] * max(0, further))[: len(call.arguments)]


def call_sites(
    functions: Mapping[str, GotoFunction], pointers: PointsTo
) -> dict[str, list[tuple[str, int, goto.CallInstruction]]]:
    """Call sites by function: where it can be called, as (caller, instruction number, instruction)."""
    sites: dict[str, list[tuple[str, int, goto.CallInstruction]]] = {name: [] for name in functions}
    for name, function in functions.items():
        for pc, i in enumerate(function.instructions):
            if isinstance(i, goto.CallInstruction):
                for callee in pointers.callees(i):
                    sites[callee].append((name, pc, i))
    return sites
