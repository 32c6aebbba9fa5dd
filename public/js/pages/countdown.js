/** The page of the count-down: what to test, a table that grows with each test, the means, and what 2019 left out. */
import { measureColdSetUp } from '../../../core/net/probe.js';
import { hasFigures, isReused } from '../../../core/experiment/lone-trials.js';
import {
  countdown,
  formatJson,
  formatMarkdown,
  toDocument,
  ENDPOINTS,
  formatLink,
  parseIterations,
  parseKind,
} from '../../../core/experiments/countdown/index.js';
import { createSeed } from '../../../core/base/random.js';
import { createWebsocket } from '../../../core/net/echo/sockets.js';
import { createXhr } from '../../../core/net/echo/http.js';
import { labelOf } from '../../../core/net/labels.js';
import {
  makeTrials,
  mountIterationsField,
  mountLoneExports,
  mountPresses,
  now,
  readEnvironment,
} from '../lone-trials-page.js';
import { linkFairRun, showCountdown } from '../experiments/countdown.js';
import { element, onSubmit } from '../ui/element.js';
import { nextPaint, whenVisible } from '../ui/frames.js';
import { createRunProgress } from '../ui/progress.js';
import { tryOrSay } from '../ui/fields.js';

/** @import { CountdownResult } from '../../../core/experiments/countdown/index.js' */

/** Rarely, as each look is a frame that the timed loop pays for. */
const LOOK_MS = 500;

const clear = element('#clear', HTMLButtonElement);
const kinds = /** @type {RadioNodeList} */ (element('#controls', HTMLFormElement).elements.namedItem('kind'));
const progress = createRunProgress();
const seed = createSeed();

/** @param {string} path */
const urlOf = (path) => new URL(path, location.href).href;
const transports = {
  xhr: createXhr({ url: urlOf(ENDPOINTS.xhr) }),
  websocket: createWebsocket({ url: urlOf(ENDPOINTS.websocket) }),
};

/** @type {CountdownResult} what is on the page */
const result = { environment: readEnvironment(), choice: { iterations: 100, kind: 'both' }, tests: [] };
const { field, read } = mountIterationsField();
const exports = mountLoneExports({
  name: 'countdown',
  records: () => result.tests,
  documentOf: () => toDocument(result),
  formatJson: () => formatJson(result),
  formatMarkdown: () => formatMarkdown(result),
});
const start = mountPresses({
  say: progress.say,
  measure,
  onEnd() {
    show();
    exports.offer();
    clear.disabled = false;
  },
});

/** Shows all tests that were made. */
function show() {
  showCountdown(result);
  if (!result.tests.some(hasFigures)) element('#exports').hidden = true;
}

/**
 * All that one press asks for. A test that fails does not keep the next one from being made; a cancel does.
 * @param {CountdownResult['choice']} choice @param {{ signal: AbortSignal }} press
 */
async function measure(choice, { signal }) {
  result.choice = choice;
  element('#permalink', HTMLAnchorElement).href = `?${formatLink(choice)}`;
  exports.withdraw();
  clear.disabled = true;
  const trialCount = countdown.trialsOf(choice).length;
  const { unfinished, ending } = await makeTrials(countdown, {
    plan: choice,
    transports,
    signal,
    records: result.tests,
    async onTrialStart({ transport, iterations }, counter) {
      const words = `of ${trialCount}: ${labelOf(transport)},`;
      progress.followTrial({
        trialCount,
        lookMs: LOOK_MS,
        hasTimeLeft: false,
        share: () => counter.completedCount / iterations,
        words: (test) => `Test ${test} ${words} ${counter.completedCount} of ${iterations}`,
      });
      await nextPaint();
    },
    onTrialEnd: show,
    pause: progress.pause,
  }).finally(progress.stop);
  if (!ending) await measureSetUp(signal);
  return { unfinished, ending };
}

/** Once, after the tests: it makes the server close connections. @param {AbortSignal} signal */
async function measureSetUp(signal) {
  const needsIt = result.tests.some((test) => test.trial.transport === 'xhr' && isReused(test));
  if (!needsIt || result.coldSetUpMs !== undefined) return;
  progress.say('Measuring what a new connection costs…');
  result.coldSetUpMs = await measureColdSetUp({ transport: transports.xhr, now, signal });
}

function startWithForm() {
  const iterations = read(() => parseIterations(field.value));
  if (iterations === undefined) field.focus();
  else start({ iterations, kind: kinds.value });
}

/** The link to the fair run follows the field, as long as that makes sense. */
function showFairLink() {
  const iterations = tryOrSay(() => parseIterations(field.value));
  if (iterations !== undefined) linkFairRun(iterations, seed);
}

/** A link's choice goes into the form; it starts only where all of it is right. */
async function takeLink() {
  const query = new URLSearchParams(location.search);
  field.value = query.get('iterations') ?? field.value;
  showFairLink();
  const kind = read(() => parseKind(query.get('kind') ?? kinds.value));
  if (kind === undefined) return;
  kinds.value = kind;
  if (query.get('autostart') === '1') {
    await whenVisible();
    startWithForm();
  } else if (query.has('iterations')) {
    read(() => parseIterations(field.value));
  }
}

onSubmit('#controls', startWithForm);
field.addEventListener('input', showFairLink);
clear.addEventListener('click', () => {
  result.tests = [];
  delete result.coldSetUpMs;
  show();
  exports.withdraw();
  element('#export-status').textContent = '';
  progress.say('Cleared');
  field.focus();
});
await takeLink();
