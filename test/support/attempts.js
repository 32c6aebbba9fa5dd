/** @import { TestContext } from 'node:test' */

/**
 * Claims about real time that hold on a quiet machine, and that a busy one can spoil for a while.
 *
 * The false-alarm rate: where a claim holds in at least every second attempt, it fails in all of so many less than once in
 * a million times (2 ** -20). Where it does not hold, no number of attempts helps it.
 */
const USUAL_ATTEMPTS = 20;

/**
 * @param {TestContext} t is told of attempts that failed
 * @param {() => Promise<string | undefined>} attempt gives what does not hold, or nothing
 * @param {number} [attempts] fewer where each holds more often, so that what does not hold is found
 * @throws {Error} where no attempt held
 */
export async function holdsOnce(t, attempt, attempts = USUAL_ATTEMPTS) {
  /** @type {string[]} */
  const failures = [];
  while (failures.length < attempts) {
    const failure = await attempt();
    if (failure === undefined) return;
    failures.push(failure);
    t.diagnostic(`attempt ${failures.length}: ${failure}`);
  }
  throw new Error(`None of ${attempts} attempts held: ${failures.join('; ')}`);
}
