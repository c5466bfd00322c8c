"""Error classes: one root of all errors a user can meet, with the exit code on the class.

Only the command line exits; everything below it raises. The text of an error is one line: where, what, and
what to do about it.

    raise UnsupportedError("bit-fields are not supported yet", location)
    -> ring.c:14:5: bit-fields are not supported yet
"""

from __future__ import annotations

from typing import ClassVar, final

from cfrontend.record import dataclass


@final
@dataclass(frozen=True, slots=True)
class Location:
    """A span of source text: ``line`` and ``column`` count from 1, the end is inclusive.

    ``column`` is None where the text begins within what a macro became, ``end_column`` where it ends there, because
    the preprocessed column says nothing about the file the user sees. What a macro became begins and ends where its
    use does.
    """

    file: str
    line: int
    column: int | None = None
    end_line: int = 0
    end_column: int | None = None

    def __str__(self) -> str:
        if self.column is None:
            return f"{self.file}:{self.line}"
        return f"{self.file}:{self.line}:{self.column}"


class SfoError(Exception):
    """Root class of everything sfo reports to a user; ``exit_code`` is what the process ends with."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, location: Location | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.location = location

    def __str__(self) -> str:
        return self.message if self.location is None else f"{self.location}: {self.message}"


class InternalError(SfoError):
    """Internal error: a broken invariant of sfo itself, always our bug."""

    exit_code = 1


class UsageError(SfoError):
    """Usage error: options or vector files that make no sense."""

    exit_code = 2


class InputError(SfoError):
    """Input error: a program that cannot be analysed (missing file, syntax or type error, no entry, no property)."""

    exit_code = 3


class MissingEntryError(InputError):
    """Missing entry: a program without the function where executions are to start.

    ``missing`` is the message without the advice to choose another entry.
    """

    def __init__(self, message: str, missing: str = "") -> None:
        super().__init__(message)
        self.missing = missing


class MissingPropertyError(InputError):
    """Missing property: a program in which nothing can be violated."""


class UnsupportedError(InputError):
    """Unsupported construct: C that sfo does not model. It is refused, never guessed at."""


class ResourceError(SfoError):
    """Resource limit: a time, memory or size limit ended the work."""

    exit_code = 5
