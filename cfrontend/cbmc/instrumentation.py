"""Instrumentation for CBMC: a goto program as C, with its checks as assertions, and coverage and inputs observable.

    4  ASSERT i < 10 // main.bounds.1        __CPROVER_assert(v_i < 10 || sfo_end != 3, "main.bounds.1");
                                        ->   __CPROVER_assume(v_i < 10);
    5  cover U7                              __CPROVER_assume(sfo_may_7); sfo_covered_7 = 1;

``sfo_may_7`` is a guess made at the start: an execution that covers unit 7 must have guessed so, so that *avoids
unit 7* is the assumption ``!sfo_may_7``. ``sfo_end`` is a guess at how the execution ends: the number of the
property it violates, or 0 where it passes. With both left open, one formula answers every question. An assumption
after each assertion ends the execution at its first violation, and a violation is not lost when the execution
would later meet a false assumption or the bound: a model checker looks at assumptions before an assertion only.

Every value that the program does not determine is *drawn*, in the order in which it comes into being: parameters
of the entry function, inputs, uninitialised variables (``cells_of_drawn_values``). ``encode(..., drawn=values)``
replays it. Calls keep their order and loops their numbers: loop ``f.2`` of the program is loop ``f_f.2`` here.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Final, assert_never, final

from cfrontend import goto
from cfrontend.cbmc.c_code import (
    CbmcConditionCode,
    CCodeExpressionPrinter,
    c_code_declaration,
    c_code_function_name,
    c_code_initialiser,
    c_code_member_name,
    c_code_structures,
    c_code_variable_name,
    freed_condition_code,
)
from cfrontend.cbmc.drawn_values import (
    MOST_DRAWN,
    MOST_OF_MANY,
    cells_of_drawn_values,
    scalars_of_drawn_values,
)
from cfrontend.cbmc.questions import (
    AnyQuestion,
    FailingQuestion,
    LongerQuestion,
    PassingQuestion,
    Question,
    UnmodelledQuestion,
)
from cfrontend.cbmc.refusals import functions_with_possible_refusals, refused_instructions
from cfrontend.elaborate.constants import constant_value
from cfrontend.environment.arguments import NAME, EnvironmentArguments, environment_argument_sites
from cfrontend.errors import InternalError, UnsupportedError
from cfrontend.goto import GotoFunction, GotoProgram, goto_expressions_of, goto_subexpressions
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.syntax.types import (
    BOOL,
    CHAR,
    UCHAR,
    ULONG,
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    VoidType,
    is_scalar_type,
    size_of_type,
)
from cfrontend.units import UnitId

_NOT_ASKED: Final = 0xFFFFFFFE
"""Number of properties that are not asked for, with which no execution ends."""

PASSES: Final = 0
"""The value of ``sfo_end`` of a passing execution; property ``n`` of the program, from 0, has ``n + 1``."""

END: Final = "sfo_end"
DRAWN: Final = "sfo_drawn"
"""Identifier under which a CBMC trace shows each drawn value."""

OWN_LIMITS: Final = {"sfo_string.0": 4096}
"""Unwinding bounds of the loops that only the text has: the longest string in bytes that is looked through."""

MAIN: Final = "main"
"""Name of the text's function where executions start; it calls the entry function of the program."""


def instrumentation_guess(unit: UnitId) -> str:
    """The name of the variable that says whether an execution may cover ``unit``."""
    return f"sfo_may_{unit}"


def _covered(unit: UnitId) -> str:
    return f"sfo_covered_{unit}"


# -- the text ----------------------------------------------------------------------------------------------------


def instrument_for_cbmc(
    program: GotoProgram,
    entry: str,
    arguments: EnvironmentArguments,
    question: Question,
    *,
    draws_much: bool = False,
) -> str:
    """The C text that asks ``question`` about executions from ``entry``; ``arguments`` are those of ``main``.

    ``draws_much``: large objects and the first bytes of allocated memory are drawn, too, which makes formulas larger.

    Raises UnsupportedError for what cannot be written so.
    """
    return _Text(program, entry, arguments, question, draws_much=draws_much).text()


@final
class _Text:
    def __init__(
        self,
        program: GotoProgram,
        entry: str,
        arguments: EnvironmentArguments,
        question: Question,
        *,
        draws_much: bool,
    ) -> None:
        self.program = program
        self.draws_much = draws_much
        self.entry = entry
        self.arguments = arguments
        self.question = question
        self.x = CCodeExpressionPrinter(program.structs, program.functions)
        self.reachable = functions_with_possible_refusals(program, entry)
        self.numbers: Mapping[str, int] = {p.id: n for n, p in enumerate(program.properties, start=1)}
        self.units = [u.id for u in program.units]
        self.guessed = self._guessed()
        self.noted = tuple(self.units) if isinstance(question, PassingQuestion | AnyQuestion) else ()
        self.refused = {id(i): n for n, (i, _) in enumerate(refused_instructions(program, entry))}
        self.frees = any(
            isinstance(i, goto.FreeInstruction) for f in self._functions() for i in f.instructions
        )
        self.conditions = CbmcConditionCode(self.x, frees=self.frees)
        self.draws: dict[str, str] = {}
        self.kinds: dict[str, None] = {}

    def _functions(self) -> list[GotoFunction]:
        return [f for name, f in self.program.functions.items() if name in self.reachable]

    def text(self) -> str:
        """The complete text."""
        functions = [line for f in self._functions() for line in self.function(f)]
        main = self.main()
        return "\n".join(
            [
                *c_code_structures(self.program.structs),
                "typedef unsigned __CPROVER_bitvector[1] sfo_bit;",
                *(f"{ctype} {name}(void);" for ctype, name in self.draws.items()),
                f"static unsigned int {END};",
                *(f"static unsigned int {_last_call(kind)};" for kind in self.kinds),
                *(f"static _Bool {instrumentation_guess(unit)};" for unit in self.guessed),
                *(f"static _Bool {_covered(unit)};" for unit in self.noted),
                *(["static _Bool sfo_freed[__CPROVER_constant_infinity_uint];"] if self.frees else []),
                *(f"{self.head(f)};" for f in self._functions()),
                *self.variables(),
                *self.string(),
                *self.passed(),
                *functions,
                *main,
                "",
            ]
        )

    # -- questions ---------------------------------------------------------------------------------------------

    def _guessed(self) -> tuple[UnitId, ...]:
        """Declarations of the coverage guesses of units."""
        match self.question:
            case AnyQuestion():
                return tuple(self.units)
            case FailingQuestion(not_all_of=units):
                return tuple(sorted(units or ()))
            case PassingQuestion() | LongerQuestion() | UnmodelledQuestion():
                return ()
            case _:
                assert_never(self.question)

    def assertion(self, f: GotoFunction, condition: str, name: str) -> list[str]:
        """An assertion of ``condition``, or only an assumption where its violation is not asked for.

        In a foreign function ``name`` is the kind of the property that the program's call of it violates.
        """
        assumed = f"__CPROVER_assume({condition});"
        if f.foreign:
            return [*self.foreign_assertion(condition, name), assumed]
        match self.question:
            case AnyQuestion():
                guess = f"{END} != {self.numbers[name]}u"
                return [f'__CPROVER_assert({condition} || {guess}, "{name}");', assumed]
            case FailingQuestion(properties=properties) if name in properties:
                return [f'__CPROVER_assert({condition}, "{name}");', assumed]
            case _:
                return [assumed]

    def foreign_assertion(self, condition: str, kind: str) -> list[str]:
        """The assertion of a foreign function, on the property of the last call; number 0 is not asked for."""
        self.kinds.setdefault(kind)
        match self.question:
            case AnyQuestion():
                return [f'__CPROVER_assert({condition} || {END} != {_last_call(kind)}, "{kind}");']
            case FailingQuestion():
                return [f'__CPROVER_assert({condition} || {_last_call(kind)} == 0, "{kind}");']
            case _:
                return []

    def asked_number(self, name: str) -> int:
        """The number of a property, 0 (or one that nothing ends with) where its violation is not asked for."""
        if isinstance(self.question, FailingQuestion) and name not in self.question.properties:
            return 0
        if not name:
            return _NOT_ASKED
        return self.numbers[name]

    def refusal(self, i: goto.Instruction) -> list[str]:
        """The end of an execution at an unmodelled instruction, asked for when the question is about those."""
        if isinstance(self.question, UnmodelledQuestion):
            return [f'__CPROVER_assert(0, "{self.refused[id(i)]}");', "__CPROVER_assume(0);"]
        return ["__CPROVER_assume(0);"]

    def passed(self) -> list[str]:
        """The function that ends a passing execution."""
        asked: list[str] = []
        match self.question:
            case AnyQuestion():
                exact = [f"({_covered(unit)} || !{instrumentation_guess(unit)})" for unit in self.units]
                same = " && ".join(exact) or "1"
                asked = [f'__CPROVER_assert({END} != {PASSES}u || !({same}), "passes");']
            case PassingQuestion(unlike=unlike):
                known = [
                    " && ".join(f"{'' if u in covered else '!'}{_covered(u)}" for u in self.units) or "1"
                    for covered in unlike
                ]
                asked = [f'__CPROVER_assert({" || ".join(f"({one})" for one in known) or "0"}, "passes");']
            case FailingQuestion() | LongerQuestion() | UnmodelledQuestion():
                pass
            case _:
                assert_never(self.question)
        return ["void sfo_passed(void) {", *asked, "__CPROVER_assume(0);", "}"]

    def string(self) -> list[str]:
        """The function that says whether a zero, or so many characters, come before the end of an object."""
        there = "__CPROVER_r_ok(place, width)"
        if self.frees:
            there += f" && !{freed_condition_code('place')}"
        return [
            "_Bool sfo_string(const void *place, int most, unsigned long width) {",
            "next: if (most == 0) return 1;",
            f"if (!({there})) return 0;",
            "if (width == 1 ? *(const char *)place == 0 : *(const int *)place == 0) return 1;",
            "place = (const char *)place + width;",
            "if (most > 0) most = most - 1;",
            "goto next;",
            "}",
        ]

    def main(self) -> list[str]:
        """The main function: the guesses, the constructors, the parameters, the call of the entry function, the end."""
        function = self.program.functions[self.entry]
        before, given = self.main_arguments(function) if self.entry == "main" else self.parameters(function)
        guesses: list[str] = []
        if isinstance(self.question, AnyQuestion):
            guesses.append(f"{END} = {self.draw('unsigned int')};")
            guesses += [f'__CPROVER_assert({END} != {0xFFFFFFFF}u, "never folded away");']
        guesses += [f"{instrumentation_guess(unit)} = {self.draw('_Bool')};" for unit in self.guessed]
        if isinstance(self.question, FailingQuestion) and self.question.not_all_of is not None:
            avoided = " || ".join(f"!{instrumentation_guess(unit)}" for unit in self.guessed) or "0"
            guesses.append(f"__CPROVER_assume({avoided});")
        constructors = [i for i in self.program.start.instructions if isinstance(i, goto.CallInstruction)]
        before = [*(line for i in constructors for line in self.call(i)), *before]
        call = f"{c_code_function_name(self.entry)}({', '.join(given)});"
        return [f"void {MAIN}(void) {{", *guesses, *before, call, "sfo_passed();", "}"]

    def parameters(self, function: GotoFunction) -> tuple[list[str], list[str]]:
        """Declarations of the parameters of an entry function, each with a drawn value."""
        lines: list[str] = []
        for parameter in function.parameters:
            name = c_code_variable_name(parameter)
            lines.append(f"{self.declared(parameter)};")
            for cell in scalars_of_drawn_values(parameter.type, self.program.structs):
                if cell is None or not isinstance(cell[1], IntType | FloatType):
                    raise UnsupportedError(
                        f"parameter '{parameter.name}' of type {parameter.type} of an entry function is not"
                        " supported yet",
                        parameter.location,
                    )
                lines += self.drawn(f"{name}{_in_text(cell[0])}", cell[1])
        return lines, [c_code_variable_name(p) for p in function.parameters]

    def main_arguments(self, function: GotoFunction) -> tuple[list[str], list[str]]:
        """Declarations of ``argc`` and ``argv``."""
        count = self.arguments.count
        lines = [f"static char *sfo_argv[{count + 1}];", "static char *sfo_envp[1];"]
        if count:
            lines += [
                f"static char sfo_name[{len(NAME)}] = {{{', '.join(map(str, NAME))}}};",
                "sfo_argv[0] = sfo_name;",
            ]
        for n, sites in enumerate(environment_argument_sites(function, self.arguments), start=1):
            lines += self.argument(n, len(sites))
        return lines, [str(count), "sfo_argv", "sfo_envp"][: len(function.parameters)]

    def argument(self, number: int, length: int) -> list[str]:
        """Declaration of a command-line argument: drawn characters to the first zero, in an object that ends there."""
        word, size = f"sfo_word_{number}", f"sfo_size_{number}"
        target = f"sfo_argv[{number}]"
        lines = [f"static char {word}[{length + 1}];", f"unsigned long {size} = 1ul;"]
        for k in range(length):
            lines += self.drawn(f"{word}[{k}]", CHAR)
            lines.append(f"if ({word}[{k}] != 0) {{ {size} = {k + 2}ul;")
        lines += ["}" * length, f"{target} = (char *)__CPROVER_allocate({size}, 1);"]
        lines += [f"if ({size} > {k}ul) {target}[{k}] = {word}[{k}];" for k in range(length)]
        return lines

    # -- data --------------------------------------------------------------------------------------------------

    def declared(self, symbol: SyntaxSymbol) -> str:
        """A declaration of a variable without the semicolon."""
        return c_code_declaration(symbol.type, c_code_variable_name(symbol), self.program.structs)

    def variables(self) -> list[str]:
        """Definitions of static objects, declared first because their initialisers may name each other."""
        defined = [v for v in self.program.variables if not isinstance(v.symbol.type, VoidType)]
        for v in defined:
            for item in v.initializer.items if v.initializer is not None else ():
                if any(
                    isinstance(e, tree.Call | tree.MathFunctionCall) for e in goto_subexpressions(item.value)
                ):
                    raise UnsupportedError(
                        f"this initialiser of '{v.symbol.name}' is not supported with --backend cbmc yet",
                        item.value.location,
                    )
        lines = [f"{self.declared(v.symbol)};" for v in defined]
        lines += [
            f"{self.declared(v.symbol)} = {c_code_initialiser(v.initializer, v.symbol, self.x)};"
            for v in defined
            if v.initializer is not None and v.initializer.items
        ]
        return lines

    def draw(self, ctype: str) -> str:
        """A call that gives any value of a type."""
        name = self.draws.setdefault(ctype, f"nondet_{len(self.draws)}")
        return f"{name}()"

    def drawn(self, place: str, ctype: CType) -> list[str]:
        """A drawn value for ``place``, visible to whoever reads the answer.

        In the formula a flag tells by its being forced that the execution comes here; in a trace it is a step.
        """
        word = self.x.type(UCHAR if ctype == BOOL else ULONG if isinstance(ctype, PointerType) else ctype)
        value = f"({self.x.type(ctype)})sfo_value"
        if isinstance(self.question, AnyQuestion):
            here, seen = f"sfo_bit sfo_here = {self.draw('sfo_bit')}; ", "__CPROVER_assume(sfo_here);"
        else:
            here, seen = "", f'__CPROVER_input("{DRAWN}", sfo_value);'
        return [f"{{ {here}{word} sfo_value = {self.draw(word)}; {place} = {value}; {seen} }}"]

    # -- functions ---------------------------------------------------------------------------------------------

    def head(self, f: GotoFunction) -> str:
        """The head of a function: result, name and parameters."""
        parameters = (
            ", ".join([*(self.declared(p) for p in f.parameters), *(["..."] if f.variadic else [])]) or "void"
        )
        return c_code_declaration(
            f.result, f"{c_code_function_name(f.name)}({parameters})", self.program.structs
        )

    def function(self, f: GotoFunction) -> list[str]:
        """The definition of a function: all variables first, then one line for each instruction."""
        targets = {
            i.target for i in f.instructions if isinstance(i, goto.JumpInstruction | goto.BranchInstruction)
        }
        lines = [f"{self.head(f)} {{"]
        lines += [f"{self.declared(symbol)};" for symbol in self.locals(f)]
        for pc, i in enumerate(f.instructions):
            if pc in targets:
                lines.append(f"l{pc}: ;")
            lines += self.instruction(f, i)
        end = len(f.instructions)
        if end in targets:
            lines.append(f"l{end}: ;")
        if not isinstance(f.result, VoidType):
            zero = c_code_declaration(f.result, "sfo_nothing", self.program.structs)
            lines.append(f"{{ static {zero}; return sfo_nothing; }}")
        lines.append("}")
        return lines

    def locals(self, f: GotoFunction) -> list[SyntaxSymbol]:
        """The automatic variables of a function, in order of appearance."""
        found: dict[str, SyntaxSymbol] = {}
        for i in f.instructions:
            if isinstance(i, goto.DeclareInstruction):
                found.setdefault(i.symbol.key, i.symbol)
            if isinstance(i, goto.CallInstruction) and i.result is not None:
                found.setdefault(i.result.key, i.result)
            for top in goto_expressions_of(i):
                for e in goto_subexpressions(top):
                    if isinstance(e, tree.VariableRef) and e.symbol.storage == "auto":
                        found.setdefault(e.symbol.key, e.symbol)
        return list(found.values())

    def instruction(self, f: GotoFunction, i: goto.Instruction) -> list[str]:
        """The lines of one instruction."""
        x = self.x.of
        if id(i) in self.refused:
            return self.refusal(i)
        match i:
            case goto.CoverInstruction(unit=unit):
                assert unit is not None
                return [
                    *([f"__CPROVER_assume({instrumentation_guess(unit)});"] if unit in self.guessed else []),
                    *([f"{_covered(unit)} = 1;"] if unit in self.noted else []),
                ]
            case goto.DeclareInstruction():
                return self.declare(i)
            case goto.DeadInstruction():
                return []
            case goto.AssignInstruction():
                return [f"{x(i.target)} = {x(i.value)};"]
            case goto.InputInstruction():
                return [*self.drawn(x(i.target), i.target.type), *self.finite(i)]
            case goto.SymbolicInstruction():
                return self.symbolic(i)
            case goto.AssumeInstruction():
                return [f"__CPROVER_assume({self.conditions.of(i.condition)});"]
            case goto.AssertInstruction():
                return self.assertion(f, self.conditions.of(i.condition), i.property)
            case goto.BranchInstruction():
                condition = x(i.condition) if i.when else f"!({x(i.condition)})"
                return [f"if ({condition}) goto l{i.target};"]
            case goto.JumpInstruction():
                return [f"goto l{i.target};"]
            case goto.CallInstruction():
                return self.call(i)
            case goto.ReturnInstruction():
                return ["return;" if i.value is None else f"return {x(i.value)};"]
            case goto.ExitInstruction():
                return ["sfo_passed();"]
            case (
                goto.OutputInstruction()
                | goto.ObserveInstruction()
                | goto.EffectInstruction()
                | goto.LeaveInstruction()
            ):
                return []
            case (
                goto.AllocateInstruction()
                | goto.FreeInstruction()
                | goto.ObjectSizeInstruction()
                | goto.CopyInstruction()
                | goto.FillInstruction()
            ):
                return self.memory(i)
            case goto.RefuseInstruction() | goto.VariableArgumentsInstruction():
                raise InternalError("an instruction without a form is refused", i.location)
            case _:
                assert_never(i)

    def memory(
        self,
        i: goto.AllocateInstruction
        | goto.FreeInstruction
        | goto.ObjectSizeInstruction
        | goto.CopyInstruction
        | goto.FillInstruction,
    ) -> list[str]:
        """The lines of an instruction on allocated memory or on a block of memory."""
        x = self.x.of
        match i:
            case goto.AllocateInstruction():
                made = f"__CPROVER_allocate({x(i.size)}, {int(i.zero)})"
                drawn = self.allocated(x(i.target), x(i.size)) if not i.zero else []
                return [f"{x(i.target)} = {made};", *drawn]
            case goto.FreeInstruction():
                return [f"sfo_freed[__CPROVER_POINTER_OBJECT({x(i.pointer)})] = 1;"]
            case goto.ObjectSizeInstruction():
                return [f"{x(i.target)} = __CPROVER_OBJECT_SIZE({x(i.pointer)});"]
            case goto.CopyInstruction():
                return self.block(
                    i.size, f"__CPROVER_array_copy(sfo_block, (char *){x(i.source)});", i.target
                )
            case goto.FillInstruction():
                return self.block(i.size, f"__CPROVER_array_set(sfo_block, (char){x(i.byte)});", i.target)
            case _:
                assert_never(i)

    def finite(self, i: goto.InputInstruction) -> list[str]:
        """The assumption that excludes infinities and NaNs where nobody gives them."""
        if not i.site.is_of_text or self.program.takes_infinities:
            return []
        place = self.x.of(i.target)
        return [f"__CPROVER_assume({place} - {place} == 0);"]

    def declare(self, i: goto.DeclareInstruction) -> list[str]:
        """The lines of a declaration: a variable is zero, drawn, or about to be written."""
        structs, symbol = self.program.structs, i.symbol
        name = c_code_variable_name(symbol)
        if i.initialised:
            return []
        if not i.zero:
            cells = cells_of_drawn_values(symbol, structs, much=self.draws_much)
            return [line for path, ctype in cells for line in self.drawn(name + _in_text(path), ctype)]
        if is_scalar_type(symbol.type):
            return [f"{name} = 0;"]
        parts = list(islice(scalars_of_drawn_values(symbol.type, structs), MOST_DRAWN + 1))
        if len(parts) <= MOST_DRAWN and None not in parts:
            return [f"{name}{_in_text(part[0])} = 0;" for part in parts if part is not None]
        zero = c_code_declaration(symbol.type, "sfo_zero", structs)
        if isinstance(symbol.type, ArrayType):
            return [f"{{ static {zero}; __CPROVER_array_copy({name}, sfo_zero); }}"]
        return [f"{{ static {zero}; {name} = sfo_zero; }}"]

    def allocated(self, target: str, size: str) -> list[str]:
        """The lines that draw the first bytes of allocated memory, where much is drawn."""
        if not self.draws_much:
            return []
        lines = [f"{{ unsigned char *sfo_made = (unsigned char *){target}; unsigned long sfo_size = {size};"]
        for k in range(MOST_OF_MANY):
            lines += [f"if (sfo_size > {k}ul) {{", *self.drawn(f"sfo_made[{k}]", UCHAR)]
        return [*lines, "}" * (MOST_OF_MANY + 1)]

    def block(self, size: Expression, filled: str, target: Expression) -> list[str]:
        """The lines that replace a block of bytes at ``target``, filled in one way or another."""
        count = self.x.of(size)
        write = f"__CPROVER_array_replace((char *){self.x.of(target)}, sfo_block);"
        return [f"if ({count} != 0) {{ char sfo_block[{count}]; {filled} {write} }}"]

    def symbolic(self, i: goto.SymbolicInstruction) -> list[str]:
        """The lines that draw every scalar of a whole object."""
        address = i.pointer
        while isinstance(address, tree.Cast):
            address = address.operand
        root = address.operand if isinstance(address, tree.AddressOf | tree.Decay) else None
        size = constant_value(i.size, self.program.structs)
        if not (isinstance(root, tree.VariableRef) and size == size_of_type(root.type, self.program.structs)):
            raise UnsupportedError(
                "making inputs of anything but a whole variable is not supported with --backend cbmc yet",
                i.location,
            )
        name = c_code_variable_name(root.symbol)
        lines: list[str] = []
        for cell in scalars_of_drawn_values(root.symbol.type, self.program.structs):
            if cell is None:
                raise UnsupportedError(
                    "making inputs of unions and bit-fields is not supported with --backend cbmc yet",
                    i.location,
                )
            path, ctype = cell
            lines += self.drawn(name + _in_text(path), ctype)
        return lines

    def call(self, i: goto.CallInstruction) -> list[str]:
        """The lines of a direct or indirect call; one of an undefined function is an end."""
        callee = (
            c_code_function_name(i.callee.name)
            if isinstance(i.callee, tree.FunctionRef)
            else self.x.of(i.callee)
        )
        call = f"{callee}({', '.join(map(self.x.of, i.arguments))});"
        if i.result is not None:
            call = f"{c_code_variable_name(i.result)} = {call}"
        before, after = "", ""
        for kind, name in i.properties.items():
            self.kinds.setdefault(kind)
            last = _last_call(kind)
            before += f"unsigned int {last}_before = {last}; {last} = {self.asked_number(name)}u; "
            after += f" {last} = {last}_before;"
        return [f"{{ {before}{call}{after} }}" if before else call]


def _last_call(kind: str) -> str:
    """The name of the variable that holds the property of a kind at the last call of a foreign function."""
    return "sfo_call_" + kind.replace("-", "_")


def _in_text(path: str) -> str:
    """The text of a path of member names and indices."""
    parts = path.replace("[", ".[").split(".")[1:]
    return "".join(part if part.startswith("[") else f".{c_code_member_name(part)}" for part in parts)
