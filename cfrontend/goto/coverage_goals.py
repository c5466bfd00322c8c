"""Coverage goals of a goto program: what tests are to reach, and at which instruction each goal is decided.

    if (i > 3 && j < 2) ...     branches:    the whole comes out true, false
                                conditions:  i > 3 true, false; j < 2 true, false
                                mcdc:        each of these while it alone decides the whole
                                boundaries:  i - 3 is -1, 0, 1; j - 2 is -1, 0, 1

A condition that is evaluated by several branches (``if (p && f(p))``) comes out where control leaves all of them. Of a
``switch`` each label is a side, and an outcome of its condition. The condition of ``?:`` is one wherever it stands.
Operands of ``&&`` and ``||`` in values (``return i > 3 && j < 2``) have goals as those of a branch have, but no sides.
Conditions that are constants, and those of assertions and assumptions, have no goals.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeGuard, final

from cfrontend import goto
from cfrontend.errors import Location
from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.source_text import source_text_of_expression
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import IntType
from cfrontend.units import CoverageGoals, Goal, GoalKind, InstructionGoals, UnitId

_COMPARISONS: Final = frozenset({"<", ">", "<=", ">=", "==", "!="})

_LABEL: Final = re.compile(r"case\s*((?:'(?:\\.|[^'\\])+'|[^:'?])+?)\s*:")
"""The label at the beginning of a case."""

_DISTANCES: Final = {"one below": -1, "equal": 0, "one above": 1}
"""Distances of the operands of a comparison, in words, that goal ``boundaries`` asks for."""


def coverage_goals(
    program: goto.GotoProgram,
    kind: GoalKind,
    functions: Collection[str],
    files: Mapping[str, tuple[str, ...]] | None = None,
) -> CoverageGoals:
    """The goals of a ``kind`` in those of ``functions`` that are the program's own, in source order.

    Texts of operands are as they stand in the lines of the ``files``.
    """
    found = _Goals(program, kind, files or {})
    if kind == "units":
        for unit in program.units:
            if unit.function in functions:
                found.add(unit.id, unit.location, unit.text, "evaluated", parted=False)
        return CoverageGoals(kind=kind, goals=tuple(found.goals), at={})
    at = {
        function.name: found.of(function)
        for function in program.functions.values()
        if not function.foreign and function.name in functions
    }
    return CoverageGoals(kind=kind, goals=tuple(found.goals), at=at)


@final
class _Goals:
    """Goals numbered as they are met."""

    def __init__(
        self, program: goto.GotoProgram, kind: GoalKind, files: Mapping[str, tuple[str, ...]]
    ) -> None:
        self._files = files
        self._units = {unit.id: unit for unit in program.units}
        self._kind: GoalKind = kind
        self._decided: set[str] = set()
        self._at: dict[tuple[UnitId, Location, str], Mapping[str, int]] = {}
        self.goals: list[Goal] = []

    def add(self, unit: UnitId, location: Location, text: str, outcome: str, *, parted: bool) -> int:
        """Number of a new goal."""
        self.goals.append(
            Goal(
                id=len(self.goals),
                kind=self._kind,
                unit=unit,
                function=self._units[unit].function,
                location=location,
                text=text,
                outcome=outcome,
                parted=parted,
            )
        )
        return len(self.goals) - 1

    def of(self, function: goto.GotoFunction) -> dict[int, InstructionGoals]:
        """The goals that each branch of a function decides, by its number."""
        found: dict[int, InstructionGoals] = {}
        decisions = {min(decision): decision for decision in _decisions(function.instructions)}
        parted = {pc for decision in decisions.values() for pc in decision if len(decision) > 1}
        self._decided = {
            i.target.symbol.name
            for i in function.instructions
            if _is_operand(i) and isinstance(i.target, tree.VariableRef)
        }
        for pc, i in enumerate(function.instructions):
            if self._kind == "branches" and pc in decisions:
                found |= self._of_sides(decisions[pc])
            conditions = conditions_of(i, self._kind)
            if conditions and i.unit is not None:
                is_parted = pc in parted or _is_operand(i)
                goals = tuple(self._of_condition(c, i.unit, parted=is_parted) for c in conditions)
                found[pc] = replace(found.get(pc, InstructionGoals()), conditions=goals)
        if self._kind != "boundaries":
            for cases in _switches(function.instructions):
                found |= self._of_labels(cases)
        return found

    def _of_sides(self, decision: Mapping[int, goto.BranchInstruction]) -> dict[int, InstructionGoals]:
        """Both outcomes of a condition that some branches decide; by the last one, either of them is known."""
        last = max(decision)
        branch = decision[last]
        if branch.unit is None or (len(decision) == 1 and _is_constant(branch.condition)):
            return {}
        unit = self._units[branch.unit]
        holds = branch.when != (branch.inverted or (len(decision) > 1 and _is_negation(unit.text)))
        goals = {
            outcome: self.add(unit.id, unit.location, unit.text, outcome, parted=len(decision) > 1)
            for outcome in ("true", "false")
        }
        taken, fallen = (goals["true"], goals["false"]) if holds else (goals["false"], goals["true"])
        found = {last: InstructionGoals(taken=taken, fallen=fallen)}
        for pc, one in decision.items():
            if pc != last and one.target in {branch.target, last + 1}:
                is_taken = one.target == branch.target
                if branch.target == last + 1:  # both ways lead to one place
                    is_taken = one.when == branch.when
                found[pc] = InstructionGoals(taken=taken if is_taken else fallen)
        return found

    def _of_labels(self, cases: Mapping[int, goto.BranchInstruction]) -> dict[int, InstructionGoals]:
        """The labels of a ``switch``, and that none of them is chosen."""
        found = {}
        last = max(cases)
        for pc, branch in cases.items():
            assert branch.unit is not None
            unit = self._units[branch.unit]
            where = branch.condition.location
            taken = self.add(unit.id, where, unit.text, f"case {self._label(branch.condition)}", parted=False)
            fallen = None
            if pc == last:
                fallen = self.add(unit.id, unit.location, unit.text, "default", parted=False)
            found[pc] = InstructionGoals(taken=taken, fallen=fallen)
        return found

    def _of_condition(
        self, condition: EvaluatedCondition, unit: UnitId, *, parted: bool
    ) -> tuple[Mapping[str, int], ...]:
        """Goals of the operands of a condition, none of those that are decided before; one place has them once."""
        found = []
        for atom in condition.atoms:
            text = self._text(atom)
            outcomes: Sequence[str] = ("true", "false")
            if self._kind == "boundaries":
                outcomes = tuple(_DISTANCES) if compared_words(atom) is not None else ()
            if _is_constant(atom) or (self._kind != "branches" and self._is_decided(atom)):
                outcomes = ()
            text = self._units[unit].text if "$" in text else text
            key = (unit, atom.location, text)
            if key not in self._at or condition.is_of_branch:
                self._at[key] = {o: self.add(unit, atom.location, text, o, parted=parted) for o in outcomes}
            found.append(self._at[key])
        return tuple(found)

    def _label(self, condition: Expression) -> str:
        """The label of a case as its text has it, or the condition that chooses it."""
        if found := _LABEL.match(source_text_of_expression(self._files, condition.location)):
            return found[1]
        if isinstance(condition, tree.Logical):
            return f"{self._label(condition.left)} ... {self._label(condition.right)}"
        assert isinstance(condition, tree.Binary)
        return print_syntax(condition.right)

    def _text(self, e: Expression) -> str:
        """An expression as it stands in its file, without parentheses around all of it."""
        text = source_text_of_expression(self._files, e.location) or print_syntax(e)
        while text.startswith("(") and _closing(text) == len(text) - 1:
            text = text[1:-1].strip()
        return text

    def _is_decided(self, atom: Expression) -> bool:
        """Whether it is the value of an ``&&`` or ``||`` whose operands were evaluated by instructions before."""
        if isinstance(atom, tree.Binary) and atom.op == "!=" and _is_constant(atom.right):
            atom = atom.left
        return isinstance(atom, tree.VariableRef) and atom.symbol.name in self._decided


@final
@dataclass(frozen=True, slots=True)
class EvaluatedCondition:
    """A condition that an instruction evaluates, and its operands; ``is_of_branch``: the one that is branched on."""

    whole: Expression
    atoms: tuple[Expression, ...]
    is_of_branch: bool = False


def conditions_of(i: goto.Instruction, kind: GoalKind) -> tuple[EvaluatedCondition, ...]:
    """The conditions with goals of a ``kind`` that an instruction evaluates, in source order.

    With ``branches`` they are those of ``?:``, each its own operand.
    """
    if kind in {"units", "mutants"} or isinstance(i, goto.AssertInstruction | goto.AssumeInstruction):
        return ()
    found: list[EvaluatedCondition] = []
    whole = kind == "branches"

    def condition(e: Expression, *, is_of_branch: bool = False) -> EvaluatedCondition:
        return EvaluatedCondition(e, (e,) if whole else tuple(atoms_of(e)), is_of_branch)

    waiting = list(reversed(goto.goto_expressions_of(i)))
    if isinstance(i, goto.BranchInstruction):
        if i.chooses or (i.yields and not whole):
            found.append(condition(i.condition, is_of_branch=True))
        elif not i.yields:
            return ()
    elif _is_operand(i) and not whole:
        found.append(condition(i.value))
    covered = {id(e) for c in found for e in _connectives(c.whole)}
    while waiting:
        e = waiting.pop()
        if isinstance(e, tree.Conditional):
            found.append(condition(e.condition))
            covered.update(id(c) for c in _connectives(e.condition))
        elif isinstance(e, tree.Logical) and not whole and id(e) not in covered:
            found.append(condition(e))
            covered.update(id(c) for c in _connectives(e))
        waiting += reversed(goto.direct_goto_subexpressions(e))
    return tuple(found)


def atoms_of(condition: Expression) -> Iterator[Expression]:
    """Operands of ``&&``, ``||`` and ``!`` in a condition that are none of these, from left to right."""
    match condition:
        case tree.Logical():
            yield from atoms_of(condition.left)
            yield from atoms_of(condition.right)
        case tree.Unary(op="!"):
            yield from atoms_of(condition.operand)
        case _:
            yield condition


def _connectives(condition: Expression) -> Iterator[Expression]:
    """The ``&&``, ``||`` and ``!`` of which a condition is made."""
    if isinstance(condition, tree.Logical) or (isinstance(condition, tree.Unary) and condition.op == "!"):
        yield condition
        for below in goto.direct_goto_subexpressions(condition):
            yield from _connectives(below)


def _is_operand(i: goto.Instruction) -> TypeGuard[goto.AssignInstruction]:
    return isinstance(i, goto.AssignInstruction) and i.is_operand


def compared_words(atom: Expression) -> tuple[Expression, Expression] | None:
    """The two integers that a comparison is about, not both of them constants; None for another condition."""
    if not isinstance(atom, tree.Binary) or atom.op not in _COMPARISONS:
        return None
    if not isinstance(atom.left.type, IntType) or not isinstance(atom.right.type, IntType):
        return None
    constant = isinstance(atom.left, tree.IntConstant) and isinstance(atom.right, tree.IntConstant)
    return None if constant else (atom.left, atom.right)


def distance_of(outcome: str) -> int:
    """The distance that an outcome of goal ``boundaries`` names."""
    return _DISTANCES[outcome]


def _decisions(code: Sequence[goto.Instruction]) -> Iterator[dict[int, goto.BranchInstruction]]:
    """The branches that together decide one condition, by their numbers.

    Of those of one unit, a branch goes on to the next one or leaves by one of the two ways of the last one.
    """
    by_unit: dict[UnitId, dict[int, goto.BranchInstruction]] = {}
    for pc, i in enumerate(code):
        if isinstance(i, goto.BranchInstruction) and i.yields and i.unit is not None:
            by_unit.setdefault(i.unit, {})[pc] = i
    yield from by_unit.values()


def _switches(code: Sequence[goto.Instruction]) -> Iterator[dict[int, goto.BranchInstruction]]:
    """The branches to the labels of each ``switch``, by their numbers."""
    for pc, i in enumerate(code):
        if not (isinstance(i, goto.AssignInstruction) and i.yields and i.unit is not None):
            continue
        cases: dict[int, goto.BranchInstruction] = {}
        for n in range(pc + 1, len(code)):
            case = code[n]
            if not isinstance(case, goto.BranchInstruction) or case.unit != i.unit or case.yields:
                break
            cases[n] = case
        if cases and isinstance(code[max(cases) + 1], goto.JumpInstruction):
            yield cases


def _is_constant(e: Expression) -> bool:
    while isinstance(e, tree.Cast):
        e = e.operand
    return isinstance(e, tree.IntConstant)


def _closing(text: str) -> int:
    """Where the parenthesis ends with which a text begins."""
    depth = 0
    for n, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return n
    return -1


def _is_negation(text: str) -> bool:
    """Whether all of a condition's text stands behind ``!``."""
    negated = False
    while text.startswith("!"):
        text, negated = text[1:].strip(), not negated
        if text.startswith("("):
            if _closing(text) != len(text) - 1:
                return False
            text = text[1:-1].strip()
        elif not text.startswith("!"):
            return False
    return negated
