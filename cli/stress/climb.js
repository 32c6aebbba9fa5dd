/**
 * Searches for the number of users that a delivery method supports: it doubles until a step fails; two halvings between
 * that step and the last one that succeeded narrow it down.
 */

/** @import { Step } from './step.js' */

const HALVING_COUNT = 2;

/**
 * Searches for the limit; absent if a step was cancelled. `carriedUsers`: the maximum that succeeded, 0 if none did;
 * `brokeAtUsers`: the minimum that failed, absent if all succeeded; `reason`: why; `isClientBusy`: it may support more,
 * as this program was too busy there.
 * @param {{ first: number, max: number, measureStep: (users: number) => Promise<Step | undefined> }} options
 */
export async function climbUsers({ first, max, measureStep }) {
  /** @type {Step[]} */
  const steps = [];
  let carriedUsers = 0;
  /** @type {Step | undefined} */
  let broken;
  /** @param {number} users */
  const take = async (users) => {
    const step = await measureStep(users);
    if (!step) return false;
    steps.push(step);
    if (step.hasHeld) carriedUsers = users;
    else broken = step;
    return true;
  };

  for (let users = Math.min(first, max); ; users = Math.min(2 * users, max)) {
    if (!(await take(users))) return undefined;
    if (broken || users === max) break;
  }
  for (let halving = 0; broken && halving < HALVING_COUNT; halving++) {
    const between = Math.floor((carriedUsers + broken.users) / 2);
    if (between === carriedUsers) break;
    if (!(await take(between))) return undefined;
  }
  const { users: brokeAtUsers, reason } = broken ?? {};
  return { steps, carriedUsers, brokeAtUsers, reason, isClientBusy: broken?.client.isBusy ?? false };
}
