"""Compilation context of a function's steps, and conditions that note which coverage goals their executions reach.

Operands of ``&&`` and ``||`` are looked at where C evaluates them. An operand decides the whole condition (goal
``mcdc``) where no other operand that is evaluated does: beside it, those of an ``&&`` are true and those of an ``||``
false.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, final

from cfrontend import goto
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.goto.coverage_goals import EvaluatedCondition, compared_words, conditions_of, distance_of
from cfrontend.symex.expressions import ExpressionCompiler
from cfrontend.symex.functions import (
    Arguments,
    FunctionVariables,
    Step,
    World,
)
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.state import CompiledFunction
from cfrontend.symex.unwritten import condition_of_evaluation
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.terms import FALSE, TRUE, Term
from cfrontend.units import CoverageGoals, GoalKind

_Value: TypeAlias = Callable[[SymbolicMachine], Term]


@final
@dataclass(frozen=True, slots=True)
class NotedConditions:
    """The conditions of one instruction that have goals, each with those of its operands."""

    kind: GoalKind
    goals: tuple[tuple[EvaluatedCondition, tuple[Mapping[str, int], ...]], ...]


def noted_conditions(
    goals: CoverageGoals | None, function: str, pc: int, i: goto.Instruction
) -> NotedConditions | None:
    """The conditions of an instruction that have goals; None where there are none."""
    here = None if goals is None else goals.at.get(function, {}).get(pc)
    if goals is None or here is None or not here.conditions:
        return None
    found = conditions_of(i, goals.kind)
    return NotedConditions(goals.kind, tuple(zip(found, here.conditions, strict=True)))


def note_goal(m: SymbolicMachine, goal: int | None, condition: Term) -> None:
    """Note that executions on the path of the machine reach a goal under ``condition``."""
    here = m.t.all_of([m.path.term, condition_of_evaluation(m), condition])
    if goal is not None and here != FALSE:
        m.reached[goal][here] = None


@final
@dataclass(frozen=True, slots=True)
class _Atom:
    """One operand while a condition is evaluated: whether it is, what it gives, whether it decides the whole."""

    evaluated: Term
    value: Term
    decides: Term


_Evaluate: TypeAlias = Callable[[SymbolicMachine, Term], tuple[Term, list[_Atom]]]
"""Evaluates a condition where a term holds: its value, and its operands."""


@final
class NotingExpressionCompiler(ExpressionCompiler):
    """Expression compiler of one instruction, whose conditions note the goals that their values reach."""

    def __init__(self, variables: FunctionVariables, noted: NotedConditions) -> None:
        super().__init__(variables)
        self._kind = noted.kind
        self._noted = {id(condition.whole): (condition, goals) for condition, goals in noted.goals}

    def condition(self, e: goto.Condition) -> _Value:
        """The truth of a scalar as a Boolean, which is noted where it is a condition with goals."""
        found = self._noted.get(id(e))
        return super().condition(e) if found is None else self._noting(*found)

    def _noting(self, condition: EvaluatedCondition, goals: Sequence[Mapping[str, int]]) -> _Value:
        evaluate = self._whole(condition.whole, condition.atoms)
        noters = [self._noter(*both) for both in zip(condition.atoms, goals, strict=True)]

        def noting(m: SymbolicMachine) -> Term:
            value, atoms = evaluate(m, TRUE)
            if not m.is_reference:
                for note, atom in zip(noters, atoms, strict=True):
                    note(m, atom)
            return value

        return noting

    def _noter(self, atom: Expression, wanted: Mapping[str, int]) -> Callable[[SymbolicMachine, _Atom], None]:
        """Notes the goals of an operand, where it is evaluated."""
        is_deciding = self._kind == "mcdc"
        words = compared_words(atom) if self._kind == "boundaries" else None
        left, right = (None, None) if words is None else map(self.value, words)

        def note(m: SymbolicMachine, atom: _Atom) -> None:
            t = m.t
            where = t.and_(atom.evaluated, atom.decides) if is_deciding else atom.evaluated
            if where == FALSE or not wanted:
                return
            if left is None or right is None:
                note_goal(m, wanted.get("true"), t.and_(where, atom.value))
                note_goal(m, wanted.get("false"), t.and_(where, t.not_(atom.value)))
                return
            word = m.under((where, None), lambda: t.sub(left(m), right(m)))
            for outcome, goal in wanted.items():
                number = t.const(distance_of(outcome) % (1 << t.width[word]), t.width[word])
                note_goal(m, goal, t.and_(where, t.eq(word, number)))

        return note

    def _whole(self, e: Expression, atoms: Sequence[Expression]) -> _Evaluate:
        if all(e is not atom for atom in atoms):
            if isinstance(e, tree.Unary):
                operand = self._whole(e.operand, atoms)

                def negated(m: SymbolicMachine, where: Term) -> tuple[Term, list[_Atom]]:
                    value, found = operand(m, where)
                    return m.t.not_(value), found

                return negated
            if isinstance(e, tree.Logical):
                return _logical(self._whole(e.left, atoms), self._whole(e.right, atoms), is_and=e.op == "&&")
        condition = super().condition(e)

        def atom(m: SymbolicMachine, where: Term) -> tuple[Term, list[_Atom]]:
            value = FALSE if where == FALSE else m.under((where, None), condition, m)
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


class Calls(Protocol):
    """Protocol of function calls, as the steps of instructions ask for them: ``cfrontend.symex.calls``."""

    def call(self, m: SymbolicMachine, name: str, arguments: Arguments) -> int | None:
        """Call a function by name and write its result; DEAD when no execution returns."""

    def call_pointer(self, m: SymbolicMachine, pointer: Term, arguments: Arguments) -> int | None:
        """Call through a pointer: a case split over the possible functions."""

    def end(self, m: SymbolicMachine, *, exits: bool, value: Sequence[Term]) -> None:
        """End the program in the current state, by exit with a status or with the result of the entry function."""


@final
@dataclass(frozen=True, slots=True)
class StepContext:
    """Compilation context: the function whose instructions are compiled, and what it shares with the others."""

    world: World
    compiled: CompiledFunction
    variables: FunctionVariables
    caller: Calls
    noted: NotedConditions | None = None

    @property
    def x(self) -> ExpressionCompiler:
        """The expression compiler of the function, or of an instruction whose conditions have goals."""
        if self.noted is not None:
            return NotingExpressionCompiler(self.variables, self.noted)
        return ExpressionCompiler(self.variables)


def refusal_step(_f: StepContext, _pc: int, i: goto.RefuseInstruction) -> Step:
    """The step that raises the message of ``i``: execution must not come there."""

    def refuse(m: SymbolicMachine) -> int | None:
        if i.unsupported:
            raise UnsupportedError(i.message, m.place_of(i.location))
        raise InputError(i.message, m.place_of(i.location))

    return refuse
