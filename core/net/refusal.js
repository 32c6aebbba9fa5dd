/** Says why a site does not store a run. */

const DAY_MS = 24 * 3600 * 1000;

/**
 * @param {{ path?: string, message: string }} error of the API
 * @param {string | null} serverDate the answer's Date header @param {number} [nowMs] of the device that measured
 * @returns {string} without its full stop
 */
export function describeRefusal({ path, message }, serverDate, nowMs = Date.now()) {
  const days = Math.round((nowMs - Date.parse(serverDate ?? '')) / DAY_MS);
  // A run says when it began by the device's clock: the path in the document helps nobody to mend that.
  if (!path?.endsWith('startedAt') || !days) return [path, message].filter(Boolean).join(': ');
  const count = Math.abs(days);
  const span = `${count} day${count === 1 ? '' : 's'} ${days > 0 ? 'ahead' : 'behind'}`;
  return `This device’s clock is ${span}. Set it, then measure again`;
}
