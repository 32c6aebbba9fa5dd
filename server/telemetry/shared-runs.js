/**
 * Exposes shared runs to Prometheus: the newest of each label, place and comparison. Visitors choose labels and places, so the
 * number of runs that are read and the number of series are limited; the newest come first.
 */
import { Gauge, Registry } from 'prom-client';
import { createSpelling } from '../../core/base/fold.js';
import { visible } from '../../core/base/foreign-text.js';
import { scopeOfDigest } from '../../core/experiment/run/scope.js';

/**
 * @import { StoredAnswer } from '../../core/experiment/documents/stored-answers.js'
 * @import { SavedRun } from '../store/index.js'
 * @typedef {Record<typeof LABELS[number], string>} Labels
 */

const LABELS = /** @type {const} */ (['label', 'place', 'scope', 'experiment', 'subject']);
/** More runs than a study of a few dozen places has. */
export const MAX_RUNS = 500;
export const MAX_SERIES = 200;

/** @type {readonly { name: string, help: string, valueOf: (answer: StoredAnswer, run: SavedRun) => number | undefined }[]} */
const GAUGES = [
  {
    name: 'ratio',
    help: 'How many times as fast, or as many, as what pages use now',
    valueOf: ({ amount }) => (amount?.unit.startsWith('times-as-') ? amount.value : undefined),
  },
  {
    name: 'difference_seconds',
    help: 'How much sooner a message is answered (without the round trip), or news arrives, than with what pages use now',
    valueOf: ({ amount, overhead }) => {
      if (overhead) return (overhead.baselineMs - overhead.messageMs) / 1000;
      return amount?.unit === 'sooner-ms' ? amount.value / 1000 : undefined;
    },
  },
  {
    name: 'round_trip_seconds',
    help: 'Fastest round trip of the run',
    valueOf: (_answer, { digest: { floorMs } }) => (floorMs === undefined ? undefined : floorMs / 1000),
  },
  {
    name: 'timestamp_seconds',
    help: 'When the run was shared, in seconds since 1970-01-01 UTC',
    valueOf: (_answer, { savedAt }) => Date.parse(savedAt) / 1000,
  },
];

/**
 * @param {readonly SavedRun[]} runs the newest first @param {{ olderCount: number }} others `olderCount`: of the runs that were not
 *   read @returns {Promise<string>} in Prometheus's text format
 */
export async function formatSharedRuns(runs, { olderCount }) {
  const registry = new Registry();
  const latest = latestOf(runs);
  for (const [name, help, count] of /** @type {const} */ ([
    [
      'runs_left_out',
      `Shared runs that these metrics leave out, as they are older than the newest ${MAX_RUNS}`,
      olderCount,
    ],
    [
      'run_series_left_out',
      `Sets of labels that these metrics leave out, beyond the newest ${MAX_SERIES}`,
      Math.max(0, latest.length - MAX_SERIES),
    ],
  ])) {
    new Gauge({ name: `sockshootout_shared_${name}`, help, registers: [registry] }).set(count);
  }
  const gauges = GAUGES.map(({ name, help, valueOf }) => {
    const options = { name: `sockshootout_shared_run_${name}`, help, labelNames: LABELS, registers: [registry] };
    return { gauge: new Gauge(options), valueOf };
  });
  for (const { labels, answer, run } of latest.slice(0, MAX_SERIES)) {
    for (const { gauge, valueOf } of gauges) {
      const value = valueOf(answer, run);
      if (Number.isFinite(value)) gauge.set(labels, Number(value));
    }
  }
  return registry.metrics();
}

/**
 * The newest answer for each set of labels. Leaves out answers of invalid runs, and answers with a warning not to use their figures.
 * @param {readonly SavedRun[]} runs @returns {{ labels: Labels, answer: StoredAnswer, run: SavedRun }[]}
 */
function latestOf(runs) {
  /** @type {Map<string, { labels: Labels, answer: StoredAnswer, run: SavedRun }>} */
  const latest = new Map();
  const names = { label: createSpelling(runs.map(labelOf)), place: createSpelling(runs.map(placeOf)) };
  for (const run of runs.filter(({ isValid }) => isValid !== false)) {
    /** @type {{ answers?: StoredAnswer[] }} */
    const { answers = [] } = run.digest;
    for (const answer of answers.filter(({ isDoubtful }) => !isDoubtful)) {
      const labels = labelsOf(run, answer, names);
      const key = JSON.stringify(labels);
      if (!latest.has(key)) latest.set(key, { labels, answer, run });
    }
  }
  return [...latest.values()];
}

/** @param {SavedRun} run @returns {string} */
const labelOf = ({ label = '' }) => label;

/** @param {SavedRun} run @returns {string} */
const placeOf = ({ place, digest }) => place?.name ?? digest.link ?? '';

/**
 * @param {SavedRun} run @param {StoredAnswer} answer @param {Record<'label' | 'place', (name: string) => string>} spell as most runs do
 * @returns {Labels}
 */
const labelsOf = (run, { experiment, subject }, spell) => ({
  label: visible(spell.label(labelOf(run))),
  place: visible(spell.place(placeOf(run))),
  scope: scopeOfDigest(run.digest),
  experiment,
  subject: visible(subject),
});
