"""One change at all places of a slip: which texts it makes, and which it does not."""

from pathlib import Path

import pytest

from cfrontend.edit.every_place import EVERY_PLACE
from cfrontend.edit.text import SourceText, apply_text_edits
from cfrontend.edit.unit_sites import find_candidates_at_units
from cfrontend.errors import InputError
from cfrontend.program import ProgramOptions, load_c_program

TEXT = """extern int nondet_int(void);
#define SHOWN(x) ((x) > 0)
int main(void)
{
    int x = nondet_int(), y = nondet_int(), n = 3, m = 2, s = 0;
    if (x > 0 && y > 0)
        s = SHOWN(x);
    for (int j = 0; j < n; j++)
        s += j;
    for (int j = 0; j < n; j++)
        s -= y;
    return s + m;
}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The texts of the program with one change at several places."""
    path = tmp_path_factory.mktemp("places") / "program.c"
    path.write_text(TEXT)
    program = load_c_program([str(path)], ProgramOptions())
    units = [unit.id for unit in program.units]
    found = find_candidates_at_units(program.tree, program.table, {str(path): SourceText(TEXT)}, units)
    return {apply_text_edits(TEXT, [c.edit]) for c in found if c.template == EVERY_PLACE}


def test_both_parts_of_a_condition_and_both_loops_change_at_once(made: set[str]) -> None:
    assert TEXT.replace("if (x > 0 && y > 0)", "if (x >= 0 && y >= 0)") in made
    assert TEXT.replace("j < n;", "j < m;") in made
    assert TEXT.replace("j < n;", "j <= n;") in made


def test_a_change_at_one_place_alone_or_with_a_constant_to_be_found_is_none(made: set[str]) -> None:
    assert TEXT.replace("n = 3", "n = 4") not in made
    assert not [text for text in made if "sfo_hole" in text]
    assert all(text.count("#define SHOWN(x) ((x) > 0)") == 1 for text in made)


def test_each_is_a_program(made: set[str], tmp_path: Path) -> None:
    path = tmp_path / "edited.c"
    for text in sorted(made):
        path.write_text(text)
        try:
            load_c_program([str(path)], ProgramOptions())
        except InputError as error:
            pytest.fail(f"no program: {error}\n{text}")
