"""Branches on the variant selector: those in a row are taken in one step, as a meta-program has many side by side.

An edit that stands before a statement is a branch of its own, so that a place with thirty of them has thirty in a row.
"""

from __future__ import annotations

from cfrontend import goto
from cfrontend.symex.functions import SelectorBranch, Step
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.selector_tests import variant_selector_of_test
from cfrontend.symex.steps.context import StepContext
from cfrontend.terms import TRUE, Term


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
    branches[pc] = SelectorBranch(condition=f.x.condition(i.condition), when=i.when, target=i.target)
    known: dict[Term, int] = {}

    def behind(m: SymbolicMachine) -> int:
        """The first instruction behind this branch, and those that follow, which is no such branch."""
        at = pc
        while (branch := branches.get(at)) is not None:
            c = branch.condition(m)
            if c > TRUE:
                break
            at = branch.target if (c == TRUE) == branch.when else at + 1
        return at

    def choose(m: SymbolicMachine) -> int | None:
        frame = m.frame
        assert frame is not None
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
