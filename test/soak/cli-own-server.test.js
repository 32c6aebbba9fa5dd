import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

/** @import { ChildProcess } from 'node:child_process' */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = `
  import { cancelOnSignals } from './cli/program/program.js';
  import { withOwnServer } from './cli/program/child.js';
  cancelOnSignals();
  await withOwnServer(async (origin) => {
    console.log(origin);
    await new Promise((resolve) => setTimeout(resolve, 100_000));
  });`;

/** @param {string} origin */
const isUp = (origin) =>
  fetch(origin).then(
    () => true,
    () => false,
  );

/**
 * @param {(child: ChildProcess) => void} end
 * @param {(origin: string) => Promise<void>} [use] before that
 */
async function runUntil(end, use) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], { cwd: ROOT });
  const [origin] = await once(createInterface({ input: child.stdout }), 'line');
  assert.ok(await isUp(origin));
  await use?.(origin);
  const exited = once(child, 'exit');
  end(child);
  const [code, signal] = await exited;
  // When the kernel closes what it reads from, it has to notice.
  while (await isUp(origin));
  return { code, signal };
}

/** @param {string} origin */
async function sendWrongRun(origin) {
  const response = await fetch(`${origin}/api/results`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ document: {} }),
  });
  return { status: response.status, answer: await response.json() };
}

describe('a server of one’s own', () => {
  it('has all of its threads, and ends at the second Ctrl-C, at once, with 130', { timeout: 60_000 }, async () => {
    const { code } = await runUntil(
      (child) => {
        const pressing = setInterval(() => child.kill('SIGINT'), 50);
        child.once('exit', () => clearInterval(pressing));
      },
      async (origin) => {
        const { status, answer } = await sendWrongRun(origin);
        assert.equal(status, 400, JSON.stringify(answer));
        assert.equal(answer.error.code, 'bad-run');
      },
    );
    assert.equal(code, 130);
  });

  it('ends with its parent, however that ended', { timeout: 60_000 }, async () => {
    const { signal } = await runUntil((child) => child.kill('SIGKILL'));
    assert.equal(signal, 'SIGKILL');
  });
});
