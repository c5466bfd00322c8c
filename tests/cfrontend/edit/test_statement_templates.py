"""Edits of how statements stand together: their texts, and that they are programs."""

from pathlib import Path

from cfrontend.edit.registry import TEMPLATES
from cfrontend.edit.text import SourceText, apply_text_edits
from cfrontend.edit.unit_sites import find_candidates_at_units
from cfrontend.lower.number_units import number_units
from cfrontend.program import ProgramOptions, load_c_program

RESTRUCTURING = {one.name for one in TEMPLATES if one.kind == "restructuring"}


def edits(tmp_path: Path, body: str) -> set[tuple[str, str]]:
    """What is replaced, and by what, in a function with this body; each edit is a program."""
    text = f"extern int f(int); int g, h;\nint main(void) {{ int i, n = f(0); {body} return g; }}\n"
    path = tmp_path / "program.c"
    path.write_text(text)
    program = load_c_program([str(path)], ProgramOptions(undefined="nondet"))
    table, sources = number_units(program.tree, "statement"), {str(path): SourceText(text)}
    every = find_candidates_at_units(program.tree, table, sources, [unit.id for unit in program.units])
    found = [c for c in every if c.template in RESTRUCTURING]
    for c in found:
        path.write_text(apply_text_edits(text, [(c.filled(3) if c.has_hole else c).edit]))
        load_c_program([str(path)], ProgramOptions(undefined="nondet"))
    return {(text[c.start : c.end], c.text) for c in found}


def test_a_semicolon_too_much(tmp_path: Path) -> None:
    assert edits(tmp_path, "for (i = 0; i < n; i++); f(i);") == {(";", "")}
    assert (";", "") in edits(tmp_path, "if (n > 3); g = 1;")
    assert edits(tmp_path, "while (g < n) ;") == {(";", "")}
    assert edits(tmp_path, "do ; while (f(1)); g = 2;") == set()


def test_missing_braces(tmp_path: Path) -> None:
    assert edits(tmp_path, "if (n) f(1); f(2);") == {("f(1); f(2);", "{ f(1); f(2); }")}
    assert ("f(1);\n f(2);", "{ f(1);\n f(2); }") in edits(tmp_path, "while (n--) f(1);\n f(2);")
    assert ("g = 1; f(2);", "{ g = 1; f(2); }") in edits(tmp_path, "if (n) f(1); else g = 1; f(2);")


def test_a_brace_that_closes_too_late(tmp_path: Path) -> None:
    assert ("f(2); }", "} f(2);") in edits(tmp_path, "if (n) { f(1); f(2); }")
    assert edits(tmp_path, "if (n) { f(1); }") == set()


def test_an_else_too_little_or_too_much(tmp_path: Path) -> None:
    assert ("", "else ") in edits(tmp_path, "if (n) f(1); if (g) f(2);")
    assert (" else ", "  ") in edits(tmp_path, "if (n) f(1); else if (g) f(2);")
    assert ("", "else ") not in edits(tmp_path, "if (n) f(1); else f(3); if (g) f(2);")


def test_a_missing_break(tmp_path: Path) -> None:
    found = edits(tmp_path, "switch (n) { case 1: case 2: g = 1; case 3: g = 2; break; default: g = 3; }")
    assert [text for before, text in found if not before] == ["break"]


def test_a_branch_that_is_taken_again(tmp_path: Path) -> None:
    assert ("if", "while") in edits(tmp_path, "i = 0; if (i < n) { f(i); i++; }")
    assert ("if", "while") not in edits(tmp_path, "if (g < n) f(1);")
    assert ("if", "while") not in edits(tmp_path, "if (g < n) g++; else f(1);")
