"""Functions that programs call without declaring them, with the types gcc and the verifiers give them.

The prototypes are C themselves, in ``builtins.h``, but for the types ``SIZE``, ``INT64`` and ``UINT64``.

    x = __VERIFIER_nondet_uint();   ->   unsigned int, not the int of an implicit declaration
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from pycparser import c_ast

from cfrontend.source.parse import parse_file
from cfrontend.source.preprocess import PreprocessedFile
from cfrontend.syntax.types import LLONG, DataModelOfTypes

_PROTOTYPES = Path(__file__).parent / "builtins.h"


@cache
def builtin_declarations(model: DataModelOfTypes) -> dict[str, Any]:
    """Name to pycparser declaration."""
    text = _PROTOTYPES.read_text(encoding="utf-8")
    wide = "long" if model.long.width == LLONG.width else "long long"
    for word, ctype in (("UINT64", f"unsigned {wide}"), ("INT64", wide), ("SIZE", str(model.size))):
        text = re.sub(rf"\b{word}\b", ctype, text)
    parsed = parse_file(PreprocessedFile("<built-in>", text, {}))
    return {node.name: node for node in parsed.tree.ext if isinstance(node, c_ast.Decl)}
