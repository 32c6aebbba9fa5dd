/**
 * A device that sleeps during a run, which a stopped process imitates: its messages wait, and nothing else shows it.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runProgram } from '../support/program.js';

const PLAN = '?deliveries=poll&intervals=500&users=1&jobs=1&min=20000&max=20000&limit=30000&blocks=1&seed=1';
const SLEEP_MS = 6000;

it('a run of polling is invalid where the command was stopped for seconds, and says so', async () => {
  let isStopped = false;
  const { code, out, err } = await runProgram('cli/sockshootout.js', ['run', 'jobs', '--plan', PLAN, '--json'], {
    onProgress(text, child) {
      if (isStopped || !text.includes('trial 1')) return;
      isStopped = child.kill('SIGSTOP');
      setTimeout(() => child.kill('SIGCONT'), SLEEP_MS);
    },
  });
  assert.equal(code, 1, err);
  const { ending } = JSON.parse(out);
  assert.equal(ending.kind, 'invalid');
  assert.match(ending.reason, /^This device slept for \d+ s/);
});
