"""Check pragmas: the checks that ``#pragma CPROVER check`` disables and enables, line by line, as CBMC reads it.

#pragma CPROVER check push
#pragma CPROVER check disable "bounds"
x = a[i];                                   ->   {("ring.c", 3): Switch(off={"bounds"})}
#pragma CPROVER check pop
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, final

from cfrontend.errors import Location, UnsupportedError
from cfrontend.record import dataclass
from cfrontend.source.parse.tokens import lines_of_tokens
from cfrontend.source.preprocess import PreprocessedFile


@final
@dataclass(frozen=True, slots=True)
class CheckSwitch:
    """Checks switched on a line: kinds of property that are disabled there, and those that are enabled in any case."""

    off: frozenset[str] = frozenset()
    on: frozenset[str] = frozenset()


_KINDS: Final[Mapping[str, str | None]] = {
    "bounds": "bounds",
    "pointer": "pointer",
    "div-by-zero": "div0",
    "signed-overflow": "overflow",
    "unsigned-overflow": "unsigned-overflow",
    "undefined-shift": "shift",
    "conversion": "conversion",
    "float-overflow": "float-overflow",
    "float-div-by-zero": "float-div0",
    "nan": "nan",
    "memory-leak": None,
    "memory_leak": None,
    "memory-cleanup": None,
    "enum-range": None,
    "pointer-overflow": None,
    "pointer-primitive": None,
}
"""Kind of check by CBMC's name of it; None where there is none, or where it has no place in the text."""

_PRAGMA: Final = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+CPROVER\b[ \t]*(?P<text>.*?)[ \t\r]*$")
_CHECK: Final = re.compile(r'check[ \t]+(?:(push|pop)|(disable|enable)[ \t]+"([^"]*)")$')


def check_switches(preprocessed: PreprocessedFile) -> Mapping[tuple[str, int], CheckSwitch]:
    """Switched checks by file and line. Raises UnsupportedError for a pragma of another form."""
    if "CPROVER" not in preprocessed.text:
        return {}
    found: dict[tuple[str, int], CheckSwitch] = {}
    for file, line, switch in _switched_lines(preprocessed):
        if found.setdefault((file, line), switch) != switch:
            message = "#pragma CPROVER check within a line is not supported yet"
            raise UnsupportedError(message, Location(file, line, 1, line))
    return {place: switch for place, switch in found.items() if switch.off or switch.on}


def _switched_lines(preprocessed: PreprocessedFile) -> Iterator[tuple[str, int, CheckSwitch]]:
    """(file, line, switched checks) of each line with tokens."""
    states = [CheckSwitch()]
    for file, line, text in lines_of_tokens(preprocessed):
        if text.lstrip()[:1] != "#":
            yield file, line, states[-1]
        elif pragma := _PRAGMA.match(text):
            _switch(states, pragma["text"], Location(file, line, 1, line))


def _switch(states: list[CheckSwitch], text: str, location: Location) -> None:
    """Apply one pragma: what ``push`` keeps comes back with ``pop``."""
    match = _CHECK.match(text)
    if match is None or (match[3] is not None and match[3] not in _KINDS):
        raise UnsupportedError(f"#pragma CPROVER {text} is not supported yet", location)
    stacked, switched, name = match.groups()
    if stacked == "push":
        states.append(states[-1])
    elif stacked == "pop":
        states[:] = states[:-1] or [CheckSwitch()]
    elif (kind := _KINDS[name]) is not None:
        one, now = frozenset({kind}), states[-1]
        states[-1] = (
            CheckSwitch(now.off | one, now.on - one)
            if switched == "disable"
            else CheckSwitch(now.off - one, now.on | one)
        )
