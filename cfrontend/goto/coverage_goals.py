"""Coverage goals of a goto program: what tests are to reach, and at which branch each goal is decided.

    if (i > 3 && j < 2) ...     branches:    the whole comes out true, false
                                conditions:  i > 3 true, false; j < 2 true, false
                                mcdc:        each of these while it alone decides the whole
                                boundaries:  i - 3 is -1, 0, 1; j - 2 is -1, 0, 1

A condition that is evaluated by several branches (``if (p && f(p))``) comes out where control leaves all of them. Of a
``switch`` each label is a side, and an outcome of its condition. Conditions that are constants have no goals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, final

from cfrontend.errors import Location
from cfrontend.goto.instructions import AssignInstruction, BranchInstruction, Instruction, JumpInstruction
from cfrontend.goto.program import GotoFunction, GotoProgram
from cfrontend.syntax import tree
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import IntType
from cfrontend.units import BranchGoals, CoverageGoals, Goal, GoalKind, UnitId

_COMPARISONS: Final = frozenset({"<", ">", "<=", ">=", "==", "!="})

_DISTANCES: Final = {"one below": -1, "equal": 0, "one above": 1}
"""Distances of the operands of a comparison, in words, that goal ``boundaries`` asks for."""


def coverage_goals(program: GotoProgram, kind: GoalKind, functions: Collection[str]) -> CoverageGoals:
    """The goals of a ``kind`` in those of ``functions`` that are the program's own, in source order."""
    found = _Goals(program, kind)
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

    def __init__(self, program: GotoProgram, kind: GoalKind) -> None:
        self._units = {unit.id: unit for unit in program.units}
        self._kind: GoalKind = kind
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

    def of(self, function: GotoFunction) -> dict[int, BranchGoals]:
        """The goals that each branch of a function decides, by its number."""
        found: dict[int, BranchGoals] = {}
        for decision in _decisions(function.instructions):
            if self._kind == "branches":
                found |= self._of_sides(decision)
            else:
                found |= {pc: self._of_atoms(branch, len(decision) > 1) for pc, branch in decision.items()}
        if self._kind != "boundaries":
            for cases in _switches(function.instructions):
                found |= self._of_labels(cases)
        return found

    def _of_sides(self, decision: Mapping[int, BranchInstruction]) -> dict[int, BranchGoals]:
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
        found = {last: BranchGoals(taken=taken, fallen=fallen)}
        for pc, one in decision.items():
            if pc != last and one.target in {branch.target, last + 1}:
                is_taken = one.target == branch.target
                if branch.target == last + 1:  # both ways lead to one place
                    is_taken = one.when == branch.when
                found[pc] = BranchGoals(taken=taken if is_taken else fallen)
        return found

    def _of_labels(self, cases: Mapping[int, BranchInstruction]) -> dict[int, BranchGoals]:
        """The labels of a ``switch``, and that none of them is chosen."""
        found = {}
        last = max(cases)
        for pc, branch in cases.items():
            assert branch.unit is not None
            unit = self._units[branch.unit]
            where = branch.condition.location
            taken = self.add(unit.id, where, unit.text, f"case {_label(branch.condition)}", parted=False)
            fallen = None
            if pc == last:
                fallen = self.add(unit.id, unit.location, unit.text, "default", parted=False)
            found[pc] = BranchGoals(taken=taken, fallen=fallen)
        return found

    def _of_atoms(self, branch: BranchInstruction, parted: bool) -> BranchGoals:
        """Goals of the operands in a condition."""
        assert branch.unit is not None
        atoms = []
        for atom in atoms_of(branch.condition):
            text = print_syntax(atom)
            text = self._units[branch.unit].text if "$" in text else text
            outcomes: Sequence[str] = () if _is_constant(atom) else ("true", "false")
            if self._kind == "boundaries":
                outcomes = tuple(_DISTANCES) if compared_words(atom) is not None else ()
            atoms.append(
                {
                    outcome: self.add(branch.unit, atom.location, text, outcome, parted=parted)
                    for outcome in outcomes
                }
            )
        return BranchGoals(atoms=tuple(atoms))


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


def _decisions(code: Sequence[Instruction]) -> Iterator[dict[int, BranchInstruction]]:
    """The branches that together decide one condition, by their numbers.

    Of those of one unit, a branch goes on to the next one or leaves by one of the two ways of the last one.
    """
    by_unit: dict[UnitId, dict[int, BranchInstruction]] = {}
    for pc, i in enumerate(code):
        if isinstance(i, BranchInstruction) and i.yields and i.unit is not None:
            by_unit.setdefault(i.unit, {})[pc] = i
    yield from by_unit.values()


def _switches(code: Sequence[Instruction]) -> Iterator[dict[int, BranchInstruction]]:
    """The branches to the labels of each ``switch``, by their numbers."""
    for pc, i in enumerate(code):
        if not (isinstance(i, AssignInstruction) and i.yields and i.unit is not None):
            continue
        cases: dict[int, BranchInstruction] = {}
        for n in range(pc + 1, len(code)):
            case = code[n]
            if not isinstance(case, BranchInstruction) or case.unit != i.unit or case.yields:
                break
            cases[n] = case
        if cases and isinstance(code[max(cases) + 1], JumpInstruction):
            yield cases


def _is_constant(e: Expression) -> bool:
    while isinstance(e, tree.Cast):
        e = e.operand
    return isinstance(e, tree.IntConstant)


def _is_negation(text: str) -> bool:
    """Whether all of a condition's text stands behind ``!``."""
    negated = False
    while text.startswith("!"):
        text, negated = text[1:].strip(), not negated
        depth = 0
        for n, character in enumerate(text):
            depth += (character == "(") - (character == ")")
            if depth == 0 and n < len(text) - 1 and not text.startswith("!"):
                return False
        if text.startswith("(") and text.endswith(")"):
            text = text[1:-1].strip()
    return negated


def _label(condition: Expression) -> str:
    """The label of a case as the text of the condition that chooses it has it."""
    if isinstance(condition, tree.Logical):
        return f"{_label(condition.left)} ... {_label(condition.right)}"
    assert isinstance(condition, tree.Binary)
    return print_syntax(condition.right)
