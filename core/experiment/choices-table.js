/** “Which interval would do?”: the table of what lies between polling as now and push, of one visible page. */
import { DASH, formatSpan } from '../base/format.js';
import { words } from './table.js';

/**
 * @import { NewsChoice } from './answer.js'
 * @import { Table, TableLook } from './contract.js'
 */

const NOTE = 'Calculated, unless marked as measured. Bytes use the size of a request here.';

/** @param {number} [ms] */
const inSeconds = (ms) => (ms === undefined ? DASH : `${(ms / 1000).toFixed(ms < 995 ? 2 : 1)} s`);

/** @param {number} bytes */
const formatBytes = (bytes) =>
  bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`;

/**
 * @param {readonly NewsChoice[]} choices @param {{ newsMs: number, isHere: boolean }} about `isHere`: for users where it was measured
 * @returns {Table<NewsChoice> & TableLook}
 */
export function tabulateChoices(choices, { newsMs, isHere }) {
  /** @param {NewsChoice} choice @returns {string} such as '0.60 s (1.0 s)' */
  const delayOf = ({ measured, ...predicted }) => {
    const { meanMs, p90Ms } = isHere && measured ? measured : predicted;
    return `${inSeconds(meanMs)} (${inSeconds(p90Ms)})${isHere && measured ? ', measured' : ''}`;
  };
  return {
    heading: 'Which interval would do?',
    note: `For one visible page, with news every ${formatSpan(newsMs)}. ${NOTE}`,
    columns: [
      { ...words('Delivery', ({ name, isNow }) => `${name}${isNow ? ' (now)' : ''}`), isKey: true },
      { title: 'Mean delay of news (9 in 10 within)', value: delayOf },
      {
        title: 'Requests and messages per hour',
        value: ({ count }) => count,
        format: (count) => Math.round(count).toLocaleString('en'),
      },
      { title: 'Bytes per hour', value: ({ bytes }) => bytes, format: formatBytes },
    ],
    rows: choices,
  };
}
