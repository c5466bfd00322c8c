"""Where nothing fails in the surroundings of one function, wider ones are tried."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cfrontend.bound import Bound
from cfrontend.effort import charge_effort
from cfrontend.errors import ResourceError
from cfrontend.program import ProgramOptions
from sfo.cli import main
from sfo.core.halt import Stop
from sfo.core.result import Result
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.protocol import UnknownOracleAnswer
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.results import result_of_search
from sfo.pipeline.session import AnalysisSession, Progress, no_session_progress
from sfo.pipeline.wider_surroundings import localize_in_wider_surroundings
from sfo.test_generation.bound_search import BoundSearch

LONG = "int f(const char *s) { if (!s) return 0; if (s[0] && s[1] && s[2] && s[3] && s[4] == 'x') return %s; return 0; }\n"
GLOBAL = "static int *data; static int top; int f(void) { return top > 0 && data ? data[0] + %s : 0; }\n"

HARD = """#include <assert.h>
typedef unsigned long word;
void f(word a, word b)
{
    assert(!(a > 1 && b > 1 && a < 1ul << 31 && b < 1ul << 31 && a * b == 3222192420109218337ul));
}
"""


def result(tmp_path: Path, text: str, *words: str, code: int = 0) -> dict[str, Any]:
    new, old, out = tmp_path / "new.c", tmp_path / "old.c", tmp_path / "out.json"
    new.write_text(text.replace("%s", "1"))
    old.write_text(text.replace("%s", "2"))
    command = ["localize", str(new), "--entry", "f", "--reference", str(old), "--rank", "coverage", *words]
    assert main([*command, "--format", "json", "-o", str(out), "-q"]) == code
    found: dict[str, Any] = json.loads(out.read_text())
    return found


def test_objects_grow(tmp_path: Path) -> None:
    found = result(tmp_path, LONG)
    assert found["verdict"] == "violated"
    assert any("s with up to 8 characters" in said for said in found["bound"]["assumptions"])
    asked = result(tmp_path, LONG, "--array-size", "3", code=5)
    assert asked["verdict"] == "unknown"  # nothing in what was asked for comes to what differs
    assert asked["bound"]["assumptions"][0].startswith("s with up to 3 characters")


def test_a_global_pointer_leads_into_its_array(tmp_path: Path) -> None:
    text = """\
static char queue[3 + 2];
static char *next;
void begin(void) { next = queue + 1; }
int f(char c) { if (queue + sizeof queue - next < %s) return 0; *next++ = c; return 1; }
"""
    found = result(tmp_path, text.replace("%s", "%s - 1"))
    assert found["verdict"] == "violated"
    assert any("next_at" in values["name"] for values in found["executions"][0]["inputs"])
    assert any("next that leads into queue" in said for said in found["bound"]["assumptions"])


GUARD = """struct node { int freq, len; };
int f(struct node *tree, int max_code)
{
    int best = 0;
    tree[max_code + 1].len = -1;
    for (int n = 0; n <= max_code; n++)
        if (tree[n].len == tree[n + 1].len)
            best += %s;
    return best;
}
"""


def test_what_is_taken_for_a_length_is_none_where_nothing_returns_with_it(tmp_path: Path) -> None:
    """The guard stands behind the last element: within so many elements each execution leaves the object."""
    found = result(tmp_path, GUARD)
    assert found["verdict"] == "violated"
    assert any(said.startswith("tree with 4 elements") for said in found["bound"]["assumptions"])
    far = GUARD.replace("best += %s", "best += n == 5 ? %s : 1")
    assert result(tmp_path, far)["verdict"] == "violated"  # behind the first four
    asked = result(tmp_path, GUARD, "--extent", "tree:max_code", code=5)
    assert asked["reason"].startswith("no execution returns within the bound")


def test_global_variables_become_inputs(tmp_path: Path) -> None:
    found = result(tmp_path, GLOBAL)
    assert found["verdict"] == "violated"
    assert {"top", "data[0]"} <= {value["name"] for value in found["executions"][0]["inputs"]}


def test_what_fails_nowhere_is_safe_in_the_widest_of_them(tmp_path: Path) -> None:
    found = result(tmp_path, LONG.replace("%s", "0"), code=4)
    assert found["verdict"] == "safe"
    assert any("s with up to 8 characters" in said for said in found["bound"]["assumptions"])


def test_objects_grow_to_what_the_code_asks_for(tmp_path: Path) -> None:
    text = "int f(const unsigned char *buf, unsigned len) { if (len < 12) return 0; return *(buf + len - 1) == 1 ? %s : 0; }\n"
    found = result(tmp_path, text)
    assert found["verdict"] == "violated"
    assert any("buf with len elements, 32 at most" in said for said in found["bound"]["assumptions"])


def test_objects_grow_to_the_number_that_differs(tmp_path: Path) -> None:
    text = "int f(const char *s) { for (int i = 0; i < 1%s; i++) if (!s[i]) return 0; return 1; }\n"
    found = result(tmp_path, text)
    assert found["verdict"] == "violated"
    assert any("s with up to 13 characters" in said for said in found["bound"]["assumptions"])


def test_a_search_without_an_answer_leaves_time_for_wider_surroundings(tmp_path: Path) -> None:
    path = tmp_path / "hard.c"
    path.write_text(HARD)
    begin = time.monotonic()
    options = PipelineOptions(program=ProgramOptions(entry="f"), timeout=60, searched=0.05, native="off")
    found = run_localize_pipeline([str(path)], options)
    assert (found.verdict, found.stopped) == ("unknown", "timeout")
    assert time.monotonic() - begin < 30


@pytest.mark.parametrize(("stopped", "searches"), [("interrupt", 2), ("effort", 4)])
def test_an_interrupt_ends_all_surroundings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped: Stop, searches: int
) -> None:
    """What ends one search by Ctrl-C begins no other one; without a limit of time they share the effort of one."""
    parts: list[float] = []

    def searched(
        paths: Sequence[str],
        options: PipelineOptions,
        progress: Progress,
        begun: Callable[[AnalysisSession], None] | None = None,
    ) -> Result:
        session = AnalysisSession(paths, options, progress)
        if begun is not None:
            begun(session)
        parts.append(session.options.searched_effort)
        charge_effort(int(parts[-1] * session.effort_for_executions()))
        assert session.solver_loop is not None
        oracle = BmcOracle(session.encode(Bound(unwind=1)), session.solver_loop, session.chosen)
        search = BoundSearch(bound=Bound(unwind=1), oracle=oracle, first=UnknownOracleAnswer("effort"))
        return replace(result_of_search(session, search), stopped=stopped if parts[1:] else "effort")

    monkeypatch.setattr("sfo.pipeline.localize.run_localize_pipeline", searched)
    file, other = tmp_path / "new.c", tmp_path / "old.c"
    file.write_text("int top; int f(const char *s) { return s[0] + top++; }\n")
    other.write_text("int top; int f(const char *s) { return s[0] + top++ + 1; }\n")
    options = PipelineOptions(program=ProgramOptions(entry="f", reference=(str(other),)))
    localize_in_wider_surroundings([str(file)], options, no_session_progress)
    assert len(parts) == searches
    assert parts[0] == 0.4
    assert sum(parts) == pytest.approx(1.0, abs=0.02) if parts[3:] else sum(parts) < 0.7


@pytest.mark.parametrize("is_known", [True, False])
def test_an_interrupt_in_wider_surroundings_leaves_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_known: bool
) -> None:
    def searched(
        paths: Sequence[str],
        options: PipelineOptions,
        progress: Progress,
        begun: Callable[[AnalysisSession], None] | None = None,
    ) -> Result:
        if begun is None:
            raise KeyboardInterrupt
        session = AnalysisSession(paths, options, progress)
        begun(session)
        if not is_known:
            raise ResourceError("nothing is known")
        assert session.solver_loop is not None
        oracle = BmcOracle(session.encode(Bound(unwind=1)), session.solver_loop, session.chosen)
        return result_of_search(
            session, BoundSearch(bound=Bound(unwind=1), oracle=oracle, first=UnknownOracleAnswer("effort"))
        )

    monkeypatch.setattr("sfo.pipeline.localize.run_localize_pipeline", searched)
    file, other = tmp_path / "new.c", tmp_path / "old.c"
    file.write_text("int top; int f(const char *s) { return s[0] + top; }\n")
    other.write_text("int top; int f(const char *s) { return top + s[0] + 1; }\n")
    options = PipelineOptions(program=ProgramOptions(entry="f", reference=(str(other),)))
    if not is_known:
        with pytest.raises(KeyboardInterrupt):
            localize_in_wider_surroundings([str(file)], options, no_session_progress)
        return
    found = localize_in_wider_surroundings([str(file)], options, no_session_progress)
    assert found.verdict == "unknown"


@pytest.mark.parametrize(("number", "part"), [(3, 0.4), (30, 0.1)])
def test_surroundings_with_no_room_for_what_differs_have_little_effort(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, part: float
) -> None:
    given: list[tuple[float, float]] = []

    def searched(
        paths: Sequence[str],
        options: PipelineOptions,
        progress: Progress,
        begun: Callable[[AnalysisSession], None] | None = None,
    ) -> Result:
        session = AnalysisSession(paths, options, progress)
        if begun is not None:
            begun(session)
        given.append((session.options.searched_effort, session.options.patience))
        raise ResourceError("nothing is known")

    monkeypatch.setattr("sfo.pipeline.localize.run_localize_pipeline", searched)
    file, other = tmp_path / "new.c", tmp_path / "old.c"
    text = "int f(const char *s) { for (int i = 0; i < %d; i++) if (!s[i]) return 0; return 1; }\n"
    file.write_text(text % number)
    other.write_text(text % (number - 1))
    options = PipelineOptions(program=ProgramOptions(entry="f", reference=(str(other),)))
    with pytest.raises(ResourceError):
        localize_in_wider_surroundings([str(file)], options, no_session_progress)
    assert given == [(part, 1.0), (pytest.approx(1.0, abs=0.02), 0.4)]


def test_texts_grow_to_those_in_tables_which_are_tried(tmp_path: Path) -> None:
    """Nobody guesses ten letters: they stand in a table, and what another function returns has as many."""
    text = (
        '#include <string.h>\nchar *found(int);\nstatic const char *words[] = {"connection", "proxy-connection"};\n'
        "int f(int n) { return strcmp(found(n), words[0]) ? 0 : %s; }\n"
    )
    found = result(tmp_path, text)
    assert found["verdict"] == "violated"
    assert "connection" in "".join(chr(int(i["value"])) for i in found["executions"][0]["inputs"][1:11])


def test_texts_grow_to_a_length_that_the_code_compares_with(tmp_path: Path) -> None:
    text = """#include <string.h>
int f(const char *s) { if (strlen(s) != 10 || s[4] != '-') return 0; return s[9] == '1' ? %s : 3; }
"""
    found = result(tmp_path, text)
    assert found["verdict"] == "violated"
    assert any("s with up to 11 characters" in said for said in found["bound"]["assumptions"])


TABLE = """static unsigned char **rows; static int count;
int f(int n, const char *name) {
    int i, sum = name[0];
    for (i = 0; i < n && i < count; i++) {
        const unsigned char *row = rows[i];
        sum += row[0] + row[5] * %s;
    }
    return sum;
}
"""


def test_global_variables_come_first_where_without_them_no_execution_comes_to_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[tuple[int, bool]] = []

    def noted(paths: Sequence[str], options: PipelineOptions, *words: Any, **named: Any) -> Result:
        tried.append((options.program.environment.array_size, options.program.environment.havoc is None))
        return run_localize_pipeline(paths, options, *words, **named)

    monkeypatch.setattr("sfo.pipeline.localize.run_localize_pipeline", noted)
    assert result(tmp_path, TABLE, "--unwind", "3")["verdict"] == "violated"
    assert tried == [(4, False), (8, True)]


def test_what_cannot_be_come_to_is_said_with_the_options_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def searched(
        paths: Sequence[str],
        options: PipelineOptions,
        progress: Progress,
        begun: Callable[[AnalysisSession], None] | None = None,
    ) -> Result:
        if begun is None:
            raise KeyboardInterrupt
        found = run_localize_pipeline(paths, options, progress, begun=begun)
        return replace(found, verdict="unknown", reason="the effort was spent")

    monkeypatch.setattr("sfo.pipeline.localize.run_localize_pipeline", searched)
    file, other = tmp_path / "new.c", tmp_path / "old.c"
    file.write_text(TABLE.replace("%s", "1"))
    other.write_text(TABLE.replace("%s", "2"))
    options = PipelineOptions(program=ProgramOptions(entry="f", reference=(str(other),)), unwind=3)
    found = localize_in_wider_surroundings([str(file)], options, no_session_progress)
    assert "--havoc all --array-size 8" in (found.reason or "")


def test_globals_that_lead_nowhere_are_named_where_nothing_returns(tmp_path: Path) -> None:
    """The wider surroundings begin elsewhere, and are not decided."""
    text = """typedef unsigned long word;
static int *first;
int f(word a, word b)
{
    int found = *first;
    if (a > 1 && b > 1 && a < 1ul << 31 && b < 1ul << 31 && a * b == 3222192420109218337ul)
        return %s;
    return found;
}
"""
    found = result(tmp_path, text, "--effort", "0.05", code=5)
    assert found["reason"] == (
        "no execution returns within the bound, so that nothing is known of what holds then; "
        "--havoc all begins with other values of global variables"
    )
