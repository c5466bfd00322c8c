"""Programs of which no execution ends within the bound are unknown, not safe; an exhausted stack is a note."""

from pathlib import Path

import pytest

import sfo

HEAD = """#include <alloca.h>
#include <assert.h>
#include <stdlib.h>
int nondet_int(void);
"""

ENDLESS = {
    "loop": "int main(void) { int a[3] = {0}; for (int i = 0;; i = (i + 1) % 3) a[i] = i; }",
    "recursion": "static int f(int n) { assert(n < 3); return f((n + 1) % 3); } int main(void) { return f(0); }",
    "with inputs": "int main(void) { while (1) { int x = nondet_int(), s = 0; if (x > 0) s = 1; assert(s < 2); } }",
    "behind the end": "int main(void) { int x = nondet_int(); assert(x == x); for (;;) x = 3; }",
    "bound too small": "int main(void) { int n = 0; for (int i = 0; i < 100; i++) n++; assert(n == 0); return 0; }",
}

ENDING = {
    "exit": "int main(void) { for (int i = 0;; i++) { assert(i < 2); if (i == 1) exit(0); } }",
    "some executions": "int main(void) { int n = nondet_int(); for (int i = 0; i < n; i++) assert(i < n); return 0; }",
    "input that ends a server": "int main(void) { while (nondet_int()) { int x = nondet_int(); assert(x == x); } }",
    "assumption": "int main(void) { int n = nondet_int(); __CPROVER_assume(n > 3 && n < 3); assert(n == 0); }",
}


def checked(directory: Path, text: str) -> sfo.Result:
    path = directory / "p.c"
    path.write_text(f"{HEAD}{text}\n", encoding="utf-8")
    return sfo.check(path, unwind=4, native=False)


@pytest.mark.parametrize("case", ENDLESS)
def test_nothing_is_safe_where_no_execution_ends(case: str, tmp_path: Path) -> None:
    result = checked(tmp_path, ENDLESS[case])
    assert result.verdict == "unknown"
    assert result.reason is not None
    assert result.reason.startswith("no execution ends within the bound")
    assert "--unwind 16 looks further" in result.reason
    assert {one.status for one in result.properties} == {"unknown"}


@pytest.mark.parametrize("case", ENDING)
def test_what_ends_is_safe(case: str, tmp_path: Path) -> None:
    assert checked(tmp_path, ENDING[case]).verdict == "safe"


@pytest.mark.parametrize(
    ("text", "is_exhausted"),
    [
        ("int main(void) { volatile char a[9 << 20]; a[0] = 1; assert(a[0] == 1); }", True),
        ("int main(void) { volatile char a[7 << 20]; a[0] = 1; assert(a[0] == 1); }", False),
        ("int main(void) { static char a[9 << 20]; a[0] = 1; assert(a[0] == 1); }", False),
        ("int main(void) { char *a = malloc(9 << 20); if (a) a[0] = 1; }", False),
        ("int main(void) { for (int i = 0; i < 3; i++) { char *a = alloca(3 << 20); a[i] = 1; } }", True),
        ("int main(void) { for (int i = 0; i < 3; i++) { int n = 3 << 20; char a[n]; a[i] = 1; } }", False),
        ("int main(void) { for (int i = 0; i < 3; i++) { char a[3 << 20]; a[i] = 1; } }", False),
        (
            "static int f(int n) { char a[3 << 20]; a[n] = 0; return n ? f(n - 1) : a[n]; } int main(void) { f(2); }",
            True,
        ),
        ("static void f(int n) { char a[3 << 20]; a[n] = 0; } int main(void) { f(0); f(1); f(2); }", False),
    ],
)
def test_an_exhausted_stack_is_a_note(text: str, *, is_exhausted: bool, tmp_path: Path) -> None:
    result = checked(tmp_path, text)
    assert result.verdict == "safe"
    assert any("the stack is not limited in the model" in note for note in result.notes) == is_exhausted
