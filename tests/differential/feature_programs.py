"""The corpus in ``features/``: many small programs in one file, each with the verdicts it must get.

    //# index_too_large --check bounds --unwind 5
    int main(void) { int a[3], i = nondet_int();
      return a[i]; }  //! bounds

``//# NAME OPTIONS`` begins a program; the options are those of ``sfo check``. What stands above the first one belongs
to all programs of the file. A comment ``//! CLASS, CLASS...`` names the properties that are violated on its line,
each class as often as it is. No other property is violated, and no execution leaves the bound. Some classes have
another place than their line:

* ``unwind``: some execution leaves the bound; ``leak``: some execution ends with memory that nobody freed;
* ``library CLASS``: a property of the library function that is called on the line, wherever CBMC finds it;
* ``refused``: the program is not supported, for what stands on the line.

``cbmc CLASS (KEY)`` and ``sfo CLASS (KEY)`` are violations that only one of the tools reports: a choice, which the
entry KEY of "Where CBMC differs" in docs/semantics.md explains.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias, final

FEATURES: Final = Path(__file__).with_name("features")
"""Where the programs are; a file is a chapter."""

LIBRARY: Final = 0
"""The line of what is violated within a library function whose call is not known."""

PROGRAM: Final = -1
"""The line of what concerns the program as a whole."""

ANYWHERE: Final = frozenset({"unwind", "leak"})
"""Classes that have no line in CBMC: a program either violates one or does not."""

Place: TypeAlias = tuple[int, str]
"""Line and class of properties."""

_HEAD = re.compile(r"//# (?P<name>\w+)(?P<options>.*)")
_NOTE = re.compile(
    r"(?:(?P<tool>sfo|cbmc) )?(?P<library>library )?(?P<kind>[a-z0-9-]+)(?: \((?P<reason>[a-z-]+)\))?$"
)


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """A difference that is meant: only ``tool`` reports ``place``, for ``reason``."""

    tool: str
    place: Place
    reason: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureProgram:
    """One program of the corpus.

    ``text`` has empty lines before it, so that lines are those of the chapter. ``library_line`` is where the
    library function is called that violates something, or LIBRARY.
    """

    chapter: str
    name: str
    options: tuple[str, ...]
    text: str
    violated: Counter[Place]
    choices: tuple[Choice, ...]
    library_line: int

    @property
    def id(self) -> str:
        """Its name in the documentation."""
        return f"{self.chapter}/{self.name}"

    @property
    def is_read_by_cbmc(self) -> bool:
        """True if CBMC is asked, too."""
        return self.refused is None

    @property
    def refused(self) -> int | None:
        """The line of what is not supported, None if everything is."""
        return next((line for line, kind in self.violated if kind == "refused"), None)

    def option(self, name: str, default: str) -> str:
        """The value of an option."""
        return self.options[self.options.index(name) + 1] if name in self.options else default

    def without(self, name: str) -> FeatureProgram:
        """The same program without an option and its value."""
        at = self.options.index(name)
        return replace(self, options=self.options[:at] + self.options[at + 2 :])

    def expected(self, tool: str) -> Counter[Place]:
        """How often ``tool`` has to report each class on each line."""
        own = Counter(choice.place for choice in self.choices if choice.tool == tool)
        return self.violated + own


def load_features() -> tuple[FeatureProgram, ...]:
    """All programs, chapter by chapter."""
    return tuple(program for path in sorted(FEATURES.glob("*.c")) for program in read_chapter(path))


def read_chapter(path: Path) -> list[FeatureProgram]:
    """The programs of one file. Raises ValueError for a comment that is not understood or a name used twice."""
    lines = path.read_text(encoding="utf-8").splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith("//#")]
    shared = lines[: heads[0]] if heads else []
    programs = []
    for begin, end in zip(heads, [*heads[1:], len(lines)], strict=True):
        head = _HEAD.fullmatch(lines[begin])
        if head is None:
            raise ValueError(f"{path}:{begin + 1}: //# NAME OPTIONS expected")
        violated: Counter[Place] = Counter()
        choices: list[Choice] = []
        library_line = LIBRARY
        for number in range(begin, end):
            _, _, notes = lines[number].partition("//! ")
            for note in filter(None, notes.split(", ")):
                _read_note(note, number + 1, violated, choices, f"{path}:{number + 1}")
                library_line = number + 1 if "library " in note else library_line
        programs.append(
            FeatureProgram(
                chapter=path.stem,
                name=head["name"],
                options=tuple(head["options"].split("//!")[0].split()),
                text="\n".join([*shared, *[""] * (begin - len(shared)), *lines[begin:end], ""]),
                violated=violated,
                choices=tuple(choices),
                library_line=library_line,
            )
        )
    twice = [name for name, count in Counter(p.name for p in programs).items() if count > 1]
    if twice:
        raise ValueError(f"{path}: two programs are named {', '.join(twice)}")
    return programs


def _read_note(note: str, line: int, violated: Counter[Place], choices: list[Choice], where: str) -> None:
    match = _NOTE.fullmatch(note.strip())
    if match is None or bool(match["tool"]) != bool(match["reason"]):
        raise ValueError(f"{where}: //! CLASS, or //! TOOL CLASS (KEY) expected")
    kind = match["kind"]
    place = (PROGRAM if kind in ANYWHERE else line, kind)
    if match["tool"]:
        choices.append(Choice(match["tool"], place, match["reason"]))
    else:
        violated[place] += 1
