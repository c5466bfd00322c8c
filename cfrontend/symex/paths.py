"""Path conditions: conjunctions of branch decisions, kept as a chain that forks and joins cheaply.

if (c) ... else ... ;      the two ends of the if join to the path before it, not to  p & c | p & !c
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from cfrontend import terms as T  # noqa: N812 - opcode namespace
from cfrontend.terms import TRUE, Term, Terms
from cfrontend.terms.substitute import decide_choices

if TYPE_CHECKING:
    from cfrontend.symex.path_facts import PathFacts

_RECENT: Final = 256
"""Number of decisions at the end of a path that are looked at for what variables are equal to."""


@final
class PathCondition:
    """Path condition: one decision after ``parent``; ``term`` is the conjunction down to the root."""

    __slots__ = ("depth", "facts", "literal", "parent", "term")

    def __init__(self, parent: PathCondition | None, literal: Term, term: Term) -> None:
        self.parent = parent
        self.literal = literal
        self.term = term
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.facts: PathFacts | None = None


def root_path_condition() -> PathCondition:
    """The empty path condition, of an execution that has decided nothing yet."""
    return PathCondition(None, TRUE, TRUE)


def extend_path_condition(terms: Terms, path: PathCondition, literal: Term) -> PathCondition:
    """The path condition ``path`` with one more decision ``literal``."""
    if literal == TRUE:
        return path
    return PathCondition(path, literal, terms.and_(path.term, literal))


def continues_path(path: PathCondition, before: PathCondition, most: int) -> bool:
    """Whether ``path`` is ``before`` with further decisions, ``most`` at the most."""
    for _ in range(min(path.depth - before.depth, most)):
        assert path.parent is not None
        path = path.parent
    return path is before


def join_path_conditions(terms: Terms, one: PathCondition, two: PathCondition) -> tuple[PathCondition, Term]:
    """Join of two path conditions: the path that holds when either does, and a condition that tells them apart.

    The condition is TRUE on ``one`` and FALSE on ``two``; the two paths exclude each other.
    """
    since_one: list[Term] = []
    since_two: list[Term] = []
    a, b = one, two
    while a is not b:
        if a.depth >= b.depth:
            assert a.parent is not None
            since_one.append(a.literal)
            a = a.parent
        else:
            assert b.parent is not None
            since_two.append(b.literal)
            b = b.parent
    since_one.reverse()
    since_two.reverse()
    if since_one and since_two and since_one[0] == terms.not_(since_two[0]):
        choice = since_one[0]
        either = terms.ite(choice, terms.all_of(since_one[1:]), terms.all_of(since_two[1:]))
    else:
        all_one, all_two = terms.all_of(since_one), terms.all_of(since_two)
        choice = all_one if since_one else terms.not_(all_two)
        either = terms.or_(all_one, all_two)
    return extend_path_condition(terms, a, either), choice


def value_on_path(terms: Terms, path: PathCondition, value: Term) -> Term:
    """``value`` where ``path`` holds: with what its last decisions say that variables are equal to.

    After ``n = scanf(...)`` has joined its paths and ``n == 1`` holds, the number of inputs read is one number again;
    so it is after ``if (n != 1 || ...) return``.
    """
    if terms.value[value] is not None:
        return value
    known: dict[Term, int] = {}
    literals: list[Term] = []
    while path.parent is not None and len(literals) < _RECENT:
        literals.append(path.literal)
        path = path.parent
    while literals:
        literal = literals.pop()
        inner = terms.args[literal][0] if terms.op[literal] == T.NOT else literal
        if terms.op[literal] == T.AND:
            literals += terms.args[literal]
        elif inner != literal and terms.op[inner] == T.OR:
            literals += [terms.not_(part) for part in terms.args[inner]]
        elif terms.op[literal] == T.EQ:
            one, two = terms.args[literal]
            known |= {
                variable: constant
                for variable, constant in ((one, terms.value[two]), (two, terms.value[one]))
                if constant is not None and terms.op[variable] == T.VAR
            }
    return decide_choices(terms, value, known) if known else value
