/**
 * Records the traffic of each trial: a client chooses an ID for the trial, sends it with each request, and reads the
 * figures here. The bytes are those of the connection itself, in both directions, with headers and frames. Echoes are
 * not recorded, only counted for all visitors together.
 */
import { guard } from '../http/boundary.js';
import { bytesReadSince, RefusalError, show, whenOver } from '../http/exchange.js';
import { createRecords } from './records.js';

/**
 * @import { WorkerTraffic } from '../../core/net/delivery/traffic.js'
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { VisitorOf } from '../workers.js'
 *
 * @typedef {typeof NONE} Figures
 * @typedef {ReturnType<typeof createMeter>} Meter
 * @typedef {ReturnType<typeof createTraffic>} Traffic
 */

/**
 * Matches twelve characters, which are the nine bytes of a job's ID for the trial. They are all zero without a trial.
 */
const TRIAL_ID = /^(?!A{12}$)[\w-]{12}$/;

export const EXPECTED_TRIAL_ID = '12 letters, digits, _ or -, not all of them A';

/** Is it the ID of a trial? @param {unknown} text @returns {text is string} */
export function isTrialId(text) {
  return typeof text === 'string' && TRIAL_ID.test(text);
}

/** @param {unknown} text that a client sent, if any @returns {string | undefined} the same @throws {RefusalError} */
export function checkTrialId(text) {
  if (text === undefined || isTrialId(text)) return text;
  throw new RefusalError('bad-option', `trial: expected ${EXPECTED_TRIAL_ID}, got ${show(text)}`);
}

/** The figures of one trial in one worker, before any traffic. @satisfies {Partial<WorkerTraffic>} */
const NONE = { requestCount: 0, messageCount: 0, notifiedCount: 0, receivedBytes: 0, sentBytes: 0, openCount: 0 };

/**
 * @param {{ limits: { trafficTrialCount: number, trafficKeptMs: number }, visitorOf: VisitorOf, countSocketEchoes: () =>
 *   number,
 *   now?: () => number }} options `countSocketEchoes`: messages that the echoes' sockets answered so far; `now`: ms
 */
export function createTraffic({ limits, visitorOf, countSocketEchoes, now = () => performance.now() }) {
  const { trafficKeptMs: keptMs, trafficTrialCount: maxCount } = limits;
  const { open, read } = createRecords(NONE, { keptMs, maxCount, now });
  let servedCount = 0;

  return {
    /** Counts an HTTP request or an upgrade of any visitor. */
    requestServed: () => void servedCount++,

    /**
     * Records a message over a socket.
     * @param {string} [trialId] @param {string} [visitor] the address that a new record is for
     */
    messageReceived(trialId, visitor = '') {
      servedCount++;
      if (trialId !== undefined) open(trialId, () => visitor).messageCount++;
    },

    /**
     * Records a notification, or the end of a delayed answer: work for an earlier request.
     * @param {string} [trialId] @param {string} [visitor] the address that a new record is for
     */
    notified(trialId, visitor = '') {
      servedCount++;
      if (trialId !== undefined) open(trialId, () => visitor).notifiedCount++;
    },

    /**
     * Creates a meter, before the first byte of the answer.
     * @param {Request} req @param {number} requestBytes read of it so far
     */
    meter: (req, requestBytes) => createMeter((trialId) => open(trialId, () => visitorOf(req)), req, requestBytes),

    /**
     * Measures what a connection carries from now on, until the returned function is called: for one of many answers over it.
     * @param {Socket | undefined} socket absent where there are several @param {string} visitor the address that a new record is for
     * @param {string} [trialId] @returns {() => void}
     */
    meterFrom(socket, visitor, trialId) {
      let end = () => {};
      if (socket)
        createMeter((id) => open(id, () => visitor), { socket }, bytesReadSince(socket)).recordUntil(
          trialId,
          (record) => (end = record),
        );
      return () => end();
    },

    /** Returns zeros if nothing was recorded, or the record has expired. */
    read,

    /** Returns the number of HTTP requests, upgrades, messages over sockets and notifications, of all visitors. */
    servedCount: () => servedCount + countSocketEchoes(),
  };
}

/** @param {(trialId: string) => Figures} open @param {{ socket: Socket }} carried @param {number} requestBytes */
function createMeter(open, { socket }, requestBytes) {
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
    /** Records what is read and written until the recording given to `whenDone` is called. */
    recordUntil: record,
    /** Records what was read and written until now. @param {string | undefined} trialId */
    recordNow: (trialId) => record(trialId, (recordBytes) => recordBytes()),
    /**
     * Records when the answer was sent, or can no longer be sent.
     * @param {string | undefined} trialId @param {Response} res
     */
    recordWhenOver: (trialId, res) => record(trialId, (recordBytes) => whenOver({ socket }, res, recordBytes)),
    /** Records when the connection closes. @param {string | undefined} trialId */
    recordAtClose: (trialId) => record(trialId, (recordBytes) => socket.once('close', guard(socket, recordBytes))),
  };
}
