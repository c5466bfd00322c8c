"""Control dependence, reaching definitions, and neighbours in the control flow of one function.

0 IF !(c) GOTO 2      1 x = 1      2 y = x      ->      1 depends on 0; the x of 2 was written by 1, or before
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import final

from cfrontend import goto
from cfrontend.elaborate.constants import constant_value
from cfrontend.goto import GotoFunction
from cfrontend.syntax.types import StructTypeTable
from cfrontend.units import UnitId

ENTRY = -1
"""Pseudo-instruction at the begin of a function, where the parameters take their values."""


def control_dependences(function: GotoFunction) -> list[list[int]]:
    """Control dependences by instruction: the branches, and the returns, that decide whether it is executed.

    Ferrante, Ottenstein and Warren 1987, on a graph in which a return may also go on behind it (Ball and Horwitz 1993):
    what it jumps over depends on it. Every backward jump may leave the bound, so that every instruction has a way to
    the end.
    """
    successors = _successors(function)
    for pc, i in enumerate(function.instructions):
        if isinstance(i, goto.ReturnInstruction):
            successors[pc] = (*successors[pc], pc + 1)
    return [list(deciders) for deciders in _deciding_ways(successors)]


def decided_by(function: GotoFunction) -> list[dict[int, list[int]]]:
    """Control dependences by instruction, with labels: the branches that decide it, each with the ways that lead to it.

    A way is where a branch goes on. Here a loop goes on until it ends; only one without an end may be left by the
    bound.
    """
    successors = _successors(function)
    ends = len(successors) - 1
    for pc in range(len(function.instructions)):
        successors[pc] = tuple(way for way in successors[pc] if way != ends or len(successors[pc]) == 1)
    reaching = set(_postorder(ends, _predecessors(successors).__getitem__))
    for _, _, back in function.loops():
        if back not in reaching:
            successors[back] = (*successors[back], ends)
    is_branch = [isinstance(i, goto.BranchInstruction) for i in function.instructions]
    return [
        {
            pc: ways
            for pc, taken in deciders.items()
            if is_branch[pc] and (ways := [w for w in taken if w != ends])
        }
        for deciders in _deciding_ways(successors)
    ]


def _deciding_ways(successors: Sequence[tuple[int, ...]]) -> list[dict[int, list[int]]]:
    """By instruction, the nodes that decide whether it is executed, each with its successors that lead there."""
    nearest = _immediate_postdominators(successors)
    found: list[dict[int, list[int]]] = [{} for _ in successors]
    for pc, following in enumerate(successors):
        for way in following:
            runner = way
            while runner != nearest[pc]:
                found[runner].setdefault(pc, []).append(way)
                runner = nearest[runner]
    return found[:-2]  # without the ends of the function and of the execution


def control_flow_jumped_over(function: GotoFunction) -> dict[int, list[int]]:
    """Instructions that a return jumps over, by return: they would be executed if it did not end the function."""
    found: dict[int, list[int]] = {}
    for pc, deciders in enumerate(control_dependences(function)):
        for decider in deciders:
            if isinstance(function.instructions[decider], goto.ReturnInstruction):
                found.setdefault(decider, []).append(pc)
    return found


def control_flow_can_end(function: GotoFunction, structs: StructTypeTable) -> bool:
    """Whether control flow reaches the end of a function or an exit in it; constant conditions go their one way."""
    code = function.instructions
    successors = _successors(function)
    over = len(code) + 1
    for pc, i in enumerate(code):
        match i:
            case goto.BranchInstruction():
                value = constant_value(i.condition, structs)
                ways = (pc + 1, i.target)
                successors[pc] = ways if value is None else (ways[bool(value) == i.when],)
            case goto.JumpInstruction():
                successors[pc] = (i.target,)
            case goto.RefuseInstruction():
                successors[pc] = ()
            case _:
                continue
    return over in _postorder(0, successors.__getitem__)


def control_flow_neighbours(function: GotoFunction, unit: UnitId) -> frozenset[UnitId]:
    """The units of a function that are evaluated directly before or behind one of them, on some way through it."""
    successors = _successors(function)
    predecessors = _predecessors(successors)
    of = [i.unit for i in function.instructions]
    own = [pc for pc, at in enumerate(of) if at == unit]
    found: set[UnitId] = set()
    for ways in (successors, predecessors):
        seen, stack = set(own), list(own)
        while stack:
            for pc in ways[stack.pop()]:
                at = of[pc] if pc < len(of) else None
                if at is not None and at != unit:
                    found.add(at)
                elif pc not in seen and pc < len(of):
                    seen.add(pc)
                    stack.append(pc)
    return frozenset(found)


def _successors(function: GotoFunction) -> list[tuple[int, ...]]:
    """Control flow successors of each instruction, of the function's end and, last, of the execution's end."""
    end = len(function.instructions)
    over = end + 1
    found: list[tuple[int, ...]] = []
    for pc, i in enumerate(function.instructions):
        match i:
            case goto.BranchInstruction():
                ways = [pc + 1, i.target, *([over] if i.target <= pc else [])]
            case goto.JumpInstruction():
                ways = [i.target, *([over] if i.target <= pc else [])]
            case goto.ReturnInstruction():
                ways = [end]
            case goto.ExitInstruction() | goto.RefuseInstruction():
                ways = [over]
            case _:
                ways = [pc + 1]
        found.append(tuple(dict.fromkeys(ways)))
    return [*found, (over,), ()]


def _predecessors(successors: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Control flow predecessors of each node, in the order of the nodes."""
    found: list[list[int]] = [[] for _ in successors]
    for node, following in enumerate(successors):
        for one in following:
            found[one].append(node)
    return found


def _immediate_postdominators(successors: Sequence[tuple[int, ...]]) -> list[int]:
    """Immediate postdominators of each node; the last node is where all ways end.

    Algorithm of Cooper, Harvey and Kennedy 2001, figure 3, on the reversed graph.
    """
    last = len(successors) - 1
    predecessors = _predecessors(successors)
    order = _postorder(last, predecessors.__getitem__)
    number = {node: n for n, node in enumerate(order)}
    nearest = [-1] * len(successors)
    nearest[last] = last
    changed = True
    while changed:
        changed = False
        for node in reversed(order[:-1]):
            new = -1
            for one in successors[node]:
                if nearest[one] == -1:
                    continue
                other = new if new != -1 else one
                while other != one:
                    if number[other] < number[one]:
                        other = nearest[other]
                    else:
                        one = nearest[one]  # noqa: PLW2901 - the two climb until they meet
                new = other
            if new != nearest[node]:
                nearest[node] = new
                changed = True
    return nearest


def _postorder(root: int, following: Callable[[int], Sequence[int]]) -> list[int]:
    order: list[int] = []
    seen = {root}
    stack = [(root, iter(following(root)))]
    while stack:
        node, rest = stack[-1]
        for one in rest:
            if one not in seen:
                seen.add(one)
                stack.append((one, iter(following(one))))
                break
        else:
            order.append(node)
            stack.pop()
    return order


@final
class ReachingWrites:
    """Reaching definitions: which writes of the variables of a function reach which reads.

    ``writes`` says which variable an instruction writes; ``parameters`` are written by ``ENTRY``, and the instructions
    ``unwritten`` leave their variable without a value. Sets of writes are the bits of integers.
    """

    def __init__(
        self,
        function: GotoFunction,
        writes: Mapping[int, str],
        parameters: Collection[str],
        unwritten: Collection[int],
    ) -> None:
        self._sites = [ENTRY] * len(parameters) + sorted(writes)
        self._of_variable: dict[str, int] = {}
        for n, pc in enumerate(self._sites):
            name = writes[pc] if pc != ENTRY else list(parameters)[n]
            self._of_variable[name] = self._of_variable.get(name, 0) | 1 << n
        bit = {pc: 1 << n for n, pc in enumerate(self._sites) if pc != ENTRY}
        self._unwritten = sum(bit[pc] for pc in unwritten)
        self._before = self._solved(function, writes, bit, (1 << len(parameters)) - 1)

    def _solved(
        self, function: GotoFunction, writes: Mapping[int, str], bit: Mapping[int, int], entry: int
    ) -> list[int]:
        """The fixed point of the data flow equations: by instruction, the writes that reach it."""
        successors = _successors(function)
        before = [0] * len(successors)
        before[0] = entry
        reached = [False] * len(successors)
        waiting, is_waiting = [0], {0}
        while waiting:
            pc = heappop(waiting)
            is_waiting.discard(pc)
            after = before[pc]
            if pc in writes:
                after = after & ~self._of_variable[writes[pc]] | bit[pc]
            for one in successors[pc]:
                if not reached[one] or after & ~before[one]:
                    reached[one] = True
                    before[one] |= after
                    if one not in is_waiting:
                        is_waiting.add(one)
                        heappush(waiting, one)
        return before

    def before(self, pc: int, name: str, seen: dict[str, int]) -> Iterable[int]:
        """The reaching definitions of a read of a variable.

        Whoever asks for many hands the same ``seen`` over each time and hears of each write once: in a row of
        conditional writes, each may read from all before it.
        """
        known = seen.get(name, 0)
        found = self._before[pc] & self._of_variable.get(name, 0) & ~known
        seen[name] = known | found
        while found:
            lowest = found & -found
            yield self._sites[lowest.bit_length() - 1]
            found ^= lowest

    def may_be_unwritten(self, pc: int, name: str) -> bool:
        """Whether a read may find the variable uninitialised."""
        return bool(self._before[pc] & self._of_variable.get(name, 0) & self._unwritten)
