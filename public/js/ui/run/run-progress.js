import { formatSeconds } from '../../../../core/base/format.js';
import { element } from '../element.js';

/** Rarely, as each look is a frame that the timed loop pays for: most trials are over before the first. */
const LOOK_MS = 2000;

/**
 * @typedef {object} FollowedTrial
 * @property {number} trialCount of the whole run
 * @property {() => number} share how much of this trial is over, from 0 to 1
 * @property {(trial: number) => string} words which trial it is, counted from 1, and how far
 * @property {number} [lookMs] where something else is drawn during the run
 * @property {boolean} [hasTimeLeft] false where a run is too short to say how long it still takes
 */

/**
 * How far a run is: by its trials, and within a long one by its iterations; and how long it still takes.
 * @returns {{ begin(): void, followTrial(trial: FollowedTrial): void, show(run: { madeCount: number, trialCount: number,
 *   words: string }): void, pause(): void, stop(): void, say(words: string): void, focus(): void }} `begin` when a run was
 *   asked for; `followTrial` when a trial begins, `pause` when what follows is none, `stop` when no more will; `show`
 *   instead of them where trials are so short that only some can be shown
 */
export function createRunProgress() {
  const bar = element('#progress', HTMLProgressElement);
  const text = element('#progress-text', HTMLOutputElement);
  let timer = 0;
  let trialCount = 0;
  let startedAtMs = 0;

  /** @param {number} value @param {number} max @param {string} words */
  const show = (value, max, words) => {
    bar.max = max;
    bar.value = value;
    text.value = words;
  };
  const pause = () => {
    clearInterval(timer);
    if (trialCount > 0) bar.value = trialCount;
  };

  return {
    begin() {
      pause();
      trialCount = 0;
      bar.value = 0;
      text.value = 'Connecting';
    },
    followTrial({ trialCount: plannedCount, share, words, lookMs = LOOK_MS, hasTimeLeft = true }) {
      clearInterval(timer);
      if (trialCount === 0) startedAtMs = performance.now();
      const made = trialCount++;
      const look = () => {
        const value = made + share();
        const left = hasTimeLeft ? describeTimeLeft(value / plannedCount, performance.now() - startedAtMs) : '';
        show(value, plannedCount, words(made + 1) + left);
      };
      look();
      timer = window.setInterval(look, lookMs);
    },
    show: ({ madeCount, trialCount: plannedCount, words }) => {
      trialCount = madeCount;
      show(madeCount, plannedCount, words);
    },
    pause,
    stop() {
      pause();
      trialCount = 0;
    },
    say(words) {
      text.value = words;
    },
    focus: () => text.focus({ preventScroll: true }),
  };
}

/** Before this share of a run is over nothing is known of the rest. */
const KNOWN_SHARE = 0.1;

/** @param {number} share of the run that is over @param {number} elapsedMs @returns {string} empty where it is not known yet */
function describeTimeLeft(share, elapsedMs) {
  if (share < KNOWN_SHARE) return '';
  const seconds = Math.ceil((elapsedMs * (1 - share)) / share / 1000);
  return `, about ${formatSeconds(seconds)} left`;
}
