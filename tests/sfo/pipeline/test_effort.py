"""Searches end by effort, and say so; how far they come does not depend on the machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfo import cli

HARD = """#include <assert.h>
unsigned nondet_uint(void);
int main(void)
{
    unsigned n = nondet_uint(), s = 0, p = 1;
    for (int k = 0; k < 24 && n; k++) {
        s += n % 10 * (n % 7);
        p = p * 31 + (n ^ s) * s;
        n = n / 3 + (n & 1 ? p % 5 : 0);
    }
    assert(s * s + p != 77777);
    return 0;
}
"""


def checked(path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, object]]:
    code = cli.main(["check", str(path), "--format", "json", *options])
    return code, json.loads(capsys.readouterr().out)


def test_the_search_for_a_bound_ends_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hard.c"
    path.write_text(HARD)
    code, first = checked(path, capsys, "--effort", "0.02", "--native", "off")
    assert (code, first["verdict"]) == (5, "unknown")
    assert "effort" in str(first["reason"])
    assert "--effort 0.08 goes on" in str(first["reason"])
    _, second = checked(path, capsys, "--effort", "0.02", "--native", "off")
    assert [second[key] for key in ("verdict", "reason", "bound", "properties")] == [
        first[key] for key in ("verdict", "reason", "bound", "properties")
    ]


def test_effort_is_a_positive_factor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hard.c"
    path.write_text(HARD)
    assert cli.main(["check", str(path), "--effort", "0"]) == 2
    assert "--effort" in capsys.readouterr().err


FACTORS = """#include <assert.h>
unsigned nondet_uint(void);
int main(void)
{
    unsigned long a = nondet_uint(), b = nondet_uint();
    int seen = 0;
    if (a * b != 4611685975477714963UL || a > b)
        seen = 1;
    assert(a < 3);
    return seen;
}
"""


def test_algorithm_1_ends_by_itself_and_says_what_is_not_proved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "factors.c"
    path.write_text(FACTORS)
    said = []
    for _ in range(2):
        options = ["--effort", "0.05", "--native", "off", "--jobs", "1", "--rank", "coverage"]
        code = cli.main(["localize", str(path), "--format", "json", *options])
        found = json.loads(capsys.readouterr().out)
        assert code == 5, found["reason"]
        assert not found["optimal"]
        assert found["undecided"]
        assert "--effort 0.2" in found["reason"]
        assert found["ranking"]
        found.pop("statistics")
        said.append(found)
    assert said[0] == said[1]


UNMADE = """#include <assert.h>
char nondet_char(void);
static char one[9], two[9];
static int known[9][9];
static int common(int i, int j)
{
    if (one[i] == '\\0' || two[j] == '\\0')
        return 0;
    if (known[i][j] != 0)
        return known[i][j] - 1;
    int skipped = common(i + 1, j), other = common(i, j + 1);
    int longest = one[i] == two[j] ? 1 + common(i + 1, j + 1) : skipped > other ? skipped : other;
    known[i][j] = longest + 1;
    return longest;
}
int main(void)
{
    for (int i = 0; i < 8; i++) {
        one[i] = nondet_char();
        two[i] = nondet_char();
    }
    assert(common(0, 0) < 2);
    return 0;
}
"""


def test_inputs_are_tried_where_the_first_formula_takes_all_effort(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "unmade.c"
    path.write_text(UNMADE)
    beside = ("--policy", "portfolio.fuzz_after=0.1", "--policy", "portfolio.round=0.2")
    code, found = checked(path, capsys, "--effort", "0.02", "--native", "off", *beside)
    assert (code, found["verdict"]) == (10, "violated")
