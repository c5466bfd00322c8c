"""The extension of VS Code: a client of ``sfo lsp``, executed with what VS Code gives replaced."""

import json
import subprocess

from sfo import __version__
from tests.conftest import require_tool
from tests.places import ROOT

FOLDER = ROOT / "editors" / "vscode"

EDITOR = """
const Module = require("module");
const seen = { started: null, commands: {}, sent: [] };
class LanguageClient {
  constructor(id, name, server, options) { seen.started = { id, server, options }; }
  start() { return Promise.resolve(); }
  sendRequest(...request) { seen.sent.push(request); }
  get code2ProtocolConverter() { return { asUri: (uri) => "file://" + uri }; }
}
const vscode = {
  commands: { registerCommand: (name, call) => { seen.commands[name] = call; return {}; } },
  window: { activeTextEditor: { document: { languageId: "c", uri: "/x.c" } } },
  workspace: { getConfiguration: (part) => ({ get: (name) => defaults[`${part}.${name}`].default }) },
};
const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
const defaults = require("./package.json").contributes.configuration.properties;
const extension = require("./extension.js");
extension.activate({ subscriptions: [] }).then(() => {
  seen.commands["sfo.localizeFile"]();
  vscode.window.activeTextEditor.document.languageId = "python";
  seen.commands["sfo.localizeFile"]();
  console.log(JSON.stringify({ ...seen, commands: Object.keys(seen.commands) }));
});
"""


def test_the_extension_starts_the_server_and_asks_for_analyses() -> None:
    node = require_tool("node")
    done = subprocess.run([node, "-e", EDITOR], cwd=FOLDER, check=True, capture_output=True, text=True)
    seen = json.loads(done.stdout)
    assert seen["started"]["server"] == {"command": "sfo", "args": ["lsp", "--", "--passing"]}
    assert seen["started"]["options"] == {"documentSelector": [{"scheme": "file", "language": "c"}]}
    assert seen["sent"] == [
        ["workspace/executeCommand", {"command": "sfo.localize", "arguments": ["file:///x.c"]}]
    ]
    manifest = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    assert manifest["version"] == __version__
    assert [one["command"] for one in manifest["contributes"]["commands"]] == seen["commands"]


def test_a_folder_cannot_say_which_program_is_started() -> None:
    """What a workspace sets is not the user's own: neither the server nor its options come from it."""
    manifest = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    settings = manifest["contributes"]["configuration"]["properties"]
    assert {one["scope"] for one in settings.values()} == {"machine"}
    assert manifest["capabilities"]["untrustedWorkspaces"]["supported"] is False
