/** The test of 2012. */
import { escape } from '../../base/foreign-text.js';
import { faultOfLone, formatCsv, LONE } from '../../experiment/lone-trials.js';
import { describeTrust, findingsOf } from '../../experiment/report.js';
import { toMarkdown } from '../../experiment/table.js';
import { labelOf } from '../../experiment/labels.js';
import { comparisonPart } from './comparison.js';
import { digestOf, digestSchema } from './digest.js';
import { measurement } from './measure.js';
import { describePlan, FIELDS, linkPath } from './plan.js';
import { describeServer, formatClassic, formatNotes, report, tabulateClassic } from './report.js';
import { openStored, schemaOf, trialSchema } from './schema.js';
import { summarize } from './summary.js';

/** @import { Experiment, Findings } from '../../experiment/contract.js' */
/** @import { ClassicRecord, ClassicTrial } from './schema.js' */

/**
 * The lines of 2012 stay lines. What ended a run is foreign text, and no part of such a block.
 * @param {ClassicRecord} run
 */
function linesOf(run) {
  const line = formatClassic(run);
  return run.elapsedMs === undefined ? ['', escape(line), ''] : [`    ${line}`];
}

/** @param {any} document @param {Findings} [findings] @returns {string} */
function formatMarkdown(document, findings = findingsOf(classic, document)) {
  const { summary: result, report: words } = findings;
  const { transport, environment, runs } = result;
  const { notice = '', conditions = '' } = words;
  return [
    `### SockShootout, ${transport}`,
    '',
    ...runs.flatMap(linesOf),
    '',
    ...toMarkdown(tabulateClassic(result)),
    '',
    escape(describeTrust(words)),
    '',
    notice,
    '',
    escape(conditions),
    '',
    formatNotes(result),
    '',
    escape(describeServer(result)),
    `Page: ${escape(environment.url)}, ${runs[0].startedAt}, ${escape(environment.userAgent)}.`,
    '',
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

/** @satisfies {Experiment} */
export const classic = Object.freeze({
  ...measurement,
  ...LONE,
  name: 'classic',
  label: 'Classic test of 2012',
  question: 'How many messages per second do AJAX and SockJS exchange in the tests of 2012?',
  fields: FIELDS,
  linkPath,
  describePlan,
  describeTrial: ({ iterations }) => `${iterations} iterations`,
  schemaOf,
  openStored,
  trialSchema,
  faultOf: (/** @type {ClassicTrial} */ trial, { plan: { transport } }) =>
    faultOfLone(
      trial,
      trial.transport === transport && trial.clickedAtMs <= trial.startedAtMs,
      `a run by ${labelOf(transport)} that began after its click and`,
    ),
  digestSchema,
  find(part) {
    const summary = summarize(part);
    return { summary, report: report(summary), ownDigest: digestOf(summary) };
  },
  formatCsv: (document) => formatCsv(openStored(document)),
  formatMarkdown,
  comparisonPart,
});

export default classic;
