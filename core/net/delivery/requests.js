/** The delivery methods that create a job by a request, and poll until it is done: polling and long polling. */
import { failureOf } from '../http.js';
import { parseDone, parseId } from './job-answer.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { Job, DeliveryOptions, DeliveryUser } from './index.js'
 */

/** Proxies tend to close a request that is silent for 30 s or 60 s. */
const WAIT_MS = 25_000;

/**
 * @typedef {object} Pause of one job, before each poll
 * @property {() => Promise<void>} wait
 * @property {() => void} close called in the end
 */

/**
 * The first poll one interval after the job was created, each next one an interval after the last answer.
 *
 * @param {DeliveryOptions} options
 * @returns {DeliveryUser}
 */
export function createPoll({ intervalMs = 0, timers = globalThis, ...options }) {
  return createPolling(options, '', (signal) => createPause(timers, intervalMs, signal));
}

/**
 * A request that is answered when the job is done, and repeated where that takes longer than the server waits.
 *
 * @param {DeliveryOptions} options
 * @returns {DeliveryUser}
 */
export function createLongPoll(options) {
  return createPolling(options, `?wait=${WAIT_MS}`);
}

/**
 * @param {Pick<DeliveryOptions, 'client' | 'trialId'>} options
 * @returns {Omit<DeliveryUser, 'follow'> & { requestCount: number, send: (method: string, path: string, signal?: AbortSignal) => Promise<any>, create:
 *   (job: Job, signal?: AbortSignal) => Promise<string> }} a user over HTTP; `send` gives the answer; `create` makes a job,
 *   and gives its id; both reject with an ExchangeError
 */
export function createHttpUser({ client, trialId }) {
  return {
    requestCount: 0,
    get protocol() {
      return client.protocol();
    },
    async send(method, path, signal) {
      this.requestCount++;
      const { status, answer } = await client.request(method, path, { signal });
      if (status >= 400 || answer === undefined) throw failureOf(status, answer);
      return answer;
    },
    async create(job, signal) {
      return parseId(await this.send('POST', `/job?${queryOf(job, trialId)}`, signal));
    },
    close: async () => client.close(),
  };
}

/** @param {Job} job @param {string} trialId @returns {string} by which the server creates a job and records its traffic */
export function queryOf({ seed, leastMs, mostMs }, trialId) {
  return `run=${trialId}&seed=${seed}&least=${leastMs}&most=${mostMs}`;
}

/**
 * @param {DeliveryOptions} options
 * @param {string} query of the address of a job
 * @param {(signal?: AbortSignal) => Pause} [openPause] absent: the next poll follows at once
 * @returns {DeliveryUser}
 */
function createPolling({ client, trialId, now }, query, openPause) {
  const user = createHttpUser({ client, trialId });
  /** @type {DeliveryUser['follow']} */
  const follow = async (job, { signal, onCreated } = {}) => {
    const sentAtMs = now();
    const id = await user.create(job, signal);
    const createdAtMs = now();
    onCreated?.(createdAtMs);
    const pause = openPause?.(signal);
    try {
      for (let pollCount = 1; ; pollCount++) {
        if (pause) await pause.wait();
        const answer = await user.send('GET', `/job/${id}${query}`, signal);
        if (answer.complete !== true) continue;
        return { sentAtMs, createdAtMs, notifiedAtMs: now(), ...parseDone(answer, job), pollCount };
      }
    } finally {
      pause?.close();
    }
  };
  return Object.assign(user, { follow });
}

/**
 * Pauses of one job, one after the other. It listens to the signal once, not at each of them: thousands of jobs pause some
 * ten thousand times.
 * @param {Timers} timers @param {number} ms of each @param {AbortSignal} [signal] ends them, with its reason
 * @returns {Pause}
 */
function createPause(timers, ms, signal) {
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
    wait: () =>
      new Promise((resolve, giveUp) => {
        if (signal?.aborted) throw signal.reason;
        reject = giveUp;
        timer = timers.setTimeout(resolve, ms);
      }),
    close: () => signal?.removeEventListener('abort', onAbort),
  };
}
