// The extension starts 'threeway lsp' and shows what it answers. All knowledge is in the
// server; here is only what the protocol has no word for: the diff of an object as a
// document, and the question for a reason.
const vscode = require('vscode');
const {LanguageClient} = require('vscode-languageclient/node');

const scheme = 'threeway';

let client;

async function activate(context) {
  const diffs = new Diffs();
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(scheme, diffs),
    vscode.commands.registerTextEditorCommand('threeway.showDiff', editor => diffs.show(editor)),
    vscode.commands.registerCommand('threeway.restart', restart),
    vscode.commands.registerCommand('threeway.suppress', suppress),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration('threeway.path') || change.affectsConfiguration('threeway.arguments')) {
        return restart();
      }
    }),
  );
  await restart();
}

async function restart() {
  await client?.dispose();
  const settings = vscode.workspace.getConfiguration('threeway');
  client = new LanguageClient('threeway', 'threeway', {
    command: settings.get('path'),
    args: ['lsp', ...settings.get('arguments')],
    options: {cwd: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath},
  }, {
    documentSelector: [{scheme: 'file', language: 'yaml'}, {scheme: 'file', language: 'json'}],
    initializationOptions: {asksReason: true},
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`threeway: ${error.message}. Put threeway on the PATH, or set threeway.path.`);
  }
}

// suppress asks for the reason and inserts the comment that the server has worded.
async function suppress(uri, at, comment) {
  const reason = await vscode.window.showInputBox({prompt: 'Why is this all right?', validateInput: text => text.trim() ? '' : 'Without a reason nothing is suppressed.'});
  if (reason) {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(vscode.Uri.parse(uri), new vscode.Position(at.line, at.character), comment.trimEnd() + ' ' + reason.trim() + '\n');
    await vscode.workspace.applyEdit(edit);
  }
}

// Diffs are the documents with the diff of an object. Each is asked for again when it is
// shown again.
class Diffs {
  constructor() {
    this.texts = new Map();
    this.changed = new vscode.EventEmitter();
    this.onDidChange = this.changed.event;
  }

  provideTextDocumentContent(uri) {
    return this.texts.get(uri.toString()) ?? '';
  }

  async show(editor) {
    const answer = await client?.sendRequest('threeway/diff', {
      textDocument: {uri: editor.document.uri.toString()}, position: editor.selection.active,
    });
    if (!answer) {
      vscode.window.showInformationMessage('threeway: no object of a manifest is at the cursor.');
      return;
    }
    const uri = vscode.Uri.parse(answer.uri);
    this.texts.set(uri.toString(), answer.text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, 'diff');
    await vscode.window.showTextDocument(document, {viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true});
  }
}

const deactivate = () => client?.dispose();

module.exports = {activate, deactivate};
