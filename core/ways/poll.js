/**
 * Polling: the first request one interval after the job was made, each next one an interval after the last answer.
 */
import { parseDone } from './job-answer.js';
import { createJobRequests } from './job-requests.js';

/**
 * @param {import('./index.js').WayOptions} options
 * @returns {import('./index.js').WayUser}
 */
export function createPoll({ client, run, now, intervalMs = 0, timers = globalThis }) {
  const requests = createJobRequests({ client, run });

  return {
    async follow(job, { signal, onCreated } = {}) {
      const sentAtMs = now();
      const id = await requests.create(job, signal);
      const createdAtMs = now();
      onCreated?.(createdAtMs);
      const pause = createPause(timers, signal);
      try {
        for (let pollCount = 1; ; pollCount++) {
          await pause.for(intervalMs);
          const answer = await requests.send('GET', `/job/${id}`, signal);
          if (answer.complete !== true) continue;
          return { sentAtMs, createdAtMs, toldAtMs: now(), ...parseDone(answer, job), pollCount };
        }
      } finally {
        pause.close();
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

/**
 * Pauses of one job, one after the other. It listens to the signal once, not at each of them: thousands of jobs pause some
 * ten thousand times.
 *
 * @param {import('./index.js').Timers} timers
 * @param {AbortSignal} [signal] ends them, with its reason
 * @returns {{ for(ms: number): Promise<void>, close(): void }} `close` must be called in the end
 */
function createPause(timers, signal) {
  /** @type {any} */
  let timer;
  /** @type {(reason: unknown) => void} */
  let reject = () => {};
  const onAbort = () => {
    timers.clearTimeout(timer);
    reject(signal?.reason);
  };
  signal?.addEventListener('abort', onAbort);

  return {
    for: (ms) =>
      new Promise((resolve, giveUp) => {
        if (signal?.aborted) throw signal.reason;
        reject = giveUp;
        timer = timers.setTimeout(resolve, ms);
      }),
    close: () => signal?.removeEventListener('abort', onAbort),
  };
}
