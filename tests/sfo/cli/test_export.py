"""The exported question, given to three solvers' own parsers."""

from collections.abc import Callable
from pathlib import Path

import bitwuzla
import cvc5
import pytest
import z3

from benchmarks.manifest import PROGRAMS
from cfrontend.program import ProgramOptions
from sfo.cli import main
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions


def z3_answer(text: str) -> str:
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(text)
    return str(solver.check())


def bitwuzla_answer(text: str) -> str:
    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(text.removesuffix("(check-sat)\n"), parse_only=True, parse_file=False)
    return str(parser.bitwuzla().check_sat()).lower().rsplit(".", maxsplit=1)[-1]


def cvc5_answer(text: str) -> str:
    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said += str(command.invoke(solver, parser.getSymbolManager()))
    return said.strip()


ANSWERS = [z3_answer, bitwuzla_answer, cvc5_answer]


def exported(path: Path, directory: Path) -> str:
    target = directory / "question.smt2"
    assert main(["export", str(path), "-o", str(target)]) == 0
    return target.read_text(encoding="ascii")


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("name", ["minmax/fault1", "rle/fault4"])
def test_every_solver_reads_the_question_and_finds_the_same(
    name: str, answer: Callable[[str], str], tmp_path: Path
) -> None:
    path = PROGRAMS / f"{name}.c"
    text = exported(path, tmp_path)
    assert answer(text) == "sat"
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions()))
    covered = {unit.id for unit in result.dataset.units if f"(define-fun unit!{unit.id} " in text}
    for unit in sorted(covered)[:6]:
        more = f"(assert (not unit!{unit}))\n(check-sat)\n"
        avoided = "unsat" if unit in result.intersection else "sat"
        assert answer(text.replace("(check-sat)\n", more)) == avoided


def test_units_are_explained_and_properties_named(tmp_path: Path) -> None:
    text = exported(PROGRAMS / "minmax" / "fault1.c", tmp_path)
    assert "; unit!8: " in text
    assert "most = input2" in text
    assert "(define-fun violated!main.assertion.1 () Bool " in text
    assert text.isascii()


def test_a_question_says_its_bound_and_what_is_not_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, target = tmp_path / "loop.c", tmp_path / "question.smt2"
    path.write_text(
        'int main(void) { int i, s = 0; for (i = 0; i < 5; i++) s += i; __CPROVER_assert(s == 11, ""); }\n'
    )
    assert "; bound: unwind 1 (main.0:6), complete" in exported(path, tmp_path)
    assert capsys.readouterr().err == ""
    assert main(["export", str(path), "--unwind", "5", "-o", str(target)]) == 0
    assert "; bound: unwind 5 (main.0:5), not complete (some executions are longer)" in target.read_text(
        encoding="ascii"
    )
    assert "no property can be violated within this bound" in capsys.readouterr().err
    path.write_text(
        path.read_text()
        .replace("i < 5", "i < nondet_int()")
        .replace("int main", "int nondet_int(void);\nint main")
    )
    assert main(["export", str(path), "--unwind", "6", "-o", str(target)]) == 0
    assert "executions that leave the bound are not asked about" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["export", "x.c"], 2),
        (["export", "no-such-file.c", "-o", "-"], 3),
        (["export", str(PROGRAMS / "minmax" / "fault1.c"), "-o", "/no/such/directory/x"], 2),
    ],
)
def test_wrong_use(arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == code
    assert len(capsys.readouterr().err.splitlines()) == 1
