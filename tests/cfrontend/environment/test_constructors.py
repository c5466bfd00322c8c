from pathlib import Path

import pytest

from cfrontend.environment.constructors import constructor_in_text, is_constructor_name
from cfrontend.environment.surroundings import Surroundings
from cfrontend.errors import UsageError
from cfrontend.program import Program, ProgramOptions, load_c_program, print_program_harness

COUNTER = """\
struct counter { int value, limit; };
"""


def options(entry: str = "f", **given: object) -> ProgramOptions:
    environment = Surroundings(constructs=True, **given)  # type: ignore[arg-type]
    return ProgramOptions(entry=entry, environment=environment)


def written(tmp_path: Path, text: str, name: str = "p.c") -> str:
    path = tmp_path / name
    path.write_text(text)
    return str(path)


def body_of(tmp_path: Path, text: str, **given: object) -> list[str]:
    """The lines between the braces of the harness, without margins."""
    lines = print_program_harness(written(tmp_path, text), options(**given), "p.c").splitlines()
    return [line.strip() for line in lines[lines.index("{") + 1 : -1]]


def loaded(tmp_path: Path, text: str, **given: object) -> Program:
    return load_c_program([written(tmp_path, text)], options(**given))


@pytest.mark.parametrize(
    ("name", "key", "is_one"),
    [
        ("stack_new", "struct stack", True),
        ("newStack", "Stack#1", True),
        ("stackinit", "struct stack", True),
        ("sb_deinit", "struct sb", False),
        ("stack_free_new", "struct stack", False),
        ("renew", "struct stack", False),
        ("stack_push", "struct stack", False),
    ],
)
def test_constructors_are_told_by_the_words_of_their_names(name: str, key: str, *, is_one: bool) -> None:
    assert is_constructor_name(name, key) == is_one


def test_what_a_constructor_returns_is_not_null(tmp_path: Path) -> None:
    text = f"{COUNTER} struct counter *counter_new(int limit) {{ static struct counter c; return &c; }}"
    assert body_of(tmp_path, f"{text} int f(const struct counter *c) {{ return c->value; }}") == [
        "int c_limit = __VERIFIER_nondet_int();",
        "c_object = counter_new(c_limit);",
        "__VERIFIER_assume(c_object != 0);",
        "struct counter *c = c_object;",
        "__sfo_result = f(c);",
    ]


@pytest.mark.parametrize(
    ("type_", "returns", "assumed"),
    [
        ("void", "c->value = 0;", None),
        ("int", "if (limit < 1) return -1; return 0;", "0"),
        ("_Bool", "if (limit < 1) return 0; return 1;", "1"),
        ("int", "return limit;", None),
        ("int", "if (limit < 1) return 0; return limit;", None),
    ],
)
def test_a_structure_that_is_given_to_its_constructor(
    tmp_path: Path, type_: str, returns: str, assumed: str | None
) -> None:
    text = f"{COUNTER} {type_} counter_init(struct counter *c, int limit) {{ {returns} }}"
    lines = body_of(tmp_path, f"{text} int f(struct counter *c) {{ return c->value; }}")
    assert "struct counter *c = &c_object;" in lines
    assert sum("counter_init(c, c_limit);" in line for line in lines) == 1
    wanted = [] if assumed is None else [f"__VERIFIER_assume(c_counter_init_result == {assumed});"]
    assert [line for line in lines if "assume" in line] == wanted


def test_an_input_chooses_mutators_and_no_destructor_or_reader(tmp_path: Path) -> None:
    text = f"""{COUNTER}
    void counter_init(struct counter *c) {{ c->value = 0; }}
    void counter_add(struct counter *c, int n) {{ c->value += n; }}
    void counter_destroy(struct counter *c) {{ c->value = -1; }}
    int counter_get(struct counter *c) {{ return c->value; }}
    void counter_join(struct counter *c, struct counter *other) {{ c->value += other->value; }}
    int f(struct counter *c) {{ return c->value++; }}"""
    lines = body_of(tmp_path, text)
    assert [line for line in lines if line.startswith(("counter_", "f("))] == [
        "counter_init(c);",
        "counter_add(c, c_counter_add_1_n);",
        "counter_add(c, c_counter_add_2_n);",
    ]
    assert lines.count("if (c_call_1 == 1) {") == 1
    assumptions = loaded(tmp_path, text).harness.assumptions  # type: ignore[union-attr]
    assert "c as counter_init and up to 2 calls of counter_add leave it (--construct)" in assumptions


@pytest.mark.parametrize(
    "text",
    [
        "int f(struct counter *c) { return c->value; }",
        "struct counter *counter_new(void); int f(struct counter *c) { return c->value; }",
        "struct counter *counter_new(int n, ...) { return 0; } int f(struct counter *c) { return c->value; }",
        "void counter_init(struct counter *c) {} int f(struct counter *c, int counter_init) { return c->value; }",
        "void counter_init(struct counter *c) {} int f(struct counter c) { return c.value; }",
    ],
)
def test_a_structure_without_a_constructor_to_call_is_made_of_inputs(tmp_path: Path, text: str) -> None:
    program = loaded(tmp_path, COUNTER + text)
    assert program.harness is not None
    assert not program.harness.prepares
    plain = load_c_program(program.paths, ProgramOptions(entry="f"))
    assert program.harness.text == plain.harness.text  # type: ignore[union-attr]


def test_a_constructor_makes_no_object_for_itself(tmp_path: Path) -> None:
    text = f"{COUNTER} void counter_init(struct counter *c) {{}} void counter_setup(struct counter *c) {{ c->value = 0; }}"
    program = load_c_program([written(tmp_path, text)], options("counter_setup"))
    assert program.harness is not None
    assert not program.harness.prepares


def test_a_constructor_in_another_file_is_called(tmp_path: Path) -> None:
    declared = f"{COUNTER} struct counter *counter_new(int limit);"
    text = f"{declared} int f(struct counter *c) {{ return c->value; }}"
    other = f"{declared} static struct counter one; struct counter *counter_new(int limit) {{ return &one; }}"
    program = load_c_program([written(tmp_path, text), written(tmp_path, other, "q.c")], options())
    assert program.harness is not None
    assert program.harness.prepares == ("counter_new",)


def test_what_is_only_called_first_has_no_properties(tmp_path: Path) -> None:
    text = f"""#include <assert.h>
    {COUNTER}
    static int half(int n) {{ assert(n % 2 == 0); return n / 2; }}
    void counter_init(struct counter *c, int n) {{ assert(n > 0); c->limit = half(n); }}
    int f(struct counter *c) {{ return half(c->limit); }}
    int unrelated(void) {{ return half(1); }}"""
    program = loaded(tmp_path, text)
    assert {item.function for item in program.properties} == {"f", "half"}
    assert {unit.function for unit in program.units} == {"f", "half", "counter_init"}


def test_a_reference_has_to_be_made_by_the_same_calls(tmp_path: Path) -> None:
    text = f"{COUNTER} void counter_init(struct counter *c) {{ c->value = 0; }} int f(struct counter *c) {{ return c->value; }}"
    older = written(tmp_path, text.replace("counter_init", "counter_begin"), "old.c")
    chosen = ProgramOptions(entry="f", environment=Surroundings(constructs=True), reference=(older,))
    with pytest.raises(UsageError, match="--construct: before 'f', counter_init is called, and nothing"):
        load_c_program([written(tmp_path, text)], chosen)


def test_main_is_given_no_structure(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--construct is about a function other than main"):
        load_c_program([written(tmp_path, "int main(void) { return 0; }")], options("main"))


@pytest.mark.parametrize(
    ("text", "key", "found"),
    [
        ("struct s *s_new(int n)\n{ }", "struct s", "s_new"),
        ("typedef struct s s_t;\ns_t *s_new(int n) { }", "struct s", "s_new"),
        ("int S_init(S *s, int n) { }", "S#1", "S_init"),
        ("struct s *s_new(int n);", "struct s", None),
        ("void s_push(struct s *s, int n) { }", "struct s", None),
        ("struct t *t_new(int n) { }", "struct s", None),
        ("void f_init(struct s *s) { }", "struct s", "f_init"),
        ("void init(struct s *s) { } void f(struct s *s) { }", "struct s", "init"),
        ("void init_entry(struct s *s) { } void s_init(struct s *s) { }", "struct s", None),
    ],
)
def test_a_constructor_is_found_in_a_text(text: str, key: str, found: str | None) -> None:
    assert constructor_in_text(text, key, "init_entry") == found
