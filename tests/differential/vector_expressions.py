"""Random programs over GNU vectors of all element types: ``write(seed)`` is one of them.

Each assigns random expressions to vectors of 8, 16 or 32 bytes, through operators, casts, shuffles, calls and
subscripts, and prints their elements. Divisors are positive and distances of shifts within the element, as everything
else is undefined; no NaN is read as an integer, as its sign is a matter of gcc's algebra.
"""

from __future__ import annotations

import random

INTEGERS = {
    "sc": ("signed char", 1),
    "uc": ("unsigned char", 1),
    "ss": ("short", 2),
    "us": ("unsigned short", 2),
    "si": ("int", 4),
    "ui": ("unsigned", 4),
    "sl": ("long", 8),
    "ul": ("unsigned long", 8),
}
REALS = {"f": ("float", 4), "d": ("double", 8)}
ELEMENTS = INTEGERS | REALS
TRUTHS = {1: "sc", 2: "ss", 4: "si", 8: "sl"}
EXTREMES = {
    1: ("-128", "127"),
    2: ("-32768", "32767"),
    4: ("-2147483647 - 1", "0x7fffffff"),
    8: ("1L << 63", "~(1L << 63)"),
}


class Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.size = self.random.choice([8, 16, 16, 32])
        kept = [k for k in ELEMENTS if self.count(k) <= 16]
        self.kinds = sorted({*self.random.sample(kept, 4), "si"})

    def count(self, kind: str) -> int:
        return self.size // ELEMENTS[kind][1]

    def leaf(self, kind: str) -> str:
        if kind not in self.kinds or self.random.random() < 0.3:
            return self.literal(kind)
        return self.random.choice([f"{kind}0", f"{kind}1", f"s.{kind}", f"a_{kind}[k & 1]"])

    def literal(self, kind: str) -> str:
        values = [self.number(kind) for _ in range(self.random.randrange(1, self.count(kind) + 1))]
        return f"(v_{kind}){{{', '.join(values)}}}"

    def number(self, kind: str) -> str:
        if kind in REALS:
            return self.random.choice(["0.5", "-3", "1e3", "16777216", "0x1p-20", "0"])
        if self.random.random() < 0.3:
            return self.random.choice(EXTREMES[ELEMENTS[kind][1]])
        return str(self.random.randrange(-120, 121))

    def vector(self, kind: str, depth: int) -> str:
        """An expression that is a vector of elements of this kind."""
        choose = self.random.random()
        if depth == 0 or choose < 0.08:
            return self.leaf(kind)
        inner = self.vector(kind, depth - 1)
        if choose < 0.16:
            return f"({self.random.choice('-+' if kind in REALS else '-+~')}{inner})"
        if choose < 0.28:
            return self.changed(kind, depth)
        if choose < 0.36:
            return self.shuffled(kind, depth)
        if choose < 0.42:
            return f"id_{kind}({inner})" if kind in self.kinds else inner
        if choose < 0.48:
            return f"(k > {self.random.randrange(-3, 9)} ? {inner} : {self.leaf(kind)})"
        if choose < 0.6:
            operator, number = self.random.choice("+-*"), self.scalar(kind)
            return (
                f"({inner} {operator} {number})"
                if self.random.random() < 0.6
                else f"({number} {operator} {inner})"
            )
        if kind in REALS:
            return f"({inner} {self.random.choice('+-*/')} {self.vector(kind, depth - 1)})"
        if choose < 0.7:
            return f"({inner} {self.random.choice('/%')} (({self.vector(kind, depth - 1)} & 63) | 1))"
        if choose < 0.8:
            last = 8 * ELEMENTS[kind][1] - 1
            distance = self.random.choice(
                [
                    f"({self.vector(kind, depth - 1)} & {last})",
                    f"(k & {last})",
                    f"{self.random.randrange(last + 1)}",
                ]
            )
            return f"({inner} {self.random.choice(['<<', '>>'])} {distance})"
        return f"({inner} {self.random.choice('+-*&|^')} {self.vector(kind, depth - 1)})"

    def scalar(self, kind: str) -> str:
        if kind in REALS:
            return self.random.choice(
                [f"n_{kind}", "2", "0.25", f"({self.leaf(kind)})[k & 1 & {self.count(kind) - 1}]"]
            )
        return self.random.choice([f"n_{kind}", str(self.random.randrange(128))])

    def changed(self, kind: str, depth: int) -> str:
        """A vector that comes from one of another type."""
        size = ELEMENTS[kind][1]
        if self.random.random() < 0.4 and TRUTHS[size] == kind:
            other = self.random.choice([k for k, (_, n) in ELEMENTS.items() if n == size])
            operator = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
            return f"({self.vector(other, depth - 1)} {operator} {self.vector(other, depth - 1)})"
        other = self.random.choice([*INTEGERS])
        if kind in REALS or self.random.random() < 0.3:
            alike = [k for k in INTEGERS if ELEMENTS[k][1] == size]
            return f"__builtin_convertvector({self.vector(self.random.choice(alike), depth - 1)}, v_{kind})"
        if self.random.random() < 0.2:
            other = self.random.choice([*REALS])
            return f"(v_{kind})(v_{other}){self.literal(other)}"
        return f"(v_{kind}){self.vector(other, depth - 1)}"

    def shuffled(self, kind: str, depth: int) -> str:
        count, mask = self.count(kind), self.vector(TRUTHS[ELEMENTS[kind][1]], depth - 1)
        one, other = self.vector(kind, depth - 1), self.leaf(kind)
        if self.random.random() < 0.3:
            numbers = ", ".join(str(self.random.randrange(2 * count)) for _ in range(count))
            return f"__builtin_shufflevector({one}, {other}, {numbers})"
        both = f"{one}, {other}" if self.random.random() < 0.5 else one
        return f"__builtin_shuffle({both}, {mask})"

    def statement(self) -> list[str]:
        kind = self.random.choice(self.kinds)
        target = self.random.choice(
            [f"{kind}0", f"{kind}1", f"s.{kind}", f"a_{kind}[k & 1]", f"(*next_{kind}())"]
        )
        last = self.count(kind) - 1
        choose = self.random.random()
        if choose < 0.5:
            change = f"{target} = {self.vector(kind, 3)};"
        elif choose < 0.7:
            operators = "+-*" if kind in REALS else "+-*&|^"
            change = f"{target} {self.random.choice(operators)}= {self.vector(kind, 2)};"
        elif choose < 0.8:
            change = self.random.choice(
                [f"{target}++;", f"--{target};", f"{kind}1 = {target}--;", f"{kind}0 = ++{target};"]
            )
        else:
            place = self.random.choice(
                [f"{target}[k & {last}]", f"({target})[{self.random.randrange(last + 1)}]"]
            )
            # gcc finds the place of a vector twice where an element of it is changed.
            operator = "=" if "next" in target else self.random.choice(["=", "+=", "-=", "*="])
            change = f"{place} {operator} ({self.vector(kind, 1)})[k & {last}];"
        return [change, f"show_{kind}({target});", f"show_{kind}({kind}1);"]


def write(seed: int, statements: int = 12) -> str:
    """The text of program number ``seed``."""
    writer = Writer(seed)
    lines = ["#include <stdio.h>", "int __VERIFIER_nondet_int(void);"]
    for kind, (name, _) in ELEMENTS.items():
        if kind in REALS or writer.count(kind) <= 32:
            lines.append(f"typedef {name} v_{kind} __attribute__((vector_size({writer.size})));")
    lines.append(f"struct s {{ char c; {' '.join(f'v_{kind} {kind};' for kind in writer.kinds)} }} s;")
    for kind in writer.kinds:
        form, cast = ("%.9g", "double") if kind in REALS else ("%ld", "long")
        number = "v[i] != v[i] ? 0 : v[i]" if kind in REALS else "v[i]"
        lines += [
            f"v_{kind} a_{kind}[2]; int at_{kind};",
            f"v_{kind} *next_{kind}(void) {{ return &a_{kind}[at_{kind}++ & 1]; }}",
            f"v_{kind} id_{kind}(v_{kind} v) {{ v[0] += 1; return v; }}",
            f"void show_{kind}(v_{kind} v)",
            "{",
            f'    for (int i = 0; i < {writer.count(kind)}; i++) printf("{form} ", ({cast})({number}));',
            '    printf("\\n");',
            "}",
        ]
    lines += ["int main(void)", "{", "    int k = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();"]
    for kind in writer.kinds:
        numbers = ", ".join(f"{'k' if n & 1 else 'm'} + {n}" for n in range(writer.count(kind)))
        lines.append(f"    v_{kind} {kind}0 = {{{numbers}}}, {kind}1 = {writer.literal(kind)};")
    lines += [f"    {name} n_{kind} = m; (void)n_{kind};" for kind, (name, _) in ELEMENTS.items()]
    for _ in range(statements):
        lines += [f"    {line}" for line in writer.statement()]
    return "\n".join([*lines, "    return 0;", "}", ""])
