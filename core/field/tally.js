/**
 * What is kept of records: counters by name, which add up over browsers, days and workers. A name is a group and a measure, such as
 * `zone=Asia/Tokyo rtt=88`. No record is kept, and so nothing that tells one browser from another.
 */
import { median } from '../base/statistics.js';
import { judge } from '../experiment/answer/compare.js';
import { findContradiction } from './record.js';

/**
 * @import { Judged } from '../experiment/answer/verdict.js'
 * @import { FieldBlock, FieldRecord } from './record.js'
 * @typedef {'opened' | 'stream' | 'batched' | 'requests'} Got the best that a browser got: a WebSocket, else an event stream, else
 *   one whose events arrive together, else only requests
 * @typedef {{ browser: string, day: string }} Met what the server knows: the browser with its major version, and the day in UTC
 */

/** The bins of round-trip times are that much wider than those before: a quantile is wrong by at most half of it. */
const BIN_RATIO = 1.05;
const BIN_LOG = Math.log(BIN_RATIO);
const FIRST_BIN_MS = 0.1;

/** @param {number} ms above 0 @returns {number} 0 or more, the number of its bin */
const binOf = (ms) => Math.max(0, Math.floor(Math.log(ms / FIRST_BIN_MS) / BIN_LOG));

/** The bars of a picture. */
export const BAND_MS = 20;
const MAX_BAND = 50;
/** The last one has all that are farther away. */
export const LAST_BAND_MS = MAX_BAND * BAND_MS;

/** @param {number} ms @returns {number} */
const bandOf = (ms) => Math.min(MAX_BAND, Math.floor(ms / BAND_MS));

/** @param {number} bin @returns {{ fromMs: number, toMs: number }} */
export const rangeOfBin = (bin) => ({
  fromMs: FIRST_BIN_MS * BIN_RATIO ** bin,
  toMs: FIRST_BIN_MS * BIN_RATIO ** (bin + 1),
});

/**
 * The round trip of a browser, by request, as a WebSocket may have failed.
 * @param {readonly FieldBlock[]} blocks at least one
 */
const roundTripOf = (blocks) => Number(median(blocks.map(({ requestMs }) => requestMs)));

/** @param {readonly FieldBlock[]} blocks @returns {Judged} without a verdict where too few blocks have both methods */
const judgeBlocks = (blocks) =>
  judge(blocks.flatMap(({ requestMs, socketMs }) => (socketMs === undefined ? [] : requestMs / socketMs)));

/** Counters are whole numbers: the logarithm of a speed-up is added in parts of this size. */
const GAIN_STEP = 0.001;

/** @param {number} sum of the counter @param {number} count of what it adds up @returns {number} the geometric mean of speed-ups */
export const speedUpOf = (sum, count) => Math.exp((sum * GAIN_STEP) / count);

/** @param {FieldRecord} record @returns {Got | undefined} absent where it was cut short before it was clear */
function gotOf({ socket, stream }) {
  if (socket === 'opened') return 'opened';
  if (!socket || !stream) return undefined;
  return stream === 'streamed' ? 'stream' : stream === 'batched' ? 'batched' : 'requests';
}

/**
 * Returns what a record adds to which counters. One of a program, or one that contradicts itself, is counted apart from all others.
 * @param {FieldRecord} record @param {Met} met @returns {ReadonlyMap<string, number>}
 */
export function countersOf(record, { browser, day }) {
  const once = (/** @type {string[]} */ ...names) => new Map(names.map((name) => [name, 1]));
  if (record.isAutomated) return once('all apart=automated');
  if (findContradiction(record)) return once('all apart=contradictory');
  if (record.ending !== 'whole') return once('all apart=cut', `all cut=${record.ending}`);
  const [got, rttMs, { verdict, ratio }] = [gotOf(record), roundTripOf(record.blocks), judgeBlocks(record.blocks)];
  const judged = ['count', ...(verdict ? [`verdict=${verdict}`] : [])];
  const measures = [...judged, ...(got ? [`got=${got}`] : []), `rtt=${binOf(rttMs)}`];
  const [name] = browser.split(/ (?=\d+$)/);
  const groups = ['all', `browser=${name}`, `zone=${record.zone}`];
  const band = `band=${bandOf(rttMs)}`;
  const counters = once(
    ...groups.flatMap((group) => measures.map((measure) => `${group} ${measure}`)),
    ...judged.map((measure) => `${band} ${measure}`),
    `day=${day} count`,
    `version=${browser} count`,
    ...(record.connection ? [`connection=${record.connection} count`] : []),
    ...(record.protocol ? [`protocol=${record.protocol} count`] : []),
  );
  if (verdict && ratio) counters.set(`${band} gain`, Math.round(Math.log(ratio.estimate) / GAIN_STEP));
  return counters;
}
