"""``--show-properties``: what a command would look at, one line for each property."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sfo.cli.options import program_options
from sfo.cli.output import write_output


def list_properties(files: Sequence[str], given: dict[str, Any]) -> int:
    """Print the properties of a program, with their places and meanings; returns the exit code."""
    from cfrontend.program import load_c_program
    from sfo.report import text

    properties = load_c_program(files, program_options(given)).properties
    if given.get("format_") != "json":
        write_output(text.properties_report_text(properties), given.get("output"))
        return 0
    listed = [
        {
            "id": item.id,
            "class": item.kind,
            "function": item.function,
            "file": item.location.file,
            "line": item.location.line,
            "column": item.location.column,
            "description": item.description,
        }
        for item in properties
    ]
    write_output(json.dumps({"format": 1, "properties": listed}, indent=2) + "\n", given.get("output"))
    return 0
