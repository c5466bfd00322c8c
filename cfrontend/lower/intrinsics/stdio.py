"""Formatted output that is recorded and formatted input that is read."""

from __future__ import annotations

from cfrontend.lower import dialect, formatted, formatted_input
from cfrontend.lower.intrinsic_registry import CallSite, intrinsic
from cfrontend.syntax.tree import Expression


def _is_recorded(c: CallSite) -> bool:
    return formatted.is_formatted_output_recorded(c.e, c.name, c.x.program, wanted=c.wanted)


@intrinsic(*dialect.OUTPUTS, instead_of="library", where=_is_recorded)
def _output(c: CallSite) -> Expression | None:
    return formatted.lower_formatted_output(c.x, c.e, c.name)


def _is_wide_output(c: CallSite) -> bool:
    return formatted.is_wide_formatted_output(c.e, c.name, wanted=c.wanted)


@intrinsic(*dialect.WIDE_OUTPUTS, instead_of="library", where=_is_wide_output)
def _wide_output(c: CallSite) -> Expression:
    return formatted.lower_wide_formatted_output(c.x, c.e, c.name)


@intrinsic("scanf", needs=1, instead_of="library")
@intrinsic("fscanf", needs=2, instead_of="library")
def _scan(c: CallSite) -> Expression:
    return formatted_input.lower_formatted_input(c.x, c.e, c.name, wanted=c.wanted)
