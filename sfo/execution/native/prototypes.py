"""Prototypes that a native build puts before the text of a program, for what it calls undeclared."""

from __future__ import annotations

import re
from typing import Final

from cfrontend.elaborate.calls import CONDITION_FUNCTIONS
from cfrontend.source.preprocess import is_preprocessed_library_file
from cfrontend.syntax import tree

_WORD: Final = re.compile(r"[A-Za-z_]\w*")


def prototypes_for_gcc(program: tree.TranslationUnit) -> str:
    """Prototypes of functions that the program uses undeclared: gcc would take all of them for ``int f()``.

    What a condition is given for may be a pointer, of which the callee would see the lowest byte. Where only
    ``__builtin_strcmp`` is called, gcc knows it, and a header may declare ``strcmp``.
    """
    own = [lines for file, lines in program.files.items() if not is_preprocessed_library_file(file)]
    text = "\n".join(line for lines in own for line in lines)
    words = frozenset(_WORD.findall(text))
    lines: list[str] = []
    for name, ctype in sorted(program.implicit.items()):
        if f"__builtin_{name}" in words and name not in words:
            continue
        parameters = ", ".join([str(each) for each in ctype.parameters] + ["..."] * ctype.variadic)
        if not ctype.prototyped:
            parameters = "_Bool, ..." if name in CONDITION_FUNCTIONS - {"assert"} else ""
        elif not parameters:
            parameters = "void"
        if ctype.prototyped or parameters:
            lines.append(f"{ctype.result} {name}({parameters});")
    return " ".join(lines)
