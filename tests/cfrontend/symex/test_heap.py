"""Allocated objects: lists, sizes that depend on inputs, freed memory, memory without a type."""

from itertools import product
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.effort import SECOND, spent_effort, within_effort
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import ResourceError, UnsupportedError
from cfrontend.program import DEFAULT_CHECKS, ProgramOptions, encode_program, load_c_program
from cfrontend.terms import FALSE, TRUE, Terms
from cfrontend.terms.evaluate import evaluate_terms

HEADER = """#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
struct node { int value; struct node *next; };
"""


def encoded(tmp_path: Path, body: str, *checks: str, terms: Terms | None = None) -> EncodedProgram:
    path = tmp_path / "p.c"
    path.write_text(HEADER + body, encoding="utf-8")
    options = ProgramOptions(checks=DEFAULT_CHECKS | set(checks))
    return encode_program(load_c_program([str(path)], options), Bound(unwind=12, free=True), terms=terms)


def violated(e: EncodedProgram) -> set[str]:
    return {v.property.split(".", 1)[1].rsplit(".", 1)[0] for v in e.violations if v.condition != FALSE}


def test_a_list_is_built_walked_and_freed(tmp_path: Path) -> None:
    e = encoded(
        tmp_path,
        """int main(void)
{
    struct node *head = NULL;
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = head;
        head = n;
    }
    for (struct node *n = head; n != NULL; n = n->next)
        sum += n->value;
    while (head) {
        struct node *old = head;
        head = head->next;
        free(old);
    }
    assert(sum == 6);
    return 0;
}
""",
        "double-free",
    )
    assert violated(e) == set()
    assert e.passing == TRUE


@pytest.mark.parametrize(
    ("statement", "kinds"),
    [
        ("int *p = malloc(4); *p = 1; free(p); return *p;", {"pointer"}),
        ("int *p = malloc(4); *p = 1; free(p); free(p);", {"double-free"}),
        ("int a = 1, *p = &a; free(p);", {"double-free"}),
        ("int *p = malloc(8); p[1] = 1; free(p + 1);", {"double-free"}),
        ("int *p = malloc(8); p[2] = 1;", {"pointer"}),
        ("int *p = NULL; free(p);", set()),
        ("int *p = calloc(3, sizeof(int)); assert(p[2] == 0);", set()),
        ("char *p = malloc(8); ((int *)p)[1] = 258; assert(p[4] == 2 && p[5] == 1);", set()),
        ("void *p = malloc(4); *(int *)p = 7; assert(*(char *)p == 7);", set()),
    ],
)
def test_accesses(tmp_path: Path, statement: str, kinds: set[str]) -> None:
    assert (
        violated(encoded(tmp_path, f"int main(void) {{ {statement} return 0; }}\n", "double-free")) == kinds
    )


def test_a_size_may_depend_on_a_bounded_input(tmp_path: Path) -> None:
    body = """int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 4);
    int *a = malloc(n * sizeof(int));
    a[%s] = 1;
    return 0;
}
"""
    for index in range(5):
        e = encoded(tmp_path, body % index)
        fails = {
            n
            for n in range(1, 5)
            if any(
                evaluate_terms(e.terms, [v.condition], {e.inputs[0].value: n})[v.condition]
                for v in e.violations
            )
        }
        assert fails == {n for n in range(1, 5) if index >= n}


def test_executions_that_allocate_more_than_is_followed_leave_the_bound(tmp_path: Path) -> None:
    e = encoded(
        tmp_path,
        "int main(void) { int n = __VERIFIER_nondet_int(); int *a = malloc(n * sizeof(int)); a[7] = 1; return 0; }\n",
    )
    ends = {}
    for n in (0, 7, 8, 64, 65, 1000, -1):
        roots = [e.passing, e.cut, *[v.condition for v in e.violations]]
        values = evaluate_terms(e.terms, roots, {e.inputs[0].value: n & 0xFFFFFFFF})
        assert sum(values[root] for root in roots) == 1
        ends[n] = "pass" if values[e.passing] else "cut" if values[e.cut] else "fail"
    assert ends == {0: "fail", 7: "fail", 8: "pass", 64: "pass", 65: "cut", 1000: "cut", -1: "cut"}


def test_indeterminate_memory_is_an_input(tmp_path: Path) -> None:
    e = encoded(tmp_path, "int main(void) { int *p = malloc(8); return p[1]; }\n")
    assert [event.site.name for event in e.inputs] == ["allocated[1]"]


@pytest.mark.parametrize("inner", ["calloc(1, sizeof *a)", "memset(malloc(sizeof *a), 0, sizeof *a)"])
def test_a_pointer_stored_on_one_path_is_followed_after_the_paths_join(tmp_path: Path, inner: str) -> None:
    """Bytes written one by one and joined are still one pointer."""
    body = f"""#include <string.h>
int main(void)
{{
    struct node *a = {inner};
    if (__VERIFIER_nondet_int()) a->next = {inner};
    return a->next ? a->next->value : 0;
}}
"""
    assert violated(encoded(tmp_path, body)) == set()


def test_a_pointer_whose_upper_bytes_are_known_to_be_zero_is_followed(tmp_path: Path) -> None:
    """A byte of a free block is written; the pointer it holds is put back before the block is used again."""
    body = """
typedef union block { union block *next; unsigned char bytes[16]; } block;
static block pool[2];
int main(void)
{
    block *held = 0, *first = pool;
    pool[0].next = &pool[1];
    for (int i = 0; i < 5; i++) {
        if (__VERIFIER_nondet_int()) {
            block *b = first;
            if (!b) return 0;
            first = b->next;
            *(unsigned char *)b = 0xAA;
            held = b;
        } else if (held) {
            held->next = first;
            first = held->next;
            held = 0;
        }
    }
    return 0;
}
"""
    e = encoded(tmp_path, body)
    conditions = [v.condition for v in e.violations]
    for vector in product((0, 1), repeat=5):
        inputs = {event.value: value for event, value in zip(e.inputs, vector, strict=True)}
        assert not any(evaluate_terms(e.terms, conditions, inputs)[c] for c in conditions), vector


def test_a_pointer_made_of_bits_is_refused(tmp_path: Path) -> None:
    body = (
        "int main(void) { int n = __VERIFIER_nondet_int(), *p = (int *)((long)&n & ~(long)n); return *p; }\n"
    )
    with pytest.raises(UnsupportedError, match="computed from its bits"):
        encoded(tmp_path, body)


@pytest.mark.parametrize(
    ("limit", "followed", "left_out"),
    [(3, "u < 6", {4, 5}), (4, "u < 6", {5}), (5, "u < 6", set()), (5, "u > 5", {6, 7})],
)
def test_executions_that_follow_a_pointer_made_of_bits_are_left_out(
    tmp_path: Path, limit: int, followed: str, left_out: set[int]
) -> None:
    """Only those are left out: where a pointer is made of bits and never followed, nothing is."""
    body = f"""int main(void) {{
    int x = 1, *p = &x, u = __VERIFIER_nondet_int();
    if (u > {limit})
        p = (int *)((long)&x & ~(long)u);
    if ({followed})
        assert(*p == 1);
    return 0;
}}
"""
    e = encoded(tmp_path, body)
    refused = next(iter(e.refused.values()), FALSE)
    assert {
        u for u in range(8) if evaluate_terms(e.terms, [refused], {e.inputs[0].value: u})[refused]
    } == left_out
    conditions = [v.condition for v in e.violations]
    for u in range(8):
        values = evaluate_terms(e.terms, [*conditions, e.passing], {e.inputs[0].value: u})
        assert not any(values[c] for c in conditions)
        assert bool(values[e.passing]) == (u not in left_out)


def test_a_number_behind_an_array_of_pointers_is_none_of_them(tmp_path: Path) -> None:
    """An index could mean what stands behind the array; no execution does, so none is left out."""
    e = encoded(
        tmp_path,
        """struct trie { struct trie *kid[3]; unsigned count, prefix; };
int main(void)
{
    struct trie *root = calloc(1, sizeof *root);
    for (int word = 0; word < 2; word++) {
        struct trie *t = root;
        unsigned length = __VERIFIER_nondet_int();
        for (unsigned n = 0; n < length; n++) {
            unsigned x = __VERIFIER_nondet_int();
            if (x > 2) return 0;
            struct trie **k = &t->kid[x];
            if (!*k) *k = calloc(1, sizeof *t);
            t = *k;
            t->prefix++;
        }
    }
    return 0;
}
""",
    )
    inputs = {event.value: 2 for event in e.inputs}
    conditions = [v.condition for v in e.violations]
    values = evaluate_terms(e.terms, [*conditions, *e.refused.values(), e.passing], inputs)
    assert not any(values[c] for c in (*conditions, *e.refused.values()))
    assert values[e.passing]


def test_what_a_library_function_violates_is_reported_where_the_program_calls_it(tmp_path: Path) -> None:
    e = encoded(
        tmp_path,
        """#include <string.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
    int n = __VERIFIER_nondet_int(), a[2] = {2, 1};
    char text[4] = "abc";
    strcpy(text, "def");
    if (n == 1) strcpy(text, "long");
    if (n == 2) { char *(*copy)(char *, const char *) = strcpy; copy(text, "long"); }
    if (n == 3) div(1, n - 3);
    if (n == 4) qsort(a, 3, sizeof *a, compare);
    return 0;
}
""",
    )
    by_id = {p.id: p for p in e.properties}
    found = [by_id[v.property] for v in e.violations if v.condition != FALSE]
    assert sorted((p.location.line - HEADER.count("\n"), p.kind, p.description) for p in found) == [
        (2, "pointer", "invalid pointer in *(const int *)b"),
        (8, "pointer", 'invalid pointer inside strcpy called in strcpy(text, "long")'),
        (9, "pointer", 'invalid pointer inside a library function called in copy(text, "long")'),
        (10, "div0", "division by zero inside div called in div(1, n - 3)"),
    ]
    assert not [p for p in e.properties if p.location.file.startswith("<")]


def test_library_functions_are_linked_where_the_program_has_none_of_its_own(tmp_path: Path) -> None:
    e = encoded(
        tmp_path,
        """#include <string.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
size_t strlen(const char *s) { return 77; }
int main(void)
{
    int a[4] = {3, 1, 4, 1};
    char text[8] = "ab";
    qsort(a, 4, sizeof *a, compare);
    strcat(text, "c");
    assert(a[0] == 1 && a[3] == 4 && strcmp(text, "abc") == 0 && strlen(text) == 77 && atoi("-12") == -12);
    return 0;
}
""",
    )
    assert violated(e) == set()
    assert e.passing == TRUE
    assert {u.function for u in e.units} == {"compare", "strlen", "main"}


def test_blocks_are_copied_exactly(tmp_path: Path) -> None:
    e = encoded(
        tmp_path,
        """#include <string.h>
int main(void)
{
    unsigned n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    __VERIFIER_assume(n <= 6 && k <= 5);
    int source[6] = {1, 2, 3, 4, 5, 6}, target[6] = {0}, sum = 0;
    memcpy(target, source, n * sizeof *source);
    for (int i = 0; i < 6; i++)
        sum += target[i];
    assert(sum == n * (n + 1) / 2);
    char text[5];
    memset(text, 0, 5);
    memset(text, 'x', k);
    assert(strnlen(text, 5) == k);
    struct node x = {1, 0}, y = {2, &x}, z = {3, &y}, *all[3] = {&x, &y, &z}, one, two;
    char *from = (char *)all[k % 3], *to = (char *)&one;
    for (int i = 0; i < sizeof one; i++)
        to[i] = from[i];
    assert(one.value == k % 3 + 1 && (one.next == 0 || one.next->value == one.value - 1));
    memcpy(&two, all[k % 3], sizeof two);
    assert(two.value == one.value && two.next == one.next);
    int m[4] = {5, 6, 7, 8};
    unsigned j = k % 3;
    memmove(&m[j], &source[j + 1], 2 * sizeof(int));
    assert(m[j] == j + 2 && m[j + 1] == j + 3);
    struct node **grown = malloc(2 * sizeof *grown);
    grown[0] = &x;
    grown = realloc(grown, (2 + j) * sizeof *grown);
    assert(grown[0]->value == 1);
    return 0;
}
""",
    )
    claims = [v.condition for v in e.violations]
    terms = e.terms
    inputs = {i.site.name: i.value for i in e.inputs if i.site.name in {"n", "k"}}
    others = [i.condition for i in e.inputs if i.site.name not in inputs]
    for n in range(7):
        for k in range(6):
            values = evaluate_terms(terms, [*claims, *others, e.passing], {inputs["n"]: n, inputs["k"]: k})
            assert not [c for c in (*claims, *others) if values[c]]
            assert values[e.passing]


def test_a_block_that_does_not_fit_is_an_invalid_pointer(tmp_path: Path) -> None:
    e = encoded(
        tmp_path,
        """#include <string.h>
int main(void)
{
    unsigned long n = __VERIFIER_nondet_int();
    int source[6] = {0}, target[4];
    memcpy(target, source, n);
    return 0;
}
""",
    )
    violations = [v.condition for v in e.violations]
    given = next(i.value for i in e.inputs if i.site.name == "n")
    for n in (0, 1, 15, 16, 17, 24, 25, -1, 1 << 31):
        value = evaluate_terms(e.terms, violations, {given: n & 0xFFFFFFFF})
        assert any(value[v] for v in violations) == (not 0 <= n <= 16)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("struct s x; x.b = 1; x.c = 2; return x.b + x.c;", []),
        ("struct s x; x.b = 1; return x.d == 3;", ["x.d", "x.d[1]"]),
        ("struct s x; x.b++; return 0;", ["x.b"]),
        ("struct s x; x.c = 1; return x.b;", ["x.b"]),
        ("int y; ((char *)&y)[2] = 1; return ((char *)&y)[2];", []),
        ("int y; ((char *)&y)[2] = 1; return ((short *)&y)[0];", ["y"]),
        ("int y; ((short *)&y)[1] = 1; return y;", ["y"]),
        ("int n = __VERIFIER_nondet_int() & 1; struct s x[2]; x[n].c = 1; return x[1].b;", ["n", "x[1].b"]),
        (
            "int n = __VERIFIER_nondet_int() & 1; struct s x[2]; x[n ^ 1].b = 1; return x[n].b;",
            ["n", "x[1].b"],
        ),
    ],
)
def test_what_is_written_in_part_is_read_in_part(tmp_path: Path, body: str, names: list[str]) -> None:
    e = encoded(
        tmp_path,
        "struct s { int a; unsigned b : 3, c : 5, d : 12; };\n"
        f"int main(void) {{ {body.replace('int n = __VERIFIER_nondet_int() &', 'int n = __VERIFIER_nondet_int(); n &=')} }}\n",
    )
    values = evaluate_terms(
        e.terms, [i.condition for i in e.inputs], {i.value: i.site.name == "n" for i in e.inputs}
    )
    assert [i.site.name for i in e.inputs if values[i.condition]] == names


def test_a_relaxed_pointer_has_other_places_within_another_bound(tmp_path: Path) -> None:
    source = tmp_path / "list.c"
    source.write_text(
        "#include <assert.h>\n#include <stdlib.h>\nstruct node { int value; struct node *next; };\n"
        "int nondet_int(void);\nint main(void)\n{\n    struct node *list = NULL, *found;\n"
        "    for (int i = 0; i < 4 && nondet_int(); i++) {\n        struct node *n = malloc(sizeof *n);\n"
        "        n->value = i;\n        n->next = list;\n        list = n;\n    }\n    found = list;\n"
        "    assert(found == NULL || found->value != 3);\n    return 0;\n}\n"
    )
    program = load_c_program([str(source)], ProgramOptions())
    terms = Terms()
    unit = next(u.id for u in program.units if u.text == "found = list")
    for unwind in (1, 2, 5):
        assert encode_program(program, Bound(unwind=unwind), terms=terms, relax=[unit]).violations


@pytest.mark.parametrize("call", ["memset(to, 0, n)", "memcpy(to, from, n)"])
def test_a_large_block_whose_size_is_an_input_ends_with_the_effort(tmp_path: Path, call: str) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        f"""{HEADER}#include <string.h>
static unsigned char to[1 << 17], from[1 << 17];
int main(void)
{{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n <= (int)sizeof to);
    {call};
    return 0;
}}
""",
        encoding="utf-8",
    )
    program, most = load_c_program([str(path)], ProgramOptions()), SECOND // 10
    before = spent_effort()
    with pytest.raises(ResourceError), within_effort(most):
        encode_program(program, Bound(unwind=6, free=True))
    assert spent_effort() - before < 2 * most


def test_the_cases_of_a_pointer_mixed_of_bytes_are_bounded(tmp_path: Path) -> None:
    """Each of 16 conditions doubles them, and nearly all are of no pointer that the program has."""
    body = """int main(void) {
    int x = 1, n = __VERIFIER_nondet_int(), *p = &x, *mixed = 0;
    for (int i = 0; i < 8; i++) {
        unsigned char byte = ((unsigned char *)&p)[i];
        if (__VERIFIER_nondet_int() > 3)
            byte = n * n;
        if (__VERIFIER_nondet_int() > 5)
            byte = n / 3;
        ((unsigned char *)&mixed)[i] = byte;
    }
    assert(*mixed > 0);
    return 0;
}
"""
    terms = Terms()
    with pytest.raises(UnsupportedError, match="computed from its bits"):
        encoded(tmp_path, body, terms=terms)
    assert len(terms.op) < 10_000
