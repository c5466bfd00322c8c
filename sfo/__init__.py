"""Fault localisation for C: the statements that every failing execution within a bound must cover.

The program text becomes a bounded formula in ``cfrontend``; here it is solved, searched, ranked and reported.
"""

__version__ = "0.1.0"
