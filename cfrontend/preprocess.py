r"""Run the C preprocessor and keep the road back to the lines the programmer wrote.

The user's own compiler does the work, with our small headers in front of the machine's. Its line markers stay in
the text, and the files they name are read so that columns and comments can be looked up later.

    preprocess("ring.c", PreprocessOptions(defines=("N=4",)))
    -> PreprocessedFile(text='# 1 "ring.c"\nint ring[4];\n', files={"ring.c": ("int ring[N];",)}, ...)
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import IO, Any, Final, final

from cfrontend.errors import InputError, Location, ResourceError, UsageError
from cfrontend.record import dataclass
from cfrontend.types import LP64, DataModel

_MOST_LINES = 1_000_000
"""Line numbers beyond this are taken for nonsense."""

HEADERS = Path(__file__).parent / "headers"
"""Our own standard headers: prototypes, types and constants only, so that ``assert`` stays a call."""

LIBRARY = "<library>"
"""Folder that the files of library models seem to stand in."""

LINE_MARKER = re.compile(r'^[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?([ \t\d]*)$')
"""``# 12 "file.c" 2`` and ``#line 12 "file.c"``: line, file, flags."""

_COMPILER_ERROR = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: (?P<text>.*)$"
)
MODEL_FLAGS: Final[Mapping[str, tuple[str, ...]]] = {"lp64": (), "ilp32": ("-m32", "-msse2", "-mfpmath=sse")}
"""What a compiler for x86-64 is told, by data model."""

_SECONDS = 120.0

LARGEST_TEXT: Final = 1 << 28
"""Bytes of text after preprocessing; macros that grow without end come to more."""


@final
@dataclass(frozen=True, slots=True)
class PreprocessOptions:
    """The compiler flags that change what the preprocessor sees.

    ``forced_includes`` is ``-include``, ``standard`` is the value of ``-std=``. ``compiler`` None looks for
    ``$CC``, cc, gcc and clang, and falls back to pcpp. ``model`` ILP32 is ``-m32`` with SSE arithmetic.
    """

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    forced_includes: tuple[str, ...] = ()
    standard: str | None = None
    compiler: str | None = None
    model: DataModel = LP64


@final
@dataclass(frozen=True, slots=True)
class Quotation:
    """A line of code where it was first written; ``before`` tokens were put before it, which stand where it begins."""

    text: str
    before: int = 0


@final
@dataclass(frozen=True, slots=True)
class PreprocessedFile:
    """Text with line markers; ``files`` maps each file named there (not our headers) to its lines.

    ``encoding`` is what the text was decoded with, so that string literals can go back to their bytes. ``quoted`` are
    lines, by file and number, whose code is not in the file as such, but in a comment, with what can stand in each.
    """

    path: str
    text: str
    files: Mapping[str, tuple[str, ...]] = field(repr=False)
    encoding: str = "utf-8"
    quoted: Mapping[tuple[str, int], Sequence[Quotation]] = field(default_factory=dict, repr=False)


def preprocess(
    path: str, options: PreprocessOptions | None = None, ending: str | None = None
) -> PreprocessedFile:
    """Preprocess one C file, with the text ``ending`` behind it.

    A ``.i`` file alone is taken as it is, but for comments.

    Raises InputError when the file cannot be read or the preprocessor rejects it, UsageError when the
    compiler that was asked for does not exist.
    """
    options = options or PreprocessOptions()
    source = _read_bytes(path)
    if source[:2] in _UTF16:
        raise InputError(f"{path}: is in UTF-16; sfo reads C in UTF-8 or another encoding with ASCII in it")
    around = None if ending is None else f'#include "{path}"\n{ending}'.encode()
    if path.endswith(".i") and around is None:
        raw = source
    elif (compiler := _find_compiler(options.compiler)) is None:
        raw = _run_pcpp(path, around or source, options)
    else:
        raw = _run_compiler(path, compiler, options, around)
    text, encoding = _decode(raw)
    files = _original_files(path, text)
    return PreprocessedFile(path, without_comments(text) if raw is source else text, files, encoding)


_COMMENT_OR_LITERAL: Final = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""",
    re.DOTALL,
)
_NOT_NEWLINE: Final = re.compile(r"[^\n]")


def without_comments(text: str) -> str:
    """C with spaces for its comments, so that the lines and columns behind them stay."""
    return _COMMENT_OR_LITERAL.sub(_blank_comment, text)


def _blank_comment(found: re.Match[str]) -> str:
    return _NOT_NEWLINE.sub(" ", found[0]) if found[0].startswith("/") else found[0]


_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
"""What files in UTF-16 begin with."""


def _decode(raw: bytes) -> tuple[str, str]:
    """Text and the encoding it was read with; latin-1 takes what is not UTF-8."""
    try:
        return raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return raw.decode("latin-1"), "latin-1"


def macros(path: str, options: PreprocessOptions) -> frozenset[str] | None:
    """The names that are macros anywhere in what the preprocessor reads for a file, those of the compiler included.

    None where there is no compiler to ask. Raises what ``preprocess`` raises.
    """
    compiler = _find_compiler(options.compiler)
    if compiler is None:
        return None
    text, _ = _decode(_run_compiler(path, [*compiler, "-dD"], options))
    return frozenset(_DEFINED.findall(text)) | _DYNAMIC


_DEFINED: Final = re.compile(r"^#define (\w+)", re.MULTILINE)

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
"""Macros that no compiler lists."""


def _read_bytes(path: str) -> bytes:
    if not path:
        raise InputError("an empty name is not a file")
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a directory, not a C file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except ValueError:
        raise InputError(f"{path!r}: not a file name") from None


# -- the compiler --------------------------------------------------------------------------------------------


def _find_compiler(wanted: str | None) -> list[str] | None:
    """The command to run, or None when the machine has no compiler."""
    if wanted is not None:
        command = shlex.split(wanted)
        if not command or shutil.which(command[0]) is None:
            raise UsageError(f"compiler {wanted!r} not found")
        return command
    for candidate in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        command = shlex.split(candidate)
        if command and shutil.which(command[0]) is not None:
            return command
    return None


def _run_compiler(
    path: str, compiler: list[str], options: PreprocessOptions, text: bytes | None = None
) -> bytes:
    """What the compiler makes of a file, or of a text that stands for it."""
    command = [*compiler, "-E", "-w", "-x", "c", "-D__SFO__"]
    command += MODEL_FLAGS[options.model.name]
    command += [f"-std={options.standard}"] if options.standard else []
    command += [f"-I{directory}" for directory in options.include_dirs]
    command += ["-isystem", str(HEADERS)]
    command += [f"-D{define}" for define in options.defines]
    for header in options.forced_includes:
        command += ["-include", header]
    if text is not None:
        command += ["-"]
    else:
        command += ["--", path] if path.startswith("-") else [path]
    environment = {**os.environ, "LC_ALL": "C", "GCC_COLORS": ""}
    try:
        code, output, errors = _output_of(command, environment, text)
    except OSError as error:
        raise InputError(f"{path}: cannot run {compiler[0]} ({error.strerror})") from None
    if len(output) > LARGEST_TEXT:
        raise ResourceError(f"{path}: more than {LARGEST_TEXT >> 20} MiB of text after preprocessing")
    if code == -signal.SIGKILL:
        raise InputError(f"{path}: the preprocessor did not end within {_SECONDS:.0f} seconds")
    if code != 0:
        raise _compiler_error(path, _decode(errors)[0])
    return output


def _output_of(
    command: list[str], environment: Mapping[str, str], text: bytes | None = None
) -> tuple[int, bytes, bytes]:
    """Exit code, standard output and error of a command that reads ``text``.

    It is killed when it takes too long or writes too much.
    """
    output = bytearray()
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            command, stdin=_rewound(given, text), stdout=subprocess.PIPE, stderr=errors, env=environment
        ) as process,
    ):
        assert process.stdout is not None
        timer = threading.Timer(_SECONDS, process.kill)
        timer.start()
        try:
            while len(output) <= LARGEST_TEXT and (chunk := process.stdout.read(1 << 16)):
                output += chunk
            if len(output) <= LARGEST_TEXT:
                process.wait()
        finally:
            timer.cancel()
            process.kill()
        errors.seek(0)
        return process.wait(), bytes(output), errors.read(1 << 20)


def _rewound(file: IO[bytes], text: bytes | None) -> IO[bytes] | None:
    """``file`` with ``text`` in it, to be read from the start; None without a text."""
    if text is None:
        return None
    file.write(text)
    file.seek(0)
    return file


def _compiler_error(path: str, stderr: str) -> InputError:
    """The first error the compiler printed, as one of ours."""
    for line in stderr.splitlines():
        if found := _COMPILER_ERROR.match(line):
            number = int(found["line"])
            column = int(found["column"]) if found["column"] else None
            return InputError(found["text"], Location(found["file"], number, column, number, column))
    lines = [line for line in stderr.splitlines() if line.strip()]
    return InputError(f"{path}: the preprocessor failed: {lines[0] if lines else 'no message'}")


# -- pcpp ----------------------------------------------------------------------------------------------------

_PCPP_PREDEFINED = (
    "__SFO__ 1",
    "__STDC__ 1",
    "__STDC_VERSION__ 201710L",
    "__STDC_HOSTED__ 1",
    "__linux__ 1",
    "__CHAR_BIT__ 8",
)
_PCPP_MODEL: Final[Mapping[str, tuple[str, ...]]] = {
    "lp64": ("__x86_64__ 1", "__LP64__ 1", "_LP64 1", "__SIZEOF_LONG__ 8", "__SIZEOF_POINTER__ 8"),
    "ilp32": ("__i386__ 1", "_ILP32 1", "__ILP32__ 1", "__SIZEOF_LONG__ 4", "__SIZEOF_POINTER__ 4"),
}


def _run_pcpp(path: str, source: bytes, options: PreprocessOptions) -> bytes:
    """Preprocess without a compiler; the line markers are ``#line`` directives."""
    import pcpp

    class Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]
        """Turns every complaint into an InputError."""

        def on_error(self, file: str, line: int, msg: str) -> None:
            raise InputError(msg, Location(file, line, None, line, None))

        def on_directive_handle(self, directive: Any, toks: Any, ifpassthru: Any, precedingtoks: Any) -> Any:
            if directive.value == "error":
                text = "".join([token.value for token in toks])
                raise InputError(
                    f"#error {text}", Location(directive.source, directive.lineno, 1, directive.lineno)
                )
            return super().on_directive_handle(directive, toks, ifpassthru, precedingtoks)

        def on_include_not_found(self, is_malformed: bool, is_system: bool, current: str, name: str) -> None:  # noqa: ARG002
            line = self.lastdirective.lineno
            raise InputError(
                f"{name}: no such file", Location(self.lastdirective.source, line, None, line, None)
            )

    text, encoding = _decode(source)
    preprocessor = Preprocessor()
    preprocessor.line_directive = "#line"
    for directory in (*options.include_dirs, str(HEADERS)):
        preprocessor.add_path(directory)
    for define in (
        *_PCPP_PREDEFINED,
        *_PCPP_MODEL[options.model.name],
        *[_pcpp_define(define) for define in options.defines],
    ):
        preprocessor.define(define)
    forced = "".join([f'#include "{name}"\n' for name in options.forced_includes])
    preprocessor.parse(f'{forced}#line 1 "{path}"\n{text}' if forced else text, path)
    output = io.StringIO()
    preprocessor.write(output)
    return output.getvalue().encode(encoding)


def _pcpp_define(define: str) -> str:
    """``N=4`` as pcpp wants it: ``N 4``."""
    name, equals, value = define.partition("=")
    return f"{name} {value if equals else '1'}"


# -- the original lines --------------------------------------------------------------------------------------


def _original_files(path: str, text: str) -> dict[str, tuple[str, ...]]:
    """The lines of every file that contributed text; of one that is not there, what the text holds of it."""
    files: dict[str, tuple[str, ...]] = {}
    for name in _contributing_files(path, text):
        if name in files or name.startswith("<") or Path(name).is_relative_to(HEADERS):
            continue
        try:
            lines = _decode(Path(name).read_bytes())[0].split("\n")
        except (OSError, ValueError):
            files[name] = _lines_in_text(path, text, name)
            continue
        files[name] = tuple([line.rstrip("\r") for line in lines])
    return files


_HAS_WORD = re.compile(r"\w")


def _lines_in_text(path: str, text: str, wanted: str) -> tuple[str, ...]:
    """The lines of a file as far as preprocessed text has them, in their places.

    Programs that a tool printed have several lines in one place: the first with a word in it is the one.
    """
    lines: list[str] = []
    for name, number, line, _ in numbered_lines(path, text):
        if name == wanted and line.strip() and 0 < number <= _MOST_LINES:
            lines += [""] * (number - len(lines))
            if not _HAS_WORD.search(lines[number - 1]):
                lines[number - 1] = line
    return tuple(lines)


def is_header(file: str) -> bool:
    """Whether a file is one of our headers or of the machine's."""
    return Path(file).is_relative_to(HEADERS) or file.startswith("/usr/")


def is_library(file: str) -> bool:
    """Whether a file is one of the models of the C library."""
    return file.startswith(LIBRARY)


def is_foreign(file: str) -> bool:
    """Whether a file is none of the program's own: a model of the library, or a header of the system."""
    return is_library(file) or is_header(file)


_PROTOTYPE: Final = re.compile(r"(?:extern )?[A-Za-z_][\w ]*[ *](\w+)\([^(){};]*\);")
"""A function declared on a line of its own, as our headers do it."""

_WORDS: Final = re.compile(r"[A-Za-z_]\w*")


def without_unused_prototypes(source: PreprocessedFile) -> PreprocessedFile:
    """Without the functions of our own headers that nothing else in the text names; their lines stay, empty.

    Parsing and typing hundreds of declarations took longer than a small program.
    """
    lines = source.text.split("\n")
    prototypes: dict[int, str] = {}
    ours = False
    kept: list[str] = []
    for n, line in enumerate(lines):
        if found := LINE_MARKER.match(line):
            if found[2] is not None:
                ours = Path(unescape_file_name(found[2])).is_relative_to(HEADERS)
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
    for file, _, line, _ in numbered_lines(path, text):
        if file != reported and line.strip():
            reported = file
            yield file


def numbered_lines(path: str, text: str) -> Iterator[tuple[str, int, str, int]]:
    """File, number and text of each line but line markers, and its place in ``text``, which begins in ``path``."""
    file, number = path, 1
    for place, line in enumerate(text.split("\n")):
        if line.lstrip()[:1] == "#" and (marker := LINE_MARKER.match(line)):
            file = unescape_file_name(marker[2]) if marker[2] is not None else file
            number = int(marker[1])
            continue
        yield file, number, line, place
        number += 1


def unescape_file_name(name: str) -> str:
    """A file name as it stands in a line marker, without its escapes."""
    return re.sub(r"\\(.)", r"\1", name)
