import { formatSeconds } from '../../../../core/base/format.js';
import { labelOf } from '../../../../core/net/echo/labels.js';
import { element } from '../element.js';

/**
 * @import { Plan } from '../../../../core/experiments/shootout/plan.js'
 * @import { Progress } from '../../../../core/net/echo/trial.js'
 */

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
 * How far a run is: by its trials, and within a long one by its iterations; and how long it still takes.
 *
 * @returns {{ begin(): void, followTrial(trial: FollowedTrial): void, follow(plan: Pick<Plan, 'transports' | 'blocks' |
 *   'iterations'>, transport: string, block: number, counter: Progress): void, show(run: { madeCount: number,
 *   trialCount: number, words: string }): void, pause(): void, stop(): void, say(words: string): void, focus(): void }}
 *   `begin` when a run was asked for; `followTrial`, or `follow` where trials come in blocks, is called when a trial
 *   begins, `stop` when no more will; `show` instead of them where trials are so short that only some can be shown
 */
export function createRunProgress() {
  const bar = element('#progress', HTMLProgressElement);
  const text = element('#progress-text', HTMLOutputElement);
  let timer = 0;
  let trialCount = 0;
  let startedAtMs = 0;

  const pause = () => {
    clearInterval(timer);
    if (trialCount > 0) bar.value = trialCount;
  };

  /** @param {FollowedTrial} trial */
  const followTrial = ({ trialCount: plannedCount, share, words, lookMs = LOOK_MS }) => {
    clearInterval(timer);
    if (trialCount === 0) startedAtMs = performance.now();
    const made = trialCount++;
    const show = () => {
      bar.max = plannedCount;
      bar.value = made + share();
      text.value = words(made + 1) + describeTimeLeft(bar.position, performance.now() - startedAtMs);
    };
    show();
    timer = window.setInterval(show, lookMs);
  };

  return {
    begin() {
      pause();
      trialCount = 0;
      bar.value = 0;
      text.value = 'Connecting';
    },
    followTrial,
    follow({ transports, blocks, iterations }, transport, block, counter) {
      followTrial({
        trialCount: blocks * transports.length,
        share: () => counter.completedCount / iterations,
        words() {
          const { completedCount } = counter;
          const messages = completedCount > 0 ? `, ${completedCount} of ${iterations}` : '';
          return `Block ${block + 1} of ${blocks}: ${labelOf(transport)}${messages}`;
        },
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

/** Before this share of a run is over nothing is known of the rest. */
const KNOWN_SHARE = 0.1;

/**
 * @param {number} share of the run that is over
 * @param {number} elapsedMs
 * @returns {string} empty where it is not known yet
 */
function describeTimeLeft(share, elapsedMs) {
  if (share < KNOWN_SHARE) return '';
  const seconds = Math.ceil((elapsedMs * (1 - share)) / share / 1000);
  return `, about ${formatSeconds(seconds)} left`;
}
