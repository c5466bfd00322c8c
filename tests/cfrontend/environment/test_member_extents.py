"""How far pointers in structures lead, by names, types and use; and that executions have such objects."""

import itertools
import subprocess
from pathlib import Path

import pytest

from cfrontend.environment.program_options import ProgramOptions
from cfrontend.environment.surroundings import Surroundings
from cfrontend.program import Program, load_c_program
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from tests.conftest import require_tool

HEADERS = "#include <stddef.h>\n#include <string.h>\n#include <stdio.h>\nchar *made(void);\n"


def loaded(tmp_path: Path, text: str, **environment: object) -> Program:
    path = tmp_path / "f.c"
    path.write_text(HEADERS + text)
    options = ProgramOptions(entry="f", environment=Surroundings(**environment))  # type: ignore[arg-type]
    return load_c_program([str(path)], options)


def extents(tmp_path: Path, text: str) -> dict[str, str]:
    """Each member with an extent: its length, what is no larger, pointers into its object, a zero behind."""
    program = loaded(tmp_path, text)
    assert program.harness is not None
    return {
        member: " ".join([e.length, *(f"<={part}" for part in e.parts), *(f"&{one}" for one in e.inside)])
        + "+0" * e.ends_in_zero
        for _, member, e in program.harness.use.extents
    }


@pytest.mark.parametrize(
    ("members", "body", "expected"),
    [
        ("const char *content; size_t length, offset;",
         "if (s->offset < s->length) return s->content[s->offset]; return 0;", {"content": "length"}),
        ("const char *content; size_t length, offset;",
         "return s->offset + 1 <= s->length ? *(s->content + s->offset) : 0;", {"content": "length"}),
        ("int *items; int n_items;", "int t = 0; for (int i = 0; i < s->n_items; i++) t += s->items[i]; return t;",
         {"items": "n_items"}),
        ("unsigned char *data; unsigned len;", "memset(s->data, 0, s->len); return 0;", {"data": "len"}),
        ("char *buf; size_t len, size;",
         "if (s->len + 1 < s->size) { s->buf[s->len] = 1; s->len++; } return s->buf + s->size != 0;",
         {"buf": "size <=len"}),
        ("char *text; int len;", "return strlen(s->text) + s->text[s->len - 1];", {"text": "len+0"}),
        ("char *ptr, *end;", "return s->end == s->ptr ? 0 : s->end[-1];", {"ptr": " &end"}),
        ("char *all, *at, *end, *last;",
         "return s->all && s->at - s->all > 2 ? s->end - s->at : s->last - s->end;", {"all": " &at &end &last"}),
        ("char *ptr, *end;", "for (char *p = s->ptr; p < s->end; p++) if (*p) return 1; return 0;", {"ptr": " &end"}),
        ("char *ptr, *end, *other;", "char *p = s->ptr; if (s->other) p = s->other; return p < s->end;", {}),
        ("char *a, *b;", "char *p = made(); return p != s->a && p != s->b;", {}),
        ("char *ptr, *end; int size;", "return s->end - s->ptr < s->size ? *s->end : 0;", {"ptr": "size &end"}),
        ("struct t { int x; } *all; int count;",
         "int t = 0; for (int i = 0; i < s->count; i++) t += s->all[i].x; return t;", {"all": "count"}),
        ("char *data; int level;", "return s->data[s->level];", {}),
        ("char *data; int len;", "return s->len + s->data[2];", {}),
        ("char *data; unsigned char len;", "return s->data[s->len - 1];", {}),
        ("char *data; unsigned len : 4;", "return s->data[s->len - 1];", {}),
        ("char *a, *b;", "return *s->a + *s->b;", {}),
        ("char *at; long csize;", "s->at = s->at - s->csize; return s->csize > 3;", {}),
    ],
)  # fmt: skip
def test_lengths_of_members(members: str, body: str, expected: dict[str, str], tmp_path: Path) -> None:
    assert extents(tmp_path, f"struct s {{ {members} }};\nint f(struct s *s) {{ {body} }}\n") == expected


def test_extents_of_the_user_are_none(tmp_path: Path) -> None:
    text = "struct s { char *data; int len; }; int f(struct s *s) { return s->data[s->len - 1]; }"
    known = loaded(tmp_path, text).harness
    told = loaded(tmp_path, text, finds_extents=False).harness
    assert known is not None
    assert told is not None
    assert any("as many elements as len says" in said for said in known.assumptions)
    assert not any("says" in said for said in told.assumptions)


READER = """struct s { const unsigned char *content; size_t length, offset; };
int f(struct s *s)
{
    return s->offset CHECK s->length ? s->content[s->offset] : -1;
}
"""


@pytest.mark.parametrize(("check", "fails"), [("<", False), ("<=", True), ("+ 1 <", True), ("!=", True)])
def test_what_is_beyond_the_length_is_no_element(check: str, fails: bool, tmp_path: Path) -> None:
    """The largest offset and one is 0."""
    path = tmp_path / "f.c"
    path.write_text(HEADERS + READER.replace("CHECK", check))
    options = PipelineOptions(program=ProgramOptions(entry="f"), rank="coverage")
    assert (run_localize_pipeline([str(path)], options).verdict == "violated") == fails


@pytest.mark.parametrize(("result", "verdict"), [("s->len < -7", "violated"), ("s->len > 0", "safe")])
def test_lengths_may_be_negative_where_their_type_is(result: str, verdict: str, tmp_path: Path) -> None:
    """A counter of what is left may have gone below zero."""
    text = "struct s {{ char *data; int len; }}; int f(struct s *s) {{ if (s->len > 0) return s->data[s->len - 1]; return {}; }}"
    (tmp_path / "fixed.c").write_text(HEADERS + text.format("0"))
    (tmp_path / "p.c").write_text(HEADERS + text.format(result))
    program = ProgramOptions(entry="f", reference=(str(tmp_path / "fixed.c"),))
    options = PipelineOptions(program=program, rank="coverage")
    assert run_localize_pipeline([str(tmp_path / "p.c")], options).verdict == verdict


COUNTS = """struct s { unsigned char *start, *end; int size; };
int f(struct s *s)
{
    int n = 0;
    if (s->end - s->start > s->size)
        return -1;
    for (unsigned char *p = s->start; p < s->end; p++)
        n += CHOSEN;
    return n;
}
"""

NATIVE = r"""
int main(void)
{
    int values[] = {VALUES}, differ = 0;
    for (int size = 0; size <= 2; size++)
        for (int length = 0; length <= size; length++)
            for (int one = 0; one < 4; one++)
                for (int two = 0; two < 4; two++) {
                    unsigned char bytes[2] = {values[one], values[two]};
                    struct s s = {bytes, bytes + length, size};
                    differ |= f(&s) != g(&s);
                }
    return differ;
}
"""

CHOICES = ("*p == 7", "*p > 6 && *p < 8", "*p >= 7", "*p == 7 && p + 1 != s->end", "*p % 8 == 7 && *p < 9")


@pytest.mark.parametrize(("one", "two"), list(itertools.combinations(CHOICES, 2)))
@pytest.mark.sample(4)
def test_versions_agree_where_they_do_natively(one: str, two: str, tmp_path: Path) -> None:
    require_tool("gcc")
    for name, chosen in (("p.c", one), ("fixed.c", two)):
        (tmp_path / name).write_text(HEADERS + COUNTS.replace("CHOSEN", chosen))
    other = COUNTS.replace("CHOSEN", two).replace("int f(", "int g(").partition("};\n")[2]
    native = tmp_path / "native.c"
    native.write_text(
        HEADERS + COUNTS.replace("CHOSEN", one) + other + NATIVE.replace("VALUES", "7, 8, 15, 200")
    )
    subprocess.run(["gcc", "-w", "-o", tmp_path / "native", native], check=True)
    differs = subprocess.run([tmp_path / "native"], check=False).returncode != 0
    surroundings = Surroundings(sizes={"s->start": 2})
    program = ProgramOptions(entry="f", reference=(str(tmp_path / "fixed.c"),), environment=surroundings)
    result = run_localize_pipeline([str(tmp_path / "p.c")], PipelineOptions(program=program, rank="coverage"))
    assert result.verdict == ("violated" if differs else "safe")
