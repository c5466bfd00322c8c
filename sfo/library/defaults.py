"""Defaults that the command line needs before it imports the library."""

from __future__ import annotations

from typing import Final

DEFAULT_PASSING: Final = 20
"""Passing executions that the paper asks for (section 5)."""

TRACES: Final = 10
"""Failing executions, and passing ones, that reports show step by step."""
