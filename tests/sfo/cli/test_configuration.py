"""Options from files: sfo.toml, pyproject.toml and compile_commands.json."""

import json
import os
from pathlib import Path

import pytest

from sfo.cli import main

PROGRAM = 'int nondet_int(void);\nint main(void) { int x = nondet_int(); __CPROVER_assert(x != LIMIT, ""); return x; }\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.c").write_text(PROGRAM, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (
            "sfo.toml",
            'D = ["LIMIT=3"]\nunwind = 5\ncheck = ["assert", "bounds"]\nformat = "json"\nquiet = true\n',
        ),
        ("pyproject.toml", '[project]\nname = "p"\n[tool.sfo]\nD = "LIMIT=3"\nunwind = 5\nformat = "json"\n'),
    ],
)
def test_options_come_from_a_file(
    file: str, text: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / file).write_text(text, encoding="utf-8")
    assert main(["check", "p.c"]) == 10
    data = json.loads(capsys.readouterr().out)
    assert data["bound"]["unwind"] == 5
    assert data["executions"][0]["inputs"][0]["value"] == "3"


def test_the_command_line_comes_first_and_other_commands_are_not_disturbed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "sfo.toml").write_text('D = ["LIMIT=3"]\nunwind = 5\nmeasure = "ochiai"\n', encoding="utf-8")
    assert main(["check", "p.c", "--unwind", "2", "--format", "json"]) == 10
    assert json.loads(capsys.readouterr().out)["bound"]["unwind"] == 2
    assert main(["show", "p.c"]) == 0


def test_an_option_whose_value_may_be_left_out_is_true_in_a_file(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for text, more in (("passing = true\n", []), ("", ["--passing"])):
        (here / "sfo.toml").write_text(f'D = "LIMIT=3"\n{text}', encoding="utf-8")
        assert main(["localize", "p.c", "--format", "json", "--rank", "coverage", *more]) == 0
        found.append(len(json.loads(capsys.readouterr().out)["executions"]))
    assert found[0] == found[1] > 1


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("sfo.toml", "unwind = 5\n\nunwnid = 3\n", "sfo.toml:3: unknown option 'unwnid'"),
        (
            "pyproject.toml",
            "[tool.x]\nunwnid = 1\n[tool.sfo]\nunwnid = 3\n",
            "pyproject.toml:4: unknown option 'unwnid'",
        ),
        ("sfo.toml", '\nunwind = "many"\n', "sfo.toml:2: Invalid value for '--unwind': 'many' is neither"),
        ("sfo.toml", "quiet = 3\n", "sfo.toml:1: 'quiet' is true or false"),
        ("sfo.toml", "unwind = true\n", "sfo.toml:1: 'unwind' takes a value"),
        ("sfo.toml", "unwind = {a = 3}\n", "sfo.toml:1: 'unwind' has a text"),
        ("sfo.toml", "unwind = \n", "sfo.toml:1:10: this is no TOML: Invalid value"),
        ("sfo.toml", "[tool.sfo]\nunwind = 5\n", "sfo.toml:1: in sfo.toml options stand without the table"),
        ("sfo.toml", "passing = false\n", "sfo.toml:1: 'passing' takes a value"),
        ("sfo.toml", "unwind = 5\n[unwnid]\nx = 1\n", "unknown option 'unwnid'"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_line(
    file: str, text: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / file).write_text(text, encoding="utf-8")
    assert main(["check", "p.c", "-D", "LIMIT=3"]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("sfo: ") == 1


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(
    "entry",
    [
        {"arguments": ["cc", "-Iinc", "-D", "UNUSED", "-std=gnu11", "-include", "limit.h", "-c", "p.c"]},
        {"command": "cc -I inc -DLIMIT='(1 + 2)' -c p.c"},
    ],
)
def test_flags_come_from_compile_commands(
    entry: dict[str, object], here: Path, capsys: pytest.CaptureFixture[str], *, named: bool
) -> None:
    (here / "inc").mkdir()
    (here / "limit.h").write_text("#include <limit_value.h>\n", encoding="utf-8")
    (here / "inc" / "limit_value.h").write_text("#define LIMIT 3\n", encoding="utf-8")
    name = "build.json" if named else "compile_commands.json"
    (here / name).write_text(json.dumps([{"directory": ".", "file": "p.c", **entry}]), encoding="utf-8")
    more = ["--compile-commands", name] if named else []
    assert main(["check", "p.c", "--format", "json", *more]) == 10
    assert json.loads(capsys.readouterr().out)["executions"][0]["inputs"][0]["value"] == "3"


@pytest.mark.parametrize(
    ("flags", "value"), [(["-O2", "-D_FORTIFY_SOURCE=2"], "1"), (["-O2", "-O0"], "2"), ([], "2")]
)
def test_the_macros_are_those_of_a_build_that_optimises(
    flags: list[str], value: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some headers of the system include others only there; checks of the library are no part of the program."""
    limit = "#if __OPTIMIZE__ && !defined _FORTIFY_SOURCE\n#define LIMIT 1\n#else\n#define LIMIT 2\n#endif\n"
    (here / "p.c").write_text(limit + PROGRAM, encoding="utf-8")
    entry = {"directory": ".", "file": "p.c", "arguments": ["cc", *flags, "-c", "p.c"]}
    (here / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
    assert main(["check", "p.c", "--format", "json"]) == 10
    assert json.loads(capsys.readouterr().out)["executions"][0]["inputs"][0]["value"] == value


@pytest.mark.parametrize(
    ("flags", "value"),
    [
        (["-DLIMIT=1", "-ULIMIT", "-D", "LIMIT=2"], "2"),
        (["-U", "LIMIT", "-DLIMIT=1"], "1"),
        (["-DLIMIT=0", "-imacros", "limit.h"], "7"),
        (["-idirafter", "inc", "-include", "limit.h"], "7"),
        (["-m32", "-DLIMIT=sizeof(long)"], "4"),
    ],
)
def test_flags_mean_what_they_mean_to_the_compiler(
    flags: list[str], value: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "inc").mkdir()
    (here / "inc" / "value.h").write_text("#define SEVEN 7\n", encoding="utf-8")
    (here / "limit.h").write_text(
        '#undef LIMIT\n#define LIMIT 7\n#if __has_include("value.h")\n#endif\n', encoding="utf-8"
    )
    entry = {"directory": ".", "file": "p.c", "arguments": ["cc", *flags, "-c", "p.c"]}
    (here / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
    assert main(["check", "p.c", "--format", "json", "--native", "off"]) == 10
    assert json.loads(capsys.readouterr().out)["executions"][0]["inputs"][0]["value"] == value


def write_two_files_with_other_macros(here: Path) -> None:
    texts = {
        "a.c": "int other(void);\nint f(int x) { int y = x; return y < 0 ? MODE : other(); }\n",
        "b.c": "#ifdef ONLY_A\n#error\n#endif\nint other(void) { return MODE; }\n",
    }
    flags = {"a.c": ["-DMODE=1", "-DONLY_A"], "b.c": ["-DMODE=2"]}
    for name, text in texts.items():
        (here / name).write_text(text, encoding="utf-8")
    entries = [
        {"directory": ".", "file": name, "arguments": ["cc", *flags[name], "-c", name]} for name in texts
    ]
    (here / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")


@pytest.mark.parametrize("command", ["check", "localize"])
def test_each_file_has_its_own_macros(command: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also natively, and in edits that are verified."""
    write_two_files_with_other_macros(here)
    words = ["a.c", "b.c", "--entry", "f", "--format", "json"]
    assert main([command, *words, "--ensures", "__sfo_result == (x < 0 ? 1 : 2)"]) == (
        0 if command == "check" else 4
    )
    capsys.readouterr()
    assert main([command, *words, "--ensures", "__sfo_result == 2"]) == (10 if command == "check" else 0)
    data = json.loads(capsys.readouterr().out)
    assert {int(execution["inputs"][0]["value"]) < 0 for execution in data["executions"]} == {True}
    if command == "localize":
        assert data["repairs"]


def test_unit_tests_are_not_written_for_files_with_other_macros(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_two_files_with_other_macros(here)
    assert main(["generate", "a.c", "b.c", "--entry", "f", "-o", "suite", "--as", "cmocka"]) == 2
    assert "compile all files with the same macros" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["-funsigned-char", "-fshort-enums", "-fpack-struct=1"])
def test_a_flag_that_changes_types_is_an_error(
    flag: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = {"directory": ".", "file": "p.c", "arguments": ["cc", "-DLIMIT=1", flag, "-c", "p.c"]}
    (here / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
    assert main(["check", "p.c"]) == 3
    assert f"p.c is compiled with {flag}, which is not supported" in capsys.readouterr().err


def test_the_nearest_database_above_a_file_counts(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "src" / "deep").mkdir(parents=True)
    (here / "src" / "deep" / "q.c").write_text((here / "p.c").read_text(encoding="utf-8"), encoding="utf-8")
    for folder, limit in ((here, 4), (here / "src", 3)):
        entry = {"directory": str(here), "file": "src/deep/q.c", "arguments": ["cc", f"-DLIMIT={limit}"]}
        (folder / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
        assert main(["check", "src/deep/q.c", "--format", "json"]) == 10
        value = json.loads(capsys.readouterr().out)["executions"][0]["inputs"][0]["value"]
        assert value == str(limit)


@pytest.mark.parametrize("surroundings", ["repository", "common folder"])
def test_a_database_of_others_does_not_count(
    surroundings: str, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "src").mkdir()
    (here / "p.c").rename(here / "src" / "p.c")
    entry = {"directory": str(here), "file": "src/p.c", "arguments": ["cc", "-DLIMIT=3"]}
    (here / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
    assert main(["check", "src/p.c", "-q"]) == 10
    if surroundings == "repository":
        (here / "src" / ".git").mkdir()
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 1 + here.stat().st_uid)
    capsys.readouterr()
    assert main(["check", "src/p.c", "-q"]) == 3
    assert "LIMIT" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "build.json has no command for p.c"),
        ("{}", "build.json is no list of commands"),
        ("[", "build.json:1:2: not JSON"),
        ('[{"directory": ".", "file": "p.c", "command": "cc \'"}]', "cannot be taken apart"),
    ],
)
def test_a_broken_database_is_said(
    text: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "build.json").write_text(text, encoding="utf-8")
    assert main(["check", "p.c", "--compile-commands", "build.json"]) == 2
    assert said in capsys.readouterr().err
