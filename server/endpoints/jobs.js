/**
 * Creates and finds jobs, as those of 2018. A job does nothing but take its time, and its ID contains everything about it (see
 * signed-ids.js). Its bytes:
 *
 * - 6: when the job was made, in ms since 1970
 * - 4: how long it takes, in ms
 * - 9: the trial’s ID, zeros for none
 * - 5: chance
 */
import { randomBytes } from 'node:crypto';
import { drawDurationMs } from '../../core/net/delivery/job.js';
import { steadyNow } from '../steady-clock.js';
import { CONTENT_BYTES, createSignedIds } from './signed-ids.js';

const AT = { duration: 6, trialId: 10, chance: 19 };
const CHANCE_BYTES = CONTENT_BYTES - AT.chance;
const SEED_BYTES = 4;
const NO_TRIAL = 'AAAAAAAAAAAA';

/**
 * @import { JobOptions } from './job-options.js'
 * @typedef {ReturnType<typeof createJobs>} Jobs
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
