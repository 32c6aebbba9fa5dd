/**
 * What a run over sizes says, as plain text: words, then a table for each direction.
 */
import { DIRECTION_LABELS, formatPayloadPlan } from '../../core/experiments/payload/plan.js';
import { describePayload, describeReading, tabulatePayload } from '../../core/experiments/payload/report.js';
import { visible } from '../../core/base/visible.js';
import { align } from '../../core/experiment/table.js';

/** @import { PayloadDocument } from '../../core/experiments/payload/document.js' */

const DIRECTION_TITLE = 'Direction';
/** Of a title; said once below all tables, as a line is to fit a terminal. */
const INTERVAL = ' (95 % interval)';

/**
 * @param {PayloadDocument} document
 * @returns {string}
 */
export function formatPayload({ plan, trials, environment, ending }) {
  const { titles, rows } = tabulatePayload(plan, trials, environment);
  const column = titles.indexOf(DIRECTION_TITLE);
  /** @param {readonly string[]} cells */
  const withoutDirection = (cells) => cells.filter((_, i) => i !== column);
  const heads = withoutDirection(titles).map((title) => title.replace(INTERVAL, ''));
  const tables = plan.directions.flatMap((direction) => {
    const own = rows.filter((cells) => cells[column] === DIRECTION_LABELS[direction]);
    return [DIRECTION_LABELS[direction], ...align([heads, ...own.map(withoutDirection)]), ''];
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
