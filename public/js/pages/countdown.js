/** The page of the count-down: what to test, a table that grows with each test, the means, and what 2019 left out. */
import { hasFigures, isReused } from '../../../core/experiment/lone-trials.js';
import {
  countdown,
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
import { measureNewConnection, mountIterationsField, mountLonePage, readEnvironment } from '../lone-trials-page.js';
import { linkFairRun, showCountdown } from '../experiments/countdown.js';
import { element, onSubmit, nextPaint, whenVisible, tryOrSay } from '../ui/page.js';
import { createRunProgress } from '../ui/progress.js';

/** @import { CountdownResult } from '../../../core/experiments/countdown/index.js' */

/** Rarely, as each look is a frame that the timed loop pays for. */
const LOOK_MS = 500;

const clear = element('#clear', HTMLButtonElement);
const kinds = /** @type {RadioNodeList} */ (element('#controls', HTMLFormElement).elements.namedItem('kind'));
const progress = createRunProgress();
const seed = createSeed();
const transports = {
  xhr: createXhr({ url: location.origin + ENDPOINTS.xhr }),
  websocket: createWebsocket({ url: location.origin + ENDPOINTS.websocket }),
};

/** @type {CountdownResult} what is on the page */
const result = { environment: readEnvironment(), choice: { iterations: 100, kind: 'both' }, tests: [] };
const { field, read } = mountIterationsField();
// A test that fails does not keep the next one from being made; a cancel does.
const { start, withdraw } = mountLonePage(countdown, {
  name: 'countdown',
  records: () => result.tests,
  documentOf: () => toDocument(result),
  say: progress.say,
  begin(/** @type {CountdownResult['choice']} */ choice) {
    result.choice = choice;
    element('#permalink', HTMLAnchorElement).href = `?${formatLink(choice)}`;
    clear.disabled = true;
    return { plan: choice, transports };
  },
  async onTrialStart({ transport, iterations }, counter) {
    const trialCount = countdown.trialsOf(result.choice).length;
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
  /** Once, after the tests: it makes the server close connections. */
  async finish(_made, signal) {
    const needsIt = result.tests.some((test) => test.trial.transport === 'xhr' && isReused(test));
    if (!needsIt || result.coldSetUpMs !== undefined) return;
    result.coldSetUpMs = await measureNewConnection(transports.xhr, signal, progress.say);
  },
  onEnd() {
    progress.stop();
    show();
    clear.disabled = false;
  },
});

/** Shows all tests that were made. */
function show() {
  showCountdown(result);
  if (!result.tests.some(hasFigures)) element('#exports').hidden = true;
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
  withdraw();
  element('#export-status').textContent = '';
  progress.say('Cleared');
  field.focus();
});
await takeLink();
