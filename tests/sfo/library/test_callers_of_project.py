"""Callers of a function are looked for in all files of a build, or nothing is taken for granted of its inputs."""

import json
from pathlib import Path
from typing import Any

import pytest

from sfo.cli import main
from sfo.library.projects import code_of_header


def checked(folder: Path, files: dict[str, str], code: int, *words: str) -> dict[str, Any]:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    commands = [
        {"directory": str(folder), "file": name, "command": f"cc -Iinclude -c {name}"}
        for name in files
        if name.endswith(".c")
    ]
    (folder / "compile_commands.json").write_text(json.dumps(commands))
    out = folder / "out.json"
    given = ["--project", str(folder), "--entry", "f", "--from-callers", *words]
    assert main(["check", *given, "--format", "json", "-o", str(out), "-q"]) == code
    found: dict[str, Any] = json.loads(out.read_text()) if out.exists() else {}
    return found


F = "int f(int n) { return 100 / (n - 7); }\n"


def test_callers_in_other_files_of_the_build_are_known(tmp_path: Path) -> None:
    found = checked(
        tmp_path,
        {
            "f.c": F,
            "a.c": "int f(int); int relay(int x) { return f(x); }\n",
            "b.c": "int relay(int); int f(int); int main(void) { return relay(1) + relay(3) + f(8); }\n",
        },
        0,
    )
    assert found["verdict"] == "safe"
    assert any(
        "all 2 calls of f in the files of the project, and those of relay: --requires 'n == 1 || n == 3 || n == 8'"
        in said
        for said in found["bound"]["assumptions"] + found["notes"]
    )


@pytest.mark.parametrize(
    "files",
    [
        {"b.c": "int f(int); int g(int x) { return f(x); }\n"},
        {"b.c": "int relay(int); int g(int x) { return relay(x); }\n"},
        {"b.c": '#include "both.h"\nint g(int x) { return TWICE(x); }\n', "include/both.h": "int f(int);\n#define TWICE(x) (2 * f(x))\n"},
        {"b.c": '#include "both.h"\n', "include/both.h": '#include "more.h"\n', "include/more.h": "int f(int); static inline int h(int x) { return f(x); }\n"},
    ],
)  # fmt: skip
def test_one_more_caller_gives_anything(tmp_path: Path, files: dict[str, str]) -> None:
    relay = "int f(int); int relay(int x) { return f(x); } int h(void) { return relay(1); }\n"
    assert checked(tmp_path, {"f.c": F, "a.c": relay, **files}, 10)["verdict"] == "violated"


def test_a_function_of_the_same_name_is_another_one(tmp_path: Path) -> None:
    files = {
        "f.c": F,
        "a.c": "int f(int); int h(void) { return f(1); }\n",
        "b.c": "static int f(int n) { return n; } int g(int x) { return f(x); }\n",
    }
    assert checked(tmp_path, files, 0, str(tmp_path / "f.c"))["verdict"] == "safe"


def test_a_file_that_cannot_be_read_takes_all_facts_away(tmp_path: Path) -> None:
    files = {
        "f.c": F,
        "a.c": "int f(int); int h(void) { return f(1); }\n",
        "b.c": "int g(void) { return f(; }\n",
    }
    found = checked(tmp_path, files, 10)
    assert any(
        "b.c may call f and cannot be read: --from-callers knows nothing" in said for said in found["notes"]
    )


def test_the_code_of_a_header_is_its_macros_and_bodies() -> None:
    text = "int f(int);\n#define G(x) \\\n  g(x)\nstruct s { int a; };\nstatic int h(void) { if (1) { return k(); } return 0; }\n"
    assert [part.strip() for part in code_of_header(text)] == [
        "#define G(x) \\\n  g(x)",
        "int a;",
        "if (1) { return k(); } return 0;",
    ]
