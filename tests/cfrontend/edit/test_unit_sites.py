"""Candidates for repair: where they are, what their text is, and one text that holds them all."""

import re
import resource
import signal
import subprocess
from pathlib import Path

import pytest

from cfrontend.edit.candidate import Candidate, candidate_is_hollow_with
from cfrontend.edit.every_place import EVERY_PLACE
from cfrontend.edit.schemata import schemata_text_of_other_type, schemata_text_with_variants
from cfrontend.edit.text import SourceText, apply_text_edits
from cfrontend.edit.unit_sites import find_candidates_at_units
from cfrontend.lower.number_units import number_units
from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.settings import HOLE, VARIANT
from cfrontend.units import UnitId
from tests.conftest import require_tool

DEFINED = ("-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
"""Options of gcc for programs that end where their behaviour is undefined."""

TEXT = """struct pair { int first, second; };
extern int nondet_int(void);
#define TWICE(e) ((e) * 2)
static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }
int main(void)
{
    int x = nondet_int(), y = 3;
    unsigned char c = 7;
    struct pair p = { 1, 2 };
    int v[64] = { 0, 1, 2 };
    int *q = v;
    for (int i = 0; i < 3 && x > 0; i++)
        v[i] += x - y * 2;
    if (!(x & 1) || p.first != y)
        x = least(x, y);
    while (x-- > 10)
        c <<= 1;
    q++;
    *q = TWICE(x) + p.second;
    most(x, y);
    return *q + c;
}
"""


READING = """#include <stdio.h>
int main(void)
{
    int n;
    char c;
    scanf("%d", &n);
    scanf("%c", &c);
    printf("%d %c", n, c);
}
"""


def one_second() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))


def candidates(tmp_path: Path, text: str = TEXT) -> tuple[Candidate, ...]:
    path = tmp_path / "program.c"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions())
    table = number_units(program.tree, "statement")
    wanted = {unit.id for unit in program.units}
    found = find_candidates_at_units(program.tree, table, {str(path): SourceText(text)}, wanted)
    assert any(c.has_hole for c in found) or text != TEXT
    return tuple(c.filled(-7) for c in found)


@pytest.mark.parametrize(
    ("before", "after", "never"),
    [
        ("x * (a + b)", "x * (a - b)", "x * a - b"),
        ("!(a > b)", "!(a >= b)", "!a >= b"),
        ("-(a - b)", "-(b - a)", "-b - a"),
        ("(unsigned char)(a + b)", "(unsigned char)(a * b)", "(unsigned char)a * b"),
        ("x / ((a & b))", "x / (a | b)", "x / a | b"),
        ("(a + ')') * x", "(a - ')') * x", "a - ')' * x"),
        ("(a < b) + (b < a)", "(a <= b) + (b < a)", "a <= b + (b < a)"),
    ],
)
def test_parentheses_around_what_is_edited_stay(before: str, after: str, never: str, tmp_path: Path) -> None:
    text = f"int f(int x, int a, int b) {{ return {before}; }}\nint main(void) {{ return f(1, 2, 3); }}\n"
    texts = {apply_text_edits(text, [c.edit]) for c in candidates(tmp_path, text)}
    assert text.replace(before, after) in texts
    assert text.replace(before, never) not in texts


def test_a_test_behind_an_operand_has_no_parentheses_of_its_own(tmp_path: Path) -> None:
    text = """int f(int s, int n) { s = s - 3 * n; if (s) return n; return s; }
int main(void) { return f(1, 2); }
"""
    texts = {apply_text_edits(text, [c.edit]) for c in candidates(tmp_path, text)}
    assert text.replace("if (s)", "if (s && s != (-7))") in texts
    assert not any("if ((s" in one for one in texts)


DRAWN = """extern int nondet_int(void);
extern void __CPROVER_assume(int);
struct date { int day, month; };
static int next(struct date d, int step) { d.day += step; return d.day; }
int main(void)
{
    struct date d;
    int n = nondet_int(), k = nondet_int();
    d.day = nondet_int();
    d.month = nondet_int();
    __CPROVER_assume(d.day > 0 && n < 9);
    k = next(d, n);
    d.month += k;
    return d.month;
}
"""


@pytest.mark.parametrize(
    ("place", "is_edited"), [("d.day", False), ("n", False), ("k", True), ("d.month", True)]
)
def test_no_edit_writes_an_input_that_is_assumed_about(place: str, is_edited: bool, tmp_path: Path) -> None:
    found = candidates(tmp_path, DRAWN)
    writes = re.compile(rf"(?<![\w.]){re.escape(place)} ?(=[^=]|[-+*]=|\+\+|--)")
    inside = [c for c in found if DRAWN.index("int main") < c.start]
    added = [c.text for c in inside if writes.search(c.text) and not writes.search(DRAWN[c.start : c.end])]
    assert bool(added) == is_edited, added
    assert any("d.day" in c.text for c in inside)


def test_no_edit_changes_a_constant_that_an_input_is_computed_with(tmp_path: Path) -> None:
    text = """extern int nondet_int(void);
#define MOST 7
static int f(int n) { return n + 2; }
int main(void)
{
    int x = (nondet_int() & 15) % MOST - (1 << 2);
    return f(nondet_int() * x) + 40;
}
"""
    found = candidates(tmp_path, text)
    start, end = text.index("int x"), text.index("return f(nondet")
    assert not [c.text for c in found if start < c.start < end]
    edited = {text[c.start : c.end] for c in found if c.start > end}
    assert {"x", "40"} <= edited


def test_no_edit_names_a_member_that_another_structure_has(tmp_path: Path) -> None:
    text = """struct batch { int started, steps, aborted; };
struct unit { int started, steps; };
static void copy(struct batch *b, const struct unit *u) { b->started = u->started; b->aborted = 0; }
int main(void) { struct batch b = { 1, 2, 3 }; struct unit u = { 4, 5 }; copy(&b, &u); return b.steps; }
"""
    texts = [c.text for c in candidates(tmp_path, text)]
    assert "u->steps" in texts
    assert not any("u->aborted" in one for one in texts)


def test_of_templates_that_make_the_same_edit_that_of_the_likelier_slip_counts(tmp_path: Path) -> None:
    text = """extern int nondet_int(void);
    int main(void)
    {
        int a = nondet_int(), b = nondet_int();
        if (a < b)
            a++;
        if (!a || a <= b)
            b++;
        return a;
    }
    """
    found = candidates(tmp_path, text)
    at = text.index("a <= b")
    made = [one for one in found if one.start == at and one.text == "a < b"]
    assert [(one.template, one.size) for one in made] == [("another operator of its kind", "small")]


def test_no_edit_names_a_constant_that_is_defined_below(tmp_path: Path) -> None:
    text = """#define ABOVE 3
static int f(int n) { return n > ABOVE ? 1 : ABOVE; }
#define BELOW 5
enum { LATE = 7 };
int main(void) { return f(2) == BELOW ? LATE : ABOVE; }
"""
    found = candidates(tmp_path, text)
    main = text.index("int main")
    assert any("BELOW" in c.text for c in found if c.start > main)
    assert not any("BELOW" in c.text or "LATE" in c.text for c in found if c.start < main)


def test_candidates_of_wanted_units_are_those_of_all_units(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(TEXT)
    program = load_c_program([str(path)], ProgramOptions())
    table, sources = number_units(program.tree, "statement"), {str(path): SourceText(TEXT)}
    every = find_candidates_at_units(program.tree, table, sources, {unit.id for unit in program.units})
    edits = {c.edit for c in every}
    for unit in program.units:
        found = find_candidates_at_units(program.tree, table, sources, {unit.id})
        assert {c.unit for c in found} <= {unit.id}
        assert {c.edit for c in found} <= edits
        assert set(found) >= {c for c in every if c.unit == unit.id and c.template != EVERY_PLACE}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("i < 3", "i <= 3"),
        ("i < 3 && x > 0", "(i < 3) || (x > 0)"),
        ("i++", "i--"),
        ("i", "i + 1"),
        ("y * 2", "(y + 2)"),
        ("y", "x"),
        ("3", "4"),
        ("p.first", "p.second"),
        ("least(x, y)", "least(y, x)"),
        ("c <<= 1", "c >>= 1"),
        ("q++", "q--"),
        ("most(x, y)", ""),
        ("!(x & 1) || p.first != y", "!(!(x & 1) || p.first != y)"),
        ("x = least(x, y);", "{ x = least(x, y); return 0; }"),
    ],
)
def test_templates(before: str, after: str, tmp_path: Path) -> None:
    made = {(TEXT[c.start : c.end], c.edit.text) for c in candidates(tmp_path)}
    assert (before, after) in made


MEANT = """struct box { int coins; struct box *next; };
static int limit;
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int (*chosen)(int, int);
static int swap(int *x, int *y, struct box *b, int v[4])
{
    int t = *x;
    int wanted = b->coins;
    *x = *y;
    *y = *x;
    limit = 0;
    chosen = add;
    v[1] = wanted;
    return v[t] + b->next->coins;
}
int main(void)
{
    struct box b = { 3, 0 };
    int v[4] = { 1, 2, 3, 4 };
    return swap(v, v + 1, &b, v) + chosen(1, 2) + subtract(1, 2);
}
"""


@pytest.mark.parametrize(
    ("line", "before", "after"),
    [
        ("    *y = *x;", "*x", "t"),
        ("    *y = *x;", "*x", "b->coins"),
        ("    limit = 0;", "0", "wanted"),
        ("    chosen = add;", "add", "subtract"),
        ("    v[1] = wanted;", "wanted", "b->next->coins"),
        ("    return v[t] + b->next->coins;", "v[t]", "t"),
        ("    return v[t] + b->next->coins;", "b->next->coins", "b->coins"),
    ],
)
def test_another_operand_may_be_meant(line: str, before: str, after: str, tmp_path: Path) -> None:
    made = {
        (MEANT[: c.start].count("\n"), MEANT[c.start : c.end], c.text) for c in candidates(tmp_path, MEANT)
    }
    assert (MEANT[: MEANT.index(line)].count("\n"), before, after) in made


NAMED = """
#define LOW (-10)
#define HIGH (LOW + 110)
#define IS_HIGH(x) ((x) > HIGH)
#define TWICE(x) x + x
enum colour { RED, GREEN };
static int level;
int f(int x, int c)
{
    level = LOW;
    level = 7;
    if (x >= HIGH || x < LOW)
        return TWICE(x) - 1;
    if (c == RED && IS_HIGH(x))
        return GREEN;
    return 0;
}
int main(void) { return f(1, 2); }
"""


@pytest.mark.parametrize(
    ("line", "before", "after"),
    [
        ("    if (x >= HIGH", "x >= HIGH", "x > HIGH"),
        ("    if (x >= HIGH", "HIGH", "LOW"),
        ("    if (x >= HIGH", "HIGH", "HIGH + 1"),
        ("    if (x >= HIGH", "LOW", "LOW - 1"),
        ("    if (x >= HIGH", "x >= HIGH || x < LOW", "(x >= HIGH) && (x < LOW)"),
        ("    if (c == RED", "RED", "GREEN"),
        ("    if (c == RED", "IS_HIGH(x)", "!(IS_HIGH(x))"),
        ("    if (c == RED", "c == RED", "c != RED"),
        ("        return GREEN;", "GREEN", "RED"),
        ("    if (c == RED && IS", "c", "LOW"),
        ("    return 0;", "0", "level = LOW, 0"),
        ("    return 0;", "0", "level = (-7), 0"),
    ],
)
def test_named_constants_and_macros_are_operands(line: str, before: str, after: str, tmp_path: Path) -> None:
    found = candidates(tmp_path, NAMED)
    made = {(NAMED[: c.start].count("\n"), NAMED[c.start : c.end], c.text) for c in found}
    assert (NAMED[: NAMED.index(line)].count("\n"), before, after) in made
    assert not any(text in {"RED + 1", "GREEN - 1"} for _, _, text in made)
    assert not any({before, text} == {"RED", "LOW"} for _, before, text in made)
    assert not any(before == "TWICE(x)" and "TWICE(x)" not in text for _, before, text in made)


FORGOTTEN = """#define LEAST 3
#define MOST 40
#define OTHER (-1)
enum kind { PLAIN = 1, NESTED = 2, LAST = 3 };
static int f(int x)
{
    if (x > LEAST)
        return PLAIN;
    return LAST;
}
int main(void) { return f(1); }
"""


def test_constants_that_a_file_defines_and_never_names_may_be_meant(tmp_path: Path) -> None:
    made = {(FORGOTTEN[c.start : c.end], c.text) for c in candidates(tmp_path, FORGOTTEN)}
    assert ("LEAST", "MOST") in made
    assert ("PLAIN", "NESTED") in made
    assert ("LEAST", "OTHER") not in made
    assert ("LEAST", "NESTED") not in made


ONLY_TOLD_APART = """enum state { READY, RUNNING, DONE };
static int state;
static void enter(int next) { state = next; }
int main(void)
{
    enter(RUNNING);
    switch (state) {
    case READY: return 1;
    case RUNNING: return 2;
    case DONE: return 0;
    }
    return 3;
}
"""


def test_constants_that_only_cases_name_may_be_meant(tmp_path: Path) -> None:
    made = {(ONLY_TOLD_APART[c.start : c.end], c.text) for c in candidates(tmp_path, ONLY_TOLD_APART)}
    assert {("RUNNING", "READY"), ("RUNNING", "DONE")} <= made


WANTING = """#define FEE 2
static int stopped;
struct list { int value; struct list *next; };
static int pay(int amount) { return amount; }
static int find(const int *a, int n, int wanted, struct list *l, const _Bool *seen)
{
    int i = 0;
    while (a[i] != wanted)
        i++;
    while (l->next && l->value != wanted)
        l = l->next;
    if (seen[i] == 0 && n > 1)
        stopped = 1;
    if (wanted == 7)
        return pay(n);
    return i;
}
int main(void) { int a[2] = { 1, FEE }; return find(a, 2, 2, 0, 0); }
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a[i] != wanted", "a[i] != wanted && n > 1"),
        ("a[i] != wanted", "i < wanted && a[i] != wanted"),
        ("l->next && l->value != wanted", "(l->next && l->value != wanted) && wanted == 7"),
        ("wanted == 7", "wanted == 7 && stopped < (-7)"),
        ("wanted == 7", "wanted == 7 || seen[i] > (-7)"),
        ("wanted == 7", "wanted == 7 && l"),
        ("n", "n + FEE"),
        ("n", "n - i"),
    ],
)
def test_a_part_may_be_wanting(before: str, after: str, tmp_path: Path) -> None:
    assert (before, after) in {(WANTING[c.start : c.end], c.text) for c in candidates(tmp_path, WANTING)}


def test_text_within_macros_is_left_alone(tmp_path: Path) -> None:
    start, end = (whole := TEXT.index("TWICE(x)")), whole + len("TWICE(x)")
    single = [c for c in candidates(tmp_path) if c.template != EVERY_PLACE]
    inside = [c for c in single if start < c.start < end or start < c.end < end]
    assert {TEXT[c.start : c.end] for c in inside} == {"x"}


ARGUMENTS = """
#define MAX(a, b) ((a) < (b) ? (b) : (a))
#define CHECK(c) do { if (!(c)) fail(); } while (0)
void fail(void);
int most(int x, int y)
{
    CHECK(x != y + 1);
    return MAX(x, y - 1);
}
int main(void) { return most(1, 2); }
"""


def test_arguments_of_macros_are_edited_and_what_they_check_is_not(tmp_path: Path) -> None:
    found = {(ARGUMENTS[c.start : c.end], c.text) for c in candidates(tmp_path, ARGUMENTS)}
    assert {("y - 1", "y"), ("y - 1", "y + 1"), ("1", "2"), ("x", "y")} <= found
    assert not any("MAX(" in before and before != "MAX(x, y - 1)" for before, _ in found)
    assert not any("y + 1" in before for before, _ in found)


def test_first_values_are_edited_as_assigned_ones(tmp_path: Path) -> None:
    text = "int f(int n, int m) { int b = n, c = n + m; return b * c; }\nint main(void) { return f(1, 2); }\n"
    texts = {apply_text_edits(text, [c.edit]) for c in candidates(tmp_path, text)}
    assert {text.replace("b = n", after) for after in ("b = n + 1", "b = n - 1", "b = n - m")} <= texts
    assert {text.replace("c = n + m", after) for after in ("c = (n + m) - 1", "c = m")} <= texts


def test_each_edit_alone_compiles(tmp_path: Path) -> None:
    gcc = require_tool("gcc")
    for c in candidates(tmp_path):
        edited = apply_text_edits(TEXT, [c.edit])
        done = subprocess.run(
            [gcc, "-w", "-fsyntax-only", "-xc", "-"],
            input=edited,
            text=True,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, (c, done.stderr)


def test_one_text_holds_every_variant(tmp_path: Path) -> None:
    """Each variant of the whole is the program with that one edit: gcc runs both."""
    gcc = require_tool("gcc")
    found = [c for c in candidates(tmp_path) if c.form != "statement"]
    body = "int nondet_int(void) { return 5; }\n"
    whole = tmp_path / "whole.c"
    numbered = list(enumerate(found, start=1))
    whole.write_text(f"int {VARIANT} = CHOSEN;\n{schemata_text_with_variants(TEXT, numbered)}{body}")
    compared = 0
    for number, c in numbered[:: max(1, len(numbered) // 25)]:
        alone = tmp_path / "alone.c"
        alone.write_text(apply_text_edits(TEXT, [c.edit]) + body)
        codes = []
        for path in (whole, alone):
            binary = tmp_path / "binary"
            subprocess.run([gcc, *DEFINED, f"-DCHOSEN={number}", "-o", binary, path], check=True)
            ended = subprocess.run([binary], check=False, capture_output=True, preexec_fn=one_second)
            codes.append(ended.returncode)
        if -signal.SIGKILL not in codes:  # a loop that is as good as endless
            compared += 1
            assert codes[0] == codes[1], c
    assert compared >= 15


TYPES = """extern int nondet_int(void);
extern float nondet_float(void);
int main(void)
{
    unsigned u = 3u;
    unsigned long w = 7ul;
    short s = 2;
    int n = nondet_int();
    float f = nondet_float();
    char *p = "text";
    while (p && f / 2.0f > 1.0f)
        f /= 2.0f;
    if (p)
        u = u + n;
    w = w + 9ul + s;
    return u > 3u && later;
}
"""


def test_every_candidate_can_stand_in_one_text(tmp_path: Path) -> None:
    """No remainder of floating numbers, no pointer that is a number, no variable that is declared further down."""
    text = TYPES.replace(" && later", "").replace("int main", "int main(void);\nint later;\nint main", 1)
    text = text.replace("int later;\n", "") + "int later;\n"
    expressions = [c for c in candidates(tmp_path, text) if c.form != "statement"]
    found = sorted(expressions, key=lambda c: (c.start, c.end))
    whole = tmp_path / "whole.c"
    whole.write_text(f"int {VARIANT};\n{schemata_text_with_variants(text, list(enumerate(found, start=1)))}")
    program = load_c_program([str(whole)], ProgramOptions())
    assert not any("%" in c.text for c in found if c.text.startswith("f"))
    assert {"2u", "8ul"} <= {c.text for c in found}
    strange = schemata_text_of_other_type(program.tree)
    assert {(text[c.start : c.end], c.text) for n, c in enumerate(found, start=1) if n in strange} == {
        ("u + n", "n"),
        ("w + 9ul + s", "s"),
    }


def test_what_is_missing_may_stand_elsewhere(tmp_path: Path) -> None:
    text = """struct link { int retries, state; };
extern int nondet_int(void);
static void open(struct link *l) { l->retries = 0; l->state = 1; }
static void close(struct link *l) { if (l->state) l->state = 0; }
int main(void)
{
    struct link one;
    int x = nondet_int();
    open(&one);
    x = nondet_int();
    if (x > 3)
        x++;
    close(&one);
    return one.retries + x;
}
"""
    made = {(text[c.start : c.end], c.edit.text) for c in candidates(tmp_path, text) if c.adds}
    assert ("l->state = 0", "l->retries = (-7), l->state = 0") in made
    assert ("l->state", "l->retries = (-7), l->state") in made
    assert ("x > 3", "x++, x > 3") in made
    assert not any("l->" in after and "l->" not in before for before, after in made)
    assert not any(after.count("nondet_int()") > before.count("nondet_int()") for before, after in made)


def test_what_is_called_and_handed_over_is_where_a_unit_acts(tmp_path: Path) -> None:
    text = """static int up(int *p, int by) { *p += by; return *p; }
static int down(int *p, int by) { *p -= by; return *p; }
int main(void)
{
    int x = 0, y = 1, z = 2;
    if (up(&x, y) > z)
        y = up(&x, 1);
    return x;
}
"""
    acts = {(text[c.start : c.end], c.edit.text) for c in candidates(tmp_path, text) if c.aims}
    assert {("y", "z"), ("1", "2")} <= acts
    assert ("up(&x, y) > z", "up(&x, y) >= z") not in acts


def test_what_is_missing_may_count(tmp_path: Path) -> None:
    text = """struct link { int retries; const char *name; };
extern int nondet_int(void);
static int state(const struct link *l) { return l->retries; }
static int open(struct link *l, const int most)
{
    int tried = 0;
    if (l->retries > most) {
        l->name = "gone";
    }
    return tried;
}
int main(void)
{
    struct link one = { 0, "here" };
    return open(&one, nondet_int()) + state(&one);
}
"""
    made = {(text[c.start : c.end], c.edit.text) for c in candidates(tmp_path, text) if c.adds}
    assert ("tried", "l->retries++, tried") in made
    assert ("tried", "tried--, tried") in made
    assert ('l->name = "gone"', 'l->name = "gone", l->retries--') in made
    assert not any("most++" in after for _, after in made)
    assert not any("l->" in after for before, after in made if before == "l->retries")


SLIPS = """extern int nondet_int(void), next(int *p);
static int find(int *a, int n)
{
    int sum = 0, i, x, y = 0;
    for (i = 0; i < n; i++) {
        if (a[i] < 0 && n > 3 || i == n - i - 1)
            sum = a[i];
        else
            y = y + a[i];
        while (next(&x))
            sum = (sum + x) * 2;
        if (a[i] & 4 == 4) {
            y++;
            sum--;
        }
    }
    return sum + y;
}
int main(void)
{
    int a[3] = { 1, 2, 3 };
    if (find(a, 3) > 4)
        a[0] = 7;
    switch (a[0]) {
    case 7:
        if (a[1])
            a[2] = a[1];
    }
    return a[2];
}
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("sum = a[i]", "sum += a[i]"),
        ("sum = a[i]", "sum -= a[i]"),
        ("a[i] < 0 && n > 3 || i == n - i - 1", "(a[i] < 0) && ((n > 3) || (i == n - i - 1))"),
        ("n - i - 1", "(n - (i - 1))"),
        ("(sum + x) * 2", "sum + (x * 2)"),
        ("a[i] & 4 == 4", "(a[i] & 4) == 4"),
        ("sum + y", "y"),
        ("sum = a[i];", "{ sum = a[i]; break; }"),
        ("sum = a[i];", "{ sum = a[i]; continue; }"),
        ("sum--;", "{ sum--; return (-7); }"),
        ("a[0] = 7;", "{ a[0] = 7; return 0; }"),
        ("a[2] = a[1];", "{ a[2] = a[1]; break; }"),
    ],
)
def test_common_slips(before: str, after: str, tmp_path: Path) -> None:
    made = {(SLIPS[c.start : c.end], c.edit.text) for c in candidates(tmp_path, SLIPS)}
    assert (before, after) in made


def test_what_is_no_slip(tmp_path: Path) -> None:
    """No sum of what is one already, no parentheses that change nothing, no jump where none can be."""
    made = {(SLIPS[c.start : c.end], c.edit.text) for c in candidates(tmp_path, SLIPS)}
    assert not any(after.startswith(("y += y", "a[0] += a[0]", "sum -= (sum")) for _, after in made)
    assert ("sum + y", "(sum + y)") not in made
    assert not any(after == "a[i] < (0 && n > 3)" for _, after in made)
    assert not any("a[0] = 7; break" in after or "a[2] = a[1]; continue" in after for _, after in made)
    assert not any(before == "y++;" for before, _ in made)
    assert not any(
        before == "n - i - 1" and after.endswith((" * 1)", " / 1)", " % 1)")) for before, after in made
    )


def test_every_slip_alone_compiles(tmp_path: Path) -> None:
    gcc = require_tool("gcc")
    for c in candidates(tmp_path, SLIPS):
        checked = subprocess.run(
            [gcc, "-w", "-fsyntax-only", "-xc", "-"],
            input=apply_text_edits(SLIPS, [c.edit]),
            text=True,
            capture_output=True,
            check=False,
        )
        assert checked.returncode == 0, (c, checked.stderr)


def test_of_other_type_is_what_changes_what_the_others_mean(tmp_path: Path) -> None:
    text = "int main(void) { unsigned u = 3; int x = 2; return 1 + x; }\n"
    at = text.index("1 + x")
    made = [
        Candidate(
            template="another variable", unit=1, file="f.c", start=at, end=at + 5, text=one, size="small"
        )
        for one in ("x", "'a'", "x < 2", "u", "2ul", "1.5", "x - 1")
    ]
    for numbers, strange in ((range(1, 8), {4, 5, 6}), (range(1, 14, 2), {7, 9, 11})):
        path = tmp_path / "whole.c"
        numbered = list(zip(numbers, made, strict=True))
        path.write_text(f"int {VARIANT};\n{schemata_text_with_variants(text, numbered)}")
        assert schemata_text_of_other_type(load_c_program([str(path)], ProgramOptions()).tree) >= strange


def test_a_test_may_be_missing_before_a_statement(tmp_path: Path) -> None:
    text = """struct link { struct link *next; int count[4]; };
extern int nondet_int(void);
static int share(struct link *l, int i, int n)
{
    int m = 0;
    if (n > 4)
        m = 4;
    else
        m = n;
    if (l->next)
        m++;
    l->count[i] = m / n;
    for (m = 0; m < 3; m++)
        l->count[m]++;
    return m;
}
int main(void)
{
    struct link one = {0};
    int k = nondet_int();
    one.count[0] = 7 % k;
    return share(&one, k, 3);
}
"""
    found = [c for c in candidates(tmp_path, text) if c.guard]
    before = {c.guard for c in found if c.replaced(SourceText(text)).startswith("l->count[i]")}
    assert {"i != (-7)", "i < (-7)", "m < n", "n > 4", "!(n > 4)", "!(l->next)"} <= before
    guarded = {text[c.start : c.end] for c in found if c.form != "before"}
    assert "m = 0" not in guarded
    assert "m = 4" not in guarded, "the test would take the else"
    assert "m = n" in guarded


def test_the_element_beside_the_one_that_a_pointer_leads_to(tmp_path: Path) -> None:
    text = """struct node { struct node *next; };
static char *skip(char *end, struct node *n) { char *start = end; n = n->next; end = 0; return start; }
int main(void) { char a[3] = "ab"; struct node n = {0}; return *skip(a, &n); }
"""
    made = {(text[c.start : c.end], c.edit.text) for c in candidates(tmp_path, text)}
    assert {("end", "end + 1"), ("end", "end - 1"), ("start", "start + 1")} <= made
    assert ("a", "a + 1") not in made
    assert not {("n->next", "n->next + 1"), ("0", "0 + 1")} & made


def test_nothing_is_compared_with_itself_and_no_unsigned_number_with_zero(tmp_path: Path) -> None:
    text = """int f(int a, int b, unsigned c) { return a < b && c == 0; }
int main(void) { return f(1, 2, 3); }
"""
    texts = {apply_text_edits(text, [c.edit]) for c in candidates(tmp_path, text)}
    assert text.replace("c == 0", "c > 0") in texts
    assert text.replace("a < b", "a > b") in texts
    never = ("b < b && c == 0", "a < a && c == 0", "a < b && c >= 0", "a < b && c < 0")
    assert not {text.replace("a < b && c == 0", one) for one in never} & texts


FORGETTING = """int a, b, c, d, e, f, g, layer;
int limit[4];
static int read(int unused, int used)
{
    a = b = c = d = e = f = g = used;
    layer = a + b + c + d + e + f + g;
    int spare;
    return limit[0];
}
int main(void)
{
    return read(a, b) + g;
}
"""


def test_variables_that_are_set_and_never_read_may_be_meant_first(tmp_path: Path) -> None:
    found = [c for c in candidates(tmp_path, FORGETTING) if c.size == "large" and not c.adds]
    texts = [c.text for c in found if c.text.isidentifier() and c.start == FORGETTING.index("0]")]
    assert set(texts[:2]) == {"layer", "unused"}
    assert "a" not in texts


@pytest.mark.parametrize("null", ["0", "NULL"])
def test_null_has_no_place_in_an_order(tmp_path: Path, null: str) -> None:
    text = f"""#include <stddef.h>
int main(void)
{{
    int a[2], *p = a, *end = a + 2;
    while (p != end && p != {null})
        p++;
    return p == end;
}}
"""
    compared = {c.text for c in candidates(tmp_path, text) if c.text.startswith("p ")}
    assert {"p < end", f"p == {null}"} <= compared
    assert not {f"p {op} {null}" for op in ("<", "<=", ">", ">=")} & compared


def test_a_blank_before_the_conversion_of_a_character_is_an_edit(tmp_path: Path) -> None:
    texts = {c.text for c in candidates(tmp_path, READING) if c.template == "another text"}
    assert 'scanf(" %c", &c)' in texts
    assert 'printf("%d%c", n, c)' in texts
    assert 'printf("%d %c ", n, c)' in texts


def test_no_edit_changes_an_assertion_within_an_expression(tmp_path: Path) -> None:
    text = """#include <assert.h>
#include <stdio.h>
extern int nondet_int(void);
int main(void)
{
    int a = nondet_int(), b = 3;
    if (a >= b)
        assert(a > b), printf("more %d", a - b);
    return 0;
}
"""
    found = candidates(tmp_path, text)
    begin = text.index("assert(a")
    end = text.index(", printf")
    assert not [c for c in found if c.start < end and begin < c.end and "assert(a > b)" not in c.whole]
    assert any(text[c.start : c.end] in {"a - b", "b", "a"} and c.start > end for c in found)
    assert any(c.start < begin and c.text == "a > b" for c in found)


DRAWING = """extern int nondet_int(void);
struct date { int day, month; };
int main(void)
{
    struct date d;
    int seen = 0;
    d.day = nondet_int() % 31;
    d.month = nondet_int();
    if (d.day > 3 && nondet_int())
        seen += 2;
    return seen;
}
"""


def test_where_an_input_is_drawn_no_edit_makes_it_another(tmp_path: Path) -> None:
    texts = [apply_text_edits(DRAWING, [c.edit]) for c in candidates(tmp_path, DRAWING)]
    assert any("if (d.day >= 3 && nondet_int())" in text for text in texts)
    assert any("seen += 1" in text for text in texts)
    for drawn in ("d.day = nondet_int() %", "d.month = nondet_int();"):
        assert all(drawn in text for text in texts)
        assert not any(f", {drawn}" in text for text in texts)


LIGHTS = """enum light { RED, GREEN, YELLOW };
enum walk { STOP, WALK };
enum { LEAST = 1 };
enum { MOST = 7 };
static enum light car = RED;
static enum walk ped = STOP;
int main(void)
{
    int n = LEAST;
    if (car == GREEN)
        ped = WALK;
    car = YELLOW;
    if (ped == STOP && n > MOST)
        car = RED;
    return n + ped;
}
"""


def test_an_enumerator_is_meant_for_another_one_of_its_enumeration(tmp_path: Path) -> None:
    texts = {apply_text_edits(LIGHTS, [c.edit]) for c in candidates(tmp_path, LIGHTS)}
    assert LIGHTS.replace("= YELLOW", "= RED") in texts
    assert LIGHTS.replace("= WALK", "= STOP") in texts
    assert LIGHTS.replace("n = LEAST", "n = MOST") in texts
    for other in ("RED", "GREEN", "YELLOW", "LEAST"):
        assert LIGHTS.replace("= WALK", f"= {other}") not in texts
    for other in ("STOP", "WALK", "MOST"):
        assert LIGHTS.replace("car == GREEN", f"car == {other}") not in texts


INSIDE = """
int least(const int *a)
{
    return ({
        int m = a[0];
        for (int k = 1; k < 4; k++)
            if (a[k] > m)
                m = a[k];
        m;
    }) + 1;
}
int main(void) { int a[4] = { 3, 1, 2, 4 }; return least(a); }
"""


@pytest.mark.parametrize(
    ("before", "after"), [("a[k] > m", "a[k] < m"), ("k < 4", "k <= 4"), ("a[0]", "a[0] + 1"), ("m", "m + 1")]
)
def test_statements_of_an_expression_are_edited(before: str, after: str, tmp_path: Path) -> None:
    found = {(INSIDE[c.start : c.end], c.edit.text) for c in candidates(tmp_path, INSIDE)}
    assert (before, after) in found


@pytest.mark.parametrize(("body", "is_named"), [("n = 1;", False), ("n = argc;", True)])
def test_parameters_of_main_are_named_where_it_uses_them(body: str, is_named: bool, tmp_path: Path) -> None:
    text = f"int main(int argc, char **argv)\n{{\n    int n = 2, k = 3;\n    {body}\n    return n + k;\n}}\n"
    named = [one for one in candidates(tmp_path, text) if re.search(r"\bargc\b", one.edit.text)]
    assert bool(named) == is_named


@pytest.mark.parametrize(
    ("text", "constant", "is_hollow"),
    [("x * ?", 0, True), ("x * ?", 1, True), ("x * ?", -1, False), ("x % ?", 1, True), ("x / ?", -2, True),
     ("x / ?", 2, False), ("x + ?", 0, False)],
)  # fmt: skip
def test_factors_that_say_nothing_are_hollow(text: str, constant: int, is_hollow: bool) -> None:
    edit = Candidate(
        template="value off by a term",
        unit=UnitId(1),
        file="p.c",
        start=0,
        end=1,
        text=text.replace("?", HOLE),
        size="large",
    )
    assert candidate_is_hollow_with(edit, constant) == is_hollow


def test_a_variable_or_a_line_may_have_to_be_printed_before_a_loop(tmp_path: Path) -> None:
    text = """#include <stdio.h>
int main(void)
{
    int n = 2;
    long long sum = 3;
    for (int i = 0; i < n; i++)
        printf("%d ", i);
    return 0;
}
"""
    path = tmp_path / "p.c"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions())
    units = program.table
    found = find_candidates_at_units(
        program.tree, units, {str(path): SourceText(text)}, [u.id for u in units.units], expected=("YES",)
    )
    before_loop = {one.text for one in found if one.form == "before"}
    assert {
        'printf("YES\\n")',
        'printf("%d\\n", n)',
        'printf("%lld\\n", sum)',
        'printf("%d ", n)',
    } <= before_loop
