"""A crash to start from: reports that gcc's sanitizers write lead to the property and the functions that they name."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cfrontend.errors import UsageError
from sfo.cli import main
from sfo.formats.crash_reports import parse_crash_report
from sfo.library.analyses import localize
from tests.conftest import require_tool

SOURCE = """\
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct list { int head; struct list *tail; };
static int pick(const int *table, int n)
{
    return table[n];                            /* heap */
}
static int second(const struct list *p)
{
    return p->tail->head;                       /* null */
}
static int half(int n)
{
    return 100 / n;                             /* zero */
}
static int cut(const char *word)
{
    char name[4];
    strcpy(name, word);                         /* stack */
    return name[0];
}
int limit(int n)
{
    return n > 4 ? 4 : n;                       /* FAULT */
}
int main(void)
{
    int kind, n;
    if (scanf("%d %d", &kind, &n) != 2)
        return 0;
    int *table = malloc(4 * sizeof *table);
    if (!table)
        return 0;
    memset(table, 0, 4 * sizeof *table);
    struct list one = {n, NULL};
    n = limit(n);
    if (n < 0)
        n = 0;
    switch (kind) {
    case 0: n = pick(table, n); break;
    case 1: n = second(&one); break;
    case 2: n = half(n); break;
    case 3: n = cut(n > 2 ? "abcd" : "abc"); break;
    case 4: free(table); n = table[0]; break;   /* freed */
    case 5: n += INT_MAX - 3; break;            /* overflow */
    case 6: n = 1 << (30 + n); break;           /* shift */
    case 7: free(table); break;
    }
    free(table);                                /* twice */
    return n == 77;
}
"""

CASES = (
    ("0 4", "heap", "pick", {"pointer"}),
    ("1 0", "null", "second", {"pointer"}),
    ("2 0", "zero", "half", {"div0"}),
    ("3 3", "stack", "cut", {"pointer"}),
    ("4 0", "freed", "main", {"pointer"}),
    ("5 4", "overflow", "main", {"overflow"}),
    ("6 4", "shift", "main", {"shift"}),
    ("7 0", "twice", "main", {"double-free"}),
)
"""Standard input that crashes, the mark of the line, the function, the kind of the property."""


def line_of(mark: str, source: str = SOURCE) -> int:
    return next(n for n, line in enumerate(source.splitlines(), 1) if f"/* {mark} */" in line)


def built(directory: Path, source: str, *words: str) -> Path:
    path = directory / "program.c"
    path.write_text(source, encoding="utf-8")
    binary = directory / "program"
    gcc = require_tool("gcc")
    subprocess.run([gcc, "-g", "-w", *words, "-o", binary, path], check=True)
    return binary


def report_of(binary: Path, text: str, **environment: str) -> str:
    ran = subprocess.run([binary], input=text, capture_output=True, text=True, check=False, env=environment)
    return ran.stderr


@pytest.fixture(name="sanitized", scope="module")
def fixture_sanitized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("crash"), SOURCE, "-fsanitize=address,undefined")


def localized(directory: Path, report: str, *words: str, source: str = SOURCE) -> dict[str, Any]:
    """What the command says of the report, with the program in a directory of another name."""
    (directory / "report.txt").write_text(report, encoding="utf-8")
    program, out = directory / "program.c", directory / "out.json"
    program.write_text(source, encoding="utf-8")
    words = (*words, "--rank", "coverage", "--no-replay", "-q", "--format", "json", "-o", str(out))
    assert main(["localize", str(program), "--crash", str(directory / "report.txt"), *words]) == 0
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def violated(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [item for item in found["properties"] if item["status"] == "violated"]


@pytest.mark.parametrize(("text", "mark", "function", "kinds"), CASES)
def test_the_property_of_a_report_is_what_is_asked_about(
    text: str, mark: str, function: str, kinds: set[str], sanitized: Path, tmp_path: Path
) -> None:
    found = localized(tmp_path, report_of(sanitized, text))
    asked = violated(found)
    assert {(item["id"].partition(".")[0], item["line"]) for item in asked} == {(function, line_of(mark))}
    assert {item["class"] for item in asked} <= kinds
    assert any(note.startswith("crash: ") for note in found["notes"])


def test_suspects_in_the_functions_of_the_frames_stand_first(sanitized: Path, tmp_path: Path) -> None:
    found = localized(tmp_path, report_of(sanitized, "0 4"))
    functions = {unit["id"]: unit["function"] for unit in found["units"]}
    common = set(found["intersection"])
    order = [functions[item["unit"]] for item in found["ranking"] if item["unit"] in common]
    assert {"pick", "main"} == set(order[: order.index("limit")])
    assert set(order[order.index("limit") :]) == {"limit"}


def test_a_message_without_a_stack_names_the_line(tmp_path: Path) -> None:
    binary = built(tmp_path, SOURCE, "-fsanitize=undefined")
    said = report_of(binary, "6 4")
    assert "runtime error" in said
    assert "#0" not in said
    assert [item["line"] for item in violated(localized(tmp_path, said))] == [line_of("shift")]


def test_a_failed_assertion(tmp_path: Path) -> None:
    source = "#include <assert.h>\nint main(void) { int n = 3;\n    assert(n < 3);\n    assert(n != 3);\n    return 0; }\n"
    found = localized(tmp_path, report_of(built(tmp_path, source), ""), source=source)
    assert [(item["class"], item["line"]) for item in violated(found)] == [("assert", 3)]


def test_memory_that_is_not_freed(tmp_path: Path) -> None:
    source = """\
#include <stdlib.h>
int main(void)
{
    char *text = malloc(3);
    if (!text)
        return 1;
    text[0] = 'a';
    text = NULL;
    return 0;
}
"""
    said = report_of(built(tmp_path, source, "-fsanitize=address"), "")
    if "does not work under ptrace" in said:
        pytest.skip("LeakSanitizer does not work here")
    assert {item["class"] for item in violated(localized(tmp_path, said, source=source))} == {"leak"}


def test_a_library_is_entered_where_the_report_enters_it(tmp_path: Path) -> None:
    library = "int at(const int *p, unsigned n)\n{\n    return p[n];\n}\nint pick(unsigned n)\n{\n"
    library += "    static int table[4];\n    return at(table, n <= 4 ? n : 0);\n}\n"
    (tmp_path / "test.c").write_text("int pick(unsigned);\nint main(void) { return pick(4); }\n")
    binary = built(tmp_path, library, str(tmp_path / "test.c"), "-fsanitize=address")
    found = localized(tmp_path, report_of(binary, ""), source=library)
    assert any("executions start in pick" in note for note in found["notes"])
    assert [(item["id"].partition(".")[0], item["line"]) for item in violated(found)] == [("at", 3)]
    chosen = localized(tmp_path, report_of(binary, ""), "--entry", "at", source=library)
    assert any("executions start in at" in note for note in chosen["notes"])


def test_what_does_not_fit_is_one_line(
    sanitized: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.txt"
    report.write_text(report_of(sanitized, "0 4"), encoding="utf-8")
    other, program = tmp_path / "other.c", tmp_path / "program.c"
    other.write_text("int main(void) { int a[2] = {0}; return a[1]; }\n", encoding="utf-8")
    assert main(["localize", str(other), "--crash", str(report)]) == 2
    assert "the crash is not in this program; its places are pick at" in capsys.readouterr().err
    program.write_text(SOURCE.replace("return table[n];", "return 0;"), encoding="utf-8")
    assert main(["localize", str(program), "--crash", str(report)]) == 2
    assert f"not checked at {program}:{line_of('heap')}" in capsys.readouterr().err
    assert main(["localize", str(program), "--crash", str(report), "--property", "main.pointer.1"]) == 2
    assert "leave out --property" in capsys.readouterr().err
    report.write_text("nothing crashed\n", encoding="utf-8")
    assert main(["localize", str(program), "--crash", str(report)]) == 2
    assert "no crash report" in capsys.readouterr().err
    assert main(["localize", str(program), "--crash", str(tmp_path / "none.txt")]) == 2
    assert "cannot read" in capsys.readouterr().err


def test_a_crash_that_no_execution_has(sanitized: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    report.write_text(report_of(sanitized, "0 4"), encoding="utf-8")
    program = tmp_path / "program.c"
    program.write_text(SOURCE.replace("n > 4 ? 4 : n", "n > 3 ? 3 : n"), encoding="utf-8")
    result = localize(program, crash=report, replay=False).result
    assert result.verdict == "unknown"
    assert "behind that nothing is known" in (
        result.reason or ""
    )  # other crashes are left out, and end executions
    assert any("no execution that was looked at crashes so" in note for note in result.notes)


def test_a_crash_that_is_no_property_is_named() -> None:
    text = "==1==ERROR: AddressSanitizer: stack-overflow on address 0x7ffd\n    #0 0x55 in f /a.c:1\n"
    with pytest.raises(UsageError, match="r: 'stack-overflow' is nothing that is checked here"):
        parse_crash_report(text, "r")


# -- backtraces ------------------------------------------------------------------------------------------------------


def backtrace_of(binary: Path, text: str) -> str:
    """What gdb says of an execution with a standard input, its backtrace behind it."""
    given = binary.with_name("given.txt")
    given.write_text(text, encoding="utf-8")
    commands = ("set width 60", f"run < {given}", "backtrace")
    words = [word for command in commands for word in ("-ex", command)]
    ran = subprocess.run(
        [require_tool("gdb"), "-q", "-batch", "-nx", *words, binary],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if "received signal" not in ran.stdout:
        pytest.skip("gdb cannot execute programs here")
    return ran.stdout


@pytest.mark.parametrize(
    ("text", "mark", "function"),
    [("1 0", "null", "second"), ("2 0", "zero", "half"), ("7 0", "twice", "main")],
)
def test_a_backtrace_of_gdb(text: str, mark: str, function: str, tmp_path: Path) -> None:
    asked = violated(localized(tmp_path, backtrace_of(built(tmp_path, SOURCE), text)))
    assert {(item["id"].partition(".")[0], item["line"]) for item in asked} == {(function, line_of(mark))}


def test_a_backtrace_of_a_failed_assertion(tmp_path: Path) -> None:
    source = "#include <assert.h>\nint main(void) { int n = 3;\n    assert(n < 3);\n    return 0; }\n"
    found = localized(tmp_path, backtrace_of(built(tmp_path, source), ""), source=source)
    assert [(item["class"], item["line"]) for item in violated(found)] == [("assert", 3)]


@pytest.mark.parametrize(
    ("text", "mark", "function", "kinds"), [case for case in CASES if case[0] in {"0 4", "2 0", "4 0", "7 0"}]
)
def test_a_report_of_memcheck(text: str, mark: str, function: str, kinds: set[str], tmp_path: Path) -> None:
    binary = built(tmp_path, SOURCE)
    valgrind = require_tool("valgrind")
    ran = subprocess.run([valgrind, binary], input=text, capture_output=True, text=True, check=False)
    asked = violated(localized(tmp_path, ran.stderr))
    assert {(item["id"].partition(".")[0], item["line"]) for item in asked} == {(function, line_of(mark))}
    assert {item["class"] for item in asked} <= kinds


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("Invalid read of size 8", {"bounds", "pointer"}),
        ("Conditional jump or move depends on uninitialised value(s)", {"uninit"}),
        ("Invalid free() / delete / delete[] / realloc()", {"double-free"}),
        ("Source and destination overlap in memcpy(0x1, 0x2, 3)", {"overlap"}),
        ("24 (16 direct, 8 indirect) bytes in 1 blocks are definitely lost in loss record 2 of 2", {"leak"}),
        ("Process terminating with default action of signal 6 (SIGABRT)", {"assert", "reach", "double-free"}),
    ],
)
def test_kinds_and_frames_of_memcheck(said: str, kinds: set[str]) -> None:
    text = f"""\
==7== Memcheck, a memory error detector
==7== Command: ./program
==7==
==7== {said}
==7==    at 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)
==7==    by 0x10A48F: pick (table.c:47)
==7==    by 0x10918B: main (program.c:4)
==7==  Address 0x4a42043 is 0 bytes after a block of size 3 alloc'd
==7==    by 0x10916A: other (program.c:4)
"""
    report = parse_crash_report(text, "r")
    assert (report.said, report.kinds, report.wherever) == (said, frozenset(kinds), kinds == {"leak"})
    assert [str(frame) for frame in report.frames] == ["pick at table.c:47", "main at program.c:4"]


BROKEN = """\
Program terminated with signal SIGSEGV, Segmentation fault.
#0  0x000055555555516d in pick.constprop.0 (
    table=0x5555555592a0, n=4) at src/table.c:5
#1  0x0000555555555199 in apply (f=0x401136 <pick>,
    name=0x402010 "a) at b.c:3") at src/table.c:21
#2  0x00007ffff7df0000 in __libc_start_main () from /lib/libc.so.6
#0  other () at other.c:1
"""


def test_frames_that_gdb_has_broken_are_joined() -> None:
    report = parse_crash_report(BROKEN, "r")
    assert [str(frame) for frame in report.frames] == ["pick at src/table.c:5", "apply at src/table.c:21"]
    assert report.said == "SIGSEGV"
    assert report.kinds == frozenset({"bounds", "pointer"})


def test_a_signal_that_is_no_property_is_named() -> None:
    with pytest.raises(UsageError, match="r: SIGKILL is nothing that is checked here"):
        parse_crash_report(BROKEN.replace("SIGSEGV", "SIGKILL"), "r")


# -- inputs ----------------------------------------------------------------------------------------------------------


def test_an_input_that_crashes_is_the_first_execution(tmp_path: Path) -> None:
    program, text = tmp_path / "program.c", tmp_path / "input.txt"
    program.write_text(SOURCE, encoding="utf-8")
    text.write_text("0 9\n", encoding="utf-8")
    result = localize(program, crash_input=text, rank="coverage", replay=False, passing=5).result
    first = result.dataset.failing[0]
    assert first.test == str(text)
    assert [value.value for value in first.inputs][-2:] == [0, 9]
    assert [item.property.id for item in result.properties if item.status == "violated"] == ["pick.pointer.1"]
    assert result.dataset.passing


ARGUMENTS = """\
#include <stdio.h>
#include <string.h>
int main(int argc, char *argv[])
{
    char name[4] = "";
    if (argc == 3 && argv[1][0] == '-')
        strcpy(name, argv[2]);                  /* stack */
    printf("%s\\n", name);
    return 0;
}
"""


def test_arguments_that_crash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "program.c"
    program.write_text(ARGUMENTS, encoding="utf-8")
    result = localize(program, arguments="-x 'a longer name'", rank="coverage", replay=False).result
    (asked,) = (item.property for item in result.properties if item.status == "violated")
    assert asked.location.line == line_of("stack", ARGUMENTS)
    assert result.dataset.failing[0].test == "--arguments -x 'a longer name'"
    for words, said in (
        (["-x abc"], "does not fail"),
        (["-x 'abc"], "No closing quotation"),
        (["-x abcd", "--argv", "2"], "argc is one more"),
        (["-x abcd", "--entry", "f"], "for programs that start in main"),
    ):
        assert main(["localize", str(program), "--arguments", *words, "-q"]) == 2
        assert said in capsys.readouterr().err


def test_an_input_has_to_crash_as_the_report_says(
    sanitized: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, report, text = (tmp_path / name for name in ("program.c", "report.txt", "input.txt"))
    program.write_text(SOURCE, encoding="utf-8")
    report.write_text(report_of(sanitized, "0 4"), encoding="utf-8")
    words = f"localize {program} --crash {report} --input {text} -q --rank coverage".split()
    text.write_text("0 7", encoding="utf-8")
    assert main([*words, "--no-replay"]) == 0
    assert ".c:8 fails: invalid pointer" in " ".join(capsys.readouterr().out.split())
    text.write_text("2 0", encoding="utf-8")
    assert main(words) == 2
    assert "violates half.div0.1" in capsys.readouterr().err


@pytest.mark.parametrize("line", [f"a.c:{'9' * 5000}: runtime error: division by zero", "#0 f (", "\0", ""])
def test_a_text_that_is_none_is_refused_in_a_line(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, report = tmp_path / "program.c", tmp_path / "report.txt"
    program.write_text(SOURCE, encoding="utf-8")
    report.write_text(line, encoding="utf-8")
    assert main(["localize", str(program), "--crash", str(report), "-q"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"sfo: error: {report}: ")
    assert said.count("\n") == 1
