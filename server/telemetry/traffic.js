/**
 * What the server did for each run: a client makes up a name for its trial, puts it on all that it asks for, and reads
 * here what that came to. Beside it what was done for everybody, so that one knows whether there were others.
 *
 * Recorded are the bytes of the connection itself, in both directions, with headers and frames. The echoes are not; for
 * them one number goes up by one.
 */
import { bytesReadSince, whenOver } from '../http/request.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Limits } from '../http/limits.js'
 */

/** Twelve characters are the nine bytes that a job's id has for it, all of which are zero where there is no run. */
const RUN = /^(?!A{12}$)[\w-]{12}$/;

/**
 * @typedef {object} Figures of one run, by one worker
 * @property {number} requestCount HTTP requests and upgrades
 * @property {number} messageCount that came over sockets
 * @property {number} toldCount what was sent at a time of the server's own: messages and events that are notifications, and
 *   delayed answers to long polls
 * @property {number} receivedBytes from the client
 * @property {number} sentBytes to the client
 * @property {number} openCount connections and requests whose bytes are not recorded yet, as they are still open
 *
 * @typedef {object} Meter of one request, or one upgraded connection; records once
 * @property {(run: string | undefined) => void} recordNow what was read and written until now
 * @property {(run: string | undefined, res: ServerResponse) => void} recordWhenOver the same, when the answer has been
 *   sent, or can be sent no more
 * @property {(run: string | undefined) => void} recordAtClose the same, when the connection closes
 *
 * @typedef {ReturnType<typeof createTraffic>} Traffic
 * @typedef {Pick<Limits, 'trafficRunCount' | 'trafficKeptMs'>} KeptLimits
 */

export const EXPECTED_RUN = '12 letters, digits, _ or -, not all of them A';

/** @param {unknown} text */
export function isRun(text) {
  return typeof text === 'string' && RUN.test(text);
}

/**
 * @param {{ limits: KeptLimits, countSocketEchoes: () => number, now?: () => number }} options `countSocketEchoes`: messages
 *   that the echoes' sockets answered so far; `now`: ms
 */
export function createTraffic({ limits, countSocketEchoes, now = Date.now }) {
  const records = new Records(limits, now);
  let requestCount = 0;
  let messageCount = 0;
  let notifiedCount = 0;

  return {
    /** Of anybody: an HTTP request, or an upgrade. */
    requestServed() {
      requestCount++;
    },

    /** A message that came over a socket of the jobs. @param {string | undefined} run */
    messageReceived(run) {
      messageCount++;
      if (run !== undefined) records.open(run).messageCount++;
    },

    /**
     * A notification, or the end of a delayed answer: work between two readings, for a request before both.
     *
     * @param {string} [run]
     */
    notified(run) {
      notifiedCount++;
      if (run !== undefined) records.open(run).toldCount++;
    },

    /**
     * To be asked for before the first byte of the answer.
     *
     * @param {IncomingMessage} req
     * @param {number} requestBytes what was read of the request so far
     * @returns {Meter}
     */
    meter: (req, requestBytes) => createMeter(records, req, requestBytes),

    /** @param {string} run @returns {Figures} zeros where nothing was recorded, or it was long ago */
    read: (run) => records.read(run),

    /** Of all visitors: HTTP requests, upgrades, messages over sockets, and notifications. */
    servedCount: () => requestCount + messageCount + notifiedCount + countSocketEchoes(),
  };
}

/** The figures of the trials that were recorded last. */
class Records {
  #limits;
  #now;
  /** @type {Map<string, { figures: Figures, touchedMs: number }>} the one that was recorded last comes last */
  #runs = new Map();

  /** @param {KeptLimits} limits @param {() => number} now */
  constructor(limits, now) {
    this.#limits = limits;
    this.#now = now;
  }

  /** @param {string} run @returns {Figures} to be changed at once */
  open(run) {
    const known = this.#runs.get(run);
    const figures = known?.figures ?? createFigures();
    this.#runs.delete(run);
    this.#runs.set(run, { figures, touchedMs: this.#now() });
    if (!known) this.#forgetOld();
    return figures;
  }

  /** @param {string} run */
  read(run) {
    this.#forgetOld();
    return this.#runs.get(run)?.figures ?? createFigures();
  }

  #forgetOld() {
    const limitMs = this.#now() - this.#limits.trafficKeptMs;
    for (const [run, { touchedMs }] of this.#runs) {
      if (touchedMs >= limitMs && this.#runs.size <= this.#limits.trafficRunCount) return;
      this.#runs.delete(run);
    }
  }
}

/** @param {Records} records @param {IncomingMessage} req @param {number} requestBytes @returns {Meter} */
function createMeter(records, req, requestBytes) {
  const { socket } = req;
  const { bytesWritten } = socket;
  /** @param {string | undefined} run @param {(record: () => void) => void} whenDone */
  const record = (run, whenDone) => {
    if (run === undefined) return;
    const figures = records.open(run);
    figures.requestCount++;
    figures.openCount++;
    whenDone(() => {
      figures.openCount--;
      figures.receivedBytes += requestBytes + bytesReadSince(socket);
      figures.sentBytes += socket.bytesWritten - bytesWritten;
    });
  };
  return {
    recordNow: (run) => record(run, (recordBytes) => recordBytes()),
    recordWhenOver: (run, res) => record(run, (recordBytes) => whenOver(req, res, recordBytes)),
    recordAtClose: (run) => record(run, (recordBytes) => socket.once('close', recordBytes)),
  };
}

/** @returns {Figures} */
function createFigures() {
  return { requestCount: 0, messageCount: 0, toldCount: 0, receivedBytes: 0, sentBytes: 0, openCount: 0 };
}
