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
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Final, final

from cfrontend.errors import UsageError
from cfrontend.host.child_processes import ChildProcessWorkplace
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.source.preprocess import preprocessor_user_flags
from cfrontend.syntax.tree import Function
from cfrontend.syntax.types import CType, FloatType, IntType, PointerType, VoidType
from cfrontend.units import InputNumber
from sfo.core.executions import Execution, Native
from sfo.core.suite_coverage import ChangedExpectation, SuiteCoverage
from sfo.test_export.c_literals import c_text_literal
from sfo.test_export.call_arguments import (
    CallArguments,
    GivenObject,
    call_arguments_of,
    is_given_in_call,
    is_word_of_cplusplus,
    lines_that_show,
    number_assertion,
    number_read_back,
    object_assertions,
    printed_form,
    spelled_type,
)
from sfo.test_export.recorded_behaviour import (
    MOST_RECORDED_BYTES,
    BehaviourSource,
    RecordedBehaviour,
    behaviour_recorder,
)
from sfo.test_export.stdin import stdin_text_of_execution
from sfo.test_export.unit_test_frameworks import UnitTestFramework
from sfo.test_export.unit_test_names import UnitTestName, unit_test_names
from sfo.test_export.unwritten_memory import PATTERN_RULES, PATTERN_WORD

_PROGRAM: Final = """\
struct program_end {{
    int status;
    char printed[{most} + 1];
}};

/* Executes ./program, which reads the text: how it ends and what it prints. */
static struct program_end program_reading(const char *text, size_t length)
{{
    static struct program_end end;
    char input[64], output[64], command[192];
    FILE *file;
    int status;

    snprintf(input, sizeof input, "read-%ld.txt", (long)getpid());
    snprintf(output, sizeof output, "printed-%ld.txt", (long)getpid());
    file = fopen(input, "wb");
    fwrite(text, 1, length, file);
    fclose(file);
    snprintf(command, sizeof command, "timeout 10 ./program <%s >%s", input, output);
    status = system(command);
    end.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    file = fopen(output, "rb");
    end.printed[fread(end.printed, 1, sizeof end.printed - 1, file)] = '\\0';
    fclose(file);
    remove(input);
    remove(output);
    return end;
}}
"""


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
        framework.file: _test_file(framework, program, tests).encode(),
        "Makefile": _makefile(framework, program, directory).encode(),
        ".gitignore": b"/tests\n/program\n/*.o\n/read-*.txt\n/printed-*.txt\n",
        "dialect.c": (files("sfo.test_export") / "dialect.c").read_bytes(),
    }
    if left_out:
        found["left-out.txt"] = "".join(f"{line}\n" for line in left_out).encode()
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
    _refuse_function(framework, function)
    left_out: list[str] = []
    alone: list[tuple[Execution, CallArguments]] = []
    for execution in executions:
        arguments = call_arguments_of(function, execution)
        if isinstance(arguments, str):
            left_out.append(
                f"{_named(execution)}: {function.name} also reads {arguments}, and tests give values to parameters only"
            )
        else:
            alone.append((execution, arguments))
    if not alone:
        return [], left_out
    recorded: list[tuple[UnitTestName, CallArguments, list[str]]] = []
    names = unit_test_names(program, [execution for execution, _ in alone], coverage)
    with _driver(function, list(_acts_of(function, (arguments for _, arguments in alone)))) as driver:
        sources = _sources_of_function(program)
        with behaviour_recorder(program, [*sources, _dialect(), BehaviourSource(driver)], native) as recorder:
            for number, (execution, arguments) in enumerate(alone):
                seen = recorder.record(str(number).encode())
                if isinstance(seen, str):
                    left_out.append(f"{_named(execution)}: {seen}")
                else:
                    recorded.append((names[number], arguments, _shown_numbers(seen)))
    return list(_tests_of_calls(framework, function, recorded)), left_out


def _tests_of_calls(
    framework: UnitTestFramework,
    function: Function,
    recorded: Sequence[tuple[UnitTestName, CallArguments, list[str]]],
) -> Iterator[UnitTest]:
    """The tests of calls, each with its name, its arguments and the numbers that were shown.

    Of the objects those are asserted that some call changes.
    """
    result = function.type.result
    after = [
        list(_objects_after(arguments, shown if isinstance(result, VoidType) else shown[1:]))
        for _, arguments, shown in recorded
    ]
    changed = {
        object_.name
        for objects in after
        for object_, values in objects
        if tuple(values) != _numbers_before(object_)
    }
    for (name, arguments, shown), objects in zip(recorded, after, strict=True):
        call = arguments.call(function.name)
        assertions: list[str] = []
        if isinstance(result, VoidType):
            act = f"{call};"
        else:
            act = f"{spelled_type(framework, result)} result = {call};"
            assertions.append(
                number_assertion(framework, result, "result", number_read_back(result, shown[0]))
            )
        for object_, values in objects:
            if object_.name in changed:
                assertions += object_assertions(framework, object_, values)
        if assertions:
            lines = (*(object_.declaration(framework) for object_ in arguments.objects), act)
            yield UnitTest(name=name, action="\n    ".join(lines), assertions=tuple(assertions))


def _objects_after(
    arguments: CallArguments, shown: Sequence[str]
) -> Iterator[tuple[GivenObject, list[InputNumber]]]:
    """Each object of a call with the numbers that it holds behind it."""
    place = 0
    for object_ in arguments.objects:
        end = place + len(object_.values)
        yield object_, [number_read_back(object_.element, text) for text in shown[place:end]]
        place = end


def _numbers_before(object_: GivenObject) -> tuple[InputNumber, ...]:
    """The numbers that an object holds before its call, as they would be shown."""
    if isinstance(object_.element, IntType):
        return object_.values
    return tuple(repr(float(value)) if _is_finite(value) else value for value in object_.values)


def _is_finite(value: InputNumber) -> bool:
    return not re.search("nan|inf", str(value))


def _shown_numbers(seen: RecordedBehaviour) -> list[str]:
    """What the driver has printed behind its last line break: the result, and the elements of objects."""
    return seen.printed.rpartition(b"\n")[2].decode("ascii").split()


def _sources_of_function(program: Program) -> list[BehaviourSource]:
    """The files of a program whose entry is called by others, whether it is static or not."""
    user = preprocessor_user_flags(program.options.preprocess)
    flags = (*user, "-fkeep-static-functions", "-fkeep-inline-functions", "-Dmain=main_of_program")
    return [BehaviourSource(Path(path), flags, program.options.entry) for path in program.paths]


def _refuse_function(framework: UnitTestFramework, function: Function) -> None:
    """Raise UsageError for a function whose parameters or result no test can name."""
    for parameter in function.parameters:
        if not is_given_in_call(parameter.type):
            raise UsageError(
                f"tests for {framework.name} give numbers and pointers to numbers to parameters, and {parameter.name}"
                f" of {function.name} is of type {parameter.type}"
            )
    result = function.type.result
    objects = any(isinstance(parameter.type, PointerType) for parameter in function.parameters)
    if not isinstance(result, IntType | FloatType) and not (isinstance(result, VoidType) and objects):
        raise UsageError(
            f"tests for {framework.name} assert the number that a function returns, or what it leaves where its"
            f" parameters point to, and {function.name} returns {result}"
        )
    if framework.cplusplus and is_word_of_cplusplus(function.name):
        raise UsageError(
            f"tests for {framework.name} are in C++, where {function.name} is no name of a function"
        )


def _prototype(framework: UnitTestFramework | None, function: Function) -> str:
    parameters = ", ".join(spelled_type(framework, parameter.type) for parameter in function.parameters)
    return f"{spelled_type(framework, function.type.result)} {function.name}({parameters or 'void'});"


@contextmanager
def _driver(function: Function, acts: Sequence[str]) -> Iterator[Path]:
    """A program that reads the number of one of ``acts`` and does it."""
    lines = [
        "#include <math.h>",
        "#include <stdio.h>",
        _prototype(None, function),
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
    with ChildProcessWorkplace("sfo-driver-") as place:
        file = place / "driver.c"
        file.write_text("\n".join(lines))
        yield file


def _acting(function: Function, objects: str, call: str, shown: Iterable[str] = ()) -> str:
    """The statements of a call behind those for its objects, and what prints the result, and what is ``shown``.

    The result stands behind a line break.
    """
    if isinstance(function.type.result, VoidType):
        return " ".join([objects, f'{call}; printf("\\n");', *shown])
    form, cast = printed_form(function.type.result)
    return " ".join([objects, f'{cast} result = ({cast}){call}; printf("\\n{form}", result);', *shown])


def _acts_of(function: Function, calls: Iterable[CallArguments]) -> Iterator[str]:
    for given in calls:
        objects = " ".join(object_.declaration() for object_ in given.objects)
        shown = (line for object_ in given.objects for line in lines_that_show(object_))
        yield _acting(function, objects, given.call(function.name), shown)


def _result_assertion(framework: UnitTestFramework, type_: CType, seen: RecordedBehaviour) -> str:
    return number_assertion(framework, type_, "result", number_read_back(type_, _shown_numbers(seen)[0]))


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
    flags = preprocessor_user_flags(program.options.preprocess)
    sources = [BehaviourSource(Path(path), flags) for path in program.paths]
    names = unit_test_names(program, executions, coverage)
    texts = [stdin_text_of_execution(program, execution) for execution in executions]
    left_out += [
        f"{_named(execution)}: its inputs are those of no text"
        for execution, text in zip(executions, texts, strict=True)
        if text is None
    ]
    if all(text is None for text in texts):
        return tests, left_out
    with behaviour_recorder(program, [*sources, _dialect()], native) as recorder:
        for execution, text, name in zip(executions, texts, names, strict=True):
            if text is None:
                continue
            seen = recorder.record(text[0])
            if isinstance(seen, str):
                left_out.append(f"{_named(execution)}: {seen}")
                continue
            if seen.printed != text[1]:
                left_out.append(f"{_named(execution)}: natively it prints something else")
                continue
            if b"\0" in seen.printed:
                left_out.append(f"{_named(execution)}: it prints a null character")
                continue
            literal = c_text_literal(text[0])
            tests.append(
                UnitTest(
                    name=name,
                    action=f"struct program_end end = program_reading({literal}, {len(text[0])});",
                    assertions=(
                        framework.number.format(seen="end.status", expected=str(seen.status)),
                        framework.text.format(seen="end.printed", expected=c_text_literal(seen.printed)),
                    ),
                )
            )
    return tests, left_out


# -- tests that are kept -----------------------------------------------------------------------------------------


_LITERAL: Final = r"""(?:'(?:[^'\\\n]|\\[^\n])+'|\(?-?[\w.]+(?:[-+]\w+)?(?: - 1\))?)"""
"""What `c_literal` writes."""

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
    opening = re.escape("\n".join(framework.opening).format(suite=suite, test="NAME_OF_TEST"))
    opening = opening.replace("NAME_OF_TEST", r"(\w+)")
    tests = re.findall(rf"^{opening}\n    {form}\n\n    (.*)\n", text, re.MULTILINE)
    if not tests:
        return ()
    function = program.tree.functions[entry]
    with ExitStack() as stack:
        if entry == "main":
            flags, inputs = (
                preprocessor_user_flags(program.options.preprocess),
                [_bytes_of_literal(action) for _, _, action, _ in tests],
            )
            sources = [BehaviourSource(Path(path), flags) for path in program.paths]
        else:
            acts = [_acting(function, objects, action) for _, objects, action, _ in tests]
            driver = stack.enter_context(_driver(function, acts))
            sources = [*_sources_of_function(program), BehaviourSource(driver)]
            inputs = [str(number).encode() for number in range(len(tests))]
        recorder = stack.enter_context(behaviour_recorder(program, [*sources, _dialect()], native))
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
    """The bytes of what `c_text_literal` wrote, without its quotes."""
    known = {"n": 10, "t": 9}
    return bytes(
        int(octal, 8) if octal else known.get(escape, ord(escape)) if escape else ord(plain)
        for octal, escape, plain in re.findall(r"\\([0-3][0-7]{2})|\\(.)|([ -~])", text)
    )


# -- files -------------------------------------------------------------------------------------------------------


def _dialect() -> BehaviourSource:
    return BehaviourSource(Path(__file__).with_name("dialect.c"))


def _test_file(framework: UnitTestFramework, program: Program, tests: Sequence[UnitTest]) -> str:
    entry = program.options.entry
    lines = [
        f"/* What {'the program' if entry == 'main' else entry} does: recorded, and the same in three executions. */"
    ]
    standard = (
        ["<math.h>", *(["<stddef.h>"] if any("NULL" in test.action for test in tests) else [])]
        if entry != "main"
        else ["<stdio.h>", "<stdlib.h>", "<string.h>", "<sys/wait.h>", "<unistd.h>"]
    )
    lines += [f"#include {header}" for header in (*standard, *framework.headers)]
    lines.append("")
    if entry == "main":
        lines += [_PROGRAM.format(most=MOST_RECORDED_BYTES).rstrip()]
    else:
        prototype = _prototype(framework, program.tree.functions[entry])
        lines.append(f'extern "C" {prototype}' if framework.cplusplus else prototype)
    suite = "program" if entry == "main" else entry
    for test in tests:
        lines += ["", *test.name.comment()]
        lines += [line.format(suite=suite, test=test.name.name) for line in framework.opening]
        lines += [f"    {test.action}", "", *(f"    {assertion}" for assertion in test.assertions), "}"]
    ending = framework.unit_test_ending([test.name.name for test in tests])
    return "\n".join([*lines, *(["", *ending] if ending else []), ""])


def _makefile(framework: UnitTestFramework, program: Program, directory: Path) -> str:
    """Rules that build the tests beside the program's own files, where these are."""
    paths = [_seen_from(path, directory) for path in program.paths]
    flags = list(_moved(preprocessor_user_flags(program.options.preprocess), directory))
    compile_tests = "$(CXX) -g" if framework.cplusplus else "$(CC) -g"
    its_source = ""
    if framework.source:
        compile_tests += f" -I$({framework.folder})"
        its_source = f" $({framework.folder})/{framework.source}"
    libraries = f"{framework.libraries} -lm".strip()
    lines = [
        "CC = gcc",
        *PATTERN_RULES,
        *(["CXX = g++"] if framework.cplusplus else []),
        *(
            [f"# The folder with {framework.source}", f"{framework.folder} = {framework.name}"]
            if framework.source
            else []
        ),
        f"CFLAGS = -g {_words(flags)}".rstrip(),
        "",
    ]
    entry = program.options.entry
    objects = [f"program-{number}.o" for number in range(1, len(paths) + 1)]
    needed = f"{' '.join(objects)} dialect.o"
    if entry == "main":
        lines += ["check: tests program", "\t./tests", ""]
        lines += [f"tests: {framework.file}{its_source}", f"\t{compile_tests} $^ {libraries} -o $@", ""]
        lines += [f"program: {needed}", "\t$(CC) $(CFLAGS) $^ -lm -o $@", ""]
    else:
        lines += ["check: tests", "\t./tests", ""]
        lines += [f"tests: {framework.file} {needed}{its_source}"]
        lines += [f"\t{compile_tests} $^ {libraries} -o $@", ""]
    lines += ["dialect.o: dialect.c", "\t$(CC) -c $< -o $@", ""]
    for name, path in zip(objects, paths, strict=True):
        lines += [f"{name}: {_words([path])}", *_compilation(entry), ""]
    made = f"tests {'program ' if entry == 'main' else ''}{needed}"
    lines += ["clean:", f"\trm -f {made}", ""]
    always = (
        "# Files of the program are compiled each time: a copy of this directory has objects of other files."
    )
    return "\n".join([*lines, always, f".PHONY: check clean {' '.join(objects)}", ""])


def _compilation(entry: str) -> list[str]:
    """The commands that compile a file of the program; its entry function can be called from the tests then."""
    if entry == "main":
        return [f"\t$(CC) {PATTERN_WORD} $(CFLAGS) -c $< -o $@"]
    kept = "-fkeep-static-functions -fkeep-inline-functions -Dmain=main_of_program"
    return [
        f"\t$(CC) {PATTERN_WORD} $(CFLAGS) {kept} -c $< -o $@",
        f"\tobjcopy --globalize-symbol={entry} $@",
    ]


def _moved(flags: Sequence[str], directory: Path) -> Iterator[str]:
    before = ""
    for flag in flags:
        if before == "-include":
            yield _seen_from(flag, directory)
        elif flag.startswith("-I"):
            yield f"-I{_seen_from(flag.removeprefix('-I'), directory)}"
        else:
            yield flag
        before = flag


def _seen_from(path: str, directory: Path) -> str:
    return path if Path(path).is_absolute() else os.path.relpath(path, directory)


def _words(words: Sequence[str]) -> str:
    return " ".join(shlex.quote(word).replace("$", "$$") for word in words)
