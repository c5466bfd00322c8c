"""Output steps: what is printed, and what is observed for the comparison with a reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cfrontend import goto
from cfrontend.errors import Location, UnsupportedError
from cfrontend.events import OutputEvent, OutputEventArgument
from cfrontend.goto.printf_arguments import printf_argument_mismatch
from cfrontend.stdio import printf
from cfrontend.symex import memory, pointers
from cfrontend.symex.functions import Step
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.steps.context import StepContext, refusal_step
from cfrontend.syntax import queries, tree
from cfrontend.syntax.types import ArrayType, CType, IntType, PointerType
from cfrontend.terms import FALSE, TRUE, Term

_NULL = b"(null)\0"
"""Text in bytes that glibc's ``%s`` prints for a null pointer."""

_BEYOND = 8
"""Maximum number of characters that are followed behind the end of the array that ``%s`` prints, in a larger object."""

_WIDEST = 64
"""Bits of the widest integer that is printed."""

_WIDE_LENGTHS = frozenset({"ll", "j", "q"})
"""Length modifiers of ``printf`` that mean 64 bits in every data model."""


def printing_step(f: StepContext, pc: int, i: goto.OutputInstruction) -> Step:
    """The step of output, recorded with the path that prints it."""
    if i.is_wide:
        return lambda m: _refuse_wide_output(m, i.location)
    readers = _argument_readers(f, i.location, i.format, i.arguments)
    if isinstance(readers, goto.RefuseInstruction):
        return refusal_step(f, pc, readers)
    template = i.format if f.x.word == _WIDEST else _without_lengths(i.format)
    unit = i.unit

    def output(m: SymbolicMachine) -> int | None:
        if unit in m.relax:  # it may print anything, and what it computes may be left out
            event = OutputEvent(format=b"", arguments=(), condition=m.path.term)
        else:
            arguments = tuple(read(m) for read in readers)
            event = OutputEvent(format=template, arguments=arguments, condition=m.path.term)
        return None if m.path.term != FALSE and m.print(event) else m.drop()

    return output


def _argument_readers(
    f: StepContext, location: Location, template: bytes, given: Sequence[tree.Expression]
) -> Sequence[Callable[[SymbolicMachine], OutputEventArgument]] | goto.RefuseInstruction:
    """The closures that read what a format prints of ``given``; a refusal where it cannot be printed."""
    try:
        wanted = [
            (kind, conversion)
            for conversion in printf.printf_conversions(template)
            for kind in conversion.arguments()
        ]
    except ValueError as error:
        return goto.RefuseInstruction(location=location, message=f"printf with {error} is not supported yet")
    message = printf_argument_mismatch(template, [argument.type for argument in given])
    for (kind, conversion), argument in zip(wanted, given, strict=False):
        if message is None and not _has_size(f, kind, conversion, argument.type):
            message = f"'{conversion.text}' prints an argument of type {argument.type}"
    if message is not None:
        return goto.RefuseInstruction(location=location, message=message, unsupported=False)
    return [
        _printed(f, kind, a, _most(f, conversion, given[n - 1]))
        for n, ((kind, conversion), a) in enumerate(zip(wanted, given, strict=False))
    ]


def side_effect_step(f: StepContext, _pc: int, i: goto.EffectInstruction) -> Step:
    """The step of a side effect outside of the process, by the text that tells it."""
    template = i.format
    readers = () if template is None else _argument_readers(f, i.location, template, i.arguments)
    if template is None or isinstance(readers, goto.RefuseInstruction):
        return lambda m: _tell_effect(m, i, None)

    def effect(m: SymbolicMachine) -> None:
        if m.compares_output:
            try:
                arguments = tuple(read(m) for read in readers)
            except UnsupportedError:
                _tell_effect(m, i, None)
            else:
                _tell_effect(m, i, OutputEvent(format=template, arguments=arguments, condition=m.path.term))

    return effect


def _tell_effect(m: SymbolicMachine, i: goto.EffectInstruction, event: OutputEvent | None) -> None:
    """Compare a side effect, by the text that tells it, unless the unit that has it may have any."""
    for observer in m.observers if i.unit not in m.relax else ():
        observer.affects(m, event, i.what)


def _refuse_wide_output(m: SymbolicMachine, where: Location) -> None:
    """Wide output is not recorded: whether it shows depends on what else goes to the file."""
    if m.compares_output:
        raise UnsupportedError("comparing wide output is not supported yet", where)


def observation_step(f: StepContext, _pc: int, i: goto.ObserveInstruction) -> Step:
    """The step of an observation: a call that a reference has to make as well."""
    readers = [(f.x.value(e), isinstance(e.type, PointerType)) for e in i.arguments]

    def observe(m: SymbolicMachine) -> int | None:
        if not m.compares_output:
            return None
        values = [(read(m), is_pointer) for read, is_pointer in readers]
        words = tuple(value for value, is_pointer in values if not is_pointer)
        leading = tuple(value for value, is_pointer in values if is_pointer)
        goes_on = all(observer.calls(m, i, words, leading) for observer in m.observers)
        return None if goes_on else m.drop()

    return observe


def _has_size(f: StepContext, kind: str, conversion: printf.PrintfConversion, ctype: CType) -> bool:
    """Whether an argument takes as many words as its conversion takes; only where some are wider than a word."""
    if f.x.word == _WIDEST or kind in printf.REALS:
        return True
    wide = kind in printf.INTEGERS and conversion.kind == kind and conversion.length in _WIDE_LENGTHS
    return f.x.width(ctype) == (64 if wide else 32)


def _most(
    f: StepContext, conversion: printf.PrintfConversion, before: tree.Expression
) -> Callable[[SymbolicMachine], Term] | None:
    """The closure that reads the precision of a conversion, which ``before`` is for ``*``: none of a string goes on."""
    if conversion.kind != "s" or conversion.precision is None:
        return None
    if conversion.precision == "*":
        return f.x.value(before)
    number = conversion.precision
    return lambda m: m.t.const(number, 32)


def _printed(
    f: StepContext, kind: str, e: tree.Expression, most: Callable[[SymbolicMachine], Term] | None
) -> Callable[[SymbolicMachine], OutputEventArgument]:
    """The closure that reads one argument for printing, of a string ``most`` characters."""
    value = f.x.value(e)
    signed = isinstance(e.type, IntType) and e.type.signed
    if kind != "s":
        return lambda m: OutputEventArgument(value=value(m), signed=signed)

    def text(m: SymbolicMachine) -> OutputEventArgument:
        pointer = value(m)
        characters = _characters(m, pointer, e, None if most is None else most(m))
        return OutputEventArgument(value=pointer, signed=False, characters=characters)

    return text


def _without_lengths(template: bytes) -> bytes:
    """The format without ``l``, ``z`` and ``t``, where what they are said of has the size of an int."""
    pieces: list[bytes] = []
    for piece in printf.parse_printf_format(template):
        if isinstance(piece, bytes):
            pieces.append(piece.replace(b"%", b"%%"))
        elif piece.length in {"l", "z", "t"} and piece.kind in printf.INTEGERS:
            pieces.append((piece.text[: -1 - len(piece.length)] + piece.kind).encode())
        else:
            pieces.append(piece.text.encode())
    return b"".join(pieces)


def _characters(m: SymbolicMachine, pointer: Term, e: tree.Expression, most: Term | None) -> tuple[Term, ...]:
    """The characters of a string up to the end of its object, or to the first that is surely zero; ``most`` of them.

    An array in a larger object (a name in a table of records) is left by few strings: they are followed a little
    further, and those that go on leave the bound, unless what they print is known.
    """
    t = m.t
    length = _length_of_array(e)
    found = pointers.targets_of(m, pointer)
    null = t.eq(pointer, t.const(0, m.word))
    if not found and null == FALSE:
        raise UnsupportedError("printing a string through this pointer is not supported yet", e.location)
    longest = max([obj.layout.size for _, obj, _ in found], default=0)
    characters: list[Term] = []
    inside = TRUE
    for n in range(max(longest, len(_NULL) if null != FALSE else 0)):
        if length is not None and n >= length + _BEYOND and inside != TRUE:
            m.cut_where(inside, e.location)
            break
        if most is not None:
            inside = t.and_(inside, t.or_(t.slt(most, t.const(0, 32)), t.slt(t.const(n, 32), most)))
            if inside == FALSE:
                break
        place = t.add(pointer, t.const(n, m.word))  # what stands behind the end is not read
        character = m.under((inside, None), memory.load_through, m, place, 0, (), 1)
        if null != FALSE:
            character = t.ite(null, t.const(_NULL[n] if n < len(_NULL) else 0, 8), character)
        characters.append(character)
        if t.value[character] == 0:
            break
        inside = t.and_(inside, t.not_(t.eq(character, t.const(0, 8))))
    return tuple(characters)


def _length_of_array(e: tree.Expression) -> int | None:
    """The length of the array whose first character a pointer leads to, where its expression says so.

    One of length 1 may stand for any, at the end of a structure as C had them before flexible members.
    """
    array = queries.syntax_below_conversions(e)
    if not isinstance(array, tree.Decay) or not isinstance(array.operand.type, ArrayType):
        return None
    length = array.operand.type.length
    return length if length is not None and length > 1 else None
