/**
 * Long polling: a request that is answered when the job is done, or asked again where that took the server too long.
 */
import { parseDone } from './job-answer.js';
import { createJobRequests } from './job-requests.js';

/** What lies between two machines tends to give up a request that is silent for 30 s or 60 s. */
const WAIT_MS = 25_000;

/**
 * @param {import('./index.js').WayOptions} options
 * @returns {import('./index.js').WayUser}
 */
export function createLongPoll({ client, run, now }) {
  const requests = createJobRequests({ client, run });

  return {
    async follow(job, { signal, onCreated } = {}) {
      const sentAtMs = now();
      const id = await requests.create(job, signal);
      const createdAtMs = now();
      onCreated?.(createdAtMs);
      for (let pollCount = 1; ; pollCount++) {
        const answer = await requests.send('GET', `/job/${id}?wait=${WAIT_MS}`, signal);
        if (answer.complete !== true) continue;
        return { sentAtMs, createdAtMs, toldAtMs: now(), ...parseDone(answer, job), pollCount };
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
