"""Operators of terms, by the names that the solver libraries have for them."""

from __future__ import annotations

from typing import Final

from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace

_LIBRARIES: Final = ("bitwuzla", "z3", "pysmt")
"""Columns of the table: members of a ``Kind``, functions of z3's C interface, methods of pysmt."""

_NAMES: Final = {
    T.NOT: ("NOT", "not", "Not"),
    T.AND: ("AND", "and", "And"),
    T.OR: ("OR", "or", "Or"),
    T.EQ: ("EQUAL", "eq", "EqualsOrIff"),
    T.ULT: ("BV_ULT", "bvult", "BVULT"),
    T.SLT: ("BV_SLT", "bvslt", "BVSLT"),
    T.ITE: ("ITE", "ite", "Ite"),
    T.ADD: ("BV_ADD", "bvadd", "BVAdd"),
    T.SUB: ("BV_SUB", "bvsub", "BVSub"),
    T.MUL: ("BV_MUL", "bvmul", "BVMul"),
    T.UDIV: ("BV_UDIV", "bvudiv", "BVUDiv"),
    T.UREM: ("BV_UREM", "bvurem", "BVURem"),
    T.SDIV: ("BV_SDIV", "bvsdiv", "BVSDiv"),
    T.SREM: ("BV_SREM", "bvsrem", "BVSRem"),
    T.BAND: ("BV_AND", "bvand", "BVAnd"),
    T.BOR: ("BV_OR", "bvor", "BVOr"),
    T.BXOR: ("BV_XOR", "bvxor", "BVXor"),
    T.BNOT: ("BV_NOT", "bvnot", "BVNot"),
    T.NEG: ("BV_NEG", "bvneg", "BVNeg"),
    T.SHL: ("BV_SHL", "bvshl", "BVLShl"),
    T.LSHR: ("BV_SHR", "bvlshr", "BVLShr"),
    T.ASHR: ("BV_ASHR", "bvashr", "BVAShr"),
    T.CONCAT: ("BV_CONCAT", "concat", "BVConcat"),
    T.EXTRACT: ("BV_EXTRACT", "extract", "BVExtract"),
    T.ZEXT: ("BV_ZERO_EXTEND", "zero_ext", "BVZExt"),
    T.SEXT: ("BV_SIGN_EXTEND", "sign_ext", "BVSExt"),
}


def operator_names(library: str) -> dict[int, str]:
    """The name of each operator in a library."""
    column = _LIBRARIES.index(library)
    return {op: names[column] for op, names in _NAMES.items()}
