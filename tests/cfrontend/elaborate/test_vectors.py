"""GNU vectors: which operations there are, as gcc sees it, and the layout of their types."""

import re
import subprocess
from pathlib import Path

import pytest

from cfrontend.elaborate import elaborate_files
from cfrontend.errors import InputError
from cfrontend.source.parse import parse_file
from cfrontend.source.preprocess import PreprocessedFile
from cfrontend.syntax import queries, tree
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.types import ILP32, LP64, DataModelOfTypes, StructType
from tests.conftest import require_tool

TYPES = """typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4ui __attribute__((vector_size(16)));
typedef signed char v16sc __attribute__((vector_size(16)));
typedef char v16c __attribute__((vector_size(16)));
typedef unsigned char v16uc __attribute__((vector_size(16)));
typedef short v4hi __attribute__((vector_size(8)));
typedef int v2si __attribute__((vector_size(8)));
typedef long v2di __attribute__((vector_size(16)));
typedef long long v2ll __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
struct S { int a[4]; } st; enum E { E0, E1 = 300 };
v4si a, b; v4ui u, w; v16sc q; v16c c; v16uc uc; v2di l; v2ll m; v4sf f, g; v2df d; v4hi h; v2si e;
int i, *p; long n; float x; double y; char k; _Bool z; unsigned j; short s;
v4si of_vector(v4si); int unknown();
"""

STATEMENTS = """!a; a && b; if (a) i = 1; while (a < b) i++; i = a < b ? 1 : 2; a = a ? a : b; a = i ? a : b; a = i ? a : u;
a = i ? a : (a < b); a = i ? a : 0; a = a ?: b; switch (a) case 1: i = 1;
a = a + u; u = a + u; a = u + a; a = f * a; a = a + l; a = a + p; a = a + e; a = a - st; c = c + q; q = q + c; q = q + uc;
a = a << u; a = a << h; h = h << a; a = a << i; a = a << n; a = i << a; a = n << a; a = a << x; f = f << 1; q = q << c;
u = a < b; f = a < b; q = a < b; l = a < b; h = a < b; u = (a < b) + a; u = a + (a < b); u = (u < w) | a; u = (a < b);
u = i ? a < b : a > b; u = (i, a < b); u = +(a < b); u = ~(a < b); u = -(a < b); u = (v4ui)(a < b); a = a < u; a = a == e; a = a < l;
a = f < g; l = d < d; m = d < d; c = c == q; a = a < 1; a = 1 < a; a = a < n; a = f < 1; a = f < y; a = f < 1.5; l = l < 1; a = a < p;
a = a + 1L; a = a + n; a = n + a; a = a + k; a = a + z; a = a + j; a = a + x; a = a + 1.0; a = a + 4294967296L; a = a + 4294967295u;
f = f + i; f = f + 1; f = f + x; f = f + y; f = f + 1.0; f = f + 0.1; f = f + s; f = f + 16777217; f = 1.5 + f; d = d + i; d = d + n; d = d + j;
d = d + 0.1; d = d + x; u = u + -1; q = q + i; q = q + k; q = q + 200; q = q + (-129); q = q + s; q = q + 'a'; q = q + E1; q = q + (int)k;
uc = uc + -1; uc = uc + -1000; uc = uc + 256; uc = uc + 255u;
f = f % f; f = f & f; f = ~f; f = -f; f = +f; a = ~a; a = -a; a = +f; a & 1; *a; a.x; a->x; a(1);
a++; ++f; a--; a += 1; a += u; u += a; a <<= 1; a <<= b; a += n; f += i; f *= 2; i += a; (a + b)++; (a + b) += a; (a + b)[1] = 2;
a = 1; a = i; i = a; a = f; a = u; q = c; l = m; e = h; n = e; a = st; a = (a, b); a = ({ b; });
a = (v4si)i; n = (long)e; e = (v2si)n; i = (int)e; h = (v4hi)e; a = (v4si)f; a = (v4si)d; d = (v2df)a; y = (double)e; e = (v2si)y;
e = (v2si)p; p = (int *)e; (void)a; st = (struct S)a; a = (v4si)st; e = (v2si)a; a = (v4si)a; z = (_Bool)e;
a[0] = 1; i = (a + b)[1]; i = a[n]; p = &a[1]; a[x] = 1; i = a[1][0]; p = &(a + b)[1]; i = *&a[2];
a = (v4si){1}; a = (v4si){a}; a = (v4si){[2] = 1}; v4si A[2] = {1, 2, 3, 4, 5}; v4si B[2] = {a, b}; v4ui C[2] = {a < b}; v4ui D = {a < b};
static v4si E = {1, 2}; static v4si F = (v4si){1, 2}; static v4si G[] = {(v4si){1, 2}, {3}}; v4ui H = a < b; static v4si I = {i};
a = __builtin_shuffle(a, b); a = __builtin_shuffle(a, u); a = __builtin_shuffle(a, b, u); f = __builtin_shuffle(f, a);
f = __builtin_shuffle(f, f); a = __builtin_shuffle(a, u, b); l = __builtin_shuffle(l, a); d = __builtin_shuffle(d, l);
a = __builtin_shuffle(a, a < b); a = __builtin_shuffle(a, 1); f = __builtin_shuffle(f, g, a);
a = __builtin_shufflevector(a, b, 0, 5, -1, 7); a = __builtin_shufflevector(a, b, 0, 5, 8, 7); e = __builtin_shufflevector(a, b, 0, 5);
a = __builtin_shufflevector(a, b, 0, 5, 1); a = __builtin_shufflevector(a, b, 0, 5, i, 1); a = __builtin_shufflevector(a, f, 0, 5, 1, 1);
h = __builtin_convertvector(a, v4hi); f = __builtin_convertvector(a, v4sf); d = __builtin_convertvector(a, v2df);
a = __builtin_convertvector(f, v4si); a = __builtin_convertvector(i, v4si); a = __builtin_convertvector(a, int);
of_vector(u); of_vector(a < b); of_vector(1); a = of_vector(b); unknown(a); a = *(v4si *)p;
typedef _Bool T1 __attribute__((vector_size(16))); typedef int T2 __attribute__((vector_size(12))); typedef int T3 __attribute__((vector_size(0)));
typedef int T4 __attribute__((vector_size(6))); typedef int *T5 __attribute__((vector_size(16))); typedef v4si T6 __attribute__((vector_size(32)));
typedef __int128 T7 __attribute__((vector_size(16))); typedef struct S T8 __attribute__((vector_size(16))); typedef int T9 __attribute__((vector_size(4)));
int J __attribute__((vector_size(16))) = {1}; int K[2] __attribute__((vector_size(16))) = {a, b}; int __attribute__((vector_size(16))) *L = &a;
i = sizeof(int __attribute__((vector_size(16)))); __attribute__((vector_size(16))) int M = a; a = (__attribute__((vector_size(16))) int){1};
a = (int __attribute__((vector_size(16)))){1}; typeof(a) N = b; __auto_type O = a < b; struct { v4si v[2]; } P = {{a, b}}; v4si Q[i];
_Static_assert(_Generic(a + u, v4si: 1, v4ui: 0), ""); _Static_assert(_Generic(u + a, v4si: 0, v4ui: 1), "");
_Static_assert(_Generic(c < c, v16c: 0, v16sc: 1), ""); _Static_assert(_Generic(m < m, v2di: 1, v2ll: 0), "");
_Static_assert(_Generic(f < f, v4si: 1, default: 0), ""); _Static_assert(_Generic(uc == 1, v16sc: 1, default: 0), "");
_Static_assert(_Generic(1 << u, v4ui: 1, default: 0), ""); _Static_assert(_Generic(a[0], int: 1), ""); _Static_assert(_Generic(q[0], signed char: 1), "");
_Static_assert(sizeof(a + b) == 16 && _Alignof(v4hi) == 8 && sizeof a[1] == 4, "");"""


def statements() -> list[str]:
    """The statements, one for each part that ends with a semicolon or, in braces, with a parenthesis behind them."""
    parts = re.split(r";(?![^({]*\b[ab]; \})\s*", STATEMENTS.replace("\n", " "))
    joined, open_parts = [], ""
    for part in parts:
        open_parts += part
        if open_parts.count("{") == open_parts.count("}"):
            joined.append(f"{open_parts.strip()};")
            open_parts = ""
        else:
            open_parts += "; "
    return [one for one in joined if one != ";"]


def elaborated(text: str, model: DataModelOfTypes = LP64) -> tree.TranslationUnit:
    source = PreprocessedFile("a.c", text, {"a.c": tuple(text.split("\n"))})
    return elaborate_files([parse_file(source)], model=model)


def test_what_gcc_rejects_is_rejected_and_nothing_else(tmp_path: Path) -> None:
    gcc, source = require_tool("gcc"), tmp_path / "a.c"
    functions = [f"void t{n}(void) {{ {one} }}" for n, one in enumerate(statements())]
    source.write_text("\n".join([TYPES.replace("\n", " "), *functions]))
    command = [gcc, "-std=gnu11", "-w", "-fsyntax-only", "-fmax-errors=0", str(source)]
    errors = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    rejected = {int(line) - 2 for line in re.findall(r"a\.c:(\d+):\d+: error", errors)}
    wrong = []
    for n, function in enumerate(functions):
        try:
            body = elaborated(TYPES + function).functions[f"t{n}"].body
        except InputError:
            if n not in rejected:
                wrong.append(f"sfo rejects {statements()[n]}")
        else:
            if n in rejected:
                wrong.append(f"gcc rejects {statements()[n]}")
            if any(isinstance(node, tree.RefusedSyntax) for node in queries.syntax_nodes_within(body)):
                wrong.append(f"sfo refuses {statements()[n]}")
    assert wrong == []
    assert len(rejected) > 60
    assert len(functions) - len(rejected) > 100


@pytest.mark.parametrize(
    ("model", "element", "size", "offset"),
    [
        *[(LP64, "int", size, size) for size in (4, 8, 16, 32, 64)],
        *[(LP64, "double", size, size) for size in (8, 32)],
        (ILP32, "int", 8, 4),
        (ILP32, "short", 8, 4),
        (ILP32, "long long", 8, 4),
        (ILP32, "float", 8, 8),
        (ILP32, "char", 4, 4),
        (ILP32, "double", 16, 16),
        (ILP32, "int", 32, 32),
    ],
)
def test_a_member_stands_where_gcc_puts_it(
    model: DataModelOfTypes, element: str, size: int, offset: int
) -> None:
    text = f"struct s {{ char c; {element} v __attribute__((vector_size({size}))); }} s;"
    layout = elaborated(text, model).structs["struct s"]
    assert (layout.members[1].offset, layout.size, layout.align) == (
        offset,
        offset * (1 + -(-size // offset)),
        offset,
    )


def test_an_element_is_printed_as_the_program_writes_it() -> None:
    function = elaborated(
        f"{TYPES} int t(v4si v, struct {{ v4si w; }} *r) {{ return v[i] + r->w[2]; }}"
    ).functions["t"]
    assert function.body is not None
    (last,) = function.body.items
    assert isinstance(last, tree.Return)
    assert last.value is not None
    assert print_syntax(last.value) == "v[i] + r->w[2]"
    assert isinstance(function.parameters[0].type, StructType)
    assert str(function.parameters[0].type) == "__attribute__((vector_size(16))) int"
