"""Static potential dependence: the writes that a decision omits, which it would perhaps have made the other way.

    0 IF !(c) GOTO 2      1 x = 1      ->      whoever jumps at 0 leaves out a write of x

That is the static half of potential dependence (Gyimóthy, Beszédes and Forgács 1999): a value that was not replaced
depends on the decisions not to replace it. The other half is in ``cfrontend.symex.dynamic_slice``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, final

from cfrontend import goto
from cfrontend.goto import GotoFunction, GotoProgram
from cfrontend.slice.control_flow import control_flow_jumped_over, decided_by
from cfrontend.slice.dependence import ProgramDependence, written_variable
from cfrontend.slice.points_to import Place
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import ArrayType

ENDS: Final[Place] = "whether it goes on"
"""Pseudo-place that an exit or an assumption decides: whether the execution goes on."""


@final
@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions of one function, with the writes that they omit.

    ``group`` says by instruction which set of branches decides whether it is executed (None: none), ``groups`` by
    branch in which sets it is. ``omitted`` are the places that a branch leaves out that goes on at an instruction,
    ``jumped_over`` those that a return leaves out. ``kills`` are the instructions that write all of a variable of
    which there is one at a time.
    """

    group: tuple[int | None, ...]
    groups: Mapping[int, tuple[int, ...]]
    count: int
    omitted: Mapping[tuple[int, int], tuple[Place, ...]]
    jumped_over: Mapping[int, tuple[Place, ...]]
    kills: Mapping[int, Place]


NO_DECISIONS: Final = Decisions((), {}, 0, {}, {}, {})
"""Empty decisions, of a function that is not asked about."""


@final
class OmittedWrites:
    """Potential dependence analysis of the functions of a program."""

    def __init__(self, program: GotoProgram, entry: str) -> None:
        self._graph = ProgramDependence(program, entry)
        self._recursive = self._graph.recursive()
        self._effects = self._effects_of_calls()
        self._written_at: dict[tuple[str, int], list[Place]] = {}
        self._places: dict[Place, int] = {}
        self._decisions: dict[str, Decisions] = {}

    def number(self, place: Place) -> int:
        """The number of an object, given at its first use."""
        return self._places.setdefault(place, len(self._places))

    def of(self, function: GotoFunction) -> Decisions:
        """The decisions of a function that is reachable from the entry."""
        known = self._decisions.get(function.name)
        if known is None:
            known = self._decisions[function.name] = self._find(function)
        return known

    def _find(self, function: GotoFunction) -> Decisions:
        deciders = decided_by(function)
        numbers: dict[tuple[int, ...], int] = {}
        group = [numbers.setdefault(tuple(d), len(numbers)) if d else None for d in deciders]
        groups: dict[int, list[int]] = {}
        for branches, number in numbers.items():
            for branch in branches:
                groups.setdefault(branch, []).append(number)
        below: dict[int, list[int]] = {}
        ways: dict[tuple[int, int], list[int]] = {}
        for pc, found in enumerate(deciders):
            for branch, taken in found.items():
                below.setdefault(branch, []).append(pc)
                for way in taken:
                    ways.setdefault((branch, way), []).append(pc)
        omitted: dict[tuple[int, int], tuple[Place, ...]] = {}
        for pc, i in enumerate(function.instructions):
            if isinstance(i, goto.BranchInstruction):
                for one, other in ((pc + 1, i.target), (i.target, pc + 1)):
                    omitted[pc, one] = self._written(function, ways.get((pc, other), ()), below)
        over = control_flow_jumped_over(function)
        return Decisions(
            group=tuple(group),
            groups={branch: tuple(found) for branch, found in groups.items()},
            count=len(numbers),
            omitted=omitted,
            jumped_over={pc: self._written(function, region, below) for pc, region in over.items()},
            kills=dict(self._kills(function)),
        )

    def _written(
        self, function: GotoFunction, region: Iterable[int], below: Mapping[int, list[int]]
    ) -> tuple[Place, ...]:
        """The places that instructions of a region may write, and the instructions that those decide about."""
        seen: dict[int, None] = {}
        stack = list(region)
        while stack:
            pc = stack.pop()
            if pc not in seen:
                seen[pc] = None
                stack += below.get(pc, ())
        found: dict[Place, None] = {}
        for pc in sorted(seen):
            known = self._written_at.get((function.name, pc))
            if known is None:
                known = self._written_at[function.name, pc] = self._places_written(function, pc)
            found |= dict.fromkeys(known)
        return tuple(found)

    def _places_written(self, function: GotoFunction, pc: int) -> list[Place]:
        i = function.instructions[pc]
        match i:
            case goto.ExitInstruction() | goto.AssumeInstruction(unchecked=False):
                return [ENDS]
            case goto.CallInstruction():
                inside = {p for callee in self._graph.pointers.callees(i) for p in self._effects[callee]}
                return sorted(inside | ({i.result.key} if i.result is not None else set()))
            case _:
                return self._graph.places_written(i)

    def _effects_of_calls(self) -> dict[str, set[Place]]:
        """Side effects by function: which outer objects it writes, and whether it may end the execution."""
        self._effects = {name: set() for name in self._graph.functions}
        changed = True
        while changed:
            changed = False
            for name, function in self._graph.functions.items():
                own = self._graph.locals[name]
                written = {
                    place
                    for pc in range(len(function.instructions))
                    for place in self._places_written(function, pc)
                    if place not in own
                }
                if not written <= self._effects[name]:
                    self._effects[name] |= written
                    changed = True
        return self._effects

    def _kills(self, function: GotoFunction) -> Iterable[tuple[int, Place]]:
        for pc, i in enumerate(function.instructions):
            symbol = None if isinstance(i, goto.CallInstruction) else written_variable(i)
            if symbol is not None and (symbol.storage != "auto" or function.name not in self._recursive):
                yield pc, symbol.key


def computed_place(target: Expression) -> tuple[Expression, ...]:
    """The expressions that an element's address is computed from; none where it is but a pointer that is followed."""
    found: list[Expression] = []
    stack = [target]
    while stack:
        top = stack.pop()
        match top:
            case tree.MemberAccess():
                stack.append(top.base)
            case tree.Index():
                stack.append(top.base)
                if not isinstance(top.index, tree.IntConstant):
                    found += (top.index,) if isinstance(top.base.type, ArrayType) else (top.index, top.base)
            case tree.Deref(pointer=tree.Binary() as pointer):
                found.append(pointer)
            case _:
                pass
    return tuple(found)
