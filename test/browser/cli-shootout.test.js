/**
 * `sockshootout run shootout --browser` as its user has it: a process of its own, which starts a Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { shootout as experiment } from '../../core/experiments/shootout/index.js';
import { formatPlan } from '../../core/experiments/shootout/plan.js';
import { createReport } from '../../core/experiments/shootout/report.js';
import { assertComplaint } from '../support/complaint.js';
import { pressCtrlCAt, runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/**
 * @import { RunOptions } from '../support/program.js'
 * @import { TestServer } from '../support/server.js'
 */

/** A plan that is over in a second. */
const SHORT = 'transports=ajax,fetch,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=7';
/** One that is not over before something is done to it. */
const LONG = SHORT.replace('blocks=6&iterations=5', 'blocks=200&iterations=50');

/** @type {TestServer} */
let server;
before(async () => {
  server = await openServer();
});
after(() => server.close());

/**
 * @param {string} plan
 * @param {RunOptions} [options]
 */
const shootout = (plan, options) =>
  runProgram(
    'cli/sockshootout.js',
    ['run', 'shootout', '--url', server.origin, '--browser', '--plan', plan, '--json'],
    options,
  );

// No figure is looked at, so the programs may run side by side.
describe('sockshootout run shootout --browser', { concurrency: 2 }, () => {
  it('measures AJAX, too, on the site’s own page', async () => {
    const { code, out, err } = await shootout(SHORT);
    assert.equal(code, 0, err);
    const result = parseDocument(out, valibot, experiment);
    assert.equal(formatPlan(result.plan), SHORT);
    assert.match(result.environment.userAgent, /Chrome\//);
    const { baseline, rows } = createReport(result);
    assert.equal(baseline, 'ajax');
    for (const { summary } of rows) assert.equal(summary.sampleCount, 30);
  });

  it('keeps what was measured at Ctrl-C, and ends with 1', async () => {
    const { code, out } = await shootout(LONG, { onProgress: pressCtrlCAt('About') });
    assert.equal(code, 1);
    assert.equal(parseDocument(out, valibot, experiment).ending?.kind, 'cancelled');
  });

  it('says how to get a browser where there is none', async () => {
    const { code, err } = await shootout(SHORT, { env: { ...process.env, CHROMIUM: '/nowhere' } });
    assert.equal(code, 2);
    assertComplaint(err.trimEnd().split('\n').at(-1), 'CHROMIUM', '“/nowhere”');
  });
});
