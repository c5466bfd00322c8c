"""Variant selectors of a meta-program (mutant schemata): variables that choose among the edits in one program.

They have their values before the program begins, so that also what static variables start with may depend on them.

    static int days[] = {31, (__sfo_variant == 1 ? 29 : 28)};
"""

from __future__ import annotations

from typing import Final

VARIANT: Final = "__sfo_variant"
"""Name of the variant selector: 0 for the program as it is, k for candidate k."""

HOLE: Final = "__sfo_hole"
"""Name of the hole: a constant of type int that is still to be found."""

OTHER: Final = "__sfo_other"
"""Name of the second selector, where two candidates are chosen at once; only compiled programs have it."""

SETTINGS: Final = frozenset({VARIANT, HOLE})
"""The keys of the variables that an encoded program may have."""
