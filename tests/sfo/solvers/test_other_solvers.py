"""Solvers by way of pysmt: the same answers as ours, within what they can be told."""

import subprocess
import sys
from functools import cache

import pytest

from benchmarks.manifest import PROGRAMS
from cfrontend.errors import UsageError
from cfrontend.program import ProgramOptions
from cfrontend.terms import Terms
from sfo.core.extras import EXTRA_OF_LIBRARY
from sfo.core.result import ResultBound
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.solvers import make_solver

TEN = (
    "minmax", "bsearch", "bubble_sort", "wordcount", "recursion",
    "splitter", "matrix", "callbacks", "drvlock", "insertion_sort",
)  # fmt: skip
"""Programs that every engine decides soon. Each is asked in a test of its own, so that none is left out of a sample."""


@cache
def facts(program: str, solver: str) -> tuple[str, bool, tuple[int, ...], ResultBound]:
    """The verdict, whether it is proved, the intersection and the bound."""
    options = PipelineOptions(program=ProgramOptions(), passing=3, solver=solver)
    found = run_localize_pipeline([str(PROGRAMS / program / "fault1.c")], options)
    assert found.statistics.solver == solver
    return found.verdict, found.optimal, tuple(sorted(found.intersection)), found.bound


def same_facts(*engines: str) -> None:
    for program in TEN:
        ours = facts(program, "auto")
        assert ours[:2] == ("violated", True)
        assert ours[2]
        assert {engine: facts(program, engine) for engine in engines} == dict.fromkeys(engines, ours)


def test_ten_programs_with_bitwuzla_and_with_glucose() -> None:
    same_facts("bitwuzla", "glucose")


def test_ten_programs_with_z3() -> None:
    same_facts("z3")


def test_ten_programs_by_way_of_pysmt() -> None:
    same_facts("pysmt:z3", "pysmt:cvc5")


def test_z3_and_pysmt_are_imported_only_where_they_are_used() -> None:
    code = (
        "import sys; from cfrontend.terms import Terms; from sfo.solvers import make_solver\n"
        "for name in ('auto', 'bitwuzla', 'glucose'): make_solver(name, Terms())\n"
        "assert not {'z3', 'pysmt'} & set(sys.modules)\n"
        "make_solver('z3', Terms())\n"
        "assert 'z3' in sys.modules and 'pysmt' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_is_not_installed_is_said(t: Terms, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"pysmt has no solver 'msat' for bit-vectors here: it has .*z3"):
        make_solver("pysmt:msat", t)
    monkeypatch.setitem(EXTRA_OF_LIBRARY, "msat", "msat")
    with pytest.raises(
        UsageError, match=r"no solver 'msat' .*; pip install '\.\[msat\]' in a clone of sfo adds it"
    ):
        make_solver("pysmt:msat", t)
