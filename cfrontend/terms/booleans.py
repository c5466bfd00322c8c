"""Boolean connectives and if-then-else, with folding of if-then-else trees whose leaves are constants."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from cfrontend.terms.operators import AND, EQ, ITE, NOT, OR
from cfrontend.terms.store import FALSE, TRUE, Term, TermStore

LEAF_LIMIT: Final = 16
"""Maximum leaves of a constant tree that an operator is pushed into; comparisons go up to four times this."""


class BooleanTerms(TermStore):
    """Store of terms with negation, conjunction, disjunction, equivalence and if-then-else."""

    def bool_const(self, value: bool) -> Term:
        """TRUE or FALSE."""
        return TRUE if value else FALSE

    def not_(self, a: Term) -> Term:
        """Negation of a Boolean."""
        if a <= TRUE:
            return a ^ 1
        if self.op[a] == NOT:
            return self.args[a][0]
        return self._node(NOT, 0, a)

    def and_(self, a: Term, b: Term) -> Term:
        """Conjunction. Not reordered, so that path conditions keep their shape."""
        if a == b or b == TRUE:
            return a
        if a == TRUE:
            return b
        if a == FALSE or b == FALSE:
            return FALSE
        op, args = self.op, self.args
        if (op[a] == NOT and args[a][0] == b) or (op[b] == NOT and args[b][0] == a):
            return FALSE
        for x, y in ((a, b), (b, a)):
            if op[x] == AND:
                if y in args[x]:
                    return x
                if self.not_(y) in args[x]:
                    return FALSE
            elif op[x] == OR:
                if y in args[x]:
                    return y
                left, right = args[x]
                negated = self.not_(y)
                if negated == left:
                    return self.and_(y, right)
                if negated == right:
                    return self.and_(y, left)
        return self._node(AND, 0, a, b)

    def or_(self, a: Term, b: Term) -> Term:
        """Disjunction."""
        if a == b or b == FALSE:
            return a
        if a == FALSE:
            return b
        if a == TRUE or b == TRUE:
            return TRUE
        op, args = self.op, self.args
        if (op[a] == NOT and args[a][0] == b) or (op[b] == NOT and args[b][0] == a):
            return TRUE
        if op[a] == AND and op[b] == AND:
            merged = self._or_of_ands(a, b)
            if merged is not None:
                return merged
        for x, y in ((a, b), (b, a)):
            if op[x] == OR:
                if y in args[x]:
                    return x
                if self.not_(y) in args[x]:
                    return TRUE
            elif op[x] == AND:
                if y in args[x]:
                    return y
                left, right = args[x]
                negated = self.not_(y)
                if negated == left:
                    return self.or_(y, right)
                if negated == right:
                    return self.or_(y, left)
        return self._node(OR, 0, a, b)

    def _or_of_ands(self, a: Term, b: Term) -> Term | None:
        """Factor out what two conjunctions share, as long as the remainders are conjunctions that share something."""
        op, args = self.op, self.args
        shared: list[Term] = []
        while a != b and op[a] == AND and op[b] == AND:
            one, two = args[a], args[b]
            if one[0] in two:
                common, a = one
            elif one[1] in two:
                a, common = one
            else:
                break
            b = two[1] if two[0] == common else two[0]
            shared.append(common)
        if not shared:
            return None
        result = self.or_(a, b)
        for common in reversed(shared):
            result = self.and_(common, result)
        return result

    def all_of(self, items: Iterable[Term]) -> Term:
        """Conjunction of any number of Booleans (TRUE for none)."""
        result = TRUE
        for item in items:
            result = self.and_(result, item)
        return result

    def any_of(self, items: Iterable[Term]) -> Term:
        """Disjunction of any number of Booleans (FALSE for none)."""
        result = FALSE
        for item in items:
            result = self.or_(result, item)
        return result

    def implies(self, a: Term, b: Term) -> Term:
        """Implication."""
        return self.or_(self.not_(a), b)

    def _iff(self, a: Term, b: Term) -> Term:
        if b <= TRUE:
            return a if b == TRUE else self.not_(a)
        negate = False
        if self.op[a] == NOT:
            a, negate = self.args[a][0], True
        if self.op[b] == NOT:
            b, negate = self.args[b][0], not negate
        if a == b:
            return FALSE if negate else TRUE
        result = self._node(EQ, 0, min(a, b), max(a, b))
        return self.not_(result) if negate else result

    # -- if-then-else ------------------------------------------------------------------------------------------

    def ite(self, c: Term, a: Term, b: Term) -> Term:
        """``c ? a : b`` on Booleans or on words of one width."""
        if c == TRUE or a == b:
            return a
        if c == FALSE:
            return b
        op, args = self.op, self.args
        if op[c] == NOT:
            c, a, b = args[c][0], b, a
        if self.width[a] == 0:
            return self._bool_ite(c, a, b)
        if op[a] == ITE and args[a][0] == c:
            a = args[a][1]
        if op[b] == ITE and args[b][0] == c:
            b = args[b][2]
        if a == b:
            return a
        key, nodes = (c, a, b), self._nodes[ITE]
        found = nodes.get(key)
        if found is None:
            leaves = self._leaves
            count = leaves[a] + leaves[b] if leaves[a] and leaves[b] else 0
            found = nodes[key] = self._append(ITE, key, self.width[a], None, count)
        return found

    def _bool_ite(self, c: Term, a: Term, b: Term) -> Term:
        if a == TRUE or a == c:
            return self.or_(c, b)
        if a == FALSE:
            return self.and_(self.not_(c), b)
        if b == FALSE or b == c:
            return self.and_(c, a)
        if b == TRUE:
            return self.or_(self.not_(c), a)
        if self.not_(a) == b:
            return self._iff(c, a)
        return self._node(ITE, 0, c, a, b)

    def _push(self, tree: Term, apply: Callable[[Term], Term]) -> Term:
        """Apply ``apply`` to each constant leaf of an ``ite`` tree."""
        if self.value[tree] is not None:
            return apply(tree)
        c, a, b = self.args[tree]
        return self.ite(c, self._push(a, apply), self._push(b, apply))

    def _pushable(self, tree: Term, limit: int = LEAF_LIMIT) -> bool:
        return 1 < self._leaves[tree] <= limit

    def choices(self, term: Term) -> int:
        """The number of constant leaves of an if-then-else tree of constants; 0 for any other term."""
        return self._leaves[term]

    def map_choices(self, term: Term, apply: Callable[[Term], Term]) -> Term:
        """``apply`` to each leaf of an ``ite`` tree of constants, under the same conditions."""
        return self._push(term, apply)
