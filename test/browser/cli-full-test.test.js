/**
 * `sockshootout run all --browser` as its user has it: a process of its own, which starts a Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as valibot from 'valibot';
import { createDocumentCheck, fullTest } from '../../core/full-test/all.js';
import { findingsOf } from '../../core/experiment/report.js';
import { membersOf } from '../../core/full-test/plan.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/** Every experiment that can be a part, by a plan that is over in a few seconds. @type {Readonly<Record<string, string>>} */
const PLANS = {
  shootout: 'transports=ajax,ws&blocks=6&iterations=5&warmup=1&payload=0&seed=7',
  jobs: 'deliveries=poll,push&intervals=50&users=1&jobs=2&arrangement=all&min=0&max=100&limit=3000&blocks=6&seed=7',
  reach: 'silences=300&heartbeat=300&blocks=2&idle=0&seed=7',
  payload: 'transports=ajax,websocket-text&directions=up&sizes=1,1000&seed=7',
  cuts: 'deliveries=poll,ws&cuts=watch&watch=1&blocks=1&seed=7',
  'under-load': 'transports=ajax,ws&loads=unloaded,ws-down&down=10000&up=10000&seconds=1&blocks=1&seed=7',
  'in-flight': 'transports=ajax,ws&depths=1,4&blocks=6&seed=7',
  'fixed-rate': 'transports=ajax,ws&rate=200&messages=20&blocks=6&seed=7',
};

it('sockshootout run all --browser measures every part on the site’s own page', async () => {
  const names = membersOf(EXPERIMENTS).map(({ name }) => name);
  assert.deepEqual(Object.keys(PLANS), names);
  const query = new URLSearchParams({ page: 'asks-and-sends', considers: 'ws', tests: names.join(','), ...PLANS });
  const server = await openServer();
  try {
    const args = ['run', 'all', '--url', server.origin, '--browser', '--plan', `/all?${query}`, '--json', '--quiet'];
    const { code, out, err } = await runProgram('cli/sockshootout.js', args);
    assert.equal(code, 0, err);
    const { document } = createDocumentCheck(valibot)(JSON.parse(out));
    assert.match(document.environment.userAgent, /Chrome\//);
    const { lines, decision } = findingsOf(fullTest, document).summary.score;
    assert.deepEqual(
      lines.map((/** @type {any} */ { experiment, hasResult }) => [experiment, hasResult]),
      names.map((name) => [name, true]),
    );
    // A run of cuts has few round trips, which may be slow on a busy machine as on a path between two places.
    const judged = lines.filter((/** @type {any} */ { experiment }) => experiment !== 'cuts');
    const local = judged.filter((/** @type {any} */ { line }) => line.word === 'No prediction');
    assert.deepEqual(
      local.map((/** @type {any} */ { experiment }) => experiment),
      ['reach', 'payload', 'under-load', 'in-flight', 'fixed-rate'],
    );
    assert.match(decision, /news .*sooner/);
  } finally {
    await server.close();
  }
});
