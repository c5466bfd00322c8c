"""Functions that gcc knows without a declaration have the types that gcc gives them."""

import re
import subprocess
from pathlib import Path

from cfrontend.elaborate.builtins import builtin_declaration, builtin_declarations
from cfrontend.source.preprocess import HEADERS
from cfrontend.syntax.types import LP64
from tests.conftest import require_tool

PROTOTYPE = re.compile(r"^[a-z][a-z ]* \*?(\w+)\(.*\);$", re.MULTILINE)


def test_gcc_knows_all_functions_of_math_with_these_types(tmp_path: Path) -> None:
    found = list(PROTOTYPE.finditer((HEADERS / "math.h").read_text(encoding="utf-8")))
    names = {one[1] for one in found}
    assert {"asin", "fmaf", "ldexpl"} <= names
    assert all(builtin_declaration(name, LP64).name == name for name in names)
    lines = [f"#if !__has_builtin(__builtin_{name})\n#error {name}\n#endif" for name in sorted(names)]
    path = tmp_path / "known.c"
    path.write_text("\n".join([*lines, *(one[0] for one in found)]))
    command = [require_tool("gcc"), "-fsyntax-only", "-Werror=builtin-declaration-mismatch", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_other_names_are_not_known() -> None:
    assert builtin_declaration("atan3", LP64) is None
    assert builtin_declaration("strtok", LP64) is None
    assert "asin" not in builtin_declarations(LP64)
    assert builtin_declaration("strspn", LP64) is not None
