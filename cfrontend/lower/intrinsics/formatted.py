"""``printf`` and its kin recorded as output: formatted output.

printf("%d", x)   ->   output "%d" of x
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cfrontend import goto
from cfrontend.goto import EFFECTS
from cfrontend.goto.printf_arguments import printf_argument_mismatch
from cfrontend.lower import calls, dialect, evaluation_order, pure, side_effects
from cfrontend.lower.context import Lowering
from cfrontend.lower.intrinsic_registry import CallSite, intrinsic
from cfrontend.lower.side_effects import TO_FILES, TO_STDERR
from cfrontend.stdio import printf
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CHAR, INT, UCHAR, ArrayType, IntType, PointerType

_FILE_ARGUMENT = {"fprintf": 0, "fputs": 1, "fputc": 1, "putc": 1}
"""Position of the argument that names the file, by function."""


_READ_AS_STRINGS: Final = frozenset(
    {("puts", b"%s\n"), ("fputs", b"%s"), ("printf", b"%s\n"), ("fprintf", b"%s"), ("fputws", b"%ls")}
)
"""Names and formats of calls that read a null pointer: of printf and fprintf those which gcc makes puts and fputs."""

_IS_SHOWN = "__sfo_is_shown"
"""The model of whether what goes to a file is output."""

# -- output --------------------------------------------------------------------------------------------------


def is_formatted_output_recorded(
    e: tree.Call, name: str, program: tree.TranslationUnit, *, wanted: bool
) -> bool:
    """True if a call of one of ``OUTPUTS`` becomes an instruction; else the function's model is called.

    It does where the format is a literal of usual conversions and nobody wants the result. The model says what becomes
    of a character where it may go to a file that keeps it.
    """
    given = list(e.arguments)
    place = _FILE_ARGUMENT.get(name)
    if place is not None:
        if len(given) <= place or (
            program.keeps_files and wanted and side_effects.standard_file(given[place]) is None
        ):
            return False
        del given[place]
    if name in {"putchar", "fputc", "putc"}:
        return bool(given)
    if wanted or not given:
        return False
    if name in {"puts", "fputs"}:
        return True
    literal = format_literal(given[0])
    return literal is not None and printf.is_printf_format_parsed(literal)


def formatted_output_helpers(e: tree.Call, name: str, program: tree.TranslationUnit) -> frozenset[str]:
    """The models that a call which ``is_formatted_output_recorded`` needs."""
    place = _FILE_ARGUMENT.get(name)
    is_plain = place is None or side_effects.standard_file(e.arguments[place]) is not None
    if is_plain:
        return frozenset()
    return frozenset({_IS_SHOWN, name} if program.keeps_files else {_IS_SHOWN})


def _is_recorded(c: CallSite) -> bool:
    return is_formatted_output_recorded(c.e, c.name, c.x.program, wanted=c.wanted)


@intrinsic(*dialect.OUTPUTS, instead_of="library", where=_is_recorded)
def _output(c: CallSite) -> Expression | None:
    """Output to ``stdout`` is recorded; what goes to ``stderr`` or to a named file is evaluated only.

    A named file that keeps it is given it by the function's model.
    """
    x, e, name = c.x, c.e, c.name
    arguments = evaluation_order.pure_arguments(x, e.arguments)
    whole = tuple(arguments)
    given = list(e.arguments)
    file: str | None = "stdout"
    unknown: Expression | None = None
    if name in _FILE_ARGUMENT:
        file = side_effects.standard_file(given.pop(_FILE_ARGUMENT[name]))
        unknown = arguments.pop(_FILE_ARGUMENT[name])
    match name:
        case "puts":
            template = b"%s\n"
        case "fputs":
            template = b"%s"
        case "putchar" | "fputc" | "putc":
            template = b"%c"
        case _:
            template = format_literal(given[0]) or b""
            arguments = arguments[1:]
            given = given[1:]
    end = x.emit.label()
    elsewhere = x.emit.label()
    shown: tree.VariableRef | None = None
    if file is None and unknown is not None:
        shown = x.emit.variable(INT, e.location)
        calls.of_model(x, e, _IS_SHOWN, (unknown,), shown.symbol)
    _check_arguments(x, e, template, given, arguments)
    if shown is not None:
        x.emit.branch(shown, elsewhere, when=False)
    if file == "stderr":
        side_effects.emit(x, e, TO_STDERR, template, arguments)
    else:
        x.emit.add(goto.OutputInstruction(location=e.location, format=template, arguments=tuple(arguments)))
    if shown is not None and (x.program.keeps_files or EFFECTS in x.emit.checks):
        x.emit.jump(end)
        x.emit.place(elsewhere)
        side_effects.emit(x, e, TO_FILES, None, ())
        if x.program.keeps_files:
            calls.of_model(x, e, name, whole, None)
    else:
        x.emit.place(elsewhere)
    x.emit.place(end)
    if template == b"%c" and name != "printf" and name != "fprintf":
        byte = tree.Cast(type=UCHAR, location=e.location, operand=arguments[0], implicit=True)
        return tree.Cast(type=INT, location=e.location, operand=byte, implicit=True)
    return pure.placeholder(e)


def _check_arguments(
    x: Lowering,
    e: tree.Call,
    template: bytes,
    given: Sequence[Expression],
    arguments: Sequence[Expression],
) -> None:
    """Check that a format is given what it prints, and that ``%s`` can read its characters.

    With a precision it reads so many at the most. ``printf`` prints a null pointer, too, but not where gcc calls
    ``puts``.
    """
    or_null = (dialect.callee_name_in_dialect(e) or "", template) not in _READ_AS_STRINGS
    position = 0
    for conversion in printf.printf_conversions(template):
        position += len(conversion.arguments())
        if conversion.kind != "s" or position > len(arguments):
            continue
        argument = arguments[position - 1]
        if format_literal(given[position - 1]) is None and isinstance(argument.type, PointerType):
            most = _precision(conversion, arguments[: position - 1], e)
            width = x.structs.model.wide_character.width // 8 if conversion.is_wide else 1
            condition = goto.ValidStringCondition(pointer=argument, most=most, width=width, or_null=or_null)
            x.emit.check("pointer", condition, f"invalid pointer in {x.text(e)}", e.location)
    mismatch = printf_argument_mismatch(template, [argument.type for argument in arguments])
    if mismatch is not None:
        never = tree.IntConstant(type=INT, location=e.location, value=0)
        x.emit.check("format", never, mismatch, e.location)


def _precision(
    conversion: printf.PrintfConversion, before: Sequence[Expression], e: tree.Call
) -> Expression | None:
    """The precision of a conversion, for ``*`` the last of the arguments ``before``; None without one."""
    match conversion.precision:
        case int(number):
            return tree.IntConstant(type=INT, location=e.location, value=number)
        case "*" if isinstance(before[-1].type, IntType):
            return tree.Cast(type=INT, location=e.location, operand=before[-1], implicit=True)
        case _:
            return None


def is_wide_formatted_output(e: tree.Call, name: str, *, wanted: bool) -> bool:
    """True if a call of one of ``WIDE_OUTPUTS`` becomes an instruction (see ``is_formatted_output_recorded``)."""
    if wanted or not e.arguments:
        return False
    place = {"wprintf": 0, "fwprintf": 1}.get(name)
    return place is None or (len(e.arguments) > place and _wide_literal(e.arguments[place]) is not None)


def _is_wide_output(c: CallSite) -> bool:
    return is_wide_formatted_output(c.e, c.name, wanted=c.wanted)


@intrinsic(*dialect.WIDE_OUTPUTS, instead_of="library", where=_is_wide_output)
def _wide_output(c: CallSite) -> Expression:
    """Wide output: the strings in it are read, and no more is known of it."""
    x, e, name = c.x, c.e, c.name
    arguments = evaluation_order.pure_arguments(x, e.arguments)
    place = {"wprintf": 0, "fwprintf": 1}.get(name)
    template = b"%ls" if name == "fputws" else b""
    first = 0
    if place is not None:
        template, first = _wide_literal(e.arguments[place]) or b"", place + 1
    try:
        _check_arguments(x, e, template, e.arguments[first:], arguments[first:])
    except ValueError:
        x.emit.refuse(f"{x.text(e)} is not supported yet", e.location)
    x.emit.add(goto.OutputInstruction(location=e.location, format=b"", arguments=(), is_wide=True))
    return pure.placeholder(e)


def _wide_literal(e: Expression) -> bytes | None:
    """The text of a wide string literal, with ``?`` for what is not ASCII."""
    while isinstance(e, tree.Cast | tree.Decay):
        e = e.operand
    if not isinstance(e, tree.StringLiteral) or not isinstance(e.type, ArrayType) or e.type.element == CHAR:
        return None
    return e.data.decode("utf-32-le", "replace")[:-1].encode("ascii", "replace")


def format_literal(e: Expression) -> bytes | None:
    """The text of a string literal up to its first zero; None for anything else."""
    while isinstance(e, tree.Cast | tree.Decay):
        e = e.operand
    return e.data.partition(b"\0")[0] if isinstance(e, tree.StringLiteral) else None


def _compares_literals(c: CallSite) -> bool:
    return c.given == 2 and all(format_literal(argument) is not None for argument in c.e.arguments)


@intrinsic("strcmp", instead_of="library", where=_compares_literals)
def _strcmp(c: CallSite) -> Expression:
    left, right = [format_literal(argument) or b"" for argument in c.e.arguments]
    return tree.IntConstant(type=INT, location=c.e.location, value=(left > right) - (left < right))
