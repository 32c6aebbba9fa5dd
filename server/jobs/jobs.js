/**
 * The jobs of 2018. A job does nothing but take its time, and all that there is to know of one stands in its id, which is
 * signed: whichever worker is asked can answer, and none keeps anything.
 *
 * An id is 36 bytes in base64url, which are 48 characters without a rest, so that no two texts are the same bytes: when
 * the job was made (6 bytes, ms since 1970), how long it takes (4, ms), the run (9; zeros for none), chance (5), and the
 * first 12 bytes of the HMAC-SHA256 of all that.
 */
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { drawDurationMs } from '../../core/net/delivery/job.js';

/** @import { JobOptions } from './options.js' */

const ID = /^[\w-]{48}$/;
const AT = { duration: 6, run: 10, chance: 19, signature: 24, end: 36 };
const CHANCE_BYTES = AT.signature - AT.chance;
const SEED_BYTES = 4;
const NO_RUN = 'AAAAAAAAAAAA';

/**
 * @typedef {object} Job
 * @property {string} id
 * @property {number} createMs since 1970, by the server's clock
 * @property {number} durationMs
 * @property {number} dueMs when it is complete
 * @property {string} [run] the trial that its traffic is recorded for
 *
 * @typedef {ReturnType<typeof createJobs>} Jobs
 */

/** @param {{ secret: Uint8Array, now?: () => number }} options the secret is the same wherever the jobs are to be known */
export function createJobs({ secret, now = Date.now }) {
  const key = createSecretKey(secret);
  /** @param {Buffer} bytes */
  const sign = (bytes) =>
    createHmac('sha256', key)
      .update(bytes)
      .digest()
      .subarray(0, AT.end - AT.signature);

  return {
    now,

    /** @param {JobOptions} options @returns {Job} */
    make({ run, seed, leastMs, mostMs }) {
      const createMs = now();
      const chance = randomBytes(CHANCE_BYTES + SEED_BYTES);
      const durationMs = drawDurationMs({ seed: seed ?? chance.readUInt32BE(CHANCE_BYTES), leastMs, mostMs });
      const bytes = Buffer.alloc(AT.end);
      bytes.writeUIntBE(createMs, 0, AT.duration);
      bytes.writeUInt32BE(durationMs, AT.duration);
      if (run !== undefined) bytes.write(run, AT.run, 'base64url');
      chance.copy(bytes, AT.chance, 0, CHANCE_BYTES);
      sign(bytes.subarray(0, AT.signature)).copy(bytes, AT.signature);
      return { id: bytes.toString('base64url'), createMs, durationMs, dueMs: createMs + durationMs, run };
    },

    /** @param {string} id @returns {Job | undefined} absent where no such job was made with this secret */
    find(id) {
      if (!ID.test(id)) return undefined;
      const bytes = Buffer.from(id, 'base64url');
      const signature = sign(bytes.subarray(0, AT.signature));
      if (!timingSafeEqual(signature, bytes.subarray(AT.signature))) return undefined;
      const createMs = bytes.readUIntBE(0, AT.duration);
      const durationMs = bytes.readUInt32BE(AT.duration);
      const run = bytes.toString('base64url', AT.run, AT.chance);
      return { id, createMs, durationMs, dueMs: createMs + durationMs, run: run === NO_RUN ? undefined : run };
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
