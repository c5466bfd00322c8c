"""Asserted terms as SMT-LIB 2 text, for any other solver to read.

A node gets a name where it is used more than once or where its text would become long, so that the text is
linear in the number of nodes and never nests deeply.

    export(t, [t.ult(t.add(x, y), x)])  ->  (set-logic QF_BV)
                                            (declare-fun x () (_ BitVec 8))
                                            (declare-fun y () (_ BitVec 8))
                                            (assert (bvult (bvadd x y) x))
                                            (check-sat)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from cfrontend.terms import TRUE, VAR, Term, Terms
from cfrontend.terms.operators import CONST, EXTRACT, OP_NAMES

_SIMPLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.!@$&*+<=>?/^~-]*")
"""Symbols that need no bars."""

_WORDS: Final = """
! _ as BINARY DECIMAL exists HEXADECIMAL forall lambda let match NUMERAL par STRING true false xor => distinct
repeat rotate_left rotate_right Bool BitVec Array assert echo exit pop push reset
"""

_PREFIXES: Final = ("$", "@", ".", "bv", "check-", "declare-", "define-", "get-", "reset-", "set-")

_TAKEN: Final = frozenset((*OP_NAMES, *_WORDS.split()))
"""Words that no variable may have as its name, nor may it begin with a prefix above; bitwuzla reads bars as nothing."""

_LONG: Final = 200
"""Characters of text from which on a node gets a name of its own."""


def smtlib_script(
    terms: Terms, asserted: Sequence[Term], named: Mapping[str, Term] | None = None, comment: str = ""
) -> str:
    """A complete script that asserts each of ``asserted`` and asks for satisfiability.

    ``named`` terms are defined by their names, for whoever adds to the script; a variable has its own.
    """
    named = named or {}
    cone = terms.cone([*asserted, *named.values()])
    uses = Counter(below for term in cone for below in terms.operands(term))
    lines = [
        *(f"; {line}" for line in comment.splitlines()),
        "(set-option :produce-models true)",
        "(set-logic QF_BV)",
    ]
    text: dict[Term, str] = {}
    for term in cone:
        if terms.op[term] == VAR:
            text[term] = smtlib_symbol(terms.names[term])
            lines.append(f"(declare-fun {text[term]} () {_sort(terms.width[term])})")
        elif terms.op[term] == CONST:
            text[term] = _constant(terms, term)
        else:
            body = _application(terms, term, text)
            if uses[term] > 1 or len(body) > _LONG:
                text[term] = f"$t{term}"
                lines.append(f"(define-fun {text[term]} () {_sort(terms.width[term])} {body})")
            else:
                text[term] = body
    lines.extend(
        f"(define-fun {smtlib_symbol(name)} () {_sort(terms.width[term])} {text[term]})"
        for name, term in named.items()
    )
    lines.extend(f"(assert {text[term]})" for term in asserted)
    lines.append("(check-sat)\n")
    return "\n".join(lines)


def smtlib_symbol(name: str) -> str:
    """``name`` as a symbol; different names give different symbols, and none begins with ``$`` or is taken."""
    if name in _TAKEN or name.startswith(_PREFIXES):
        name = f"%{ord(name[0]):x};" + _escaped(name[1:])
    else:
        name = _escaped(name)
    return name if _SIMPLE.fullmatch(name) else f"|{name}|"


def _escaped(name: str) -> str:
    return "".join(c if " " <= c <= "~" and c not in "|\\%" else f"%{ord(c):x};" for c in name)


def _sort(width: int) -> str:
    return f"(_ BitVec {width})" if width else "Bool"


def _constant(terms: Terms, term: Term) -> str:
    if terms.width[term]:
        return f"(_ bv{terms.args[term][0]} {terms.width[term]})"
    return "true" if term == TRUE else "false"


def _application(terms: Terms, term: Term, text: dict[Term, str]) -> str:
    op, args = terms.op[term], terms.args[term]
    if op >= EXTRACT:
        indices = " ".join(str(index) for index in args[1:])
        return f"((_ {OP_NAMES[op]} {indices}) {text[args[0]]})"
    return f"({OP_NAMES[op]} {' '.join(text[below] for below in args)})"
