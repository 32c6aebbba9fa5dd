/** Shows a run of the shootout while it goes on: the last messages of what the page uses and of what it might use. */
import { formatMs } from '../../base/format.js';
import { summarizeTrials } from '../../base/statistics.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { roundSpan } from '../../picture/lanes.js';
import { baselineOf, challengerOf } from './plan.js';

/**
 * @import { LiveRun } from '../../experiment/contract.js'
 * @import { LiveLanes } from '../../picture/lanes.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Plan } from './plan.js'
 */

/** How many messages of the slower one are seen at once. */
const MESSAGE_COUNT = 10;
/** Before the first message. */
const USUAL_SPAN_MS = 100;

/**
 * Shows the baseline and the transport in question as two lanes of round trips.
 * @param {LiveRun<Plan, RunTrial>} run @returns {LiveLanes}
 */
export function live({ plan, trials, situation }) {
  const isMeasured = (/** @type {string | undefined} */ name) => name !== undefined && plan.transports.includes(name);
  const [uses, considers] = [situation?.uses, situation?.considers].map((name) =>
    isMeasured(name) ? name : undefined,
  );
  const lanes = [uses ?? baselineOf(plan), considers ?? challengerOf(plan)].map((transport) => {
    const own = trials.filter((trial) => trial.transport === transport);
    const { p50Ms, sampleCount } = summarizeTrials(own);
    const last = own.findLast(({ samples }) => samples.roundTripMs.length > 0);
    return {
      label: labelOf(transport),
      colour: transport,
      typicalMs: p50Ms,
      sampleCount,
      exchanges: last ? exchangesOf(last) : [],
    };
  });
  const longest = Math.max(...lanes.map(({ exchanges }) => exchanges.length));
  const slowestMs = Math.max(0, ...lanes.map(({ typicalMs = 0 }) => typicalMs));
  return {
    title: 'A message is answered after, so far',
    note: `${lanes.map(({ sampleCount }) => sampleCount.toLocaleString('en')).join(' and ')} messages so far.${plan.looks ? ' Ends when the answer is clear.' : ''}`,
    words: { begins: 'page sends', ends: 'page has the answer', many: 'messages' },
    spanMs: slowestMs > 0 ? roundSpan(Math.min(MESSAGE_COUNT, longest) * slowestMs) : USUAL_SPAN_MS,
    formatMs: (ms) => `${formatMs(ms)} ms`,
    lanes,
  };
}

/** Until its last answer, which is at 0. @param {RunTrial} trial */
function exchangesOf({ samples: { sentAtMs, roundTripMs } }) {
  const endMs = sentAtMs[sentAtMs.length - 1] + roundTripMs[roundTripMs.length - 1];
  return sentAtMs.map((ms, i) => ({ beginsMs: ms - endMs, endsMs: ms + roundTripMs[i] - endMs }));
}
