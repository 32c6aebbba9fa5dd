/** The ways in which a job is made by a request, and asked for until it is done: polling and long polling. */
import { failureOf } from '../http.js';
import { parseDone, parseId } from './job-answer.js';

/**
 * @import { Timers } from '../../base/sleep.js'
 * @import { Job, WayOptions, WayUser } from './index.js'
 */

/** What lies between two machines tends to give up a request that is silent for 30 s or 60 s. */
const WAIT_MS = 25_000;

/**
 * @typedef {object} Pause of one job, before each time it is asked for
 * @property {() => Promise<void>} wait
 * @property {() => void} close called in the end
 */

/**
 * The first request one interval after the job was made, each next one an interval after the last answer.
 *
 * @param {WayOptions} options
 * @returns {WayUser}
 */
export function createPoll({ intervalMs = 0, timers = globalThis, ...options }) {
  return createAsking(options, '', (signal) => createPause(timers, intervalMs, signal));
}

/**
 * A request that is answered when the job is done, or asked again where that took the server too long.
 *
 * @param {WayOptions} options
 * @returns {WayUser}
 */
export function createLongPoll(options) {
  return createAsking(options, `?wait=${WAIT_MS}`);
}

/**
 * @param {Pick<WayOptions, 'client' | 'run'>} options
 * @returns {Omit<WayUser, 'follow'> & { requestCount: number, send: (method: string, path: string, signal?: AbortSignal) => Promise<any>, create:
 *   (job: Job, signal?: AbortSignal) => Promise<string> }} a user over HTTP; `send` gives the answer; `create` makes a job,
 *   and gives its id; both reject with an ExchangeError
 */
export function createHttpUser({ client, run }) {
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
      return parseId(await this.send('POST', `/job?${queryOf(job, run)}`, signal));
    },
    close: async () => client.close(),
  };
}

/** @param {Job} job @param {string} run @returns {string} by which the server makes a job and books it */
export function queryOf({ seed, leastMs, mostMs }, run) {
  return `run=${run}&seed=${seed}&least=${leastMs}&most=${mostMs}`;
}

/**
 * @param {WayOptions} options
 * @param {string} query of the address of a job
 * @param {(signal?: AbortSignal) => Pause} [openPause] absent: asked for again at once
 * @returns {WayUser}
 */
function createAsking({ client, run, now }, query, openPause) {
  const user = createHttpUser({ client, run });
  /** @type {WayUser['follow']} */
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
        return { sentAtMs, createdAtMs, toldAtMs: now(), ...parseDone(answer, job), pollCount };
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
