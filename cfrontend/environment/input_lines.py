"""Lines of C that make inputs: statements, objects, fresh names and calls of nondeterministic functions."""

from __future__ import annotations

from typing import Final

from cfrontend.environment.declarations import NONDET
from cfrontend.errors import Location, UnsupportedError
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import CType

ASSUME: Final = "__VERIFIER_assume"
"""The function that restricts inputs."""


class EnvironmentInputLines:
    """Collector of ``statements`` and ``objects``, whose names are none of those ``taken``.

    ``nondet`` are the types of the inputs, by the function that is called for them. ``variable`` is the one that is
    made, called ``root``, and ``location`` where it stands.
    """

    def __init__(self, taken: set[str]) -> None:
        self.objects: list[str] = []
        self.statements: list[str] = []
        self.nondet: dict[str, str] = {}
        self.variable: SyntaxSymbol | None = None
        self.location = Location("", 0)
        self.margin = ""
        self.root = ""
        self._taken = taken

    def begin(self, variable: SyntaxSymbol) -> None:
        """Begin the generation for ``variable``."""
        self.location, self.root, self.variable = variable.location, variable.name, variable

    def object_name(self, path: str) -> str:
        """A fresh name for the object behind the pointer ``path``."""
        words = "".join(c if c.isalnum() or c == "_" else " " for c in path).split()
        return self.fresh("_".join([*words, "object"]))

    def fresh(self, name: str) -> str:
        """A name that nothing has yet: the given one, or it with underscores."""
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    # -- inputs and lines ----------------------------------------------------------------------------------------

    def input(self, ctype: CType) -> str:
        """The call that gives an input of a scalar type."""
        return self.input_named(str(ctype))

    def input_named(self, name: str) -> str:
        """The call that gives an input of the type of this name."""
        if name not in NONDET:
            raise UnsupportedError(
                f"an input of type {name}, of which '{self.root}' has one, is not supported yet",
                self.location,
            )
        function = f"__VERIFIER_nondet_{NONDET[name]}"
        self.nondet[function] = name
        return f"{function}()"

    def say(self, line: str) -> None:
        """Append a statement."""
        self.statements.append(self.margin + line)

    def drawn(self, name: str) -> str:
        """A variable of the surroundings for a number that is an input."""
        self.objects.append(f"unsigned long {(drawn := self.fresh(name))};")
        self.say(f"{drawn} = {self.input_named('unsigned long')};")
        return drawn

    def point_into(self, pointer: str, array: str, *, may_be_null: bool) -> None:
        """Let a pointer lead to some element of an array, or behind its last one."""
        at = self.drawn(f"{self.root}_at")
        self.say(f"{ASSUME}({at} <= sizeof {array} / sizeof *{array});")
        null = f"{self.input_named('_Bool')} ? 0 : " if may_be_null else ""
        self.say(f"{pointer} = {null}{array} + {at};")
