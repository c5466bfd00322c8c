"""The names by which programs ask for inputs, state assumptions and properties, and end themselves.

SV-COMP (``__VERIFIER_*``, ``reach_error``), CBMC (``__CPROVER_*``, ``nondet_*``), ESBMC (``__ESBMC_*``), KLEE
(``klee_*``), SeaHorn (``nd_*``, ``unknown``) and plain C (``assert``, ``abort``, ``exit``) are understood all at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from cfrontend.elaborate.label_addresses import NO_LABEL
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression

_NONDET: Final = re.compile(r"(__VERIFIER_|__SMACK_)?nondet(_\w+)?|nd(_\w+)?|unknown\d*")
"""A function without a body whose name is such returns an input of its result type."""

ASSUMES = frozenset(
    {
        *("__VERIFIER_assume", "__CPROVER_assume", "__ESBMC_assume", "klee_assume"),
        *("assume_abort_if_not", "__builtin_assume"),
    }
)
"""Calls that keep only the executions in which their argument holds, whether they have a body or not."""

ASSERTS = frozenset(
    {
        *("assert", "__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert"),
        *("__CPROVER_precondition", "__CPROVER_postcondition"),
    }
)
"""Calls that state a property; ``__VERIFIER_assert`` only where the program does not define it."""

IDLE = frozenset(
    {
        *("__CPROVER_input", "__CPROVER_output", "__CPROVER_printf", "__CPROVER_cover"),
        *("__CPROVER_atomic_begin", "__CPROVER_atomic_end", "__CPROVER_fence"),
        *("__ESBMC_atomic_begin", "__ESBMC_atomic_end", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"),
        *("__ESBMC_cover", "__ESBMC_unroll", "__ESBMC_yield"),
    }
)
"""Calls that only evaluate their arguments: what they say is for traces, for threads or about unwinding."""

OF_TOOLS = ("__CPROVER_", "__ESBMC_")
"""Prefixes of functions that belong to other tools and have a meaning there."""

ENSURES = "__sfo_ensures"
"""A call that states a postcondition: the condition, the name of the function, the condition as text."""

CALLED = "__sfo_called"
"""A call in what stands for an undefined function: its name, what of the arguments is not shown, the arguments."""

FAILED_ASSERTS = frozenset({"__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail"})
"""Functions that a system's ``assert`` expands to and that are called when it has failed."""

REACH = frozenset({"reach_error", "__VERIFIER_error", "abort", "__builtin_unreachable", NO_LABEL})
"""Calls that must not be reached; ``abort`` only where the program does not speak SV-COMP."""

FAILS = frozenset({"reach_error", "__VERIFIER_error"})
"""Calls of SV-COMP that must not be reached: they say nothing but that a property is violated."""

FAILING_LABEL = "ERROR"
"""The label that must not be reached in old tasks of SV-COMP, which call nothing to say that they fail."""

SV_COMP = "__VERIFIER_"
"""Prefix of SV-COMP's functions, but for those that fail."""

EXITS = frozenset({"exit", "_exit", "_Exit", "quick_exit"})
"""Calls that end the program normally."""

HAVOC = frozenset({"__CPROVER_havoc_object", "__CPROVER_havoc_slice"})
"""Calls that make an object, or a part of one, an input."""

_SPECIFICATION = ASSUMES | ASSERTS | FAILED_ASSERTS | REACH | IDLE | HAVOC | {ENSURES, "klee_make_symbolic"}

ALLOCATORS = frozenset({"malloc", "calloc", "alloca", "__builtin_alloca", "__CPROVER_allocate"})
"""Calls that make a new object."""

BUILT_IN = ALLOCATORS | EXITS | {"free", "abort", "scanf", "fscanf"}
"""Library functions that become instructions, not calls."""

OUTPUTS = frozenset({"printf", "puts", "putchar", "fprintf", "fputs", "fputc", "putc", "__sfo_print"})
"""Calls whose output is recorded; the last is what the models of the others are made of."""

WIDE_OUTPUTS = frozenset({"wprintf", "fwprintf", "fputws", "fputwc", "putwc", "putwchar"})
"""Calls whose output is of wide characters."""

INPUTS = frozenset({"scanf", "fscanf"})
"""Calls whose conversions are inputs."""

READ_ONE = frozenset(
    {
        *("getchar", "getc", "fgetc", "getchar_unlocked", "rand", "random", "rand_r", "isatty", "getpid"),
        *("klee_int", "klee_range"),
    }
)
"""Library functions whose result is an input."""

FILLED = {"fgets": 0, "gets": 0, "fread": 0, "read": 1}
"""Library functions that read inputs into the array that this argument points to."""

SETS_JUMPS = frozenset({"setjmp", "sigsetjmp"})
"""Calls to which the jumps lead whose place they set."""

JUMPS = frozenset({"longjmp", "siglongjmp"})
"""Calls that go on where a call of ``SETS_JUMPS`` has set the place."""

CONVENTION = "__sfo_convention"
"""A call that reads a value as a wider type than it was passed in: the value, what is wrong if it has no meaning so."""

AT_EXIT = "__sfo_run_handlers"
"""The model that calls the functions given to ``atexit``."""


def is_nondet_in_dialect(name: str) -> bool:
    """True if a function of this name, where nobody defines it, returns an input."""
    return _NONDET.fullmatch(name) is not None


def is_sv_comp_dialect(names: Iterable[str]) -> bool:
    """True if ``names``, those of a program's functions, say where it fails or what its inputs are as SV-COMP does.

    There ``abort`` ends an execution that nobody asks about: ``if (!condition) abort();`` is an assumption.
    """
    return any(name in FAILS or name.startswith(SV_COMP) for name in names)


def dialect_fails_at_a_label(called: frozenset[str]) -> bool:
    """True if a program that calls these functions asks for inputs and never says otherwise what a failure is."""
    asks = any(is_nondet_in_dialect(name) for name in called)
    return asks and called.isdisjoint(ASSERTS | FAILED_ASSERTS | REACH)


def callee_name_in_dialect(e: Expression) -> str | None:
    """The name called directly by a call expression, through casts to void; None for anything else."""
    e = queries.syntax_below_conversions(e)
    return e.callee.name if isinstance(e, tree.Call) and isinstance(e.callee, tree.FunctionRef) else None


def is_input_drawn_in_dialect(e: Expression, functions: Mapping[str, tree.Function]) -> bool:
    """True for a call that returns an input: of a name that says so, and that none of ``functions`` defines."""
    name = callee_name_in_dialect(e)
    defined = None if name is None else functions.get(name)
    return name is not None and is_nondet_in_dialect(name) and (defined is None or defined.body is None)


def is_specification_in_dialect(e: Expression) -> bool:
    """True if an expression statement states an assumption or a property.

    ``assert`` by way of a conditional (``c ? (void)0 : __assert_fail(...)``, or glibc's ``asserted``) counts too.
    """
    e = queries.syntax_below_conversions(e)
    if isinstance(e, tree.Comma):
        return isinstance(e.left, tree.IntConstant | tree.Cast) and is_specification_in_dialect(e.right)
    if isinstance(e, tree.StatementExpression):
        return asserted_condition_in_dialect(e) is not None
    if isinstance(e, tree.Conditional):
        return is_specification_in_dialect(e.otherwise) or is_specification_in_dialect(e.then)
    name = callee_name_in_dialect(e)
    return name is not None and name in _SPECIFICATION


def asserted_condition_in_dialect(e: tree.StatementExpression) -> Expression | None:
    """The condition of ``({ if (condition) ; else __assert_fail(...); })``, which is what glibc's assert expands to."""
    items = e.body.items
    if e.result is not None or len(items) != 1:
        return None
    match items[0]:
        case tree.If(condition=condition, then=tree.Empty(), otherwise=tree.ExpressionStatement() as failed):
            return condition if callee_name_in_dialect(failed.expression) in FAILED_ASSERTS else None
        case _:
            return None
