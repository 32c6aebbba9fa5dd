/**
 * One line on a stream that says how far the work is. A terminal gets it rewritten in place, a file gets a line for
 * every tenth.
 *
 * @param {NodeJS.WriteStream} stream
 * @param {number} total
 * @returns {{ step(label: string): void, end(): void }} `step` counts one
 */
export function createProgressLine(stream, total) {
  let done = 0;
  let shownPercent = -1;
  const stepPercent = stream.isTTY ? 1 : 10;

  return {
    step(label) {
      done++;
      const percent = Math.floor((100 * done) / total / stepPercent) * stepPercent;
      if (percent === shownPercent) return;
      shownPercent = percent;
      stream.write(stream.isTTY ? `\r\u001b[K${percent} %  ${label}` : `${percent} %  ${label}\n`);
    },
    end() {
      if (stream.isTTY) stream.write('\r\u001b[K');
    },
  };
}
