/**
 * `sockshootout run all` as its user has it: a process of its own, against a real server, or with its own.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { createDocumentCheck, fullTest } from '../../core/full-test/all.js';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { assertRefused } from '../support/complaint.js';
import { withHttpProxy } from '../support/obstacles/http-proxy.js';
import { pressCtrlCAt, runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/**
 * @import { RunOptions } from '../support/program.js'
 * @import { TestServer } from '../support/server.js'
 */

/** Plans that are over in a few seconds. */
const ECHO = 'transports=fetch,ws&blocks=6&iterations=5&warmup=1&payload=0&seed=7';
const JOBS =
  'deliveries=poll,push&intervals=50&users=1&jobs=2&arrangement=all&min=0&max=100&limit=3000&blocks=6&seed=7';
const LINK = linkTo(ECHO, JOBS);

/** @param {string} echo @param {string} jobs */
function linkTo(echo, jobs) {
  const plans = `shootout=${encodeURIComponent(echo)}&jobs=${encodeURIComponent(jobs)}`.replaceAll('%2C', ',');
  return `/?page=asks-and-sends&every=1000&polls=pause&uses=fetch&considers=ws&news=30000&late=0&device=like-this&message-matters=20&news-matters=100&tests=shootout,jobs&${plans}`;
}

const check = createDocumentCheck(valibot);

/** @param {string} json @returns {any} */
function parse(json) {
  const { experiment, document } = check(JSON.parse(json));
  assert.equal(experiment, fullTest);
  return document;
}

/** @param {string[]} args @param {RunOptions} [options] */
const runAll = (args, options) => runProgram('cli/sockshootout.js', ['run', 'all', ...args], options);

/** @type {TestServer} */
let server;
before(async () => {
  server = await openServer();
});
after(() => server.close());

describe('sockshootout run all', () => {
  it('measures both parts at a server of its own, and names the command that repeats them', async () => {
    const { code, out, err } = await runAll(['--plan', `https://elsewhere.example${LINK}&autostart=1`]);
    assert.equal(code, 0, err);
    assert.match(err, /^test 1 of 2: Sending a message, about \d+ s; \d+ s left\n0% {2}trial 1 of 12: /);
    assert.match(err, /\ntest 2 of 2: Being notified, about \d+ s\n0% {2}trial 1 of 12: /);
    // Rows, or columns where they are too wide for rows: that depends on what the run finds.
    for (const label of ['Sending a message', 'Being notified'])
      assert.match(out, new RegExp(`(^| {2})${label}( {2}|$)`, 'm'));
    assert.ok(out.includes(`\nPlan: npx sockshootout run all --plan '${LINK}'\n`), out);
  });

  it('writes a document that can be read, and fails for a condition that is met', async () => {
    const link = JSON.stringify({ kind: 'netem', rttMs: 40, ping: { count: 1, minMs: 40, meanMs: 40, maxMs: 40 } });
    const args = ['--url', server.origin, '--plan', LINK, '--tests', 'jobs', '--json', '--quiet'];
    const { code, out, err } = await runAll([...args, '--link', link, '--fail-if', 'failures>=0']);
    assert.deepEqual([code, err], [1, "--fail-if 'failures>=0': there were 0 failures.\n"]);
    const { environment, parts } = parse(out);
    assert.equal(parts.length, 1);
    assert.equal(parts[0].experiment, 'jobs');
    for (const one of [environment, parts[0].document.environment]) {
      assert.equal(one.url, `${server.origin}/`);
      assert.equal(one.link.rttMs, 40);
    }
  });

  it('keeps the parts that were measured at Ctrl-C, and ends with 1', async () => {
    const plan = linkTo(ECHO, JOBS.replace('blocks=6', 'blocks=50'));
    const onProgress = pressCtrlCAt('20%  trial 21 of 100');
    const { code, out, err } = await runAll(['--url', server.origin, '--plan', plan, '--json'], { onProgress });
    assert.equal(code, 1, err);
    const document = parse(out);
    const [echo, jobs] = document.parts;
    assert.equal(echo.document.ending, undefined);
    assert.equal(jobs.document.ending.kind, 'cancelled');
    const { answers } = findingsOf(fullTest, document).summary.score;
    const { word, reason } = answers.find((/** @type {any} */ { experiment }) => experiment === 'jobs');
    assert.deepEqual([word, reason], ['Stopped', 'The run was stopped.']);
    assert.ok(err.endsWith('\nThe run was stopped before being notified was measured.\n'), err);
  });

  it('has a line for a part that fails where no WebSocket passes, decides nothing, and ends with 1', () =>
    withHttpProxy(server.port, cut, async ({ origin }) => {
      const { code, out, err } = await runAll(['--url', origin, '--plan', LINK, '--markdown', '--quiet']);
      assert.equal(code, 1);
      assert.match(out, /\n\*\*No decision: /);
      assert.match(out, /\n\| Sending a message \| No verdict \|/);
      assert.match(err, /^Sending a message: .* Being notified: .*no client was notified/);
    }));

  it('ends with 2 where no server answers', async () => {
    assertRefused(await runAll(['--url', 'http://127.0.0.1:1']), '--url', 'no echo');
  });
});

/** Ends a WebSocket before its first message. @type {Parameters<typeof withHttpProxy>[1]} */
function cut(client, upstream) {
  for (const socket of [client, upstream]) socket.destroy();
}
