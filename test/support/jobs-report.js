/**
 * Measures documents of the jobs experiment over virtual time, by the plan of 2018 with half of its users, and collects
 * what is said of them.
 */
import assert from 'node:assert/strict';
import { reportOf } from '../../core/experiment/report/findings.js';
import { jobs } from '../../core/experiments/jobs/index.js';
import { describeClocks as describeClocksOf } from '../../core/experiments/jobs/notes.js';
import { PUBLISHED_NOTES } from '../../core/experiments/jobs/published.js';
import { summarize } from '../../core/experiments/jobs/summary.js';
import { runScriptedJobs } from './run-scripted-jobs.js';

/** @import { Measured } from '../../core/experiments/jobs/summary.js' */

export const PLAN = {
  deliveries: ['poll', 'socket-per-job', 'push'],
  intervals: [500],
  users: 10,
  jobs: 10,
  minMs: 0,
  maxMs: 10_000,
  limitMs: 11_000,
  seed: 5,
};

/**
 * @param {Partial<typeof PLAN & { blocks: number }>} [changes] of PLAN
 * @param {Parameters<typeof runScriptedJobs>[1]} [script]
 */
export async function measureDocument(changes, script) {
  const plan = { ...PLAN, ...changes };
  const { run } = await runScriptedJobs(plan, script);
  const environment = { url: 'https://example.org/polltest', userAgent: 'a|b', isCrossOriginIsolated: true };
  return { schema: jobs.schema, startedAt: '2026-11-21T10:00:00.000Z', plan, environment, ...run };
}

/** This document is measured by PLAN, without faults. */
export const measured = await measureDocument();

/** @param {Measured} run @param {string} delivery */
export function rowOf(run, delivery) {
  const row = summarize(run).find((one) => one.delivery === delivery);
  assert.ok(row);
  return row;
}

/** @param {any} run */
export const conclusionOf = (run) => String(reportOf(jobs, run).conclusion);

/** Collects all that is said of a run, but for how its figures were made. @param {any} run @returns {string[]} */
export function sentencesOf(run) {
  const { conclusion = '', sentences, notes = [] } = jobs.find(run).report;
  const method = [...describeClocks(run), ...PUBLISHED_NOTES];
  return [conclusion, ...sentences, ...notes.slice(1).filter((note) => !method.includes(note))].filter(Boolean);
}

/** @param {Measured} run */
export const describeClocks = (run) => describeClocksOf(run, summarize(run));
