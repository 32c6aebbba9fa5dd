import { labelOfWay } from '../../core/net/delivery/labels.js';

/**
 * @import { JobsProgress } from '../../core/experiments/jobs/measure.js'
 * @import { PlannedTrial } from '../../core/experiments/jobs/plan.js'
 */

/** The live state is looked at so often: more would cost what is measured. */
const LOOK_MS = 250;
const BAR_LENGTH = 20;

/**
 * @typedef {JobsProgress} TrialState
 *
 * @typedef {object} JobsProgressLine
 * @property {(title: string, state: TrialState) => void} start a trial, which ends the one before
 * @property {(words: string) => void} say a line that stays
 * @property {() => void} end must be called
 */

/**
 * One line on a stream that says how many jobs of a trial were told of. A terminal gets it rewritten in place, a file gets
 * a line when a trial begins.
 *
 * @param {{ stream: NodeJS.WriteStream, isQuiet: boolean }} options
 * @returns {JobsProgressLine}
 */
export function createJobsProgress({ stream, isQuiet }) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @param {string} text */
  const write = (text) => {
    if (!isQuiet) stream.write(text);
  };
  const clear = () => {
    clearInterval(timer);
    if (stream.isTTY) write('\r\u001b[K');
  };

  return {
    start(title, state) {
      clear();
      if (!stream.isTTY) {
        write(`${title}\n`);
        return;
      }
      const show = () => write(`\r\u001b[K${title}  ${formatBar(state)}`);
      show();
      if (!isQuiet) timer = setInterval(show, LOOK_MS);
    },
    say(words) {
      clear();
      write(`${words}\n`);
    },
    end: clear,
  };
}

/**
 * @param {Pick<TrialState, 'completedCount' | 'failed'>} state
 * @returns {string}
 * @example formatBar({ completedCount: 5, failed: new Uint8Array(10) }) // '[##########----------] 5 of 10 jobs'
 */
export function formatBar({ completedCount, failed }) {
  const filled = Math.floor((BAR_LENGTH * completedCount) / failed.length);
  return `[${'#'.repeat(filled).padEnd(BAR_LENGTH, '-')}] ${completedCount} of ${failed.length} jobs`;
}

/**
 * @param {PlannedTrial} trial
 * @param {{ number: number, count: number }} place counted from 1
 * @returns {string}
 */
export function formatTrialTitle({ way, intervalMs }, { number, count }) {
  return `Trial ${number} of ${count}: ${labelOfWay(way, intervalMs)}`;
}
