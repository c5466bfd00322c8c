"""The intrinsics by subject; importing this package registers those of all its modules."""

from importlib import import_module
from pathlib import Path

for path in sorted(Path(__file__).parent.glob("[a-z]*.py")):
    import_module(f"{__name__}.{path.stem}")
