/**
 * What the server did for each run: a client makes up a name for its trial, puts it on all that it asks for, and reads
 * here what that came to; and what was done for everybody. Recorded are the bytes of the connection itself, in both
 * directions, with headers and frames. The echoes are not; for them one number goes up by one.
 */
import { guard } from '../http/boundary.js';
import { bytesReadSince, whenOver } from '../http/exchange.js';
import { createRecords } from './records.js';

/**
 * @import { WorkerTraffic } from '../../core/net/delivery/traffic.js'
 * @import { Limits } from '../http/limits.js'
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { VisitorOf } from '../workers.js'
 *
 * @typedef {typeof NONE} Figures
 * @typedef {ReturnType<typeof createMeter>} Meter
 * @typedef {ReturnType<typeof createTraffic>} Traffic
 */

/** Twelve characters are the nine bytes that a job's id has for it, all of which are zero where there is no run. */
const RUN = /^(?!A{12}$)[\w-]{12}$/;

export const EXPECTED_RUN = '12 letters, digits, _ or -, not all of them A';

/** @param {unknown} text */
export function isRun(text) {
  return typeof text === 'string' && RUN.test(text);
}

/** Of one run, by one worker. @satisfies {Partial<WorkerTraffic>} */
const NONE = { requestCount: 0, messageCount: 0, toldCount: 0, receivedBytes: 0, sentBytes: 0, openCount: 0 };

/**
 * @param {{ limits: Pick<Limits, 'trafficRunCount' | 'trafficKeptMs'>, visitorOf: VisitorOf, countSocketEchoes: () => number,
 *   now?: () => number }} options `countSocketEchoes`: messages that the echoes' sockets answered so far; `now`: ms
 */
export function createTraffic({ limits, visitorOf, countSocketEchoes, now = Date.now }) {
  const { trafficKeptMs: keptMs, trafficRunCount: mostCount } = limits;
  const { open, read } = createRecords(NONE, { keptMs, mostCount, now });
  let servedCount = 0;

  return {
    /** Of anybody: an HTTP request, or an upgrade. */
    requestServed: () => void servedCount++,

    /** A message over a socket. @param {string} [run] @param {string} [visitor] the address that a new record is for */
    messageReceived(run, visitor = '') {
      servedCount++;
      if (run !== undefined) open(run, () => visitor).messageCount++;
    },

    /**
     * A notification, or the end of a delayed answer: work for a request that came before.
     * @param {string} [run] @param {string} [visitor] the address that a new record is for
     */
    notified(run, visitor = '') {
      servedCount++;
      if (run !== undefined) open(run, () => visitor).toldCount++;
    },

    /** To be asked for before the first byte of the answer. @param {Request} req @param {number} requestBytes read of it so far */
    meter: (req, requestBytes) => createMeter((run) => open(run, () => visitorOf(req)), req, requestBytes),

    /** Zeros where nothing was recorded, or it was long ago. */
    read,

    /** Of all visitors: HTTP requests, upgrades, messages over sockets, and notifications. */
    servedCount: () => servedCount + countSocketEchoes(),
  };
}

/** @param {(run: string) => Figures} open @param {Request} req @param {number} requestBytes */
function createMeter(open, req, requestBytes) {
  const { socket } = req;
  const { bytesWritten } = socket;
  /** @param {string | undefined} run @param {(record: () => void) => void} whenDone */
  const record = (run, whenDone) => {
    if (run === undefined) return;
    const figures = open(run);
    figures.requestCount++;
    figures.openCount++;
    whenDone(() => {
      figures.openCount--;
      figures.receivedBytes += requestBytes + bytesReadSince(socket);
      figures.sentBytes += socket.bytesWritten - bytesWritten;
    });
  };
  return {
    /** What was read and written until now. @param {string | undefined} run */
    recordNow: (run) => record(run, (recordBytes) => recordBytes()),
    /** When the answer was sent, or can be sent no more. @param {string | undefined} run @param {Response} res */
    recordWhenOver: (run, res) => record(run, (recordBytes) => whenOver(req, res, recordBytes)),
    /** When the connection closes. @param {string | undefined} run */
    recordAtClose: (run) => record(run, (recordBytes) => socket.once('close', guard(socket, recordBytes))),
  };
}
