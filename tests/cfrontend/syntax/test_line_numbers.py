from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions, load_c_program_tree
from cfrontend.source.preprocess import preprocess
from cfrontend.syntax.line_numbers import is_same_code, unlike_functions, with_line_numbers_of
from cfrontend.syntax.tree import TranslationUnit

HEAD = "#define TEXT_(x) #x\n#define TEXT(x) TEXT_(x)\n#define HERE 0, __LINE__\nint told(int, int);\n"


def unit(tmp_path: Path, text: str) -> TranslationUnit:
    path = tmp_path / "unit.c"
    path.write_text(HEAD + text)
    options = ProgramOptions(entry="f")
    return load_c_program_tree([str(path)], options, [preprocess(str(path), options.preprocess)])


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("int f(void) { return __LINE__; }", "\n\nint f(void) { return __LINE__; }", True),
        ("int f(void) { return told(HERE); }", "\nint f(void) { return told(HERE); }", True),
        ("int f(void) { return 5; }", "\nint f(void) { return 6; }", False),
        ("int f(void) { return __LINE__ + 1; }", "\nint f(void) { return __LINE__ + 2; }", False),
        (
            'char f(int n) { return ("f:" TEXT(__LINE__))[n]; }',
            '\nchar f(int n) { return ("f:" TEXT(__LINE__))[n]; }',
            True,
        ),
    ],
)
def test_the_number_of_a_line_is_no_other_code(tmp_path: Path, old: str, new: str, same: bool) -> None:
    before, after = (unit(tmp_path, text) for text in (old, new))
    bodies = [one.functions["f"].body for one in (before, after)]
    assert is_same_code(*bodies) == same
    assert ("f" in unlike_functions(before, after)) == (not same)
    assert (with_line_numbers_of(before, after).functions["f"].body == bodies[1]) == same
