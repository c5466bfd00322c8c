"""Oracles: whoever answers Algorithm 1 with failing and passing executions (SMT-based bounded model checking, CBMC)."""

from __future__ import annotations

from typing import Final

BACKENDS: Final = ("sfo", "cbmc")
"""Values of ``--backend``: our own encoding and a solver, or CBMC."""
