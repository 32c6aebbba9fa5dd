/**
 * Shows the progress of a run, as a bar and as text. A timed loop only counts; this module reads its counter now and
 * then.
 */
import { formatMostSeconds, formatSeconds } from '../../../core/base/format.js';
import { element, nextPaint, titleTab } from '../base/page.js';

/** @import { TrialProgress } from '../../../core/experiment/contract.js' */
/** @import { Progress } from '../../../core/net/echo/trial.js' */

/** The interval of updates: each is a frame that delays the timed loop. Most trials end before the first. */
const LOOK_MS = 2000;
/** The share of a run before which the rest cannot be estimated. */
const KNOWN_SHARE = 0.1;

/**
 * @typedef {object} Stage one of several runs
 * @property {number} from the share of the bar at which it begins @property {number} to at which it ends
 * @property {string} words before those of its progress
 * @property {number} laterSeconds about, of the stages after it
 */

/** @type {Stage} */
const WHOLE = Object.freeze({ from: 0, to: 1, words: '', laterSeconds: 0 });

/**
 * @typedef {object} FollowedTrial
 * @property {number} trialCount of the whole run
 * @property {() => number} share how much of this trial is over, from 0 to 1
 * @property {(trial: number) => string} words the number of the trial, counted from 1, and its progress
 * @property {number} [lookMs] if something else is drawn during the run
 * @property {boolean} [hasTimeLeft] false if a run is too short to estimate the remaining time
 * @property {boolean} [mayEndEarly] if its answer is clear
 */

/** @typedef {ReturnType<typeof createRunProgress>} RunProgress */

/**
 * Creates a bar over the trials of a run, and within a long trial over its iterations; and the remaining time. `begin`
 * is called when a run is requested; `divide` if it has several stages, with all of them; `enter` when a stage of several begins; `followTrial` when a trial begins, `pause` between trials and other work, `stop`
 * after the last; `show` instead of them if trials are so short that only some can be shown.
 */
export function createRunProgress() {
  const bar = createBar();
  let timer = 0;
  let madeCount = 0;
  let trialsInAll = 1;
  let startedAtMs = 0;
  /** @param {number} value @param {number} max @param {string} words */
  const draw = (value, max, words) => {
    trialsInAll = max;
    bar.fillTo(value / max);
    bar.say(words);
  };
  /** Returns how much of the last trial is over: all of it, unless the run was stopped. */
  let shareOfLast = () => 1;
  const pause = () => {
    clearInterval(timer);
    if (madeCount > 0) bar.fillTo((madeCount - 1 + shareOfLast()) / trialsInAll);
  };
  const stop = () => {
    pause();
    madeCount = 0;
  };

  return {
    begin() {
      stop();
      bar.begin();
    },
    divide: bar.divide,
    /** @param {Stage} next */
    enter(next) {
      stop();
      bar.enter(next);
    },
    /** @param {FollowedTrial} trial */
    followTrial({ trialCount, share, words, lookMs = LOOK_MS, hasTimeLeft = true, mayEndEarly = false }) {
      clearInterval(timer);
      if (madeCount === 0) startedAtMs = performance.now();
      const made = madeCount++;
      shareOfLast = share;
      const look = () => {
        const value = made + share();
        const left = hasTimeLeft
          ? secondsLeft(value / trialCount, performance.now() - startedAtMs, bar.laterSeconds())
          : undefined;
        draw(value, trialCount, words(made + 1) + describeTimeLeft(left, mayEndEarly));
      };
      look();
      timer = window.setInterval(look, lookMs);
    },
    /** @param {{ madeCount: number, trialCount: number, words: string }} run */
    show(run) {
      madeCount = run.madeCount;
      shareOfLast = () => 1;
      draw(madeCount, run.trialCount, run.words);
    },
    pause,
    stop,
    /** Fills the bar: concurrent trials may have been shown as fewer. */
    fill: () => bar.fillTo(1),
    say: bar.say,
    focus: bar.focus,
  };
}

/** The bar with the words beside it, whose stages follow each other. */
function createBar() {
  const bar = element('#progress', HTMLProgressElement);
  bar.max = 1;
  const text = element('#progress-text', HTMLOutputElement);
  let stage = WHOLE;
  /** @param {string} words */
  const say = (words) => (text.value = stage.words + words);
  /** @param {number} share of the stage that is over */
  const fillTo = (share) => {
    bar.value = stage.from + (stage.to - stage.from) * share;
    titleTab(`${Math.floor(100 * bar.value)}%`);
  };
  return {
    begin() {
      stage = WHOLE;
      bar.style.maskImage = '';
      bar.value = 0;
      say('Connecting');
    },
    /** @param {readonly Stage[]} stages */
    divide: (stages) => void (bar.style.maskImage = gapsBetween(stages)),
    /** @param {Stage} next */
    enter(next) {
      stage = next;
      fillTo(0);
    },
    say,
    fillTo,
    laterSeconds: () => stage.laterSeconds,
    focus: () => text.focus({ preventScroll: true }),
  };
}

/**
 * @param {readonly Stage[]} stages @returns {string} a mask with a gap where each but the first begins; empty without a gap
 */
function gapsBetween(stages) {
  const starts = stages.slice(1).map(({ from }) => `${100 * from}%`);
  const gaps = starts.map((at) => `#000 0 calc(${at} - 2px), transparent 0 calc(${at} + 2px)`);
  return gaps.length > 0 ? `linear-gradient(90deg, ${gaps.join(', ')}, #000 0)` : '';
}

/**
 * @param {number} share of the run that is over @param {number} elapsedMs @param {number} laterSeconds of what follows
 * @returns {number | undefined} a whole number; absent if it is not known yet
 */
const secondsLeft = (share, elapsedMs, laterSeconds) =>
  share < KNOWN_SHARE ? undefined : Math.ceil((elapsedMs * (1 - share)) / share / 1000) + laterSeconds;

/** @param {number | undefined} seconds @param {boolean} mayEndEarly @returns {string} such as ', about 20 s left' */
function describeTimeLeft(seconds, mayEndEarly) {
  if (seconds === undefined) return '';
  return `, ${mayEndEarly ? `at most ${formatMostSeconds(seconds)}` : `about ${formatSeconds(seconds)}`} left`;
}

/**
 * Shows the progress of a run, by its trials and by the messages of each.
 * @param {readonly { block?: number }[]} trials of the run
 * @param {{ progress: RunProgress, to?: string, lookMs?: number, mayEndEarly: boolean }} options `to`: behind each trial's
 *   label; `lookMs`: the interval, if something else is drawn; `mayEndEarly`: whether the plan looks
 * @returns {{ onTrialStart(planned: any, counter: Progress & TrialProgress): void, onTrialEnd(): Promise<void> }} as a run calls them
 */
export function followTrials(trials, { progress, to = '', lookMs, mayEndEarly }) {
  const blockCount = (trials.at(-1)?.block ?? 0) + 1;
  return {
    onTrialStart(planned, counter) {
      const { block } = planned;
      progress.followTrial({
        trialCount: trials.length,
        lookMs,
        mayEndEarly,
        share: () => counter.completedCount / counter.totalCount,
        words(trial) {
          const ofBlocks = `Block ${block + 1} of ${blockCount}`;
          const place = block === undefined ? `Trial ${trial} of ${trials.length}` : ofBlocks;
          const { label, completedCount, totalCount: count } = counter;
          return `${place}: ${label}${to}${completedCount > 0 ? `, ${completedCount} of ${count}` : ''}`;
        },
      });
    },
    // Changes are painted now, so that they are not while a clock runs.
    onTrialEnd: nextPaint,
  };
}
