"""Operators of terms, by the names that the solver libraries have for them."""

from __future__ import annotations

from typing import Final

from cfrontend import terms as T  # noqa: N812 - opcode namespace

_LIBRARIES: Final = ("bitwuzla", "cvc5", "z3", "pysmt")
"""Columns of the table: members of two ``Kind``s, functions of z3's C interface, methods of pysmt."""

_NAMES: Final = {
    T.NOT: ("NOT", "NOT", "not", "Not"),
    T.AND: ("AND", "AND", "and", "And"),
    T.OR: ("OR", "OR", "or", "Or"),
    T.EQ: ("EQUAL", "EQUAL", "eq", "EqualsOrIff"),
    T.ULT: ("BV_ULT", "BITVECTOR_ULT", "bvult", "BVULT"),
    T.SLT: ("BV_SLT", "BITVECTOR_SLT", "bvslt", "BVSLT"),
    T.ITE: ("ITE", "ITE", "ite", "Ite"),
    T.ADD: ("BV_ADD", "BITVECTOR_ADD", "bvadd", "BVAdd"),
    T.SUB: ("BV_SUB", "BITVECTOR_SUB", "bvsub", "BVSub"),
    T.MUL: ("BV_MUL", "BITVECTOR_MULT", "bvmul", "BVMul"),
    T.UDIV: ("BV_UDIV", "BITVECTOR_UDIV", "bvudiv", "BVUDiv"),
    T.UREM: ("BV_UREM", "BITVECTOR_UREM", "bvurem", "BVURem"),
    T.SDIV: ("BV_SDIV", "BITVECTOR_SDIV", "bvsdiv", "BVSDiv"),
    T.SREM: ("BV_SREM", "BITVECTOR_SREM", "bvsrem", "BVSRem"),
    T.BAND: ("BV_AND", "BITVECTOR_AND", "bvand", "BVAnd"),
    T.BOR: ("BV_OR", "BITVECTOR_OR", "bvor", "BVOr"),
    T.BXOR: ("BV_XOR", "BITVECTOR_XOR", "bvxor", "BVXor"),
    T.BNOT: ("BV_NOT", "BITVECTOR_NOT", "bvnot", "BVNot"),
    T.NEG: ("BV_NEG", "BITVECTOR_NEG", "bvneg", "BVNeg"),
    T.SHL: ("BV_SHL", "BITVECTOR_SHL", "bvshl", "BVLShl"),
    T.LSHR: ("BV_SHR", "BITVECTOR_LSHR", "bvlshr", "BVLShr"),
    T.ASHR: ("BV_ASHR", "BITVECTOR_ASHR", "bvashr", "BVAShr"),
    T.CONCAT: ("BV_CONCAT", "BITVECTOR_CONCAT", "concat", "BVConcat"),
    T.EXTRACT: ("BV_EXTRACT", "BITVECTOR_EXTRACT", "extract", "BVExtract"),
    T.ZEXT: ("BV_ZERO_EXTEND", "BITVECTOR_ZERO_EXTEND", "zero_ext", "BVZExt"),
    T.SEXT: ("BV_SIGN_EXTEND", "BITVECTOR_SIGN_EXTEND", "sign_ext", "BVSExt"),
}


def operator_names(library: str) -> dict[int, str]:
    """The name of each operator in a library."""
    column = _LIBRARIES.index(library)
    return {op: names[column] for op, names in _NAMES.items()}
