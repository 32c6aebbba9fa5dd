/**
 * Creates and finds jobs, as those of 2018, and reads what a client may ask of one. A job does nothing but take its time, and its ID contains everything about it (see
 * signed-ids.js). Its bytes:
 *
 * - 6: when the job was made, in ms since 1970
 * - 4: how long it takes, in ms
 * - 9: the trial’s ID, zeros for none
 * - 5: chance
 */
import { randomBytes } from 'node:crypto';
import { DURATION_MS, drawDurationMs } from '../../core/net/delivery/job.js';
import { RefusalError, checkNumber, parseFields, parseMessage, toNumber } from '../http/exchange.js';
import { steadyNow } from '../steady-clock.js';
import { checkTrialId } from '../telemetry/traffic.js';
import { CONTENT_BYTES, createSignedIds } from './signed-ids.js';

const AT = { duration: 6, trialId: 10, chance: 19 };
const CHANCE_BYTES = CONTENT_BYTES - AT.chance;
const SEED_BYTES = 4;
const NO_TRIAL = 'AAAAAAAAAAAA';
/** The maximum of each number that a client may ask for. */
const MAXIMA = /** @type {const} */ ({ seed: 0xffff_ffff, min: DURATION_MS.max, max: DURATION_MS.max });
const NUMBER_NAMES = /** @type {(keyof typeof MAXIMA)[]} */ (Object.keys(MAXIMA));

/**
 * @typedef {ReturnType<typeof createJobs>} Jobs
 * @typedef {{ trialId?: string, seed?: number, minMs: number, maxMs: number }} JobOptions what a client may ask of a job; `seed`
 *   is absent for any
 * @typedef {{ id: string, createMs: number, durationMs: number, dueMs: number, trialId?: string }} Job the times are since 1970,
 *   by the server's clock; `trialId`: the trial that its traffic is recorded for
 */

/** @param {{ secret: Uint8Array, pollCostMs?: number, now?: () => number }} options `secret`: of all who are to know the jobs */
export function createJobs({ secret, pollCostMs = 0, now = steadyNow }) {
  const ids = createSignedIds({ secret });

  return {
    now,

    /** @param {JobOptions} options @returns {Job} */
    make({ trialId, seed, minMs, maxMs }) {
      const createMs = now();
      const chance = randomBytes(CHANCE_BYTES + SEED_BYTES);
      const durationMs = drawDurationMs({ seed: seed ?? chance.readUInt32BE(CHANCE_BYTES), minMs, maxMs });
      const bytes = Buffer.alloc(CONTENT_BYTES);
      bytes.writeUIntBE(createMs, 0, AT.duration);
      bytes.writeUInt32BE(durationMs, AT.duration);
      if (trialId !== undefined) bytes.write(trialId, AT.trialId, 'base64url');
      chance.copy(bytes, AT.chance, 0, CHANCE_BYTES);
      return { id: ids.seal(bytes), createMs, durationMs, dueMs: createMs + durationMs, trialId };
    },

    /** @param {string} id @returns {Job | undefined} absent where no such job was made with this secret */
    find(id) {
      const bytes = ids.open(id);
      if (!bytes) return undefined;
      const createMs = bytes.readUIntBE(0, AT.duration);
      const durationMs = bytes.readUInt32BE(AT.duration);
      const trialId = bytes.toString('base64url', AT.trialId, AT.chance);
      return {
        id,
        createMs,
        durationMs,
        dueMs: createMs + durationMs,
        trialId: trialId === NO_TRIAL ? undefined : trialId,
      };
    },

    /** Uses the CPU time of a poll, as an application would that has to look the job up. */
    spendPollCost() {
      if (pollCostMs === 0) return;
      const start = process.cpuUsage();
      for (let usedMs = 0; usedMs < pollCostMs;) {
        const { user, system } = process.cpuUsage(start);
        usedMs = (user + system) / 1000;
      }
    },

    /** @param {Job} job */
    isComplete: ({ dueMs }) => now() >= dueMs,
  };
}

/** @param {Job} job @param {boolean} complete @returns {string} JSON, the same by every delivery method */
export function formatJob({ id, createMs, durationMs }, complete) {
  const start = `{"id":"${id}","createTime":${createMs},"complete":`;
  return complete ? `${start}true,"durationMs":${durationMs}}` : `${start}false}`;
}

/** @param {string} query what follows the `?` of a URL @returns {JobOptions} @throws {RefusalError} */
export function parseJobQuery(query) {
  const { trial, ...numbers } = parseFields('option', query, ['trial', ...NUMBER_NAMES]);
  return { ...checkNumbers(numbers, toNumber), trialId: checkTrialId(trial) };
}

/** @param {string} text JSON @returns {JobOptions} without a trial: that is the connection's @throws {RefusalError} */
export function parseJobMessage(text) {
  const numbers = parseMessage('option', text, NUMBER_NAMES);
  return checkNumbers(numbers, (value) => value);
}

/**
 * Reads the trial of a connection for many jobs.
 * @param {string} query what follows the `?` of a URL @param {{ mayHaveOthers?: boolean }} [options] as of parseFields
 * @returns {string | undefined} absent if the query has none @throws {RefusalError}
 */
export const parseTrialId = (query, options) => checkTrialId(parseFields('option', query, ['trial'], options).trial);

/**
 * @param {Partial<Record<keyof typeof MAXIMA, unknown>>} fields @param {(value: unknown) => unknown} convert
 * @returns {JobOptions} @throws {RefusalError}
 */
function checkNumbers(fields, convert) {
  /** @param {keyof typeof MAXIMA} name */
  const check = (name) =>
    fields[name] === undefined ? undefined : checkNumber('option', name, convert(fields[name]), 0, MAXIMA[name]);
  const minMs = check('min') ?? DURATION_MS.defaultMin;
  const maxMs = check('max') ?? DURATION_MS.defaultMax;
  if (minMs <= maxMs) return { seed: check('seed'), minMs, maxMs };
  throw new RefusalError('bad-option', `min: expected at most \`max\` (${maxMs}), got ${minMs}`);
}
