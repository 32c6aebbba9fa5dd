/** The common parts of the old experiments, whose trials are made one by one, and stored as records. */
import { isFallback } from '../answer/fallback.js';
import { isAccountedFor } from './document-fields.js';
import { formatCsv as formatSamples } from '../run/echo-trials.js';
import { fact } from '../run/trust.js';

/**
 * @import { GenericSchema, ObjectEntries } from 'valibot'
 * @import { Trial } from '../../net/echo/trial.js'
 * @import { Ending } from '../contract.js'
 * @import { Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from './document-fields.js'
 * @typedef {{ trial: Trial, ending?: Ending }} LoneRecord `ending`: absent if it finished, or failed once
 * @typedef {Trial & { startedAt: string, wasHidden: boolean, ending?: Ending }} LoneTrial as open-run.js opens a record
 */

/** The bounds of what a page keeps for a reload: a tab keeps some megabytes for all pages of a site. */
const MAX_KEPT = { records: 100, samples: 50_000 };

/** The maximum number of records in a document, and so in a plan that repeats one. */
export const MAX_RECORDS = 1000;

/** What their findings have in common. */
export const LONE_FINDINGS = Object.freeze({
  /** @param {{ trials: readonly Trial[] }} part */
  roundTripsOf: ({ trials }) => trials.flatMap(({ samples }) => samples.roundTripMs),
  /** @param {{ trials: readonly LoneTrial[] }} part */
  trustOf: ({ trials }) => ({ facts: [validFact(trials)] }),
});

/**
 * Formats a line for each sample and each failure: each trial has its own block, and times count from the start of the first.
 * @param {{ trials: readonly Trial[] }} part
 */
export function formatCsv({ trials }) {
  const [{ startedAtMs }] = trials;
  return formatSamples({
    trials: trials.map((trial, block) => ({ ...trial, block, startedAtMs: trial.startedAtMs - startedAtMs })),
  });
}

/**
 * @param {LoneTrial} trial @param {boolean} isOwn whether it can be one of its document's @param {string} words the
 *   expected form, without its end
 * @returns {string | undefined} what was expected, unless it is complete, or has a first failure or an ending
 */
export function faultOfLone(trial, isOwn, words) {
  const isEnded = isAccountedFor(trial, trial.iterations, trial.ending !== undefined);
  if (isOwn && trial.failures.length <= 1 && isEnded) return undefined;
  return `expected ${words} is complete, ended with one failure, or says why it ended`;
}

/**
 * Says why a run is invalid, which its digest's detail and headline do not say.
 * @param {Record<string, any>} digest
 */
export const describeInvalid = ({ failureCount }) =>
  failureCount > 0 ? 'not all messages were answered' : 'the tab was hidden during the run, or a trial did not finish';

/**
 * The stored form of these experiments: a list of records, with the document's head.
 * @param {Valibot} v @param {{ schema: string, head: ObjectEntries, list: string, record: GenericSchema }} form
 */
export const schemaOfRecords = (v, { schema, head, list, record }) =>
  v.strictObject({
    schema: v.literal(schema),
    ...head,
    [list]: v.pipe(v.array(record), v.minLength(1), v.maxLength(MAX_RECORDS)),
  });

/** @template {ObjectEntries} E @param {Valibot} v @param {DocumentFields} fields @param {E} own of the experiment */
export const schemaOfRecord = (v, { time, trial, ending }, own) =>
  v.strictObject({ startedAt: time, wasHidden: v.boolean(), ...own, trial, ending: v.optional(ending) });

/**
 * Returns the newest records that a page keeps for a reload, in their order: the list has no gaps.
 * @template {{ trial: Trial }} R @param {readonly R[]} records @returns {R[]}
 */
export function newestOf(records) {
  let sampleCount = 0;
  const last = records.findLastIndex(({ trial }, i) => {
    sampleCount += trial.samples.iteration.length;
    return sampleCount > MAX_KEPT.samples || records.length - i > MAX_KEPT.records;
  });
  return records.slice(last + 1);
}

/** @param {readonly LoneTrial[]} trials */
function validFact(trials) {
  const hiddenCount = trials.filter(({ wasHidden }) => wasHidden).length;
  const unfinishedCount = trials.filter(({ failures, ending }) => ending || failures.length > 0).length;
  if (hiddenCount + unfinishedCount === 0) return fact('Complete', 'yes, tab never hidden, every message answered');
  const reasons = [
    ...(hiddenCount > 0 ? [`${hiddenCount} of ${trials.length} ran in a hidden tab`] : []),
    ...(unfinishedCount > 0 ? [`${unfinishedCount} of ${trials.length} did not finish`] : []),
  ];
  return fact('Complete', `no, ${reasons.join(', ')}`, reasons.join(', '));
}

/** @param {LoneTrial} trial @returns {boolean} whether it was finished, with the page in sight */
export const isFinished = ({ samples, iterations, wasHidden }) => samples.iteration.length >= iterations && !wasHidden;

/**
 * The reason of its end, unless it failed.
 * @param {Trial} trial @param {AbortSignal} [signal] @returns {Ending | undefined}
 */
export function endingOf({ samples, failures, iterations }, signal) {
  return signal?.aborted && failures.length === 0 && samples.iteration.length < iterations ? signal.reason : undefined;
}

/**
 * Formats how far a trial came, and what ended it.
 * @param {LoneRecord} run that did not finish @param {string} made how far
 */
export function formatUnfinished({ trial: { failures }, ending }, made) {
  const [failure] = failures;
  // In old documents, a cancelled trial has a failure.
  if (ending?.kind === 'cancelled' || failure?.outcome === 'aborted') return `Stopped after ${made}.`;
  return ending ? `Ended after ${made}: ${ending.reason}` : `Failed after ${made}: ${failure.message}`;
}

/**
 * Formats the notes beside the table.
 * @param {{ coldSetUpMs?: number, environment: { stepMs?: number, isCrossOriginIsolated: boolean }, records: readonly
 *   (LoneRecord & { wasHidden: boolean })[] }} result
 */
export function formatNotes({ coldSetUpMs, environment: { stepMs, isCrossOriginIsolated }, records }) {
  const isStreamed = records.some(({ trial }) => trial.protocol === 'xhr-streaming');
  const isolation = isCrossOriginIsolated ? '' : ' (coarse, because the page is not cross-origin isolated)';
  return [
    coldSetUpMs !== undefined && `A new connection took ${coldSetUpMs.toFixed(1)} ms (one sample, after the runs).`,
    coldSetUpMs === undefined && records.some(isReused) && 'The time of a new connection could not be measured.',
    stepMs === undefined
      ? 'The clock’s step could not be measured.'
      : `The clock’s step is ${Number((stepMs * 1000).toPrecision(2))} µs${isolation}.`,
    records.some(({ trial }) => isFallback(trial.transport, trial.protocol)) &&
      `SockJS fell back, because no WebSocket could be opened. Its client then waits 25 ms after each message${isStreamed ? ', and a browser passes xhr-streaming data to the page at most once every 50 ms' : ''}. The figures include that.`,
    records.some(({ wasHidden }) => wasHidden) &&
      'This tab was hidden during a run. Browsers slow hidden tabs down, so the figures of that run are invalid.',
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * Checks whether it has a result other than a lost connection.
 * @param {{ trial: Trial }} run @returns {boolean}
 */
export function hasFigures({ trial: { samples, failures } }) {
  return samples.iteration.length > 0 || failures.every(({ outcome }) => outcome !== 'closed');
}

/**
 * Checks whether a run reused a connection: over HTTP it has answers, but opened none.
 * @param {{ trial: Trial }} run
 */
export function isReused({ trial: { samples, setUpMs } }) {
  return samples.iteration.length > 0 && setUpMs === undefined;
}
