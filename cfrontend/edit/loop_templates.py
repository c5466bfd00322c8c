r"""Templates for what is missing in and behind loops, and at the end of branches that end with another statement.

for (..) { for (..) s += x; }           ->   for (..) { s = 0; for (..) s += x; }
for (i = 0; ..) if (x > m) m = x;       ->   for (i = 0; ..) if (i == 0 || (x > m)) m = x;
while (..) t[k++] = s[i++];             ->   while (..) t[k++] = s[i++]; t[k] = '\0';
if (a) { if (b) c = 0; }                ->   if (a) { if (b) c = 0; return HOLE; }
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, TypeAlias

from cfrontend import goto
from cfrontend.edit.ingredients import ingredient_expressions_within
from cfrontend.edit.names_in_scope import is_declared_constant
from cfrontend.edit.statement_templates import statement_span_at_site, statement_unit_at_site
from cfrontend.edit.template import LARGE, LARGE_SELDOM, TemplateChange, TemplateSite, template
from cfrontend.edit.text import operand_text
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression, Statement
from cfrontend.syntax.types import CHAR, FloatType, IntType, VoidType, is_integer_type_but_bool
from cfrontend.units import UnitId

Loop: TypeAlias = tree.While | tree.DoWhile | tree.For

_LOOPS: Final = (tree.While, tree.DoWhile, tree.For)


@template(
    "missing reset in an outer loop",
    example="int total = 0; while (y--) for (i = 0; i < n; i++) total += a[i]; "
    "-> int total = 0; while (y--) { total = 0; for (i = 0; i < n; i++) total += a[i]; }",
    kind="addition",
    cost=LARGE_SELDOM,
    at="statement",
    of=_LOOPS,
)
def _reset_in_loop(site: TemplateSite[Loop]) -> Iterator[TemplateChange]:
    """Reset of what an inner loop adds to, in each round of the outer loop, to its initial value."""
    for inner, is_item in _inner_loops(site.node.body):
        span, unit = statement_span_at_site(site, inner), statement_unit_at_site(site, inner)
        if span is None or unit is None:
            continue
        whole, steps = site.around.source.text[slice(*span)], _steps(inner)
        for symbol, value in _constant_initializers(site):
            if symbol.key in steps and symbol.key not in _assigned(site.node):
                text = f"{symbol.name} = {value}"
                if is_item:
                    yield TemplateChange(text, at=(span[0], span[0]), form="before", unit=unit)
                else:
                    yield TemplateChange(f"{{ {text}; {whole} }}", at=span, form="statement", unit=unit)


@template(
    "missing reset at the end of a block",
    example="int total = 0; while (y--) { total++; if (total > x) x = total; } "
    "-> int total = 0; while (y--) { total++; if (total > x) x = total; total = 0; }",
    kind="addition",
    cost=LARGE_SELDOM,
    at="statement",
    of=tree.Compound,
)
def _reset_at_end(site: TemplateSite[tree.Compound]) -> Iterator[TemplateChange]:
    """Reset of what the last branch or loop of a block names, behind it, to its initial value."""
    last, unit, end = _last_of_block(site)
    body = site.around.function.body
    if not isinstance(last, tree.If | tree.While | tree.For) or unit is None or body is None:
        return
    named = {e.symbol.key for e in ingredient_expressions_within(last) if isinstance(e, tree.VariableRef)}
    for symbol, value in _constant_initializers(site):
        if symbol.key in (named & _steps(body)) - _assigned(body):
            yield TemplateChange(f"{symbol.name} = {value}", at=(end, end), form="before", unit=unit)


@template(
    "value that is never stored back",
    example="while (n > 1) { x = a[n]; for (i = n; i > 0 && a[i - 1] > x; i--) a[i] = a[i - 1]; } "
    "-> while (n > 1) { x = a[n]; for (i = n; i > 0 && a[i - 1] > x; i--) a[i] = a[i - 1]; a[i] = x; }",
    kind="addition",
    cost=LARGE_SELDOM,
    at="statement",
    of=tree.Compound,
)
def _stored_back(site: TemplateSite[tree.Compound]) -> Iterator[TemplateChange]:
    """Store of a kept array element, at the end of a block whose last loop moves the elements of the array."""
    last, unit, end = _last_of_block(site)
    body = site.around.function.body
    if not isinstance(last, tree.While | tree.For) or unit is None or body is None:
        return
    moved = [e.target for e in ingredient_expressions_within(last) if isinstance(e, tree.Assign)]
    places = [target for target in moved if isinstance(target, tree.Index)]
    stored = {
        e.value.symbol.key
        for e in ingredient_expressions_within(body)
        if isinstance(e, tree.Assign)
        and isinstance(e.target, tree.Index)
        and isinstance(e.value, tree.VariableRef)
    }
    for name, key, array in _kept_elements(site):
        for place in places if key not in stored else ():
            at = _stepped(place.index)
            if at is not None and site.text_of(place.base) == array:
                for index in (at.name, f"{at.name} + 1"):
                    text = f"{array}[{index}] = {name}"
                    yield TemplateChange(text, at=(end, end), form="before", unit=unit)


def _last_of_block(site: TemplateSite[tree.Compound]) -> tuple[Statement | None, UnitId | None, int]:
    """The last statement of a block, its unit, and where the block ends; no unit where an edit has no place there."""
    block = site.around.source.span(site.node.location)
    if not site.node.items or block is None:
        return None, None, 0
    return site.node.items[-1], statement_unit_at_site(site, site.node.items[-1]), block[1] - 1


def _kept_elements(site: TemplateSite[tree.Compound]) -> Iterator[tuple[str, str, str]]:
    """The variables that a block gives elements of arrays: the name and key of each, and the text of the array."""
    for s in site.node.items:
        if isinstance(s, tree.Declaration) and s.initializer is not None:
            symbol, values = s.symbol, [item.value for item in s.initializer.items]
        elif isinstance(s, tree.ExpressionStatement) and isinstance(s.expression, tree.Assign):
            target = s.expression.target
            if not isinstance(target, tree.VariableRef):
                continue
            symbol, values = target.symbol, [s.expression.value]
        else:
            continue
        inner = [queries.syntax_below_implicit_conversions(value) for value in values]
        if len(inner) == 1 and isinstance(inner[0], tree.Index):
            array = site.text_of(inner[0].base)
            if array is not None:
                yield symbol.name, symbol.key, array


def _inner_loops(s: Statement, *, is_item: bool = False) -> Iterator[tuple[Loop, bool]]:
    """The loops in a statement, but for those in others of these, and whether they are items of a block."""
    if isinstance(s, _LOOPS):
        yield s, is_item
        return
    for one in queries.syntax_statements_in(s):
        yield from _inner_loops(one, is_item=isinstance(s, tree.Compound))


def _steps(s: Statement) -> frozenset[str]:
    """The keys of the variables that a statement changes from what they are."""
    return frozenset(
        e.target.symbol.key
        for e in ingredient_expressions_within(s)
        if isinstance(e, tree.CompoundAssign | tree.IncDec) and isinstance(e.target, tree.VariableRef)
    ) | (_assigned(s, by_themselves=True))


def _assigned(s: Statement, *, by_themselves: bool = False) -> frozenset[str]:
    """The keys of the variables that a statement gives values which do not name them, or which do."""
    return frozenset(
        e.target.symbol.key
        for e in ingredient_expressions_within(s)
        if isinstance(e, tree.Assign)
        and isinstance(e.target, tree.VariableRef)
        and by_themselves
        == any(
            isinstance(part, tree.VariableRef) and part.symbol.key == e.target.symbol.key
            for part in goto.goto_subexpressions(e.value)
        )
    )


def _constant_initializers(
    site: TemplateSite[Loop] | TemplateSite[tree.Compound],
) -> Iterator[tuple[tree.SyntaxSymbol, str]]:
    """The variables of the function that begin with a constant outside of a loop or a block, and its text."""
    inside = {id(s) for s in queries.syntax_statements_within(site.node)}
    body = site.around.function.body
    inside |= {
        id(start)
        for s in queries.syntax_statements_within(body)
        if isinstance(s, tree.For)
        for start in s.start
    }
    for s in queries.syntax_statements_within(body):
        if id(s) in inside or not isinstance(s, tree.Declaration) or s.initializer is None:
            continue
        values = [queries.syntax_below_conversions(item.value) for item in s.initializer.items]
        if len(values) == 1 and isinstance(values[0], tree.IntConstant | tree.FloatConstant):
            text = site.text_of(values[0])
            if text is not None and isinstance(s.symbol.type, IntType | FloatType):
                yield s.symbol, text


@template(
    "missing case of the first round",
    example="for (i = 0; i < n; i++) if (a[i] > x) x = a[i]; "
    "-> for (i = 0; i < n; i++) if (i == 0 || (a[i] > x)) x = a[i];",
    kind="replacement",
    cost=LARGE,
    at="statement",
    of=tree.For,
)
def _first_round(site: TemplateSite[tree.For]) -> Iterator[TemplateChange]:
    """A comparison in a loop that also holds in its first round."""
    counter = _beginning(site)
    for s in queries.syntax_statements_within(site.node.body) if counter is not None else ():
        unit = statement_unit_at_site(site, s) if isinstance(s, tree.If) else None
        if isinstance(s, tree.If) and unit is not None:
            condition = queries.syntax_below_implicit_conversions(s.condition)
            text = site.text_of(s.condition)
            if text is not None and isinstance(condition, tree.Binary) and f"{counter}" not in text:
                changed = f"{counter} || ({text})"
                yield TemplateChange(changed, at=s.condition, unit=unit, is_test=True, binds=True)


def _beginning(site: TemplateSite[tree.For]) -> str | None:
    """``i == 0`` where a loop begins with ``i = 0``; None where it begins otherwise."""
    first = site.node.start[0] if site.node.start else None
    target, value = None, None
    match first:
        case tree.Declaration(initializer=tree.Initializer(items=(item,))):
            target, value = first.symbol, site.text_of(item.value)
        case tree.ExpressionStatement(
            expression=tree.Assign(target=tree.VariableRef() as written, value=given)
        ):
            target, value = written.symbol, site.text_of(given)
        case _:
            pass
    if target is None or value is None or not is_integer_type_but_bool(target.type):
        return None
    return f"{target.name} == {operand_text(value)}"


@template(
    "missing end of a string",
    example="while (s[i]) s[n++] = s[i++]; x = n; -> while (s[i]) s[n++] = s[i++]; s[n] = '\\0'; x = n;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="statement",
    of=tree.Compound,
)
def _string_ended(site: TemplateSite[tree.Compound]) -> Iterator[TemplateChange]:
    """The end of a string behind a loop that has written its characters, or gone back over them."""
    block = site.around.source.span(site.node.location)
    for loop, following in pairwise((*site.node.items, None)):
        if not isinstance(loop, tree.While | tree.For) or block is None:
            continue
        behind = None if following is None else statement_span_at_site(site, following)
        if isinstance(following, tree.Declaration) or (following is not None and behind is None):
            continue
        at, unit = block[1] - 1 if behind is None else behind[0], statement_unit_at_site(site, loop)
        declared = {
            s.symbol.key for s in queries.syntax_statements_within(loop) if isinstance(s, tree.Declaration)
        }
        texts = [
            _place_behind(e.target, site, declared)
            for e in ingredient_expressions_within(loop)
            if isinstance(e, tree.Assign)
        ]
        trimmed = list(_trimmed_places(loop, site, declared))
        is_ended = trimmed and _ends_some_string(site.around.function.body)
        for text in dict.fromkeys((*texts, *trimmed)):
            if text is not None and unit is not None:
                likeliest = text in trimmed and not is_ended
                yield TemplateChange(
                    f"{text} = '\\0'", at=(at, at), form="before", unit=unit, is_likeliest=likeliest
                )


def _ends_some_string(body: tree.Statement | None) -> bool:
    """True if a function writes 0 to a character."""
    return any(
        isinstance(e, tree.Assign)
        and isinstance(e.type, IntType)
        and e.type.rank == CHAR.rank
        and isinstance(value := queries.syntax_below_conversions(e.value), tree.IntConstant)
        and value.value == 0
        for e in queries.syntax_nodes_within(body)
    )


def _trimmed_places(
    loop: tree.While | tree.For, site: TemplateSite[tree.Compound], declared: set[str]
) -> Iterator[str]:
    """The places of characters to which a variable goes down in a loop that reads them."""
    nodes = list(queries.syntax_nodes_within(loop))
    lowered = {
        e.target.symbol.key
        for e in nodes
        if isinstance(e, tree.IncDec) and e.op == "-" and isinstance(e.target, tree.VariableRef)
    } - declared
    for e in nodes if lowered else ():
        if (
            isinstance(e, tree.Index | tree.Deref)
            and isinstance(e.type, IntType)
            and e.type.rank == CHAR.rank
        ):
            whole = e.base if isinstance(e, tree.Index) else e.pointer
            symbols = _symbols_of(whole)
            indices = _symbols_of(e.index) if isinstance(e, tree.Index) else []
            array = site.text_of(whole)
            if not symbols or is_declared_constant(symbols[0], site.around.source):
                continue
            yield from (f"*{one.name}" for one in symbols[:1] if one.key in lowered)
            yield from (f"{array}[{one.name}]" for one in indices if one.key in lowered and array is not None)


def _symbols_of(e: Expression) -> list[tree.SyntaxSymbol]:
    """The variables that an expression names."""
    return [part.symbol for part in goto.goto_subexpressions(e) if isinstance(part, tree.VariableRef)]


def _place_behind(target: Expression, site: TemplateSite[tree.Compound], declared: set[str]) -> str | None:
    """The place behind the last character that is written to ``target`` in a loop; None where it is none."""
    if not isinstance(target.type, IntType) or target.type.rank != CHAR.rank:
        return None
    match target:
        case tree.Index():
            at, base = _stepped(target.index), site.text_of(target.base)
            return None if at is None or at.key in declared or base is None else f"{base}[{at.name}]"
        case tree.Deref():
            at = _stepped(target.pointer)
            return None if at is None or at.key in declared else f"*{at.name}"
        case _:
            return None


def _stepped(e: Expression) -> tree.SyntaxSymbol | None:
    """The variable that an expression is, or steps."""
    inner = queries.syntax_below_implicit_conversions(e)
    if isinstance(inner, tree.IncDec):
        inner = inner.target
    return inner.symbol if isinstance(inner, tree.VariableRef) else None


@template(
    "missing jump behind a branch",
    example="if (i < n) { x = 1; if (y) x = 2; } -> if (i < n) { x = 1; if (y) x = 2; return ?; }",
    kind="addition",
    cost=LARGE_SELDOM,
    at="statement",
    of=tree.If,
)
def _jump_behind_branch(site: TemplateSite[tree.If]) -> Iterator[TemplateChange]:
    """A ``return`` at the end of a branch that ends with another branch or with a loop."""
    result = site.around.function.type.result
    if site.around.function.name == "main":
        ways = ["return 0"]
    else:
        ways = ["return"] if isinstance(result, VoidType) else []
        ways += [f"return {HOLE}"] if is_integer_type_but_bool(result) else []
        ways += [f"return {name}" for name in _returned_names(site.around.function)]
    for branch in (site.node.then, site.node.otherwise):
        last = branch.items[-1] if isinstance(branch, tree.Compound) and branch.items else None
        span = None if branch is None else site.around.source.span(branch.location)
        if isinstance(last, tree.If | tree.While | tree.For) and span is not None:
            unit, end = statement_unit_at_site(site, last), span[1] - 1
            for way in ways if unit is not None else ():
                yield TemplateChange(way, at=(end, end), form="before", unit=unit)


def _returned_names(function: tree.Function) -> Iterator[str]:
    """The parameters, and the variables of the whole function, that it returns somewhere."""
    body = function.body
    items = () if body is None else body.items
    known = {s.symbol.key for s in items if isinstance(s, tree.Declaration)}
    known |= {parameter.key for parameter in function.parameters}
    values = (
        s.value
        for s in queries.syntax_statements_within(body)
        if isinstance(s, tree.Return) and s.value is not None
    )
    inner = map(queries.syntax_below_implicit_conversions, values)
    names = (e.symbol.name for e in inner if isinstance(e, tree.VariableRef) and e.symbol.key in known)
    yield from dict.fromkeys(names)
