/** Does one connection per session pay? The times over a new connection per message, compared with those over a kept one. */
import { formatRange, formatRatio } from '../../base/format.js';
import { mean } from '../../base/statistics/values.js';
import { judge, VERDICT_LABELS } from '../../experiment/compare.js';
import { labelOfTransfer } from '../../net/labels.js';
import { newNameOf, newTransportsOf } from './plan.js';

/**
 * @import { PayloadTrial } from './index.js'
 * @import { PayloadPlan } from './plan.js'
 */

/** @param {PayloadPlan} plan @param {readonly PayloadTrial[]} trials @returns {string[]} a sentence; none without new connections */
export function describeConnections(plan, trials) {
  const anew = newTransportsOf(plan);
  if (anew.length === 0) return [];
  const clauses = plan.transports
    .filter((transport) => anew.includes(newNameOf(transport)))
    .map((transport) => describeFactor(labelOfTransfer(transport), judge(ratiosOf(transport, trials))));
  return [
    `A kept connection, compared with a new one per message, over all sizes and directions: ${clauses.join('; ')}.`,
  ];
}

/** @param {string} label @param {ReturnType<typeof judge>} judged */
function describeFactor(label, { word, ratio }) {
  if (!word || !ratio) return `${label}: too few measurements`;
  return `${label} ${VERDICT_LABELS[word]}, ${formatRatio(ratio)} (95% CI ${formatRange(ratio)})`;
}

/**
 * How many times as fast a message is over a kept connection: the geometric mean over sizes and directions, in each block
 * that has all of them, so that a failure does not change what is averaged.
 * @param {string} transport @param {readonly PayloadTrial[]} trials
 */
function ratiosOf(transport, trials) {
  const ofTransport = trials.filter((trial) => trial.transport === transport);
  const ofNew = trials.filter((trial) => trial.transport === newNameOf(transport));
  const blocks = [...new Set(ofTransport.map(({ block }) => block))];
  return blocks.flatMap((block) => {
    const logs = ofTransport
      .filter((trial) => trial.block === block)
      .map(({ size, direction, durationMs = NaN }) => {
        const other = ofNew.find((one) => one.block === block && one.size === size && one.direction === direction);
        return Math.log((other?.durationMs ?? NaN) / durationMs);
      });
    const middle = mean(logs);
    return Number.isFinite(middle) ? [Math.exp(Number(middle))] : [];
  });
}
