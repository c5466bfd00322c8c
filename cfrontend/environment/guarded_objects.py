"""Guarded objects of a harness, as C text for native executions: each lies where an access behind it is seen.

    static char s_object[5];   ->   static char s_object[5];
                                    #define s_object (*(__typeof__(s_object) *)sfo_guarded(&s_object, ...))

The runtime of the native fuzzer says where; elsewhere the objects stay where they are declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cfrontend.source.contract import HARNESS_FILE
from cfrontend.syntax.types import StructTypeTable

GUARDING: Final = "void *sfo_guarded(void *declared, unsigned long size, unsigned long alignment);"
"""Declaration of what says where an object is."""


def guarded_object_lines(
    lines: Sequence[str], begin: str, names: Iterable[str], structs: StructTypeTable
) -> list[str]:
    """The ``lines`` of a harness in which the objects ``names`` are guarded from the line ``begin`` on.

    The first one says that what follows are the lines of ``HARNESS_FILE`` from 1 on. A name that some structure has
    for a member, too, is left alone.
    """
    members = {member.name for layout in structs.values() for member in layout.members}
    at = lines.index(begin)
    guards = [
        f"#define {name} (*(__typeof__({name}) *)sfo_guarded((void *)&{name}, sizeof {name}, __alignof__({name})))"
        for name in names
        if name not in members
    ]
    place = [f'#line {at} "{HARNESS_FILE}"'] if guards else []
    return [*lines[:at], *guards, *place, *lines[at:]]
