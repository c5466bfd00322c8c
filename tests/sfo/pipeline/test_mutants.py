"""Faulty versions of small programs, and techniques on them in a database."""

import contextlib
import csv
import io
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cfrontend.errors import InputError, UsageError
from cfrontend.program import ProgramOptions
from sfo import cli
from sfo.pipeline.batch import (
    DONE,
    make_batch_dataset,
    make_batch_profile,
    read_batch_versions,
    run_batch,
)
from sfo.pipeline.localize import localize_pipeline_checks
from sfo.pipeline.mutants import make_mutants, mutant_has_failing_execution
from sfo.pipeline.options import PipelineOptions
from sfo.spectra.evaluation.corpus import read_corpus
from sfo.spectra.evaluation.ranking import parse_evaluation_rankings, rank_version_in_evaluation
from sfo.spectra.techniques import techniques_named
from tests.processes import comes_true
from tests.tuning import Tune

CORRECT = """#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  if (x > 3)
    y = 1;
  y = y + 0;
  assert(y == (x > 3));
  return y;
}
"""

REFERRING = """#include <assert.h>
int __VERIFIER_nondet_int(void);
static int most(int v, int w) { return v > w ? v : w; }
static int expected_most(int v, int w) { if (v > w) return v; return w; }
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  int r = most(x, y);
  if (x >= y)
    assert(r == x);
  assert(r == expected_most(x, y));
  return 0;
}
"""

CHOOSING = """#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  switch (x) {
  case 1:
    y = 5;
    break;
  case 2:
    y = 6;
    break;
  }
  y++;
  assert(x != 1 || y == 6);
  assert(x != 2 || y == 7);
  return 0;
}
"""

OPTIONS = PipelineOptions(program=ProgramOptions())


@pytest.fixture
def correct(tmp_path: Path) -> Path:
    path = tmp_path / "max.c"
    path.write_text(CORRECT)
    return path


@pytest.fixture
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


def test_only_versions_that_fail_are_kept(correct: Path, tmp_path: Path, threads: Executor) -> None:
    made = make_mutants(str(correct), OPTIONS, threads)
    assert made.fates["faulty"] == len(made.faulty) > 8
    assert made.fates["no failing execution"] >= 1  # y = y - 0 does what y = y + 0 does
    for number, mutant in enumerate(made.faulty):
        path = tmp_path / f"v{number}.c"
        path.write_text(mutant.text)
        assert localize_pipeline_checks([str(path)], OPTIONS).verdict == "violated"
    done = {mutant.description: mutant for mutant in made.faulty}
    assert done["line 6, off-by-one: > becomes >="].lines == (6,)
    missing = done["line 7, missing: y = 1 becomes nothing"]
    assert missing.omission
    assert missing.lines == (6, 8)  # the units around the statement that is gone
    assert "line 8, arithmetic: + becomes -" not in done


def test_the_specification_is_left_as_it_is(correct: Path, threads: Executor) -> None:
    correct.write_text(REFERRING)
    made = make_mutants(str(correct), OPTIONS, threads)
    lines = {mutation.line for mutant in made.faulty for mutation in mutant.mutations}
    assert lines
    assert lines <= {3, 7}  # neither the reference nor the test before the assertion


def test_what_is_gone_is_blamed_on_its_neighbours_in_the_control_flow(
    correct: Path, threads: Executor
) -> None:
    correct.write_text(CHOOSING)
    made = make_mutants(str(correct), OPTIONS, threads, operators=("missing",))
    lines = {mutant.mutations[0].line: mutant.lines for mutant in made.faulty}
    assert lines[7] == (5, 13)  # the switch and what follows it, not the assignment of another case
    assert lines[10] == (5, 13)


def test_the_same_seed_gives_the_same_versions(correct: Path, threads: Executor) -> None:
    first = make_mutants(str(correct), OPTIONS, threads, limit=3, seed=5)
    again = make_mutants(str(correct), OPTIONS, threads, limit=3, seed=5)
    assert [m.text for m in first.faulty] == [m.text for m in again.faulty]
    assert len(first.faulty) == 3


def test_a_limit_bounds_the_mutants_that_are_tried(correct: Path, threads: Executor, tune: Tune) -> None:
    """Where little says what is right no mutant fails, and that is seen before all are tried."""
    correct.write_text(CORRECT.replace("y == (x > 3)", "y <= 9 || x < 9"))
    tune(mutants={"in_a_row": 3})
    made = make_mutants(str(correct), OPTIONS, threads, limit=2)
    assert (len(made.faulty), sum(made.fates.values())) == (0, 3)
    assert made.left > 10


def test_several_faults(correct: Path, threads: Executor) -> None:
    made = make_mutants(
        str(correct), OPTIONS, threads, operators=("constant", "off-by-one"), faults=2, limit=3
    )
    assert len(made.faulty) == 3
    for mutant in made.faulty:
        assert len(mutant.mutations) == len(mutant.lines) == 2
        assert mutant.text.count("\n") == CORRECT.count("\n")


def test_a_program_that_fails_is_refused(correct: Path, threads: Executor) -> None:
    correct.write_text(CORRECT.replace("x > 3)\n", "x > 4)\n", 1))
    with pytest.raises(InputError, match="violates a property itself"):
        make_mutants(str(correct), OPTIONS, threads)


def test_fates(correct: Path, tmp_path: Path) -> None:
    assert mutant_has_failing_execution(str(correct), OPTIONS) == "no failing execution"
    broken = tmp_path / "broken.c"
    broken.write_text("int main(void) { return z; }\n")
    assert mutant_has_failing_execution(str(broken), OPTIONS) == "not a program"


# -- commands ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def mutated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Where the command has written versions, and what it said."""
    place = tmp_path_factory.mktemp("mutated")
    (place / "max.c").write_text(CORRECT)
    words = ["mutate", str(place / "max.c"), "-o", str(place / "m"), "--subject", "max", "-q"]
    words += ["--operators", "off-by-one,relational,missing", "--jobs", "1"]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert cli.main(words) == 0
    return place / "m", said.getvalue()


@pytest.fixture
def versions(mutated: tuple[Path, str], tmp_path: Path) -> Path:
    """A copy of its own for each test."""
    return shutil.copytree(mutated[0], tmp_path / "m") / "versions.json"


def test_versions_are_listed(versions: Path, mutated: tuple[Path, str]) -> None:
    assert mutated[1] == "5 mutants: 4 faulty, 1 no failing execution, 0 undecided, 0 not a program\n"
    data = json.loads(versions.read_text())
    assert (data["subject"], data["entry"], len(data["versions"])) == ("max", "main", 4)
    assert all((versions.parent / item["file"]).exists() for item in data["versions"])
    assert {item["omission"] for item in data["versions"]} == {False, True}


def test_a_corpus_is_made_and_taken_up_again(
    versions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = tmp_path / "corpus"
    command = f"evaluate corpus {versions} --measure naish2,constant --jobs 1".split()
    arguments = [*command, "-o", str(export)]
    assert cli.main([*arguments, "--passing=3"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == "4 versions, 4 datasets made now, 0 left out"
    assert cli.main([*command, "--passing=3", "-o", str(export / "corpus.json")]) == 2
    assert "cannot make the directory" in capsys.readouterr().err
    assert cli.main([*arguments, "--passing=3"]) == 0
    again = capsys.readouterr().out
    assert again.splitlines()[0] == "4 versions, 0 datasets made now, 0 left out"
    assert again.splitlines()[1:] == out.splitlines()[1:]
    corpus = read_corpus(export / "corpus.json")
    assert [version.name for version in corpus] == ["v1", "v2", "v3", "v4"]
    assert cli.main(["evaluate", "scores", str(export / "corpus.json")]) == 0
    # another number of passing executions is another dataset, and so is another text
    (versions.parent / "v1.c").write_text((versions.parent / "v1.c").read_text() + "/* more */\n")
    assert cli.main([*arguments, "--passing=3"]) == 0
    assert "4 versions, 1 datasets made now" in capsys.readouterr().out
    assert cli.main([*arguments, "--passing"]) == 0
    assert "4 versions, 4 datasets made now" in capsys.readouterr().out


def test_edge_profiles_of_a_corpus(
    versions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = tmp_path / "corpus"
    arguments = ["evaluate", "corpus", str(versions), "-o", str(export), "--jobs", "1"]
    assert cli.main([*arguments, "--passing=3", "--measure", "naish2"]) == 0
    assert cli.main([*arguments, "--passing=3", "--measure", "naish2,blockrank"]) == 0
    assert "4 versions, 0 datasets made now, 0 left out" in capsys.readouterr().out
    corpus = read_corpus(export / "corpus.json")
    for version in corpus:
        # the same runs by hand, through 'sfo profile'
        data = json.loads((export / f"max-{version.name}.json").read_text())
        vectors, profile = tmp_path / "v.csv", tmp_path / "p.json"
        vectors.write_text(
            "".join(",".join(i["value"] for i in run["inputs"]) + "\n" for run in data["executions"])
        )
        source = versions.parent / f"{version.name}.c"
        assert cli.main(["profile", str(source), "--inputs", str(vectors), "-o", str(profile), "-q"]) == 0
        assert (export / f"max-{version.name}.edges.json").read_text() == profile.read_text()
        capsys.readouterr()
        assert cli.main(["rank", str(profile), "--measure", "blockrank", "--format", "csv"]) == 0
        ranked = list(csv.DictReader(capsys.readouterr().out.splitlines()))
        scored = rank_version_in_evaluation(version, parse_evaluation_rankings("blockrank")[0])
        assert scored is not None
        assert [float(row["blockrank score"]) for row in ranked] == pytest.approx(scored.values.tolist())
        assert version.neighbours
    assert (
        cli.main(["evaluate", "scores", str(export / "corpus.json"), "--measure", "all", "--format", "json"])
        == 0
    )
    summaries = json.loads(capsys.readouterr().out)["summaries"]
    assert {"blockrank", "cp", "des-sober", "cl-u", "naish2"} <= {item["technique"] for item in summaries}
    # a version without a profile is left out of what needs one, and of a comparison on common versions
    listed = json.loads((export / "corpus.json").read_text())
    del listed["versions"][0]["profile"]
    (export / "fewer.json").write_text(json.dumps(listed))
    fewer = ["evaluate", "scores", str(export / "fewer.json"), "--measure", "naish2,cp", "--format", "json"]
    for more, expected in (([], {"naish2": 4, "cp": 3}), (["--common"], {"naish2": 3, "cp": 3})):
        assert cli.main([*fewer, *more]) == 0
        summaries = json.loads(capsys.readouterr().out)["summaries"]
        assert {item["technique"]: item["versions"] for item in summaries} == expected
    assert cli.main(["evaluate", "hitting", str(export / "fewer.json"), "--measure", "naish2,cp"]) == 0
    cells = [line.split()[:3] for line in capsys.readouterr().out.splitlines()[1:]]
    assert cells == [
        ["naish2", "list", "4"],
        ["cp", "list", "3"],
        ["naish2", "jumps", "4"],
        ["cp", "jumps", "3"],
    ]
    # without passing executions there is no profile, which is said
    assert cli.main([*arguments, "--passing=0", "--measure", "naish2,cp"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert (
        "4 without an edge profile, an edge profile needs a failing and a passing execution: max-v1, max-v2,"
        in out
    )
    one = ["evaluate", "scores", str(export / "corpus.json"), "--measure", "cp"]
    assert cli.main([*one, "--runs", "failing"]) == 2
    assert "cp needs edge profiles" in capsys.readouterr().err


def test_a_profile_must_be_of_the_runs_of_the_dataset(versions: Path) -> None:
    status, dataset = make_batch_dataset(str(versions.parent / "v1.c"), OPTIONS)
    assert status == DONE
    turned = dataset.replace('"outcome": "fail"', '"outcome": "pass"')
    found = make_batch_profile(str(versions.parent / "v1.c"), OPTIONS, turned)
    assert found == ("some execution ends otherwise than in the dataset", "")


def test_what_cannot_be_used_is_said(versions: Path, tmp_path: Path, threads: Executor) -> None:
    (versions.parent / "v1.c").write_text(CORRECT)
    (versions.parent / "v2.c").write_text("int main(void) { return z; }\n")
    sources = read_batch_versions(versions)
    away = replace(sources[2], faulty_lines=(99,))
    found = run_batch(
        [*sources[:2], away, sources[3]], techniques_named("naish2"), tmp_path / "made", OPTIONS, threads
    )
    assert dict(found.left_out)["max-v1"] == "no failing execution within the bound"
    assert "z" in dict(found.left_out)["max-v2"]
    assert dict(found.left_out)["max-v3"] == "no unit on a faulty line"
    assert [score.version for score in found.scores] == ["v4"]


def test_datasets_of_another_process(correct: Path) -> None:
    assert make_batch_dataset(str(correct), OPTIONS) == ("no failing execution within the bound", "")


def test_a_database_of_something_else(versions: Path, tmp_path: Path, threads: Executor) -> None:
    other = tmp_path / "made"
    other.mkdir()
    (other / "results.sqlite").write_text("not a database, and longer than a hundred characters " * 4)
    with pytest.raises(UsageError, match="not a database"):
        run_batch(read_batch_versions(versions), techniques_named("naish2"), other, OPTIONS, threads)
    with sqlite3.connect(tmp_path / "new.sqlite") as connection:
        assert connection.execute("select 1").fetchone() == (1,)


def test_malformed_versions(tmp_path: Path) -> None:
    path = tmp_path / "versions.json"
    for text, message in (("{", "not JSON"), ("{}", "not a list of versions"),
                          ('{"format": 1, "kind": "corpus"}', "not a list of versions of format 1")):  # fmt: skip
        path.write_text(text)
        with pytest.raises(UsageError, match=message):
            read_batch_versions(path)
    with pytest.raises(UsageError, match="cannot read"):
        read_batch_versions(tmp_path / "missing.json")


def test_mistakes(correct: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["mutate", str(correct), "-o", str(tmp_path / "m"), "--operators", "typo"]) == 2
    assert "unknown kind of fault 'typo'" in capsys.readouterr().err
    assert cli.main(["mutate", "missing.c", "-o", str(tmp_path / "m")]) == 3


def test_a_program_that_only_prints_is_told_how_its_output_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "print.c"
    path.write_text('#include <stdio.h>\nint main(void) { printf("%d\\n", 3); return 0; }\n')
    words = ["mutate", str(path), "-o", str(tmp_path / "m"), "--operators", "constant", "--jobs", "1", "-q"]
    assert cli.main(words) == 0
    said = capsys.readouterr()
    assert "mutants: 0 faulty" in said.out
    assert f"with --reference {path} what it prints and returns does, too" in said.err
    assert cli.main([*words, "--reference", str(path)]) == 0
    assert "no mutant fails" not in capsys.readouterr().err


def test_behind_the_last_version_that_is_wanted_nothing_is_waited_for(correct: Path) -> None:
    class First(ThreadPoolExecutor):
        """Executor whose first future is done and whose other ones never are."""

        def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
            future: Future[Any] = Future()
            if futures:
                future.set_exception(AssertionError("waited for"))
            else:
                future.set_result(function(*arguments, **named))
            futures.append(future)
            return future

    futures: list[Future[Any]] = []
    with First(1) as pool:
        made = make_mutants(str(correct), OPTIONS, pool, operators=("off-by-one", "relational"), limit=1)
    assert len(futures) == 3
    assert len(made.faulty) == sum(made.fates.values()) == 1


def test_workers_end_when_their_parent_is_killed() -> None:
    program = (
        "import os, time; from sfo.pipeline.batch import batch_workers\n"
        "with batch_workers(1) as pool: print(pool.submit(os.getpid).result(), flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = Path("/proc") / parent.stdout.readline().strip()
        assert worker.exists()
        assert not _has_ended(worker)
        parent.kill()
    assert comes_true(lambda: _has_ended(worker), 30)


def _has_ended(process: Path) -> bool:
    """Whether it is gone, or is left for some ancestor to take note of."""
    try:
        return "\nState:\tZ" in (process / "status").read_text(encoding="utf-8")
    except OSError:
        return True
