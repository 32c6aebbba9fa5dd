/**
 * Runs the page of the count-down: the choice of tests, a table that grows with each test, the means, and what 2019
 * left out.
 */
import { hasFigures, isReused } from '../../../core/experiment/documents/lone-trials.js';
import { countdown } from '../../../core/experiments/countdown/index.js';
import { ENDPOINTS, formatLink, parseIterations, parseKind } from '../../../core/experiments/countdown/plan.js';
import { toDocument } from '../../../core/experiments/countdown/schema.js';
import { createSeed } from '../../../core/base/random.js';
import { createTransport } from '../../../core/net/echo/index.js';
import { labelOf } from '../../../core/experiment/answer/labels.js';
import { measureEnvironment, mountIterationsField, mountLonePage, showDuration } from '../lone-trials-page.js';
import { startIfLinked } from '../run/page-life.js';
import { linkFairRun, showCountdown } from '../clients/countdown.js';
import { element, onSubmit, nextPaint, tryOrSay } from '../base/page.js';
import { siteUrl } from '../site-url.js';

/** @import { CountdownResult } from '../../../core/experiments/countdown/schema.js' */

const kinds = /** @type {RadioNodeList} */ (element('#run-form', HTMLFormElement).elements.namedItem('kind'));
const seed = createSeed();
const transports = {
  xhr: createTransport('xhr', { url: siteUrl + ENDPOINTS.xhr }),
  ws: createTransport('ws', { url: siteUrl + ENDPOINTS.ws }),
};

/** @type {CountdownResult} the shown result */
const result = { environment: measureEnvironment(), choice: { iterations: 100, kind: 'both' }, tests: [] };
const { field, read } = mountIterationsField();
// The next test is made after a failed one, but not after a cancelled one.
const start = mountLonePage(countdown, {
  name: 'countdown',
  result,
  list: 'tests',
  documentOf: () => toDocument(result),
  begin(/** @type {CountdownResult['choice']} */ choice) {
    result.choice = choice;
    element('#permalink', HTMLAnchorElement).href = `?${formatLink(choice)}`;
    return { plan: choice, transports };
  },
  onTrialStart: nextPaint,
  onTrialEnd: show,
  words({ transport, iterations }, completedCount, test) {
    const testCount = countdown.trialsOf(result.choice).length;
    return `Test ${test} of ${testCount}: ${labelOf(transport)}, ${completedCount} of ${iterations}`;
  },
  /** This is measured once, after the tests: it makes the server close connections. */
  reusedBy() {
    const needsIt = result.tests.some((test) => test.trial.transport === 'xhr' && isReused(test));
    return needsIt && result.coldSetUpMs === undefined ? transports.xhr : undefined;
  },
  onEnd: show,
  show,
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

/** The button's duration and the link to the fair run follow the form, as long as that makes sense. */
function followForm() {
  const iterations = tryOrSay(() => parseIterations(field.value));
  showDuration(iterations && iterations * countdown.trialsOf({ iterations, kind: kinds.value }).length);
  if (iterations !== undefined) linkFairRun(iterations, seed);
}

/** Applies a link's choice to the form; it starts only if all of it is valid. */
async function takeLink() {
  const query = new URLSearchParams(location.search);
  field.value = query.get('iterations') ?? field.value;
  const kind = read(() => parseKind(query.get('kind') ?? kinds.value));
  if (kind !== undefined) kinds.value = kind;
  followForm();
  if (kind === undefined) return;
  if (query.has('iterations') && read(() => parseIterations(field.value)) === undefined) return;
  await startIfLinked(startWithForm);
}

onSubmit('#run-form', startWithForm);
element('#run-form').addEventListener('input', followForm);
await takeLink();
