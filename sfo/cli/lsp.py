"""``sfo lsp``: a language server, by which an editor shows what fails, the suspects, and verified edits.

Each analysis is a process of its own on the saved file; a newer one ends it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
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

    A file that is opened or saved is localised, or by the command sfo.localize: errors say which input fails, the first
    suspects are marked, edits are offered as quick fixes, the best one preferred. OPTIONS are those of 'sfo localize',
    as in: sfo lsp -- --passing --unwind 4
    """
    from sfo.cli.localize import localize

    localize.make_context(
        "sfo localize", [*options, "FILE.c"]
    ).close()  # a wrong option is said before the first file
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
            sys.executable, "-m", "sfo", "localize", "--timeout", str(timeout), "-q", *options, "--format", "json",
        ]  # fmt: skip
        self._seconds: Final = 2 * timeout + 10
        self._going: dict[str, ChildProcessWorkplace] = {}
        self.edits: dict[str, tuple[OfferedEdit, ...]] = {}

    def begin(self, uri: str) -> ChildProcessWorkplace:
        """The workplace of the analysis of a file that begins now; one that goes on ends."""
        before, place = self._going.get(uri), ChildProcessWorkplace("sfo-lsp-")
        self._going[uri] = place
        if before is not None:
            before.close()
        return place

    def of_file(self, uri: str, path: str, place: ChildProcessWorkplace) -> list[types.Diagnostic] | None:
        """The diagnostics of a file; None where the analysis was cancelled, or a newer one has taken its place."""
        from sfo.report import editor_view

        if self._going.get(uri) is not place:  # cancelled before it began
            place.close()
            return None
        try:
            compact = place.path / "answer.json"
            done = run_child_process(
                [*self._command, "--report", f"compact={compact}", path],
                seconds=self._seconds,
                place=place.path,
            )
            answer: dict[str, Any] = (
                json.loads(compact.read_text(encoding="utf-8")) if compact.exists() else {}
            )
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
        self.edits[uri] = editor_view.offered_edits(result, answer, uri)
        return editor_view.diagnostics(result, answer, path)

    def stop(self, uri: str) -> None:
        """End the analysis of a file that goes on."""
        place = self._going.pop(uri, None)
        if place is not None:
            place.close()


def make_server(timeout: float, options: tuple[str, ...]) -> LanguageServer:
    """The server; raises ImportError where pygls is not installed."""
    from lsprotocol import types
    from pygls.lsp.server import LanguageServer

    from sfo.report.editor_view import is_same_file

    server, known = LanguageServer("sfo", __version__), _Analyses(timeout, options)

    @asynccontextmanager
    async def progress_of(uri: str, path: str) -> AsyncIterator[None]:
        """Progress in the editor, where it shows any; who cancels it ends the analysis."""
        window = server.client_capabilities.window
        if window is None or not window.work_done_progress:
            yield
            return
        progress, token = server.work_done_progress, str(uuid.uuid4())
        await progress.create_async(token)
        progress.tokens[token].add_done_callback(lambda _: known.stop(uri))
        title = f"sfo localize {Path(path).name}"
        progress.begin(token, types.WorkDoneProgressBegin(title=title, cancellable=True))
        try:
            yield
        finally:
            progress.end(token, types.WorkDoneProgressEnd())
            del progress.tokens[token]

    async def analyse(uri: str) -> None:
        path, place = server.workspace.get_text_document(uri).path, known.begin(uri)
        async with progress_of(uri, path):
            found = await asyncio.to_thread(known.of_file, uri, path, place)
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

    @server.command("sfo.localize")
    async def asked(uri: str) -> None:
        await analyse(uri)

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
