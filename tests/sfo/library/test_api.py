"""The library beside the command line, and the page that says how it is used."""

import doctest
import inspect
import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, fields, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import click
import pytest

import sfo
from sfo import cli
from sfo.core.result import Result
from sfo.library.options import DEFAULTS, AnalysisOptionKeywords, ProgramOptionKeywords, RankingOptionKeywords
from sfo.library.results import (
    CheckResult,
    GeneratedSuite,
    Localization,
    RepairResult,
    TabularResult,
)
from sfo.pipeline import localize as pipeline
from sfo.pipeline.options import PipelineOptions
from tests.places import DOCS, ROOT
from tests.sfo.results import nothing_fails, paper_result

MINMAX = "benchmarks/programs/minmax.c"
SHORT = {"include_dirs": "-I", "defines": "-D", "forced_includes": "-include", "standard": "-std"}
ELSEWHERE = {
    "passing",
    "io",
    "stop_on_fail",
    "goal",
    "update",
    "crash",
    "input",
    "arguments",
    "project",
    "test_command",
}
"""Options that are parameters of some functions."""

COMMAND_ONLY = {
    "csv", "format", "git", "lp64", "output", "patches", "quiet", "report",
    "verbose", "as", "no-replay", "each",
}  # fmt: skip
"""Options of what is printed and written, which a library has no use for, and the other word of a pair."""

# -- the page ------------------------------------------------------------------------------------------------------


def test_every_example_of_the_page_is_executed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "benchmarks").symlink_to(ROOT / "benchmarks")
    monkeypatch.chdir(tmp_path)
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(text, {}, "api.md", None, 0)
    assert len(test.examples) >= 20
    runner = doctest.DocTestRunner()
    said: list[str] = []
    runner.run(test, out=said.append)
    assert "".join(said) == ""
    written = {path.name for path in (tmp_path / "build" / "suite").iterdir()}
    assert written == {"vectors.csv", "outcomes.csv", "matrix.csv", "dataset.json"}


def test_the_page_names_every_keyword_with_its_option() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| `(-[\w-]+)` \|", (DOCS / "api.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert dict(rows) == {name: SHORT.get(name, f"--{name.replace('_', '-')}") for name in DEFAULTS}


# -- the same as the command line ------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["localize", "check", "generate", "repair"])
def test_each_option_of_a_command_is_a_keyword(command: str) -> None:
    click_command = cli.cli.get_command(None, command)  # type: ignore[arg-type]
    assert click_command is not None
    options = [one for one in click_command.params if isinstance(one, click.Option)]
    given = {name.lstrip("-") for option in options for name in option.opts}
    given = {
        name for name in given if len(name) > 1 and name not in {"std", "include", "ilp32"}
    } - COMMAND_ONLY - {"replay"}  # fmt: skip
    names = {name.replace("-", "_") for name in given} - ELSEWHERE
    assert names <= set(DEFAULTS)
    keywords = RankingOptionKeywords if command in {"localize", "generate"} else AnalysisOptionKeywords
    allowed = keywords.__optional_keys__ | ({"reactive"} if command == "repair" else set())  # type: ignore[attr-defined]
    assert names <= allowed


def test_the_defaults_are_for_all_keywords() -> None:
    assert set(DEFAULTS) == RankingOptionKeywords.__optional_keys__  # type: ignore[attr-defined]
    assert ProgramOptionKeywords.__optional_keys__ < AnalysisOptionKeywords.__optional_keys__  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("command", "arguments", "call"),
    [
        ("localize", [], lambda: sfo.localize("x.c")),
        ("localize", ["--passing"], lambda: sfo.localize("x.c", passing=True)),
        ("check", [], lambda: sfo.check("x.c")),
        ("check", ["--stop-on-fail"], lambda: sfo.check("x.c", stop_on_fail=True)),
        ("generate", ["-o", "suite"], lambda: sfo.generate("x.c")),
        ("repair", [], lambda: sfo.repair("x.c")),
        (
            "localize",
            ["--unwind", "3", "--unwindset", "f.0:2", "--check", "assert,bounds", "--entry", "f", "--ilp32",
             "--requires", "n > 0", "--array-size", "5,a:8", "--havoc", "all", "--native", "off", "-D", "N=3",
             "--policy", "repair.rounds=40", "--property", "f.assertion.1,f.bounds.2",
             "--reference", "old.c", "--jobs", "2", "--effort", "2", "--slice", "static"],
            lambda: sfo.localize(
                "x.c", unwind=3, unwindset={"f.0": 2}, check=["assert", "bounds"], entry="f", ilp32=True,
                requires="n > 0", array_size={"": 5, "a": 8}, havoc="all", native=False, defines=["N=3"],
                policy={"repair.rounds": 40}, property=["f.assertion.1", "f.bounds.2"],
                reference="old.c", jobs=2, effort=2.0, slice="static",
            ),
        ),
    ],
)  # fmt: skip
def test_the_library_analyses_with_the_options_of_the_command_line(
    command: str,
    arguments: list[str],
    call: Callable[[], object],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    seen: list[PipelineOptions] = []

    def analysis(_paths: Any, options: PipelineOptions, *_others: Any, **_named: Any) -> Result:
        seen.append(options)
        return nothing_fails()

    for name in ("run_localize_pipeline", "localize_pipeline_dataset", "localize_pipeline_checks"):
        monkeypatch.setattr(pipeline, name, analysis)
    monkeypatch.chdir(tmp_path)
    cli.main([command, "x.c", *arguments])
    call()
    by_command, by_library = seen
    assert replace(by_command, traces=0) == replace(by_library, traces=0)


# -- results -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def localization() -> Localization:
    return sfo.localize(MINMAX, passing=True, native=False)


def test_results_cannot_be_changed_and_can_be_pickled(localization: Localization) -> None:
    with pytest.raises(FrozenInstanceError):
        localization.result = paper_result()  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        localization.suspects[0].rank = 3  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(localization)) == localization  # noqa: S301 - our own


def test_the_views_say_what_the_json_says(localization: Localization) -> None:
    data = json.loads(localization.to_json())
    assert data == localization.to_dict()
    assert [line["unit"] for line in data["ranking"]] == [s.unit.id for s in localization.suspects]
    assert [line["ef"] for line in data["ranking"]] == list(localization.to_pandas()["ef"])
    assert data["verdict"] == localization.verdict == "violated"
    assert [s.rank for s in localization.suspects] == list(range(1, len(localization.units) + 1))
    assert all(s.why for s in localization.suspects)
    saved = {item["unit"]: item["savings"].count("saved") for item in data["angelic"]["units"]}
    assert {s.unit.id: s.saves for s in localization.suspects if s.saves is not None} == saved


class Cells(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.tags.append(tag)


@pytest.mark.parametrize("kind", [Localization, CheckResult, GeneratedSuite, RepairResult])
@pytest.mark.parametrize("result", [paper_result(), nothing_fails()])
def test_every_result_has_every_form(kind: type[Any], result: Result) -> None:
    made = kind(result=result)
    assert json.loads(made.to_json())["verdict"] == result.verdict
    assert len(made.to_pandas().columns) > 2
    assert made.to_html().startswith("<!DOCTYPE html>")
    assert made.to_text().endswith("\n")
    page = made._repr_html_()
    assert Cells(page).tags.count("table") == 1
    assert "<script" not in page


def test_hostile_text_stays_text_in_a_notebook() -> None:
    class Hostile(TabularResult):
        def _heading(self) -> str:
            return "<script>x</script>"

        def _columns(self) -> tuple[str, ...]:
            return ("<i>",)

        def _rows(self) -> Iterator[tuple[object, ...]]:
            yield ("<b>y</b>",)

    page = Hostile()._repr_html_()
    assert {"script", "i", "b"}.isdisjoint(Cells(page).tags)


def test_a_table_without_pandas_is_an_error_that_says_what_to_install(
    localization: Localization, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(sfo.UsageError, match=r"pip install '\.\[pandas\]'"):
        localization.to_pandas()


# -- errors ------------------------------------------------------------------------------------------------------


def test_an_error_says_file_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "broken.c"
    path.write_text("int main(void)\n{\n    return x;\n}\n")
    with pytest.raises(sfo.InputError) as caught:
        sfo.localize(path)
    where = caught.value.location
    assert where is not None
    assert (where.file, where.line, where.column) == (str(path), 3, 12)
    assert str(caught.value).startswith(f"{path}:3:12: ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unwind": 0}, "unwind=0: not a number from 1"),
        ({"unwind": "many"}, "unwind='many'"),
        ({"units": "lines"}, "units='lines': not one of auto, statement"),
        ({"native": "perhaps"}, "native='perhaps'"),
        ({"check": "asert"}, "unknown check 'asert'"),
        ({"policy": {"repair.round": 3}}, "no tuning constant 'repair.round'"),
        ({"replay": True, "native": False}, "native off"),
        ({"solver": "best"}, "unknown solver 'best'"),
        ({"timeout": -1}, "timeout=-1"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(sfo.UsageError, match=re.escape(message)):
        sfo.localize(MINMAX, **options)


def test_no_file_is_no_program() -> None:
    with pytest.raises(sfo.UsageError, match="one file at least"):
        sfo.check([])


def test_a_constant_is_changed_for_one_call_only() -> None:
    from sfo.core.policy import policy

    before = policy()
    found = sfo.check(MINMAX, policy={"repair.rounds": 41})
    assert any("repair.rounds=41" in note for note in found.notes)
    assert policy() == before


def test_examples_of_input_and_output(tmp_path: Path) -> None:
    program = tmp_path / "sum.c"
    program.write_text(
        '#include <stdio.h>\nint main(void)\n{\n    int a = 0, b = 0;\n    scanf("%d %d", &a, &b);\n'
        '    printf("%d\\n", a - b);\n    return 0;\n}\n'
    )
    for name, text in (("1.in", "1 2\n"), ("1.out", "3\n"), ("2.in", "4 0\n"), ("2.out", "4\n")):
        (tmp_path / name).write_text(text)
    found = sfo.localize(program, io=tmp_path, native=False)
    assert (len(found.failing), len(found.passing)) == (1, 1)
    with pytest.raises(sfo.UsageError, match="--io is for programs that start in main"):
        sfo.localize(program, io=tmp_path, entry="f")


# -- matrices ----------------------------------------------------------------------------------------------------


def test_a_table_in_memory_is_ranked_as_the_file_is(tmp_path: Path) -> None:
    import numpy as np
    from pandas import DataFrame

    table, failed = [[1, 0, 1], [1, 1, 0], [0, 1, 1]], [True, False, False]
    names = ["a", "b", "c"]
    expected = sfo.rank(table, "all", failed=failed, units=names).to_json()
    assert sfo.rank(np.array(table), "all", failed=np.array(failed), units=names).to_json() == expected
    assert sfo.rank(DataFrame(table, columns=names), "all", failed=failed).to_json() == expected
    file = tmp_path / "matrix.csv"
    sfo.cli.main(["convert", str(_written(tmp_path, table, failed, names)), str(file)])
    ranked = sfo.rank(file, "all")
    assert [line.score for line in ranked.suspects] == [
        line.score for line in sfo.rank(table, "all", failed=failed, units=names).suspects
    ]


def _written(directory: Path, table: list[list[int]], failed: list[bool], names: list[str]) -> Path:
    from sfo.spectra.formats.matrices import write_matrix_in_any_format
    from sfo.spectra.matrix import coverage_matrix_from_dense

    path = directory / "given.json"
    write_matrix_in_any_format(coverage_matrix_from_dense(table, failed, names), path)
    return path


def test_a_ranking_of_a_matrix_says_what_it_has() -> None:
    found = sfo.rank([[1, 0], [1, 1]], "ochiai,naish2", failed=[True, False], units=["a<b", "c"])
    page = found.to_html()
    assert '<h1 id="programs-title">1 failing and 1 passing executions, by ochiai, naish2</h1>' in page
    assert page.count("<td>a&lt;b</td>") == page.count("<td>c</td>") == 2
    assert re.search(r"<td>ochiai</td><td>1</td><td>a&lt;b</td>.*<td>0\.7071</td>", page)
    assert [line.rank for line in found.by("naish2")] == [1, 2]
    assert found.to_dict() == json.loads(found.to_json())
    assert len(found.to_pandas()) == 4
    assert "ochiai" in found._repr_html_()
    with pytest.raises(sfo.UsageError, match="no ranking by 'jaccard'"):
        found.by("jaccard")
    with pytest.raises(sfo.UsageError, match="needs failed="):
        sfo.rank([[1, 0]])
    with pytest.raises(sfo.UsageError, match="2 names do not fit 3 units"):
        sfo.rank([[1, 0, 1]], failed=[True], units=["a", "b"])


# -- the import --------------------------------------------------------------------------------------------------


def test_the_import_is_cheap_and_what_is_public_is_there() -> None:
    code = (
        "import sys, sfo\n"
        "heavy = {'numpy', 'scipy', 'z3', 'pysat', 'bitwuzla', 'click', 'jinja2', 'cfrontend.program'}\n"
        "assert heavy.isdisjoint(sys.modules), heavy & set(sys.modules)\n"
        "assert set(sfo.__all__) <= set(dir(sfo))\n"
        "for name in sfo.__all__: getattr(sfo, name)\n"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )


def test_there_is_nothing_else() -> None:
    with pytest.raises(AttributeError, match="no attribute 'localise'"):
        _ = sfo.localise


def test_every_public_function_and_field_is_typed() -> None:
    for name in ("localize", "check", "generate", "repair", "load", "rank"):
        signature = inspect.signature(getattr(sfo, name))
        assert signature.return_annotation is not inspect.Signature.empty
        assert all(p.annotation is not inspect.Parameter.empty for p in signature.parameters.values())
    assert all(field.type for field in fields(sfo.Suspect))
    assert (ROOT / "sfo" / "py.typed").is_file()


# -- the notebook ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_notebook_is_executed_and_shows_what_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    book = nbformat.read(DOCS / "api.ipynb", as_version=4)
    shown = [cell.get("outputs") for cell in book.cells]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PLATFORM_DIRS", "1")
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            NotebookClient(book, timeout=240, resources={"metadata": {"path": str(ROOT)}}).execute()
    for cell, before in zip(book.cells, shown, strict=True):
        assert _texts(cell.get("outputs")) == _texts(before)


def _texts(outputs: Any) -> list[str]:
    """What is shown of each output: HTML where there is some, else text."""
    found = []
    for output in outputs or ():
        data = output.get("data", {"text/plain": output.get("text", "")})
        found.append(data.get("text/html", data.get("text/plain", "")))
    return found
