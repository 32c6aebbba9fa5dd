/**
 * @param {number} total
 * @returns {(label: string) => void} to be called after each: standard error gets a line for every tenth of them
 */
export function createProgress(total) {
  let done = 0;
  return (label) => {
    const before = Math.floor((10 * done) / total);
    done++;
    const tenths = Math.floor((10 * done) / total);
    if (tenths > before) process.stderr.write(`${10 * tenths} %  ${label}\n`);
  };
}
