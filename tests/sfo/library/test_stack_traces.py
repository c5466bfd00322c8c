"""Stack traces as spectra: crash reports are failing executions."""

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from cfrontend.errors import UsageError
from sfo import cli
from sfo.library.matrix_ranking import rank

HEAD = "Program received signal SIGSEGV, Segmentation fault.\n"
FIRST = f"{HEAD}#0  pick (n=3) at t.c:5\n#1  0x00 in main () at t.c:9\n"
SECOND = f"{HEAD}#0  put () at t.c:2\n#1  0x00 in pick (n=1) at t.c:5\n#2  0x00 in pick (n=2) at t.c:5\n"


@pytest.fixture
def crashes(tmp_path: Path) -> Path:
    directory = tmp_path / "crashes"
    directory.mkdir()
    (directory / "1.txt").write_text(FIRST)
    (directory / "2.txt").write_text(SECOND)
    return directory


def test_the_mean_of_one_over_the_depth_of_the_first_frame(crashes: Path) -> None:
    ranking = rank(crashes, "stack-trace,ochiai", form="crashes")
    scores = {line.unit.name: line.score for line in ranking.by("stack-trace")}
    assert scores == {"pick at t.c:5": 3 / 4, "put at t.c:2": 1 / 2, "main at t.c:9": 1 / 4}
    assert (ranking.matrix.failing, ranking.matrix.passing) == (2, 0)
    best = ranking.by("ochiai")[0]
    assert (best.unit.function, best.unit.file, best.unit.line, best.score) == ("pick", "t.c", 5, 1.0)
    one = rank(crashes / "1.txt", "stack-trace", form="crashes")
    assert [line.score for line in one.suspects] == [1, 1 / 2]


def test_500_random_sets_of_reports(tmp_path: Path) -> None:
    """Scores and coverage against sums over the traces as they were drawn."""
    random = Random(2)
    for number in range(500):
        directory = tmp_path / str(number)
        directory.mkdir()
        traces = [random.choices("abcde", k=random.randint(1, 7)) for _ in range(random.randint(1, 4))]
        for place, trace in enumerate(traces):
            frames = "".join(f"#{depth}  {name} () at t.c:{ord(name)}\n" for depth, name in enumerate(trace))
            (directory / f"{place}.txt").write_text(HEAD + frames)
        ranking = rank(directory, "stack-trace,wong1", form="crashes")
        for technique, share in (("stack-trace", lambda t, n: Fraction(1, t.index(n) + 1)), ("wong1", None)):
            total = len(traces) if share else 1
            wanted = {
                name: float(sum(share(t, name) if share else 1 for t in traces if name in t) / total)
                for name in {name for trace in traces for name in trace}
            }
            assert {line.unit.function: line.score for line in ranking.by(technique)} == pytest.approx(wanted)


def test_the_command(crashes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rank", str(crashes), "--from", "crashes", "--measure", "stack-trace"]) == 0
    assert "pick at t.c:5" in capsys.readouterr().out
    (crashes / "3.txt").write_text("all is well\n")
    assert cli.main(["rank", str(crashes), "--from", "crashes", "--measure", "stack-trace"]) == 2
    assert "3.txt: no crash report" in capsys.readouterr().err


def test_what_has_no_traces(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("outcome,a\nfail,1\n")
    with pytest.raises(UsageError, match="stack-trace needs crash reports: --from crashes"):
        rank(tmp_path / "m.csv", "stack-trace")
    (tmp_path / "none").mkdir()
    with pytest.raises(UsageError, match="no frame of a crash report"):
        rank(tmp_path / "none", "stack-trace", form="crashes")
    with pytest.raises(UsageError, match="cannot read"):
        rank(tmp_path / "missing", "stack-trace", form="crashes")
