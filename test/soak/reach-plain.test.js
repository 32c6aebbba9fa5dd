/**
 * Does it work from here? Where nothing is in the way, no run says that something is.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePlan } from '../../core/experiment/plan/plan-link.js';
import { loadClient } from '../../cli/clients/index.js';
import { createProgress } from '../../cli/program/program.js';
import { measureInNode } from '../../cli/run/measure.js';
import { reach } from '../../core/experiments/reach/index.js';
import { withObstacle } from '../support/obstacles/index.js';
import { factsOf } from '../support/reach-facts.js';
import { openServer } from '../support/server.js';

const SHORT = 'silences=100,500,2000&heartbeat=500&blocks=2';
const SHORT_COUNT = 14;
/** Each has up to 6 connections open, and the server takes 48 of one address. */
const AT_A_TIME = 7;
const FULL_COUNT = 3;

/**
 * @param {number} count of runs
 * @param {{ query: string, atATime: number, silenceMs: number }} options `silenceMs`: the longest of its plan
 */
async function checkRuns(count, { query, atATime, silenceMs }) {
  const client = await loadClient('reach');
  const progress = createProgress(true);
  const { signal } = new AbortController();
  const server = await openServer();
  try {
    await withObstacle('none', server.port, async ({ origin }) => {
      let seed = 0;
      const worker = async () => {
        while (seed < count) {
          const plan = parsePlan(reach, new URLSearchParams(query), { seed: ++seed });
          const { works, failed, idle } = factsOf(
            await measureInNode(reach, client, { baseUrl: origin, plan, progress, signal }),
          );
          assert.deepEqual([works, failed, idle?.cutMs], [true, [], undefined], `seed ${plan.seed}`);
          assert.ok(Number(idle?.livedMs) >= silenceMs);
        }
      };
      await Promise.all(Array.from({ length: atATime }, worker));
    });
  } finally {
    await server.close();
  }
}

describe('a path without an obstacle', { concurrency: true }, () => {
  it(`gives no alarm in ${FULL_COUNT} runs at full length`, () =>
    checkRuns(FULL_COUNT, { query: 'blocks=6', atATime: FULL_COUNT, silenceMs: 65_000 }));

  it(`and none in ${SHORT_COUNT} with shorter silences`, () =>
    checkRuns(SHORT_COUNT, { query: SHORT, atATime: AT_A_TIME, silenceMs: 2000 }));
});
