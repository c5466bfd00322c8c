"use strict";
// Starts `sfo lsp` for C files; all that is shown comes from there.
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async (context) => {
  const settings = workspace.getConfiguration("sfo");
  const server = { command: settings.get("path"), args: ["lsp", "--", ...settings.get("options")] };
  client = new LanguageClient("sfo", "sfo", server, { documentSelector: [{ scheme: "file", language: "c" }] });
  const localize = () => {
    const editor = window.activeTextEditor;
    if (!editor || editor.document.languageId !== "c") return undefined;
    const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
    return client.sendRequest("workspace/executeCommand", { command: "sfo.localize", arguments: [uri] });
  };
  context.subscriptions.push(commands.registerCommand("sfo.localizeFile", localize));
  await client.start();
};

exports.deactivate = () => (client ? client.stop() : undefined);
