/**
 * Lets one tab of this browser measure at a time, because two slow each other down: by a Web Lock, for which the others
 * wait. Pages without Web Locks, over plain HTTP, ask the other tabs instead, and the runs of both are marked.
 */
import { sleep } from '../../../core/base/async.js';

/**
 * @import { Environment } from '../../../core/experiment/contract.js'
 * @typedef {() => { hasOtherTab?: Environment['hasOtherTab'] }} Noticed
 * @typedef {{ noticed: Noticed, end: () => void }} Turn `noticed`: what was found until now; `end` to be called when the
 *   run is over
 * @typedef {{ locks?: LockManager, signal: AbortSignal, onWait: () => void }} Waiting `locks`: the browser's, if it has them; `signal`
 *   ends it, with its reason; `onWait` is called if another tab measures
 */

const NAME = 'sockshootout-measuring';
/** How long other tabs have to answer before the run: a later answer still marks it. */
const ANSWER_MS = 100;

/**
 * Waits until no other tab of this browser measures, as far as that can be known.
 * @param {Waiting} options @returns {Promise<Turn>}
 */
export async function takeTurnOfTabs(options) {
  const release = await takeLock(options);
  return release ? { noticed: () => ({}), end: release } : askOtherTabs(options.signal);
}

/**
 * @param {Waiting} options
 * @returns {Promise<(() => void) | undefined>} releases it; absent where there are no locks
 */
async function takeLock({ locks, signal, onWait }) {
  if (!locks) return undefined;
  try {
    const release = await request(locks, { ifAvailable: true });
    if (release) return release;
    onWait();
    return await request(locks, { signal });
  } catch {
    if (signal.aborted) throw signal.reason;
    // Where the visitor blocks the site's data, some browsers refuse locks, too.
    return undefined;
  }
}

/**
 * @param {LockManager} locks @param {LockOptions} options
 * @returns {Promise<(() => void) | undefined>} releases it; absent if it is not available. A tab that is closed releases
 *   it, too
 */
function request(locks, options) {
  return new Promise((resolve, reject) => {
    /** @param {Lock | null} lock @returns {Promise<void>} held until this resolves */
    const hold = (lock) =>
      new Promise((release) => {
        resolve(lock ? release : undefined);
        if (!lock) release();
      });
    locks.request(NAME, options, hold).catch(reject);
  });
}

/**
 * Asks whether another tab measures, and answers the others until the end.
 * @param {AbortSignal} signal @returns {Promise<Turn>}
 */
async function askOtherTabs(signal) {
  const channel = new BroadcastChannel(NAME);
  let hasOtherTab = false;
  channel.onmessage = ({ data }) => {
    hasOtherTab = true;
    if (data === 'asks') channel.postMessage('measures');
  };
  channel.postMessage('asks');
  await sleep(ANSWER_MS, { signal });
  return { noticed: () => (hasOtherTab ? { hasOtherTab } : {}), end: () => channel.close() };
}
