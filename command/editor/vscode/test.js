// Speaks with the server as the extension does, by the library that VS Code's client is
// made of, and holds the extension to its manifest.
const assert = require('node:assert/strict');
const {spawn} = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');
const {pathToFileURL} = require('node:url');
const rpc = require('vscode-jsonrpc/node');

const manifest = require('./package.json');
const source = fs.readFileSync(path.join(__dirname, 'extension.js'), 'utf8');

test('every command and setting of the manifest is in the code, and no other', () => {
  const registered = [...source.matchAll(/register(?:TextEditor)?Command\('([^']+)'/g)].map(m => m[1]);
  const declared = manifest.contributes.commands.map(c => c.command);
  assert.deepEqual(registered.filter(c => c !== 'threeway.suppress').sort(), declared.sort());
  const read = new Set([...source.matchAll(/\.get\('([^']+)'\)/g)].map(m => `threeway.${m[1]}`));
  assert.deepEqual([...read].sort(), Object.keys(manifest.contributes.configuration.properties).sort());
});

test('what the manifest names is in the package', () => {
  const included = fs.readFileSync(path.join(__dirname, '.vscodeignore'), 'utf8').split('\n').filter(l => l.startsWith('!')).map(l => l.slice(1));
  const [{url, fileMatch}] = manifest.contributes.yamlValidation;
  const steps = manifest.contributes.walkthroughs.flatMap(w => w.steps);
  for (const file of [manifest.icon, 'screenshot.png', url.replace(/^\.\//, ''), ...steps.map(s => s.media.markdown)]) {
    assert.ok(included.includes(file) && fs.existsSync(path.join(__dirname, file)), `${file} is not in the package`);
  }
  const icon = fs.readFileSync(path.join(__dirname, manifest.icon));
  assert.deepEqual([icon.toString('latin1', 1, 4), icon.readUInt32BE(16), icon.readUInt32BE(20)], ['PNG', 128, 128]);
  assert.equal(fileMatch, '.threeway.yaml');
  const schema = JSON.parse(fs.readFileSync(path.join(__dirname, url)));
  assert.ok(schema.properties.manifests.description && schema.additionalProperties === false);
  const commands = manifest.contributes.commands.map(c => c.command);
  const named = [...steps.flatMap(s => s.completionEvents ?? []).map(e => e.replace('onCommand:', '')), ...Object.values(manifest.contributes.menus).flat().map(m => m.command)];
  assert.deepEqual(named.filter(c => !commands.includes(c)), []);
});

test('the bundle has all it needs but vscode', () => {
  const bundle = fs.readFileSync(path.join(__dirname, 'dist/extension.js'), 'utf8');
  const builtin = require('node:module').builtinModules;
  for (const [, name] of bundle.matchAll(/\brequire\("([^"]+)"\)/g)) {
    assert.ok(name === 'vscode' || builtin.includes(name.replace(/^node:/, '')), `${name} is not in the bundle`);
  }
});

test('a conversation', async t => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'threeway-')));
  t.after(() => fs.rmSync(folder, {recursive: true}));
  fs.cpSync(path.join(__dirname, '../../../fixtures/example'), folder, {recursive: true});
  fs.writeFileSync(path.join(folder, '.threeway.yaml'), 'version: "1"\nmanifests: [config]\nlive: [live.yaml]\n');
  const server = spawn(process.env.THREEWAY ?? 'threeway', ['lsp'], {cwd: folder, stdio: ['pipe', 'pipe', 'inherit']});
  const ended = new Promise(resolve => server.on('exit', resolve));
  const connection = rpc.createMessageConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  t.after(() => connection.dispose());
  const file = path.join(folder, 'config/deployment.yaml');
  const uri = pathToFileURL(file).href;
  const text = fs.readFileSync(file, 'utf8');
  const published = version => new Promise(resolve => connection.onNotification('textDocument/publishDiagnostics', p => {
    if (p.uri === uri && p.version === version) resolve(p.diagnostics);
  }));
  connection.listen();
  const root = pathToFileURL(folder).href;
  const hello = await connection.sendRequest('initialize', {
    processId: process.pid, rootUri: root, workspaceFolders: [{uri: root, name: 'folder'}], capabilities: {},
    initializationOptions: {asksReason: true},
  });
  assert.equal(hello.serverInfo.name, 'threeway');
  await connection.sendNotification('initialized', {});

  const first = published(1);
  await connection.sendNotification('textDocument/didOpen', {textDocument: {uri, languageId: 'yaml', version: 1, text}});
  assert.ok((await first).some(d => d.code === 'cleared-setting' && d.range.start.line === 6));

  const at = {textDocument: {uri}, position: {line: 6, character: 0}, range: {start: {line: 6, character: 0}, end: {line: 6, character: 4}}};
  const actions = await connection.sendRequest('textDocument/codeAction', {...at, context: {diagnostics: []}});
  const suppress = actions.find(a => a.command?.command === 'threeway.suppress');
  assert.deepEqual(suppress.command.arguments[0], uri);
  assert.deepEqual(suppress.command.arguments[1], {line: 6, character: 0});
  assert.match(suppress.command.arguments[2], /^# threeway:ignore [a-z-]+ -- \n$/);

  const diff = await connection.sendRequest('threeway/diff', at);
  assert.match(diff.uri, /^threeway:/);
  assert.match(diff.text, /^-  minReadySeconds: 5$/m);
  assert.match(diff.live, /^  minReadySeconds: 5$/m);
  assert.doesNotMatch(diff.result, /minReadySeconds/);

  const lenses = await connection.sendRequest('textDocument/codeLens', {textDocument: {uri}});
  assert.match(lenses.at(-1).command.title, /^replaces 3 pods.* · 3 changes · 1 warning$/);
  assert.ok(hello.capabilities.executeCommandProvider.commands.includes(lenses.at(-1).command.command));
  assert.deepEqual(await connection.sendRequest('workspace/executeCommand', {command: lenses.at(-1).command.command, arguments: lenses.at(-1).command.arguments}), diff);

  const page = await connection.sendRequest('workspace/executeCommand', {command: 'threeway.page', arguments: [at]});
  assert.match(page.html, /^<!DOCTYPE html>/);
  assert.match(page.html, /Content-Security-Policy/);

  const name = text.split('\n').findIndex(line => line === '            name: web');
  const completions = await connection.sendRequest('textDocument/completion', {textDocument: {uri}, position: {line: name, character: 18}});
  assert.deepEqual(completions.items.map(i => i.label), ['web']);
  const [definition] = await connection.sendRequest('textDocument/definition', {textDocument: {uri}, position: {line: name, character: 18}});
  assert.ok(definition.uri.endsWith('/config/configmap.yaml'));

  const second = published(2);
  await connection.sendNotification('textDocument/didChange', {
    textDocument: {uri, version: 2}, contentChanges: [{range: {start: {line: 7, character: 0}, end: {line: 7, character: 0}}, text: '  minReadySeconds: 5\n'}],
  });
  assert.ok(!(await second).some(d => d.code === 'cleared-setting'));

  assert.equal(await connection.sendRequest('shutdown'), null);
  await connection.sendNotification('exit');
  assert.equal(await ended, 0);
});
