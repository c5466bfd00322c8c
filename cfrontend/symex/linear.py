"""Addresses taken apart: a sum of multiples of atoms and a constant, and which byte offsets it can take."""

from __future__ import annotations

from math import gcd

from cfrontend import terms as T  # noqa: N812 - opcode namespace
from cfrontend.terms import Term, Terms

Sum = tuple[int, tuple[tuple[int, Term], ...]]
"""(constant, ((coefficient, atom), …)): their sum modulo 2**width is the term."""


def linear(t: Terms, term: Term) -> Sum:
    """A word as a sum; atoms are distinct and coefficients not zero."""
    constant = 0
    atoms: dict[Term, int] = {}
    stack = [(1, term)]
    while stack:
        factor, a = stack.pop()
        value = t.value[a]
        op, args = t.op[a], t.args[a]
        if value is not None:
            constant += factor * value
        elif op == T.ADD:
            stack += [(factor, args[0]), (factor, args[1])]
        elif op == T.SUB:
            stack += [(factor, args[0]), (-factor, args[1])]
        elif op == T.NEG:
            stack.append((-factor, args[0]))
        elif op == T.MUL and t.value[args[1]] is not None:
            stack.append((factor * t.signed(t.value[args[1]] or 0, t.width[a]), args[0]))
        elif op == T.SHL and t.value[args[1]] is not None:
            stack.append((factor << (t.value[args[1]] or 0), args[0]))
        else:
            atoms[a] = atoms.get(a, 0) + factor
    mask = (1 << t.width[term]) - 1
    return constant & mask, tuple((c, a) for a, c in sorted(atoms.items()) if c & mask)


def common_stride(t: Terms, atoms: tuple[tuple[int, Term], ...]) -> int:
    """A number that divides every value of the sum of ``atoms``, also where it wraps around.

    An odd factor survives only where no product can wrap: when every atom extends a word that is short enough.
    """
    step = 0
    for coefficient, _ in atoms:
        step = gcd(step, coefficient)
    if all(_cannot_wrap(t, atom, coefficient) for coefficient, atom in atoms):
        return step
    return step & -step


def first_offset(total: Sum, step: int, width: int) -> int:
    """The smallest offset from 0 on that a sum whose atoms are multiples of ``step`` can have.

    Its constant counts as signed: 2**width is no multiple of an odd step.
    """
    return Terms.signed(total[0], width) % step


def _cannot_wrap(t: Terms, atom: Term, coefficient: int) -> bool:
    """Whether some hundred such products can be added without leaving the word."""
    if t.op[atom] not in (T.SEXT, T.ZEXT):
        return False
    return t.width[t.args[atom][0]] + abs(coefficient).bit_length() <= t.width[atom] - 8


def scaled(t: Terms, total: Sum, base: int, step: int, width: int) -> Term:
    """``(sum - base) / step`` on ``width`` bits, for a ``step`` that divides it."""
    constant, atoms = total
    result = t.const(t.signed((constant - base) & ((1 << width) - 1), width) // step, width)
    for coefficient, atom in atoms:
        word = t.extract(atom, width - 1, 0) if width < t.width[atom] else atom
        result = t.add(t.mul(word, t.const(coefficient // step, width)), result)
    return result
