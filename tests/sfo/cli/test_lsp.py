"""The language server, by a real client over standard input and output."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from sfo import cli
from sfo.report.editor_view import complaint_diagnostic, offered_edits
from tests.places import ROOT

MINMAX = (ROOT / "benchmarks" / "programs" / "minmax.c").read_text(encoding="utf-8")


LONG = """#include <assert.h>
unsigned long nondet_ulong(void);
int main(void) {
  unsigned long a = nondet_ulong(), b = nondet_ulong();
  if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296)
    assert(a * b != PRODUCT); // of two primes: seconds of search
}
""".replace("PRODUCT", str(2147483629 * 2147483587))

PLAIN = types.ClientCapabilities()
SHOWS_PROGRESS = types.ClientCapabilities(window=types.WindowClientCapabilities(work_done_progress=True))


def session(
    path: Path,
    talk: Callable[["Editor"], Awaitable[None]],
    *options: str,
    capabilities: types.ClientCapabilities = PLAIN,
) -> None:
    """Open ``path`` in an editor and ``talk`` to the server."""

    text = path.read_text()

    async def main() -> None:
        editor = Editor(path)
        await editor.client.start_io(sys.executable, "-m", "sfo", "lsp", *options)
        await editor.client.initialize_async(
            types.InitializeParams(capabilities=capabilities, root_uri=path.parent.as_uri())
        )
        editor.client.initialized(types.InitializedParams())
        editor.client.text_document_did_open(
            types.DidOpenTextDocumentParams(
                types.TextDocumentItem(uri=editor.uri, language_id="c", version=1, text=text)
            )
        )
        await talk(editor)
        await editor.client.shutdown_async(None)
        editor.client.exit(None)
        await editor.client.stop()

    asyncio.run(asyncio.wait_for(main(), 240))


class Editor:
    def __init__(self, path: Path) -> None:
        self.path, self.uri = path, path.as_uri()
        self.client = LanguageClient("tests", "1")
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(
            lambda given: self.published.put_nowait(given)  # noqa: PLW0108 - a method takes no attributes of pygls
        )
        self.progress: asyncio.Queue[types.ProgressParams] = asyncio.Queue()
        self.client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda _: None)
        self.client.feature(types.PROGRESS)(
            lambda given: self.progress.put_nowait(given)  # noqa: PLW0108 - a method takes no attributes of pygls
        )

    async def diagnostics(self) -> list[types.Diagnostic]:
        given = await self.published.get()
        assert given.uri == self.uri
        return list(given.diagnostics)

    async def actions(self, line: int) -> list[Any]:
        place = types.Position(line=line, character=0)
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(
                text_document=types.TextDocumentIdentifier(uri=self.uri),
                range=types.Range(start=place, end=place),
                context=types.CodeActionContext(diagnostics=[]),
            )
        )
        return list(found or ())

    def save(self, text: str) -> None:
        self.path.write_text(text)
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(text_document=types.TextDocumentIdentifier(uri=self.uri))
        )


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """``text`` after edits of what is in the Basic Multilingual Plane, the last one first."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: (-edit.range.start.line, -edit.range.start.character)):
        begin, end = edit.range.start, edit.range.end
        new = lines[begin.line][: begin.character] + edit.new_text + lines[end.line][end.character :]
        lines[begin.line : end.line + 1] = new.split("\n")
    return "\n".join(lines)


def test_an_editor_shows_the_failure_and_mends_it(tmp_path: Path) -> None:
    path = tmp_path / "minmax.c"
    path.write_text(MINMAX)

    async def talk(editor: Editor) -> None:
        error, *suspects = await editor.diagnostics()
        assert error.severity == types.DiagnosticSeverity.Error
        assert error.message.endswith(
            "minmax.c:22 fails: least <= most does not hold; for input1=0 input2=-1 input3=0"
        )
        assert error.range.start.line == 21
        assert suspects[0].message == "suspect 1: most = input2; an edit here mends it"
        assert suspects[0].range == types.Range(types.Position(17, 8), types.Position(17, 21))
        related = error.related_information or []
        assert [item.message for item in related] == [item.message for item in suspects]
        assert await editor.actions(0) == []
        first, *others = await editor.actions(17)
        assert first.title == "sfo: most = input2 -> least = input2 (verified)"
        assert [action.is_preferred for action in (first, *others)] == [True, *(False for _ in others)]
        (edit,) = first.edit.changes[editor.uri]
        assert edit == types.TextEdit(types.Range(types.Position(17, 8), types.Position(17, 10)), "lea")
        assert (await editor.actions(21))[0].title == first.title
        mended = applied(MINMAX, first.edit.changes[editor.uri])
        assert mended == MINMAX.replace("        most = input2;                         /* C4", "        least = input2;                         /* C4")  # fmt: skip
        editor.save(mended)
        assert await editor.diagnostics() == []
        assert await editor.actions(17) == []
        editor.save("int main(void)\n{\n    return x;\n}\n")
        (broken,) = await editor.diagnostics()
        assert broken.range.start == types.Position(line=2, character=11)
        assert "x" in broken.message

    session(path, talk, "--", "--passing")


def test_progress_is_shown_and_cancelled_and_analyses_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "minmax.c"
    path.write_text(LONG)

    async def talk(editor: Editor) -> None:
        begin = await editor.progress.get()
        assert (begin.value["kind"], begin.value["title"]) == ("begin", "sfo localize minmax.c")
        editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token=begin.token))
        end = await editor.progress.get()
        assert (end.token, end.value["kind"]) == (begin.token, "end")
        assert editor.published.empty()
        path.write_text(MINMAX)
        await editor.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command="sfo.localize", arguments=[editor.uri])
        )
        assert "least <= most" in (await editor.diagnostics())[0].message
        assert [(await editor.progress.get()).value["kind"] for _ in range(2)] == ["begin", "end"]

    session(path, talk, "--", "--passing", capabilities=SHOWS_PROGRESS)


def test_a_wrong_option_is_said_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["lsp", "--bogus"]) == 2
    assert "sfo localize has no option --bogus" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("diff", "edits"),
    [
        (
            "@@ -1 +1 @@\n-a = b;\n+a = c;\n@@ -5,2 +5,3 @@\n c\n-d\n+e\n+f\n",
            [((0, 4), (0, 5), "c"), ((5, 0), (6, 0), "e\nf\n")],
        ),
        ("@@ -2,2 +2,3 @@\n x\n+y\n z\n", [((2, 0), (2, 0), "y\n")]),
        ('@@ -1 +1 @@\n-s = "\U0001f600" + aa;\n+s = "\U0001f600" + a;\n', [((0, 12), (0, 13), "")]),
    ],
)
def test_an_edit_is_of_what_changes(diff: str, edits: list[tuple[Any, ...]]) -> None:
    diff = f"--- a/x\n+++ b/x\n{diff}"
    repair = {
        "file": "x", "line": 1, "before": "a", "after": "", "diff": diff, "evades": True, "kept": None,
    }  # fmt: skip
    result = {"repairs": {"found": [repair], "undecided": []}, "properties": []}
    (found,) = offered_edits(result, {"edit": None}, "x")
    changes = found.action.edit.changes["x"]
    assert edits == [
        ((e.range.start.line, e.range.start.character), (e.range.end.line, e.range.end.character), e.new_text)
        for e in changes
    ]
    assert found.action.title == "sfo: a -> nothing (likely overfits)"


@pytest.mark.parametrize(
    ("complaint", "line", "message"),
    [
        ("sfo: error: x.c:3:5: no such name\n", 2, "no such name"),
        ("sfo: error: other.c:3:5: no such name\n", 0, "other.c:3:5: no such name"),
        ("", 0, "sfo gave no answer"),
    ],
)
def test_what_a_command_says_on_its_way_out(complaint: str, line: int, message: str) -> None:
    found = complaint_diagnostic(complaint, "x.c")
    assert (found.range.start.line, found.message) == (line, message)


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("int next(int x) { return x + 1; }", "information"),
        ("int main(void) { for (;;); }", "information"),
        ("int main(void) { return x; }", "error"),
        ("int main(void) { return 0 }", "error"),
    ],
    ids=["library", "nothing to violate", "undeclared", "syntax"],
)
def test_a_file_with_nothing_to_execute_is_no_error(
    text: str, severity: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.c"
    path.write_text(f"{text}\n")
    assert cli.main(["localize", str(path), "-q"]) == 3
    found = complaint_diagnostic(capsys.readouterr().err, str(path))
    assert found.severity is not None
    assert found.severity.name.lower() == severity


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"", b""),
        (b'Content-Length: 9\r\n\r\n{"jsonrpc', b"Unterminated string"),
        (b'Content-Length: 12\r\n\r\n{"jsonrpc": ', b"Expecting value"),
    ],
)
def test_an_editor_that_breaks_off_or_says_nonsense_ends_the_server_without_a_traceback(
    given: bytes, said: bytes, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "sfo", "lsp"]
    done = subprocess.run(command, input=given, capture_output=True, timeout=60, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert said in done.stderr
    assert all(line.startswith(b"sfo: ") for line in done.stderr.splitlines())
