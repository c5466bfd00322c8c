"""Generated programs that grow in one respect, for ``benchmarks.growth``: the same size gives the same text.

FAMILIES["lines"].text(3)  ->  int nondet_int(void); ... v2 = (v2 ^ 19) + 7; ...
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, final

_HEAD: Final = (
    "int nondet_int(void);\nvoid __CPROVER_assume(_Bool);\nvoid __CPROVER_assert(_Bool, const char *);\n"
)

_WRITES: Final = 6
"""Writes of an array at indices that are inputs."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Programs that grow with a size; each has a failing execution within ``unwind(size)``.

    ``passing``: passing executions are asked for, too.
    """

    title: str
    label: str
    sizes: tuple[int, ...]
    text: Callable[[int], str]
    unwind: Callable[[int], int] = lambda _size: 1
    passing: bool = False


def _program(*lines: str) -> str:
    return _HEAD + "\n".join(lines) + "\n"


def _main(*lines: str) -> str:
    return _program("int main(void)", "{", *(f"    {line}" for line in lines), "    return 0;", "}")


def _straight(size: int) -> str:
    """Reversible steps over eight inputs, so that no line folds away and the last value is easy to reach."""
    chance = random.Random(size)  # noqa: S311 - a repeatable program, no secret
    variables = [f"v{i}" for i in range(8)]
    steps = [
        f"{v} = ({v} ^ {chance.randrange(1, 99)}) + {chance.randrange(1, 99)};"
        for v in (chance.choice(variables) for _ in range(size))
    ]
    inputs = [f"int {v} = nondet_int();" for v in variables]
    return _main(
        *inputs, *steps, f'__CPROVER_assert({" || ".join(f"{v} != 7" for v in variables)}, "not all seven");'
    )


def _loop(size: int) -> str:
    """A loop whose number of rounds is an input, up to ``size``."""
    return _main(
        "int n = nondet_int(), count = 0;",
        f"__CPROVER_assume(n >= 0 && n <= {size});",
        "for (int i = 0; i < n; i++)",
        "    if (nondet_int() > 0)",
        "        count++;",
        '__CPROVER_assert(count != 3, "never three");',
    )


def _constant_index(size: int) -> str:
    """An array that loops with constant bounds fill and read."""
    return _main(
        f"unsigned a[{size}], x = nondet_int();",
        "int found = -1;",
        f"for (int i = 0; i < {size}; i++)",
        "    a[i] = x + 3 * i;",
        f"for (int i = 0; i < {size}; i++)",
        "    if (a[i] == 77)",
        "        found = i;",
        f'__CPROVER_assert(found != {size // 2}, "not in the middle");',
    )


def _symbolic_index(size: int) -> str:
    """An array that is written and read where inputs say."""
    lines = [f"static int a[{size}];", "int j = nondet_int();", f"__CPROVER_assume(j >= 0 && j < {size});"]
    for k in range(_WRITES):
        lines += [
            f"int i{k} = nondet_int();",
            f"__CPROVER_assume(i{k} >= 0 && i{k} < {size});",
            f"a[i{k}] = a[j] + {k + 1};",
        ]
    return _main(*lines, '__CPROVER_assert(a[j] != 12, "never twelve");')


def _branches(size: int) -> str:
    """Choices, each by an input of its own: two to the power of ``size`` paths."""
    lines = ["int s = 0;"]
    for k in range(size):
        lines += ["if (nondet_int())", f"    s += {k % 5 + 1};", "else", "    s ^= 1;"]
    return _main(*lines, f'__CPROVER_assert(s != {size + 2}, "not that sum");')


def _ifs(size: int) -> str:
    """Sequential ifs on four inputs."""
    chance = random.Random(size)  # noqa: S311 - a repeatable program, no secret
    lines = [f"int v{i} = nondet_int();" for i in range(4)] + ["int s = 0;"]
    for k in range(size):
        lines += [
            f"if (v{k % 4} > {chance.randrange(-999, 999)})",
            f"    s = s ^ {chance.randrange(1, 999)};",
        ]
    return _main(
        *lines, '__CPROVER_assert(s == 0 || v0 < v1 || v1 < v2 || v2 < v3, "in order: no difference");'
    )


def _recursion(size: int) -> str:
    """A recursion as deep as an input says, up to ``size``."""
    return _program(
        "int down(int n)",
        "{",
        "    if (n <= 0)",
        "        return 0;",
        "    return 1 + down(n - 1);",
        "}",
        "int main(void)",
        "{",
        "    int n = nondet_int();",
        f"    __CPROVER_assume(n >= 0 && n <= {size});",
        f'    __CPROVER_assert(down(n) != {size // 2}, "not half as deep");',
        "    return 0;",
        "}",
    )


def _units(size: int) -> str:
    """Units each of which failing executions may leave out: what the algorithm has to sort out."""
    lines = ["int bad = 0;"] + [f"int u{k} = 0;" for k in range(size)]
    for k in range(size):
        lines += [f"if (nondet_int() > {k})", f"    u{k} = {k + 1};"]
    return _main(*lines, f"bad = u{size // 3} && u{2 * size // 3};", '__CPROVER_assert(!bad, "not both");')


def _steps(*powers: int) -> Iterator[int]:
    for power in powers:
        yield from (10**power, 3 * 10**power)


FAMILIES: Final[dict[str, Family]] = {
    "lines": Family(title="straight lines", label="lines", sizes=(100, 300, 1000, 3000, 10_000, 20_000), text=_straight),
    "loop": Family(
        title="a loop that an input bounds", label="rounds", sizes=(4, 8, 16, 32, 64, 128, 256, 512), text=_loop, unwind=lambda n: n + 1,
    ),
    "constant-index": Family(
        title="an array, constant indices", label="elements", sizes=(16, 64, 256, 1024, 4096), text=_constant_index, unwind=lambda n: n + 1,
    ),
    "symbolic-index": Family(
        title="an array, six writes at indices that are inputs", label="elements", sizes=(16, 64, 256, 1024, 4096), text=_symbolic_index,
    ),
    "branches": Family(title="branches, 2^n paths", label="branches", sizes=(5, 10, 20, 40, 80, 160), text=_branches),
    "ifs": Family(title="sequential ifs", label="ifs", sizes=(*_steps(1, 2), 1000, 2000), text=_ifs),
    "recursion": Family(
        title="recursion as deep as an input says", label="depth", sizes=(4, 8, 16, 32, 64, 128, 256, 512), text=_recursion, unwind=lambda n: n + 1,
    ),
    "units": Family(
        title="units that executions may leave out, with 20 passing executions", label="units", sizes=(*_steps(1, 2), 1000), text=_units, passing=True,
    ),
}  # fmt: skip
"""By name."""
