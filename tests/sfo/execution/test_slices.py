"""Slices against the whole program: what is left out may not have mattered.

The programs are those of ``tests.test_optimality``, whose inputs can all be enumerated.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues, EncodeSuppliedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, UnsupportedError, UsageError
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.terms import Term, Terms
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.units import InputSite, UnitId
from sfo.cli import main
from sfo.core.decode_model import decode_model_execution, terms_to_decode_model
from sfo.core.executions import Execution
from sfo.core.result import Result
from sfo.execution.slices import ExecutionSlices
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.solvers import SolverAnswer, make_solver
from tests.conftest import require_tool
from tests.places import CASES
from tests.test_optimality import UNWIND, Generator, Subject, Vector, place_of, run_natively

PER_TEST = 8
PROGRAMS = 24
ASKED = 20
PATHS = sorted(CASES.glob("*.c"))
CONCRETE = Bound(unwind=None, free=True)


def written(seed: int, directory: Path) -> tuple[str, PipelineOptions]:
    subject = Generator(seed).program()
    source = directory / "program.c"
    source.write_text(subject.plain(), encoding="utf-8")
    options = PipelineOptions(
        program=ProgramOptions(entry=subject.entry), unwind=UNWIND, passing=ASKED, timeout=60
    )
    return str(source), options


def differences(whole: Result, part: Result, asked: int = ASKED) -> Iterator[str]:
    """Whatever a static slice changes beside the units that are no longer there.

    Passing runs are compared where fewer were found than were ``asked`` for.
    """
    assert part.slice is not None
    removed = frozenset(part.slice.removed)
    if (whole.verdict, whole.bound, whole.optimal) != (part.verdict, part.bound, part.optimal):
        yield f"{whole.verdict}, {whole.bound} and {part.verdict}, {part.bound}"
    if part.intersection != tuple(unit for unit in whole.intersection if unit not in removed):
        yield f"{whole.intersection} without {sorted(removed)} and {part.intersection}"
    one, two = ({run.covered - removed for run in r.dataset.passing} for r in (whole, part))
    if max(len(r.dataset.passing) for r in (whole, part)) < asked and one != two:
        yield f"passing executions cover {one} and {two}"


def may_differ(terms: Terms, one: EncodedProgram, two: EncodedProgram, units: frozenset[UnitId]) -> Term:
    """An execution ends in another way, or covers other ones of ``units``."""

    def seen(encoded: EncodedProgram) -> list[Term]:
        violated = terms.any_of(violation.condition for violation in encoded.violations)
        covered = (encoded.coverage.get(unit, terms.any_of(())) for unit in sorted(units))
        return [violated, encoded.passing, encoded.cut, *covered]

    pairs = zip(seen(one), seen(two), strict=True)
    return terms.any_of(terms.ite(a, terms.not_(b), b) for a, b in pairs)


@pytest.mark.parametrize("first", range(0, PROGRAMS, PER_TEST))
@pytest.mark.sample(1)
def test_a_static_slice_has_the_verdict_and_the_intersection_of_the_program(
    first: int, tmp_path: Path
) -> None:
    left_out = 0
    for seed in range(first, first + PER_TEST):
        path, options = written(seed, tmp_path)
        part = run_localize_pipeline([path], replace(options, slicing="static"))
        assert not [*differences(run_localize_pipeline([path], options), part)], f"seed {seed}"
        left_out += 0 if part.slice is None else len(part.slice.removed)
    assert left_out


@pytest.mark.parametrize("first", range(PROGRAMS, PROGRAMS + 24, PER_TEST))
@pytest.mark.sample(1)
def test_no_value_of_a_unit_outside_a_static_slice_changes_how_an_execution_ends(
    first: int, tmp_path: Path
) -> None:
    """Whatever the unit yields, whatever the inputs are: the solver knows of no difference."""
    asked = 0
    for seed in range(first, first + PER_TEST):
        path, options = written(seed, tmp_path)
        part = run_localize_pipeline([path], replace(options, slicing="static")).slice
        assert part is not None
        program = load_c_program([path], options.program)
        kept = frozenset(unit.id for unit in program.units) - frozenset(part.removed)
        terms = Terms()
        loop = SolverQueryLoop(make_solver("auto", terms))
        plain = encode_program(program, Bound(unwind=UNWIND), terms=terms)
        for unit in part.removed:
            relaxed = encode_program(program, Bound(unwind=UNWIND), terms=terms, relax={unit})
            question = (may_differ(terms, plain, relaxed, kept),)
            assert loop.ask(question) is SolverAnswer.UNSAT, f"seed {seed}: {program.units[unit - 1]}"
            asked += 1
    assert asked


@pytest.mark.parametrize("seed", [1, 4, 11, 14])
def test_cbmc_finds_the_same_in_a_static_slice(seed: int, tmp_path: Path) -> None:
    require_tool("cbmc")
    path, options = written(seed, tmp_path)
    part = replace(options, slicing="static", passing=0)
    ours, theirs = (
        run_localize_pipeline([path], part),
        run_localize_pipeline([path], replace(part, backend="cbmc")),
    )
    assert (ours.verdict, ours.intersection, ours.slice) == (
        theirs.verdict,
        theirs.intersection,
        theirs.slice,
    )


# -- dynamic -------------------------------------------------------------------------------------------------------


def on_inputs(program: Program, subject: Subject, vector: Vector) -> Execution:
    """The dynamic slice of the execution on a native vector, computed with nothing but constants."""
    places = iter(vector)

    def supply(site: InputSite) -> int | None:
        place = next(places, None)
        if place is None:
            return None
        return {"_Bool": place % 2, "unsigned char": place}.get(site.type, place + subject.low)

    encoded = encode_program(
        program,
        CONCRETE,
        inputs=EncodeSuppliedValues(supply),
        mattering={item.id for item in program.properties},
    )
    return decode_model_execution(
        encoded, evaluate_terms(encoded.terms, terms_to_decode_model(encoded), {}), 1
    )


def places(subject: Subject, run: Execution) -> Vector:
    return tuple(place_of(subject, value) for value in run.inputs)


@pytest.mark.parametrize("first", range(0, PROGRAMS, PER_TEST))
@pytest.mark.sample(1)
def test_dynamic_slices_are_those_of_the_single_executions(first: int, tmp_path: Path) -> None:
    """All inputs: the intersection is that of all slices of failing executions, and passing ones are complete."""
    require_tool("gcc")
    dropped = 0
    for seed in range(first, first + PER_TEST):
        path, options = written(seed, tmp_path)
        result = run_localize_pipeline([path], replace(options, slicing="dynamic"))
        removed = run_localize_pipeline([path], replace(options, slicing="static", passing=0)).slice
        assert removed is not None
        subject, program = Generator(seed).program(), load_c_program([path], options.program)
        runs = [
            on_inputs(program, subject, vector)
            for vector, native in run_natively(subject, tmp_path).items()
            if native.outcome != "discard"
        ]
        failing = [run.covered for run in runs if run.outcome == "fail"]
        assert result.verdict == ("violated" if failing else "safe"), f"seed {seed}"
        if failing:
            assert result.optimal, f"seed {seed}"
            assert frozenset(result.intersection) == frozenset.intersection(*failing), f"seed {seed}"
            passing = {run.covered for run in runs if run.outcome == "pass"}
            found = [run.covered for run in result.dataset.passing]
            assert len(found) == ASKED or set(found) == passing, f"seed {seed}"
        slices = {places(subject, run): (run.outcome, run.covered) for run in runs}
        for run in result.dataset.executions:
            assert slices[places(subject, run)] == (run.outcome, run.covered), f"seed {seed}, {run.vector}"
            assert run.covered.isdisjoint(removed.removed), f"seed {seed}, {run.vector}"
        dropped += len(program.units) - len(frozenset().union(*failing))
    assert dropped


@pytest.mark.parametrize("first", range(PROGRAMS, PROGRAMS + 24, PER_TEST))
@pytest.mark.sample(1)
def test_no_value_of_a_unit_outside_a_dynamic_slice_lets_the_run_pass(first: int, tmp_path: Path) -> None:
    """Whatever the unit yields at each of its evaluations, the run does not pass: it did not matter."""
    asked = 0
    for seed in range(first, first + PER_TEST):
        path, options = written(seed, tmp_path)
        result = run_localize_pipeline([path], replace(options, slicing="dynamic", passing=0))
        program = load_c_program([path], options.program)
        for run in result.dataset.failing[:1]:
            for unit in program.units:
                if unit.id in run.covered:
                    continue
                terms = Terms()
                loop = SolverQueryLoop(make_solver("auto", terms))
                try:
                    relaxed = encode_program(
                        program,
                        Bound(unwind=UNWIND),
                        terms=terms,
                        inputs=EncodeFixedValues(run.vector),
                        relax={unit.id},
                    )
                except UnsupportedError:  # any index into a table of functions
                    continue
                assert loop.ask((relaxed.passing,)) is SolverAnswer.UNSAT, (
                    f"seed {seed}, {run.vector}: {unit}"
                )
                asked += 1
    assert asked


def test_dynamic_slices_by_cbmc_are_refused(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    options = PipelineOptions(program=ProgramOptions(), slicing="dynamic", backend="cbmc")
    with pytest.raises(UsageError, match="--slice dynamic needs --backend sfo"):
        run_localize_pipeline([str(source)], options)


def test_executions_of_a_slice_print_what_the_program_prints(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "#include <assert.h>\n#include <stdio.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n"
        " int x = __VERIFIER_nondet_int(), unused;\n int y = __VERIFIER_nondet_int();\n"
        ' if (x > 3) {\n  y = y + unused;\n  printf("%d\\n", x == 5);\n }\n assert(x != 5);\n}\n',
        encoding="utf-8",
    )
    options = PipelineOptions(program=ProgramOptions(), passing=5, slicing="static", replay=True)
    require_tool("gcc")
    result = run_localize_pipeline([str(source)], options)
    (failing,) = result.dataset.failing
    assert [value.name for value in failing.inputs] == ["x", "y", "unused"]
    assert failing.output == "1\n"
    assert result.slice is not None
    assert {result.dataset.units[unit - 1].text for unit in result.slice.removed} == {
        "y = y + unused", 'printf("%d\\n", x == 5)', "y = __VERIFIER_nondet_int()", "x > 3",
    }  # fmt: skip
    assert result.native is not None
    assert [check.status for check in result.native] == ["agrees"] * len(result.dataset.executions)


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(6))
def test_slices_of_all_features_of_the_language_end_as_the_programs_do(part: int) -> None:
    """Programs with unions, bit-fields, function pointers, gotos, heap, strings, floating values and more."""
    compared = 0
    for path in map(str, PATHS[part::6]):
        options = PipelineOptions(program=ProgramOptions(), unwind=8, passing=3, timeout=60)
        try:
            whole = run_localize_pipeline([path], options)
        except InputError:  # nothing to violate, or nothing that is supported
            continue
        assert not [
            *differences(whole, run_localize_pipeline([path], replace(options, slicing="static")), asked=3)
        ], path
        dynamic = run_localize_pipeline([path], replace(options, slicing="dynamic"))
        assert (dynamic.verdict, dynamic.bound) == (whole.verdict, whole.bound), path
        assert set(dynamic.intersection) <= set(whole.intersection), path
        compared += 1
    assert compared > 5


def test_a_slice_beside_a_reference_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    options = PipelineOptions(program=ProgramOptions(reference=(str(source),)), slicing="static")
    with pytest.raises(UsageError, match="--slice static cannot be used with a --reference"):
        run_localize_pipeline([str(source)], options)


SIMPLE = """\
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = 1;
    int z = x;
    if (x > 3)
        y = 2;
    z = z + 1;
    assert(y != 2);
}
"""


def test_every_command_that_executes_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``run``, ``generate``, and ``run_localize_pipeline`` from existing tests, told by the configuration."""
    monkeypatch.chdir(tmp_path)
    Path("simple.c").write_text(SIMPLE, encoding="utf-8")
    Path("vectors.csv").write_text("x\n1\n5\n", encoding="utf-8")
    covered = {"none": [[1, 2, 3, 4, 6], [1, 2, 3, 4, 5, 6]], "static": [[1, 2, 4], [1, 2, 4, 5]], "dynamic": [[1, 2, 4], [1, 4, 5]]}  # fmt: skip
    for kind, expected in covered.items():
        Path("sfo.toml").write_text(f'slice = "{kind}"\nrank = "coverage"\nreplay = true\n', encoding="utf-8")
        assert main(["run", "simple.c", "--inputs", "vectors.csv", "--format", "json", "-o", "run.json"]) == 0
        ran = json.loads(Path("run.json").read_text(encoding="utf-8"))
        assert [run["covered"] for run in ran["executions"]] == expected
        require_tool("gcc")
        assert (
            main(["localize", "simple.c", "--tests", "vectors.csv", "--format", "json", "-o", "found.json"])
            == 0
        )
        found = json.loads(Path("found.json").read_text(encoding="utf-8"))
        runs = {run["outcome"]: run["covered"] for run in found["executions"]}
        assert runs["fail"] == expected[1] == found["intersection"]
        assert {check["status"] for check in found["native"]} == {"agrees"}
        assert main(["generate", "simple.c", "-o", f"suite-{kind}", "-q"]) == 0
        made = json.loads(Path(f"suite-{kind}/dataset.json").read_text(encoding="utf-8"))
        assert sorted(run["covered"] for run in made["executions"]) == sorted(expected)
        used = {
            "none": None,
            "static": {"kind": kind, "removed": [3, 6]},
            "dynamic": {"kind": kind, "removed": []},
        }
        assert ran["slice"] == found["slice"] == made["slice"] == used[kind]


def test_slices_of_examples_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "simple.c"
    source.write_text(SIMPLE, encoding="utf-8")
    (tmp_path / "io").mkdir()
    (tmp_path / "io" / "1.in").write_text("1\n", encoding="utf-8")
    (tmp_path / "io" / "1.out").write_text("1\n", encoding="utf-8")
    assert main(["localize", str(source), "--io", str(tmp_path / "io"), "--slice", "dynamic"]) == 2
    assert "--slice dynamic cannot be used with --io" in capsys.readouterr().err


def test_a_run_is_kept_when_there_is_no_time_to_run_it_again(tmp_path: Path) -> None:
    source = tmp_path / "simple.c"
    loop = SIMPLE.replace("int y = 1;", "int y = 1; for (int i = 0; i < 100; i++) ;")
    source.write_text(loop, encoding="utf-8")
    options = PipelineOptions(program=ProgramOptions(), slicing="static")
    (run,) = run_localize_pipeline([str(source)], options).dataset.failing
    program = load_c_program([str(source)], options.program)
    properties = {item.id for item in program.properties}
    past = ExecutionSlices(program, "static", properties, deadline=0.0)
    assert past.found([replace(run, output="nothing yet")]) == (replace(run, output="nothing yet"),)
    later = ExecutionSlices(program, "static", properties, deadline=None)
    assert later.found([replace(run, output="nothing yet")]) == (run,)
