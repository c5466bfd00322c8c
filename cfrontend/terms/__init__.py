"""Hash-consed, folding terms over Booleans and bit-vectors: the formula language of the whole tool.

A term is an int, an index into parallel lists, so identity is equality and a term is always built after its
arguments (ascending order is a topological order, and no walk over a term ever has to recurse). Whatever can
be computed while building is: concrete code leaves only constants.

    t.add(t.var("x", 32), t.const(0, 32))   ->  t.var("x", 32)
    t.eq(t.ite(c, t.const(1, 8), t.const(0, 8)), t.const(0, 8))   ->  t.not_(c)

Normal form: constants stand right of commutative operators, ``<=`` and ``>`` are negated ``<``, subtraction of
a constant is an addition, ``ite`` never has a negated condition, Boolean ``ite`` with a constant branch is
``and``/``or``, and an operator applied to a small tree of constant ``ite`` leaves is pushed to the leaves.

Division follows SMT-LIB where the divisor is zero; callers guard it (C leaves it undefined).
"""

from __future__ import annotations

from cfrontend.terms.operators import VAR
from cfrontend.terms.store import FALSE, TRUE, Term, Terms

__all__ = ["FALSE", "TRUE", "VAR", "Term", "Terms"]
