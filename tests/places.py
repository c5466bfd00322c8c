"""Directories that tests read from."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
"""Of the repository."""

DOCS: Final = ROOT / "docs"
PROGRAMS: Final = ROOT / "benchmarks" / "programs"
CASES: Final = ROOT / "tests" / "differential" / "cases"
GOLDEN: Final = ROOT / "tests" / "golden"
