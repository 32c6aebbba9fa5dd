/**
 * What a document costs grows no faster than its bytes: the largest of each experiment, or nearly, beside one of an
 * eighth of its size. Its list row and its page show only its digest, which has a limit.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DIGEST_LIMITS } from '../../core/experiment/documents/digest.js';
import { feedFor } from '../../core/experiments/cuts/plan.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { durationsOf } from '../../core/experiments/jobs/plan.js';
import { check, formatCsv } from '../../server/saved-runs/document-jobs.js';
import { holdsOnce } from '../support/attempts.js';
import { readSavedDocument } from '../support/saved-documents.js';

/**
 * @typedef {ReturnType<typeof readSavedDocument>} Given a document of the fixtures
 * @typedef {(given: Given, size: number) => any} Make gives a document of a size from 0 to 1
 */

/** Each holds nearly always, so that what does not hold is found. */
const ATTEMPTS = 6;

const NOW_MS = Date.UTC(2026, 10, 29);
/** From the start of a trial to that of the next. */
const TRIAL_MS = 50_000;
/** A loop in a loop would make it up to eight. */
const MOST = 1.7;

/**
 * Repeats the samples of a trial: times go on where the last ones ended, other figures come again.
 * @param {Record<string, number[]>} samples @param {number} times
 */
function repeat(samples, times) {
  const moments = Object.keys(samples).filter((name) => name.endsWith('AtMs'));
  const longestMs = Math.max(0, ...(samples.roundTripMs ?? []));
  const ends = moments.flatMap((name) => [samples[name][0], samples[name][samples[name].length - 1]]);
  const stepMs = Math.max(...ends) + longestMs - Math.min(...ends) + 20;
  const repeated = Object.entries(samples).map(([name, list]) => {
    const shiftMs = moments.includes(name) ? stepMs : 0;
    const all = Array.from({ length: times }, (_, i) => list.map((value) => value + i * shiftMs)).flat();
    return [name, name === 'iteration' ? all.map((_, i) => i) : all];
  });
  return Object.fromEntries(repeated);
}

/** @param {number} times @returns {(trial: any) => any} */
const withSamples = (times) => (trial) => ({ ...trial, samples: repeat(trial.samples, times) });

/**
 * Makes the trials of a plan, each of one that has the same keys, but for its block and its cut.
 * @param {Given} given @param {object} change of the plan @param {(trial: any, plan: any) => any} [changeTrial]
 */
function withPlan({ experiment, document }, change, changeTrial = (trial) => trial) {
  const { trialsOf } = /** @type {any} */ (experiment);
  const plan = { ...document.plan, ...change };
  const names = Object.keys(Object.assign({}, ...trialsOf(plan))).filter(
    (name) => !['block', 'cut', 'warmUps'].includes(name),
  );
  const keyOf = (/** @type {any} */ trial) => JSON.stringify(names.map((name) => trial[name]));
  const known = new Map(document.trials.map((/** @type {any} */ trial) => [keyOf(trial), trial]));
  const trials = trialsOf(plan).map((/** @type {any} */ planned, /** @type {number} */ i) => {
    const own = known.get(keyOf(planned)) ?? assert.fail(keyOf(planned));
    const { block, cut } = planned;
    const keys = { ...(block !== undefined && { block }), ...(cut && { cut }) };
    const moved = { ...own, ...keys, ...(own.startedAtMs && { startedAtMs: i * TRIAL_MS }) };
    return changeTrial(moved, plan);
  });
  return { ...document, plan, trials };
}

/** Repeats what is run one after the other without a plan. @param {readonly any[]} runs @param {number} count */
const repeatRuns = (runs, count) =>
  Array.from({ length: count }, (_, i) => {
    const { trial, startedAt, clickedAtMs, ...run } = runs[i % runs.length];
    const shiftMs = i * TRIAL_MS;
    return {
      ...run,
      startedAt: new Date(Date.parse(startedAt) + shiftMs).toISOString(),
      ...(clickedAtMs && { clickedAtMs: clickedAtMs + shiftMs }),
      trial: { ...trial, startedAtMs: trial.startedAtMs + shiftMs },
    };
  });

/** @param {any} trial @param {any} plan */
function withJobs(trial, plan) {
  const durationMs = durationsOf(plan, trial.block);
  const job = durationMs.map((_, i) => i);
  const notifiedAtMs = durationMs.map((ms, i) => i + ms + 1);
  const notified = { job, sentAtMs: job, createdAtMs: job, notifiedAtMs, durationMs, madeAtMs: job, pollCount: job };
  return { ...trial, notified, failures: [], elapsedMs: TRIAL_MS };
}

/** @param {any} trial @param {any} plan */
function withArrivals(trial, plan) {
  const { count = 0 } = feedFor(plan, trial)?.options ?? {};
  const n = Array.from({ length: count }, (_, i) => i);
  return { ...trial, arrivals: { n, atMs: n.map((i) => trial.requestMs + 100 * i) }, elapsedMs: TRIAL_MS };
}

/** @param {any} trial @param {any} plan */
function withPieces(trial, plan) {
  const atMs = Array.from({ length: plan.pieces }, (_, n) => 100 + 20 * n);
  const streams = trial.streams.map((/** @type {any} */ { reads, ...stream }) => ({
    ...stream,
    ...(reads && { reads: atMs.map(() => 1) }),
    ...{ sentMs: atMs, atMs },
  }));
  return { ...trial, streams, elapsedMs: TRIAL_MS };
}

/** @type {Record<string, Make>} */
const MAKERS = {
  shootout: (given, size) => withPlan(given, { blocks: 160 * size, iterations: 100 }, withSamples(20)),
  jobs: (given, size) => withPlan(given, { blocks: 48 * size, users: 2, jobs: 100 }, withJobs),
  reach: (given, size) =>
    withPlan(given, { blocks: 16 * size }, ({ roundTripMs, ...trial }) => ({
      ...trial,
      ...(roundTripMs && { roundTripMs: Array(100).fill(roundTripMs).flat() }),
    })),
  payload: (given, size) => withPlan(given, { repeats: 48 * size }),
  cuts: (given, size) =>
    withPlan(given, { blocks: 48 * size, cuts: ['close', 'reset', 'stall', 'dead'], rate: 1 }, withArrivals),
  'under-load': (given, size) => withPlan(given, { blocks: 16 * size }),
  stream: (given, size) => withPlan(given, { blocks: 48 * size, pieces: 200 }, withPieces),
  'in-flight': (given, size) => withPlan(given, { blocks: 48 * size }),
  'fixed-rate': (given, size) => withPlan(given, { blocks: 48 * size, messages: 80 }, withSamples(10)),
  countdown: ({ document }, size) => ({ ...document, tests: repeatRuns(document.tests, 1000 * size) }),
  classic: ({ document }, size) => ({ ...document, runs: repeatRuns(document.runs, 1000 * size) }),
};

/** @param {() => Promise<any>} act @param {number} times @returns {Promise<number>} ms of CPU */
async function measureCpu(act, times) {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('the cost of the largest document', () => {
  for (const { name } of EXPERIMENTS) {
    it(`grows no faster than its bytes: ${name}`, (t) => {
      const given = readSavedDocument(`${name}-whole`);
      const [small, large] = [1 / 8, 1].map((size) => {
        const text = JSON.stringify(MAKERS[name](given, size));
        const body = Buffer.from(`{"document":${text}}`);
        const document = gzipSync(text);
        return {
          bytes: body.length,
          acts: {
            check: () => check({ body, nowMs: NOW_MS }),
            csv: () => formatCsv({ experiment: name, document }),
          },
        };
      });
      return holdsOnce(
        t,
        async () => {
          const checked = await large.acts.check();
          assert.ok('done' in checked, JSON.stringify(checked));
          assert.ok(Buffer.byteLength(JSON.stringify(checked.done.digest)) <= DIGEST_LIMITS.bytes);
          const times = Math.round(large.bytes / small.bytes);
          for (const part of /** @type {const} */ (['check', 'csv'])) {
            const [ofSmall, ofLarge] = [
              await measureCpu(small.acts[part], times),
              await measureCpu(large.acts[part], 1),
            ];
            if (ofLarge > MOST * ofSmall)
              return `${part}: ${ofLarge} ms for ${large.bytes} bytes, ${times} × ${ofSmall / times} ms`;
          }
          return undefined;
        },
        ATTEMPTS,
      );
    });
  }
});
