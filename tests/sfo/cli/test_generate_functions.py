"""``sfo generate --entry-all``: a suite for each function, one page, and nothing made twice."""

import json
from pathlib import Path
from typing import Any

import pytest

from sfo.cli import main
from sfo.pipeline import function_suites

LIBRARY = """\
int twice(int x);
static int clamp(int x, int low, int high)
{
    if (x < low)
        return low;
    if (x > high)
        return high;
    return x;
}
int dead(unsigned char c)
{
    if (c > 300)
        return 1;
    return clamp(c, 2, 5);
}
int part(int a, int b)
{
    if (a > 3)
        return a / b;
    return 0;
}
int never(void)
{
    for (;;)
        ;
}
int main(void)
{
    return dead(7) + part(1, 2);
}
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib.c").write_text(LIBRARY)
    return tmp_path / "out"


def generated(directory: Path, *words: str, code: int = 0) -> dict[str, Any]:
    assert (
        main(["generate", "lib.c", "--entry-all", "-o", str(directory), "--no-replay", "-q", *words]) == code
    )
    found = json.loads((directory / "functions.json").read_text())
    return {item["function"]: item for item in found["functions"]}


def made_by(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The functions whose suites are made from now on."""
    names: list[str] = []
    make = function_suites.suite_of_function

    def told(function: function_suites.FunctionOfLibrary, *given: Any) -> Any:
        names.append(function.name)
        return make(function, *given)

    monkeypatch.setattr(function_suites, "suite_of_function", told)
    return names


def test_each_function_has_a_suite_of_its_own_goals_and_the_page_shows_the_rest(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = generated(library)
    assert list(found) == ["clamp", "dead", "part", "never"]
    assert [(item["covered"], item["goals"]) for item in found.values()] == [(4, 4), (1, 2), (2, 2), (0, 0)]
    assert [item["status"] for item in found.values()] == ["suite", "suite", "suite", "no goals"]
    (goal,) = found["dead"]["others"]
    assert (goal["line"], goal["text"], goal["outcome"], goal["status"]) == (
        12,
        "c > 300",
        "true",
        "unreachable",
    )
    assert found["part"]["failing"] == 1
    said = capsys.readouterr().out
    assert "4 functions: 7 of 8 branches covered, 1 proved unreachable, 0 open" in said
    assert "part   2 of 2 branches; 3 tests, 1 of them failing" in said
    rows = (library / "clamp" / "vectors.csv").read_text().splitlines()
    assert len(rows) - 1 == found["clamp"]["tests"]
    outcomes = {clamped(*map(int, row.split(","))) for row in rows[1:]}
    assert outcomes == {"low", "high", "x"}
    page = (library / "index.html").read_text()
    assert "lib.c:12 in dead" in page
    assert "c &gt; 300" in page


def clamped(x: int, low: int, high: int) -> str:
    """Where clamp returns."""
    return "low" if x < low else "high" if x > high else "x"


def test_it_goes_on_where_it_ended_and_begins_anew_after_a_change(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generated(library)
    before = (library / "functions.json").read_bytes()
    names = made_by(monkeypatch)
    generated(library, "--jobs", "2")
    assert names == []
    assert (library / "functions.json").read_bytes() == before
    data = json.loads(before)
    del data["functions"][2:]
    (library / "functions.json").write_text(json.dumps(data))
    (library / "clamp" / "dataset.json").unlink()
    generated(library)
    assert names == ["clamp", "part", "never"]
    assert (library / "functions.json").read_bytes() == before
    names.clear()
    Path("lib.c").write_text("/* moved */ " + LIBRARY.replace("c > 300", "c > 200"))
    assert generated(library)["dead"]["covered"] == 2
    assert names == ["clamp", "dead", "part", "never"]


def test_an_interrupted_command_keeps_what_is_done(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = function_suites.suite_of_function

    def stopped(function: function_suites.FunctionOfLibrary, *given: Any) -> Any:
        if function.name == "part":
            raise KeyboardInterrupt
        return make(function, *given)

    monkeypatch.setattr(function_suites, "suite_of_function", stopped)
    found = generated(library, code=130)
    assert list(found) == ["clamp", "dead"]
    monkeypatch.setattr(function_suites, "suite_of_function", make)
    names = made_by(monkeypatch)
    assert list(generated(library)) == ["clamp", "dead", "part", "never"]
    assert names == ["part", "never"]


def test_a_form_that_a_function_cannot_have_is_named(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("lib.c").write_text(
        "union pair { int a; char b; };\nint first(const union pair *p)\n{\n    if (p->a)\n        return 7;\n    return 0;\n}\n"
        "int one(int x)\n{\n    if (x > 1)\n        return 7;\n    return 0;\n}\n"
    )
    generated(library, "--as", "cmocka")
    assert "first: no tests of the form cmocka are written: " in capsys.readouterr().err
    assert (library / "one" / "cmocka" / "tests.c").exists()
    assert not (library / "first" / "cmocka").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--entry", "clamp"], "--entry and --entry-all both say where executions start"),
        (["--since", "HEAD"], "--since is for one function"),
        (["--ensures", "1"], "--ensures is for one function"),
        (["--as", "stdin"], "tests of the form stdin are for programs that start in main"),
    ],
)
def test_what_is_for_one_function_is_refused(
    words: list[str], message: str, library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", "lib.c", "--entry-all", "-o", str(library), *words]) == 2
    assert message in capsys.readouterr().err


def test_other_refusals(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "lib.c", "--entry-all"]) == 2
    assert "-o DIR says where the suites of --entry-all are written" in capsys.readouterr().err
    library.mkdir()
    (library / "functions.json").write_text('{"format": 1, "kind": "batch"}')
    assert main(["generate", "lib.c", "--entry-all", "-o", str(library), "-q"]) == 2
    assert "functions.json: not the suites of functions" in capsys.readouterr().err
    Path("lib.c").write_text("int main(void) { return 0; }\n")
    assert main(["generate", "lib.c", "--entry-all", "-o", str(library), "-q"]) == 2
    assert "these files define no function but main" in capsys.readouterr().err
