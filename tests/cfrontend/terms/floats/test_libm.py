"""What the C library computes, seen through Python's own use of it."""

import math
import struct

import pytest

from cfrontend.terms.floats import call_libm
from cfrontend.terms.floats.format import BINARY32, BINARY64, X87


def bits(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])


@pytest.mark.parametrize("name", ["sin", "cos", "exp", "log", "atan", "cbrt", "erf"])
def test_doubles_are_those_of_python(name: str) -> None:
    for value in (0.1, 1.0, 2.5, 1e10):
        try:
            expected = getattr(math, name)(value)
        except OverflowError:
            expected = math.inf
        assert call_libm(BINARY64, name, (bits(value),)) == bits(expected)


def test_two_arguments() -> None:
    assert call_libm(BINARY64, "pow", (bits(2.0), bits(0.5))) == bits(math.pow(2, 0.5))


def test_floats_are_computed_as_floats() -> None:
    one = int.from_bytes(struct.pack("<f", 1.0), "little")
    found = call_libm(BINARY32, "sin", (one,))
    assert found is not None
    assert struct.unpack("<f", found.to_bytes(4, "little"))[0] == pytest.approx(math.sin(1), abs=1e-7)


def test_what_the_library_does_not_have_is_not_known() -> None:
    assert call_libm(BINARY64, "nothing_of_this_name", (0,)) is None
    assert call_libm(X87, "sin", (0,)) is None
