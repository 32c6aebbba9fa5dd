/**
 * What every delivery method must do, client half and server half together.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExchangeError } from '../../core/net/exchange-error.js';
import { drawDurationMs } from '../../core/net/delivery/job.js';
import { readTraffic } from '../../core/net/delivery/traffic.js';
import { createDeliveryUser, deliveries } from '../../core/net/delivery/index.js';

/**
 * @import { Job, JobClient, DeliveryUser } from '../../core/net/delivery/index.js'
 * @import { WorkerTraffic } from '../../core/net/delivery/traffic.js'
 */

const LEAST_MS = 0;
const MOST_MS = 60;
const INTERVAL_MS = 10;
const JOB_COUNT = 8;
const NEWS_BYTES = 32_000;

/** Of a server's clock in whole milliseconds, a client's, and a timer that may be early by less than one. */
const CLOCK_MS = 2;

const LOOK_MS = 5;

/** Where a machine is busy: so often a SockJS that is not open yet asks whether its server is there. */
const ASK_EVERY_MS = 500;

/**
 * @typedef {object} Subject
 * @property {string} delivery
 * @property {string} origin of a server
 * @property {() => JobClient} createClient of that server
 * @property {() => JobClient} createLostClient the same, with nobody at its address
 * @property {() => void} breakConnections of that server, all that there are
 */

let runCount = 0;

/** @type {Record<string, (subject: Subject) => Promise<void>>} */
export const deliveriesContract = {
  'notifies of each job once it is done, with the duration that was drawn': (subject) =>
    withUser(subject, async (user) => {
      const jobs = createJobs(MOST_MS);
      const notified = await Promise.all(jobs.map((job) => user.follow(job)));
      for (const [i, { sentAtMs, createdAtMs, notifiedAtMs, durationMs, pollCount }] of notified.entries()) {
        assert.equal(durationMs, drawDurationMs(jobs[i]));
        assert.ok(sentAtMs <= createdAtMs && createdAtMs <= notifiedAtMs, `${sentAtMs} ${createdAtMs} ${notifiedAtMs}`);
        // It was created after it was requested.
        assert.ok(notifiedAtMs >= sentAtMs + durationMs - CLOCK_MS, `${notifiedAtMs - sentAtMs - durationMs} ms`);
        assert.equal(pollCount > 0, ['poll', 'long-poll'].includes(subject.delivery), `${pollCount} polls`);
      }
    }),

  'says when each job is made, before its notification': (subject) =>
    withUser(subject, async (user) => {
      const jobs = createJobs(MOST_MS);
      /** @type {number[]} */
      const createdAtMs = [];
      const follow = (/** @type {Job} */ job, /** @type {number} */ i) =>
        user.follow(job, { onCreated: (atMs) => (createdAtMs[i] = atMs) });
      const notified = await Promise.all(jobs.map(follow));
      assert.deepEqual(
        createdAtMs,
        notified.map((one) => one.createdAtMs),
      );
    }),

  'makes as many requests as the server records, and leaves nothing open': async (subject) => {
    const run = createRun();
    const user = createUser(subject, run);
    const startedAtMs = performance.now();
    let openedMs = 0;
    const onCreated = () => (openedMs ||= performance.now() - startedAtMs);
    await Promise.all(createJobs(MOST_MS).map((job) => user.follow(job, { onCreated })));
    const { requestCount, protocol } = user;
    assert.equal(typeof protocol, 'string');
    await user.close();
    const booked = await readClosed(subject, run);
    // Where a library does not say how many it makes, the server's record is all that there is.
    const { openingRequestCount, socketPer, isUpgraded } = deliveries[subject.delivery];
    if (isUpgraded || (socketPer === 'user' && openingRequestCount === undefined))
      assert.equal(requestCount, undefined);
    else {
      const moreCount = booked.requestCount - Number(requestCount);
      const mostMore = subject.delivery === 'sockjs' ? Math.floor((openedMs + CLOCK_MS) / ASK_EVERY_MS) : 0;
      assert.ok(moreCount >= 0 && moreCount <= mostMore, `${booked.requestCount} of ${requestCount}, ${openedMs} ms`);
    }
    assert.ok(booked.requestCount > 0);
    assert.ok(booked.receivedBytes > 0 && booked.sentBytes > 0);
  },

  'carries news of the size that it is asked for, each piece once': async (subject) => {
    const sentBytes = await Promise.all(
      [undefined, NEWS_BYTES].map(async (newsBytes) => {
        const run = createRun();
        const user = createUser(subject, run);
        await Promise.all(createJobs(MOST_MS).map((job) => user.follow({ ...job, newsBytes })));
        await user.close();
        return (await readClosed(subject, run)).sentBytes;
      }),
    );
    const moreBytes = (sentBytes[1] - sentBytes[0]) / JOB_COUNT;
    // Without a size it has some bytes, too; and the number of polls, and the bytes of libraries, vary.
    assert.ok(moreBytes > 0.8 * NEWS_BYTES && moreBytes < 1.2 * NEWS_BYTES, `${moreBytes} bytes more`);
  },

  'refuses news with other content than it is asked for': (subject) =>
    withUser(subject, async (user) => {
      const [job] = createJobs(MOST_MS);
      let asked = 0;
      // What it asks the server for is read first, what it checks comes later.
      const changing = Object.defineProperty({ ...job }, 'newsBytes', {
        get: () => (asked++ === 0 ? NEWS_BYTES : NEWS_BYTES + 1),
        enumerable: true,
      });
      await assert.rejects(user.follow(changing), { outcome: 'mismatch' });
    }),

  'gives a job up at once when its signal says so, and notifies of the others': (subject) =>
    withUser(subject, async (user) => {
      const controller = new AbortController();
      const reason = new ExchangeError('timeout', 'Not notified.');
      const [first, ...others] = createJobs(MOST_MS);
      const long = { ...first, minMs: 600_000, maxMs: 600_000 };
      const givenUp = assert.rejects(
        user.follow(long, { signal: controller.signal, onCreated: () => controller.abort(reason) }),
        (error) => error === reason,
      );
      const notified = others.map((job) => user.follow(job));
      await givenUp;
      for (const one of notified) await one;
    }),

  'does not begin where its signal has said so': (subject) =>
    withUser(subject, async (user) => {
      const reason = new ExchangeError('aborted', 'Cancelled.');
      const [job] = createJobs(MOST_MS);
      await assert.rejects(user.follow(job, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
    }),

  'gives up one that waits for its word to be made, too': async (subject) => {
    const user = createUser({ ...subject, createClient: subject.createLostClient }, createRun());
    const controller = new AbortController();
    const reason = new ExchangeError('aborted', 'Cancelled.');
    const [job] = createJobs(MOST_MS);
    const following = user.follow(job, { signal: controller.signal });
    controller.abort(reason);
    await assert.rejects(following, (error) => error === reason);
    await user.close();
  },

  'fails as closed where nobody answers': async (subject) => {
    const user = createUser({ ...subject, createClient: subject.createLostClient }, createRun());
    const [job] = createJobs(MOST_MS);
    await assert.rejects(user.follow(job), { outcome: 'closed' });
    await user.close();
  },

  'fails as closed where the connection is lost on the delivery': (subject) =>
    withUser(subject, async (user) => {
      const jobs = createJobs(MOST_MS).map((job) => ({ ...job, minMs: 600_000, maxMs: 600_000 }));
      let createdCount = 0;
      /** @type {Promise<unknown>[]} */
      const closed = [];
      await new Promise((resolve) => {
        const onCreated = () => {
          createdCount++;
          if (createdCount === jobs.length) resolve(undefined);
        };
        for (const job of jobs) closed.push(assert.rejects(user.follow(job, { onCreated }), { outcome: 'closed' }));
      });
      // Those that poll have no connection to lose between two polls, but soon one that nobody answers.
      const breaking = setInterval(subject.breakConnections, LOOK_MS);
      await Promise.all(closed);
      clearInterval(breaking);
    }),
};

/** @param {number} maxMs */
function createJobs(maxMs) {
  return Array.from({ length: JOB_COUNT }, (_, i) => ({ seed: 1000 + i, minMs: LEAST_MS, maxMs }));
}

/** @returns {string} that no other has */
const createRun = () => `contract${String(runCount++).padStart(4, '0')}`;

/**
 * @param {Pick<Subject, 'delivery' | 'createClient'>} subject
 * @param {string} run
 */
function createUser({ delivery, createClient }, run) {
  return createDeliveryUser(delivery, {
    client: createClient(),
    trialId: run,
    now: () => performance.now(),
    intervalMs: INTERVAL_MS,
  });
}

/**
 * @param {Subject} subject
 * @param {(user: DeliveryUser) => Promise<unknown>} use
 */
async function withUser(subject, use) {
  const run = createRun();
  const user = createUser(subject, run);
  try {
    await use(user);
  } finally {
    await user.close();
  }
  await readClosed(subject, run);
}

/**
 * @param {Subject} subject
 * @param {string} run
 * @returns {Promise<WorkerTraffic>} when nothing of it is open any more
 */
async function readClosed({ origin }, run) {
  for (;;) {
    // Where the machine is busy, a reading may take longer than is waited for it.
    const reading = await readTraffic(fetch, `${origin}/traffic/${run}`);
    const worker = reading?.workers[0];
    if (worker?.openCount === 0) return worker;
    await sleep(LOOK_MS);
  }
}
