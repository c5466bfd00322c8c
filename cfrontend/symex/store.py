"""Persistent memory of a state: an overlay of the writes since the last fork, on top of what was there before it.

A fork leaves the old overlay frozen below two empty ones. A join writes the differences of its two sides into
one overlay and, when nothing else stands on the overlay below, straight into that: it costs what was written,
and a chain of forks and joins stays one overlay deep. Where states wait at the exit of a long loop there are as many
overlays as iterations; each 64th then knows what it and the 63 below it have, for who looks from above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from cfrontend.terms import Term

Key = int
"""Key of a memory cell: a number that is never used for two things at once."""

_SPAN = 64


@final
class Overlay:
    """Overlay of writes on top of ``parent``; ``refs`` counts the states and overlays that stand on this one.

    ``reads`` are the values of cells below it that were looked up from here: overlays above find them here, too.
    """

    __slots__ = ("depth", "parent", "reads", "refs", "span", "writes")

    def __init__(self, parent: Overlay | None) -> None:
        self.parent = parent
        self.writes: dict[Key, Term] = {}
        self.reads: dict[Key, Term] = {}
        self.span: tuple[dict[Key, Term], Overlay | None] | None = None
        self.refs = 1
        self.depth: int = 0 if parent is None else parent.depth + 1
        if parent is not None:
            parent.refs += 1

    def lookup(self, key: Key) -> Term | None:
        """The value of a cell here or below; None where it was never written."""
        found = self.writes.get(key)
        if found is not None:
            return found
        found = self.reads.get(key)
        if found is not None:
            return found
        below = self.parent
        while below is not None:
            if below.depth % _SPAN or not below.depth:
                writes, next_below = below.writes, below.parent
            else:
                writes, next_below = below.span or below.spanned()
            found = writes.get(key)
            if found is None:
                found = below.reads.get(key)
            if found is not None:
                self.reads[key] = found
                return found
            below = next_below
        return None

    def root(self) -> Overlay:
        """The bottom overlay of all states, for what is the same in each."""
        overlay = self
        while overlay.parent is not None:
            overlay = overlay.parent
        return overlay

    def spanned(self) -> tuple[dict[Key, Term], Overlay | None]:
        """The span of an overlay: what was written from here down to the end of a span, and the overlay below.

        Only for overlays that others stand on: the others are still written. So is the one at the bottom, with what
        static objects begin with.
        """
        writes = dict(self.writes)
        below = self.parent
        while below is not None and below.depth % _SPAN:
            for key, value in below.writes.items():
                writes.setdefault(key, value)
            below = below.parent
        self.span = writes, below
        return self.span

    def keys(self) -> list[Key]:
        """The keys of all cells that were written here or below, in order."""
        found: set[Key] = set()
        overlay: Overlay | None = self
        while overlay is not None:
            found.update(overlay.writes)
            overlay = overlay.parent
        return sorted(found)


def fork(overlay: Overlay) -> tuple[Overlay, Overlay]:
    """Fork: two overlays that start where ``overlay`` is; it must not be written any more."""
    below = overlay
    if not overlay.writes and overlay.parent is not None:
        below = overlay.parent
    pair = Overlay(below), Overlay(below)
    release(overlay)
    return pair


def release(overlay: Overlay | None) -> None:
    """Release a reference: a state or overlay no longer stands on ``overlay``."""
    while overlay is not None:
        overlay.refs -= 1
        if overlay.refs:
            return
        overlay = overlay.parent


def join(
    one: Overlay,
    two: Overlay,
    merge: Callable[[Key, Term | None, Term | None, Overlay], Term | None],
) -> Overlay:
    """Join of two overlays into one; both are released.

    ``merge(key, value in one, value in two, common overlay)`` is asked for each cell that either side wrote;
    a side that did not write it gives None. It returns the value of the cell, or None to leave it out.
    """
    common, since_one, since_two = _differences(one, two)
    result = Overlay(common)
    for key, value in since_one.items():
        merged = merge(key, value, since_two.get(key), common)
        if merged is not None:
            result.writes[key] = merged
    for key, value in since_two.items():
        if key not in since_one:
            merged = merge(key, None, value, common)
            if merged is not None:
                result.writes[key] = merged
    release(one)
    release(two)
    if common.refs == 1:
        common.span = None
        common.writes.update(result.writes)
        return common
    return result


def _differences(one: Overlay, two: Overlay) -> tuple[Overlay, dict[Key, Term], dict[Key, Term]]:
    """The nearest common overlay, and what each side wrote above it (the latest write of each cell)."""
    since_one: dict[Key, Term] = {}
    since_two: dict[Key, Term] = {}
    a, b = one, two
    while a is not b:
        if a.depth >= b.depth:
            for key, value in a.writes.items():
                since_one.setdefault(key, value)
            assert a.parent is not None
            a = a.parent
        else:
            for key, value in b.writes.items():
                since_two.setdefault(key, value)
            assert b.parent is not None
            b = b.parent
    return a, since_one, since_two
