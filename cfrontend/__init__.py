"""C source to bounded, bit-precise formula: the front end of sfo, usable on its own.

The stages, low to high, are the modules of this package; ``docs/architecture.md`` names the records
between them. Nothing here knows of solvers or of fault localisation.
"""
