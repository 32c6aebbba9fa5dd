/**
 * `sockshootout load` with servers of its own, as its user has it.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pressCtrlCAt, runProgram } from '../support/program.js';

const LIMIT = { timeout: 120_000 };
const SMALL = ['--requests', '200', '--concurrency', '10'];

/** @param {readonly string[]} args @param {Parameters<typeof runProgram>[2]} [options] */
const load = (args, options) => runProgram('cli/sockshootout.js', ['load', ...args], options);

describe('npx sockshootout load', () => {
  it('measures one process and one per CPU', LIMIT, async () => {
    const { code, out, err } = await load([...SMALL, '--json']);
    assert.equal(code, 0, err);
    const { cpus, rows, sharesCpus } = JSON.parse(out);
    assert.deepEqual(
      rows.map((/** @type {any} */ { answered, errors }) => [answered, errors]),
      [...new Set([1, cpus])].map(() => [200, {}]),
    );
    assert.equal(sharesCpus, true);
  });

  for (const transport of ['ajax', 'sockjs', 'websocket', 'ws']) {
    it(`prints what was measured when Ctrl-C ends it over ${transport}, and ends with 1`, LIMIT, async () => {
      const many = ['--requests', '1000000', '--concurrency', '10', '--transport', transport];
      const { code, out, err } = await load(many, { onProgress: pressCtrlCAt('one process\n') });
      assert.equal(code, 1, err);
      assert.match(out, /^one process +\S+ /m);
      assert.match(out, /\nStopped before the end\.\n$/);
    });
  }
});
