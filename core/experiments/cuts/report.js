/** Reports a run of cuts: the answer, a timeline, a table for each kind, and what would have helped. */
import { sumOf } from '../../base/statistics.js';
import { MIN_BLOCKS } from '../../experiment/compare.js';
import { adviceOf, answered, answerOf, evidenceOf, hiddenNotes } from './words.js';
import { tablesOf } from './tables.js';
import { timelinesOf } from './timeline.js';

/**
 * @import { OwnReport } from '../../experiment/contract.js'
 * @import { CutsDocument } from './schema.js'
 * @import { CutsSummary } from './summary.js'
 */

/** @param {CutsSummary} summary @param {CutsDocument} document @returns {OwnReport} */
export function report(summary, { ending, trials }) {
  const { rows, plan } = summary;
  const about = answered(summary);
  const answer = answerOf(summary);
  return {
    heading: 'What a cut costs',
    lostCount: sumOf(
      rows.flatMap(({ figures }) => figures),
      ({ lostCount }) => lostCount,
    ),
    ...(!ending && { answer, elsewhere: { headline: answer, evidence: ELSEWHERE } }),
    sentences: ending ? [] : [...evidenceOf(summary), ...adviceOf(summary), ...describeBlocks(plan)],
    tables: tablesOf(rows, plan, about?.cut),
    charts: [],
    timelines: about ? timelinesOf(about.cut, summary, trials) : [],
    notes: ending ? [] : hiddenNotes(summary),
    method: METHOD,
  };
}

const ELSEWHERE = 'Elsewhere these figures change by a few round trips.';

const METHOD =
  'All methods follow one feed side by side. Times count from the cut; timers of seconds decide them. A message is lost if it had not come when the feed was over; polling loses none because it asks for all since its last message (since). A figure is the median over the blocks; from six blocks on, the interval from order statistics covers it in at least 95% of runs; with fewer, the range is shown.';

/** @param {{ blocks: number }} plan @returns {string[]} */
const describeBlocks = ({ blocks }) =>
  blocks < MIN_BLOCKS
    ? [`Only ${blocks} ${blocks === 1 ? 'cut' : 'cuts'} of each kind: figures are rough, and intervals are ranges.`]
    : [];
