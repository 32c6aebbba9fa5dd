/**
 * What the server did for each trial: a client makes up an ID for it, puts it on all that it asks for, and reads
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

/** Twelve characters are the nine bytes that a job's id has for it, all of which are zero where there is no trial. */
const TRIAL_ID = /^(?!A{12}$)[\w-]{12}$/;

export const EXPECTED_TRIAL_ID = '12 letters, digits, _ or -, not all of them A';

/** @param {unknown} text */
export function isTrialId(text) {
  return typeof text === 'string' && TRIAL_ID.test(text);
}

/** Of one trial, by one worker. @satisfies {Partial<WorkerTraffic>} */
const NONE = { requestCount: 0, messageCount: 0, notifiedCount: 0, receivedBytes: 0, sentBytes: 0, openCount: 0 };

/**
 * @param {{ limits: Pick<Limits, 'trafficTrialCount' | 'trafficKeptMs'>, visitorOf: VisitorOf, countSocketEchoes: () => number,
 *   now?: () => number }} options `countSocketEchoes`: messages that the echoes' sockets answered so far; `now`: ms
 */
export function createTraffic({ limits, visitorOf, countSocketEchoes, now = Date.now }) {
  const { trafficKeptMs: keptMs, trafficTrialCount: mostCount } = limits;
  const { open, read } = createRecords(NONE, { keptMs, mostCount, now });
  let servedCount = 0;

  return {
    /** Of anybody: an HTTP request, or an upgrade. */
    requestServed: () => void servedCount++,

    /** A message over a socket. @param {string} [trialId] @param {string} [visitor] the address that a new record is for */
    messageReceived(trialId, visitor = '') {
      servedCount++;
      if (trialId !== undefined) open(trialId, () => visitor).messageCount++;
    },

    /**
     * A notification, or the end of a delayed answer: work for a request that came before.
     * @param {string} [trialId] @param {string} [visitor] the address that a new record is for
     */
    notified(trialId, visitor = '') {
      servedCount++;
      if (trialId !== undefined) open(trialId, () => visitor).notifiedCount++;
    },

    /** To be asked for before the first byte of the answer. @param {Request} req @param {number} requestBytes read of it so far */
    meter: (req, requestBytes) => createMeter((trialId) => open(trialId, () => visitorOf(req)), req, requestBytes),

    /** Zeros where nothing was recorded, or it was long ago. */
    read,

    /** Of all visitors: HTTP requests, upgrades, messages over sockets, and notifications. */
    servedCount: () => servedCount + countSocketEchoes(),
  };
}

/** @param {(trialId: string) => Figures} open @param {Request} req @param {number} requestBytes */
function createMeter(open, req, requestBytes) {
  const { socket } = req;
  const { bytesWritten } = socket;
  /** @param {string | undefined} trialId @param {(record: () => void) => void} whenDone */
  const record = (trialId, whenDone) => {
    if (trialId === undefined) return;
    const figures = open(trialId);
    figures.requestCount++;
    figures.openCount++;
    whenDone(() => {
      figures.openCount--;
      figures.receivedBytes += requestBytes + bytesReadSince(socket);
      figures.sentBytes += socket.bytesWritten - bytesWritten;
    });
  };
  return {
    /** What was read and written until now. @param {string | undefined} trialId */
    recordNow: (trialId) => record(trialId, (recordBytes) => recordBytes()),
    /** When the answer was sent, or can be sent no more. @param {string | undefined} trialId @param {Response} res */
    recordWhenOver: (trialId, res) => record(trialId, (recordBytes) => whenOver(req, res, recordBytes)),
    /** When the connection closes. @param {string | undefined} trialId */
    recordAtClose: (trialId) => record(trialId, (recordBytes) => socket.once('close', guard(socket, recordBytes))),
  };
}
