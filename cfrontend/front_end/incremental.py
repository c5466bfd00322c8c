"""Incremental front end: of an edited program only the functions are typed and lowered again that an edit changes.

    known = IncrementalFrontEnd()
    load_c_program(paths, options, sources=sources, incremental=known)
    known.finish()
    load_c_program(paths, options, sources=edited, incremental=known)

The edited sources are to be parsed incrementally, too: what is not edited is known by the identity of its nodes. The
program is equal to one that is read as a whole, and is charged the same effort.
"""

from __future__ import annotations

from typing import Final, final

from cfrontend.elaborate.incremental import IncrementalElaboration
from cfrontend.lower.incremental import IncrementalLowering
from cfrontend.syntax.body_facts import BodyFacts


@final
class IncrementalFrontEnd:
    """Incremental front end for edited versions of one program: its typed bodies and the code of its functions."""

    def __init__(self) -> None:
        self._facts: Final = BodyFacts()
        self.elaboration: Final = IncrementalElaboration(self._facts)
        self.lowering: Final = IncrementalLowering(self._facts)

    def finish(self) -> None:
        """Note no more: the program has been read, and what is read now are edited versions."""
        self._facts.finish()
