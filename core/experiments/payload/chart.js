/**
 * How long a message takes by its size, a line for each transport. Both scales are logarithmic: from 1 B to 10 MB is seven
 * powers of ten.
 */
import { labelOfTransfer } from '../../net/transfer/labels.js';
import { formatSize } from './format-size.js';
import { DIRECTION_LABELS } from './plan.js';

/**
 * @import { Chart } from '../../experiment/contract.js'
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { PayloadPlan } from './plan.js'
 */

/** Those that carry bytes and not text. */
const BINARY = ['fetch', 'websocket-binary'];
const DASH = Object.freeze([6, 4]);

/**
 * @param {Direction} direction
 * @param {{ plan: PayloadPlan, rows: readonly any[], sentences: readonly string[] }} run
 * @returns {Chart} of the time that the table has; of the published plan that of the better pass
 */
export function chartOf(direction, { plan, rows, sentences }) {
  // Nothing has no logarithm.
  const values = plan.sizes.filter((size) => size > 0);
  return {
    heading: DIRECTION_LABELS[direction],
    caption: 'Time of a message by its size; lower is faster. Solid as text, dashed in binary form',
    sentences,
    x: { title: 'Size', logBase: 10, format: formatTick },
    y: { title: 'ms', logBase: 10 },
    values,
    lines: plan.transports.map((transport) => {
      const isBinary = BINARY.includes(transport);
      const own = rows.filter((row) => row.direction === direction && row.transport === transport);
      const msAt = (/** @type {number} */ size) => {
        const row = own.find((one) => one.size === size);
        return row?.betterMs ?? row?.timeMs?.estimate;
      };
      return {
        label: labelOfTransfer(transport) + (isBinary ? ' (dashed)' : ''),
        colour: transport,
        dash: isBinary ? DASH : undefined,
        hasPoints: true,
        values: values.map((size) => msAt(size) || null),
      };
    }),
  };
}

/** @param {number} size @returns {string} empty between the powers of ten */
const formatTick = (size) => (Number.isInteger(Math.log10(size)) ? formatSize(size) : '');
