/** What the ways have in common in which a job is made by a request, and asked for until it is done. */
import { parseDone } from './job-answer.js';
import { createJobRequests } from './job-requests.js';

/** @import { WayOptions, WayUser } from './index.js' */

/**
 * @typedef {object} Pause of one job, before each time it is asked for
 * @property {() => Promise<void>} wait
 * @property {() => void} close called in the end
 */

/**
 * @param {WayOptions} options
 * @param {object} [asked]
 * @param {string} [asked.query] of the address of a job
 * @param {(signal?: AbortSignal) => Pause} [asked.openPause] absent: asked for again at once
 * @returns {WayUser}
 */
export function createAsking({ client, run, now }, { query = '', openPause } = {}) {
  const requests = createJobRequests({ client, run });

  return {
    async follow(job, { signal, onCreated } = {}) {
      const sentAtMs = now();
      const id = await requests.create(job, signal);
      const createdAtMs = now();
      onCreated?.(createdAtMs);
      const pause = openPause?.(signal);
      try {
        for (let pollCount = 1; ; pollCount++) {
          if (pause) await pause.wait();
          const answer = await requests.send('GET', `/job/${id}${query}`, signal);
          if (answer.complete !== true) continue;
          return { sentAtMs, createdAtMs, toldAtMs: now(), ...parseDone(answer, job), pollCount };
        }
      } finally {
        pause?.close();
      }
    },
    get protocol() {
      return client.protocol();
    },
    get requestCount() {
      return requests.requestCount;
    },
    async close() {
      client.close();
    },
  };
}
