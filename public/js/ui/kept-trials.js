/** Keeps the newest trials of a page without a plan in this tab: a reload and Back show them again. */
import { newestOf } from '../../../core/experiment/documents/lone-trials.js';
import { openPart, isDocumentOf } from '../../../core/experiment/run/open-run.js';
import { createKeptRun } from './kept-run.js';

/** The newest of the timers by which the page's own lag is known. */
const MAX_LATE_COUNT = 2000;

/** @typedef {ReturnType<typeof createKeptTrials>} KeptTrials */

/**
 * @param {any} experiment whose trials are made one by one
 * @param {{ name: string, list: string }} page `name`: unlike those of other pages; `list`: that of the trials in its documents
 */
export function createKeptTrials(experiment, { name, list }) {
  const kept = createKeptRun(name);
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
      const newest = newestOf(document[list]);
      if (newest.length === 0) return kept.forget();
      kept.keep({
        document: { ...document, [list]: newest },
        clockStartMs: performance.timeOrigin - clockOffsetMs,
        lateMs: lateMs.slice(-MAX_LATE_COUNT).map((ms) => Number(ms.toFixed(1))),
      });
    },

    /** @returns {{ document: any, lateMs: number[] } | undefined} absent on a new visit, or if there is nothing */
    read() {
      const run = kept.read();
      if (!run || !isDocumentOf(experiment, run.document)) return undefined;
      const { document } = run;
      const endsMs = openPart(experiment, document).trials.map(
        (trial) => trial.startedAtMs + experiment.readTrial(trial).lastMs,
      );
      // A clock that was set back must not let a new trial begin before the kept ones.
      clockOffsetMs = Math.max(performance.timeOrigin - run.clockStartMs, ...endsMs);
      return { document, lateMs: run.lateMs };
    },
  };
}
