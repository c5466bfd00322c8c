"""Events of the executions of an encoded program: violations, inputs, outputs and steps of a trace, as terms."""

from __future__ import annotations

from typing import final

from cfrontend.errors import Location
from cfrontend.record import dataclass
from cfrontend.terms import Term
from cfrontend.units import InputSite, UnitId


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CallSite:
    """Call site of an activation that has not returned: the function that calls, and where in it."""

    function: str
    location: Location


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ViolationEvent:
    """One instance of a property: ``condition`` holds when the execution ends here by violating it.

    ``called_from`` is the call stack, the innermost call first, and ``because`` says what is wrong with the pointer
    where an invalid one is followed; only executions on fixed inputs have them.
    """

    property: str
    condition: Term
    called_from: tuple[CallSite, ...] = ()
    because: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InputEvent:
    """Input event: one evaluated input, in evaluation order along every execution; it is read when ``condition`` holds.

    ``value`` is a variable, or a constant where the inputs were fixed. The same variable can stand in several
    events (an uninitialised variable read at several places): the first one that holds counts.
    """

    site: InputSite
    value: Term
    condition: Term


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OutputEvent:
    """Output event: one ``printf`` with its format and arguments, printed when ``condition`` holds."""

    format: bytes
    arguments: tuple[OutputEventArgument, ...]
    condition: Term


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OutputEventArgument:
    """A printed value; for ``%s`` the characters up to the first that is zero."""

    value: Term
    signed: bool
    characters: tuple[Term, ...] | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TraceWriteEvent:
    """Traced write of a scalar in the activation at ``depth`` (0: a global one), with its value as C spells it."""

    depth: int
    name: str
    value: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStepEvent:
    """Trace step: a unit that is evaluated or goes on behind a call, its call depth from 1, and what it writes.

    ``outcome`` is how a condition comes out. Parameters are writes of the unit that calls, and what is read without
    having been written is a write of the unit that reads it.
    """

    unit: UnitId
    depth: int
    outcome: bool | None
    writes: tuple[TraceWriteEvent, ...]
