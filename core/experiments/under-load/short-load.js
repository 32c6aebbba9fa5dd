/** The card of a run whose loads were too short for a verdict: the times without load, and those that there are during one. */
import { formatCount, formatLatency, formatSpan } from '../../base/format.js';
import { median } from '../../base/statistics.js';
import { withoutVerdict } from '../../experiment/answer/answer.js';
import { LOADS, nameProbe, PROBE_LABELS, SAME } from './plan.js';
import { isInOnePiece, latenciesOf } from './summary.js';

/**
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { UnderLoadTrial } from './schema.js'
 * @import { UnderLoadSummary } from './summary.js'
 * @typedef {{ transport: string, ms: number }} Probe
 */

/** @param {UnderLoadSummary} summary @returns {OwnReport['lead']} absent where fewer than two times were measured */
export function leadOfShort({ plan, loads, unloaded, trials }) {
  const { load } = loads.find(isInOnePiece) ?? loads[0];
  const without = unloaded.flatMap(({ transport, p50 }) => (p50 ? [{ transport, ms: p50.median }] : []));
  const short = trials.flatMap((trial) => (trial.load === load && !trial.failure && trial.transfer ? [trial] : []));
  const during = without.flatMap(({ transport }) => probeIn(short, transport));
  const hasBoth = during.length > 0;
  const name = `${LOADS[load].direction}load`;
  const [first, second, ...others] = without.flatMap((probe) => [
    toBar(probe, hasBoth ? ', no load' : ''),
    ...during.filter(({ transport }) => transport === probe.transport).map((one) => toBar(one, `, ${name}`)),
  ]);
  if (!second) return undefined;
  const shown = chooseProbe(hasBoth ? during : without);
  const lengthMs = Number(median(short.map(({ transfer }) => Number(transfer?.lastMs) - Number(transfer?.firstMs))));
  const when = hasBoth ? ` of those sent during a ${name} of ${formatSpan(lengthMs)}` : '';
  return {
    ...withoutVerdict(''),
    subject: shown.transport,
    baseline: without[0].transport,
    ...(hasBoth && { at: LOADS[load].label }),
    estimate: shown.ms,
    unit: 'waited-ms',
    condition: `median${when}, ${nameProbe(shown.transport)}`,
    bars: [first, second, ...others],
    barsTitle: `Median time of a message${hasBoth ? '' : ' without load'}, ${formatCount(plan.blocks, 'block')}`,
  };
}

/** @param {readonly Probe[]} probes @returns {Probe} on the socket of the load, else the one that waited longest */
export const chooseProbe = (probes) =>
  probes.find(({ transport }) => transport === SAME) ?? probes.toSorted((a, b) => b.ms - a.ms)[0];

/** @param {readonly UnderLoadTrial[]} trials @param {string} transport @returns {Probe[]} none if no message was due during the load */
function probeIn(trials, transport) {
  const ms = median(
    trials.flatMap((trial) =>
      trial.probed.flatMap((one) => (one.transport === transport ? latenciesOf(one, trial) : [])),
    ),
  );
  return ms === undefined ? [] : [{ transport, ms }];
}

/** @param {Probe} probe @param {string} when it was measured, to follow its label */
const toBar = ({ transport, ms }, when) => ({
  name: `${PROBE_LABELS[transport]}${when}`,
  value: ms,
  figure: formatLatency(ms),
  colour: transport,
});
