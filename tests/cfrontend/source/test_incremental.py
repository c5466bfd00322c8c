"""Incremental parsing: the same tree as of all of the file, whatever is edited."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cfrontend.errors import SfoError
from cfrontend.source.parse import IncrementalParser, ParsedFile, incremental, parse_file
from cfrontend.source.preprocess import PreprocessedFile, preprocess, preprocessed_without_prototypes

PROGRAMS = sorted((Path(__file__).parents[3] / "benchmarks" / "programs").glob("*/correct.c"))

WORDS = [
    "x",
    "0",
    "1+",
    "-",
    "{",
    "}",
    "(",
    ")",
    ";",
    "int",
    "T",
    "return",
    "/",
    "//",
    "/*",
    "*/",
    '"',
    "'",
    "typedef",
    "if(1)",
    "struct{int*p;}",
    "f(){}",
    "#pragma",
    "T(x)",
    "x;",
]


def nodes(node: Any, depth: int = 0) -> Iterator[tuple[object, ...]]:
    values = [getattr(node, name, None) for name in node.attr_names]
    yield depth, type(node).__name__, str(node.coord), *values, len(getattr(node, "attributes", None) or ())
    for _, child in node.children():
        if hasattr(child, "children"):
            yield from nodes(child, depth + 1)


def outcome(parse: Callable[[PreprocessedFile], ParsedFile], file: PreprocessedFile) -> object:
    """All of a tree with its places, or the error."""
    try:
        parsed = parse(file)
    except SfoError as error:
        return str(error)
    return [*nodes(parsed.tree)], parsed.path


def edited(file: PreprocessedFile, rng: random.Random) -> PreprocessedFile:
    """The file with some words of one or two lines replaced; the lines of our headers stay."""
    lines = file.text.split("\n")
    own = [n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")][-120:]
    for n in rng.sample(own, k=rng.choice((1, 1, 2))):
        words = lines[n].split(" ")
        words[rng.randrange(len(words))] = rng.choice(WORDS)
        lines[n] = " ".join(words)
    return replace(file, text="\n".join(lines))


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.parent.name)
def test_an_edited_file_has_the_tree_that_it_has_without_the_one_before(path: Path) -> None:
    file = preprocessed_without_prototypes(preprocess(str(path)))
    parser, rng = IncrementalParser(file), random.Random(path.parent.name)
    for _ in range(12):
        version = edited(file, rng)
        assert outcome(parser.parse, version) == outcome(parse_file, version)


TEXT = """
typedef int T;
enum { A = 3 };
__attribute__((unused)) static int before(void) { return 1; }
int once(int T) { int y = T; return y + A; }
int other(T x) { return (T)x; } int beside;
struct s { int m; } both(T *x)
{
    return (struct s){*x};
}
"""


@pytest.fixture
def source(tmp_path: Path) -> PreprocessedFile:
    path = tmp_path / "text.c"
    path.write_text(TEXT)
    return preprocess(str(path))


def whole(monkeypatch: pytest.MonkeyPatch, parser: IncrementalParser, version: PreprocessedFile) -> bool:
    """Whether all of a version is parsed."""
    called: list[PreprocessedFile] = []
    with monkeypatch.context() as patched:
        patched.setattr(incremental, "parse_file", lambda file: called.append(file) or parse_file(file))
        assert outcome(parser.parse, version) == outcome(parse_file, version)
    return bool(called)


@pytest.mark.parametrize(
    ("old", "new", "is_whole"),
    [
        ("y + A", "y - A", False),
        ("int y = T", "T = 2; int y = T", False),
        ("{*x}", "{x[A]}", False),
        ("return 1", "return 2", False),
        ("int other(T x) { return (T)x; }", "int other(T x) { return (T)x + 1; }", True),  # a line of two
        ("once", "twice", True),
        ("int m;", "enum { B } m;", True),  # another name of file scope
        ("A = 3", "A = 4", True),
        ("y + A; }", "y + A; } }", True),
        ("y + A", '_Pragma("GCC ivdep") y', True),
    ],
)
def test_only_functions_with_other_lines_are_parsed(
    monkeypatch: pytest.MonkeyPatch, source: PreprocessedFile, old: str, new: str, is_whole: bool
) -> None:
    assert TEXT.count(old) == 1
    parser = IncrementalParser(source)
    version = replace(source, text=source.text.replace(old, new))
    assert whole(monkeypatch, parser, version) == is_whole
    assert not whole(monkeypatch, parser, source)


def test_a_file_that_is_no_program_is_parsed_as_any_other(source: PreprocessedFile) -> None:
    parser = IncrementalParser(replace(source, text=source.text + "}"))
    assert outcome(parser.parse, source) == outcome(parse_file, source)


def test_the_parser_of_a_file_is_asked(source: PreprocessedFile) -> None:
    parser = IncrementalParser(source)
    version = replace(source, text=source.text.replace("y + A", "y - A"), parser=parser)
    unchanged = parser.parse(source).tree.ext
    assert [a is b for a, b in zip(parse_file(version).tree.ext, unchanged, strict=True)].count(False) == 1
