// The extension starts 'threeway lsp' and shows what it answers. All knowledge is in the
// server; here is only what the protocol has no word for: an object before and after the
// apply in the diff editor, the page of review in a panel, the verdict in the status bar,
// and the question for a reason.
const {execFile} = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const {promisify} = require('node:util');
const vscode = require('vscode');
const {LanguageClient} = require('vscode-languageclient/node');

const scheme = 'threeway';

let client, bundled, status;
let restarted = Promise.resolve();
const verdicts = new Map(); // by the address of a document
const texts = new Map(); // of the documents that are in no file, by address
const changed = new vscode.EventEmitter();

async function activate(context) {
  bundled = context.asAbsolutePath(path.join('bin', process.platform === 'win32' ? 'threeway.exe' : 'threeway'));
  status = vscode.window.createStatusBarItem('threeway.verdict', vscode.StatusBarAlignment.Left);
  status.name = 'threeway: verdict';
  status.command = 'threeway.showReview';
  context.subscriptions.push(
    status,
    vscode.window.onDidChangeActiveTextEditor(showVerdict),
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: uri => texts.get(uri.toString()) ?? '',
    }),
    vscode.commands.registerTextEditorCommand('threeway.showDiff', async editor => compare(await ask('threeway/diff', place(editor)))),
    vscode.commands.registerTextEditorCommand('threeway.showReasons', async editor => reasons(await ask('threeway/diff', place(editor)))),
    vscode.commands.registerTextEditorCommand('threeway.showReview', review),
    vscode.commands.registerCommand('threeway.restart', restart),
    vscode.commands.registerCommand('threeway.suppress', suppress),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration('threeway')) {
        return restart();
      }
    }),
  );
  await restart();
}

// program is what to start: what the setting names, else what the extension brings along, else
// what is on the PATH. It is tried first, so that one that does not run is told with the way out.
async function program(settings) {
  const named = settings.get('path') || (fs.existsSync(bundled) ? bundled : 'threeway');
  try {
    await promisify(execFile)(named, ['version']);
    return named;
  } catch (error) {
    const why = error.code !== 'ENOENT' ? `${named} does not run: ${error.message.trim()}` : settings.get('path') ? `there is no program ${named}, which threeway.path names` : 'the program threeway is not on the PATH';
    const ways = {
      'Set its path': () => vscode.commands.executeCommand('workbench.action.openSettings', 'threeway.path'),
      'How to install it': () => vscode.commands.executeCommand('workbench.action.openWalkthrough', 'threeway.threeway#start'),
      'Try again': restart,
    };
    vscode.window.showErrorMessage(`threeway: ${why}. Nothing is checked.`, ...Object.keys(ways)).then(way => ways[way]?.());
  }
}

// restart waits for the restart before, such as when settings change while the server starts.
function restart() {
  return restarted = restarted.then(start, start);
}

async function start() {
  await client?.dispose();
  client = undefined;
  verdicts.clear();
  showVerdict();
  const settings = vscode.workspace.getConfiguration('threeway');
  const command = await program(settings);
  if (!command) {
    return;
  }
  const beside = settings.get('besideYamlServer');
  client = new LanguageClient('threeway', 'threeway', {
    command,
    args: ['lsp', ...settings.get('arguments')],
    options: {cwd: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath},
  }, {
    documentSelector: [{scheme: 'file', language: 'yaml'}, {scheme: 'file', language: 'json'}],
    initializationOptions: {
      asksReason: true,
      showsFindings: true,
      showsVerdict: true,
      besideYamlServer: beside === 'yes' || beside === 'auto' && vscode.extensions.getExtension('redhat.vscode-yaml') !== undefined,
    },
    middleware: {
      // What a lens runs is a command of the server; its answer is for the diff editor.
      executeCommand: async (command, args, next) => {
        const answer = await next(command, args);
        return command === 'threeway.diff' ? compare(answer) : answer;
      },
    },
  });
  client.onNotification('threeway/verdict', verdict => {
    verdict.textDocuments.forEach(document => verdicts.set(client.protocol2CodeConverter.asUri(document.uri).toString(), verdict));
    showVerdict();
  });
  await client.start(); // which shows an error itself
}

const signs = {stop: ['$(error) ', 'statusBarItem.errorBackground'], unknown: ['$(question) ', 'statusBarItem.warningBackground'], look: ['$(warning) ', 'statusBarItem.warningBackground'], fine: ['$(check) '], none: ['$(check) ']};

// showVerdict puts the verdict on the project of the text being edited into the status bar.
function showVerdict() {
  const verdict = verdicts.get(vscode.window.activeTextEditor?.document.uri.toString());
  if (!verdict) {
    return status.hide();
  }
  const [sign, color] = signs[verdict.level];
  status.text = sign + verdict.text;
  status.tooltip = `${verdict.text}\n${verdict.plan}`;
  status.backgroundColor = color && new vscode.ThemeColor(color);
  status.show();
}

const place = editor => ({textDocument: {uri: editor.document.uri.toString()}, position: editor.selection.active});

const ask = (method, parameters) => client?.sendRequest(method, parameters);

// suppress asks for the reason and inserts the comment that the server has worded.
async function suppress(uri, at, comment) {
  const reason = await vscode.window.showInputBox({prompt: 'Why is this all right?', validateInput: text => text.trim() ? '' : 'Without a reason nothing is suppressed.'});
  if (reason) {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(vscode.Uri.parse(uri), new vscode.Position(at.line, at.character), comment.trimEnd() + ' ' + reason.trim() + '\n');
    await vscode.workspace.applyEdit(edit);
  }
}

// virtual is the address of a text that is in no file.
function virtual(address, text) {
  const uri = vscode.Uri.parse(address);
  texts.set(uri.toString(), text);
  changed.fire(uri);
  return uri;
}

// compare opens the diff editor: the object as it is live, and as it is after the apply. Of
// a rejected one there is only why.
async function compare(answer) {
  if (!answer || answer.live === answer.result) {
    return reasons(answer);
  }
  const name = answer.uri.replace(/\.diff$/, '');
  await vscode.commands.executeCommand('vscode.diff', virtual(`${name}.live.yaml`, answer.live), virtual(`${name}.result.yaml`, answer.result),
    `${vscode.Uri.parse(name).path.slice(1)}: live ↔ after the apply`, {viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true});
}

// reasons opens the diff as a text, with the reason of each change.
async function reasons(answer) {
  if (!answer) {
    vscode.window.showInformationMessage('threeway: no object of a manifest is at the cursor.');
    return;
  }
  const document = await vscode.workspace.openTextDocument(virtual(answer.uri, answer.text));
  await vscode.languages.setTextDocumentLanguage(document, 'diff');
  await vscode.window.showTextDocument(document, {viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true});
}

// review opens the page of review about the project of a document in a panel. The page
// loads nothing and has its own policy for scripts.
async function review(editor) {
  const answer = await ask('workspace/executeCommand', {command: 'threeway.page', arguments: [place(editor)]});
  if (!answer) {
    vscode.window.showInformationMessage('threeway: this file belongs to no project.');
    return;
  }
  const panel = vscode.window.createWebviewPanel('threeway.review', 'threeway review', vscode.ViewColumn.Beside, {enableScripts: true, enableFindWidget: true, localResourceRoots: []});
  const dark = [vscode.ColorThemeKind.Dark, vscode.ColorThemeKind.HighContrast].includes(vscode.window.activeColorTheme.kind);
  panel.webview.html = answer.html.replace('<html', `<html data-theme="${dark ? 'dark' : 'light'}"`);
}

const deactivate = () => client?.dispose();

module.exports = {activate, deactivate};
