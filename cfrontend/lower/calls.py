"""Calls: intrinsics by look-up, everything else as calls of functions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias, final

from cfrontend import goto
from cfrontend.errors import Location
from cfrontend.lower import dialect, evaluation_order, floating, jumps, side_effects
from cfrontend.lower.emitter import Code, has_effects
from cfrontend.lower.intrinsic_registry import INTRINSICS, CallSite, Definition
from cfrontend.lower.intrinsics import inputs
from cfrontend.record import dataclass
from cfrontend.source.preprocess import is_preprocessed_foreign_file, is_preprocessed_header_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.printer import print_syntax
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
    StructType,
    VoidType,
)

if TYPE_CHECKING:
    from cfrontend.lower.expressions import ExpressionLowering


Outside: TypeAlias = Literal["error", "nondet"]
"""Treatment of what leaves the known program: it is an error, or yields a nondeterministic value."""

Undefined: TypeAlias = Literal["error", "nondet", "auto"]
"""Treatment of functions without a definition: ``auto`` is nondet for one function alone, and an error in a program."""


@final
@dataclass(frozen=True, slots=True)
class CalleeEffects:
    """Effects that calls can have.

    ``violable`` are the kinds of property that a call can violate, by the foreign function it calls (None: through a
    pointer). ``undefined`` is what a call of a function without a body is. Calls of what is ``assumed`` end an
    execution that does not count. A jump can leave those of what is ``jumping``.
    """

    violable: Mapping[str | None, tuple[str, ...]] = field(default_factory=dict)
    undefined: Undefined = "error"
    assumed: frozenset[str] = frozenset()
    jumping: frozenset[str | None] = frozenset()


class CallStatementLowering(Protocol):
    """Interface of statements that expressions need."""

    def literal(self, symbol: tree.SyntaxSymbol) -> None:
        """Note a compound literal, an object of the innermost block."""

    def temporary(self, symbol: tree.SyntaxSymbol) -> None:
        """Note an object of the innermost full expression."""

    def block(
        self,
        body: tree.Compound,
        last: Expression | None,
        result: tree.VariableRef | None,
        *,
        is_written: bool = True,
    ) -> None:
        """Lower the block of a statement expression and then its ``last``, whose value ``result`` takes."""

    def label(self, name: str) -> None:
        """A label stands here."""

    def goto(self, name: str) -> None:
        """Go on at a label of the function."""


def lower(x: ExpressionLowering, e: tree.Call, *, wanted: bool) -> Expression | None:
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


def _definition(x: ExpressionLowering, name: str) -> Definition:
    function = x.program.functions.get(name)
    if function is None or function.body is None:
        return "none"
    return "library" if is_preprocessed_foreign_file(function.location.file) else "program"


def _undefined(x: ExpressionLowering, e: tree.Call, name: str, *, wanted: bool) -> Expression | None:
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


def without_value(x: ExpressionLowering, e: tree.Call) -> Expression | None:
    """Value of a call whose value nobody has: None for void, else a value that no execution reaches."""
    return None if isinstance(e.type, VoidType) else unreached_value(x, e)


def unreached_value(x: ExpressionLowering, e: Expression) -> Expression:
    """A value of the type of ``e``, structures too, that stands where an execution does not come."""
    if not isinstance(e.type, StructType):
        return placeholder(e)
    return x.emit.variable(e.type, e.location)


LEAK = "allocated memory is not freed when the program ends"


def end_of_entry(x: ExpressionLowering, location: Location) -> None:
    """Emit the end of the entry function, and of the program with it when it is main."""
    if x.emit.function == "main":
        exit_handlers(x, location)
    by_attribute(x, "destructor", location)
    x.emit.check("leak", goto.AllFreedCondition(outermost=True), LEAK, location)


def _unknown(x: ExpressionLowering, e: tree.Call, name: str, *, wanted: bool) -> Expression | None:
    """Lower a call of an undefined function to an input: it does nothing else."""
    if isinstance(e.type, IntType):
        return inputs.nondet(x, e, f"{name}()")
    pure_arguments(x, e.arguments)
    if isinstance(e.type, VoidType) or not wanted:
        return None
    message = f"undefined function '{name}' is called for a result of type {e.type}, which cannot be an input"
    x.emit.refuse(message, e.location, unsupported=False)
    return placeholder(e)


def placeholder(e: Expression) -> Expression:
    """A value that stands where an execution does not come."""
    return constant(0, e.type, e.location)


def constant(value: int, ctype: CType, location: Location) -> Expression:
    """A constant of a scalar type (of int for any other type)."""
    if isinstance(ctype, FloatType):
        return tree.FloatConstant(type=ctype, location=location, value=f"{value}.0")
    ctype = ctype if isinstance(ctype, IntType | PointerType) else INT
    return tree.IntConstant(type=ctype, location=location, value=value)


def literal_text(e: Expression) -> str | None:
    """The text of a string literal, through conversions."""
    while isinstance(e, tree.Cast | tree.Decay):
        e = e.operand
    return e.data[:-1].decode("latin-1") if isinstance(e, tree.StringLiteral) else None


def pure_arguments(x: ExpressionLowering, given: Sequence[Expression]) -> list[Expression]:
    """Pure values of arguments, evaluated from the last to the first as gcc does on x86-64.

    Structures, and local variables that are in registers for gcc, are read by the call itself, behind all effects.
    """
    values: list[Expression] = []
    for position, argument in reversed(list(enumerate(given))):
        with x.emit.captured() as code:
            value = x.value(argument)
        if has_effects(code):
            values = [_argument_kept(x, e, v) for e, v in zip(given[position + 1 :], values, strict=True)]
        x.emit.code += code
        values.insert(0, value)
    return values


def _argument_kept(x: ExpressionLowering, e: Expression, value: Expression) -> Expression:
    """The ``value`` of argument ``e`` before the effects of one to its left, unless the call itself reads it."""
    if isinstance(value.type, StructType):
        return x.frozen(value)
    return evaluation_order.register(e, x.escaping) or x.emit.saved(value)


def arguments_before_place(x: ExpressionLowering, source: Expression, code: Code) -> Code:
    """The ``code`` of a call behind effects of the place its result goes to: these do not change its arguments."""
    call = code[0]
    given = queries.syntax_below_conversions(source)
    if not isinstance(call, goto.CallInstruction) or not isinstance(given, tree.Call):
        return code
    if len(given.arguments) != len(call.arguments):
        return code
    pairs = zip(given.arguments, call.arguments, strict=True)
    kept = tuple([_argument_kept(x, argument, value) for argument, value in pairs])
    return [replace(call, arguments=kept), *code[1:]]


_NO_ZERO: Final = re.compile("__builtin_c[lt]z(?:ll?)?")
"""Functions that look for a bit which zero has not."""


def ordinary(
    x: ExpressionLowering, e: tree.Call, *, wanted: bool, result_name: str = ""
) -> Expression | None:
    """Arguments right to left, then the call; its result in a temporary."""
    callee: Expression = e.callee
    name = callee.name if isinstance(callee, tree.FunctionRef) else None
    if name is None:
        callee = x.emit.saved(x.value(callee))
    arguments = pure_arguments(x, e.arguments)
    if name is None and x.emit.function != dialect.AT_EXIT:  # which stands behind no call of the program
        null = constant(0, callee.type, e.location)
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


def exit_handlers(x: ExpressionLowering, location: Location) -> None:
    """Call the functions given to ``atexit``, where the program calls that at all."""
    if dialect.AT_EXIT in x.program.functions:
        _of_nobody(x, x.program.functions[dialect.AT_EXIT], location)


def by_attribute(x: ExpressionLowering, attribute: str, location: Location) -> None:
    """Call the functions with an ``attribute``: constructors in the order of their definitions.

    Those with ``destructor`` are called backwards.
    """
    found = [f for f in x.program.functions.values() if attribute in f.uncalled and f.body is not None]
    for function in found if attribute == "constructor" else reversed(found):
        _of_nobody(x, function, location)


def _of_nobody(x: ExpressionLowering, f: tree.Function, location: Location) -> None:
    """A call without arguments that stands nowhere in the program."""
    callee = tree.FunctionRef(type=f.type, location=location, name=f.name)
    x.emit.add(goto.CallInstruction(location=location, result=None, callee=callee, arguments=()))
    jumps.confine(x, f.name, location)


def of_model(
    x: ExpressionLowering,
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


def _foreign_properties(x: ExpressionLowering, name: str | None, e: tree.Call) -> dict[str, str]:
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
