"""The HTML page: what it holds, that nothing breaks out of it, and what it does in a browser."""

import base64
import hashlib
import html
import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfrontend.encoded_program import EXAMPLE
from cfrontend.errors import Location
from cfrontend.events import TraceStepEvent, TraceWriteEvent
from cfrontend.program import ProgramOptions
from cfrontend.units import Goal
from sfo.core.dataset import Dataset, DatasetSpectrum
from sfo.core.executions import ExecutionTrace
from sfo.core.repairs import DiagnosesFound
from sfo.core.result import Result
from sfo.core.suite_coverage import DecidedGoal, SuiteCoverage
from sfo.pipeline.localize import localize_pipeline_checks, run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.report import summary
from sfo.report.page import edits_in_place, html_report_page, packed_page_numbers
from sfo.report.templates import visible_page_text
from sfo.spectra.measures import MEASURES, find_measure
from sfo.spectra.ranking import rank_units
from tests.conftest import require_tool
from tests.sfo.models import execution, unit
from tests.sfo.report.test_brief import edit
from tests.sfo.report.test_machine_reports import HOSTILE, hostile_result
from tests.sfo.results import nothing_fails, paper_result

MINMAX = "benchmarks/programs/minmax.c"
OPTIONS = PipelineOptions(program=ProgramOptions(), passing=20, rank="full", replay=False, traces=10)


@pytest.fixture(scope="module")
def minmax() -> Result:
    return run_localize_pipeline((MINMAX,), OPTIONS)


class Tags(HTMLParser):
    """The elements of a page, and the text outside scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def data_of(page: str) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert match is not None
    data: dict[str, Any] = json.loads(match[1])
    return data


def test_the_page_needs_nothing_else(minmax: Result) -> None:
    page = html_report_page(minmax, everything=False)
    for tag, attributes in Tags(page).found:
        assert tag not in {"link", "img", "iframe", "object", "base"}
        assert "src" not in attributes
        assert not (attributes.get("href") or "#").lstrip("#").startswith(("http", "//", "javascript"))
        assert not [name for name in attributes if name.startswith("on") or name == "style"]


def test_ids_and_links_fit(minmax: Result) -> None:
    found = Tags(html_report_page(minmax, everything=False)).found
    ids = [attributes["id"] for _, attributes in found if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {(a["href"] or "")[1:] for t, a in found if t == "a"} <= set(ids)


def test_sets_of_units_are_there_and_lead_to_their_lines(minmax: Result) -> None:
    sets = DiagnosesFound(runs=minmax.dataset.failing, sets=((8, 2), (1, 3, 5)), complete=False)
    page = html_report_page(replace(minmax, diagnoses=sets), everything=False)
    text = Tags(page).text
    assert "Several faults?" in text
    assert "these units together could save all (there may be others)" in text
    section = page[page.index('<ol class="sets">') :]
    section = section[: section.index("</ol>")]
    assert section.count("<li>") == 2
    anchors = re.findall(r'href="#([^"]+)"', section)
    assert len(anchors) == 5
    assert set(anchors) <= {attributes.get("id") for _, attributes in Tags(page).found}
    assert "Several faults?" not in Tags(html_report_page(paper_result(), everything=False)).text


def test_source_inputs_and_repairs_are_there(minmax: Result) -> None:
    text = Tags(html_report_page(minmax, everything=False)).text
    for line in Path(MINMAX).read_text().splitlines():
        assert line in text
    run = minmax.dataset.failing[0]
    assert all(f"{value.name}={value.value}" in text for value in run.inputs)
    assert minmax.repairs is not None
    assert all(line in text for r in minmax.repairs.found for line in r.diff.splitlines())


def test_the_answer_comes_first_and_the_edit_stands_in_the_source(minmax: Result) -> None:
    page = html_report_page(minmax, everything=False)
    assert f"{summary.verdict(minmax)}</h1>" in html.unescape(page)
    order = [
        page.index(part)
        for part in ("</h1>", "Look first", "an edit here mends it", "Best edit", "Source</h2>")
    ]
    assert order == sorted(order)
    rows = re.findall(r"<tr[^>]*>.*", page)
    old = next(
        n
        for n, row in enumerate(rows)
        if row.startswith('<tr id=f1-18 class="gone"><th><b class="rank">1</b> 18')
    )
    assert rows[old].rstrip().endswith("most = input2;                         /* C4 */")
    assert rows[old + 1].startswith('<tr class="new"><th>+<td>        least = input2;')
    assert page.count('class="new"') == 1


def test_an_edit_of_several_lines_in_place() -> None:
    diff = "--- a/x.c\n+++ b/x.c\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+B2\n c\n@@ -9,2 +10,1 @@\n-i\n j\n"
    assert edits_in_place(edit("B", file="x.c", diff=diff)) == {"x.c": (frozenset({2, 9}), {2: ["B", "B2"]})}


def test_the_failing_input_is_the_text_to_type_beside_printed_and_expected() -> None:
    result = paper_result()
    run = replace(
        result.dataset.failing[0],
        test="io/1.in",
        test_text=b"1 10 ann\n2\n",
        output="a\nb",
        example=b"a\nc\nd\n",
        property=EXAMPLE,
    )
    dataset = replace(result.dataset, executions=(run, *result.dataset.executions[1:]))
    example = replace(result.properties[0].property, id=EXAMPLE)
    shown = replace(result, dataset=dataset, properties=(replace(result.properties[0], property=example),))
    page = html_report_page(shown, everything=False)
    assert '<pre class="text" tabindex="0">1 10 ann\n2\n</pre>' in page
    assert '<h3>printed</h3><pre class="text" tabindex="0">a\n<mark>b</mark>\n</pre>' in page
    assert '<h3>expected</h3><pre class="text" tabindex="0">a\n<mark>c</mark>\n</pre>' in page
    assert "fails: " not in page.partition('<h2 id="source-title"')[2].partition("</section>")[0]


def test_of_a_suite_it_says_what_became_of_its_goals() -> None:
    mutant = Goal(
        id=0,
        kind="mutants",
        function="main",
        location=Location("minmax.c", 19),
        text="most = x",
        outcome="x becomes y",
        unit=4,
    )
    goals = (DecidedGoal(goal=mutant, status="unreachable", reason="no execution shows a difference"),)
    made = SuiteCoverage(kind="mutants", goals=goals, chosen=0, at_least=0, unwind=1)
    page = html_report_page(replace(paper_result(), coverage=made), everything=False)
    assert "<h2>Mutants</h2>" in page
    assert "equivalent  line 19  most = x: x becomes y" in page
    assert "unreachable" not in page


def test_plausible_patches_are_there_where_none_is_verified(minmax: Result) -> None:
    assert minmax.repairs is not None
    verified = Tags(html_report_page(minmax, everything=False)).text
    assert "Verified repairs" in verified
    unproved = replace(minmax.repairs, found=(), undecided=minmax.repairs.found)
    text = Tags(html_report_page(replace(minmax, repairs=unproved), everything=False)).text
    assert "Verified repairs" not in text
    assert "was not proved within the effort" in text
    assert all(line in text for r in minmax.repairs.found for line in r.diff.splitlines())


def test_a_page_says_first_how_far_no_failure_is_known() -> None:
    searched = replace(
        nothing_fails(), verdict="unknown", reason="the effort was spent", stopped="effort", refuted=9
    )
    text = Tags(html_report_page(searched, everything=False)).text
    assert "unknown: no failure within the effort up to unwind 9" in text
    assert text.index("up to unwind 9") < text.index("the effort was spent")
    nothing = html_report_page(replace(searched, refuted=None), everything=False)
    assert "unknown: the effort was spent" in Tags(nothing).text


def test_scores_of_the_page_are_those_of_the_measures(minmax: Result) -> None:
    data = data_of(html_report_page(minmax, everything=False))
    assert [m["name"] for m in data["measures"]] == [m.name for m in MEASURES]
    for entry in data["measures"]:
        measure = find_measure(entry["name"])
        # There ties go to the earlier unit.
        units = tuple(replace(unit, kind="statement") for unit in minmax.dataset.units)
        plain = Dataset(units=units, executions=minmax.dataset.executions)
        expected = [line.unit for line in rank_units(plain, measure)]
        places = {unit: entry["places"][spectrum] for unit, spectrum in data["units"]}
        assert sorted(places, key=lambda unit: (places[unit], unit)) == expected
        for counts, value in zip(data["spectra"], entry["values"], strict=True):
            ef, ep, nf, np = counts
            exact = measure.value(measure.score(DatasetSpectrum(ef=ef, ep=ep, nf=nf, np=np)))
            assert float(value) == pytest.approx(exact, abs=5.1e-4)


def test_hostile_text_stays_text() -> None:
    page = html_report_page(hostile_result(), everything=False)
    tags = Tags(page)
    assert [tag for tag, _ in tags.found].count("script") == 2
    assert "i" not in {tag for tag, _ in tags.found}
    assert "\x00" not in page
    assert "\u202e" not in page
    assert "<i>&amp;</i>]]>%0A::error::\\x1b[31m\\x00\\u202e\\n,x:y</script>" in tags.text
    unranked = html_report_page(replace(hostile_result(), ranking=()), everything=False)
    assert data_of(unranked)["others"][0][1] == visible_page_text(HOSTILE)


@pytest.mark.parametrize("result", [nothing_fails(), paper_result()])
def test_results_without_ranking_or_source(result: Result) -> None:
    page = html_report_page(result, everything=False)
    assert ('id="ranks"' in page) == bool(result.ranking)
    assert html.escape(result.verdict) in page


def test_check_has_no_ranking() -> None:
    page = html_report_page(localize_pipeline_checks((MINMAX,), OPTIONS), everything=False)
    assert "fails: least &lt;= most does not hold" in page
    assert 'id="ranks"' not in page


# -- in a browser ------------------------------------------------------------------------------------------------


def browse(page: str, directory: Path) -> tuple[str, list[str]]:
    """The document after its scripts ran, and what the browser wrote to its console."""
    path = directory / "page.html"
    path.write_text(page, encoding="utf-8")
    flags = (
        "--headless --no-sandbox --disable-gpu --disable-background-networking --enable-logging=stderr --v=0"
    )
    done = subprocess.run(
        [
            require_tool("chromium"),
            *flags.split(),
            f"--user-data-dir={directory / 'profile'}",
            "--dump-dom",
            path.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def driven(page: str, script: str) -> str:
    """``page`` with a further script at its end, which the page's policy is made to allow."""
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = page.replace("script-src ", f"script-src 'sha256-{allowed}' ", 1)
    return page.replace("</body>", f"<script>{script}</script></body>", 1)


def report(expression: str) -> str:
    """A script that leaves the value of ``expression`` in the document."""
    return f"""
      const seen = document.createElement("pre");
      seen.id = "seen";
      seen.textContent = JSON.stringify((() => {{ {expression} }})());
      document.body.append(seen);
    """


def seen(document: str) -> Any:
    match = re.search(r'<pre id="seen">(.*?)</pre>', document, re.DOTALL)
    assert match is not None
    return json.loads(html.unescape(match[1]))


def test_a_browser_sorts_and_ranks_again(minmax: Result, tmp_path: Path) -> None:
    script = report("""
      const rows = () => [...document.querySelectorAll("#ranks tbody tr")];
      const keys = [...document.querySelectorAll("#ranks thead button")].map((button) => button.dataset.key);
      const column = (key) => rows().map((row) => row.cells[keys.indexOf(key)].textContent);
      const units = () => rows().map((row) => Number(row.dataset.unit));
      const result = {given: units(), sorted: {}, ranked: {}};
      for (const button of document.querySelectorAll("#ranks thead button")) {
        const key = button.dataset.key;
        button.click();
        const once = column(key), first = button.parentElement.getAttribute("aria-sort");
        button.click();
        result.sorted[key] = [first, once, button.parentElement.getAttribute("aria-sort"), column(key)];
      }
      const select = document.getElementById("measure");
      for (const option of select.options) {
        select.value = option.value;
        select.dispatchEvent(new Event("change"));
        result.ranked[option.textContent] = [units(), column("rank"), column("score")];
      }
      document.querySelector("button.run").click();
      result.covered = [...document.querySelectorAll("tr.covered")].map((row) => row.id);
      result.heat = [...document.querySelectorAll("tr.heat-1")].map((row) => row.id);
      return result;
    """)
    document, console = browse(driven(html_report_page(minmax, everything=False), script), tmp_path)
    assert console == []
    result = seen(document)
    assert result["given"] == [line.unit for line in minmax.ranking]
    for key in ("saves", "score", "ef", "ep", "nf", "np", "line", "rank"):
        first, once, second, twice = result["sorted"][key]
        assert {first, second} == {"ascending", "descending"}
        once = [float(cell) if cell else -1.0 for cell in once]
        twice = [float(cell) if cell else -1.0 for cell in twice]
        assert once == sorted(once, reverse=first == "descending")
        assert twice == sorted(twice, reverse=second == "descending")
    for measure in MEASURES:
        units = tuple(replace(unit, kind="statement") for unit in minmax.dataset.units)
        plain = Dataset(units=units, executions=minmax.dataset.executions)
        expected = rank_units(plain, measure)
        units, ranks, scores = result["ranked"][measure.name]
        assert units == [line.unit for line in expected]
        assert ranks == [str(line.rank) for line in expected]
        assert [float(s) for s in scores] == pytest.approx(
            [line.score for line in expected], abs=1e-3, rel=1e-4
        )
    covered = {u.location.line for u in minmax.dataset.units if u.id in minmax.dataset.executions[0].covered}
    assert result["covered"] == [f"f1-{line}" for line in sorted(covered)]
    assert result["heat"]


STEPPED = """\
#include <assert.h>
int nondet_int(void);
int total;
static int twice(int n)
{
    int result = 2 * n;
    total += result;
    return result;
}
int main(void)
{
    int a[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        a[i] = twice(nondet_int());
    assert(total != 12);
    return a[0];
}
"""


def replayed(steps: Sequence[TraceStepEvent]) -> dict[str, str]:
    """The values that are known after ``steps``: those of activations that are not over."""
    known: dict[tuple[int, str], str] = {}
    for step in steps:
        known = {key: value for key, value in known.items() if key[0] <= step.depth}
        known |= {(write.depth, write.name): write.value for write in step.writes}
    return {name: value for (_, name), value in known.items()}


def test_a_browser_goes_through_a_failing_execution(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(STEPPED)
    result = run_localize_pipeline((str(source),), OPTIONS)
    run = result.dataset.failing[0]
    steps = result.traces[run.id].steps
    script = report("""
      const get = (id) => document.getElementById(id);
      const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
      const look = () => [get("place").textContent, Number(get("at").value),
        [...document.querySelectorAll("#variables tbody tr")].map((row) => [...row.cells].map((c) => c.textContent)),
        [...document.querySelectorAll("tr.current")].map((row) => row.id),
        document.querySelectorAll("#variables tr.changed").length];
      const result = {begin: get("place").textContent, keys: []};
      for (let n = 0; n < Number(get("at").max); n++) { press("n"); result.keys.push(look()); }
      press("n");
      result.beyond = look();
      get("first").click();
      result.first = look();
      get("next").click();
      get("next").click();
      get("back").click();
      press("b");
      result.back = look();
      get("last").click();
      result.last = look();
      get("at").value = "3";
      get("at").dispatchEvent(new Event("input"));
      result.slider = look();
      return result;
    """)
    document, console = browse(driven(html_report_page(result, everything=False), script), tmp_path)
    assert console == []
    found = seen(document)
    units = {unit.id: unit for unit in result.dataset.units}
    assert [run["run"] for run in data_of(html_report_page(result, everything=False))["traces"]["runs"]] == [
        f"{r.id} {'fails' if r.outcome == 'fail' else 'passes'}"
        for r in result.dataset.executions
        if r.id in result.traces
    ]
    assert found["begin"].startswith(f"{len(steps)} steps")
    assert len(found["keys"]) == len(steps)
    for count, (step, look) in enumerate(zip(steps, found["keys"], strict=True), start=1):
        place, at, rows, current, changed = look
        unit = units[step.unit]
        assert place.startswith(f"Step {count} of {len(steps)}, line {unit.location.line}")
        assert unit.text in place
        assert at == count
        assert dict(rows) == replayed(steps[:count])
        assert len(rows) == len(dict(rows))
        assert current == [f"f1-{unit.location.line}"]
        assert changed == len(step.writes)
    assert f"violates {run.property}" in found["last"][0]
    assert found["beyond"] == found["last"] == found["keys"][-1]
    assert found["first"] == found["back"] == found["keys"][0]
    assert found["slider"] == found["keys"][2]


def test_the_policy_of_the_page_holds_in_a_browser(minmax: Result, tmp_path: Path) -> None:
    page = html_report_page(minmax, everything=False)
    refused = page.replace("</body>", "<script>document.title = 'run';</script></body>")
    document, console = browse(refused, tmp_path)
    assert "<title>run" not in document
    assert console


def test_hostile_text_in_a_browser(tmp_path: Path) -> None:
    script = report("""
      document.getElementById("matrix").open = true;
      document.getElementById("matrix").dispatchEvent(new Event("toggle"));
      return [document.scripts.length, document.querySelectorAll("i").length,
              document.querySelectorAll("#matrix tbody tr").length];
    """)
    document, console = browse(driven(html_report_page(hostile_result(), everything=False), script), tmp_path)
    assert console == []
    assert seen(document) == [3, 0, 5]


def large() -> Result:
    """A program of 2,500 lines with a unit on each and 40 executions."""
    units = tuple(unit(n, f"x[{n}] = y + {n}", line=n) for n in range(1, 2501))
    runs = tuple(
        execution(
            k, "fail" if k <= 4 else "pass", tuple(n for n in range(1, 2501) if (n * k) % 7 < 5), (k, 2 * k)
        )
        for k in range(1, 41)
    )
    dataset = Dataset(units=units, executions=runs)
    lines = tuple(f"    x[{n}] = y + {n};" for n in range(1, 2501))
    return replace(
        paper_result(), dataset=dataset, ranking=rank_units(dataset, find_measure("naish2")), files={"minmax.c": lines},
        intersection=dataset.intersection,
    )  # fmt: skip


def test_a_large_program_in_a_browser(tmp_path: Path) -> None:
    script = report("""
      return [document.querySelectorAll(".source tr").length, document.querySelectorAll("#ranks tbody tr").length,
              Math.round(performance.now())];
    """)
    page = html_report_page(large(), everything=False)
    document, console = browse(driven(page, script), tmp_path)
    assert console == []
    lines, units, milliseconds = seen(document)
    assert (lines, units) == (2500, 2500)
    assert milliseconds < 20_000  # it is to catch quadratic work, on a busy machine too


def test_the_page_of_a_large_program_is_a_few_times_its_source() -> None:
    """Of 2,500 lines, and 20 executions with 2,000 steps each."""
    result = large()
    source = sum(len(line) + 1 for line in result.files["minmax.c"])
    steps = {
        run.id: ExecutionTrace(
            steps=tuple(
                TraceStepEvent(
                    unit=1 + n % 250 + n // 250 * run.id % 5, depth=1 + n % 3, outcome=None if n % 4 else n % 8 == 0,
                    writes=(TraceWriteEvent(name=f"x[{n % 40}]", value=str((n * run.id) % 97), depth=1),) * (n % 2),
                )
                for n in range(2000)
            ),
            left_out=0,
        )
        for run in result.dataset.executions[:20]
    }  # fmt: skip
    without, whole = (html_report_page(r, everything=False) for r in (result, replace(result, traces=steps)))
    fixed = len(html_report_page(paper_result(), everything=False))
    assert len(without) - fixed < 9 * source  # with a unit on each line
    assert len(whole) - len(without) < 5 * sum(len(trace.steps) for trace in steps.values())
    traces = data_of(whole)["traces"]
    numbers, values = unpacked(traces["steps"]), iter(unpacked(traces["written"]))
    told = [
        (
            kind[0] + 1,
            *kind[1:3],
            tuple((d, traces["names"][n], traces["values"][next(values)]) for d, n in kind[3]),
        )
        for kind in (traces["kinds"][number] for number in numbers)
    ]
    assert told == [
        (s.unit, s.depth, s.outcome, tuple((w.depth, w.name, w.value) for w in s.writes))
        for trace in steps.values()
        for s in trace.steps
    ]


def unpacked(packed: Sequence[int]) -> list[int]:
    """What was packed: a negative number and the one behind it are a copy, so far back, so many."""
    numbers: list[int] = []
    rest = iter(packed)
    for number in rest:
        if number >= 0:
            numbers.append(number)
        else:
            for _ in range(next(rest)):
                numbers.append(numbers[number])
    return numbers


@given(st.lists(st.integers(0, 3), max_size=60))
def test_packed_numbers_are_those_that_were_packed(numbers: list[int]) -> None:
    assert unpacked(packed_page_numbers(numbers)) == numbers


def test_what_repeats_is_packed_as_copies() -> None:
    assert packed_page_numbers([7, 8, 9, 7, 8, 9, 7, 8, 9, 5]) == [7, 8, 9, -3, 6, 5]
