/**
 * The jobs of 2018. A job does nothing but take its time, and its ID contains everything about it and is signed: any
 * worker can answer, and none keeps anything.
 *
 * An id is 36 bytes in base64url, which are 48 characters without a rest, so that no two texts are the same bytes: when
 * the job was made (6 bytes, ms since 1970), how long it takes (4, ms), the trial’s ID (9; zeros for none), chance (5), and the
 * first 12 bytes of the HMAC-SHA256 of all that.
 */
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { drawDurationMs, DURATION_MS } from '../../core/net/delivery/job.js';
import { guard } from '../http/boundary.js';
import { RefusalError, checkNumber, parseFields, parseMessage, show, toNumber } from '../http/exchange.js';
import { Pool } from '../http/pool.js';
import { EXPECTED_TRIAL_ID, isTrialId } from '../telemetry/traffic.js';

const ID = /^[\w-]{48}$/;
const AT = { duration: 6, trialId: 10, chance: 19, signature: 24, end: 36 };
const CHANCE_BYTES = AT.signature - AT.chance;
const SEED_BYTES = 4;
const NO_TRIAL = 'AAAAAAAAAAAA';
/** The maximum of each option. */
const NUMBERS = /** @type {const} */ ({ seed: 0xffff_ffff, min: DURATION_MS.max, max: DURATION_MS.max });
/** The names in earlier releases, which are still accepted. */
const FORMER_NAMES = /** @type {const} */ ({ trial: 'run', min: 'least', max: 'most' });
export const TRIAL_NAMES = /** @type {const} */ (['trial', FORMER_NAMES.trial]);
const NUMBER_NAMES = /** @type {const} */ (['seed', 'min', 'max', FORMER_NAMES.min, FORMER_NAMES.max]);
/** A longer wait would overflow Node's timer, and end at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * @import { Owned } from '../http/boundary.js'
 * @typedef {{ id: string, createMs: number, durationMs: number, dueMs: number, trialId?: string }} Job the times are since 1970,
 *   by the server's clock; `trialId`: the trial that its traffic is recorded for
 * @typedef {{ trialId?: string, seed?: number, minMs: number, maxMs: number }} JobOptions what a client may ask of a job; absent
 *   for `seed`: any
 */

/** @param {{ secret: Uint8Array, pollCostMs?: number, now?: () => number }} options `secret`: of all who are to know the jobs */
export function createJobs({ secret, pollCostMs = 0, now = Date.now }) {
  const key = createSecretKey(secret);
  /** @param {Buffer} bytes of an id */
  const sign = (bytes) => {
    const hmac = createHmac('sha256', key).update(bytes.subarray(0, AT.signature));
    return hmac.digest().subarray(0, AT.end - AT.signature);
  };

  return {
    now,

    /** @param {JobOptions} options @returns {Job} */
    make({ trialId, seed, minMs, maxMs }) {
      const createMs = now();
      const chance = randomBytes(CHANCE_BYTES + SEED_BYTES);
      const durationMs = drawDurationMs({ seed: seed ?? chance.readUInt32BE(CHANCE_BYTES), minMs, maxMs });
      const bytes = Buffer.alloc(AT.end);
      bytes.writeUIntBE(createMs, 0, AT.duration);
      bytes.writeUInt32BE(durationMs, AT.duration);
      if (trialId !== undefined) bytes.write(trialId, AT.trialId, 'base64url');
      chance.copy(bytes, AT.chance, 0, CHANCE_BYTES);
      sign(bytes).copy(bytes, AT.signature);
      return { id: bytes.toString('base64url'), createMs, durationMs, dueMs: createMs + durationMs, trialId };
    },

    /** @param {string} id @returns {Job | undefined} absent where no such job was made with this secret */
    find(id) {
      if (!ID.test(id)) return undefined;
      const bytes = Buffer.from(id, 'base64url');
      if (!timingSafeEqual(sign(bytes), bytes.subarray(AT.signature))) return undefined;
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
  const fields = parseFields('option', query, [...TRIAL_NAMES, ...NUMBER_NAMES]);
  return { ...checkNumbers(fields, toNumber), trialId: checkTrialId(fields) };
}

/** @param {string} text JSON @returns {JobOptions} without a trial: that is the connection's @throws {RefusalError} */
export function parseJobMessage(text) {
  return checkNumbers(parseMessage('option', text, NUMBER_NAMES), (value) => value);
}

/** @param {Record<string, unknown>} fields @returns {string | undefined} absent where there is none @throws {RefusalError} */
export function checkTrialId(fields) {
  const text = read(fields, 'trial');
  if (text === undefined || isTrialId(text)) return /** @type {string | undefined} */ (text);
  throw new RefusalError('bad-option', `trial: expected ${EXPECTED_TRIAL_ID}, got ${show(text)}`);
}

/** @param {Record<string, unknown>} fields @param {keyof typeof FORMER_NAMES | 'seed'} name @returns {unknown} absent for none */
const read = (fields, name) =>
  name === 'seed' || fields[name] !== undefined ? fields[name] : fields[FORMER_NAMES[name]];

/** @param {Record<string, unknown>} fields @param {(value: unknown) => unknown} convert @returns {JobOptions} */
function checkNumbers(fields, convert) {
  /** @param {keyof typeof NUMBERS} name */
  const check = (name) => {
    const value = read(fields, name);
    return value === undefined ? undefined : checkNumber('option', name, convert(value), 0, NUMBERS[name]);
  };
  const minMs = check('min') ?? DURATION_MS.defaultMin;
  const maxMs = check('max') ?? DURATION_MS.defaultMax;
  if (minMs <= maxMs) return { seed: check('seed'), minMs, maxMs };
  throw new RefusalError('bad-option', `min: expected at most \`max\` (${maxMs}), got ${minMs}`);
}

/** @typedef {{ visitor: string, owned: Owned }} Waiter `visitor`: the address; `owned` ends where the call throws */

/**
 * Creates the timers of clients that wait for jobs.
 * @param {{ limit: number, now?: () => number }} options how many may wait; ms
 */
export function createAlarms({ limit, now = Date.now }) {
  const places = new Pool({ limit, noun: 'waiting jobs' });

  /** @param {Owned} owned @param {number} dueMs @param {() => void} act @param {() => void} leave gives the place back */
  const start = (owned, dueMs, act, leave) => {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const giveUp = () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      leave();
    };
    const wait = () => {
      timer = setTimeout(look, Math.min(Math.max(dueMs - now(), 0), MAX_DELAY_MS));
    };
    const look = guard(owned, () => {
      if (now() < dueMs) return wait();
      giveUp();
      return act();
    });
    wait();
    return giveUp;
  };

  return {
    waitingCount: () => places.takenCount,

    /**
     * Calls `act` when it is due, and never before by the clock that jobs are made with: Node's timers use another one,
     * and may fire a millisecond early. The returned function ends the wait, without effect after the call.
     * @param {Waiter} waiter @param {number} dueMs @param {() => void} act @throws {RefusalError}
     */
    at: ({ visitor, owned }, dueMs, act) => start(owned, dueMs, act, places.take(visitor)),

    /**
     * Waits for several jobs, or for none.
     * @param {Waiter} waiter @param {{ dueMs: number, act: () => void }[]} waits @throws {RefusalError}
     */
    atAll({ visitor, owned }, waits) {
      const leaves = places.takeMany(visitor, waits.length);
      const giveUps = waits.map(({ dueMs, act }, i) => start(owned, dueMs, act, leaves[i]));
      return () => giveUps.forEach((giveUp) => giveUp());
    },
  };
}
