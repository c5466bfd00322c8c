"""Steps that counters in a native execution count, against those of the interpreter's executions of the same inputs."""

import json
from pathlib import Path

import pytest

from cfrontend.errors import InputError, UsageError
from cfrontend.program import ProgramOptions, load_c_program
from sfo import cli
from sfo.core.dataset import Dataset
from sfo.execution.native.edge_profile import native_edge_profile_dataset
from sfo.formats.vectors import parse_vectors
from sfo.pipeline.localize import localize_pipeline_dataset
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.run_vectors import run_vectors
from tests.places import PROGRAMS

OPTIONS = PipelineOptions(program=ProgramOptions(), passing=5)


MANY = """#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#define INC(a) ((a) + 1)
int nondet_int(void);
struct pair { int a, b; };
static int depth(int n) { if (!n) return 0; return 1 + depth(n - 1); }
static struct pair both(int n) { struct pair p = {n, 2}, *q = &p; return *q; }
static void nothing(void) { return; }
int main(void) {
  int n = nondet_int() & 15, m = INC(n), a[3] = {1, [2] = 2}, u;
  char text[] = "abc", *const word = text;
  struct pair t = both(m);
  for (int i = 0, j = 1; i < n; i++, j++)
    a[i % 3] += depth(i) + word[j % 3];
  do u = 3; while (u-- > 3);
  switch (n) { case 1: m++; break; case 2: nothing(); default: m = n > 3 ? 1 : 2; }
  switch (m) { case 1: u = 1; }
  while (1) { if (!(n > 5 && m)) break; n -= 2; }
  if (n && (depth(m) > 0 || depth(n) > 3)) puts(word);
  if (!t.b) goto out;
  if (n == 4) exit(0);
  a[t.a - 13] = 1;
out:
  assert(n != 3);
  return (m);
}
"""
"""Every kind of unit; fails by the assertion for n = 3 and outside the array for n = 15 and for n below 12."""


def interpreted(path: Path, vectors: str) -> Dataset:
    return run_vectors([str(path)], parse_vectors(vectors, "v.csv"), OPTIONS).dataset


def counted(path: Path, vectors: str) -> Dataset:
    return native_edge_profile_dataset(
        load_c_program([str(path)], OPTIONS.program), parse_vectors(vectors, "v.csv")
    )


def agree(path: Path, vectors: str) -> None:
    ours, native = interpreted(path, vectors), counted(path, vectors)
    assert len(ours.executions) == len(native.executions)
    for mine, other in zip(ours.executions, native.executions, strict=True):
        assert (other.outcome, other.counts) == (mine.outcome, mine.counts)
        assert other.flow == mine.flow
        assert other.tests == mine.tests


def test_every_kind_of_unit(tmp_path: Path) -> None:
    path = tmp_path / "many.c"
    path.write_text(MANY)
    agree(path, "".join(f"{n}\n" for n in range(16)))
    native = counted(path, "3\n4\n13\n")
    assert [run.outcome for run in native.executions] == ["fail", "pass", "pass"]
    assert native.executions[2].output == "abc\n"


@pytest.mark.parametrize("name", ["minmax", "insertion_sort", "drvlock", "rle", "linked_list", "averages"])
@pytest.mark.sample(3)
def test_benchmark_programs(name: str) -> None:
    """Inputs of calls, of variables without a value and of memory; floating ones; crashes."""
    path = PROGRAMS / name / "fault1.c"
    runs = localize_pipeline_dataset([str(path)], OPTIONS).dataset.executions
    assert runs
    agree(path, "".join(",".join(str(value.value) for value in run.inputs) + "\n" for run in runs))


def test_assumptions_have_no_outcome(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        "int nondet_int(void); void __VERIFIER_assume(int); int main(void) { int n = nondet_int();"
        " __VERIFIER_assume(n > 0); n = 10 / (n - 1); return n; }"
    )
    agree(path, "0\n1\n2\n")
    assert [run.outcome for run in counted(path, "0\n1\n2\n").executions] == [None, "fail", "pass"]


def test_a_violation_that_nothing_shows_has_no_outcome(tmp_path: Path) -> None:
    """The sanitizer gives malloc(0) a byte; the run goes on and asks for an input that ours never read."""
    path = tmp_path / "m.c"
    path.write_text(
        "#include <stdlib.h>\nint nondet_int(void); int main(void) { int n = nondet_int() & 1; char *p = malloc(n);"
        " p[0] = 1; n = nondet_int(); free(p); return n; }"
    )
    native = counted(path, "0\n1,7\n")
    assert [(run.outcome, run.ended) for run in native.executions] == [(None, "missing"), ("pass", "pass")]
    assert [run.outcome for run in interpreted(path, "0\n1,7\n").executions] == ["fail", "pass"]


def test_units_out_of_macros_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.c"
    path.write_text("#define SET(x) x = 1; x++\nint main(void) { int y = 0; SET(y); return y; }\n")
    with pytest.raises(InputError, match="a unit out of a macro") as error:
        counted(path, "()\n")
    assert error.value.location is not None
    assert error.value.location.line == 2


@pytest.mark.parametrize("declaration", ["int n = 1;", "int n;"])
@pytest.mark.parametrize(("row", "message"), [("1\n", "row too short"), ("1,2,3\n", "row too long")])
def test_rows_of_the_wrong_length(tmp_path: Path, declaration: str, row: str, message: str) -> None:
    path = tmp_path / "two.c"
    path.write_text(
        f"int nondet_int(void); int main(void) {{ {declaration} n = nondet_int(); n += nondet_int(); return 0; }}"
    )
    with pytest.raises(UsageError, match=message):
        counted(path, row)


def test_the_command_writes_what_run_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, vectors = tmp_path / "many.c", tmp_path / "v.csv"
    path.write_text(MANY)
    vectors.write_text("3\n4\n12\n13\n14\n")
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    assert cli.main(["run", str(path), "--inputs", str(vectors), "--edges", str(one), "-q"]) == 0
    capsys.readouterr()
    assert cli.main(["profile", str(path), "--inputs", str(vectors), "-o", str(two), "-q"]) == 0
    assert capsys.readouterr().out == "1 failing and 4 passing executions, 0 without an outcome\n"
    assert one.read_text() == two.read_text()
    assert json.loads(two.read_text())["predicates"]
    assert cli.main(["rank", str(two), "--measure", "blockrank"]) == 0
