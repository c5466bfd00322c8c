"""The inside: what pages say of it is so, and functions and constructors are of a size that can be read."""

import ast
import html
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.places import DOCS, ROOT

PAGES = (
    "docs/architecture.md",
    "CONTRIBUTING.md",
    "docs/backends.md",
    "docs/slicing.md",
    "docs/performance.md",
)
PACKAGES = ("sfo", "cfrontend")
MOST_WORDS = 40
MOST_FLAT = 12
MOST_LINES_OF_A_FUNCTION = 60
MOST_PARAMETERS = 10
FILES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def folders(package: str) -> set[str]:
    return {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}


def imported(path: Path) -> set[str]:
    """The modules of the packages that a file imports, also for types only."""
    found = {
        f"{node.module}.{alias.name}" if module_path(f"{node.module}.{alias.name}") else f"{node.module}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return {name for name in found if name.split(".")[0] in PACKAGES}


def module_path(name: str) -> Path | None:
    path = ROOT / name.replace(".", "/")
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)


def test_imports_form_no_circle_among_files() -> None:
    below = {path: {module_path(name) for name in imported(path)} - {path, None} for path in FILES}
    while leaves := [path for path, others in below.items() if others.isdisjoint(below)]:
        for path in leaves:
            del below[path]
    assert not below


def exists(name: str) -> bool:
    """Whether there is a module of this name, or one with the last part as an attribute of it."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = find_spec(".".join(parts[:end]))
        except ModuleNotFoundError:
            found = None
        if found is not None:
            return end >= len(parts) - 2
    return False


@pytest.mark.parametrize("page", PAGES)
def test_modules_that_are_named_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:sfo|cfrontend)(?:\.\w+)+)`", text))
    named |= set(re.findall(r"^ {4,}((?:sfo|cfrontend)(?:\.\w+)+)", text, re.MULTILINE))
    assert named or "architecture" not in page
    assert [name for name in sorted(named) if not exists(name)] == []
    paths = set(re.findall(r"`((?:sfo|cfrontend|tests|benchmarks|scripts)/[\w/.-]+)`", text))
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_the_picture_has_every_folder(package: str) -> None:
    source = (DOCS / "architecture.dot").read_text(encoding="utf-8")
    cluster = source.split(f"subgraph cluster_{package} ")[1].split("}")[0]
    assert folders(package) <= set(re.findall(r"\w+", cluster))


def test_the_picture_is_drawn_from_its_source() -> None:
    source = (DOCS / "architecture.dot").read_text(encoding="utf-8")
    drawn = (DOCS / "architecture.svg").read_text(encoding="utf-8")
    labels = {line for label in re.findall(r'label="([^"]*)"', source) for line in label.split("\\n")}
    texts = {html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", drawn)}
    assert {" ".join(label.split()) for label in labels} == {" ".join(text.split()) for text in texts}


@pytest.mark.parametrize("package", PACKAGES)
def test_the_page_has_every_folder(package: str) -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    table = page.split(f"| `{package}/` | What is in it |")[1].split("\n\n")[0]
    named = {
        name
        for row in re.findall(r"^\|([^|]*)\|", table, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert folders(package) <= named


def test_at_most_a_dozen_modules_stand_flat_in_a_package() -> None:
    for package in PACKAGES:
        assert len(list((ROOT / package).glob("*.py"))) <= MOST_FLAT


def test_no_function_is_long_and_no_constructor_has_many_parameters() -> None:
    found = []
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            parameters = len(node.args.args) + len(node.args.kwonlyargs) + len(node.args.posonlyargs) - 1
            if lines > MOST_LINES_OF_A_FUNCTION or (node.name == "__init__" and parameters > MOST_PARAMETERS):
                found.append(f"{path.name}: {node.name}")
    assert found == []


def test_sentences_are_not_long() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    prose = [
        " ".join(part.split())
        for part in re.split(r"\n\n+|\n(?=\* |\|)", page)
        if not part.lstrip("\n").startswith(("    ", "|", "#", "!"))
    ]
    sentences = [sentence for part in prose for sentence in re.split(r"(?<=[.?])\s+", part)]
    assert [s for s in sentences if len(s.split()) > MOST_WORDS] == []
