"""A corpus for fuzzers, libFuzzer and AFL++ among them, for programs all of whose inputs come from the standard input.

    seeds/pass-2      what a passing execution reads: afl-fuzz -i seeds -o found ./program, ./fuzzer seeds
    crashes/fail-1    what a failing one reads, which no fuzzer should start from

Each text was executed by ``sfo`` again: it is written only if that is the same execution.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Final

from cfrontend.errors import UsageError
from cfrontend.program import Program
from sfo.core.executions import Execution
from sfo.test_export.stdin import stdin_text_of_execution

_FOLDERS: Final = {"pass": "seeds", "fail": "crashes"}


def corpus_suite(program: Program, executions: Sequence[Execution]) -> Mapping[str, bytes]:
    """The files of the corpus, which are texts and nothing else, and what has no text beside their folders.

    Raises UsageError for inputs that are not read from the standard input, and when there is no text for any execution.
    """
    found: dict[str, bytes] = {}
    left_out: list[str] = []
    for execution in executions:
        named = f"{execution.outcome}-{execution.id}"
        text = stdin_text_of_execution(program, execution)
        if text is None:
            left_out.append(f"{named}: its inputs are those of no text")
        elif not text[0]:
            left_out.append(f"{named}: it reads nothing, and AFL refuses empty files")
        else:
            found[f"{_FOLDERS[execution.outcome or 'pass']}/{named}"] = text[0]
    if executions and not found:
        raise UsageError(f"no execution can be written as text for a corpus ({'; '.join(left_out)})")
    if left_out:
        found["left-out.txt"] = os.fsencode("".join(f"{line}\n" for line in left_out))
    return found
