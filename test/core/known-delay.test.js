/**
 * Known answer: a whole run between two servers that put their answers off, one for longer, and differ in nothing else.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { compareTransports } from '../../core/compare.js';
import { measureRun } from '../../core/run.js';
import { mean } from '../../core/statistics/mean.js';
import { quantile } from '../../core/statistics/quantile.js';
import { createWebsocket } from '../../core/transports/websocket.js';
import { openServer } from '../support/server.js';

/** Both wait, as a machine that slept answers later than one that did not. */
const DELAYS_MS = { ajax: 10, websocket: 2 };
const PLAN = {
  transports: ['ajax', 'websocket'],
  blocks: 10,
  iterations: 15,
  warmUpCount: 3,
  payloadBytes: 0,
  seed: 3,
};
/** Of a trial: the last question is who answered. */
const ANSWERS_PER_TRIAL = PLAN.warmUpCount + PLAN.iterations + 1;

/** @param {number} delayMs */
async function openLateServer(delayMs) {
  /** @type {number[]} what each answer was put off by, by the server's clock */
  const delaysMs = [];
  const server = await openServer({
    putOff(answer) {
      const askedAtMs = performance.now();
      setTimeout(() => {
        answer();
        delaysMs.push(performance.now() - askedAtMs);
      }, delayMs);
    },
  });
  return { ...server, delaysMs };
}

/** @param {readonly number[]} values */
const median = (values) =>
  Number(
    quantile(
      values.toSorted((a, b) => a - b),
      0.5,
    ),
  );

describe('a run against servers that put their answers off', () => {
  /** @type {Record<string, Awaited<ReturnType<typeof openLateServer>>>} */
  const servers = {};
  before(async () => {
    for (const [name, delayMs] of Object.entries(DELAYS_MS)) servers[name] = await openLateServer(delayMs);
  });
  after(() => Promise.all(Object.values(servers).map((server) => server.close())));

  /** @param {string} name */
  const transportTo = (name) => ({
    ...createWebsocket({ library: /** @type {any} */ (WebSocket), url: `${servers[name].origin}/echo/websocket` }),
    name,
  });

  /** @param {string} name @param {number} block */
  const delaysOf = (name, block) => {
    const start = block * ANSWERS_PER_TRIAL + PLAN.warmUpCount;
    return servers[name].delaysMs.slice(start, start + PLAN.iterations);
  };

  it('finds the difference that the servers themselves measured, and no round trip below their delays', async (t) => {
    const transports = { ajax: transportTo('ajax'), websocket: transportTo('websocket') };
    const { trials, ending } = await measureRun({ plan: PLAN, transports, now: () => performance.now() });
    assert.equal(ending, undefined);

    const comparison = { trials, baseline: 'ajax', transport: 'websocket', confidence: 0.999 };
    const { savingMs, word } = compareTransports(comparison);
    const blocks = Array.from({ length: PLAN.blocks }, (_, block) => block);
    const trueMs = Number(
      mean(blocks.map((block) => median(delaysOf('ajax', block)) - median(delaysOf('websocket', block)))),
    );
    t.diagnostic(
      `put off by ${trueMs.toFixed(3)} ms; found ${savingMs?.estimate.toFixed(3)} ms (99.9 %: ${savingMs?.low.toFixed(3)} to ${savingMs?.high.toFixed(3)})`,
    );
    assert.equal(word, 'faster');
    assert.ok(savingMs && savingMs.low <= trueMs && trueMs <= savingMs.high);

    for (const { transport, block, samples } of trials) {
      const delaysMs = delaysOf(transport, block);
      assert.ok(samples.roundTripMs.every((ms, i) => ms >= delaysMs[i]));
    }
  });
});
