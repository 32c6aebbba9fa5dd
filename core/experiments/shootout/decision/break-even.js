/** @import { Row } from '../report.js' */

/**
 * After how many messages a dearer connection has paid for itself.
 *
 * @param {{ row: Row, baseline: Row }} rows
 * @returns {number | undefined} messages, at least 1; absent where the transport does not surely save, or where a set-up
 *   was not measured
 */
export function findBreakEven({ row, baseline }) {
  const saving = row.comparison?.savingMs;
  const [setUpMs, baselineSetUpMs] = [row, baseline].map(({ setUp }) => setUp.medianMs);
  if (!saving || !(saving.low > 0) || setUpMs === undefined || baselineSetUpMs === undefined) return undefined;
  return Math.max(1, Math.ceil((setUpMs - baselineSetUpMs) / saving.estimate));
}
