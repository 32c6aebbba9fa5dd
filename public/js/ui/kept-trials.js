/** Keeps the newest trials of a page without a plan in this tab: a reload and Back show them again. */
import { isDocumentOf } from '../../../core/experiment/schemas.js';
import { newestOf } from '../../../core/experiment/lone-trials.js';
import { createKeptRun } from './kept-run.js';

/** The newest of the timers by which the page's own lag is known. */
const MAX_LATE_COUNT = 2000;

/** @typedef {ReturnType<typeof createKeptTrials>} KeptTrials */

/**
 * @param {any} experiment that `lone` made @param {string} page its name, unlike those of other pages
 */
export function createKeptTrials(experiment, page) {
  const kept = createKeptRun(page);
  const { records } = experiment;
  let clockOffsetMs = 0;
  const readingOf = (/** @type {number} */ reading) => reading + clockOffsetMs;
  return {
    ...kept,
    /**
     * The reading of a clock that goes on where that of the last page stood: all of a document have one origin.
     * @param {number} reading of `performance.now()`
     */
    readingOf,
    /** That clock. */
    now: () => readingOf(performance.now()),

    /** @param {any} document @param {readonly number[]} lateMs how late timers were */
    keep(document, lateMs) {
      const newest = newestOf(document[records]);
      if (newest.length === 0) return kept.forget();
      kept.keep({
        document: { ...document, [records]: newest },
        clockStartMs: performance.timeOrigin - clockOffsetMs,
        lateMs: lateMs.slice(-MAX_LATE_COUNT).map((ms) => Number(ms.toFixed(1))),
      });
    },

    /** @returns {{ document: any, lateMs: number[] } | undefined} absent on a new visit, or if there is nothing */
    read() {
      const run = kept.read();
      if (!run || !isDocumentOf(experiment, run.document)) return undefined;
      const { document } = run;
      const trials = experiment.trialsIn(document).map((/** @type {any} */ { trial }) => trial);
      const endsMs = trials.map((/** @type {any} */ trial) => trial.startedAtMs + experiment.readTrial(trial).lastMs);
      // A clock that was set back must not let a new trial begin before the kept ones.
      clockOffsetMs = Math.max(performance.timeOrigin - run.clockStartMs, ...endsMs);
      return { document, lateMs: run.lateMs };
    },
  };
}
