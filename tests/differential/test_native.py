"""The native side itself: ends, lines, printed text and coverage, also where the program aborts."""

from pathlib import Path

from tests.differential.native import Native, NativeRun, Vector, initialised_copy

SOURCE = """\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int nondet_int(void);
void reach_error(void);
void __VERIFIER_assume(int);
static int f(int x)
{
    printf("%d\\n", x);
    assert(x != 1);
    if (x == 2)
        abort();
    if (x == 3)
        reach_error();
    __VERIFIER_assume(x != 4);
    if (x == 5)
        exit(7);
    return 10 / (x - 6);
}
int main(void)
{
    int y = f(nondet_int());
    return y;
}
"""


def runs_of(tmp_path: Path, *vectors: Vector) -> list[NativeRun]:
    source = tmp_path / "program_under_test.c"
    source.write_text(SOURCE)
    return Native(source, tmp_path / "native").run(vectors)


def test_every_end(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, *(Vector((n,)) for n in range(7)), Vector(()))
    assert [(run.end, run.line) for run in runs] == [
        ("pass", None),
        ("fail", 10),
        ("fail", 12),
        ("fail", 14),
        ("assume", 15),
        ("pass", None),
        ("signal-8", 18),
        ("missing", 22),
    ]
    assert [run.printed for run in runs] == [*(f"{n}\n" for n in range(7)), ""]
    assert [run.inputs for run in runs] == [*((n,) for n in range(7)), ()]


def test_coverage_survives_a_failed_assertion(tmp_path: Path) -> None:
    passing, failing, aborting, exiting = runs_of(tmp_path, *(Vector((n,)) for n in (0, 1, 2, 5)))
    assert passing.covered == {7, 9, 10, 11, 13, 15, 16, 18, 20, 22, 23}
    assert failing.covered == {7, 9, 10, 20, 22}
    assert aborting.covered == {7, 9, 10, 11, 12, 20, 22}
    assert exiting.covered == {7, 9, 10, 11, 13, 15, 16, 17, 20, 22}
    assert passing.executable >= passing.covered | {12, 14, 17}


def test_random_inputs_are_the_same_every_time(tmp_path: Path) -> None:
    one = runs_of(tmp_path, Vector((), 5), Vector((), 6))
    two = runs_of(tmp_path, Vector((), 5), Vector((), 6))
    assert one == two
    assert one[0].inputs != one[1].inputs


def test_a_copy_reads_its_uninitialised_locals() -> None:
    text = "int f(void)\n{\n    int a, b;\n    return a + b;\n}\n"
    copy = initialised_copy(text, 3).splitlines()
    assert copy[2] == "    int a = sfo_uninitialised_int(), b = sfo_uninitialised_int();"
    assert len(copy) == 5
