"""Text against Python's own floats and glibc's printf and strtold."""

from __future__ import annotations

import ctypes
import math
import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfrontend.terms import Terms
from cfrontend.terms.floats import FloatTerms, UnknownFloatTerm, text
from cfrontend.terms.floats.format import BINARY32, BINARY64, X87, FloatFormat
from cfrontend.terms.floats.printing import print_float
from tests.cfrontend.terms.floats.native import operands, special_values

FORMATS = (BINARY32, BINARY64, X87)


def double_bits(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])


@pytest.mark.parametrize(
    ("f", "spelled", "expected"),
    [
        (BINARY64, "1", 0x3FF0_0000_0000_0000),
        (BINARY64, ".5", 0x3FE0_0000_0000_0000),
        (BINARY64, "-0.0", 1 << 63),
        (BINARY64, "1e400", 0x7FF0_0000_0000_0000),
        (BINARY64, "1e999999999999", 0x7FF0_0000_0000_0000),
        (BINARY64, "1e-999999999999", 0),
        (BINARY64, "4.9e-324", 1),
        (BINARY64, "2.4703282292062327e-324", 0),
        (BINARY64, "2.4703282292062328e-324", 1),
        (BINARY64, "0x1.fffffffffffff8p0", 0x4000_0000_0000_0000),
        (BINARY64, "0x.8p-1073", 1),
        (BINARY32, "16777217", 0x4B80_0000),
        (BINARY32, "0.1", 0x3DCC_CCCD),
        (BINARY32, "nan", 0x7FC0_0000),
        (BINARY32, "-nan(0x1)", 0xFF80_0001),
        (BINARY32, "nan(0x0)", None),
        (BINARY32, "-inf", 0xFF80_0000),
        (X87, "1", 0x3FFF_8000_0000_0000_0000),
        (X87, "0.1", 0x3FFB_CCCC_CCCC_CCCC_CCCD),
        (X87, "3.6e-4951", 1),
        (BINARY64, "", None),
        (BINARY64, "1e", None),
        (BINARY64, ".", None),
        (BINARY64, "0x", None),
        (BINARY64, "one", None),
    ],
)
def test_text_into_bits(f: FloatFormat, spelled: str, expected: int | None) -> None:
    assert text.parse_float_text(f, spelled) == expected


@given(st.floats(width=64))
def test_doubles_are_shown_as_shortly_as_python_shows_them(value: float) -> None:
    shown = text.show_float_text(BINARY64, double_bits(value))
    if math.isnan(value):
        assert "nan" in shown
    else:
        # In a tie the nearest decimal may need one digit more than the shortest one.
        assert repr(float(shown)) == repr(value)
        assert shown == repr(value) or len(shown) == len(repr(value)) + 1


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals_are_read_as_python_reads_them(value: object) -> None:
    expected = double_bits(float(str(value)))
    assert text.parse_float_text(BINARY64, str(value)) == expected


@pytest.mark.parametrize("f", FORMATS)
def test_what_is_shown_reads_back(f: FloatFormat) -> None:
    for (bits,) in operands(f, 700, 1, seed=21):
        assert text.parse_float_text(f, text.show_float_text(f, bits)) == bits, hex(bits)


FLAGS = ("", "-", "+", " ", "#", "0", "+0", "-#", "0#", " 0")


@pytest.mark.parametrize("f", [BINARY64, X87])
@pytest.mark.parametrize("kind", "aAeEfFgG")
def test_printing_is_that_of_glibc(f: FloatFormat, kind: str) -> None:
    libc = ctypes.CDLL(None)
    generator = random.Random(22)
    values = special_values(f) + [bits for (bits,) in operands(f, 200, 1, seed=23)]
    values += [
        v
        for n in range(-6, 20)
        for v in [text.parse_float_text(f, f"{s}e{n}") for s in ("1", "9.9999995", "2.5")]
        if v
    ]
    buffer = ctypes.create_string_buffer(20_000)
    for bits in values:
        flags = generator.choice(FLAGS)
        width = generator.choice([0, 0, 3, 12, 30])
        precision = generator.choice([None, None, 0, 1, 2, 3, 6, 12, 17, 25])
        points = "" if precision is None else f".{precision}"
        length = "L" if f == X87 else ""
        template = f"%{flags}{width or ''}{points}{length}{kind}".encode()
        if f == X87:
            # An 80-bit value is passed in memory, as a structure of this size is.
            class Slot(ctypes.Structure):
                _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64), ("rest", ctypes.c_uint64)]

            argument: object = Slot(bits & ((1 << 64) - 1), bits >> 64, 0)
        else:
            argument = ctypes.c_double(struct.unpack("<d", bits.to_bytes(8, "little"))[0])
        written = libc.snprintf(buffer, ctypes.c_size_t(20_000), template, argument)
        expected = buffer.raw[:written].decode()
        ours = print_float(f, bits, kind, flags=flags, width=width, precision=precision)
        assert ours == expected, (template, hex(bits))


@pytest.mark.parametrize("how", [(0xFFFFFFE0, 0, 0, 6), (ord("d"), 0, 0, 6), (ord("f"), 0, 0xFFFFFFFF, 6)])
def test_what_no_conversion_asks_for_is_not_known(how: tuple[int, int, int, int]) -> None:
    t = Terms()
    floats = FloatTerms(t)
    one = t.const(0x3FF0000000000000, 64)
    with pytest.raises(UnknownFloatTerm):
        floats.printed_length(BINARY64, one, *(t.const(word, 32) for word in how))
    right = [t.const(word, 32) for word in (ord("f"), 0, 0, 0xFFFFFFFF)]
    assert t.value[floats.printed_length(BINARY64, one, *right)] == len("1.000000")
