"""A program executed beside its reference, on the same inputs: what both print and how they end has to agree.

    reference:  printf("%d", x)      program:  printf("%d", y)
    ->  violation of the property at the program's printf:  x != y

The reference is executed first, on the machine that executes the program afterwards, so that one formula holds both:
that of the product program. What it prints is kept as a list of tokens, each with its condition and its position in
the output; a token of the program has to be the one at its position. Of one execution, on given inputs, the text is
compared, character by character. Positions are cells of the state, as are the
counts of inputs (``cfrontend.symex.shared_inputs``), so they join as all others do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias, TypeGuard, final

from cfrontend.encoded_program import EndDifference
from cfrontend.errors import UnsupportedError
from cfrontend.events import InputEvent, OutputEvent
from cfrontend.goto import ExitInstruction, GotoFunction, ObserveInstruction
from cfrontend.goto.product_program import PREFIX, ProductReference, product_type_shape
from cfrontend.record import dataclass
from cfrontend.source import contract
from cfrontend.symex import memory, pointers, unwritten
from cfrontend.symex.functions import World
from cfrontend.symex.layout import Layout, LayoutCell
from cfrontend.symex.machine import Observer, SymbolicMachine
from cfrontend.symex.observer import goes_on_anywhere
from cfrontend.symex.shared_inputs import (
    CALLED,
    EFFECTS,
    ENDED,
    PRINTED,
    RESULT,
    STATUS,
    ProgressCounters,
    SharedInputs,
)
from cfrontend.symex.state import MemoryObject, ParkedState, Target
from cfrontend.symex.tokens import (
    CHARACTER,
    INTEGER,
    KnownOutputText,
    LiteralDigits,
    Piece,
    Token,
    integer_readings,
    is_same_token,
    pieces_of,
    split_at_numbers,
    tokens_of,
    tokens_of_piece,
    tokens_of_text,
)
from cfrontend.symex.trace import value_text
from cfrontend.symex.unwritten import read_cell, written_bits_differ
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import (
    CHAR,
    ArrayType,
    CType,
    FunctionType,
    PointerType,
    StructType,
    VoidType,
    is_complete_type,
)
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace

# -- the final state ---------------------------------------------------------------------------------------------

# Relational check of the final state: global variables, and the memory that pointers in them and in the result reach.
#
# int total;   reference: total += x      program: total -= x      ->   differs where  x != 0  (of 32 bits: 2x != 0)
# f(3)         reference: return 2        program: return 5        ->   EndDifference("the result", "5", "2")
#
# Memory is compared by its shape: it has to be isomorphic in both versions.
#
# reference:  p ->[7|q]  q ->[8|0]      program:  p'->[7|q']  q'->[8|0]
#
# Addresses say nothing. Two pointers agree where both are null, or lead to the same place of objects that correspond.
# Two variables of one name correspond. So do objects of which each is the counterpart of one other, equally alive and
# large, with contents that agree. Of constants and string literals only what stands where the pointer leads to is
# compared: a structure, or a text up to its end. Both versions were executed on one machine, so that the final memory
# of both is at hand.

ABORTED: Final = 2
"""Kind of end by a call of ``abort``; 1 is that by a call of ``exit``, 0 the return of the entry function."""

_WAYS: Final = {0: "a return", 1: "a call of exit", ABORTED: "a call of abort"}


def end_difference(m: SymbolicMachine, what: str, ctype: CType, mine: Term, theirs: Term) -> EndDifference:
    """The difference of ``what``, a scalar of the type ``ctype``."""
    return EndDifference(what=what, value=value_text(m, ctype, mine), expected=value_text(m, ctype, theirs))


def end_place_name(symbol: SyntaxSymbol, layout: Layout, number: int) -> str:
    """The name of a scalar of a static variable, or of the object that a parameter of the entry leads to."""
    cell = layout.cell_with_number(number).name
    if symbol.name == contract.RESULT:
        return _result_name(cell)
    if symbol.location.file != contract.HARNESS_FILE or not symbol.name.endswith(contract.OBJECT_SUFFIX):
        return f"{symbol.name}{cell}"
    pointer = symbol.name.removesuffix(contract.OBJECT_SUFFIX)
    if cell.startswith("."):
        return f"{pointer}->{cell[1:]}"
    return f"{pointer}{cell}" if cell else f"*{pointer}"


def differing_ends(
    m: SymbolicMachine,
    ways: tuple[Term, Term],
    status: tuple[Term, Term],
    results: Sequence[tuple[LayoutCell, Term, Term]],
) -> Iterator[EndDifference]:
    """Differences of the way in which both versions end, of the status, and of the ``results`` (cell, here, there)."""
    here, there = (_WAYS.get(m.t.value[way] or 0, "") for way in ways)
    if here != there:
        yield EndDifference(what="the end", value=here, expected=there)
        return
    values = [m.t.value[one] for one in status]
    if values[0] != values[1]:
        yield EndDifference(what="the status", value=str(values[0]), expected=str(values[1]))
    for cell, mine, theirs in results:
        if cell.type is not None and written_bits_differ(m, theirs, mine) == TRUE:
            yield end_difference(m, _result_name(cell.name), cell.type, mine, theirs)


def _result_name(cell: str) -> str:
    """The name of a scalar of the result: ``the result``, ``result.x``."""
    return f"result{cell}" if cell else "the result"


# -- shapes --------------------------------------------------------------------------------------------------------

_MOST_PAIRS: Final = 200
"""Maximum number of pairs of objects that are compared."""

_MOST_CELLS: Final = 4096
"""Maximum number of scalars of one object that are compared."""

_WHOLE: Final = frozenset({T.CONST, T.VAR, T.ADD})
"""Operators of words that are not put together of parts."""

TOO_MANY: Final = "too many objects, or too large ones, to compare with those of the reference"
OTHER_MEMBERS: Final = "structures that have other members than in the reference"
FROM_BITS: Final = "pointers that are computed from their bits"
BESIDE: Final = "what stands beside that which a pointer leads to, or what a function does that it leads to"


class _Pair(NamedTuple):
    """Two objects, of the reference and of the program, by number; ``at`` are the offsets of a ``target`` in them.

    Without those it is the whole of both.
    """

    theirs: int
    mine: int
    at: tuple[int, int] | None = None
    target: CType | None = None


_Edges: TypeAlias = tuple[tuple[_Pair, Term], ...]
"""Proof obligations: pairs of objects whose contents have to be equal, each under its condition."""

_Both: TypeAlias = tuple[MemoryObject, MemoryObject]
"""An object of the reference, and one of the program."""

_Read: TypeAlias = Callable[[SymbolicMachine], Term]


@final
@dataclass(frozen=True, slots=True)
class _Compared:
    """Result of comparing two pointers, or objects that correspond: what differs, and what cannot be decided.

    ``edges`` are the objects that have to correspond. ``behind`` holds where only what stands further on in an array
    differs, or they lead to a function that does something else in each version; ``seen`` are the differences of an
    execution on fixed inputs.
    """

    differs: Term
    edges: _Edges = ()
    unknown: Mapping[str, Term] = field(default_factory=dict)
    behind: Term = FALSE
    seen: tuple[EndDifference, ...] = ()


@final
class HeapShapes:
    """Heap isomorphism check at the end of both versions; ``differences`` compares what pointers lead to.

    The values of its global variables are compared on their own. ``unknown`` says where
    something could not be compared, ``beside`` where only what callers may not look at differs, ``seen`` what differs
    of an execution on fixed inputs.
    """

    def __init__(self, m: SymbolicMachine, reference: ProductReference) -> None:
        self.unknown: dict[str, Term] = {}
        self.beside: Term = FALSE
        self.seen: list[EndDifference] = []
        self._m = m
        self._variables = frozenset(mine.key for mine, _ in reference.variables)
        self._indexed = reference.indexed
        self._unlike = reference.unlike
        self._roots: defaultdict[_Pair, Term] = defaultdict(lambda: FALSE)
        self._objects: dict[int, MemoryObject] = {}
        self._is_within_another = False
        self._contents: dict[_Pair, _Compared] = {}
        self._names = {
            obj.number: key.removeprefix("&") for key, obj in m.shared.items() if key.startswith("&")
        }
        self._keys = m.overlay.keys()

    def pointers(self, theirs: Term, mine: Term, target: CType | None, changed: Term = TRUE) -> Term:
        """The condition under which two pointers cannot agree, whatever is in the objects that they lead to.

        Where neither version has ``changed`` them, only what they lead to may have become another: what is allocated.
        """
        t, met = self._m.t, self._meet(theirs, mine, target)
        for pair, condition in met.edges:
            kept = all(self._objects[number].allocated for number in (pair.theirs, pair.mine))
            holds = condition if kept else t.and_(changed, condition)
            self._roots[pair] = t.or_(self._roots[pair], holds)
        self.beside = t.or_(self.beside, t.and_(changed, met.behind))
        return t.and_(changed, met.differs)

    def lead_to_constants(self, *given: Term) -> Term:
        """The condition under which pointers lead to nothing that anybody can write to."""
        t = self._m.t
        return t.not_(
            t.any_of(c for pointer in given for c, obj, _ in self._targets(pointer) if obj.writable)
        )

    def differences(self) -> Iterator[Term]:
        """The condition under which corresponding objects differ; ``unknown`` gets what is undecided, and why."""
        t = self._m.t
        reached = self._reached()
        for pair, here in reached.items():
            compared = self._contents[pair]
            yield t.and_(here, compared.differs)
            if self._m.is_fixed and t.and_(here, compared.differs) == TRUE:
                self.seen.extend(compared.seen)
            for why, condition in compared.unknown.items():
                self._give_up(why, t.and_(here, condition))
            self.beside = t.or_(self.beside, t.and_(here, compared.behind))
        for side in (0, 1):
            groups: defaultdict[int, list[_Pair]] = defaultdict(list)
            for pair in reached:
                number = pair.mine if side else pair.theirs
                if self._objects[number].writable:
                    groups[number].append(pair)
            for group in groups.values():
                for one, two in combinations(group, 2):
                    if one[:2] != two[:2]:
                        yield t.and_(reached[one], reached[two])

    def _give_up(self, why: str, condition: Term) -> None:
        if condition != FALSE:
            self.unknown[why] = self._m.t.or_(self.unknown.get(why, FALSE), condition)

    def _reached(self) -> dict[_Pair, Term]:
        """The condition under which each pair of objects has to correspond: reachability from the roots."""
        t = self._m.t
        reached = dict(self._roots)
        waiting, visits = deque(reached), defaultdict[_Pair, int](int)
        while waiting:
            pair = waiting.popleft()
            here = reached[pair]
            if here == FALSE:
                continue
            compared = self._compared(pair)
            visits[pair] += 1
            if len(reached) > _MOST_PAIRS:
                self._give_up(TOO_MANY, TRUE)
                break
            for behind, condition in compared.edges:
                before = reached.get(behind, FALSE)
                now = t.or_(before, t.and_(here, condition))
                # No way without a circle goes through more objects than there are.
                if now != before and visits[behind] <= len(reached):
                    reached[behind] = now
                    waiting.append(behind)
        return {pair: here for pair, here in reached.items() if pair in self._contents}

    # -- pointers ------------------------------------------------------------------------------------------------

    def _meet(self, theirs: Term, mine: Term, target: CType | None) -> _Compared:
        m, t = self._m, self._m.t
        zero = t.const(0, m.word)
        null, null_too = t.eq(theirs, zero), t.eq(mine, zero)
        one, two = self._targets(theirs), self._targets(mine)
        agrees = t.and_(null, null_too)
        if not one and not two:
            return _Compared(t.not_(t.or_(agrees, t.eq(theirs, mine))))
        both = t.not_(t.or_(null, null_too))
        edges: list[tuple[_Pair, Term]] = []
        unlike = FALSE
        for c, a, offset in one:
            for d, b, other in two:
                here = t.all_of((both, c, d))
                same = t.and_(here, t.eq(offset, other)) if self._may_correspond((a, b)) else FALSE
                self._objects |= {a.number: a, b.number: b}
                if same != FALSE and self._has_own_contents((a, b)):
                    edges += self._at_one_place((a, b), offset, target, same)
                if m.functions.get(b.number) in self._unlike:
                    unlike = t.or_(unlike, same)
                elsewhere = self._at_equal_places((a, b), (offset, other), target, t.and_(here, t.not_(same)))
                edges += elsewhere
                agrees = t.any_of((agrees, same, *(condition for _, condition in elsewhere)))
        return _Compared(t.not_(agrees), tuple(edges), behind=unlike)

    def _at_one_place(self, both: _Both, offset: Term, target: CType | None, here: Term) -> _Edges:
        """Proof obligations where pointers lead to one place of two objects.

        Memory that was allocated is compared as a whole, and so is a table if nobody computes places in it.
        """
        whole = _Pair(both[0].number, both[1].number)
        is_static = not any(obj.allocated or obj.automatic for obj in both)
        if not is_static or not self._is_seen_alone(target) or self._is_table(both[1], target):
            return ((whole, here),)
        if not self._is_within_another and self._compared(whole) == _Compared(FALSE):
            return ()
        t = self._m.t
        found = tuple(
            (whole._replace(at=(at, at), target=target), condition)
            for at in self._places(both[1], target, offset)
            if (condition := t.and_(here, t.eq(offset, t.const(at, self._m.word)))) != FALSE
        )
        return found or ((whole, here),)

    def _at_equal_places(
        self, both: _Both, offsets: tuple[Term, Term], target: CType | None, here: Term
    ) -> _Edges:
        """Proof obligations where pointers lead to different places of constants, which hold equal values then."""
        is_constant = not any(obj.writable or obj.automatic for obj in both)
        if here == FALSE or not is_constant or not self._is_seen_alone(target):
            return ()
        t, word = self._m.t, self._m.word
        one, two = (
            [(at, t.eq(offset, t.const(at, word))) for at in self._places(obj, target, offset)]
            for obj, offset in zip(both, offsets, strict=True)
        )
        if len(one) * len(two) > _MOST_CELLS:
            self._give_up(TOO_MANY, here)
            return ()
        return tuple(
            (_Pair(both[0].number, both[1].number, (at, other), target), condition)
            for at, is_there in one
            for other, is_there_too in two
            if (condition := t.all_of((here, is_there, is_there_too))) != FALSE
        )

    def _is_table(self, obj: MemoryObject, target: CType) -> bool:
        """Whether a pointer to a structure is one to the whole table: nobody computes the place of one in it."""
        elements = obj.layout.type.element if isinstance(obj.layout.type, ArrayType) else None
        return (
            isinstance(target, StructType)
            and isinstance(elements, StructType)
            and elements.key.removeprefix(PREFIX) == target.key.removeprefix(PREFIX)
            and target.key.removeprefix(PREFIX) not in self._indexed
        )

    def _places(self, obj: MemoryObject, target: CType | None, offset: Term) -> Sequence[int]:
        """The offsets in an object that a pointer to ``target`` may lead to."""
        t = self._m.t
        if t.value[offset] is not None:
            return (t.signed(t.value[offset] or 0, self._m.word),)
        if target is None or obj.layout.count > _MOST_CELLS:
            return ()
        layout = self._m.layouts.of(target)
        found = _places_of(obj.layout, layout, 0)
        values = self._m.values.of(offset)
        return [at for at in dict.fromkeys(found) if values is None or at in values]

    def _is_seen_alone(self, target: CType | None) -> TypeGuard[CType]:
        """Whether the type of a pointer says what is looked at where it leads to."""
        if target is None or isinstance(target, VoidType | FunctionType):
            return False
        return is_complete_type(target, self._m.layouts.structs)

    def _targets(self, pointer: Term) -> Sequence[Target]:
        try:
            return pointers.targets_of(self._m, pointer)
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

    def _may_correspond(self, both: _Both) -> bool:
        """Whether an object of the program can be the counterpart of one of the reference."""
        one, two = (self._m.functions.get(obj.number) for obj in both)
        if one is not None or two is not None:
            return one is not None and one.removeprefix(PREFIX) == two
        one, two = (self._name(obj) for obj in both)
        if one != two and (one in self._variables or two in self._variables):
            return False
        return both[0].allocated == both[1].allocated

    def _name(self, obj: MemoryObject) -> str | None:
        name = self._names.get(obj.number)
        return None if name is None else name.removeprefix(PREFIX)

    def _has_own_contents(self, both: _Both) -> bool:
        """Whether the contents of two objects are compared here: not of functions, or of objects that begin alike."""
        mine = both[1]
        begins_alike = self._name(mine) in self._variables and mine.location.file == contract.HARNESS_FILE
        return mine.number not in self._m.functions and not begins_alike and both[0] is not mine

    # -- objects -------------------------------------------------------------------------------------------------

    def _compared(self, pair: _Pair) -> _Compared:
        found = self._contents.get(pair)
        if found is None:
            both = self._objects[pair.theirs], self._objects[pair.mine]
            before, self._is_within_another = self._is_within_another, True
            if pair.at is not None and pair.target is not None:
                found = self._part(both, pair.at, pair.target)
            else:
                found = self._whole(both)
            self._contents[pair] = found
            self._is_within_another = before
        return found

    def _whole(self, both: _Both) -> _Compared:
        """Compare two objects as a whole."""
        m, t, (theirs, mine) = self._m, self._m.t, both
        one, two = m.alive(theirs), m.alive(mine)
        lives = t.and_(one, two)
        differs = t.not_(t.eq(one, two))
        if lives == FALSE:
            return _Compared(differs)
        if _has_other_members(m, theirs.layout.type, mine.layout.type):
            return _Compared(differs, unknown={OTHER_MEMBERS: lives})
        sizes = [t.const(obj.layout.size, m.word) if obj.limit is None else obj.limit for obj in both]
        differs = t.or_(differs, t.and_(lives, t.not_(t.eq(*sizes))))
        cells = self._cells(both)
        if len(cells) > _MOST_CELLS:
            return _Compared(differs, unknown={TOO_MANY: lives})
        found = _Compared(differs)
        for offset, size in cells:
            loads = [partial(_load, obj, offset, size) for obj in both]
            cell = None if mine.layout.cell(offset).offset != offset else mine.layout.cell(offset)
            ctype, name = (None, "") if cell is None else (cell.type, f"{mine.name}{cell.name}")
            found = self._joined(found, self._scalar(loads, size, ctype, name), lives)
        return found

    def _part(self, both: _Both, at: tuple[int, int], target: CType) -> _Compared:
        """Compare what pointers to ``target`` lead to, at these offsets of objects that always live.

        A number is seen with its array, as far as both go, and a text up to its end.
        """
        m = self._m
        if _has_other_members(m, both[0].layout.type, both[1].layout.type):
            return _Compared(FALSE, unknown={OTHER_MEMBERS: TRUE})
        size = m.layouts.of(target).size
        arrays = [_array_around(obj.layout, place, size) for obj, place in zip(both, at, strict=True)]
        one, two = arrays
        if one is None or two is None:
            return _Compared(TRUE if one is not two else FALSE)

        compared = partial(self._scalar_of_part, both, at)
        found = _Compared(FALSE)
        if isinstance(target, StructType | ArrayType):
            for cell in m.layouts.of(target).scalars():
                found = self._joined(found, compared(cell.offset, cell.size, cell.type), TRUE)
            return found
        before = min(at[0] - one[0], at[1] - two[0])
        behind = min(one[1] - at[0], two[1] - at[1])
        is_one_place = (at[0] - one[0], one[1] - at[0]) == (at[1] - two[0], two[1] - at[1])
        if target == CHAR:
            found = self._text(both, at, behind)
        for offset in range(-before if is_one_place else 0, behind, size):
            scalar = compared(offset, size, target)
            if target != CHAR and (is_one_place or offset == 0):
                found = self._joined(found, scalar, TRUE)
            elif target != CHAR or is_one_place:
                unlike = (condition for _, condition in scalar.edges)
                found = replace(found, behind=m.t.any_of((found.behind, scalar.differs, *unlike)))
        is_longer = target != CHAR and one[1] - at[0] != two[1] - at[1]
        return replace(found, behind=TRUE) if is_longer else found

    def _scalar_of_part(
        self, both: _Both, at: tuple[int, int], offset: int, size: int, ctype: CType | None
    ) -> _Compared:
        loads = [partial(_load, obj, place + offset, size) for obj, place in zip(both, at, strict=True)]
        name = f"{both[1].name}{both[1].layout.cell(at[1] + offset).name}"
        return self._scalar(loads, size, ctype, name)

    def _text(self, both: _Both, at: tuple[int, int], most: int) -> _Compared:
        """Compare texts of at most so many characters up to their ends."""
        m, t, goes_on, found = self._m, self._m.t, TRUE, _Compared(FALSE)
        for n in range(most):
            character = self._scalar_of_part(both, at, n, 1, CHAR)
            found = self._joined(found, character, goes_on)
            one = unwritten.unread_value(m, partial(_load, both[0], at[0] + n, 1))
            ends = t.eq(one, t.const(0, 8))
            goes_on = t.all_of((goes_on, t.not_(character.differs), t.not_(ends)))
            if goes_on == FALSE:
                break
        return found

    def _joined(self, found: _Compared, scalar: _Compared, condition: Term) -> _Compared:
        """Comparison of ``found`` and, where ``condition`` holds, of a scalar: they differ where one does."""
        t = self._m.t
        return _Compared(
            t.or_(found.differs, t.and_(condition, scalar.differs)),
            (*found.edges, *((pair, t.and_(condition, here)) for pair, here in scalar.edges)),
            found.unknown,
            t.or_(found.behind, t.and_(condition, scalar.behind)),
            (*found.seen, *scalar.seen) if condition == TRUE else found.seen,
        )

    def _scalar(self, both: Sequence[_Read], size: int, ctype: CType | None, name: str) -> _Compared:
        """Compare one scalar; what the reference has never written may be anything."""
        m, t = self._m, self._m.t
        one, two = (unwritten.unread_value(m, read) for read in both)
        if size != m.word // 8 or not (self._leads(one) or self._leads(two)):
            differs = unwritten.written_bits_differ(m, one, two)
            if ctype is None or not m.is_fixed or differs != TRUE:
                return _Compared(differs)
            return _Compared(differs, seen=(end_difference(m, name, ctype, two, one),))
        written, written_too = (t.not_(unwritten.is_unwritten(m, word)) for word in (one, two))
        met = self._meet(one, two, ctype.target if isinstance(ctype, PointerType) else None)
        both_written = t.and_(written, written_too)
        edges = tuple((pair, t.and_(both_written, condition)) for pair, condition in met.edges)
        return _Compared(
            t.and_(written, t.or_(t.not_(written_too), met.differs)),
            edges,
            behind=t.and_(both_written, met.behind),
        )

    def _cells(self, both: _Both) -> list[tuple[int, int]]:
        """Offsets and sizes of the scalars that either version has written, in the coarser of both layouts."""
        coarse = min((obj.layout for obj in both), key=lambda layout: layout.count)
        within = min(obj.layout.size for obj in both)
        found: dict[int, int] = {}
        for obj in both:
            begin = bisect_left(self._keys, obj.base)
            end = bisect_left(self._keys, obj.base + obj.layout.count, lo=begin)
            for key in self._keys[begin:end]:
                offset = obj.layout.cell_with_number(key - obj.base).offset
                scalar = _scalar_at(coarse, offset)
                if scalar is not None and scalar[0] + scalar[1] <= within:
                    found[scalar[0]] = scalar[1]
        word = self._m.word // 8
        small = {offset - offset % word for offset, size in found.items() if size < word}
        for start in small if all(obj.allocated for obj in both) else ():
            if start + word <= within and self._are_pointers(both, start, word):
                found = {offset: size for offset, size in found.items() if offset - offset % word != start}
                found[start] = word
        return sorted(found.items())

    def _are_pointers(self, both: _Both, offset: int, size: int) -> bool:
        """Whether both objects have a pointer in the cells of a word: memory of no type has cells of any size.

        Parts of one pointer are that pointer again; what stays put together of parts is none.
        """
        t = self._m.t
        for obj in both:
            word = unwritten.unread_value(self._m, partial(_load, obj, offset, size))
            leaves = t.args[word][1:] if t.op[word] == T.ITE else (word,)
            if not {t.op[leaf] for leaf in leaves} <= _WHOLE or not self._leads(word):
                return False
        return True


def _array_around(layout: Layout, offset: int, size: int) -> tuple[int, int] | None:
    """Begin and end of the innermost array of scalars around ``offset``; None where no ``size`` bytes are there."""
    begin = 0
    if not 0 <= offset <= layout.size - size:
        return None
    while True:
        if layout.element is not None:
            if not isinstance(layout.element.type, ArrayType | StructType):
                return begin, begin + layout.size
            begin += (offset - begin) // layout.stride * layout.stride
            layout = layout.element
            continue
        parts = [part for part in layout.parts if part[0] <= offset - begin]
        if not parts or parts[-1][3] is None:
            return offset, offset + size
        begin, layout = begin + parts[-1][0], parts[-1][3]


def _places_of(layout: Layout, target: Layout, begin: int) -> Iterator[int]:
    """The offsets of all parts of an object, from ``begin`` on, that are like ``target``."""
    is_scalar = not isinstance(layout.type, ArrayType | StructType)
    if _shown(layout.type) == _shown(target.type) or (is_scalar and layout.size == target.size):
        yield begin
    if layout.element is not None:
        for n in range(layout.size // (layout.stride or 1)):
            yield from _places_of(layout.element, target, begin + n * layout.stride)
    for start, _, _, inner, scalar in layout.parts if not is_scalar else ():
        if inner is not None:
            yield from _places_of(inner, target, begin + start)
        elif scalar is not None and not isinstance(target.type, ArrayType | StructType):
            yield begin + start


def _load(obj: MemoryObject, offset: int, size: int, m: SymbolicMachine) -> Term:
    return memory.load_at(m, obj, offset, size, sees=False)


def _scalar_at(layout: Layout, offset: int) -> tuple[int, int] | None:
    """Offset and size of the scalar that the byte at ``offset`` is a part of; None in padding."""
    if not offset < layout.size:
        return None
    cell = layout.cell(offset)
    return None if cell.type is None else (cell.offset, cell.size)


def _has_other_members(m: SymbolicMachine, theirs: CType, mine: CType) -> bool:
    """Whether both are made of a structure that has other members in the reference."""
    while isinstance(theirs, ArrayType) and isinstance(mine, ArrayType):
        theirs, mine = theirs.element, mine.element
    if not (isinstance(theirs, StructType) and isinstance(mine, StructType)):
        return False
    one, two = (product_type_shape(ctype, m.layouts.structs, 0) for ctype in (theirs, mine))
    return one != two


def _shown(ctype: CType) -> str:
    return str(ctype).replace(PREFIX, "")


# -- global variables ----------------------------------------------------------------------------------------------


@final
class FinalState:
    """Global variables of both versions of a product program, with their initial values.

    That is, of each, the scalars that were written before the entry function, by number. ``seen`` are differences of
    executions on fixed inputs.
    """

    def __init__(self, world: World, reference: ProductReference) -> None:
        self._world: Final = world
        self._reference: Final = reference
        self._initial: Final[dict[str, dict[int, Term]]] = {}
        self.seen: Final[list[EndDifference]] = []

    def note_globals(self, m: SymbolicMachine, *, of_reference: bool) -> None:
        """Keep the initial values of the compared global variables, as far as those were written."""
        written = m.overlay.keys()
        for pair in (*self._reference.variables, *self._reference.kept):
            symbol = pair[of_reference]
            numbers = self._world.written_scalars(m, symbol, written)
            self._initial[symbol.key] = {n: self._world.static_scalar(m, symbol, n) for n in numbers}

    def shapes(self, m: SymbolicMachine) -> HeapShapes:
        """A comparison of what pointers lead to in both versions."""
        return HeapShapes(m, self._reference)

    def differences(
        self, m: SymbolicMachine, returned: Iterable[tuple[PointerType, Term, Term]]
    ) -> tuple[list[Term], HeapShapes]:
        """Where the final state differs from that of the reference, and the comparison of what pointers lead to.

        Compared are global variables, and what pointers in them and in the result lead to. What neither version wrote
        is looked at where such pointers lead.
        """
        shapes = self.shapes(m)
        found = [shapes.pointers(theirs, mine, ctype.target) for ctype, theirs, mine in returned]
        found += self._unlike(m, shapes, self._reference.variables)
        found += shapes.differences()
        self.seen.extend(shapes.seen)
        return found, shapes

    def library_differs(self, m: SymbolicMachine) -> Term:
        """Where the library keeps something else for its later calls than in the reference: what was pushed back."""
        shapes = self.shapes(m)
        found = list(self._unlike(m, shapes, self._reference.kept))
        return m.t.any_of((*found, *shapes.differences(), shapes.beside, *shapes.unknown.values()))

    def _unlike(
        self, m: SymbolicMachine, shapes: HeapShapes, variables: Iterable[tuple[SyntaxSymbol, SyntaxSymbol]]
    ) -> Iterator[Term]:
        """Where variables that either version has changed differ, by ``shapes`` in what pointers lead to."""
        world, written = self._world, m.overlay.keys()
        for mine, other in variables:
            scalars = world.written_scalars(m, mine, written) | world.written_scalars(m, other, written)
            for number in sorted(scalars):
                before: list[Term] = []
                for symbol in (mine, other):
                    known = self._initial[symbol.key].get(number)
                    before.append(world.initial_scalar(m, symbol, number) if known is None else known)
                one, two = (world.static_scalar(m, symbol, number) for symbol in (mine, other))
                changed = _is_changed(m, (before[0], before[1]), (one, two))
                ctype = scalars[number]
                if not isinstance(ctype, PointerType):
                    differs = m.t.and_(changed, written_bits_differ(m, two, one))
                elif m.unknown.isdisjoint((one, two)):
                    differs = shapes.pointers(two, one, ctype.target, changed)
                else:
                    continue
                yield differs
                if m.is_fixed and differs == TRUE:
                    name = end_place_name(mine, world.layouts.of(mine.type), number)
                    self.seen.append(end_difference(m, name, ctype, one, two))


def _is_changed(m: SymbolicMachine, before: tuple[Term, Term], after: tuple[Term, Term]) -> Term:
    """Whether either version has changed a word. What neither changes is no result: a table may differ."""
    return m.t.any_of(m.t.not_(m.t.eq(one, two)) for one, two in zip(before, after, strict=True))


_FIRST_OF_RESULT: Final = len((PRINTED, ENDED, STATUS))
"""Index of the first word of the result among what is known of the end."""

_POINTERS: Final = -1
"""Number of the sequence of what is known of the pointers that undefined functions are given; no cell counts it."""

_OTHER_EFFECTS: Final = "other side effects than the reference has"
"""What an execution ends with that differs outside of the process."""

_READ_ON: Final = (
    "more or less of the input read than by the reference, so that later calls read on elsewhere"
)
_KEPT: Final = (
    "something else kept by the library for later calls (ungetc, strtok, rand …) than in the reference"
)
"""What an execution ends with that only later calls see."""

_UNKNOWN_EFFECTS: Final = "side effects that are not compared"
"""What an execution ends with of which nothing is known."""


@final
@dataclass(frozen=True, slots=True)
class _Logged:
    """Output token that the reference prints at ``position``."""

    token: Token
    position: Term


@final
class RelationalCheck(Observer):
    """Relational observer of the product program: the program's output and end have to agree with its reference's.

    ``outputs`` is what the reference prints, ``ended`` are the states in which it has come to its end. ``endless``
    holds where the program goes on behind it, ``uncompared`` where the two cannot be compared, by the reason, ``alike``
    where nothing that is compared differs, ``effects`` where side effects may, by what they are.
    """

    compares_output = True

    def __init__(
        self,
        reference: ProductReference,
        world: World,
        entry: GotoFunction,
        counters: ProgressCounters,
        inputs: SharedInputs,
    ) -> None:
        self.reference: Final = reference
        self.terms: Final = world.terms
        self.inputs: Final = inputs
        self.outputs: Final[list[OutputEvent]] = []
        self.ended: Final[list[ParkedState]] = []
        self.uncompared: Final[dict[str, Term]] = {}
        self.endless: Final[list[Term]] = []
        self.alike: Term = FALSE
        self._open: Final[dict[str, Term]] = {}
        self.effects: Final[dict[str, Term]] = {}
        self._unlike_effects: Final[dict[str, Term]] = {}
        self._effect_count: Term | None = None
        self._position: Term | None = None
        self._affected: Final[list[str]] = []
        self._counters: Final = counters
        self._cell: Final = counters.cell
        self._final: Final = FinalState(world, reference)
        has_result = entry.name != "main" and not isinstance(entry.result, VoidType)  # of main it is a status
        self._cells: Final = tuple(world.layouts.of(entry.result).scalars()) if has_result else ()
        self._widths: Final = tuple(8 * cell.size for cell in self._cells)
        self._pointers: Final = {
            n: cell.type for n, cell in enumerate(self._cells) if isinstance(cell.type, PointerType)
        }
        self.differences: Final[list[EndDifference]] = []
        self._at: Final[dict[tuple[int, int], list[_Logged]]] = {}
        self._anywhere: Final[dict[int, list[_Logged]]] = {}
        self._digits: Final[dict[int | None, list[LiteralDigits]]] = {}
        self._text: Final = KnownOutputText()
        self._stopped: int | None = None
        self._end: tuple[Term, ...] = ()

    # -- the two executions ----------------------------------------------------------------------------------

    def begin(self, m: SymbolicMachine) -> None:
        """Begin the reference: allocate the progress counters."""
        self._counters.begin(m)
        m.follow_reference()

    def note_globals(self, m: SymbolicMachine) -> None:
        """Keep the initial values of global variables, before the entry function begins."""
        self._final.note_globals(m, of_reference=m.is_reference)

    def go_on(self, m: SymbolicMachine) -> None:
        """Begin the program, with the same inputs: the reference has ended."""
        self._end = self._result(m)
        self._effect_count = read_cell(m, self._cell(EFFECTS))
        self._position = self.inputs.position(m)
        for cell in (PRINTED, ENDED, STATUS, EFFECTS, *self._counters.called):
            m.writes[self._cell(cell)] = self.terms.const(0, 32)
        self.inputs.go_on(m)
        m.follow_program()

    @property
    def unread(self) -> tuple[InputEvent, ...]:
        """Inputs that the reference has read, and the program has not, before what they print first differs."""
        return self.inputs.unread(self._stopped)

    # -- output ----------------------------------------------------------------------------------------------

    def prints(self, m: SymbolicMachine, event: OutputEvent) -> bool:
        """Compare what the current state prints: False when no execution goes on."""
        if m.is_reference:
            self.outputs.append(event)
        elif m.relax and (frame := m.caller()) is not None and frame.instruction().unit in m.relax:
            return self._anything(m)
        if m.is_fixed:
            return all(self._piece(m, piece) for piece in pieces_of(self.terms, event))
        if self.reference.by_call:
            tokens = tokens_of(self.terms, event, by_call=True)
            return all(self._token(m, token, PRINTED) for token in tokens)
        return all(self._printed(m, piece) for piece in pieces_of(self.terms, event))

    def calls(
        self,
        m: SymbolicMachine,
        call: ObserveInstruction,
        words: Sequence[Term],
        pointers: Sequence[Term],
    ) -> bool:
        """Compare the next call of a function that nobody defines: False when no execution goes on.

        Of pointers, null is compared, and what they lead to where that is constant: nobody writes to it before the
        other version calls. Where others lead somewhere, or arguments are left out, the end of the execution says
        nothing.
        """
        t, site = self.terms, CALLED
        widths = tuple(t.width[word] for word in words)
        given = Token(TRUE, ("pointers", call.called, len(pointers)), tuple(pointers))
        position = read_cell(m, self._cell(site))
        unlike = FALSE
        if m.is_reference:
            self._log(m, given, _POINTERS, position)
        elif pointers:
            unlike, unknown = self._unlike_pointers(m, call, given, position)
            self._note(m, self._open, f"what pointers lead to where {call.called} is called", unknown)
        if call.left_out and not m.is_reference:
            self._note(m, self._open, f"{call.left_out} where {call.called} is called", TRUE)
        null = tuple(null_as_word(t, pointer) for pointer in pointers)
        token = Token(TRUE, ("called", call.called, widths), (*words, *null))
        place = self._place_here(m, self.reference.calls)
        return self._token(m, token, site, place) and (
            m.is_reference or self._differs_where(m, unlike, place)
        )

    def _unlike_pointers(
        self, m: SymbolicMachine, call: ObserveInstruction, given: Token, position: Term
    ) -> tuple[Term, Term]:
        """Where the pointers of a call lead to other constants than in the reference, and where that is not known."""
        t = self.terms
        types = [e.type.target for e in call.arguments if isinstance(e.type, PointerType)]
        unlike = unknown = FALSE
        for item in self._logged(m, _POINTERS, position):
            here = t.and_(item.token.condition, t.eq(item.position, position))
            if here == FALSE or item.token.tag != given.tag:
                continue
            for ctype, theirs, mine in zip(types, item.token.words, given.words, strict=True):
                shapes = self._final.shapes(m)
                is_known = shapes.lead_to_constants(theirs, mine)
                others = t.any_of((shapes.pointers(theirs, mine, ctype), *shapes.differences()))
                beside = t.any_of((t.not_(is_known), shapes.beside, *shapes.unknown.values()))
                unlike = t.or_(unlike, t.all_of((here, is_known, others)))
                unknown = t.or_(unknown, t.and_(here, beside))
        return unlike, unknown

    def affects(self, m: SymbolicMachine, event: OutputEvent | None, what: str) -> None:
        """Compare the next side effect outside of the process: executions that differ in it may agree in all else."""
        t, key = self.terms, self._cell(EFFECTS)
        if event is None:
            self._note(m, self._unlike_effects, f"{_UNKNOWN_EFFECTS} ({what})", TRUE)
            return
        if m.is_reference and what not in self._affected:
            self._affected.append(what)
        for token in tokens_of(t, event, by_call=False):
            position = read_cell(m, key)
            if m.is_reference:
                self._log(m, token, EFFECTS, position)
            else:
                unlike = t.not_(self._agrees(m, token, EFFECTS, position))
                self._note(
                    m, self._unlike_effects, f"{_OTHER_EFFECTS} ({what})", t.and_(token.condition, unlike)
                )
            m.writes[key] = t.ite(token.condition, t.add(position, t.const(1, 32)), position)

    def _keep_unlike_effects(self, m: SymbolicMachine) -> None:
        """Keep when executions of the current path, which have ended alike, differ in side effects."""
        t = self.terms
        if self._effect_count is not None and self._affected:
            fewer = t.not_(t.eq(read_cell(m, self._cell(EFFECTS)), self._effect_count))
            self._note(m, self._unlike_effects, f"{_OTHER_EFFECTS} ({' or '.join(self._affected)})", fewer)
        for what, condition in self._unlike_effects.items():
            self._note(m, self.effects, what, condition)

    def _note(self, m: SymbolicMachine, into: dict[str, Term], why: str, condition: Term) -> None:
        """Note by its reason that executions of the current path may not agree where ``condition`` holds."""
        t = self.terms
        if (here := t.and_(m.path.term, condition)) != FALSE:
            into[why] = t.or_(into.get(why, FALSE), here)

    def _anything(self, m: SymbolicMachine) -> bool:
        """Match an angelic output: a relaxed unit prints whatever the reference prints here, however much."""
        return goes_on_anywhere(m, self._cell(PRINTED), self._end[0])

    def _printed(self, m: SymbolicMachine, piece: Piece) -> bool:
        """Compare a piece of the output of all executions: False when no execution goes on."""
        tokens = tokens_of_piece(self.terms, piece)
        if piece.known is None or any(token.tag != CHARACTER for token in tokens):
            return all(
                self._integer(m, token) if token.tag[:1] == INTEGER else self._token(m, token, PRINTED)
                for token in tokens
            )
        return all(self._literal_part(m, part) for part in split_at_numbers(piece.known))

    def _literal_part(self, m: SymbolicMachine, part: bytes) -> bool:
        """Compare plain text, which may be a number that the other version prints as such."""
        t, key = self.terms, self._cell(PRINTED)
        tokens = tokens_of_text(t, part)
        if not part[-1:].isdigit():
            return all(self._token(m, token, PRINTED) for token in tokens)
        position = read_cell(m, key)
        places = [position]
        places += [t.add(position, t.const(n, 32)) for n in range(1, len(part) + 1)]
        if m.is_reference:
            for n, place in enumerate(places[:-1]):
                digits = LiteralDigits(m.path.term, place, part[n:])
                for at in m.values.of(place) or (None,):
                    self._digits.setdefault(at, []).append(digits)
            return all(self._token(m, token, PRINTED) for token in tokens)
        alike = [self._agrees(m, token, PRINTED, place) for token, place in zip(tokens, places, strict=False)]
        found = [(t.all_of(alike), places[-1])]
        for n, place in enumerate(places[:-1]):
            before = t.all_of(alike[:n])
            if before == FALSE:
                break
            for item in self._logged(m, PRINTED, place):
                for same, length in integer_readings(t, item.token, part[n:]):
                    here = t.all_of((before, item.token.condition, t.eq(item.position, place), same))
                    if length == len(part) - n and here != FALSE:
                        found.append((here, t.add(place, t.const(1, 32))))
        return self._moves(m, position, TRUE, found)

    def _integer(self, m: SymbolicMachine, token: Token) -> bool:
        """Compare a number, which the reference may print as plain text."""
        if m.is_reference:
            return self._token(m, token, PRINTED)
        t, position = self.terms, read_cell(m, self._cell(PRINTED))
        places = m.values.of(position)
        found = [(self._agrees(m, token, PRINTED, position), t.add(position, t.const(1, 32)))]
        there = (
            sorted(place for place in self._digits if place is not None) if places is None else sorted(places)
        )
        for digits in dict.fromkeys(one for place in (*there, None) for one in self._digits.get(place, ())):
            here = t.and_(digits.condition, t.eq(digits.position, position))
            readings = integer_readings(t, token, digits.text)
            found += [(t.and_(here, same), t.add(position, t.const(n, 32))) for same, n in readings if n]
        return self._moves(m, position, token.condition, found)

    def _moves(
        self, m: SymbolicMachine, position: Term, condition: Term, found: Sequence[tuple[Term, Term]]
    ) -> bool:
        """Go on at the position of the way in which the outputs agree; where there is none, they differ."""
        t = self.terms
        differs = t.and_(condition, t.not_(t.any_of(same for same, _ in found)))
        if not self._differs_where(m, differs):
            return False
        moved = position
        for same, there in found:
            moved = t.ite(same, there, moved)
        m.writes[self._cell(PRINTED)] = t.ite(condition, moved, position)
        return True

    def _piece(self, m: SymbolicMachine, piece: Piece) -> bool:
        """Compare a piece of the output of one execution, character by character: False when nothing goes on.

        The position counts characters here, but for what the reference prints in a way that is not known.
        """
        t, key = self.terms, self._cell(PRINTED)
        place = t.value[read_cell(m, key)]
        if piece.known is None or place is None or (m.is_reference and m.path.term != TRUE):
            return self._unknown_piece(m, piece)
        if m.is_reference:
            self._text.note(place, piece)
            m.writes[key] = t.const(place + len(piece.known), 32)
            return True
        alike = self._text.common(place, piece.known)
        m.checked[self._property_here(m)].add(m.path.term)
        m.writes[key] = t.const(place + alike, 32)
        if alike == len(piece.known):
            return True
        if self._at or self._anywhere:
            m.writes[key] = t.const(place, 32)
            return self._unknown_piece(m, piece)
        return self._differs_where(m, TRUE)

    def _unknown_piece(self, m: SymbolicMachine, piece: Piece) -> bool:
        """Compare a piece where it or the reference's output is not known."""
        tokens = tokens_of_piece(self.terms, piece)
        if m.is_reference or all(token.tag == CHARACTER for token in tokens):
            return all(self._token(m, token, PRINTED) for token in tokens)
        (token,) = tokens
        return self._number_in_text(m, token, piece)

    def _number_in_text(self, m: SymbolicMachine, token: Token, piece: Piece) -> bool:
        """Compare a number with the text of the reference: it is one that stands there."""
        t, key = self.terms, self._cell(PRINTED)
        position = read_cell(m, key)
        places = m.values.of(position)
        one = t.const(1, 32)
        found = [(self._agrees(m, token, PRINTED, position), t.add(position, one))]
        for place in self._text.places() if places is None else sorted(places):
            here = t.eq(position, t.const(place, 32))
            for same, length in self._text.readings(t, place, token, piece):
                found.append((t.and_(here, same), t.const(place + length, 32)))
        return self._moves(m, position, token.condition, found)

    def _differs_where(self, m: SymbolicMachine, differs: Term, name: str = "") -> bool:
        """Violate a property, of what is printed here, where ``differs`` holds: False when no execution goes on."""
        t = self.terms
        name = name or self._property_here(m)
        m.checked[name].add(m.path.term)
        m.violate(name, differs)
        if differs == TRUE:
            self._stopped = t.value[read_cell(m, self._cell(PRINTED))]
        return differs != TRUE and m.assume(t.not_(differs))

    def _token(self, m: SymbolicMachine, token: Token, counted: int, name: str = "") -> bool:
        """Compare the next token of the sequence that is ``counted`` in this cell."""
        t = self.terms
        key = self._cell(counted)
        position = read_cell(m, key)
        if m.is_reference:
            self._log(m, token, counted, position)
        else:
            differs = t.and_(token.condition, t.not_(self._agrees(m, token, counted, position)))
            if not self._differs_where(m, differs, name):
                return False
        m.writes[key] = t.ite(token.condition, t.add(position, t.const(1, 32)), position)
        return True

    def _log(self, m: SymbolicMachine, token: Token, counted: int, position: Term) -> None:
        """Keep a token of the reference."""
        here = Token(self.terms.and_(m.path.term, token.condition), token.tag, token.words, token.text)
        logged = _Logged(here, position)
        found = m.values.of(position)
        for place in found or ():
            self._at.setdefault((counted, place), []).append(logged)
        if found is None:
            self._anywhere.setdefault(counted, []).append(logged)

    def _agrees(self, m: SymbolicMachine, token: Token, counted: int, position: Term) -> Term:
        """The condition under which the reference prints ``token`` at ``position``."""
        t = self.terms
        found = FALSE
        for item in self._logged(m, counted, position):
            same = is_same_token(t, item.token, token)
            if same != FALSE:
                here = t.eq(item.position, position)
                found = t.or_(found, t.all_of((item.token.condition, here, same)))
        if counted == PRINTED and token.tag == CHARACTER:
            places = m.values.of(position)
            for place in self._text.places() if places is None else sorted(places):
                found = t.or_(found, self._text.has(t, place, position, token.words[0]))
        return found

    def _logged(self, m: SymbolicMachine, counted: int, position: Term) -> Iterable[_Logged]:
        """The tokens of the reference that may stand at ``position``."""
        places = m.values.of(position)
        if places is None:
            logged = [item for (cell, _), items in self._at.items() if cell == counted for item in items]
        else:
            logged = [item for place in sorted(places) for item in self._at.get((counted, place), ())]
        # One that may stand at several places is one object, and equal ones do no harm.
        return {id(item): item for item in (*logged, *self._anywhere.get(counted, ()))}.values()

    def _property_here(self, m: SymbolicMachine) -> str:
        return self._place_here(m, self.reference.places)

    def _place_here(self, m: SymbolicMachine, places: Mapping[tuple[str, int], str]) -> str:
        frame = m.caller()
        assert frame is not None
        return places.get((frame.function.source.name, frame.pc), self.reference.end)

    # -- the end ---------------------------------------------------------------------------------------------

    def ends(self, m: SymbolicMachine, *, exits: bool, value: Sequence[Term]) -> bool:
        """Compare the end of the program with that of the reference; a state in which the reference ends is kept."""
        self._note_end(m, exits=exits, value=value)
        if m.is_reference:
            self.ended.append(m.take())
            return False
        if not self._differs_where(m, self._is_aborted(), self.reference.end):
            m.drop()
            return False
        pairs = [*zip(self._end, self._result(m), strict=True)][_FIRST_OF_RESULT:]
        returned = ((ctype, *pairs[n]) for n, ctype in self._pointers.items())
        differences, shapes = self._final.differences(m, returned)
        if self._ends_alike(m, differences, shapes):
            return True
        m.drop()
        return False

    def aborts(self, m: SymbolicMachine) -> bool:
        """Leave out executions of the program that end by ``abort`` as those of the reference do."""
        return m.is_reference or m.assume(self.terms.not_(self._is_aborted()))

    def _is_aborted(self) -> Term:
        """The condition under which the reference ends by ``abort``."""
        return self.terms.eq(self._end[1], self.terms.const(ABORTED, 32))

    def goes_on_too_long(self, m: SymbolicMachine) -> bool:
        """Note non-termination: the program goes on, as far as it is followed, where the reference has ended."""
        if m.patience is None:
            return False
        m.checked[self.reference.end].add(m.path.term)
        m.violate(self.reference.end, TRUE)
        self.endless.append(m.path.term)
        return True

    def _note_end(self, m: SymbolicMachine, *, exits: bool, value: Sequence[Term]) -> None:
        """Keep how the current state ends: whether by ``exit``, and the status or result.

        Of ``main`` both are the status of the program, of which eight bits can be seen.
        """
        t = self.terms
        is_main = self.reference.entry == f"{PREFIX}main"
        last = m.frame.instruction() if exits and m.frame is not None else None
        aborts = isinstance(last, ExitInstruction) and last.aborts
        m.writes[self._cell(ENDED)] = t.const(ABORTED if aborts else exits and not is_main, 32)
        seen = t.const(0, 32)
        if value and (exits or is_main):
            seen = t.extract(value[0], 7, 0)
        m.writes[self._cell(STATUS)] = t.zext(seen, 32) if t.width[seen] < 32 else seen
        for n, width in enumerate(self._widths):
            given = t.const(0, width) if exits else value[n]
            m.writes[self._cell(RESULT + n)] = given

    def _result(self, m: SymbolicMachine) -> tuple[Term, ...]:
        """The words of the result that ``_note_end`` kept."""
        results = range(RESULT, RESULT + len(self._widths))
        cells = (PRINTED, ENDED, STATUS, *results, *self._counters.called)
        return tuple([read_cell(m, self._cell(cell)) for cell in cells])

    def _ends_alike(self, m: SymbolicMachine, others: Iterable[Term], shapes: HeapShapes) -> bool:
        """Compare the ends of both versions: False when no execution ends as the reference does.

        ``others`` hold where something else differs than what is printed and the numbers in the result; ``shapes`` say
        where that is not known.
        """
        t = self.terms
        if not self._leave_uncompared(m, shapes.unknown):
            return False
        words = zip(self._end, self._result(m), strict=True)
        pairs = [pair for n, pair in enumerate(words) if n - _FIRST_OF_RESULT not in self._pointers]
        differs = t.any_of((*(written_bits_differ(m, one, two) for one, two in pairs), *others))
        if m.is_fixed and differs == TRUE:
            self.differences.extend(self._seen_differences(m))
        m.checked[self.reference.end].add(m.path.term)
        m.violate(self.reference.end, differs)
        if not m.assume(t.not_(differs)):
            return False
        self.alike = t.or_(self.alike, m.path.term)
        self._note(m, self._open, BESIDE, shapes.beside)
        if self.reference.entry != f"{PREFIX}main" and self._position is not None:
            moved = written_bits_differ(m, self._position, self.inputs.position(m))
            self._note(m, self._open, _READ_ON, moved)
            self._note(m, self._open, _KEPT, self._final.library_differs(m))
        if not self._leave_uncompared(m, self._open):
            return False
        self._keep_unlike_effects(m)
        return True

    def _seen_differences(self, m: SymbolicMachine) -> Iterator[EndDifference]:
        """Differences of the final states of this execution on fixed inputs, without the output."""
        mine, theirs = self._result(m), self._end
        results = [
            (cell, mine[_FIRST_OF_RESULT + n], theirs[_FIRST_OF_RESULT + n])
            for n, cell in enumerate(self._cells)
            if n not in self._pointers
        ]
        yield from differing_ends(m, (mine[1], theirs[1]), (mine[2], theirs[2]), results)
        yield from self._final.seen

    def _leave_uncompared(self, m: SymbolicMachine, uncompared: Mapping[str, Term]) -> bool:
        """Cut executions that could not be compared, by the reason: False when no other ends here."""
        t = self.terms
        entry = self.reference.program.functions[self.reference.entry.removeprefix(PREFIX)]
        for why, condition in uncompared.items():
            self.uncompared[why] = t.or_(self.uncompared.get(why, FALSE), t.and_(m.path.term, condition))
            if not m.cut_where(condition, entry.location):
                return False
        return True


def null_as_word(t: Terms, pointer: Term) -> Term:
    """Nullness of a pointer as a word of one bit: all that is compared of it directly."""
    return t.ite(t.eq(pointer, t.const(0, t.width[pointer])), t.const(1, 1), t.const(0, 1))
