"""What native executions of one function need in C text: what a caller sees of it, and objects that are guarded.

    int a_object[4]; int count;   ->   void sfo_final_state(void) {
                                           sfo_state("a_object");
                                           for (...) __sfo_saw(a_object[...]);
                                           sfo_state("count");
                                           __sfo_saw(count);
                                       }

The native fuzzer compares it with that of another version, name by name. Of pointers it sees whether they are null. Its
runtime says where an object lies, so that an access behind it is seen; elsewhere it stays where it is declared:

    static char s_object[5];   ->   static char s_object[5];
                                    #define s_object (*(__typeof__(s_object) *)sfo_guarded(&s_object, ...))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from cfrontend.elaborate.records import ANONYMOUS
from cfrontend.lower.dialect import SETS_JUMPS
from cfrontend.source.contract import HARNESS_FILE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Function
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    StructTypeTable,
    is_complete_type,
)

SAW: Final = "__sfo_saw"
"""Name of the macro that shows a scalar."""

SEEING: Final = (
    "void sfo_saw(const void *value, unsigned long size, int is_pointer);",
    "void sfo_saw_bytes(const void *from_calloc);",
    "void sfo_state(const char *name);",
    f"#define {SAW}(x) do {{ __typeof__(0 ? (x) : (x)) sfo_v = (x); \\",
    "sfo_saw(&sfo_v, sizeof sfo_v, __builtin_classify_type(sfo_v) == 5); } while (0)",
)
"""Declarations of what shows values to the fuzzer."""

_GUARDING: Final = "void *sfo_guarded(void *declared, unsigned long size, unsigned long alignment);"
"""Declaration of what says where an object is."""

_MOST_ELEMENTS: Final = 4096
"""Largest array that is looked at."""


def places_of_jumps(functions: Iterable[Function]) -> set[str]:
    """The names of the variables that setjmp writes to: what registers hold is no state of the program."""
    nodes = [node for function in functions for node in queries.syntax_nodes_within(function.body)]
    buffers = [
        node.arguments[0]
        for node in nodes
        if isinstance(node, tree.Call)
        and isinstance(node.callee, tree.FunctionRef)
        and node.callee.name in SETS_JUMPS
        and node.arguments
    ]
    inside = [node for buffer in buffers for node in queries.syntax_nodes_within(buffer)]
    return {node.symbol.name for node in inside if isinstance(node, tree.VariableRef)}


def seen_state_lines(held: Mapping[str, CType | None], structs: StructTypeTable) -> Iterator[str]:
    """The function that shows the variables ``held``, by name; those without a type are bytes from calloc."""
    yield "__attribute__((no_sanitize_coverage)) void sfo_final_state(void) {"
    for name, ctype in held.items():
        yield f'sfo_state("{name}");'
        if ctype is None:
            yield f"sfo_saw_bytes({name});"
        else:
            yield from _shown(name, ctype, structs, 0)
    yield "}"


def _shown(text: str, ctype: CType, structs: StructTypeTable, depth: int) -> Iterator[str]:
    """Statements that show the scalars at ``text``; unions have none."""
    if isinstance(ctype, IntType | FloatType | PointerType):
        yield f"{SAW}({text});"
    elif isinstance(ctype, ArrayType) and 0 < (ctype.length or 0) <= _MOST_ELEMENTS:
        index = f"sfo_{depth}"
        yield f"{{ unsigned long {index}; for ({index} = 0; {index} < {ctype.length}; {index}++) {{"
        yield from _shown(f"{text}[{index}]", ctype.element, structs, depth + 1)
        yield "}}"
    elif isinstance(ctype, StructType) and is_complete_type(ctype, structs):
        layout = structs[ctype.key]
        for member in () if layout.is_union else layout.members:
            if not member.name.startswith(ANONYMOUS):
                yield from _shown(f"{text}.{member.name}", member.type, structs, depth)
            elif isinstance(member.type, StructType):
                yield from _shown(text, member.type, structs, depth)


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
