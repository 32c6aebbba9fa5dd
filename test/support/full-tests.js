/** Full tests that were never measured, for what is computed from them. */
import { shootout } from '../../core/experiments/shootout/index.js';
import { fullTest } from '../../core/full-test/all.js';
import { parseFields } from '../../core/experiment/plan/fields.js';
import { SITUATION_FIELDS } from '../../core/experiment/plan/situation.js';
import { measureDocument as measureJobs } from './jobs-report.js';
import { createResult, createTrials, inTurn } from './results.js';

/**
 * @import { Environment } from '../../core/experiment/contract.js'
 * @import { Situation } from '../../core/experiment/plan/situation.js'
 * @import { Part } from '../../core/full-test/schema.js'
 */

export { fullTest };

export const FAR = Object.freeze({
  url: 'https://example.org/',
  userAgent: 'Mozilla/5.0 Chrome/140.0',
  isCrossOriginIsolated: true,
  stepMs: 0.005,
});
export const HERE = Object.freeze({ ...FAR, url: 'http://localhost:8000/' });

/** @param {string} [query] of a link @returns {Situation} */
export const situationOf = (query = '') => parseFields(new URLSearchParams(query), SITUATION_FIELDS);

/**
 * An echo run of six blocks.
 * @param {{ ajaxMs?: number, sockjsMs?: number, environment?: Environment }} [measured] milliseconds of each block
 */
export function createEcho({ ajaxMs = 92, sockjsMs = 90, environment = FAR } = {}) {
  const made = createTrials([0.1, -0.1, 0, 0.2, -0.2, 0].map((noise) => [ajaxMs + noise, sockjsMs]));
  const result = createResult({ environment, trials: made });
  const trials = shootout
    .trialsOf(result.plan)
    .flatMap(({ block, transport }) => made.find((one) => one.block === block && one.transport === transport) ?? []);
  return { ...result, trials: inTurn(trials) };
}

/**
 * A run of polling every 200 ms and SockJS, of six blocks, over a path of so many milliseconds.
 * @param {{ roundTripMs?: number, environment?: Environment, deliveries?: string[], script?: object }} [measured]
 */
export async function createJobs({ roundTripMs = 90, environment = FAR, deliveries, script } = {}) {
  const plan = {
    deliveries: deliveries ?? ['poll', 'sockjs'],
    ...{ intervals: [200], users: 1, jobs: 4, minMs: 0, maxMs: 2 * (200 + roundTripMs), blocks: 6 },
  };
  return { ...(await measureJobs(plan, { roundTripMs, ...script })), environment };
}

/** @param {readonly Part[]} parts @param {{ query?: string, environment?: Environment }} [more] */
export const createDocument = (parts, { query, environment = FAR } = {}) => ({
  schema: fullTest.schema,
  startedAt: '2026-11-21T10:00:00.000Z',
  situation: situationOf(query),
  environment,
  parts,
});

const [ECHO, JOBS] = [createEcho(), await createJobs()];

/** What the home page measures, over a path of 90 ms. */
export const WHOLE = createDocument([
  { experiment: 'shootout', document: ECHO },
  { experiment: 'jobs', document: JOBS },
]);
