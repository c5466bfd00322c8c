"""Unwinding limits: how far loops and recursions are followed within a bound."""

from __future__ import annotations

from cfrontend.bound import Bound
from cfrontend.goto.product_program import PREFIX


def symex_unwinding_limit(bound: Bound, name: str, patience: int | None = None) -> int | None:
    """Unwinding limit of a loop (its back edge taken, plus one) or of a recursion (calls below itself); None: any.

    A loop of a reference is bounded as that of this name in the program, which may go on longer with ``patience``.
    """
    name = name.removeprefix(PREFIX)
    if name in bound.unwindset or bound.unwind is None:
        return bound.unwindset.get(name)
    return max(bound.unwind + (patience or 0), bound.least.get(name, 0))


def has_own_unwinding_limit(bound: Bound, name: str) -> bool:
    """Whether a loop or a recursion has a bound of its own."""
    return name.removeprefix(PREFIX) in bound.unwindset
