"""Words of C23: each program beside one of C11 that says the same, and programs of C11 that use the words as names."""

import subprocess
from pathlib import Path

import pytest

from cfrontend.elaborate import elaborate_files
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.source.parse import parse_file
from cfrontend.source.preprocess import PreprocessedFile
from cfrontend.syntax import tree
from tests.cfrontend.explicit_c import explicit_c
from tests.conftest import require_tool


def elaborated(text: str) -> tree.TranslationUnit:
    return elaborate_files([parse_file(PreprocessedFile("a.c", text, {"a.c": tuple(text.split("\n"))}))])


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("bool f(bool b) { return !b; }", "_Bool f(_Bool b) { return !b; }"),
        ("int *p = nullptr;", "int *p = (void *)0;"),
        ("int f(int *p) { return p == nullptr; }", "int f(int *p) { return p == (void *)0; }"),
        ("nullptr_t p; int n = sizeof nullptr;", "void *p; int n = sizeof(void *);"),
        ("constexpr int n = 2 + 2; int a[n * 2];", "static const int n = 2 + 2; int a[8];"),
        (
            "const int *f(void) { static constexpr int n = 3; return &n; }",
            "const int *f(void) { static const int n = 3; return &n; }",
        ),
        (
            "enum e : long; enum e x; enum e : long { A = 1 }; int n = sizeof A;",
            "long x; int n = sizeof(long);",
        ),
        (
            "typedef short tiny; enum : tiny { A = -1 }; int n = sizeof A;",
            "int n = sizeof(short);",
        ),
        ("struct s { enum { A } x : 3, : 2; } s;", "struct s { unsigned x : 3, : 2; } s;"),
        ("double f(void) { auto x = 2.5; return x; }", "double f(void) { double x = 2.5; return x; }"),
        ("int f(void) { auto x = 2; return x; }", "int f(void) { auto int x = 2; return x; }"),
        ("int f(void) { const int c = 1; typeof_unqual(c) d = 2; return d; }",) * 2,
        ("alignas(16) char a; int n = alignof(long);", "_Alignas(16) char a; int n = _Alignof(long);"),
        ("static_assert(1); static thread_local int t;", "static _Thread_local int t;"),
        ("int f(void) { unreachable(); }", "int f(void) { __builtin_unreachable(); }"),
    ],
)
def test_a_program_of_c23_is_one_of_c11(newer: str, older: str) -> None:
    assert explicit_c(elaborated(newer)) == explicit_c(elaborated(older))


def test_values_and_types_are_those_of_c23(tmp_path: Path) -> None:
    program = """
        constexpr unsigned char k = 300;
        enum color : unsigned char { RED, BLUE = 200 };
        int main(void) {
            constexpr double d = 1.5 * 2;
            static double e = d + true;
            auto wide = 1L;
            if (sizeof true + sizeof false != 2 || true - false != 1) return 1;
            switch (k) { case k: if (k == 44 && sizeof k == 1) break; default: return 2; }
            if (e != 4 || sizeof wide != 8) return 3;
            enum color c = BLUE;
            c += 100;
            if (c != 44 || sizeof c + sizeof BLUE != 2) return 4;
            return nullptr != 0 || *&k != 44 ? 5 : 0;
        }"""
    explicit, native = tmp_path / "explicit.c", tmp_path / "native"
    explicit.write_text(explicit_c(elaborated(program)))
    subprocess.run([require_tool("gcc"), "-w", str(explicit), "-o", str(native)], check=True)
    assert subprocess.run([str(native)], check=False).returncode == 0


@pytest.mark.parametrize(
    "text",
    [
        "typedef enum { false, true } bool; bool f(bool b) { return b == true ? false : true; }",
        "typedef unsigned char bool; bool b; struct s { int bool; } s; int f(void) { return s.bool; }",
        "int f(int bool) { int true = bool; return true; }",
        "int nullptr = 3; int f(void) { return nullptr + 1; }",
        "int f(int constexpr) { return constexpr * 2; }",
        "int alignas, alignof; int f(void) { return alignas + alignof; }",
        "static void unreachable(void) { } int f(void) { unreachable(); return 1; }",
        "void unreachable(int); int f(void) { unreachable(1); return 1; }",
        "int f(void) { return unreachable(); } int unreachable(void) { return 1; }",
    ],
)
def test_the_words_are_names_where_a_program_declares_them(text: str) -> None:
    for word in ("bool", "true", "false", "nullptr", "constexpr", "alignas", "alignof", "unreachable"):
        text_of_others = text.replace(word, f"own_{word}")
        assert _without_names(text_of_others) == _without_names(text)


def _without_names(text: str) -> str:
    """The program with what its names are left out of them."""
    return explicit_c(elaborated(text)).replace("own_5f_", "").replace("own_", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("enum e : unsigned char { A = 256 };", "enumerator 'A' is outside 'unsigned char'"),
        ("enum e : bool { A = 2 };", "enumerator 'A' is outside '_Bool'"),
        ("int g; constexpr int n = g;", "not constant"),
    ],
)
def test_what_c23_forbids_is_an_error(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        elaborated(text)


def test_integers_of_any_width_are_refused_by_name() -> None:
    with pytest.raises(UnsupportedError, match="'_BitInt'"):
        elaborated("unsigned _BitInt(7) n;")
