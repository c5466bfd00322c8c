"""The domain learnt from examples: what the reference reads of them, what it rules out, and what follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfo
from cfrontend.errors import Location
from cfrontend.program import ProgramOptions
from cfrontend.syntax.input_domain import InputDomain
from sfo.execution.examples import Example
from sfo.execution.learnt_domain import learnt_input_domain

LARGEST = """
#include <stdio.h>
int main(void) {
    int n, x, largest = 0;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++) { if (scanf("%d", &x) != 1) return 1; if (x > largest) largest = x; }
    printf("%d\\n", largest);
    return 0;
}
"""

UNTESTED = """
#include <stdio.h>
int main(void) {
    int n, v, best = 0;
    scanf("%d", &n);
    for (int i = START; i < n; i++) { scanf("%d", &v); if (best < v) best = v; }
    printf("%d\\n", best);
    return 0;
}
"""

CALCULATOR = """
#include <stdio.h>
int main(void) {
    int a, b;
    char op;
    scanf("FIRST %c %d", &a, &op, &b);
    if (op == '+') printf("%d\\n", a + b);
    else if (op == '-') printf("%d\\n", a - b);
    else printf("unknown\\n");
    return 0;
}
"""

SPLIT = """
#include <stdio.h>
int main(void) {
    int a, b;
    char op;
    scanf("%d", &a);
    scanf("OP", &op);
    scanf("%d", &b);
    switch (op) {
    case '+': printf("%d\\n", a + b); break;
    case '-': printf("%d\\n", a - b); break;
    default: puts("unknown");
    }
    return 0;
}
"""


def learnt(tmp_path: Path, text: str, *inputs: str) -> InputDomain:
    """The domain of a reference with these inputs as examples."""
    path = tmp_path / "right.c"
    path.write_text(text, encoding="utf-8")
    examples = [Example(name=f"{n}.in", data=data.encode(), expected=b"") for n, data in enumerate(inputs)]
    domain = learnt_input_domain(ProgramOptions(reference=(str(path),)), examples)
    assert domain is not None
    return domain


def beside_examples(tmp_path: Path, right: str, program: str, **examples: str) -> sfo.Localization:
    """The localisation of ``program`` beside ``right`` and examples: input and output with ``=>`` between them."""
    place = tmp_path / "examples"
    place.mkdir(exist_ok=True)
    for name, example in examples.items():
        data, _, expected = example.partition("=>")
        (place / f"{name}.in").write_text(data, encoding="utf-8")
        (place / f"{name}.out").write_text(expected, encoding="utf-8")
    (tmp_path / "right.c").write_text(right, encoding="utf-8")
    (tmp_path / "program.c").write_text(program, encoding="utf-8")
    files = {"reference": tmp_path / "right.c", "io": place}
    return sfo.localize(tmp_path / "program.c", **files, replay=False, effort=0.4)


def test_numbers_go_to_the_next_round_number(tmp_path: Path) -> None:
    domain = learnt(tmp_path, LARGEST, "3\n1 2 40\n", "2\n5 17\n")
    ranges = {one.name: (one.least, one.greatest) for one in domain.numbers}
    assert ranges == {"n": (1, 9), "x": (1, 40)}


@pytest.mark.parametrize(
    ("number", "ends"),
    [("0", (0, 9)), ("-7", (-9, 9)), ("100", (1, 100)), ("87", (1, 90)), ("2024", (1, 3000)), ("-101", (-200, 200)), ("23", (1, 23)), ("59", (1, 59))],
)  # fmt: skip
def test_the_least_number_has_the_sign_of_those_given(
    tmp_path: Path, number: str, ends: tuple[int, int]
) -> None:
    domain = learnt(tmp_path, LARGEST, f"1 {number}")
    assert [(one.least, one.greatest) for one in domain.numbers if one.name == "x"] == [ends]


UNTIL = """
#include <stdio.h>
int main(void) {
    int v, sum = 0;
    while (scanf("%d", &v) == 1 && v != END) sum += v;
    printf("%d\\n", sum);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("end", "inputs", "domain"),
    [
        ("-1", ["0 5 12 -1", "-1", "40 -1"], (0, 40, -1)),
        ("-999", ["3 -999", "-999"], (1, 9, -999)),
        ("-1", ["0 5 -3 -1", "-1"], (-9, 9, None)),
        ("-1", ["0 5 -1"], (-9, 9, None)),
        ("0", ["3 5 0", "0"], (0, 9, None)),
    ],
)
def test_what_ends_each_example_is_no_other_number(
    tmp_path: Path, end: str, inputs: list[str], domain: tuple[int, int, int | None]
) -> None:
    learnt_here = learnt(tmp_path, UNTIL.replace("END", end), *inputs)
    assert [(one.least, one.greatest, one.sentinel) for one in learnt_here.numbers] == [domain]


def test_a_result_behind_a_comma_is_nobodys(tmp_path: Path) -> None:
    """A right program that checks nothing does not fail on negative numbers, and a wrong one fails on its example."""
    right = UNTIL.replace("END", "-1").replace("sum += v", "sum += v > 0 ? v : -v")
    other = right.replace('scanf("%d", &v) == 1 && v != -1', 'scanf("%d", &v), v != -1').replace(
        "v > 0 ? v : -v", "v"
    )
    examples = {"first": "3 4 -1=>7\n", "second": "0 12 -1=>12\n"}
    assert beside_examples(tmp_path, right, other, **examples).result.verdict != "violated"
    wrong = other.replace("int v, sum = 0", "int v, sum = 1")
    found = beside_examples(tmp_path, right, wrong, **examples).result
    assert found.verdict == "violated"


def test_a_real_number_has_whole_ends(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nint main(void) { double x; scanf("%lf", &x); printf("%f", x); }'
    (one,) = learnt(tmp_path, text, "2.5", "11.25").numbers
    assert (one.least, one.greatest, one.real) == (1, 20, True)


def test_a_reference_that_assumes_says_itself_which_numbers_count(tmp_path: Path) -> None:
    text = LARGEST.replace("int main", "void __VERIFIER_assume(int);\nint main").replace(
        "for (", "__VERIFIER_assume(n <= 4); for ("
    )
    domain = learnt(tmp_path, text, "3\n1 2 40\n")
    assert domain.numbers == ()
    assert not domain.misfits


def test_scanf_may_end_where_it_does_in_an_example(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nint main(void) { int x, s = 0;\nwhile (scanf("%d", &x) == 1) s += x;\nprintf("%d", s); }'
    path = str(tmp_path / "right.c")
    assert learnt(tmp_path, text, "1 2\n").of_scan(Location(path, 3, 8)).ends
    assert not learnt(tmp_path, text, "1 2\n").misfits
    assert learnt(tmp_path, text, "1 2 q\n").misfits
    assert not learnt(tmp_path, LARGEST, "1 2\n").others.ends


def test_characters_stand_for_their_kind(tmp_path: Path) -> None:
    text = learnt(tmp_path, LARGEST, "1 2\n").text
    assert text.characters == frozenset(b"0123456789 \n")
    assert not text.padded
    assert text.pairs == {
        ("", "digit"), ("digit", "digit"), ("digit", "blank"), ("blank", "digit"), ("digit", "line end"),
        ("line end", ""),
    }  # fmt: skip
    other = learnt(tmp_path, LARGEST, "  1 007 x-\n").text
    assert frozenset(b"abcxyz-") <= other.characters
    assert not other.characters & frozenset(b"ABC+")
    assert other.padded
    assert {("", "blank"), ("blank", "blank"), ("letter", "-"), ("-", "line end")} <= other.pairs
    assert other.digits == 3


def test_letters_that_stand_alone_again_and_again_are_commands(tmp_path: Path) -> None:
    source = """
    #include <stdio.h>
    int main(void) {
        char code;
        int n, sum = 0;
        while (scanf(" %c", &code) == 1 && code != 'E')
            if (scanf("%d", &n) == 1)
                sum += code == 'P' ? n : -n;
        printf("%d\\n", sum);
        return 0;
    }
    """
    upper = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    many = learnt(tmp_path, source, "P 3 T 2 P 5 E", "T 1 P 2 T 3 P 4 E")
    assert many.text.characters & upper == frozenset(b"PTE")
    assert learnt(tmp_path, source, "P 3 T 2 E", "P 1 E").text.characters & upper == upper  # too few
    assert learnt(tmp_path, source, "PA 3 T 2 P 5 E", "T 1 P 2 T 3 P 4 E").text.characters & upper == upper


def test_a_program_that_checks_no_input_is_right_in_the_domain(tmp_path: Path) -> None:
    right = beside_examples(
        tmp_path, LARGEST, UNTESTED.replace("START", "0"), one="3\n1 2 5\n=>5\n", two="1\n40\n=>40\n"
    )
    assert right.result.verdict == "safe"
    assert right.result.bound.complete
    assert right.result.comparison is not None
    assert any(
        "n from 1 to 9, x from 1 to 40" in one and "--domain any" in one
        for one in right.result.comparison.left_out
    )


def test_an_edit_that_reads_on_reads_what_the_reference_has_read(tmp_path: Path) -> None:
    wrong = beside_examples(
        tmp_path, LARGEST, UNTESTED.replace("START", "1"), one="3\n1 2 5\n=>5\n", two="1\n40\n=>40\n"
    )
    assert wrong.result.repairs is not None
    repairs = wrong.result.repairs
    assert repairs.found
    found = {(one.before, one.after) for one in (*repairs.found, *repairs.undecided)}
    assert any(after in {"i = 0", "0"} for _, after in found)
    assert any("i <= n" in after for _, after in found)


@pytest.mark.parametrize(("operator", "first"), [(" %c", "%d"), (" %c", "%i")])
def test_calls_that_are_split_read_values_where_all_fits(tmp_path: Path, operator: str, first: str) -> None:
    found = beside_examples(
        tmp_path, CALCULATOR.replace("FIRST", first), SPLIT.replace("OP", operator),
        one="3 + 4\n=>7\n", two="10 - 12\n=>-2\n", three="7 * 2\n=>unknown\n",
    )  # fmt: skip
    assert found.result.verdict == "safe"
    assert found.result.bound.complete


ENDLESS = """
#include <stdio.h>
int main(void) {
    int n, c = 0;
    scanf("%d", &n);
    while (n > 3) c++;
    printf("%d", n + c);
    scanf("%c", (char *)&n);
    return 0;
}
"""

READING_ON = """
#include <stdio.h>
int main(void) {
    int n, m;
    if (scanf("%d", &n) != 1) return 1;
    if (scanf("%d", &m) != 1) return 1;
    printf("%d", n);
    return 0;
}
"""


def test_an_endless_execution_ends_where_its_reference_reads_on(tmp_path: Path) -> None:
    """The reference goes on in the text that the program has not come to."""
    found = beside_examples(tmp_path, READING_ON, ENDLESS, one="5 7\n=>5\n", two="2 8\n=>2\n")
    assert found.result.dataset.failing[0].ended == "does not end"


def test_an_example_on_which_unwritten_memory_is_read_is_no_error(tmp_path: Path) -> None:
    program = UNTESTED.replace("best = 0", "best").replace("START", "0")
    found = beside_examples(tmp_path, LARGEST, program, one="1\n2\n=>2\n", two="2\n3 4\n=>4\n")
    assert found.result.verdict == "violated"


VOWELS = """#include <stdio.h>
int main(void) {
    int c, n = 0;
    while ((c = getchar()) != EOF && c != '\\n')
        if (c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u') n++;
    printf("%d\\n", n);
    return 0;
}
"""


def test_what_an_example_expects_and_the_reference_does_not_print_is_told(tmp_path: Path) -> None:
    """An edit of what is compared with characters has a character, too."""
    program = VOWELS.replace(" || c == 'u'", "")
    found = beside_examples(tmp_path, VOWELS, program, first="hullo\n=>2\n", second="you\n=>3\n").result
    assert found.verdict == "violated"
    (told,) = (note for note in found.notes if "expected" in note)
    assert "second.in: " in told
    assert "first.in" not in told
    assert told.endswith("right.c prints something else there, and is taken to be right")
    assert found.repairs is not None
    assert any(item.after.endswith("|| c == 'u'") for item in found.repairs.found)
