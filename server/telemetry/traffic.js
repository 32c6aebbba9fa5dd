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
 * @typedef {object} Meter of one exchange or connection; nothing is recorded without the ID of a trial
 * @property {(trialId: string | undefined, whenDone: (record: () => void) => void) => void} recordUntil records what is read and
 *   written until the recording given to `whenDone` is called
 * @property {(trialId?: string) => void} recordNow records what was read and written until now
 * @property {(trialId: string | undefined, res: Response) => void} recordWhenOver records when the answer was sent, or can no longer
 *   be sent
 * @property {(trialId?: string) => void} recordAtClose records when the connection closes
 * @typedef {object} Traffic where a visitor is given, it is the address that a new record is for
 * @property {() => void} requestServed counts an HTTP request or an upgrade of any visitor
 * @property {(trialId?: string, visitor?: string) => void} messageReceived records a message over a socket
 * @property {(trialId?: string, visitor?: string) => void} notified records a notification, or the end of a delayed answer: work for
 *   an earlier request
 * @property {(req: Request, requestBytes: number) => Meter} meter creates one, before the first byte of the answer; `requestBytes`: read
 *   of the request so far
 * @property {(socket: Socket | undefined, visitor: string, trialId?: string) => () => void} meterFrom measures what a connection carries
 *   from now on, until the returned function is called: for one of many answers over it; `socket`: absent where there are several
 * @property {(trialId: string) => Figures} read zeros if nothing was recorded, or the record has expired
 * @property {() => number} servedCount HTTP requests, upgrades, messages over sockets and notifications, of all visitors
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
 * @returns {Traffic}
 */
export function createTraffic({ limits, visitorOf, countSocketEchoes, now = () => performance.now() }) {
  const { trafficKeptMs: keptMs, trafficTrialCount: maxCount } = limits;
  const { open, read } = createRecords(NONE, { keptMs, maxCount, now });
  let servedCount = 0;

  return {
    requestServed: () => void servedCount++,

    messageReceived(trialId, visitor = '') {
      servedCount++;
      if (trialId !== undefined) open(trialId, () => visitor).messageCount++;
    },

    notified(trialId, visitor = '') {
      servedCount++;
      if (trialId !== undefined) open(trialId, () => visitor).notifiedCount++;
    },

    meter: (req, requestBytes) => createMeter((trialId) => open(trialId, () => visitorOf(req)), req, requestBytes),

    meterFrom(socket, visitor, trialId) {
      let end = () => {};
      if (socket)
        createMeter((id) => open(id, () => visitor), { socket }, bytesReadSince(socket)).recordUntil(
          trialId,
          (record) => (end = record),
        );
      return () => end();
    },

    read,

    servedCount: () => servedCount + countSocketEchoes(),
  };
}

/** @param {(trialId: string) => Figures} open @param {{ socket: Socket }} carried @param {number} requestBytes @returns {Meter} */
function createMeter(open, { socket }, requestBytes) {
  const { bytesWritten } = socket;
  /** @type {Meter['recordUntil']} */
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
    recordUntil: record,
    recordNow: (trialId) => record(trialId, (recordBytes) => recordBytes()),
    recordWhenOver: (trialId, res) => record(trialId, (recordBytes) => whenOver({ socket }, res, recordBytes)),
    recordAtClose: (trialId) => record(trialId, (recordBytes) => socket.once('close', guard(socket, recordBytes))),
  };
}
