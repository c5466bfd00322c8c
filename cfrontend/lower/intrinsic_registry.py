"""The intrinsics: functions whose calls become instructions, each registered by name where it is lowered.

@intrinsic("free", needs=1)
def free(c: CallSite) -> None: ...         INTRINSICS["free"].lower(c)   ->   FREE p
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias, final

from cfrontend.lower.context import Lowering
from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression

Definition: TypeAlias = Literal["none", "library", "program"]
"""Origin of a function's definition: none, a library model or header, or the program itself."""

_RANK: Final = {"none": 0, "library": 1, "program": 2}


@final
@dataclass(frozen=True, slots=True)
class CallSite:
    """A call ``e`` by ``name`` that ``x`` lowers; ``defined`` says who defines the function."""

    x: Lowering
    e: tree.Call
    name: str
    wanted: bool
    defined: Definition

    @property
    def given(self) -> int:
        """The number of arguments."""
        return len(self.e.arguments)


IntrinsicRule: TypeAlias = Callable[[CallSite], Expression | None]
"""Function that emits the instructions of a call and returns its pure value, None for void."""


def _always(_: CallSite) -> bool:
    return True


@final
@dataclass(frozen=True, slots=True)
class Intrinsic:
    """Lowering of calls by one name to instructions.

    A call with fewer arguments than it ``needs`` is an error. The intrinsic takes the place of definitions up to
    ``instead_of``, ``where`` that holds; all other calls are ordinary ones.
    """

    lower: IntrinsicRule
    needs: int
    instead_of: Definition
    where: Callable[[CallSite], bool]

    def applies(self, c: CallSite) -> bool:
        """True if this call becomes instructions."""
        return _RANK[c.defined] <= _RANK[self.instead_of] and self.where(c)


INTRINSICS: Final[dict[str, Intrinsic]] = {}
"""Every intrinsic by its name; the modules of ``cfrontend.lower.intrinsics`` fill it when they are imported."""


def intrinsic(
    *names: str, needs: int = 0, instead_of: Definition = "none", where: Callable[[CallSite], bool] = _always
) -> Callable[[IntrinsicRule], IntrinsicRule]:
    """Register a function as the lowering of calls by ``names``, each of which has one meaning only."""

    def register(lower: IntrinsicRule) -> IntrinsicRule:
        for name in names:
            assert name not in INTRINSICS, name
            INTRINSICS[name] = Intrinsic(lower, needs, instead_of, where)
        return lower

    return register
