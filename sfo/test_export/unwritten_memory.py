"""Memory that nobody wrote, in the Makefile of a suite: variables without a value begin as a pattern.

    for (i = 0; i < n; i++)  ->  for (; i < n; i++)     i begins as -16843010, and no longer as 0 by chance

So most faults that lose an initial value are noticed, and in each run alike.
"""

from __future__ import annotations

from typing import Final

_FLAG: Final = "-ftrivial-auto-var-init=pattern"

PATTERN_RULES: Final = (
    "# Variables without a value begin as a pattern, where the compiler can do that: what reads them is seen.",
    f"UNWRITTEN := $(shell $(CC) {_FLAG} -x c -fsyntax-only /dev/null 2>/dev/null && echo {_FLAG})",
)
"""Lines of a Makefile behind that of CC, which set the variable of `PATTERN_WORD`."""

PATTERN_WORD: Final = "$(UNWRITTEN)"
"""Word of a command that compiles files of the program."""
