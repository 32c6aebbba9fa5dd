/**
 * A new transport is a kind of connection, its line in their table, an endpoint and a colour: runs from Node and in pages, the
 * library that they load, labels, plans, saved documents and charts follow.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { runCommand } from '../support/program.js';
import { addToCopy, useSiteCopy } from '../support/site-copy.js';
import { postSubmission } from '../support/submissions.js';
import { openTab } from '../support/tab.js';
import { downloadRun } from '../support/download.js';

const MOST_FILES = 4;
const PLAN = 'blocks=6&iterations=5&warmup=1&payload=0&seed=7';

/** What is written into the product's files, each before a line that is there once. */
const LINES = {
  'core/net/channel/index.js': [
    ["import { openToy, toy } from './toy.js';\n", "import { openWebSocket, webSocket } from './web-socket.js';\n"],
    ['toy, ', 'webSocket, sockjs, socketio'],
    ['  toy: openToy,\n', '  sockjs: openSockjs,\n'],
  ],
  'server/endpoints/index.js': [
    ["    ['/toyecho', ajaxecho],\n", "    ['/xhr', createXhr({ countDown, metrics })],\n"],
  ],
  'public/css/site.css': [['  --toy: #123456;\n', '  --fetch: #7a5195;\n']],
};
const FILES = { 'core/net/channel/toy.js': 'test/fixtures/toy-transport/toy.js' };

/** @param {any} document of a run of the shootout @returns {number} the answers that came by it */
const toyCountOf = ({ trials }) =>
  trials
    .filter((/** @type {any} */ { transport }) => transport === 'toy')
    .reduce((/** @type {number} */ sum, /** @type {any} */ { samples }) => sum + samples.iteration.length, 0);

describe('a transport that is added to a copy of the site', () => {
  /** @type {string[]} */
  let files;
  const site = useSiteCopy(async (folder) => {
    files = await addToCopy(folder, LINES, FILES);
  });

  it('touches four files of the product', () => {
    assert.ok(files.length <= MOST_FILES, files.join(', '));
  });

  /** @param {string[]} args */
  const run = (...args) =>
    runCommand([
      process.execPath,
      path.join(site.folder, 'cli/sockshootout.js'),
      'run',
      'shootout',
      '--url',
      site.origin,
      ...args,
    ]);

  it('is measured from Node, and saved unless it has a protocol that it cannot negotiate', async () => {
    const { code, out, err } = await run('--plan', `transports=fetch,toy&${PLAN}`, '--json');
    assert.equal(code, 0, err);
    const document = JSON.parse(out);
    assert.equal(toyCountOf(document), 30);
    const saved = await postSubmission(site.origin, { document });
    assert.equal(saved.status, 201, JSON.stringify(saved.answer));
    assert.match(await (await fetch(`${site.origin}/results?experiment=shootout`)).text(), /Toy/);

    document.trials.find((/** @type {any} */ { transport }) => transport === 'toy').protocol = 'websocket';
    const refused = await postSubmission(site.origin, { document });
    assert.match(JSON.stringify(refused.answer), /expected a protocol that toy can use/);
  });

  it('has its label in a report, and its name in the help', async () => {
    const { out } = await run('--plan', `transports=fetch,toy&${PLAN}`);
    assert.match(out, /\bToy\b/);
    assert.match((await run('--help')).out, /, toy\b/);
  });

  it('is measured by a page’s link, with its label and its colour', async () => {
    const link = `/?transports=ajax,toy&${PLAN}&autostart=1`;
    const { page, complaints, close } = await openTab(site.browser, site.origin + link);
    try {
      page.setDefaultTimeout(60_000);
      await page.locator('#verdict-headline:not(:empty)').waitFor();
      const labels = await page.locator('#rows tbody tr > :first-child').allTextContents();
      assert.deepEqual(labels, ['AJAX', 'Toy']);
      await page.locator('[stroke="var(--toy)"], [fill="var(--toy)"]').first().waitFor({ state: 'attached' });
      assert.equal(toyCountOf(JSON.parse(await downloadRun(page))), 30);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
});
