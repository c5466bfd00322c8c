"""Command line of sfo as a program: ``python -m sfo``, and what the installed command calls."""

import _signal  # type: ignore[import-not-found]  # without what ``signal`` imports

# Until the command line can say a last word, Ctrl-C ends the process without any: else a half of it says a traceback.
if __name__ == "__main__" or _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

from sfo.cli import console

__all__ = ["console"]

if __name__ == "__main__":
    console()
