"""Unit test frameworks for C: how each writes a test, an assertion and what stands around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from cfrontend.record import dataclass


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class UnitTestFramework:
    """A framework: forms with ``{suite}``, ``{test}``, ``{seen}`` and ``{expected}``.

    ``opening`` begins a test, ``number``, ``text`` and ``truth`` are assertions on a number, a text and a condition.
    ``registered`` is the line for each test in ``ending``, where tests do not register themselves. A framework that is
    no library has a ``source`` to be compiled with the tests, in the ``folder`` that a variable of the Makefile names.
    """

    name: str
    cplusplus: bool
    headers: tuple[str, ...]
    opening: tuple[str, ...]
    number: str
    text: str
    truth: str
    libraries: str
    registered: str = ""
    ending: tuple[str, ...] = ()
    folder: str = ""
    source: str = ""

    @property
    def file(self) -> str:
        """Name of the file with the tests."""
        return "tests.cc" if self.cplusplus else "tests.c"

    def opened(self, suite: str, test: str) -> str:
        """The lines before what a test does."""
        return "\n".join(self.opening).format(suite=suite, test=test)

    def unit_test_ending(self, tests: Sequence[str]) -> list[str]:
        """The lines behind the last test."""
        lines: list[str] = []
        for line in self.ending:
            lines += [self.registered.format(test=test) for test in tests] if line == "{tests}" else [line]
        return lines


CMOCKA: Final = UnitTestFramework(
    name="cmocka",
    cplusplus=False,
    headers=("<setjmp.h>", "<stdarg.h>", "<stddef.h>", "<stdint.h>", "<cmocka.h>"),
    opening=("static void {test}(void **state)", "{{", "    (void)state;"),
    number="assert_int_equal({seen}, {expected});",
    text="assert_string_equal({seen}, {expected});",
    truth="assert_true({seen});",
    libraries="-lcmocka",
    registered="        cmocka_unit_test({test}),",
    ending=(
        "int main(void)",
        "{",
        "    const struct CMUnitTest tests[] = {",
        "{tests}",
        "    };",
        "",
        "    return cmocka_run_group_tests(tests, NULL, NULL);",
        "}",
    ),
)

GOOGLETEST: Final = UnitTestFramework(
    name="googletest",
    cplusplus=True,
    headers=("<gtest/gtest.h>",),
    opening=("TEST({suite}, {test})", "{{"),
    number="EXPECT_EQ({seen}, {expected});",
    text="EXPECT_STREQ({seen}, {expected});",
    truth="EXPECT_TRUE({seen});",
    libraries="-lgtest -lgtest_main -pthread",
)

CRITERION: Final = UnitTestFramework(
    name="criterion",
    cplusplus=False,
    headers=("<criterion/criterion.h>",),
    opening=("Test({suite}, {test})", "{{"),
    number="cr_assert_eq({seen}, {expected});",
    text="cr_assert_str_eq({seen}, {expected});",
    truth="cr_assert({seen});",
    libraries="-lcriterion",
)

UNITY: Final = UnitTestFramework(
    name="unity",
    cplusplus=False,
    headers=('"unity.h"',),
    opening=("static void {test}(void)", "{{"),
    number="TEST_ASSERT_EQUAL_INT64({expected}, {seen});",
    text="TEST_ASSERT_EQUAL_STRING({expected}, {seen});",
    truth="TEST_ASSERT_TRUE({seen});",
    libraries="",
    registered="    RUN_TEST({test});",
    ending=(
        "void setUp(void)",
        "{",
        "}",
        "",
        "void tearDown(void)",
        "{",
        "}",
        "",
        "int main(void)",
        "{",
        "    UNITY_BEGIN();",
        "{tests}",
        "    return UNITY_END();",
        "}",
    ),
    folder="UNITY",
    source="unity.c",
)

UNIT_TEST_FRAMEWORKS: Final = {form.name: form for form in (CMOCKA, GOOGLETEST, CRITERION, UNITY)}
"""The frameworks by their names."""
