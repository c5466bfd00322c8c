"""Input vectors in words."""

from dataclasses import replace
from pathlib import Path

import pytest

import sfo
from cfrontend.errors import Location
from cfrontend.units import InputReading
from sfo.core.executions import MADE_TEXT, Execution, ExecutionInputValue
from sfo.report import inputs, wording


def vector(*values: tuple[str, str, int]) -> Execution:
    at = Location("a.c", 1)
    inputs = tuple(
        ExecutionInputValue(name=name, type=ctype, value=value, location=at) for name, ctype, value in values
    )
    return Execution(id=1, outcome="fail", property=None, inputs=inputs, covered=frozenset())


def text(name: str, data: bytes) -> list[tuple[str, str, int]]:
    return [(f"{name}[{n}]", "char", code - 256 if code > 127 else code) for n, code in enumerate(data)]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([], []),
        ([("x", "int", -3), ("x", "int", 4)], ["x=-3", "x=4"]),
        (text("argv[1]", b"12\0"), ['argv[1]="12"']),
        (text("s", b'a"\\\n\x807\0'), [r's="a\"\\\n\2007"']),
        (text("s", b"ab"), ['s="ab"...']),
        (text("s", b"\0") + text("t", b"\0"), ['s=""', 't=""']),
        (text("s", b"x"), ['s="x"...']),
        ([*text("s", b"ab"), ("n", "int", 1), *text("s", b"c\0")], ['s="ab"...', "n=1", 's="c"']),
        (text("s", b"\0\0\0"), ['s=""']),
        (text("s", b"x\0\0"), ['s="x"']),
        (text("s", b"x\0y\0"), [r's="x\000y"']),
        (
            [("b[0]", "unsigned char", 3), ("b[1]", "unsigned char", 120), ("b[2]", "unsigned char", 0)],
            ["b={3, 120, 0}"],
        ),
        ([("b[0]", "unsigned char", 0), ("b[1]", "unsigned char", 0)], ["b={0, 0}"]),
        ([("b[0]", "signed char", -1)], ["b={-1}"]),
        ([("b[0]", "unsigned char", 104), ("b[1]", "unsigned char", 0)], ['b="h"']),
        ([("s[1]", "char", 65), ("s[0]", "char", 66)], ["s[1]=65", 's="B"...']),
        ([("a[0]", "int", 65), ("a[1]", "int", 0)], ["a[0]=65", "a[1]=0"]),
    ],
)
def test_characters_of_an_array_are_a_text(values: list[tuple[str, str, int]], words: list[str]) -> None:
    assert inputs.described(vector(*values)) == words


def read(name: str, *values: int) -> list[ExecutionInputValue]:
    """What ``getchar`` and its kin read into ``name``, -1 where the input has ended."""
    reading = InputReading(function="next_character")
    return [
        ExecutionInputValue(
            name=name.replace("#", str(n)), type="int", value=v, location=Location("a.c", 1), reading=reading
        )
        for n, v in enumerate(values)
    ]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (read("c", 97, 10, 39, 34, 200, -1), ["c='a'", "c='\\n'", "c='\\''", "c='\"'", "c='\\310'", "c=EOF"]),
        (read("line[#]", 97, 34, 10), ['line="a\\"\\n"']),
        (read("line[#]", 97, 98, -1), ['line="ab"', "line[2]=EOF"]),
        (read("line[#]", -1), ["line[0]=EOF"]),
    ],
)
def test_characters_that_are_read_are_spelled(values: list[ExecutionInputValue], words: list[str]) -> None:
    assert inputs.described(replace(vector(), inputs=tuple(values))) == words


def test_characters_that_scanf_reads_are_spelled() -> None:
    word, single = (
        InputReading(function="__sfo_scan_word", format="%8s"),
        InputReading(function="scanf", format="%d %c"),
    )
    at = Location("a.c", 1)
    given = (
        *(
            ExecutionInputValue(name=f"word[{n}]", type="int", value=code, location=at, reading=word)
            for n, code in enumerate(b"up\0")
        ),
        ExecutionInputValue(name="letter", type="char", value=120, location=at, reading=single),
        ExecutionInputValue(name="other", type="char", value=-1, location=at, reading=single),
        ExecutionInputValue(name="n", type="int", value=7, location=at, reading=replace(single, format="%d")),
    )
    assert inputs.described(replace(vector(), inputs=given)) == [
        'word="up"',
        "letter='x'",
        r"other='\377'",
        "n=7",
    ]


def test_control_characters_of_the_output_are_spelled_as_those_of_inputs() -> None:
    assert wording.quoted_output("a\x13\n\\x13") == r"'a\023\n\\x13'"
    assert wording.quoted_output(None) == "nothing more"


def test_what_was_never_written_is_said_beside_the_text_to_type(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        '#include <stdio.h>\n#include <assert.h>\nint main(void)\n{\n    int n, run;\n    if (scanf("%d", &n) != 1)\n'
        "        return 0;\n    if (n == 3)\n        run++;\n    else\n        run = 0;\n    assert(run != 8);\n    return 0;\n}\n"
    )
    (failing, *_) = sfo.check(path).result.dataset.failing
    assert inputs.failing(failing) == 'the input "3", with run=7, never written'


@pytest.mark.parametrize(("name", "is_shown"), [("io/1.in", False), (f"{MADE_TEXT}1", True)])
def test_a_long_text_is_shown_where_it_stands_in_no_file(name: str, is_shown: bool) -> None:
    failing = replace(vector(("x", "int", 7)), test=name, test_text=b"7 " * 40 + b"-1\n")
    typed = " ".join(["7"] * 40)
    assert inputs.failing(failing) == (
        f'the input "{typed} -1" ({name})' if is_shown else f"the input {name}"
    )


def test_a_check_that_ends_the_output_says_nothing_about_it(tmp_path: Path) -> None:
    right = '#include <stdio.h>\nint main(void)\n{\n    double x = 2.5;\n    printf("x: %.1f\\n", x);\n    return 0;\n}\n'
    (tmp_path / "right.c").write_text(right)
    (tmp_path / "wrong.c").write_text(right.replace("%.1f", "%d"))
    result = sfo.check(tmp_path / "wrong.c", reference=tmp_path / "right.c").result
    (failing, *_) = result.dataset.failing
    assert failing.property == "main.format.1"
    assert wording.printed_instead(failing) == ""


def test_a_number_that_the_last_conversion_does_not_find_is_a_letter() -> None:
    def scanned(name: str, value: int, function: str, line: int) -> ExecutionInputValue:
        reading = InputReading(function=function, format="%d")
        return ExecutionInputValue(
            name=name, type="int", value=value, location=Location("a.c", line), reading=reading
        )

    given = [scanned("scanf()", 1, "__sfo_scanned", 1), scanned("n", 2, "scanf", 1)]
    last = scanned("scanf()", 0, "__sfo_scanned", 2)
    assert inputs.failing(replace(vector(), inputs=(*given, last))) == 'the input "2 x"'
    behind = scanned("scanf()", -1, "__sfo_scanned", 3)
    assert inputs.failing(replace(vector(), inputs=(*given, last, behind))).startswith("scanf()=1 n=2")


def test_values_of_one_name_in_a_row_are_joined() -> None:
    run = vector(*(("nondet_int()", "int", n) for n in range(3)), ("x", "int", 7), ("nondet_int()", "int", 5))
    assert inputs.failing(run) == "nondet_int()=0 1 2 x=7 nondet_int()=5"
    assert inputs.failing(vector(*(("n", "int", n) for n in range(20)))) == "n=0 1 2 3 4 5 6 7 … and 12 more"
    assert inputs.failing(vector()) == "every input"
