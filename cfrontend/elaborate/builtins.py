"""Functions that programs call without declaring them, with the types gcc and the verifiers give them.

The prototypes are C themselves, in ``builtins.h``.

    x = __VERIFIER_nondet_uint();   ->   unsigned int, not the int of an implicit declaration
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from pycparser import c_ast

from cfrontend.parse import parse
from cfrontend.preprocess import PreprocessedFile

_PROTOTYPES = Path(__file__).parent / "builtins.h"


@cache
def builtin_declarations() -> dict[str, Any]:
    """Name to pycparser declaration."""
    text = _PROTOTYPES.read_text(encoding="utf-8")
    parsed = parse(PreprocessedFile("<built-in>", text, {}))
    return {node.name: node for node in parsed.tree.ext if isinstance(node, c_ast.Decl)}
