"""Context of a site: what may stand there, and what its value is used for."""

from __future__ import annotations

from typing import final

from cfrontend.record import dataclass


@final
@dataclass(frozen=True, slots=True)
class SiteContext:
    """Context of a statement: the ``jumps`` that may stand there, and whether it ``may_be_guarded``."""

    jumps: tuple[str, ...] = ()
    may_be_guarded: bool = True

    @property
    def loop(self) -> SiteContext:
        """The body of a loop."""
        return SiteContext(("break", "continue"))

    @property
    def switch(self) -> SiteContext:
        """The body of a ``switch``."""
        return SiteContext(("break", "continue") if "continue" in self.jumps else ("break",))

    @property
    def plain(self) -> SiteContext:
        """A statement that nothing else depends on."""
        return SiteContext(self.jumps)

    @property
    def unguarded(self) -> SiteContext:
        """Context of a statement that would mean something else behind a test."""
        return SiteContext(self.jumps, may_be_guarded=False)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SiteUse:
    """Use of an expression, as ``TemplateSite`` says it; ``is_place``: it says where something is."""

    is_place: bool = False
    is_operand: bool = False
    aims: bool = False
    is_unused: bool = False
