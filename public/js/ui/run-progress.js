import { labelOf } from '../../../core/transports/labels.js';
import { element } from './element.js';

/** Rarely, as each look is a frame that the timed loop pays for: most trials are over before the first. */
const LOOK_MS = 2000;

/**
 * @typedef {object} FollowedTrial
 * @property {number} trialCount of the whole run
 * @property {() => number} share how much of this trial is over, from 0 to 1
 * @property {(trial: number) => string} words which trial it is, counted from 1, and how far
 * @property {number} [lookMs] where something else is drawn meanwhile
 */

/**
 * How far a run is: by its trials, and within a long one by its iterations.
 *
 * @returns {{ followTrial(trial: FollowedTrial): void, follow(plan: Pick<import('../../../core/plan.js').Plan, 'transports' | 'blocks' | 'iterations'>, transport: string, block: number,
 *   counter: import('../../../core/trial.js').Progress): void, show(run: { madeCount: number, trialCount: number, words: string }): void, pause(): void, stop(): void, say(words: string): void, focus(): void }}
 *   `followTrial`, or `follow` where trials come in blocks, is called when a trial begins, `stop` when no more will; `show`
 *   instead of them where trials are so short that only some can be shown
 */
export function createRunProgress() {
  const bar = element('#progress', HTMLProgressElement);
  const text = element('#progress-text', HTMLOutputElement);
  let timer = 0;
  let trialCount = 0;

  const pause = () => {
    clearInterval(timer);
    if (trialCount > 0) bar.value = trialCount;
  };

  /** @param {FollowedTrial} trial */
  const followTrial = ({ trialCount: plannedCount, share, words, lookMs = LOOK_MS }) => {
    clearInterval(timer);
    const made = trialCount++;
    const show = () => {
      bar.max = plannedCount;
      bar.value = made + share();
      text.value = words(made + 1);
    };
    show();
    timer = window.setInterval(show, lookMs);
  };

  return {
    followTrial,
    follow({ transports, blocks, iterations }, transport, block, counter) {
      followTrial({
        trialCount: blocks * transports.length,
        share: () => counter.completedCount / iterations,
        words: () =>
          `Block ${block + 1} of ${blocks}: ${labelOf(transport)}, ${counter.completedCount} of ${iterations}`,
      });
    },
    show({ madeCount, trialCount: plannedCount, words }) {
      trialCount = madeCount;
      bar.max = plannedCount;
      bar.value = madeCount;
      text.value = words;
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
