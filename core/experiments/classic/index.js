import { choice, integers } from '../../experiment/fields.js';
import { lone, MAX_RECORDS } from '../../experiment/lone-trials.js';
import { labelOf } from '../../net/echo/labels.js';
import { formatMarkdown, fromDocument, report, schemaOf } from './export.js';
import { formatClassic, ITERATIONS, measurement, PATHS } from './measure.js';

/**
 * @import { PlanOf } from '../../experiment/fields.js'
 * @import { ClassicDocument, ClassicRecord, ClassicResult } from './export.js'
 */

const FIELDS = Object.freeze({
  transport: choice({
    parameter: 'transport',
    label: 'Transport',
    choices: Object.fromEntries(Object.keys(PATHS).map((name) => [name, labelOf(name)])),
    default: 'ajax',
  }),
  iterations: integers({
    ...ITERATIONS,
    parameter: 'iterations',
    help: 'messages, each number a run of its own',
    maxCount: MAX_RECORDS,
    isSequence: true,
    default: [10, 100, 1000],
  }),
});

/** The test of 2012. */
export const classic = lone({
  ...measurement,
  name: 'classic',
  label: 'Classic test of 2012',
  fields: FIELDS,
  linkPath: (/** @type {PlanOf<typeof FIELDS>} */ { transport, iterations }) =>
    `${PATHS[transport]}?iterations=${iterations}&autostart=1`,
  describePlan: (/** @type {PlanOf<typeof FIELDS>} */ { transport, iterations }) =>
    `${iterations.join(', ')} messages by ${labelOf(transport)}, one at a time, as in 2012.`,
  describeTrial: ({ iterations }) => `${iterations} iterations`,
  schemaOf,
  records: 'runs',
  fromDocument,
  planOf: (/** @type {ClassicDocument} */ { transport, runs }) => ({
    transport,
    iterations: runs.map(({ trial }) => trial.iterations),
  }),
  isOwn: (/** @type {ClassicRecord} */ { clickedAtMs, trial }, { transport }) =>
    trial.transport === transport && clickedAtMs <= trial.startedAtMs,
  ownWords: ({ transport }) => `a run by ${labelOf(transport)} that began after its click and`,
  headlineOf(/** @type {ClassicResult} */ { transport, runs }) {
    const lines = runs.map(formatClassic);
    return {
      headline: `${labelOf(transport)}: ${lines[lines.length - 1]}`,
      detail: lines.join(' · '),
      classic: runs.map(({ trial: { iterations }, elapsedMs }) => ({ iterations, elapsedMs })),
    };
  },
  report,
  formatResult: formatMarkdown,
});
