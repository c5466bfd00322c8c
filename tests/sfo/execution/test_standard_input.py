"""Standard input: what is read of it is what gcc's programs read.

What is written for an execution is that execution.
"""

import random
import subprocess
from pathlib import Path

import pytest

from cfrontend.errors import UsageError
from cfrontend.program import Program, ProgramOptions, load_c_program
from sfo.core.executions import Execution
from sfo.execution.test_import import execute_imported_text
from sfo.execution.test_import.cases import TextTestCase
from sfo.execution.test_import.execute import execute_imported_test
from sfo.formats.standard_input_text import standard_inputs
from tests.conftest import require_tool

HEAD = "#include <stdio.h>\nint main(void)\n{\n"

CALLS = {
    "two numbers": 'int a = 7, b = 7, n = scanf("%d,%d", &a, &b); printf("%d %d %d", n, a, b);',
    "blanks": 'int a = 7, b = 7, n = scanf(" %d %d\\n", &a, &b); printf("%d %d %d", n, a, b);',
    "bases": 'unsigned a = 7, b = 7; int c = 7, n = scanf("%x%o%i", &a, &b, &c); printf("%d %u %u %d", n, a, b, c);',
    "lengths": "signed char a = 7; unsigned short b = 7; long c = 7; unsigned long long d = 7;"
    ' int n = scanf("%hhd%hu%ld%llu", &a, &b, &c, &d); printf("%d %d %d %ld %llu", n, a, b, c, d);',
    "widths": 'int a = 7, b = 7, n = scanf("%2d%3d", &a, &b); printf("%d %d %d", n, a, b);',
    "word": 'char w[9] = "-"; int a = 7, n = scanf("%8s%d", w, &a); printf("%d %s %d", n, w, a);',
    "set": 'char w[9] = "-", v[9] = "-"; int n = scanf("%4[a-c1]%8[^,]", w, v); printf("%d %s %s", n, w, v);',
    "characters": 'char a = \'-\', w[4] = "---"; int n = scanf("%c%3c", &a, w); printf("%d %c %.3s", n, a, w);',
    "skipped": 'int a = 7, n = scanf("%*d-%d;", &a); printf("%d %d", n, a);',
    "percent": 'int a = 7, n = scanf("%d%%", &a); printf("%d %d", n, a);',
    "real": 'double a = 7; float b = 7; int n = scanf("%lf%f", &a, &b); printf("%d %d %d", n, a < 2.5, b == 0.5f);',
}
"""One call each, and what it stores."""

REST = ' int left, sum = 0, at = 0; while ((left = getchar()) != EOF && at < 40) sum = 31 * sum + left + ++at; printf(" %d\\n", sum);'
"""What is left is read character by character."""

LOOP = """\
    int a, sum = 0, count = 0;
    char w[4];
    while (count < 5 && scanf("%d", &a) == 1) {
        sum += a;
        count++;
        if (scanf("%3s", w) != 1)
            break;
        printf("%s;", w);
    }
    int c = getchar();
    printf("%d %d %d\\n", sum, count, c);
    char line[6];
    while (fgets(line, sizeof line, stdin) && count++ < 9)
        printf("<%s>", line);
    return sum > 100;
"""

ALPHABET = [
    "1",
    "2",
    "07",
    "0x1f",
    "-",
    "+",
    " ",
    "\n",
    "\t",
    ",",
    "a",
    "bc",
    "x",
    "%",
    ".",
    "5",
    "99999999999",
    ";",
    "e3",
    "e",
    "2.5",
    "0.5",
    "\r",
]


def source(tmp_path: Path, body: str) -> Path:
    path = tmp_path / "program.c"
    path.write_text(f"{HEAD}{body}\n    return 0;\n}}\n")
    return path


def texts(seed: int, count: int) -> list[bytes]:
    chosen = random.Random(seed)
    made = ["".join(chosen.choices(ALPHABET, k=chosen.randrange(9))).encode() for _ in range(count)]
    return [b"", b"\n", b"12,34", b"12 34 56 78", b"a1b,c", b"3%", b"1-2;", b"inf nan", *made]


def native(path: Path, tmp_path: Path) -> Path:
    binary = tmp_path / "native"
    subprocess.run([require_tool("gcc"), "-w", "-o", binary, path], check=True)
    return binary


def ran(program: Program, data: bytes) -> Execution | None:
    """The execution on a text; None where the text is one that is said not to be modelled."""
    try:
        return execute_imported_test(program, TextTestCase(name="text", data=data), 1)[0]
    except UsageError as error:
        if "not modelled" not in str(error):
            raise
        return None


def is_text_of(run: Execution, text: bytes, program: Program) -> bool:
    try:
        output = execute_imported_text(program, text, run)
        return output is not None and output.printed == run.output.encode()
    except UsageError:
        return False


@pytest.mark.parametrize("name", CALLS)
def test_what_a_program_reads_is_what_it_reads_natively(name: str, tmp_path: Path) -> None:
    path = source(tmp_path, CALLS[name] + REST)
    program, binary = load_c_program([str(path)], ProgramOptions()), native(path, tmp_path)
    runs = [(data, ran(program, data)) for data in texts(len(name), 25)]
    assert sum(run is None for _, run in runs) < (len(runs) / 3 if name in {"characters", "real"} else 1)
    for data, run in runs:
        printed = subprocess.run([binary], input=data, capture_output=True, check=True).stdout
        assert run is None or run.output.encode() == printed, data


def test_a_loop_of_calls_reads_what_it_reads_natively(tmp_path: Path) -> None:
    path = source(tmp_path, LOOP)
    program, binary = load_c_program([str(path)], ProgramOptions()), native(path, tmp_path)
    for data in texts(1, 40):
        printed = subprocess.run([binary], input=data, capture_output=True, check=False).stdout
        run = ran(program, data)
        assert run is not None
        assert run.output.encode() == printed, data


@pytest.mark.parametrize("body", [*CALLS.values(), LOOP])
def test_an_execution_of_a_text_has_a_text(body: str, tmp_path: Path) -> None:
    program = load_c_program([str(source(tmp_path, body + ("" if body == LOOP else REST)))], ProgramOptions())
    for data in texts(2, 12):
        run = ran(program, data)
        assert run is None or any(is_text_of(run, text, program) for text in standard_inputs(run.inputs)), (
            data
        )


@pytest.mark.parametrize("form", ["d", "f", "i", "x"])
def test_a_number_that_is_read_behind_a_failed_conversion_has_a_text(form: str, tmp_path: Path) -> None:
    type_ = {"f": "float", "x": "unsigned"}.get(form, "int")
    body = f'{type_} a = 0, b = 0, c = 0; int n = 0; n += scanf("%{form}", &a) == 1;\n'
    body += f'n += 2 * (scanf("%{form}", &b) == 1); n += 4 * (scanf("%{form}", &c) == 1); return n;'
    program = load_c_program([str(source(tmp_path, body))], ProgramOptions())
    run = ran(program, b"1 - 3")
    assert run is not None
    assert [value.value for value in run.inputs] in ([1, 1, 0, 1, 3], [1, "1.0", 0, 1, "3.0"])
    assert any(is_text_of(run, text, program) for text in standard_inputs(run.inputs))


@pytest.mark.parametrize(
    ("body", "data", "message"),
    [
        ('int n; scanf("%d", &n); return n;', b"x", "the input does not fit the format '%d' of n at"),
        ("int n; return n;", b"1", "n, declared at {}:4:5, is read before anything is written to it"),
        ("extern int nondet_int(void); return nondet_int();", b"1", "is not read from the standard input"),
    ],
)
def test_texts_that_a_program_cannot_be_given(body: str, data: bytes, message: str, tmp_path: Path) -> None:
    path = source(tmp_path, body)
    program = load_c_program([str(path)], ProgramOptions())
    with pytest.raises(UsageError) as error:
        ran(program, data)
    assert message.format(path) in str(error.value)


def test_what_stands_in_no_text_is_as_if_nothing_were_there(tmp_path: Path) -> None:
    body = """
    srand(time(NULL));
    system("clear");
    int n;
    if (scanf("%d", &n) == 1)
        printf("%d %d %ld\\n", n, getenv("HOME") == NULL, (long)clock());
    return system("true");
    """
    run = ran(load_c_program([str(source(tmp_path, body))], ProgramOptions()), b"4")
    assert run is not None
    assert run.output == "4 1 0\n"
    assert run.ended == "returned 0" or run.property is None
