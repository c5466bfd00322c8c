"""Candidates for repair in one program."""

from dataclasses import replace
from pathlib import Path

from cfrontend.edit.repairs import Candidate
from cfrontend.program import ProgramOptions, load
from sfo.edited import Edits, read_sources
from sfo.repair import candidates_at

TEXT = """struct load { int power, on; };
static const struct load usual[2] = {{3, 1}, {4, 0}};
static struct load now[2];
static int left;
static void start(int i)
{
    left = 4;
    now[i] = usual[i];
}
int main(void)
{
    start(1);
    if (now[1].power < 3)
        left++;
    return left;
}
"""


def candidates(tmp_path: Path) -> tuple[Edits, list[Candidate]]:
    path = tmp_path / "program.c"
    path.write_text(TEXT)
    program = load([str(path)], ProgramOptions())
    sources = read_sources(program)
    assert sources is not None
    units = [unit.id for unit in program.units]
    return Edits(program, sources), candidates_at(program, sources, (), units)


def test_what_is_put_behind_an_assigned_structure_is_read_with_the_others(tmp_path: Path) -> None:
    edits, wanted = candidates(tmp_path)
    behind = [n for n, c in enumerate(wanted) if c.text.startswith("now[i] = usual[i], ")]
    assert behind
    assert set(behind) < set(edits.together(wanted))


def test_one_candidate_that_cannot_be_read_leaves_the_others_together(tmp_path: Path) -> None:
    edits, wanted = candidates(tmp_path)
    expressions = [c for c in wanted if not c.is_statement]
    wrong = replace(expressions[len(expressions) // 2], text="usual +")
    given = [*expressions, wrong]
    whole = edits.together(given)
    assert len(given) - 1 not in whole
    assert len(whole) > len(given) * 3 // 4
    assert len({id(variant.program) for variant in whole.values()}) > 1
