"""Which programs may read what they have read or written before."""

import pytest

from cfrontend.source.parse import parse_file
from cfrontend.source.parse.reopened_files import keeps_reopened_files, may_open_files
from cfrontend.source.preprocess import PreprocessedFile


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ('f = fopen("a", "r");', False),
        ('f = fopen("a", "r"); g = fopen("b", "w");', False),
        ('f = fopen("a", "w"); g = fopen("a", "w");', False),
        ('f = fopen("a", "w"); g = fopen("a", "r");', True),
        ('f = fopen("a", "a"); g = fopen("a", "r+");', True),
        ("f = fopen(name, mode); g = fopen(name, mode);", True),
        ('while (1) f = fopen("a", "r");', True),
        ('again: f = fopen("a", "r"); goto again;', True),
        ('f = fopen("a", "r"); rewind(f);', True),
        ('f = fopen("a", "r"); remove("b");', True),
        ("f = tmpfile();", True),
        ("fgetpos(f, &place);", True),
        ("once();", False),
        ("once(); once();", True),
        ("while (1) once();", True),
        ("pointer = once;", True),
        ('load("a"); load("b"); f = fopen("d", "w");', False),
        ('load("a"); load("b"); load("a");', True),
        ('load("a"); f = fopen("a", "w");', True),
        ('while (1) load("a");', True),
        ("load(name);", False),
        ('load(name); load("a");', True),
        ('pointer = load; f = fopen("d", "w");', True),
    ],
)
def test_a_file_that_may_be_opened_again_is_kept(body: str, *, kept: bool) -> None:
    defined = {
        "once": 'void once(void) { f = fopen("c", "r"); }\n',
        "load": 'void load(char *name) { f = fopen(name, "r"); }\n',
    }
    above = "".join(text for name, text in defined.items() if name in body)
    text = f"{above}int main(void) {{ {body} }}\n"
    parsed = parse_file(PreprocessedFile(path="a.c", text=text, files={"a.c": tuple(text.splitlines())}))
    assert keeps_reopened_files([parsed], "main") == kept


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ('f = fopen("a", "r");', True),
        ("make = &fopen;", True),
        ("f = tmpfile();", True),
        ('d = open ("a", 0);', True),
        ('d = (open)("a", 0);', True),
        ('d = creat("a", 0600);', True),
        ("door.open = 1; create_node(reopened(2));", False),
    ],
)
def test_the_text_of_a_program_says_whether_it_may_open_a_file(text: str, opens: bool) -> None:
    assert may_open_files(["int x;", text], "main") == opens


def test_a_file_that_an_entry_function_is_given_is_open() -> None:
    assert may_open_files(["rewind(given);"], "load")
    assert not may_open_files(["rewind(given);"], "main")
