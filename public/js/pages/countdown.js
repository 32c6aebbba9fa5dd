/**
 * The page of the count-down: what to test, a table that grows with each test, the means, and what 2019 left out.
 */
import { measureStepMs } from '../../../core/base/clock.js';
import { measureColdSetUp } from '../../../core/net/cold-set-up.js';
import { runExperiment } from '../../../core/experiment/run.js';
import { isReused } from '../../../core/experiment/lone-trials.js';
import { countdown } from '../../../core/experiments/countdown/index.js';
import { ENDPOINTS, formatLink, parseIterations, parseKind } from '../../../core/experiments/countdown/measure.js';
import { formatJson, formatMarkdown, toDocument } from '../../../core/experiments/countdown/export.js';
import { createFairPlan, formatPlan } from '../../../core/experiments/shootout/plan.js';
import { describeEnding, describeError, describeTrialEnd } from '../../../core/experiment/run-problem.js';
import { createSeed } from '../../../core/base/random.js';
import { createWebsocket } from '../../../core/net/echo/websocket.js';
import { createXhr } from '../../../core/net/echo/xhr.js';
import { watchForEnd } from '../run/run-end.js';
import { createCountdownProgress } from '../ui/classic/countdown-progress.js';
import { showCountdown } from '../ui/classic/countdown-view.js';
import { element } from '../ui/element.js';
import { mountCopyButton, mountDownloadButton } from '../ui/saving/export-buttons.js';
import { nextPaint, whenVisible } from '../ui/frames.js';
import { watchHidden } from '../ui/run/hidden-watch.js';
import { mountRunProblem } from '../ui/run/run-problem.js';
import { mountSaveForm } from '../ui/saving/save-form.js';

/**
 * @import { Ending } from '../../../core/experiment/run.js'
 * @import { CountdownResult } from '../../../core/experiments/countdown/export.js'
 */

const now = () => performance.now();
const form = element('#controls', HTMLFormElement);
const field = element('#iterations', HTMLInputElement);
const fieldError = element('#iterations-error', HTMLElement);
const startControls = element('#start-controls', HTMLFieldSetElement);
const cancel = element('#cancel', HTMLButtonElement);
const clear = element('#clear', HTMLButtonElement);
const kinds = /** @type {RadioNodeList} */ (form.elements.namedItem('kind'));
const progress = createCountdownProgress();
const seed = createSeed();

/** @param {string} path */
const urlOf = (path) => new URL(path, location.href).href;
const transports = {
  xhr: createXhr({ url: urlOf(ENDPOINTS.xhr) }),
  websocket: createWebsocket({ url: urlOf(ENDPOINTS.websocket) }),
};

/** @type {CountdownResult} what is on the page */
const result = {
  environment: {
    url: location.origin + location.pathname,
    userAgent: navigator.userAgent,
    stepMs: measureStepMs(now),
    isCrossOriginIsolated: window.crossOriginIsolated,
  },
  choice: { iterations: 100, kind: 'both' },
  tests: [],
};

const problem = mountRunProblem(() => start(result.choice));
const saveForm = mountSaveForm({ documentsOf: () => [toDocument(result)] });

/** Shows all tests that were made. */
function show() {
  showCountdown(result);
  element('#exports', HTMLElement).hidden = result.tests.length === 0;
}

/**
 * All that one press asks for. A test that fails does not keep the next one from being made; a cancel does.
 *
 * @param {typeof result.choice} choice
 */
async function start(choice) {
  const { signal, stop } = watchForEnd(cancel);
  const pressed = document.activeElement;
  /** @type {string | undefined} */
  let ended;
  problem.clear();
  result.choice = choice;
  element('#permalink', HTMLAnchorElement).href = `?${formatLink(choice)}`;
  saveForm.withdraw();
  setRunning(true);
  cancel.focus();
  try {
    const { unfinished, ending } = await makeTests(choice, signal);
    if (!ending) await measureSetUp(signal);
    progress.say(ending ? sayAbort(ending) : sayEnd(unfinished.length));
    const last = unfinished[unfinished.length - 1];
    // Between two tests there is none that tells of it.
    ended = last ? describeTrialEnd(last, signal) : describeEnding({ ending, trials: [] }, signal);
  } catch (error) {
    progress.say('Failed');
    ended = describeError(error);
    throw error;
  } finally {
    stop();
    show();
    if (result.tests.length > 0) saveForm.offer();
    setRunning(false);
    if (pressed instanceof HTMLElement) pressed.focus({ preventScroll: true });
    if (ended) problem.show(ended);
  }
}

/**
 * @param {typeof result.choice} choice
 * @param {AbortSignal} signal
 * @returns {Promise<{ unfinished: typeof result.tests, ending?: Ending }>} the tests that did not finish; why others were not made
 */
async function makeTests(choice, signal) {
  const before = result.tests.length;
  const names = countdown.trialsOf(choice).map(({ transport }) => transport);
  let startedAt = '';
  let hidden = { stop: () => false };
  let unfollow = () => {};
  try {
    const { ending } = await runExperiment(countdown, {
      plan: choice,
      transports,
      now,
      signal,
      async onTrialStart({ iterations }, counter) {
        unfollow = progress.follow(names, result.tests.length - before, iterations, counter);
        // What this and the test before have changed is painted before the clock runs.
        await nextPaint();
        startedAt = new Date().toISOString();
        hidden = watchHidden();
      },
      onTrialEnd({ trials }) {
        unfollow();
        result.tests.push({ ...trials[trials.length - 1], startedAt, wasHidden: hidden.stop() });
        show();
      },
    });
    const unfinished = result.tests.slice(before).filter(({ elapsedMs }) => elapsedMs === undefined);
    return { unfinished, ending };
  } finally {
    hidden.stop();
    unfollow();
  }
}

/** @param {Ending} ending */
function sayAbort({ kind }) {
  return kind === 'cancelled' ? 'Cancelled' : 'Ended early';
}

/** @param {number} unfinishedCount */
function sayEnd(unfinishedCount) {
  return unfinishedCount === 0 ? 'Finished' : `Ended; ${unfinishedCount} failed`;
}

/** Once, after the tests: it makes the server close connections. @param {AbortSignal} signal */
async function measureSetUp(signal) {
  const needsIt = result.tests.some((test) => test.trial.transport === 'xhr' && isReused(test));
  if (!needsIt || result.coldSetUpMs !== undefined) return;
  progress.say('Measuring what a new connection costs…');
  result.coldSetUpMs = await measureColdSetUp({ transport: transports.xhr, now, signal });
}

/** @param {boolean} isRunning */
function setRunning(isRunning) {
  startControls.disabled = isRunning;
  clear.disabled = isRunning;
  cancel.disabled = !isRunning;
}

/** Starts with what the form says; says beside the field what is wrong with it. */
function startWithForm() {
  const iterations = tryOrSay(() => parseIterations(field.value));
  if (iterations === undefined) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
  if (iterations === undefined) field.focus();
  else start({ iterations, kind: kinds.value });
}

/** @template T @param {() => T} work */
function tryOrSay(work) {
  try {
    fieldError.textContent = '';
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    fieldError.textContent = error.message;
    return undefined;
  }
}

/** The link to the fair run follows the field, as long as that makes sense. */
function showFairLink() {
  try {
    element('#fair', HTMLAnchorElement).href = `/?${formatPlan(createFairPlan(parseIterations(field.value), seed))}`;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  startWithForm();
});
field.addEventListener('input', showFairLink);
clear.addEventListener('click', () => {
  result.tests = [];
  delete result.coldSetUpMs;
  show();
  saveForm.withdraw();
  element('#export-status', HTMLElement).textContent = '';
  progress.say('Cleared');
  field.focus();
});
mountCopyButton('#copy', () => formatMarkdown(result));
mountDownloadButton('#download', {
  type: 'application/json',
  text: () => formatJson(result),
  fileName: () => `sockshootout-countdown-${result.tests[0].startedAt.replace(/[:.]/g, '-')}.json`,
});

/** A link's choice goes into the form; it starts only where all of it is right. */
async function takeLink() {
  const query = new URLSearchParams(location.search);
  field.value = query.get('iterations') ?? field.value;
  const kind = tryOrSay(() => parseKind(query.get('kind') ?? kinds.value));
  if (kind === undefined) return;
  kinds.value = kind;
  if (query.get('autostart') === '1') {
    await whenVisible();
    startWithForm();
  } else if (query.has('iterations')) {
    tryOrSay(() => parseIterations(field.value));
  }
}

setRunning(false);
progress.say('Ready');
const linked = takeLink();
showFairLink();
await linked;
