"""Guarded objects of a harness, as C text for native executions: each lies where an access behind it is seen.

    static char s_object[5];   ->   static char s_object[5];
                                    #define s_object (*(__typeof__(s_object) *)sfo_guarded(&s_object, ...))

The runtime of the native fuzzer says where; elsewhere the objects stay where they are declared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cfrontend.source.contract import HARNESS_FILE
from cfrontend.syntax.types import CType, StructTypeTable

_GUARDING: Final = "void *sfo_guarded(void *declared, unsigned long size, unsigned long alignment);"
"""Declaration of what says where an object is."""


def guarded_object_lines(
    lines: Sequence[str], begin: str, held: Mapping[str, CType | None], structs: StructTypeTable
) -> list[str]:
    """The ``lines`` of a harness in which the objects ``held`` are guarded from the line ``begin`` on.

    Those without a type come from calloc. The first line says that what follows is ``HARNESS_FILE`` from line 1 on.
    A name that some structure has for a member, too, is left alone.
    """
    members = {member.name for layout in structs.values() for member in layout.members}
    at = lines.index(begin)
    guards = [
        f"#define {name} (*(__typeof__({name}) *)sfo_guarded((void *)&{name}, sizeof {name}, __alignof__({name})))"
        for name, ctype in held.items()
        if ctype is not None and name not in members
    ]
    added = [_GUARDING, *guards, f'#line {at} "{HARNESS_FILE}"'] if guards else []
    return [*lines[:at], *added, *lines[at:]]
