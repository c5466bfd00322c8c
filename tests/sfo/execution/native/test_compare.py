"""Comparison of an execution with a native execution: what is a disagreement, what is not, and how it is said."""

from dataclasses import replace

import pytest

from cfrontend.errors import Location
from sfo.execution.native.compare import (
    ComparedNativeExecution,
    ExecutionToCompareNatively,
    compare_native_execution,
)

FILE = "a.c"
UNITS = frozenset({(FILE, 1, 1), (FILE, 2, 2), (FILE, 3, 4), (FILE, 6, 6)})


def predicted(
    end: str, *covered: int, kind: str | None = None, line: int | None = None
) -> ExecutionToCompareNatively:
    place = None if line is None else Location(FILE, line, 1, line)
    return ExecutionToCompareNatively(
        end=end,
        kind=kind,
        place=place,
        inputs=(5,),
        covered=frozenset(span for span in UNITS if span[1] in covered),
        units=UNITS,
    )


def native(
    end: str, *covered: int, line: int | None = None, inputs: tuple[int, ...] = (5,)
) -> ComparedNativeExecution:
    return ComparedNativeExecution(
        end=end,
        line=None if line is None else (FILE, line),
        inputs=inputs,
        covered=frozenset((FILE, n) for n in covered),
        executable=frozenset((FILE, n) for n in (1, 2, 3, 4, 5, 6)),
        function=frozenset((FILE, n) for n in (1, 2, 3, 4, 5)),
    )


SHARED = replace(predicted("pass", 1), shared=frozenset({(FILE, 2)}))


FAILING = predicted("fail", 1, 2, kind="assert", line=2)
READING = predicted("fail", 1, 2, kind="pointer", line=2)


@pytest.mark.parametrize(
    ("ours", "theirs", "status"),
    [
        (predicted("pass", 1, 2), native("pass", 1, 2), "agrees"),
        (predicted("pass", 1, 2), native("pass", 1, 2, 5), "agrees"),  # line 5 has no unit
        (predicted("pass", 1, 3), native("pass", 1, 4), "agrees"),  # one unit on both lines
        (predicted("pass", 1, 2), native("pass", 1), "disagrees"),
        (predicted("pass", 1), native("pass", 1, 2), "disagrees"),
        (SHARED, native("pass", 1, 2), "agrees"),  # an assertion on line 2
        (SHARED, native("pass", 1, 2, 3), "disagrees"),
        (predicted("pass", 1, 2), native("pass", 1, 2, inputs=(5, 6)), "disagrees"),
        (predicted("pass", 1, 2), native("memory", 1, 2, line=2), "disagrees"),
        (predicted("pass", 1, 2), native("fail", 1, 2, line=2), "disagrees"),
        (predicted("assume", 1, 2), native("assume", 1, 2), "agrees"),
        (FAILING, native("fail", 1, 2, line=2), "agrees"),
        (FAILING, native("fail", 1, 2, line=1), "disagrees"),
        (
            predicted("fail", 1, kind="assert", line=2),
            native("fail", 1, 2, line=2),
            "agrees",
        ),  # unit behind it
        (FAILING, native("pass", 1, 2), "disagrees"),
        (FAILING, native("limit-time"), "impossible"),
        (READING, native("memory", 1, 2, line=2), "agrees"),
        (READING, native("memory", 1, 2, 3, line=2), "agrees"),  # counts after a crash, same function
        (READING, native("memory", 1, 2, 6, line=2), "disagrees"),  # another function
        (READING, native("pointer", 1, 2, 3, line=2), "disagrees"),  # no crash: the counts are exact
        (READING, native("memory", 2, line=2), "agrees"),  # lost before a crash
        (READING, native("pointer", 2, line=2), "disagrees"),
        (predicted("fail", 2, 6, kind="pointer", line=2), native("memory", 2, line=2), "disagrees"),
        (READING, native("pass", 1, 2, 6), "unobserved"),
        (READING, native("pass", 1, 6), "disagrees"),  # it did not get as far
        (predicted("fail", 1, kind="conversion", line=1), native("fail", 1, 2, line=2), "unobserved"),
    ],
)
def test_status(ours: ExecutionToCompareNatively, theirs: ComparedNativeExecution, status: str) -> None:
    assert compare_native_execution(ours, theirs).status == status


def test_a_disagreement_has_both_sides() -> None:
    kept = compare_native_execution(FAILING, native("pass", 1, 6), 7)
    assert kept.problems == (
        "end: sfo assert violated at line 2, gcc pass",
        "covered only in sfo: lines 2",
        "covered only in gcc: lines 6",
    )
    assert (kept.execution, kept.status, kept.ended) == (7, "disagrees", "pass")
    assert kept.lines == ((FILE, 1), (FILE, 2))
    assert kept.native_lines == ((FILE, 1), (FILE, 6))
