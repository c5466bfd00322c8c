"""Edits that undo slips of beginners: their texts, and that gcc finds no type wrong in any of them."""

import subprocess
from functools import cache
from pathlib import Path

import pytest

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.definition_sites import find_definition_sites
from cfrontend.edit.text import SourceText, apply_text_edits
from cfrontend.edit.unit_sites import find_candidates_at_units
from cfrontend.lower.number_units import number_units
from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.settings import HOLE
from tests.conftest import require_tool

STRICT = tuple(
    f"-Werror={one}"
    for one in (
        "incompatible-pointer-types",
        "int-conversion",
        "implicit-function-declaration",
        "return-type",
    )
)
"""What gcc says of types, as errors."""

LISTS = """#include <stdlib.h>
struct node { int value; struct node *next; };
struct other { int value; struct other *next; };
static struct node *longest(struct node *n) { return n; }
static struct node *drop(struct node *head, struct other *far)
{
    struct node *before = NULL, *now = head;
    int limit = 3, most = 0;
    double share = 0;
    while (now != NULL && now->value != limit) {
        before = now;
        now = now->next;
    }
    most = limit * 2;
    if (before == NULL)
        head = NULL;
    else
        before->next = longest(now);
    share = 0;
    return share > most ? head : far != NULL ? NULL : head;
}
int main(void) { struct node n = { 1, 0 }; return drop(&n, 0) != 0; }
"""

MASKS = """int main(void)
{
    unsigned x = 9;
    int y = (int)(x & 0xf0u), z = y & 3;
    x |= 0x80000000u;
    x ^= 12u;
    return (int)(x & 'c') + z;
}
"""

WORDS = """#include <ctype.h>
#include <stdio.h>
int main(void)
{
    char s[4] = "a b", t[4];
    int n = 0, i, k = 0, c = getchar(), digits = 0;
    for (i = 0; s[i] != 0; i++) {
        if (s[i] == ' ')
            n++;
        t[k++] = s[i];
    }
    if (c >= 'a' && c <= 'z')
        n = c;
    if (c < '0' || c > '9' || c != ' ')
        digits = c >= 5;
    if (isspace((unsigned char)s[1]) || !isdigit(c))
        n = s[0] == 'A';
    while (s[k] == t[k])
        k++;
    return n + digits;
}
"""

LOOPS = """static int g;
static int f(int a[4], int n, int q)
{
    int sum = 0, most = 0, rows = 7, x = 1;
    double mean = 0.5;
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) {
            sum += a[c];
            mean = mean + a[c];
            rows = c;
        }
        if (sum > most)
            most = sum;
    }
    while (n--)
        for (int c = 1; c < 4; c++)
            x *= a[c];
    g = (g + 1) % 4;
    q = g - 1;
    g++;
    if (q) {
        most = 2;
        if (x > 3)
            x = 5;
    }
    if (q % 100 == 0)
        return 0;
    if (q % 400 == 0)
        return 1;
    for (int i = 0; i < 4; i++)
        if (a[i] == q)
            return most;
        else
            return 0;
    return sum + x + (int)mean + rows;
}
int main(void) { int a[4] = { 1, 2, 3, 4 }; return f(a, 4, 2); }
"""


OMISSIONS = """struct item { int value, key; struct item *left, *right; };
struct list { int size, used; struct item *last; };
static int leaves(const struct item *t)
{
    if (!t)
        return 0;
    return leaves(t->left) + leaves(t->right);
}
static int add(struct list *l, struct item *n, int first)
{
    int second = 0, runs = 0, sign = 1, x = 3;
    double half = 0.5;
    n->value = first;
    l->used = l->size + n->key;
    if (first < 0)
        sign = -1;
    while (x > second) {
        runs++;
        half += 1;
        x = first;
    }
    return l->last ? x * 2 : runs;
}
int main(void)
{
    struct item a = { 1, 2, 0, 0 };
    struct list l = { 0, 0, 0 };
    return add(&l, &a, 3) + leaves(&a);
}
"""


PAIRS = """#include <string.h>
#include <unistd.h>
struct entry { int kind, uses; char name[8]; struct entry *next; };
static int same(const struct entry *p, const struct entry *q)
{
    switch (p->kind) {
    case 0:
        return p->uses == q->uses;
    default:
        return strcmp(p->name, q->name) == 0;
    }
}
static void begin(struct entry *e, const char *name)
{
    e->uses = 0;
    strncpy(e->name, name, sizeof e->name - 1);
    memcpy(e->name, name, 8);
    memcpy(&e->kind, &e->uses, sizeof e->kind);
}
static int sum(struct entry *r, const char *s, int *a, int n)
{
    int i;
    r->kind++;
    for (i = 0; i < n; i++) {
        r->uses = r->uses * 10 + (s[i] - '0');
        a[n] += i;
        a[i] += 1;
    }
    a[n - 1] = 0;
    while (n > 0)
        a[n - 1] += n--;
    return r->uses;
}
int main(void)
{
    struct entry one = { 0 }, two = { 0 };
    char text[9];
    int count, a[4] = { 0 };
    count = (int)read(0, text, 8);
    begin(&one, "a");
    return same(&one, &two) + sum(&two, "12", a, 2) + count;
}
"""


def candidates(path: Path, text: str, template: str) -> list[Candidate]:
    """The candidates that one template makes of a program."""
    path.write_text(text)
    return [one for one in _candidates_of(path, text) if one.template == template]


@cache
def _candidates_of(path: Path, text: str) -> list[Candidate]:
    program = load_c_program([str(path)], ProgramOptions(undefined="nondet"))
    table, sources = number_units(program.tree, "statement"), {str(path): SourceText(text)}
    return list(find_candidates_at_units(program.tree, table, sources, [unit.id for unit in program.units]))


def edits(path: Path, text: str, template: str) -> set[tuple[str, str]]:
    """Edits of a template, as pairs of the text before and after; each is a program whose types are right.

    Of many edits, which differ in the names that they put into one text, about thirty are compiled.
    """
    gcc, made = require_tool("gcc"), set[tuple[str, str]]()
    every = candidates(path, text, template)
    for one in every[:: max(1, len(every) // 30)]:
        edited = path.with_name("edited.c")
        edited.write_text(apply_text_edits(text, [one.edit]).replace(HOLE, "1"))
        load_c_program([str(edited)], ProgramOptions(undefined="nondet"))
        subprocess.run([gcc, "-w", *STRICT, "-fsyntax-only", str(edited)], check=True)
    for one in every:
        made.add((text[one.start : one.end], one.edit.text.replace(HOLE, "?")))
    return made


def test_a_sum_a_rounded_share_and_a_format_in_a_condition(tmp_path: Path) -> None:
    path = tmp_path / "share.c"
    text = """#include <stdio.h>
static int share(int part, int all)
{
    int count = 0, n = 0;
    double percent = 2.5;
    char c;
    while (scanf("%c %d", &c, &n) == 2)
        count++;
    percent = 100.0 * part / all + 0.5;
    return (int)percent + count;
}
int main(void)
{
    return share(1, 3);
}
"""
    assert ("count++", "count += n") in edits(path, text, "one counted for a variable")
    assert edits(path, text, "floating-point constant as an integer") == {("100.0", "100")}
    texts = edits(path, text, "another text")
    assert ('scanf("%c %d", &c, &n)', 'scanf(" %c %d", &c, &n)') in texts
    assert ('scanf("%c %d", &c, &n)', 'scanf("%c %u", &c, &n)') in texts
    assert not {written for _, written in texts} & {'scanf("%c %c", &c, &n)', 'scanf("%d %d", &c, &n)'}


def test_a_value_that_stands_elsewhere(tmp_path: Path) -> None:
    made = edits(tmp_path / "program.c", LISTS, "value that stands elsewhere")
    of_null = {after for before, after in made if before == "NULL"}
    assert {"now->next", "head", "now", "before", "longest(now)"} <= of_null
    assert "far" not in of_null, "a pointer to another structure"
    assert ("0", "limit * 2") in made
    assert all(before in ("NULL", "0", "3") for before, _ in made), "only constants are replaced"


def test_bits_of_a_mask(tmp_path: Path) -> None:
    made = edits(tmp_path / "program.c", MASKS, "another bit of a mask")
    assert {after for before, after in made if before == "0xf0u"} == {
        *("0xf8u", "0xe0u", "0x70u", "0x1f0u", "0xfu", "0xffu", "0xff0u")
    }
    assert {after for before, after in made if before == "3"} == {"1", "7", "252"}
    assert {after for before, after in made if before == "12u"} >= {"14u", "8u", "4u", "28u"}
    assert ("0x80000000u", "0xc0000000u") in made
    assert not any(before.startswith("'") for before, _ in made)


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("0xf0u", "0xf8u"),
        ("240u", "248u"),
        ("'c'", "'d'"),
        ("0xf0000000u", "0xff000000u"),
        ("0xf0ul", "0xffffffffffffff00ul"),
    ],
)
def test_a_constant_that_is_found_is_written_as_the_old_one(written: str, found: str, tmp_path: Path) -> None:
    text = f"int main(void) {{ unsigned x = 9; x &= {written}; return (int)x; }}\n"
    every = candidates(tmp_path / "program.c", text, "any other constant")
    value = ord(found[1]) if found.startswith("'") else int(found.rstrip("ul"), 0)
    width = 64 if found.endswith("ul") else 32
    value -= value >> (width - 1) << width
    assert found in {one.filled(value).text for one in every if text[one.start : one.end] == written}


def test_characters(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    assert edits(path, WORDS, "class of a character") == {
        ("s[i] == ' '", "isspace((unsigned char)s[i])"),
        ("c >= 'a' && c <= 'z'", "islower(c)"),
        ("c >= 'a' && c <= 'z'", "isalpha(c)"),
        ("c >= 'a' && c <= 'z'", "isalnum(c)"),
        ("c < '0' || c > '9'", "!isdigit(c)"),
        ("c < '0' || c > '9'", "!isxdigit(c)"),
        ("c < '0' || c > '9'", "!isalnum(c)"),
        ("c != ' '", "!isspace(c)"),
    }
    assert (
        edits(
            path,
            WORDS.replace("#include <ctype.h>", "int isspace(int), isdigit(int);"),
            "class of a character",
        )
        == set()
    )
    back = edits(path, WORDS, "comparisons for the class of a character")
    assert ("isspace((unsigned char)s[1])", "(s[1] == ' ')") in back
    assert ("isdigit(c)", "(c >= '0' && c <= '9')") in back
    assert edits(path, WORDS, "another character, too") >= {
        ("s[i] == ' '", "s[i] == ' ' || s[i] == '\\t'"),
        ("c != ' '", "(c != ' ' && c != '\\n')"),
        ("s[0] == 'A'", "(s[0] == 'A' || s[0] == 'a')"),
    }
    assert edits(path, WORDS, "character in the other case") == {
        *(("'a'", "'A'"), ("'z'", "'Z'"), ("'A'", "'a'"))
    }
    assert edits(path, WORDS, "digit for its character") == {("5", "'5'"), ("0", "'0'")}
    assert ("c", "c - '0'") in edits(path, WORDS, "number of a digit")


SIBLINGS = """struct job { int state, left, *at; };
static int step(struct job *j, int n, int *a)
{
    int carry = 3, total = 0, done = 0;
    if (n > 9) {
        carry = 1;
        total += n;
    } else if (n > 4) {
        total = 2;
    } else {
        int own = n;
        own = 2;
        carry = n + own;
    }
    if (j->left == 0)
        j->state = 2;
    else
        j->left--;
    if (n == 3)
        done = 1;
    if (n == 4)
        j->at = a;
    else
        return 5;
    while (n--)
        if (a[n]) {
            done = 1;
            continue;
        } else {
            total = a[n];
            a[n - 1] = 1;
            continue;
        }
    if (done) {
        carry = 0;
    } else {
        if (n)
            total = 3;
    }
    return carry + total + done;
}
int main(void)
{
    int a[3] = { 0 };
    struct job j = { 1, 2, a };
    return step(&j, 2, a);
}
"""


def test_what_one_branch_assigns_and_the_other_does_not(tmp_path: Path) -> None:
    """No branch that writes to it, leaves the function, or stands alone; the first value, 0, and other constants."""
    made = edits(tmp_path / "siblings.c", SIBLINGS, "assignment missing in the other branch")
    assert made == {
        *(("total = 2", f"total = 2, carry = {value}") for value in (3, 0, 1)),
        *(("carry = n + own", f"carry = n + own, total = {value}") for value in (0, 3)),
        ("j->left--", "j->left--, j->state = 0"),
        ("a[n - 1] = 1", "a[n - 1] = 1, done = 0"),
        *(
            ("done = 1", f"done = 1, {one}")
            for one in ("total = 0", "total = 2", "total = 3", "a[n - 1] = 0")
        ),
        *(("", f"carry = {value}; ") for value in (3, 1)),
    }


ALONE = """struct item { int state, left; } item;
static int f(int n, struct item *j, int *a)
{
    int longest = 0, now = 1;
    double mean = 0;
    if (n > 3)
        now++;
    if (n > 4) { int own = n; longest = own; own++; mean = 2; }
    if (n > 5) { now = 2; return now; }
    if (n > 6) if (n > 7) now = 3;
    if (n > 8) now = 4; else now = 5;
    if (n > 9) j->state = 7; else if (n > 10) a[n++] = 6;
    while (n > 11) { if (a[n]) { now--; break; } n--; }
    return longest + now;
}
int main(void)
{
    int a[20] = { 0 };
    return f(4, &item, a);
}
"""


def test_an_else_branch_assigns_what_the_only_branch_writes(tmp_path: Path) -> None:
    """No branch that leaves, or holds an ``if`` without braces, nor an own variable, nor a place with an effect."""
    made = edits(tmp_path / "alone.c", ALONE, "else branch missing")
    block = "{ int own = n; longest = own; own++; mean = 2; }"
    assert made == {
        *(("now++;", f"now++; else now = {value};") for value in (1, 0, 2, "?")),
        *((block, f"{block} else longest = {value};") for value in (0, "?")),
        *(("now = 3;", f"now = 3; else now = {value};") for value in (1, 0, 2, "?")),
    }


SIGNS = """static int f(int n) { return n > -2 ? n - 3 : -4; }
int main(void) { return f(-5) * - 6; }
"""


def test_an_unknown_constant_stands_in_the_place_of_its_sign(tmp_path: Path) -> None:
    """Not where the sign subtracts, or follows an operand."""
    made = edits(tmp_path / "signs.c", SIGNS, "any other constant")
    assert made == {("-2", "?"), ("3", "?"), ("-4", "?"), ("-5", "?"), ("6", "?")}


STRINGS = """#include <string.h>
struct item { char name[8]; const char *label; unsigned char raw[4]; };
static int find(struct item *p, const char *s, unsigned char *u, int *a, int *b)
{
    int n = 0;
    if (p->name == s || s == "none" || s == NULL)
        n++;
    if (u == p->raw || a != b)
        n++;
    return n + (p->label != s);
}
int main(void)
{
    struct item one = { "a", "b", { 0 } };
    int a[2] = { 1, 2 };
    return find(&one, "x", one.raw, a, a);
}
"""


def test_strings_are_compared_by_what_is_in_them(tmp_path: Path) -> None:
    """Only addresses of characters, where the function is declared; those of pointers alone are meant more often."""
    path = tmp_path / "strings.c"
    of_arrays = "array of characters compared by its address"
    of_pointers = "pointers compared in the place of their strings"
    assert edits(path, STRINGS, of_arrays) == {
        ("p->name == s", "strcmp(p->name, s) == 0"),
        ('s == "none"', 'strcmp(s, "none") == 0'),
    }
    assert edits(path, STRINGS, of_pointers) == {("(p->label != s)", "(strcmp(p->label, s) != 0)")}
    assert {one.is_odd for one in candidates(path, STRINGS, of_arrays)} == {False}
    assert {one.is_odd for one in candidates(path, STRINGS, of_pointers)} == {True}
    unknown = STRINGS.replace("#include <string.h>", "#include <stddef.h>")
    assert edits(path, unknown, of_arrays) == edits(path, unknown, of_pointers) == set()
    declared = STRINGS.replace(
        "#include <string.h>", "#include <stddef.h>\nextern int strcmp(const char *, const char *);"
    )
    assert len(edits(path, declared, of_arrays)) == 2


def test_ends_of_strings(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    assert {after for _, after in edits(path, WORDS, "missing end of a string")} == {"t[k] = '\\0'; "}
    tested = edits(path, WORDS, "missing test of an index or a pointer")
    assert ("s[k] == t[k]", "s[k] != '\\0' && (s[k] == t[k])") in tested


def test_what_is_missing_around_loops(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    resets = {after for _, after in edits(path, LOOPS, "missing reset in an outer loop")}
    assert {"sum = 0; ", "mean = 0.5; "} <= resets
    assert any(" ".join(after.split()).startswith("{ x = 1; for (int c = 1;") for after in resets)
    assert not any("rows" in after or "most" in after for after in resets)
    first = edits(path, LOOPS, "missing case of the first round")
    assert ("sum > most", "r == 0 || (sum > most)") in first
    assert {after for _, after in edits(path, LOOPS, "missing jump behind a branch")} == {
        "return ?; ",
        "return most; ",
    }


def test_a_reset_before_a_loop_within_a_branch(tmp_path: Path) -> None:
    text = LOOPS.replace(
        "        for (int c = 0; c < n; c++) {",
        "        if (a[r] == 0)\n        for (int c = 0; c < n; c++) {",
    )
    assert text != LOOPS
    resets = {after for _, after in edits(tmp_path / "program.c", text, "missing reset in an outer loop")}
    assert any(" ".join(after.split()).startswith("{ sum = 0; for (int c = 0;") for after in resets)
    braced = text.replace("if (a[r] == 0)", "if (a[r] == 0) {").replace(
        "rows = c;\n        }", "rows = c;\n        } }"
    )
    assert "sum = 0; " in {
        after for _, after in edits(tmp_path / "braced.c", braced, "missing reset in an outer loop")
    }


def test_values_that_are_changed_or_go_round(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    applied = edits(path, LOOPS, "constant assigned for applied")
    assert {after for before, after in applied if before == "most = 2"} == {
        *("most += 2", "most -= 2", "most *= 2", "most /= 2")
    }
    assert ("g - 1", "(g - 1) % 4") in edits(path, LOOPS, "value that should go round")
    assert edits(path, LOOPS, "step that should go round") >= {("g++", "g = (g + 1) % 4")}


def test_jumps_and_tests_in_another_place(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    (swapped,) = edits(path, LOOPS, "tests in the other order")
    assert " ".join(swapped[1].split()) == "if (q % 400 == 0) return 1; if (q % 100 == 0) return 0;"
    assert {
        " ".join(before.split())
        for before, after in edits(path, LOOPS, "jump too early")
        if not after.strip()
    } == {"else return 0;"}
    assert edits(path, LOOPS, "jump behind its loop") == set(), "there is a return"
    (moved,) = edits(
        path, LOOPS.replace("    return sum + x + (int)mean + rows;\n", ""), "jump behind its loop"
    )
    assert moved == ("\n        else\n            return 0;", "\n\n    return 0;")


def test_what_is_left_of_a_missing_statement(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    members = {after for _, after in edits(path, OMISSIONS, "member that is never written")}
    assert {"l->last = n, n->value = first", "l->size = first, n->value = first"} <= members
    assert {"l->size++, runs++", "x = first, l->size++"} <= members
    assert not any("l->used = first" in after or "n->value++" in after for after in members)
    resets = edits(path, OMISSIONS, "missing reset")
    assert ("n->value = first", "runs = 0, n->value = first") in resets
    assert ("x = first", "x = first, half = 0.5") in resets
    assert not any(
        f"{one} = " in after.partition(",")[0] for one in ("sign", "second") for _, after in resets
    )
    kept = edits(path, OMISSIONS, "value that should be kept")
    assert ("x = first", "second = x, x = first") in kept
    guards = {after for _, after in edits(path, OMISSIONS, "missing base case of a recursion")}
    assert guards == {"if (!t->left && !t->right) return ?; "}


def test_ends_of_copied_strings(tmp_path: Path) -> None:
    ended = {after for _, after in edits(tmp_path / "program.c", PAIRS, "missing end of a copied string")}
    assert ended == {
        "strncpy(e->name, name, sizeof e->name - 1), e->name[sizeof e->name - 1] = '\\0'",
        "memcpy(e->name, name, 8), e->name[8 - 1] = '\\0'",
        "count = (int)read(0, text, 8), text[count] = '\\0'",
    }


def test_sums_without_a_start_and_members_that_are_reset_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    started = {after for _, after in edits(path, PAIRS, "missing start of a sum")}
    assert started == {"r->uses = 0; ", "a[n] = 0; "}
    reset = {after for _, after in edits(path, PAIRS, "missing reset of another object")}
    assert reset == {"r->uses = 0, r->kind++", "r->uses = 0, r->uses = r->uses * 10 + (s[i] - '0')"}


def test_parameters_of_which_a_member_differs(tmp_path: Path) -> None:
    guards = {after for _, after in edits(tmp_path / "p.c", PAIRS, "missing return where members differ")}
    assert guards == {
        "if (p->kind != q->kind) return ?; ",
        "if (p->uses != q->uses) return ?; ",
    }


def test_what_nothing_reads_is_a_factor(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    factors = {after for _, after in edits(path, OMISSIONS, "missing factor")}
    assert {"(x * 2) * sign", "(x * 2) / sign", "first * sign"} & factors
    assert not any("second" in after or "half" in after for after in factors)
    told = edits(path, OMISSIONS, "missing comparison of two variables")
    assert ("x > second", "(x > second) && second != runs") in told


ROWS = """static int kind(int a, int b, int c, long d)
{
    if (a <= 0 || b <= 0)
        return 0;
    if (a + b <= c || a + c <= b)
        return 1;
    if (a == b || b == c)
        return 2;
    if (a == b && b == c)
        return 3;
    if (a < b && b < c)
        return 4;
    if (a == 1 || a == 2)
        return 5;
    return a != b && c != (int)d ? 6 : 7;
}
int main(void) { return kind(3, 4, 5, 6); }
"""


def test_a_row_of_like_parts_has_one_more(tmp_path: Path) -> None:
    """Not where the parts that are there decide it: what is equal to an equal is."""
    assert edits(tmp_path / "program.c", ROWS, "missing part of a row of like parts") == {
        ("a <= 0 || b <= 0", "a <= 0 || b <= 0 || c <= 0"),
        ("a + b <= c || a + c <= b", "a + b <= c || a + c <= b || b + c <= a"),
        ("a == b || b == c", "a == b || b == c || a == c"),
    }


FORGOTTEN = """static int scaled(int a, unsigned shift)
{
    a >>= 1;
    return a;
}
int main(void) { return scaled(8, 2u); }
"""


def test_a_parameter_that_nothing_reads_takes_the_place_of_a_constant_of_another_type(tmp_path: Path) -> None:
    assert ("1", "(int)shift") in edits(tmp_path / "program.c", FORGOTTEN, "another operand")


BRANCHES = """struct tree { int key; struct tree *left, *right; };
static struct tree *leaf(int key) { (void)key; return 0; }
static struct tree *insert(struct tree *t, int key)
{
    if (t == 0) return leaf(key);
    if (key < t->key)
        t->left = leaf(key);
    else {
        t->right = insert(t->right, key);
    }
    if (key) t->key = 1; else t->left = 0;
    return t;
}
int main(void) { return insert(0, 3) != 0; }
"""


def test_a_branch_assigns_what_the_other_one_does_mirrored(tmp_path: Path) -> None:
    """Targets that differ in more than one name, or in none, are no mirror of each other."""
    assert edits(tmp_path / "program.c", BRANCHES, "assignment of the other branch, mirrored") == {
        ("t->left = leaf(key)", "t->left = insert(t->left, key)"),
        ("t->right = insert(t->right, key)", "t->right = leaf(key)"),
        ("t->key = 1", "t->key = 0"),
        ("t->left = 0", "t->left = 1"),
    }


AGES = """struct task { int prio, done; unsigned char seen[2]; } task;
static int next(void) { return 1; }
static void age(struct task *t, int i)
{
    t->prio++;
    t->seen[i] -= 2;
    t->seen[next()]++;
    if (i > 3) return;
    t->prio = t->done;
}
int main(void) { age(&task, 1); return task.prio; }
"""


def test_what_is_counted_has_a_bound_and_what_is_never_written_is_counted_before_a_jump(
    tmp_path: Path,
) -> None:
    """A place whose name calls something is not named twice."""
    made = edits(tmp_path / "program.c", AGES, "missing test of a variable")
    assert ("t->prio++", "if (t->prio < ?) t->prio++") in made
    assert ("t->seen[i] -= 2", "if (t->seen[i] > ?) t->seen[i] -= 2") in made
    assert not any("next()" in after.split(")")[0] for _, after in made)
    before = {after for _, after in edits(tmp_path / "program.c", AGES, "missing statement before a jump")}
    assert "{ t->done++; return; }" in before


TURNS = """static const int step[] = {1, -1, 0, 2u};
static int at(int n) { return step[n]; }
int main(void) { return at(1); }
"""


def test_numbers_of_a_table_have_the_other_sign(tmp_path: Path) -> None:
    path = tmp_path / "turns.c"
    path.write_text(TURNS)
    program = load_c_program([str(path)], ProgramOptions())
    table = number_units(program.tree, "statement")
    covered = [{unit.id for unit in table.units}]
    sites = find_definition_sites(program.tree, table, {str(path): SourceText(TURNS)}, covered)
    made = {
        (TURNS[c.start : c.end], c.text)
        for site in sites
        for c in site.candidates
        if c.template == "defined number with the other sign"
    }
    assert made == {("1", "(-1)"), ("-1", "1")}


def test_digits_in_sums(tmp_path: Path) -> None:
    text = "int f(const char *s, int n) { int c = 0, r = 0; if (c == 'a') n++; r = r * 10 + s[n]; r = s[n] - 'a'; r += c; "
    text += 'return r; }\nint main(void) { return f("12", 1); }\n'
    made = edits(tmp_path / "program.c", text, "character in a sum for its digit")
    assert made == {("s[n]", "(s[n] - '0')")}
    made = edits(tmp_path / "program.c", text, "number of a digit")
    assert ("c", "c - '0'") in made


def test_an_assignment_that_should_compare_reaches_as_far_as_the_comparison_would(tmp_path: Path) -> None:
    text = "int f(int x, int y) { if (x = 0 || y == 3) return 1; return 0; }\nint main(void) { return f(1, 2); }\n"
    found = {after for _, after in edits(tmp_path / "f.c", text, "assignment that should compare")}
    assert found == {"x == 0 || y == 3", "x == (0 || y == 3)"}


FLAGS = """#include <stdbool.h>
static bool is_even(int n) { return n % 2 == 0; }
static bool are_even(int n, int m) { bool all = is_even(n); if (!is_even(m)) all = false; return all; }
int main(void) { return are_even(2, 4); }
"""


def test_booleans_get_the_other_truth_value_and_what_conditions_get(tmp_path: Path) -> None:
    path = tmp_path / "flags.c"
    assert edits(path, FLAGS, "the other truth value") == {("false", "true")}
    assert {("all", "!all"), ("is_even(n)", "!(is_even(n))")} <= edits(path, FLAGS, "negated condition")
    assert ("all", "(all) && !m") in edits(path, FLAGS, "missing part of a condition")


def test_the_size_of_a_pointer_in_its_own_declaration(tmp_path: Path) -> None:
    text = "#include <stdlib.h>\nint main(void) { long *p = malloc(SIZE); free(p); return 0; }\n"
    named = "size of a pointer or of what it points to"
    for size, other in (("sizeof p", "sizeof *p"), ("sizeof(p)", "sizeof(*p)"), ("sizeof *p", "sizeof(p)")):
        assert (size, other) in edits(tmp_path / "size.c", text.replace("SIZE", size), named)


TRIMMED = """#include <string.h>
static void cut(char *s) { char *end = s + strlen(s); while (end > s && end[-1] == ' ') end--; }
static void shorten(char *s) { int n = (int)strlen(s); while (n > 0 && s[n - 1] == ' ') n--; }
static int length(const char *s) { int n = 9; while (n > 0 && s[n] == ' ') n--; return n; }
int main(void) { char s[] = "ab  "; cut(s); shorten(s); return length(s); }
"""


def test_a_string_ends_where_a_loop_went_back_to(tmp_path: Path) -> None:
    made = {after for _, after in edits(tmp_path / "trim.c", TRIMMED, "missing end of a string")}
    assert made == {"*end = '\\0'; ", "s[n] = '\\0'; "}


LADDERS = """enum size { SMALL, MEDIUM, LARGE, HUGE };
static int number(int p) { if (p > 9) return 7; if (p > 5) return 4; return 1; }
static char letter(int p) { if (p < 2) { return 'A'; } else if (p < 9) { return 'C'; } else { return 'D'; } }
static enum size named(int p) { if (p > 9) return HUGE; if (p > 5) return MEDIUM; return SMALL; }
int main(void) { return number(3) + letter(4) + (int)named(2); }
"""


def test_rungs_have_what_stands_between_their_neighbours(tmp_path: Path) -> None:
    made = edits(tmp_path / "rungs.c", LADDERS, "missing rung of a ladder")
    assert {after for _, after in made} == {
        *(f"if (p > ?) return {value}; " for value in (6, 5, 3, 2)),
        "if (p > ?) return LARGE; ",
    }
    made = edits(tmp_path / "rungs.c", LADDERS, "missing rung of else and if")
    assert {after for _, after in made} == {"if (p < ?) { return 'B'; } else "}


def test_a_sum_of_a_counter_goes_round_where_its_loop_ends(tmp_path: Path) -> None:
    text = "static int f(int *a, int n) { int i, s = 0; for (i = 0; i < n; i++) s += a[i + 1]; return s; }\n"
    text += "int main(void) { int a[3] = {1, 2}; return f(a, 2); }\n"
    assert ("i + 1", "(i + 1) % n") in edits(tmp_path / "round.c", text, "value that should go round")


def test_a_hexadecimal_mask_is_no_length(tmp_path: Path) -> None:
    assert not edits(tmp_path / "masks.c", MASKS, "remainder for a mask") & {("x & 0xf0u", "x % 0xf0u")}
    assert ("y & 3", "y % 3") in edits(tmp_path / "masks.c", MASKS, "remainder for a mask")


PASSED = """static int number(const char *s)
{
    int v = 0;
    if (*s == '-') { s++; }
    while (*s >= '0' && *s <= '9') v = 10 * v + (*s++ - '0');
    return v;
}
int main(void) { return number("+12"); }
"""


def test_characters_are_stepped_over(tmp_path: Path) -> None:
    made = {after for _, after in edits(tmp_path / "signs.c", PASSED, "missing step over a character")}
    assert made == {"if (*s == ?) s++; "}
    made = {after for _, after in edits(tmp_path / "signs.c", PASSED, "missing case that only steps")}
    assert made == {"{ s++; } else if (*s == ?) s++;"}


def test_one_that_is_added_becomes_nothing(tmp_path: Path) -> None:
    text = "int f(int n, int *a) { int m = n - 1; a[m + 1] = 5; return m; }\n"
    text += "int main(void) { int a[4]; return f(2, a); }\n"
    made = edits(tmp_path / "one.c", text, "constant off by one")
    assert {("n - 1", "n"), ("m + 1", "m"), ("1", "2")} <= made
    assert ("1", "0") not in made
    factor = text.replace("return m", "return n + 1 * m")
    assert ("1", "0") in edits(tmp_path / "one.c", factor, "constant off by one")
