"""Heap shape comparison: whether the memory that pointers reach is isomorphic in two versions of a program.

reference:  p ->[7|q]  q ->[8|0]      program:  p'->[7|q']  q'->[8|0]

Addresses say nothing. Two pointers agree where both are null, or lead to the same place of objects that correspond.
Two variables of one name correspond. So do objects of which each is the counterpart of one other, equally alive and
large, with contents that agree. Both versions were executed on one machine, so that the final memory of both is at
hand.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Final, TypeAlias, final

from cfrontend import terms as T  # noqa: N812 - opcode namespace
from cfrontend.errors import UnsupportedError
from cfrontend.goto.product_program import PREFIX
from cfrontend.record import dataclass
from cfrontend.symex import memory, pointers, unwritten
from cfrontend.symex.layout import SymexLayout
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.state import StateOfMemoryObject, Target
from cfrontend.syntax.types import ArrayType, CType, PointerType, StructType
from cfrontend.terms import FALSE, TRUE, Term

_MOST_PAIRS: Final = 200
"""Maximum number of pairs of objects that are compared."""

_MOST_CELLS: Final = 4096
"""Maximum number of scalars of one object that are compared."""

_WHOLE: Final = frozenset({T.CONST, T.VAR, T.ADD})
"""Operators of words that are not put together of parts."""

TOO_MANY: Final = "too many objects, or too large ones, to compare with those of the reference"
OTHER_MEMBERS: Final = "structures that have other members than in the reference"
FROM_BITS: Final = "pointers that are computed from their bits"

_Pair: TypeAlias = tuple[int, int]
"""Pair of object numbers: one of the reference, one of the program."""


@final
@dataclass(frozen=True, slots=True)
class _Met:
    """Result of comparing two pointers.

    ``differs``: they cannot agree. ``edges`` are the objects that have to correspond, with conditions.
    """

    differs: Term
    edges: tuple[tuple[_Pair, Term], ...]


@final
@dataclass(frozen=True, slots=True)
class _Compared:
    """Result of comparing two objects that correspond: what differs, and what cannot be decided; ``edges`` lead on."""

    differs: Term
    edges: tuple[tuple[_Pair, Term], ...]
    unknown: tuple[str, Term] | None = None


@final
class HeapShapes:
    """Heap isomorphism check at the end of both versions; ``differences`` compares what pointers lead to.

    ``variables`` are the keys of the global variables whose values are compared on their own.
    """

    def __init__(self, m: SymbolicMachine, variables: Collection[str]) -> None:
        self.unknown: dict[str, Term] = {}
        self._m = m
        self._variables = variables
        self._roots: defaultdict[_Pair, Term] = defaultdict(lambda: FALSE)
        self._objects: dict[int, StateOfMemoryObject] = {}
        self._names = {
            obj.number: key.removeprefix("&") for key, obj in m.shared.items() if key.startswith("&")
        }
        self._keys = m.overlay.keys()

    def pointers(self, theirs: Term, mine: Term, changed: Term = TRUE) -> Term:
        """The condition under which two pointers cannot agree, whatever is in the objects that they lead to.

        Where neither version has ``changed`` them, only what they lead to may have become another: what is allocated.
        """
        t, met = self._m.t, self._meet(theirs, mine)
        for pair, condition in met.edges:
            kept = all(self._objects[number].allocated for number in pair)
            holds = condition if kept else t.and_(changed, condition)
            self._roots[pair] = t.or_(self._roots[pair], holds)
        return t.and_(changed, met.differs)

    def differences(self) -> Iterator[Term]:
        """The condition under which corresponding objects differ; ``unknown`` gets what is undecided, and why."""
        t = self._m.t
        reached, contents = self._reached()
        for pair, here in reached.items():
            compared = contents[pair]
            yield t.and_(here, compared.differs)
            if compared.unknown is not None:
                why, condition = compared.unknown
                self._give_up(why, t.and_(here, condition))
        for side in (0, 1):
            groups: defaultdict[int, list[_Pair]] = defaultdict(list)
            for pair in reached:
                obj = self._objects[pair[side]]
                if obj.writable or obj.made_by:  # equal string literals may be one object, variables are not
                    groups[pair[side]].append(pair)
            for group in groups.values():
                for one, two in combinations(group, 2):
                    yield t.and_(reached[one], reached[two])

    def _give_up(self, why: str, condition: Term) -> None:
        if condition != FALSE:
            self.unknown[why] = self._m.t.or_(self.unknown.get(why, FALSE), condition)

    def _reached(self) -> tuple[dict[_Pair, Term], dict[_Pair, _Compared]]:
        """The condition under which each pair of objects has to correspond: reachability from the roots."""
        t = self._m.t
        reached, contents = dict(self._roots), dict[_Pair, _Compared]()
        waiting, visits = deque(reached), defaultdict[_Pair, int](int)
        while waiting:
            pair = waiting.popleft()
            here = reached[pair]
            if here == FALSE:
                continue
            if pair not in contents:
                contents[pair] = self._contents(pair)
            visits[pair] += 1
            if len(reached) > _MOST_PAIRS:
                self._give_up(TOO_MANY, TRUE)
                break
            for behind, condition in contents[pair].edges:
                before = reached.get(behind, FALSE)
                now = t.or_(before, t.and_(here, condition))
                # No way without a circle goes through more objects than there are.
                if now != before and visits[behind] <= len(reached):
                    reached[behind] = now
                    waiting.append(behind)
        return {pair: here for pair, here in reached.items() if pair in contents}, contents

    # -- pointers ------------------------------------------------------------------------------------------------

    def _meet(self, theirs: Term, mine: Term) -> _Met:
        m, t = self._m, self._m.t
        zero = t.const(0, m.word)
        null, null_too = t.eq(theirs, zero), t.eq(mine, zero)
        one, two = self._targets(theirs), self._targets(mine)
        agrees = t.and_(null, null_too)
        if not one and not two:
            return _Met(t.not_(t.or_(agrees, t.eq(theirs, mine))), ())
        both = t.not_(t.or_(null, null_too))
        edges: list[tuple[_Pair, Term]] = []
        for c, a, offset in one:
            for d, b, other in two:
                here = t.all_of((both, c, d, t.eq(offset, other)))
                corresponds = here != FALSE and self._may_correspond(a, b)
                if not corresponds:
                    continue
                agrees = t.or_(agrees, here)
                if self._has_own_contents(a, b):
                    pair = (a.number, b.number)
                    self._objects |= {a.number: a, b.number: b}
                    edges.append((pair, here))
        return _Met(t.not_(agrees), tuple(edges))

    def _targets(self, pointer: Term) -> Sequence[Target]:
        try:
            return pointers.pointer_targets(self._m, pointer)
        except UnsupportedError:
            self._give_up(FROM_BITS, TRUE)
            return ()

    def _leads(self, word: Term) -> bool:
        """Whether a word in memory is a pointer, and not a number that happens to look like one."""
        t = self._m.t
        if t.value[word] is None:
            return bool(self._targets(word))
        found = self._m.objects.at(t.value[word] or 0)
        return found is not None and 0 <= found[1] <= found[0].layout.size

    def _may_correspond(self, theirs: StateOfMemoryObject, mine: StateOfMemoryObject) -> bool:
        """Whether an object of the program can be the counterpart of one of the reference."""
        functions = [self._m.functions.get(obj.number) for obj in (theirs, mine)]
        if functions != [None, None]:
            one, two = functions
            return one is not None and two is not None and one.removeprefix(PREFIX) == two
        one, two = (self._name(obj) for obj in (theirs, mine))
        if one != two and (one in self._variables or two in self._variables):
            return False
        return theirs.allocated == mine.allocated

    def _name(self, obj: StateOfMemoryObject) -> str | None:
        name = self._names.get(obj.number)
        return None if name is None else name.removeprefix(PREFIX)

    def _has_own_contents(self, theirs: StateOfMemoryObject, mine: StateOfMemoryObject) -> bool:
        """Whether the contents of two objects are compared here: those of functions and of global variables are not."""
        is_function = mine.number in self._m.functions
        return not is_function and self._name(mine) not in self._variables and theirs.number != mine.number

    # -- objects -------------------------------------------------------------------------------------------------

    def _contents(self, pair: _Pair) -> _Compared:
        m, t = self._m, self._m.t
        theirs, mine = (self._objects[number] for number in pair)
        one, two = m.alive(theirs), m.alive(mine)
        lives = t.and_(one, two)
        differs = t.not_(t.eq(one, two))
        if lives == FALSE:
            return _Compared(differs, ())
        if _has_other_members(m, theirs.layout.type, mine.layout.type):
            return _Compared(differs, (), (OTHER_MEMBERS, lives))
        sizes = [
            t.const(obj.layout.size, m.word) if obj.limit is None else obj.limit for obj in (theirs, mine)
        ]
        differs = t.or_(differs, t.and_(lives, t.not_(t.eq(*sizes))))
        edges: list[tuple[_Pair, Term]] = []
        cells = self._cells(theirs, mine)
        if len(cells) > _MOST_CELLS:
            return _Compared(differs, (), (TOO_MANY, lives))
        for offset, size in cells:
            cell, leads = self._cell(theirs, mine, offset, size)
            differs = t.or_(differs, t.and_(lives, cell))
            edges += [(behind, t.and_(lives, condition)) for behind, condition in leads]
        return _Compared(differs, tuple(edges))

    def _cell(
        self, theirs: StateOfMemoryObject, mine: StateOfMemoryObject, offset: int, size: int
    ) -> tuple[Term, tuple[tuple[_Pair, Term], ...]]:
        """The condition under which one scalar differs; what the reference has never written may be anything."""
        m, t = self._m, self._m.t
        one, two = (
            unwritten.unwritten_unread_parts(m, partial(_load, obj, offset, size)) for obj in (theirs, mine)
        )
        if size != m.word // 8 or not (self._leads(one) or self._leads(two)):
            return unwritten.written_bits_differ(m, one, two), ()
        written, written_too = (t.not_(unwritten.is_unwritten(m, word)) for word in (one, two))
        met = self._meet(one, two)
        both = t.and_(written, written_too)
        edges = tuple((pair, t.and_(both, condition)) for pair, condition in met.edges)
        return t.and_(written, t.or_(t.not_(written_too), met.differs)), edges

    def _cells(self, theirs: StateOfMemoryObject, mine: StateOfMemoryObject) -> list[tuple[int, int]]:
        """Offsets and sizes of the scalars that either version has written, in the coarser of both layouts."""
        coarse = min((theirs.layout, mine.layout), key=lambda layout: layout.count)
        within = min(theirs.layout.size, mine.layout.size)
        found: dict[int, int] = {}
        for obj in (theirs, mine):
            begin = bisect_left(self._keys, obj.base)
            end = bisect_left(self._keys, obj.base + obj.layout.count, lo=begin)
            for key in self._keys[begin:end]:
                offset = obj.layout.cell_with_number(key - obj.base).offset
                scalar = _scalar_at(coarse, offset)
                if scalar is not None and scalar[0] + scalar[1] <= within:
                    found[scalar[0]] = scalar[1]
        word = self._m.word // 8
        small = {offset - offset % word for offset, size in found.items() if size < word}
        for start in small if theirs.allocated and mine.allocated else ():
            if start + word <= within and self._are_pointers(theirs, mine, start, word):
                found = {offset: size for offset, size in found.items() if offset - offset % word != start}
                found[start] = word
        return sorted(found.items())

    def _are_pointers(
        self, theirs: StateOfMemoryObject, mine: StateOfMemoryObject, offset: int, size: int
    ) -> bool:
        """Whether both objects have a pointer in the cells of a word: memory of no type has cells of any size.

        Parts of one pointer are that pointer again; what stays put together of parts is none.
        """
        t = self._m.t
        for obj in (theirs, mine):
            word = unwritten.unwritten_unread_parts(self._m, partial(_load, obj, offset, size))
            leaves = t.args[word][1:] if t.op[word] == T.ITE else (word,)
            if not {t.op[leaf] for leaf in leaves} <= _WHOLE or not self._leads(word):
                return False
        return True


def _load(obj: StateOfMemoryObject, offset: int, size: int, m: SymbolicMachine) -> Term:
    return memory.load_memory_at(m, obj, offset, size)


def _scalar_at(layout: SymexLayout, offset: int) -> tuple[int, int] | None:
    """Offset and size of the scalar that the byte at ``offset`` is a part of; None in padding."""
    if not offset < layout.size:
        return None
    cell = layout.cell(offset)
    return None if cell.type is None else (cell.offset, cell.size)


def _has_other_members(m: SymbolicMachine, theirs: CType, mine: CType) -> bool:
    """Whether both are made of a structure of one name that has other members in the reference."""
    match theirs, mine:
        case ArrayType(), ArrayType():
            return _has_other_members(m, theirs.element, mine.element)
        case StructType(), StructType():
            one, two = (m.layouts.structs.get(ctype.key) for ctype in (theirs, mine))
            if one is None or two is None:
                return one is not two
            shapes = [
                [(x.name, x.offset, x.bit_offset, x.bit_width, _shown(x.type)) for x in layout.members]
                for layout in (one, two)
            ]
            return shapes[0] != shapes[1] or any(
                _has_other_members(m, x.type, y.type)
                for x, y in zip(one.members, two.members, strict=True)
                if not isinstance(x.type, PointerType)
            )
        case _:
            return False


def _shown(ctype: CType) -> str:
    return str(ctype).replace(PREFIX, "")
