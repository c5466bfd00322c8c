from __future__ import annotations

import itertools
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.errors import UsageError
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.terms import FALSE, TRUE
from sfo.cli import main
from sfo.core.result import Result
from sfo.execution.native.execute import execute_native_replays
from sfo.oracles.bmc import BmcOracle
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from tests.conftest import require_tool

SCANNED = """
#include <stdio.h>
#include <stdlib.h>
int total;
static int calls;
struct pair { int first, second; };
static int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    calls++;
    return s;
}
int main(void)
{
    int n, a[3];
    struct pair extra = {1, 2};
    if (scanf("%d", &n) != 1 || n < 0 || n > 3) {
        printf("bad\\n");
        exit(2);
    }
    for (int i = 0; i < n; i++)
        scanf("%d", &a[i]);
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    puts("");
    total = sum(a, n) + extra.second;
    if (total > 5)
        printf("large %d\\n", total);
    printf("sum %d\\n", total);
    return total == 4;
}
"""

SILENT = """
#include <stdio.h>
int calls, seen[2000];
int main(void)
{
    int n, x;
    if (scanf("%d", &n) != 1)
        return 2;
    for (int i = 0; i < n && i < 3; i++) {
        scanf("%d", &x);
        if (x >= 0 && x < 5)
            seen[7 * x]++;
        calls++;
    }
    return 0;
}
"""

CHARACTERS = """
#include <stdio.h>
int main(void)
{
    char line[4];
    int length = 0, c;
    while (length < 3 && (c = getchar()) != EOF && c != '\\n')
        line[length++] = (char)c;
    line[length] = 0;
    for (int i = 0; i < length / 2; i++) {
        char kept = line[i];
        line[i] = line[length - 1 - i];
        line[length - 1 - i] = kept;
    }
    printf("%s|%c\\n", line, length ? line[0] : '-');
    return 0;
}
"""


@dataclass(frozen=True)
class Fault:
    """One edit of a program, the line it stands in, and inputs that are enumerated, as text for the standard input."""

    program: str
    before: str
    after: str
    inputs: tuple[tuple[object, ...], ...]


NUMBERS = tuple(
    (n, *values) for n in (-1, 0, 1, 2) for values in itertools.product((1, 2, 3, 4), repeat=max(0, n))
)
TEXTS = tuple(itertools.product("ab-", repeat=2)) + tuple(itertools.product("ab", repeat=3))

FAULTS = {
    "sum starts late": Fault(
        SCANNED, "int i = 0; i < n; i++)\n        s +", "int i = 1; i < n; i++)\n        s +", NUMBERS
    ),
    "exit status": Fault(SCANNED, "exit(2)", "exit(1)", NUMBERS),
    "returned value": Fault(SCANNED, "total == 4", "total == 3", NUMBERS),
    "a global": Fault(SILENT, "calls++", "calls += n > 1 ? 2 : 1", NUMBERS),
    "an element": Fault(SILENT, "7 * x", "7 * x + (n > 1)", NUMBERS),
    "one output less": Fault(SCANNED, "total > 5", "total > 6", NUMBERS),
    "one output more": Fault(SCANNED, "total > 5", "total >= 5", NUMBERS),
    "text": Fault(SCANNED, "bad", "mad", NUMBERS),
    "reversed too far": Fault(CHARACTERS, "i < length / 2", "i < length", TEXTS),
    "the last character": Fault(CHARACTERS, "line[0] :", "line[length - 1] :", TEXTS),
}


def pair(folder: Path, fault: Fault) -> tuple[str, str]:
    old, new = folder / "old.c", folder / "new.c"
    assert fault.program.count(fault.before) == 1
    old.write_text(fault.program)
    new.write_text(fault.program.replace(fault.before, fault.after))
    return str(old), str(new)


def line_of(fault: Fault) -> int:
    changed = fault.program.replace(fault.before, fault.after).split("\n")
    return next(
        n for n, (a, b) in enumerate(zip(fault.program.split("\n"), changed, strict=True), 1) if a != b
    )


def localized(new: str, old: str, **options: object) -> Result:
    program = ProgramOptions(reference=(old,))
    return run_localize_pipeline([new], PipelineOptions(program=program, passing=8, rank="full", **options))  # type: ignore[arg-type]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_ranked_first_by_what_could_save(name: str, tmp_path: Path) -> None:
    fault = FAULTS[name]
    old, new = pair(tmp_path, fault)
    result = localized(new, old)
    assert result.verdict == "violated"
    assert all(run.property and ".reference." in run.property for run in result.dataset.failing)
    assert all(unit.location.file == new for unit in result.dataset.units)
    lines = {unit.id: unit.location.line for unit in result.dataset.units}
    assert line_of(fault) in {lines[unit] for unit in result.intersection}
    assert line_of(fault) in [lines[item.unit] for item in result.ranking[:6]]


@pytest.mark.parametrize("program", [SCANNED, CHARACTERS])
def test_a_program_agrees_with_itself(program: str, tmp_path: Path) -> None:
    old, new = pair(tmp_path, Fault(program, "main", "main", ()))
    result = localized(new, old, unwind=3)
    assert result.verdict == "safe"


@pytest.mark.parametrize("name", FAULTS)
def test_runs_fail_where_native_runs_of_the_two_differ(name: str, tmp_path: Path) -> None:
    gcc = require_tool("gcc")
    fault = FAULTS[name]
    old, new = pair(tmp_path, fault)
    for source in (old, new):
        subprocess.run([gcc, "-w", "-o", source[:-2], source], check=True)
    program = load_c_program([new], ProgramOptions(reference=(old,)))
    ends = set()
    for values in fault.inputs:
        if fault.program in (SCANNED, SILENT):
            text = " ".join(map(str, values))
            vector: list[int] = [1, *(int(str(v)) for v in values)]
            if program.tree.counts_scans:
                vector = [read for v in values for read in (1, int(str(v)))]
        else:
            text = "".join(map(str, values)) + "\n"
            vector = [ord(c) for c in text[:3]]
        mine, theirs = (
            subprocess.run([source[:-2]], input=text.encode(), capture_output=True, check=False)
            for source in (new, old)
        )
        same = (mine.stdout, mine.returncode) == (theirs.stdout, theirs.returncode)
        encoded = encode_program(program, Bound(unwind=None, free=True), inputs=EncodeFixedValues(vector))
        assert encoded.concrete.missing_input is None
        violated = [v.property for v in encoded.violations if v.condition != FALSE]
        if fault.program == SILENT:
            assert same
            assert bool(violated) == (len(values) > 2)
        else:
            assert (encoded.passing == TRUE) == same
            assert bool(violated) != same
        ends.add(bool(violated))
    assert ends == {True, False}


def test_native_runs_read_each_conversion_as_the_comparison_does(tmp_path: Path) -> None:
    require_tool("gcc")
    text = """
#include <stdio.h>
int main(void)
{
    int a, b, c, sum = 0;
    while (scanf("%d %d", &a, &b) == 2 && sum < 5)
        sum += a > b ? a : b;
    if (scanf("%d", &c) == 1)
        sum += c;
    printf("%d\\n", sum);
    return 0;
}
"""
    old, new = pair(tmp_path, Fault(text, "a > b", "a < b", ()))
    options = ProgramOptions(reference=(old,))
    result = run_localize_pipeline([new], PipelineOptions(program=options, passing=8))
    assert result.verdict == "violated"
    program = load_c_program([new], options)
    assert program.tree.counts_each
    checks = execute_native_replays(program, result.dataset.executions)
    assert {check.status for check in checks} <= {"agrees", "unobserved"}, checks


@pytest.mark.parametrize(("function", "verdict"), [("main", "safe"), ("sum", "violated")])
def test_global_variables_of_a_main_that_prints_are_its_own_affair(
    function: str, verdict: str, tmp_path: Path
) -> None:
    old, new = pair(tmp_path, Fault(SCANNED, "calls++", "calls += 2", ()))
    result = run_localize_pipeline(
        [new], PipelineOptions(program=ProgramOptions(reference=(old,), entry=function), unwind=3)
    )
    assert result.verdict == verdict


def test_a_repair_may_lead_to_another_printf_and_units_that_read_nothing_do_not_evade(
    tmp_path: Path,
) -> None:
    """What fails prints in one place, what is repaired in another."""
    text = """
#include <stdio.h>
int main(void)
{
    int n;
    scanf("%d", &n);
    if (n > 20)
        printf("large\\n");
    else
        printf("small\\n");
    return 0;
}
"""
    old, new = pair(tmp_path, Fault(text, "n > 20", "n >= 20", ()))
    result = localized(new, old)
    assert result.repairs is not None
    assert any(
        r.before == "n >= 20" and r.after == "n > 20" and r.behaviour != "changed"
        for r in result.repairs.found
    )
    texts = {unit.id: unit.text for unit in result.dataset.units}
    assert texts[result.ranking[0].unit] == "n >= 20"
    assert result.angelic is not None
    assert all(texts[unit].startswith("scanf") for unit in result.angelic.evading)


def run(folder: Path, old: str, new: str, *options: str) -> int:
    (folder / "old.c").write_text(old)
    (folder / "new.c").write_text(new)
    arguments = [
        "localize",
        str(folder / "new.c"),
        "--reference",
        str(folder / "old.c"),
        "--no-replay",
        "--rank",
        "coverage",
        *options,
    ]
    return main(arguments)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "int f(int a) { return a; }",
            "int f(long a) { return a; }",
            "'f' is int(int) in the reference, and int(long)",
        ),
        ("int g(int a) { return a; }", "int f(int a) { return a; }", "old.c: no function 'f' to start from"),
        (
            "int f(int a) { return b; }",
            "int f(int a) { return a; }",
            "the reference cannot be used:",
        ),
        ("int f(int a) {", "int f(int a) { return a; }", "the reference cannot be used:"),
    ],
)
def test_what_is_no_reference_is_one_line_and_exit_code_2(
    old: str, new: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, old, new, "--entry", "f") == 2
    error = capsys.readouterr().err
    assert said in error.splitlines()[0]
    assert error.count("sfo: error: ") == 1


def test_a_missing_reference_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "new.c").write_text("int main(void) { return 0; }")
    with pytest.raises(UsageError):
        load_c_program([str(tmp_path / "new.c")], ProgramOptions(reference=(str(tmp_path / "old.c"),)))


def test_names_of_both_versions_never_clash(tmp_path: Path) -> None:
    text = """
    enum kind { NONE, SOME };
    struct item { %s };
    static int count = %d;
    static int next(struct item *it) { static int calls; it->%s = ++calls; return count += calls; }
    int f(int a) { struct item it; return a + next(&it) + it.%s + (int)sizeof(struct item) - %d; }
    """
    old = text % ("int x;", 3, "x", "x", 4)
    new = text % ("int y, z, x[4];", 3, "y", "y", 24)
    assert run(tmp_path, old, new, "--entry", "f", "-q") == 4
    assert run(tmp_path, old, new.replace("- 24", "- 23"), "--entry", "f", "-q") == 0


def test_what_the_reference_violates_or_assumes_is_no_failure(tmp_path: Path) -> None:
    old = """
    #include <assert.h>
    int f(int a) { assert(a > 0); __CPROVER_assume(a < 9); int b[10] = {0}; return b[a] + 10 / (a - 4); }
    """
    new = "int f(int a) { return a <= 0 || a >= 9 || a == 4 ? 1234 : 10 / (a - 4); }"
    assert run(tmp_path, old, new, "--entry", "f", "-q") == 4


def test_each_function_of_a_dialect_has_its_own_inputs(tmp_path: Path) -> None:
    head = "int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void);"
    old = (
        head
        + "int f(void) { int a = __VERIFIER_nondet_int(); unsigned b = __VERIFIER_nondet_uint(); return a - b; }"
    )
    new = (
        head
        + "int f(void) { unsigned b = __VERIFIER_nondet_uint(); int a = __VERIFIER_nondet_int(); return a - b; }"
    )
    assert run(tmp_path, old, new, "--entry", "f", "-q") == 4


def test_inputs_of_another_kind_are_not_followed_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "#include <stdio.h>\nint main(void) { int a = 0, c = 0; "
    old = head + 'scanf("%d", &a); c = getchar(); return a + c; }'
    new = head + 'c = getchar(); scanf("%d", &a); return a + c; }'
    assert run(tmp_path, old, new) == 5
    said = " ".join(capsys.readouterr().out.split())
    assert "no execution was compared that reads another kind of input" in said
    assert 'by "%c" what that reads by "%d" at' in said


def test_it_is_not_said_to_happen_where_nobody_knows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    same = (
        "#include <stdio.h>\nint main(void) { int n = 0, x, c; "
        'while (n < 3 && scanf("%d", &x) == 1) n++; while ((c = getchar()) != EOF) n += c; return n; }'
    )
    monkeypatch.setattr(BmcOracle, "_is_possible", lambda *_: None)
    assert run(tmp_path, same, same, "--unwind", "3") == 5
    said = " ".join(capsys.readouterr().out.split())
    assert (
        "whether an execution reads another kind of input here than the reference does was not decided"
        in said
    )
    assert "may read another kind of input than the reference does at this point" in said


READS = "#include <stdio.h>\nint main(void) {{ {type} n; {scan}; printf({print}); return 0; }}"


def reads(type_: str, conversion: str, shown: str) -> str:
    """A program that reads a number of a type and prints something of it."""
    return READS.format(type=type_, scan=f'scanf("{conversion}", &n)', print=shown)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        pytest.param(
            reads("long long", "%lld", '"%lld", n'), reads("int", "%d", '"%d", n'), 0, id="narrower"
        ),
        pytest.param(reads("int", "%d", '"%d", n'), reads("long", "%ld", '"%ld", n'), 0, id="wider"),
        pytest.param(
            reads("int", "%d", '"%d", n'), reads("long", "%ld", '"%d", (int)n'), 4, id="wider and cut"
        ),
        pytest.param(
            reads("long long", "%lld", '"%lld", n'), reads("long", "%ld", '"%ld", n'), 4, id="same width"
        ),
        pytest.param(
            reads("unsigned", "%u", '"%u", n'), reads("int", "%d", '"%u", (unsigned)n'), 4, id="signed"
        ),
        pytest.param(
            reads("double", "%lf", '"%d", n >= 0.1'),
            reads("float", "%f", '"%d", n >= (float)0.1'),
            0,
            id="rounded",
        ),
        pytest.param(
            reads("float", "%f", '"%d", n > 2'), reads("double", "%lf", '"%d", (float)n > 2'), 4, id="real"
        ),
        pytest.param(
            reads("double", "%lf", '"%d", n > 2'), reads("int", "%d", '"%d", n >= 2'), 0, id="integer of real"
        ),
    ],
)
def test_a_number_may_be_read_as_another_type(tmp_path: Path, old: str, new: str, code: int) -> None:
    assert run(tmp_path, old, new) == code


LETTERS = """#include <stdio.h>
int main(void)
{{
    {type} c;
    int n = {begin};
    {read};
    while (c != '\\n') {{
        n += c == 'x';
        {read};
    }}
    printf("%d\\n", n);
    return 0;
}}
"""


@pytest.mark.parametrize("type_", ["char", "signed char", "unsigned char"])
@pytest.mark.parametrize(("begin", "code"), [(0, 4), (1, 0)])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.sample(2)
def test_a_character_may_be_read_in_two_ways(
    type_: str, begin: int, code: int, *, turned: bool, tmp_path: Path
) -> None:
    taken = LETTERS.format(type="int", begin=0, read="c = getchar()")
    scanned = LETTERS.format(type=type_, begin=begin, read='scanf("%c", &c)')
    old, new = (scanned, taken) if turned else (taken, scanned)
    assert run(tmp_path, old, new, "--unwind", "4", "-q") == code


@pytest.mark.usefixtures("patience")
def test_a_character_that_is_read_in_another_way_is_replayed(tmp_path: Path) -> None:
    """A failing execution has the character as the program reads it, and an edit is held against it."""
    old, new = tmp_path / "old.c", tmp_path / "new.c"
    old.write_text(LETTERS.format(type="int", begin=0, read="c = getchar()"))
    new.write_text(LETTERS.format(type="char", begin=1, read='scanf("%c", &c)'))
    options = PipelineOptions(
        program=ProgramOptions(reference=(str(old),)), rank="full", passing=3, replay=True
    )
    result = run_localize_pipeline([str(new)], options)
    assert result.verdict == "violated"
    assert result.native
    assert all(one.status != "disagrees" for one in result.native)
    assert result.repairs is not None
    assert ("1", "0") in {(one.before, one.after) for one in result.repairs.found}


def test_digits_of_another_base_are_another_number(tmp_path: Path) -> None:
    old = reads("unsigned", "%u", '"%u", n')
    assert run(tmp_path, old, reads("unsigned", "%x", '"%u", n'), "-q") == 0


def test_the_program_may_read_less_than_its_reference(tmp_path: Path) -> None:
    text = """
    #include <stdio.h>
    int main(void) {
        int a[4] = {0}, s = 0;
        for (int i = %d; i < 3; i++) scanf("%%d", &a[i]);
        for (int i = 0; i < 3; i++) s += a[i];
        printf("%%d\\n", s);
        return 0;
    }
    """
    old, new = tmp_path / "old.c", tmp_path / "new.c"
    old.write_text(text % 0)
    new.write_text(text % 1)
    result = localized(str(new), str(old))
    assert result.verdict == "violated"
    [first] = result.dataset.failing[:1]
    assert len(first.inputs) == 2
    assert len(first.reference_inputs) == 3
    assert first.output != first.expected
    assert result.angelic is not None
    saved = [unit for unit in result.angelic.savings if result.angelic.may_save_all(unit)]
    assert saved


def test_numbers_and_their_digits_are_one_text(tmp_path: Path) -> None:
    head = "#include <stdio.h>\nint __VERIFIER_nondet_int(void);\nint main(void) { int a = __VERIFIER_nondet_int() & 1; "
    old = head + 'if (a) puts("1"); else puts("0"); return 0; }'
    new = head + 'printf("%d\\n", a); return 0; }'
    assert run(tmp_path, old, new, "-q") == 4
    assert run(tmp_path, old, new.replace("& 1", "& 3"), "-q") == 0


def test_what_comes_behind_a_long_word_is_read_where_it_stands(tmp_path: Path) -> None:
    old = """
    #include <stdio.h>
    int main(void) {
        char one[16], two[16]; int n;
        if (scanf("%15s %15s %d", one, two, &n) != 3) return 0;
        printf("%c %d\\n", two[0], n > 7);
        return 0;
    }
    """
    assert run(tmp_path, old, old, "-q", "--unwind", "2") == 4
    new = old.replace("n > 7", "n >= 7").replace("two[0]", "*two")
    (tmp_path / "new.c").write_text(new)
    program = ProgramOptions(reference=(str(tmp_path / "old.c"),))
    result = run_localize_pipeline(
        [str(tmp_path / "new.c")], PipelineOptions(program=program, rank="coverage")
    )
    [first] = result.dataset.failing[:1]
    assert first.output != first.expected


def test_cbmc_cannot_compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "int f(int a) { return a; }"
    require_tool("cbmc")
    assert run(tmp_path, text, text, "--entry", "f", "--backend", "cbmc") == 2
    assert "--backend cbmc cannot compare with a --reference" in capsys.readouterr().err


TWO_NUMBERS = """
#include <stdio.h>
int main(void)
{{
    int a = 0, b = 0;
    if ({})
        return 1;
    printf("%d\\n", a {} b);
    return 0;
}}
"""
BY_ONE_CALL = 'scanf("%d %d", &a, &b) != 2'
BY_TWO_CALLS = 'scanf("%d", &a) != 1 || scanf("%d", &b) != 1'


@pytest.mark.parametrize("operator", ["^", "+"])
@pytest.mark.parametrize("calls", [(BY_ONE_CALL, BY_TWO_CALLS), (BY_TWO_CALLS, BY_ONE_CALL)])
def test_versions_may_read_the_same_by_other_calls(
    tmp_path: Path, calls: tuple[str, str], operator: str
) -> None:
    old, new = tmp_path / "old.c", tmp_path / "new.c"
    old.write_text(TWO_NUMBERS.format(calls[0], "^"))
    new.write_text(TWO_NUMBERS.format(calls[1], operator))
    options = PipelineOptions(program=ProgramOptions(reference=(str(old),)), passing=3, replay=True)
    result = run_localize_pipeline([str(new)], options)
    assert result.verdict == ("safe" if operator == "^" else "violated")
    assert {check.status for check in result.native or ()} <= {"agrees", "unobserved"}
    if operator == "+":
        printed = next(unit.id for unit in result.dataset.units if unit.text.startswith("printf"))
        assert printed in result.intersection


def test_how_many_conversions_succeed_is_the_same_by_any_calls(tmp_path: Path) -> None:
    text = "#include <stdio.h>\nint main(void) {{ int a = 5, b = 6; {} return n + a + b; }}"
    old, new = tmp_path / "old.c", tmp_path / "new.c"
    old.write_text(text.format('int n = scanf("%d,%d", &a, &b);'))
    step = 'int n = scanf("%d", &a); if (n == 1) {{ int more = scanf(",%d", &b); n += more == 1{}; }}'
    for more, verdict in (("", "safe"), (" || more == 0", "violated")):
        new.write_text(text.format(step.format(more)))
        options = PipelineOptions(program=ProgramOptions(reference=(str(old),)), passing=3, replay=True)
        result = run_localize_pipeline([str(new)], options)
        assert result.verdict == verdict
        assert {check.status for check in result.native or ()} <= {"agrees", "unobserved"}


def test_what_looks_for_the_end_may_find_it_where_a_number_is_read(tmp_path: Path) -> None:
    text = """
    #include <stdio.h>
    int main(void)
    {{
        int x, n = 0;
        while ({}) {{
            {}
            n++;
            if (n == 2)
                break;
        }}
        printf("%d\\n", n);
        return 0;
    }}
    """
    old, new = tmp_path / "old.c", tmp_path / "new.c"
    old.write_text(text.format('scanf("%d", &x) == 1', ""))
    new.write_text(text.format("!feof(stdin)", 'scanf("%d", &x);'))
    options = PipelineOptions(program=ProgramOptions(reference=(str(old),)), replay=True)
    result = run_localize_pipeline([str(new)], options)
    assert result.verdict == "violated"
    assert {check.status for check in result.native or ()} == {"unobserved"}
    assert all([value.value for value in run.inputs][-1] == -1 for run in result.dataset.failing)


def test_tables_may_differ_what_is_written_may_not(tmp_path: Path) -> None:
    text = "int table[2] = {%d, 2}; int last; int f(int a) { last = %s; return table[1]; }"
    assert run(tmp_path, text % (1, "a"), text % (3, "a"), "--entry", "f", "-q") == 4
    assert run(tmp_path, text % (1, "a"), text % (1, "a + 1"), "--entry", "f", "-q") == 0


def test_what_pointers_of_the_entry_lead_to_has_to_agree(tmp_path: Path) -> None:
    text = "int scale(int *a, int n) {{ int i = {}; for (; i < n; i++) a[i] *= 2; return {}; }}"
    bounded = ("--entry", "scale", "--requires", "0 <= n && n <= 2", "--unwind", "4", "-q")
    old = text.format("0", "n")
    assert run(tmp_path, old, text.format("0", "n"), *bounded) == 4
    assert run(tmp_path, old, text.format("1", "n"), *bounded) == 0
    assert run(tmp_path, old, text.format("0", "i"), *bounded) == 4
    assert run(tmp_path, old, text.format("0", "i + 1"), *bounded) == 0


def test_the_report_shows_the_line_that_is_another_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = '#include <stdio.h>\nint main(void) {{ puts("a"); printf("b%d\\n", {}); return 0; }}'
    assert run(tmp_path, text.format("1"), text.format("2")) == 0
    assert "prints 'b2' in output line 2 for every input, expected 'b1'" in " ".join(
        capsys.readouterr().out.split()
    )


def test_a_reference_that_leaves_the_bound_in_part_and_edits_without_a_passing_run(tmp_path: Path) -> None:
    """Nothing passes within the bound, so edits are asked for an execution that does, behind the reference."""
    old = """
#include <stdio.h>
static void lower(char *s)
{
    for (int i = 0; s[i]; i++)
        s[i] -= 1;
}
int main(void)
{
    char s[4] = "";
    fgets(s, 4, stdin);
    lower(s);
    printf("%s", s);
    return 0;
}
"""
    new = old.replace("int i = 0; s[i]; i++", "int i = -1; s[i++] != '\\n';").replace(' = ""', "")
    assert run(tmp_path, old, new, "--rank", "full", "--passing", "-q") == 0


LOOPS = """
#include <stdio.h>
int main(void)
{
    int n, rounds = 0;
    scanf("%d", &n);
    while (n > 0) {
        n -= n / 2 + n % 2;
        rounds++;
    }
    printf("%d\\n", rounds);
    return 0;
}
"""

CALLS = """
#include <stdio.h>
static int divisor(int a, int b)
{
    if (b == 0)
        return a;
    return divisor(b, a % b);
}
int main(void)
{
    int a, b;
    scanf("%d %d", &a, &b);
    if (a > 0 && b >= 0)
        printf("%d\\n", divisor(a, b));
    return 0;
}
"""


@pytest.mark.parametrize(
    ("text", "right", "wrong", "repair"),
    [
        (LOOPS, "n / 2 + n % 2", "n / 2", "n = n / 2"),
        (CALLS, "divisor(b, a % b)", "divisor(a % b, b)", "divisor(b, a % b)"),
    ],
    ids=["loop", "recursion"],
)
@pytest.mark.sample(1)
def test_what_does_not_end_where_the_reference_does_is_localised(
    text: str, right: str, wrong: str, repair: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "old.c").write_text(text)
    (tmp_path / "new.c").write_text(text.replace(right, wrong))
    files = [str(tmp_path / "new.c"), "--reference", str(tmp_path / "old.c")]
    require_tool("gcc")
    assert main(["localize", *files, "--passing", "-q", "-v"]) == 0
    report = capsys.readouterr().out
    assert ": it does not end" in report
    first = next(line for line in report.splitlines() if line.startswith("    1 "))
    assert wrong.split("(", maxsplit=1)[0] in first
    assert f"  ->  {repair}\n" in report.split("edits after which")[1].split("optimal")[0]
    executions = report.split("failing executions: 1, passing executions: ")[1].split()[0]
    total = int(executions) + 1
    assert f"replay: {total} of {total} executions end" in report


def test_what_takes_longer_than_the_reference_and_ends_is_no_failure(tmp_path: Path) -> None:
    old = '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); if (n < 0 || n > 50) return 1; printf("%d", 4 * n); }'
    new = old.replace("printf", "int s = 0; for (int i = 0; i < 2 * n; i++) s += 2; printf")
    new = new.replace("4 * n", "s")
    assert run(tmp_path, old, new, "--max-unwind", "5", "-q") == 4


def test_an_example_that_does_not_end_beside_a_reference_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = tmp_path / "examples"
    examples.mkdir()
    (examples / "1.in").write_text("5000\n")
    (examples / "1.out").write_text("13\n")
    assert (
        run(tmp_path, LOOPS, LOOPS.replace("n / 2 + n % 2", "n / 2"), "--io", str(examples), "-q", "-v") == 0
    )
    # A path may be as long as a line, and broken anywhere.
    assert "examples/1.in):itdoesnotend" in "".join(capsys.readouterr().out.split())


def test_what_only_the_reference_reads_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = """
#include <stdio.h>
int main(void)
{
    int n, x, least = 100;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &x);
        if (x < least)
            least = x;
    }
    printf("%d\\n", least);
    scanf("%d", &x);
    return 0;
}
"""
    assert run(tmp_path, old, old.replace("i < n", "i < n - 1"), "-q", "-v") == 0
    report = capsys.readouterr().out
    assert "n=1  violates main.reference.1" in report
    found = report.split("the reference reads on: ")[1].splitlines()[0]
    assert found.startswith("x=")
    assert " " not in found


MENU = """#include <stdio.h>
int main(void)
{
    int balance = 100, amount, op;
    do {
        if (scanf("%d", &op) != 1)
            break;
        switch (op) {
        case 1:
            scanf("%d", &amount);
            balance += amount;
            break;
        case 2:
            scanf("%d", &amount);
            balance -= amount;
            break;
        }
    } while (op != 0);
    printf("bye %d\\n", balance);
    return 0;
}
"""


def test_what_one_reads_and_the_other_asks_for_is_one_text(tmp_path: Path) -> None:
    """Without the break an amount is read where the reference reads the next command, and sees whether there is one."""
    new = MENU.replace("            break;\n        case 2", "        case 2")
    (tmp_path / "old.c").write_text(MENU)
    (tmp_path / "new.c").write_text(new)
    options = ProgramOptions(reference=(str(tmp_path / "old.c"),))
    result = run_localize_pipeline(
        [str(tmp_path / "new.c")], PipelineOptions(program=options, rank="full", replay=True, effort=0.4)
    )
    assert result.repairs is not None
    assert result.repairs.found[0].after == "break;"
    assert "disagrees" not in {check.status for check in result.native or ()}
    names = [value.name for value in result.dataset.failing[0].inputs]
    assert names[:6] == ["scanf()", "op", "scanf()", "amount", "scanf()", "amount"]


def test_scans_that_are_all_looked_at_or_none_are_left_as_they_are(tmp_path: Path) -> None:
    plain = MENU.replace('if (scanf("%d", &op) != 1)\n            break;', 'scanf("%d", &op);')
    (tmp_path / "old.c").write_text(plain)
    program = load_c_program([str(tmp_path / "old.c")], ProgramOptions(reference=(str(tmp_path / "old.c"),)))
    assert not program.tree.counts_scans
    (tmp_path / "new.c").write_text(MENU)
    mixed = load_c_program([str(tmp_path / "old.c")], ProgramOptions(reference=(str(tmp_path / "new.c"),)))
    assert mixed.tree.counts_scans
    assert mixed.older is not None
    assert mixed.older.tree.counts_scans
