r"""Preprocessor driver, which keeps the way back to the lines the programmer wrote.

The user's own compiler does the work, with our small headers in front of the machine's. Its line markers stay in
the text, and the files they name are read so that columns and comments can be looked up later.

    preprocess("ring.c", PreprocessOptions(defines=("N=4",)))
    -> PreprocessedFile(text='# 1 "ring.c"\nint ring[4];\n', files={"ring.c": ("int ring[N];",)}, ...)
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, Protocol, final

from cfrontend.errors import InputError, Location, ResourceError, UsageError
from cfrontend.host.child_processes import (
    ChildProcessOutputError,
    ChildProcessTimeError,
    ChildProcessWorkplace,
    run_child_process,
)
from cfrontend.host.regular_files import read_regular_file_bytes
from cfrontend.record import dataclass
from cfrontend.source.unreached_declarations import text_without_unreached
from cfrontend.syntax.types import LP64, DataModelOfTypes

_MOST_LINES = 1_000_000
"""Maximum line number; larger ones are taken for nonsense."""

HEADERS = Path(__file__).parent / "headers"
"""Folder of our own standard headers: prototypes, types and constants only, so that ``assert`` stays a call."""

LIBRARY = "<library>"
"""Name of the folder that library models seem to stand in."""

LINE_MARKER = re.compile(
    r'^[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)(?:[ \t]+"([^"\\]*(?:\\.[^"\\]*)*)")?([ \t\d]*)$'
)
"""``# 12 "file.c" 2`` and ``#line 12 "file.c"``: line, file, flags."""

_COMPILER_ERROR = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: (?P<text>.*)$"
)
MODEL_FLAGS: Final[Mapping[str, tuple[str, ...]]] = {"lp64": (), "ilp32": ("-m32", "-msse2", "-mfpmath=sse")}
"""Compiler flags for x86-64, by data model."""

_HEADERS: Final = {"ours": ("-isystem", str(HEADERS)), "machine": ("-D__NO_CTYPE",)}
"""Compiler flags that choose the headers; without its macros ``<ctype.h>`` is functions, not tables."""

NATIVE_HEADERS: Final = ("-D__NO_CTYPE", "-idirafter", str(HEADERS))
"""Compiler flags of native executions: headers of the system, with functions for the macros of ``<ctype.h>``."""

_SECONDS = 120.0

PREPROCESSOR_MEMORY: Final = 1 << 30
"""Address space limit of the preprocessor in bytes: what is included may be a device without end."""

LARGEST_TEXT: Final = 1 << 28
"""Maximum size in bytes of the preprocessed text; macros that grow without end come to more."""


@final
@dataclass(frozen=True, slots=True)
class PreprocessOptions:
    """Compiler flags that change what the preprocessor sees.

    ``forced_includes`` is ``-include``, ``standard`` is the value of ``-std=``. ``compiler`` None looks for
    ``$CC``, cc, gcc and clang. ``model`` ILP32 is ``-m32`` with SSE arithmetic. ``known`` are
    files that a ``#line`` may name because they were read before. ``headers``: ours before those of the machine, or
    those of the machine alone. ``reached_from`` names functions: what they cannot need is left out of a
    file that defines one of them. ``own_defines`` are the macros of single files, by path, which stand there in the
    place of ``defines``. ``named_as`` are other names of files for ``__FILE__``, and of folders, which end with a
    slash.
    """

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    forced_includes: tuple[str, ...] = ()
    standard: str | None = None
    compiler: str | None = None
    model: DataModelOfTypes = LP64
    known: tuple[str, ...] = ()
    headers: Literal["ours", "machine"] = "ours"
    reached_from: tuple[str, ...] = ()
    own_defines: tuple[tuple[str, tuple[str, ...]], ...] = ()
    named_as: tuple[tuple[str, str], ...] = ()

    def of_file(self, path: str) -> PreprocessOptions:
        """The options of one file, with its own macros: found by its path, else by its name where only one has it."""
        here = os.path.realpath(path) if self.own_defines else ""
        named = [found for found in self.own_defines if Path(found[0]).name == Path(path).name]
        mine = [found for found in self.own_defines if found[0] == here] or named
        return replace(self, defines=mine[0][1], own_defines=()) if len(mine) == 1 else self


@final
@dataclass(frozen=True, slots=True)
class PreprocessedQuotation:
    """A line of code where it was first written; ``before`` tokens were put before it, which stand where it begins."""

    text: str
    before: int = 0


class PreprocessedFileParser(Protocol):
    """A parser that knows another version of a file already; ``parse_file`` asks it."""

    def parse(self, edited: PreprocessedFile, /) -> Any:
        """The ``ParsedFile`` of a version."""


@final
@dataclass(frozen=True, slots=True)
class PreprocessedFile:
    """Preprocessed text with line markers; ``files`` maps each file named there (not our headers) to its lines.

    ``encoding`` is what the text was decoded with, so that string literals can go back to their bytes. ``quoted`` are
    lines, by file and number, whose code is not in the file as such, but in a comment, with what can stand in each.
    ``parser`` is for edited files, most of which is parsed already. ``has_harness``: the harness stands behind it.
    """

    path: str
    text: str
    files: Mapping[str, tuple[str, ...]] = field(repr=False)
    encoding: str = "utf-8"
    quoted: Mapping[tuple[str, int], Sequence[PreprocessedQuotation]] = field(
        default_factory=dict, repr=False
    )
    parser: PreprocessedFileParser | None = field(default=None, repr=False, compare=False)
    has_harness: bool = False


def preprocess(
    path: str, options: PreprocessOptions | None = None, ending: str | None = None
) -> PreprocessedFile:
    """Preprocess one C file, with the text ``ending`` behind it.

    A ``.i`` file alone is taken as it is, but for comments.

    Raises InputError when the file cannot be read or the preprocessor rejects it, UsageError when there is no
    compiler, or not the one that was asked for.
    """
    options = (options or PreprocessOptions()).of_file(path)
    if any(character in path for character in "\n\r"):
        raise InputError(f"cannot read {path!r}: a line break in the name of a C file; rename it")
    source = read_regular_file_bytes(path, error=InputError)
    if source[:2] in _UTF16:
        raise InputError(f"{path}: is in UTF-16; sfo reads C in UTF-8 or another encoding with ASCII in it")
    preprocessor_user_flags(options)
    opened = frozenset({os.path.realpath(path), *map(os.path.realpath, options.known)})
    if path.endswith(".i") and ending is None:
        raw = source
    else:
        raw, others = _run_compiler(path, _find_compiler(options.compiler), options, ending)
        opened |= others
    text, encoding = _decode(raw)
    if encoding != "utf-8":
        text = _MARKED_FILE.sub(lambda found: f"{found[1]}{os.fsdecode(found[2].encode(encoding))}", text)
    files = _original_files(path, text, opened)
    text = _with_names(text, options.named_as)
    text = preprocessed_without_comments(text) if raw is source else text
    text += _weak_declarations(text)
    if options.reached_from:
        text = text_without_unreached(text, options.reached_from, is_preprocessed_header_file)
    return PreprocessedFile(path, text, files, encoding)


def _with_names(text: str, named_as: Sequence[tuple[str, str]]) -> str:
    """A preprocessed text in which literals that are names of its files (``__FILE__``) are other names."""
    others: dict[str, str] = {}
    for name in _FILE_OF_MARKER.findall(text) if named_as else ():
        for old, new in named_as:
            if name == old or (old.endswith("/") and name.startswith(old)):
                others[f'"{name}"'] = f'"{new}{name.removeprefix(old)}"'
                break
    if not others:
        return text
    literals = re.compile("|".join(map(re.escape, sorted(others, reverse=True))))
    return _CODE_LINE.sub(lambda line: literals.sub(lambda found: others[found[0]], line[0]), text)


_CODE_LINE: Final = re.compile(r"^(?!#).+", re.MULTILINE)
"""A line that is no line marker."""

_FILE_OF_MARKER: Final = re.compile(r'^# \d+ "((?:\\.|[^"\\])*)"', re.MULTILINE)
"""The file of a line marker, as its name stands in the text."""

_WEAK_PRAGMA: Final = re.compile(
    r"^[ \t]*#[ \t]*pragma[ \t]+weak[ \t]+(\w+)(?:[ \t]*=[ \t]*(\w+))?", re.MULTILINE
)


def _weak_declarations(text: str) -> str:
    """What ``#pragma weak f`` and ``#pragma weak f = g`` say, as declarations for the end of the file.

    The first says nothing of a name that the file does not have.
    """
    declarations: list[str] = []
    for name, target in _WEAK_PRAGMA.findall(text):
        if target:
            declarations.append(
                f'extern __typeof__({target}) {name} __attribute__((weak, alias("{target}")));'
            )
        elif len(re.findall(rf"\b{name}\b", text)) > 1:
            declarations.append(f"extern __typeof__({name}) {name} __attribute__((weak));")
    return "".join(f"\n{declaration}" for declaration in dict.fromkeys(declarations))


_MARKED_FILE: Final = re.compile(r'^(# \d+ ")(.*)', re.MULTILINE)
"""A line marker up to its file, whose name has the system's encoding whatever that of the text is."""

_COMMENT_OR_LITERAL: Final = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    r"""|(?<![\w.])\d[\w.]*'\w[\w.']*""",  # 1'000 of C23 begins no character constant
    re.DOTALL,
)
_NOT_NEWLINE: Final = re.compile(r"[^\n]")


def preprocessed_without_comments(text: str) -> str:
    """C with spaces for its comments, so that the lines and columns behind them stay."""
    return _COMMENT_OR_LITERAL.sub(_blank_comment, text)


def _blank_comment(found: re.Match[str]) -> str:
    return _NOT_NEWLINE.sub(" ", found[0]) if found[0].startswith("/") else found[0]


_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
"""Byte order marks of UTF-16."""


def _decode(raw: bytes) -> tuple[str, str]:
    """Decode a file: text and its encoding; latin-1 takes what is not UTF-8."""
    try:
        return raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return raw.decode("latin-1"), "latin-1"


def preprocessor_macros(path: str, options: PreprocessOptions) -> Mapping[str, str | None]:
    """The names that are macros anywhere in what the preprocessor reads for a file, those of the compiler included.

    With each its replacement where it is an object-like macro with one definition, which stands at the end, as that of
    ``NULL`` does, which each header that has it makes anew; None for all others. Raises what ``preprocess`` raises.
    """
    compiler = _find_compiler(options.compiler)
    text, _ = _decode(_run_compiler(path, [*compiler, "-dD"], options.of_file(path))[0])
    bodies: dict[str, set[str | None]] = {name: {None} for name in _DYNAMIC}
    undefined: set[str] = set()
    for directive, name, parameters, body in _DEFINED.findall(text):
        known = bodies.setdefault(name, set())
        if directive == "undef":
            undefined.add(name)
        else:
            undefined.discard(name)
            known.add(None if parameters else body.strip())
    return {
        name: next(iter(known)) if len(known) == 1 and name not in undefined else None
        for name, known in bodies.items()
    }


_DEFINED: Final = re.compile(r"^#(define|undef) (\w+)(\()?(.*)", re.MULTILINE)

_DYNAMIC: Final = frozenset(
    {
        "__BASE_FILE__",
        "__COUNTER__",
        "__DATE__",
        "__FILE__",
        "__FILE_NAME__",
        "__INCLUDE_LEVEL__",
        "__LINE__",
        "__TIME__",
        "__TIMESTAMP__",
        "_Pragma",
    }
)
"""Names of predefined macros that no compiler lists."""


# -- the compiler --------------------------------------------------------------------------------------------


def _find_compiler(wanted: str | None) -> list[str]:
    """The command to run. Raises UsageError when the machine has no compiler."""
    if wanted is not None:
        command = shlex.split(wanted)
        if not command or shutil.which(command[0]) is None:
            raise UsageError(f"compiler {wanted!r} not found")
        return command
    for candidate in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        command = shlex.split(candidate)
        if command and shutil.which(command[0]) is not None:
            return command
    raise UsageError(
        "no C compiler is installed to preprocess C files: install gcc or clang, or name one in CC"
    )


def _run_compiler(
    path: str, compiler: list[str], options: PreprocessOptions, ending: str | None = None
) -> tuple[bytes, frozenset[str]]:
    """Run the compiler's preprocessor on a file, with the text ``ending`` behind it: its text and the opened files."""
    # gcc tells its parts the last part of the file's name, and they would take options from @file.
    alone = ending is None and not Path(path).name.startswith("@")
    text = None if alone else _including(path, ending or "")
    command = [*compiler, "-E", "-w", "-x", "c", "-D__SFO__", *MODEL_FLAGS[options.model.name]]
    command += [*preprocessor_user_flags(options), *_HEADERS[options.headers]]
    with ChildProcessWorkplace("sfo-cpp-") as place:
        opened = place / "opened"
        command += ["-MD", "-MT", "opened", "-MF", str(opened)]
        command += [preprocessor_command_word(path)] if text is None else ["-"]
        try:
            done = run_child_process(
                command,
                seconds=_SECONDS,
                text=text,
                env={**os.environ, "LC_ALL": "C", "GCC_COLORS": ""},
                most=LARGEST_TEXT,
                memory=PREPROCESSOR_MEMORY,
            )
        except OSError as error:
            raise InputError(f"{path}: cannot run {compiler[0]} ({error.strerror})") from None
        except ChildProcessOutputError:
            raise ResourceError(
                f"{path}: more than {LARGEST_TEXT >> 20} MiB of text after preprocessing"
            ) from None
        except ChildProcessTimeError:
            raise InputError(f"{path}: the preprocessor did not end within {_SECONDS:.0f} seconds") from None
        if done.code != 0:
            raise _compiler_error(path, _decode(done.errors)[0])
        return _DOTTED.sub(rb"\1", done.output), _opened_files(opened)


def _including(path: str, ending: str) -> bytes:
    """A text that includes a file, with ``ending`` behind it."""
    if '"' in path:
        raise InputError(f"{path}: a quotation mark in the name of a file that others surround; rename it")
    return os.fsencode(f'#include "{preprocessor_command_word(path)}"\n') + ending.encode(
        "utf-8", "surrogateescape"
    )


_DOTTED: Final = re.compile(rb'^(# \d+ ")\./(?=[-@])', re.MULTILINE)
"""Pattern of a line marker whose file name has been made harmless."""


def _opened_files(rule: Path) -> frozenset[str]:
    """The real paths in the rule for make that the compiler wrote: of all files that it has opened."""
    text = os.fsdecode(rule.read_bytes()).replace("\\\n", " ") if rule.exists() else ""
    words = _WORD_OF_RULE.findall(text.partition(":")[2])
    return frozenset(os.path.realpath(_ESCAPED.sub(r"\1", word).replace("$$", "$")) for word in words)


_WORD_OF_RULE: Final = re.compile(r"(?:\\.|[^\\\s])+")
_ESCAPED: Final = re.compile(r"\\([ \t#:])")


# -- what a compiler is told ---------------------------------------------------------------------------------


_DEFINE: Final = re.compile(r"[^\W\d][\w$]*(?:\([\w$,. ]*\))?(?:=[^\n\r\0]*)?")
_STANDARD: Final = re.compile(r"[A-Za-z0-9+:]+")
_NO_PATH: Final = re.compile(r"[\n\r\0]|\A\Z")


def preprocessor_user_flags(options: PreprocessOptions) -> tuple[str, ...]:
    """``options`` as flags that a compiler can take for nothing else, whoever wrote them.

    They may come with a program, from a configuration file or a ``compile_commands.json``. An empty value would take
    the next flag for its own. ``@file`` is replaced by what is in the file, which may be any flag, ``-wrapper`` too.
    Raises UsageError for a value that is none.
    """
    for flag, values in (("-I", options.include_dirs), ("-include", options.forced_includes)):
        for value in values:
            if _NO_PATH.search(value):
                raise UsageError(
                    f"{flag} {value!r}: not the name of a {'directory' if flag == '-I' else 'file'}"
                )
    for value in options.defines:
        if not _DEFINE.fullmatch(value):
            raise UsageError(f"-D {value!r}: not of the form NAME or NAME=VALUE, on one line")
    if options.standard is not None and not _STANDARD.fullmatch(options.standard):
        raise UsageError(f"-std {options.standard!r}: not the name of a language standard, as c11 is")
    return (
        *([f"-std={options.standard}"] if options.standard else ()),
        *[f"-I{directory}" for directory in options.include_dirs],
        *[f"-D{define}" for define in options.defines],
        *[
            word
            for header in options.forced_includes
            for word in ("-include", preprocessor_command_word(header))
        ],
    )


def preprocessor_command_word(path: str) -> str:
    """The name of a file as a word of a command line that is neither an option nor a file with options."""
    return f"./{path}" if path.startswith(("-", "@")) else path


def _compiler_error(path: str, stderr: str) -> InputError:
    """The first error the compiler printed, as one of ours."""
    for line in stderr.splitlines():
        if found := _COMPILER_ERROR.match(line):
            number = int(found["line"])
            column = int(found["column"]) if found["column"] else None
            return InputError(found["text"], Location(found["file"], number, column, number, column))
        if ": out of memory " in line:
            return InputError(
                f"{path}: the preprocessor took more than {PREPROCESSOR_MEMORY >> 20} MiB of memory: "
                "is a device or a very large file included?"
            )
    lines = [line for line in stderr.splitlines() if line.strip()]
    return InputError(f"{path}: the preprocessor failed: {lines[0] if lines else 'no message'}")


# -- the original lines --------------------------------------------------------------------------------------


def _original_files(path: str, text: str, opened: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The lines of every file that contributed text, of one that was not ``opened`` what the text holds of it.

    Any name can stand in a ``#line``: nothing is read because a program says that it comes from there.
    """
    files: dict[str, tuple[str, ...]] = {}
    for name in _contributing_files(path, text):
        if name in files or name.startswith("<") or _is_ours(name):
            continue
        lines = _lines_of(name) if _real(name) in opened else None
        files[name] = _lines_in_text(path, text, name) if lines is None else lines
    return files


def _real(name: str) -> str | None:
    try:
        return os.path.realpath(name)
    except (OSError, ValueError):
        return None


def _lines_of(name: str) -> tuple[str, ...] | None:
    """The lines of a file; None where it cannot be read."""
    try:
        lines = _decode(read_regular_file_bytes(name, error=InputError))[0].split("\n")
    except InputError:
        return None
    return tuple([line.rstrip("\r") for line in lines])


_HAS_WORD = re.compile(r"\w")


def _lines_in_text(path: str, text: str, wanted: str) -> tuple[str, ...]:
    """The lines of a file as far as preprocessed text has them, in their places.

    Programs that a tool printed have several lines in one place: the first with a word in it is the one.
    """
    lines: list[str] = []
    for name, number, line, _ in preprocessed_numbered_lines(path, text):
        if name == wanted and line.strip() and 0 < number <= _MOST_LINES:
            lines += [""] * (number - len(lines))
            if not _HAS_WORD.search(lines[number - 1]):
                lines[number - 1] = line
    return tuple(lines)


_is_ours: Final = cache(lambda file: Path(file).is_relative_to(HEADERS))


@cache
def is_preprocessed_header_file(file: str) -> bool:
    """Whether a file is one of our headers or of the machine's."""
    return _is_ours(file) or file.startswith("/usr/")


def is_preprocessed_library_file(file: str) -> bool:
    """Whether a file is one of the models of the C library."""
    return file.startswith(LIBRARY)


def is_preprocessed_foreign_file(file: str) -> bool:
    """Whether a file is none of the program's own: a model of the library, or a header of the system."""
    return is_preprocessed_library_file(file) or is_preprocessed_header_file(file)


_PROTOTYPE: Final = re.compile(r"(?:extern )?[A-Za-z_][\w ]*[ *](\w+)\([^(){};]*\);")
"""Pattern of a function prototype on a line of its own, as our headers have it."""

_WORDS: Final = re.compile(r"[A-Za-z_]\w*")


def preprocessed_without_prototypes(source: PreprocessedFile) -> PreprocessedFile:
    """Remove the prototypes of our own headers that nothing else in the text names; their lines stay, empty.

    Parsing and typing hundreds of declarations took longer than a small program.
    """
    lines = source.text.split("\n")
    prototypes: dict[int, str] = {}
    ours = False
    kept: list[str] = []
    for n, line in enumerate(lines):
        if found := LINE_MARKER.match(line):
            if found[2] is not None:
                ours = _is_ours(_unescape_file_name(found[2]))
        elif ours and (declared := _PROTOTYPE.fullmatch(line)):
            prototypes[n] = declared[1]
        else:
            kept.append(line)
    if not prototypes:
        return source
    words = set(_WORDS.findall("\n".join(kept)))
    for n, name in prototypes.items():
        if name not in words:
            lines[n] = ""
    return replace(source, text="\n".join(lines))


def _contributing_files(path: str, text: str) -> Iterator[str]:
    """Names of the files that a line of the text comes from, in order, each switch reported once."""
    reported = None
    for file, _, line, _ in preprocessed_numbered_lines(path, text):
        if file != reported and line.strip():
            reported = file
            yield file


def preprocessed_numbered_lines(path: str, text: str) -> Iterator[tuple[str, int, str, int]]:
    """File, number and text of each line but line markers, and its place in ``text``, which begins in ``path``."""
    file, number = path, 1
    for place, line in enumerate(text.split("\n")):
        if line.lstrip()[:1] == "#" and (marker := LINE_MARKER.match(line)):
            file = _unescape_file_name(marker[2]) if marker[2] is not None else file
            number = int(marker[1])
            continue
        yield file, number, line, place
        number += 1


def preprocessed_file_name(name: str) -> str:
    """A file name as it stands in a line marker: quoted, with escapes."""
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


def _unescape_file_name(name: str) -> str:
    """A file name as it stands in a line marker, without its escapes."""
    return name if "\\" not in name else re.sub(r"\\(.)", r"\1", name)
