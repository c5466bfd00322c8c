"""Substitution of values for variables, with constant folding.

with_values(x + y < 7, {x: 9})   ->   9 + y < 7
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cfrontend import terms as T  # noqa: N812 - opcode namespace
from cfrontend.terms import Term, Terms

_BINARY: Final = {
    T.AND: Terms.and_,
    T.OR: Terms.or_,
    T.EQ: Terms.eq,
    T.ULT: Terms.ult,
    T.SLT: Terms.slt,
    T.ADD: Terms.add,
    T.SUB: Terms.sub,
    T.MUL: Terms.mul,
    T.UDIV: Terms.udiv,
    T.UREM: Terms.urem,
    T.SDIV: Terms.sdiv,
    T.SREM: Terms.srem,
    T.BAND: Terms.band,
    T.BOR: Terms.bor,
    T.BXOR: Terms.bxor,
    T.SHL: Terms.shl,
    T.LSHR: Terms.lshr,
    T.ASHR: Terms.ashr,
    T.CONCAT: Terms.concat,
}

_UNARY: Final = {T.NOT: Terms.not_, T.NEG: Terms.neg, T.BNOT: Terms.bnot}


def substitute_values(terms: Terms, root: Term, values: Mapping[Term, int]) -> Term:
    """Substitute the unsigned ``values`` of variables in ``root``; Booleans are 0 or 1."""
    new: dict[Term, Term] = {}
    op, args, width = terms.op, terms.args, terms.width
    for term in terms.cone((root,)):
        kind = op[term]
        if term in values:
            value = values[term]
            new[term] = terms.const(value, width[term]) if width[term] else terms.bool_const(bool(value))
        elif kind in (T.CONST, T.VAR):
            new[term] = term
        else:
            new[term] = rebuilt_term(terms, kind, args[term], width[term], new)
    return new[root]


def rebuilt_term(
    terms: Terms, kind: int, args: tuple[int, ...], width: int, new: Mapping[Term, Term]
) -> Term:
    """The term of this operator and these arguments with the ``new`` ones in the place of its operands."""
    if kind in _BINARY:
        return _BINARY[kind](terms, new[args[0]], new[args[1]])
    if kind in _UNARY:
        return _UNARY[kind](terms, new[args[0]])
    if kind == T.ITE:
        return terms.ite(new[args[0]], new[args[1]], new[args[2]])
    if kind == T.EXTRACT:
        return terms.extract(new[args[0]], args[1], args[2])
    return (terms.zext if kind == T.ZEXT else terms.sext)(new[args[0]], width)
