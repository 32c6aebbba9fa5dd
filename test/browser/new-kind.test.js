/**
 * A new kind of connection is a client, its adapter on the server, their lines in the two tables, and colours: echo, jobs, feeds,
 * streams and payload go over it at once, from Node and in pages.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { downloadRun } from '../support/download.js';
import { runCommand } from '../support/program.js';
import { addToCopy, useSiteCopy } from '../support/site-copy.js';
import { postSubmission } from '../support/submissions.js';
import { openTab } from '../support/tab.js';

const MOST_FILES = 5;
const COLOURS = ['lines', 'delivery-lines', 'feed-lines', 'stream-lines'];

const LINES = {
  'core/net/channel/index.js': [
    [
      "import { lines, openLines } from './lines.js';\n",
      "import { openWebSocket, webSocket } from './web-socket.js';\n",
    ],
    ['lines, ', 'webSocket, sockjs, socketio'],
    ['  lines: openLines,\n', '  sockjs: openSockjs,\n'],
  ],
  'server/channel/index.js': [
    ["import { acceptLines } from './lines.js';\n", "import { acceptSocketio } from './socketio.js';\n"],
    ['  lines: acceptLines,\n', '  sockjs: acceptSockjs,\n'],
  ],
  'public/css/site.css': [[COLOURS.map((name) => `  --${name}: #123456;\n`).join(''), '  --fetch: #7a5195;\n']],
};
const FILES = {
  'core/net/channel/lines.js': 'test/fixtures/toy-kind/client.js',
  'server/channel/lines.js': 'test/fixtures/toy-kind/server.js',
};

/**
 * What is run by each protocol: a short plan, and how often a trial of it exchanged something.
 * @type {Record<string, { page: string, plan: string, countOf: (trial: any) => number, count: number }>}
 */
const RUNS = {
  shootout: {
    page: '/',
    plan: 'transports=fetch,lines&blocks=6&iterations=5&warmup=1&payload=0&seed=7',
    countOf: ({ samples }) => samples.iteration.length,
    count: 30,
  },
  jobs: {
    page: '/polltest',
    plan: 'deliveries=poll,lines&intervals=500&users=1&jobs=3&min=10&max=50&blocks=1&seed=7',
    countOf: ({ notified }) => notified.job.length,
    count: 3,
  },
  payload: {
    page: '/payloadtest',
    plan: 'transports=fetch,lines&directions=up,down,echo&sizes=10000&repeats=6&seed=7',
    countOf: ({ durationMs }) => (durationMs > 0 ? 1 : 0),
    count: 18,
  },
  cuts: {
    page: '/cuts',
    plan: 'deliveries=poll,lines&cuts=close&interval=500&blocks=1&seed=3',
    // Some messages came before the cut and others after it, when it had connected again.
    countOf: ({ arrivals: { n } }) =>
      n.filter((/** @type {number} */ one, /** @type {number} */ i) => i > 0 && one > n[i - 1] + 1).length,
    count: 1,
  },
  stream: {
    page: '/stream',
    plan: 'methods=fetch,lines&pieces=5&rate=50&at-once=2&blocks=2&seed=3',
    countOf: ({ streams }) => streams.flatMap((/** @type {any} */ { atMs }) => atMs).length,
    count: 20,
  },
};

/** @param {string} name of the experiment @param {string} json of its run @returns {{ count: number, document: any }} */
function countIn(name, json) {
  const document = JSON.parse(json);
  const own = document.trials.filter((/** @type {any} */ one) =>
    [one.transport, one.delivery, one.streamedBy].includes('lines'),
  );
  return {
    document,
    count: own.map(RUNS[name].countOf).reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0),
  };
}

describe('a kind of connection that is added to a copy of the site', () => {
  /** @type {string[]} */
  let files;
  const site = useSiteCopy(async (folder) => {
    files = await addToCopy(folder, LINES, FILES);
  });

  it('touches five files of the product', () => {
    assert.ok(files.length <= MOST_FILES, files.join(', '));
  });

  for (const [name, { page: url, plan, count }] of Object.entries(RUNS)) {
    it(`carries ${name} from Node, and is saved`, async () => {
      const command = path.join(site.folder, 'cli/sockshootout.js');
      const run = ['run', name, '--url', site.origin, '--plan', plan, '--json'];
      const { code, out, err } = await runCommand([process.execPath, command, ...run]);
      assert.equal(code, 0, err);
      const counted = countIn(name, out);
      assert.equal(counted.count, count, out.slice(-2000));
      const saved = await postSubmission(site.origin, { document: counted.document });
      assert.equal(saved.status, 201, JSON.stringify(saved.answer));
    });

    it(`carries ${name} in a page`, async () => {
      const { page, complaints, close } = await openTab(site.browser, `${site.origin}${url}?${plan}&autostart=1`);
      try {
        page.setDefaultTimeout(60_000);
        const run = await downloadRun(page, { timeout: 60_000 });
        assert.equal(countIn(name, run).count, count, run.slice(-2000));
        assert.deepEqual(complaints, []);
      } finally {
        await close();
      }
    });
  }
});
