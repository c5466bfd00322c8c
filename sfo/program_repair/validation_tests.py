"""Test suite for patch validation: inputs that fail, inputs that pass, and what is looked at in an edited program."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Final, final

from cfrontend import goto
from cfrontend.bound import Bound
from cfrontend.encoded_program import EncodedProgram
from cfrontend.goto.product_program import KIND as REFERENCE
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.terms import FALSE, Term
from cfrontend.units import Property, UnitId
from sfo.core.executions import Execution
from sfo.core.policy import policy

_MOST_LINES: Final = 8
"""Lines of what should be printed that may be texts of the program, the first ones."""


@final
class PatchValidationTests:
    """Test suite and specification for patch validation: inputs that fail, inputs that pass, and a bound.

    ``others`` fail as some of ``failing`` do, on other inputs, or are further executions with which edits have failed
    natively; ``passing`` has other inputs behind the first ``known``.
    The ``short`` ones of these, of which ``known_short`` are known, are those that edits are compared on; the ``long``
    ones have so many inputs that the interpreter would be busy with them alone, as it would be with those that are not
    ``short_failing``.
    ``rounds`` is how long the longest loop was within the bound. ``properties`` is the specification, and ``left_out``
    are the other properties of the program: they are violated without an edit, and nobody asked about them.
    An edit can bring or take away checks and so change their ids, which is why
    they are compared by kind and place; what it brings is specified as well.
    """

    def __init__(
        self,
        *,
        failing: Sequence[Execution],
        passing: Sequence[Execution],
        bound: Bound,
        properties: Collection[Property],
        left_out: Collection[Property],
        rounds: int,
        solver: str,
        others: Sequence[Execution] = (),
        known: int | None = None,
    ) -> None:
        self.others: Final = tuple(others)
        self._given: Final = known
        self.failing: Final = tuple(failing)
        self.passing: Final = tuple(passing)
        kept, asked = _places_of_short(passing), _places_of_short(failing)
        self.short: Final = tuple(passing[place] for place in kept)
        self.long: Final = tuple([e for place, e in enumerate(passing) if place not in kept])
        self.short_failing: Final = tuple(failing[place] for place in asked)
        self.known_short: Final = len(kept) if known is None else sum(place < known for place in kept)
        places = {item.id: (item.kind, item.location.line) for item in properties}
        violated = {places[execution.property] for execution in failing if execution.property in places}
        if any(kind == REFERENCE for kind, _ in violated):
            # Where an execution first prints something else depends on the way it goes, and a repair may lead
            # another one.
            violated |= {place for place in places.values() if place[0] == REFERENCE}
        self._violated: Final = frozenset(violated)
        self.bound: Final = bound
        self.rounds: Final = rounds
        self.solver: Final = solver
        self._properties: Final = tuple(properties), tuple(left_out)
        self._left_out: Final = {(item.kind, item.location.line) for item in left_out} - set(places.values())

        self._known: dict[int, _Specification] = {}

    def with_further(
        self,
        *,
        failing: Sequence[Execution] = (),
        passing: Sequence[Execution] = (),
        others: Sequence[Execution] = (),
    ) -> PatchValidationTests:
        """The same test suite with further executions."""
        properties, left_out = self._properties
        return PatchValidationTests(
            failing=(*self.failing, *failing),
            passing=(*self.passing, *passing),
            bound=self.bound,
            properties=properties,
            left_out=left_out,
            rounds=self.rounds,
            solver=self.solver,
            others=(*self.others, *others),
            known=len(self.passing) if self._given is None else self._given,
        )

    @property
    def left_out(self) -> tuple[str, ...]:
        """The ids of the properties that are no part of the specification."""
        return tuple(item.id for item in self._properties[1])

    @property
    def unwritten(self) -> frozenset[str]:
        """The variables that failing executions read before they are written, by their keys up to a ``#``."""
        return frozenset(
            tree.plain_syntax_symbol_key(key)
            for execution in self.failing
            for key in execution.read_by_oversight
        )

    @property
    def expected(self) -> tuple[str, ...]:
        """Lines that failing executions should print, each once, the first ones."""
        lines: dict[str, None] = {}
        for execution in self.failing:
            whole = execution.expected or ""
            if execution.example is not None:
                whole = execution.example.decode("utf-8", "replace")
            lines |= dict.fromkeys(line.strip() for line in whole.splitlines()[:_MOST_LINES])
        return tuple(filter(None, lines))[:_MOST_LINES]

    @property
    def checks_all(self) -> bool:
        """True if no property of the program is left out of the specification."""
        return not self._left_out

    @property
    def most_rounds(self) -> int:
        """Iterations that a loop may well take: four times those within the bound, and those of each execution."""
        known = (*self.failing, *self.passing, *self.others)
        return max(4 * self.rounds, *(max(one.counts.values(), default=0) for one in known), 0)

    def specified(self, program: Program) -> frozenset[str]:
        """The ids of the specification in an edited ``program``, whose lines are the same."""
        return self._of(program).specified

    def looked_at(self, encoded: EncodedProgram, program: Program) -> frozenset[Term]:
        """Conditions under which an edited ``program`` comes to what the failing executions violate."""
        known = self._of(program)
        paths = [path for name in known.violable for path in encoded.checked.get(name, ())]
        return frozenset([*paths, *(encoded.coverage.get(unit, FALSE) for unit in known.deciding)])

    def evaluated(self, encoded: EncodedProgram, program: Program) -> frozenset[int]:
        """The lines of the assertions that an execution of an edited ``program`` comes to."""
        return frozenset(
            line
            for name, line in self._of(program).assertions
            if any(path != FALSE for path in encoded.checked.get(name, ()))
        )

    def shows(self, program: Program) -> bool:
        """True if executions can come to what the failing executions violate without violating it."""
        known = self._of(program)
        return not known.is_never_right or bool(known.deciding)

    def _of(self, program: Program) -> _Specification:
        known = self._known.get(id(program))
        if known is None:
            at = [(item.id, (item.kind, item.location.line)) for item in program.properties]
            specified = frozenset([name for name, place in at if place not in self._left_out])
            violable = frozenset([name for name, place in at if place in self._violated])
            is_never_right = violable <= _never_right(program)
            deciding = program.specifying if is_never_right else frozenset()
            # A format that fits its arguments is no property any more: what prints is come to instead.
            formats = {line for kind, line in self._violated if kind == "format"}
            deciding |= {u.id for u in program.units if u.location.line in formats and u.kind != "condition"}
            assertions = tuple([(name, line) for name, (kind, line) in at if kind == "assert"])
            known = _Specification(program, specified, violable, is_never_right, deciding, assertions)
            self._known[id(program)] = known
        return known


@final
@dataclass(frozen=True, slots=True)
class _Specification:
    """The ids of the specification in an edited ``program``, and ``violable`` of what the failing executions violate.

    ``is_never_right``: to come there is to violate it, as with ``reach_error()``. What then says whether it is right
    are the units that are ``deciding``. ``assertions`` are the ids of assertions, and their lines.
    """

    program: Program
    specified: frozenset[str]
    violable: frozenset[str]
    is_never_right: bool
    deciding: frozenset[UnitId]
    assertions: tuple[tuple[str, int], ...]


def _never_right(program: Program) -> frozenset[str]:
    """The properties that are violated wherever they are evaluated."""
    checks = (
        i
        for f in program.goto.functions.values()
        for i in f.instructions
        if isinstance(i, goto.AssertInstruction)
    )
    false = {
        i.property for i in checks if isinstance(i.condition, tree.IntConstant) and i.condition.value == 0
    }
    return frozenset(false | {item.id for item in program.properties if item.kind == "reach"})


def _length(execution: Execution) -> int:
    """Number of inputs that an execution reads, or may read when it does not fail."""
    return max(
        len(execution.inputs),
        len(execution.reference_inputs),
        0 if execution.example is not None else len(execution.test_text or b""),
    )


def _places_of_short(executions: Sequence[Execution]) -> tuple[int, ...]:
    """The places of executions with few inputs, and of some in any case: all, where they have few together."""
    order = sorted(range(len(executions)), key=lambda place: (_length(executions[place]), place))
    ends = accumulate(_length(executions[place]) for place in order)
    least, most = policy().validation.least_compared, policy().validation.inputs_compared
    return tuple(
        sorted(
            place for n, (place, end) in enumerate(zip(order, ends, strict=True)) if n < least or end <= most
        )
    )
