import assert from 'node:assert/strict';

/**
 * Checks that all messages of a CSV were sent one after the other, since the start of the first trial.
 *
 * @param {string} csv
 */
export function assertOneClock(csv) {
  const [head, ...lines] = csv
    .trim()
    .split('\n')
    .map((line) => line.trim().split(','));
  const sentAtMs = lines.map((cells) => Number(cells[head.indexOf('sent_at_ms')]));
  assert.ok(sentAtMs[0] >= 0 && sentAtMs[0] < 60_000, String(sentAtMs[0]));
  for (const [i, ms] of sentAtMs.entries()) assert.ok(i === 0 || ms > sentAtMs[i - 1], `${sentAtMs[i - 1]}, ${ms}`);
}
