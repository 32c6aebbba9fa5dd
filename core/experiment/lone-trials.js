/** The common parts of the old experiments, whose trials are independent: they have no common plan. */
import { isFallback } from './labels.js';
import { schemasOf } from './schemas.js';
import { isAccountedFor } from './document-fields.js';
import { formatCsv, readTrial } from './echo-trials.js';
import { serverOf, UNKNOWN_SERVER } from './names.js';
import { linkPath } from './plan-link.js';
import { detailOf } from './report.js';
import { scopeIn } from './scope.js';
import { countTrials, minOf } from './trials.js';
import { fact, warningsIn } from './trust.js';

/**
 * @import { ObjectEntries } from 'valibot'
 * @import { Trial } from '../net/echo/trial.js'
 * @import { Ending, Environment, Experiment } from './contract.js'
 * @import { LocatedTrial } from './trials.js'
 * @import { DocumentFields, Valibot } from './document-fields.js'
 * @typedef {{ trial: Trial, ending?: Ending }} LoneTrial `ending`: absent if it finished, or failed once
 * @typedef {object} LoneParts the parts that only these experiments have
 * @property {string} records the list of its documents that holds the trials
 * @property {(document: any) => any} planOf a plan with the same trials
 * @typedef {Pick<Experiment, 'progressOf' | 'unmeasured' | 'readTrial' | 'trialsIn' | 'roundTripsOf' | 'formatCsv' | 'trustOf'> &
 *   Required<Pick<Experiment, 'planPath' | 'problemOf' | 'schemaOf' | 'digest'>>} Own the computed parts
 */

/** The bounds of what a page keeps for a reload: a tab keeps some megabytes for all pages of a site. */
const MAX_KEPT = { records: 100, samples: 50_000 };

/** The maximum number of records in a document, and so in a plan that repeats one. */
export const MAX_RECORDS = 1000;

/**
 * A planned experiment whose documents have a list of records in place of a plan and its trials.
 * @template {LoneParts & Omit<Experiment, keyof Own> & Partial<Own>} E @param {E} parts @returns {E & Own}
 */
export function lone(parts) {
  const { records, planOf } = parts;
  /** @param {any} document or result @returns {{ path: string, record: any }[]} none of one that another client made */
  const recordsIn = ({ [records]: all = [] }) =>
    all.map((/** @type {any} */ record, /** @type {number} */ i) => ({ path: `${records}.${i}`, record }));
  /** @param {any} document or result @returns {LocatedTrial[]} */
  const trialsIn = (document) =>
    recordsIn(document).map(({ path, record: { trial, startedAt } }) => {
      return { path: `${path}.trial`, trial, startedAt: [`${path}.startedAt`, startedAt] };
    });
  /** @param {any} document */
  const roundTripsOf = (document) => trialsIn(document).flatMap(({ trial }) => trial.samples.roundTripMs);
  /** @type {Own} */
  const own = {
    readTrial,
    trialsIn,
    roundTripsOf,
    planPath: (document) => linkPath(parts, planOf(document)),
    progressOf: ({ iterations }) => ({ totalCount: iterations }),
    unmeasured: { [records]: [] },
    schemaOf: (v, ofDocuments) =>
      v.strictObject({
        schema: v.literal(schemasOf(parts)[0]),
        ...parts.moreSchema?.(v, ofDocuments),
        [records]: v.pipe(v.array(parts.trialSchema(v, ofDocuments)), v.minLength(1), v.maxLength(MAX_RECORDS)),
      }),
    problemOf(document) {
      const plan = planOf(document);
      for (const [i, record] of document[records].entries()) {
        const message = parts.faultOf?.(record, { plan, isCut: record.ending !== undefined });
        if (message) return { path: `${records}.${i}`, message };
      }
      return undefined;
    },
    digest(_, findings) {
      const { summary: result, report, ownDigest } = findings;
      const { environment, [records]: all } = result;
      const trials = trialsIn(result).map(({ trial }) => trial);
      const server = trials.find((trial) => trial.server)?.server;
      return {
        startedAt: all[0].startedAt,
        ...(environment ? serverOf(environment, server) : { server: UNKNOWN_SERVER }),
        transports: [...new Set(trials.map(({ transport }) => transport))],
        // Times without samples cannot be checked.
        ...(environment && { isValid: all.every(isWhole), warningCount: warningsIn(report.trust).length }),
        ...countTrials(experiment, trials),
        ...(environment && { scope: scopeIn(experiment, result).scope }),
        floorMs: minOf(roundTripsOf(result)),
        headline: report.headline,
        detail: detailOf(report),
        ...(ownDigest && { [parts.name]: ownDigest }),
      };
    },
    // Each record has its own block, and times count from the start of the first.
    formatCsv: ({ [records]: all }) => {
      const { startedAtMs } = all[0].trial;
      const trials = all.map((/** @type {LoneTrial} */ { trial }, /** @type {number} */ block) => {
        return { ...trial, block, startedAtMs: trial.startedAtMs - startedAtMs };
      });
      return formatCsv({ trials });
    },
    trustOf: (document) => ({ facts: [validFact(recordsIn(document).map(({ record }) => record))] }),
  };
  const experiment = Object.freeze({ ...own, ...parts });
  return experiment;
}

/**
 * @param {LoneTrial} record @param {boolean} isOwn whether it can be one of its document's @param {string} words the
 *   expected form, without its end
 * @returns {string | undefined} what was expected, unless it is complete, or has a first failure or an ending
 */
export function faultOfRecord({ trial, ending }, isOwn, words) {
  const isEnded = isAccountedFor(trial, trial.iterations, ending !== undefined);
  if (isOwn && trial.failures.length <= 1 && isEnded) return undefined;
  return `expected ${words} is complete, ended with one failure, or says why it ended`;
}

/**
 * Says why a run is invalid, which its digest's detail and headline do not say.
 * @param {Record<string, any>} digest
 */
export const describeInvalid = ({ failureCount }) =>
  failureCount > 0 ? 'not all messages were answered' : 'the tab was hidden during the run, or a trial did not finish';

/** @template {ObjectEntries} E @param {Valibot} v @param {DocumentFields} fields @param {E} own of the experiment */
export const schemaOfRecord = (v, { time, trial, ending }, own) =>
  v.strictObject({ startedAt: time, wasHidden: v.boolean(), ...own, trial, ending: v.optional(ending) });

/**
 * Returns the newest records that a page keeps for a reload, in their order: the list has no gaps.
 * @template {Pick<LoneTrial, 'trial'>} R @param {readonly R[]} records @returns {R[]}
 */
export function newestOf(records) {
  let sampleCount = 0;
  const last = records.findLastIndex(({ trial }, i) => {
    sampleCount += trial.samples.iteration.length;
    return sampleCount > MAX_KEPT.samples || records.length - i > MAX_KEPT.records;
  });
  return records.slice(last + 1);
}

/** @param {readonly (LoneTrial & { wasHidden: boolean })[]} records */
function validFact(records) {
  const hiddenCount = records.filter(({ wasHidden }) => wasHidden).length;
  const unfinishedCount = records.filter(({ trial, ending }) => ending || trial.failures.length > 0).length;
  if (hiddenCount + unfinishedCount === 0) return fact('Valid', 'yes, tab never hidden, every message answered');
  const reasons = [
    ...(hiddenCount > 0 ? [`${hiddenCount} of ${records.length} ran in a hidden tab`] : []),
    ...(unfinishedCount > 0 ? [`${unfinishedCount} of ${records.length} did not finish`] : []),
  ];
  return fact('Valid', `no, ${reasons.join(', ')}`, true);
}

/** @param {{ elapsedMs?: number, wasHidden: boolean }} record */
const isWhole = ({ elapsedMs, wasHidden }) => elapsedMs !== undefined && !wasHidden;

/**
 * The reason of its end, unless it failed.
 * @param {Trial} trial @param {AbortSignal} [signal] @returns {Ending | undefined}
 */
export function endingOf({ samples, failures, iterations }, signal) {
  return signal?.aborted && failures.length === 0 && samples.iteration.length < iterations ? signal.reason : undefined;
}

/**
 * Formats how far a trial came, and what ended it.
 * @param {LoneTrial} run that did not finish @param {string} made how far
 */
export function formatUnfinished({ trial: { failures }, ending }, made) {
  const [failure] = failures;
  // In old documents, a cancelled trial has a failure.
  if (ending?.kind === 'cancelled' || failure?.outcome === 'aborted') return `Stopped after ${made}.`;
  return ending ? `Ended after ${made}: ${ending.reason}` : `Failed after ${made}: ${failure.message}`;
}

/**
 * Formats the notes beside the table.
 * @param {{ coldSetUpMs?: number, environment: Pick<Environment, 'stepMs' | 'isCrossOriginIsolated'>, records: readonly
 *   (LoneTrial & { wasHidden: boolean })[] }} result
 */
export function formatNotes({ coldSetUpMs, environment: { stepMs, isCrossOriginIsolated }, records }) {
  const isolation = isCrossOriginIsolated ? '' : ' (coarse, because the page is not cross-origin isolated)';
  return [
    coldSetUpMs !== undefined && `A new connection took ${coldSetUpMs.toFixed(1)} ms (one sample, after the runs).`,
    coldSetUpMs === undefined && records.some(isReused) && 'The time of a new connection could not be measured.',
    stepMs === undefined
      ? 'The clock’s step could not be measured.'
      : `The clock’s step is ${Number((stepMs * 1000).toPrecision(2))} µs${isolation}.`,
    records.some(({ trial }) => isFallback(trial.transport, trial.protocol)) &&
      'SockJS fell back, because no WebSocket could be opened. Its client then waits 25 ms after each message. The figures include that wait.',
    records.some(({ wasHidden }) => wasHidden) &&
      'This tab was hidden during a run. Browsers slow hidden tabs down, so the figures of that run are invalid.',
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * Checks whether it has a result other than a lost connection.
 * @param {Pick<LoneTrial, 'trial'>} run @returns {boolean}
 */
export function hasFigures({ trial: { samples, failures } }) {
  return samples.iteration.length > 0 || failures.every(({ outcome }) => outcome !== 'closed');
}

/**
 * Checks whether a run reused a connection: over HTTP it has answers, but opened none.
 * @param {Pick<LoneTrial, 'trial'>} run
 */
export function isReused({ trial: { samples, setUpMs } }) {
  return samples.iteration.length > 0 && setUpMs === undefined;
}
