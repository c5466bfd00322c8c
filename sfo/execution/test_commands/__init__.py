"""Test commands: a project's own tests as executions, with the coverage that gcov counts.

    execute_test_commands(["lib.c"], ["make check"], "sandboxed", progress=...)
        ->  (TestCommandRun(command="make check", code=2, lines={"lib.c": {7: 1, 9: 0}}), ...)

The project is copied, the given files are compiled again by the project's own build, through wrappers that stand before
the compilers on its path and instrument what they compile, and each command is one execution.
"""

from sfo.execution.test_commands.compilers import CompilerCall as CompilerCall
from sfo.execution.test_commands.compilers import files_of_failing_test as files_of_failing_test
from sfo.execution.test_commands.run import ExecutedTestCommands as ExecutedTestCommands
from sfo.execution.test_commands.run import TestCommandRun as TestCommandRun
from sfo.execution.test_commands.run import execute_test_commands as execute_test_commands
