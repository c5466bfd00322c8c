"""Assumptions that keep what a reference reads by ``scanf`` inside its input domain.

    scanf("%d", &n) of a domain with n from 1 to 9      ->   assume(n >= 1); assume(n <= 9)

What a record domain says is about several reads: each of them is kept in a variable that no programmer can name.
"""

from __future__ import annotations

from cfrontend.errors import Location
from cfrontend.lower.context import Lowering
from cfrontend.syntax import tree
from cfrontend.syntax.input_domain import NumberDomain, RecordDomain, intervals_of_codes, place_key
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import INT, LLONG, FloatType, IntType


def begin_domain_records(x: Lowering, f: tree.Function) -> None:
    """Declare the variables of a function for the reads that record domains look back to."""
    if x.program.domain is None:
        return
    for place in x.program.domain.looked_back_to:
        is_inside = place.file == f.location.file and f.location.line <= place.line <= f.end.line
        if is_inside and place_key(place) not in x.read_before:
            kept = x.emit.variable(LLONG, f.location)
            x.emit.assign(kept, tree.IntConstant(type=LLONG, location=f.location, value=0))
            x.read_before[place_key(place)] = kept


def keep_scan_result_in_domain(
    x: Lowering, e: tree.Call, stored: Expression, most: int, before: int = 0
) -> None:
    """Assume that a call of ``scanf`` finds what the domain says: what fits, or the end.

    ``most`` of its conversions are asked about at once, so many ``before`` them have succeeded.
    """
    limits = None if x.program.domain is None else x.program.domain.of_scan(e.location)
    if limits is None or limits.misfits:
        return
    found = compare_with(stored, "==", most)
    if limits.breaks_off and most > 1:
        found = compare_with(stored, ">", 0)
    if limits.breaks_off if before else limits.ends:
        found = either(found, compare_with(stored, "==", -1))
    x.emit.assume(found)


def keep_number_in_domain(x: Lowering, value: Expression, where: Location) -> None:
    """Assume that a number that was read is one of the domain."""
    limits = None if x.program.domain is None else x.program.domain.of_number(where)
    if limits is None or not isinstance(value.type, IntType | FloatType):
        return
    for inside in _inside(value, limits, where):
        x.emit.assume(inside)
    if isinstance(value.type, IntType):
        _keep_number_in_records(x, value, where)
        _look_back_later(x, value, where)


def keep_character_in_domain(x: Lowering, character: Expression, where: Location) -> None:
    """Assume that a character that ``%c`` has read is one of the domain."""
    limits = None if x.program.domain is None else x.program.domain.of_character(where)
    if limits is None or not limits.characters:
        return
    among: Expression | None = None
    codes = frozenset(code - 256 if code > 127 else code for code in limits.characters)
    for least, greatest in intervals_of_codes(codes):
        inside = both(compare_with(character, ">=", least), compare_with(character, "<=", greatest))
        inside = compare_with(character, "==", least) if least == greatest else inside
        among = inside if among is None else either(among, inside)
    assert among is not None
    x.emit.assume(among)
    _look_back_later(x, character, where)


def keep_out_white_space(x: Lowering, character: Expression) -> None:
    """Assume that a character is no white space."""
    outside = either(compare_with(character, "<", ord("\t")), compare_with(character, ">", ord("\r")))
    x.emit.assume(both(outside, compare_with(character, "!=", ord(" "))))


def compare_with(value: Expression, op: tree.BinaryOp, number: int) -> Expression:
    """The comparison of an integer with a number that its type has."""
    ctype = value.type if isinstance(value.type, IntType) else INT
    right = tree.IntConstant(type=ctype, location=value.location, value=number)
    return tree.Binary(type=INT, location=value.location, op=op, left=value, right=right)


def either(one: Expression, other: Expression) -> Expression:
    """The disjunction of two conditions that have no effects."""
    return tree.Binary(type=INT, location=one.location, op="|", left=one, right=other)


def both(one: Expression, other: Expression) -> Expression:
    """The conjunction of two conditions that have no effects."""
    return tree.Binary(type=INT, location=one.location, op="&", left=one, right=other)


def _inside(value: Expression, limits: NumberDomain, where: Location) -> list[Expression]:
    """Conditions that say together that a number is one of the domain of its place."""
    is_end = None if limits.sentinel is None else _is_number(value, "==", limits.sentinel, where)
    ends: tuple[tuple[tree.BinaryOp, int], ...] = ((">=", limits.least), ("<=", limits.greatest))
    found = [_is_number(value, op, number, where) for op, number in ends]
    return [one if is_end is None else either(one, is_end) for one in found if one is not None]


def _keep_number_in_records(x: Lowering, value: Expression, where: Location) -> None:
    """Assume that an integer is one of the records that the last letter can begin."""
    domain = x.program.domain
    for record in () if domain is None else domain.records_at(where):
        letter = x.read_before.get(place_key(record.letter))
        if letter is not None:
            for allowed in _allowed(x, value, record, where):
                x.emit.assume(either(compare_with(letter, "!=", record.code), allowed))


def _allowed(x: Lowering, value: Expression, record: RecordDomain, where: Location) -> list[Expression]:
    """Conditions on an integer of a record."""
    found = [_is_number(value, ">=", record.least, where), _is_number(value, "<=", record.greatest, where)]
    other = None if record.unlike is None else x.read_before.get(place_key(record.unlike))
    if other is not None:
        found.append(tree.Binary(type=INT, location=where, op="!=", left=_wide(value), right=other))
    return [one for one in found if one is not None]


def _look_back_later(x: Lowering, value: Expression, where: Location) -> None:
    """Keep what was read, if a record domain looks back to it."""
    kept = x.read_before.get(place_key(where))
    if kept is not None:
        x.emit.assign(kept, _wide(value))


def _wide(value: Expression) -> Expression:
    return tree.Cast(type=LLONG, location=value.location, operand=value, implicit=True)


def _is_number(value: Expression, op: tree.BinaryOp, number: int, where: Location) -> Expression | None:
    """The comparison of a value that was read with a whole number; None where its type does not have that."""
    constant: Expression
    if isinstance(value.type, FloatType):
        constant = tree.FloatConstant(type=value.type, location=where, value=f"{number}.0")
    elif (
        isinstance(value.type, IntType) and -(1 << value.type.width - 1) <= number < 1 << value.type.width - 1
    ):
        constant = tree.IntConstant(type=value.type, location=where, value=number)
    else:
        return None
    return tree.Binary(type=INT, location=where, op=op, left=value, right=constant)
