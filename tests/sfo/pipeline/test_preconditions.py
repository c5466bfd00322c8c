"""Preconditions that no input meets are an error of usage, not a *safe* program."""

from pathlib import Path

import pytest

from cfrontend.errors import UsageError
from cfrontend.program import ProgramOptions
from sfo.cli import main
from sfo.core.result import Result
from sfo.oracles.bmc import BmcOracle
from sfo.pipeline.localize import localize_pipeline_checks, localize_pipeline_dataset, run_localize_pipeline
from sfo.pipeline.options import PipelineOptions

INDEXED = "int f(int x) { int a[3] = {0}; return a[x]; }\n"
POINTERS = "int f(char *buf, char *buf_end) { return *buf; }\n"


def checked(
    tmp_path: Path, text: str, *requires: str, unwind: int | None = None, solver: str = "auto"
) -> Result:
    path = tmp_path / "f.c"
    path.write_text(text)
    program = ProgramOptions(entry="f", requires=requires)
    return localize_pipeline_checks(
        [str(path)], PipelineOptions(program=program, unwind=unwind, solver=solver)
    )


@pytest.mark.parametrize(
    ("text", "requires", "blamed"),
    [
        (INDEXED, ("x > 5 && x < 3",), (1, "no input meets 'x > 5 && x < 3'")),
        (
            INDEXED,
            ("x > 5", "x < 3"),
            (2, "together with the preconditions before it, no input meets 'x < 3'"),
        ),
        (INDEXED, ("x >= 0", "x < 3", "x * 2 == 5", "x == 1"), (3, "no input meets 'x * 2 == 5'")),
        (INDEXED, ("0",), (1, "no input meets '0'")),
        (
            POINTERS,
            ("buf_end == buf + 2",),
            (1, "buf and buf_end lead to objects of their own, and never meet in one"),
        ),
        (
            "int g(int x) { return x > 0; }\nint f(int x) { return 1 / x; }\n",
            ("g(x)", "!g(x)"),
            (2, "no input meets '!g"),
        ),
    ],
)
def test_the_first_clause_that_cannot_hold_is_named(
    tmp_path: Path, text: str, requires: tuple[str, ...], blamed: tuple[int, str]
) -> None:
    with pytest.raises(UsageError) as error:
        checked(tmp_path, text, *requires)
    assert error.value.location is not None
    assert (error.value.location.file, error.value.location.line) == ("--requires", blamed[0])
    assert blamed[1] in str(error.value)


@pytest.mark.parametrize("command", [run_localize_pipeline, localize_pipeline_dataset])
def test_every_command_that_would_say_safe_says_so(tmp_path: Path, command: object) -> None:
    path = tmp_path / "f.c"
    path.write_text(INDEXED)
    options = PipelineOptions(program=ProgramOptions(entry="f", requires=("x > 5", "x < 3")))
    with pytest.raises(UsageError, match="no input meets 'x < 3'"):
        command([str(path)], options)  # type: ignore[operator]


def test_beside_a_reference(tmp_path: Path) -> None:
    old, new = tmp_path / "old.c", tmp_path / "new.c"
    old.write_text("int f(int x) { return x + 1; }\n")
    new.write_text("int f(int x) { return x + 2; }\n")
    options = PipelineOptions(
        program=ProgramOptions(entry="f", reference=(str(old),), requires=("x > 5", "x < 3"))
    )
    with pytest.raises(UsageError, match="no input meets 'x < 3'"):
        localize_pipeline_checks([str(new)], options)


def test_a_clause_in_a_comment_is_named_where_it_stands(tmp_path: Path) -> None:
    text = "/* @requires x > 5\n   @requires x < 3 */\n" + INDEXED
    with pytest.raises(UsageError, match=r"f\.c:2:\d+: .*no input meets 'x < 3'"):
        checked(tmp_path, text)


def test_the_command_line_ends_with_the_code_of_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "f.c"
    path.write_text(INDEXED)
    assert main(["check", str(path), "--entry", "f", "--requires", "x > 5", "--requires", "x < 3"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("sfo: error: --requires:2:1: ")
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize("requires", [("x >= 0", "x < 3"), ("x == 2",), ("x >= 0 && x < 3",)])
def test_preconditions_that_can_be_met_are_no_error(tmp_path: Path, requires: tuple[str, ...]) -> None:
    assert checked(tmp_path, INDEXED, *requires).verdict == "safe"


def test_a_function_that_never_returns_is_safe_where_its_preconditions_can_be_met(tmp_path: Path) -> None:
    text = "#include <stdlib.h>\nint f(int x) { int a[3] = {0}; exit(a[x]); }\n"
    assert checked(tmp_path, text, "x == 1").verdict == "safe"


def test_what_has_to_hold_at_the_end_of_a_function_is_unknown_where_none_comes_there(tmp_path: Path) -> None:
    text = "int f(unsigned n)\n{\n    unsigned i, s = 1;\n    for (i = 0; i < 50 + n % 2; i++)\n        s += i;\n    return s != 0;\n}\n"
    old, new = tmp_path / "old.c", tmp_path / "new.c"
    old.write_text(text)
    new.write_text(text.replace("s = 1", "s = 2").replace("s != 0", "s == 0"))
    for options in (
        ProgramOptions(entry="f", reference=(str(old),)),
        ProgramOptions(entry="f", ensures=("__sfo_result == 1",)),
    ):
        near = localize_pipeline_checks([str(new)], PipelineOptions(program=options, unwind=2))
        assert near.verdict == "unknown"
        assert (near.reason or "").startswith("no execution returns within the bound")
        far = localize_pipeline_checks([str(new)], PipelineOptions(program=options, unwind=60))
        assert far.verdict == "violated"


def test_what_holds_at_the_end_of_no_execution_is_not_safe_however_complete_the_bound(tmp_path: Path) -> None:
    text = "int f(int x)\n{\n    if (x >= 0) __CPROVER_assume(x < 0);\n    else __CPROVER_assume(x > 0);\n    return x;\n}\n"
    old, new = tmp_path / "old.c", tmp_path / "new.c"
    old.write_text(text)
    new.write_text(text.replace("return x", "return x + 1"))
    for options in (
        ProgramOptions(entry="f", reference=(str(old),)),
        ProgramOptions(entry="f", ensures=("__sfo_result == 1",)),
    ):
        result = localize_pipeline_checks([str(new)], PipelineOptions(program=options))
        assert (result.verdict, result.bound.complete) == ("unknown", True)
        assert (result.reason or "").startswith("no execution returns within the bound")


@pytest.mark.parametrize(
    "beyond", ["a[3] = n;", "for (int i = 0; i <= 3; i++) a[i] = n;", "int b[n]; b[n] = a[0];"]
)
def test_nothing_is_safe_beside_a_reference_that_fails_in_every_execution(
    beyond: str, tmp_path: Path
) -> None:
    text = '#include <stdio.h>\nint main(void)\n{\n    int n, a[3];\n    scanf("%d", &n);\n    BEYOND\n    printf("%d", n);\n    return 0;\n}\n'
    old, new = tmp_path / "old.c", tmp_path / "new.c"
    old.write_text(text.replace("BEYOND", beyond))
    new.write_text(text.replace("BEYOND", "a[2] = n;").replace('"%d", n', '"%d", a[2]'))
    options = PipelineOptions(program=ProgramOptions(reference=(str(old),)))
    result = localize_pipeline_checks([str(new)], options)
    assert result.verdict == "unknown"
    assert (result.reason or "").startswith("no execution ends in both programs within the bound")
    assert f"sfo check {old} says whether the reference fails itself" in result.notes
    old.write_text(text.replace("BEYOND", ""))
    assert localize_pipeline_checks([str(new)], options).verdict == "safe"


def test_what_the_solver_does_not_decide_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cfrontend.bound import Bound
    from sfo.pipeline import vacuous_verdicts
    from sfo.pipeline.session import AnalysisSession, no_session_progress
    from sfo.solvers import SolverAnswer
    from sfo.test_generation.bound_search import BoundSearch

    path = tmp_path / "f.c"
    path.write_text(INDEXED)
    program = ProgramOptions(entry="f", requires=("x >= 0", "x < 3"))
    session = AnalysisSession([str(path)], PipelineOptions(program=program), no_session_progress)
    assert session.solver_loop is not None
    oracle = BmcOracle(session.encode(Bound(unwind=1)), session.solver_loop)
    monkeypatch.setattr(vacuous_verdicts.SolverQueryLoop, "ask", lambda *_args, **_more: SolverAnswer.UNKNOWN)
    search = BoundSearch(bound=Bound(unwind=1), oracle=oracle, first=None)
    result = vacuous_verdicts.result_with_met_preconditions(checked_safe(), session, search)
    assert result.verdict == "unknown"
    assert result.reason == "whether an input meets the preconditions is not decided"
    assert {item.status for item in result.properties} == {"unknown"}


def checked_safe() -> Result:
    from sfo.core.dataset import Dataset
    from sfo.core.result import ResultBound, ResultOfProperty, ResultStatistics
    from tests.sfo.results import assertion

    return Result(
        verdict="safe",
        bound=ResultBound(unwind=1, unwindset={}, complete=True),
        dataset=Dataset(units=(), executions=()),
        properties=(ResultOfProperty(property=assertion(), status="safe"),),
        statistics=ResultStatistics(solver="auto", calls=0, seconds={}),
    )


def test_a_clause_whose_evaluation_leaves_the_bound_says_nothing(tmp_path: Path) -> None:
    text = (
        "int g(int x) { int n = 0; while (n < x) n++; return n == x && x > 4; }\n"
        "int f(int x) { int a[9] = {0}; return a[x & 7]; }\n"
    )
    result = checked(tmp_path, text, "g(x)", unwind=2)
    assert result.verdict == "unknown"
    assert result.reason is not None
    assert "leaves the bound" in result.reason


def test_the_assumptions_of_the_program_itself_are_its_own(tmp_path: Path) -> None:
    path = tmp_path / "m.c"
    path.write_text(
        "void __CPROVER_assume(int);\nint nondet_int(void);\n"
        'int main(void) { int x = nondet_int(); __CPROVER_assume(x > 5 && x < 3); __CPROVER_assert(0, "no"); }\n'
    )
    assert localize_pipeline_checks([str(path)], PipelineOptions(program=ProgramOptions())).verdict == "safe"
