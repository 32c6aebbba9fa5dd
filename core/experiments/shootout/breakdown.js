/**
 * What a message's time is made of, step by step: each step is what one transport takes more than another in the same
 * blocks, where the two differ in one thing only.
 */
import { compareTransports } from '../../experiment/compare.js';
import { labelOf } from '../../net/labels.js';

/**
 * @import { Interval } from '../../base/statistics/intervals.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Plan } from './plan.js'
 * @import { Row } from './report.js'
 */

/** @type {readonly { name: string, slower: string, faster: string }[]} */
const STEPS = [
  { name: 'SockJS’s framing and client', slower: 'sockjs', faster: 'websocket' },
  { name: 'HTTP', slower: 'xhr', faster: 'websocket' },
  { name: 'jQuery', slower: 'ajax', faster: 'xhr' },
];

/**
 * @typedef {object} Step
 * @property {string} name of what costs it
 * @property {string} meaning how it is found
 * @property {Interval} [costMs] absent where it was not measured in two blocks or more
 * @property {number} [blockCount] absent for the distance
 */

/**
 * @param {{ plan: Plan, trials: readonly RunTrial[], stepMs?: number, floorMs?: number }} run
 * @returns {Step[]} those whose two transports the plan has
 */
export function listSteps({ plan, trials, stepMs, floorMs }) {
  const fallbacks = plan.transports
    .filter((name) => name.startsWith('sockjs-'))
    .map((slower) => ({ name: `Falling back to ${slower.slice('sockjs-'.length)}`, slower, faster: 'sockjs' }));
  const measured = [...STEPS, ...fallbacks]
    .filter(({ slower, faster }) => [slower, faster].every((name) => plan.transports.includes(name)))
    .map(({ name, slower, faster }) => {
      const { savingMs, blockCount } = compareTransports({ trials, baseline: slower, transport: faster, stepMs });
      const meaning = `${labelOf(slower)} less ${labelOf(faster)}`;
      return { name, meaning, costMs: savingMs, blockCount };
    });
  if (floorMs === undefined) return measured;
  const distance = { estimate: floorMs, low: floorMs, high: floorMs };
  return [{ name: 'Distance', meaning: 'the smallest round trip of the run', costMs: distance }, ...measured];
}

/**
 * After how many messages a dearer connection has paid for itself.
 *
 * @param {{ row: Row, baseline: Row }} rows
 * @returns {number | undefined} messages, at least 1; absent where the transport is not clearly faster, or where a connection
 *   setup was not measured
 */
export function findBreakEven({ row, baseline }) {
  const saving = row.comparison?.savingMs;
  const [setUpMs, baselineSetUpMs] = [row, baseline].map(({ setUp }) => setUp.medianMs);
  if (!saving || !(saving.low > 0) || setUpMs === undefined || baselineSetUpMs === undefined) return undefined;
  return Math.max(1, Math.ceil((setUpMs - baselineSetUpMs) / saving.estimate));
}
