"""Intrinsics that state assumptions and properties, in the dialects of all tools."""

from __future__ import annotations

from cfrontend import goto
from cfrontend.elaborate.label_addresses import NO_LABEL
from cfrontend.lower import calls, dialect, evaluation_order, pure
from cfrontend.lower.intrinsic_registry import CallSite, intrinsic
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import INT


@intrinsic(*dialect.ASSUMES, needs=1, instead_of="program")
def _assumption(c: CallSite) -> None:
    x, e = c.x, c.e
    condition = x.value(e.arguments[0])
    x.emit.assume(condition, e.location)


def _is_reach(c: CallSite) -> bool:
    """True if a call that must not be reached is a property here, not a call of the program's own function."""
    return c.name in c.x.callees.assumed or c.defined == "none" or "reach" in c.x.emit.checks


@intrinsic(*dialect.REACH, instead_of="program", where=_is_reach)
def _reach(c: CallSite) -> None:
    x, e = c.x, c.e
    false = pure.constant(0, INT, e.location)
    if c.name in x.callees.assumed:
        # Not by a check: whoever leaves out reach means other properties, not other assumptions.
        x.emit.assume(false, e.location)
        return
    if c.name == NO_LABEL:
        x.emit.check("pointer", false, "goto to no label", e.location)
        return
    said = f"call of {c.name} is reachable"
    aborts = c.name == "abort" and not is_preprocessed_foreign_file(e.location.file)
    x.emit.check("reach", false, said, e.location, aborts=aborts)


@intrinsic(*dialect.ASSERTS, where=lambda c: c.given > 0)
def _assertion(c: CallSite) -> None:
    x, e = c.x, c.e
    text = pure.literal_text(e.arguments[1]) if len(e.arguments) > 1 else None
    description = text or x.text(e.arguments[0])
    condition = x.value(e.arguments[0])
    x.emit.check("assert", condition, description, e.location)


@intrinsic(*dialect.FAILED_ASSERTS)
def _failed_assertion(c: CallSite) -> None:
    x, e = c.x, c.e
    text = pure.literal_text(e.arguments[0]) if e.arguments else None
    x.emit.check("assert", pure.constant(0, INT, e.location), f"assertion {text or 'failed'}", e.location)


@intrinsic(dialect.ENSURES, where=lambda c: c.given == 3)
def _postcondition(c: CallSite) -> None:
    """``__sfo_ensures(condition, "f", "condition as text")``, a property of f that stands where the condition does."""
    x, e = c.x, c.e
    name, text = (pure.literal_text(e.arguments[1]), pure.literal_text(e.arguments[2]))
    stated = e.arguments[0]
    while isinstance(stated, tree.Cast | tree.Unary):
        stated = stated.operand
    condition = x.value(e.arguments[0])
    x.emit.check("ensures", condition, text or x.text(stated), stated.location, function=name)


@intrinsic(dialect.CALLED, needs=2)
def _called(c: CallSite) -> None:
    """``__sfo_called("g", "", a, b)``, which stands in for a call of g."""
    x, e = c.x, c.e
    name, left_out = (pure.literal_text(argument) or "" for argument in e.arguments[:2])
    arguments = tuple(evaluation_order.pure_arguments(x, e.arguments[2:]))
    x.emit.add(
        goto.ObserveInstruction(location=e.location, arguments=arguments, called=name, left_out=left_out)
    )


@intrinsic(*dialect.IDLE)
def _idle(c: CallSite) -> Expression | None:
    evaluation_order.pure_arguments(c.x, c.e.arguments)
    return calls.without_value(c.x, c.e)
