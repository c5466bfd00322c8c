"""``sfo lsp``: a language server, by which an editor shows what fails, the suspects, and verified edits.

Each analysis is a process of its own on the saved file; a newer one ends it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from typing import TYPE_CHECKING, Any, Final, final

import click

from cfrontend.errors import ResourceError, UsageError
from cfrontend.host.child_processes import (
    ChildProcessWorkplace,
    ChildProcessWorkplaceError,
    run_child_process,
)
from sfo.cli import output
from sfo.cli.options import command
from sfo.core.extras import how_to_install_extra
from sfo.core.version import __version__

if TYPE_CHECKING:
    from lsprotocol import types
    from pygls.lsp.server import LanguageServer

    from sfo.report.editor_view import OfferedEdit


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
        output.complain(" ".join((said if error is None else f"{said}: {error}").split()))


@final
class _Analyses:
    """What is known of each file, by URI, and the workplace of the analysis that goes on."""

    def __init__(self, timeout: float, options: tuple[str, ...]) -> None:
        self._command: Final = [
            sys.executable, "-m", "sfo", "localize", "--format", "json", "--timeout", str(timeout), "-q", *options,
        ]  # fmt: skip
        self._seconds: Final = 2 * timeout + 10
        self._going: dict[str, ChildProcessWorkplace] = {}
        self.edits: dict[str, tuple[OfferedEdit, ...]] = {}

    def of_file(self, uri: str, path: str) -> list[types.Diagnostic] | None:
        """The diagnostics of a file; None where a newer analysis has taken its place."""
        from sfo.report import editor_view

        before, place = self._going.get(uri), ChildProcessWorkplace("sfo-lsp-")
        self._going[uri] = place
        if before is not None:
            before.close()
        try:
            done = run_child_process([*self._command, path], seconds=self._seconds, place=place.path)
        except ChildProcessWorkplaceError:
            return None
        except ResourceError as error:
            return [editor_view.complaint_diagnostic(str(error), path)]
        finally:
            is_newest = self._going.get(uri) is place
            place.close()
        if not is_newest:
            return None
        self.edits[uri] = ()
        try:
            result: dict[str, Any] = json.loads(done.output)
        except ValueError:
            return [editor_view.complaint_diagnostic(done.complaint, path)]
        self.edits[uri] = editor_view.offered_edits(result, uri)
        return editor_view.diagnostics(result, path)


def make_server(timeout: float, options: tuple[str, ...]) -> LanguageServer:
    """The server; raises ImportError where pygls is not installed."""
    from lsprotocol import types
    from pygls.lsp.server import LanguageServer

    from sfo.report.editor_view import is_same_file

    server, known = LanguageServer("sfo", __version__), _Analyses(timeout, options)

    async def analyse(uri: str) -> None:
        path = server.workspace.get_text_document(uri).path
        found = await asyncio.to_thread(known.of_file, uri, path)
        if found is not None:
            server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri=uri, diagnostics=found)
            )

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
            offered.action
            for offered in known.edits.get(uri, ())
            if is_same_file(offered.file, path) and any(line in lines for line in offered.lines)
        ]

    return server
