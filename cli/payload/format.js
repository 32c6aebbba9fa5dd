/**
 * What a run over sizes says, as plain text: words, then a table for each direction.
 */
import { DIRECTION_LABELS, formatPayloadPlan } from '../../core/experiments/payload/plan.js';
import { describePayload, describeReading, tabulatePayload } from '../../core/experiments/payload/report.js';
import { visible } from '../../core/base/visible.js';
import { toText } from '../../core/experiment/table.js';
import { DIRECTION_TITLE } from '../../core/experiments/payload/columns.js';

/**
 * @import { Table } from '../../core/experiment/table.js'
 * @import { PayloadDocument } from '../../core/experiments/payload/document.js'
 */

/** Of a title; said once below all tables, as a line is to fit a terminal. */
const INTERVAL = ' (95 % interval)';

/**
 * @param {PayloadDocument} document
 * @returns {string}
 */
export function formatPayload({ plan, trials, environment, ending }) {
  /** @type {Table<any>} */
  const { columns, rows } = tabulatePayload(plan, trials, environment);
  const narrow = columns
    .filter(({ title }) => title !== DIRECTION_TITLE)
    .map((column) => ({ ...column, title: column.title.replace(INTERVAL, '') }));
  const tables = plan.directions.flatMap((direction) => {
    const own = rows.filter((row) => row.direction === direction);
    return [DIRECTION_LABELS[direction], ...toText({ columns: narrow, rows: own }), ''];
  });
  return [
    ...(ending ? [ending.reason, ''] : []),
    ...describePayload(plan, trials, environment).flatMap((sentence) => [sentence, '']),
    ...tables,
    ...(plan.preset ? [] : ['In brackets: 95 % intervals.']),
    describeReading(plan),
    '',
    `Measured by ${environment.userAgent}, at ${environment.url}`,
    `Plan: ${new URL('/payloadtest', environment.url)}?${formatPayloadPlan(plan)}`,
    '',
  ]
    .map(visible)
    .join('\n');
}
