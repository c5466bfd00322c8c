"""Branches that note which coverage goals are reached by their two ways (``cfrontend.goto.coverage_goals``).

A branch notes the path on which each of them is reached before it is taken.
"""

from __future__ import annotations

from cfrontend import goto
from cfrontend.symex.functions import Step
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.steps.context import StepContext
from cfrontend.symex.steps.noted_conditions import note_goal


def noting_sides(f: StepContext, pc: int, i: goto.BranchInstruction, step: Step) -> Step:
    """The step of a branch, which notes the goals of its two ways first where there are some."""
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
