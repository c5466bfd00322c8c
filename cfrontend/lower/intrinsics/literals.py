"""Intrinsics of string literals, which gcc computes itself.

strcmp("pear", "apple")   ->   1, where the function would return 15
"""

from __future__ import annotations

from cfrontend.lower.intrinsic_registry import CallSite, intrinsic
from cfrontend.lower.intrinsics.formatted import format_literal
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import INT


def _compares_literals(c: CallSite) -> bool:
    return c.given == 2 and all(format_literal(argument) is not None for argument in c.e.arguments)


@intrinsic("strcmp", instead_of="library", where=_compares_literals)
def _strcmp(c: CallSite) -> Expression:
    left, right = [format_literal(argument) or b"" for argument in c.e.arguments]
    return tree.IntConstant(type=INT, location=c.e.location, value=(left > right) - (left < right))
