"""The ILP32 data model in runs: programs of gcc -m32 on the same inputs, and CBMC with 32 bits."""

import subprocess
from pathlib import Path

import pytest

from cfrontend.source.preprocess import MODEL_FLAGS
from cfrontend.syntax.types import ILP32
from sfo.cli import main
from sfo.execution.native.execute import NativeInputVector
from tests.conftest import require_32_bits, require_tool
from tests.differential.campaign import examine, examine_seed
from tests.differential.ours import concrete, load_program
from tests.differential.test_cases import CASES
from tests.differential.test_library import PROGRAMS, printed_natively

LP64_ONLY = {
    "constants": "prints a long long with %ld",
    "gnu_types": "has a bit-field of more than 32 bits in a long",
    "int128": "has __int128",
    "packed": "shifts a long by more than 31 bits",
    "shifts": "shifts a long by more than 31 bits",
    "switch_types": "has a case label of more than 32 bits for a long",
    "union_padding": "reads of a union what only a long of 64 bits has written",
    "wide_bit_fields": "has bit-fields of more than 32 bits in a long",
    "formatted": "prints a long long with %lx by way of vprintf",
}
"""Programs that are wrong, undefined, or rounded otherwise where a long has 32 bits, and why."""

VECTORS = [NativeInputVector(values=(k, k, k), seed=50 + k) for k in range(-1, 4)] + [
    NativeInputVector(seed=s) for s in range(1, 5)
]


@pytest.mark.sample(8)
@pytest.mark.parametrize("path", [p for p in CASES if p.stem not in LP64_ONLY], ids=lambda path: path.stem)
def test_gcc_and_sfo_agree(path: Path, tmp_path: Path) -> None:
    require_32_bits()
    finding = examine(path, tmp_path / "native", VECTORS, model=ILP32)
    assert finding.problems == []
    assert finding.pairs == finding.symbolic == len(VECTORS)


@pytest.mark.parametrize("first", range(0, 12, 6))
@pytest.mark.sample(1)
def test_gcc_and_sfo_agree_on_generated_programs(first: int) -> None:
    require_32_bits()
    for seed in range(first, first + 6):
        finding = examine_seed(seed, order=False, count=4, keep=None, seconds=None, model=ILP32)
        assert finding.problems == [], f"program {seed}"
        assert finding.pairs == 4


LONG_PROGRAM = r"""
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; long long value; };
struct mixed { char c; double d; long double e; long l : 5; long long m : 40; void *p; } mixed;
static volatile double reals[] = {-1.0, 4294967296.0, 4294967301.0, -5e9, 5e9, 1e19, 1e20, -1e19, 2147483648.0, 3e9,
                                  -2147483649.0, 0.0 / 0.0, 1.0 / 0.0, -0.5, -3e9, 1.5};
static double total(int count, ...) {
  va_list list, copy;
  double sum = 0;
  va_start(list, count);
  va_copy(copy, list);
  for (int n = 0; n < count; n++) {
    sum += va_arg(list, int);
    sum += va_arg(list, double);
    sum += (double)va_arg(list, long long);
    sum += (double)va_arg(list, long double);
    sum += *va_arg(list, const char *);
  }
  sum += va_arg(copy, long);
  va_end(copy);
  va_end(list);
  return sum;
}
int main(void) {
  for (size_t n = 0; n < sizeof reals / sizeof reals[0]; n++) {
    float single = (float)reals[n];
    long double extended = reals[n];
    printf("%u %u %u ", (unsigned)reals[n], (unsigned)single, (unsigned)extended);
    printf("%lu %ld %ld ", (unsigned long)reals[n], (long)reals[n], (long)extended);
    printf("%llu %lld %llu %lld\n", (unsigned long long)reals[n], (long long)single, (unsigned long long)extended,
           (long long)extended);
  }
  struct node *head = NULL;
  for (int n = 0; n < 50; n++) {
    struct node *more = malloc(sizeof *more);
    more->next = head;
    more->value = n * 100000000000LL;
    head = more;
  }
  long long sum = 0;
  for (struct node *n = head; n != NULL; n = n->next)
    sum += n->value;
  uintptr_t word = (uintptr_t)head ^ 0x5a5a5a5au;
  struct node *back = (struct node *)(word ^ 0x5a5a5a5au), copy;
  memcpy(&copy, back, sizeof copy);
  unsigned char bytes[sizeof copy.next];
  memcpy(bytes, &copy.next, sizeof bytes);
  struct node *again;
  memcpy(&again, bytes, sizeof again);
  printf("%lld %d %zu %td %d\n", sum, again == head->next, sizeof copy, &copy - &copy, (int)(again->value % 1000));
  mixed.l = -7;
  mixed.m = -1;
  mixed.d = 2.5;
  const unsigned char *raw = (const unsigned char *)&mixed;
  for (size_t n = 0; n < sizeof mixed; n++)
    printf("%02x", raw[n]);
  printf("\n%a\n", total(2, 1, 2.5, 3LL, 4.5L, "a", 5, 6.5, 7LL, 8.5L, "b"));
  char text[99];
  sprintf(text, "%ld %lx %lu %lld %zx %td %jd %p", LONG_MIN, -1L, ULONG_MAX, LLONG_MIN, (size_t)-1, (ptrdiff_t)-1,
          (intmax_t)-5, (void *)0x1234);
  puts(text);
  printf("%" PRId64 " %" PRIuPTR " %" PRIxPTR "\n", INT64_MIN, UINTPTR_MAX, (uintptr_t)UINT_FAST16_MAX);
  long number = 0;
  long long wide = 0;
  printf("%d %d ", sscanf("99999999999", "%ld", &number), sscanf("99999999999", "%lld", &wide));
  printf("%ld %lld %ld %lu %lld\n", number, wide, strtol("-9999999999", NULL, 10), strtoul("-1", NULL, 0),
         strtoll("-9999999999", NULL, 10));
  printf("%d %d %d\n", __builtin_clzl(1), __builtin_popcountl(-1L), __builtin_clzll(1));
  int *large = calloc(300000, sizeof *large), *small = malloc(sizeof *small);
  large[299999] = 5;
  *small = 6;
  printf("%d %d %d\n", large[299999], *small, large + 300000 != small);
  return 0;
}
"""


def test_a_long_program_prints_what_it_prints_natively(tmp_path: Path) -> None:
    require_32_bits()
    path = tmp_path / "long.c"
    path.write_text(LONG_PROGRAM)
    run = concrete(load_program(path, model=ILP32), ())
    native = printed_natively(path, tmp_path, *MODEL_FLAGS["ilp32"])
    assert (run.end, run.printed.splitlines()) == ("pass", native.splitlines())


@pytest.mark.parametrize("path", [p for p in PROGRAMS if p.stem not in LP64_ONLY], ids=lambda path: path.stem)
@pytest.mark.sample(4)
def test_the_library_prints_what_it_prints_natively(path: Path, tmp_path: Path) -> None:
    require_32_bits()
    run = concrete(load_program(path, model=ILP32), ())
    assert (run.end, run.printed) == ("pass", printed_natively(path, tmp_path, *MODEL_FLAGS["ilp32"]))


DIFFERENT = {
    "a long holds a product": (
        "int x = nondet_int(); long p = 100000L * (x & 0xffff); assert(p >= 0);",
        False,
        True,
    ),
    "a long overflows": ("long x = 2147483647L; x = x + (nondet_int() == 3); assert(x > 0);", False, True),
    "long and unsigned": ("long l = nondet_int(); unsigned u = 1; assert(l >= 0 || l < u);", False, True),
    "a pointer in an int": ("int a; int p = (int)(long)&a; assert((int *)(long)p == &a);", True, False),
    "size of a pointer": ("assert(sizeof(void *) == 4 && sizeof(long double) == 12);", True, False),
    "a structure": (
        "struct { char c; double d; } s; assert((char *)&s.d - (char *)&s == 4 && &s);",
        True,
        False,
    ),
    "a constant": ("assert(2147483648 + nondet_int() % 2 > 0 && sizeof 2147483648 == 8);", False, False),
    "an index of 64 bits": ("int a[4]; long long n = nondet_int(); n <<= 32; a[n] = 1;", True, True),
    "too little memory": (
        "long *p = __builtin_alloca(8); p[0] = 1; p[1] = 2; assert(p[0] + p[1] == 3);",
        True,
        False,
    ),
}
"""Bodies of ``main``, and whether something is violated in LP64 and in ILP32."""


OURS_ONLY = {
    "a pointer in an int": "CBMC keeps the whole pointer in an int",
    "a structure": "CBMC aligns a double to 8 bytes in both models; the text that we give it has the padding in it",
}
"""Programs of which CBMC says something else, and why."""


@pytest.mark.parametrize("backend", ["sfo", "cbmc"])
@pytest.mark.parametrize("name", DIFFERENT)
def test_verdicts_of_the_models(
    name: str, backend: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body, *expected = DIFFERENT[name]
    require_tool("cbmc")
    if backend == "cbmc" and name == "a pointer in an int":
        expected = [False, False]
    path = tmp_path / "a.c"
    path.write_text(f"#include <assert.h>\nint nondet_int(void);\nint main(void) {{ {body} }}\n")
    for option, violated in zip(("--lp64", "--ilp32"), expected, strict=True):
        code = main(["check", "-q", option, "--backend", backend, str(path)])
        assert code == (10 if violated else 0), capsys.readouterr()


@pytest.mark.parametrize("name", [n for n in DIFFERENT if "assert" in DIFFERENT[n][0] and n not in OURS_ONLY])
def test_cbmc_says_the_same_of_the_program_itself(name: str, tmp_path: Path) -> None:
    cbmc = require_tool("cbmc")
    body, *expected = DIFFERENT[name]
    path = tmp_path / "a.c"
    path.write_text(
        f"#define assert(c) __CPROVER_assert(c, #c)\nint nondet_int(void);\nint main(void) {{ {body} }}\n"
    )
    for option, violated in zip(((), ("--32",)), expected, strict=True):
        command = [cbmc, *option, "--no-standard-checks", "--pointer-check", "--bounds-check", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == (10 if violated else 0), done.stdout


def test_executions_are_replayed_with_32_bits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    require_32_bits()
    path = tmp_path / "a.c"
    path.write_text(
        "#include <assert.h>\n#include <stdlib.h>\nlong long nondet_longlong(void);\nunsigned long nondet_ulong(void);\n"
        "int main(void) {\n  long long x = nondet_longlong();\n  unsigned long y = nondet_ulong();\n"
        "  int *p = malloc(3 * sizeof(void *));\n  if (p && x == -5000000000 && y == 0xfffffff0ul)\n    p[y - 0xffffffedul] = 1;\n"
        "  free(p);\n}\n"
    )
    main(["localize", "-q", "-v", "--ilp32", "--replay", "--rank", "coverage", str(path)])
    said = " ".join(capsys.readouterr().out.split())
    assert "replay: 1 of 1 executions end and cover lines as they do natively" in said
