"""Dynamic slices: those of a second implementation, and by hand."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeSuppliedValues
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.units import UnitId
from tests.cfrontend.slice.tracker import Tracker

PROTOTYPES = """
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
"""

DOMAIN = 3
READS = 3


def program(text: str, directory: Path) -> Program:
    source = directory / "program.c"
    source.write_text(PROTOTYPES + text, encoding="utf-8")
    return load_c_program([str(source)], ProgramOptions(checks=frozenset({"assert"})))


def slice_of(loaded: Program, inputs: tuple[int, ...]) -> tuple[str, frozenset[UnitId]]:
    """How the execution ends on ``inputs``, of which it may read fewer, and what it covers."""
    values = iter(inputs)
    encoded = encode_program(
        loaded,
        Bound(unwind=None, free=True),
        inputs=EncodeSuppliedValues(lambda _site: next(values)),
        mattering={item.id for item in loaded.properties},
    )
    roots = [encoded.passing, *(v.condition for v in encoded.violations), *encoded.coverage.values()]
    truth = evaluate_terms(encoded.terms, roots, {})
    failed = any(truth[v.condition] for v in encoded.violations)
    outcome = "fail" if failed else "pass" if truth[encoded.passing] else "discard"
    return outcome, frozenset(unit for unit, term in encoded.coverage.items() if truth[term])


# -- a second implementation -------------------------------------------------------------------------------------


class Generator:
    """A small program of everything that decides, overwrites, leaves out and computes places."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.names = itertools.count()
        self.reads = 0
        self.loops = 0

    def text(self) -> str:
        self.lines += ["int g0 = 1, g1;", "int t[3];"]
        for name in ("f", "h"):
            self.function(name)
        self.lines.append("int main(void) {")
        variables = ["g0", "g1"]
        for _ in range(READS):
            variables.append(f"i{next(self.names)}")
            self.lines.append(f"int {variables[-1]} = __VERIFIER_nondet_int();")
            self.lines.append(f"__VERIFIER_assume({variables[-1]} >= 0 && {variables[-1]} < {DOMAIN});")
        self.lines.append("int a[3] = {1, 2, 3};")
        self.block(variables, ["a", "t"], 6, 2, calls=("f", "h"))
        self.property(variables)
        self.block(variables, ["a", "t"], 2, 1, calls=("f",))
        self.property(variables)
        self.lines += ["return 0;", "}"]
        return "\n".join(self.lines) + "\n"

    def property(self, variables: list[str]) -> None:
        element = f"{self.random.choice('at')}[{self.random.randrange(3)}]"
        self.lines.append(
            f"assert({element} + {self.value(variables, ['a', 't'])} != {self.random.randrange(5)});"
        )

    def function(self, name: str) -> None:
        self.lines.append(f"int {name}(int n, int m) {{")
        self.lines.append("int x = n;")
        self.block(["g0", "g1", "n", "m", "x"], ["t"], 2, 2, calls=())
        if self.random.randrange(2):
            self.lines.append(f"if ({self.condition(['n', 'm'])}) return {self.value(['n', 'x'], ['t'])};")
            self.lines.append(f"g{self.random.randrange(2)} = {self.value(['m', 'x'], ['t'])};")
        self.lines += [f"return {self.value(['n', 'x', 'g1'], ['t'])};", "}"]

    def value(self, variables: list[str], arrays: list[str]) -> str:
        kind = self.random.randrange(9)
        if kind < 3:
            return self.random.choice(variables)
        if kind == 8:
            return f"{self.random.choice(arrays)}[{self.random.randrange(3)}]"
        if kind == 3:
            return str(self.random.randrange(4))
        if kind == 4:
            return f"{self.random.choice(arrays)}[{self.index(variables)}]"
        left, right = self.random.choice(variables), self.random.choice(variables)
        if kind == 5:
            return f"({left} > 1 ? {right} : {self.random.randrange(3)})"
        return f"(({left} {self.random.choice('+-')} {right}) & 3)"

    def index(self, variables: list[str]) -> str:
        if self.random.randrange(3) == 0:
            return str(self.random.randrange(3))
        return f"(({self.random.choice(variables)} & 1) + {self.random.randrange(2)})"

    def condition(self, variables: list[str]) -> str:
        one = f"{self.random.choice(variables)} {self.random.choice(['<', '==', '>'])} {self.random.randrange(3)}"
        if self.random.randrange(3):
            return one
        return f"{one} {self.random.choice(['&&', '||'])} {self.random.choice(variables)} != 1"

    def block(
        self, variables: list[str], arrays: list[str], length: int, depth: int, *, calls: tuple[str, ...]
    ) -> None:
        here = [*variables]
        for _ in range(self.random.randint(1, length)):
            kind = self.random.randrange(14)
            target = self.random.choice(here)
            if kind < 3:
                self.lines.append(f"{target} = {self.value(here, arrays)};")
            elif kind == 3:
                here.append(f"v{next(self.names)}")
                self.lines.append(f"int {here[-1]} = {self.value(here[:-1], arrays)};")
            elif kind in {4, 12}:
                array, index = self.random.choice(arrays), self.index(here)
                self.lines.append(f"{array}[{index}] = {self.value(here, arrays)};")
            elif kind == 5 and calls:
                call = f"{self.random.choice(calls)}({self.value(here, arrays)}, {self.value(here, arrays)})"
                self.lines.append(f"{target} = {call};" if self.random.randrange(3) else f"{call};")
            elif kind == 6 and depth and calls:
                self.lines.append(
                    f"if ({self.condition(here)}) {self.random.choice(['exit(0);', 'return 1;'])}"
                )
            elif kind == 6 and depth:
                self.lines.append(f"if ({self.condition(here)}) return {self.value(here, arrays)};")
            elif kind == 7 and depth and self.loops < 3:
                self.loops += 1
                counter = f"k{next(self.names)}"
                self.lines.append(f"int {counter} = 0;")
                self.lines.append(f"while ({counter}++ < {self.value(here, arrays)}) {{")
                local = f"b{next(self.names)}"
                self.lines.append(f"int {local}[3] = {{{self.random.choice(here)}, 1}};")
                self.block(here, [*arrays, local], 2, depth - 1, calls=calls)
                self.lines.append(f"{self.random.choice(here)} = {local}[{self.random.randrange(3)}];")
                if self.random.randrange(2):
                    jump = self.random.choice(["break", "continue"])
                    self.lines.append(f"if ({self.condition(here)}) {jump};")
                self.lines.append(f"{target} = {self.value(here, arrays)};")
                self.lines.append(f"if ({counter} > 3) break;")
                self.lines.append("}")
            elif depth:
                self.lines.append(f"if ({self.condition(here)}) {{")
                self.block(here, arrays, 2, depth - 1, calls=calls)
                if self.random.randrange(2):
                    self.lines.append("} else {")
                    self.block(here, arrays, 2, depth - 1, calls=calls)
                self.lines.append("}")


@pytest.mark.parametrize("first", range(0, 60, 10))
@pytest.mark.sample(2)
def test_a_plain_interpreter_finds_the_same_slices(first: int, tmp_path: Path) -> None:
    smaller = 0
    for seed in range(first, first + 10):
        loaded = program(Generator(seed).text(), tmp_path)
        for inputs in itertools.product(range(DOMAIN), repeat=READS):
            run = Tracker(loaded.goto, inputs).run()
            assert slice_of(loaded, inputs) == (run.outcome, run.slice), f"seed {seed}, inputs {inputs}"
            smaller += run.outcome == "fail" and len(run.slice) < len(loaded.units)
    assert smaller


# -- by hand -------------------------------------------------------------------------------------------------------

X = "x = __VERIFIER_nondet_int()"

CASES: dict[str, tuple[str, int, set[str]]] = {
    "the last write": (
        "int main(void) { int x = __VERIFIER_nondet_int(), y = 1;\n y = 2; y = x; assert(y != 3); }",
        3,
        {X, "y = x"},
    ),
    "a branch that was taken": (
        ("int main(void) { int x = __VERIFIER_nondet_int(), y = 1, z = 0;\n"
        "if (x == 3) y = 2; if (x == 3) z = 1; assert(y != 2); }"),
        3,
        {X, "x == 3", "y = 2"},
    ),
    "an assignment that was left out": (
        "int main(void) { int x = __VERIFIER_nondet_int(), y = 1;\n if (x > 3) y = 2; assert(y != 1); }",
        3,
        {X, "x > 3", "y = 1"},
    ),
    "one that was left out, and then overwritten": (
        "int main(void) { int x = __VERIFIER_nondet_int(), y = 1;\n if (x > 3) y = 2; y = 5; assert(y != 5); }",
        3,
        {"y = 5"},
    ),
    "one in a function that was not called": (
        ("int g = 1; void set(int n) { g = n; }\n"
        "int main(void) { int x = __VERIFIER_nondet_int();\n if (x > 3) set(2); assert(g != 1); }"),
        3,
        {X, "x > 3"},
    ),
    "one behind a return": (
        ("int g = 1; int f(int n) { if (n == 3) return 7; g = n; return 8; }\n"
        "int main(void) { int x = __VERIFIER_nondet_int();\n f(x); assert(g != 1); }"),
        3,
        {X, "n == 3", "return 7", "f(x)"},
    ),
    "an operand that was not evaluated": (
        "int main(void) { int x = __VERIFIER_nondet_int(), y = 1, z = 0;\n assert(!(x == 3 || y)); }",
        3,
        {X},
    ),
    "an exit that was not taken": (
        "int main(void) { int x = __VERIFIER_nondet_int(), y = 1;\n if (x < 3) exit(0); assert(y != 1); }",
        3,
        {X, "x < 3", "y = 1"},
    ),
    "one element of an array": (
        ("int main(void) { int x = __VERIFIER_nondet_int(); int a[3] = {0};\n"
        "a[0] = 1; a[1] = 2; a[2] = 3; assert(a[x] != 2); }"),
        1,
        {X, "a[1] = 2"},
    ),
    "a write to another element": (
        ("int main(void) { int x = __VERIFIER_nondet_int(), y = 5, z = 6; int a[3];\n"
        "a[0] = y; a[x] = z; assert(a[0] != 5); }"),
        1,
        {X, "y = 5", "a[0] = y", "a[x] = z"},
    ),
    "an array that begins anew": (
        ("int main(void) { int x = __VERIFIER_nondet_int(), s = 0;\n"
        "for (int i = 0; i < 2; i++) { int a[2] = {4, 4}; s = a[0]; if (!i) a[x] = 1; } assert(s != 4); }"),
        1,
        {"i = 0", "i < 2", "i++", "a[2] = {4, 4}", "s = a[0]"},
    ),
    "a pointer to one of two": (
        ("int main(void) { int x = __VERIFIER_nondet_int(), a = 1, b = 2; int *p = &a;\n"
        "if (x) p = &b; *p = 7; assert(b != 7); }"),
        1,
        {X, "x", "p = &b", "*p = 7"},
    ),
    "memory that was freed too early": (
        ("int main(void) { int x = __VERIFIER_nondet_int(), y = 0; int *p = malloc(4);\n"
        "*p = x; if (x == 3) free(p); y = *p; }"),
        3,
        {X, "p = malloc(4)", "x == 3", "free(p)", "y = *p"},
    ),
    "bytes that are copied": (
        ("int main(void) { int x = __VERIFIER_nondet_int(), n = 4; int a[2] = {0}, b[2] = {0}, c[2] = {0};\n"
        "a[0] = x; memcpy(b, a, n); memcpy(c, b, 4); b[1] = 2; assert(c[0] != 3); }"),
        3,
        {X, "n = 4", "a[0] = x", "memcpy(b, a, n)", "memcpy(c, b, 4)"},
    ),
    "a recursion": (
        ("int g; int sum(int n) { if (n <= 0) return 0; g = n; return n + sum(n - 1); }\n"
        "int main(void) { int x = __VERIFIER_nondet_int();\n __VERIFIER_assume(x < 4); int s = sum(x); assert(s != 6); }"),
        3,
        {X, "n <= 0", "return 0", "return n + sum(n - 1)", "s = sum(x)"},
    ),
    "a structure": (
        ("struct s { int a, b; };\n struct s make(int n) { struct s r; r.a = n; r.b = 1; return r; }\n"
        "int main(void) { struct s one = make(__VERIFIER_nondet_int()), two = {0};\n two.a = 4; assert(one.a != 3); }"),
        3,
        {"one = make(__VERIFIER_nondet_int())", "r.a = n", "r.b = 1", "return r"},
    ),
    "a bit-field": (
        ("struct s { unsigned a : 3, b : 3; };\n int main(void) { unsigned x = __VERIFIER_nondet_int();\n"
        "struct s one = {0}; int y = 1; one.a = x; y = 2; assert(one.a != 3); }"),
        3,
        {X, "one = {0}", "one.a = x"},
    ),
    "one of two functions": (
        ("int one(int n) { return n; } int two(int n) { return 7; }\n"
        "int main(void) { int x = __VERIFIER_nondet_int(), y = 2; int (*f)(int); f = x == 3 ? two : one;\n"
        "y = f(y); assert(y != 7); }"),
        3,
        {X, "f = x == 3 ? two : one", "return 7", "y = f(y)"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_mattered_to_a_violation(name: str, tmp_path: Path) -> None:
    text, value, wanted = CASES[name]
    source = tmp_path / "program.c"
    source.write_text(PROTOTYPES + text, encoding="utf-8")
    loaded = load_c_program([str(source)], ProgramOptions())
    outcome, covered = slice_of(loaded, (value,))
    assert outcome == "fail"
    assert {loaded.units[unit - 1].text for unit in covered} == wanted
    symbolic = encode_program(loaded, Bound(unwind=6), mattering={item.id for item in loaded.properties})
    (read,) = {event.value for event in symbolic.inputs}
    truth = evaluate_terms(symbolic.terms, list(symbolic.coverage.values()), {read: value})
    assert frozenset(unit for unit, term in symbolic.coverage.items() if truth[term]) == covered
