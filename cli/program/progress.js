/**
 * @typedef {object} Progress
 * @property {(doneCount: number) => void} show how many trials are done
 * @property {(words: string) => void} say a line that stays
 * @property {() => void} end
 */

/**
 * One line on a stream that says how far a run is. A terminal gets it rewritten in place, a file gets a line for every
 * fifth of it.
 *
 * @param {object} options
 * @param {NodeJS.WriteStream} options.stream
 * @param {number} options.blocks
 * @param {number} options.trialsPerBlock
 * @param {boolean} options.isQuiet
 * @returns {Progress}
 */
export function createProgress({ stream, blocks, trialsPerBlock, isQuiet }) {
  const total = blocks * trialsPerBlock;
  const stepPercent = stream.isTTY ? 1 : 20;
  let shownPercent = -1;
  /** @param {string} text */
  const write = (text) => {
    if (!isQuiet) stream.write(text);
  };
  const clear = () => {
    if (stream.isTTY) write('\r\u001b[K');
  };

  return {
    show(doneCount) {
      const percent = Math.floor((100 * doneCount) / total / stepPercent) * stepPercent;
      if (percent === shownPercent) return;
      shownPercent = percent;
      const block = Math.min(blocks, Math.floor(doneCount / trialsPerBlock) + 1);
      const text = `${percent} %  block ${block} of ${blocks}`;
      write(stream.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
    },
    say(words) {
      clear();
      write(`${words}\n`);
    },
    end: clear,
  };
}
