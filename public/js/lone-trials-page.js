/**
 * Runs the classic pages and the count-down: presses that make trials; the export of all of them; the newest, which the tab
 * keeps.
 */
import { sampleLag, summarizeLag } from '../../core/experiment/run/client-lag.js';
import { runExperiment } from '../../core/experiment/run/run.js';
import { describeEnding, describeTrialEnd } from '../../core/experiment/run/faults.js';
import { formatMarkdown } from '../../core/experiment/report/report.js';
import { hasFigures } from '../../core/experiment/documents/lone-trials.js';
import { openPart } from '../../core/experiment/run/open-run.js';
import { measureColdSetUp } from '../../core/net/echo/probe.js';
import { measureStepMs } from '../../core/base/clock.js';
import { formatSeconds } from '../../core/base/format.js';
import { mountPageLife, nameEnding, outcomeOf } from './run/page-life.js';
import { watchTrial } from './run/run-end.js';
import { element, markField, tryOrSay, nextPaint, now, readEnvironment, readNavigation } from './base/page.js';
import { formatJson, mountCopyButton, mountFileButton, mountMenu } from './ui/export-buttons.js';
import { createKeptTrials } from './ui/kept-trials.js';
import { createRunProgress } from './ui/progress.js';
import { nameStart } from './ui/start-name.js';

/** @import { InvalidInputError } from '../../core/base/foreign-text.js' */
/** @import { Ending, Environment } from '../../core/experiment/contract.js' */
/** @import { Transport } from '../../core/net/echo/index.js' */
/** @import { Press } from './run/page-life.js' */
/** @import { KeptTrials } from './ui/kept-trials.js' */
/** @import { RunProgress } from './ui/progress.js' */
/** @import { OfferRun } from './ui/save-form.js' */

/** The interval of updates: each is a frame that delays the timed loop. */
const LOOK_MS = 500;

/** @returns {Environment} */
export const measureEnvironment = () => ({ ...readEnvironment(), stepMs: measureStepMs(now) });

/** Mounts the field for iterations; `read` shows beside it the error in a typed or linked number. */
export function mountIterationsField() {
  const field = element('#iterations', HTMLInputElement);
  /** @param {string} message @param {InvalidInputError} [error] */
  const say = (message, error) => {
    element('#iterations-error').textContent = message;
    // The error may be in another part of the link.
    markField(field, error?.fields[0] === 'Iterations');
  };
  return { field, read: (/** @type {() => any} */ parse) => tryOrSay(parse, say) };
}

/** Says on the button about how long messages take, one after the other. @param {number} [count] absent if it is wrong */
export function showDuration(count = 0) {
  const seconds = (count * (estimateRoundTrip() ?? 0)) / 1000;
  element('#start').textContent = nameStart(seconds > 0 ? `about ${formatSeconds(Math.ceil(seconds))}` : undefined);
}

/** @returns {number | undefined} ms, about: the fastest of this page and its files; absent if the browser kept all of them */
function estimateRoundTrip() {
  const files = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource'));
  const times = [readNavigation(), ...files]
    .filter(({ transferSize }) => transferSize)
    .map(({ requestStart = 0, responseStart = 0 }) => responseStart - requestStart)
    .filter((ms) => ms > 0);
  return times.length > 0 ? Math.min(...times) : undefined;
}

/**
 * Mounts the buttons Measure, Stop, Retry, Clear and the exports; shows the trials that the tab has kept.
 * @template C
 * @param {any} experiment whose trials are made one by one
 * @param {object} page
 * @param {string} page.name goes into file names, and is what the trials are kept by
 * @param {any} page.result the shown result
 * @param {string} page.list the name of its list, to which each trial is added
 * @param {() => unknown} page.documentOf the document of the result
 * @param {(choice: C) => { plan: any }} page.begin returns the run's options at a press
 * @param {(planned: any) => Promise<void> | void} page.onTrialStart @param {(record: any) => void} page.onTrialEnd
 * @param {(planned: any, completedCount: number, trial: number) => string} page.words the progress of a trial; they
 *   count from 1
 * @param {(made: any[]) => Transport | undefined} page.reusedBy the transport of trials, none of them cancelled,
 *   if its new connection is to be measured
 * @param {() => void} page.onEnd shows the result, however the run ended
 * @param {() => void} page.show shows the result from the beginning: kept trials, or none
 * @param {() => void} [page.onClear] empties what else is kept
 * @returns {(choice: C) => Promise<void>} starts a run; to be called at a press
 */
export function mountLonePage(experiment, page) {
  const { name, result, documentOf } = page;
  const controls = element('#start-controls', HTMLFieldSetElement);
  const clear = element('#clear', HTMLButtonElement);
  const progress = createRunProgress();
  const kept = createKeptTrials(experiment, page);
  const records = () => result[page.list];
  const startedAt = () => records()[0].startedAt;
  /** @type {number[]} of all shown trials */
  const lateMs = [];
  /** @type {Element | null} */
  let pressed;

  /** @param {C} choice @param {Press} press */
  const measure = async (choice, { signal, pressedAtMs }) => {
    const options = { ...page.begin(choice), clickedAtMs: kept.readingOf(pressedAtMs), now: kept.now, signal };
    const { made, ending } = await makeTrials(experiment, { ...page, records, progress, lateMs }, options);
    const reused = ending ? undefined : page.reusedBy(made);
    if (reused) {
      progress.say('Measuring the connection setup…');
      result.coldSetUpMs = await measureColdSetUp({ transport: reused, now: kept.now, signal });
    }
    const unfinished = made.filter(({ elapsedMs }) => elapsedMs === undefined);
    // There is none between two trials.
    const cut = unfinished.at(-1);
    return {
      words: sayEnd(unfinished.length, ending, signal),
      problem: cut ? describeTrialEnd(cut, signal) : describeEnding({ ending }, signal),
    };
  };
  const life = mountPageLife({
    progress,
    sharing: { documentsOf: () => [documentOf()], onShared: kept.keepShared },
    onState(state) {
      const isRunning = state === 'running';
      if (isRunning) pressed = document.activeElement;
      controls.disabled = isRunning;
      clear.disabled = isRunning;
      if (!isRunning && pressed instanceof HTMLElement) pressed.focus({ preventScroll: true });
    },
    async measure(/** @type {C} */ choice, press) {
      const outcome = await measure(choice, press).catch((error) => outcomeOf(error, press.signal));
      Object.assign(result.environment, summarizeLag(lateMs), press.noticed());
      kept.keep(documentOf(), lateMs);
      page.onEnd();
      return { ...outcome, show: records().some(hasFigures) ? () => {} : undefined };
    },
  });

  mountMenu();
  mountCopyButton('#copy', () => formatMarkdown(experiment, documentOf()));
  mountFileButton('#download', {
    type: 'json',
    name: () => name,
    text: () => formatJson(experiment, documentOf()),
    startedAt,
  });
  clear.addEventListener('click', () => {
    result[page.list] = [];
    delete result.coldSetUpMs;
    result.environment = measureEnvironment();
    lateMs.length = 0;
    kept.forget();
    page.show();
    page.onClear?.();
    life.withdraw();
    element('#exports').hidden = true;
    element('#export-status').textContent = '';
    progress.say('Cleared');
    element('#iterations').focus();
  });
  restore(experiment, { ...page, kept, lateMs, offer: life.offer });
  return life.start;
}

/**
 * Shows the trials that the tab has kept, if there are any.
 * @param {any} experiment
 * @param {{ result: any, list: string, show: () => void, kept: KeptTrials, lateMs: number[], offer: OfferRun }} page
 */
function restore(experiment, { result, list, show, kept, lateMs, offer }) {
  try {
    const last = kept.read();
    if (!last) return;
    const shown = experiment.find(openPart(experiment, last.document)).summary;
    Object.assign(result, shown, { environment: { ...shown.environment, ...measureEnvironment() } });
    lateMs.push(...last.lateMs);
    show();
    if (result[list].some(hasFigures)) offer(kept.readShared());
  } catch (error) {
    // A page works without it, too.
    reportError(error);
  }
}

/** @param {number} unfinishedCount @param {Ending | undefined} ending @param {AbortSignal} signal */
function sayEnd(unfinishedCount, ending, signal) {
  if (!ending) return unfinishedCount === 0 ? 'Finished' : `Ended; ${unfinishedCount} failed`;
  return signal.aborted ? nameEnding(ending) : 'Failed';
}

/**
 * Makes the trials of one press.
 * @param {any} experiment
 * @param {{ records: () => any[], progress: RunProgress, lateMs: number[], words: (planned: any, completedCount: number, trial:
 *   number) => string, onTrialStart: (planned: any) => Promise<void> | void, onTrialEnd: (record: any) => void }} page
 * @param {any} options
 */
async function makeTrials(experiment, { records, progress, lateMs, words, onTrialStart, onTrialEnd }, options) {
  const trialCount = experiment.trialsOf(options.plan).length;
  /** @type {any[]} */
  const made = [];
  let watch = { stop: () => ({ startedAt: '', wasHidden: false }) };
  const stopSampling = sampleLag(lateMs, { now });
  try {
    const { ending } = await runExperiment(experiment, {
      ...options,
      async onTrialStart(/** @type {any} */ planned, counter) {
        progress.followTrial({
          trialCount,
          lookMs: LOOK_MS,
          hasTimeLeft: false,
          share: () => counter.completedCount / planned.iterations,
          words: (trial) => words(planned, counter.completedCount, trial),
        });
        await onTrialStart(planned);
        watch = watchTrial();
      },
      // Changes are painted before the next trial's clock begins, so that it does not include painting.
      async onTrialEnd({ trials }) {
        progress.pause();
        const record = { ...trials.at(-1), ...watch.stop() };
        made.push(record);
        records().push(record);
        onTrialEnd(record);
        await nextPaint();
      },
    });
    return { made, ending };
  } finally {
    stopSampling();
    watch.stop();
    progress.pause();
  }
}
