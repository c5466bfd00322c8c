"""Facts about function bodies that are found once for a program and all of its edited versions.

    facts = BodyFacts()
    facts.of("calls", f.body, lambda: called_names(f.body))     # found
    facts.finish()
    facts.of("calls", f.body, lambda: called_names(f.body))     # known, if it is the same body

Without facts, or for a body that is not known, the fact is found anew.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar, final

from cfrontend.syntax.tree import Compound

T = TypeVar("T")


@final
class BodyFacts:
    """Facts about bodies, by kind and by the identity of the body."""

    def __init__(self) -> None:
        self._known: dict[tuple[Hashable, int], tuple[Compound, Any]] = {}
        self._is_noting = True

    @property
    def is_noting(self) -> bool:
        """True until all bodies of the program itself have been met."""
        return self._is_noting

    def finish(self) -> None:
        """Note no more."""
        self._is_noting = False

    def of(self, kind: Hashable, body: Compound, find: Callable[[], T]) -> T:
        """The fact of a kind about a body, which ``find`` finds where it is not known."""
        known = self._known.get((kind, id(body)))
        if known is not None:
            fact: T = known[1]
            return fact
        found = find()
        if self._is_noting:
            self._known[kind, id(body)] = body, found  # the body lives as long as its identity is known
        return found


def fact_of_body(facts: BodyFacts | None, kind: Hashable, body: Compound, find: Callable[[], T]) -> T:
    """The fact of a kind about a body, found anew where there are no ``facts``."""
    return find() if facts is None else facts.of(kind, body, find)
