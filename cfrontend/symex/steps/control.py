"""Control-flow steps: coverage, checks, assumptions, branches and loops.

A meta-program has many branches on the variant selector side by side, as an edit that stands before a statement is a
branch of its own: those in a row are taken in one step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

from cfrontend import goto
from cfrontend.errors import Location
from cfrontend.symex import memory, unwritten
from cfrontend.symex.dynamic_slice import NOTHING
from cfrontend.symex.expressions import variant_selector_of_test
from cfrontend.symex.functions import (
    Step,
)
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.paths import decided_on_path
from cfrontend.symex.state import ProgressOfTest
from cfrontend.symex.steps.angelic import angelic_condition
from cfrontend.symex.steps.context import StepContext, note_goal
from cfrontend.syntax import tree
from cfrontend.syntax.types import IntType, PointerType, is_scalar_type
from cfrontend.terms import FALSE, TRUE, Term

_FREE_FORKS: Final = 4_096
"""Maximum number of free iterations of a loop in which an undecided test may leave the loop."""

_FREE_WANDERINGS: Final = 64
"""Maximum number of free iterations with an undecided exit test where the decided test comes no nearer to leaving.

A counter that runs the wrong way is such a case.
"""

_FREE_EVALUATIONS: Final = 64
"""Maximum number of evaluations of a test in one round of a loop around it that are compared with those of the next."""

_LIBRARY_ITERATIONS: Final = 100_000
"""Minimum number of free iterations of a library function's loop, however short the program's own loops are."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Test:
    """Operands of the branch at ``pc``: the scalars it reads, which are pointers, and the distance of what it compares.

    The distance is None where it compares no numbers.
    """

    pc: int
    values: Callable[[SymbolicMachine], tuple[Term, ...]]
    pointers: tuple[bool, ...]
    distance: Callable[[SymbolicMachine], int | None]


def cover_step(_f: StepContext, _pc: int, i: goto.CoverInstruction) -> Step:
    """The step that covers a unit."""
    unit = i.unit
    assert unit is not None

    def cover(m: SymbolicMachine) -> None:
        here = m.cover.get(unit)
        if here is None:
            here = m.cover[unit] = {}
        term = m.path.term
        here[term] = here.get(term, 0) + 1
        if m.is_fixed:
            m.note_step(unit)

    return cover


def assume_step(f: StepContext, _pc: int, i: goto.AssumeInstruction) -> Step:
    """The step of an assumption: executions that break it end without an outcome."""
    condition, kind, where = f.x.condition(i.condition), i.kind, i.location

    def assume(m: SymbolicMachine) -> int | None:
        c = condition(m)
        if c == TRUE:
            return None
        if kind and not m.is_fixed:
            place = kind, m.place_of(where)
            broken = m.t.and_(m.path.term, m.t.not_(c))
            m.left_out[place] = m.t.or_(m.left_out.get(place, FALSE), broken)
        m.assume_input_ranges(c)
        if c == FALSE:
            m.assumed_otherwise.append(m.path.term)
        elif m.assume(c):
            return None
        return m.drop()

    return assume


def check_step(f: StepContext, pc: int, i: goto.AssertInstruction) -> Step:
    """The step of a check: executions that break it end here, violating the property.

    What a relaxed unit computes is replaced, so that its checks, and what they guard, are left out.
    """
    condition, name, unit = f.x.condition(i.condition), i.property, i.unit
    yields, aborts, foreign = i.yields, i.aborts, f.compiled.source.foreign
    behind = _computed_until(f, pc) if yields else None
    past = _called_until(f, pc) if yields and behind is None else None

    def check(m: SymbolicMachine) -> int | None:
        if behind is not None and unit in m.relax:
            return behind
        if aborts and not all(observer.aborts(m) for observer in m.observers):
            return m.drop()
        m.checked[(foreign and m.property_here(name)) or name].add(m.path.term)
        c = condition(m)
        if c == TRUE:
            return None
        c = m.balance.simplify(c)
        c = _decided_here(m, c)
        if c == TRUE:
            return None
        if past is not None and unit in m.relax:
            # The call for which an operand cannot be computed is left out: another value needs none.
            m.park_where(past, m.fork(), m.t.not_(c))
            return None if m.assume(c) else m.drop()
        because, checked = "", i.condition
        is_certain = c == FALSE and m.is_fixed
        if is_certain and isinstance(checked, goto.ValidPointerCondition | goto.ValidRangeCondition):
            because = memory.objection_to_access(m, f.x.value(checked.pointer)(m), write=checked.write)
        m.violated(name, m.t.not_(c), because)
        return None if c != FALSE and m.assume(c) else m.drop()

    return check


def _computed_until(f: StepContext, pc: int) -> int | None:
    """The instruction after the check at ``pc`` that yields the value of its unit, or checks the place it goes to.

    None where what comes before it does more than compute the value, and where a call, which is made all the same,
    needs it. What a relaxed unit prints is not looked at either.
    """
    code = f.compiled.source.instructions
    unit = code[pc].unit
    computes, place = False, None
    for n in range(pc + 1, len(code)):
        match code[n]:
            case goto.AssertInstruction(yields=True):
                continue
            case goto.AssignInstruction(yields=False, target=tree.VariableRef(symbol=symbol)) if (
                symbol.name.startswith("$")
            ):
                computes = True
            case goto.CallInstruction() if computes:
                return None
            case goto.AssertInstruction(of_place=True):
                place = n if place is None else place
            case following if following.unit == unit and (
                following.yields or isinstance(following, goto.OutputInstruction)
            ):
                return n if place is None else place
            case _:
                return None
    return None


def _called_until(f: StepContext, pc: int) -> int | None:
    """The instruction that yields the value of the unit of the check at ``pc``, behind calls that the value needs.

    None where anything else stands between.
    """
    code = f.compiled.source.instructions
    for n in range(pc + 1, len(code)):
        match code[n]:
            case goto.BranchInstruction() | goto.AssignInstruction() as following if following.yields:
                return n if following.unit == code[pc].unit else None
            case goto.AssertInstruction(yields=True) | goto.CallInstruction(yields=False):
                continue
            case goto.AssignInstruction(target=tree.VariableRef(symbol=symbol)) if symbol.name.startswith(
                "$"
            ):
                continue
            case _:
                return None
    return None


def branch_step(f: StepContext, pc: int, i: goto.BranchInstruction) -> Step:
    """The step of a branch, which notes the coverage goals of its two ways first where there are some."""
    step = _branch_step(f, pc, i)
    goals = f.world.goals
    here = None if goals is None else goals.at.get(f.compiled.source.name, {}).get(pc)
    if here is None or (here.taken is None and here.fallen is None):
        return step
    condition, when = f.x.condition(i.condition), i.when
    taken, fallen = here.taken, here.fallen

    def noting(m: SymbolicMachine) -> int | None:
        if not m.is_reference:
            holds = condition(m)
            jumps = holds if when else m.t.not_(holds)
            note_goal(m, taken, jumps)
            note_goal(m, fallen, m.t.not_(jumps))
        return step(m)

    return noting


def _branch_step(f: StepContext, pc: int, i: goto.BranchInstruction) -> Step:
    """The step of a two-way branch; both ways are followed where neither is excluded."""
    condition = f.x.condition(i.condition)
    if i.yields:
        condition = angelic_condition(i, condition)
    target, when, backward = i.target, i.when, i.target <= pc
    leaves, falls_out, closes = _loops_left(f, pc, target)
    tested = _tested(f, pc, i) if leaves or falls_out or closes is not None else None
    location, inverted = i.location, i.inverted
    tested_unit = i.unit if i.yields and i.unit in f.compiled.tested_once else None
    omitted = f.compiled.decisions.omitted
    jumping, falling = omitted.get((pc, target), ()), omitted.get((pc, pc + 1), ())
    is_plain = tested is None and tested_unit is None and not backward

    def branch(m: SymbolicMachine) -> int | None:
        c = condition(m)
        followed = m.relevance
        if is_plain and c <= TRUE and followed is None:
            return target if (c == TRUE) == when else None
        decision = NOTHING if followed is None else followed.end()
        if tested_unit is not None and m.is_fixed and c in {TRUE, FALSE}:
            m.note_test(tested_unit, (c == TRUE) != inverted)
        is_folded = c <= TRUE
        c = _decided_here(m, c)
        c = c if when else m.t.not_(c)
        if c == FALSE:
            if followed is not None:
                followed.omit(m, m.overlay, falling, decision)
            if is_folded and tested is not None and leaves:
                _note_progress(m, leaves, tested)
            return None
        if c == TRUE:
            if followed is not None:
                followed.omit(m, m.overlay, jumping, decision)
            if is_folded and tested is not None and (closes is not None or falls_out):
                _note_progress(m, falls_out if closes is None else [closes], tested)
            return _back(m, pc, target, location) if backward else target
        m.tick()
        frame = m.activation()
        for back in leaves or falls_out:
            frame.loop(back).forks += 1
        other = m.fork()
        if followed is not None:
            followed.omit(m, m.overlay, jumping if backward else falling, decision)
            followed.omit(m, other.overlay, falling if backward else jumping, decision)
        if backward:
            other.path = m.path
            m.park_where(pc + 1, other, m.t.not_(c))
            if not m.assume(c):
                return m.drop()
            return _back(m, pc, target, location)
        m.park_where(target, other, c)
        if not m.assume(m.t.not_(c)):
            return m.drop()
        return None

    return selector_branch_step(f, pc, i, branch) if is_plain else branch


def selector_branch_step(f: StepContext, pc: int, i: goto.BranchInstruction, step: Step) -> Step:
    """The ``step`` of a branch forward; where it tests the variant selector alone, one behind all that follow.

    It has to do nothing else but to choose where it goes on. Where other states wait, which may join in between, the
    branches are taken one by one.
    """
    variable = variant_selector_of_test(i.condition)
    is_plain = f.noted is None and f.world.goals is None and f.world.omissions is None
    if variable is None or not is_plain or pc in f.compiled.heads:
        return step
    selector, branches = f.x.value(variable), f.compiled.selectors
    branches[pc] = f.x.condition(i.condition), i.when, i.target
    known: dict[Term, int] = {}

    def behind(m: SymbolicMachine) -> int:
        """The first instruction behind this branch, and those that follow, which is no such branch."""
        at = pc
        while (branch := branches.get(at)) is not None:
            condition, when, target = branch
            if (c := condition(m)) > TRUE:
                break
            at = target if (c == TRUE) == when else at + 1
        return at

    def choose(m: SymbolicMachine) -> int | None:
        frame = m.activation()
        if frame.heap or m.relevance is not None:
            return step(m)
        chosen = selector(m)
        at = known.get(chosen)
        if at is None:
            at = behind(m)
            if at == pc:
                return step(m)
            known.clear()
            known[chosen] = at
        return at

    return choose


def _loops_left(f: StepContext, pc: int, target: int) -> tuple[list[int], list[int], int | None]:
    """The loops that a branch leaves, those that it leaves where it does not jump, and the back edge that it is."""
    around = f.compiled.loops_around[pc]
    leaves = [back for back in around if not _inside(f, back, target)]
    falls_out = [back for back in around if back not in leaves and _falls_out(f, pc, back)]
    closes = pc if target <= pc else target if _is_joined_jump_back(f, target) else None
    return leaves, falls_out, closes


def _decided_here(m: SymbolicMachine, condition: Term) -> Term:
    """TRUE or FALSE where the current path decides ``condition``; not where what mattered is followed."""
    return condition if m.relevance is not None else decided_on_path(m.t, m.path, condition)


def _tested(f: StepContext, pc: int, i: goto.BranchInstruction) -> _Test:
    """The operands in the condition of a branch: progress of a loop is judged by its scalar variables.

    To look at them is not to read them: the condition may not come to all.
    """
    scalars = [
        v
        for v in goto.goto_subexpressions(i.condition)
        if isinstance(v, tree.VariableRef | tree.MemberAccess) and is_scalar_type(v.type)
    ]
    values = [f.x.value(v) for v in scalars]
    return _Test(
        pc=pc,
        values=lambda m: tuple(unwritten.unread_value(m, value) for value in values),
        pointers=tuple(isinstance(v.type, PointerType) for v in scalars),
        distance=_distance(f, i.condition),
    )


def _distance(f: StepContext, condition: tree.Expression) -> Callable[[SymbolicMachine], int | None]:
    """The distance of the numbers that a condition compares; None where they are not known."""
    if not isinstance(condition, tree.Binary) or not isinstance(condition.left.type, IntType):
        return lambda m: None
    is_signed = condition.left.type.signed
    operands = [f.x.value(condition.left), f.x.value(condition.right)]

    def distance(m: SymbolicMachine) -> int | None:
        one, two = (operand(m) for operand in operands)
        left, right = m.t.value[one], m.t.value[two]
        if left is None or right is None or m.t.width[one] != m.t.width[two]:
            return None
        if is_signed:
            left, right = (m.t.signed(word, m.t.width[one]) for word in (left, right))
        return abs(left - right)

    return distance


def _inside(f: StepContext, back: int, target: int) -> bool:
    return f.compiled.loops[back][1] <= target <= back


def _is_joined_jump_back(f: StepContext, target: int) -> bool:
    """Whether a branch ends an iteration as a back edge would, if no other did so."""
    instructions = f.compiled.source.instructions
    following = instructions[target] if target < len(instructions) else None
    return isinstance(following, goto.JumpInstruction) and following.joins


def _falls_out(f: StepContext, pc: int, back: int) -> bool:
    """Whether what stands behind a branch leaves a loop, by ``return`` or ``break``, before any join point."""
    for i in f.compiled.source.instructions[pc + 1 :]:
        if isinstance(i, goto.ReturnInstruction | goto.ExitInstruction):
            return True
        if isinstance(i, goto.JumpInstruction):
            return not _inside(f, back, i.target)
        if isinstance(i, goto.BranchInstruction):
            return False
    return True


def jump_step(_f: StepContext, pc: int, i: goto.JumpInstruction) -> Step:
    """The step of a jump; backwards it closes a loop."""
    target, location = i.target, i.location
    if target > pc:
        return lambda m: target
    return lambda m: _back(m, pc, target, location)


def _note_progress(m: SymbolicMachine, backs: list[int], tested: _Test) -> None:
    """Progress check of a loop without the solver: did what the decided test reads change since last time?

    Library models may always run on so: how they loop is not the user's to know.

    Only constants that change lead anywhere: a test can be decided although it reads a word that is not known
    (``x & 3 < 9``), and stay so for ever. Where each round may be the last by another test, they have to come nearer
    to the other decision. So can one of what the loop itself allocates (``if (p == NULL) return;``): a
    walk through objects that were there before comes to an end, one through ever new objects need not.
    """
    frame = m.activation()
    if not (m.bound.free or frame.function.source.foreign):
        return
    now = tested.values(m)
    # What a test does not come to may not be written yet: f && x < 3
    if any(m.t.value[word] is None and word not in m.unknown for word in now):
        return
    for back in backs:
        loop = frame.loop(back)
        seen = tuple(
            None
            if word in m.unknown
            or (is_pointer and m.objects.is_allocated_after(loop.older, m.t.value[word] or 0))
            else word
            for word, is_pointer in zip(now, tested.pointers, strict=True)
        )
        if all(word is None for word in seen):
            continue
        noted = loop.tests.setdefault(tested.pc, ProgressOfTest())
        is_first, before = noted.counterpart(loop.rounds)
        distance = tested.distance(m) if loop.forks >= _FREE_WANDERINGS else None
        if len(noted.now) < _FREE_EVALUATIONS:
            noted.now.append((seen, distance))
        if before is None:
            is_nearer = is_first
        else:
            is_nearer = distance is None or before[1] is None or distance < before[1]
        if is_nearer and (before is None or before[0] != seen):
            loop.has_advanced = True


def leave_step(_f: StepContext, _pc: int, i: goto.LeaveInstruction) -> Step:
    """End the path at the bound, unless the inputs are given or, where inputs have to lead here, all of them do."""

    def step(m: SymbolicMachine) -> int | None:
        if m.is_fixed or (i.by_inputs and m.path.term == TRUE):
            return None
        m.cut_here(i.location)
        return m.drop()

    return step


def _back(m: SymbolicMachine, pc: int, head: int, location: Location) -> int:
    """Take a back edge: jump to the loop's head unless the bound is reached."""
    m.tick()
    frame = m.activation()
    name, loop = frame.function.loops[pc][0], frame.loop(pc)
    loop.rounds += 1
    advanced = loop.has_advanced and not m.has_own_limit(name) and loop.forks < _FREE_FORKS
    limit = None if advanced else m.unwinding_limit(name)
    is_free = advanced or (limit is None and m.bound.free)
    if is_free:
        loop.has_advanced = False
        least = _LIBRARY_ITERATIONS if frame.function.source.foreign else 0
        within = loop.rounds < max(m.bound.free_limit, least)
    else:
        loop.counted += 1
        within = limit is None or loop.counted < limit
    if within:
        m.most_rounds[name] = max(m.most_rounds.get(name, 0), loop.rounds)
        frame.came_back = True
        return head
    if is_free:
        m.end_of_freedom(location)
    else:
        m.most_rounds.setdefault(name, 0)
        m.end_of_unwinding(location)
    return m.drop()
