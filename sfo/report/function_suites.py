"""The suites of the functions of a library: a line for each as text, and one page that shows what is open."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from cfrontend.errors import UsageError
from sfo.core.function_suites import FunctionSuite, FunctionSuiteGoal, LibrarySuite
from sfo.report import layout
from sfo.report.batch_pages import rendered_batch_page


def function_suites_text(library: LibrarySuite) -> str:
    """A line for each function, and one for all."""
    wide = max((len(suite.function) for suite in library.functions), default=0)
    lines = [layout.clipped(f"{s.function:<{wide}}  {_said(library, s)}") for s in library.functions]
    tests = sum(suite.tests for suite in library.functions)
    total = (
        f"{len(library.functions)} functions: {library.number('covered')} of {library.goals} {library.kind} covered,"
        f" {library.number('unreachable')} proved unreachable, {library.open} open; {tests} tests"
    )
    return "".join(f"{line}\n" for line in [*lines, *([""] if lines else []), total])


def _said(library: LibrarySuite, suite: FunctionSuite) -> str:
    if suite.status != "suite":
        return f"{suite.status}: {suite.said}" if suite.said else suite.status
    said = f"{suite.covered} of {suite.goals} {library.kind}"
    if unreachable := suite.number("unreachable"):
        said += f", {unreachable} unreachable"
    if suite.open:
        said += f", {suite.open} open"
    said += f"; {suite.tests} test{'' if suite.tests == 1 else 's'}"
    return said + (f", {suite.failing} of them failing" if suite.failing else "")


def function_suites_page(library: LibrarySuite, title: str) -> str:
    """The page of all functions: what of each is covered, proved to be unreachable and open, and each such goal."""
    return rendered_batch_page("function_suites.html", title=title, library=library)


def function_suites_json(library: LibrarySuite) -> str:
    """All of it, to be read by ``read_function_suites``."""
    data = {
        "format": 1,
        "kind": "functions",
        "goal": library.kind,
        "functions": [asdict(suite) for suite in library.functions],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def read_function_suites(data: Any, name: str) -> Mapping[str, FunctionSuite]:
    """The suites in JSON data from the file ``name``, by function. Raises UsageError where it is something else."""
    try:
        if data["format"] != 1 or data["kind"] != "functions":
            raise UsageError(f"{name}: not the suites of functions, in format 1")
        return {
            item["function"]: FunctionSuite(
                **{**item, "others": tuple(FunctionSuiteGoal(**goal) for goal in item["others"])}
            )
            for item in data["functions"]
        }
    except (KeyError, TypeError) as error:
        raise UsageError(f"{name}: not the suites of functions: {error}") from error
