"""Optimality is true, not assumed: programs small enough to run every input, natively with gcc, and compare.

    unsigned char a = nondet();                     sfo sees this text,
    unsigned char a = (COV(7), nondet());           gcc compiles this one, line by line the same

Each generated program reads a few inputs of a few values. One binary runs all of their vectors and says for each how
it ended, where, and how often each line with a unit was evaluated. Every unit stands on a line of its own, so that
units and lines are the same. What Algorithm 1 claims to know about all failing executions is then compared with all
failing executions.
"""

from __future__ import annotations

import itertools
import random
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import pytest

from cfrontend.program import ProgramOptions
from cfrontend.source.preprocess import PreprocessOptions
from sfo.core.executions import Execution, ExecutionInputValue
from sfo.core.result import Result
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.test_generation.algorithm1 import PASSING_ATTEMPTS
from tests.conftest import require_tool

PROGRAMS: Final = 96
"""How many programs the test looks at."""

PER_TEST: Final = 8
"""Programs of one test case; pytest-xdist spreads the cases."""

UNWIND: Final = 12
"""More than any loop or recursion of a generated program needs."""

Vector = tuple[int, ...]
"""The inputs that were read, each as its place in the domain of the program."""


# -- the text ----------------------------------------------------------------------------------------------------

# Marks in generated lines, with what they are for gcc; for sfo they are nothing.
#   @            begin of a unit             COV(line),
#   «n,          begin of an index below n   INDEX(n,
#   ¿            begin of a divisor          DIVISOR(
#   *¡           begin of a dereference      *POINTER(
#   †            begin of a lazy read        lazy_read(&
#   »            end of those                )
# A line `plain§native` is `plain` for sfo and `native` for gcc.

PRELUDE_SFO = """\
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __CPROVER_assert(_Bool, const char *);
extern void reach_error(void);
"""

PRELUDE_NATIVE = """\
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum { PASS = 1, FAIL = 2, DISCARD = 3 };
static jmp_buf end;
static unsigned counts[LINES];
static int vector[READS], reads, where;

static void finish(int how, int line) { where = line; longjmp(end, how); }
static int next(void)
{
    if (reads >= READS) { puts("too many reads"); _Exit(9); }
    return vector[reads++];
}
static int __VERIFIER_nondet_int(void) { return LOW + next(); }
static short __VERIFIER_nondet_short(void) { return LOW + next(); }
static long __VERIFIER_nondet_long(void) { return LOW + next(); }
static unsigned char __VERIFIER_nondet_uchar(void) { return next(); }
static _Bool __VERIFIER_nondet_bool(void) { return next() % 2; }

typedef struct { int known, value; } lazy;
static int lazy_read(lazy *l)
{
    if (!l->known) { l->known = 1; l->value = next(); }
    return l->value;
}
static int lazy_write(lazy *l, int value) { l->known = 1; return l->value = value; }

#define COV(line) (counts[line]++)
#define FAILING(line) finish(FAIL, line)
#define assert(e) ((e) ? (void)0 : FAILING(__LINE__))
#define __CPROVER_assert(e, text) assert(e)
#define __VERIFIER_assume(e) ((e) ? (void)0 : finish(DISCARD, 0))
#define reach_error() FAILING(__LINE__)
#define abort() finish(DISCARD, 0)
#define exit(status) ((void)(status), finish(PASS, 0))
#define INDEX(n, e) ({ __typeof__((e) + 0) i_ = (e); \\
                       if ((i_ < 0) || (unsigned long)i_ >= (n)) FAILING(__LINE__); i_; })
#define DIVISOR(e) ({ __typeof__((e) + 0) d_ = (e); if (!d_) FAILING(__LINE__); d_; })
#define POINTER(e) ({ __typeof__(e) p_ = (e); if (!p_) FAILING(__LINE__); p_; })
#define main program_main
"""

DRIVER = """\
#undef main
int main(void)
{
    for (;;) {
        int left = READS;
        reads = where = 0;
        memset(counts, 0, sizeof counts);
        reset();
        int how = setjmp(end);
        if (how == 0) { START; how = PASS; }
        printf("%d %d", how, where);
        printf(" %d", reads);
        for (int i = 0; i < reads; i++) printf(" %d", vector[i]);
        for (int i = 0; i < LINES; i++) if (counts[i]) printf(" %d:%u", i, counts[i]);
        putchar('\\n');
        left = reads;
        while (left > 0 && vector[left - 1] == DOMAIN - 1) left--;
        if (left == 0) return 0;
        vector[left - 1]++;
        for (int i = left; i < READS; i++) vector[i] = 0;
    }
}
"""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A generated program. Its inputs are `low`, `low + 1` ...: `domain` values; no run reads more than `reads`."""

    entry: str
    lines: tuple[str, ...]
    statics: tuple[str, ...]
    reset: tuple[str, ...]
    start: str
    low: int
    domain: int
    reads: int

    def plain(self) -> str:
        return "".join(_plain(line) + "\n" for line in self.lines)

    def native(self) -> str:
        macros = {"LINES": len(self.lines) + 1, "READS": self.reads, "LOW": self.low, "DOMAIN": self.domain}
        head = "".join(f"#define {name} ({value})\n" for name, value in macros.items())
        body = "".join(_native(line, number) + "\n" for number, line in enumerate(self.lines, start=1))
        statics = "".join(line + "\n" for line in self.statics)
        reset = "static void reset(void) {\n" + "\n".join(self.reset) + "\n}\n"
        return f'{head}{PRELUDE_NATIVE}{statics}#line 1 "program.c"\n{body}#define START {self.start}\n{reset}{DRIVER}'

    def unit_lines(self) -> set[int]:
        return {number for number, line in enumerate(self.lines, start=1) if "@" in line}


def _plain(line: str) -> str:
    return re.sub(r"«\d+,|[@¿¡»†]", "", line.split("§", maxsplit=1)[0])


def _native(line: str, number: int) -> str:
    text = line.rsplit("§", maxsplit=1)[-1]
    if text.startswith(("#include", "extern ")):
        return ""
    text = re.sub(r"«(\d+),", r"INDEX(\1, ", text.replace("@", f"COV({number}), "))
    return (
        text.replace("¿", "DIVISOR(").replace("¡", "POINTER(").replace("†", "lazy_read(&").replace("»", ")")
    )


# -- the generator -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Array:
    name: str
    length: int


@dataclass(frozen=True)
class Matrix:
    """``name[rows][columns]suffix``; a suffix is a member."""

    name: str
    rows: int
    columns: int
    suffix: str = ""


@dataclass(frozen=True)
class Helper:
    name: str
    parameters: int
    result: bool
    pointer: bool
    ctype: str


class Scope:
    """What an expression may read and a statement may write here; a pointer may point to what outlives it."""

    def __init__(self, outer: Scope | None = None) -> None:
        self.readable: list[str] = [*outer.readable] if outer else []
        self.writable: list[str] = [*outer.writable] if outer else []
        self.addressable: list[str] = [*outer.addressable] if outer else []
        self.arrays: list[Array] = [*outer.arrays] if outer else []
        self.lazy: list[str] = [*outer.lazy] if outer else []
        self.matrices: list[Matrix] = [*outer.matrices] if outer else []
        self.pairs: list[str] = [*outer.pairs] if outer else []
        self.pointers: dict[str, list[str]] = {**outer.pointers} if outer else {}


class Generator:
    """One random program. Whatever it writes ends, stays in bounds or fails a check, and has no undefined order."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = PRELUDE_SFO.splitlines()
        self.reset: list[str] = []
        self.statics: list[str] = []
        self.helpers: list[Helper] = []
        self.names = itertools.count()
        self.indent = 0
        self.loops = 0
        self.breakable: list[Literal["loop", "switch"]] = []
        self.result = True
        self.out: str | None = None
        self.low, self.domain, self.reads = self.random.choice(
            [(0, 8, 3), (0, 6, 3), (-2, 5, 4), (0, 3, 5), (-1, 8, 2), (0, 2, 6), (0, 16, 2)]
        )
        self.to_read = self.reads
        self.asserts = 0

    # -- random choices

    def one_in(self, n: int) -> bool:
        return self.random.randrange(n) == 0

    def name(self, prefix: str) -> str:
        return f"{prefix}{next(self.names)}"

    def constant(self) -> str:
        return str(self.random.choice([0, 1, 1, 2, 2, 3, 4, 5, 7, -1, self.low + self.domain - 1]))

    # -- text

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.emit(head + " {")
        self.indent += 1
        yield
        self.indent -= 1
        self.emit("}")

    # -- expressions: no side effects, but they may fail a check

    def atom(self, scope: Scope) -> str:
        kind = self.random.randrange(14)
        if kind < 6 and scope.readable:
            return self.random.choice(scope.readable)
        if kind == 6 and scope.arrays:
            return self.element(scope)
        if kind == 7 and scope.pointers and self.one_in(2):
            return f"*¡{self.random.choice([*scope.pointers])}»"
        if kind == 8:
            return self.constant()
        if kind == 9 and scope.matrices:
            return self.entry_of(scope, self.random.choice(scope.matrices))
        if kind == 10 and scope.arrays:
            array = self.random.choice(scope.arrays)
            return f"*({array.name} + «{array.length},{self.index(scope, array.length)}»)"
        if kind == 11 and self.one_in(3):
            return f'"abc"[«4,{self.index(scope, 4)}»]'
        if kind == 12 and scope.pairs and self.one_in(2):
            return f"(&{self.random.choice(scope.pairs)})->first"
        if scope.readable:
            return self.random.choice(scope.readable)
        return self.constant()

    def element(self, scope: Scope) -> str:
        array = self.random.choice(scope.arrays)
        return f"{array.name}[«{array.length},{self.index(scope, array.length)}»]"

    def entry_of(self, scope: Scope, matrix: Matrix) -> str:
        places = f"[«{matrix.rows},{self.index(scope, matrix.rows)}»]"
        if matrix.columns:
            places += f"[«{matrix.columns},{self.index(scope, matrix.columns)}»]"
        return f"{matrix.name}{places}{matrix.suffix}"

    def index(self, scope: Scope, length: int) -> str:
        """Mostly in bounds."""
        if self.one_in(4):
            return str(self.random.randrange(length))
        value = self.value(scope, 1)
        if self.one_in(5):
            return value
        return f"(unsigned)({value}) % {length}"

    def value(self, scope: Scope, depth: int = 2) -> str:
        if depth == 0 or self.one_in(3):
            return self.atom(scope)
        left = self.value(scope, depth - 1)
        right = self.value(scope, depth - 1)
        match self.random.randrange(16):
            case 0 | 1 | 2:
                return f"({left} + {right})"
            case 3 | 4:
                return f"({left} - {right})"
            case 5:
                return f"({left} * {self.random.choice(['2', '3', '-1', self.atom(scope)])})"
            case 6:
                return f"({left} {self.random.choice('&|^')} {right})"
            case 7:
                return f"({left} {self.random.choice(['<<', '>>'])} ({right} & 3))"
            case 8:
                operator = self.random.choice("/%")
                divisor = self.random.choice([str(self.random.randint(1, 4)), f"¿{self.atom(scope)} & 7»"])
                return f"({left} {operator} ({divisor}))"
            case 9:
                return f"{self.random.choice('-~!')}({left})"
            case 10:
                return f"({self.condition(scope, depth - 1)} ? {left} : {right})"
            case 11:
                ctype = self.random.choice(
                    ["unsigned char", "signed char", "short", "unsigned", "long", "_Bool"]
                )
                return f"({ctype})({left})"
            case _:
                return self.atom(scope)

    def condition(self, scope: Scope, depth: int = 2) -> str:
        if depth > 0 and self.one_in(3):
            left, right = self.condition(scope, depth - 1), self.condition(scope, depth - 1)
            return f"({left} {self.random.choice(['&&', '||'])} {right})"
        if self.one_in(10):
            return f"!({self.condition(scope, depth - 1)})" if depth > 0 else self.atom(scope)
        operator = self.random.choice(["<", "<=", ">", ">=", "==", "==", "!="])
        right = self.constant() if self.one_in(2) else self.value(scope, min(depth, 1))
        return f"({self.value(scope, min(depth, 1))} {operator} {right})"

    def effect(self, scope: Scope) -> str:
        """A condition that writes a variable, and reads it after a sequence point at the earliest."""
        if not scope.writable:
            return self.condition(scope)
        name = self.random.choice(scope.writable)
        match self.random.randrange(5):
            case 0:
                return f"{name}{self.random.choice(['++', '--'])} < {self.constant()}"
            case 1:
                return f"({name} = {self.value(scope, 1)}) != {self.constant()}"
            case 2:
                return f"{self.condition(scope, 1)} && {name}-- > {self.constant()}"
            case 3:
                return f"{self.condition(scope, 1)} || ({name} += {self.value(scope, 1)}, {self.condition(scope, 1)})"
            case _:
                return f"({self.condition(scope, 0)} ? ++{name} : ({name} = {self.constant()})) > {self.constant()}"

    def call(self, scope: Scope, helper: Helper) -> str:
        arguments = [self.value(scope, 1) for _ in range(helper.parameters)]
        if helper.pointer:
            target = f"&{self.random.choice(scope.addressable)}" if scope.addressable else "0"
            arguments.insert(0, "0" if self.one_in(8) else target)
        return f"{helper.name}({', '.join(arguments)})"

    # -- declarations

    def declare_inputs(self, scope: Scope, *, uninitialised: bool) -> None:
        for _ in range(self.random.randint(1, self.to_read)):
            self.declare_input(scope, uninitialised=uninitialised)
        if self.one_in(4):
            self.declare_half_written(scope)
        if self.one_in(4) and self.to_read >= 2 and uninitialised:
            array = Array(self.name("u"), 2)
            self.emit(f"int {array.name}[2];")
            for place in range(2):
                self.assume_range(f"{array.name}[{place}]", "int", fill=True)
            scope.arrays.append(array)

    def declare_input(self, scope: Scope, *, uninitialised: bool) -> None:
        if self.to_read == 0:
            return
        name = self.name("i")
        ctype = self.random.choice(["int", "int", "int", "unsigned char", "_Bool", "short", "long"])
        if uninitialised:
            ctype = self.random.choice(["int", "short", "long"])
            self.emit(f"{ctype} {name};")
            self.assume_range(name, ctype, fill=True)
        else:
            self.emit(f"{ctype} {name} = (@{self.nondet(ctype)});")
            self.to_read -= 1
            self.after_read(name, ctype)
        scope.readable.append(name)
        if ctype == "int":
            scope.addressable.append(name)
        if self.one_in(3) and ctype != "_Bool":
            scope.writable.append(name)

    def declare_half_written(self, scope: Scope) -> None:
        """A variable that some executions write before they read it; for the others it is an input."""
        if self.to_read == 0:
            return
        name, ctype = self.name("i"), self.random.choice(["int", "short", "long"])
        value = self.low + self.random.randrange(self.domain)
        self.emit(f"{ctype} {name};§{ctype} {name}; int {name}_is_written = 0;")
        with self.block(f"if (@{self.condition(scope, 1)})"):
            self.emit(f"@{name} = {value};")
            self.emit(f"§{name}_is_written = 1;")
        self.emit(f"§if (!{name}_is_written) {name} = {self.nondet(ctype)};")
        self.assume_range(name, ctype, fill=False)
        self.to_read -= 1
        scope.readable.append(name)

    def declare_lazy(self, scope: Scope, count: int) -> None:
        """Variables without a value: each is an input where it is read first, if it was not written before."""
        if count == 0:
            return
        name = self.name("l")
        if count == 2 and self.one_in(2):
            self.emit(f"unsigned char {name}[2];§lazy {name}[2] = {{ {{ 0, 0 }} }};")
            scope.lazy += [f"{name}[0]", f"{name}[«2,(unsigned)({self.atom(scope)}) % 2»]"]
            return
        self.emit(f"unsigned char {name};§lazy {name} = {{ 0, 0 }};")
        scope.lazy.append(name)
        if count == 2:
            other, pointer = self.name("l"), self.name("p")
            self.emit(f"unsigned char {other};§lazy {other} = {{ 0, 0 }};")
            value = f"(@{self.condition(scope, 1)} ? &{name} : &{other});"
            self.emit(f"unsigned char *{pointer} = {value}§lazy *{pointer} = {value}")
            scope.lazy += [other, f"*¡{pointer}»", f"*¡{pointer}»"]

    def lazily(self, scope: Scope) -> None:
        """One read or write of such a variable, often where it is not evaluated."""
        if not scope.lazy:
            self.on_effect(scope)
            return
        place = self.random.choice(scope.lazy)
        read = f"(†{place}» % {self.domain})"
        test = f"{self.condition(scope, 1)} {self.random.choice(['&&', '||'])} {read} == {self.random.randrange(4)}"
        match self.random.randrange(6):
            case 0:
                value = self.value(scope, 1)
                self.emit(f"@{place} = {value};§@lazy_write(&{place}, (unsigned char)({value}));")
            case 1:
                self.emit(f"assert({test});")
            case 2 if scope.writable:
                target = self.random.choice(scope.writable)
                self.emit(f"@{target} = {self.condition(scope, 1)} ? {read} : {self.constant()};")
            case 3 if scope.writable:
                self.emit(f"@{self.random.choice(scope.writable)} = {read};")
            case _:
                with self.block(f"if (@{test})"):
                    self.assign(scope)

    def nondet(self, ctype: str) -> str:
        suffix = {"unsigned char": "uchar", "_Bool": "bool"}.get(ctype, ctype)
        return f"__VERIFIER_nondet_{suffix}()" + (f" % {self.domain}" if ctype == "unsigned char" else "")

    def after_read(self, name: str, ctype: str) -> None:
        if ctype not in {"unsigned char", "_Bool"}:
            self.assume_range(name, ctype, fill=False)

    def assume_range(self, name: str, ctype: str, *, fill: bool) -> None:
        assume = f"__VERIFIER_assume({name} >= {self.low} && {name} <= {self.low + self.domain - 1});"
        if fill:
            self.to_read -= 1
            assume = f"{assume}§{name} = {self.nondet(ctype)};"
        self.emit(assume)

    def declare_locals(self, scope: Scope) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.declare_local(scope)

    def declare_local(self, scope: Scope) -> None:
        match self.random.randrange(13):
            case 10:
                matrix = Matrix(self.name("m"), 2, self.random.choice([2, 3]))
                rows = f"{{ {{ (@{self.atom(scope)}), 1 }}, {{ {self.constant()}, {self.atom(scope)} }} }}"
                self.emit(f"short {matrix.name}[2][{matrix.columns}] = {rows};")
                scope.matrices.append(matrix)
            case 11:
                name = self.name("q")
                second = f"[1] = {{ .second = {self.atom(scope)}, .first = 2 }}"
                self.emit(f"struct pair {name}[3] = {{ {{ (@{self.atom(scope)}), 1 }}, {second} }};")
                scope.matrices += [Matrix(name, 3, 0, ".first"), Matrix(name, 3, 0, ".second")]
                scope.pairs.append(f"{name}[1]")
            case 0 | 1:
                array = Array(self.name("t"), self.random.randint(2, 4))
                values = [self.atom(scope) for _ in range(self.random.randint(1, array.length))]
                ctype = self.random.choice(["int", "int", "unsigned char"])
                values[0] = f"(@{values[0]})"
                self.emit(f"{ctype} {array.name}[{array.length}] = {{ {', '.join(values)} }};")
                scope.arrays.append(array)
            case 2 if scope.addressable:
                name = self.name("p")
                target = f"&{self.random.choice(scope.addressable)}"
                if self.one_in(2):
                    target = f"{self.condition(scope, 1)} ? {target} : 0"
                self.emit(f"int *{name} = (@{target});")
                scope.pointers[name] = [*scope.addressable]
            case 3:
                name = self.name("s")
                values = f"(@{self.value(scope, 1)}), {self.atom(scope)}"
                self.emit(f"struct pair {name} = {{ {values} }};")
                scope.pairs.append(name)
                for member in ("first", "second"):
                    scope.readable.append(f"{name}.{member}")
                    scope.writable.append(f"{name}.{member}")
            case 4 if self.indent == 1:
                name = self.name("k")
                start = self.random.randint(-1, 3)
                self.emit(f"static int {name} = {start};§")
                self.statics.append(f"static int {name};")
                self.reset.append(f"{name} = {start};")
                scope.readable.append(name)
                scope.writable.append(name)
            case _:
                name = self.name("x")
                ctype = self.random.choice(
                    ["int", "int", "int", "unsigned char", "short", "unsigned", "long"]
                )
                self.emit(f"{ctype} {name} = (@{self.value(scope)});")
                scope.readable.append(name)
                scope.writable.append(name)
                if ctype == "int":
                    scope.addressable.append(name)

    def globals(self, scope: Scope) -> None:
        self.emit("struct pair { int first; unsigned char second; };")
        for _ in range(self.random.randrange(3)):
            name = self.name("g")
            ctype = self.random.choice(["int", "int", "unsigned", "signed char"])
            start = self.random.randint(0, 4)
            self.emit(f"static {ctype} {name} = {start};" if start else f"static {ctype} {name};")
            self.reset.append(f"{name} = {start};")
            scope.readable.append(name)
            scope.writable.append(name)
            if ctype == "int":
                scope.addressable.append(name)
        if self.one_in(2):
            array = Array(self.name("c"), 4)
            values = ", ".join(str(self.random.randint(-1, 6)) for _ in range(array.length))
            self.emit(f"static const signed char {array.name}[] = {{ {values} }};")
            scope.arrays.append(array)

    # -- statements

    def statements(self, scope: Scope, count: int, depth: int) -> None:
        for _ in range(count):
            self.statement(scope, depth)

    def body(self, scope: Scope, depth: int) -> None:
        inner = Scope(scope)
        if self.one_in(4):
            self.declare_local(inner)
        self.statements(inner, self.random.randint(1, 2), depth - 1)

    def statement(self, scope: Scope, depth: int) -> None:
        simple: list[Callable[[Scope], None]] = [
            self.assign, self.assign, self.assign, self.compound, self.step, self.call_statement, self.call_statement,
            self.assertion, self.assertion, self.store, self.store_pointer, self.nothing, self.swap_pointer,
            self.store_matrix, self.copy_pair, self.on_effect, self.on_effect, self.call_by_pointer,
            self.lazily, self.lazily,
            self.lazily, self.lazily,
        ]  # fmt: skip
        if depth == 0:
            if self.one_in(3):
                self.jump(scope)
                return
            self.random.choice(simple)(scope)
            return
        nested: list[Callable[[Scope, int], None]] = [
            self.if_,
            self.if_,
            self.if_,
            self.switch,
            self.braces,
            self.again,
        ]
        if self.loops < 2:
            nested += [self.for_, self.while_, self.do, self.read_loop]
        if self.one_in(2):
            self.random.choice(nested)(scope, depth)
        else:
            self.random.choice(simple)(scope)

    def assign(self, scope: Scope) -> None:
        if scope.writable:
            value = self.value(scope)
            if self.one_in(8):
                value = self.condition(scope)
            self.emit(f"@{self.random.choice(scope.writable)} = {value};")

    def compound(self, scope: Scope) -> None:
        if scope.writable:
            target, operator = (
                self.random.choice(scope.writable),
                self.random.choice(["+=", "-=", "^=", "|=", "*="]),
            )
            value = self.atom(scope) if operator == "*=" else self.value(scope, 1)
            self.emit(f"@{target} {operator} {value};")

    def step(self, scope: Scope) -> None:
        if scope.writable:
            target = self.random.choice(scope.writable)
            self.emit(
                self.random.choice([f"@{target}++;", f"@{target}--;", f"@++{target};", f"@--{target};"])
            )

    def call_statement(self, scope: Scope) -> None:
        if not self.helpers:
            return
        helper = self.random.choice(self.helpers)
        call = self.call(scope, helper)
        if not helper.result:
            self.emit(f"@{call};")
        elif scope.writable and self.one_in(2):
            self.emit(f"@{self.random.choice(scope.writable)} = {call};")
        elif self.one_in(2):
            self.emit(
                f"if (@{self.condition(scope, 1)} {self.random.choice(['&&', '||'])} {call} > {self.constant()})"
            )
            self.indent += 1
            self.emit(f"@(void){self.random.choice(scope.readable)};" if scope.readable else ";")
            self.indent -= 1
        else:
            self.emit(f"assert({call} != {self.constant()});")

    def assertion(self, scope: Scope) -> None:
        if self.asserts >= 4:
            return
        self.asserts += 1
        condition = self.condition(scope)
        if self.one_in(2):
            condition = f"{self.value(scope, 1)} != {self.constant()}"
        self.emit(self.random.choice([f"assert({condition});", f'__CPROVER_assert({condition}, "holds");']))
        if self.one_in(6):
            self.emit(f"__VERIFIER_assume({self.condition(scope, 1)});")

    def store(self, scope: Scope) -> None:
        arrays = [array for array in scope.arrays if array.name[0] != "c"]
        if arrays:
            array = self.random.choice(arrays)
            place = f"{array.name}[«{array.length},{self.index(scope, array.length)}»]"
            self.emit(f"@{place} = {self.random.choice([*scope.readable, self.constant()])};")

    def store_matrix(self, scope: Scope) -> None:
        if scope.matrices:
            place = self.entry_of(scope, self.random.choice(scope.matrices))
            self.emit(f"@{place} = {self.random.choice([*scope.readable, self.constant()])};")

    def copy_pair(self, scope: Scope) -> None:
        if scope.pairs:
            self.emit(f"@{self.random.choice(scope.pairs)} = {self.random.choice(scope.pairs)};")

    def on_effect(self, scope: Scope) -> None:
        match self.random.randrange(3):
            case 0:
                self.emit(f"@{self.effect(scope)};")
            case 1:
                self.emit(
                    f"assert({self.effect(scope)});" if self.one_in(3) else f"@(void)({self.effect(scope)});"
                )
            case _:
                with self.block(f"if (@{self.effect(scope)})"):
                    self.assign(scope)

    def call_by_pointer(self, scope: Scope) -> None:
        """Two helpers of one type, chosen at run time."""
        alike = [
            helper
            for helper in self.helpers
            if helper.result and not helper.pointer and helper.parameters == 1
        ]
        if not alike or not scope.writable:
            return
        first, second = self.random.choice(alike), self.random.choice(alike)
        name, callee = self.name("h"), self.random.choice(["{}", "(*{})"])
        with self.block(""):
            self.emit(f"int (*{name})({first.ctype}) = (@{first.name});")
            if first.ctype == second.ctype:
                with self.block(f"if (@{self.condition(scope, 1)})"):
                    self.emit(f"@{name} = {second.name};")
            self.emit(
                f"@{self.random.choice(scope.writable)} = {callee.format(name)}({self.value(scope, 1)});"
            )

    def store_pointer(self, scope: Scope) -> None:
        if scope.pointers:
            self.emit(
                f"@*¡{self.random.choice([*scope.pointers])}» = {self.random.choice([*scope.readable, '1'])};"
            )

    def swap_pointer(self, scope: Scope) -> None:
        if scope.pointers:
            pointer = self.random.choice([*scope.pointers])
            targets = ["0", *(f"&{name}" for name in scope.pointers[pointer])]
            self.emit(f"@{pointer} = {self.random.choice(targets)};")

    def nothing(self, _scope: Scope) -> None:
        if self.one_in(3):
            self.emit(";")

    def jump(self, scope: Scope) -> None:
        """Leave something, on a condition most of the time."""
        with self.block(f"if (@{self.condition(scope, 1)})"):
            choices = ["return"]
            if self.breakable:
                choices += ["break"] * 3
            if "loop" in self.breakable:
                choices += ["continue"] * 2
            if self.out is not None:
                choices += ["goto"] * 2
            if self.one_in(4):
                choices = ["reach", "abort", "exit"]
            match self.random.choice(choices):
                case "return":
                    self.emit(f"return (@{self.value(scope, 1)});" if self.result else "return;")
                case "goto":
                    self.emit(f"goto {self.out};")
                case "reach":
                    self.emit("reach_error();")
                case "abort":
                    self.emit("abort();")
                case "exit":
                    self.emit(f"@exit({self.atom(scope)});")
                case word:
                    self.emit(f"{word};")

    def if_(self, scope: Scope, depth: int) -> None:
        with self.block(f"if (@{self.condition(scope)})"):
            self.body(scope, depth)
        if self.one_in(2):
            head = f"else if (@{self.condition(scope, 1)})" if self.one_in(3) else "else"
            with self.block(head):
                self.body(scope, depth)

    def braces(self, scope: Scope, depth: int) -> None:
        with self.block(""):
            inner = Scope(scope)
            self.declare_local(inner)
            self.statements(inner, 2, depth - 1)

    def switch(self, scope: Scope, depth: int) -> None:
        labels = self.random.sample(range(self.low, self.low + 6), k=self.random.randint(1, 4))
        places = [f"case {label}:" for label in labels]
        if self.one_in(2):
            places.insert(self.random.randrange(len(places) + 1), "default:")
        self.breakable.append("switch")
        with self.block(f"switch (@{self.value(scope, 1)})"):
            for place in places:
                self.emit(place)
                if self.one_in(4):
                    continue  # falls through at once
                with self.block(""):
                    self.body(scope, depth)
                if not self.one_in(3):
                    self.emit("break;")
            self.emit(";")
        self.breakable.pop()

    @contextmanager
    def loop(self, head: str) -> Iterator[None]:
        self.loops += 1
        self.breakable.append("loop")
        with self.block(head):
            yield
        self.breakable.pop()
        self.loops -= 1

    def rounds(self, scope: Scope) -> str:
        return f"({self.value(scope, 1)} & 3)" if self.one_in(2) else str(self.random.randint(1, 4))

    def for_(self, scope: Scope, depth: int) -> None:
        inner = Scope(scope)
        counter = self.name("n")
        limit = self.name("m")
        with self.block(""):
            self.emit(f"int {limit} = (@{self.rounds(scope)});")
            declared_inside = self.one_in(2)
            if not declared_inside:
                self.emit(f"int {counter};")
            inner.readable.append(counter)
            self.emit("for (")
            self.emit(f"    int {counter} = (@0);" if declared_inside else f"    @{counter} = 0;")
            self.emit(f"    @{counter} < {limit};")
            with self.loop(f"    @{counter}++)"):
                self.body(inner, depth)

    def while_(self, scope: Scope, depth: int) -> None:
        inner = Scope(scope)
        counter = self.name("n")
        with self.block(""):
            self.emit(f"int {counter} = (@{self.rounds(scope)});")
            inner.readable.append(counter)
            if self.one_in(2):
                with self.loop(f"while (@{counter}-- > 0)"):
                    self.body(inner, depth)
                return
            extra = f" && {self.condition(inner, 1)}" if self.one_in(2) else ""
            with self.loop(f"while (@{counter} > 0{extra})"):
                self.emit(f"@{counter}--;")
                self.body(inner, depth)

    def do(self, scope: Scope, depth: int) -> None:
        inner = Scope(scope)
        counter = self.name("n")
        with self.block(""):
            self.emit(f"int {counter} = (@{self.rounds(scope)});")
            inner.readable.append(counter)
            with self.loop("do"):
                self.body(inner, depth)
            self.lines[-1] += f" while (@--{counter} > 0);"

    def read_loop(self, scope: Scope, depth: int) -> None:
        """An input in each round; outside of helpers and of other loops, so that the reads can be counted."""
        rounds = min(self.to_read, 2)
        if rounds == 0 or self.loops or depth < 2:
            self.for_(scope, depth)
            return
        inner = Scope(scope)
        counter, name = self.name("n"), self.name("i")
        with self.block(""):
            self.emit(f"int {counter} = (@{rounds});")
            inner.readable += [counter, name]
            with self.loop(f"while (@{counter}-- > 0)"):
                self.emit(f"int {name} = (@{self.nondet('int')});")
                self.assume_range(name, "int", fill=False)
                self.to_read -= rounds
                self.body(inner, depth)

    def again(self, scope: Scope, depth: int) -> None:
        """A jump backwards."""
        if self.loops:
            self.if_(scope, depth)
            return
        inner = Scope(scope)
        counter, label = self.name("n"), self.name("again")
        with self.block(""):
            self.emit(f"int {counter} = (@{self.rounds(scope)});")
            inner.readable.append(counter)
            self.emit(f"{label}:")
            self.emit(f"@{counter}--;")
            to_read, self.to_read = self.to_read, 0
            self.loops += 1
            self.body(inner, depth)
            self.loops -= 1
            self.to_read = to_read
            with self.block(f"if (@{counter} > 0)"):
                self.emit(f"goto {label};")

    # -- functions

    def helper(self, scope: Scope) -> None:
        inner = Scope(scope)
        ctypes = [
            self.random.choice(["int", "int", "unsigned char", "long"])
            for _ in range(self.random.randint(1, 2))
        ]
        helper = Helper(self.name("f"), len(ctypes), not self.one_in(4), self.one_in(4), ctypes[0])
        names = [self.name("a") for _ in ctypes]
        parameters = [f"{ctype} {name}" for ctype, name in zip(ctypes, names, strict=True)]
        inner.readable += names
        inner.writable += names
        if helper.pointer:
            pointer = self.name("p")
            parameters.insert(0, f"int *{pointer}")
            inner.pointers[pointer] = [*scope.addressable]
        self.result = helper.result
        to_read, self.to_read = self.to_read, 0
        recursive = helper.result and not helper.pointer and self.one_in(4)
        with self.block(
            f"static {'int' if helper.result else 'void'} {helper.name}({', '.join(parameters)})"
        ):
            if recursive:
                self.recursion(inner, helper, names)
            else:
                self.declare_local(inner)
                self.statements(inner, self.random.randint(1, 3), 1)
            if helper.result:
                self.emit(f"return (@{self.value(inner)});")
        self.to_read = to_read
        self.helpers.append(helper)

    def recursion(self, scope: Scope, helper: Helper, names: Sequence[str]) -> None:
        depth = self.name("d")
        self.emit(f"int {depth} = (@{names[0]});")
        scope.readable.append(depth)
        with self.block(f"if (@{depth} <= 0)"):
            self.emit(f"return (@{self.value(scope, 1)});")
        with self.block(f"if (@{depth} > 4)"):
            self.emit(f"return (@{self.value(scope, 1)});")
        self.statements(scope, 1, 1)
        rest = [self.value(scope, 1) for _ in names[1:]]
        result = self.name("r")
        self.emit(f"int {result} = (@{helper.name}({', '.join([f'{depth} - 1', *rest])}));")
        scope.readable.append(result)

    def entry(self, scope: Scope) -> tuple[str, str]:
        """The function where executions start, and the statement that starts it natively."""
        inner = Scope(scope)
        self.result = True
        self.out = "out" if self.one_in(2) else None
        if self.one_in(4):
            names = [self.name("i") for _ in range(self.random.randint(1, 2))]
            ctypes = [self.random.choice(["int", "short", "_Bool"]) for _ in names]
            head = ", ".join(f"{ctype} {name}" for ctype, name in zip(ctypes, names, strict=True))
            reads = "".join(
                f"{ctype} {name} = {self.nondet(ctype)}; " for ctype, name in zip(ctypes, names, strict=True)
            )
            with self.block(f"int start({head})"):
                for name, ctype in zip(names, ctypes, strict=True):
                    self.to_read -= 1
                    self.after_read(name, ctype)
                inner.readable += names
                self.entry_body(inner)
            return "start", f"{reads}start({', '.join(names)})"
        with self.block("int main(void)"):
            lazy = self.random.choice([0, 0, 1, 2]) if self.to_read > 2 else 0
            self.to_read -= lazy
            self.declare_inputs(inner, uninitialised=self.one_in(4))
            self.declare_lazy(inner, lazy)
            self.entry_body(inner)
        return "main", "program_main()"

    def entry_body(self, scope: Scope) -> None:
        self.declare_locals(scope)
        self.statements(scope, self.random.randint(3, 6), 2)
        if self.to_read and self.one_in(2):
            with self.block(f"if (@{self.condition(scope, 1)})"):
                late = Scope(scope)
                self.declare_input(late, uninitialised=self.one_in(3))
                self.statements(late, 2, 1)
        self.assertion(scope)
        if self.out is not None:
            self.emit(f"{self.out}:")
        self.emit(f"return (@{self.random.choice(['0', self.value(scope, 1)])});")

    def program(self) -> Subject:
        scope = Scope()
        self.globals(scope)
        for _ in range(self.random.randrange(3)):
            self.helper(scope)
        entry, start = self.entry(scope)
        return Subject(
            entry=entry,
            lines=tuple(self.lines),
            statics=tuple(self.statics),
            reset=tuple(self.reset),
            start=start,
            low=self.low,
            domain=self.domain,
            reads=self.reads,
        )


# -- natively ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Native:
    """How one vector ends natively: `line` is where it fails, `counts` how often each line with a unit ran."""

    outcome: Literal["pass", "fail", "discard"]
    line: int
    counts: Mapping[int, int]

    @property
    def covered(self) -> frozenset[int]:
        return frozenset(self.counts)


OUTCOMES: Final[Mapping[str, Literal["pass", "fail", "discard"]]] = {"1": "pass", "2": "fail", "3": "discard"}


def run_natively(subject: Subject, directory: Path) -> dict[Vector, Native]:
    """Every execution there is, by the inputs that it reads."""
    source, binary = directory / "native.c", directory / "native"
    source.write_text(subject.native(), encoding="utf-8")
    flags = ["-std=gnu11", "-O0", "-w", "-fwrapv", "-fno-strict-aliasing"]
    subprocess.run(["gcc", *flags, "-o", binary, source], check=True, capture_output=True)
    run = subprocess.run([binary], check=True, capture_output=True, text=True, timeout=60)
    return dict(_native_execution(line.split()) for line in run.stdout.splitlines())


def _native_execution(words: Sequence[str]) -> tuple[Vector, Native]:
    outcome, line, reads, *rest = words
    vector, counts = rest[: int(reads)], rest[int(reads) :]
    pairs = (word.split(":") for word in counts)
    native = Native(OUTCOMES[outcome], int(line), {int(place): int(count) for place, count in pairs})
    return tuple(map(int, vector)), native


# -- the comparison ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """What sfo found and whatever of it is not true of the native executions."""

    subject: Subject
    verdict: str
    disagreements: tuple[str, ...]


def compare(seed: int) -> Comparison:
    subject = Generator(seed).program()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        source = directory / "program.c"
        source.write_text(subject.plain(), encoding="utf-8")
        native = run_natively(subject, directory)
        # The whole file is read, as natively, and below what the entry can need of it.
        whole = PreprocessOptions(reached_from=("no such function",))
        options = PipelineOptions(
            program=ProgramOptions(entry=subject.entry, preprocess=whole),
            unwind=UNWIND,
            passing=PASSING_ATTEMPTS,
            timeout=60,
        )
        result = run_localize_pipeline([str(source)], options)
        found = [*disagreements(subject, native, result)]
        if seed % 3 == 0:
            smallest = run_localize_pipeline(
                [str(source)],
                PipelineOptions(program=ProgramOptions(entry=subject.entry), timeout=60),
            )
            found += disagreements_of_auto(subject, native, smallest)
    return Comparison(subject, result.verdict, tuple(found))


def disagreements(subject: Subject, native: Mapping[Vector, Native], result: Result) -> Iterator[str]:
    """Whatever is wrong with a result whose bound is beyond every execution."""
    line_of = {unit.id: unit.location.line for unit in result.dataset.units}
    if Counter(line_of.values()) != Counter(subject.unit_lines()):
        yield f"units on lines {sorted(line_of.values())} instead of {sorted(subject.unit_lines())}"
        return
    failing = [run.covered for run in native.values() if run.outcome == "fail"]
    passing = {run.covered for run in native.values() if run.outcome == "pass"}
    if result.bound.complete is not True:
        yield f"complete is {result.bound.complete} with unwind {UNWIND}"
    if result.verdict != ("violated" if failing else "safe"):
        yield f"verdict {result.verdict} ({result.reason}), and {len(failing)} native executions fail"
    yield from wrong_executions(subject, native, result)
    if not failing:
        return
    if result.optimal is not True:
        yield f"not optimal: {result.reason}, undecided {result.undecided}"
    claimed = frozenset(line_of[unit] for unit in result.intersection)
    actual = frozenset.intersection(*failing)
    if claimed != actual:
        yield f"all failing executions cover {sorted(actual)}, sfo says {sorted(claimed)}"
    common = result.dataset.failing[0].covered
    for run in result.dataset.failing[1:]:
        if common <= run.covered:
            yield f"failing execution {run.id} excludes no unit"
        common &= run.covered
    found = [_lines(run, line_of) for run in result.dataset.passing]
    if len(set(found)) != len(found):
        yield "two passing executions with the same coverage"
    if len(found) < PASSING_ATTEMPTS and set(found) != passing:
        yield f"{len(found)} passing coverages of {len(passing)}: {len(passing - set(found))} missing"


def disagreements_of_auto(subject: Subject, native: Mapping[Vector, Native], result: Result) -> Iterator[str]:
    """Whatever is wrong with a result for the smallest failing bound: it knows some executions, not all."""
    line_of = {unit.id: unit.location.line for unit in result.dataset.units}
    failing = [run.covered for run in native.values() if run.outcome == "fail"]
    yield from wrong_executions(subject, native, result)
    if result.verdict != ("violated" if failing else "safe"):
        yield f"auto: verdict {result.verdict} ({result.reason}), and {len(failing)} native executions fail"
    elif failing:
        actual = frozenset.intersection(*failing)
        claimed = frozenset(line_of[unit] for unit in result.intersection)
        if result.optimal is not True:
            yield f"auto: not optimal: {result.reason}"
        if not actual <= claimed or (result.bound.complete and actual != claimed):
            yield f"auto: all failing executions cover {sorted(actual)}, sfo says {sorted(claimed)}"


def wrong_executions(subject: Subject, native: Mapping[Vector, Native], result: Result) -> Iterator[str]:
    """The executions of `result` that end or go another way natively."""
    line_of = {unit.id: unit.location.line for unit in result.dataset.units}
    violated_at = {item.property.id: item.property.location.line for item in result.properties}
    for run in result.dataset.executions:
        vector = tuple(place_of(subject, value) for value in run.inputs)
        actual = native.get(vector)
        counts = {line_of[unit]: count for unit, count in run.counts.items()}
        if actual is None:
            yield f"vector {vector} is not the inputs of a native execution"
        elif actual.outcome != run.outcome or (run.property and violated_at[run.property] != actual.line):
            yield f"vector {vector}: {run.ended}, natively {actual.outcome} at {actual.line}"
        elif actual.covered != _lines(run, line_of) or actual.counts != counts:
            yield f"vector {vector}: lines {sorted(counts.items())}, natively {sorted(actual.counts.items())}"


def _lines(run: Execution, line_of: Mapping[int, int]) -> frozenset[int]:
    return frozenset(line_of[unit] for unit in run.covered)


def place_of(subject: Subject, value: ExecutionInputValue) -> int:
    match value.type:
        case "_Bool":
            return value.value
        case "unsigned char":
            return value.value % subject.domain
        case _:
            return value.value - subject.low


# -- the test ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", range(0, PROGRAMS, PER_TEST))
@pytest.mark.sample(5)
def test_what_all_failing_executions_cover_is_true(first: int) -> None:
    require_tool("gcc")
    comparisons = [compare(seed) for seed in range(first, first + PER_TEST)]
    for seed, comparison in enumerate(comparisons, start=first):
        assert not comparison.disagreements, f"seed {seed}\n{_listing(comparison)}"
    assert {"violated"} <= {comparison.verdict for comparison in comparisons}


def _listing(comparison: Comparison) -> str:
    lines = comparison.subject.plain().splitlines()
    numbered = (f"{number:4} {line}" for number, line in enumerate(lines, start=1))
    return "\n".join([*comparison.disagreements, *numbered])


SHARED_PARTS = """\
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int u;
    for (int i = 0; i < 40; i++) {
        if (__VERIFIER_nondet_bool()) {
            if (__VERIFIER_nondet_bool()) u = 1;
        } else {
            if (__VERIFIER_nondet_bool()) u = 2;
        }
    }
    assert(u != 3);
    return 0;
}
"""


def test_a_variable_that_is_often_perhaps_written_is_read_in_no_time(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(SHARED_PARTS, encoding="utf-8")
    result = run_localize_pipeline([str(source)], PipelineOptions(program=ProgramOptions(), timeout=60))
    assert result.optimal
    for run in result.dataset.failing:
        assert [value.value for value in run.inputs if value.name == "u"] == [3]
