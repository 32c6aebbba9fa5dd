/** Reports a run under load: the answer, a chart of one block, a table for each load, and what confounds the figures. */
import { describeTooFewBlocks } from '../../experiment/compare.js';
import { capitalize } from '../../base/format.js';
import { chartsOf } from './chart.js';
import { LIMIT_MS, MIN_LOAD_MS } from './plan.js';
import { tablesOf } from './tables.js';
import { answered, answerOf, notesOf } from './words.js';

/**
 * @import { OwnReport } from '../../experiment/contract.js'
 * @import { UnderLoadDocument } from './schema.js'
 * @import { UnderLoadSummary } from './summary.js'
 */

/** @param {UnderLoadSummary} summary @param {UnderLoadDocument} document @returns {OwnReport} */
export function report(summary, { ending, trials }) {
  const { plan } = summary;
  const about = answered(summary);
  const tooFew = describeTooFewBlocks(plan.blocks);
  return {
    heading: 'Latency under load',
    ...(!ending && { answer: answerOf(summary) }),
    ...(!about && { elsewhere: { headline: NO_BOTTLENECK, evidence: ELSEWHERE } }),
    sentences: ending ? [] : [...(tooFew && about ? [`${capitalize(tooFew)}.`] : []), ...notesOf(summary)],
    tables: tablesOf(summary, about?.load),
    charts: about ? chartsOf(about.load, plan, trials) : [],
    method: METHOD,
  };
}

const NO_BOTTLENECK = 'On one machine or network, no link was the bottleneck.';
const ELSEWHERE =
  'Where a link is the bottleneck, a message on the same socket waits for all bytes ahead of it: 10 MB at 20 Mbit/s take 4 s. The lab simulates such links: npx sockshootout lab run under-load.';

const METHOD = `All probes are sent side by side, five per second of each with jitter, and timed from the planned instant. Those count that were due between the first and the last byte of a transfer that took ${MIN_LOAD_MS / 1000} s or more. One without an answer counts as ${LIMIT_MS / 1000} s. Added latency is compared with the p50 of the unloaded trial of the same block. A figure is the median over the blocks, with an interval from order statistics from six blocks on. A verdict compares the p50s under load, block by block.`;
