/**
 * What `sockshootout run payload` does of less usual plans, and where something is in its way; the rest: test/cli.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { parsePlan } from '../../core/experiment/plan/plan-link.js';
import { payload as payloadKind } from '../../core/experiments/payload/index.js';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { splitSizes, describePayloadPlan } from '../../core/experiments/payload/plan.js';
import { pressCtrlCAt, runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/**
 * @import { PayloadDocument } from '../../core/experiments/payload/schema.js'
 * @import { RunOptions } from '../support/program.js'
 * @import { TestServer } from '../support/server.js'
 */

/** A plan that is over in a second. */
const SHORT =
  'transports=fetch,websocket-text,websocket-binary,sockjs&directions=up,down,echo&sizes=0,1000,100000&repeats=6&seed=7';

/** @type {TestServer} */
let server;
before(async () => {
  server = await openServer();
});
after(() => server.close());

/**
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
const payload = (args, options) => runProgram('cli/sockshootout.js', ['run', 'payload', ...args], options);

/**
 * @param {string} json
 * @returns {PayloadDocument}
 */
const parse = (json) => parseDocument(json, valibot, payloadKind);

/** @param {string} query of a link */
function planOf(query) {
  const plan = parsePlan(payloadKind, new URLSearchParams(query), { seed: 0 });
  assert.ok(plan);
  return plan;
}

/** @param {string} text */
const lastLineOf = (text) => text.trimEnd().split('\n').slice(-1).join();

describe('sockshootout run payload', () => {
  it('repeats the way of the published figures, as Markdown', async () => {
    const args = [
      '--url',
      server.origin,
      '--preset',
      'published',
      '--sizes',
      '500,1000',
      '--transports',
      'fetch,websocket-text',
    ];
    const { code, out, err } = await payload([...args, '--markdown']);
    assert.equal(code, 0, err);
    const plan = planOf('preset=published&transports=fetch,websocket-text&sizes=500,1000');
    assert.ok(err.startsWith(describePayloadPlan(plan)), err);
    assert.match(err, /\n0% {2}trial 1 of \d+: /);
    assert.match(out, /^### SockShootout: Payload size\n/);
    assert.match(out, /\| Better pass, ms per message \|/);
  });

  it('strikes out the sizes that the budget does not fit, keeps what was measured at Ctrl-C, and ends with 1', async () => {
    const plan = SHORT.replace('repeats=6', 'repeats=50').replace('100000', '100000,1000000');
    const args = ['--url', server.origin, '--plan', plan, '--budget', '100', '--json'];
    const { code, out, err } = await payload(args, { onProgress: pressCtrlCAt('20%') });
    assert.equal(code, 1);
    const { plan: fitting, trials, ending } = parse(out);
    assert.match(err, / 1 MB left out: .+ 100 MB\./);
    assert.deepEqual(splitSizes(fitting).sizes, [0, 1000, 100_000]);
    assert.deepEqual(ending, { kind: 'cancelled', reason: 'The run was stopped.' });
    assert.ok(trials.length > 0 && trials.length < 4 * 3 * 3 * 50, String(trials.length));
    assert.match(err, /\nThe run was stopped\.\n$/);
  });

  it('ends with 1 where a size is not carried, with all the others in its table', async () => {
    const small = await openServer({ limits: { payloadBytes: 1_500_000 } });
    try {
      const args = ['--url', small.origin, '--sizes', '1,2000000', '--directions', 'down', '--transports', 'fetch'];
      const { code, out, err } = await payload(args);
      assert.equal(code, 1);
      const reason = lastLineOf(err);
      assert.match(reason, /^6 of 12 .+ 2 MB down by .*1500000/);
      assert.match(out, /\nDownload +1 B +fetch .+ 6 +0\nDownload +2 MB +fetch .+ 0 +6 rejected\n/);
    } finally {
      await small.close();
    }
  });
});
