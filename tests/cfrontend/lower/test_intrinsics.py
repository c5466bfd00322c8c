"""Intrinsics: which calls become instructions, beside the definitions that the program, a model or nobody has."""

from pathlib import Path

import pytest

from cfrontend import goto
from cfrontend.bound import Bound
from cfrontend.errors import InputError
from cfrontend.lower import dialect
from cfrontend.lower.intrinsic_registry import INTRINSICS, intrinsic
from cfrontend.program import ProgramOptions, encode_program, load_c_program


def instructions(tmp_path: Path, text: str) -> list[goto.Instruction]:
    path = tmp_path / "p.c"
    path.write_text(text, encoding="utf-8")
    return list(load_c_program([str(path)], ProgramOptions()).goto.functions["main"].instructions)


def called(found: list[goto.Instruction]) -> set[str]:
    return {i.callee.name for i in found if isinstance(i, goto.CallInstruction) and hasattr(i.callee, "name")}


def test_what_is_said_to_be_built_in_is_registered() -> None:
    assert INTRINSICS.keys() >= dialect.BUILT_IN | dialect.OUTPUTS | dialect.WIDE_OUTPUTS | dialect.ASSUMES


def test_a_name_has_one_meaning() -> None:
    with pytest.raises(AssertionError, match="free"):
        intrinsic("free")(lambda _: None)


@pytest.mark.parametrize(
    ("definition", "is_intrinsic"),
    [("void free(void *p);", True), ("int n; void free(void *p) { n++; }", False)],
)
def test_a_function_of_the_program_is_its_own(tmp_path: Path, definition: str, is_intrinsic: bool) -> None:
    found = instructions(tmp_path, f"{definition}\nint main(void) {{ free(0); return 0; }}\n")
    assert any(isinstance(i, goto.FreeInstruction) for i in found) == is_intrinsic
    assert ("free" in called(found)) != is_intrinsic


def test_an_assumption_is_one_whoever_defines_it(tmp_path: Path) -> None:
    text = "void __VERIFIER_assume(int c) { if (!c) for (;;) ; }\nint main(int n, char **v) { __VERIFIER_assume(n); }\n"
    found = instructions(tmp_path, text)
    assert any(isinstance(i, goto.AssumeInstruction) for i in found)
    assert not called(found)


def test_output_is_recorded_where_nobody_wants_its_result(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nint main(void) { printf("a"); int n = printf("b"); return n; }\n'
    found = instructions(tmp_path, text)
    assert [i.format for i in found if isinstance(i, goto.OutputInstruction)] == [b"a"]
    assert called(found) == {"printf"}


def test_too_few_arguments_are_an_error_where_an_execution_comes(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("void *calloc();\nint main(void) { void *p = calloc(1); return !p; }\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"p\.c:2:\d+: .*too few arguments to 'calloc'"):
        encode_program(load_c_program([str(path)], ProgramOptions()), Bound(unwind=1))


@pytest.mark.parametrize(
    ("call", "is_violated"),
    [('scanf("%d%d", &n)', True), ('scanf("%d%*d", &n)', False), ('fscanf(stdin, "%d %s", &n)', True)],
)
def test_a_reading_call_with_too_few_arguments_is_a_violation(
    tmp_path: Path, call: str, is_violated: bool
) -> None:
    path = tmp_path / "p.c"
    path.write_text(f"#include <stdio.h>\nint main(void) {{ int n; {call}; return n; }}\n", encoding="utf-8")
    checks = load_c_program([str(path)], ProgramOptions()).goto.properties
    said = [check.description for check in checks if check.kind == "format"]
    assert said == ([f"{call.partition('(')[0]} has fewer arguments than its format"] if is_violated else [])
