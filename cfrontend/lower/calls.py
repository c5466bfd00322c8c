"""Calls: intrinsics by look-up, everything else as calls of functions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from cfrontend import goto
from cfrontend.errors import Location
from cfrontend.lower import dialect, evaluation_order, floating, jumps, pure, side_effects
from cfrontend.lower.context import Lowering
from cfrontend.lower.intrinsic_registry import INTRINSICS, CallSite, Definition
from cfrontend.lower.intrinsics import inputs
from cfrontend.source.preprocess import is_preprocessed_foreign_file, is_preprocessed_header_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    CHAR,
    INT,
    SCHAR,
    UCHAR,
    IntType,
    PointerType,
    StructType,
    VoidType,
)


def lower(x: Lowering, e: tree.Call, *, wanted: bool) -> Expression | None:
    """A call: instructions where its name is an intrinsic, else a call; returns its pure result, or None for void."""
    name = dialect.callee_name_in_dialect(e)
    if name is None:
        return ordinary(x, e, wanted=wanted)
    call = CallSite(x, e, name, wanted, _definition(x, name))
    known = INTRINSICS.get(name)
    if known is not None and call.given < known.needs:
        x.emit.refuse(f"too few arguments to '{name}'", e.location, unsupported=False)
        return without_value(x, e)
    if known is not None and known.applies(call):
        return known.lower(call)
    if call.defined == "program":
        return ordinary(x, e, wanted=wanted)
    if call.defined == "none" and dialect.is_nondet_in_dialect(name):
        return inputs.nondet(x, e, f"{name}()")
    computed = floating.math_call(x, e, name)
    if computed is not None:
        return computed
    return (
        ordinary(x, e, wanted=wanted) if call.defined == "library" else _undefined(x, e, name, wanted=wanted)
    )


def named_input(x: Lowering, source: Expression, name: str) -> Expression | None:
    """The value of ``source`` when it is just a call for an input, which is called after what it is assigned to.

    So is a call that decides which of two values is assigned.
    """
    call = queries.syntax_below_implicit_conversions(source)
    if isinstance(call, tree.Conditional):
        chosen = named_input(x, call.condition, name)
        return None if chosen is None else x.value(_rewrapped(source, call, replace(call, condition=chosen)))
    function = dialect.callee_name_in_dialect(call)
    if (
        not isinstance(call, tree.Call)
        or function is None
        or not (dialect.is_nondet_in_dialect(function) or function in dialect.READ_ONE)
    ):
        return None
    known = x.program.functions.get(function)
    is_defined = known is not None and known.body is not None
    if function in dialect.READ_ONE:
        if known is None or not is_defined or not is_preprocessed_foreign_file(known.location.file):
            return None
        value = ordinary(x, call, wanted=True, result_name=name)
        return None if value is None else _rewrapped(source, call, value)
    return None if is_defined else _rewrapped(source, call, inputs.nondet(x, call, name))


def place_name(target: Expression) -> str:
    """Name of an input that is assigned to ``target``: the place without casts that change its qualifiers only.

    ``*(int *)&p->id`` is p->id, an int.
    """
    match target:
        case tree.Deref(
            pointer=tree.Cast(operand=tree.AddressOf(operand=place), type=PointerType(target=ctype))
        ) if ctype == place.type:
            return print_syntax(place)
        case _:
            return print_syntax(target)


def _rewrapped(source: Expression, call: Expression, value: Expression) -> Expression:
    """The casts around ``call`` put around ``value``."""
    if source is call:
        return value
    assert isinstance(source, tree.Cast)
    return replace(source, operand=_rewrapped(source.operand, call, value))


def _definition(x: Lowering, name: str) -> Definition:
    function = x.program.functions.get(name)
    if function is None or function.body is None:
        return "none"
    return "library" if is_preprocessed_foreign_file(function.location.file) else "program"


def _undefined(x: Lowering, e: tree.Call, name: str, *, wanted: bool) -> Expression | None:
    """Lower a call of an undefined function: refused, saying why, or an input where that is asked for."""
    function = x.program.functions.get(name)
    if name in x.program.refused:
        error = x.program.refused[name]
        x.emit.refuse(error.message, error.location)
    elif name.startswith(dialect.OF_TOOLS):
        x.emit.refuse(f"'{name}' is not supported yet", e.location)
    elif name.startswith("__builtin_") or (
        function is not None and is_preprocessed_header_file(function.location.file)
    ):
        x.emit.refuse(_refused_library_function(name), e.location)
    elif x.callees.undefined == "nondet":
        return _unknown(x, e, name, wanted=wanted)
    else:
        message = f"undefined function '{name}' is called; define it, give its file or say --undefined nondet"
        x.emit.refuse(message, e.location, unsupported=False)
    return without_value(x, e)


_REFUSED: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("fork", "vfork", "wait", "waitpid", "execv", "execvp", "execl", "execlp", "execve", "posix_spawn"),
        "there is one process: begin with --entry in what each of them does, or define it",
    ),
    **dict.fromkeys(
        ("pthread_create", "pthread_join", "pthread_exit", "pthread_detach", "thrd_create", "thrd_join"),
        "there is one thread: begin with --entry in what each of them does, or define it",
    ),
    **dict.fromkeys(
        ("regcomp", "regexec", "iconv_open", "iconv", "glob", "wordexp"),
        "write out by hand what it finds, or define it",
    ),
}
"""Advice for library functions that are refused, by name."""


def _refused_library_function(name: str) -> str:
    """The refusal of a library function, and what to do."""
    advice = _REFUSED.get(name, "define it")
    return f"the library function '{name}' is not supported yet; {advice} in the program as it should behave here"


def without_value(x: Lowering, e: tree.Call) -> Expression | None:
    """Value of a call whose value nobody has: None for void, else a value that no execution reaches."""
    return None if isinstance(e.type, VoidType) else unreached_value(x, e)


def unreached_value(x: Lowering, e: Expression) -> Expression:
    """A value of the type of ``e``, structures too, that stands where an execution does not come."""
    if not isinstance(e.type, StructType):
        return pure.placeholder(e)
    return x.emit.variable(e.type, e.location)


LEAK = "allocated memory is not freed when the program ends"


def end_of_entry(x: Lowering, location: Location) -> None:
    """Emit the end of the entry function, and of the program with it when it is main."""
    if x.emit.function == "main":
        exit_handlers(x, location)
    by_attribute(x, "destructor", location)
    x.emit.check("leak", goto.AllFreedCondition(outermost=True), LEAK, location)


def _unknown(x: Lowering, e: tree.Call, name: str, *, wanted: bool) -> Expression | None:
    """Lower a call of an undefined function to an input: it does nothing else."""
    if isinstance(e.type, IntType):
        return inputs.nondet(x, e, f"{name}()")
    evaluation_order.pure_arguments(x, e.arguments)
    if isinstance(e.type, VoidType) or not wanted:
        return None
    message = f"undefined function '{name}' is called for a result of type {e.type}, which cannot be an input"
    x.emit.refuse(message, e.location, unsupported=False)
    return pure.placeholder(e)


_NO_ZERO: Final = re.compile("__builtin_c[lt]z(?:ll?)?")
"""Functions that look for a bit which zero has not."""


def ordinary(x: Lowering, e: tree.Call, *, wanted: bool, result_name: str = "") -> Expression | None:
    """Arguments right to left, then the call; its result in a temporary."""
    callee: Expression = e.callee
    name = callee.name if isinstance(callee, tree.FunctionRef) else None
    if name is None:
        callee = x.emit.saved(x.value(callee))
    arguments = evaluation_order.pure_arguments(x, e.arguments)
    if name is None and x.emit.function != dialect.AT_EXIT:  # which stands behind no call of the program
        null = pure.constant(0, callee.type, e.location)
        condition = tree.Binary(type=INT, location=e.location, op="!=", left=callee, right=null)
        x.emit.check("pointer", condition, f"null function pointer in {x.text(e)}", e.location)
    elif name is not None and _definition(x, name) == "library":
        side_effects.emit_of_call(x, e, name, arguments)
        if _NO_ZERO.fullmatch(name):
            x.emit.check("div0", arguments[0], f"undefined for zero: {x.text(e)}", e.location)
    result = None if isinstance(e.type, VoidType) else x.emit.variable(e.type, e.location)
    kept = result if wanted else None
    x.emit.add(
        goto.CallInstruction(
            location=e.location,
            yields=x.gives_unit(e),
            result=kept and kept.symbol,
            callee=callee,
            arguments=tuple(arguments),
            properties=_foreign_properties(x, name, e),
            result_name=result_name,
            filled=_filled(e, name),
        )
    )
    jumps.behind_call(x, name, e.location)
    return kept


def _filled(e: tree.Call, name: str | None) -> str:
    """The array of characters that a call fills with inputs, as text; empty where it fills none."""
    position = dialect.FILLED.get(name or "", len(e.arguments))
    return array_text(e.arguments[position]) if position < len(e.arguments) else ""


def array_text(e: Expression) -> str:
    """Text before the index of an element of the characters that ``e`` points to; empty for other types."""
    e = queries.syntax_below_conversions(e)
    if not isinstance(e.type, PointerType) or e.type.target not in (CHAR, SCHAR, UCHAR):
        return ""
    text = print_syntax(e)
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
"""Description by kind of property of how a library function violates it."""


def exit_handlers(x: Lowering, location: Location) -> None:
    """Call the functions given to ``atexit``, where the program calls that at all."""
    if dialect.AT_EXIT in x.program.functions:
        _of_nobody(x, x.program.functions[dialect.AT_EXIT], location)


def by_attribute(x: Lowering, attribute: str, location: Location) -> None:
    """Call the functions with an ``attribute``: constructors in the order of their definitions.

    Those with ``destructor`` are called backwards.
    """
    found = [f for f in x.program.functions.values() if attribute in f.uncalled and f.body is not None]
    for function in found if attribute == "constructor" else reversed(found):
        _of_nobody(x, function, location)


def _of_nobody(x: Lowering, f: tree.Function, location: Location) -> None:
    """A call without arguments that stands nowhere in the program."""
    callee = tree.FunctionRef(type=f.type, location=location, name=f.name)
    x.emit.add(goto.CallInstruction(location=location, result=None, callee=callee, arguments=()))
    jumps.confine(x, f.name, location)


def of_model(
    x: Lowering,
    e: tree.Call,
    name: str,
    arguments: Sequence[Expression],
    result: tree.SyntaxSymbol | None,
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
    x.emit.add(
        goto.CallInstruction(
            location=e.location,
            result=result,
            callee=callee,
            arguments=tuple(arguments),
            properties=_foreign_properties(x, name, e),
            filled=filled,
            format=template,
        )
    )


def _foreign_properties(x: Lowering, name: str | None, e: tree.Call) -> dict[str, str]:
    """The properties that a foreign function called here can violate (None: by a pointer): id by kind.

    The id of what is not checked here is empty.
    """
    where = dialect.callee_name_in_dialect(e) or "a library function"
    return {
        kind: x.emit.property(kind, f"{_VIOLATIONS[kind]} inside {where} called in {x.text(e)}", e.location)
        if kind in x.emit.checks or x.emit.properties is None
        else ""
        for kind in x.callees.violable.get(name, ())
    }
