"""The ILP32 data model: what we say of sizes, places, types and constants, asserted to ``gcc -m32``."""

import random
import re
import subprocess
from pathlib import Path

import pytest

from cfrontend.elaborate import elaborate_files
from cfrontend.elaborate.constants import constant_value
from cfrontend.errors import InputError
from cfrontend.source.parse import parse_file
from cfrontend.source.preprocess import MODEL_FLAGS, PreprocessedFile, PreprocessOptions, preprocess
from cfrontend.syntax.tree import TranslationUnit
from cfrontend.syntax.types import ILP32, LP64, DataModelOfTypes, IntType, alignment_of_type, size_of_type
from tests.conftest import require_32_bits, require_tool

SCALARS = {
    "_Bool": 1,
    "char": 8,
    "signed char": 8,
    "short": 16,
    "int": 32,
    "unsigned": 32,
    "long": 32,
    "unsigned long": 32,
    "long long": 64,
    "unsigned long long": 64,
    "float": 0,
    "double": 0,
    "long double": 0,
    "void *": 0,
    "int (*)[3]": 0,
}
"""Types of members and the bits of the widest bit-field of each, 0 where there is none."""

_EXPRESSIONS = """
1 2147483647 2147483648 4294967295 4294967296 0x7fffffff 0x80000000 0xffffffff 0x100000000 0xffffffffffffffff
017777777777 037777777777 040000000000 1u 4294967296u 1l 2147483648l 0x80000000l 0x100000000l 1ul 4294967296ul
1ll 0x8000000000000000ll 1ull 9223372036854775807 -1L<0u -1L<0ul -1LL<0u 1L+1u 1u+1L 1LL+1ul 1ul+1LL 1L-2 ~0ul
sizeof(int) sizeof(long)+1 (char*)4-(char*)1 sizeof(void*) sizeof(1L) sizeof(1LL) sizeof(L'x') L'x' u'x' U'x' 'x'
1L<<4 1u<<31 (short)1+(short)1 1?1L:1u 1?1LL:1ul (unsigned)(void*)-1 (long)(void*)8 (long)-1u -1l>>1 -1ul>>1 -1u/2
(unsigned)-1LL (long)4294967297LL (unsigned_long)-1 2147483647L+1LL sizeof(long_double) (unsigned_char)300
sizeof(__builtin_va_list) sizeof(struct{char_c;long_long_l;}) 3000000000-2999999999
(unsigned_long_long)(void*)0x80000000 INT64_C(5) UINT64_C(5) INTMAX_C(5) INT64_MIN INT64_MAX UINT64_MAX INT_FAST16_MAX
INT_FAST32_MIN UINT_FAST32_MAX INTPTR_MIN INTPTR_MAX UINTPTR_MAX PTRDIFF_MIN PTRDIFF_MAX SIZE_MAX WCHAR_MIN WCHAR_MAX
LONG_MIN LONG_MAX ULONG_MAX LLONG_MIN LLONG_MAX ULLONG_MAX INT_MIN UINT_MAX INTMAX_MAX UINTMAX_MAX INT32_MIN
sizeof(int64_t) sizeof(intptr_t) sizeof(max_align_t) _Alignof(max_align_t) (size_t)-1 (ptrdiff_t)-1 (wchar_t)-1 (int64_t)-1 (uint64_t)-1
(intptr_t)-1 (uintptr_t)-1 (intmax_t)-1 (uintmax_t)-1 (int_fast16_t)-1 (int_fast32_t)-1 (uint_fast64_t)-1 (int_least64_t)-1
__SIZEOF_LONG__ __SIZEOF_POINTER__ __SIZEOF_LONG_DOUBLE__ __i386__ __LONG_MAX__
_Alignof(long) _Alignof(void*) _Alignof(long_double) _Alignof(struct{long_long_l;})
"""
"""Integer constant expressions; an underscore before or after ``long``, ``char``, ``double``, ``unsigned`` is a
blank."""

HEADERS = "#include <stdint.h>\n#include <limits.h>\n#include <stddef.h>\n"


def unit_of(text: str, model: DataModelOfTypes = ILP32) -> TranslationUnit:
    return elaborate_files([parse_file(PreprocessedFile("a.c", text, {}))], model)


def gcc_accepts(path: Path) -> str:
    """What ``gcc -m32`` says of a file, which needs no library; nothing where it accepts it."""
    command = [require_tool("gcc"), *MODEL_FLAGS["ilp32"], "-ffreestanding", "-w", "-fsyntax-only", str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    return "".join(line for line in said.splitlines() if "error:" in line)


def random_records(rng: random.Random, count: int) -> tuple[str, list[str]]:
    """Definitions of structures and unions, and their names."""
    text, names = "", list[str]()
    for number in range(count):
        members = [random_member(rng, n, names) for n in range(rng.randint(1, 7))]
        kind = rng.choice(["struct", "struct", "union"])
        packed = rng.choice(["", "", "", " __attribute__((packed))"])
        text += f"{kind} s{number} {{ int first; {' '.join(members)} }}{packed};\n"
        names.append(f"{kind} s{number}")
    return text, names


def random_member(rng: random.Random, number: int, names: list[str]) -> str:
    fields = [name for name, width in SCALARS.items() if width]
    match rng.randrange(10):
        case 0 | 1 | 2 | 3:
            ctype = rng.choice(fields)
            return f"{ctype} m{number} : {rng.randint(1, SCALARS[ctype])};"
        case 4:
            return f"{rng.choice(fields)} : 0;"
        case 5 if names:
            return f"{rng.choice(names)} m{number};"
        case _:
            ctype, length = (
                rng.choice([name for name in SCALARS if "(" not in name]),
                rng.choice(["", "", "[3]"]),
            )
            return f"{ctype} m{number}{length};"


@pytest.mark.parametrize("seed", range(20))
def test_structures_are_laid_out_as_gcc_does(seed: int, tmp_path: Path) -> None:
    text, names = random_records(random.Random(seed), 20)
    unit = unit_of(text)
    claims = [text]
    for name in names:
        layout = unit.structs[name]
        claims.append(
            f"_Static_assert(sizeof({name}) == {layout.size} && _Alignof({name}) == {layout.align}, {name!r});"
        )
        claims += [
            f'_Static_assert(__builtin_offsetof({name}, {m.name}) == {m.offset}, "{name}.{m.name}");'
            for m in layout.members
            if m.bit_width is None
        ]
    path = tmp_path / "claims.c"
    path.write_text("\n".join(claims).replace("'", '"'))
    assert gcc_accepts(path) == ""


def test_a_wrong_layout_would_be_seen(tmp_path: Path) -> None:
    path = tmp_path / "claims.c"
    path.write_text('_Static_assert(sizeof(long) == 8, "long");')
    assert "long" in gcc_accepts(path)


@pytest.mark.parametrize("name", SCALARS)
def test_sizes_and_alignments_of_scalars(name: str, tmp_path: Path) -> None:
    unit = unit_of(f"__typeof__({name}) x;")
    ctype, structs = unit.variables[0].symbol.type, unit.structs
    size, align = size_of_type(ctype, structs), alignment_of_type(ctype, structs)
    path = tmp_path / "claims.c"
    path.write_text(f'_Static_assert(sizeof({name}) == {size} && _Alignof({name}) == {align}, "");')
    assert gcc_accepts(path) == ""


@pytest.mark.parametrize("written", _EXPRESSIONS.split())
@pytest.mark.sample(20)
def test_constants_have_the_type_and_value_gcc_gives_them(written: str, tmp_path: Path) -> None:
    require_32_bits()  # its headers
    text = blanks(written)
    source = tmp_path / "source.c"
    source.write_text(f"{HEADERS}__typeof__({text}) x = {text};\n")
    options = PreprocessOptions(model=ILP32)
    unit = elaborate_files([parse_file(preprocess(str(source), options))], ILP32)
    variable = next(v for v in unit.variables if v.symbol.name == "x")
    assert variable.initializer is not None
    value = constant_value(variable.initializer.items[0].value, unit.structs)
    ctype = variable.symbol.type
    assert isinstance(ctype, IntType)
    assert value is not None
    least = "(-0x7fffffffffffffffll-1)"
    number = least if value == -(1 << 63) else f"{value}{'ull' if value >= 1 << 63 else ''}"
    same_type = f'_Static_assert(__builtin_types_compatible_p(__typeof__({text}), {ctype}), "{ctype}");'
    same_value = f'_Static_assert(({text}) == ({ctype}){number}, "{value}");'
    path = tmp_path / "claims.c"
    path.write_text(f"{HEADERS}{same_type}\n{same_value}\n")
    assert gcc_accepts(path) == ""


def blanks(written: str) -> str:
    """``unsigned_long`` as ``unsigned long``."""
    return re.sub(r"\b(unsigned|long|char)_", r"\1 ", re.sub(r"\b(unsigned|long|char)_", r"\1 ", written))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("__int128 x;", "unknown type '__int128'"),
        ("unsigned __int128 x;", "unknown type 'unsigned __int128'"),
        ("struct { long l : 33; } x;", "the width of bit-field 'l' is outside its type"),
    ],
)
def test_what_the_model_does_not_have(text: str, said: str) -> None:
    unit_of(text, LP64)
    with pytest.raises(InputError, match=said):
        unit_of(text)


@pytest.mark.parametrize("ctype", ["long long", "double", "double[2]"])
def test_an_alignment_that_depends_on_the_place_is_refused(ctype: str) -> None:
    text = f"int f(void) {{ return _Alignof({ctype}); }}"
    assert not unit_of(text, LP64).refused
    assert "the alignment of" in refusals(unit_of(text))


def refusals(unit: TranslationUnit) -> str:
    """What is refused in the bodies of the functions of a unit."""
    return repr([f.body for f in unit.functions.values()])
