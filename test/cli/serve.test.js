/** The options of `sockshootout serve`. What it does once it runs is in test/soak/package.test.js. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../support/complaint.js';
import { runProgram } from '../support/program.js';

describe('sockshootout serve', () => {
  for (const name of ['port', 'host', 'data', 'workers']) {
    it(`refuses an empty --${name}, as a script has it whose variable is unset`, async () => {
      const { code, out, err } = await runProgram('cli/sockshootout.js', ['serve', `--${name}`, '']);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, new RegExp(`^--${name}: expected .*got none`));
    });
  }

  for (const workers of ['1', '2']) {
    it(`refuses a wrong setting as it does a wrong option, with WORKERS=${workers}`, async () => {
      const env = { ...process.env, WORKERS: workers };
      assertRefused(await runProgram('cli/sockshootout.js', ['serve', '--port', 'x'], { env }), 'PORT', 'x');
    });
  }
});
