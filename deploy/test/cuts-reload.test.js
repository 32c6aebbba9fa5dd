/** A run that looks on while pm2 replaces two workers: at the port that they share, and through a real nginx. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { summarize } from '../../core/experiments/cuts/summary.js';
import { feedMethods } from '../../core/net/feed/index.js';
import { withPm2 } from '../../test/support/pm2.js';
import { runProgram } from '../../test/support/program.js';
import { requireNginx, withNginx } from './support/nginx.js';

/** @import { CutsDocument } from '../../core/experiments/cuts/schema.js' */

const WORKERS = 2;
const METHODS = ['poll', 'ws', 'ws-replay', 'sockjs-replay', 'socketio', 'socketio-recovery', 'events'];
const PLAN = `cuts=watch&watch=25&blocks=1&interval=500&seed=5&deliveries=${METHODS}`;
/** Once it is measuring, until every method is connected. */
const CONNECTED_MS = 3000;

before(requireNginx);

/**
 * @param {string} origin @param {string} certificatePath
 * @returns {{ begun: Promise<unknown>, document: Promise<CutsDocument> }} `begun`: it measures
 */
function watch(origin, certificatePath) {
  /** @type {(value?: unknown) => void} */
  let onBegin = () => {};
  const begun = new Promise((resolve) => (onBegin = resolve));
  const args = ['run', 'cuts', '--url', origin, '--plan', `?${PLAN}`, '--json'];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificatePath };
  const onProgress = (/** @type {string} */ text) => /^0%/m.test(text) && onBegin();
  const ended = runProgram('cli/sockshootout.js', args, { env, onProgress });
  const document = ended.then(({ out, err }) => {
    onBegin();
    assert.ok(out, err);
    return JSON.parse(out);
  });
  return { begun, document };
}

/** @param {CutsDocument} document */
function check(document) {
  const { rows } = summarize(document);
  assert.deepEqual(
    rows.map(({ delivery }) => delivery),
    METHODS,
  );
  for (const { delivery, figures } of rows) {
    const [{ sentCount, receivedCount, lostCount, doubledCount }] = figures;
    assert.equal(sentCount, receivedCount + lostCount, delivery);
    assert.equal(doubledCount, 0, delivery);
    if (feedMethods[delivery].replays) assert.equal(lostCount, 0, delivery);
    // Those connect again within seconds of each of the two closes at most.
    else assert.ok(lostCount > 0 && lostCount < sentCount / 2, `${delivery}: ${lostCount} of ${sentCount} lost`);
  }
  const closes = document.trials.flatMap(({ losses }) => losses.map(({ reason }) => reason));
  assert.ok(closes.includes('closed with 1001'), closes.join());
}

describe('pm2 reload in the middle of a run of cuts', () => {
  it('costs methods without replay a few messages, the others none, and doubles none', (t) =>
    withPm2({ workers: WORKERS, env: { TRUST_PROXY: '1', LOG_LEVEL: 'warn' } }, (site) =>
      withNginx(['--workers', String(WORKERS), '--port', String(site.port)], async ({ port, certificatePath }) => {
        const origins = { directly: site.origin, 'through nginx': `https://127.0.0.1:${port}` };
        const runs = Object.entries(origins).map(([name, origin]) => ({ name, ...watch(origin, certificatePath) }));
        const documents = Promise.all(runs.map(({ document }) => document));
        await Promise.all(runs.map(({ begun }) => begun));
        await sleep(CONNECTED_MS);
        await site.pm2('reload', 'sockshootout');
        for (const [index, document] of (await documents).entries()) {
          await t.test(runs[index].name, () => check(document));
        }
      }),
    ));
});
