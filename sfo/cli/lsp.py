"""``sfo lsp``: a language server, by which an editor shows what fails, the suspects, and verified edits.

Each analysis is a process of its own on the saved file; a newer one ends it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

import click

from cfrontend.errors import ResourceError, UsageError
from cfrontend.host.child_processes import (
    ChildProcessWorkplace,
    ChildProcessWorkplaceError,
    run_child_process,
)
from sfo.cli.options import command
from sfo.cli.output import complain_on_error_output
from sfo.core.extras import how_to_install_extra
from sfo.core.version import __version__
from sfo.report.editor_view import (
    EditorAction,
    EditorDiagnostic,
    EditorPlace,
    actions,
    complaint_diagnostic,
    diagnostics,
)

if TYPE_CHECKING:
    from lsprotocol import types
    from pygls.lsp.server import LanguageServer


@command(
    "lsp",
    click.Argument(["options"], nargs=-1, type=click.UNPROCESSED),
    context_settings={"ignore_unknown_options": True},
)
def lsp(options: tuple[str, ...], timeout: float) -> int:
    """Serve an editor by the Language Server Protocol on standard input and output.

    A file that is opened or saved is localised: errors say which input fails, the first suspects are marked, verified
    edits are offered as quick fixes. OPTIONS are those of 'sfo localize', as in: sfo lsp -- --passing --unwind 4
    """
    try:
        server = make_server(timeout, options)
    except ImportError as error:
        raise UsageError(f"a language server needs pygls: {how_to_install_extra('lsp')}") from error
    logging.basicConfig(level=logging.WARNING, handlers=[_LineOfALog()])
    server.start_io()
    return 0


@final
class _LineOfALog(logging.Handler):
    """What pygls and asyncio log, such as a message that is none, as a line each and without a traceback."""

    def emit(self, record: logging.LogRecord) -> None:
        said, error = record.getMessage().split("\n")[0], record.exc_info[1] if record.exc_info else None
        complain_on_error_output(" ".join((said if error is None else f"{said}: {error}").split()))


@final
class _Analyses:
    """What is known of each file, by URI, and the workplace of the analysis that goes on."""

    def __init__(self, timeout: float, options: tuple[str, ...]) -> None:
        self._command: Final = [
            sys.executable, "-m", "sfo", "localize", "--format", "json", "--timeout", str(timeout), "-q", *options,
        ]  # fmt: skip
        self._seconds: Final = 2 * timeout + 10
        self._going: dict[str, ChildProcessWorkplace] = {}
        self.actions: dict[str, tuple[EditorAction, ...]] = {}

    def of_file(self, uri: str, path: str) -> tuple[EditorDiagnostic, ...] | None:
        """The diagnostics of a file; None where a newer analysis has taken its place."""
        before, place = self._going.get(uri), ChildProcessWorkplace("sfo-lsp-")
        self._going[uri] = place
        if before is not None:
            before.close()
        try:
            done = run_child_process([*self._command, path], seconds=self._seconds, place=place.path)
        except ChildProcessWorkplaceError:
            return None
        except ResourceError as error:
            return (complaint_diagnostic(str(error), path),)
        finally:
            is_newest = self._going.get(uri) is place
            place.close()
        if not is_newest:
            return None
        self.actions[uri] = ()
        try:
            result: dict[str, Any] = json.loads(done.output)
        except ValueError:
            return (complaint_diagnostic(done.complaint, path),)
        self.actions[uri] = actions(result)
        return diagnostics(result)


def make_server(timeout: float, options: tuple[str, ...]) -> LanguageServer:
    """The server; raises ImportError where pygls is not installed."""
    from lsprotocol import types
    from pygls.lsp.server import LanguageServer

    server, known = LanguageServer("sfo", __version__), _Analyses(timeout, options)

    async def analyse(uri: str) -> None:
        path = server.workspace.get_text_document(uri).path
        found = await asyncio.to_thread(known.of_file, uri, path)
        if found is None:
            return
        mine = [_diagnostic(item) for item in found if _same(item.place.file, path)]
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=mine))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(given: types.DidOpenTextDocumentParams) -> None:
        await analyse(given.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(given: types.DidSaveTextDocumentParams) -> None:
        await analyse(given.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def offered(given: types.CodeActionParams) -> list[types.CodeAction]:
        uri = given.text_document.uri
        path = server.workspace.get_text_document(uri).path
        lines = range(given.range.start.line, given.range.end.line + 1)
        return [
            _action(uri, action)
            for action in known.actions.get(uri, ())
            if _same(action.file, path) and any(line in lines for line in action.lines)
        ]

    return server


def _same(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve()


def _range(place: EditorPlace) -> types.Range:
    from lsprotocol import types

    end = types.Position(line=place.line + 1, character=0)
    return types.Range(start=types.Position(line=place.line, character=place.character), end=end)


def _diagnostic(item: EditorDiagnostic) -> types.Diagnostic:
    from lsprotocol import types

    severity = {
        "error": types.DiagnosticSeverity.Error,
        "information": types.DiagnosticSeverity.Information,
    }[item.severity]
    related = [
        types.DiagnosticRelatedInformation(
            location=types.Location(uri=Path(place.file).resolve().as_uri(), range=_range(place)),
            message=place.message,
        )
        for place in item.related
    ]
    return types.Diagnostic(
        range=_range(item.place),
        message=item.place.message,
        severity=severity,
        source="sfo",
        related_information=related,
    )


def _action(uri: str, action: EditorAction) -> types.CodeAction:
    from lsprotocol import types

    edits = [
        types.TextEdit(
            range=types.Range(
                start=types.Position(line=edit.begin, character=0),
                end=types.Position(line=edit.end, character=0),
            ),
            new_text=edit.text,
        )
        for edit in action.edits
    ]
    return types.CodeAction(
        title=action.title,
        kind=types.CodeActionKind.QuickFix,
        edit=types.WorkspaceEdit(changes={uri: edits}),
    )
