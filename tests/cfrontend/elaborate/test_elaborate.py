import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cfrontend.elaborate import elaborate_files
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.source.parse import parse_file
from cfrontend.source.preprocess import PreprocessedFile, preprocess
from cfrontend.syntax import queries, tree
from cfrontend.syntax.types import (
    BOOL,
    CHAR,
    DOUBLE,
    INT,
    LONG,
    UINT,
    ULONG,
    VOID,
    ArrayType,
    FunctionType,
    PointerType,
    StructType,
    size_of_type,
)
from tests.cfrontend.explicit_c import explicit_c
from tests.conftest import require_tool


def elaborated(*texts: str) -> tree.TranslationUnit:
    files = [
        PreprocessedFile(f"{name}.c", text, {f"{name}.c": tuple(text.split("\n"))})
        for name, text in zip("abc", texts, strict=False)
    ]
    return elaborate_files([parse_file(file) for file in files])


def body(text: str) -> tuple[tree.Statement, ...]:
    function = elaborated(text).functions["f"]
    assert function.body is not None
    return function.body.items


def expression(text: str, declarations: str = "") -> tree.Expression:
    """The expression in a function with some variables in reach."""
    variables = (
        "char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; unsigned u; long l;"
        "unsigned long ul; _Bool b; float fl; double d; int a[4]; int m[2][3]; int *p; char *t; void *v;"
        "struct s { int x; unsigned bits : 3; unsigned wide : 32; struct s *next; } st, *sp; int g(int, char);"
        "enum e { A, B = 7 } e;"
    )
    statement = body(f"{variables} {declarations} void f(void) {{ {text}; }}")[-1]
    assert isinstance(statement, tree.ExpressionStatement)
    return statement.expression


def shape(e: tree.Expression) -> str:
    """A short form: implicit conversions as ``<type>``, written ones as ``(type)``."""
    match e:
        case tree.IntConstant(value=value) | tree.FloatConstant(value=value):
            return str(value)
        case tree.VariableRef(symbol=symbol):
            return symbol.name
        case tree.FunctionRef(name=name):
            return name
        case tree.StringLiteral(data=data):
            return repr(data)
        case tree.Cast(operand=operand, type=ctype, implicit=implicit):
            return f"<{ctype}>{shape(operand)}" if implicit else f"({ctype}){shape(operand)}"
        case tree.Unary(op=op, operand=operand):
            return f"{op}{shape(operand)}"
        case tree.Binary(op=op, left=left, right=right) | tree.Logical(op=op, left=left, right=right):
            return f"({shape(left)} {op} {shape(right)})"
        case tree.Conditional():
            return f"({shape(e.condition)} ? {shape(e.then)} : {shape(e.otherwise)})"
        case tree.Assign(target=target, value=value):
            return f"{shape(target)} = {shape(value)}"
        case tree.CompoundAssign(op=op, target=target, value=value, operation_type=ctype):
            return f"{shape(target)} {op}[{ctype}]= {shape(value)}"
        case tree.Decay(operand=operand):
            return f"@{shape(operand)}"
        case tree.Index(base=base, index=index):
            return f"{shape(base)}[{shape(index)}]"
        case tree.Deref(pointer=pointer):
            return f"*{shape(pointer)}"
        case tree.AddressOf(operand=operand):
            return f"&{shape(operand)}"
        case tree.MemberAccess(base=base, member=member):
            return f"{shape(base)}.{member}"
        case tree.Call(callee=callee, arguments=arguments):
            return f"{shape(callee)}({', '.join([shape(a) for a in arguments])})"
        case tree.Comma(left=left, right=right):
            return f"({shape(left)}, {shape(right)})"
        case tree.IncDec(op=op, is_prefix=is_prefix, target=target):
            return f"{op * 2}{shape(target)}" if is_prefix else f"{shape(target)}{op * 2}"
        case _:
            return type(e).__name__


def writes(text: str, name: str) -> list[str]:
    """What the initialiser of a variable at file scope writes."""
    variable = next(v for v in elaborated(text).variables if v.symbol.name == name)
    assert variable.initializer is not None
    return [f"{shape(i.target)} = {shape(i.value)}" for i in variable.initializer.items]


class TestConversions:
    @pytest.mark.parametrize(
        ("text", "expected", "ctype"),
        [
            ("c + 1", "(<int>c + 1)", INT),
            ("us + us", "(<int>us + <int>us)", INT),
            ("i + u", "(<unsigned int>i + u)", UINT),
            ("l + u", "(l + <long>u)", LONG),
            ("ul + l", "(ul + <unsigned long>l)", ULONG),
            ("i + d", "(<double>i + d)", DOUBLE),
            ("uc << l", "(<int>uc << l)", INT),
            ("c < u", "(<unsigned int><int>c < u)", INT),
            ("-b", "-<int>b", INT),
            ("~sc", "~<int>sc", INT),
            ("!d", "!d", INT),
            ("!p", "!p", INT),
            ("c = i", "c = <char>i", CHAR),
            ("b = p", "b = <_Bool>p", BOOL),
            ("c += 1", "c +[int]= 1", CHAR),
            ("c <<= l", "c <<[int]= l", CHAR),
            ("i *= d", "i *[double]= d", INT),
            ("p += c", "p +[int *]= <long><int>c", PointerType(INT)),
            ("p + 1", "(p + <long>1)", PointerType(INT)),
            ("1 + p", "(p + <long>1)", PointerType(INT)),
            ("p - a", "(p - @a)", LONG),
            ("a + 1", "(@a + <long>1)", PointerType(INT)),
            ("p == 0", "(p == <int *>0)", INT),
            ("v == p", "(v == <void *>p)", INT),
            ("p == t", "(p == <int *>t)", INT),
            ("p = v", "p = <int *>v", PointerType(INT)),
            ("p = 0", "p = <int *>0", PointerType(INT)),
            ("i = p", "i = <int>p", INT),
            ("i ? p : 0", "(i ? p : <int *>0)", PointerType(INT)),
            ("i ? v : p", "(i ? v : <void *>p)", PointerType(VOID)),
            ("i ? c : d", "(i ? <double>c : d)", DOUBLE),
            ("i && p || !l", "((i && p) || !l)", INT),
            ("a[c]", "a[<long>c]", INT),
            ("1[a]", "a[<long>1]", INT),
            ("m[1][ul]", "m[<long>1][ul]", INT),
            ("*m", "@*@m", PointerType(INT)),
            ("&a", "&a", PointerType(ArrayType(INT, 4))),
            ("&a[1]", "&a[<long>1]", PointerType(INT)),
            ("st.bits + 1", "(<int>st.bits + 1)", INT),
            ("g(l, i)", "g(<int>l, <char>i)", INT),
            ("(&g)(1, 2)", "g(1, <char>2)", INT),
            ("(*g)(1, 2)", "g(1, <char>2)", INT),
            ("e + B", "(e + <unsigned int>7)", UINT),
            ("sizeof a", "16", ULONG),
            ("sizeof(struct s)", "24", ULONG),
            ("sizeof i++", "4", ULONG),
            ("(char)i", "(char)i", CHAR),
            ("i++, l", "(i++, l)", LONG),
            ("+c", "<int>c", INT),
        ],
    )
    def test_implicit_conversions_are_casts(self, text: str, expected: str, ctype: Any) -> None:
        found = expression(text)
        assert (shape(found), found.type) == (expected, ctype)

    def test_arithmetic_on_void_pointers_counts_bytes(self) -> None:
        assert shape(expression("v + 1")) == "<void *>(<char *>v + <long>1)"
        assert shape(expression("v += 1")) == "v +[char *]= <long>1"

    def test_bit_fields_promote_by_width(self) -> None:
        assert expression("st.bits + 1").type == INT
        assert expression("st.wide + 1").type == UINT
        assert expression("(st.bits = 9) + 1").type == INT

    def test_members_through_pointers(self) -> None:
        assert shape(expression("sp->next->x")) == "**sp.next.x"

    def test_variadic_arguments_are_promoted(self) -> None:
        found = expression('h("", c, fl, a)', "int h(const char *, ...);")
        assert shape(found) == "h(@b'\\x00', <int>c, <double>fl, @a)"

    def test_calls_through_pointers(self) -> None:
        found = expression("q[0](1)", "int (*q[2])(char);")
        assert shape(found) == "q[<long>0](<char>1)"

    def test_elvis_evaluates_its_condition_once(self) -> None:
        assert shape(expression("i ?: 2")) == "(i ? i : 2)"
        assert isinstance(expression("i++ ?: 2"), tree.StatementExpression)

    @pytest.mark.parametrize(
        ("text", "value", "ctype"),
        [
            ("0", 0, "int"),
            ("2147483648", 2**31, "long"),
            ("0x80000000", 2**31, "unsigned int"),
            ("0xFFFFFFFFFF", 0xFFFFFFFFFF, "long"),
            ("0xFFFFFFFFFFFFFFFF", 2**64 - 1, "unsigned long"),
            ("017", 15, "int"),
            ("0b101", 5, "int"),
            ("1'000'000", 10**6, "int"),
            ("0xFFFF'FFFFuL", 0xFFFFFFFF, "unsigned long"),
            ("1u", 1, "unsigned int"),
            ("1L", 1, "long"),
            ("1uLL", 1, "unsigned long long"),
            ("'a'", 97, "int"),
            ("'\\xff'", -1, "int"),
            ("'\\377'", -1, "int"),
            ("'\\0'", 0, "int"),
            ("'ab'", 24930, "int"),
            ("sizeof(long double)", 16, "unsigned long"),
            ("B", 7, "int"),
            ("__builtin_offsetof(struct s, next)", 16, "unsigned long"),
            ("_Alignof(double)", 8, "unsigned long"),
            ("__builtin_constant_p(3)", 1, "int"),
            ("_Generic(1L, int: 1, long: 2)", 2, "int"),
        ],
    )
    def test_constants(self, text: str, value: int, ctype: str) -> None:
        found = expression(text)
        assert isinstance(found, tree.IntConstant)
        assert (found.value, str(found.type)) == (value, ctype)

    def test_floating_constants_keep_their_spelling(self) -> None:
        found = expression("0x1.8p3f + 1e10")
        assert isinstance(found, tree.Binary)
        assert shape(found) == "(<double>0x1.8p3 + 1e10)"

    def test_adjacent_string_literals_are_joined_after_their_escapes(self) -> None:
        found = expression(r't = "a\x4" "1b\101\n"')
        assert shape(found) == f"t = @{b'a' + bytes([4]) + b'1bA' + bytes([10, 0])!r}"


class TestInitializers:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("int x = 5;", ["x = 5"]),
            ("int x = {5};", ["x = 5"]),
            ("int x[] = {1, 2};", ["x[0] = 1", "x[1] = 2"]),
            ("int x[4] = {[2] = 1, 2, [0] = 3};", ["x[0] = 3", "x[2] = 1", "x[3] = 2"]),
            ("int x[4] = {[1 ... 2] = 7};", ["x[1] = 7", "x[2] = 7"]),
            ("int x[2][2] = {1, 2, 3};", ["x[0][0] = 1", "x[0][1] = 2", "x[1][0] = 3"]),
            ("int x[2][2] = {{1}, {2}};", ["x[0][0] = 1", "x[1][0] = 2"]),
            ("int x[2][2] = {[0][1] = 1, 2};", ["x[0][1] = 1", "x[1][0] = 2"]),
            ('char x[] = "ab";', ["x[0] = <char>97", "x[1] = <char>98", "x[2] = <char>0"]),
            ('char x[2] = {"ab"};', ["x[0] = <char>97", "x[1] = <char>98"]),
            ('char x[][2] = {"a"};', ["x[0][0] = <char>97", "x[0][1] = <char>0"]),
            ('const char *x = "a";', ["x = @b'a\\x00'"]),
            ("struct { int a, b; } x = {1, 2};", ["x.a = 1", "x.b = 2"]),
            ("struct { int a, b; } x = {.b = 1};", ["x.b = 1"]),
            (
                "struct { int a[2], b; } x = {1, 2, .a[1] = 3, 4};",
                ["x.a[0] = 1", "x.a[1] = 3", "x.b = 4"],
            ),
            ("struct { struct { int a; }; int b; } x = {.a = 1, 2};", ["x.<anonymous 1>.a = 1", "x.b = 2"]),
            ("struct p { int a, b; } x[2] = {[1].b = 1, [0] = {2}};", ["x[0].a = 2", "x[1].b = 1"]),
            ("union { int a; char b; } x = {1};", ["x.a = 1"]),
            ("union { int a; char b; } x = {.b = 1};", ["x.b = <char>1"]),
            (
                "struct { int a; union { int b, c; } u; int d; } x = {1, 2, 3};",
                ["x.a = 1", "x.u.b = 2", "x.d = 3"],
            ),
            ("int y; int *x = &y + 1;", ["x = (&y + <long>1)"]),
            ("int x[2] = {1, 2, 3};", ["x[0] = 1", "x[1] = 2"]),
            ("int x[] = (int[]){1, 2};", ["x[0] = 1", "x[1] = 2"]),
            ("const int y = 1; int x = y;", ["x = y"]),
        ],
    )
    def test_writes(self, text: str, expected: list[str]) -> None:
        assert writes(text, "x") == expected

    @pytest.mark.parametrize(
        ("text", "length"),
        [
            ("int x[] = {1, 2, 3};", 3),
            ("int x[] = {[4] = 1, [2] = 1};", 5),
            ("int x[] = {[0 ... 9] = 1};", 10),
            ('char x[] = "abc";', 4),
            ("struct { int a, b; } x[] = {1, 2, 3};", 2),
            ("int x[];", 1),
            ("int x[]; int x[7];", 7),
        ],
    )
    def test_array_lengths(self, text: str, length: int) -> None:
        variable = next(v for v in elaborated(text).variables if v.symbol.name == "x")
        assert isinstance(variable.symbol.type, ArrayType)
        assert variable.symbol.type.length == length

    def test_structure_values_fill_a_part(self) -> None:
        statement = body("struct p { int x, y; }; void f(struct p q) { struct p a[2] = {q, {1}}; }")[0]
        assert isinstance(statement, tree.Declaration)
        assert statement.initializer is not None
        assert [shape(i.target) for i in statement.initializer.items] == ["a[0]", "a[1].x"]
        assert statement.initializer.zero_fill

    def test_compound_literals(self) -> None:
        assert isinstance(expression("p = (int[]){1, 2}"), tree.Assign)
        variables = elaborated("int *p = (int[]){1, 2};").variables
        assert [v.symbol.key for v in variables] == ["p", "<literal>"]


class TestDeclarations:
    def test_the_life_of_names(self) -> None:
        unit = elaborated(
            "static int x = 1; extern int y; int z;"
            "int f(int a) { static int n = 2; int b; { int b; static int n; y = b + n; } return a + n + x + b; }"
        )
        assert [(v.symbol.key, v.symbol.storage) for v in unit.variables] == [
            ("x", "static"),
            ("y", "extern"),
            ("z", "static"),
            ("f::n", "static"),
            ("f::n#2", "static"),
        ]
        function = unit.functions["f"]
        assert [p.key for p in function.parameters] == ["f::a"]
        assert function.body is not None
        assert [i.symbol.key for i in function.body.items if isinstance(i, tree.Declaration)] == ["f::b"]

    def test_locations_of_declarations_and_statements(self) -> None:
        text = "int f(int input1) {\n  int least = input1, *q;\n  least += 1 ;\n  return  least;\n}"
        function = elaborated(text).functions["f"]
        assert function.body is not None
        spans = [(i.location.line, i.location.column, i.location.end_column) for i in function.body.items]
        assert spans == [(2, 7, 20), (2, 24, 24), (3, 3, 12), (4, 3, 15)]
        assert (function.end.line, function.end.column) == (5, 1)

    def test_later_declarations_complete_earlier_uses(self) -> None:
        unit = elaborated("extern int a[]; int f(void) { return a[0]; } int a[4];")
        statement = unit.functions["f"].body.items[0]  # type: ignore[union-attr]
        assert isinstance(statement, tree.Return)
        assert isinstance(statement.value, tree.Index)
        assert isinstance(statement.value.base, tree.VariableRef)
        assert statement.value.base.symbol == unit.variables[0].symbol
        assert unit.variables[0].symbol.type == ArrayType(INT, 4)
        assert unit.variables[0].symbol.storage == "static"

    def test_old_style_definitions(self) -> None:
        unit = elaborated("int f(a, p, b) char a; int p[]; { return a + b; } int g(void) { return f(1); }")
        assert unit.functions["f"].type == FunctionType(INT, (CHAR, PointerType(INT), INT), prototyped=False)

    @pytest.mark.parametrize(
        ("call", "ctype"),
        [
            ("__VERIFIER_nondet_uint()", "unsigned int()"),
            ("__VERIFIER_nondet_bool()", "_Bool()"),
            ("nondet_long()", "long()"),
            ("nondet_u8()", "unsigned char()"),
            ("malloc(8)", "void *(unsigned long)"),
            ("something(8)", "int()"),
        ],
    )
    def test_undeclared_functions(self, call: str, ctype: str) -> None:
        unit = elaborated(f"void f(void) {{ {call}; }}")
        function = unit.functions[call.split("(", maxsplit=1)[0]]
        assert str(function.type) == ctype
        assert function.body is None

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("assert(i)", "i"),
            ("assert(l)", "l"),
            ("assert(p)", "(p != <int *>0)"),
            ("__CPROVER_assume(d)", "(d != <double>0)"),
            ("__VERIFIER_assume(b)", "b"),
        ],
    )
    def test_conditions_of_assertions(self, text: str, expected: str) -> None:
        found = expression(text)
        assert isinstance(found, tree.Call)
        assert shape(found.arguments[0]) == expected

    def test_an_assertion_the_program_defines_is_a_function(self) -> None:
        found = expression(
            "__VERIFIER_assert(l)", "void __VERIFIER_assert(int cond) { if (!cond) cond = 1; }"
        )
        assert isinstance(found, tree.Call)
        assert shape(found.arguments[0]) == "<int>l"

    def test_enumerations_are_the_integer_type_gcc_chooses(self) -> None:
        unit = elaborated("enum a { X } a; enum b { Y = -1 } b; enum c { Z = 0xFFFFFFFFF } c;")
        assert [str(v.symbol.type) for v in unit.variables] == ["unsigned int", "int", "unsigned long"]
        assert unit.enumerators["Z"] == (0xFFFFFFFFF, ULONG)

    def test_structures_are_named_by_tag_or_typedef(self) -> None:
        unit = elaborated(
            "struct s { int x; } a; typedef struct { int y; } T; T b; void f(void) { struct s { char c; } d; }"
        )
        assert [v.symbol.type for v in unit.variables] == [StructType("struct s"), StructType("T")]
        assert "struct s#2" in unit.structs

    def test_what_is_not_used_is_left_out(self) -> None:
        unit = elaborated(
            "int unused(void); extern int nothing; int used(void); int f(void) { return used(); }"
        )
        assert list(unit.functions) == ["f", "used"]
        assert unit.variables == ()


class TestStatements:
    def test_switch(self) -> None:
        statement = body("void f(char c) { switch (c) { case 'a' ... 'c': case -1: c++; default: break; } }")[
            0
        ]
        assert isinstance(statement, tree.Switch)
        assert shape(statement.selector) == "<int>c"
        assert isinstance(statement.body, tree.Compound)
        first = statement.body.items[0]
        assert isinstance(first, tree.Case)
        assert (first.low, first.high) == (97, 99)
        assert isinstance(first.body, tree.Case)
        assert isinstance(statement.body.items[1], tree.Default)

    def test_statement_expressions_give_their_last_value(self) -> None:
        found = expression("i = ({ int x = 1; x++; x; })")
        assert isinstance(found, tree.Assign)
        assert isinstance(found.value, tree.StatementExpression)
        assert len(found.value.body.items) == 2
        assert found.value.result is not None
        assert shape(found.value.result) == "x"

    def test_return_converts(self) -> None:
        assert shape(body("char f(int x) { return x; }")[0].value) == "<char>x"  # type: ignore[union-attr,arg-type]
        assert shape(body("void f(int x) { return x; }")[0].value) == "<void>x"  # type: ignore[union-attr,arg-type]

    def test_for_owns_its_declarations(self) -> None:
        statement = body("void f(void) { for (int i = 0, j = 1; i < j; i++) ; }")[0]
        assert isinstance(statement, tree.For)
        assert len(statement.start) == 2


ERRORS = [
    ("int f(void) { return x; }", "1:22: 'x' undeclared"),
    ("int f(int y) { return y.a; }", "1:23: request for member 'a' in something not a structure or union"),
    ("struct s { int a; } y; int f(void) { return y.b; }", "1:45: 'struct s' has no member named 'b'"),
    ("struct s { int a; } *y; int f(void) { return y.a; }", "in a pointer: use '->'"),
    ("struct s { int a; } y; int f(void) { return y + 1; }", "1:45: invalid operands to '+'"),
    ("struct s *y; int f(void) { return y->a; }", "is incomplete"),
    ("int f(void) { struct s y = { .a = 1 }; return 0; }", "initializer for incomplete type 'struct s'"),
    ("struct s y; int f(void) { return 0; }", "1:10: 'y' has incomplete type 'struct s'"),
    ("int g(int a); int f(void) { return g(); }", "1:36: too few arguments to 'g': 0 instead of 1"),
    ("int g(void); int f(void) { return g(1); }", "1:35: too many arguments to 'g': 1 instead of 0"),
    ("void f(void) { 3 = 4; }", "1:16: the left of an assignment is not an lvalue"),
    ("void f(int x) { x++ = 4; }", "is not an lvalue"),
    ("int x; double x;", "1:15: conflicting types for 'x'"),
    ("int f(int); int f(long);", "1:17: conflicting types for 'f'"),
    ("int f(void) { return 0; } int f(void) { return 1; }", "1:31: redefinition of 'f'"),
    ("int x = 1; int x = 2;", "1:16: redefinition of 'x'"),
    ("void f(void) { int x; int x; }", "1:27: redefinition of 'x'"),
    ("int f; int f(void);", "redeclared as a different kind of symbol"),
    ("struct s { int x; }; struct s { int y; };", "redefinition of 'struct s'"),
    ("struct s { int x, x; };", "duplicate member 'x'"),
    ("enum e { A, A };", "redeclaration of enumerator 'A'"),
    ("void f(void) { goto l; }", "1:16: label 'l' used but not defined"),
    ("void f(void) { l: l: ; }", "1:19: duplicate label 'l'"),
    ("void f(void) { void *p = &&l; }", "1:26: label 'l' used but not defined"),
    ("void f(void *p) { goto *p; sizeof(&&l); }", "label 'l' used but not defined"),
    ("void f(int x) { goto *x; }", "1:17: the target of a computed goto is no pointer"),
    ("void f(void) { switch (1) { case 1: case 1: ; } }", "duplicate case value"),
    ("void f(void) { switch (1) { case 1 ... 5: case 3: ; } }", "duplicate case value"),
    ("void f(void) { switch (1) { default: default: ; } }", "multiple default labels"),
    ("void f(void) { case 1: ; }", "case label not within a switch"),
    ("void f(void) { break; }", "1:16: break statement not within a loop or switch"),
    ("void f(void) { switch (1) { case 1: continue; } }", "continue statement not within a loop"),
    ("void f(int x) { switch (x) { case x: ; } }", "a case label is not an integer constant"),
    ("void g(void); int f(void) { return g(); }", "return: the expression has no value"),
    ("int x = f();", "initializer element is not constant"),
    ("int y; int x = y;", "1:16: initializer element is not constant"),
    ("int a[2] = {[2] = 1};", "exceeds the array"),
    ("void f(void) { int a[]; }", "'a' has no known length"),
    ("int a[-1];", "negative length"),
    ("void x;", "declared void"),
    ("void f(int x) { *x; }", "'*' needs a pointer"),
    ("void f(int x) { x(); }", "not a function"),
    ("void f(void) { &3; }", "'&' needs an lvalue"),
    ("struct s { int b : 3; } x; void f(void) { &x.b; }", "address of bit-field 'b'"),
    ("struct s { int b : 33; };", "outside its type"),
    ('_Static_assert(sizeof(int) == 8, "no");', '1:1: static assertion failed: "no"'),
    ("int f(void) { return sizeof(struct s); }", "'sizeof' of incomplete"),
    ("int g(void); static int g(void) { return 1; }", "static declaration of 'g' follows"),
    ("int f(a) int b; { return 0; }", "no such parameter"),
    ("double d; int f(void) { return d % 2; }", "invalid operands to '%'"),
    ("int *p; double d; void f(void) { p = d; }", "incompatible types in assignment"),
    (
        "struct a { int x; } a; struct b { int x; } b; void f(void) { a = b; }",
        "incompatible types in assignment",
    ),
    ("struct a { int x; } a; void f(void) { if (a) ; }", "where a scalar is required"),
    ("int x = ({ 1; });", "outside of a function"),
    ('void f(void) { L"a" u"b"; }', "adjacent string literals are of different kinds"),
    ('int a[] = u"x";', "invalid initializer"),
    ('int a[2][3] = {"ab", "cd"};', "cannot be initialized from a string"),
    ('long a[] = {"ab"};', "cannot be initialized from a string"),
    ('struct { int a[2]; } s = {"ab"};', "cannot be initialized from a string"),
    ('char a[3] = {"ab", "c"};', "excess elements behind the string"),
    ("int n; int a[n];", "an array outside of functions has a length that is not constant"),
    ("void f(int n) { static int a[n]; }", "storage size of 'a' is not constant"),
    ("void f(int n) { int a[n] = {1}; }", "variable-length array 'a' has an initializer"),
    ("void f(char *n) { int a[n]; }", "the length of an array has type"),
    ("int x = 09;", "invalid number '09'"),
    ("int x = 99999999999999999999;", "too large"),
]


@pytest.mark.parametrize(("text", "message"), ERRORS)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        elaborated(text if "x = f()" not in text else "int f(void); " + text)
    assert not isinstance(error.value, UnsupportedError)
    assert str(error.value).startswith("a.c:1")
    assert message in str(error.value)


def refusals(*texts: str) -> list[str]:
    """What an execution of the program could meet that sfo does not model, with its place."""
    unit = elaborated(*texts)
    found = [str(error) for error in unit.refused.values()]
    bodies = tuple(f.body for f in unit.functions.values())
    refused = (node for node in queries.syntax_nodes_within(bodies) if isinstance(node, tree.RefusedSyntax))
    found += [f"{e.location}: {e.message}" for e in refused]
    return found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("void f(int n) { struct { int a[n]; } s; s; }", "1:30: member 'a' of variable length"),
        ("_Complex __float128 z;", "__float128"),
        ("_Atomic struct { int a, b; } z;", "an _Atomic structure"),
        (
            "struct s { int n; int d[]; }; struct { struct s s; } x = {{1, {2}}};",
            "1:63: an initializer for a flexible",
        ),
        (
            "typedef int t __attribute__((aligned(1))); struct s { t x : 3; } y; int f(void) { return y.x; }",
            "a bit-field of a type with attribute 'aligned'",
        ),
        ("void f(void) { __builtin_ia32_pause(); }", "1:16: '__builtin_ia32_pause'"),
        ("__float128 g(void); void f(void) { g(); }", "__float128"),
        ('void f(void) { asm volatile ("nop"); }', "1:16: inline assembly"),
        ('int f(int x) { if (x) asm ("" : "=r"(x)); return x; }', "1:23: inline assembly"),
        (
            'int f(int x, int y) { asm ("" : "=r"(x), "=r"(y) : "0"(y), "1"(x)); return x; }',
            "1:23: inline assembly",
        ),
        (
            "void *f(void) { { __label__ a; void *p = &&a; a: return p; } }",
            "1:42: the address of a label that",
        ),
        (
            "int f(void *p) { goto *p; { __label__ a; p = &&a; a: return 1; } }",
            "1:18: the address of a label that",
        ),
        ("int f(void) { return __alignof__(f); }", "1:22: the alignment of a function"),
        (
            "int f(int x) { int g(int y) { return x + y; } return g(x); }",
            "1:20: a nested function is not supported yet; define it outside",
        ),
        (
            "int f(int x) { if (x) goto a; struct s { int n; } g(int y) { return (struct s) { x }; } a: return g(x).n; }",
            "1:51: a nested function",
        ),
        (
            "typedef int v __attribute__((vector_size(16))); v f(v x) { return x; }",
            "1:30: attribute 'vector_size' is not supported yet",
        ),
        (
            'extern short a __attribute__((alias("b"))); int b = 3; int f(void) { return b; }',
            "1:49: an alias of another type ('a' and 'b')",
        ),
        (
            'int b = 3; extern short a __attribute__((alias("b"))); int f(void) { return a; }',
            "1:25: an alias of another type ('b' and 'a')",
        ),
        ('int g(void) __attribute__((ifunc("h"))); int f(void) { return g(); }', "attribute 'ifunc'"),
        ("int f(int x) { return x && ({ double _Complex c = 1; 1; }); }", "1:31: complex numbers"),
        ("double f(void) { return 2.0i; }", "1:25: complex numbers"),
        ("int f(void) { return __imag__ 2; }", "1:22: complex numbers"),
        ("float _Complex g(void); void f(void) { g(); }", "1:1: complex numbers"),
    ],
)
def test_unsupported(text: str, message: str) -> None:
    found = refusals(text)
    assert any(message in refusal and "not supported yet" in refusal for refusal in found), found


@pytest.mark.parametrize(
    "text",
    [
        'int f(int x) { asm(""); asm volatile ("" ::: "memory"); __asm__ __volatile__ ("" : : "r"(x)); return x; }',
        'int f(int x, long y) { asm ("" : "=r"(x) : "0"(y)); asm volatile ("" : "+r"(x), "=m"(y)); return x; }',
        "_Thread_local int z; static __thread int y; _Atomic int x; _Atomic(long) w; int f(void) { return x++ + y; }",
        "int f(int n) { __label__ a; if (n) goto a; { __label__ a; goto a; a: n++; } a: return n; }",
        'asm(".globl g"); int g(int) asm("h"); static inline __attribute__((always_inline)) int f(void) { return 1; }',
        "int __attribute__((aligned(16))) x; static __attribute__((aligned(8))) int y; __attribute__((unused)) int z;",
    ],
)
def test_supported(text: str) -> None:
    assert refusals(text) == []


def test_unsupported_declarations_matter_only_when_used() -> None:
    unit = elaborated("__float128 g(void); struct s { __bf16 z; }; typedef _Complex __float128 c; int x;")
    assert [v.symbol.key for v in unit.variables] == ["x"]


def test_an_unsupported_prototype_leaves_lengths_computed() -> None:
    """The headers of glibc have such ones, with ``_GNU_SOURCE``."""
    array = "int f(int n) { unsigned char text[n]; text[0] = 1; return text[0]; }"
    for prototype in ("int refused(_Decimal64 x);", "int named(int a, int (*)(_Decimal32));"):
        assert "f" in elaborated(f"{prototype} {array}").functions


def test_an_unsupported_variable_of_another_file_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="flexible array member"):
        elaborated(
            "struct s { int n; int d[]; }; struct t { struct s s; }; extern struct t x; int f(void) { return x.s.n; }",
            "struct s { int n; int d[]; }; struct t { struct s s; } x = {{1, {2}}};",
        )


class TestSeveralFiles:
    def test_names_are_linked_and_private_ones_kept_apart(self) -> None:
        unit = elaborated(
            "typedef struct { int x; } P; extern int n; P mk(void); static int h(void) { return 1; }"
            "int main(void) { return h() + n + mk().x; }",
            "typedef struct { int x; } P; int n = 3; static int h(void) { return 2; }"
            "P mk(void) { P p = {h()}; return p; }",
        )
        assert list(unit.functions) == ["a.c::h", "main", "b.c::h", "mk"]
        assert [v.symbol.key for v in unit.variables] == ["n"]
        assert list(unit.files) == ["a.c", "b.c"]

    def test_tags_that_differ_are_different_types(self) -> None:
        unit = elaborated("struct s { int x; } a;", "struct s { char c[9]; } b;")
        assert [size_of_type(v.symbol.type, unit.structs) for v in unit.variables] == [4, 9]

    def test_multiple_definitions(self) -> None:
        with pytest.raises(InputError, match="multiple definition of 'x'"):
            elaborated("int x;", "int x;")
        with pytest.raises(InputError, match="redefinition of 'f'"):
            elaborated("int f(void) { return 0; }", "int f(void) { return 1; }")


def test_long_chains() -> None:
    branches = " else ".join(f"if (x == {i}) x = {i};" for i in range(600))
    terms = " + ".join(["x"] * 2000)
    assert elaborated(f"int f(int x) {{ {branches} return {terms}; }}").functions


# -- gcc as referee ------------------------------------------------------------------------------------------

_WIDTHS = {
    "char": 8,
    "unsigned char": 8,
    "short": 16,
    "unsigned short": 16,
    "int": 32,
    "unsigned": 32,
    "long": 64,
    "unsigned long long": 64,
    "_Bool": 1,
}


def _random_members(rng: random.Random, earlier: list[str]) -> Iterator[str]:
    for number in range(rng.randint(1, 7)):
        name, choice = f"m{number}", rng.random()
        ctype = rng.choice([*_WIDTHS, "float", "double", "long double", "char *"])
        if choice < 0.45 and ctype in _WIDTHS:
            width = rng.randint(1, _WIDTHS[ctype])
            yield rng.choice([f"{ctype} : 0;", f"{ctype} : {width};", *[f"{ctype} {name} : {width};"] * 6])
        elif choice < 0.6 and earlier:
            yield f"{rng.choice(earlier)} {name};"
        elif choice < 0.7:
            yield f"struct {{ char a{number}; {ctype} b{number}; }};"
        elif choice < 0.75:
            yield f"union {{ char c{number}[3]; short d{number}; }};"
        elif choice < 0.8:
            yield f"_Alignas({rng.choice([16, 32])}) int {name};"
        elif choice < 0.85:
            yield f"{ctype} {name} __attribute__((packed, aligned({rng.choice([1, 2, 4])})));"
        elif choice < 0.88 and ctype in _WIDTHS:
            yield f"{ctype} {name} : {rng.randint(1, _WIDTHS[ctype])} __attribute__((packed));"
        elif choice < 0.9:
            yield f"enum {{ E{rng.randrange(10**9)} = {rng.choice([1, 300, 70000])} }} __attribute__((packed)) {name};"
        else:
            yield f"{ctype} {name}{rng.choice(['', '[3]', '[2][5]'])};"


_PACKINGS = [
    ("", " __attribute__((packed))"),
    ("", " __attribute__((packed, aligned(2)))"),
    ("", " __attribute__((aligned(32)))"),
    ("#pragma pack(push, 1)\n", ";\n#pragma pack(pop)\n"),
    ("#pragma pack(2)\n", ";\n#pragma pack()\n"),
    ("#pragma pack(8)\n", ";\n#pragma pack(0)\n"),
]


def _layout_probes(name: str, unit: tree.TranslationUnit) -> Iterator[str]:
    yield f'printf("{name} %zu %zu\\n", sizeof({name}), _Alignof({name}));'
    for member in unit.structs[name].members:
        if member.name.startswith("<"):
            continue
        place = f"(({name} *)0)->{member.name}"
        if member.bit_width is None:
            yield f'printf("{name}.{member.name} %zu %zu\\n", 8 * (size_t)&{place}, 8 * sizeof {place});'
        else:
            yield f'{{ {name} x; memset(&x, 0, sizeof x); x.{member.name} = -1; bits("{name}.{member.name}", &x, sizeof x); }}'


_BITS = """
#include <stdio.h>
#include <string.h>
static void bits(const char *name, void *object, int bytes) {
  int first = -1, count = 0;
  for (int i = 0; i < 8 * bytes; i++)
    if (((unsigned char *)object)[i / 8] >> i % 8 & 1) { first = first < 0 ? i : first; count++; }
  printf("%s %d %d\\n", name, first, count);
}
"""


@pytest.mark.parametrize("seed", range(3))
def test_layouts_agree_with_gcc(tmp_path: Path, seed: int) -> None:
    gcc = require_tool("gcc")
    rng = random.Random(seed)
    names: list[str] = []
    definitions: list[str] = []
    for number in range(200):
        name = f"{rng.choice(['struct', 'struct', 'union'])} s{number}"
        before, behind = rng.choice([("", "")] * 6 + _PACKINGS)
        members = " ".join(_random_members(rng, names[-10:]))
        definitions.append(f"{before}{name} {{ {members} }}{behind};")
        names.append(name)
    unit = elaborated("\n".join(definitions))
    probes = [probe for name in names for probe in _layout_probes(name, unit)]
    program = tmp_path / "layout.c"
    program.write_text("\n".join([_BITS, *definitions, "int main(void) {", *probes, "}"]))
    subprocess.run([gcc, "-w", str(program), "-o", str(tmp_path / "layout")], check=True)
    output = subprocess.run([str(tmp_path / "layout")], capture_output=True, text=True, check=True).stdout
    ours = [line for name in names for line in _our_layout(name, unit)]
    assert output.splitlines() == ours


def _our_layout(name: str, unit: tree.TranslationUnit) -> Iterator[str]:
    layout = unit.structs[name]
    yield f"{name} {layout.size} {layout.align}"
    for member in layout.members:
        if not member.name.startswith("<"):
            width = member.bit_width or 8 * size_of_type(member.type, unit.structs)
            yield f"{name}.{member.name} {8 * member.offset + member.bit_offset} {width}"


def _runs_alike(path: Path) -> None:
    """Whether the program and its elaboration, printed with every conversion explicit, print the same."""
    gcc = require_tool("gcc")
    explicit = path.with_suffix(".explicit.c")
    explicit.write_text(explicit_c(elaborate_files([parse_file(preprocess(str(path)))])))
    outputs = []
    for source in (path, explicit):
        binary = source.with_suffix(".out")
        options = ["-w", "-O0", "-fwrapv", "-fno-strict-aliasing"]
        subprocess.run([gcc, *options, str(source), "-o", str(binary), "-lm"], check=True)
        done = subprocess.run([str(binary)], capture_output=True, check=False, timeout=60)
        outputs.append((done.returncode, done.stdout))
    assert outputs[0] == outputs[1]


def test_a_tour_of_c_runs_alike(tmp_path: Path) -> None:
    path = tmp_path / "tour.c"
    path.write_text((Path(__file__).parent / "tour.c").read_text())
    _runs_alike(path)
