"""Input sites in the program's own code: what a library function reads is attributed to the program's call of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cfrontend import goto
from cfrontend.syntax import tree
from cfrontend.syntax.printer import print_syntax
from cfrontend.terms import Term
from cfrontend.terms.floats import FORMATS
from cfrontend.terms.floats.format import X87
from cfrontend.units import SCANNED, SCANS, InputReading, InputSite

if TYPE_CHECKING:
    from cfrontend.symex.machine import SymbolicMachine


def symex_site_in_program(m: SymbolicMachine, site: InputSite) -> InputSite:
    """The input site of a library function's read: that of the call in the program's own code."""
    if m.frame is None or not m.frame.function.source.foreign:
        return site
    frame = m.caller()
    call = None if frame is None else frame.instruction()
    name = site.name
    reading = InputReading(function=m.frame.function.source.name)
    if isinstance(call, goto.CallInstruction) and isinstance(call.callee, tree.FunctionRef):
        reading = replace(reading, format=call.format)
        index = _round_of_the_library(m) if call.filled else None
        name = call.result_name or f"{_called(call.callee)}()"
        name = name if index is None else f"{call.filled}[{index}]"
    return replace(site, name=name, location=m.place_of(site.location), reading=reading)


def symex_number_of_text(m: SymbolicMachine, site: InputSite, value: Term) -> Term:
    """Whether somebody gives this floating-point number as a text: it is finite, but where the program asks for others.

    An infinity and ``nan`` have one spelling each, with and without a sign.
    """
    number = X87 if site.type == "long double" else FORMATS[site.width]
    finite = m.floats.is_finite(number, value)
    if not m.takes_infinities:
        return finite
    size = m.floats.absolute(number, value)
    infinity, nan = number.infinity(negative=False), number.default_nan() & ~number.sign_bit
    is_infinite, is_nan = (m.t.eq(size, m.t.const(one, number.width)) for one in (infinity, nan))
    return m.t.or_(finite, m.t.or_(is_infinite, is_nan))


def symex_allocation_site(m: SymbolicMachine) -> str:
    """The allocation function by which the program asked for the memory that is being allocated."""
    name = "malloc"
    frame = m.frame
    while frame is not None and frame.function.source.location.file.startswith("<"):
        name = frame.function.source.name
        frame = frame.outer
    return name


def _round_of_the_library(m: SymbolicMachine) -> int | None:
    """The iteration, from 0, of the outermost loop of the library function that the program called.

    None where it is in no loop.
    """
    found: int | None = None
    frame = m.frame
    while frame is not None and frame.function.source.foreign:
        around = frame.function.loops_around[frame.pc]
        found = frame.rounds.get(around[0], 0) if around else found
        frame = frame.outer
    return found


def _called(callee: tree.Expression) -> str:
    """The name of the called library function, also where a model of its own does the reading."""
    name = print_syntax(callee)
    return SCANNED if name.startswith(SCANS) else name
