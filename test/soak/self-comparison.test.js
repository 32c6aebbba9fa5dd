/**
 * Real runs that compare a transport with itself: what they call faster or slower is a false alarm. Of 40 runs with a 95%
 * interval there are 12 or more once in ten million.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runExperiment } from '../../core/experiment/run.js';
import { findingsOf } from '../../core/experiment/report.js';
import { shootout } from '../../core/experiments/shootout/index.js';
import { createFetch } from '../../core/net/echo/http.js';
import { openServer } from '../support/server.js';

/** @import { TestServer } from '../support/server.js' */

const RUN_COUNT = 40;
const ALARM_COUNT = 12;
const PLAN = { transports: ['ajax', 'fetch'], blocks: 10, iterations: 20, warmUpCount: 5, payloadBytes: 0 };

describe('a transport compared with itself', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  it(`is faster or slower in less than ${ALARM_COUNT} of ${RUN_COUNT} runs`, async (t) => {
    const url = `${server.origin}/ajaxecho`;
    const transports = Object.fromEntries(PLAN.transports.map((name) => [name, { ...createFetch({ url }), name }]));
    const environment = { url: `${server.origin}/`, userAgent: 'Node.js', isCrossOriginIsolated: false, stepMs: 0.001 };
    /** @type {string[]} */
    const verdicts = [];
    for (let seed = 1; seed <= RUN_COUNT; seed++) {
      const plan = { ...PLAN, seed };
      const options = /** @type {any} */ ({ plan, transports, now: () => performance.now() });
      const run = await runExperiment(shootout, options);
      const document = { schema: shootout.schema, startedAt: '', plan, environment, coldSetUpMs: {}, ...run };
      const { summary } = findingsOf(shootout, document);
      assert.equal(document.ending, undefined);
      verdicts.push(summary.verdict.name);
    }
    const alarmCount = verdicts.filter((name) => name === 'faster' || name === 'slower').length;
    t.diagnostic(`${alarmCount} of ${RUN_COUNT}: ${verdicts.join(', ')}`);
    assert.ok(alarmCount < ALARM_COUNT, `expected less than ${ALARM_COUNT}, got ${alarmCount}`);
  });
});
