"""The growing code of one function: a buffer of instructions with labels, temporaries and properties.

Labels are marks in the buffer until ``finish`` turns them into instruction numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias, final

from cfrontend import goto
from cfrontend.errors import InternalError, Location
from cfrontend.goto import Condition, Instruction
from cfrontend.record import dataclass
from cfrontend.source.contract import HARNESS_FILE, UNDEFINED_FILE
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.syntax.types import CType
from cfrontend.units import Property, UnitId


@final
@dataclass(frozen=True, slots=True)
class EmitterMark:
    """The place of label ``number`` in a buffer."""

    number: int


Code: TypeAlias = list[Instruction | EmitterMark]

_ID_WORDS = {"assert": "assertion"}
_OF_EFFECTS = frozenset({"assert", "ensures", "reach", "leak"})
"""Kinds of check that are not about how a value is computed."""

_CRASHES = frozenset({"assert", "ensures", "reach", "bounds", "pointer", "div0", "double-free", "format"})
"""Checks whose violation ends or spoils a native execution: unchecked, such executions are left out."""

_GENERATED = frozenset({"bounds", "pointer"})
"""Checks that what sfo writes around a function cannot violate."""


@final
class CollectedProperties:
    """Properties of a program as they are found: each has a number among those of its function and kind."""

    def __init__(self) -> None:
        self.found: list[Property] = []
        self._counts = Counter[str]()

    def number(self, stem: str) -> str:
        """The id of the next property of ``function.kind``."""
        self._counts[stem] += 1
        return f"{stem}.{self._counts[stem]}"

    def extend(self, properties: Sequence[Property]) -> None:
        """Add properties that are numbered already, in their order."""
        self.found += properties
        self._counts.update(_stem(one) for one in properties)

    def forget(self, made: int) -> None:
        """Forget all but the first ``made`` properties."""
        self._counts.subtract(_stem(one) for one in self.found[made:])
        del self.found[made:]


def _stem(one: Property) -> str:
    return one.id.rpartition(".")[0]


@final
class Emitter:
    """Code of one function; ``unit`` and ``location`` are those of the code being emitted.

    ``properties`` is where its properties go; None for a foreign function, which has none of its own. ``checks``
    are the kinds of property that are checked. ``is_trying``: what is emitted now is thrown away.
    """

    def __init__(
        self,
        function: str,
        checks: frozenset[str],
        properties: CollectedProperties | None,
    ) -> None:
        self.function = function
        self.checks = checks
        self.properties = properties
        self.code: Code = []
        self.unit: UnitId | None = None
        self.location = Location("", 0)
        self.is_trying = False
        self._labels = 0
        self._temporaries = 0

    # -- labels ----------------------------------------------------------------------------------------------

    def label(self) -> int:
        """A new label, not placed yet."""
        self._labels += 1
        return self._labels

    def place(self, label: int) -> None:
        """The label stands here."""
        self.code.append(EmitterMark(label))

    def finish(self) -> tuple[Instruction, ...]:
        """The instructions, with labels replaced by instruction numbers; one jump leads back to each of them."""
        for several in self._jumps_back_to_one_place():
            self._join(several)
        positions = self._positions()
        return tuple(
            replace(i, target=positions[i.target]) if isinstance(i, goto.JumpOrBranch) else i
            for i in self.code
            if not isinstance(i, EmitterMark)
        )

    def _positions(self) -> dict[int, int]:
        """Number of the instruction behind each label."""
        positions: dict[int, int] = {}
        count = 0
        for entry in self.code:
            if isinstance(entry, EmitterMark):
                positions[entry.number] = count
            else:
                count += 1
        return positions

    def _jumps_back_to_one_place(self) -> list[list[tuple[int, goto.JumpOrBranch]]]:
        """The jumps back to each place to which several lead, and where in the buffer they stand, in order.

        The place that the last of them leads to comes first: what takes its place then moves none of the others.
        """
        positions = self._positions()
        found: dict[int, list[tuple[int, goto.JumpOrBranch]]] = {}
        number = -1
        for at, entry in enumerate(self.code):
            number += not isinstance(entry, EmitterMark)
            if isinstance(entry, goto.JumpOrBranch) and positions[entry.target] <= number:
                found.setdefault(positions[entry.target], []).append((at, entry))
        several = [jumps for jumps in found.values() if len(jumps) > 1]
        return sorted(several, key=lambda jumps: -jumps[-1][0])

    def _join(self, several: list[tuple[int, goto.JumpOrBranch]]) -> None:
        """Join several jumps back to one place: the last one stays, and the others lead to it.

        An iteration ends when all of its executions have come to its end. If each went back on its own, as the
        condition of ``do ... while (f(x) || g(x))`` has them do, nothing would join where the next one begins.
        """
        *others, (last, closing) = several
        back, end = self.label(), self.label()
        for at, other in others:
            self.code[at] = replace(other, target=back)
        jump = goto.JumpInstruction(
            location=closing.location, unit=closing.unit, target=closing.target, joins=True
        )
        if isinstance(closing, goto.JumpInstruction):
            self.code[last : last + 1] = [EmitterMark(back), jump]
        else:
            leaving = replace(closing, target=end, when=not closing.when)
            self.code[last : last + 1] = [leaving, EmitterMark(back), jump, EmitterMark(end)]

    @contextmanager
    def captured(self) -> Iterator[Code]:
        """Collect what is emitted inside the block in a buffer of its own."""
        outer = self.code
        buffer: Code = []
        self.code = buffer
        try:
            yield buffer
        finally:
            self.code = outer

    # -- instructions ----------------------------------------------------------------------------------------

    def add(self, i: Instruction) -> None:
        """An instruction of the unit that is being emitted."""
        self.code.append(replace(i, unit=self.unit))

    def assume(self, condition: Expression, location: Location | None = None) -> None:
        """Only executions count in which the condition holds."""
        self.add(goto.AssumeInstruction(location=location or condition.location, condition=condition))

    def cover(self, unit: UnitId | None) -> None:
        """The evaluation of ``unit`` begins."""
        if unit is not None:
            self.code.append(goto.CoverInstruction(location=self.location, unit=unit))

    def assign(
        self, target: Expression, value: Expression, *, yields: bool = False, is_operand: bool = False
    ) -> None:
        """``target = value``."""
        self.code.append(
            goto.AssignInstruction(
                location=self.location,
                unit=self.unit,
                target=target,
                value=value,
                is_operand=is_operand,
                yields=yields and self.unit is not None,
            )
        )

    def branch(
        self,
        condition: Expression,
        target: int,
        *,
        when: bool,
        yields: bool = False,
        inverted: bool = False,
        chooses: bool = False,
    ) -> None:
        """Jump to label ``target`` when the condition is ``when``; nothing for a constant that stays."""
        if isinstance(condition, tree.IntConstant) and not yields:
            if bool(condition.value) == when:
                self.jump(target)
            return
        self.code.append(
            goto.BranchInstruction(
                location=self.location,
                unit=self.unit,
                condition=condition,
                target=target,
                when=when,
                inverted=inverted,
                chooses=chooses,
                yields=yields and self.unit is not None,
            )
        )

    def jump(self, target: int) -> None:
        """Jump to label ``target``."""
        self.code.append(goto.JumpInstruction(location=self.location, unit=self.unit, target=target))

    def refuse(self, message: str, location: Location | None = None, *, unsupported: bool = True) -> None:
        """An error if an execution comes here."""
        where = location or self.location
        self.add(goto.RefuseInstruction(location=where, message=message, unsupported=unsupported))

    def temporary(self, ctype: CType) -> SyntaxSymbol:
        """A new variable of the function that no programmer can name."""
        self._temporaries += 1
        name = f"$t{self._temporaries}"
        return SyntaxSymbol(
            key=f"{self.function}::{name}",
            name=name,
            type=ctype,
            storage="auto",
            function=self.function,
            location=self.location,
        )

    def variable(self, ctype: CType, location: Location) -> tree.VariableRef:
        """A new variable of the function, as an expression."""
        return tree.VariableRef(type=ctype, location=location, symbol=self.temporary(ctype))

    def saved(self, value: Expression, *, yields: bool = False) -> Expression:
        """Save a value in a temporary, unless it is a constant; ``yields``: it is the value of the unit."""
        if isinstance(value, tree.IntConstant | tree.FloatConstant) and not yields:
            return value
        reference = self.variable(value.type, value.location)
        self.assign(reference, value, yields=yields)
        return reference

    @contextmanager
    def tried(self) -> Iterator[Code]:
        """Collect what is emitted inside the block, and forget the properties made there."""
        made, outer = 0 if self.properties is None else len(self.properties.found), self.is_trying
        self.is_trying = True
        with self.captured() as code:
            yield code
        self.is_trying = outer
        if self.properties is not None:
            self.properties.forget(made)

    # -- properties ------------------------------------------------------------------------------------------

    def check(
        self,
        kind: str,
        condition: Condition,
        description: str,
        location: Location | None = None,
        *,
        of_place: bool = False,
        aborts: bool = False,
        function: str | None = None,
    ) -> None:
        """State that ``condition`` holds here: a property (of ``function``, if not of this one) if ``kind`` is checked.

        Where the kind is not checked, executions that would crash or run wild are left out, as no native execution of
        them means anything; the others go on.
        """
        where = location or self.location
        if where.file in {HARNESS_FILE, UNDEFINED_FILE} and kind in _GENERATED:
            return
        if kind not in self.checks:
            if kind in _CRASHES:
                self.add(
                    goto.AssumeInstruction(location=where, condition=condition, unchecked=True, kind=kind)
                )
            return
        name = self.property(kind, description, where, function=function)
        self.code.append(
            goto.AssertInstruction(
                location=where,
                unit=self.unit,
                yields=self.unit is not None and kind not in _OF_EFFECTS and not of_place,
                condition=condition,
                property=name,
                of_place=of_place,
                aborts=aborts,
            )
        )

    def property(self, kind: str, description: str, where: Location, *, function: str | None = None) -> str:
        """The id of a new property of ``function``, of this one if None; in a foreign function, its kind."""
        if self.properties is None:
            return kind
        owner = function or self.function
        stem = f"{owner}.{_ID_WORDS.get(kind, kind)}"
        name = self.properties.number(stem)
        self.properties.found.append(
            Property(id=name, kind=kind, function=owner, location=where, description=description)
        )
        return name


def has_effects(code: Code) -> bool:
    """True if code can change anything that an expression evaluated before it reads."""
    return any(
        not isinstance(
            i,
            EmitterMark
            | goto.AssertInstruction
            | goto.AssumeInstruction
            | goto.CoverInstruction
            | goto.RefuseInstruction,
        )
        for i in code
    )


def require_value(value: Expression | None) -> Expression:
    """The value of an expression that must have one."""
    if value is None:
        raise InternalError("a void expression was used as a value")
    return value
