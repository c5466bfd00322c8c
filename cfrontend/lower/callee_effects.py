"""What calls can do besides giving a value: violate properties, end executions that do not count, jump."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias, final

from cfrontend.record import dataclass

Outside: TypeAlias = Literal["error", "nondet"]
"""Treatment of what leaves the known program: it is an error, or yields a nondeterministic value."""

Undefined: TypeAlias = Literal["error", "nondet", "auto"]
"""Treatment of functions without a definition: ``auto`` is nondet for one function alone, and an error in a program."""


@final
@dataclass(frozen=True, slots=True)
class CalleeEffects:
    """Effects that calls can have.

    ``violable`` are the kinds of property that a call can violate, by the foreign function it calls (None: through a
    pointer). ``undefined`` is what a call of a function without a body is. Calls of what is ``assumed`` end an
    execution that does not count. A jump can leave those of what is ``jumping``.
    """

    violable: Mapping[str | None, tuple[str, ...]] = field(default_factory=dict)
    undefined: Undefined = "error"
    assumed: frozenset[str] = frozenset()
    jumping: frozenset[str | None] = frozenset()
