"""docs/c-library.md is true: its table is made of headers, models and intrinsics; what it says is refused is refused.

`pytest tests/cfrontend/stdlib/library/test_table.py --update-golden` writes the table.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pycparser import c_ast

from cfrontend.bound import Bound
from cfrontend.errors import UnsupportedError
from cfrontend.lower.intrinsic_registry import INTRINSICS
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.source.parse import parse_file
from cfrontend.source.preprocess import HEADERS, preprocess
from cfrontend.stdlib.models import library_models
from cfrontend.stdlib.supported import is_supported_function

DOCUMENT = Path("docs/c-library.md")
ROWS = re.findall(
    r"^\| `([\w/]+\.h)` \| (.*?) \| ?(.*?) ?\|$",
    DOCUMENT.read_text(encoding="utf-8"),
    re.MULTILINE,
)
SUPPORTED = {header: set(re.findall(r"`(\w+)`", supported)) for header, supported, _ in ROWS}
REFUSED = {header: set(re.findall(r"`(\w+)`", refused)) for header, _, refused in ROWS}
OPERATOR = re.compile(r"^#define (\w+)\([^)]*\) (__builtin_\w+)\(", re.MULTILINE)
"""A macro of a header that stands for an operator."""

BEGIN = "<!-- made of the headers, the models and the intrinsics -->\n"
END = "\n<!-- until here -->"
OF_REALS = {"complex.h", "math.h", "tgmath.h"}
"""Headers of which the page on semantics says what is computed exactly, and what is refused."""

BEHIND = re.compile(
    r"__sfo_\w+|__\w+_chk|__ctype_\w+|__errno_location|__builtin_\w+|std(in|out|err)|errno|opt(arg|ind|err|opt)"
    r"|environ|(__xpg_)?(basename|strerror_r)|error_message_count|error_one_per_line|sched_yield"
)
"""Models behind other names, and variables."""


def declared(header: str) -> dict[str, int]:
    """How many parameters each function has that the header itself declares, in order."""
    return {
        node.name: len([p for p in getattr(node.type.args, "params", ()) if not is_void(p)])
        for node in parse_file(preprocess(str(HEADERS / header))).tree.ext
        if isinstance(node, c_ast.Decl)
        and isinstance(node.type, c_ast.FuncDecl)
        and Path(node.coord.file) == HEADERS / header
        and not node.name.startswith("__")
    }


def is_void(parameter: c_ast.Node) -> bool:
    names = getattr(getattr(getattr(parameter, "type", None), "type", None), "names", None)
    return names == ["void"] or isinstance(parameter, c_ast.EllipsisParam)


def rows() -> Iterator[str]:
    yield "| Header | Modelled or built in | Refused |"
    yield "|---|---|---|"
    for header in sorted({path.relative_to(HEADERS).as_posix() for path in HEADERS.rglob("*.h")} - OF_REALS):
        macros = OPERATOR.findall((HEADERS / header).read_text(encoding="utf-8"))
        names = [*declared(header), *(name for name, operator in macros if operator in INTRINSICS)]
        supported = " ".join(f"`{name}`" for name in names if is_supported_function(name))
        refused = " ".join(f"`{name}`" for name in names if not is_supported_function(name))
        if names:
            yield f"| `{header}` | {supported} | {refused} |".replace("  |", " |")


def test_the_table_is_the_one_that_is_made(check_golden: Callable[[Path, str], None]) -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    assert document.count(BEGIN) == document.count(END) == 1
    before, _, rest = document.partition(BEGIN)
    made = "\n".join(rows())
    check_golden(DOCUMENT, f"{before}{BEGIN}{made}{END}{rest.partition(END)[2]}")


def test_every_model_is_in_the_table() -> None:
    functions = {name for name in library_models() if not BEHIND.fullmatch(name)}
    reals = {name for name, model in library_models().items() if model.path.stem in {"math", "math_pairs"}}
    assert functions - reals <= set().union(*SUPPORTED.values())


@pytest.mark.parametrize("header", sorted(header for header, names in REFUSED.items() if names))
def test_what_is_refused_is_refused_by_name_where_it_is_called(header: str, tmp_path: Path) -> None:
    parameters = declared(header)
    for name in sorted(REFUSED[header]):
        source = tmp_path / "program.c"
        call = f"{name}({', '.join('0' * parameters[name])})"
        text = f"#include <{header}>\nint main(int argc, char **argv) {{\n  if (argc > 1)\n    {call};\n  return 0;\n}}\n"
        source.write_text(text, encoding="utf-8")
        assert encode_program(load_c_program([str(source)], ProgramOptions()), Bound(unwind=1)).passing
        with pytest.raises(
            UnsupportedError, match=rf":4:5: .*\b{name}\b.* is not supported yet|:4:5: floating point"
        ):
            encode_program(load_c_program([str(source)], ProgramOptions(argv=2)), Bound(unwind=1))


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        (
            "#include <unistd.h>\nint main(void) { return fork(); }\n",
            "p.c:2:25: .*'fork'.*; there is one process",
        ),
        (
            "#include <regex.h>\nint main(void) { regex_t r; return regcomp(&r, 0, 0); }\n",
            "p.c:2:36: .*'regcomp'.*; write out",
        ),
        (
            "#include <sys/stat.h>\nint main(void) { return mkfifo(0, 0); }\n",
            "p.c:2:25: .*'mkfifo'.*; define it",
        ),
    ],
)
def test_a_refusal_says_what_to_do(text: str, advice: str, tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(text, encoding="utf-8")
    with pytest.raises(UnsupportedError, match=advice):
        encode_program(load_c_program([str(source)], ProgramOptions()), Bound(unwind=1))
