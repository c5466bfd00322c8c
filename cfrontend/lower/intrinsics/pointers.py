"""Intrinsics that ask about pointers, change whole objects, and walk over variable arguments."""

from __future__ import annotations

from cfrontend.lower import calls, dialect, pointer_predicates, variadic
from cfrontend.lower.intrinsic_registry import IntrinsicCallSite, intrinsic
from cfrontend.syntax.tree import Expression


@intrinsic(*pointer_predicates.ACCESS, *pointer_predicates.PLACE)
def _question(c: IntrinsicCallSite) -> Expression:
    return pointer_predicates.lower_pointer_predicate(
        c.x, c.e, c.name, calls.lower_call_arguments(c.x, c.e.arguments)
    )


@intrinsic(*dialect.HAVOC, where=lambda c: c.given > (c.name == "__CPROVER_havoc_slice"))
def _havoc(c: IntrinsicCallSite) -> None:
    values = [c.x.emit.saved(value) for value in calls.lower_call_arguments(c.x, c.e.arguments)]
    pointer_predicates.lower_pointer_havoc(c.x, c.e, c.name, values)


@intrinsic(*variadic.NAMES)
def _variadic(c: IntrinsicCallSite) -> Expression | None:
    return variadic.lower_variadic_operator(c.x, c.e, c.name)
