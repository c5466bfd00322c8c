"""Random small C programs with a few inputs of tiny domains, each in two ways of writing.

    program = tiny_domain_program(7)
    program.text                            the program of number 7, always the same
    program.domains                         (3, 4): the first input is 0, 1 or 2, the second 0..3
    tiny_domain_program(7, rewrites=True)   the same meaning, written otherwise

The programs use structures, bit-fields, unions, function pointers, strings, floating point, recursion, arrays,
pointers, enumerations, ``switch`` and ``goto``, and end with assertions that often fail for some inputs only. There
are so few inputs that every execution can be tried natively.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final, final

TINY_DOMAIN_REWRITES: Final = (
    "for as while",
    "branches exchanged",
    "De Morgan",
    "value by a temporary",
    "first round peeled",
    "switch as if",
    "names changed",
    "constant by an enumerator",
)
"""What a rewritten program may have been given, each of which keeps the meaning."""

_VARIABLES: Final = ("a", "b", "c")

_HEAD: Final = """#include <assert.h>
#include <string.h>
int nondet_int(void);
void __CPROVER_assume(int);
enum colour { RED, GREEN = 3, BLUE };
struct pair { int left; short right; unsigned low : 3; int high : 4; };
union word { int whole; unsigned char bytes[4]; };
typedef int (*operation)(int, int);
static int add(int x, int y)
{
    return x + y;
}
static int mix(int x, int y)
{
    int r = x * 2;
    if (y > 1)
        r = r - y;
    return r;
}
static int depth(int n, int m)
{
    if (n <= 0)
        return m;
    return depth(n - 1, m + n) - 1;
}
static void bump(int *p)
{
    *p = *p + 1;
}
"""


@final
@dataclass(frozen=True, slots=True)
class TinyDomainProgram:
    """A generated program: the k-th call of ``nondet_int`` yields 0 up to ``domains[k]`` - 1."""

    number: int
    text: str
    domains: tuple[int, ...]
    rewrites: tuple[str, ...]


def tiny_domain_program(number: int, *, rewrites: bool = False) -> TinyDomainProgram:
    """The program of this number; with ``rewrites`` the one of the same meaning that is written otherwise."""
    chosen: tuple[str, ...] = ()
    if rewrites:
        style = Random(-1 - number)  # noqa: S311 - a repeatable choice, no secret
        chosen = tuple(style.sample(TINY_DOMAIN_REWRITES, style.randint(2, len(TINY_DOMAIN_REWRITES))))
    return TinyDomainProgramWriter(Random(number), frozenset(chosen)).program(number)  # noqa: S311


@final
@dataclass
class TinyDomainProgramWriter:
    """Writes one program; what it draws does not depend on the rewrites, so both texts mean the same."""

    chance: Random
    rewrites: frozenset[str]
    lines: list[str] = field(default_factory=list)
    fresh: int = 0

    def program(self, number: int) -> TinyDomainProgram:
        """The whole text, with the inputs and the assertions."""
        domains = tuple(self.chance.randint(2, 4) for _ in range(self.chance.randint(2, 3)))
        names = [self.name(f"in{k}") for k in range(len(domains))]
        self.put(0, "int main(void)", "{")
        for name, size in zip(names, domains, strict=True):
            self.put(1, f"int {name} = nondet_int();", f"__CPROVER_assume({name} >= 0 && {name} < {size});")
        for variable in _VARIABLES:
            self.put(1, f"int {self.name(variable)} = {self.chance.choice(names)};")
        self.put(
            1, "int array[4] = {1, 5, 2, 0};", "struct pair pair = {1, 2, 3, -1};", "union word word = {7};"
        )
        self.put(1, 'char text[5] = "abca";', "float ratio = 0.5f;", "enum colour colour = RED;")
        self.put(1, "operation call = add;")
        for _ in range(self.chance.randint(3, 7)):
            self.statement(1, 2)
        if self.chance.random() < 0.3:
            self.put(1, f"assert(!({self.condition()} && {self.condition()}));")
        self.put(1, f"assert({self.expression(2)} != {self.chance.randint(-2, 9)});")
        self.put(1, "return 0;")
        self.put(0, "}")
        text = _HEAD + "\n".join(self.lines) + "\n"
        return TinyDomainProgram(number, text, domains, tuple(sorted(self.rewrites)))

    def uses(self, rewrite: str) -> bool:
        """Whether to write in this other way."""
        return rewrite in self.rewrites

    def put(self, depth: int, *lines: str) -> None:
        """Add lines, indented."""
        self.lines.extend("    " * depth + line for line in lines)

    def name(self, variable: str) -> str:
        """The name that a variable has in this way of writing."""
        return f"renamed_{variable}" if self.uses("names changed") else variable

    def new(self, stem: str) -> str:
        """A name that was not there before."""
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def variable(self) -> str:
        """A variable of type int."""
        return self.name(self.chance.choice(_VARIABLES))

    def constant(self) -> str:
        """A small constant."""
        value = self.chance.choice((0, 1, 2, 3, 3, 4, 5))
        if value == 3 and self.uses("constant by an enumerator"):
            return "GREEN"
        return str(value)

    def expression(self, depth: int) -> str:
        """An expression of type int without side effects."""
        if depth == 0 or self.chance.random() < 0.2:
            return self.variable() if self.chance.random() < 0.7 else self.constant()
        form = self.chance.randrange(13)
        one, two = self.expression(depth - 1), self.expression(depth - 1)
        return (
            f"({one} + {two})",
            f"({one} - {two})",
            f"({one} ^ {two})",
            f"(({one} & 7) * ({two} & 3))",
            f"(({one} & 31) / (({two} & 3) + 1))",
            f"array[({one}) & 3]",
            f"(pair.left + pair.{self.chance.choice(('right', 'low', 'high'))})",
            f"word.bytes[{self.chance.randrange(2)}]",
            f"(text[({one}) & 3] - 'a')",
            f"(int)(ratio * (float)({one}))",
            f"call({one}, {two})",
            f"depth(({one}) & 3, {two})",
            f"({self.condition(depth - 1)} ? {one} : {two})",
        )[form]

    def condition(self, depth: int = 1) -> str:
        """A truth value without side effects; its operands are as deep as ``depth``."""
        form = self.chance.randrange(8)
        one, two = self.expression(depth), self.expression(depth)
        if form < 4:
            return f"{one} {('<', '>', '==', '!=')[form]} {two}"
        if form == 4:
            return 'strcmp(text, "abca") == 0'
        if form == 5:
            return f"ratio > {self.chance.choice(('0.25f', '1.0f', '1.5f'))}"
        if self.uses("De Morgan"):
            return f"!(!({one} < 2) {'||' if form == 6 else '&&'} !({two} > 1))"
        return f"({one} < 2 {'&&' if form == 6 else '||'} {two} > 1)"

    def statement(self, depth: int, nesting: int) -> None:
        """One statement, with others within it as deep as ``nesting`` allows."""
        simple: tuple[Callable[[int], None], ...] = (self.assignment, self.assignment, self.effect, self.call)
        nested: tuple[Callable[[int, int], None], ...] = (
            self.branch,
            self.branch,
            self.loop,
            self.switch,
            self.jump,
        )
        if nesting and self.chance.random() < 0.55:
            self.chance.choice(nested)(depth, nesting - 1)
        else:
            self.chance.choice(simple)(depth)

    def assignment(self, depth: int) -> None:
        """An assignment to a variable."""
        target, value = self.variable(), self.expression(2)
        if self.uses("value by a temporary"):
            temporary = self.new("t")
            self.put(depth, f"int {temporary} = {value};", f"{target} = {temporary};")
        else:
            self.put(depth, f"{target} = {value};")

    def effect(self, depth: int) -> None:
        """A write to an object of another type."""
        one = self.expression(1)
        effects = (
            f"array[({one}) & 3] = {self.variable()};",
            f"pair.low = {one};",
            f"pair.high = {one};",
            f"pair.right = {one};",
            f"pair.left = {one};",
            f"word.whole = {one};",
            f"word.bytes[1] = {one};",
            f"text[({one}) & 3] = 'a' + {self.chance.randrange(4)};",
            f"ratio = ratio + (float)({one}) * 0.25f;",
            f"colour = ({one} & 1) ? GREEN : BLUE;",
            "pair = (struct pair){2, 1, 4, 3};",
        )
        self.put(depth, self.chance.choice(effects))

    def call(self, depth: int) -> None:
        """A call, or what later calls go to."""
        self.put(
            depth,
            self.chance.choice(
                (
                    f"bump(&{self.variable()});",
                    f"bump(&array[{self.chance.randrange(4)}]);",
                    "bump(&pair.left);",
                    f"call = {self.condition()} ? add : mix;",
                    "call = mix;",
                    'strcpy(text, "bc");',
                    f"{self.variable()} = (int)strlen(text);",
                    f"{self.variable()} += (int)colour;",
                )
            ),
        )

    def block(self, depth: int, nesting: int) -> list[str]:
        """The lines of one or two statements, not yet put."""
        before, self.lines = self.lines, []
        for _ in range(self.chance.randint(1, 2)):
            self.statement(depth, nesting)
        made, self.lines = self.lines, before
        return made

    def branch(self, depth: int, nesting: int) -> None:
        """A conditional statement with both branches."""
        test = self.condition()
        first, second = self.block(depth + 1, nesting), self.block(depth + 1, nesting)
        if self.uses("branches exchanged"):
            test, first, second = f"!({test})", second, first
        self.put(depth, f"if ({test}) {{")
        self.lines += first
        self.put(depth, "} else {")
        self.lines += second
        self.put(depth, "}")

    def loop(self, depth: int, nesting: int) -> None:
        """A loop of at most three rounds."""
        counter, rounds = self.new("i"), self.chance.choice(("2", "3", f"({self.variable()} & 3)"))
        limit = self.new("n")
        body = self.block(depth + 1, nesting)
        self.put(depth, f"int {limit} = {rounds};", f"int {counter} = 0;")
        if self.uses("first round peeled"):
            self.put(depth, f"if ({counter} < {limit}) {{")
            self.lines += [line.replace("skip", f"skip_{counter}_") for line in body]
            self.put(depth + 1, f"{counter}++;")
            self.put(depth, "}")
        if self.uses("for as while"):
            self.put(depth, f"while ({counter} < {limit}) {{")
            self.lines += body
            self.put(depth + 1, f"{counter}++;")
        else:
            self.put(depth, f"for (; {counter} < {limit}; {counter}++) {{")
            self.lines += body
        self.put(depth, "}")

    def switch(self, depth: int, _nesting: int) -> None:
        """A choice among three blocks."""
        value, subject = self.expression(1), self.new("s")
        bodies = [self.block(depth + 1, 0) for _ in range(3)]
        self.put(depth, f"int {subject} = ({value}) & 3;")
        if self.uses("switch as if"):
            heads = [
                f"if ({subject} == 0) {{",
                f"}} else if ({subject} == 1 || {subject} == 2) {{",
                "} else {",
            ]
            for head, body in zip(heads, bodies, strict=True):
                self.put(depth, head)
                self.lines += body
        else:
            self.put(depth, f"switch ({subject}) {{")
            for label, body in zip(("case 0: {", "case 1: case 2: {", "default: {"), bodies, strict=True):
                self.put(depth, label)
                self.lines += body
                self.put(depth + 1, "break;")
                self.put(depth, "}")
        self.put(depth, "}")

    def jump(self, depth: int, _nesting: int) -> None:
        """A block that ``goto`` may leave out."""
        label, test = self.new("skip"), self.condition()
        body = self.block(depth + 1, 0)
        self.put(depth, f"if ({test})", f"    goto {label};", "{")
        self.lines += body
        self.put(depth, "}", f"{label}: ;")
