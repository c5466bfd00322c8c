"""The result as lines that editors jump from, in the form of the GNU coding standards.

minmax.c:22:5: error: main.assertion.1 is violated: least <= most; inputs: input1=0 input2=-1 input3=0
minmax.c:18:9: warning: rank 1 of 11: most = input2; ...
minmax.c:11:9: note: rank 2 of 11, shared by 2: least = input1; ...
"""

from __future__ import annotations

from sfo.core.result import Result
from sfo.report import findings
from sfo.report.text import SHORT


def gnu_report_lines(result: Result, *, everything: bool) -> str:
    """One line for each violated property, each suspicious unit (the first ones, or ``everything``) and each note."""
    lines = [f"{item.property.location}: error: {item.message}" for item in findings.violations(result)]
    found = findings.suspects(result)
    lines += [
        f"{item.unit.location}: {'warning' if item.likely else 'note'}: {item.message}"
        for item in (found if everything else found[:SHORT])
    ]
    lines += [f"sfo: note: {note}" for note in result.notes]
    return "".join(f"{_one_line(line)}\n" for line in lines)


def _one_line(text: str) -> str:
    """Control characters would end the line or the editor's patience; bytes of names are left to who prints it."""
    return "".join(c if c.isprintable() or "\udc80" <= c <= "\udcff" else ascii(c)[1:-1] for c in text)
