/** Size by transport, a table for each direction: the speed relative to the baseline, or the time where there is none. */
import { DASH } from '../../base/format.js';
import { SAME_RATIO } from '../../experiment/compare.js';
import { labelOfTransfer } from '../../net/labels.js';
import { formatSize } from './format-size.js';
import { formatSignificant } from './figure.js';
import { DIRECTION_LABELS } from './plan.js';
import { contestedBaselineOf } from './verdicts.js';

/**
 * @import { Report } from '../../experiment/contract.js'
 * @import { Column, Mark } from '../../experiment/table.js'
 * @import { PayloadPlan } from './plan.js'
 * @import { PublishedRow } from './published.js'
 * @import { PayloadRow } from './report.js'
 */

/** @typedef {{ size: number, rows: readonly any[] }} MapRow `rows`: of all transports */

/** @type {Column<MapRow>} */
const SIZE = { title: 'Size', isText: true, isKey: true, value: ({ size }) => formatSize(size) };

/**
 * @param {PayloadPlan} plan
 * @param {readonly (PayloadRow | PublishedRow)[]} rows
 * @returns {Report['tables'][number][]}
 */
export function heatMapsOf(plan, rows) {
  const baseline = plan.preset ? undefined : contestedBaselineOf(plan);
  const { isTime, ...cell } = baseline === undefined ? TIME : VERDICT;
  const about = isTime ? 'ms per message' : `speed relative to ${labelOfTransfer(String(baseline))}`;
  return plan.directions.map((direction) => ({
    heading: `${DIRECTION_LABELS[direction]}: ${about}`,
    isHeatMap: true,
    columns: [
      SIZE,
      ...plan.transports
        .filter((transport) => transport !== baseline)
        .map((transport) => columnOf(labelOfTransfer(transport), transport, cell)),
    ],
    rows: plan.sizes.map((size) => ({
      size,
      rows: rows.filter((row) => row.direction === direction && row.size === size),
    })),
  }));
}

/** @typedef {{ value: (row: any) => string, mark?: (row: any) => Mark | undefined }} Cell of a transport's row */

/** @param {string} title @param {string} transport @param {Cell} cell @returns {Column<MapRow>} */
function columnOf(title, transport, { value, mark }) {
  const find = (/** @type {MapRow} */ { rows }) => rows.find((row) => row.transport === transport);
  return { title, value: (row) => value(find(row)), mark: mark && ((row) => mark(find(row))) };
}

const TIME = {
  isTime: true,
  value: (/** @type {any} */ row) => formatSignificant(row.betterMs ?? row.timeMs?.estimate),
};

/** A factor is a result only if the transport is faster or slower. */
const VERDICT = {
  isTime: false,
  value: (/** @type {PayloadRow} */ { comparison }) => {
    const { verdict, speedRatio } = comparison ?? {};
    if (verdict === 'same' || verdict === 'unclear') return verdict;
    return verdict && speedRatio ? `${formatRatio(speedRatio.estimate)}x` : DASH;
  },
  mark: (/** @type {PayloadRow} */ { comparison }) => {
    const { verdict, speedRatio } = comparison ?? {};
    return verdict && speedRatio && { verdict, ratio: speedRatio.estimate };
  },
};

/** @param {number} ratio @returns {string} of two digits, or three near 1 */
function formatRatio(ratio) {
  return formatSignificant(ratio, ratio < SAME_RATIO && ratio > 1 / SAME_RATIO ? 3 : 2);
}
