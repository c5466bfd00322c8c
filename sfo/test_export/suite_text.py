"""Text files of suites, rendered from the templates of this folder, with paths as they are seen from a suite."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from cfrontend.source.preprocess import preprocessor_command_word
from sfo.report.templates import rendered_template


def suite_text(template: str, **given: object) -> bytes:
    """The file that a template is with what is ``given``; ``words`` in it makes words of a command in a Makefile."""
    return os.fsencode(rendered_template("sfo.test_export", template, words=_words, **given))


def _words(words: Sequence[str]) -> str:
    return " ".join(shlex.quote(word).replace("$", "$$") for word in words)


def seen_from_suite(path: str, directory: Path) -> str:
    """A path, or a relative one as it is right in ``directory``."""
    return path if Path(path).is_absolute() else os.path.relpath(path, directory)


def flags_seen_from_suite(flags: Sequence[str], directory: Path) -> Iterator[str]:
    """Flags of a compiler with paths as they are right in ``directory``."""
    before = ""
    for flag in flags:
        option = next((each for each in ("-iquote", "-I") if flag.startswith(each)), "")
        if before == "-include":
            yield preprocessor_command_word(seen_from_suite(flag, directory))
        elif option:
            yield option + seen_from_suite(flag.removeprefix(option), directory)
        else:
            yield flag
        before = flag
