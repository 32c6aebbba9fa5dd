/** The card of a run under load with too little for a comparison: how long each probe waited, or took without load. */
import { formatCount, formatLatency } from '../../base/format.js';
import { withoutVerdict } from '../../experiment/answer/answer.js';
import { toBars } from '../../picture/bars.js';
import { LOADS, nameProbe, PROBE_LABELS, SAME } from './plan.js';
import { answersOf, WAIT_TITLE } from './summary.js';
import { formatAhead } from './words.js';

/**
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { UnderLoadSummary } from './summary.js'
 * @typedef {{ transport: string, ms: number }} Probe
 */

/** @param {UnderLoadSummary} summary @returns {OwnReport['lead']} absent where a comparison has a card of its own */
export function leadOf(summary) {
  const { about, unloaded, plan } = summary;
  if (answersOf(summary).some(({ bars, low }) => bars && low !== undefined)) return undefined;
  const blocks = formatCount(plan.blocks, 'block');
  if (!about) {
    return createLead({
      probes: unloaded.flatMap(({ transport, p50 }) => (p50 ? [{ transport, ms: p50.median }] : [])),
      describe: ({ transport }) => `median without load, ${nameProbe(transport)}`,
      barsTitle: `Median time of a message without load, ${blocks}`,
    });
  }
  const added = createLead({
    probes: about.rows.flatMap(({ transport, addedMax }) => (addedMax ? [{ transport, ms: addedMax.median }] : [])),
    describe: ({ transport, ms }) =>
      transport === SAME ? `for ${formatAhead(about, Math.max(0, ms))}` : `longest added wait, ${nameProbe(transport)}`,
    barsTitle: `${WAIT_TITLE}, ${plan.blocks > 1 ? 'median of ' : ''}${blocks}`,
  });
  return added && { ...added, at: LOADS[about.load].label };
}

/**
 * @param {{ probes: readonly Probe[], describe: (shown: Probe) => string, barsTitle: string }} measured `describe`: what the figure of
 *   one is
 * @returns {OwnReport['lead']} absent of fewer than two probes
 */
function createLead({ probes, describe, barsTitle }) {
  const shown = probes.find(({ transport }) => transport === SAME) ?? probes.toSorted((a, b) => b.ms - a.ms)[0];
  const baseline = probes.find((probe) => probe !== shown);
  if (!baseline) return undefined;
  return {
    ...withoutVerdict(''),
    subject: shown.transport,
    baseline: baseline.transport,
    estimate: Math.max(0, shown.ms),
    unit: 'waited-ms',
    condition: describe(shown),
    bars: toBars(
      probes.map(({ transport, ms }) => ({
        name: PROBE_LABELS[transport],
        value: ms,
        ...(ms < 0 && { figure: `−${formatLatency(-ms)}` }),
        colour: transport,
      })),
    ),
    barsTitle,
  };
}
