import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createJobs } from '../../server/endpoints/jobs.js';
import { createSteadyClock } from '../../server/steady-clock.js';

const START_MS = Date.UTC(2026, 10, 28);
const HOUR_MS = 3_600_000;

/** A machine whose clock can be set. */
function createMachine() {
  let passedMs = 0;
  let setMs = 0;
  return {
    wall: () => START_MS + passedMs + setMs,
    monotonic: () => 5000.25 + passedMs,
    pass: (/** @type {number} */ ms) => void (passedMs += ms),
    set: (/** @type {number} */ ms) => void (setMs += ms),
  };
}

describe('the clock of jobs and feeds', () => {
  for (const ms of [-700, -HOUR_MS, HOUR_MS]) {
    it(`completes a job in its time where the system's clock is set by ${ms} ms`, () => {
      const machine = createMachine();
      const jobs = createJobs({ secret: Buffer.alloc(32), now: createSteadyClock(machine) });
      const job = jobs.make({ minMs: 500, maxMs: 500 });
      assert.equal(job.createMs, START_MS);
      machine.pass(499);
      machine.set(ms);
      assert.equal(jobs.isComplete(job), false);
      machine.pass(1);
      assert.equal(jobs.isComplete(job), true);
    });
  }

  it('says the new time once nobody has asked for as long as a job may take', () => {
    const machine = createMachine();
    const now = createSteadyClock(machine);
    machine.set(-HOUR_MS);
    machine.pass(900_001);
    assert.equal(now(), machine.wall());
  });
});
