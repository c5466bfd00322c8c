"""A suite in the Test-Comp XML format 1.1: a zip of ``metadata.xml`` and one file for each test.

    <testcase coversError="true">
      <input variable="x" type="int">-3</input>
    </testcase>

Each call of a ``__VERIFIER_nondet_*`` function takes the next input, so only programs whose inputs are all such
calls have a suite in this form.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import read_regular_file_bytes
from cfrontend.program import Program
from sfo.core.executions import Execution
from sfo.core.version import __version__
from sfo.test_export.suite_text import suite_text

_PREFIX: Final = "__VERIFIER_nondet_"
_TYPES: Final = frozenset(
    [
        "bool",
        "char",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "unsigned",
        "long",
        "ulong",
        "longlong",
        "ulonglong",
        "float",
        "double",
        "pointer",
        "size_t",
        "u8",
        "u16",
        "u32",
        "U32",
        "unsigned_char",
        "string",
    ]
)
"""Suffixes of the nondeterministic functions ``__VERIFIER_nondet_...`` that runners define."""
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The date of files in the archive: the first that the format has."""

SPECIFICATION: Final = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"
"""Coverage criterion by which a runner measures the suite."""


def testcomp_suite(program: Program, executions: Sequence[Execution]) -> Mapping[str, bytes]:
    """The one file of the suite. Raises UsageError for inputs that are no calls, and for several files."""
    files = {"metadata.xml": _metadata(program)}
    for number, execution in enumerate(executions, start=1):
        files[f"testcase-{number}.xml"] = _testcase(execution)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), text, zipfile.ZIP_DEFLATED)
    return {"suite.zip": buffer.getvalue()}


def _document(**given: object) -> bytes:
    return suite_text("testcomp.xml.jinja", escaped=escape, quoted=quoteattr, **given)


def _testcase(execution: Execution) -> bytes:
    for value in execution.inputs:
        if not value.function.startswith(_PREFIX) or value.reading is not None:
            raise UsageError(
                f"a Test-Comp test gives inputs to {_PREFIX}* functions only, and {value.name} at"
                f" {value.location} is none"
            )
        if value.function.removeprefix(_PREFIX) not in _TYPES:
            raise UsageError(
                f"runners of Test-Comp suites do not define {value.function}, which is called at {value.location}"
            )
    return _document(inputs=execution.inputs, outcome=execution.outcome)


def _metadata(program: Program) -> bytes:
    path = Path(program.paths[0])
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    seconds = float(epoch) if epoch and epoch.isdigit() else path.stat().st_mtime
    created = datetime.fromtimestamp(int(seconds), tz=UTC).isoformat().replace("+00:00", "Z")
    elements = {
        "sourcecodelang": "C",
        "producer": f"sfo {__version__}",
        "specification": SPECIFICATION,
        "programfile": path.name,
        "programhash": hashlib.sha256(read_regular_file_bytes(path)).hexdigest(),
        "entryfunction": program.options.entry,
        "architecture": "64bit",
        "creationtime": created,
    }
    return _document(elements=elements)
