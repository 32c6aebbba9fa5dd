/**
 * `sockshootout run … --browser` as its user has it: a process of its own, which starts a Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { formatPlan, parsePlan } from '../../core/experiment/plan/plan-link.js';
import { RunError } from '../../cli/program/program.js';
import { measureOnPage } from '../../cli/run/measure.js';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { fullTest, createDocumentCheck } from '../../core/full-test/all.js';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { membersOf } from '../../core/full-test/plan.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { payload } from '../../core/experiments/payload/index.js';
import { summarizeSweep } from '../../core/experiments/payload/summary.js';
import { shootout as experiment } from '../../core/experiments/shootout/index.js';
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

const PAYLOAD =
  'transports=ajax,websocket-text&connections=kept&directions=up&sizes=0,1000&budget=200&repeats=6&seed=7';

/** Every experiment that can be a part, by a plan that is over in a few seconds. @type {Readonly<Record<string, string>>} */
const PLANS = {
  shootout: 'transports=ajax,ws&blocks=6&iterations=5&warmup=1&payload=0&seed=7',
  jobs: 'deliveries=poll,push&intervals=50&users=1&jobs=2&arrangement=all&min=0&max=100&limit=3000&blocks=6&seed=7',
  reach: 'silences=300&heartbeat=300&blocks=2&idle=0&seed=7',
  payload: 'transports=ajax,websocket-text&directions=up&sizes=1,1000&seed=7',
  cuts: 'deliveries=poll,ws&cuts=watch&watch=1&blocks=1&seed=7',
  'under-load': 'transports=ajax,ws&loads=unloaded,ws-down&down=10000&up=10000&seconds=1&blocks=1&seed=7',
  stream: 'methods=fetch,ws-open&pieces=30&rate=50&blocks=6&seed=7',
  'in-flight': 'transports=ajax,ws&depths=1,4&blocks=6&seed=7',
  'fixed-rate': 'transports=ajax,ws&rate=200&messages=20&blocks=6&seed=7',
};

/** @type {TestServer} */
let server;
before(async () => {
  server = await openServer();
});
after(() => server.close());

/**
 * @param {string} name of what is run
 * @param {string} plan
 * @param {RunOptions} [options]
 * @param {string} [origin] of the site
 */
const runInBrowser = (name, plan, options, origin = server.origin) =>
  runProgram('cli/sockshootout.js', ['run', name, '--url', origin, '--browser', '--plan', plan, '--json'], options);

// No figure is looked at, so the programs may run side by side.
describe('sockshootout run --browser', { concurrency: 2 }, () => {
  it('measures AJAX, too, on the home page', async () => {
    const { code, out, err } = await runInBrowser('shootout', SHORT);
    assert.equal(code, 0, err);
    const result = parseDocument(out, valibot, experiment);
    assert.equal(formatPlan(experiment, result.plan), SHORT);
    assert.match(result.environment.userAgent, /Chrome\//);
    const { baseline, rows } = summarize(result);
    assert.equal(baseline, 'ajax');
    for (const { summary } of rows) assert.equal(summary.sampleCount, 30);
  });

  it('measures AJAX, too, on an experiment’s own page', async () => {
    const { code, out, err } = await runInBrowser('payload', PAYLOAD);
    assert.equal(code, 0, err);
    const document = parseDocument(out, valibot, payload);
    assert.equal(formatPlan(payload, document.plan), PAYLOAD);
    assert.match(document.environment.userAgent, /Chrome\//);
    assert.ok(!document.plan.preset);
    const [base, { direction, transport, comparison }] = summarizeSweep(document.plan, document.trials);
    assert.deepEqual([base.transport, base.comparison], ['ajax', undefined]);
    assert.deepEqual([direction, transport, Boolean(comparison)], ['up', 'websocket-text', true]);
  });

  it('measures every part of a full test on its page', async () => {
    const names = membersOf(EXPERIMENTS).map(({ name }) => name);
    assert.deepEqual(Object.keys(PLANS), names);
    const query = new URLSearchParams({ page: 'asks-and-sends', considers: 'ws', tests: names.join(','), ...PLANS });
    const { code, out, err } = await runInBrowser('all', `/all?${query}`);
    assert.equal(code, 0, err);
    const { document } = createDocumentCheck(valibot)(JSON.parse(out));
    assert.match(document.environment.userAgent, /Chrome\//);
    const { answers, decision } = findingsOf(fullTest, document).summary.score;
    assert.deepEqual(
      answers.map((/** @type {any} */ { experiment, hasResult }) => [experiment, hasResult]),
      names.map((name) => [name, true]),
    );
    // A run of cuts has few round trips, and one under load may have slow ones alone: on a busy machine as between two places.
    const judged = answers.filter((/** @type {any} */ { experiment }) => !['cuts', 'under-load'].includes(experiment));
    const local = judged.filter((/** @type {any} */ { word }) => word === 'No prediction');
    assert.deepEqual(
      local.map((/** @type {any} */ { experiment }) => experiment),
      ['reach', 'payload', 'stream', 'in-flight', 'fixed-rate'],
    );
    assert.match(decision, /news .*sooner/);
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
    const { code, out } = await runInBrowser(
      'shootout',
      LONG,
      { onProgress: (_, child) => (program = child) },
      own.origin,
    );
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
    const run = { plan: parsePlan(experiment, new URLSearchParams(SHORT), { seed: 7 }), baseUrl: origin };
    await assert.rejects(measureOnPage(browser, experiment, { ...run, signal: AbortSignal.abort() }), RunError);
  });

  it('says how to get a browser where there is none', async () => {
    const { code, err } = await runInBrowser('shootout', SHORT, { env: { ...process.env, CHROMIUM: '/nowhere' } });
    assert.equal(code, 2);
    assertComplaint(err.trimEnd().split('\n').at(-1), 'CHROMIUM', '“/nowhere”');
  });
});
