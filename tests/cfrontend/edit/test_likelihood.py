"""Which of two edits is the likelier fix, and that weights and rules are of the same time."""

import json
from dataclasses import replace

import pytest

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.every_place import EVERY_PLACE
from cfrontend.edit.likelihood import LIKELIEST, WEIGHTS, edit_features, edit_likelihood
from cfrontend.edit.registry import TEMPLATES
from cfrontend.edit.text import SourceText

TEXT = f"int near, n;\nint f(void) {{ return n; }}\n{'/* ' + '-' * 2000 + ' */'}\nint far;\n"

UNTAUGHT = {"constant of the reference", "missing initial value", "missing break of a case"}
"""Rules for what failing executions or a reference say, or what no program has that teaches."""


def edit(template: str, text: str) -> Candidate:
    """An edit of what is returned."""
    start = TEXT.index("n;", TEXT.index("return"))
    return Candidate(
        template=template, unit=1, file="f.c", start=start, end=start + 1, text=text, size="small"
    )


def test_rules_have_weights_and_weights_rules() -> None:
    weights = json.loads(WEIGHTS.read_text("utf-8"))
    rules = {one.name for one in TEMPLATES} | {EVERY_PLACE, LIKELIEST}
    others = {name for name in weights.keys() - rules if name.rpartition(" in ")[0] not in rules}
    assert all(not name or name.startswith("distance ") or " -> " in name for name in others)
    assert rules - UNTAUGHT <= weights.keys()


def test_a_name_that_stands_nearer_is_likelier() -> None:
    source = SourceText(TEXT)
    near, far = (edit_likelihood(edit("another variable", name), source) for name in ("near", "far"))
    assert near > far
    assert edit_features(edit("another variable", "near"), source) == (
        "another variable",
        "distance 1",
        "",
        "another variable in declaration",
        "",
    )
    assert edit_features(edit("another variable", "far"), source) == (
        "another variable",
        "distance 2",
        "",
        "another variable in declaration",
        "",
    )


def test_an_edit_at_every_place_is_as_likely_as_its_change_but_for_being_made_often() -> None:
    source = SourceText(TEXT)
    likely, seldom = (edit(rule, "near") for rule in ("another variable", "missing assignment"))
    places = [replace(one, template=EVERY_PLACE, parts=(one, one)) for one in (likely, seldom)]
    assert edit_features(places[0], source) == (*edit_features(likely, source)[:-1], EVERY_PLACE)
    once, often, seldom_often = (edit_likelihood(one, source) for one in (likely, *places))
    assert once > often > seldom_often


def test_what_names_nothing_new_is_the_likeliest_of_its_rule() -> None:
    source = SourceText(TEXT)
    none, near = (
        edit_likelihood(edit("value off by a term", text), source) for text in ("n + 1", "n + near")
    )
    assert none > near


def test_rules_that_humans_need_more_often_are_likelier() -> None:
    source = SourceText(TEXT)
    order = ["any other constant", "another operator of its kind", "missing assignment"]
    found = [edit_likelihood(edit(rule, "7"), source) for rule in order]
    assert found == sorted(found, reverse=True)
    unknown, other = (
        edit_likelihood(edit(rule, "7"), source) for rule in ("a rule without a weight", "another one")
    )
    assert unknown == other


@pytest.mark.parametrize(
    ("before", "after", "signs"),
    [
        ("i < n", "i <= n", "< -> <="),
        ("a + b * c", "(a + b) * c", ""),
        ("(a + b)", "((a * b))", "+ -> *"),
        ("n", "n - 1", "nothing -> - 1"),
        ("!n", "n", "! -> nothing"),
        ("a[1]", "a[0]", "1 -> 0"),
        ("a[1]", "a[2]", ""),
        ("a + b", "b - a", ""),
    ],
)
def test_signs_that_an_edit_changes(before: str, after: str, signs: str) -> None:
    one = Candidate(template="", unit=1, file="f.c", start=0, end=len(before), text=after, size="small")
    assert edit_features(one, SourceText(before))[2] == signs


def test_signs_that_humans_confuse_are_likelier_than_others() -> None:
    source = SourceText("i < n")
    usual, odd = (
        Candidate(
            template="another operator of its kind",
            unit=1,
            file="f.c",
            start=0,
            end=5,
            text=f"i {sign} n",
            size="small",
        )
        for sign in ("<=", "!=")
    )
    assert edit_likelihood(usual, source) > edit_likelihood(odd, source)


@pytest.mark.parametrize(
    ("line", "own", "where"),
    [
        ("    for (i = 0; i < n; i++)", "i = 0", "begin of a loop"),
        ("    for (i = 0; i < n; i++)", "i < n", "test of a loop"),
        ("    for (i = 0; i < n; i++)", "i++", "step of a loop"),
        ("    } else if (i < n)", "i < n", "if"),
        ("    int i = 0;", "0", "declaration"),
        ("    total += 0;", "0", "other"),
    ],
)
def test_the_statement_of_an_edit_is_known_by_its_line(line: str, own: str, where: str) -> None:
    source = SourceText(f"int f(void)\n{{\n{line}\n}}\n")
    start = source.text.index(own, source.text.index(line))
    one = Candidate(
        template="rule", unit=1, file="f.c", start=start, end=start + len(own), text="0", size="small"
    )
    assert edit_features(one, source)[3] == f"rule in {where}"
