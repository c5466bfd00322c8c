import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrontend.errors import InternalError
from cfrontend.stdio.printed import PrintedArgument, render_printed
from tests.conftest import require_tool


def word(value: int, width: int = 32, *, signed: bool = True) -> PrintedArgument:
    return PrintedArgument(value=value % (1 << width), width=width, signed=signed)


def text(characters: bytes) -> PrintedArgument:
    return PrintedArgument(value=0, width=64, signed=False, characters=characters)


@pytest.mark.parametrize(
    ("format_", "arguments", "expected"),
    [
        (b"plain\n", [], b"plain\n"),
        (b"100%%", [], b"100%"),
        (b"%d %i", [word(-1), word(7)], b"-1 7"),
        (b"%u", [word(-1)], b"4294967295"),
        (b"%ld", [word(-1, 64)], b"-1"),
        (b"%lu", [word(-1, 64, signed=False)], b"18446744073709551615"),
        (b"%hhd", [word(300)], b"44"),
        (b"%hu", [word(-1)], b"65535"),
        (b"%x %X %#x", [word(255), word(255), word(255)], b"ff FF 0xff"),
        (b"%#x", [word(0)], b"0"),
        (b"%o %#o", [word(8), word(8)], b"10 010"),
        (b"%c%c", [word(65), word(-191)], b"AA"),
        (b"%5d|%-5d|%05d", [word(-42), word(-42), word(-42)], b"  -42|-42  |-0042"),
        (b"%+d % d", [word(3), word(3)], b"+3  3"),
        (b"%.3d|%8.3d|%.0d", [word(5), word(-5), word(0)], b"005|    -005|"),
        (b"%*d|%-*d", [word(4), word(1), word(3), word(2)], b"   1|2  "),
        (b"%s|%6s|%-6s|%.2s", [text(b"abc")] * 4, b"abc|   abc|abc   |ab"),
        (b"%08x", [word(48879)], b"0000beef"),
    ],
)
def test_as_printf(format_: bytes, arguments: list[PrintedArgument], expected: bytes) -> None:
    assert render_printed(format_, arguments) == expected


@pytest.mark.parametrize("format_", [b"%f", b"%d", b"%q", b"%"])
def test_what_cannot_be_printed_is_an_internal_error(format_: bytes) -> None:
    with pytest.raises(InternalError):
        render_printed(format_, [])


CONVERSIONS = st.tuples(
    st.sampled_from(["", "-", "0", "+", " ", "#", "-+", "#0", "+0"]),
    st.sampled_from(["", "1", "7", "12"]),
    st.sampled_from(["", ".", ".0", ".4", ".10"]),
    st.sampled_from(["hh", "h", "", "l", "ll", "z"]),
    st.sampled_from("diouxX"),
).map("%{0[0]}{0[1]}{0[2]}{0[3]}{0[4]}".format)


@settings(max_examples=5)
@given(
    st.lists(
        st.tuples(CONVERSIONS, st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 300)),
        min_size=40,
        max_size=60,
    )
)
def test_integers_as_the_c_library_prints_them(cases: list[tuple[str, int]]) -> None:
    gcc = require_tool("gcc")
    prints = "".join(
        f'printf("{c}|\\n", ({"long long" if c[-2] in "lz" else "int"}){v}ull);'
        for c, v in ((c, v % 2**64) for c, v in cases)
    )
    program = f"#include <stdio.h>\nint main(void) {{ {prints} return 0; }}\n"
    with_tmp = Path("/tmp") / "sfo-printed-test"
    with_tmp.mkdir(exist_ok=True)
    source = with_tmp / "p.c"
    source.write_text(program)
    subprocess.run([gcc, "-w", "-o", with_tmp / "p", source], check=True)
    expected = subprocess.run([with_tmp / "p"], check=True, capture_output=True).stdout
    actual = b"".join(
        render_printed(f"{c}|\n".encode(), [word(v, 64 if c[-2] in "lz" else 32)]) for c, v in cases
    )
    assert actual == expected
