/** So often a terminal shows how far a trial is: more often would cost what is measured. */
const REFRESH_MS = 250;
const BAR_LENGTH = 20;
/** A file gets a line for each fifth of a run. */
const FILE_STEP_PERCENT = 20;

/**
 * @typedef {object} ShownTrial
 * @property {string} title
 * @property {number} [percent] of the run, that is done before it
 * @property {{ completedCount: number }} state kept up to date by the trial
 * @property {number} messageCount that it counts up to
 *
 * @typedef {object} Progress
 * @property {(trial: ShownTrial) => void} start a trial, which ends the one before
 * @property {(text: string) => void} say a line that stays
 * @property {() => void} end must be called
 */

/**
 * One line on a stream that says how far a run is. A terminal gets it rewritten in place, a file gets some lines.
 *
 * @param {{ stream: NodeJS.WriteStream, isQuiet: boolean }} options
 * @returns {Progress}
 */
export function createProgress({ stream, isQuiet }) {
  const stepPercent = stream.isTTY ? 1 : FILE_STEP_PERCENT;
  let shownPercent = -1;
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
    start({ title, percent, state, messageCount }) {
      clearInterval(timer);
      const step = percent === undefined ? -1 : Math.floor(percent / stepPercent) * stepPercent;
      const text = percent === undefined ? title : `${step}%  ${title}`;
      const isNew = percent === undefined || step !== shownPercent;
      shownPercent = step;
      if (!stream.isTTY) {
        if (isNew) write(`${text}\n`);
        return;
      }
      const bar = () => (messageCount > 1 ? `  ${formatBar(state.completedCount, messageCount)}` : '');
      const show = () => write(`\r\u001b[K${text}${bar()}`);
      if (isNew) show();
      if (!isQuiet && messageCount > 1) timer = setInterval(show, REFRESH_MS);
    },
    say(text) {
      clear();
      write(`${text}\n`);
    },
    end: clear,
  };
}

/**
 * @param {number} completedCount
 * @param {number} count
 * @returns {string}
 * @example formatBar(5, 10) // '[##########----------] 5 of 10'
 */
export function formatBar(completedCount, count) {
  const filled = Math.floor((BAR_LENGTH * completedCount) / count);
  return `[${'#'.repeat(filled).padEnd(BAR_LENGTH, '-')}] ${completedCount} of ${count}`;
}
