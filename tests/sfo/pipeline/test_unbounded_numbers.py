"""A number without a bound beside an object of a fixed size: the note names the precondition that bounds it."""

import re
import shlex
from pathlib import Path

import pytest

from tests.sfo.pipeline.test_options_of_surroundings import checked

FILL = "void fill(char *p, unsigned long k) { while (k--) p[k] = 0; }"
LAST = "int last(const int *a, int which) { return a[which + 9]; }"


def hints(notes: list[str]) -> list[str]:
    return [note for note in notes if "has no bound" in note]


def test_the_precondition_of_the_hint_bounds_the_number(tmp_path: Path) -> None:
    """With it, what failed for lengths that are nonsense is right."""
    first = checked(tmp_path, FILL, "fill", [])
    (hint,) = hints(first["notes"])
    requires = re.search(r"--requires '[^']*'", hint)
    extent = re.search(r"--extent \S+", hint)
    assert requires is not None
    assert extent is not None
    assert first["verdict"] == "violated"
    again = checked(tmp_path, FILL, "fill", [*shlex.split(requires[0]), "--unwind", "6"])
    assert (again["verdict"], hints(again["notes"])) == ("safe", [])
    assert checked(tmp_path, FILL, "fill", [*shlex.split(extent[0]), "--unwind", "6"])["verdict"] == "safe"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("int f(const int *a, int flags) { return flags > 8 ? a[5] : 0; }", []),
        (LAST, ["--requires", "which < 100"]),
    ],
)
def test_no_hint_at_what_is_no_length_or_has_a_bound(tmp_path: Path, text: str, words: list[str]) -> None:
    """A flag in a condition, a number in a precondition."""
    found = checked(tmp_path, text, "f" if "f(" in text else "last", words)
    assert (found["verdict"], hints(found["notes"])) == ("violated", [])
