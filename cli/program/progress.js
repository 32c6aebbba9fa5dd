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
 * @typedef {ReturnType<typeof createProgress>} Progress
 */

/**
 * One line on a stream that says how far a run is. A terminal gets it rewritten in place, a file gets some lines.
 *
 * @param {{ stream: NodeJS.WriteStream, isQuiet: boolean }} options
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
  /** Must be called. */
  const end = () => {
    clearInterval(timer);
    if (stream.isTTY) write('\r\u001b[K');
  };

  return {
    /** Ends the trial before. @param {ShownTrial} trial */
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
    /** A line that stays. @param {string} text */
    say(text) {
      end();
      write(`${text}\n`);
    },
    end,
  };
}

/**
 * @param {number} completedCount
 * @param {number} count
 * @example formatBar(5, 10) // '[##########----------] 5 of 10'
 */
export function formatBar(completedCount, count) {
  const filled = Math.floor((BAR_LENGTH * completedCount) / count);
  return `[${'#'.repeat(filled).padEnd(BAR_LENGTH, '-')}] ${completedCount} of ${count}`;
}
