/** The card of a run under load whose blocks are too few to compare: how long each probe waited. */
import { formatCount, formatLatency } from '../../base/format.js';
import { withoutVerdict } from '../../experiment/answer/answer.js';
import { toBars } from '../../picture/bars.js';
import { LOADS, nameProbe, PROBE_LABELS, SAME } from './plan.js';
import { answersOf } from './summary.js';
import { formatAhead } from './words.js';
import { chooseProbe, leadOfShort } from './short-load.js';

/**
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { LoadRowSummary, UnderLoadSummary } from './summary.js'
 * @import { Probe } from './short-load.js'
 */

/** @param {UnderLoadSummary} summary @returns {OwnReport['lead']} absent where a comparison has a card of its own */
export function leadOf(summary) {
  const { about, plan } = summary;
  if (!about) return leadOfShort(summary);
  if (answersOf(summary).some(({ bars, low }) => bars && low !== undefined)) return undefined;
  const probes = about.rows.flatMap(({ transport, addedMax }) =>
    addedMax ? [{ transport, ms: addedMax.median }] : [],
  );
  if (probes.length < 2) return undefined;
  const shown = chooseProbe(probes);
  const [baseline] = probes.filter((probe) => probe !== shown);
  return {
    ...withoutVerdict(''),
    subject: shown.transport,
    baseline: baseline.transport,
    at: LOADS[about.load].label,
    estimate: Math.max(0, shown.ms),
    unit: 'waited-ms',
    condition: describeWait(about, shown),
    bars: toBars(
      probes.map(({ transport, ms }) => ({
        name: PROBE_LABELS[transport],
        value: ms,
        ...(ms < 0 && { figure: `−${formatLatency(-ms)}` }),
        colour: transport,
      })),
    ),
    barsTitle: `Longest wait that the load added, ${plan.blocks > 1 ? 'median of ' : ''}${formatCount(plan.blocks, 'block')}`,
  };
}

/** @param {LoadRowSummary} about @param {Probe} shown @returns {string} */
const describeWait = (about, { transport, ms }) =>
  transport === SAME ? `for ${formatAhead(about, Math.max(0, ms))}` : `longest added wait, ${nameProbe(transport)}`;
