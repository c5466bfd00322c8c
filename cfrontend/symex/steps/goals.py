"""Branches that note which coverage goals their executions reach (``cfrontend.goto.coverage_goals``).

A branch notes the path on which each of its goals is reached, before it is taken. Operands of ``&&`` and ``||`` are
looked at where C evaluates them. An operand decides the whole condition (goal ``mcdc``) where no other operand that is
evaluated does: beside it, those of an ``&&`` are true and those of an ``||`` false.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

from cfrontend import goto
from cfrontend.goto.coverage_goals import atoms_of, compared_words, distance_of
from cfrontend.symex.functions import Step
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.steps.context import StepContext
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.terms import FALSE, TRUE, Term
from cfrontend.units import GoalKind

_Value: TypeAlias = Callable[[SymbolicMachine], Term]


@final
@dataclass(frozen=True, slots=True)
class _Atom:
    """One operand while a condition is evaluated: whether it is, what it gives, whether it decides the whole."""

    evaluated: Term
    value: Term
    decides: Term


def noting_goals(f: StepContext, pc: int, i: goto.BranchInstruction, step: Step) -> Step:
    """The step of a branch, which notes the goals first where there are some."""
    goals = f.world.goals
    here = None if goals is None else goals.at.get(f.compiled.source.name, {}).get(pc)
    if goals is None or here is None:
        return step
    sides = here.taken, here.fallen
    note = _of_atoms(f, i, goals.kind, here.atoms) if here.atoms else _of_sides(f, i, *sides)

    def noting(m: SymbolicMachine) -> int | None:
        if not m.is_reference:
            note(m)
        return step(m)

    return noting


def _note(m: SymbolicMachine, goal: int | None, condition: Term) -> None:
    here = m.t.and_(m.path.term, condition)
    if goal is not None and here != FALSE:
        m.reached[goal][here] = None


def _of_sides(
    f: StepContext, i: goto.BranchInstruction, taken: int | None, fallen: int | None
) -> Callable[[SymbolicMachine], None]:
    condition, when = f.x.condition(i.condition), i.when

    def note(m: SymbolicMachine) -> None:
        holds = condition(m)
        jumps = holds if when else m.t.not_(holds)
        _note(m, taken, jumps)
        _note(m, fallen, m.t.not_(jumps))

    return note


def _of_atoms(
    f: StepContext, i: goto.BranchInstruction, kind: GoalKind, goals: Sequence[Mapping[str, int]]
) -> Callable[[SymbolicMachine], None]:
    """Note the goals of each operand. Only the operands that are evaluated count."""
    evaluate = _compiled(f, i.condition)
    distances = [_distance(f, atom) if kind == "boundaries" else None for atom in atoms_of(i.condition)]

    def note(m: SymbolicMachine) -> None:
        t = m.t
        _, atoms = evaluate(m, TRUE)
        for atom, wanted, distance in zip(atoms, goals, distances, strict=True):
            where = t.and_(atom.evaluated, atom.decides) if kind == "mcdc" else atom.evaluated
            if where == FALSE:
                continue
            if distance is None:
                _note(m, wanted.get("true"), t.and_(where, atom.value))
                _note(m, wanted.get("false"), t.and_(where, t.not_(atom.value)))
                continue
            word = _guarded(m, where, distance)
            for outcome, goal in wanted.items():
                number = t.const(distance_of(outcome) % (1 << t.width[word]), t.width[word])
                _note(m, goal, t.and_(where, t.eq(word, number)))

    return note


def _distance(f: StepContext, atom: Expression) -> _Value | None:
    words = compared_words(atom)
    if words is None:
        return None
    left, right = f.x.value(words[0]), f.x.value(words[1])
    return lambda m: m.t.sub(left(m), right(m))


def _guarded(m: SymbolicMachine, where: Term, value: _Value) -> Term:
    m.deciders.append((where, None))
    try:
        return value(m)
    finally:
        m.deciders.pop()


_Evaluate: TypeAlias = Callable[[SymbolicMachine, Term], tuple[Term, list[_Atom]]]
"""Evaluates a condition where a term holds: its value, and its operands."""


def _compiled(f: StepContext, e: Expression) -> _Evaluate:
    match e:
        case tree.Unary(op="!"):
            operand = _compiled(f, e.operand)

            def negated(m: SymbolicMachine, where: Term) -> tuple[Term, list[_Atom]]:
                value, atoms = operand(m, where)
                return m.t.not_(value), atoms

            return negated
        case tree.Logical():
            return _logical(_compiled(f, e.left), _compiled(f, e.right), is_and=e.op == "&&")
        case _:
            condition = f.x.condition(e)

            def atom(m: SymbolicMachine, where: Term) -> tuple[Term, list[_Atom]]:
                value = FALSE if where == FALSE else _guarded(m, where, condition)
                return value, [_Atom(where, value, TRUE)]

            return atom


def _logical(left: _Evaluate, right: _Evaluate, *, is_and: bool) -> _Evaluate:
    def evaluate(m: SymbolicMachine, where: Term) -> tuple[Term, list[_Atom]]:
        t = m.t
        first, ones = left(m, where)
        goes_on = first if is_and else t.not_(first)
        second, others = right(m, t.and_(where, goes_on))
        neutral = second if is_and else t.not_(second)
        # What stops at the left operand is decided by it alone.
        alone = t.or_(t.not_(goes_on), neutral)
        ones = [_Atom(atom.evaluated, atom.value, t.and_(atom.decides, alone)) for atom in ones]
        value = t.and_(first, second) if is_and else t.or_(first, t.and_(goes_on, second))
        return value, [*ones, *others]

    return evaluate
