"""Recording steps of the dynamic slice: each tells ``cfrontend.symex.dynamic_slice`` its dependences."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from cfrontend import goto
from cfrontend.slice.dependence import written_expression
from cfrontend.slice.omitted_writes import computed_place
from cfrontend.symex.dynamic_slice import NOTHING, DynamicSlice, Node
from cfrontend.symex.functions import Step
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.state import DEAD, Slot
from cfrontend.symex.steps.context import StepContext
from cfrontend.syntax import tree
from cfrontend.terms import FALSE

_After: TypeAlias = Callable[[SymbolicMachine, DynamicSlice, Node, int | None], None]
"""What is recorded behind a step: a function of (machine, slice, node of the step, where execution goes on)."""


def slicing_step(f: StepContext, pc: int, i: goto.Instruction, step: Step) -> Step:
    """The step of an instruction, recorded in the dynamic dependence graph."""
    match i:
        case (
            goto.CoverInstruction()
            | goto.JumpInstruction()
            | goto.DeadInstruction()
            | goto.RefuseInstruction()
            | goto.LeaveInstruction()
            | goto.CallInstruction()
        ):
            return step
        case (
            goto.ExitInstruction()
            | goto.OutputInstruction()
            | goto.ObserveInstruction()
            | goto.EffectInstruction()
            | goto.AssumeInstruction(unchecked=True)
        ):
            return _unfollowed(step)
        case goto.DeclareInstruction():
            return _followed_declaration(f, pc, i, step)
        case goto.AssumeInstruction():
            return _recorded(i, step, _note_assumption)
        case goto.AssertInstruction():
            return _followed_check(i, step)
        case goto.BranchInstruction():
            return _followed_branch(i, step)
        case goto.ReturnInstruction():
            places = () if i.unit is None else f.compiled.decisions.jumped_over.get(pc, ())
            return _recorded(i, step, lambda m, followed, node, _: followed.omit(m, m.overlay, places, node))
        case _:
            return _followed_write(f, pc, i, step)


def _recorded(i: goto.Instruction, step: Step, after: _After) -> Step:
    """The step as a node of its own, with what is recorded behind it."""
    unit = i.unit

    def record(m: SymbolicMachine) -> int | None:
        followed = m.relevance
        assert followed is not None
        node = followed.begin(m, unit)
        result = step(m)
        followed.end()
        after(m, followed, node, result)
        return result

    return record


def _note_assumption(m: SymbolicMachine, followed: DynamicSlice, node: Node, result: int | None) -> None:
    """Everything behind an assumption depends on it."""
    if result is None:
        followed.ends(m, node)


def _unfollowed(step: Step) -> Step:
    """The step of an instruction whose reads influence nothing."""

    def read(m: SymbolicMachine) -> int | None:
        assert m.relevance is not None
        m.relevance.end()
        return step(m)

    return read


def _followed_write(f: StepContext, pc: int, i: goto.Instruction, step: Step) -> Step:
    """The recorded step of a write, perhaps to a place that is computed."""
    unit, killed = i.unit, f.compiled.decisions.kills.get(pc)
    target = written_expression(i)
    if isinstance(i, goto.CopyInstruction | goto.FillInstruction):
        place: tuple[tree.Expression, ...] = (i.target, i.size)
    else:
        place = () if target is None else computed_place(target)
    parts = [f.x.value(e) for e in place]

    def write(m: SymbolicMachine) -> int | None:
        followed = m.relevance
        assert followed is not None
        chosen = NOTHING
        if parts:
            chosen = followed.begin(m, unit)
            for part in parts:
                part(m)
        followed.begin(m, unit)
        if parts:
            followed.add(chosen)
            followed.choosing()
        result = step(m)
        if parts:
            followed.chosen(m, chosen)
        if killed is not None:
            followed.kill(m, killed)
        followed.end()
        return result

    return write


def _followed_declaration(f: StepContext, pc: int, i: goto.DeclareInstruction, step: Step) -> Step:
    """The recorded step of a declaration: a variable begins anew."""
    place, killed = f.variables.find(i.symbol), f.compiled.decisions.kills.get(pc)

    def declare(m: SymbolicMachine) -> int | None:
        followed = m.relevance
        assert followed is not None
        followed.end()
        result = step(m)
        if isinstance(place, Slot):
            followed.forget(m, m.base + place.number)
        elif killed is not None:
            followed.kill(m, killed)
        return result

    return declare


def _followed_check(i: goto.AssertInstruction, step: Step) -> Step:
    """The recorded step of a check: its property is a slicing criterion."""
    kind = i.property

    def check(m: SymbolicMachine) -> int | None:
        before = len(m.violations)

        def note(m: SymbolicMachine, followed: DynamicSlice, node: Node, result: int | None) -> None:
            if name := m.property_here(kind):
                violated = m.t.any_of(v.condition for v in m.violations[before:])
                held = FALSE if result == DEAD else m.path.term
                followed.evaluate(m, node, name, violated=violated, held=held)

        return _recorded(i, step, note)(m)

    return check


def _followed_branch(i: goto.BranchInstruction, step: Step) -> Step:
    """The recorded step of a branch: a control dependence."""
    unit = i.unit

    def branch(m: SymbolicMachine) -> int | None:
        assert m.relevance is not None
        m.relevance.decide(m, unit)
        return step(m)

    return branch
