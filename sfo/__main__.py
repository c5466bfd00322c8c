"""Command line of sfo as a program: ``python -m sfo``, and what the installed command calls."""

import signal

# Until the command line can say a last word, Ctrl-C ends the process without any: else a half of it says a traceback.
if __name__ == "__main__" or signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from sfo.cli import console

__all__ = ["console"]

if __name__ == "__main__":
    console()
