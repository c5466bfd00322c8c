"""Which of two edits is the likelier fix, and that weights and rules are of the same time."""

import json

from cfrontend.edit.candidate import Candidate, candidate_distance_to_names
from cfrontend.edit.every_place import EVERY_PLACE
from cfrontend.edit.likelihood import LIKELIEST, WEIGHTS, edit_features, edit_likelihood
from cfrontend.edit.registry import TEMPLATES
from cfrontend.edit.text import SourceText

TEXT = f"int near, n;\nint f(void) {{ return n; }}\n{'/* ' + '-' * 2000 + ' */'}\nint far;\n"

ONLY_WITH_EXECUTIONS = {"constant of the reference", "missing initial value", "missing text"}
"""Rules for what failing executions or a reference say, which human fixes alone teach nothing about."""

NEVER_MEANT = {"the other truth value"}
"""Rules that make none of the edits of a program whose fix is among them."""


def edit(template: str, text: str) -> Candidate:
    """An edit of what is returned."""
    start = TEXT.index("n;", TEXT.index("return"))
    return Candidate(
        template=template, unit=1, file="f.c", start=start, end=start + 1, text=text, size="small"
    )


def features(one: Candidate, source: SourceText) -> tuple[str, str]:
    return edit_features(one, candidate_distance_to_names(one, source))


def likelihood(one: Candidate, source: SourceText) -> float:
    return edit_likelihood(one, candidate_distance_to_names(one, source))


def test_rules_have_weights_and_weights_rules() -> None:
    weighed = {name for name in json.loads(WEIGHTS.read_text("utf-8")) if not name.startswith("distance ")}
    rules = {one.name for one in TEMPLATES} | {EVERY_PLACE, LIKELIEST}
    assert weighed <= rules
    assert rules - ONLY_WITH_EXECUTIONS - NEVER_MEANT <= weighed


def test_a_name_that_stands_nearer_is_likelier() -> None:
    source = SourceText(TEXT)
    near, far = (likelihood(edit("another variable", name), source) for name in ("near", "far"))
    assert near > far
    assert features(edit("another variable", "near"), source) == ("another variable", "distance 2")
    assert features(edit("another variable", "far"), source) == ("another variable", "distance 5")


def test_what_names_nothing_new_is_the_likeliest_of_its_rule() -> None:
    source = SourceText(TEXT)
    none, near = (likelihood(edit("value off by a term", text), source) for text in ("n + 1", "n + near"))
    assert none > near


def test_rules_that_humans_need_more_often_are_likelier() -> None:
    source = SourceText(TEXT)
    order = ["any other constant", "another operator of its kind", "missing assignment"]
    found = [likelihood(edit(rule, "7"), source) for rule in order]
    assert found == sorted(found, reverse=True)
    assert likelihood(edit("a rule without a weight", "7"), source) == likelihood(edit("", "7"), source)
