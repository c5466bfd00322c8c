"""Coverage files of gcov, lcov and Cobertura as matrices."""

import gzip
import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from cfrontend.errors import UsageError
from sfo import cli
from sfo.spectra.formats.matrices import read_matrix_in_any_format
from sfo.spectra.matrix import CoverageMatrix
from tests.conftest import require_tool

OUTCOMES = "test,outcome\nt1,fail\nt2,pass\n"

ABSVAL = """\
#include <stdlib.h>
int absval(int x) {
  int r = 0;
  if (x < 0)
    r = x;
  else
    r = x;
  return r;
}
int main(int argc, char **argv) {
  (void)argc;
  return absval(atoi(argv[1])) < 0;
}
"""

COUNTS = {
    "t1": {2: 1, 3: 1, 4: 1, 5: 1, 7: 0, 8: 1, 10: 1, 12: 1},
    "t2": {2: 1, 3: 1, 4: 1, 5: 0, 7: 1, 8: 1, 10: 1, 12: 1},
}
"""Executions of lines of that program on -3 and 4."""


def gcov_text(lines: Mapping[int, int]) -> str:
    listed = [
        {"line_number": line, "function_name": "absval" if line < 10 else "main", "count": count}
        for line, count in lines.items()
    ]
    return json.dumps(
        {"format_version": "1", "files": [{"file": "absval.c", "functions": [], "lines": listed}]}
    )


def lcov_text(lines: Mapping[int, int], test: str = "") -> str:
    counts = "".join(f"DA:{line},{count}\n" for line, count in lines.items())
    return f"TN:{test}\nSF:absval.c\nFN:2,absval\nFN:10,13,main\nFNDA:1,absval\nFNF:2\n{counts}LF:8\nend_of_record\n"


def cobertura_text(lines: Mapping[int, int]) -> str:
    listed = "".join(f'<line number="{line}" hits="{count}"/>' for line, count in lines.items())
    method = '<methods><method name="f"><lines><line number="99" hits="1"/></lines></method></methods>'
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">\n'
        f'<coverage><packages><package><classes><class name="absval" filename="absval.c">{method}'
        f"<lines>{listed}</lines></class></classes></package></packages></coverage>\n"
    )


def fill(directory: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, data in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return directory


def check(matrix: CoverageMatrix, *, functions: bool = True) -> None:
    lines = sorted(COUNTS["t1"])
    assert [unit.name for unit in matrix.units] == [f"absval.c:{line}" for line in lines]
    expected = ["absval" if line < 10 else "main" for line in lines]
    assert [unit.function for unit in matrix.units] == (expected if functions else [""] * 8)
    assert matrix.names() == ("t1", "t2")
    assert matrix.failed.tolist() == [True, False]
    rows = [[lines[column] for column in matrix.row(run)] for run in (0, 1)]
    assert rows == [[line for line, count in COUNTS[t].items() if count] for t in ("t1", "t2")]


@pytest.mark.parametrize(
    ("files", "functions"),
    [
        ({f"{t}.gcov.json": gcov_text(COUNTS[t]) for t in COUNTS}, True),
        ({f"{t}.gcov.json.gz": gzip.compress(gcov_text(COUNTS[t]).encode()) for t in COUNTS}, True),
        ({f"{t}.info": lcov_text(COUNTS[t]) for t in COUNTS}, True),
        ({"all.info": "".join(lcov_text(COUNTS[t], t) for t in COUNTS)}, True),
        ({f"{t}.xml": cobertura_text(COUNTS[t]) for t in COUNTS}, False),
        ({f"{t}/any.info": lcov_text(COUNTS[t]) for t in COUNTS}, True),
        ({"t1.info": lcov_text(COUNTS["t1"]), "t2.gcov.json": gcov_text(COUNTS["t2"])}, True),
        ({f"{t}.gcov.json": "\n".join([gcov_text(COUNTS[t])] * 2) + "\n" for t in COUNTS}, True),
    ],
    ids=["gcov", "gcov.gz", "lcov", "one lcov", "cobertura", "directories", "mixed", "documents"],
)
def test_every_form_gives_the_same_matrix(
    files: Mapping[str, str | bytes], functions: bool, tmp_path: Path
) -> None:
    check(read_matrix_in_any_format(fill(tmp_path, {**files, "outcomes.csv": OUTCOMES})), functions=functions)


def test_what_gcov_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gcc, gcov = require_tool("gcc"), require_tool("gcov")
    monkeypatch.chdir(tmp_path)
    Path("absval.c").write_text(ABSVAL)
    subprocess.run([gcc, "--coverage", "-O0", "-o", "absval", "absval.c"], check=True)
    for name, value in (("t1", "-3"), ("t2", "4")):
        subprocess.run(["./absval", value], check=False)
        notes = next(Path().glob("*.gcno"))
        subprocess.run([gcov, "--json-format", "-b", str(notes)], check=True, capture_output=True)
        shutil.move(next(Path().glob("*.gcov.json.gz")), f"{name}.gcov.json.gz")
        next(Path().glob("*.gcda")).unlink()
    Path("outcomes.csv").write_text(OUTCOMES)
    matrix = read_matrix_in_any_format(Path())
    lines = [unit.line for unit in matrix.units]
    assert {5, 7} <= set(lines)
    assert (set(lines) - {5, 7}) <= {2, 3, 4, 8, 10, 11, 12}
    by_line = {line: (int(matrix.ef[k]), int(matrix.ep[k])) for k, line in enumerate(lines)}
    assert by_line.pop(5) == (1, 0)
    assert by_line.pop(7) == (0, 1)
    assert set(by_line.values()) == {(1, 1)}


def test_rank_and_convert(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = fill(tmp_path / "cov", {f"{t}.info": lcov_text(COUNTS[t]) for t in COUNTS})
    (directory / "outcomes.csv").write_text("name,outcome\nt2,PASSED\nt1,crash\n")
    assert cli.main(["rank", str(directory)]) == 0
    assert "absval.c:5" in capsys.readouterr().out.splitlines()[4]
    target = tmp_path / "m.tcm"
    assert cli.main(["convert", str(directory), str(target)]) == 0
    matrix = read_matrix_in_any_format(target)
    check(matrix)
    assert matrix.crashed.tolist() == [True, False]


LAUGHS = """<?xml version="1.0"?>
<!DOCTYPE coverage [
<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<coverage>&c;</coverage>
"""

OUTSIDE = """<?xml version="1.0"?>
<!DOCTYPE coverage [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<coverage>&x;</coverage>
"""


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"t1.xml": LAUGHS}, "t1.xml: XML that declares entities is refused"),
        ({"t1.xml": OUTSIDE}, "t1.xml: XML that declares entities is refused"),
        ({"t1.xml": "<coverage>\n<x>"}, "t1.xml:2:4: not XML"),
        ({"t1.xml": "<testsuite/>"}, "the root is <testsuite>"),
        ({"t1.xml": cobertura_text({5: 1}).replace('"5"', '"five"')}, "does not fit"),
        ({"t1.info": "SF:a.c\nDA:x,1\n"}, "t1.info:2: 'DA:x,1' is no DA record"),
        ({"t1.info": "SF:a.c\nDA:1\n"}, "t1.info:2: 'DA:1' is no DA record"),
        ({"t1.info": "DA:1,1\nend_of_record\n"}, "t1.info:2: a record ends that has no SF"),
        ({"t1.info": "SF:a.c\nDA:1,1\n"}, "the record of a.c has no end_of_record"),
        ({"t1.gcov.json": "{\n 1}"}, "t1.gcov.json:2:2: not JSON"),
        ({"t1.gcov.json": '{"files": [{}]}'}, "not gcov's JSON"),
        ({"t1.gcov.json": "[1]"}, "not gcov's JSON"),
        ({"t1.gcov.json.gz": b"\x1f\x8b\x08"}, "t1.gcov.json.gz is damaged"),
        ({"t1.gcov.json.gz": b"plain"}, "t1.gcov.json.gz"),
        ({"t1.info": lcov_text({5: 1})}, "outcomes.csv:3: there is no coverage of test t2"),
        ({f"t{k}.info": lcov_text({5: 1}) for k in (1, 2, 3)}, "test t3 has no outcome"),
        ({"t1.info": lcov_text({5: 1}), "outcomes.csv": "a,b\n"}, "outcomes.csv:1: the header has to name"),
        (
            {"t1.info": lcov_text({5: 1}), "outcomes.csv": "test,outcome\nt1,x\n"},
            "outcomes.csv:2: outcome 'x'",
        ),
        ({"t1.info": lcov_text({5: 1}), "outcomes.csv": "test,outcome\nt1\n"}, "outcomes.csv:2: 1 cells"),
        (
            {"t1.info": lcov_text({5: 1}), "outcomes.csv": "test,outcome\nt1,fail\nt1,pass\n"},
            "outcomes.csv:3: test t1 has an outcome already",
        ),
    ],
)
def test_what_is_refused(files: Mapping[str, str | bytes], message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        read_matrix_in_any_format(fill(tmp_path, {"outcomes.csv": OUTCOMES, **files}))
    assert message in str(error.value)


def test_outcomes_are_needed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read .*outcomes\.csv"):
        read_matrix_in_any_format(fill(tmp_path, {"t1.info": lcov_text({5: 1})}))


def _in_folder(folder: str, form: str) -> str:
    """Coverage of ``util.c``, compiled in a folder."""
    if form == "xml":
        lines = '<line number="3" hits="1"/>'
        sources = f"<sources><source>{folder}</source></sources>"
        return f'<coverage>{sources}<class filename="util.c"><lines>{lines}</lines></class></coverage>'
    lines = [{"line_number": 3, "count": 1}]
    return json.dumps({"current_working_directory": folder, "files": [{"file": "util.c", "lines": lines}]})


@pytest.mark.parametrize("form", ["gcov.json", "xml"])
@pytest.mark.parametrize(
    ("folders", "names"),
    [
        (("/p/app", "/p/lib"), ["app/util.c:3", "lib/util.c:3"]),
        (("/p/app", "/q/lib"), ["/p/app/util.c:3", "/q/lib/util.c:3"]),
        (("/p", "/p/lib"), ["lib/util.c:3", "util.c:3"]),
        (("/p/app", "/p/app"), ["util.c:3"]),
        (("/p/app/../lib", "/p/lib"), ["util.c:3"]),
        ((".", "."), ["util.c:3"]),
    ],
)
def test_a_name_in_two_folders_is_two_files(
    folders: tuple[str, str], names: list[str], form: str, tmp_path: Path
) -> None:
    (tmp_path / "outcomes.csv").write_text(OUTCOMES)
    for test in ("t1", "t2"):
        (tmp_path / test).mkdir()
        for number, folder in enumerate(folders):
            (tmp_path / test / f"{number}.{form}").write_text(_in_folder(folder, form))
    matrix = read_matrix_in_any_format(tmp_path)
    assert [unit.name for unit in matrix.units] == names
    assert (matrix.failing, matrix.passing) == (1, 1)


def test_a_file_has_one_name_in_all_forms(tmp_path: Path) -> None:
    (tmp_path / "outcomes.csv").write_text(OUTCOMES)
    (tmp_path / "t1.gcov.json").write_text(_in_folder("/p/app", "gcov.json"))
    (tmp_path / "t2.info").write_text(
        "TN:t2\nSF:/p/app/util.c\nDA:3,1\nend_of_record\nSF:/usr/include/u.h\nDA:1,1\nend_of_record\n"
    )
    names = [unit.name for unit in read_matrix_in_any_format(tmp_path).units]
    assert names == ["/usr/include/u.h:1", "util.c:3"]


@pytest.mark.parametrize("is_folder", [True, False])
@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("a.c.gcov", "        1:    1:int main(void){}\n", "gcov --json-format"),
        ("a.gcda", "adcg", "gcov --json-format"),
        ("t1.json", '{"gcovr/format_version":"0.11","files":[]}', "gcovr --cobertura"),
        ("t1.json", '{"data":[{"files":[{"filename":"a.c"}]}],"type":"llvm.coverage.json.export"}', "llvm-cov export -format=lcov"),
        ("t1.gcov.json", '{"data":[{"files":[]}],"type":"llvm.coverage.json.export"}', "llvm-cov export -format=lcov"),
        ("t1.profdata", "x", "llvm-cov export -format=lcov"),
        ("t1.gcov.json", "{}", "names no files"),
        ("t1.gcov.json", "[]", "names no files"),
    ],
)  # fmt: skip
def test_another_form_has_the_command_that_makes_the_right_one(
    name: str, text: str, command: str, is_folder: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "outcomes.csv").write_text("test,outcome\nt1,fail\n")
    (tmp_path / name).write_text(text)
    assert cli.main(["rank", str(tmp_path if is_folder else tmp_path / name)]) == 2
    error = capsys.readouterr().err
    assert command in error
    assert error.count("\n") == 1
