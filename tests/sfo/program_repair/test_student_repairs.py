"""Slips of beginners beside a reference: the right edit is verified, first, and right natively."""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from tests.conftest import require_tool

LISTS = """#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *without(struct node *head, int value)
{
    struct node *now = head, *before = NULL;
    while (now != NULL && now->value != value) {
        before = now;
        now = now->next;
    }
    if (now == NULL)
        return head;
    if (before == NULL)
        head = now->next;
    else
        before->next = now->next;
    return head;
}
int main(void)
{
    int value;
    struct node two = { 2, NULL }, one = { 1, &two };
    if (scanf("%d", &value) != 1)
        return 1;
    for (struct node *n = without(&one, value); n != NULL; n = n->next)
        printf("%d ", n->value);
    return 0;
}
"""

MASKS = """#include <stdio.h>
int main(void)
{
    unsigned old, group;
    if (scanf("%u %u", &old, &group) != 2 || old > 255 || group > 7)
        return 1;
    old = old & 0xf8u;
    printf("%u", old | group);
    return 0;
}
"""

BLANKS = """#include <ctype.h>
#include <stdio.h>
int main(void)
{
    int words = 0, inside = 0;
    for (int i = 0; i < 3; i++) {
        int c = getchar();
        if (c == EOF)
            break;
        if (isspace(c)) {
            inside = 0;
        } else {
            words += !inside;
            inside = 1;
        }
    }
    printf("%d", words);
    return 0;
}
"""

CASES = """#include <stdio.h>
static int shifted(int c, int by)
{
    if (c >= 'a' && c <= 'z')
        return 'a' + (c - 'a' + by) % 26;
    if (c >= 'A' && c <= 'Z')
        return 'A' + (c - 'A' + by) % 26;
    return c;
}
int main(void)
{
    int by, c = getchar();
    if (c == EOF || scanf("%d", &by) != 1 || by < 0 || by > 25)
        return 1;
    printf("%c", shifted(c, by));
    return 0;
}
"""

ROWS = """#include <stdio.h>
int main(void)
{
    int best = 0, most = 0, sum = 0;
    for (int r = 0; r < 2; r++) {
        sum = 0;
        for (int c = 0; c < 2; c++) {
            int x;
            if (scanf("%d", &x) != 1 || x < -99 || x > 99)
                return 1;
            sum += x;
        }
        if (r == 0 || sum > most) {
            most = sum;
            best = r;
        }
    }
    printf("%d %d", best, most);
    return 0;
}
"""

FARES = """#include <stdio.h>
static int fare(int zones, int age)
{
    int p = 200 + 90 * zones;
    if (age < 15)
        p = p / 2;
    if (age >= 65) {
        p = p - 30;
        if (zones > 3)
            p = p - 10;
        return p;
    }
    p = p + 5;
    return p;
}
int main(void)
{
    int zones, age;
    if (scanf("%d %d", &zones, &age) != 2 || zones < 1 || zones > 4 || age < 0 || age > 120)
        return 1;
    printf("%d", fare(zones, age));
    return 0;
}
"""

YEARS = """#include <stdio.h>
static int leap(int y)
{
    if (y % 400 == 0)
        return 1;
    if (y % 100 == 0)
        return 0;
    return y % 4 == 0;
}
int main(void)
{
    int y;
    if (scanf("%d", &y) != 1 || y < 1583 || y > 3000)
        return 1;
    printf("%d", leap(y));
    return 0;
}
"""

SEARCH = """#include <stdio.h>
static int contains(const int *v, int n, int x)
{
    for (int i = 0; i < n; i++)
        if (v[i] == x)
            return 1;
    return 0;
}
int main(void)
{
    int x, v[3] = { 4, 7, 9 };
    if (scanf("%d", &x) != 1)
        return 1;
    printf("%d", contains(v, 3, x));
    return 0;
}
"""

COPIES = """#include <stdio.h>
static void capitals(char *to, const char *from)
{
    int i;
    for (i = 0; from[i] != '\\0'; i++)
        to[i] = from[i] == 'a' ? 'A' : from[i];
    to[i] = '\\0';
}
int main(void)
{
    char word[4], large[5] = "****";
    if (scanf("%3s", word) != 1)
        return 1;
    capitals(large, word);
    printf("%s", large);
    return 0;
}
"""

RINGS = """#include <stdio.h>
int main(void)
{
    int at = 0, sum = 0, ring[3] = { 1, 10, 100 };
    for (int i = 0; i < 4; i++) {
        int x;
        if (scanf("%d", &x) != 1 || x < 0 || x > 9)
            return 1;
        sum += x * ring[at];
        at = (at + 1) % 3;
    }
    printf("%d", sum);
    return 0;
}
"""

SECONDS = """#include <stdio.h>
int main(void)
{
    int x, first = 0, second = 0;
    for (int i = 0; i < 3; i++) {
        if (scanf("%d", &x) != 1 || x < 1 || x > 9)
            return 1;
        if (x > first) {
            second = first;
            first = x;
        } else if (x > second && x != first) {
            second = x;
        }
    }
    printf("%d", second);
    return 0;
}
"""

STOCKS = """#include <stdio.h>
struct item { int price, stock; };
static struct item shop[2] = { { 5, 2 }, { 12, 1 } };
static int buy(int which, int count)
{
    struct item *i;
    if (which < 0 || which >= 2 || count < 1)
        return 0;
    i = &shop[which];
    if (count > i->stock)
        return 0;
    i->stock -= count;
    return i->price * count;
}
int main(void)
{
    int which, count, total = 0;
    for (int k = 0; k < 2; k++) {
        if (scanf("%d %d", &which, &count) != 2)
            break;
        total += buy(which, count);
    }
    printf("%d", total);
    return 0;
}
"""

NUMBERS = """#include <stdio.h>
static int number(const char *s)
{
    int sign = 1, r = 0, i = 0;
    if (s[i] == '-') {
        sign = -1;
        i++;
    }
    while (s[i] >= '0' && s[i] <= '9') {
        r = r * 10 + (s[i] - '0');
        i++;
    }
    return r * sign;
}
int main(void)
{
    char s[4];
    if (scanf("%3s", s) != 1)
        return 1;
    printf("%d", number(s));
    return 0;
}
"""

TEXTS = """#include <stdio.h>
int main(void)
{
    int inside = 0, length = 0, longest = 0;
    for (int i = 0; i < 7; i++) {
        int c = getchar();
        if (c == EOF)
            break;
        if (c == '*') {
            inside = !inside;
            if (length > longest)
                longest = length;
            length = 0;
        } else if (inside) {
            length++;
        }
    }
    printf("%d", longest);
    return 0;
}
"""

LEAVES = """#include <stdio.h>
struct tree { struct tree *left, *right; };
static int leaves(const struct tree *t)
{
    if (t == NULL)
        return 0;
    if (t->left == NULL && t->right == NULL)
        return 1;
    return leaves(t->left) + leaves(t->right);
}
int main(void)
{
    int shape;
    struct tree a = { NULL, NULL }, b = { NULL, NULL }, c = { NULL, NULL };
    if (scanf("%d", &shape) != 1)
        return 1;
    if (shape & 1)
        a.left = &b;
    if (shape & 2)
        a.right = &c;
    printf("%d", leaves(&a));
    return 0;
}
"""

BITS = """#include <stdio.h>
int main(void)
{
    unsigned n;
    int count = 0;
    if (scanf("%u", &n) != 1 || n > 255)
        return 1;
    while (n != 0) {
        if (n & 1)
            count++;
        n >>= 1;
    }
    printf("%d", count);
    return 0;
}
"""


def plain(text: str) -> str:
    return " ".join(text.split())


def texts(*parts: Iterable[object]) -> list[str]:
    """Standard inputs: each with one of each part, blanks between them."""
    return [" ".join(map(str, one)) for one in itertools.product(*parts)]


@pytest.mark.parametrize(
    ("right", "old", "new", "before", "after", "inputs"),
    [
        (LISTS, "head = now->next", "head = NULL", "NULL", "now->next", texts(range(4))),
        (MASKS, "0xf8u", "0xf0u", "0xf0u", "0xf8u", texts(range(0, 256, 5), range(8))),
        (
            *(BLANKS, "isspace(c)", "c == ' '", "c == ' '", "isspace(c)"),
            ["".join(one) for one in itertools.product("a \t\n-", repeat=3)],
        ),
        (CASES, "'a' + (c - 'a'", "'a' + (c - 'A'", "'A'", "'a'", texts("aAzZ.", range(0, 26, 5))),
        (ROWS, "        sum = 0;\n", "", "", "sum = 0;", texts(*[(-9, 0, 7)] * 4)),
        (
            ROWS,
            "r == 0 || sum > most",
            "sum > most",
            "sum > most",
            "r == 0 || (sum > most)",
            texts(*[(-9, 0, 7)] * 4),
        ),
        (FARES, "p = p / 2", "p = 2", "p = 2", "p /= 2", texts(range(1, 5), range(0, 121, 3))),
        (FARES, "        return p;\n    }", "    }", "", "return p;", texts(range(1, 5), range(0, 121, 3))),
        (
            *(YEARS, YEARS[YEARS.index("    if (y % 400") : YEARS.index("    return y % 4")]),
            "    if (y % 100 == 0)\n        return 0;\n    if (y % 400 == 0)\n        return 1;\n",
            "if (y % 100 == 0) return 0; if (y % 400 == 0) return 1;",
            "if (y % 400 == 0) return 1; if (y % 100 == 0) return 0;",
            texts(range(1583, 3001)),
        ),
        (
            SEARCH,
            "return 1;\n    ret",
            "return 1;\n        else\n            return 0;\n    ret",
            "else return 0;",
            "",
            texts(range(12)),
        ),
        (COPIES, "    to[i] = '\\0';\n", "", "", "to[i] = '\\0';", texts(("a", "ba", "aaa", "bcd"))),
        (
            SECONDS,
            "            second = first;\n",
            "",
            "first = x",
            "second = first, first = x",
            texts(*[range(1, 6)] * 3),
        ),
        (
            SECONDS,
            " && x != first",
            "",
            "x > second",
            "(x > second) && x != first",
            texts(*[range(1, 6)] * 3),
        ),
        (
            STOCKS,
            "    i->stock -= count;\n",
            "",
            "i->price * count",
            "i->stock -= count, i->price * count",
            texts(*[range(3)] * 4),
        ),
        (NUMBERS, "r * sign", "r", "r", "r * sign", ["-1", "12", "-40", "7", "-", "-x", "008"]),
        (NUMBERS, "(s[i] - '0')", "s[i]", "s[i]", "(s[i] - '0')", ["-1", "12", "-40", "7", "-", "-x", "008"]),
        (
            LEAVES,
            "    if (t->left == NULL && t->right == NULL)\n        return 1;\n",
            "",
            "",
            "if (!t->left && !t->right) return 1;",
            texts(range(4)),
        ),
        (BITS, "n & 1", "n & 3", "3", "1", texts(range(256))),
        (RINGS, "(at + 1) % 3", "at + 1", "at + 1", "(at + 1) % 3", texts(*[(0, 1, 2)] * 4)),
    ],
    ids=[
        "list",
        "mask",
        "class",
        "case",
        "reset",
        "first round",
        "applied",
        "return",
        "order",
        "too early",
        "end",
        "kept",
        "apart",
        "member",
        "sign",
        "digit",
        "base",
        "bits",
        "round",
    ],
)
def test_the_right_edit_is_verified_and_first(
    right: str, old: str, new: str, before: str, after: str, inputs: list[str], tmp_path: Path
) -> None:
    assert right.count(old) == 1
    reference, program = tmp_path / "right.c", tmp_path / "program.c"
    reference.write_text(right, encoding="utf-8")
    program.write_text(right.replace(old, new), encoding="utf-8")
    options = ProgramOptions(reference=(str(reference),))
    result = run_localize_pipeline([str(program)], PipelineOptions(program=options, rank="full", effort=0.4))
    assert result.repairs is not None
    made = [(plain(one.before), plain(one.after)) for one in result.repairs.found]
    assert (before, after) in made, made
    meant = result.repairs.found[made.index((before, after))]
    assert meant.unit in [line.unit for line in result.ranking[:5]]
    assert meant.behaviour != "changed"
    expected = printed(reference, inputs)
    assert printed(program, inputs) != expected
    edited = tmp_path / "edited.c"
    edited.write_text(patched(program, meant.diff), encoding="utf-8")
    assert printed(edited, inputs) == expected
    best = result.repairs.found[0]
    edited.write_text(patched(program, best.diff), encoding="utf-8")
    assert printed(edited, inputs) == expected, best.diff


def test_a_reset_that_is_missing(tmp_path: Path) -> None:
    reference, program, edited = (tmp_path / name for name in ("right.c", "program.c", "edited.c"))
    reference.write_text(TEXTS, encoding="utf-8")
    program.write_text(TEXTS.replace("            length = 0;\n", ""), encoding="utf-8")
    options = ProgramOptions(reference=(str(reference),))
    result = run_localize_pipeline([str(program)], PipelineOptions(program=options, rank="full"))
    assert result.repairs is not None
    made = [one for one in result.repairs.found if "length = 0" in one.after]
    assert made
    inputs = ["".join(one) for one in itertools.product("a*", repeat=7)]
    edited.write_text(patched(program, result.repairs.found[0].diff), encoding="utf-8")
    assert printed(edited, inputs) == printed(reference, inputs) != printed(program, inputs)


def patched(path: Path, diff: str) -> str:
    """The text of a program after a repair."""
    patch = require_tool("patch")
    run = subprocess.run(
        [patch, "--silent", "-o", "-", str(path)], input=diff, capture_output=True, text=True, check=True
    )
    return run.stdout


def printed(path: Path, inputs: list[str]) -> list[tuple[int, str]]:
    """The status and the output of native executions."""
    binary = path.with_suffix("")
    subprocess.run([require_tool("gcc"), "-w", "-o", str(binary), str(path)], check=True)
    ends = []
    for text in inputs:
        run = subprocess.run(
            [str(binary)], input=text, capture_output=True, text=True, check=False, timeout=10
        )
        ends.append((run.returncode, run.stdout))
    return ends
