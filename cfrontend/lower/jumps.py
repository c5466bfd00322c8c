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
from typing import Final

from cfrontend import goto
from cfrontend.errors import Location
from cfrontend.lower import dialect, pure
from cfrontend.lower.context import Jumps, Lowering
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import INT, StructType, VoidType

SET: Final = "__sfo_set_jump"
_ACTIVATIONS: Final = "__sfo_activations"
_TO: Final = "__sfo_jump_to"
_PLACE: Final = "__sfo_jump_place"
_VALUE: Final = "__sfo_jump_value"
_ENDED: Final = "jump into a function that has ended"


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


def begin_activation(x: Lowering, f: tree.Function) -> Jumps:
    """The function begins: its activation gets a number, where jumps can lead to it."""
    assert f.body is not None
    results = {id(call): x.emit.temporary(INT) for call in _places(x, f.body)}
    if not results:
        return Jumps(x.emit.label(), None, results)
    at = f.body.location
    count = _variable(x, _ACTIVATIONS, at)
    here = x.emit.temporary(count.type)
    one = pure.constant(1, count.type, at)
    number = tree.Binary(type=count.type, location=at, op="+", left=count, right=one)
    x.emit.assign(here.reference(at), number)
    x.emit.assign(count, here.reference(at))
    return Jumps(x.emit.label(), here, results)


def _places(x: Lowering, body: tree.Compound) -> Iterator[tree.Call]:
    """The calls below that set a place."""
    names = [name for name in dialect.SETS_JUMPS if _is_model(x.program, name)]
    for call in queries.calls_within(body) if names else ():
        if dialect.callee_name_in_dialect(call) in names:
            yield call


def end_activation(x: Lowering, f: tree.Function, *, is_entry: bool) -> None:
    """The function ends: where a jump leaves it, it returns whatever there is to return."""
    if x.jumps is None or not x.callees.jumping:
        return
    over = x.emit.label()
    x.emit.jump(over)
    x.emit.place(x.jumps.leave)
    if is_entry:
        x.emit.check("pointer", pure.constant(0, INT, f.end), _ENDED, f.end)
    kind = f.type.result
    value = None if isinstance(kind, VoidType | StructType) else pure.constant(0, kind, f.end)
    x.emit.code.append(goto.ReturnInstruction(location=f.end, value=value))
    x.emit.place(over)


def behind_call(x: Lowering, name: str | None, location: Location) -> None:
    """Emit code behind a call that a jump can have ended: it goes on here, or leaves this function."""
    if x.jumps is None or name not in x.callees.jumping or x.emit.is_trying:
        return
    over = x.emit.label()
    to = _variable(x, _TO, location)
    zero = pure.constant(0, to.type, location)
    x.emit.branch(pure.comparison("==", to, zero), over, when=True)
    if x.jumps.here is not None and x.statements is not None:
        x.emit.branch(pure.comparison("==", to, x.jumps.here.reference(location)), x.jumps.leave, when=False)
        for place, result in enumerate(x.jumps.results.values(), start=1):
            another = x.emit.label()
            chosen = pure.comparison(
                "==", _variable(x, _PLACE, location), pure.constant(place, to.type, location)
            )
            x.emit.branch(chosen, another, when=False)
            x.emit.assign(result.reference(location), _variable(x, _VALUE, location))
            x.emit.assign(to, zero)
            x.statements.goto(label(place))
            x.emit.place(another)
    x.emit.jump(x.jumps.leave)
    x.emit.place(over)


def confine(x: Lowering, name: str, location: Location) -> None:
    """Behind a call that stands nowhere in the program: a jump out of it leads nowhere."""
    if name in x.callees.jumping:
        to = _variable(x, _TO, location)
        none = pure.comparison("==", to, pure.constant(0, to.type, location))
        x.emit.check("pointer", none, _ENDED, location)


def label(place: int) -> str:
    """Label behind the call of ``setjmp`` with this number."""
    return f"$jump{place}"


def _variable(x: Lowering, name: str, location: Location) -> Expression:
    return next(v.symbol for v in x.program.variables if v.symbol.name == name).reference(location)
