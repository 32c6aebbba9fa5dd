import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runExperiment } from '../../../../core/experiment/run/run.js';
import { jobs } from '../../../../core/experiments/jobs/index.js';
import { createTrafficWatch } from '../../../../core/net/delivery/traffic.js';
import { measure, PLAN, RTT_MS } from '../../../support/run-scripted-jobs.js';
import {
  CPU_MS,
  createScriptedJobs,
  DOWN_BYTES,
  IDLE_CPU_RATIO,
  READING_CPU_MS,
  UP_BYTES,
} from '../../../support/scripted-jobs.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/** It served nothing. */
const IDLE_WORKER = Object.freeze({
  ...{ worker: 1, startedAt: '2026-11-21T10:00:00.000Z', cpuMs: 0 },
  ...{
    requestCount: 0,
    messageCount: 0,
    notifiedCount: 0,
    receivedBytes: 0,
    sentBytes: 0,
    openCount: 0,
    servedCount: 0,
  },
});

describe('the traffic of a trial', () => {
  it('records the requests, messages, bytes and CPU time of one trial', async () => {
    const { trials, idle } = await measure({ deliveries: ['push'] });
    // Two sockets open, and each of ten jobs takes a message. Each gets an answer, and each job a notification.
    const { elapsedMs, cpuMs, readingCount, ...recorded } = trials[0].traffic ?? {};
    assert.deepEqual(recorded, {
      requestCount: 2,
      messageCount: 10,
      receivedBytes: 12 * UP_BYTES,
      sentBytes: 22 * DOWN_BYTES,
      otherCount: 0,
    });
    assert.ok(Number(elapsedMs) >= trials[0].elapsedMs);
    const expectedCpuMs = 12 * CPU_MS + READING_CPU_MS + Number(elapsedMs) * IDLE_CPU_RATIO;
    assert.equal(readingCount, 1);
    assert.ok(Math.abs(Number(cpuMs) - expectedCpuMs) < 1e-9);
    // The longest job takes 1 s, and the server is watched for at least half of that.
    assert.ok(Number(idle?.elapsedMs) >= 500 && Number(idle?.elapsedMs) < 600);
    assert.equal(idle?.otherCount, 0);
    const idleCpuMs = Number(idle?.elapsedMs) * IDLE_CPU_RATIO;
    assert.ok(Math.abs(Number(idle?.cpuMs) - READING_CPU_MS - idleCpuMs) < 1e-9);
    assert.ok(Math.abs(Number(idle?.readingCpuMs) - READING_CPU_MS - RTT_MS * IDLE_CPU_RATIO) < 1e-9);
  });

  it('counts requests of other clients', async () => {
    const { trials } = await measure({}, { recorded: { servedCount: 3 } });
    assert.equal(trials[0].traffic?.otherCount, 3);
  });

  it('counts what others asked in a short pause before a trial, but not in a long one', async () => {
    for (const [pauseMs, otherCount] of [
      [900, 1],
      [1100, 0],
    ]) {
      let nowMs = 0;
      let servedCount = 0;
      const readTraffic = async () => ({ workers: [{ ...IDLE_WORKER, servedCount }], silentWorkerCount: 0 });
      const watch = createTrafficWatch({ readTraffic, now: () => nowMs, sleep: async () => {}, maxPauseMs: 1000 });
      await (
        await watch('first')
      )();
      nowMs += pauseMs;
      servedCount++;
      const readGrown = await watch('second');
      nowMs += 10;
      const grown = await readGrown();
      assert.ok('traffic' in grown);
      const { traffic } = grown;
      assert.deepEqual([traffic.otherCount, traffic.elapsedMs], [otherCount, otherCount > 0 ? pauseMs + 10 : 10]);
    }
  });

  for (const [fault, when, script] of /** @type {const} */ ([
    ['unread', 'the server could not be asked', { isUnread: true }],
    ['open', 'a request was still open', { recorded: { openCount: 1 } }],
  ])) {
    it(`records no traffic where ${when}: ${fault}`, async () => {
      const { trials } = await measure({}, script);
      assert.deepEqual([trials[0].traffic, trials[0].trafficFault], [undefined, fault]);
    });
  }

  it('records no traffic where a worker restarted or did not answer', async () => {
    const time = createVirtualTime();
    const means = createScriptedJobs(time);
    let reads = 0;
    for (const [fault, change] of /** @type {const} */ ([
      [
        'restarted',
        (/** @type {any} */ reading) => ({
          ...reading,
          workers: [{ ...reading.workers[0], startedAt: String(reads++) }],
        }),
      ],
      ['silent', (/** @type {any} */ reading) => ({ ...reading, silentWorkerCount: 1 })],
    ])) {
      const readTraffic = async (/** @type {string} */ run) => change(await means.readTraffic(run));
      const { trials, idle } = await time.run(
        runExperiment(jobs, { plan: PLAN, ...means, readTraffic, now: time.now, timers: time.timers }),
      );
      assert.deepEqual([trials[0].traffic, trials[0].trafficFault, idle], [undefined, fault, undefined]);
    }
  });
});
