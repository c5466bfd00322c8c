"""Input sources: the inputs of symbolic executions are free variables, or the values of an input vector.

free      x = nondet_int()   ->   a variable, which any execution can have its own value of
fixed     x = nondet_int()   ->   the constant at the position to which the vector has been read

Memory that nobody has written is an input, too, where it is read. In a vector that says from which places of memory
its values were read, each goes to its place again. A supply makes the vector as it is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Never, final

from cfrontend import goto
from cfrontend.cbmc.drawn_values import MOST_OF_MANY, cells_of_drawn_values
from cfrontend.events import InputEvent
from cfrontend.symex.ite_leaves import condition_of_leaf, with_leaf
from cfrontend.symex.machine import InputSource, SymbolicMachine
from cfrontend.symex.paths import PathCondition, continues_path
from cfrontend.symex.state import POSITION, MemoryObject, UnwrittenLeaf, input_site
from cfrontend.symex.unwritten import leaves_where_evaluated
from cfrontend.syntax import tree
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import UCHAR
from cfrontend.terms import FALSE, TRUE, Term
from cfrontend.terms.floats import FORMATS, exact, text
from cfrontend.terms.floats.format import X87
from cfrontend.units import SCANNED, SCANS, InputNumber, InputReading, InputSite, MemoryPlace, Supply

_LOOKED_BACK: Final = 64
"""Decisions at the end of a path that are looked at for where it has read a never-written cell before."""


class MissingInput(Exception):  # noqa: N818 - a signal between the machine and whoever runs it
    """A fixed input vector ended before the read of ``site``."""

    def __init__(self, site: InputSite) -> None:
        super().__init__(site.name)
        self.site = site


class FreeInputs(InputSource):
    """Free inputs: every input is a variable, so the formula covers all executions."""

    def __init__(self) -> None:
        self._noted: dict[Term, set[Term]] = {}
        self._read_on: dict[tuple[object, ...], tuple[PathCondition, Sequence[UnwrittenLeaf]]] = {}

    def next(self, m: SymbolicMachine, site: InputSite, width: int, context: str) -> Term:
        """A fresh variable that only the current state knows."""
        value = m.variable(context, width)
        m.born(value)
        return value

    def parameter(self, m: SymbolicMachine, site: InputSite, width: int, name: str, condition: Term) -> Term:
        """The variable ``name``."""
        return m.variable(name, width)

    def unwritten(self, m: SymbolicMachine, value: Term, leaf: Term, condition: Term) -> Term:
        """The unchanged ``value``: the cell stays the variable that it is."""
        t, site = m.t, m.sites[leaf]
        holds = t.and_(m.path.term, condition)
        noted = self._noted.setdefault(leaf, set())
        if holds not in noted and TRUE not in noted and holds != FALSE:
            noted.add(holds)
            self.note(m, InputEvent(site=site, value=leaf, condition=holds))
            if site.type == "_Bool":
                is_bool = t.ult(leaf, t.const(2, t.width[leaf]))
                m.assume(t.or_(t.not_(condition), is_bool))
            if site.type == "long double":
                m.assume(t.or_(t.not_(condition), m.floats.accepted(X87, leaf)))
        return value

    def cells_to_note(self, m: SymbolicMachine, leaves: Sequence[UnwrittenLeaf]) -> Sequence[UnwrittenLeaf]:
        """The never-written cells; none if the path goes on one that has read them where the same decides on them."""
        key = (m.is_reference, *m.deciders, *leaves)
        known = self._read_on.get(key)
        if known is None:
            cells = leaves_where_evaluated(m, leaves)
        elif continues_path(m.path, known[0], _LOOKED_BACK):
            return ()
        else:
            cells = known[1]
        self._read_on[key] = (m.path, cells)
        return cells

    def name_here(self, m: SymbolicMachine, what: str) -> str:
        """A name made of the place and the iteration."""
        return input_place_name(m, what)

    def forget(self) -> None:
        """Forget the inputs read so far: they count as unread."""
        self._noted.clear()
        self._read_on.clear()


class VectorInputs(InputSource):
    """Fixed inputs: the values of an input vector, in the order in which they are read.

    A subclass says which value is the next. Beyond the end of the vector inputs are free where a unit is relaxed;
    elsewhere ``MissingInput`` is raised.
    """

    is_fixed = True

    def __init__(self, vector: Sequence[InputNumber | None]) -> None:
        self.vector = vector
        self._instances: dict[str, int] = {}
        self._numbered = 0

    def take(self, m: SymbolicMachine, site: InputSite, width: int, condition: Term, context: str) -> Term:
        """The value at the current position of the vector; the position advances where ``condition`` holds."""
        raise NotImplementedError

    def start(self, m: SymbolicMachine) -> None:
        """Set the position to the start of the vector."""
        m.writes[POSITION] = m.t.const(0, 32)

    def next(self, m: SymbolicMachine, site: InputSite, width: int, context: str) -> Term:
        """The next value of the vector, for an input of the program."""
        return self.take(m, site, width, TRUE, context)

    def parameter(self, m: SymbolicMachine, site: InputSite, width: int, name: str, condition: Term) -> Term:
        """The next value of the vector, for a parameter of the entry function."""
        return self.take(m, site, width, condition, name)

    def unwritten(self, m: SymbolicMachine, value: Term, leaf: Term, condition: Term) -> Term:
        """The value of the vector for a never-written cell, put into ``value``; it is the same at every later read.

        A relaxed program takes one only where the read is certain.
        """
        m.tick()
        t = m.t
        key = -2 - leaf
        now = m.overlay.lookup(key)
        unread = TRUE if now is None or now == leaf else condition_of_leaf(t, now, leaf)
        if unread != FALSE:
            site = m.sites[leaf]
            taken = t.and_(unread, condition)
            given = self.of_memory(m, site, t.width[leaf], taken, t.names[leaf])
            holds = t.and_(m.path.term, taken)
            if holds != FALSE:
                if m.trace is not None:
                    m.trace.reads_unwritten(m, site, given)
                self.note(m, InputEvent(site=site, value=given, condition=holds))
            before = leaf if now is None else now
            now = given if taken == TRUE else t.ite(taken, given, before)
            m.writes[key] = now
        assert now is not None
        return with_leaf(t, value, leaf, now)

    def takes_certain_cells(self, m: SymbolicMachine) -> bool:
        """True where a unit is relaxed: which value the program would take there depends on all its choices.

        The cell stays as free as the unit is.
        """
        return bool(m.relax)

    def cells_to_note(self, m: SymbolicMachine, leaves: Sequence[UnwrittenLeaf]) -> Sequence[UnwrittenLeaf]:
        """The never-written cells, and where they are read."""
        return leaves_where_evaluated(m, leaves)

    def of_memory(self, m: SymbolicMachine, site: InputSite, width: int, condition: Term, name: str) -> Term:
        """The value of the never-written cell ``name``, which is read for the first time where ``condition`` holds."""
        return self.take(m, site, width, condition, name)

    def name_here(self, m: SymbolicMachine, what: str) -> str:
        """A number as name, which is enough for a single execution."""
        if m.relax:
            return input_place_name(m, what)
        self._numbered += 1
        return f"{what}'{self._numbered}"

    def ordinal(self, name: str) -> int | None:
        """The number, from 0, of one more object of this name."""
        number = self._instances.get(name, 0)
        self._instances[name] = number + 1
        return number

    def ended(self, m: SymbolicMachine) -> None:
        """Note where the current path, which ends normally, has read all of the vector."""
        position = m.overlay.lookup(POSITION)
        if position is not None:
            all_read = m.t.not_(m.t.ult(position, m.t.const(len(self.vector), 32)))
            m.passed_reading.append(m.t.and_(m.path.term, all_read))

    def given(self, m: SymbolicMachine, site: InputSite, position: int, width: int) -> Term:
        """The value at a place of the vector, as the program sees it."""
        return seen_input(m, site, self.word(m, self.vector[position], site, width))

    def word(self, m: SymbolicMachine, number: InputNumber | None, site: InputSite, width: int) -> Term:
        """A value of the vector as a word of its type."""
        return input_as_word(m, number, site, width)


class FixedInputs(VectorInputs):
    """Fixed inputs of a given vector: each value goes to whatever is read next.

    With ``places``, which say from where in memory a value was read, those go to their places again: one that is not
    read is passed over, and what only this execution reads of memory is 0. With a ``supply`` the vector grows as it is
    read: that is asked for each further value.
    """

    def __init__(
        self,
        vector: Sequence[InputNumber | None],
        places: Sequence[MemoryPlace | None] | None = None,
        supply: Supply | None = None,
    ) -> None:
        self._grown: Final = list(vector)
        super().__init__(self._grown)
        self._places: Final = places
        self._supply: Final = supply

    def take(self, m: SymbolicMachine, site: InputSite, width: int, condition: Term, context: str) -> Term:
        """The next value of the vector that fits; the position moves behind it where ``condition`` holds."""
        t, position = m.t, _position(m)
        known = t.value[position]
        if self._supply is not None and known == len(self.vector) and condition != FALSE:
            number = self._supply(site)
            self._grown.extend([] if number is None else [number])
        value, moved = t.const(0, width), position
        is_missing = known is None or self._fitting(site, known) is None
        if is_missing and (self._places is None or site.memory is None):
            if not m.relax and (known is not None or self._places is None):
                miss_input(site)
            value, moved = seen_input(m, site, _beyond(m, context, width)), t.add(position, t.const(1, 32))
        for n in range(len(self.vector)) if known is None else [known]:
            fitting = self._fitting(site, n)
            if fitting is not None:
                here = t.eq(position, t.const(n, 32))
                value = t.ite(here, self.given(m, site, fitting, width), value)
                moved = t.ite(here, t.const(max(n, fitting + 1), 32), moved)
        m.writes[POSITION] = t.ite(condition, moved, position)
        return value

    def _fitting(self, site: InputSite, position: int) -> int | None:
        """The index of the value for ``site`` from ``position`` on, behind values of memory that was not read.

        Memory may be read in another order: then its value is one that was passed over.
        """
        if self._places is None:
            return position if position < len(self.vector) else None
        for n in range(position, len(self._places)):
            place = self._places[n]
            if place is None:
                if site.memory is None:
                    return n
                break
            if site.memory is not None and place.is_like(site.memory):
                return n
        if site.memory is None or site.memory.ordinal:
            return None
        places = enumerate(self._places)
        return next((n for n, one in places if one is not None and one.is_like(site.memory)), None)


@final
class DrawnInputs(FixedInputs):
    """Input source of drawn values: each is taken when it comes into being and found again when it is first read.

    ``much``: among them are those of larger objects, and the bytes of allocated memory. A never-written cell that was
    not drawn is 0; the first one is ``undrawn``.
    """

    def __init__(self, drawn: Sequence[int], *, much: bool) -> None:
        super().__init__(drawn)
        self._much = much
        self._cells: dict[str, int] = {}

    def comes_to_life(self, m: SymbolicMachine, symbol: SyntaxSymbol, context: str) -> None:
        """Give an uninitialised variable some of the drawn values."""
        for path, ctype in cells_of_drawn_values(symbol, m.layouts.structs, much=self._much):
            width = 8 * m.layouts.of(ctype).size
            site = input_site(symbol.name + path, ctype, width, symbol.location)
            self._cells[f"?{context}{path}"] = self._draw(m, site, width, context)

    def allocated(self, m: SymbolicMachine, obj: MemoryObject) -> None:
        """Give the first bytes of allocated memory some of the drawn values, where these have any."""
        if not self._much or obj.default != "unknown":
            return
        count = min(obj.layout.size, MOST_OF_MANY)
        context, values = obj.context, bytearray()
        for number in range(count):
            site = input_site(f"{obj.name}[{number}]", UCHAR, 8, obj.location)
            values.append(self._draw(m, site, 8, context))
        offset = 0
        while offset < count:
            cell = obj.layout.cell(offset)
            offset = cell.offset + cell.size
            if offset <= count:
                known = int.from_bytes(values[cell.offset : offset], "little")
                self._cells[f"?{context}{cell.name}"] = known

    def _draw(self, m: SymbolicMachine, site: InputSite, width: int, context: str) -> int:
        """The next drawn value."""
        value = m.t.value[self.take(m, site, width, TRUE, context)]
        assert value is not None
        return value

    def of_memory(self, m: SymbolicMachine, site: InputSite, width: int, condition: Term, name: str) -> Term:
        """The drawn value of a never-written cell."""
        if name not in self._cells:
            self.undrawn = self.undrawn or site
        return seen_input(m, site, m.t.const(self._cells.get(name, 0), width))

    def word(self, m: SymbolicMachine, number: InputNumber | None, site: InputSite, width: int) -> Term:
        """A drawn value, which is the word itself, also of a floating number."""
        if number is None:
            number = site.at_end
        return m.t.const(number if isinstance(number, int) else 0, width)


def read_input(m: SymbolicMachine, site: InputSite, width: int) -> Term:
    """The next input value at the current place."""
    context = m.fresh_name(f"{site.name}@{m.activation().context()}")
    site = site_in_program(m, site)
    value = m.source.next(m, site, width, context)
    m.source.note(m, InputEvent(site=site, value=value, condition=m.path.term))
    if site.is_of_text and not m.is_fixed:
        m.assume(is_number_of_text(m, site, value))
    return seen_input(m, site, value)


def read_parameter(m: SymbolicMachine, site: InputSite, width: int, condition: Term) -> Term:
    """The parameter, of entry function or command line, that executions begin with where ``condition`` holds."""
    value = m.source.parameter(m, site, width, f"parameter {site.name}", condition)
    m.source.note(m, InputEvent(site=site, value=value, condition=condition))
    return seen_input(m, site, value)


def seen_input(m: SymbolicMachine, site: InputSite, value: Term) -> Term:
    """The value of an input as the program sees it.

    It is 0 or 1 of a ``_Bool``, and of a long double no spelling that the x87 rejects.
    """
    if site.type == "long double":
        return m.floats.spelled(X87, value)
    if site.type != "_Bool":
        return value
    t, width = m.t, m.t.width[value]
    return t.ite(t.eq(value, t.const(0, width)), t.const(0, width), t.const(1, width))


def input_place_name(m: SymbolicMachine, what: str) -> str:
    """A unique name of ``what`` at this place in this iteration."""
    return m.fresh_name(f"{what}@{m.activation().context()}")


def input_as_word(m: SymbolicMachine, number: InputNumber | None, site: InputSite, width: int) -> Term:
    """The word of an input value in its type; 0 for what is no integer there."""
    if number is None:
        number = site.at_end
    if site.floating:
        f = FORMATS[site.width]
        number = (
            exact.exact_from_integer(f, number)
            if isinstance(number, int)
            else text.parse_float_text(f, number) or 0
        )
    return m.t.const(number if isinstance(number, int) else 0, width)


def miss_input(site: InputSite) -> Never:
    """Report that a fixed vector has no value for ``site``."""
    raise MissingInput(site)


def _position(m: SymbolicMachine) -> Term:
    """The number of values of the vector that the current state has read."""
    position = m.overlay.lookup(POSITION)
    assert position is not None
    return position


def _beyond(m: SymbolicMachine, context: str, width: int) -> Term:
    """An input behind the end of the vector."""
    return m.variable(f"beyond {context}", width)


def site_in_program(m: SymbolicMachine, site: InputSite) -> InputSite:
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


def is_number_of_text(m: SymbolicMachine, site: InputSite, value: Term) -> Term:
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


def allocation_site(m: SymbolicMachine) -> str:
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
        found = frame.loop(around[0]).rounds if around else found
        frame = frame.outer
    return found


def _called(callee: tree.Expression) -> str:
    """The name of the called library function, also where a model of its own does the reading."""
    name = print_syntax(callee)
    return SCANNED if name.startswith(SCANS) else name
