/**
 * Creates and finds jobs, as those of 2018, and reads what a client may ask of one. A job does nothing but take its time, and its ID contains everything about it (see
 * signed-ids.js). Its bytes:
 *
 * - 6: when the job was made, in ms since 1970
 * - 1: the size of its news, in steps of 256 bytes and one more; 0 for none
 * - 3: how long it takes, in ms
 * - 9: the trial’s ID, zeros for none
 * - 4: chance
 * - 1: the rest of that size; chance where it has none
 */
import { randomBytes } from 'node:crypto';
import { DURATION_MS, drawDurationMs } from '../../core/net/delivery/job.js';
import { formatNews, NEWS_BYTES } from '../../core/net/delivery/news.js';
import { RefusalError, checkNumber, parseFields, parseMessage, toNumber } from '../http/exchange.js';
import { steadyNow } from '../steady-clock.js';
import { checkTrialId } from '../telemetry/traffic.js';
import { CONTENT_BYTES, createSignedIds } from './signed-ids.js';

const AT = { size: 6, duration: 7, trialId: 10, chance: 19, rest: 23 };
const DURATION_BYTES = 3;
const SIZE_STEP_BYTES = 256;
const CHANCE_BYTES = CONTENT_BYTES - AT.chance;
const SEED_BYTES = 4;
const NO_TRIAL = 'AAAAAAAAAAAA';
/** The range of each number that a client may ask for. */
const RANGES = /** @type {const} */ ({
  seed: { min: 0, max: 0xffff_ffff },
  min: { min: 0, max: DURATION_MS.max },
  max: { min: 0, max: DURATION_MS.max },
  bytes: NEWS_BYTES,
});
const NUMBER_NAMES = /** @type {(keyof typeof RANGES)[]} */ (Object.keys(RANGES));

/**
 * @typedef {{ trialId?: string, seed?: number, minMs: number, maxMs: number, newsBytes?: number }} JobOptions what a client may ask
 *   of a job; `seed` is absent for any
 * @typedef {{ id: string, createMs: number, durationMs: number, dueMs: number, trialId?: string, newsBytes?: number }} Job the times
 *   are since 1970, by the server's clock; `trialId`: the trial that its traffic is recorded for; `newsBytes`: the size of what says
 *   that it is complete; absent: as small as can be
 */

/** @typedef {ReturnType<typeof createJobs>} Jobs */

/** @param {{ secret: Uint8Array, pollCostMs?: number, now?: () => number }} options `secret`: of all who are to know the jobs */
export function createJobs({ secret, pollCostMs = 0, now = steadyNow }) {
  const ids = createSignedIds({ secret });

  return {
    now,

    /** @param {JobOptions} options @returns {Job} */
    make({ trialId, seed, minMs, maxMs, newsBytes }) {
      const createMs = now();
      const chance = randomBytes(CHANCE_BYTES + SEED_BYTES);
      const durationMs = drawDurationMs({ seed: seed ?? chance.readUInt32BE(CHANCE_BYTES), minMs, maxMs });
      const bytes = Buffer.alloc(CONTENT_BYTES);
      bytes.writeUIntBE(createMs, 0, AT.size);
      bytes.writeUIntBE(durationMs, AT.duration, DURATION_BYTES);
      if (trialId !== undefined) bytes.write(trialId, AT.trialId, 'base64url');
      chance.copy(bytes, AT.chance, 0, CHANCE_BYTES);
      if (newsBytes !== undefined) writeSize(bytes, newsBytes);
      return { id: ids.seal(bytes), createMs, durationMs, dueMs: createMs + durationMs, trialId, newsBytes };
    },

    /** @param {string} id @returns {Job | undefined} absent where no such job was made with this secret */
    find(id) {
      const bytes = ids.open(id);
      if (!bytes) return undefined;
      const createMs = bytes.readUIntBE(0, AT.size);
      const durationMs = bytes.readUIntBE(AT.duration, DURATION_BYTES);
      const trialId = bytes.toString('base64url', AT.trialId, AT.chance);
      return {
        id,
        createMs,
        durationMs,
        dueMs: createMs + durationMs,
        trialId: trialId === NO_TRIAL ? undefined : trialId,
        newsBytes: readSize(bytes),
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

/** @param {Buffer} id @param {number} newsBytes */
function writeSize(id, newsBytes) {
  id[AT.size] = 1 + Math.floor(newsBytes / SIZE_STEP_BYTES);
  id[AT.rest] = newsBytes % SIZE_STEP_BYTES;
}

/** @param {Buffer} id @returns {number | undefined} absent where its news has none */
const readSize = (id) => (id[AT.size] === 0 ? undefined : (id[AT.size] - 1) * SIZE_STEP_BYTES + id[AT.rest]);

/** @param {Job} job @param {boolean} complete @returns {string} JSON, the same by every delivery method */
export const formatJob = (job, complete) =>
  complete ? formatNews(job) : `{"id":"${job.id}","createTime":${job.createMs},"complete":false}`;

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
 * @param {Partial<Record<keyof typeof RANGES, unknown>>} fields @param {(value: unknown) => unknown} convert
 * @returns {JobOptions} @throws {RefusalError}
 */
function checkNumbers(fields, convert) {
  /** @param {keyof typeof RANGES} name */
  const check = (name) => {
    const { min, max } = RANGES[name];
    return fields[name] === undefined ? undefined : checkNumber('option', name, convert(fields[name]), min, max);
  };
  const minMs = check('min') ?? DURATION_MS.defaultMin;
  const maxMs = check('max') ?? DURATION_MS.defaultMax;
  if (minMs <= maxMs) return { seed: check('seed'), minMs, maxMs, newsBytes: check('bytes') };
  throw new RefusalError('bad-option', `min: expected at most \`max\` (${maxMs}), got ${minMs}`);
}
