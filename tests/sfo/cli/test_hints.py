"""What a new user meets first: the help, and messages on what somebody else's tool would have taken."""

import shlex
from pathlib import Path

import pytest

from sfo import cli
from sfo.cli import COMMANDS, GROUPS, _command
from sfo.library.option_table import COMMAND_EXAMPLES, FIRST_OPTIONS, GROUP_EXAMPLES, options_of_command


def test_each_command_stands_below_one_heading() -> None:
    assert sorted(name for _, names in GROUPS.values() for name in names) == sorted(COMMANDS)
    assert len(GROUPS) == 4


@pytest.mark.parametrize("command", FIRST_OPTIONS)
def test_the_first_options_are_few_and_alone_in_the_short_help(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(FIRST_OPTIONS[command]) <= 10
    options = {option.key: option for option in options_of_command(command)}
    assert cli.main([command, "-h"]) == 0
    short = capsys.readouterr().out
    for key, option in options.items():
        flag = option.flags.partition("/")[0].split()[-1]
        assert (f"  {flag} " in short or f", {flag} " in short) == (key in FIRST_OPTIONS[command]), flag
    assert f"sfo {command} --help shows all {len(options)} options." in short
    assert cli.main([command, "--help"]) == 0
    whole = capsys.readouterr().out
    assert all(option.flags.split()[-1].partition("/")[0] in whole for option in options.values())


EXAMPLES = [
    *(example for examples in COMMAND_EXAMPLES.values() for example in examples),
    *(f"sfo localize x.c {shown}" for shown in GROUP_EXAMPLES.values()),
    *(example for example, _ in GROUPS.values()),
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_of_the_help_are_commands(example: str) -> None:
    name, *words = shlex.split(example)[1:]
    _command(name).make_context(f"sfo {name}", words).close()


def test_options_of_an_example_are_those_of_its_heading() -> None:
    groups = {
        flag: one.group
        for one in options_of_command("localize")
        for flag in one.flags.replace("/", " ").split()
    }
    for heading, shown in GROUP_EXAMPLES.items():
        flags = [word.partition("=")[0] for word in shlex.split(shown) if word.startswith("-")]
        assert {groups[flag] for flag in flags} == {heading}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["localize", "x.c", "--pasing"], "sfo localize has no option --pasing: did you mean --passing?"),
        (
            ["localize", "x.c", "--ensure", "x"],
            "sfo localize has no option --ensure: did you mean --ensures?",
        ),
        (
            ["localize", "x.c", "--frobnicate"],
            "sfo localize has no option --frobnicate: 'sfo localize -h' lists",
        ),
        (
            ["check", "x.c", "--io", "d"],
            "check has no option --io: localize, explain, repair and batch have it",
        ),
    ],
)
def test_a_misspelt_option(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.c", b"\x7fELF\x02\x01\x01\0\0\0", "this file is no text: give the C source of the program"),
        ("a.cpp", b"class A { int x; };\nint main() { return 0; }\n", "this is C++, and sfo reads C"),
        ("a.c", b"#include <iostream>\nint main() { return 0; }\n", "this is C++, and sfo reads C"),
        ("a.c", b"template <class T> T most(T a);\n", "this is C++, and sfo reads C"),
    ],
)
def test_a_file_that_is_no_c(
    name: str, content: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(content)
    assert cli.main(["localize", str(tmp_path / name)]) == 3
    assert said in capsys.readouterr().err.splitlines()[0]


def test_two_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / "a.c", tmp_path / "b.c"]
    for file in files:
        file.write_text("int main(void) { return 0; }\n")
    assert cli.main(["localize", *map(str, files)]) == 3
    assert "two programs? 'sfo batch DIR' looks at each file" in capsys.readouterr().err


def test_an_error_shows_its_line_with_a_caret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.c"
    file.write_text("int main(void)\n{\n\tint x = 1 return x;\n}\n")
    assert cli.main(["localize", str(file)]) == 3
    said = capsys.readouterr().err.splitlines()
    assert said[0].endswith("x.c:3:12: syntax error before 'return'")
    assert said[1:] == ["     3 |         int x = 1 return x;", "       |                   ^^^^^^"]
