"""Side effects outside of the process, of calls of library functions: output to the standard error, files removed.

remove(name)   ->   effect "remove %s" of name
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cfrontend import goto
from cfrontend.goto import EFFECTS
from cfrontend.lower.context import Lowering
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CHAR, INT, CType, IntType, PointerType

TO_STDERR: Final = "what is written to stderr"
"""The side effect of output to the standard error."""

TO_FILES: Final = "what is written to files that it opens"
"""The side effect of output to other files."""

_WRITE_TO_STDERR: Final = frozenset(
    {"perror", "warn", "warnx", "vwarn", "vwarnx", "err", "errx", "verr", "verrx", "error"}
)
"""Functions of the library that write to stderr; the models of all but ``perror`` do so by ``vfprintf``."""

_WRITE: Final = {
    "fprintf": 0, "vfprintf": 0, "fputs": 1, "fputc": 1, "putc": 1, "fwrite": 3, "dprintf": 0, "vdprintf": 0, "write": 0, "pwrite": 0,
}  # fmt: skip
"""Functions of the library that write to a file, and the position of the argument that says to which."""

_OPEN: Final = frozenset({"fopen", "freopen", "fdopen", "open", "creat", "mkstemp"})
"""Functions of the library that open files."""

_AFFECT: Final = frozenset(
    {
        "system", "popen", "setenv", "putenv", "unsetenv", "clearenv", "remove", "rename", "unlink", "rmdir", "mkdir",
        "chdir", "chmod", "fchmod", "link", "symlink", "truncate", "ftruncate", "mkdtemp", "umask", "kill", "alarm",
        "signal", "sigaction", "atexit", "on_exit", "setlocale", "srand", "srandom", "sleep", "usleep", "nanosleep",
        "setuid", "setgid", "seteuid", "setegid", "setreuid", "setregid",
    }
)  # fmt: skip
"""Functions of the library that change what only later calls, or others outside of the program, see."""


def side_effect_of_library(name: str) -> str:
    """The side effect of a library function, in words; empty if it has none outside of the process."""
    if name in _WRITE_TO_STDERR:
        return TO_STDERR
    if name in _OPEN:
        return TO_FILES
    return f"what {name} is given" if name in _AFFECT else ""


def emit(
    x: Lowering, e: tree.Call, what: str, template: bytes | None, arguments: Sequence[Expression]
) -> None:
    """Emit an effect, where side effects are compared; without a ``template`` nothing is known of it."""
    if EFFECTS in x.emit.checks:
        x.emit.add(
            goto.EffectInstruction(
                location=e.location, what=what, format=template, arguments=tuple(arguments)
            )
        )


def emit_of_call(x: Lowering, e: tree.Call, name: str, arguments: Sequence[Expression]) -> None:
    """Emit the effect of a call of a library function by its ``name`` and arguments, if it has one."""
    if EFFECTS not in x.emit.checks:
        return
    if name in _WRITE:
        _emit_output(x, e, arguments[_WRITE[name]])
    elif name == "perror":
        _emit_told(x, e, name, TO_STDERR, (*arguments, *_variable(x, e, "errno")))
    elif name in _AFFECT | _OPEN:
        _emit_told(x, e, name, f"what {name} is given", arguments)


def _emit_told(x: Lowering, e: tree.Call, name: str, what: str, arguments: Sequence[Expression]) -> None:
    """Emit an effect that the arguments tell, if they are numbers and strings."""
    formats = [_conversion(argument.type) for argument in arguments]
    told = [one for one in formats if one is not None]
    if len(told) == len(formats):
        emit(x, e, what, b" ".join((name.encode(), *told, b"\n")), arguments)
    else:
        emit(x, e, what, None, ())


def _emit_output(x: Lowering, e: tree.Call, file: Expression) -> None:
    """Emit the effect of output to a file, or to a descriptor, unless it is the standard output."""
    known = queries.syntax_below_conversions(file)
    if isinstance(file.type, PointerType):
        standard, shown = standard_file(file), _variable(x, e, "stdout")
    else:
        number = known.value if isinstance(known, tree.IntConstant) else None
        standard = None if number is None else {1: "stdout", 2: "stderr"}.get(number)
        shown = [tree.IntConstant(type=file.type, location=e.location, value=1)]
    if standard in {"stdout", "stderr"}:
        if standard == "stderr":
            emit(x, e, TO_STDERR, None, ())
        return
    end = x.emit.label()
    for one in shown:
        is_shown = tree.Binary(type=INT, location=e.location, op="==", left=file, right=one)
        x.emit.branch(is_shown, end, when=True)
    emit(x, e, TO_FILES, None, ())
    x.emit.place(end)


def _variable(x: Lowering, e: tree.Call, key: str) -> list[Expression]:
    """The value of a variable of the library, if the program has it."""
    return [v.symbol.reference(e.location) for v in x.program.variables if v.symbol.key == key]


def _conversion(ctype: CType) -> bytes | None:
    """The conversion that prints an argument; None where it does not say what the argument is."""
    match ctype:
        case IntType(signed=signed, width=width):
            return (b"%ll" if width > INT.width else b"%") + (b"d" if signed else b"u")
        case PointerType(target=target) if target == CHAR:
            return b"%s"
        case _:
            return None


def standard_file(e: Expression) -> str | None:
    """The name of ``stdout`` or ``stderr`` when the expression is that variable."""
    e = queries.syntax_below_conversions(e)
    if isinstance(e, tree.VariableRef) and e.symbol.name in {"stdout", "stderr"}:
        return e.symbol.name
    return None
