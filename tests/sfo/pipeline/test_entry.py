"""One function alone, by the command line: the failing intersection, what is printed, native executions, bad input."""

import json
from pathlib import Path
from typing import Any

import pytest

from sfo.cli import main
from tests.conftest import require_tool

SEARCH = """\
/* The place of key in the sorted array a, or -1.
 * @requires 0 <= n && n <= 3
 * @requires n < 2 || a[0] <= a[1]
 * @requires n < 3 || a[1] <= a[2]
 * @ensures __sfo_result == -1 || a[__sfo_result] == key
 * @ensures __sfo_result >= 0 || !(n > 0 && a[0] == key || n > 1 && a[1] == key || n > 2 && a[2] == key)
 */
int search(const int *a, int n, int key)
{
    int low = 0, high = n - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}
"""

INSERT = """\
#include <stddef.h>
struct node { int value; struct node *next; };
struct node *insert(struct node *list, struct node *new)
{
    struct node **place = &list;
    while (*place && (*place)->value < new->value)
        place = &(*place)->next;
    *place = new;
    return list;
}
"""


def result(path: Path, *words: str, command: str = "localize", code: int = 0) -> dict[str, Any]:
    out = path.with_name("result.json")
    if command == "localize":
        words = ("--rank", "coverage", *words)
    assert main([command, str(path), *words, "--format", "json", "-o", str(out), "-q"]) == code
    found: dict[str, Any] = json.loads(out.read_text())
    return found


def written(tmp_path: Path, text: str, name: str = "p.c") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def texts(found: dict[str, Any]) -> list[str]:
    """The failing intersection, as source text."""
    units = {unit["id"]: unit["text"] for unit in found["units"]}
    return [units[unit] for unit in found["intersection"]]


def test_the_condition_of_a_loop_is_found_from_comments_alone(tmp_path: Path) -> None:
    found = result(written(tmp_path, SEARCH), "--entry", "search")
    assert found["optimal"]
    assert "low < high" in texts(found)
    assert all(unit["file"].endswith("p.c") for unit in found["units"])
    (violated,) = [p for p in found["properties"] if p["status"] == "violated"]
    assert (violated["id"], violated["class"], violated["line"]) == ("search.ensures.2", "ensures", 6)
    names = [value["name"] for value in found["executions"][0]["inputs"]]
    assert names == ["a[0]", "a[1]", "a[2]", "a[3]", "n", "key"]


def test_options_say_the_same_as_comments(tmp_path: Path) -> None:
    lines = [line.removeprefix(" * @") for line in SEARCH.splitlines() if line.startswith(" * @")]
    words = [word for line in lines for word in ("--" + line.split()[0], line.split(maxsplit=1)[1])]
    bare = written(tmp_path, SEARCH[SEARCH.index("int search") :], "bare.c")
    from_comments = result(written(tmp_path, SEARCH), "--entry", "search")
    from_options = result(bare, "--entry", "search", *words)
    assert texts(from_options) == texts(from_comments)
    (violated,) = [p for p in from_options["properties"] if p["status"] == "violated"]
    assert (violated["id"], violated["line"]) == ("search.ensures.2", 1)


@pytest.mark.parametrize(
    ("text", "entry", "words"),
    [
        (SEARCH, "search", ["--array-size", "3"]),
        (INSERT, "insert", ["--ensures", "new->next == __sfo_old(list) || __sfo_result == list", "--ensures",
                            "__sfo_result == new ? new->next == __sfo_old(list) : __sfo_result == __sfo_old(list)"]),
    ],
)  # fmt: skip
@pytest.mark.sample(1)
def test_the_printed_harness_gives_the_same_intersection(
    tmp_path: Path, text: str, entry: str, words: list[str]
) -> None:
    path = written(tmp_path, text)
    harness = tmp_path / "h.c"
    assert main(["harness", entry, str(path), *words, "-o", str(harness)]) == 0
    assert f'#include "{path}"' in harness.read_text()
    directly = result(path, "--entry", entry, *words)
    printed = result(harness)
    assert texts(directly) == texts(printed) != []
    assert (printed["optimal"], directly["optimal"]) == (True, True)


def test_native_runs_agree(tmp_path: Path) -> None:
    require_tool("gcc")
    for text, entry, words in (
        (SEARCH, "search", ["--passing=4"]),
        (
            INSERT,
            "insert",
            ["--passing=4", "--nullable", "--requires", "new", "--ensures", "__sfo_result == new"],
        ),
        (
            INSERT,
            "insert",
            ["--requires", "new->value > 3", "--ensures", "new->next == 0 || new->next->value > 3"],
        ),
    ):
        found = result(written(tmp_path, text), "--entry", entry, *words, "--replay")
        statuses = [run["status"] for run in found["native"]]
        assert set(statuses) == {"agrees"}


def test_an_older_version_is_called_with_the_same_objects(tmp_path: Path) -> None:
    older = written(
        tmp_path, INSERT.replace("    *place = new;", "    new->next = *place;\n    *place = new;"), "old.c"
    )
    newer = written(tmp_path, INSERT, "new.c")
    found = result(newer, "--entry", "insert", "--reference", str(older))
    (violated,) = [p for p in found["properties"] if p["status"] == "violated"]
    assert (violated["class"], violated["id"]) == ("reference", "insert.reference.1")
    assert "*place = new" in texts(found)
    same = result(older, "--entry", "insert", "--reference", str(older), "--unwind", "5", command="check")
    assert same["verdict"] == "safe"
    assert not same["bound"]["complete"]  # lists are no longer than the surroundings
    other = written(tmp_path, INSERT.replace("struct node *new)", "struct node *new, int n)"), "other.c")
    assert main(["check", str(newer), "--entry", "insert", "--reference", str(other), "-q"]) == 2


def test_a_suite_of_one_function_builds_and_passes(tmp_path: Path) -> None:
    require_tool("gcc")
    require_tool("make")
    import subprocess

    path, suite = written(tmp_path, SEARCH), tmp_path / "suite"
    words = ["--entry", "search", "--passing=3", "--as", "c", "-q", "-o", str(suite)]
    assert main(["generate", str(path), *words]) == 0
    header = (suite / "vectors.csv").read_text().splitlines()[0]
    assert "a[0]" in header
    done = subprocess.run(["make", "check"], cwd=suite / "c", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_given_vectors_are_run(tmp_path: Path) -> None:
    path = written(tmp_path, SEARCH)
    vectors = written(tmp_path, "1,2,3,4,2,2\n1,2,3,4,3,9\n1,2,3,4,7,9\n", "v.csv")
    found = result(path, "--entry", "search", "--inputs", str(vectors), command="run")
    assert [run["outcome"] for run in found["executions"]] == ["fail", "pass", None]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--ensures", "n >"], "--ensures:1:4: syntax error before ')'"),
        (["--ensures", "n > 0", "--ensures", "n + m"], "--ensures:2:5: 'm' undeclared"),
        (["--requires", "n++ > 0"], "--requires:1:1: a condition must not change anything, and this does"),
        (["--array-size", "0"], "--array-size"),
        (["--array-size", "b:3"], "--array-size: 'search' is given no pointer b (there are: a)"),
        (["--havoc", "g"], "--havoc: no global variable 'g' (there are: none)"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    tmp_path: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["localize", str(written(tmp_path, SEARCH)), "--entry", "search", *words, "-q"]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_a_wrong_clause_in_the_program_is_an_error_of_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, SEARCH.replace("n <= 3", "k <= 3"))
    assert main(["check", str(path), "--entry", "search", "-q"]) == 3
    assert "p.c:2:24: 'k' undeclared" in capsys.readouterr().err


def test_postconditions_of_the_command_line_count_whatever_is_checked(tmp_path: Path) -> None:
    path = written(tmp_path, "int f(int n) { return n; }\n")
    words = ["--entry", "f", "--check", "none", "--ensures", "__sfo_result != 7"]
    found = result(path, *words, command="check", code=10)
    assert [(p["id"], p["status"]) for p in found["properties"]] == [("f.ensures.1", "violated")]


FREES = """\
#include <stdlib.h>
struct node { int value; struct node *next; };
static void drop(struct node *list) { while (list) { struct node *next = list->next; free(list); list = next; } }
/* @ensures __sfo_result != 77 */
int f(struct node *list, char *s) { int value = list->value; drop(list); s = realloc(s, 9); s[8] = 0; free(s); return value; }
"""


def test_what_a_function_may_free_is_allocated(tmp_path: Path) -> None:
    path = written(tmp_path, FREES)
    words = ["--entry", "f", "--check", "ensures,double-free,leak,pointer", "--unwind", "4"]
    found = result(path, *words, command="check", code=10)
    violated = [p["id"] for p in found["properties"] if p["status"] == "violated"]
    assert violated == ["f.ensures.1"]
    assert found["bound"]["complete"] is False  # the objects are no larger than the surroundings
    harness = tmp_path / "h.c"
    assert main(["harness", "f", str(path), "-o", str(harness)]) == 0
    printed = result(harness, *words[2:], command="check", code=10)
    assert [p["id"] for p in printed["properties"] if p["status"] == "violated"] == violated
    assert "list_object = calloc(1, sizeof *list_object);" in harness.read_text()


KEEPS = """\
#include <stdlib.h>
#include <string.h>
int f(const char *s)
{
    char *copy = malloc(strlen(s) + 1);
    if (copy == NULL)
        return -1;
    strcpy(copy, s);
    int first = copy[0];
    FREE
    return first;
}
"""


@pytest.mark.parametrize(("freed", "verdict"), [("free(copy);", "safe"), ("", "violated")])
def test_what_a_caller_allocates_is_no_leak(tmp_path: Path, freed: str, verdict: str) -> None:
    path = written(tmp_path, KEEPS.replace("FREE", freed))
    words = ["--entry", "f", "--check", "leak", "--unwind", "5"]
    found = result(path, *words, command="check", code=0 if freed else 10)
    assert found["verdict"] == verdict


def test_preconditions_that_can_be_met_are_named(tmp_path: Path) -> None:
    path = written(tmp_path, "int f(int n) { return n; }\n")
    words = ["--entry", "f", "--requires", "n > 3", "--ensures", "__sfo_result > 3"]
    found = result(path, *words, command="check")
    assert found["verdict"] == "safe"
    assert found["notes"] == ["all inputs that were looked at meet the preconditions: n > 3"]


COUNTS = """\
#include <stdlib.h>
int nondet_int(void);
int failures, ended;
void test(int got, int wanted) { if (got != wanted) failures++; }
void end(void) { ended = 1; }
int least(int a, int b) { return a <= b ? b : a; } /* FAULT */
int main(void) { atexit(end); int n = nondet_int(); test(least(n, n), n); test(least(n, 7), n < 7 ? n : 7); return failures; }
"""


def test_main_may_have_to_return_zero(tmp_path: Path) -> None:
    path = written(tmp_path, COUNTS)
    found = result(path, "--ensures", "__sfo_result == 0", "--passing=2")
    assert found["verdict"] == "violated"
    assert [p["id"] for p in found["properties"] if p["status"] == "violated"] == ["main.ensures.1"]
    assert {check["status"] for check in found["native"]} == {"agrees"}
    fault = COUNTS.splitlines().index(next(line for line in COUNTS.splitlines() if "FAULT" in line)) + 1
    assert fault in [unit["line"] for unit in found["units"][:5]]


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("int main(int n, char **v) { return n; }", ("--ensures", "n > 0"), "a main without parameters"),
        ("int main(void) { return 0; }", ("--requires", "1"), "a function other than main"),
        ("int main(void) { return 0; }", (), "say what is right, as by --ensures"),
    ],
)
def test_what_cannot_be_asked_of_main_is_said(
    text: str, words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, text + "\n")
    assert main(["check", str(path), *words, "-q"]) in (2, 3)
    assert said in capsys.readouterr().err
