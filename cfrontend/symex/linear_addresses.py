"""Linear normal form of addresses: a sum of multiples of atoms and a constant, and the byte offsets it can take."""

from __future__ import annotations

from collections.abc import Callable, Container
from math import gcd
from typing import Final, final

from cfrontend.terms import Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace

Sum = tuple[int, tuple[tuple[int, Term], ...]]
"""Linear sum (constant, ((coefficient, atom), …)), modulo 2**width."""


def linear_address(t: Terms, term: Term) -> Sum:
    """The linear sum of a word; atoms are distinct and coefficients not zero."""
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


@final
class Strides:
    """Divisibility analysis: the powers of two that divide words, remembered, and sums divided by them.

    A pointer to eight bytes that only one branch moved on is at a choice between multiples of eight:

        ite(c, 8 * i, 8 * i + 8)  =  8 * ite(c, i, i + 1)
    """

    def __init__(self, terms: Terms) -> None:
        self.t: Final = terms
        self._zeros: dict[Term, int] = {}
        self._quotients: dict[int, dict[Term, Term]] = {}

    def common(self, atoms: tuple[tuple[int, Term], ...]) -> int:
        """A common divisor of all values of the sum of ``atoms``, also where it wraps around.

        An odd factor survives only where no product can wrap: when every atom extends a word that is short enough.
        """
        step = 0
        for coefficient, atom in atoms:
            step = gcd(step, coefficient << self._low_zeros(atom))
        if all(_cannot_wrap(self.t, atom, coefficient) for coefficient, atom in atoms):
            return step
        return step & -step

    def scaled(self, total: Sum, base: int, step: int, width: int) -> Term:
        """``(sum - base) / step`` on ``width`` bits, for a ``step`` that divides it."""
        t = self.t
        constant, atoms = total
        result = t.const(t.signed((constant - base) & ((1 << width) - 1), width) // step, width)
        for coefficient, atom in atoms:
            shared = gcd(step, coefficient)
            part = self._quotient(
                atom, (step // shared).bit_length() - 1
            )  # what is not shared is a power of two
            word = t.extract(part, width - 1, 0) if width < t.width[part] else part
            result = t.add(t.mul(word, t.const(coefficient // shared, width)), result)
        return result

    def _low_zeros(self, word: Term) -> int:
        """A lower bound on the number of trailing zero bits of a word, for all inputs."""
        t, zeros = self.t, self._zeros
        for a in _below(word, zeros, self._summands):
            value, args = t.value[a], t.args[a]
            if value is not None:
                zeros[a] = _zeros_of(value) if value else t.width[a]
            elif t.op[a] in (T.MUL, T.SHL) and (factor := t.value[args[1]]):
                zeros[a] = min(
                    t.width[a], zeros[args[0]] + (factor if t.op[a] == T.SHL else _zeros_of(factor))
                )
            else:
                zeros[a] = min((zeros[part] for part in self._summands(a)), default=0)
        return zeros[word]

    def _summands(self, word: Term) -> tuple[Term, ...]:
        """The words on whose trailing zeros those of a word depend, and perhaps more."""
        t = self.t
        op, args = t.op[word], t.args[word]
        if op == T.ITE:
            return args[1:]
        if op in (T.ADD, T.SUB, T.NEG, T.SEXT, T.ZEXT):
            return t.operands(word)
        return args[:1] if op in (T.MUL, T.SHL) and t.value[args[1]] else ()

    def _quotient(self, word: Term, power: int) -> Term:
        """The exact quotient of a word by ``2**power``, on the same number of bits."""
        if power == 0:
            return word
        t = self.t
        found = self._quotients.setdefault(power, {})
        for a in _below(word, found, self._choices):
            op, args = t.op[a], t.args[a]
            factor = t.value[args[1]] if op in (T.MUL, T.SHL) else None
            if op == T.ITE:
                found[a] = t.ite(args[0], found[args[1]], found[args[2]])
            elif op == T.ADD:
                found[a] = t.add(found[args[0]], found[args[1]])
            elif op == T.SUB:
                found[a] = t.sub(found[args[0]], found[args[1]])
            elif op == T.MUL and factor and _zeros_of(factor) >= power:
                found[a] = t.mul(args[0], t.const(t.signed(factor, t.width[a]) >> power, t.width[a]))
            elif op == T.SHL and factor and factor >= power:
                found[a] = t.shl(args[0], t.const(factor - power, t.width[a]))
            else:
                found[a] = t.ashr(a, t.const(power, t.width[a]))
        return found[word]

    def _choices(self, word: Term) -> tuple[Term, ...]:
        """The words on whose quotients that of a word depends."""
        op, args = self.t.op[word], self.t.args[word]
        return args[1:] if op == T.ITE else args if op in (T.ADD, T.SUB) else ()


def _below(word: Term, known: Container[Term], parts: Callable[[Term], tuple[Term, ...]]) -> list[Term]:
    """A word and its subterms in post-order, without those that are known."""
    found: set[Term] = set()
    stack = [word]
    while stack:
        a = stack.pop()
        if a not in found and a not in known:
            found.add(a)
            stack += parts(a)
    return sorted(found)


def _zeros_of(value: int) -> int:
    """The number of trailing zero bits of a number that is not zero."""
    return (value & -value).bit_length() - 1


def first_offset(total: Sum, step: int, width: int) -> int:
    """The smallest offset from 0 on of a sum whose atoms are multiples of ``step``.

    Its constant counts as signed: 2**width is no multiple of an odd step.
    """
    return Terms.signed(total[0], width) % step


def _cannot_wrap(t: Terms, atom: Term, coefficient: int) -> bool:
    """Whether some hundred such products can be added without overflow of the word."""
    if t.op[atom] not in (T.SEXT, T.ZEXT):
        return False
    return t.width[t.args[atom][0]] + abs(coefficient).bit_length() <= t.width[atom] - 8
