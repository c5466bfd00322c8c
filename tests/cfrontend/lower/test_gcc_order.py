"""The order in which gcc on x86-64 does what C leaves open, and converted arguments; values as gcc prints them.

The programs are compared with gcc itself in tests/differential; here each rule stands alone.
"""

from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms import TRUE

PROLOGUE = """
int printf(const char *, ...);
int g = 1, a[2] = {5, 6};
unsigned u = 1;
short s = 1;
long l = 1;
struct { int x; } t = {1};
struct { unsigned a : 11; int b : 5; } bits;
int f(void) { g += 10; u += 10; s += 10; l += 10; t.x += 10; a[0] += 10; return 2; }
int narrow(x) char x; { return x; }
int truth(x) _Bool x; { return x || 0; }
"""


def printed(statement: str, directory: Path) -> list[int]:
    """The values that the statement prints."""
    source = directory / "order.c"
    source.write_text(PROLOGUE + "int main(void) { " + statement + " return 0; }\n")
    encoded = encode_program(
        load_c_program([str(source)], ProgramOptions()),
        Bound(unwind=None, free=True),
        inputs=EncodeFixedValues(()),
    )
    terms = encoded.terms
    arguments = [argument for event in encoded.outputs for argument in event.arguments]
    values = [terms.value[argument.value] for argument in arguments]
    assert None not in values
    return [
        terms.signed(value, terms.width[argument.value])
        for value, argument in zip(values, arguments, strict=True)
        if value is not None
    ]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        # arguments of printf from the last to the first, each kept as it was
        ('printf("%d %d %d", g, f(), g);', [11, 2, 1]),
        # op= : a value with effects first, then the place
        ('a[g == 1] += f(); printf("%d %d", a[0], a[1]);', [17, 6]),
        ('a[g == 1] = f(); printf("%d %d", a[0], a[1]);', [15, 2]),
        ('g -= f(); printf("%d", g);', [9]),
        # a variable left of a commutative operator is read last, also through a conversion of its width
        ('printf("%d", g + f());', [13]),
        ('printf("%d", (int)u + f());', [13]),
        ('printf("%d", (unsigned)g < f());', [0]),
        ('printf("%ld", l + f());', [13]),
        ('printf("%d", g - f());', [-1]),
        ('printf("%d", t.x + f());', [3]),
        ('printf("%d", s + f());', [3]),
        # ... unless a conversion in between has another width; conversions around narrow the operator
        ('printf("%d", (short)g + f());', [3]),
        ('printf("%d", (short)(s + f()));', [13]),
        ('printf("%d", (int)(l + f()));', [3]),
        ('s = s + f(); printf("%d", s);', [13]),
        ('s = g + f(); printf("%d", s);', [13]),
        ('g = l + f(); printf("%d", g);', [13]),
        # the value of an assignment to a bit-field is what the field keeps
        ('int y = bits.a = 3000; printf("%d", y);', [952]),
        ('int y = bits.b = 20; printf("%d", y);', [-12]),
        ('printf("%d", (bits.a = 2048) ? 1 : 2);', [2]),
        ('int y = --bits.a; printf("%d %d", y, bits.b++);', [2047, 0]),
        # the promoted argument of an old-style call is cut to the size of its parameter
        ('printf("%d %d", narrow(300), narrow(-1));', [44, -1]),
        ('printf("%d %d", truth((_Bool)0), truth((_Bool)7));', [0, 1]),
    ],
)
def test_values_are_those_of_gcc(statement: str, expected: list[int], tmp_path: Path) -> None:
    assert printed(statement, tmp_path) == expected


@pytest.mark.parametrize(
    ("declaration", "argument", "passes"),
    [
        ("void __VERIFIER_assume(int);", "4294967296", False),
        ("void __VERIFIER_assume();", "4294967296", True),
        ("void __VERIFIER_assume(_Bool);", "4294967296", True),
        ("void __CPROVER_assert(int, const char *);", "4294967296", False),
        ("void assert(int);", "4294967296", True),
        ("void assert(int);", '"text"', True),
    ],
)
def test_a_declared_condition_is_converted(
    declaration: str, argument: str, passes: bool, tmp_path: Path
) -> None:
    name = declaration.split("(", maxsplit=1)[0].rsplit(maxsplit=1)[-1]
    more = ', "text"' if name == "__CPROVER_assert" else ""
    source = tmp_path / "condition.c"
    source.write_text(f"{declaration}\nint main(void) {{ {name}({argument}{more}); return 0; }}\n")
    encoded = encode_program(
        load_c_program([str(source)], ProgramOptions()),
        Bound(unwind=None, free=True),
        inputs=EncodeFixedValues(()),
    )
    assert (encoded.passing == TRUE) is passes
