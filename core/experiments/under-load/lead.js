/** The card of a run under load whose blocks are too few, or whose loads were too short, to compare: what each probe took. */
import { formatCount, formatLatency, formatSpan } from '../../base/format.js';
import { median } from '../../base/statistics.js';
import { withoutVerdict } from '../../experiment/answer.js';
import { LOADS, nameProbe, PROBE_LABELS, SAME } from './plan.js';
import { answersOf, isInOnePiece, latenciesOf } from './summary.js';
import { formatAhead } from './words.js';

/**
 * @import { Bar } from '../../picture/bars.js'
 * @import { OwnReport } from '../../experiment/report.js'
 * @import { UnderLoadTrial } from './schema.js'
 * @import { LoadRowSummary, UnderLoadSummary } from './summary.js'
 * @typedef {{ transport: string, ms: number }} Probe
 */

/**
 * @param {UnderLoadSummary} summary @param {{ trials: readonly UnderLoadTrial[] }} run
 * @returns {OwnReport['lead']} absent where a comparison has a card of its own
 */
export function leadOf(summary, { trials }) {
  const { about, plan } = summary;
  if (!about) return leadUnreached(summary, trials);
  if (answersOf(summary).some(({ bars, low }) => bars && low !== undefined)) return undefined;
  const probes = about.rows.flatMap(({ transport, addedMax }) =>
    addedMax ? [{ transport, ms: addedMax.median }] : [],
  );
  if (probes.length < 2) return undefined;
  const shown = chooseProbe(probes);
  const [baseline] = probes.filter((probe) => probe !== shown);
  const [first, second, ...others] = probes.map((probe) => toBar(probe));
  return {
    ...withoutVerdict(''),
    subject: shown.transport,
    baseline: baseline.transport,
    at: LOADS[about.load].label,
    estimate: Math.max(0, shown.ms),
    unit: 'waited-ms',
    condition: describeWait(about, shown),
    bars: [first, second, ...others],
    barsTitle: `Longest wait that the load added, ${plan.blocks > 1 ? 'median of ' : ''}${formatCount(plan.blocks, 'block')}`,
  };
}

/**
 * Shows what there is where no load lasted long enough: the times without load, and those during one of the loads.
 * @param {UnderLoadSummary} summary @param {readonly UnderLoadTrial[]} trials @returns {OwnReport['lead']}
 */
function leadUnreached({ plan, loads, unloaded }, trials) {
  const { load } = loads.find(isInOnePiece) ?? loads[0];
  const without = unloaded.flatMap(({ transport, p50 }) => (p50 ? [{ transport, ms: p50.median }] : []));
  const short = trials.flatMap((trial) => (trial.load === load && !trial.failure && trial.transfer ? [trial] : []));
  const during = without.flatMap(({ transport }) => probeIn(short, transport));
  const hasBoth = during.length > 0;
  const name = `${LOADS[load].direction}load`;
  const [first, second, ...others] = without.flatMap((probe) => [
    toBar(probe, hasBoth ? 'no load' : undefined),
    ...during.filter(({ transport }) => transport === probe.transport).map((one) => toBar(one, name)),
  ]);
  if (!second) return undefined;
  const shown = chooseProbe(hasBoth ? during : without);
  const lengthMs = Number(median(short.map(({ transfer }) => Number(transfer?.lastMs) - Number(transfer?.firstMs))));
  const when = hasBoth ? ` sent during a ${name} of ${formatSpan(lengthMs)}` : '';
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

/** @param {readonly UnderLoadTrial[]} trials @param {string} transport @returns {Probe[]} none if no message was due during the load */
function probeIn(trials, transport) {
  const ms = median(
    trials.flatMap((trial) =>
      trial.probed.flatMap((one) => (one.transport === transport ? latenciesOf(one, trial) : [])),
    ),
  );
  return ms === undefined ? [] : [{ transport, ms }];
}

/** @param {readonly Probe[]} probes @returns {Probe} on the socket of the load, else the one that waited longest */
const chooseProbe = (probes) =>
  probes.find(({ transport }) => transport === SAME) ?? probes.toSorted((a, b) => b.ms - a.ms)[0];

/** @param {LoadRowSummary} about @param {Probe} shown @returns {string} */
const describeWait = (about, { transport, ms }) =>
  transport === SAME ? `for ${formatAhead(about, Math.max(0, ms))}` : `longest added wait, ${nameProbe(transport)}`;

/** @param {Probe} probe @param {string} [when] it was measured, if at several times @returns {Bar} */
const toBar = ({ transport, ms }, when) => ({
  name: [PROBE_LABELS[transport], ...(when ? [when] : [])].join(', '),
  value: Math.max(0, ms),
  figure: ms < 0 ? `−${formatLatency(-ms)}` : formatLatency(ms),
  colour: transport,
});
