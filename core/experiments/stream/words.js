/** What streams and their figures are called within sentences. */
import { capitalize, formatDelay, formatRtt } from '../../base/format.js';
import { STREAM_LABELS, streamMethods } from '../../net/stream/index.js';

/**
 * @import { Flow } from './flow.js'
 * @import { StreamRow } from './summary.js'
 */

/** @param {{ method: string }} row @returns {string} within a sentence */
export const nameOf = ({ method }) => STREAM_LABELS[method];

/** @param {{ method: string }} row @returns {string} such as 'an open WebSocket' */
export const phraseOf = (row) =>
  nameOf(row)
    .replace(/^Open WebSocket$/, 'an open WebSocket')
    .replace(/^WebSocket /, 'a WebSocket ')
    .replace(/^Polling$/, 'polling');

/** @param {{ method: string }} row @returns {string} that at the beginning of a sentence; what is a function keeps its name */
export const startOf = (row) => {
  const phrase = phraseOf(row);
  return phrase === nameOf(row) ? phrase : capitalize(phrase);
};

/** @param {{ method: string }} row @returns {string} such as 'over an open WebSocket' or 'with fetch' */
export const byOf = (row) => `${streamMethods[row.method].client === 'socket' ? 'over' : 'with'} ${phraseOf(row)}`;

/** @param {number} ms @returns {string} like '12 ms' or '0.35 s' */
export const formatTime = (ms) => (ms < 100 ? `${formatRtt(ms)} ms` : formatDelay(ms));

/** @param {number} atOnce @returns {string} where a figure was taken, such as 'first piece of 6 streams' */
export const nameFirstOf = (atOnce) => (atOnce === 1 ? 'first piece' : `first piece of ${atOnce} streams`);

/** @param {StreamRow} row @returns {string} when its first piece came */
export const firstOf = ({ first }) => formatTime(Number(first?.estimate));

/** @param {StreamRow} row @returns {string} such as 'the first words come after 12 ms, then evenly' */
export const describeArrival = (row) =>
  `the first words come after ${firstOf(row)}${row.flow ? `, ${describeFlow(row.flow)}` : ''}`;

/** @param {Flow | undefined} flow @returns {string} such as 'in bursts of about 13 pieces' */
export function describeFlow(flow) {
  if (!flow) return 'at once';
  const { name, everyMs, pieces } = flow;
  if (name === 'even') return 'then evenly';
  if (name === 'gaps') return 'then with gaps';
  if (name === 'steps') return everyMs === undefined ? 'in steps' : `in steps of ${formatDelay(everyMs)}`;
  if (name === 'bursts' && pieces !== undefined) return `in bursts of about ${Math.round(pieces)} pieces`;
  return name === 'at-once' ? 'all at once' : 'in bursts';
}
