"""Bit-fields share cells of memory with others that nobody has written; each counts for itself beside a reference."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from tests.conftest import require_tool

HEAD = """
#include <stdlib.h>
#ifndef W
#define W(k)
#endif
struct s { MEMBERS };
"""

KINDS = {
    "allocated": "struct s *f(signed char a)\n{ struct s *p = malloc(sizeof *p); if (!p) return 0; BODY return p; }\n",
    "parameter": "void f(struct s *p, signed char a)\n{ BODY }\n",
    "global": "struct s everybody;\nvoid f(signed char a)\n{ struct s *p = &everybody; BODY }\n",
}

MEMBERS = {
    "unsigned": "unsigned m0 : 2, m1 : 3; int m2;",
    "signed": "int m0 : 3, m1 : 7; signed char m2 : 4;",
    "straddling": "short m0 : 10; unsigned long long m1 : 37; unsigned m2 : 5;",
}

BODIES = {
    "another value": ("p->m0 = a; W(0);", "p->m0 = a ^ 1; W(0);"),
    "the same cut off": ("p->m0 = a; W(0);", "p->m0 = a + 1024; W(0);"),
    "one more": ("p->m1 = a; W(1);", "p->m1 = a; W(1); p->m0 = 1; W(0);"),
    "one less": ("p->m1 = a; W(1); p->m0 = 1; W(0);", "p->m1 = a; W(1);"),
    "under a condition": (
        "if (a > 1) { p->m0 = 1; W(0); } p->m1 = a; W(1);",
        "p->m1 = a; W(1); if (a >= 2) { p->m0 = 1; W(0); }",
    ),
    "under another condition": (
        "if (a > 1) { p->m0 = 1; W(0); } p->m1 = a; W(1);",
        "p->m1 = a; W(1); if (a > 2) { p->m0 = 1; W(0); }",
    ),
    "read again": (
        "p->m1 = a; W(1); p->m2 = p->m1; W(2);",
        "p->m2 = a; W(2); p->m1 = a; W(1); p->m2 = p->m1; W(2);",
    ),
    "counted up": ("p->m1 = a; p->m1++; W(1);", "p->m1 = a + 1; W(1);"),
}

NATIVE = r"""
#include <string.h>
static int written;
#define W(k) (written |= 1 << (k))
ONE
TWO
int main(void)
{
    for (int fill = 0; fill < 256; fill += 85)
        for (int a = -128; a < 128; a++) {
            struct s x, y;
            memset(&x, fill, sizeof x), memset(&y, fill, sizeof y);
            written = 0; CALL_ONE; int mine = written;
            written = 0; CALL_TWO; int theirs = written;
            LOOKS
        }
    return 0;
}
"""

CALLS = {
    "allocated": "{0} = *{1}(a)",
    "parameter": "{1}(&{0}, a)",
    "global": "everybody{2} = {0}; {1}(a); {0} = everybody{2}",
}


def _differs(kind: str, head: str, versions: tuple[str, str], place: Path) -> bool:
    """Whether gcc's code of both versions leaves something else, of what the first one has written in new memory."""
    require_tool("gcc")
    one, two = (
        text.replace("*f(", f"*f{n}(").replace("void f(", f"void f{n}(").replace("everybody", f"everybody{n}")
        for n, text in enumerate(versions, start=1)
    )
    both = "" if kind != "allocated" else "(mine >> {k} & 1) && (!(theirs >> {k} & 1) || "
    end = ")" if both else ""
    looks = "".join(f"if ({both.format(k=k)}x.m{k} != y.m{k}{end}) return 1;\n" for k in range(3))
    text = NATIVE.replace("ONE", head + one, 1).replace("TWO", two, 1).replace("LOOKS", looks)
    text = text.replace("CALL_ONE", CALLS[kind].format("x", "f1", 1)).replace(
        "CALL_TWO", CALLS[kind].format("y", "f2", 2)
    )
    (place / "both.c").write_text(text)
    subprocess.run(["gcc", "-w", "-o", place / "both", place / "both.c"], check=True)
    return subprocess.run([place / "both"], check=False).returncode == 1


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("members", MEMBERS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.sample(6)
def test_a_bit_field_is_compared_where_the_reference_has_written_it(
    kind: str, members: str, body: str, tmp_path: Path
) -> None:
    head = HEAD.replace("MEMBERS", MEMBERS[members])
    one, two = (KINDS[kind].replace("BODY", text) for text in BODIES[body])
    differs = _differs(kind, head, (one, two), tmp_path)
    (tmp_path / "old.c").write_text(head + one)
    (tmp_path / "new.c").write_text(head + two)
    program = ProgramOptions(reference=(str(tmp_path / "old.c"),), entry="f")
    result = run_localize_pipeline([str(tmp_path / "new.c")], PipelineOptions(program=program))
    assert result.verdict == ("violated" if differs else "safe")
