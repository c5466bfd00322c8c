"""What callers give: a fact holds at every call site, or is none."""

from dataclasses import replace
from pathlib import Path

import pytest

from cfrontend.environment.callers import options_from_callers
from cfrontend.environment.program_options import ProgramOptions
from cfrontend.errors import UsageError
from sfo.cli import main


def _options(tmp_path: Path, text: str, entry: str = "f", **given: object) -> ProgramOptions:
    path = tmp_path / "a.c"
    path.write_text(text, encoding="utf-8")
    return options_from_callers([str(path)], replace(ProgramOptions(entry=entry), **given))  # type: ignore[arg-type]


def _requires(tmp_path: Path, caller: str, parameter: str = "int n") -> tuple[str, ...]:
    name = parameter.rsplit(maxsplit=1)[-1].strip("*")
    start = f"#include <stdlib.h>\nint get(void); int *more(void);\nint f({parameter}) {{ return {name} != 0; }}\n"
    return _options(tmp_path, start + caller).requires


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        ("int g(void) { return f(1) + f(2) + f(3); }", ("n >= 1 && n <= 3",)),
        ("int g(void) { return f(1) + f(5); }", ("n == 1 || n == 5",)),
        ("int g(int x) { return f(1) + f(x); }", ()),
        ("int g(int x) { return f(x & 3); }", ("n >= 0 && n <= 3",)),
        ("int g(int x) { return f(x % 4); }", ("n >= -3 && n <= 3",)),
        ("int g(unsigned char x) { return f(x); }", ("n >= 0 && n <= 255",)),
        ("int g(int x) { if (x < 1) return 0; return f(x); }", ("n >= 1",)),
        ("int g(int x) { return x > 2 && f(x); }", ("n >= 3",)),
        ("int g(int x) { return x > 2 ? f(x) : f(7); }", ("n >= 3",)),
        (
            "int g(void) { int s = 0; for (int i = 1; i < 10; i++) s += f(i); return s; }",
            ("n >= 1 && n <= 9",),
        ),
        ("int g(void) { int i = 3; while (i > 0) { f(i); i--; } return 0; }", ("n >= 1 && n <= 3",)),
        ("int g(int x) { if (x) x = 2; else x = 4; return f(x); }", ("n == 2 || n == 4",)),
        ("int g(int x) { if (x == 2 || x == 3) return 0; if (x != 9) return 1; return f(x); }", ("n == 9",)),
        (
            "int g(int x) { switch (x) { case 1: x = 5; break; default: return 0; } return f(x); }",
            ("n == 5",),
        ),
        ("int g(void) { for (int i = 0; get(); i++) f(i); return 0; }", ("n >= 0",)),
        (
            "int g(void) { int i = 9; again: f(i); i -= 2; if (i > 2) goto again; return 0; }",
            ("n == 3 || n == 5 || n == 7 || n == 9",),
        ),
        ("int g(void) { int x; while ((x = get()) > 4) f(x); return 0; }", ("n >= 5",)),
        ("int g(int x) { int y = x > 2 && get(); return y ? f(x) : 0; }", ()),
        ("int g(long x) { if (x > 0) return f((int)x); return 0; }", ()),
        ("int g(unsigned x) { if (x < 5) return f((int)x); return 0; }", ("n >= 0 && n <= 4",)),
    ],
)
def test_a_number_is_limited_by_what_every_call_gives(
    tmp_path: Path, caller: str, expected: tuple[str, ...]
) -> None:
    assert _requires(tmp_path, caller) == expected


@pytest.mark.parametrize(
    "caller",
    [
        "int g(int x) { if (x > 0) { x = get(); return f(x); } return 0; }",
        "int g(int x) { while (x > 0) { x = get(); f(x); } return 0; }",
        "int g(int x) { int *p = &x; if (x > 0) { *p = get(); return f(x); } return 0; }",
        "static int x; int g(void) { if (x > 0) { get(); return f(x); } return 0; }",
        "int g(int x) { if (x > 0) goto in; x = get(); in: return f(x); }",
        "int g(int x) { return x > 0 && (x = get(), f(x)); }",
        "int g(int x) { x = 1; for (;;) { if (f(x)) break; x = get(); } return 0; }",
        "int g(int x) { int y = 1; do { f(y); if (x) continue; y = get(); } while (get()); return 0; }",
        "int g(int x) { int y = 1; switch (x) { case 0: y = get(); case 1: f(y); } return 0; }",
        "int g(unsigned x) { if (x > 0) x--; return f((int)x); }",
        "int g(int x) { int y = 3; while (get()) { if (x) { y = get(); break; } } return f(y); }",
        "int g(int x) { if (x > 0) return ({ x = get(); f(x); }); return 0; }",
        "int (*p)(int) = f; int g(int x) { return f(x); }",
    ],
)
def test_a_number_that_may_be_anything_is_not_limited(tmp_path: Path, caller: str) -> None:
    assert _requires(tmp_path, caller) == ()


@pytest.mark.parametrize(
    ("caller", "is_never_null"),
    [
        ("int g(void) { int x = 1; return f(&x); }", True),
        ("int g(void) { int a[2] = {1, 2}; return f(a + 1); }", True),
        ("int g(int *q) { if (!q) return 0; return f(q); }", True),
        ("int g(int *q) { return *q + 1 > 2 ? f(q) : f(q); }", True),
        ("int g(int *q) { return q && f(q); }", True),
        ("int g(void) { int *q; if ((q = more()) == NULL) exit(1); return f(q); }", True),
        ("int g(int *q) { return f(q); }", False),
        ("int g(int *q) { int x = *q; q = more(); return f(q) + x; }", False),
        ("int g(int *q) { while (*q) q = more(); return f(q); }", True),
        ("int g(int *q) { while (*q) { q = more(); if (get()) break; } return f(q); }", False),
        ("int g(int *q) { for (; *q; f(q)) q = more(); return 0; }", False),
        ("int g(int *q) { return &*q == 0 ? f(q) : f(q); }", False),
        ("int g(int *q) { return q || f(q); }", False),
        ("int g(void) { return f(0); }", False),
        ("int g(void) { return f(malloc(4)); }", False),
    ],
)
def test_a_pointer_is_not_null_where_every_call_shows_it(
    tmp_path: Path, caller: str, *, is_never_null: bool
) -> None:
    assert ("p != 0" in _requires(tmp_path, caller, "int *p")) == is_never_null


SUM = "int f(const int *v, int k) { int s = 0; for (int i = 0; i < k; i++) s += v[i]; return s; }\n"


def test_a_length_that_is_the_size_of_its_array_is_an_extent(tmp_path: Path) -> None:
    found = _options(
        tmp_path,
        f"{SUM}int g(void) {{ int a[3] = {{1}}, b[7] = {{1}}; return f(a, 3) + f(b, sizeof b / sizeof *b); }}",
    )
    assert found.environment.extents == {"v": "k"}
    assert found.environment.sizes == {"v": 7}
    assert found.requires == ("v != 0", "k == 3 || k == 7")


def test_a_length_that_is_another_one_is_no_extent(tmp_path: Path) -> None:
    found = _options(tmp_path, f"{SUM}int g(void) {{ int a[3] = {{1}}; return f(a, 2) + f(a, 3); }}")
    assert found.environment.extents == {}


def test_what_the_user_says_of_a_pointer_counts(tmp_path: Path) -> None:
    given = replace(ProgramOptions().environment, extents={"v": "any"}, sizes={"v": 2})
    found = _options(tmp_path, f"{SUM}int g(void) {{ int a[3] = {{1}}; return f(a, 3); }}", environment=given)
    assert (found.environment.extents, found.environment.sizes) == ({"v": "any"}, {"v": 2})


def test_callers_in_other_files_count(tmp_path: Path) -> None:
    (tmp_path / "b.c").write_text("int f(int n); int g(void) { return f(4); }", encoding="utf-8")
    (tmp_path / "a.c").write_text("int f(int n) { return n; } int h(void) { return f(6); }", encoding="utf-8")
    paths = [str(tmp_path / name) for name in ("a.c", "b.c")]
    assert options_from_callers(paths, ProgramOptions(entry="f")).requires == ("n == 4 || n == 6",)


def test_an_address_that_is_taken_is_a_note(tmp_path: Path) -> None:
    found = _options(tmp_path, "int f(int n) { return n; } int (*p)(int) = f; int g(void) { return f(2); }")
    assert any("calls through pointers are not seen" in note for note in found.from_callers)


@pytest.mark.parametrize(
    ("text", "entry", "said"),
    [
        ("int f(int n) { return n; }", "f", "nothing in the files that are given calls 'f'"),
        ("int f(int n) { return n; } int (*p)(int) = f;", "f", "whose address is taken"),
        ("int main(void) { return 0; }", "main", "choose it with --entry"),
    ],
)
def test_without_a_call_it_is_an_error(tmp_path: Path, text: str, entry: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        _options(tmp_path, text, entry)


def test_inputs_that_no_caller_gives_do_not_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "d.c"
    file.write_text(
        "int d(int n) { return 10 / (n - 0); }\n"
        "int one(void) { return d(1); }\nint two(void) { return d(2); }\nint three(void) { return d(3); }\n",
        encoding="utf-8",
    )
    check = ["check", str(file), "--entry", "d", "--native", "off"]
    assert main(check) == 10
    capsys.readouterr()
    assert main([*check, "--from-callers"]) == 0
    assert "all 3 calls of d in the given files: --requires 'n >= 1 && n <= 3'" in capsys.readouterr().out
    assert main(["harness", "d", str(file), "--from-callers"]) == 0
    assert "__VERIFIER_assume(!!(n >= 1 && n <= 3));" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("callers", "expected"),
    [
        ("static int g(int x) { return f(x); } int h(void) { return g(1) + g(4); }", ("n == 1 || n == 4",)),
        ("static int g(int x) { if (x > 2) x = 2; return f(x + 1); } int h(void) { return g(1) + g(7); }", ("n >= 2 && n <= 3",)),
        ("static int g(int x) { return f(x); } int h(int y) { return g(y & 7); }", ("n >= 0 && n <= 7",)),
        ("static int g(int x) { return f(x); } int h(void) { return g(1) + f(9); }", ("n == 1 || n == 9",)),
        # nothing is asked of the callers of callers of callers
        ("static int e(int x) { return f(x); } static int g(int x) { return e(x); } int h(void) { return g(1); }", ()),
        # one more caller, that gives anything
        ("static int g(int x) { return f(x); } int h(int y) { return g(1) + g(y); }", ()),
        # calls that nobody sees
        ("static int g(int x) { return f(x); } int h(void) { int (*p)(int) = g; return g(1) + p(get()); }", ()),
        ("static int g(int x) { return f(x); } int (*table[])(int) = {g}; int h(void) { return g(1); }", ()),
        # itself: with another value each time
        ("static int g(int x) { return x ? g(x - 1) : f(x + 1); } int h(void) { return g(3); }", ("n == 1",)),
        ("static int g(int x) { return x > 9 ? f(x) : g(x + 1); } int h(void) { return g(3); }", ("n == 10",)),
        # another value behind the call
        ("static int g(int x) { x = get(); return f(x); } int h(void) { return g(3); }", ()),
        ("static int g(int x) { int *p = &x; *p = get(); return f(x); } int h(void) { return g(3); }", ()),
    ],
)  # fmt: skip
def test_a_caller_is_given_what_its_own_callers_give(
    tmp_path: Path, callers: str, expected: tuple[str, ...]
) -> None:
    assert _requires(tmp_path, callers) == expected


def test_an_array_is_as_long_as_a_caller_of_the_caller_makes_it(tmp_path: Path) -> None:
    text = (
        "int f(const int *v, int k) { return v[k - 1]; }\n"
        "static int relay(const int *v, int k) { return f(v, k); }\n"
        "int g(void) { int a[3] = {0}; return relay(a, 3); }\n"
    )
    options = _options(tmp_path, text)
    assert options.requires == ("v != 0", "k == 3")
    assert options.environment.extents == {"v": "k"}
    assert options.from_callers == (
        "the only call of f in the given files, and those of relay: --requires 'v != 0' --requires 'k == 3' --extent v:k",
    )
