/**
 * What `sockshootout run shootout` does with fallbacks, and where something is in its way; the rest: test/cli.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { shootout as experiment } from '../../core/experiments/shootout/index.js';
import { PRESETS } from '../../core/experiments/shootout/plan.js';
import { summarize } from '../../core/experiments/shootout/summary.js';
import { holdsOnce } from '../support/attempts.js';
import { pressCtrlCAt, runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/** @import { TestServer } from '../support/server.js' */

/** A plan that is over in a second. */
const SHORT = 'transports=fetch,ws,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=7';
/** @type {TestServer} */
let server;
before(async () => {
  server = await openServer();
});
after(() => server.close());

/** @param {...string} args */
const shootout = (...args) => runProgram('cli/sockshootout.js', ['run', 'shootout', '--url', server.origin, ...args]);

/** @param {string} json */
const parse = (json) => parseDocument(json, valibot, experiment);

/**
 * @param {string} text a report
 * @param {string} title of a line, with which it begins
 * @returns {string[]} the line's other cells
 */
function cellsOf(text, title) {
  const lines = text.split('\n').map((line) => line.trim().split(/ {2,}/));
  return lines.find(([first]) => first === title)?.slice(1) ?? assert.fail(`Expected a line '${title}', got none`);
}

describe('sockshootout run shootout', () => {
  it('measures SockJS’s fallbacks, and ends with 0 where what must not be is not', async (t) => {
    const names = ['xhr-streaming', 'eventsource', 'xhr-polling'];
    const transports = names.map((name) => `sockjs-${name}`);
    const plan = SHORT.replace('ws,sockjs', transports.join()).replace('iterations=5', 'iterations=2');
    const args = ['--plan', plan, '--quiet', '--fail-if', 'sockjs-xhr-polling faster'];
    // Its client waits 25 ms after each message, and this is one machine: only one that stands still hides that.
    await holdsOnce(t, async () => {
      const { code, out, err } = await shootout(...args);
      assert.deepEqual(cellsOf(out, 'Protocol'), ['http/1.1', ...names]);
      const isSlower = /SockJS xhr-polling is slower than fetch \(0\.\d+x\)\./.test(out);
      return isSlower && code === 0 && err === '' ? undefined : `${code} ${err}: ${out}`;
    });
  });

  it('keeps what was measured at Ctrl-C, and ends with 1', async () => {
    const args = ['run', 'shootout', '--url', server.origin, '--preset', 'thorough', '--seed', '7', '--json'];
    const { code, out, err } = await runProgram('cli/sockshootout.js', args, { onProgress: pressCtrlCAt('0%') });
    assert.equal(code, 1);
    const result = parse(out);
    const { plan, trials, ending } = result;
    const { transports, blocks, seed } = plan;
    assert.deepEqual([transports, blocks, seed], [['fetch', 'ws', 'sockjs'], PRESETS.thorough.blocks, 7]);
    assert.deepEqual(ending, { kind: 'cancelled', reason: 'The run was stopped.' });
    assert.ok(trials.length > 0 && trials.length < 3 * blocks, String(trials.length));
    assert.ok(err.endsWith(`\n${summarize(result).verdict.headline}. ${ending?.reason}\n`), err);
  });

  it('ends with 1 where a transport does not work, and says which, as Markdown, too', async () => {
    const blocked = await openServer();
    blocked.server.removeAllListeners('upgrade');
    blocked.server.on('upgrade', (_req, socket) => socket.destroy());
    try {
      const args = ['--url', blocked.origin, '--plan', SHORT.replace('ws,sockjs', 'ws'), '--markdown'];
      const { code, out, err } = await runProgram('cli/sockshootout.js', ['run', 'shootout', ...args]);
      assert.equal(code, 1);
      const [, headline] =
        /^### SockShootout: Sending a message\n\n\*\*(WebSocket did not work.*?\.)\*\*/.exec(out) ?? assert.fail(out);
      assert.ok(err.includes(`\n${headline} `), err);
      assert.match(out, /\| Difference to fetch, ms \|/);
    } finally {
      await blocked.close();
    }
  });
});
