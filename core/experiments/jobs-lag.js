/**
 * Lag: from the moment when a job is done to the moment when that is known here. No clocks need to agree.
 *
 * A creation answer that comes at once was half a round trip on its way, so the job is done its duration after that, less
 * the half. Where many jobs are made at once their answers wait, at the server or here, and are read late. How late is
 * known: the server says when it made each job, and within a trial its clock runs as ours does. So the answer that came
 * soonest after the server could have sent it, of all that say that a job is made or done, tells how the clocks stand to
 * each other.
 */

/** @typedef {Pick<import('./jobs.js').ToldColumns, 'sentAtMs' | 'createdAtMs' | 'toldAtMs' | 'durationMs' | 'madeAtMs'>} Times */

/**
 * Never more than there was time for between asking and the answer: what says more is not one clock, but those of several
 * machines.
 *
 * @param {Times} told of one trial
 * @param {number} roundTripMs
 * @returns {number[]} milliseconds by which each creation answer was read later than half a round trip after the job was made
 */
export function lateReadsOf({ sentAtMs, createdAtMs, toldAtMs, durationMs, madeAtMs }, roundTripMs) {
  let soonestMs = Infinity;
  for (const [i, madeMs] of madeAtMs.entries()) {
    soonestMs = Math.min(soonestMs, createdAtMs[i] - madeMs, toldAtMs[i] - madeMs - durationMs[i]);
  }
  return createdAtMs.map((createdMs, i) => {
    const mostMs = Math.max(0, createdMs - sentAtMs[i] - roundTripMs);
    return Math.min(mostMs, createdMs - madeAtMs[i] - soonestMs);
  });
}

/**
 * @param {Times} told of one trial
 * @param {number} roundTripMs
 * @returns {number[]} milliseconds, in the order of the jobs
 */
export function lagsOf(told, roundTripMs) {
  const lateReads = lateReadsOf(told, roundTripMs);
  const { createdAtMs, toldAtMs, durationMs } = told;
  return toldAtMs.map((ms, i) => ms - createdAtMs[i] - durationMs[i] + lateReads[i] + roundTripMs / 2);
}
