"""Incremental lowering: of an edited program only the functions are lowered again that are not as they were.

    known = IncrementalLowering(facts)
    lower_program(unit, ..., incremental=known)      # notes what each function became
    facts.finish()
    lower_program(edited, ..., incremental=known)    # takes the code of the functions that have the same bodies

The code of a function depends on its own tree, on its units, whose numbers may be others, and on the *rest* of the
program: what is known of the other functions besides their bodies, and of variables and structures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Literal, TypeAlias, final

from cfrontend.goto import GotoFunction
from cfrontend.lower.emitter import CollectedProperties
from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.syntax.body_facts import BodyFacts
from cfrontend.units import Property, UnitId

Role: TypeAlias = Literal["foreign", "own"]
"""Function of the library or a header, or of the program."""

_LITERAL = "<literal>"

_OF_FUNCTIONS_AND_FILES = frozenset({"functions", "variables", "refused", "files"})
"""Fields of a typed program that differ by an edit, or are compared otherwise."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _LoweredFunction:
    """Code of a function, with the units and properties that are in it."""

    function: tree.Function
    units: Sequence[UnitId]
    code: GotoFunction
    properties: Sequence[Property]

    def is_of(self, f: tree.Function, units: Sequence[UnitId]) -> bool:
        """Whether ``f`` is the same function, whatever the numbers of its ``units`` are."""
        known = self.function
        return (
            f.body is known.body
            and f.type == known.type
            and f.parameters == known.parameters
            and (f.location, f.end) == (known.location, known.end)
            and len(units) == len(self.units)
        )

    def code_with(self, units: Sequence[UnitId]) -> GotoFunction:
        """The code with other numbers of units."""
        if units == self.units:
            return self.code
        new = dict(zip(self.units, units, strict=True))
        instructions = (i if i.unit is None else replace(i, unit=new[i.unit]) for i in self.code.instructions)
        return replace(self.code, instructions=tuple(instructions))


@final
class LoweredFunctions:
    """Code of functions, by their names, in programs of which the ``rest`` is the same, noted while ``facts`` are."""

    def __init__(self, rest: object, facts: BodyFacts) -> None:
        self.rest = rest
        self._facts = facts
        self._known: dict[str, _LoweredFunction] = {}

    def code(
        self,
        f: tree.Function,
        units: Sequence[UnitId],
        properties: CollectedProperties | None,
        lower: Callable[[], GotoFunction],
    ) -> GotoFunction:
        """The code of ``f`` as it is known, or as ``lower`` makes it; its ``properties`` are collected."""
        known = self._known.get(f.name)
        if known is not None and known.is_of(f, units):
            if properties is not None:
                properties.extend(known.properties)
            return known.code_with(units)
        made = 0 if properties is None else len(properties.found)
        code = lower()
        new = () if properties is None else tuple(properties.found[made:])
        if self._facts.is_noting and all(one.function == f.name for one in new):
            self._known[f.name] = _LoweredFunction(function=f, units=units, code=code, properties=new)
        return code


@final
class IncrementalLowering:
    """Code of the functions of one program, for those that are edited versions of it, noted while ``facts`` are."""

    def __init__(self, facts: BodyFacts) -> None:
        self.facts = facts
        self._roles: dict[Role, LoweredFunctions] = {}

    def functions(self, role: Role, rest: object) -> LoweredFunctions | None:
        """The functions of a role, if ``rest`` is as it was."""
        known = self._roles.get(role)
        if known is not None and known.rest == rest:
            return known
        if self.facts.is_noting:
            self._roles[role] = LoweredFunctions(rest, self.facts)
            return self._roles[role]
        return None


def lowered_rest(program: tree.TranslationUnit) -> tuple[object, ...]:
    """What the code of a function may depend on of the rest of its program.

    String literals are left out, which each function has for itself.
    """
    heads = [
        (f.name, f.type, f.location, f.uncalled, f.never_returns, f.body is None, f.parameters)
        for f in program.functions.values()
    ]
    variables = [v.symbol for v in program.variables if v.symbol.name != _LITERAL]
    others = [
        getattr(program, one.name) for one in fields(program) if one.name not in _OF_FUNCTIONS_AND_FILES
    ]
    refused = {name: str(error) for name, error in program.refused.items()}
    return heads, variables, refused, *others
