"""Which parameters a library function writes through."""

import pytest

from cfrontend.source.written_parameters import written_parameters
from cfrontend.syntax.types import CHAR, INT, CType, PointerType

TEXT, NUMBER = PointerType(CHAR), PointerType(INT)


@pytest.mark.parametrize(
    ("name", "types", "expected"),
    [
        ("strcpy", [TEXT, TEXT], ("typed", "")),
        ("memcpy", [TEXT, TEXT, INT], ("bytes", "", "")),
        ("__memcpy_chk", [TEXT, TEXT, INT, INT], ("bytes", "", "", "")),
        ("bcopy", [TEXT, TEXT, INT], ("", "bytes", "")),
        ("strtol", [TEXT, TEXT, INT], ("", "typed", "")),
        ("qsort", [NUMBER, INT, INT, TEXT], ("bytes", "", "", "")),
        ("sscanf", [TEXT, TEXT, TEXT, NUMBER], ("", "", "typed", "typed")),
        ("sprintf", [TEXT, TEXT, TEXT, NUMBER, INT], ("typed", "", "", "typed", "")),
        ("__sfo_scan_word", [TEXT, INT], ("typed", "")),
        ("of_the_program", [TEXT], None),
    ],
)
def test_written_parameters(name: str, types: list[CType], expected: tuple[str, ...] | None) -> None:
    assert written_parameters(name, types) == expected
