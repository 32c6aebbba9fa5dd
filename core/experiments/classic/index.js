/** The test of 2012. */
import { escape } from '../../base/foreign-text.js';
import { faultOfRecord, lone } from '../../experiment/lone-trials.js';
import { describeTrust, reportOn } from '../../experiment/report.js';
import { toMarkdown } from '../../experiment/table.js';
import { labelOf } from '../../experiment/labels.js';
import { comparisonPart, quoteHeadlines } from './comparison.js';
import { digestOf, digestSchema } from './digest.js';
import { measurement } from './measure.js';
import { describePlan, FIELDS, linkPath } from './plan.js';
import { describeServer, formatClassic, formatNotes, report, tabulateClassic } from './report.js';
import { headSchema, trialSchema } from './schema.js';
import { summarize } from './summary.js';

/** @import { ClassicDocument, ClassicRecord, ClassicResult } from './schema.js' */

/**
 * The lines of 2012 stay lines. What ended a run is foreign text, and no part of such a block.
 * @param {ClassicRecord} run
 */
function linesOf(run) {
  const line = formatClassic(run);
  return run.elapsedMs === undefined ? ['', escape(line), ''] : [`    ${line}`];
}

/** @param {ClassicResult} result @returns {string} */
export function formatMarkdown(result) {
  const { transport, environment, runs } = result;
  const words = reportOn(classic, report(result), result);
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

export const classic = lone({
  ...measurement,
  name: 'classic',
  label: 'Classic test of 2012',
  question: 'How many messages per second do AJAX and SockJS exchange in the tests of 2012?',
  fields: FIELDS,
  linkPath,
  describePlan,
  describeTrial: ({ iterations }) => `${iterations} iterations`,
  moreSchema: (v, fields) => headSchema(v, fields).entries,
  trialSchema,
  records: 'runs',
  planOf: (/** @type {ClassicDocument} */ { transport, runs }) => ({
    transport,
    iterations: runs.map(({ trial }) => trial.iterations),
  }),
  faultOf: (/** @type {ClassicRecord} */ record, { plan: { transport } }) =>
    faultOfRecord(
      record,
      record.trial.transport === transport && record.clickedAtMs <= record.trial.startedAtMs,
      `a run by ${labelOf(transport)} that began after its click and`,
    ),
  digestSchema,
  find(document) {
    const summary = summarize(document);
    return { summary, report: report(summary), ownDigest: digestOf(summary) };
  },
  formatMarkdown: (document, findings) => formatMarkdown(findings?.summary ?? summarize(document)),
  describeDigests: quoteHeadlines,
  comparisonPart,
  needsPage: true,
  unmeasured: { transport: 'ajax', runs: [] },
});

export default classic;
