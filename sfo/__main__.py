"""``python -m sfo`` is ``sfo``."""

from sfo.cli import console

if __name__ == "__main__":
    console()
