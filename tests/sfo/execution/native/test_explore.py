"""A compiled program that looks for inputs on which it fails: what it tells is what other native executions show."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cfrontend.program import Program, ProgramOptions, load_c_program
from sfo.execution.native.build import EXECUTING, build_natively
from sfo.execution.native.execute import ExecutableNativeProgram, NativeInputVector
from sfo.execution.native.fuzz import FuzzingDictionary, NativeFuzzer, NativeFuzzSighting

NOTHING = FuzzingDictionary(numbers=(), texts=())

NUMBERS = """
#include <assert.h>
int nondet_int(void);
unsigned char nondet_uchar(void);
void __VERIFIER_assume(int);
int main(void) {
    int total = 0;
    for (int i = 0; i < 6; i++) {
        int x = nondet_int();
        __VERIFIER_assume(x >= 1000 && x < 2000);
        if (x == 1234 + 7 * i) total++;
        if (nondet_uchar() == 77) total += 0;
    }
    assert(total < 4);
    return 0;
}
"""

TEXT = """
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[20];
    int count;
    if (scanf("%d", &count) != 1 || count != 4711) return 1;
    while (fgets(line, sizeof line, stdin))
        if (strcmp(line, "open\\n") == 0) assert(0);
    return 0;
}
"""

REALS = """
#include <assert.h>
float nondet_float(void);
double nondet_double(void);
int main(void) {
    float x = nondet_float();
    double y = nondet_double();
    if (x == 3.5f && y > 90) assert(0);
    return 0;
}
"""

NO_NUMBER = """
double nondet_double(void);
int main(void) {
    double x = nondet_double();
    return 1 / (x == x);
}
"""

BLOCK = """
#include <assert.h>
#include <stdio.h>
#include <string.h>
static char magic[] = {0x50, 0x1f, 0x11, 0x60, 0x21, 0x31, 0x1a, 0x61, 0};
int main(void) {
    unsigned char block[300];
    if (fread(block, 1, sizeof block, stdin) != sizeof block) return 0;
    if (strncmp((char *)block, magic, 8) != 0) return 1;
    assert(block[30] > 3);
    return 0;
}
"""

ENDLESS = """
#include <assert.h>
int nondet_int(void);
int main(void) {
    int x = nondet_int(), y = nondet_int();
    while (x == 3) { }
    if (x == 99) for (;;) y = y * 3 + 1;
    return 100 / (y - 4242);
}
"""

CRASH = """
int nondet_int(void);
int cells[4];
int main(void) {
    int *p = 0, i = nondet_int();
    if (i >= 0 && i < 4) { cells[i] = 1; return 0; }
    if (i == 31337) return *p;
    return 0;
}
"""

NEW = """
#include <stdio.h>
int main(void) {
    int total = 0, x;
    while (scanf("%d", &x) == 1 && x != 0)
        total += x > 500 ? x + 1 : x;
    printf("%d\\n", total);
    return 0;
}
"""

OLD = NEW.replace("x + 1 : x", "x : x")


def loaded(directory: Path, text: str, old: str = "") -> Program:
    path = directory / "p.c"
    path.write_text(text)
    if not old:
        return load_c_program([str(path)], ProgramOptions())
    (directory / "old.c").write_text(old)
    return load_c_program([str(path)], ProgramOptions(reference=(str(directory / "old.c"),)))


def sightings(
    program: Program,
    words: FuzzingDictionary = NOTHING,
    enough: Callable[[list[NativeFuzzSighting]], bool] = lambda told: any(
        one.outcome == "fail" for one in told
    ),
) -> list[NativeFuzzSighting]:
    """What is told until it is enough."""
    told: list[NativeFuzzSighting] = []
    with NativeFuzzer(program, words) as fuzzer:
        for _ in range(400):
            fuzzer.order(500)
            told += fuzzer.sightings()
            if enough(told):
                return told
    raise AssertionError(told)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        (NUMBERS, {"fail"}),
        (TEXT, {"fail"}),
        (REALS, {"fail"}),
        (NO_NUMBER, {"div0"}),
        (BLOCK, {"fail"}),
        (ENDLESS, {"div0"}),
        (CRASH, {"pointer", "signal-11", "memory"}),
    ],
    ids=["numbers", "text", "reals", "no number", "block", "endless", "crash"],
)
@pytest.mark.sample(2)
def test_what_is_told_is_so(text: str, ends: set[str], tmp_path: Path) -> None:
    program = loaded(tmp_path, text)
    told = sightings(program, FuzzingDictionary(numbers=(4242,), texts=(b"open\n",)))
    native = ExecutableNativeProgram(build_natively(program, tmp_path / "native", EXECUTING), program)
    runs = native.run([NativeInputVector(values=one.values) for one in told])
    assert {run.end for one, run in zip(told, runs, strict=True) if one.outcome == "fail"} <= ends
    assert {run.end for one, run in zip(told, runs, strict=True) if one.outcome == "pass"} <= {"pass"}
    assert [run.inputs for run in runs] == [one.values for one in told]


READS = """
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {{
    char line[8] = "", *more = NULL;
    size_t room = 0;
    int c = 0;
    {read}
    (void)more, (void)room;
    if (c == 'q') assert(0);
    return 0;
}}
"""


@pytest.mark.parametrize(
    "read",
    [
        "c = getchar();",
        "c = getc(stdin);",
        "c = fgetc(stdin);",
        "if (fgets(line, 8, stdin)) c = line[0];",
        "fread(line, 1, 4, stdin); c = line[0];",
        "read(0, line, 4); c = line[0];",
        "if (getline(&more, &room, stdin) > 0) c = more[0];",
        'if (scanf("%c", &line[0]) == 1) c = line[0];',
    ],
)
@pytest.mark.sample(5)
def test_whatever_reads_reads_what_is_tried(read: str, tmp_path: Path) -> None:
    told = sightings(
        loaded(tmp_path, READS.format(read=read)), FuzzingDictionary(numbers=(ord("q"),), texts=())
    )
    place = 1 if read.startswith(("read", "if (scanf")) else 0
    assert all((one.values[place : place + 1] == (ord("q"),)) == (one.outcome == "fail") for one in told)


def test_failing_runs_are_told_again_when_they_are_shorter(tmp_path: Path) -> None:
    program = loaded(tmp_path, NEW.replace("return 0;", "return 1 / (total != 999);"))
    told = sightings(
        program, enough=lambda told: any(one.outcome == "fail" and len(one.values) <= 4 for one in told)
    )
    assert {one.outcome for one in told} == {"pass", "fail"}


def test_words_of_the_program_are_tried(tmp_path: Path) -> None:
    text = """
#include <stdio.h>
static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33u ^ (unsigned char)*s++; return h; }
int main(void) {
    char word[12];
    if (scanf("%11s", word) != 1) return 0;
    return 10 / (hash(word) != hash("shibboleth"));
}
"""
    told = sightings(loaded(tmp_path, text), FuzzingDictionary(numbers=(), texts=(b"other", b"shibboleth")))
    failing = next(one for one in told if one.outcome == "fail")
    assert b"shibboleth" in bytes(int(value) % 256 for value in failing.values)


def test_what_prints_otherwise_than_its_reference_fails(tmp_path: Path) -> None:
    told = sightings(loaded(tmp_path, NEW, OLD))
    failing = next(one for one in told if one.outcome == "fail")
    assert any(int(value) > 500 for value in failing.values)
    assert all(
        not any(int(value) > 500 for value in one.values[1:-1]) for one in told if one.outcome == "pass"
    )


SUMS = """
#include <ctype.h>
#include <stdio.h>
static const char *at;
static long number(void) {
    long value = 0;
    while (isdigit((unsigned char)*at)) value = 10 * value + (*at++ - '0');
    return value;
}
static long sum(void) {
    long left = number();
    while (*at == '+' || *at == '-')
        if (*at++ == '-') left -= sum();
        else left += number();
    return left;
}
int main(void) {
    char line[40];
    while (fgets(line, sizeof line, stdin)) {
        at = line;
        printf("%ld\\n", sum());
    }
    return 0;
}
"""


def test_texts_are_made_of_what_the_program_compares_characters_with(tmp_path: Path) -> None:
    with NativeFuzzer(loaded(tmp_path, SUMS, SUMS.replace("-= sum()", "-= number()")), NOTHING) as fuzzer:
        fuzzer.order(1500)
        told = [one for one in fuzzer.sightings() if one.outcome == "fail"]
    texts = [bytes(int(value) % 256 for value in one.values[:-1]) for one in told]
    assert b"--1" in [text.rstrip(b"\n") for text in texts]


TABLES = """
#include <stdio.h>
#include <string.h>
int main(void) {
    char title[40], line[40];
    int rows, total = 0;
    while (fgets(title, sizeof title, stdin) && fgets(line, sizeof line, stdin)) {
        rows = strcmp(title, "a table of numbers\\n") || strncmp(line, "the rows of it: ", 16) ? 0 : line[16] - '0';
        if (rows < 1 || rows > 9)
            return 1;
        total += rows;
    }
    printf("%d\\n", total);
    return 0;
}
"""


def test_what_one_run_reads_stands_before_what_another_one_reads(tmp_path: Path) -> None:
    told: list[NativeFuzzSighting] = []
    with NativeFuzzer(loaded(tmp_path, TABLES.replace("+= rows", "= rows"), TABLES), NOTHING) as fuzzer:
        for _ in range(8):  # where the program's code lies says which runs come first
            fuzzer.order(8_000)
            told += [one for one in fuzzer.sightings() if one.outcome == "fail"]
            if told:
                break
    texts = [bytes(int(value) % 256 for value in one.values) for one in told]
    assert max(text.count(b"a table of numbers") for text in texts) >= 2


def test_what_gcc_cannot_link_is_never_told_of(tmp_path: Path) -> None:
    program = loaded(
        tmp_path,
        "extern int limit; int nondet_int(void); int main(void) { return 1 / (limit - nondet_int()); }",
    )
    with NativeFuzzer(program, NOTHING) as fuzzer:
        fuzzer.order(10)
        assert fuzzer.is_over
        assert fuzzer.sightings() == []


def test_nothing_is_left_of_it(tmp_path: Path) -> None:
    # In a sandbox, nothing outside sees where its programs are.
    with NativeFuzzer(loaded(tmp_path, NUMBERS), NOTHING, "on") as fuzzer:
        fuzzer.order(1_000_000)
        directory = fuzzer.directory
        assert _processes_in(directory)
    assert not directory.exists()
    end = time.monotonic() + 10
    while _processes_in(directory):
        assert time.monotonic() < end


def _processes_in(directory: Path) -> list[str]:
    """The processes whose program is in a directory."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and str(directory) in str((entry / "exe").readlink()):
                found.append(entry.name)
        except OSError:
            continue
    return found


SEEN = """
struct part { long double x; unsigned bits : 3; struct { int z; }; };
struct whole { int a; struct part parts[2]; char *next; };
union either { int i; char *p; };
int get(int, const struct whole *);
static int total; struct part kept; union either one;
int f(struct whole *w, const unsigned char *buf, unsigned len, char *out)
{
    int found = len == 3 && buf[0] == 77 && *(buf + len - 1) == 13;
    %s
    return 0;
}
"""


@pytest.mark.parametrize(
    ("new", "old", "is_seen"),
    [
        ("if (found) w->a = 1;", "if (found) w->a = 2;", True),
        ("if (found) w->parts[1].z = 1;", "if (found) w->parts[1].z = 2;", True),
        ("if (found) w->parts[1].bits = 1;", "if (found) w->parts[1].bits = 2;", True),
        ("if (found) w->parts[0].x = 1;", "if (found) w->parts[0].x = 2;", True),
        ("if (len == 3) w->next = 0;", "if (len == 3) w->next = out;", True),
        ("if (found) out[1] = 1;", "if (found) out[1] = 2;", True),
        ("if (found) ((unsigned char *)buf)[1] = 1;", "if (found) ((unsigned char *)buf)[1] = 2;", True),
        ("if (found) total = 1;", "if (found) total = 2;", True),
        ("if (found) kept.bits = 1;", "if (found) kept.z = 2;", True),
        ("if (found) return 1;", "if (found) return 2;", True),
        ("if (found) get(1, w);", "if (found) get(2, w);", True),
        ("if (found) get(1, w);", "if (found) get(1, 0);", True),
        ("if (found) get(1, w);", "", True),
        ("if (found) get(1, w), total = 1;", "if (found) total = 1, get(1, w);", False),
        ("if (found) w->next = out;", "if (found) w->next = out + 1;", False),
        ("if (found) one.p = out;", "if (found) one.p = w->next;", False),
        ("get(found, w);", "get(!!found, w);", False),
        ("static int own; own = 1;", "static int other[9]; other[1] = 2;", False),
    ],
)
def test_what_a_caller_of_one_function_sees_is_compared_with_a_reference(
    tmp_path: Path, new: str, old: str, is_seen: bool
) -> None:
    files = tmp_path / "new.c", tmp_path / "old.c"
    for path, text in zip(files, (new, old), strict=True):
        path.write_text(SEEN.replace("%s", text))
    options = ProgramOptions(entry="f", reference=(str(files[1]),), undefined="auto")
    program = load_c_program([str(files[0])], options)
    told: list[NativeFuzzSighting] = []
    with NativeFuzzer(program, FuzzingDictionary(numbers=(3, 13, 77), texts=())) as fuzzer:
        for _ in range(6 if is_seen else 1):  # how soon three values are drawn together is a matter of luck
            fuzzer.order(1500)
            told += fuzzer.sightings()
            if any(one.outcome == "fail" for one in told):
                break
    assert told
    assert any(one.outcome == "fail" for one in told) is is_seen


def test_inputs_that_change_nothing_are_left_as_they_are(tmp_path: Path) -> None:
    # Two hundred of them; of the others each counts where all before are right, as in a text that is parsed.
    names = [f"m{n}" for n in range(200)]
    text = f"""
        #include <assert.h>
        struct text {{ int {", ".join(names)}; unsigned char letters[12]; }};
        int f(struct text *p, int at) {{
            static const unsigned char word[] = {{113, 55, 37, 90, 33, 101, 71, 12}};
            int sum = {" + ".join(f"(p->{name} & 1)" for name in names)};
            if (at < 0 || at > 3) return sum;
            for (int n = 0; n < 8; n++) if (p->letters[at + n] != word[n]) return sum;
            assert(0);
            return sum;
        }}
        """
    path = tmp_path / "p.c"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions(entry="f"))
    with NativeFuzzer(program, NOTHING) as fuzzer:
        fuzzer.order(3000)
        assert any(one.outcome == "fail" for one in fuzzer.sightings())


def test_what_setjmp_keeps_is_no_state_that_versions_differ_in(tmp_path: Path) -> None:
    text = """
        #include <setjmp.h>
        jmp_buf place;
        int f(int a, int *out) { %s if (setjmp(place)) return 1; if (a > 70) longjmp(place, 1); *out = a; return 0; }
        """
    for name, first in (("p.c", ""), ("fixed.c", "volatile long room[9]; room[a & 7] = a;")):
        (tmp_path / name).write_text(text % first)
    options = ProgramOptions(entry="f", reference=(str(tmp_path / "fixed.c"),), undefined="auto")
    program = load_c_program([str(tmp_path / "p.c")], options)
    with NativeFuzzer(program, NOTHING) as fuzzer:
        fuzzer.order(500)
        assert {one.outcome for one in fuzzer.sightings()} == {"pass"}
