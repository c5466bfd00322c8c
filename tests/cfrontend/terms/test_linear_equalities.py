"""Equalities between sums keep their meaning, and books that balance are seen to."""

import random

from hypothesis import given
from hypothesis import strategies as st

from cfrontend.terms import TRUE, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.terms.linear_equalities import LinearEqualities

WIDTH = 8


class Books:
    """Accounts and their total under random operations, each under nested conditions, on merged paths."""

    def __init__(self, seed: int, operations: int) -> None:
        self.rng = random.Random(seed)
        self.t = Terms()
        self.conditions = [self.t.var(f"c{n}", 0) for n in range(6)]
        self.words = [self.t.var(f"w{n}", WIDTH) for n in range(2)]
        self.accounts = [self.t.const(n, WIDTH) for n in (0, 3, 0)]
        self.total = self.t.const(3, WIDTH)
        for _ in range(operations):
            self.operate()

    def condition(self) -> Term:
        """A branch condition: an input, a comparison with a constant, or two of them joined."""
        t, rng = self.t, self.rng
        one = rng.choice(self.conditions)
        match rng.randrange(4):
            case 0:
                return t.eq(rng.choice(self.words), t.const(rng.randrange(3), WIDTH))
            case 1:
                return t.and_(one, t.not_(rng.choice(self.conditions)))
            case 2:
                return t.or_(one, rng.choice(self.conditions))
            case _:
                return one

    def operate(self) -> None:
        """Pay in, pay out or move between accounts, chosen by a word that may name none."""
        t, rng = self.t, self.rng
        under = self.condition()
        amount = rng.choice([t.const(1, WIDTH), *self.words])
        which = rng.choice(self.words)
        named = [t.eq(which, t.const(n, WIDTH)) for n in range(len(self.accounts))]
        exact = rng.random() < 0.5
        changed = [t.ite(name, t.add(a, amount), a) for name, a in zip(named, self.accounts, strict=True)]
        if exact:
            changed[2] = t.ite(t.or_(named[0], named[1]), self.accounts[2], t.add(self.accounts[2], amount))
        self.accounts = [t.ite(under, new, old) for new, old in zip(changed, self.accounts, strict=True)]
        self.total = t.ite(under, t.add(self.total, amount), self.total)

    def balance(self) -> Term:
        """Whether the accounts sum up to the total."""
        total = self.t.const(0, WIDTH)
        for account in self.accounts:
            total = self.t.add(total, account)
        return self.t.eq(total, self.total)

    def assignments(self, count: int) -> list[dict[Term, int]]:
        """Random values of all inputs, small words among them."""
        rng = self.rng
        return [
            {c: rng.randrange(2) for c in self.conditions}
            | {w: rng.choice([rng.randrange(4), rng.randrange(256)]) for w in self.words}
            for _ in range(count)
        ]


@given(st.integers(0, 2**32), st.integers(1, 8))
def test_a_simplified_equality_has_the_same_values(seed: int, operations: int) -> None:
    books = Books(seed, operations)
    condition = books.t.not_(books.balance())
    simple = LinearEqualities(books.t).simplify(condition)
    for assignment in books.assignments(40):
        values = evaluate_terms(books.t, [condition, simple], assignment)
        assert values[condition] == values[simple]


def test_long_books_that_balance_are_true_without_a_solver() -> None:
    t = Terms()
    low, high, total = (t.const(0, 32),) * 3
    for n in range(300):
        happens, is_low = t.var(f"happens{n}", 0), t.var(f"low{n}", 0)
        one = t.const(1, 32)
        low = t.ite(happens, t.ite(is_low, t.add(low, one), low), low)
        high = t.ite(happens, t.ite(is_low, high, t.add(high, one)), high)
        total = t.ite(happens, t.add(total, one), total)
    assert LinearEqualities(t).simplify(t.eq(t.add(low, high), total)) == TRUE


def test_what_was_found_to_be_constant_counts_later() -> None:
    """Books that are closed on one path balance there because they balanced before."""
    t = Terms()
    balance = LinearEqualities(t)
    zero, one = t.const(0, 32), t.const(1, 32)
    low, high, total = zero, zero, zero
    for n in range(40):
        happens, is_low, closed = (t.var(f"{name}{n}", 0) for name in ("happens", "low", "closed"))
        low = t.ite(closed, zero, t.ite(t.and_(happens, is_low), t.add(low, one), low))
        high = t.ite(closed, zero, t.ite(t.and_(happens, t.not_(is_low)), t.add(high, one), high))
        total = t.ite(closed, zero, t.ite(happens, t.add(total, one), total))
        assert balance.simplify(t.eq(t.add(low, high), total)) == TRUE


def test_the_rest_of_wrong_books_is_where_they_go_wrong() -> None:
    """An operation that forgets an account leaves a comparison of few terms."""
    t = Terms()
    one, two, total = (t.const(0, 32),) * 3
    for n in range(50):
        happens, which = t.var(f"happens{n}", 0), t.var(f"which{n}", 0)
        amount = t.var(f"amount{n}", 32)
        forgets = t.var("forgets", 0) if n == 17 else TRUE
        one = t.ite(happens, t.ite(t.and_(which, forgets), t.add(one, amount), one), one)
        two = t.ite(happens, t.ite(which, two, t.add(two, amount)), two)
        total = t.ite(happens, t.add(total, amount), total)
    simple = LinearEqualities(t).simplify(t.eq(t.add(one, two), total))
    assert len(t.cone([simple])) < 15
    assert {t.names[term] for term in t.cone([simple]) if term in t.names} == {
        "happens17",
        "which17",
        "amount17",
        "forgets",
    }
