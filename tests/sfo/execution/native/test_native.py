"""The native side: ends, places, inputs of every kind, printed text and coverage, also where the program dies."""

from pathlib import Path

import pytest

from cfrontend.errors import ResourceError
from cfrontend.program import ALL_CHECKS, Program, ProgramOptions, load_c_program
from sfo.execution.native.build import build_natively
from sfo.execution.native.compare import ComparedNativeExecution
from sfo.execution.native.execute import (
    ExecutableNativeProgram,
    NativeInputVector,
    interpreted_native_execution,
    native_vector_to_execute,
)

ENDS = """\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int nondet_int(void);
void __CPROVER_assume(_Bool);

static int f(int x)
{
    printf("%d\\n", x);
    assert(x != 1);
    if (x == 2)
        abort();
    if (x == 3)
        assert(0);
    __CPROVER_assume(x != 4);
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


def loaded(tmp_path: Path, text: str, options: ProgramOptions | None = None) -> Program:
    source = tmp_path / "program_under_test.c"
    source.write_text(text)
    return load_c_program([str(source)], options or ProgramOptions())


def runs_of(tmp_path: Path, *vectors: NativeInputVector) -> list[ComparedNativeExecution]:
    program = loaded(tmp_path, ENDS)
    return ExecutableNativeProgram(build_natively(program, tmp_path / "native"), program).run(vectors)


def lines(run: ComparedNativeExecution) -> set[int]:
    assert run.covered is not None
    return {line for file, line in run.covered if file.endswith(".c")}


def test_every_end(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, *(NativeInputVector(values=(n,)) for n in range(7)), NativeInputVector())
    assert [(run.end, run.line and run.line[1]) for run in runs] == [
        ("pass", None),
        ("fail", 10),
        ("fail", 12),
        ("fail", 14),
        ("assume", 15),
        ("pass", None),
        ("div0", 18),
        ("missing", 22),
    ]
    assert [run.printed for run in runs] == [*(f"{n}\n" for n in range(7)), ""]
    assert [run.inputs for run in runs] == [*((n,) for n in range(7)), ()]


def test_coverage_survives_a_failed_assertion(tmp_path: Path) -> None:
    passing, failing, aborting, exiting, dividing = runs_of(
        tmp_path, *(NativeInputVector(values=(n,)) for n in (0, 1, 2, 5, 6))
    )
    assert lines(passing) == {7, 9, 10, 11, 13, 15, 16, 18, 20, 22, 23}
    assert lines(failing) == {7, 9, 10, 20, 22}
    assert lines(aborting) == {7, 9, 10, 11, 12, 20, 22}
    assert lines(exiting) == {7, 9, 10, 11, 13, 15, 16, 17, 20, 22}
    assert lines(dividing) == {7, 9, 10, 11, 13, 15, 16, 18, 20, 22}
    assert {line for _, line in passing.executable} >= lines(passing) | {12, 14, 17}


def test_random_inputs_are_the_same_every_time(tmp_path: Path) -> None:
    one = runs_of(tmp_path, NativeInputVector(seed=5), NativeInputVector(seed=6))
    two = runs_of(tmp_path, NativeInputVector(seed=5), NativeInputVector(seed=6))
    assert one == two
    assert one[0].inputs != one[1].inputs


def test_the_users_file_is_not_touched(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int main(void) { int x; return 1 / x; }\n")
    before = {p: p.read_bytes() for p in tmp_path.iterdir()}
    ExecutableNativeProgram(build_natively(program, tmp_path / "native"), program).run([NativeInputVector()])
    assert {p: p.read_bytes() for p in tmp_path.iterdir() if p.is_file()} == before


@pytest.mark.parametrize(
    ("statement", "limit"),
    [("for (;;) ;", "limit-time"), ("for (;;) putchar('x');", "limit-output"), ("fork();", "pass")],
    ids=["time", "output", "processes"],
)
def test_limits(tmp_path: Path, statement: str, limit: str) -> None:
    # The native side alone: what runs away here would not end in sfo either.
    program = loaded(tmp_path, "int main(void) { int x; return 1 / x; }\n")
    (tmp_path / "program_under_test.c").write_text(
        f"#include <stdio.h>\n#include <unistd.h>\nint main(void) {{ {statement} }}\n"
    )
    (run,) = ExecutableNativeProgram(build_natively(program, tmp_path / "native"), program).run(
        [NativeInputVector()], seconds=3
    )
    assert run.end == limit


def test_memory_is_limited(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int main(void) { int x; return 1 / x; }\n")
    (tmp_path / "program_under_test.c").write_text(
        "#include <stdlib.h>\n#include <string.h>\n"
        "int main(void) { for (;;) memset(malloc(10000000), 1, 10000000); }\n"
    )
    (run,) = ExecutableNativeProgram(build_natively(program, tmp_path / "native"), program).run(
        [NativeInputVector()], seconds=60
    )
    assert run.end == "limit-memory"


def test_what_gcc_refuses_is_an_error(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int main(void) { int x; return 1 / x; }\n")
    (tmp_path / "program_under_test.c").write_text("int main(void) { return y; }\n")
    with pytest.raises(ResourceError, match="'y' undeclared"):
        build_natively(program, tmp_path / "native")


MEMORY = """\
#include <assert.h>
#include <stdlib.h>
struct pair { char first; int second; };
union word { int number; char bytes[4]; };
static int taken(int depth)
{
    int plain, *pointed = &plain, table[2][2], k;
    struct pair pair, *more = malloc(2 * sizeof *more);
    union word word = {0}, other;
    const int fixed;
    int sum = 0;
    more = realloc(more, 3 * sizeof *more);
    for (int i, j = 0; j < 2; j++) {
        int inner; sum = 3 * sum + inner;
        if (j)
            sum += i;
        i = 5;
    }
    sum = 7 * sum + *pointed + 2 * table[1][0] + 3 * k + 4 * pair.second + 5 * more[1].first;
    sum += 11 * other.bytes[2] + 13 * fixed + word.number;
    free(more);
    return depth ? 17 * sum + taken(depth - 1) : sum;
}
int main(void)
{
    int sum = taken(1);
    assert(sum != SUM);
    return 0;
}
"""
"""Everything that can begin without a value, twice over."""


def test_what_nobody_wrote_is_given(tmp_path: Path) -> None:
    def at(total: int, vector: tuple[int, ...]) -> ComparedNativeExecution:
        program = loaded(tmp_path, MEMORY.replace("SUM", str(total)))
        run = interpreted_native_execution(program, vector)
        assert run is not None
        assert run.outcome == "fail"
        built = build_natively(program, tmp_path / "native")
        assert not built.plan.unfilled
        supplied = native_vector_to_execute(run.inputs, built.plan)
        assert isinstance(supplied, NativeInputVector)
        assert not supplied.values
        (native,) = ExecutableNativeProgram(built, program).run([supplied])
        return native

    count = len(_inputs_read(tmp_path))
    assert count == 18  # realloc copies what nobody wrote without reading it
    for first in (1, 40):
        vector = tuple(range(first, first + count))
        total = _total(tmp_path, vector)
        native = at(total, vector)
        assert (native.end, native.line and native.line[1]) == ("fail", 27)


def _inputs_read(tmp_path: Path) -> tuple[int, ...]:
    program = loaded(tmp_path, MEMORY.replace("SUM", "0"))
    run = interpreted_native_execution(program, [0] * 200)
    assert run is not None
    return tuple(i.value for i in run.inputs)


def _total(tmp_path: Path, vector: tuple[int, ...]) -> int:
    """What the program computes, read off what it prints."""
    text = MEMORY.replace("assert(sum != SUM)", 'printf("%d", sum); assert(sum != 0)')
    program = loaded(tmp_path, f"#include <stdio.h>\n{text}")
    run = interpreted_native_execution(program, vector)
    assert run is not None
    return int(run.output)


def test_every_check_of_gcc_is_made(tmp_path: Path) -> None:
    program = loaded(
        tmp_path,
        "int nondet_int(void);\n#include <stdlib.h>\nint main(void) {\n  int x = nondet_int(), a[3] = {0};\n"
        "  int *p = malloc(4);\n  if (x == 1)\n    return a[x + 2];\n  if (x == 2)\n    return p[x];\n"
        "  if (x == 3)\n    return 1 / (x - 3);\n  if (x == 4)\n    return x += 0x7fffffff;\n"
        "  if (x == 5)\n    return 1 << (x + 30);\n  free(p);\n  if (x == 6)\n    free(p);\n  return 0;\n}\n",
        ProgramOptions(checks=ALL_CHECKS),
    )
    native = ExecutableNativeProgram(build_natively(program, tmp_path / "native"), program)
    runs = native.run([NativeInputVector(values=(n,)) for n in range(7)])
    assert [(run.end, run.line and run.line[1]) for run in runs] == [
        ("pass", None),
        ("bounds", 7),
        ("memory", 9),
        ("div0", 11),
        ("overflow", 13),
        ("shift", 15),
        ("memory", 18),
    ]


OWN_EXIT = """int nondet_int(void);
void exit(int status) { for (;;) status++; }
int main(void)
{
    if (nondet_int() == 3)
        exit(1);
    return 0;
}
"""


def test_executions_end_by_the_exit_of_the_library(tmp_path: Path) -> None:
    program = loaded(tmp_path, OWN_EXIT)
    ran = ExecutableNativeProgram(build_natively(program, tmp_path / "native"), program)
    (ends,) = ran.run([NativeInputVector(values=(4,))])
    assert ends.end == "pass"
    assert lines(ends) >= {5, 7}
