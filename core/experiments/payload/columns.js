/** The columns of all figures. */
import { DASH, formatFailures } from '../../base/format.js';
import { VERDICT_LABELS } from '../../experiment/compare.js';
import { fixed } from '../../experiment/table.js';
import { labelOfTransfer } from '../../net/labels.js';
import { formatFigure, formatSignificant } from './figure.js';
import { formatSize } from './format-size.js';
import { DIRECTION_LABELS } from './plan.js';

/**
 * @import { Column } from '../../experiment/table.js'
 * @import { Verdict } from './comparison.js'
 * @import { PublishedRow } from './published.js'
 * @import { PayloadRow } from './report.js'
 */

/** @type {readonly Column<PayloadRow | PublishedRow>[]} */
const PLACE = [
  { title: 'Direction', isText: true, isKey: true, value: ({ direction }) => DIRECTION_LABELS[direction] },
  { title: 'Size', isText: true, isKey: true, value: ({ size }) => formatSize(size) },
  { title: 'Transport', isText: true, isKey: true, value: ({ transport }) => labelOfTransfer(transport) },
  { title: 'Protocol', isText: true, value: ({ protocols }) => protocols.join(', ') || DASH },
];

/** @type {readonly Column<PayloadRow | PublishedRow>[]} */
const COUNTS = [
  { title: 'Samples', name: 'samples', value: ({ sampleCount }) => sampleCount },
  { title: 'Failures', name: 'failures', value: ({ failures }) => formatFailures(failures) },
];

/** @param {string} [baseline] of the comparison @returns {Column<PayloadRow>[]} of a run in blocks */
export const sweepColumnsOf = (baseline) => [
  ...PLACE,
  { title: 'Time, ms (95% CI)', name: 'time_ms', value: ({ timeMs }) => formatFigure(timeMs) },
  { title: 'p50', name: 'p50_ms', unit: 'ms', value: ({ p50Ms }) => p50Ms, format: fixed(2) },
  {
    title: 'MB/s (95% CI)',
    name: 'megabytes_per_second',
    value: ({ megabytesPerSecond }) => formatFigure(megabytesPerSecond),
  },
  ...(baseline === undefined
    ? []
    : [
        {
          title: `Times as fast as ${labelOfTransfer(baseline)} (95% CI)`,
          name: 'speed_ratio',
          value: (/** @type {PayloadRow} */ { comparison }) => formatFigure(comparison?.speedRatio, 1),
        },
        {
          title: 'Verdict',
          name: 'verdict',
          isText: true,
          value: (/** @type {PayloadRow} */ { comparison }) => comparison?.verdict,
          format: (/** @type {Verdict} */ verdict) => VERDICT_LABELS[verdict],
        },
      ]),
  ...COUNTS,
];

/** @type {readonly Column<PublishedRow>[]} */
export const PUBLISHED_COLUMNS = [
  ...PLACE,
  {
    title: 'Better pass',
    name: 'better_ms',
    unit: 'ms per message',
    value: ({ betterMs }) => betterMs,
    format: fixed(2),
  },
  { title: 'Other pass', name: 'other_ms', unit: 'ms per message', value: ({ otherMs }) => otherMs, format: fixed(2) },
  {
    title: 'MB/s of the better',
    name: 'megabytes_per_second',
    value: ({ megabytesPerSecond }) => formatSignificant(megabytesPerSecond),
  },
  ...COUNTS,
];
