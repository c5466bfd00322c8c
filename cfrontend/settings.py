"""The variables that choose among the variants of an edited program.

They have their values before the program begins, so that also what static variables start with may depend on them.

    static int days[] = {31, (__sfo_variant == 1 ? 29 : 28)};
"""

from __future__ import annotations

from typing import Final

VARIANT: Final = "__sfo_variant"
"""The variable that chooses: 0 for the program as it is, k for candidate k."""

HOLE: Final = "__sfo_hole"
"""A constant that is still to be found, of type int."""

OTHER: Final = "__sfo_other"
"""Where two candidates are chosen at once, the second one; only compiled programs have it."""

SETTINGS: Final = frozenset({VARIANT, HOLE})
"""The keys of the variables that an encoded program may have."""
