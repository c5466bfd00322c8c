"""``setjmp`` and ``longjmp``: a jump returns from function to function, and goes on where its place was set.

    if (setjmp(p) == 0)   ->        __sfo_set_jump(p, here, 1); t = 0
        f();                   $1:  IF !(t == 0) GOTO end
                                    f()
                                    IF __sfo_jump_to == 0 GOTO end
                                    IF __sfo_jump_to == here: t = __sfo_jump_value; __sfo_jump_to = 0; GOTO $1
                                    RETURN
                               end:

``here`` is the number of this activation of the function. So a jump needs no instruction of its own, and one that
leads back closes a loop, as a ``goto`` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, final

from cfrontend import goto
from cfrontend.errors import Location
from cfrontend.lower import calls, conversions, dialect
from cfrontend.record import dataclass
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.syntax.types import INT, StructType, VoidType

if TYPE_CHECKING:
    from cfrontend.lower.expressions import ExpressionLowering

_SET: Final = "__sfo_set_jump"
_ACTIVATIONS: Final = "__sfo_activations"
_TO: Final = "__sfo_jump_to"
_PLACE: Final = "__sfo_jump_place"
_VALUE: Final = "__sfo_jump_value"
_ENDED: Final = "jump into a function that has ended"


@final
@dataclass(frozen=True, slots=True)
class Jumps:
    """Targets of the jumps (``longjmp``) through a function.

    ``leave`` is the label at which it returns, ``here`` the number of its activation where it calls ``setjmp``, and
    ``results`` what these calls return, by the identity of the node.
    """

    leave: int
    here: SyntaxSymbol | None
    results: dict[int, SyntaxSymbol]


def ended_functions(program: tree.TranslationUnit, addressed: Iterable[str]) -> frozenset[str | None]:
    """The functions of which a call can end with a jump; None: a call through a pointer can."""
    jumps: set[str | None] = {name for name in dialect.JUMPS if _is_model(program, name)}
    if not jumps:
        return frozenset()
    callees: dict[str, set[str | None]] = {}
    for f in program.functions.values():
        if f.body is not None:
            callees[f.name] = {dialect.callee_name_in_dialect(call) for call in queries.calls_within(f.body)}
    changed = True
    while changed:
        more = {name for name, called in callees.items() if not called.isdisjoint(jumps)} - jumps
        by_pointer = {None} if None not in jumps and not jumps.isdisjoint(addressed) else set()
        changed = bool(more or by_pointer)
        jumps |= more | by_pointer
    return frozenset(jumps)


def _is_model(program: tree.TranslationUnit, name: str) -> bool:
    function = program.functions.get(name)
    return (
        function is not None
        and function.body is not None
        and is_preprocessed_foreign_file(function.location.file)
    )


def begin_activation(x: ExpressionLowering, f: tree.Function) -> Jumps:
    """The function begins: its activation gets a number, where jumps can lead to it."""
    assert f.body is not None
    results = {id(call): x.emit.temporary(INT) for call in _places(x, f.body)}
    if not results:
        return Jumps(x.emit.label(), None, results)
    at = f.body.location
    count = _variable(x, _ACTIVATIONS, at)
    here = x.emit.temporary(count.type)
    one = calls.constant(1, count.type, at)
    number = tree.Binary(type=count.type, location=at, op="+", left=count, right=one)
    x.emit.assign(here.reference(at), number)
    x.emit.assign(count, here.reference(at))
    return Jumps(x.emit.label(), here, results)


def _places(x: ExpressionLowering, body: tree.Compound) -> Iterator[tree.Call]:
    """The calls below that set a place."""
    names = [name for name in dialect.SETS_JUMPS if _is_model(x.program, name)]
    for call in queries.calls_within(body) if names else ():
        if dialect.callee_name_in_dialect(call) in names:
            yield call


def end_activation(x: ExpressionLowering, f: tree.Function, *, is_entry: bool) -> None:
    """The function ends: where a jump leaves it, it returns whatever there is to return."""
    if x.jumps is None or not x.callees.jumping:
        return
    over = x.emit.label()
    x.emit.jump(over)
    x.emit.place(x.jumps.leave)
    if is_entry:
        x.emit.check("pointer", calls.constant(0, INT, f.end), _ENDED, f.end)
    kind = f.type.result
    value = None if isinstance(kind, VoidType | StructType) else calls.constant(0, kind, f.end)
    x.emit.code.append(goto.ReturnInstruction(location=f.end, value=value))
    x.emit.place(over)


def set_jump(x: ExpressionLowering, e: tree.Call, name: str) -> Expression:
    """A call of ``setjmp``: the jumps that the buffer stands for lead behind it."""
    assert x.jumps is not None
    result = x.jumps.results.get(id(e))
    if result is None or x.jumps.here is None or x.statements is None:
        x.emit.refuse(f"'{name}' here is not supported yet", e.location)
        return calls.constant(0, e.type, e.location)
    buffer, *_ = calls.pure_arguments(x, e.arguments)
    place = 1 + list(x.jumps.results).index(id(e))
    here = x.jumps.here.reference(e.location)
    calls.of_model(x, e, _SET, (buffer, here, calls.constant(place, here.type, e.location)), None)
    reference = result.reference(e.location)
    x.emit.assign(reference, calls.constant(0, INT, e.location))
    if not x.emit.is_trying:
        x.statements.label(_label(place))
    return reference


def behind_call(x: ExpressionLowering, name: str | None, location: Location) -> None:
    """Emit code behind a call that a jump can have ended: it goes on here, or leaves this function."""
    if x.jumps is None or name not in x.callees.jumping or x.emit.is_trying:
        return
    over = x.emit.label()
    to = _variable(x, _TO, location)
    zero = calls.constant(0, to.type, location)
    x.emit.branch(conversions.comparison("==", to, zero), over, when=True)
    if x.jumps.here is not None and x.statements is not None:
        x.emit.branch(
            conversions.comparison("==", to, x.jumps.here.reference(location)), x.jumps.leave, when=False
        )
        for place, result in enumerate(x.jumps.results.values(), start=1):
            another = x.emit.label()
            chosen = conversions.comparison(
                "==", _variable(x, _PLACE, location), calls.constant(place, to.type, location)
            )
            x.emit.branch(chosen, another, when=False)
            x.emit.assign(result.reference(location), _variable(x, _VALUE, location))
            x.emit.assign(to, zero)
            x.statements.goto(_label(place))
            x.emit.place(another)
    x.emit.jump(x.jumps.leave)
    x.emit.place(over)


def confine(x: ExpressionLowering, name: str, location: Location) -> None:
    """Behind a call that stands nowhere in the program: a jump out of it leads nowhere."""
    if name in x.callees.jumping:
        to = _variable(x, _TO, location)
        none = conversions.comparison("==", to, calls.constant(0, to.type, location))
        x.emit.check("pointer", none, _ENDED, location)


def _label(place: int) -> str:
    return f"$jump{place}"


def _variable(x: ExpressionLowering, name: str, location: Location) -> Expression:
    return next(v.symbol for v in x.program.variables if v.symbol.name == name).reference(location)
