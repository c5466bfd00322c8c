"""Coverage goals: which there are, and on which inputs they are reached, against C's rules by brute force."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.goto.coverage_goals import coverage_goals
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.terms import TRUE
from cfrontend.units import CoverageGoals, GoalKind

Tree = str | tuple[str, "Tree"] | tuple[str, "Tree", "Tree"]
"""A condition: a variable, or an operator and its operands."""


def loaded(tmp_path: Path, text: str, entry: str = "main") -> Program:
    path = tmp_path / "p.c"
    path.write_text(text)
    return load_c_program([str(path)], ProgramOptions(entry=entry))


def goals_of(program: Program, kind: GoalKind) -> CoverageGoals:
    return coverage_goals(program.goto, kind, set(program.goto.functions))


def reached(program: Program, goals: CoverageGoals, values: Sequence[int]) -> set[tuple[str, str]]:
    """Texts and outcomes of the goals that one execution reaches."""
    encoded = encode_program(
        program, Bound(unwind=None, free=True), inputs=EncodeFixedValues(values), goals=goals
    )
    found = [goal for goal in goals.goals if encoded.goals.get(goal.id) == TRUE]
    return {(goal.text, goal.outcome) for goal in found}


SIDES = """\
int f(int x, int y)
{
    if (x > 3) y++;
    if (!(x == y)) ;
    while (x > 0 && y > 0) { x -= 3; y--; }
    do x++; while (0);
    switch (y) { case 1: case 2 ... 4: return 1; case 9: break; default: return 3; }
    return 0;
}
"""


def test_branches_are_the_outcomes_of_conditions_and_labels(tmp_path: Path) -> None:
    program = loaded(tmp_path, SIDES, "f")
    goals = goals_of(program, "branches")
    assert [(goal.location.line, goal.text, goal.outcome) for goal in goals.goals] == [
        (3, "x > 3", "true"),
        (3, "x > 3", "false"),
        (4, "!(x == y)", "true"),
        (4, "!(x == y)", "false"),
        (5, "x > 0 && y > 0", "true"),
        (5, "x > 0 && y > 0", "false"),
        (7, "y", "case 1"),
        (7, "y", "case 2 ... 4"),
        (7, "y", "case 9"),
        (7, "y", "default"),
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((0, 9), {"!(x == y) true", "y case 9", "x > 3 false", "x > 0 && y > 0 false"}),
        ((0, 0), {"!(x == y) false", "y default", "x > 3 false", "x > 0 && y > 0 false"}),
        (
            (4, 4),
            {
                "!(x == y) true",
                "y case 2 ... 4",
                "x > 3 true",
                "x > 0 && y > 0 true",
                "x > 0 && y > 0 false",
            },
        ),
    ],
)
def test_branches_that_an_execution_reaches(
    tmp_path: Path, values: tuple[int, int], expected: set[str]
) -> None:
    program = loaded(tmp_path, SIDES, "f")
    found = reached(program, goals_of(program, "branches"), values)
    assert {f"{text} {outcome}" for text, outcome in found} == expected


def random_tree(chance: Random, names: list[str]) -> Tree:
    """A condition in which each of ``names`` stands once."""
    if len(names) == 1:
        return ("!", names[0]) if chance.random() < 0.3 else names[0]
    cut = chance.randrange(1, len(names))
    whole: Tree = (
        chance.choice(["&&", "||"]),
        random_tree(chance, names[:cut]),
        random_tree(chance, names[cut:]),
    )
    return ("!", whole) if chance.random() < 0.2 else whole


def c_text(tree: Tree) -> str:
    match tree:
        case str():
            return f"{tree} != 0"
        case (op, one):
            return f"{op}({c_text(one)})"
        case (op, one, two):
            return f"({c_text(one)}) {op} ({c_text(two)})"
    raise AssertionError(tree)


def outcome_of(tree: Tree, values: dict[str, bool], evaluated: list[str]) -> bool:
    """The value of a condition as C evaluates it; ``evaluated`` is told of each operand."""
    match tree:
        case str():
            evaluated.append(tree)
            return values[tree]
        case (_, one):
            return not outcome_of(one, values, evaluated)
        case (op, one, two):
            first = outcome_of(one, values, evaluated)
            return first if first == (op == "||") else outcome_of(two, values, evaluated)
    raise AssertionError(tree)


def deciding(tree: Tree, values: dict[str, bool]) -> set[tuple[str, str]]:
    """Operands that decide the whole: with the other value, and any of those not looked at, it comes out otherwise."""
    evaluated: list[str] = []
    whole = outcome_of(tree, values, evaluated)
    others = [name for name in values if name not in evaluated]
    found = set()
    for name in evaluated:
        for rest in product([False, True], repeat=len(others)):
            changed = {**values, **dict(zip(others, rest, strict=True)), name: not values[name]}
            if outcome_of(tree, changed, []) != whole:
                found.add((f"{name} != 0", str(values[name]).lower()))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_operands_that_are_evaluated_and_that_decide(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    names = ["a", "b", "c", "d"][: chance.randint(2, 4)]
    tree = random_tree(chance, names)
    parameters = ", ".join(f"int {name}" for name in names)
    program = loaded(
        tmp_path, f"int f({parameters}) {{\nif ({c_text(tree)})\nreturn 1;\nreturn 0;\n}}\n", "f"
    )
    conditions, mcdc = goals_of(program, "conditions"), goals_of(program, "mcdc")
    for bits in product([0, 1], repeat=len(names)):
        values = {name: bool(bit) for name, bit in zip(names, bits, strict=True)}
        evaluated: list[str] = []
        outcome_of(tree, values, evaluated)
        expected = {(f"{name} != 0", str(values[name]).lower()) for name in evaluated}
        assert reached(program, conditions, bits) == expected
        assert reached(program, mcdc, bits) == deciding(tree, values)


VALUES = {
    "returned": "return {0};",
    "initialiser": "int v = {0};\nreturn v;",
    "argument": "return twice({0});",
    "index": "return table[{0}];",
    "chosen": "return {0} ? 7 : 9;",
    "effects": "return {0} ? twice(3) : twice(4);",
    "compared": "if ({0} == table[1]) return 5;\nreturn 6;",
    "statement": "{0} ? twice(1) : 0;\nreturn 0;",
    "asserted": '__CPROVER_assert({0} || 1, "");\nreturn 0;',
}


@pytest.mark.parametrize("place", VALUES)
@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_operands_in_values(tmp_path: Path, place: str, checked: bool, seed: int) -> None:
    chance = Random(seed)
    names = ["a", "b", "c", "d"][: chance.randint(2, 4)]
    tree = random_tree(chance, names)
    parameters = ", ".join(f"int {name}" for name in names)
    text = f"({c_text(tree)})"
    if checked:  # a check before each operand, which parts them
        text = text.replace(" != 0", " / one != 0")
    program = loaded(
        tmp_path,
        f"int one = 1;\nint table[] = {{3, 4}};\nint twice(int x) {{ return 2 * x; }}\n"
        f"int f({parameters}) {{\n{VALUES[place].format(text)}\n}}\n",
        "f",
    )
    conditions, mcdc = goals_of(program, "conditions"), goals_of(program, "mcdc")
    for bits in product([0, 1], repeat=len(names)):
        values = {name: bool(bit) for name, bit in zip(names, bits, strict=True)}
        evaluated: list[str] = []
        outcome_of(tree, values, evaluated)
        shown = "({} / one) != 0" if checked else "{} != 0"
        expected = {(shown.format(name), str(values[name]).lower()) for name in evaluated}
        expected = set() if place == "asserted" else expected
        found = {one for one in reached(program, conditions, bits) if "table" not in one[0]}
        assert found == expected
        if not checked and place != "asserted":
            alone = {one for one in reached(program, mcdc, bits) if "table" not in one[0]}
            assert alone == deciding(tree, values)


def test_a_branch_is_what_chooses_a_value_too(tmp_path: Path) -> None:
    text = "int f(int x, int y) {\nint v = x > 3 ? y : y > 2 && x;\nreturn v ? f(0, v - 1) : 3;\n}\n"
    program = loaded(tmp_path, text, "f")
    goals = goals_of(program, "branches")
    assert [(goal.location.line, goal.text, goal.outcome) for goal in goals.goals] == [
        (2, "x > 3", "true"),
        (2, "x > 3", "false"),
        (3, "v", "true"),
        (3, "v", "false"),
    ]
    assert reached(program, goals, (4, 0)) == {("x > 3", "true"), ("v", "false")}
    assert reached(program, goals, (3, 0)) == {("x > 3", "false"), ("v", "false")}
    assert reached(program, goals, (4, 2)) == {
        (text, o) for text in ("x > 3", "v") for o in ("true", "false")
    }


def test_texts_are_those_of_the_file(tmp_path: Path) -> None:
    text = """\
enum kind { LOW = 1, HIGH };
#define LIMIT 40
int f(int x, const int *p)
{
    switch (x) {
    case ':': case '\\'': return 1;
    case HIGH:
    case 100 ... 200: return 2;
    case LIMIT: return 3;
    case sizeof(int) * 11: return 4;
    }
    return p && (p[0] > -3) && !(x & 1);
}
"""
    program = loaded(tmp_path, text, "f")
    goals = coverage_goals(program.goto, "conditions", {"f"}, program.files).goals
    assert [goal.text for goal in goals if goal.outcome == "true"] == ["p", "p[0] > -3", "x & 1"]
    assert [goal.outcome for goal in goals if goal.text == "x"] == [
        "case ':'",
        "case '\\''",
        "case HIGH",
        "case 100 ... 200",
        "case LIMIT",
        "case sizeof(int) * 11",
        "default",
    ]


def test_what_a_condition_reads_first_is_an_input_first(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int f(void) {\nint u, v, w;\nreturn u + (v > 1 && w > 2);\n}\n", "f")
    encoded = [
        encode_program(program, Bound(unwind=1), goals=goals)
        for goals in (None, goals_of(program, "conditions"))
    ]
    orders = [[event.site.name for event in e.inputs] for e in encoded]
    assert orders[0] == orders[1]


def test_boundaries_are_the_values_around_a_comparison(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int f(int x, int y) {\nif (x < 5 && y >= x)\nreturn 1;\nreturn 0;\n}\n", "f")
    goals = goals_of(program, "boundaries")
    assert reached(program, goals, (4, 4)) == {("x < 5", "one below"), ("y >= x", "equal")}
    assert reached(program, goals, (3, 2)) == {("y >= x", "one below")}
    assert reached(program, goals, (6, 6)) == {("x < 5", "one above")}
