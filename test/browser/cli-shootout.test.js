/**
 * `sockshootout run shootout --browser` as its user has it: a process of its own, which starts a Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { RunError } from '../../cli/program/program.js';
import { measureOnPage } from '../../cli/run/measure.js';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { shootout as experiment } from '../../core/experiments/shootout/index.js';
import { formatPlan } from '../../core/experiments/shootout/plan.js';
import { summarize } from '../../core/experiments/shootout/summary.js';
import { launchBrowser } from '../support/browser.js';
import { assertComplaint } from '../support/complaint.js';
import { runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { AddressInfo } from 'node:net'
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
 * @param {string} [origin] of the site
 */
const shootout = (plan, options, origin = server.origin) =>
  runProgram(
    'cli/sockshootout.js',
    ['run', 'shootout', '--url', origin, '--browser', '--plan', plan, '--json'],
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
    const { baseline, rows } = summarize(result);
    assert.equal(baseline, 'ajax');
    for (const { summary } of rows) assert.equal(summary.sampleCount, 30);
  });

  it('keeps what was measured at Ctrl-C, and ends with 1', async (test) => {
    const own = await openServer();
    test.after(() => own.close());
    /** @type {ChildProcess | undefined} */
    let program;
    let echoCount = 0;
    own.server.on('request', ({ url }) => {
      // More than any probe sends: the run has begun.
      if (url?.startsWith('/ajaxecho') && ++echoCount === 200) program?.kill('SIGINT');
    });
    const { code, out } = await shootout(LONG, { onProgress: (_, child) => (program = child) }, own.origin);
    assert.equal(code, 1);
    assert.equal(parseDocument(out, valibot, experiment).ending?.kind, 'cancelled');
  });

  it('ends, too, where the page was stopped before it had anything to show', async (test) => {
    const page = '<!doctype html><button id="cancel" onclick="this.hidden = true">Stop</button>';
    const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page)).listen(0);
    const browser = await launchBrowser();
    test.after(() => Promise.all([browser.close(), site.close()]));
    const { port } = /** @type {AddressInfo} */ (site.address());
    const origin = `http://127.0.0.1:${port}`;
    const run = { plan: experiment.parsePlan(new URLSearchParams(SHORT), { seed: 7 }), baseUrl: origin };
    await assert.rejects(measureOnPage(browser, experiment, { ...run, signal: AbortSignal.abort() }), RunError);
  });

  it('says how to get a browser where there is none', async () => {
    const { code, err } = await shootout(SHORT, { env: { ...process.env, CHROMIUM: '/nowhere' } });
    assert.equal(code, 2);
    assertComplaint(err.trimEnd().split('\n').at(-1), 'CHROMIUM', '“/nowhere”');
  });
});
