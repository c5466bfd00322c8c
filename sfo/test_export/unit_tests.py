"""A suite of C unit tests in a framework that people use: what the program does now, as readable assertions.

    tests.c  tests.cc    one test for each passing execution: a call or a text to read, then what is seen
    Makefile             make check builds the tests with the framework's library and executes them
    .gitignore           what the build makes

With an entry function its parameters are numbers, and its result is asserted; for a program its exit status and what
it prints. Only behaviour that three native executions agree on is asserted. Nothing here needs ``sfo`` again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Final, final

from cfrontend.errors import UsageError
from cfrontend.host.child_processes import ChildProcessWorkplace
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.source.preprocess import preprocessor_user_flags
from cfrontend.syntax.tree import Function
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    StructTypeTable,
    VoidType,
)
from cfrontend.units import InputNumber
from sfo.core.executions import Execution, Native
from sfo.core.suite_coverage import ChangedExpectation, SuiteCoverage
from sfo.test_export import values
from sfo.test_export.recorded_behaviour import (
    MOST_RECORDED_BYTES,
    BehaviourRecorder,
    BehaviourSource,
    RecordedBehaviour,
    behaviour_recorder,
)
from sfo.test_export.stdin import stdin_text_of_execution
from sfo.test_export.suite_text import flags_seen_from_suite, seen_from_suite, suite_text
from sfo.test_export.unit_test_frameworks import UnitTestFramework
from sfo.test_export.unit_test_names import UnitTestName, unit_test_names

_CALLABLE: Final = ("-fkeep-static-functions", "-fkeep-inline-functions", "-Dmain=main_of_program")
"""Flags of files whose entry function is called by others, whether it is static or not."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class UnitTest:
    """A test: its name, the lines that act, and the assertions on what is seen."""

    name: UnitTestName
    action: str
    assertions: tuple[str, ...]


def unit_test_suite(
    framework: UnitTestFramework,
    program: Program,
    executions: Sequence[Execution],
    directory: Path,
    native: Native,
    coverage: SuiteCoverage | None = None,
) -> Mapping[str, bytes]:
    """The files of the suite in ``directory``; tests are called after the goals of ``coverage`` that they reach.

    Raises UsageError where no test can be written, ResourceError where nothing may be executed natively.
    """
    if native == "off":
        raise UsageError(
            f"tests for {framework.name} assert what native executions show, and --native off rules these out"
        )
    if program.options.preprocess.model.name != "lp64":
        raise UsageError(f"tests for {framework.name} are for programs of 64 bits (--lp64)")
    if program.options.preprocess.own_defines:
        raise UsageError(
            f"tests for {framework.name} compile all files with the same macros, which these do not have"
        )
    left_out = [
        f"{_named(e)}: violates {e.property}, so nobody has said what is right"
        for e in executions
        if e.outcome == "fail"
    ]
    passing = [execution for execution in executions if execution.outcome == "pass"]
    if program.options.entry == "main":
        tests, reasons = _program_tests(framework, program, passing, native, coverage)
    else:
        tests, reasons = _function_tests(framework, program, passing, native, coverage)
    left_out += reasons
    if not tests:
        raise UsageError(f"no test for {framework.name} can be written ({'; '.join(left_out)})")
    found = {
        framework.file: _test_file(framework, program, tests),
        "Makefile": _makefile(framework, program, directory),
        ".gitignore": b"/tests\n/program\n/*.o\n/read-*.txt\n/printed-*.txt\n",
        "dialect.c": (files("sfo.test_export") / "dialect.c").read_bytes(),
    }
    if left_out:
        found["left-out.txt"] = os.fsencode("".join(f"{line}\n" for line in left_out))
    return found


def _named(execution: Execution) -> str:
    return f"{execution.outcome}-{execution.id}"


# -- functions ---------------------------------------------------------------------------------------------------


def _function_tests(
    framework: UnitTestFramework,
    program: Program,
    executions: Sequence[Execution],
    native: Native,
    coverage: SuiteCoverage | None,
) -> tuple[list[UnitTest], list[str]]:
    """The tests of the entry function, and why executions are none."""
    function = program.tree.functions[program.options.entry]
    structs = program.tree.structs
    _refuse_function(framework, function, structs)
    left_out: list[str] = []
    alone: list[tuple[Execution, values.CallArguments]] = []
    for execution in executions:
        arguments = values.call_arguments(function, structs, execution)
        if isinstance(arguments, str):
            reason = f"{function.name} also reads {arguments}, and tests give values to parameters only"
            if re.search(r"->|\.", arguments):
                reason = f"{arguments} points to an object, and tests give null to pointers in structures"
            left_out.append(f"{_named(execution)}: {reason}")
        else:
            alone.append((execution, arguments))
    if not alone:
        return [], left_out
    recorded: list[tuple[UnitTestName, values.CallArguments, list[str]]] = []
    names = unit_test_names(program, [execution for execution, _ in alone], coverage)
    acts = [_act_of(function, structs, arguments) for _, arguments in alone]
    with _recorder(program, acts, native) as recorder:
        for number, (execution, arguments) in enumerate(alone):
            seen = recorder.record(str(number).encode())
            if isinstance(seen, str):
                left_out.append(f"{_named(execution)}: {seen}")
            else:
                recorded.append((names[number], arguments, _shown_numbers(seen)))
    return list(_tests_of_calls(framework, function, structs, recorded)), left_out


def _tests_of_calls(
    framework: UnitTestFramework,
    function: Function,
    structs: StructTypeTable,
    recorded: Sequence[tuple[UnitTestName, values.CallArguments, list[str]]],
) -> Iterator[UnitTest]:
    """The tests of calls, each with its name, its arguments and the numbers that were shown.

    Of an object of numbers all are asserted where some call changes any, of structures those that some call changes.
    """
    result = function.type.result
    shown_result = _scalars_of_result(function, structs)
    after = [list(_objects_after(arguments, shown[len(shown_result) :])) for _, arguments, shown in recorded]
    changed = {
        (object_.name, scalar.path)
        for objects in after
        for object_, numbers in objects
        for scalar, before, now in zip(object_.scalars, _numbers_before(object_), numbers, strict=True)
        if before != now
    }
    for (name, arguments, shown), objects in zip(recorded, after, strict=True):
        call = arguments.call(function.name)
        assertions: list[str] = []
        act = f"{call};"
        if not isinstance(result, VoidType):
            act = f"{values.spelled_type(framework, result)} result = {call};"
            seen = [
                values.number_read_back(s.type, text) for s, text in zip(shown_result, shown, strict=False)
            ]
            assertions += values.assertions(
                framework, result, structs, "result", ((value, True) for value in seen)
            )
        for object_, numbers in objects:
            wanted = [(object_.name, scalar.path) in changed for scalar in object_.scalars]
            if _is_of_numbers(object_):
                wanted = [any(wanted)] * len(wanted)
            assertions += values.assertions(
                framework, object_.type, structs, object_.name, zip(numbers, wanted, strict=True)
            )
        if assertions:
            lines = (*(object_.declaration(structs, framework) for object_ in arguments.objects), act)
            yield UnitTest(name=name, action="\n    ".join(lines), assertions=tuple(assertions))


def _scalars_of_result(function: Function, structs: StructTypeTable) -> tuple[values.Scalar, ...]:
    if isinstance(function.type.result, VoidType):
        return ()
    scalars = values.scalars(function.type.result, structs)
    assert not isinstance(scalars, str)
    return scalars


def _is_of_numbers(object_: values.GivenObject) -> bool:
    return isinstance(object_.type, ArrayType) and not isinstance(object_.type.element, StructType)


def _objects_after(
    arguments: values.CallArguments, shown: Sequence[str]
) -> Iterator[tuple[values.GivenObject, list[InputNumber]]]:
    """Each object that a call has a pointer to with the numbers that it holds behind it."""
    place = 0
    for object_ in arguments.objects:
        if object_.by_value:
            continue
        end = place + len(object_.values)
        texts = zip(object_.scalars, shown[place:end], strict=True)
        yield object_, [values.number_read_back(scalar.type, text) for scalar, text in texts]
        place = end


def _numbers_before(object_: values.GivenObject) -> Iterator[InputNumber]:
    """The numbers that an object holds before its call, as they would be shown."""
    for scalar, value in zip(object_.scalars, object_.values, strict=True):
        is_real = isinstance(scalar.type, FloatType) and _is_finite(value)
        yield (
            repr(float(value)) if is_real else int(value) if not isinstance(scalar.type, FloatType) else value
        )


def _is_finite(value: InputNumber) -> bool:
    return not re.search("nan|inf", str(value))


def _shown_numbers(seen: RecordedBehaviour) -> list[str]:
    """What the driver has printed behind its last line break: the result, and the elements of objects."""
    return seen.printed.rpartition(b"\n")[2].decode("ascii").split()


@contextmanager
def _recorder(program: Program, acts: Sequence[str] | None, native: Native) -> Iterator[BehaviourRecorder]:
    """A recorder of the program, or of one that reads the number of one of ``acts``, and does it."""
    user, entry = preprocessor_user_flags(program.options.preprocess), program.options.entry
    with ChildProcessWorkplace("sfo-driver-") as place:
        flags, exported, driver = user, "", []
        if acts is not None:
            flags, exported = (*user, *_CALLABLE), entry
            driver = [BehaviourSource(place / "driver.c")]
            text = _driver(program.tree.functions[entry], program.tree.structs, acts)
            (place / "driver.c").write_text(text)
        own = [BehaviourSource(Path(path), flags, exported) for path in program.paths]
        dialect = BehaviourSource(Path(__file__).with_name("dialect.c"))
        with behaviour_recorder(program, [*own, dialect, *driver], native) as recorder:
            yield recorder


def _refuse_function(framework: UnitTestFramework, function: Function, structs: StructTypeTable) -> None:
    """Raise UsageError for a function whose parameters or result no test can name."""
    for parameter in function.parameters:
        if reason := values.reason_against_giving(parameter.type, structs):
            raise UsageError(
                f"tests for {framework.name} give numbers, structures of numbers, and pointers to these to parameters,"
                f" and {parameter.name} of {function.name} is of type {parameter.type} ({reason})"
            )
    result = function.type.result
    objects = any(isinstance(parameter.type, PointerType) for parameter in function.parameters)
    is_seen = isinstance(result, IntType | FloatType) or (
        isinstance(result, StructType) and not values.reason_against_giving(result, structs)
    )
    if not is_seen and not (isinstance(result, VoidType) and objects):
        raise UsageError(
            f"tests for {framework.name} assert the number or structure that a function returns, or what it leaves where"
            f" its parameters point to, and {function.name} returns {result}"
        )
    if framework.cplusplus:
        _refuse_words_of_cplusplus(framework, function, structs)


def _refuse_words_of_cplusplus(
    framework: UnitTestFramework, function: Function, structs: StructTypeTable
) -> None:
    if values.is_word_of_cplusplus(function.name):
        raise UsageError(
            f"tests for {framework.name} are in C++, where {function.name} is no name of a function"
        )
    for type_ in _structures(function, structs):
        for name in (type_.key.split()[-1], *(member.name for member in structs[type_.key].members)):
            if values.is_word_of_cplusplus(name):
                raise UsageError(
                    f"tests for {framework.name} are in C++, where {name} of {type_} is no name that a program gives"
                )


def _structures(function: Function, structs: StructTypeTable) -> list[StructType]:
    types = [*(parameter.type for parameter in function.parameters), function.type.result]
    return values.structures(types, structs)


def _declarations(
    framework: UnitTestFramework | None, function: Function, structs: StructTypeTable
) -> Iterator[str]:
    """The structures that a function has to do with, and its prototype."""
    for type_ in _structures(function, structs):
        yield from values.structure_definition(framework, type_, structs)
        yield ""
    prototype = _prototype(framework, function)
    yield f'extern "C" {prototype}' if framework is not None and framework.cplusplus else prototype


def _prototype(framework: UnitTestFramework | None, function: Function) -> str:
    parameters = ", ".join(
        values.spelled_type(framework, parameter.type) for parameter in function.parameters
    )
    return f"{values.spelled_type(framework, function.type.result)} {function.name}({parameters or 'void'});"


def _driver(function: Function, structs: StructTypeTable, acts: Sequence[str]) -> str:
    """The text of a program that reads the number of one of ``acts`` and does it."""
    lines = [
        "#include <math.h>",
        "#include <stdio.h>",
        *_declarations(None, function, structs),
        "int main(void)",
        "{",
        "    int number = -1;",
        '    if (scanf("%d", &number) != 1) return 1;',
        "    switch (number) {",
        *(f"    case {number}: {{ {act} return 0; }}" for number, act in enumerate(acts)),
        "    }",
        "    return 1;",
        "}",
        "",
    ]
    return "\n".join(lines)


def _acting(
    function: Function, structs: StructTypeTable, objects: str, call: str, shown: Iterable[str] = ()
) -> str:
    """The statements of a call behind those for its objects, and what prints the result, and what is ``shown``.

    The result stands behind a line break.
    """
    result = function.type.result
    act = f"{call};" if isinstance(result, VoidType) else f"{result} result = {call};"
    seen = values.lines_that_show("result", _scalars_of_result(function, structs))
    return " ".join([objects, act, 'printf("\\n");', *seen, *shown])


def _act_of(function: Function, structs: StructTypeTable, given: values.CallArguments) -> str:
    """The statements of one call, which show the objects behind it, too."""
    objects = " ".join(object_.declaration(structs) for object_ in given.objects)
    seen = [object_ for object_ in given.objects if not object_.by_value]
    shown = (line for object_ in seen for line in values.lines_that_show(object_.name, object_.scalars))
    return _acting(function, structs, objects, given.call(function.name), shown)


def _result_assertion(framework: UnitTestFramework, type_: CType, seen: RecordedBehaviour) -> str:
    return values.number_assertion(
        framework, type_, "result", values.number_read_back(type_, _shown_numbers(seen)[0])
    )


# -- programs ----------------------------------------------------------------------------------------------------


def _program_tests(
    framework: UnitTestFramework,
    program: Program,
    executions: Sequence[Execution],
    native: Native,
    coverage: SuiteCoverage | None,
) -> tuple[list[UnitTest], list[str]]:
    """The tests of the whole program on texts, and why executions are none."""
    tests: list[UnitTest] = []
    left_out: list[str] = []
    names = unit_test_names(program, executions, coverage)
    texts = [stdin_text_of_execution(program, execution) for execution in executions]
    left_out += [
        f"{_named(execution)}: its inputs are those of no text"
        for execution, text in zip(executions, texts, strict=True)
        if text is None
    ]
    if all(text is None for text in texts):
        return tests, left_out
    with _recorder(program, None, native) as recorder:
        for execution, text, name in zip(executions, texts, names, strict=True):
            if text is None:
                continue
            seen = recorder.record(text[0])
            reason = seen if isinstance(seen, str) else ""
            if not isinstance(seen, str) and seen.printed != text[1].printed:
                reason = "natively it prints something else"
            elif not isinstance(seen, str) and b"\0" in seen.printed:
                reason = "it prints a null character"
            if isinstance(seen, str) or reason:
                left_out.append(f"{_named(execution)}: {reason}")
                continue
            literal = values.text_literal(text[0])
            tests.append(
                UnitTest(
                    name=name,
                    action=f"struct program_end end = program_reading({literal}, {len(text[0])});",
                    assertions=(
                        framework.number.format(seen="end.status", expected=str(seen.status)),
                        framework.text.format(seen="end.printed", expected=values.text_literal(seen.printed)),
                    ),
                )
            )
    return tests, left_out


# -- tests that are kept -----------------------------------------------------------------------------------------


_LITERAL: Final = r"""(?:'(?:[^'\\\n]|\\[^\n])+'|\(?-?[\w.]+(?:[-+]\w+)?(?: - 1\))?)"""
"""What `values.literal` writes."""

_OBJECT: Final = rf"""[\w ]+ \w+\[\d+\] = (?:"(?:[^"\\\n]|\\[^\n])*"|\{{{_LITERAL}(?:, {_LITERAL})*\}});"""
"""An object that is made for a call."""


def unit_tests_that_expect_otherwise(
    framework: UnitTestFramework, program: Program, text: str, native: Native
) -> tuple[ChangedExpectation, ...]:
    """The tests in ``text``, a file of an earlier suite, whose recorded result or exit status is another one now.

    What does not look like a test of this entry is passed over. Raises ResourceError where nothing may be executed
    natively, or what tests call cannot be called any more.
    """
    entry = program.options.entry
    if entry == "main":
        form = r'()struct program_end end = program_reading\("((?:[^"\\\n]|\\.)*)", \d+\);'
    else:
        form = rf"((?:{_OBJECT}\n    )*)[\w ]+ result = ({re.escape(entry)}\((?:{_LITERAL}(?:, {_LITERAL})*)?\));"
    suite = "program" if entry == "main" else entry
    opening = re.escape(framework.opened(suite, "NAME_OF_TEST")).replace("NAME_OF_TEST", r"(\w+)")
    tests = re.findall(rf"^{opening}\n    {form}\n\n    (.*)\n", text, re.MULTILINE)
    function = program.tree.functions[entry]
    if not tests or isinstance(function.type.result, StructType):
        return ()
    acts, inputs = None, [_bytes_of_literal(action) for _, _, action, _ in tests]
    if entry != "main":
        structs = program.tree.structs
        acts = [_acting(function, structs, objects, action) for _, objects, action, _ in tests]
        inputs = [str(number).encode() for number in range(len(tests))]
    with _recorder(program, acts, native) as recorder:
        changed = []
        for (name, _, _, assertion), data in zip(tests, inputs, strict=True):
            seen = recorder.record(data)
            before = _expected_by(framework, assertion)
            if isinstance(seen, str):
                now = seen
            elif entry == "main":
                now = str(seen.status)
            else:
                now = _expected_by(framework, _result_assertion(framework, function.type.result, seen))
            if now != before:
                changed.append(ChangedExpectation(test=name, before=before, now=now))
    return tuple(changed)


def _expected_by(framework: UnitTestFramework, assertion: str) -> str:
    """The value that an assertion expects, without the suffix of its type."""
    for form in (framework.number, framework.truth):
        expected = "{expected}" if "{expected}" in form else "{seen}"
        pattern = re.escape(form).replace(re.escape(expected), "(.*)").replace(re.escape("{seen}"), ".*")
        if found := re.fullmatch(pattern, assertion):
            value = "NAN" if found[1] == "result != result" else found[1].removeprefix("result == ")
            return value if value.startswith("'") else re.sub(r"(?<=[0-9])[uUlLfF]+\b", "", value)
    return assertion


def _bytes_of_literal(text: str) -> bytes:
    """The bytes of what `values.text_literal` wrote, without its quotes."""
    known = {"n": 10, "t": 9}
    return bytes(
        int(octal, 8) if octal else known.get(escape, ord(escape)) if escape else ord(plain)
        for octal, escape, plain in re.findall(r"\\([0-3][0-7]{2})|\\(.)|([ -~])", text)
    )


# -- files -------------------------------------------------------------------------------------------------------


def _test_file(framework: UnitTestFramework, program: Program, tests: Sequence[UnitTest]) -> bytes:
    """The file with the tests."""
    entry = program.options.entry
    standard = ["<stdio.h>", "<stdlib.h>", "<string.h>", "<sys/wait.h>", "<unistd.h>"]
    declarations: list[str] = []
    if entry != "main":
        standard = ["<math.h>", *(["<stddef.h>"] if any("NULL" in test.action for test in tests) else [])]
        declarations = [*_declarations(framework, program.tree.functions[entry], program.tree.structs)]
    return suite_text(
        "unit_tests.c.jinja",
        framework=framework,
        entry=entry,
        suite="program" if entry == "main" else entry,
        headers=dict.fromkeys((*standard, *framework.headers)),
        most=MOST_RECORDED_BYTES,
        declarations="\n".join(declarations),
        tests=tests,
        names=[test.name.name for test in tests],
    )


def _makefile(framework: UnitTestFramework, program: Program, directory: Path) -> bytes:
    """Rules that build the tests beside the program's own files, where these are."""
    flags = flags_seen_from_suite(preprocessor_user_flags(program.options.preprocess), directory)
    return suite_text(
        "unit_tests.make.jinja",
        framework=framework,
        entry=program.options.entry,
        flags=list(flags),
        callable=_CALLABLE,
        paths=[
            (f"program-{number}.o", seen_from_suite(path, directory))
            for number, path in enumerate(program.paths, start=1)
        ],
    )
