/**
 * Streams in Chromium, over HTTP/1.1 and HTTP/2, through nginx that compresses or not. Compression alone holds nothing back, as nginx
 * flushes what it does not buffer; where it buffers, it waits for the whole answer, which a run says.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { adviceOf } from '../../core/experiments/stream/advice.js';
import { chooseCompared } from '../../core/experiments/stream/full-test.js';
import { stream } from '../../core/experiments/stream/index.js';
import { COLLECTING_OFF } from '../../core/experiments/stream/report.js';
import { isCollected } from '../../core/experiments/stream/summary.js';
import { holdsOnce } from '../../test/support/attempts.js';
import { launchBrowser } from '../../test/support/browser.js';
import { downloadRun } from '../../test/support/download.js';
import { compressing, withNginxObstacle } from '../../test/support/obstacles/nginx.js';
import { openServer } from '../../test/support/server.js';
import { requireNginx, withNginx } from './support/nginx.js';

/**
 * @import { TestContext } from 'node:test'
 * @import { Browser } from 'playwright-core'
 * @import { StreamDocument } from '../../core/experiments/stream/schema.js'
 * @import { StreamSummary } from '../../core/experiments/stream/summary.js'
 * @import { TestServer } from '../../test/support/server.js'
 */

const PROTOCOLS = ['http/1.1', 'h2'];
const PATHS = ['/pieces', '/pieces/events'];
const PLAN = 'pieces=30&rate=30&spread=0&seed=1&autostart=1';
const LIMIT_MS = 120_000;

/** @param {StreamSummary} summary @returns {Record<string, string | undefined>} by method */
const flowsOf = ({ rows }) => Object.fromEntries(rows.map(({ method, flow }) => [method, flow?.name]));

describe('streams in a browser through nginx', { concurrency: true }, () => {
  /** @type {TestServer} */
  let server;
  /** @type {Readonly<Record<string, Browser>>} */
  let browsers;
  before(async () => {
    await requireNginx();
    server = await openServer({ env: { TRUST_PROXY: '1' } });
    const [old, usual] = await Promise.all([launchBrowser({ args: ['--disable-http2'] }), launchBrowser({})]);
    browsers = { 'http/1.1': old, h2: usual };
  });
  after(async () => {
    await Promise.all(Object.values(browsers ?? {}).map((browser) => browser.close()));
    await server?.close();
  });

  /**
   * @param {string} protocol @param {string} origin @param {string} plan
   * @returns {Promise<{ summary: StreamSummary, report: any, encodings: (string | undefined)[] }>} `encodings`: of what was streamed
   */
  async function measure(protocol, origin, plan) {
    const context = await browsers[protocol].newContext({ ignoreHTTPSErrors: true });
    try {
      const page = await context.newPage();
      /** @type {Map<string, string | undefined>} */
      const encodings = new Map();
      page.on('response', (response) =>
        encodings.set(new URL(response.url()).pathname, response.headers()['content-encoding']),
      );
      await page.goto(`${origin}/stream?${plan}&${PLAN}`);
      /** @type {StreamDocument} */
      const document = JSON.parse(await downloadRun(page, { timeout: LIMIT_MS }));
      for (const { streams } of document.trials) assert.equal(streams[0].failure, undefined);
      const { summary, report } = findingsOf(stream, document);
      for (const { method, protocols } of summary.rows)
        if (method !== 'ws-open') assert.deepEqual(protocols, [protocol]);
      return { summary, report, encodings: PATHS.map((path) => encodings.get(path)) };
    } finally {
      await context.close();
    }
  }

  /**
   * A machine that is busy delivers pieces together, too: they come as sent in one attempt.
   * @param {TestContext} t @param {string} protocol @param {string} origin @param {string | undefined} encoding
   */
  const expectAsSent = (t, protocol, origin, encoding) =>
    holdsOnce(t, async () => {
      const { summary, encodings } = await measure(protocol, origin, 'methods=fetch,events&blocks=1');
      assert.deepEqual(encodings, [encoding, encoding]);
      const collected = summary.rows.filter(({ flow }) => !flow || isCollected(flow));
      return collected.map(({ method, flow }) => `${method}: ${flow?.name}`).join(', ') || undefined;
    });

  for (const protocol of PROTOCOLS) {
    const isOverTls = protocol === 'h2';
    it(`come as sent behind the generated one, over ${protocol}`, (t) =>
      withNginx(['--upstream', `127.0.0.1:${server.port}`], ({ port }) =>
        expectAsSent(t, protocol, `https://127.0.0.1:${port}`, undefined),
      ));

    it(`come as sent where it compresses, but does not buffer, over ${protocol}`, (t) =>
      withNginxObstacle(server.port, compressing({ heeds: true, isOverTls }), ({ origin }) =>
        expectAsSent(t, protocol, origin, 'gzip'),
      ));

    it(`come at the end where it compresses and buffers, over ${protocol}, and the run says so`, (t) =>
      withNginxObstacle(server.port, compressing({ heeds: false, isOverTls }), ({ origin }) =>
        holdsOnce(t, async () => {
          const { summary, report, encodings } = await measure(
            protocol,
            origin,
            'methods=fetch,events,ws-open&blocks=6',
          );
          assert.deepEqual(encodings, ['gzip', 'gzip']);
          const { fetch: lines, events, 'ws-open': socket } = flowsOf(summary);
          assert.deepEqual([lines, events], ['at-once', 'at-once']);
          assert.ok(report.tables.some((/** @type {any} */ { heading }) => heading === COLLECTING_OFF));
          const { rule } = adviceOf(summary, chooseCompared(summary));
          return rule.name === 'HTTP collected' && rule.recommends === 'socket' ? undefined : `${rule.name}, ${socket}`;
        }),
      ));
  }
});
