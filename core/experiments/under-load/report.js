/** Reports a run under load: the conclusion, a chart of one block, a table for each load, and what confounds the figures. */
import { describeTooFewBlocks } from '../../experiment/answer/compare.js';
import { formatBytes, formatSpan } from '../../base/format.js';
import { LIMIT_MS, MIN_LOAD_MS, LOADS, PROBE_LABELS } from './plan.js';
import { tablesOf } from './tables.js';
import { conclusionOf, isTooFast, notesOf } from './words.js';
import { isReached } from './summary.js';

/**
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { Chart } from '../../picture/plot.js'
 * @import { UnderLoadDocument, UnderLoadTrial } from './schema.js'
 * @import { UnderLoadSummary } from './summary.js'
 * @import { UnderLoadPlan } from './plan.js'
 */

/** Reports a run under load. @param {UnderLoadSummary} summary @param {UnderLoadDocument} document @returns {OwnReport} */
export function report(summary, { ending, trials }) {
  const { plan, about } = summary;
  const tooFew = describeTooFewBlocks(plan.blocks);
  const conclusion = conclusionOf(summary);
  return {
    heading: 'Latency under load',
    ...(!ending && { conclusion }),
    ...(!about && { elsewhere: { headline: conclusion, evidence: ELSEWHERE } }),
    ...(isTooFast(summary) && { nextStep: 'change' }),
    sentences: ending ? [] : [...(tooFew && about ? [tooFew] : []), ...notesOf(summary)],
    tables: tablesOf(summary),
    charts: about ? chartsOf(about.load, plan, trials) : [],
    method: METHOD,
  };
}

const ELSEWHERE =
  'Where a link is the bottleneck, a message on the same socket waits for all bytes ahead of it: 10 MB at 20 Mbit/s take 4 s. The lab simulates such links: sudo npx sockshootout lab run under-load --rtt 20 --rate 20.';

const METHOD = `All probes are sent side by side, five per second of each with jitter, and timed from the planned instant. Only probes due between the first and last byte of a transfer of ${MIN_LOAD_MS / 1000} s or more count. A probe without an answer counts as ${LIMIT_MS / 1000} s. A figure is the median over the blocks, with an interval from order statistics from six blocks on. A verdict compares the p50s under load, block by block.`;

/** @typedef {{ x: number, transport: string, ms: number }} Point */

/**
 * Draws the block whose load lasted the middle time, after the unloaded trial of the same block.
 * @param {string} load @param {UnderLoadPlan} plan @param {readonly UnderLoadTrial[]} trials
 * @returns {Chart[]} none if the load was not reached
 */
function chartsOf(load, plan, trials) {
  const own = trials.filter((trial) => trial.load === load && !trial.failure && isReached(trial));
  const lengthOf = (/** @type {UnderLoadTrial} */ { transfer }) => Number(transfer?.lastMs) - Number(transfer?.firstMs);
  const loaded = own.toSorted((a, b) => lengthOf(a) - lengthOf(b))[Math.floor((own.length - 1) / 2)];
  const unloaded = trials.find((trial) => trial.load === 'unloaded' && trial.block === loaded?.block);
  if (!loaded?.transfer || !unloaded || [loaded, unloaded].some((trial) => plannedOf(trial).length === 0)) return [];
  const shiftMs = lastPlannedMs(unloaded) + GAP_MS - firstPlannedMs(loaded);
  const points = [...pointsOf(unloaded, 0), ...pointsOf(loaded, shiftMs)].sort((a, b) => a.x - b.x);
  const values = points.map(({ x }) => x);
  const { firstMs, lastMs } = loaded.transfer;
  const [from, to] = [firstMs, lastMs].map((ms) => (ms + shiftMs) / 1000);
  return [
    {
      heading: 'Latency of each probe in one block',
      caption: `Block ${loaded.block + 1}: without load, then with it`,
      x: { title: 'Seconds' },
      y: { title: '', logBase: 10, format: formatSpan },
      values,
      span: { from, to, label: `${formatBytes(loaded.transfer.byteCount)} ${LOADS[load].direction}` },
      hasDirectLabels: true,
      lines: plan.transports
        .filter((probe) => points.some(({ transport }) => transport === probe))
        .map((probe) => ({
          label: PROBE_LABELS[probe],
          colour: probe,
          hasPoints: true,
          values: points.map(({ transport, ms }) => (transport === probe ? ms : null)),
        })),
    },
  ];
}

/** Between the two trials, which did not follow each other. */
const GAP_MS = 200;
/** A coarse clock may have seen no time pass, and a logarithmic axis has no 0. */
const MIN_MS = 0.01;

/** @param {UnderLoadTrial} trial @param {number} shiftMs @returns {Point[]} */
const pointsOf = ({ probed }, shiftMs) =>
  probed.flatMap(({ transport, samples: { plannedAtMs, endedAtMs } }) =>
    plannedAtMs.map((ms, i) => ({ x: (ms + shiftMs) / 1000, transport, ms: Math.max(MIN_MS, endedAtMs[i] - ms) })),
  );

/** @param {UnderLoadTrial} trial */
const plannedOf = ({ probed }) => probed.flatMap(({ samples }) => samples.plannedAtMs);

/** @param {UnderLoadTrial} trial */
const firstPlannedMs = (trial) => Math.min(...plannedOf(trial));

/** @param {UnderLoadTrial} trial */
const lastPlannedMs = (trial) => Math.max(...plannedOf(trial));
