"""A faulty program that reads its command line: found, replayed, and the same when gcc's code is really called so."""

import json
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cfrontend.program import ProgramOptions, load_c_program
from sfo.cli import main
from tests.conftest import require_tool
from tests.places import DOCS

TEXT = """\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int above, below, limit;
int separation(void)
{
    int d = above - below;
    if (d < 0)
        d = below + above; /* FAULT */
    return d;
}
int main(int argc, char *argv[])
{
    int alarm;
    if (argc < 4) {
        printf("usage: %s above below limit\\n", argv[0]);
        return 1;
    }
    above = atoi(argv[1]);
    below = atoi(argv[2]);
    limit = atoi(argv[3]);
    if (above < 0 || below < 0 || limit < 0)
        return 2;
    alarm = separation() < limit;
    printf("%d\\n", alarm);
    assert(alarm == (above > below ? above - below < limit : below - above < limit));
    return 0;
}
"""
FAULT = next(n for n, line in enumerate(TEXT.splitlines(), 1) if "FAULT" in line)
NOTE = "main reads its arguments and gives up without any: argc is 4 unless --argv N is given"
SCHEMA = DOCS / "result.schema.json"


@pytest.fixture(name="source")
def fixture_source(tmp_path: Path) -> Path:
    path = tmp_path / "program.c"
    path.write_text(TEXT)
    return path


def result(command: str, *words: str, code: int = 0) -> dict[str, Any]:
    out = Path(words[0]).with_name("result.json")
    assert main([command, *words, "--format", "json", "-o", str(out), "-q"]) == code
    found: dict[str, Any] = json.loads(out.read_text())
    jsonschema.validate(found, json.loads(SCHEMA.read_text()))
    return found


def command_line(execution: dict[str, Any]) -> list[bytes]:
    """The arguments that the inputs of an execution spell, in order."""
    words: dict[str, bytes] = {}
    for value in execution["inputs"]:
        n = value["name"].split("][")[0]
        character = int(value["value"]) % 256
        words[n] = words.get(n, b"") + (bytes([character]) if character else b"")
    return list(words.values())


@pytest.mark.parametrize("length", ["2", "8"])
@pytest.mark.sample(1)
def test_the_fault_is_located_and_real_command_lines_end_as_predicted(
    length: str, source: Path, tmp_path: Path
) -> None:
    binary = tmp_path / "program"
    subprocess.run([require_tool("gcc"), "-w", str(source), "-o", str(binary)], check=True)
    found = result(
        "localize", str(source), "--argv", "4", "--argv-length", length, "--passing=6", "--rank", "coverage"
    )
    assert found["optimal"]
    assert FAULT in {u["line"] for u in found["units"] if u["id"] in found["intersection"]}
    assert {check["status"] for check in found["native"]} == {"agrees"}
    assert (found["bound"]["argc"], found["bound"]["argv_length"]) == (4, int(length))
    assert [note for note in found["notes"] if not note.startswith("edits: ")] == []
    codes = {"fail": -6, "pass": 0}
    ends = []
    for execution in found["executions"]:
        words = command_line(execution)
        assert len(words) == 3
        assert all(len(word) <= int(length) for word in words)
        run = subprocess.run([binary, *words], capture_output=True, check=False)
        ends.append(execution["outcome"])
        assert (run.returncode == codes["fail"]) == (execution["outcome"] == "fail")
    assert set(ends) == {"fail", "pass"}


def test_the_suite_and_its_vectors_run_again(source: Path, tmp_path: Path) -> None:
    words = ["--argv", "4", "--argv-length", "2"]
    out = tmp_path / "out"
    assert (
        main(
            [
                "generate",
                str(source),
                *words,
                "--passing=3",
                "-o",
                str(out),
                "--as",
                "c",
                "-q",
            ]
        )
        == 0
    )
    dataset = json.loads((out / "dataset.json").read_text())
    again = result("run", str(source), *words, "--inputs", str(out / "vectors.csv"))
    assert [e["outcome"] for e in again["executions"]] == [e["outcome"] for e in dataset["executions"]]
    assert [e["inputs"] for e in again["executions"]] == [e["inputs"] for e in dataset["executions"]]
    done = subprocess.run([require_tool("make"), "-C", out / "c", "check"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(b"as predicted") == len(dataset["executions"])


def test_a_test_comp_suite_has_no_place_for_a_command_line(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--argv", "4", "--argv-length", "1", "--as", "testcomp", "--no-replay", "-q"]
    assert main(["generate", str(source), *words, "-o", str(tmp_path / "out")]) == 2
    assert "argv[1][0]" in capsys.readouterr().err


@pytest.mark.parametrize("backend", ["cbmc", "cbmc-each"])
def test_cbmc_finds_the_same(backend: str, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFO_CBMC", require_tool("cbmc"))
    words = ["--argv", "4", "--argv-length", "2", "--rank", "coverage"]
    ours = result("localize", str(source), *words)
    theirs = result("localize", str(source), *words, "--backend", backend)
    assert theirs["intersection"] == ours["intersection"]
    assert theirs["bound"] == ours["bound"]
    assert {check["status"] for check in theirs["native"]} == {"agrees"}


def test_without_argv_a_main_that_reads_nothing_else_gets_what_it_names(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With argc 1 it says how it is called, and "safe" would be about that."""
    found = result("localize", str(source), "--rank", "coverage")
    assert (found["verdict"], found["notes"]) == ("violated", [NOTE])
    assert (found["bound"]["argc"], found["bound"]["argv_length"]) == (4, 8)
    assert FAULT in {u["line"] for u in found["units"] if u["id"] in found["intersection"]}
    assert main(["localize", str(source), "-q", "--argv", "1"]) == 4
    said = " ".join(capsys.readouterr().out.split())
    assert "bound: unwind 1, argc 1, not complete (no execution is longer; only for argc = 1" in said
    assert "main reads its arguments" not in said


READING = "int nondet_int(void);\nint main(int argc, char **argv)\n{\n    int x = nondet_int();\n    %s\n    return 0;\n}\n"


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("if (argc > 2) return argv[2][0];", " (--argv 3 has all that it names)"),
        ("for (int i = 1; i < argc; i++) x += argv[i][0];", ""),
    ],
)
def test_a_main_that_reads_other_inputs_gets_no_arguments(code: str, advice: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(READING % f"if (x > 3) {code}")
    found = result("check", str(path))
    assert found["bound"]["argc"] == 1
    (said,) = (note for note in found["notes"] if note.startswith("main reads"))
    (unreached,) = (note for note in found["notes"] if "reached by" in note)
    assert said == f"main reads its arguments: argc is 1 unless --argv N is given{advice}"
    assert "reached by no execution: line 5" in unreached


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("if (argc != 2) return 1; return argv[1][0] == 'x';", 2),
        ("return argv[1][0] == argv[2][0];", 3),
        ("int n = 0; if (argc > 1) n = argv[1][0]; return n;", 1),
        (
            "if (argc < 2) exit(1); for (int i = 1; i < argc; i++) if (argv[i][0] == 'x') return 2; return 0;",
            3,
        ),
        (
            "if (argc < 2) { puts(argv[0]); puts(argv[0]); return 0; } int n = argv[1][0]; n++; n++; n++; n++; return n;",
            2,
        ),
        ("int n = 0; if (argc < 5) return 1; while (--argc > 0) n += **++argv == 'x'; return n;", 5),
        ("return argv[0][0] == 'p';", 1),
        ("int n = argc + 1; return n == 2 ? 0 : 1 / (n - n);", 1),
        ("return argc > 3 ? 1 : argv[0][0] == 'p';", 1),
        ("int n = 0; if (argc > 1) return argv[1][0]; assert(++n == 2); return 0;", 1),
        ("int n = 0; if (argc > 1 && argv[1][0] == 'v') n = 5; assert(n == 2); return 0;", 1),
        ("assert(argc == 2); return argv[1][0];", 2),
        ("if (argc < 2) abort(); return argv[1][0] == 'x';", 2),
        ("int n = 0; while (--argc > 0) n += **++argv; assert(n); return 0;", 3),
    ],
)
def test_how_many_arguments_there_are_where_nobody_says(code: str, count: int, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        f"int main(int argc, char **argv) {{ {code} }}\n"
    )
    assert (load_c_program([str(path)], ProgramOptions()).options.argv or 1) == count
    assert load_c_program([str(path)], ProgramOptions(argv=1)).options.argv == 1


def test_a_main_that_ignores_its_parameters_says_nothing_of_them(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text("int nondet_int(void);\nint main(int c, char **v) { return 8 / (nondet_int() | 1); }\n")
    found = result("check", str(source), "--argv", "3")
    assert found["bound"]["argc"] is None
    assert not any("argument" in note or "argv" in note for note in found["notes"])


@pytest.mark.parametrize("backend", ["sfo", "cbmc"])
def test_an_argument_has_no_byte_behind_its_end(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if backend == "cbmc":
        monkeypatch.setenv("SFO_CBMC", require_tool("cbmc"))
    source = tmp_path / "program.c"
    source.write_text(
        "int main(int argc, char **argv)\n{\n    if (argv[1][0] == 'a')\n        return argv[1][2];\n"
        "    return argv[1][1];\n}\n"
    )
    words = ["--argv", "2", "--argv-length", "3", "--backend", backend]
    found = result("check", str(source), *words, code=10)
    violated = {p["line"] for p in found["properties"] if p["status"] == "violated"}
    assert violated == {4, 5}
    located = result("localize", str(source), *words, "--passing=4", "--rank", "coverage")
    assert {check["status"] for check in located["native"]} == {"agrees"}
    assert {e["outcome"] for e in located["executions"]} == {"fail", "pass"}


OPTIONS = """\
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
static const struct option words[] = {{"n", no_argument, NULL, 'n'}, {"s", required_argument, NULL, 's'}, {NULL, 0, NULL, 0}};
int main(int argc, char **argv)
{
    int c, number = 0, size = 1;
    while ((c = CALL) != -1) {
        switch (c) {
        case 'n': number = 1; break;
        case 's': size = atoi(optarg); break;
        default: fprintf(stderr, "usage: %s [-n] [-s N] file\\n", argv[0]); return 2;
        }
    }
    assert(!(number && size == 7 && optind == argc - 1));
    return 0;
}
"""


@pytest.mark.parametrize("call", ['getopt(argc, argv, "ns:")', 'getopt_long(argc, argv, "ns:", words, NULL)'])
def test_options_are_read_as_natively(call: str, source: Path) -> None:
    source.write_text(OPTIONS.replace("CALL", call))
    found = result(
        "localize", str(source), "--argv", "4", "--argv-length", "4", "--passing=8", "--rank", "coverage"
    )
    assert found["verdict"] == "violated"
    assert {check["status"] for check in found["native"]} == {"agrees"}


ENVIRONMENT = """\
#include <assert.h>
extern char **environ;
int main(int argc, char **argv, char **envp)
{
    char **variable = envp;
    while (*variable)
        variable++;
    for (int n = 0; environ[n]; n++)
        variable++;
    assert(variable != envp);
}
"""


def test_there_is_an_environment_without_variables(source: Path) -> None:
    source.write_text(ENVIRONMENT)
    assert [
        p["id"] for p in result("check", str(source), code=10)["properties"] if p["status"] == "violated"
    ] == ["main.assertion.1"]


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("return argv[3] != 0;", 4),
        ("return **(argv + 2);", 3),
        ("if (argc < 3) return 1; return argv[1][0];", 3),
        ("if (argc <= 3) return 1; return 0;", 4),
        ("if (argc > 1) return 1; return 0;", 2),
        ("if (argc != 5) return 1; return 0;", 5),
        ("enum { MOST = 2 }; if (argc < MOST + 1) return 1; return 0;", 3),
        ("for (int i = 1; i < argc; i++) if (argv[i][0] == 'x') return 1; return 0;", None),
        ("return 7;", None),
    ],
)
def test_how_many_arguments_main_names(code: str, count: int | None, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(f"int main(int argc, char **argv) {{ {code} }}\n")
    assert load_c_program([str(path)], ProgramOptions()).named_arguments == count


def test_what_holds_for_one_number_of_arguments_is_not_complete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "count.c"
    path.write_text("#include <assert.h>\nint main(int argc, char **argv) { assert(argc < 2); return 0; }\n")
    assert main(["check", str(path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "safe: no failing execution within the bound, for argc = 1" in said
    assert "not complete (no execution is longer; only for argc = 1 (--argv))" in said
    assert main(["check", str(path), "--format", "json"]) == 0
    bound = json.loads(capsys.readouterr().out)["bound"]
    assert bound["complete"] is False
    assert bound["assumptions"] == ["argc = 1 (--argv)"]
    path.write_text("#include <assert.h>\nint main(int argc, char **argv) { int x = 1; assert(x < 2); }\n")
    assert main(["check", str(path)]) == 0
    assert "complete (no execution is longer)" in capsys.readouterr().out
