// Types into VS Code and looks at what it shows.
const assert = require('node:assert/strict');
const test = require('node:test');
const {open} = require('./window');

const program = process.env.THREEWAY ?? 'threeway';
const rows = '.suggest-widget .monaco-list-row';
const lenses = '.codelens-decoration a';

test('threeway in VS Code', async t => {
  const w = await open({'threeway.path': program});
  t.after(w.close);

  await t.test('lenses: the verdict, and above each object what the apply does', async () => {
    await w.go('web.yaml', 1);
    const seen = await w.see(lenses, texts => texts.length === 3);
    assert.match(seen[0], /^Look before you apply: 2 settings are cleared/);
    assert.match(seen[1], /^replaces 3 pods, .* · \d changes · 2 warnings$/);
    await w.look('lenses');
  });

  await t.test('the status bar has the verdict in the same words', async () => {
    const [verdict] = await w.see('.statusbar-item[id="threeway.threeway.threeway.verdict"]');
    const [lens] = await w.see(lenses);
    assert.ok(verdict.endsWith(lens), `${verdict} is not ${lens}`);
  });

  await t.test('problems stand at their own fields', async () => {
    await w.press('Control+Shift+M');
    const seen = await w.see('.markers-panel .monaco-list-row', texts => texts.length >= 4);
    for (const want of [/generation.*\[Ln 6, Col 3\]/s, /minReadySeconds.*\[Ln 7, Col 1\]/s, /livenessProbe.*\[Ln 18, Col 9\]/s]) {
      assert.ok(seen.some(text => want.test(text)), `${want}: ${seen}`);
    }
    await w.look('problems');
    await w.press('Control+Shift+M');
  });

  await t.test('hover: first what changes, in 15 lines', async () => {
    await w.go('web.yaml', 19, 10);
    const [text] = await w.hover(texts => texts.some(text => text.includes('apply changes')));
    assert.match(text, /^\S*image: apply changes "nginx:1\.29" to "nginx:1\.30"/);
    assert.ok(text.split('\n').length <= 15, text);
    await w.look('hover');
    await w.press('Escape');
    await w.go('web.yaml', 7, 2);
    const found = (await w.hover(texts => /cleared-setting/.test(texts) && /apply changes 3 fields/.test(texts))).join('\n');
    assert.equal(found.split('is removed from the manifest').length, 2, found); // said once
    await w.look('hover-finding');
    await w.press('Escape');
  });

  await t.test('completion: a field, a value, a ConfigMap, the key of a Secret', async () => {
    const complete = async (line, column, typed, want) => {
      await w.go('web.yaml', line, column);
      await w.press('Shift+End');
      await w.type(typed);
      await w.press('Control+Space');
      const seen = await w.see(rows, texts => texts.some(text => text.startsWith(want)));
      assert.ok(seen.some(text => text.startsWith(want)));
      await w.look(`completion-${want}`);
      await w.undone();
    };
    await complete(8, 3, 'minR', 'minReadySeconds');
    await complete(20, 26, ' ', 'IfNotPresent');
    await complete(29, 18, ' ', 'settings');
    await complete(26, 19, ' ', 'user');
  });

  await t.test('definition and references', async () => {
    await w.go('web.yaml', 29, 20);
    await w.press('F12');
    await w.shows('settings.yaml');
    await w.go('settings.yaml', 4, 10);
    await w.press('Shift+Alt+F12');
    await w.see('.pane-body .monaco-list-row', texts => texts.some(text => /name: settings/.test(text)));
    await w.look('references');
    await w.press('Control+Shift+E');
    await w.go('web.yaml', 25, 24);
    await w.press('F12');
    await w.shows('live.yaml');
  });

  await t.test('symbols', async () => {
    await w.go('web.yaml', 1);
    await w.press('Control+Shift+O');
    const seen = await w.see('.quick-input-list .monaco-list-row', texts => texts.length > 4);
    assert.match(seen[0], /Deployment\/web/);
    await w.look('symbols');
    await w.press('Escape');
  });

  await t.test('the fix first, suppression last', async () => {
    await w.go('web.yaml', 6, 5);
    const seen = await w.actions(texts => texts.join().includes('suppress'));
    assert.match(seen[0], /remove it/);
    assert.match(seen.at(-1), /suppress server-metadata-in-config/);
    await w.look('actions');
    await w.press('Enter');
    await w.see('.view-lines', texts => !texts[0].includes('generation'));
    await w.undone();
    await w.go('web.yaml', 7, 2);
    await w.actions(texts => /keep the live value of spec.minReadySeconds/.test(texts[0]) && /suppress cleared-setting/.test(texts.at(-1)));
    await w.press('ArrowUp'); // to the last
    await w.press('Enter');
    await w.see('.quick-input-widget', texts => texts.join().includes('Why is this all right?'));
    await w.type('pods are ready at once');
    await w.press('Enter');
    await w.see('.view-lines', texts => texts[0].includes('# threeway:ignore cleared-setting -- pods are ready at once'));
    await w.undone();
  });

  await t.test('the lens opens the diff editor', async () => {
    await w.go('web.yaml', 1);
    await w.page.locator(lenses, {hasText: 'replaces 3 pods'}).click();
    await w.page.locator('.tab.active[aria-label*="live ↔ after the apply"]').waitFor();
    await w.see('.monaco-diff-editor .editor.original .view-lines', texts => texts.some(text => text.includes('minReadySeconds: 5')));
    await w.see('.monaco-diff-editor .editor.modified .view-lines', texts => texts.some(text => text.includes('nginx:1.30')));
    await w.look('diff');
    await w.run('View: Close All Editors');
  });

  await t.test('the buttons of the editor, and the page in a panel', async () => {
    await w.go('web.yaml', 1);
    for (const title of ['compare this object', 'show the review']) {
      await w.page.locator(`.editor-actions a[aria-label*="${title}"]`).waitFor();
    }
    await w.page.locator('.editor-actions a[aria-label*="show the review"]').click();
    const frame = w.page.frameLocator('iframe.webview').frameLocator('iframe');
    const [text] = await w.see('main, body', texts => /Look before you apply/.test(texts[0]), frame);
    assert.match(text, /2 settings are cleared/);
    assert.equal(await frame.locator('html').getAttribute('data-theme'), process.env.THEME ?? 'light');
    await w.look('review');
    await w.run('View: Close All Editors');
  });

  await t.test('the walkthrough', async () => {
    await w.press('F1');
    await w.type('Welcome: Open Walkthrough');
    await w.see('.quick-input-list .monaco-list-row', texts => /Open Walkthrough/.test(texts[0]));
    await w.press('Enter');
    await w.see('.quick-input-list .monaco-list-row', texts => texts.join().includes('Rehearse kubectl apply'));
    await w.type('rehearse');
    await w.press('Enter');
    await w.see('.gettingStartedContainer', texts => /Install the program/.test(texts[0]));
    await w.look('walkthrough');
    await w.run('View: Close All Editors');
  });

  await t.test('screenshot.png of README.md', {skip: !process.env.LOOKS}, async () => {
    await w.page.setViewportSize({width: 1000, height: 600});
    await w.press('Control+B');
    await w.go('web.yaml', 7, 2);
    await w.hover(texts => /apply changes 3 fields/.test(texts));
    await w.look('screenshot', {x: 48, y: 36, width: 952, height: 564});
    await w.press('Escape');
    await w.press('Control+B');
    await w.page.setViewportSize({width: 1280, height: 800});
  });

  await t.test('the diagnostics follow what is typed', async () => {
    await w.go('web.yaml', 8, 3);
    await w.type('minReadySeconds: 5\n');
    await w.see(lenses, texts => /^Look before you apply: 1 setting is cleared/.test(texts[0]));
    await w.see('.statusbar-item[id="threeway.threeway.threeway.verdict"]', texts => /1 setting is cleared/.test(texts[0]));
    await w.undone();
  });
});

test('beside yaml-language-server', async t => {
  const w = await open({'threeway.path': program}, ['yaml']);
  t.after(w.close);
  await w.go('web.yaml', 8, 6);
  await w.see(lenses);
  const seen = await w.hover(texts => texts.join().includes('How many pods'));
  assert.doesNotMatch(seen.join('\n'), /apply does not change it/);
  await w.press('Escape');
  await w.go('web.yaml', 8, 3);
  await w.press('Shift+End');
  await w.type('pau');
  await w.press('Control+Space');
  assert.deepEqual((await w.see(rows, texts => texts.some(text => text.startsWith('paused')))).filter(text => text.startsWith('paused')).length, 1);
  await w.look('beside-completion');
  await w.undone();
  await w.press('Control+Shift+O');
  await w.see('.quick-input-list .monaco-list-row', texts => texts.length > 4 && !texts.some(text => text.includes('Deployment/web')));
  await w.press('Escape');
  await w.go('.threeway.yaml', 1);
  await w.see('.codelens-decoration', texts => /config.schema.json/.test(texts)); // says which schema it has
  assert.equal(await w.page.locator('.squiggly-error, .squiggly-warning').count(), 0);
  await w.press('Control+End');
  await w.type('pol');
  await w.press('Control+Space');
  await w.see(rows, texts => texts.some(text => text.startsWith('policies')));
  await w.look('beside-settings');
  await w.undone();
});

test('without the program there is a way out', async t => {
  const w = await open({'threeway.path': '/nowhere/threeway'});
  t.after(w.close);
  await w.go('web.yaml', 1);
  const [text] = await w.see('.notifications-toasts', texts => texts.join().includes('nowhere'));
  assert.match(text, /there is no program \/nowhere\/threeway, which threeway\.path names\. Nothing is checked\./);
  for (const way of ['Set its path', 'How to install it', 'Try again']) assert.ok(text.includes(way), text);
  await w.look('no-program');
});
