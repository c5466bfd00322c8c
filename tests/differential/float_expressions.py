"""Random programs over floating-point and integer variables: ``write(seed)`` is one of them.

Each assigns random expressions to variables of all types, with tests in between, and prints what they hold. What is a
NaN is printed as 0: gcc's algebra at compile time may flip the sign of one. Nothing floating is converted to a type
below int: what comes out where it does not fit depends on the format that gcc converts from in the end.
"""

from __future__ import annotations

import random

INTEGERS = {
    "c": "signed char",
    "s": "unsigned short",
    "i": "int",
    "u": "unsigned",
    "n": "long",
    "w": "unsigned long",
}
WIDE = {letter: ctype for letter, ctype in INTEGERS.items() if letter not in "cs"}
REALS = {"f": "float", "d": "double", "l": "long double"}
FORMATS = {
    "c": "%d",
    "s": "%d",
    "i": "%d",
    "u": "%u",
    "n": "%ld",
    "w": "%lu",
    "f": "%.9g",
    "d": "%.17g",
    "l": "%.21Lg",
}
CONSTANTS = (
    "0.1",
    "2.5f",
    "1e9",
    "-3",
    "0.5L",
    "7",
    "1e-3f",
    "0x1p-20",
    "3U",
    "100L",
    "-0.0",
    "16777217",
)
UNARY = ("-", "fabs", "sqrt", "floor", "ceil", "trunc", "round", "rint")
BINARY = ("fmin", "fmax", "copysign", "fdim")


class Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.variables = [f"{letter}{n}" for letter in (*INTEGERS, *REALS) for n in (0, 1)]

    def real(self, depth: int) -> str:
        """An expression that has a floating operand somewhere on the way."""
        choose = self.random.random()
        if depth == 0 or choose < 0.1:
            return self.leaf()
        if choose < 0.2:
            letter = self.random.choice(["f", "l", ""])
            name = self.random.choice(UNARY)
            inner = self.real(depth - 1)
            return f"(-{inner})" if name == "-" else f"{name}{letter}({inner})"
        if choose < 0.28:
            letter = self.random.choice(["f", "l", ""])
            return f"{self.random.choice(BINARY)}{letter}({self.real(depth - 1)}, {self.real(depth - 1)})"
        if choose < 0.4:
            return f"({self.random.choice([*WIDE.values(), *REALS.values()])})({self.real(depth - 1)})"
        if choose < 0.46:
            return f"({self.test(depth - 1)} ? {self.real(depth - 1)} : {self.real(depth - 1)})"
        operator = self.random.choice("++--***/")
        left, right = self.real(depth - 1), self.real(depth - 1)
        if operator == "/":
            right = f"(double)({right})" if self.random.random() < 0.7 else f"(float)({right})"
        return f"({left} {operator} {right})"

    def leaf(self) -> str:
        if self.random.random() < 0.25:
            return f"({self.random.choice(CONSTANTS)})"
        return self.random.choice(self.variables[-6:] if self.random.random() < 0.7 else self.variables)

    def test(self, depth: int) -> str:
        operator = self.random.choice(["<", "<=", ">", ">=", "==", "!=", "&&", "||", ""])
        if not operator:
            return f"!({self.real(depth)})"
        return f"({self.real(depth)} {operator} {self.real(depth)})"

    def statement(self) -> list[str]:
        target = self.random.choice([*WIDE, *REALS]) + self.random.choice("01")
        operator = "=" if self.random.random() < 0.7 else self.random.choice(["+=", "-=", "*="])
        assignment = f"{target} {operator} {self.real(self.random.randrange(1, 4))};"
        value = f"{target} != {target} ? 0 : {target}" if target[0] in REALS else target
        shown = f'printf("{FORMATS[target[0]]}\\n", {value});'
        if self.random.random() < 0.25:
            return [f"if ({self.test(1)})", f"    {assignment}", shown]
        return [assignment, shown]


def write(seed: int, statements: int = 24) -> str:
    """The text of program number ``seed``."""
    writer = Writer(seed)
    lines = ["#include <math.h>", "#include <stdio.h>"]
    lines += [f"{REALS[c]} __VERIFIER_nondet_{REALS[c]}(void);" for c in "fd"]
    lines += ["int __VERIFIER_nondet_int(void);", "int main(void)", "{"]
    for letter, ctype in INTEGERS.items():
        lines.append(
            f"    {ctype} {letter}0 = __VERIFIER_nondet_int(), {letter}1 = {writer.random.randrange(-9, 99)};"
        )
    lines.append("    float f0 = __VERIFIER_nondet_float(), f1 = 1.25f;")
    lines.append("    double d0 = __VERIFIER_nondet_double(), d1 = __VERIFIER_nondet_double();")
    lines.append("    long double l0 = d0 * 3.0L, l1 = 0.1L;")
    for _ in range(statements):
        lines += [f"    {line}" for line in writer.statement()]
    return "\n".join([*lines, "    return 0;", "}", ""])
