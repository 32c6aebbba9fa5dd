/**
 * `sockshootout run payload --browser` as its user has it: a process of its own, which starts a Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as valibot from 'valibot';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { payload } from '../../core/experiments/payload/index.js';
import { formatPayloadPlan } from '../../core/experiments/payload/plan.js';
import { summarizeSweep } from '../../core/experiments/payload/summary.js';
import { runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

const PLAN =
  'transports=ajax,websocket-text,websocket-binary,sockjs&connections=kept&directions=up,down,echo&sizes=0,1000,100000&budget=200&repeats=6&seed=7';

it('sockshootout run payload --browser measures AJAX, too, on the site’s own page', async () => {
  const server = await openServer();
  try {
    const args = ['--url', server.origin, '--browser', '--plan', PLAN, '--json', '--quiet'];
    const { code, out, err } = await runProgram('cli/sockshootout.js', ['run', 'payload', ...args]);
    assert.equal(code, 0, err);
    const document = parseDocument(out, valibot, payload);
    assert.equal(formatPayloadPlan(document.plan), PLAN);
    assert.match(document.environment.userAgent, /Chrome\//);
    assert.ok(!document.plan.preset);
    const [base, { direction, transport, comparison }] = summarizeSweep(document.plan, document.trials);
    assert.deepEqual([base.transport, base.comparison], ['ajax', undefined]);
    assert.deepEqual([direction, transport, Boolean(comparison)], ['up', 'websocket-text', true]);
  } finally {
    await server.close();
  }
});
