"""Symbolic dynamic slice: the dependence graph of all executions at once, and the nodes that influence a property.

    x = a; if (c) x = b; assert(x > 0);      ->      x = b mattered where c holds, x = a where not, c in any case

Beside each cell of memory stands the number of the node that wrote it last. A node is one execution of one part of an
instruction; it depends on the nodes of what it reads, each under the condition that it reads this, and on the
decision by which it is reached. Where states join, a node chooses between those of both sides. Every node is made
after those that it depends on, so one pass over all nodes, last ones first, turns the condition under which each
property is evaluated into the condition under which each node mattered to it.

Three kinds of decisions are depended on (``cfrontend.slice.omitted_writes`` knows the static part of the last two):

* the branch by which an instruction is reached, and the call by which its function is;
* of a value, those decisions that left out a write of its object since it was written, and the places of the writes
  that went to another element of it;
* of a property, those that could have ended the execution before, and the assumptions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Protocol, TypeAlias, final

from cfrontend.slice.omitted_writes import ENDS, OmittedWrites
from cfrontend.slice.points_to import Place
from cfrontend.symex.state import FrameState
from cfrontend.symex.store import Key, Overlay
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.units import UnitId

Node: TypeAlias = int
"""Node of the dynamic dependence graph: a number in order of execution; 0 stands for none."""

NOTHING: Final[Node] = 0

_CELLS: Final = (1 << 100) - 1
"""Bit mask that extracts the cell from a key."""

WRITER: Final[Key] = 1 << 100
"""Key offset, added to a cell: the key of the node that wrote it last."""

_OMITTED: Final[Key] = 1 << 101
"""Key offset, added to a cell or place: the key of the decisions that left out a write of it."""

_DECIDED: Final[Key] = 1 << 102
"""Key offset, added to a cell of a frame: the key of the last decision among those of a group."""

_PLACES: Final = 1 << 80
"""Key offset, added to the number of a place where it stands for a cell."""


class SlicedMachine(Protocol):
    """State of the machine that is followed."""

    t: Terms
    overlay: Overlay
    writes: dict[Key, Term]
    base: int
    deciders: list[tuple[Term, int | None]]

    def activation(self) -> FrameState:
        """The current activation."""


@final
class DynamicSlice:
    """Dynamic dependence graph of one symbolic execution; the properties ``criteria`` are its slicing criteria."""

    def __init__(self, terms: Terms, omissions: OmittedWrites, criteria: Collection[str]) -> None:
        self._terms: Final = terms
        self._omissions: Final = omissions
        self._criteria: Final = criteria
        self._on: list[list[tuple[Node, Term]]] = [[]]
        self._unit: list[UnitId | None] = [None]
        self._chosen: dict[tuple[Term, Node, Node], Node] = {}
        self._evaluated: list[tuple[Node, Term, Term]] = []
        """Nodes that evaluated a property, each with when that was violated and when it held."""
        self._current: Node = NOTHING
        self._written: dict[Place, list[Term]] | None = None
        self._partly: Key | None = None
        self._returned: list[Node] = []

    # -- nodes -------------------------------------------------------------------------------------------------

    def _node(self, unit: UnitId | None, on: Iterable[tuple[Node, Term]]) -> Node:
        self._on.append([(node, condition) for node, condition in on if node and condition != FALSE])
        self._unit.append(unit)
        return len(self._on) - 1

    def begin(self, m: SlicedMachine, unit: UnitId | None) -> Node:
        """Begin a new node at the current instruction; what is read from now on is read by it."""
        self._current = self._node(unit, [(self._decider(m), TRUE)])
        return self._current

    def end(self) -> Node:
        """End the current node, which reads nothing any more."""
        node, self._current = self._current, NOTHING
        return node

    def add(self, node: Node) -> None:
        """Add a data or control dependence of the current node on ``node``."""
        if node:
            self._on[self._current].append((node, TRUE))

    def _decider(self, m: SlicedMachine) -> Node:
        """The control dependence of the current instruction: the decision or call by which it was reached."""
        frame = m.activation()
        group = frame.function.decisions.group
        number = group[frame.pc] if frame.pc < len(group) else None
        if number is None:
            return frame.entered_by
        return m.overlay.lookup(_DECIDED + frame.base + number) or NOTHING

    def _choose(self, condition: Term, then: Node, otherwise: Node) -> Node:
        if condition == TRUE or then == otherwise:
            return then
        ways = [(then, condition), (otherwise, self._terms.not_(condition))]
        return self._made((condition, then, otherwise), ways)

    def _made(self, key: tuple[Term, Node, Node], on: Iterable[tuple[Node, Term]]) -> Node:
        """The node of what is chosen so, made once."""
        known = self._chosen.get(key)
        if known is None:
            known = self._chosen[key] = self._node(None, on)
        return known

    def join(self, key: Key, nodes: tuple[Node | None, Node | None], common: Overlay, choice: Term) -> Node:
        """The node of a key at a join point, where each of the two states may have left it unchanged."""
        one, two = ((common.lookup(key) or NOTHING) if node is None else node for node in nodes)
        return self._choose(choice, one, two)

    # -- reads and writes --------------------------------------------------------------------------------------

    def read(self, m: SlicedMachine, cell: Key, place: Place | None) -> None:
        """Record that the current node reads a cell, of an object at ``place`` unless it is a plain variable."""
        if not self._current:
            return
        always, chosen = TRUE, TRUE
        if m.deciders:
            t = m.t
            chosen = always = t.all_of(decider for decider, value in m.deciders if value is None)
            indices = [(word, value) for word, value in m.deciders if value is not None]
            chosen = t.and_(chosen, t.all_of(t.eq(word, t.const(n, t.width[word])) for word, n in indices))
        self._note(m.overlay.lookup(WRITER + cell), chosen)
        self._note(m.overlay.lookup(_OMITTED + (cell if place is None else self._place(place))), always)

    def _note(self, node: Node | None, condition: Term) -> None:
        if node and node < self._current and condition != FALSE:
            self._on[self._current].append((node, condition))

    def _place(self, place: Place) -> int:
        return _PLACES + self._omissions.number(place)

    def keeps(self, cell: Key) -> None:
        """Note that the next write of a cell is partial: some of its bytes stay as they are."""
        self._partly = cell

    def wrote(self, m: SlicedMachine, cell: Key, condition: Term, place: Place | None) -> None:
        """Record that the current node writes a cell where ``condition`` holds."""
        key, node = WRITER + cell, self._current
        before = m.overlay.lookup(key) or NOTHING
        if self._partly == cell and before:
            node = self._node(None, [(self._current, condition), (before, TRUE)])
        else:
            node = self._choose(condition, node, before)
        self._partly = None
        if node or before:
            m.writes[key] = node
        if place is None:
            self.renew(m, cell)
        elif self._written is not None:
            self._written.setdefault(place, []).append(condition)

    def forget(self, m: SlicedMachine, cell: Key) -> None:
        """Forget the writer of a cell that begins anew, without a value."""
        if m.overlay.lookup(WRITER + cell):
            m.writes[WRITER + cell] = NOTHING
        self.renew(m, cell)

    def renew(self, m: SlicedMachine, cell: Key) -> None:
        """Forget the potential dependences of a variable: what left out writes of it no longer matters."""
        if m.overlay.lookup(_OMITTED + cell):
            m.writes[_OMITTED + cell] = NOTHING

    def writer(self, m: SlicedMachine, cell: Key) -> Node:
        """The node that wrote a cell."""
        return m.overlay.lookup(WRITER + cell) or NOTHING

    # -- places ------------------------------------------------------------------------------------------------

    def choosing(self) -> None:
        """Begin writes to an element whose index is computed."""
        self._written = {}

    def chosen(self, m: SlicedMachine, by: Node) -> None:
        """End those writes: ``by`` computed the index, and could have chosen other elements."""
        written, self._written = self._written or {}, None
        for place, conditions in written.items():
            condition = TRUE if len(written) == 1 else m.t.any_of(conditions)
            self._leave_out(m.overlay, _OMITTED + self._place(place), by, condition)

    def _leave_out(self, overlay: Overlay, key: Key, by: Node, condition: Term = TRUE) -> None:
        before = overlay.lookup(key) or NOTHING
        if before != by:
            overlay.writes[key] = self._made((-1 - condition, by, before), [(by, condition), (before, TRUE)])

    # -- decisions ---------------------------------------------------------------------------------------------

    def decide(self, m: SlicedMachine, unit: UnitId | None) -> Node:
        """Record that a branch is evaluated: its groups were last decided by it."""
        frame = m.activation()
        node = self.begin(m, unit)
        for group in frame.function.decisions.groups.get(frame.pc, ()):
            m.writes[_DECIDED + frame.base + group] = node
        return node

    def omit(self, m: SlicedMachine, overlay: Overlay, places: Sequence[Place], by: Node) -> None:
        """Record a potential dependence: in a state with ``overlay``, ``by`` leaves out writes of ``places``."""
        frame = m.activation()
        for place in places:
            cell = frame.function.cell_of(place, frame.base)
            self._leave_out(overlay, _OMITTED + (self._place(place) if cell is None else cell), by)

    def kill(self, m: SlicedMachine, place: Place) -> None:
        """Record a strong update: all of the one variable at ``place`` is written."""
        self.renew(m, self._place(place))

    def ends(self, m: SlicedMachine, by: Node) -> None:
        """Record that ``by`` could have ended the execution."""
        self._leave_out(m.overlay, _OMITTED + self._place(ENDS), by)

    # -- calls -------------------------------------------------------------------------------------------------

    def enter(self, m: SlicedMachine, frame: FrameState, call: Node) -> None:
        """Enter a function by ``call``: nothing in it has been decided yet."""
        frame.entered_by = call
        for group in range(frame.function.decisions.count):
            m.writes[_DECIDED + frame.base + group] = call

    def bound(self, m: SlicedMachine, cell: Key, writer: Node) -> None:
        """Record that a parameter takes the value of an argument."""
        m.writes[WRITER + cell] = writer
        self.renew(m, cell)

    def leave(self, m: SlicedMachine, results: int) -> None:
        """Leave a function; ``results`` cells at the begin of its frame hold its value."""
        self._returned = [self.writer(m, m.base + n) for n in range(results)]

    def receive(self, m: SlicedMachine, unit: UnitId | None) -> Node:
        """Record that a new node writes the result of the last call."""
        node = self.begin(m, unit)
        self._on[node] += [(returned, TRUE) for returned in self._returned if returned]
        return node

    # -- properties --------------------------------------------------------------------------------------------

    def evaluate(self, m: SlicedMachine, node: Node, name: str, *, violated: Term, held: Term) -> None:
        """Record that ``node`` evaluated a property."""
        ended = m.overlay.lookup(_OMITTED + self._place(ENDS))
        if ended:
            self._on[node].append((ended, TRUE))
        if name in self._criteria:
            self._evaluated.append((node, violated, held))

    def coverage(self, passing: Term) -> Mapping[UnitId, Term]:
        """Sliced coverage by unit: where it influenced the violation, or a property of a passing execution."""
        t = self._terms
        mattered: defaultdict[Node, list[Term]] = defaultdict(list)
        for node, violated, held in self._evaluated:
            found = t.or_(violated, t.and_(passing, held))
            if found != FALSE:
                mattered[node].append(found)
        covered: defaultdict[UnitId, list[Term]] = defaultdict(list)
        for node in range(len(self._on) - 1, 0, -1):
            if (reasons := mattered.pop(node, None)) is None:
                continue
            here = t.any_of(dict.fromkeys(reasons))
            if (unit := self._unit[node]) is not None:
                covered[unit].append(here)
            for below, condition in self._on[node]:
                if (reason := t.and_(here, condition)) != FALSE:
                    mattered[below].append(reason)
        return {unit: t.any_of(dict.fromkeys(covered[unit])) for unit in sorted(covered)}


def cell_of_key(key: Key) -> int:
    """The cell, or place, that a key of this module belongs to."""
    return key & _CELLS
