"""Values as a person writes them in C and C++: 7, 'a', 7u, (-2147483647 - 1), 0.5f, INFINITY, "text"."""

from __future__ import annotations

import re

from cfrontend.syntax.types import CType, FloatType, IntType
from cfrontend.units import InputNumber


def c_literal(type_: CType, value: InputNumber) -> str:
    """The value as a person writes it in C or C++: 7, 'a', 7u, (-2147483647 - 1), 0.5f, INFINITY."""
    if isinstance(type_, FloatType):
        text = str(value)
        if "nan" in text:
            return "NAN"
        if "inf" in text:
            return "-INFINITY" if text.startswith("-") else "INFINITY"
        if re.fullmatch(r"-?[0-9]+", text):
            text += ".0"
        return text + {"float": "f", "long double": "L"}.get(type_.name, "")
    assert isinstance(type_, IntType)
    number = int(value)
    if type_.name == "char" and 32 <= number < 127:
        return "'" + _escaped(bytes([number]), quote="'") + "'"
    suffix = ""
    if type_.width >= 32 and not type_.signed:
        suffix = "u"
    if type_.width >= 64:
        suffix += "LL" if "long long" in type_.name else "L"
    if type_.signed and type_.width >= 32 and number == -(1 << (type_.width - 1)):
        return f"({number + 1}{suffix} - 1)"
    return f"{number}{suffix}"


def c_text_literal(data: bytes) -> str:
    """Bytes as a literal of C and C++, whatever they are."""
    return '"' + _escaped(data, quote='"') + '"'


def _escaped(data: bytes, quote: str) -> str:
    special = {
        ord(quote): f"\\{quote}",
        ord("\\"): "\\\\",
        ord("\n"): "\\n",
        ord("\t"): "\\t",
        ord("?"): "\\?",
    }
    if quote == "'":
        del special[ord("?")]
    return "".join(special.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data)
