"""Versions that read one text in different ways are never safe, and differ on the text that is shown."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions
from sfo.cli import main
from sfo.pipeline.localize import localize_pipeline_checks
from sfo.pipeline.options import PipelineOptions
from tests.differential.readings import Read, compare, edited, statement, text

SHOWN = 'printf("%d %d %s", a, b, s);'

DIFFERENT = {
    "comma": ('scanf("%d,%d", &a, &b);', 'scanf("%d%d", &a, &b);'),
    "colon": ('scanf("%d:%d", &a, &b);', 'scanf("%d%d", &a, &b);'),
    "character": ('scanf("%c", s);', 'scanf(" %c", s);'),
    "number and character": ('scanf("%d%c", &a, s);', 'scanf("%d %c", &a, s);'),
    "space before getchar": ('scanf("%d ", &a); b = getchar();', 'scanf("%d", &a); b = getchar();'),
    "width": ('scanf("%2d", &a);', 'scanf("%d", &a);'),
    "base": ('scanf("%i", &a);', 'scanf("%d", &a);'),
    "set": ('scanf("%7[a-z]", s);', 'scanf("%7s", s);'),
    "width of a word": ('scanf("%3s", s);', 'scanf("%7s", s);'),
    "skipped character": ('scanf("%d%*c", &a); b = getchar();', 'scanf("%d", &a); b = getchar();'),
    "call that stores nothing": (
        'scanf("%d", &a); scanf(" "); b = getchar();',
        'scanf("%d", &a); b = getchar();',
    ),
    "order": ('scanf("%7s", s); scanf("%d", &a);', 'scanf("%d", &a); scanf("%7s", s);'),
    "line": ("fgets(s, 8, stdin);", 'scanf("%7s", s);'),
    "literal in another call": ('scanf("%d,%d", &a, &b);', 'scanf("%d", &a); scanf(",%d", &b);'),
    "result": ('b = scanf("%d,%d", &a, &a);', 'b = scanf("%d%d", &a, &a);'),
    "real": (
        'double d = 0; scanf("%lf,", &d); a = (int) d; b = getchar();',
        'double d = 0; scanf("%lf", &d); a = (int) d; b = getchar();',
    ),
}

ALIKE = {
    "space before a number": ('scanf("%d %d", &a, &b);', 'scanf("%d%d", &a, &b);'),
    "two calls": ('scanf("%d", &a); scanf("%d", &b);', 'scanf("%d %d", &a, &b);'),
    "results of two calls": (
        'if (scanf("%d", &a) == 1) scanf("%d", &b);',
        'if (scanf("%d %d", &a, &b) < 1) a = 0;',
    ),
    "space at the end": ('scanf("%d\\n", &a); scanf("%d ", &b);', 'scanf("%d", &a); scanf("%d", &b);'),
    "getchar": ('scanf("%c", s); b = s[0];', "int c = getchar(); if (c != EOF) s[0] = c; b = s[0];"),
    "space before a word": ('scanf(" %7s%d", s, &a);', 'scanf("%7s %d", s, &a);'),
    "the same literal": ('scanf("%d, %d", &a, &b);', 'scanf("%d,%d", &a, &b);'),
}


def source(body: str) -> str:
    head = '#include <stdio.h>\nint main(void)\n{\n    int a = 0, b = 0;\n    char s[8] = "";\n'
    return f"{head}    {body}\n    {SHOWN}\n    return 0;\n}}\n"


def versions(folder: Path, new: str, old: str) -> tuple[Path, PipelineOptions]:
    paths = folder / "new.c", folder / "old.c"
    for path, body in zip(paths, (new, old), strict=True):
        path.write_text(source(body))
    return paths[0], PipelineOptions(program=ProgramOptions(reference=(str(paths[1]),)))


def printed(path: Path, data: bytes) -> bytes:
    binary = path.with_suffix("")
    subprocess.run(["gcc", "-w", str(path), "-o", str(binary)], check=True, timeout=60)
    return subprocess.run([str(binary)], input=data, capture_output=True, check=True, timeout=10).stdout


@pytest.mark.sample(6)
@pytest.mark.parametrize("direction", ["new", "old"])
@pytest.mark.parametrize("pair", DIFFERENT)
def test_another_way_is_a_violation_that_shows_natively(pair: str, direction: str, tmp_path: Path) -> None:
    one, two = DIFFERENT[pair] if direction == "new" else DIFFERENT[pair][::-1]
    path, options = versions(tmp_path, one, two)
    result = localize_pipeline_checks([str(path)], options)
    assert result.verdict == "violated"
    for run in result.dataset.failing:
        assert run.text is not None
        assert printed(path, run.text) != printed(tmp_path / "old.c", run.text)


@pytest.mark.parametrize("pair", ALIKE)
def test_the_same_way_is_safe(pair: str, tmp_path: Path) -> None:
    path, options = versions(tmp_path, *ALIKE[pair])
    assert localize_pipeline_checks([str(path)], options).verdict == "safe"


@pytest.mark.parametrize(
    "pair", ["space before a number", "two calls", "space at the end", "the same literal"]
)
def test_the_same_way_is_compared_by_values(pair: str, tmp_path: Path) -> None:
    """No execution is one of characters, and a difference is found in what was read."""
    new, old = ALIKE[pair]
    path, options = versions(tmp_path, f"{new} if (a == 4711) b++;", old)
    result = localize_pipeline_checks([str(path)], options)
    assert result.verdict == "violated"
    assert any(value.value == 4711 for value in result.dataset.failing[0].inputs)


def test_the_text_is_in_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, options = versions(tmp_path, *DIFFERENT["width"])
    command = ["check", str(path), "--reference", *options.program.reference]
    assert main([*command, "--format", "json"]) == 10
    assert '"stdin": "' in capsys.readouterr().out
    assert main(command) == 10
    assert 'inputs: scanf()="' in capsys.readouterr().out


def test_what_is_not_compared_is_unknown(tmp_path: Path) -> None:
    """The same ways in another order, of functions that no format tells: nothing is said of them."""
    new, old = 'b = getchar(); scanf("%d", &a);', 'scanf("%d", &a); b = getchar();'
    path, options = versions(tmp_path, new, old)
    result = localize_pipeline_checks([str(path)], options)
    assert result.verdict == "unknown"
    assert result.reason is not None
    assert 'by "%c" what that reads by "%d" at' in result.reason


@pytest.mark.parametrize("number", range(12))
@pytest.mark.sample(5)
def test_executions_on_texts_are_those_of_libc(number: int, tmp_path: Path) -> None:
    rng = random.Random(1000 + number)
    first = [statement(rng) for _ in range(2)]
    second = edited(rng, first)
    texts = [text(rng, first) for _ in range(8)]
    finding = compare(number, first, second, [True, False], texts, 0, tmp_path)
    assert finding.executions > 0
    assert not finding.problems


EDITS: list[tuple[Read, Read]] = [
    (("scanf", "", "%d", ",", "%d", ""), ("scanf", "", "%d", "", "%d", "")),
    (("scanf", "", "%3i", "x", "%c", " "), ("scanf", " ", "%2d", "", "%c", "")),
    (("scanf", "", "%7[a-z]", "", "%*c", ""), ("scanf", "", "%7s", "", "%c", "")),
    (("getchar",), ("scanf", " ", "%c", "")),
]


@pytest.mark.parametrize(("first", "second"), EDITS)
@pytest.mark.sample(1)
def test_a_pair_fails_where_it_differs_natively(first: Read, second: Read, tmp_path: Path) -> None:
    rng = random.Random(1)
    texts = [text(rng, [first, second]) for _ in range(15)]
    finding = compare(0, [first], [second], [True], texts, 90, tmp_path)
    assert finding.pairs > 0
    assert finding.differ > 0
    assert not finding.problems
    assert finding.verdict == "violated"
