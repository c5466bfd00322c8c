"""Granularity: the units that executions cover, as groups of what a formula observes of an execution.

    if (x > 0) y = 1; else y = 2;  z = y;

    observed         x > 0, its sides true and false, y = 1, y = 2, z = y, each with the path conditions where it is met
    branch           the sides in place of the condition, and the statements
    guard            {x > 0 true, y = 1}, {x > 0 false, y = 2}, {x > 0, z = y}: all under one path condition
    line, block, function     statements of one line, basic block, function

One mapping from observations to units is all that distinguishes them: an execution covers a unit when it covers one of
its observations. Algorithm 1, its certificate, passing executions, measures, exports and reports work over the units
that there are. With ``auto`` statements are ranked, and passing executions are told apart by path conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass as mutable_dataclass
from dataclasses import field, replace
from functools import cached_property
from typing import Final, Literal, TypeAlias, final
from weakref import WeakKeyDictionary

from cfrontend import goto
from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.goto.coverage_goals import coverage_goals
from cfrontend.program import Program, encode_program
from cfrontend.terms import FALSE, Term, Terms
from cfrontend.units import CoverageGoals, Goal, Granularity, Unit, UnitId, UnitKind
from sfo.core.dataset import Dataset
from sfo.core.executions import Execution
from sfo.core.policy import policy

OF_STATEMENTS: Final = frozenset({"statement", "condition", "labelled"})
"""Granularities whose units are those of the program as it was lowered."""

_Observation: TypeAlias = tuple[Literal["unit", "side"], int]
"""What of an execution is observed: that it evaluates a unit of the program, or that it takes a side of a condition."""


@final
@mutable_dataclass(slots=True)
class _Guard:
    """A path condition of the unrolled program, and what is observed under it."""

    unit: UnitId
    observations: dict[_Observation, None] = field(default_factory=dict)


@final
class ObservedUnits:
    """The units of one granularity in a program. Their ids are those of its statements, and larger ones."""

    def __init__(self, program: Program, granularity: Granularity) -> None:
        self.granularity: Final = granularity
        self._program: Final = program
        self._guards: list[_Guard] = []
        self._guard_of: WeakKeyDictionary[Terms, dict[Term, _Guard]] = WeakKeyDictionary()

    @property
    def is_of_statements(self) -> bool:
        """True if executions are told apart by the units of the program and nothing else."""
        return self.granularity in OF_STATEMENTS

    @property
    def ranks_statements(self) -> bool:
        """True if the units of the program are what is ranked."""
        return self.is_of_statements or self.granularity == "auto"

    @cached_property
    def goals(self) -> CoverageGoals | None:
        """The sides of conditions, which the formula has to note; None where no unit is made of them."""
        if self.granularity not in {"auto", "branch", "guard"}:
            return None
        own = {name for name, f in self._program.goto.functions.items() if not f.foreign}
        found = coverage_goals(self._program.goto, "branches", own, self._program.files)
        return found if found.goals else None

    @property
    def certified(self) -> frozenset[UnitId] | None:
        """The units about which Algorithm 1 asks; None for all that executions are told apart by."""
        return frozenset(unit.id for unit in self._program.units) if self.granularity == "auto" else None

    # -- from observations to units ----------------------------------------------------------------------------

    def observing(self, encoded: EncodedProgram) -> EncodedProgram:
        """The formula, which says of each unit when an execution covers it."""
        if self.is_of_statements:
            return encoded
        paths: dict[_Observation, Sequence[Term]] = {
            ("unit", unit): encoded.instances[unit] for unit in encoded.coverage
        }
        paths.update({("side", goal): terms for goal, terms in encoded.goal_instances.items()})
        conditions: dict[UnitId, dict[Term, None]] = {}
        for observation, terms in paths.items():
            if observation in self._groups:
                conditions.setdefault(self._groups[observation], {}).update(dict.fromkeys(terms))
        guards = dict(self._guards_of(encoded, paths))
        conditions.update({unit: {term: None} for unit, term in guards.items()})
        observed = {unit: encoded.terms.any_of(conditions[unit]) for unit in sorted(conditions)}
        return replace(
            encoded,
            observed={unit: term for unit, term in observed.items() if term != FALSE},
            deciding=frozenset(guards),
        )

    def of_execution(self, execution: Execution, deadline: float | None = None) -> Execution:
        """An execution that no formula gave, with what it covers of the units: it is executed again on its inputs."""
        if self.ranks_statements or execution.observed is not None:
            return execution
        encoded = encode_program(
            self._program,
            Bound(unwind=None, free=True, free_limit=policy().executions.iterations),
            inputs=EncodeFixedValues(execution.vector),
            goals=self.goals,
            deadline=deadline,
        )
        return replace(execution, observed=frozenset(self.observing(encoded).observed))

    @cached_property
    def _groups(self) -> dict[_Observation, UnitId]:
        """The unit that each observation belongs to, but for path conditions."""
        found: dict[_Observation, UnitId] = {("unit", unit): group for unit, group in self._member_of.items()}
        if self.granularity in {"auto", "branch"}:
            for unit in self._program.units:
                if self.granularity == "auto" or unit.id not in self.sides:
                    found["unit", unit.id] = unit.id
            found.update({("side", goal.id): self._side(goal) for goal in self._goals})
        return found

    def _guards_of(
        self, encoded: EncodedProgram, paths: Mapping[_Observation, Sequence[Term]]
    ) -> Iterator[tuple[UnitId, Term]]:
        """Path conditions with the units that they are; none where there are too many to tell executions apart by."""
        if self.granularity not in {"auto", "guard"}:
            return
        terms = dict.fromkeys(term for found in paths.values() for term in found)
        if self.granularity == "auto" and len(terms) > policy().questions.most_guards:
            return
        known = self._guard_of.setdefault(encoded.terms, {})
        for observation, found in paths.items():
            for term in found:
                if term not in known:
                    known[term] = _Guard(self._first_guard + len(self._guards))
                    self._guards.append(known[term])
                known[term].observations[observation] = None
        for term in terms:
            yield known[term].unit, term

    # -- sides of conditions -----------------------------------------------------------------------------------

    @property
    def _goals(self) -> tuple[Goal, ...]:
        return () if self.goals is None else self.goals.goals

    def _side(self, goal: Goal) -> UnitId:
        return len(self._program.units) + 1 + goal.id

    @property
    def _first_guard(self) -> UnitId:
        return len(self._program.units) + 1 + len(self._goals)

    @cached_property
    def sides(self) -> Mapping[UnitId, tuple[UnitId, ...]]:
        """The sides of each condition: what of it can be as suspicious as what it decides."""
        found: dict[UnitId, list[UnitId]] = {}
        for goal in self._goals:
            found.setdefault(goal.unit, []).append(self._side(goal))
        return {unit: tuple(sides) for unit, sides in found.items()}

    @property
    def sides_in_words(self) -> Mapping[UnitId, str]:
        """The sides of conditions in words, by their ids."""
        return {self._side(goal): side_in_words(goal) for goal in self._goals}

    # -- groups of statements ----------------------------------------------------------------------------------

    @cached_property
    def _member_of(self) -> Mapping[UnitId, UnitId]:
        """The group of each statement: its line, basic block or function."""
        groups: dict[object, UnitId] = {}
        found: dict[UnitId, UnitId] = {}
        for unit in self._program.units:
            match self.granularity:
                case "line":
                    group: object = (unit.location.file, unit.location.line)
                case "function":
                    group = unit.function
                case "block":
                    group = self._blocks.get(unit.id, -unit.id)
                case _:
                    return {}
            found[unit.id] = groups.setdefault(group, len(self._program.units) + 1 + len(groups))
        return found

    @cached_property
    def _blocks(self) -> Mapping[UnitId, object]:
        """The basic block in which the evaluation of each unit begins."""
        found: dict[UnitId, object] = {}
        for function in self._program.goto.functions.values():
            block = 0
            targets = {
                i.target
                for i in function.instructions
                if isinstance(i, goto.JumpInstruction | goto.BranchInstruction)
            }
            for pc, i in enumerate(function.instructions):
                block += pc in targets
                if isinstance(i, goto.CoverInstruction) and i.unit is not None:
                    found.setdefault(i.unit, (function.name, block))
                block += isinstance(i, goto.JumpInstruction | goto.BranchInstruction | goto.ReturnInstruction)
        return found

    # -- what is ranked ----------------------------------------------------------------------------------------

    def finer(self, executions: Iterable[Execution]) -> Mapping[UnitId, tuple[UnitId, ...]]:
        """The units that each statement is in, where ``executions`` say of all whether they cover them."""
        if self.is_of_statements or any(execution.observed is None for execution in executions):
            return {}
        if self.granularity == "auto":
            return self.sides
        found: dict[UnitId, list[UnitId]] = {}
        for unit, members in self._members.items():
            for member in members:
                found.setdefault(member, []).append(unit)
        return {unit: tuple(units) for unit, units in found.items()}

    def dataset(self, dataset: Dataset) -> Dataset:
        """A dataset of statements as one of these units."""
        if self.ranks_statements:
            return dataset
        executions = tuple(
            replace(execution, covered=execution.seen, counts={}) for execution in dataset.executions
        )
        return replace(
            dataset, units=self.units, executions=executions, finer={}, nearness=self._near(dataset)
        )

    def _near(self, dataset: Dataset) -> dict[UnitId, float]:
        near = dataset.nearness
        return {
            unit: max((near.get(member, 0.0) for member in members), default=0.0)
            for unit, members in self._members.items()
        }

    @cached_property
    def _text_of(self) -> Mapping[UnitId, Unit]:
        return {unit.id: unit for unit in self._program.units}

    @property
    def _members(self) -> dict[UnitId, tuple[UnitId, ...]]:
        """The statements in each unit, in source order."""
        found: dict[UnitId, dict[UnitId, None]] = {}
        of_goal = {goal.id: goal.unit for goal in self._goals}
        observed = [
            *self._groups.items(),
            *((one, guard.unit) for guard in self._guards for one in guard.observations),
        ]
        for (kind, number), unit in observed:
            found.setdefault(unit, {})[of_goal[number] if kind == "side" else number] = None
        return {unit: tuple(sorted(members)) for unit, members in sorted(found.items())}

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units with their places in the source, in its order."""
        if self.ranks_statements:
            return self._program.units
        if self.granularity == "branch":
            edges = [self._side_as_unit(goal) for goal in self._goals]
            plain = [unit for unit in self._program.units if unit.id not in self.sides]
            return tuple(sorted((*plain, *edges), key=lambda unit: (self._place(unit), unit.id)))
        if self.granularity == "guard":
            return tuple(self._guard_as_unit(guard) for guard in self._guards)
        return tuple(self._group_as_unit(unit, members) for unit, members in self._members.items())

    def _place(self, unit: Unit) -> tuple[str, int, int]:
        return unit.location.file, unit.location.line, unit.location.column or 0

    def _side_as_unit(self, goal: Goal) -> Unit:
        unit = self._text_of[goal.unit]
        return replace(
            unit, id=self._side(goal), kind="branch", text=f"{goal.text}, {side_in_words(goal)}", label=None
        )

    def _group_as_unit(self, number: UnitId, members: Sequence[UnitId]) -> Unit:
        units = [self._text_of[member] for member in members]
        kind: UnitKind = "block"
        text = "; ".join(unit.text for unit in units)
        if self.granularity == "line":
            kind = "line"
        elif self.granularity == "function":
            kind, text = "function", f"{units[0].function}()"
        return _spanning(units, number, kind, text)

    def _guard_as_unit(self, guard: _Guard) -> Unit:
        goals = {goal.id: goal for goal in self._goals}
        made = [goals[number] for kind, number in guard.observations if kind == "side"]
        under = sorted(number for kind, number in guard.observations if kind == "unit")
        units = [self._text_of[goal.unit] for goal in made[:1]] + [self._text_of[unit] for unit in under]
        texts = [f"{goal.text}, {side_in_words(goal)}" for goal in made[:1]]
        texts += [unit.text for unit in units[len(texts) :]]
        return _spanning(units, guard.unit, "guard", "; ".join(texts))


def _spanning(units: Sequence[Unit], number: UnitId, kind: UnitKind, text: str) -> Unit:
    """The unit that stands for several of one function, where these begin and end."""
    first = min(units, key=lambda unit: (unit.location.file, unit.location.line, unit.id))
    last = max(
        max(unit.location.line, unit.location.end_line) for unit in units if unit.function == first.function
    )
    where = replace(first.location, end_line=last, end_column=None)
    return replace(first, id=number, kind=kind, location=where, text=text, label=None)


def side_in_words(goal: Goal) -> str:
    """A side of a condition in words: ``when true``, ``in case 3``."""
    if goal.outcome in {"true", "false"}:
        return f"when {goal.outcome}"
    return f"in {goal.outcome}" if goal.outcome.startswith("case") else f"by {goal.outcome}"
