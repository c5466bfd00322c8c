"""Faults outside of the statements: they are found by an edit of the definition, and stand first."""

import json
from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions
from cfrontend.source.preprocess import PreprocessOptions
from sfo import cli
from sfo.core.result import Result
from sfo.oracles.protocol import UnknownOracleAnswer
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.program_repair import search

pytestmark = pytest.mark.usefixtures("patience")

BEGIN = (
    "#include <assert.h>\n#include <string.h>\nextern int nondet_int(void);\nextern char nondet_char(void);\n"
)

PROGRAMS = {
    "table": (
        """static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 30, 30, 31, 30, 31};
int length(int month) { return month < 1 || month > 12 ? 0 : days[month - 1]; }
int main(void)
{
    int m = nondet_int();
    int n = length(m);
    assert(m != 8 || n == 31);
    assert(m != 4 && m != 6 && m != 9 && m != 11 || n == 30);
    assert(m != 1 && m != 12 || n == 31);
    assert(m != 2 || n == 28);
}
""",
        "static const int days",
        ("30", "31"),
    ),
    "macro": (
        """#define MINUTES 80
int main(void)
{
    int t = nondet_int();
    if (t < 0 || t > 1440) return 0;
    int h = t / MINUTES;
    int m = t - h * MINUTES;
    assert(h * 60 + m == t);
    assert(m < 60);
}
""",
        "#define MINUTES 80",
        ("80", "60"),
    ),
    "type": (
        """int main(void)
{
    unsigned char total = 0;
    int check = 0;
    for (int i = 0; i < 4; i++) {
        int n = nondet_int();
        if (n < 0 || n > 90) return 0;
        total += n;
        check += n;
    }
    assert(total == check);
}
""",
        "unsigned char total",
        ("unsigned char", "int"),
    ),
    "size": (
        """int main(void)
{
    char from[6];
    char to[5];
    for (int i = 0; i < 5; i++) {
        from[i] = nondet_char();
        if (from[i] == 0) return 0;
    }
    from[5] = 0;
    strcpy(to, from);
    assert(strlen(to) == 5);
}
""",
        "char to[5]",
        ("5", "6"),
    ),
    "initial value": (
        """int main(void)
{
    int n = nondet_int(), sum;
    if (n < 1 || n > 4) return 0;
    int check = 0;
    for (int i = 0; i < n; i++) {
        int a = nondet_int() & 7;
        sum += a;
        check += a;
    }
    assert(sum == check);
}
""",
        "int n = nondet_int(), sum",
        ("", "= 0"),
    ),
}


def localized(tmp_path: Path, text: str) -> Result:
    path = tmp_path / "program.c"
    path.write_text(BEGIN + text)
    return run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), passing=20, rank="full")
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_definition_with_a_repair_stands_first(name: str, tmp_path: Path) -> None:
    text, wanted, edit = PROGRAMS[name]
    result = localized(tmp_path, text)
    assert result.repairs is not None
    first = next(unit for unit in result.dataset.units if unit.id == result.ranking[0].unit)
    assert first.kind == "definition"
    assert first.text.startswith(wanted)
    assert edit in [(r.before, r.after) for r in result.repairs.found if r.unit == first.id]


def test_a_definition_whose_edit_is_not_proved_stands_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "patch_validation_refutation", lambda *_: UnknownOracleAnswer("timeout"))
    result = localized(tmp_path, PROGRAMS["macro"][0])
    assert result.repairs is not None
    assert result.repairs.found == ()
    first = next(unit for unit in result.dataset.units if unit.id == result.ranking[0].unit)
    assert first.text.startswith(PROGRAMS["macro"][1])
    assert first.id in {patch.unit for patch in result.repairs.undecided}


STEPS = """typedef unsigned char code;
enum { END, PUSH, ADD, SUB, MUL };
struct step { code op; signed char by; };
static const struct step steps[] = {
    { PUSH, 2 }, { ADD, 3 }, { ADD, 2 }, { SUB, 1 }, { END, 0 }
};
int main(void)
{
    int a = nondet_int(), v = 0;
    if (a < 2 || a > 100) return 0;
    for (const struct step *s = steps; s->op != END; s++) {
        switch (s->op) {
        case PUSH: v = a; break;
        case ADD: v += s->by; break;
        case SUB: v -= s->by; break;
        case MUL: v *= s->by; break;
        }
    }
    assert(v == (a * 3 + 2) - 1);
}
"""


HEADER = """#ifndef CONFIG_H
#define CONFIG_H
#include "other.h"
static inline int hours(int minutes) { return minutes / %s; }
#endif
"""


@pytest.mark.parametrize(("written", "before", "after"), [("MINUTES", "80", "60"), ("80", "80", "60")])
def test_headers_are_edited_too(written: str, before: str, after: str, tmp_path: Path) -> None:
    folder = tmp_path / "include"
    folder.mkdir()
    (tmp_path / "config.h").write_text(HEADER % written)
    (folder / "other.h").write_text("#define MINUTES 80\n#define UNUSED 3\n")
    path = tmp_path / "program.c"
    text = (
        PROGRAMS["macro"][0]
        .replace("#define MINUTES 80", '#include "config.h"')
        .replace("t / MINUTES", "hours(t)")
    )
    path.write_text(BEGIN + text.replace("h * MINUTES", "h * 60").replace("m < 60", "m >= 0 && m < 60"))
    options = ProgramOptions(preprocess=PreprocessOptions(include_dirs=(str(folder),)))
    result = run_localize_pipeline([str(path)], PipelineOptions(program=options, passing=20, rank="full"))
    assert result.repairs is not None
    wanted = folder / "other.h" if written == "MINUTES" else tmp_path / "config.h"
    assert (str(wanted), before, after) in {(r.file, r.before, r.after) for r in result.repairs.found}


def test_definitions_are_covered_where_they_are_used(tmp_path: Path) -> None:
    result = localized(tmp_path, PROGRAMS["table"][0])
    units = {unit.id: unit for unit in result.dataset.units}
    user = next(unit.id for unit in units.values() if "days[month - 1]" in unit.text)
    defined = next(unit.id for unit in units.values() if unit.kind == "definition")
    assert all((user in run.covered) == (defined in run.covered) for run in result.dataset.executions)


def test_without_a_repair_there_are_the_program_s_units_only(tmp_path: Path) -> None:
    result = localized(
        tmp_path, "#define LIMIT 3\nint main(void) { int a = nondet_int(); assert(a < LIMIT); }\n"
    )
    assert not any(unit.kind == "definition" for unit in result.dataset.units)


def test_reports_and_json_show_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.c"
    path.write_text(BEGIN + PROGRAMS["macro"][0])
    for form in ("text", "json", "html", "sarif"):
        cli.main(["localize", str(path), "--passing", "--format", form, "-v"])
        said = capsys.readouterr().out
        assert "#define MINUTES 80" in said
        if form == "text":
            assert "edit: a definition" in " ".join(said.split())
        if form == "json":
            found = json.loads(said)
            assert any(unit["kind"] == "definition" for unit in found["units"])
