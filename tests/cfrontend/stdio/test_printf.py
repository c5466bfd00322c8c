import pytest

from cfrontend.stdio.printf import (
    PrintfConversion,
    is_printf_format_parsed,
    parse_printf_format,
    printf_conversions,
)


def conversion(kind: str, text: str, **fields: object) -> PrintfConversion:
    given: dict[str, object] = {"flags": "", "width": None, "precision": None, "length": "", **fields}
    return PrintfConversion(kind=kind, text=text, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (b"", ()),
        (b"plain", (b"plain",)),
        (b"100%%", (b"100", b"%")),
        (b"100%\n", (b"100%\n",)),
        (b"%d%, %)%d", (conversion("d", "%d"), b"%, %)", conversion("d", "%d"))),
        (b"%y%%", (b"%y", b"%")),
        (b"x=%d\n", (b"x=", conversion("d", "%d"), b"\n")),
        (b"%-+5.2lf", (conversion("f", "%-+5.2lf", flags="-+", width=5, precision=2, length="l"),)),
        (b"%.g%Le", (conversion("g", "%.g", precision=0), conversion("e", "%Le", length="L"))),
        (b"%*.*s", (conversion("s", "%*.*s", width="*", precision="*"),)),
        (b"%I64d%'+d", (conversion("d", "%I64d", width=64), conversion("d", "%'+d", flags="+"))),
        (b"%08hhx", (conversion("x", "%08hhx", flags="0", width=8, length="hh"),)),
    ],
)
def test_formats_are_taken_apart(template: bytes, expected: tuple[bytes | PrintfConversion, ...]) -> None:
    assert parse_printf_format(template) == expected


@pytest.mark.parametrize("template", [b"%", b"50%", b"50%\n%", b"%5y", b"%m", b"%n", b"%Ld", b"%hf", b"%hs"])
def test_what_is_not_modelled_is_said(template: bytes) -> None:
    with pytest.raises(ValueError, match=r"'%.*'|a malformed conversion"):
        parse_printf_format(template)


def test_formats_of_wide_characters_are_no_bytes() -> None:
    assert [c.is_wide for c in printf_conversions(b"%ls %s %lc %ld")] == [True, False, True, False]
    assert not is_printf_format_parsed(b"%d %ls")
    assert is_printf_format_parsed(b"%ld %s")


def test_numbered_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="numbered arguments"):
        parse_printf_format(b"%2$d %1$d\n")


def test_stars_take_arguments() -> None:
    assert [c.arguments() for c in printf_conversions(b"%d %*d %-*.*f %%")] == ["d", "dd", "ddf"]
