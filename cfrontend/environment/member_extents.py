"""Extents of pointers in structures, told by names, types and use: as many elements as another member says.

    struct buffer { const char *content; size_t length, offset; };
    ... b->offset < b->length ... b->content[b->offset] ...      ->   content leads to length elements

A member counts as the length of another one where its name says so and where the code compares, adds or hands it on
with the pointer. Of several, one whose name says how much room there is is the length, and the others are no larger.
Pointers of one type that the code compares with each other, or whose difference it takes, lead into one object;
pointers to structures do where it takes their difference or asks for their order:

    struct text { char *start, *end; };   ... t->end - t->start ...
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias, final

from cfrontend.environment.extents import (
    COMPARISONS,
    computed_operands,
    finds_text_end,
    is_extent_name,
    names_extent_of,
    names_room,
)
from cfrontend.lower.dialect import callee_name_in_dialect
from cfrontend.record import dataclass
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression, Function
from cfrontend.syntax.types import (
    BOOL,
    CHAR,
    SCHAR,
    UCHAR,
    FloatType,
    IntType,
    PointerType,
    StructMember,
    StructType,
    StructTypeTable,
    VoidType,
)

_Atom: TypeAlias = tuple[str, ...]
"""Operand of a computation: a variable by its key, or a member by its structure and name."""

_ELSEWHERE: Final[_Atom] = ("", "")
"""What a pointer variable is given that is no member."""


@final
@dataclass(frozen=True, slots=True)
class MemberExtent:
    """Extent of a pointer in a structure: ``length`` is the member that says how many elements there are.

    Empty where none says it. ``parts`` are members that are no larger, ``inside`` are pointers into the object or
    behind its last element. ``ends_in_zero``: a zero stands behind the elements. The length ``is_unsigned``, or may
    be negative.
    """

    length: str = ""
    parts: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    ends_in_zero: bool = False
    is_unsigned: bool = False


def find_member_extents(
    functions: Iterable[Function], structs: StructTypeTable
) -> Mapping[tuple[str, str], MemberExtent]:
    """The extents of the pointers in structures that ``functions`` use, by the structure's key and the member."""
    use = _MemberUse()
    for function in functions:
        for node in queries.syntax_nodes_within(function.body):
            use.note(node)
    found: dict[tuple[str, str], MemberExtent] = {}
    for key in sorted(use.structures()):
        if key not in structs or structs[key].is_union:
            continue
        members = structs[key].members
        lengths = {member.name: member.type for member in members if _is_length(member)}
        pointers = {
            m.name: m.type for m in members if isinstance(m.type, PointerType) and _is_of_elements(m.type)
        }
        taken = set[str]()
        for name, ctype in pointers.items():
            said = [length for length in lengths if use.says_length_of(key, length, name)]
            is_array = isinstance(ctype.target, IntType | FloatType) or (key, name) in use.ordered
            meeting = use.meeting(key, name) if is_array else ()
            inside = [
                other
                for other in pointers
                if other in meeting and pointers[other] == ctype and other not in taken
            ]
            if (said or inside) and name not in taken:
                own = max(said, key=lambda one: (names_room(one), names_extent_of(one, name)), default="")
                others = tuple(one for one in said if one != own)
                number = lengths.get(own)
                found[key, name] = MemberExtent(
                    own,
                    others,
                    tuple(inside),
                    ends_in_zero=(key, name) in use.texts,
                    is_unsigned=isinstance(number, IntType) and not number.signed,
                )
                taken |= {name, *inside}
    return found


def _is_length(member: StructMember) -> bool:
    plain = isinstance(member.type, IntType) and member.bit_width is None
    return plain and member.type not in {BOOL, CHAR, SCHAR, UCHAR}


def _is_of_elements(pointer: PointerType) -> bool:
    return isinstance(pointer.target, IntType | FloatType | VoidType | StructType)


@final
class _MemberUse:
    """Uses of members in code: what indexes pointers, what is compared, what functions are given together."""

    def __init__(self) -> None:
        self.indexed: defaultdict[_Atom, set[_Atom]] = defaultdict(set)
        self.together: defaultdict[_Atom, set[_Atom]] = defaultdict(set)
        self.texts: set[_Atom] = set()
        self.ordered: set[_Atom] = set()
        self._compared: defaultdict[_Atom, set[_Atom]] = defaultdict(set)
        self._meets: defaultdict[_Atom, set[_Atom]] = defaultdict(set)
        self._given: defaultdict[_Atom, set[_Atom]] = defaultdict(set)

    def says_length_of(self, key: str, length: str, pointer: str) -> bool:
        """Whether one member of a structure is clearly the number of elements that another one leads to."""
        if not (is_extent_name(length) or names_extent_of(length, pointer)):
            return False
        own, place = (key, length), (key, pointer)
        indices = self.indexed.get(place, set())
        compared = self._compared.get(own, set())
        is_bounded = place in compared or not indices.isdisjoint(compared)
        return own in indices or is_bounded or own in self.together.get(place, set())

    def note(self, node: object) -> None:
        """Note what one node says."""
        match node:
            case tree.Index(base=base, index=index):
                self._index(base, index)
            case tree.Binary(op="+", left=left, right=right, type=PointerType()):
                self._index(left, right)
            case tree.Binary(op=op, left=left, right=right) if isinstance(right.type, PointerType):
                self._meet(left, right)
                if op not in ("==", "!="):
                    self.ordered |= {*_atoms(left), *_atoms(right)}
            case tree.Binary(op=op, left=left, right=right) if op in COMPARISONS:
                one, two = set(_atoms(left)), set(_atoms(right))
                for atom in one | two:
                    self._compared[atom] |= (one | two) - {atom}
            case tree.Assign(target=target, value=value) | tree.InitItem(target=target, value=value):
                self._give(target, value)
            case tree.Call():
                self._call(node)
            case _:
                pass

    def meeting(self, key: str, pointer: str) -> set[str]:
        """The pointers in a structure that are compared with one, or whose difference is taken, also by way of others.

        A variable that is given one of them, and no other pointer, stands for it where it is compared.
        """
        seen: set[_Atom] = {(key, pointer)}
        stack = [*seen]
        while stack:
            place = stack.pop()
            near = self._meets.get(place, set()) | self._standing(place)
            more = {each for each in near - seen if each[0] == key or self._stands(each)}
            seen |= more
            stack += sorted(more)
        return {each[1] for each in seen if len(each) > 1} - {pointer}

    def _stands(self, variable: _Atom) -> bool:
        given = self._given.get(variable, set())
        return len(variable) == len(given) == 1 and _ELSEWHERE not in given

    def _standing(self, place: _Atom) -> set[_Atom]:
        """What a variable stands for, and the variables that stand for a member."""
        own = self._given.get(place, set()) if self._stands(place) else set()
        return own | {variable for variable, given in self._given.items() if given == {place}}

    def structures(self) -> set[str]:
        """The keys of the structures whose members are used in any of these ways."""
        places = {*self.indexed, *self.together, *self._meets}
        return {place[0] for place in places if len(place) > 1}

    def _meet(self, left: Expression, right: Expression) -> None:
        one, two = set(_atoms(left)), set(_atoms(right))
        for atom in one:
            self._meets[atom] |= two
        for atom in two:
            self._meets[atom] |= one

    def _give(self, target: Expression, value: Expression) -> None:
        """Note what a pointer variable is given; anything but a member is a thing of its own."""
        if not (isinstance(target, tree.VariableRef) and isinstance(target.type, PointerType)):
            return
        own = (target.symbol.key,)
        if own not in set(_atoms(value)):
            self._given[own] |= set(_member(value)) or {_ELSEWHERE}

    def _index(self, base: Expression, index: Expression) -> None:
        for place in _member(base):
            self.indexed[place].update(_atoms(index))

    def _call(self, node: tree.Call) -> None:
        given = {place for argument in node.arguments for place in _member(argument)}
        for one in given:
            self.together[one] |= given - {one}
        name = (callee_name_in_dialect(node) or "").removeprefix("__builtin_")
        if finds_text_end(name):
            self.texts |= given


def _member(e: Expression) -> Iterator[_Atom]:
    below = queries.syntax_below_conversions(e)
    if isinstance(below, tree.MemberAccess):
        yield (below.struct_key, below.member)


def _atoms(e: Expression) -> Iterator[_Atom]:
    """The variables and members that an expression computes with."""
    for operand in computed_operands(e):
        if isinstance(operand, tree.VariableRef):
            yield (operand.symbol.key,)
        else:
            yield (operand.struct_key, operand.member)
