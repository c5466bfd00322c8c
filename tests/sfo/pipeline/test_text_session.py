"""Examples that end, or do not fit, where the result of ``scanf`` is ignored: they are followed as texts."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfo

SUM = """
#include <stdio.h>
int main(void)
{
    int n, i, x, s = 0;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf("%d", &x);
        s += x;
    }
    printf("%d\\n", s);
    return 0;
}
"""

ENDED = """
#include <stdio.h>
int main(void)
{
    int x, n = 0;
    while (scanf("%d", &x) == 1 && x != -1)
        n++;
    printf("%d\\n", n);
    return 0;
}
"""

ENDED_WRONG = """
#include <stdio.h>
int main(void)
{
    int x, n = 0;
    scanf("%d", &x);
    do {
        n++;
        scanf("%d", &x);
    } while (x != -1);
    printf("%d\\n", n);
    return 0;
}
"""


def localized(place: Path, program: str, reference: str, **examples: str) -> sfo.Localization:
    """Localise in ``program``; the names of examples are their inputs."""
    (place / "io").mkdir()
    for name, text in examples.items():
        read, printed = text.split("|")
        (place / "io" / f"{name}.in").write_text(read)
        (place / "io" / f"{name}.out").write_text(printed)
    (place / "program.c").write_text(program)
    (place / "reference.c").write_text(reference)
    return sfo.localize(
        place / "program.c", reference=place / "reference.c", io=place / "io", domain="any", effort=0.4
    )


def test_one_value_too_many_is_what_it_was_before(tmp_path: Path) -> None:
    """Both ignore what scanf says; gcc's program adds the last value twice."""
    found = localized(
        tmp_path, SUM.replace("i < n", "i <= n"), SUM, a="2\n3 4\n|7\n", b="1\n3\n|3\n", c="4\n3 9 8 7\n|27\n"
    )
    result = found.result
    outputs = {Path(one.test).name: one.output for one in result.dataset.failing}
    assert (outputs["a.in"], outputs["b.in"], outputs["c.in"]) == ("11\n", "6\n", "34\n")
    assert found.suspects[0].unit.text == "i <= n"
    assert result.repairs is not None
    # Its proof takes more effort than there is: a plausible patch.
    assert "i < n" in [repair.after for repair in (*result.repairs.found, *result.repairs.undecided)]


def test_an_example_that_ends_where_nobody_looks_counts(tmp_path: Path) -> None:
    found = localized(tmp_path, ENDED_WRONG, ENDED, a="-1\n|0\n", b="5 0 -1\n|2\n", c="7 -1\n|1\n")
    result = found.result
    first = result.dataset.failing[0]
    assert (Path(first.test).name, first.text, first.output) == ("a.in", b"-1\n", "1\n")
    assert not [note for note in result.notes if "DISAGREE" in note]


@pytest.mark.parametrize("examples", [{"b": "5 0 -1\n|2\n", "c": "7 -1\n|1\n"}])
def test_values_are_read_where_no_example_ends(tmp_path: Path, examples: dict[str, str]) -> None:
    found = localized(tmp_path, ENDED.replace("n = 0", "n = 1"), ENDED, **examples)
    assert found.result.dataset.failing[0].text is None
