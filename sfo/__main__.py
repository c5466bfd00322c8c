"""``python -m sfo`` is ``sfo``."""

import sys

from sfo.cli import main

if __name__ == "__main__":
    sys.exit(main())
