from collections.abc import Iterator
from typing import Any

import pytest

from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.source.parse import ParsedFile, parse_file
from cfrontend.source.parse.columns import align_source_columns
from cfrontend.source.parse.lexemes import lexemes
from cfrontend.source.preprocess import PreprocessedFile


def parsed(text: str, original: str | None = None) -> ParsedFile:
    lines = tuple((text if original is None else original).split("\n"))
    return parse_file(PreprocessedFile("a.c", text, {"a.c": lines}))


def nodes(file: ParsedFile, kind: str) -> Iterator[Any]:
    pending = [file.tree]
    while pending:
        node = pending.pop(0)
        if type(node).__name__ == kind:
            yield node
        pending = [child for _, child in node.children()] + pending


def source(file: ParsedFile, at: Location) -> str:
    """The text a location on one line spans."""
    assert at.line == at.end_line
    assert at.column is not None
    assert at.end_column is not None
    return file.files[at.file][at.line - 1][at.column - 1 : at.end_column]


@pytest.mark.parametrize(
    ("text", "kind", "spans"),
    [
        ("int x = 1 + 2 * 3;", "BinaryOp", ["1 + 2 * 3", "2 * 3"]),
        ("int x = (1 + 2) * 3;", "BinaryOp", ["(1 + 2) * 3", "(1 + 2)"]),
        ("int x = a[1].b->c(2, 3)++;", "UnaryOp", ["a[1].b->c(2, 3)++"]),
        ("int x = a[1].b->c(2, 3)++;", "FuncCall", ["a[1].b->c(2, 3)"]),
        ("int x = a[1].b->c(2, 3)++;", "StructRef", ["a[1].b->c", "a[1].b"]),
        ("int x = -  (long) y;", "UnaryOp", ["-  (long) y"]),
        ("int x = -  (long) y;", "Cast", ["(long) y"]),
        ("int x = a ? b : c ? d : e;", "TernaryOp", ["a ? b : c ? d : e", "c ? d : e"]),
        ("int *x = & y, z = 2;", "Decl", ["x = & y", "z = 2"]),
        ("int a[] = { 1, [2] = 3 };", "Decl", ["a[] = { 1, [2] = 3 }"]),
        ("int a[] = { 1, [2] = 3 };", "InitList", ["{ 1, [2] = 3 }"]),
        ("void f(void) { return; }", "Return", ["return"]),
        ("int f(void) { return  (1) ; }", "Return", ["return  (1)"]),
        ("void f(void) { x = y = 1 ; }", "Assignment", ["x = y = 1", "y = 1"]),
        ("void f(void) { if ( x > 1 ) ; }", "BinaryOp", ["x > 1"]),
        ("void f(void) { if ((x)) y; }", "If", ["if ((x)) y;"]),
        ("int x = sizeof (int) + sizeof y;", "UnaryOp", ["sizeof (int)", "sizeof y"]),
        ("int x = ({ 1; });", "Compound", ["({ 1; })"]),
    ],
)
def test_spans(text: str, kind: str, spans: list[str]) -> None:
    file = parsed(text)
    assert [source(file, node.coord) for node in nodes(file, kind)] == spans


@pytest.mark.parametrize(
    ("original", "preprocessed", "columns"),
    [
        ("x  =   y;", "x = y;", [(1, 1), (4, 4), (8, 8), (9, 9)]),
        ("\tx = N;", " x = 10;", [(2, 2), (4, 4), (6, 6), (7, 7)]),
        (
            "f(M(1), 2);",
            "f(1+1, 2);",
            [(1, 1), (2, 2), (3, None), (None, None), (None, 6), (7, 7), (9, 9), (10, 10), (11, 11)],
        ),
        ("EMPTY x;", "x;", [(7, 7), (8, 8)]),
        (
            "i = A; i < N; i++",
            "i = 0; i < 9; i++",
            [(1, 1), (3, 3), (5, 5), (6, 6), (8, 8), (10, 10), (12, 12), (13, 13), (15, 15), (16, 17)],
        ),
        (
            "F(a); g(a); F(b);",
            "(a+1); g(a); (b+1);",
            [
                (1, None),
                *[(None, None)] * 3,
                (None, 4),
                (5, 5),
                *[(7, 7), (8, 8), (9, 9), (10, 10), (11, 11)],
                (13, None),
                *[(None, None)] * 3,
                (None, 16),
                (17, 17),
            ],
        ),
        (
            "c == A || c == B;",
            "c == 1 || c == 2;",
            [(1, 1), (3, 4), (6, 6), (8, 9), (11, 11), (13, 14), (16, 16), (17, 17)],
        ),
        (
            "A || c == B || c == C;",
            "(1) || c == 2 || c == 3;",
            [
                *[(1, None), (None, None), (None, 1)],
                *[(3, 4), (6, 6), (8, 9), (11, 11)],
                *[(13, 14), (16, 16), (18, 19), (21, 21), (22, 22)],
            ],
        ),
        (
            "f(F(b));",
            "f((b+1));",
            [(1, 1), (2, 2), (3, None), *[(None, None)] * 3, (None, 6), (7, 7), (8, 8)],
        ),
        # What stands beside a macro stands in it, too: it could be either.
        (
            "A || c == B;",
            "1 || c == 2 || c == 3;",
            [(1, None), *[(None, None)] * 7, (None, 11), (12, 12)],
        ),
        # An argument stands where it does if all around it is the macro's, however often; the inner call, too.
        (
            "F(a - 1, g(b));",
            "((a - 1) * (g(b)) + (a - 1));",
            [
                (1, None),
                *[(None, None), (3, 3), (5, 5), (7, 7), (None, None), (None, None)],
                *[(None, None), (10, 10), (11, 11), (12, 12), (13, 13), (None, None), (None, None)],
                *[(None, None), (3, 3), (5, 5), (7, 7), (None, None)],
                *[(None, 14), (15, 15)],
            ],
        ),
        # It is not known which of two equal arguments stands there, nor where an argument ends that is not enclosed.
        ("F(a, a);", "((a) + (a));", [(1, None), *[(None, None)] * 7, (None, 7), (8, 8)]),
        ("F(a, b);", "(a + b);", [(1, None), *[(None, None)] * 3, (None, 7), (8, 8)]),
        # The condition that is checked there is no text to edit.
        ("F(a);", "((a) || fail());", [(1, None), *[(None, None)] * 7, (None, 4), (5, 5)]),
        # The call goes on in the next line.
        ("x = F(a,", "x = (a+1)", [(1, 1), (3, 3), *[(None, None)] * 4, (None, 8)]),
    ],
)
def test_columns_of_the_original_line(
    original: str, preprocessed: str, columns: list[tuple[int | None, int | None]]
) -> None:
    assert align_source_columns(lexemes(preprocessed), lexemes(original)) == columns


def test_comments_do_not_shift_columns() -> None:
    file = parsed("int x;\n int y = 1;", "/* one\n two */ int x;  \n int /* three */ y = /* four */ 1;\n")
    assert file.tree.ext[0].coord.line == 1
    file = parsed("\nint x;\n int y = 1;", "/* one\n two */ int x;\n int /* three */ y = /* four */ 1;")
    assert source(file, file.tree.ext[0].coord) == "x"
    assert source(file, file.tree.ext[1].coord) == "y = /* four */ 1"


def test_line_markers_move_the_place() -> None:
    file = parse_file(PreprocessedFile("a.c", '# 7 "b.h" 2\nint x;\n#line 3 "c d.h"\nint y;\n', {}))
    assert [str(node.coord) for node in file.tree.ext] == ["b.h:7:5", "c d.h:3:5"]


@pytest.mark.parametrize(
    "text",
    [
        'static __inline__ int f(int x) __attribute__((noreturn, format(printf, 1, 2))) __asm__("g");',
        "__extension__ typedef __signed__ char byte; __const char *p; __volatile__ int v;",
        "int f(const char *__restrict a, __typeof__(1) b);",
        "__builtin_va_list ap;",
        'void f(void) { asm volatile("" ::: "memory"); switch (1) { case 1 ... 3: ; } }',
        "int a[] = { [0 ... 3] = 1 }; int x = y ?: 2;",
        "int x = __builtin_types_compatible_p(int, long); int y = __alignof__(x) + __alignof__(int);",
        "struct __attribute__((packed)) s { int x __attribute__((aligned(8))); } __attribute__((aligned));",
        "int a<:2:> = <% 1 %>;",
        "#pragma once\nint x;",
        "typedef int T; void f(void) { T T = 1; T++; } T g(T T) { return T; }",
        "f(a, b) char a; { L: return a; }",
        '_Static_assert(1, "yes"); struct s { int : 3; _Static_assert(1, "no"); };',
    ],
)
def test_gnu_and_rare_c_is_read(text: str) -> None:
    assert parsed(text).tree.ext


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int x", "a.c:1:5: syntax error at end of input"),
        ("int f(void) { return 1 }", "a.c:1:24: syntax error before '}'"),
        ("int x = ;", "a.c:1:9: syntax error before ';'"),
        ("int x = 1;;\n}", "a.c:2:1: syntax error before '}'"),
        ("foo bar;", "a.c:1:1: unknown type name 'foo'"),
        ("int f(foo bar);", "a.c:1:7: unknown type name 'foo'"),
        ("struct s { foo x; };", "a.c:1:12: unknown type name 'foo'"),
        ("typedef int T; int T;", "a.c:1:20: 'T' redeclared as a different kind of symbol"),
        ('char *s = "abc;', 'a.c:1:11: missing terminating " character'),
        ("int c = 'a;", "a.c:1:9: missing terminating ' character"),
        ("int x = 1 @ 2;", "a.c:1:11: stray '@' in program"),
        ("int f(int x __attribute__((unused);", "a.c:1:26: parenthesis is never closed"),
    ],
)
def test_syntax_errors(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parsed(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int * __attribute__((aligned(8))) x;", "1:22: attribute 'aligned' at this place"),
        ("__attribute__((constructor(200))) void f(void) { }", "1:16: attribute 'constructor'"),
        ("#pragma pack(push, name, 1)\nint x;", "1:1: #pragma pack (push, name, 1)"),
        ("#pragma pack(3)\nint x;", "1:1: #pragma pack (3) is not supported yet"),
        ("#pragma scalar_storage_order big-endian\nint x;", "1:1: #pragma scalar_storage_order"),
        ('#pragma CPROVER check disable "size"\nint x;', '1:1: #pragma CPROVER check disable "size"'),
        ("typedef unsigned __CPROVER_bitvector[3] word;", "1:18: the type '__CPROVER_bitvector'"),
        ("int x;\n#pragma CPROVER check\nint y;", "2:1: #pragma CPROVER check is"),
    ],
)
def test_what_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError) as error:
        parsed(text)
    assert message in str(error.value)
    assert str(error.value).endswith("is not supported yet")


@pytest.mark.parametrize("brackets", ["()", "{}", "[]"])
def test_deep_brackets_are_an_error_with_a_place(brackets: str) -> None:
    text = "int f(void) { x = " + brackets[0] * 10_000 + "1" + brackets[1] * 10_000 + "; }"
    with pytest.raises(InputError, match=r"a\.c:1:\d+: nested too deeply"):
        parsed(text)


def test_long_chains_are_no_problem() -> None:
    branches = " else ".join(f"if (x == {i}) y = {i};" for i in range(600))
    terms = " + ".join(["x"] * 2000)
    assert parsed(f"void f(void) {{ {branches} x = {terms}; }}").tree.ext
