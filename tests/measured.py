"""A command in a process of its own, with the memory that it took."""

import subprocess
import sys
import tempfile
from pathlib import Path

# A process begins with the memory of the one that started it, and that of the tests may be large: a small one
# stands between.
_BETWEEN = """
import pathlib, resource, subprocess, sys
done = subprocess.run(sys.argv[2:])
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
pathlib.Path(sys.argv[1]).write_text(str(most))
sys.exit(done.returncode)
"""


def measured(*command: str | Path) -> tuple[subprocess.CompletedProcess[str], int]:
    """What ``command`` returned and printed, and its most resident memory in KiB."""
    with tempfile.NamedTemporaryFile("r") as kibibytes:
        done = subprocess.run(
            [sys.executable, "-c", _BETWEEN, kibibytes.name, *command],
            capture_output=True,
            text=True,
            check=False,
        )
        return done, int(kibibytes.read())
