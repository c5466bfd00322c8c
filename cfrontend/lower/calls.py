"""Calls: the dialect of inputs, assumptions and properties, output, exits, and ordinary functions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from cfrontend import goto
from cfrontend.elaborate.constants import constant_value
from cfrontend.elaborate.label_addresses import NO_LABEL
from cfrontend.errors import Location
from cfrontend.goto import OBSERVED
from cfrontend.lower import dialect, floating, formatted, jumps, passing, pointer_predicates, variadic
from cfrontend.lower.emitter import has_effects
from cfrontend.source.preprocess import is_foreign, is_header
from cfrontend.syntax import queries, tree
from cfrontend.syntax.printer import text_of
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    CHAR,
    INT,
    SCHAR,
    UCHAR,
    CType,
    FloatType,
    IntType,
    PointerType,
    StructTable,
    StructType,
    VoidType,
    bit_width,
    size_of,
)
from cfrontend.units import InputSite

if TYPE_CHECKING:
    from cfrontend.lower.expressions import Expressions


class StatementLowering(Protocol):
    """What an expression needs of the statements around it."""

    def declared(self, symbol: tree.Symbol) -> None:
        """Note an object of the innermost block."""

    def block(self, body: tree.Compound, last: Expression | None, result: tree.VariableRef | None) -> None:
        """Lower the block of a statement expression and then its ``last``, whose value ``result`` takes."""

    def label(self, name: str) -> None:
        """A label stands here."""

    def goto(self, name: str) -> None:
        """Go on at a label of the function."""


def lower_call(x: Expressions, e: tree.Call, *, wanted: bool) -> Expression | None:
    """A call; returns its pure result, or None for void."""
    name = dialect.callee_name(e)
    if name is None:
        return _ordinary(x, e, wanted=wanted)
    if name == dialect.CONVENTION:
        return passing.passed(x, e, wanted=wanted)
    function = x.program.functions.get(name)
    defined = function is not None and function.body is not None
    own = defined and function is not None and not is_foreign(function.location.file)
    if len(e.arguments) < dialect.FEWEST_ARGUMENTS.get(name, 0):
        x.emit.refuse(f"too few arguments to '{name}'", e.location, unsupported=False)
        return None if isinstance(e.type, VoidType) else unreached(x, e)
    if name in dialect.OUTPUTS and not own and formatted.is_recorded(e, name, x.program, wanted=wanted):
        return formatted.output(x, e, name)
    if name in dialect.WIDE_OUTPUTS and not own and formatted.is_wide_output(e, name, wanted=wanted):
        return formatted.wide_output(x, e, name)
    if name in dialect.INPUTS and not own:
        return formatted.scan(x, e, name, wanted=wanted)
    if name in dialect.SETS_JUMPS and defined and not own:
        return jumps.set_place(x, e, name)
    if name in dialect.ASSUMES:
        condition = x.value(e.arguments[0])
        x.emit.code.append(goto.Assume(location=e.location, unit=x.emit.unit, condition=condition))
        return None
    if name in dialect.FAILS and OBSERVED in x.emit.checks:
        _observed(x, e, ())
        return None
    if name in x.callees.assumed:
        # Not by a check: whoever leaves out reach means other properties, not other assumptions.
        x.emit.code.append(goto.Assume(location=e.location, unit=x.emit.unit, condition=_false(e)))
        return None
    if name in dialect.REACH and not (defined and "reach" not in x.emit.checks):
        said = "goto to no label" if name == NO_LABEL else f"call of {name} is reachable"
        x.emit.check("reach", _false(e), said, e.location)
        return None
    if defined:
        computed = None if own else floating.math_call(x, e, name)
        return _ordinary(x, e, wanted=wanted) if computed is None else computed
    if name in dialect.ASSERTS and e.arguments:
        _assertion(x, e)
        return None
    if name == dialect.ENSURES and len(e.arguments) == 3:
        _postcondition(x, e)
        return None
    if name in dialect.FAILED_ASSERTS:
        text = literal(e.arguments[0]) if e.arguments else None
        x.emit.check("assert", _false(e), f"assertion {text or 'failed'}", e.location)
        return None
    if name in dialect.EXITS:
        status = _exit_status(x, e)
        if name == "exit":
            run_handlers(x, e.location)
            run_uncalled(x, "destructor", e.location)
        x.emit.check("leak", goto.AllFreed(outermost=False), _LEAK, e.location)
        x.emit.code.append(goto.Exit(location=e.location, unit=x.emit.unit, status=status))
        return None
    if name == "__VERIFIER_nondet_memory":
        _symbolic(x, e)
        return None
    if dialect.is_nondet(name):
        return nondet(x, e, f"{name}()")
    if name == "__builtin_expect" and e.arguments:
        right_to_left(x, e.arguments[1:])
        return x.evaluate(e.arguments[0], wanted=wanted)
    if name in dialect.ALLOCATORS:
        return allocate(x, e, name, None)
    if name == "free":
        _free(x, e)
        return None
    if name == "__sfo_object_size":
        size = tree.VariableRef(type=e.type, location=e.location, symbol=x.emit.temporary(e.type))
        pointer = x.value(e.arguments[0])
        x.emit.code.append(
            goto.ObjectSize(location=e.location, unit=x.emit.unit, target=size, pointer=pointer)
        )
        return size
    if name in _BLOCKS:
        _block(x, e, name)
        return None
    if name == "__sfo_no_overlap":
        x.emit.check("overlap", x.value(e.arguments[0]), f"{x.text(e)} does not hold", e.location)
        return None
    if name == "__sfo_leave_bound":
        x.emit.code.append(goto.Leave(location=e.location, unit=x.emit.unit))
        return None
    if name in ("__sfo_refuse", "__sfo_limit"):
        if name == "__sfo_limit":
            x.emit.code.append(goto.Leave(location=e.location, unit=x.emit.unit, by_inputs=True))
        x.emit.refuse(literal(e.arguments[0]) or "", e.location)
        return None
    if name in variadic.NAMES:
        return variadic.lower_operator(x, e, name)
    if name == "klee_make_symbolic":
        _symbolic(x, e)
        return None
    computed = floating.math_call(x, e, name)
    if computed is not None:
        return computed
    if name in pointer_predicates.ACCESS | pointer_predicates.PLACE:
        return pointer_predicates.question(x, e, name, right_to_left(x, e.arguments))
    if name in dialect.HAVOC and len(e.arguments) > (name == "__CPROVER_havoc_slice"):
        pointer_predicates.havoc(x, e, name, [x.emit.saved(value) for value in right_to_left(x, e.arguments)])
        return None
    if name in pointer_predicates.ARRAYS:
        return pointer_predicates.array_operation(x, e, name)
    if name in dialect.IDLE:
        right_to_left(x, e.arguments)
        return None if isinstance(e.type, VoidType) else unreached(x, e)
    if name in x.program.refused:
        error = x.program.refused[name]
        x.emit.refuse(error.message, error.location)
    elif name.startswith(dialect.OF_TOOLS):
        x.emit.refuse(f"'{name}' is not supported yet", e.location)
    elif name.startswith("__builtin_") or (function is not None and is_header(function.location.file)):
        x.emit.refuse(f"the library function '{name}' is not supported yet", e.location)
    elif x.callees.undefined == "nondet":
        return _unknown(x, e, name, wanted=wanted)
    else:
        message = f"undefined function '{name}' is called; define it, give its file or say --undefined nondet"
        x.emit.refuse(message, e.location, unsupported=False)
    return None if isinstance(e.type, VoidType) else unreached(x, e)


def _exit_status(x: Expressions, e: tree.Call) -> Expression | None:
    """What the program ends with, as it is before the handlers run."""
    if not e.arguments:
        return None
    return x.emit.saved(x.value(e.arguments[0]))


def unreached(x: Expressions, e: Expression) -> Expression:
    """A value of the type of ``e``, structures too, that stands where an execution does not come."""
    if not isinstance(e.type, StructType):
        return placeholder(e)
    return tree.VariableRef(type=e.type, location=e.location, symbol=x.emit.temporary(e.type))


_LEAK = "allocated memory is not freed when the program ends"


def end_of_entry(x: Expressions, location: Location) -> None:
    """The entry function ends, and the program with it when it is main."""
    if x.emit.function == "main":
        run_handlers(x, location)
    run_uncalled(x, "destructor", location)
    x.emit.check("leak", goto.AllFreed(outermost=True), _LEAK, location)


def _unknown(x: Expressions, e: tree.Call, name: str, *, wanted: bool) -> Expression | None:
    """A call of a function that nobody defined: its result is an input, and it does nothing else."""
    if isinstance(e.type, IntType):
        return nondet(x, e, f"{name}()")
    right_to_left(x, e.arguments)
    if isinstance(e.type, VoidType) or not wanted:
        return None
    message = f"undefined function '{name}' is called for a result of type {e.type}, which cannot be an input"
    x.emit.refuse(message, e.location, unsupported=False)
    return placeholder(e)


def placeholder(e: Expression) -> Expression:
    """A value that stands where an execution does not come."""
    return number(0, e.type, e.location)


def number(value: int, ctype: CType, location: Location) -> Expression:
    """A constant of a scalar type (of int for any other type)."""
    if isinstance(ctype, FloatType):
        return tree.FloatConstant(type=ctype, location=location, value=f"{value}.0")
    ctype = ctype if isinstance(ctype, IntType | PointerType) else INT
    return tree.IntConstant(type=ctype, location=location, value=value)


def _false(e: Expression) -> Expression:
    return tree.IntConstant(type=INT, location=e.location, value=0)


def _assertion(x: Expressions, e: tree.Call) -> None:
    if OBSERVED in x.emit.checks:
        observe(x, e.arguments[0])
        return
    text = literal(e.arguments[1]) if len(e.arguments) > 1 else None
    description = text or x.text(e.arguments[0])
    condition = x.value(e.arguments[0])
    x.emit.check("assert", condition, description, e.location)


_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


def observe(x: Expressions, e: Expression) -> Expression:
    """What a condition compares is observed, as far as it is evaluated; returns its value."""
    match e:
        case tree.Cast(
            type=IntType() as ctype, implicit=True, operand=tree.Logical() | tree.Binary() | tree.Unary()
        ):
            return tree.Cast(type=ctype, location=e.location, operand=observe(x, e.operand), implicit=True)
        case tree.Unary(op="!"):
            return replace(e, operand=observe(x, e.operand))
        case tree.Logical():
            return _observe_in_turn(x, e)
        case tree.Binary() if e.op in _COMPARISONS:
            left = x.emit.saved(x.value(e.left))
            right = x.emit.saved(x.value(e.right))
            _observed(x, e, (left, right))
            return replace(e, left=left, right=right)
        case _:
            value = x.emit.saved(x.value(e))
            _observed(x, e, (value,))
            return value


def _observe_in_turn(x: Expressions, e: tree.Logical) -> Expression:
    """The right operand is observed where it is evaluated."""
    result = tree.VariableRef(type=e.type, location=e.location, symbol=x.emit.temporary(e.type))
    end = x.emit.label()
    x.emit.assign(result, _truth(observe(x, e.left), e.type))
    x.emit.branch(result, end, when=e.op == "||")
    x.emit.assign(result, _truth(observe(x, e.right), e.type))
    x.emit.place(end)
    return result


def _truth(e: Expression, ctype: CType) -> Expression:
    zero = number(0, e.type, e.location)
    return tree.Binary(type=ctype, location=e.location, op="!=", left=e, right=zero)


def _observed(x: Expressions, e: Expression, values: tuple[Expression, ...]) -> None:
    shown = tuple(value for value in values if not isinstance(value, tree.IntConstant | tree.FloatConstant))
    x.emit.code.append(goto.Observe(location=e.location, unit=x.emit.unit, arguments=shown))


def _postcondition(x: Expressions, e: tree.Call) -> None:
    """``__sfo_ensures(condition, "f", "condition as text")``, a property of f that stands where the condition does."""
    name, text = literal(e.arguments[1]), literal(e.arguments[2])
    stated = e.arguments[0]
    while isinstance(stated, tree.Cast | tree.Unary):
        stated = stated.operand
    condition = x.value(e.arguments[0])
    x.emit.check("ensures", condition, text or x.text(stated), stated.location, function=name)


def literal(e: Expression) -> str | None:
    """The text of a string literal, through conversions."""
    while isinstance(e, tree.Cast | tree.Decay):
        e = e.operand
    return e.data[:-1].decode("latin-1") if isinstance(e, tree.StringLiteral) else None


# -- allocated objects ----------------------------------------------------------------------------------------


def allocation(x: Expressions, e: Expression) -> tuple[tree.Call, str] | None:
    """The call that ``e`` is, through casts, when it makes a new object; with its name."""
    e = queries.unconverted(e)
    name = dialect.callee_name(e)
    if not isinstance(e, tree.Call) or name not in dialect.ALLOCATORS or name is None:
        return None
    known = x.program.functions.get(name)
    return None if known is not None and known.body is not None else (e, name)


def allocate(x: Expressions, e: tree.Call, name: str, element: CType | None) -> Expression:
    """A new object, used as an array of ``element`` where that is known."""
    sizes = [x.value(argument) for argument in e.arguments]
    size, zero = sizes[0], "calloc" in name
    if name == "__CPROVER_allocate":
        known = constant_value(sizes[1], x.structs)
        if known is None:
            x.emit.refuse("__CPROVER_allocate of what may be zero or not is not supported yet", e.location)
        zero = bool(known)
    elif len(sizes) > 1:
        size = tree.Binary(type=size.type, location=e.location, op="*", left=size, right=sizes[1])
    result = tree.VariableRef(type=e.type, location=e.location, symbol=x.emit.temporary(e.type))
    x.emit.code.append(
        goto.Allocate(
            location=e.location,
            unit=x.emit.unit,
            target=result,
            size=size,
            element=element,
            zero=zero,
            automatic="alloca" in name,
        )
    )
    return result


_BLOCKS = {"__sfo_copy", "__sfo_fill"}
"""What the models of memcpy and memset are made of."""


def _block(x: Expressions, e: tree.Call, name: str) -> None:
    """``__sfo_copy(target, source, size)`` or ``__sfo_fill(target, byte, size)``."""
    target, other, size = (x.emit.saved(value) for value in right_to_left(x, e.arguments))
    for pointer, write in ((target, True), (other, False)):
        if isinstance(pointer.type, PointerType):
            valid = goto.ValidRange(pointer=pointer, size=size, write=write)
            x.emit.check("pointer", valid, f"invalid pointer in {x.text(e)}", e.location)
    unit, where = x.emit.unit, e.location
    x.emit.code.append(
        goto.Copy(location=where, unit=unit, target=target, source=other, size=size)
        if name == "__sfo_copy"
        else goto.Fill(location=where, unit=unit, target=target, byte=other, size=size)
    )


def _free(x: Expressions, e: tree.Call) -> None:
    pointer = x.value(e.arguments[0])
    text = f"free of what is no live allocated object in {x.text(e)}"
    x.emit.check("double-free", goto.Freeable(pointer=pointer), text, e.location)
    unit = x.emit.unit
    x.emit.code.append(goto.Free(location=e.location, unit=unit, pointer=pointer, yields=unit is not None))


# -- inputs --------------------------------------------------------------------------------------------------


def named_input(x: Expressions, source: Expression, name: str) -> Expression | None:
    """The value of ``source`` when it is just a call for an input, which is called after what it is assigned to.

    So is a call that decides which of two values is assigned.
    """
    call = queries.written(source)
    if isinstance(call, tree.Conditional):
        chosen = named_input(x, call.condition, name)
        return None if chosen is None else x.value(_rewrapped(source, call, replace(call, condition=chosen)))
    function = dialect.callee_name(call)
    if (
        not isinstance(call, tree.Call)
        or function is None
        or not (dialect.is_nondet(function) or function in dialect.READ_ONE)
    ):
        return None
    known = x.program.functions.get(function)
    is_defined = known is not None and known.body is not None
    if function in dialect.READ_ONE:
        if known is None or not is_defined or not is_foreign(known.location.file):
            return None
        value = _ordinary(x, call, wanted=True, result_name=name)
        return None if value is None else _rewrapped(source, call, value)
    return None if is_defined else _rewrapped(source, call, nondet(x, call, name))


def place_text(target: Expression) -> str:
    """What an input is called that is assigned to ``target``: the place without casts that change its qualifiers only.

    ``*(int *)&p->id`` is p->id, an int.
    """
    match target:
        case tree.Deref(
            pointer=tree.Cast(operand=tree.AddressOf(operand=place), type=PointerType(target=ctype))
        ) if ctype == place.type:
            return text_of(place)
        case _:
            return text_of(target)


def _rewrapped(source: Expression, call: Expression, value: Expression) -> Expression:
    """The casts around ``call`` put around ``value``."""
    if source is call:
        return value
    assert isinstance(source, tree.Cast)
    return replace(source, operand=_rewrapped(source.operand, call, value))


def nondet(x: Expressions, e: tree.Call, name: str) -> Expression:
    """The next input value, of the type the call returns."""
    for argument in e.arguments:
        x.effect(argument)
    result = tree.VariableRef(type=e.type, location=e.location, symbol=x.emit.temporary(e.type))
    if isinstance(e.type, StructType):
        pointer = tree.AddressOf(type=PointerType(e.type), location=e.location, operand=result)
        amount = size_of(e.type, x.program.structs)
        size = tree.IntConstant(type=x.structs.model.size, location=e.location, value=amount)
        x.emit.code.append(
            goto.Symbolic(
                location=e.location,
                unit=x.emit.unit,
                pointer=pointer,
                size=size,
                name=name,
                function=dialect.callee_name(e),
            )
        )
        return result
    if not isinstance(e.type, IntType | FloatType | PointerType):
        x.emit.refuse(f"an input of type {e.type} is not supported yet", e.location)
        return placeholder(e)
    site = replace(input_site(name, e.type, e, x.structs), function=dialect.callee_name(e) or "")
    x.emit.code.append(goto.Input(location=e.location, unit=x.emit.unit, target=result, site=site))
    return result


def input_site(name: str, ctype: CType, e: Expression, structs: StructTable) -> InputSite:
    """What a report says of an input read at ``e``."""
    signed = isinstance(ctype, IntType) and ctype.signed
    return InputSite(
        name=name, type=str(ctype), width=bit_width(ctype, structs), signed=signed, location=e.location
    )


def _symbolic(x: Expressions, e: tree.Call) -> None:
    """``klee_make_symbolic`` and ``__VERIFIER_nondet_memory``: what they are given becomes inputs."""
    if len(e.arguments) < 2:
        x.emit.refuse(f"{dialect.callee_name(e)} needs an address and a size", e.location)
        return
    pointer, size = x.value(e.arguments[0]), x.value(e.arguments[1])
    name = literal(e.arguments[2]) if len(e.arguments) > 2 else None
    x.emit.code.append(
        goto.Symbolic(
            location=e.location, unit=x.emit.unit, pointer=pointer, size=size, name=name or text_of(pointer)
        )
    )


# -- ordinary calls ------------------------------------------------------------------------------------------


def right_to_left(x: Expressions, given: Sequence[Expression]) -> list[Expression]:
    """Pure values of arguments, evaluated from the last to the first as gcc does on x86-64."""
    values: list[Expression] = []
    for argument in reversed(given):
        with x.emit.captured() as code:
            value = x.value(argument)
        if has_effects(code):
            values = [x.emit.saved(v) for v in values]
        x.emit.code += code
        values.append(value)
    values.reverse()
    return values


# -- ordinary calls ------------------------------------------------------------------------------------------


def _ordinary(x: Expressions, e: tree.Call, *, wanted: bool, result_name: str = "") -> Expression | None:
    """Arguments right to left, then the call; its result in a temporary."""
    callee: Expression = e.callee
    name = callee.name if isinstance(callee, tree.FunctionRef) else None
    if name is None:
        callee = x.emit.saved(x.value(callee))
    arguments = right_to_left(x, e.arguments)
    if name is None and x.emit.function != dialect.AT_EXIT:  # which stands behind no call of the program
        null = number(0, callee.type, e.location)
        condition = tree.Binary(type=INT, location=e.location, op="!=", left=callee, right=null)
        x.emit.check("pointer", condition, f"null function pointer in {x.text(e)}", e.location)
    result = None
    if not isinstance(e.type, VoidType):
        result = x.emit.temporary(e.type)
    x.emit.code.append(
        goto.Call(
            location=e.location,
            unit=x.emit.unit,
            yields=x.gives_unit(e),
            result=result if wanted else None,
            callee=callee,
            arguments=tuple(arguments),
            properties=_foreign_properties(x, name, e),
            result_name=result_name,
            filled=_filled(e, name),
        )
    )
    jumps.come_back(x, name, e.location)
    return (
        None
        if result is None or not wanted
        else tree.VariableRef(type=e.type, location=e.location, symbol=result)
    )


def _filled(e: tree.Call, name: str | None) -> str:
    """The array of characters that a call fills with inputs, as text; empty where it fills none."""
    position = dialect.FILLED.get(name or "", len(e.arguments))
    return array_text(e.arguments[position]) if position < len(e.arguments) else ""


def array_text(e: Expression) -> str:
    """What stands before the index of an element of the characters that ``e`` points to; empty for other types."""
    e = queries.unconverted(e)
    if not isinstance(e.type, PointerType) or e.type.target not in (CHAR, SCHAR, UCHAR):
        return ""
    text = text_of(e)
    return text if re.fullmatch(r"[\w.\[\]]|[\w.\[\]>-]*[\w\]]", text) else f"({text})"


_VIOLATIONS = {
    "assert": "assertion",
    "bounds": "index out of bounds",
    "div0": "division by zero",
    "double-free": "free of what is no live allocated object",
    "overflow": "arithmetic overflow",
    "overlap": "copying between overlapping blocks",
    "pointer": "invalid pointer",
    "reach": "abort",
    "shift": "shift distance out of range",
}
"""What a library function does that violates a property of each kind."""


def run_handlers(x: Expressions, location: Location) -> None:
    """What was given to ``atexit`` is called, where the program calls that at all."""
    model = x.program.functions.get(dialect.AT_EXIT)
    if model is not None:
        callee = tree.FunctionRef(type=model.type, location=location, name=model.name)
        x.emit.code.append(
            goto.Call(location=location, unit=x.emit.unit, result=None, callee=callee, arguments=())
        )
        jumps.stay(x, model.name, location)


def run_uncalled(x: Expressions, attribute: str, location: Location) -> None:
    """The functions with ``constructor`` in the order of their definitions, those with ``destructor`` backwards."""
    found = [f for f in x.program.functions.values() if attribute in f.uncalled and f.body is not None]
    for function in found if attribute == "constructor" else reversed(found):
        callee = tree.FunctionRef(type=function.type, location=location, name=function.name)
        x.emit.code.append(
            goto.Call(location=location, unit=x.emit.unit, result=None, callee=callee, arguments=())
        )
        jumps.stay(x, function.name, location)


def model_call(
    x: Expressions,
    e: tree.Call,
    name: str,
    arguments: Sequence[Expression],
    result: tree.Symbol | None,
    filled: str = "",
    template: str = "",
) -> None:
    """A call of a model that stands behind ``e``; refused where the model is not part of the program.

    ``filled`` is the array that it fills with inputs, ``template`` the part of a ``scanf`` format that it is called
    for.
    """
    model = x.program.functions.get(name)
    if model is None or model.body is None:
        x.emit.refuse(f"{x.text(e)} is not supported yet", e.location)
        return
    callee = tree.FunctionRef(type=model.type, location=e.location, name=name)
    x.emit.code.append(
        goto.Call(
            location=e.location,
            unit=x.emit.unit,
            result=result,
            callee=callee,
            arguments=tuple(arguments),
            properties=_foreign_properties(x, name, e),
            filled=filled,
            format=template,
        )
    )


def _foreign_properties(x: Expressions, name: str | None, e: tree.Call) -> dict[str, str]:
    """The properties that a foreign function called here can violate (None: by a pointer): id by kind.

    The id of what is not checked here is empty.
    """
    where = dialect.callee_name(e) or "a library function"
    return {
        kind: x.emit.property(kind, f"{_VIOLATIONS[kind]} inside {where} called in {x.text(e)}", e.location)
        if kind in x.emit.checks or x.emit.properties is None
        else ""
        for kind in x.callees.violable.get(name, ())
    }
