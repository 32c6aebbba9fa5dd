/**
 * The home page: a plan, a run, a report.
 */
import { measureStepMs } from '../core/clock.js';
import { formatPlan } from '../core/plan.js';
import { createReport } from '../core/report.js';
import { formatCsv } from '../core/result-csv.js';
import { formatResult, parseResult, SCHEMA } from '../core/result.js';
import { formatMarkdown } from '../core/result-markdown.js';
import { measureRun, measureSetUps } from '../core/run.js';
import { transports } from '../core/transports/index.js';
import { labelOf } from '../core/transports/labels.js';
import { loadLibraries } from './libraries.js';
import { probe } from './probe.js';
import { readStatus } from './status.js';
import { element } from './ui/element.js';
import { mountCopyButton, mountDownloadButton } from './ui/export-buttons.js';
import { nextPaint, whenVisible } from './ui/frames.js';
import { createPlanForm } from './ui/plan-form.js';
import { createRunProgress } from './ui/run-progress.js';
import { createResultView } from './ui/result-view.js';

const now = () => performance.now();
const cancel = element('#cancel', HTMLButtonElement);
const progress = createRunProgress();
const view = createResultView();
const form = createPlanForm({ onStart: (plan) => start(plan) });

/** @type {import('../core/result.js').Result} what is on the page */
let shown;

/**
 * @param {{ $?: JQueryStatic, SockJS?: typeof import('sockjs-client') }} libraries
 * @returns {Record<string, import('../core/transports/index.js').Transport>} by name
 */
function createTransports({ $, SockJS }) {
  return Object.fromEntries(
    Object.entries(transports).map(([name, { create, endpoint }]) => {
      const library = name === 'ajax' ? $ : name.startsWith('sockjs') ? SockJS : undefined;
      return [name, create({ library, url: new URL(endpoint, location.href).href })];
    }),
  );
}

/**
 * One run, from the press to its report.
 *
 * @param {import('../core/plan.js').Plan} plan
 */
async function start(plan) {
  const controller = new AbortController();
  const onCancel = () => controller.abort({ kind: 'cancelled', reason: 'The run was cancelled.' });
  const onHide = () => {
    if (document.visibilityState === 'hidden') controller.abort(HIDDEN);
  };
  cancel.addEventListener('click', onCancel);
  document.addEventListener('visibilitychange', onHide);
  setRunning(true);
  cancel.focus();
  try {
    const { $, SockJS, uPlot } = await loadLibraries();
    view.open(uPlot, plan.transports);
    shown = await measure(plan, createTransports({ $, SockJS }), controller.signal);
    view.show(shown);
    progress.say(shown.ending ? 'Ended early' : 'Finished');
    element('#verdict', HTMLElement).scrollIntoView({ block: 'nearest' });
  } catch (error) {
    form.say(`The run broke off: ${error}`);
    progress.say('Broken off');
    throw error;
  } finally {
    cancel.removeEventListener('click', onCancel);
    document.removeEventListener('visibilitychange', onHide);
    setRunning(false);
  }
}

/** @type {import('../core/run.js').Ending} */
const HIDDEN = {
  kind: 'invalid',
  reason: 'The tab was hidden during the run, and browsers slow hidden tabs down.',
};

/**
 * @param {import('../core/plan.js').Plan} plan
 * @param {Record<string, import('../core/transports/index.js').Transport>} available
 * @param {AbortSignal} signal
 * @returns {Promise<import('../core/result.js').Result>}
 */
async function measure(plan, available, signal) {
  const environment = {
    url: location.origin + location.pathname,
    userAgent: navigator.userAgent,
    stepMs: measureStepMs(now),
    isCrossOriginIsolated: window.crossOriginIsolated,
  };
  progress.say('Asking the server how busy it is…');
  const statusBefore = await readStatus();
  const startedAt = new Date().toISOString();
  const run = await measureRun({
    plan,
    transports: available,
    now,
    signal,
    onTrialStart: (transport, block, counter) => progress.follow(plan, transport, block, counter),
    async onTrialEnd({ trials }) {
      view.showTrials(trials);
      await nextPaint();
    },
  });
  progress.stop();
  const statusAfter = await readStatus();
  if (!run.ending) progress.say('Measuring what a new connection costs…');
  const coldSetUpMs = run.ending ? {} : await measureSetUps({ plan, transports: available, now, signal });
  return { schema: SCHEMA, startedAt, plan, environment, statusBefore, statusAfter, coldSetUpMs, ...run };
}

/** @param {boolean} isRunning */
function setRunning(isRunning) {
  form.setEnabled(!isRunning);
  cancel.disabled = !isRunning;
}

/** @param {string} extension */
const fileName = (extension) => `sockshootout-${shown.startedAt.replace(/[:.]/g, '-')}.${extension}`;

mountDownloadButton('#download-json', {
  type: 'application/json',
  text: () => formatResult(shown),
  fileName: () => fileName('json'),
});
mountDownloadButton('#download-csv', {
  type: 'text/csv',
  text: () => formatCsv(shown),
  fileName: () => fileName('csv'),
});
mountCopyButton('#copy-markdown', () => formatMarkdown(createReport(shown)));
mountCopyButton('#copy-link', () => `${location.origin}/?${formatPlan(shown.plan)}`);

element('#saved', HTMLInputElement).addEventListener('change', async ({ target }) => {
  const [file] = /** @type {HTMLInputElement} */ (target).files ?? [];
  if (!file) return;
  const problem = element('#saved-error', HTMLElement);
  problem.textContent = '';
  try {
    shown = parseResult(await file.text(), await import('../vendor/valibot.js'));
    const { uPlot } = await loadLibraries();
    view.open(uPlot, shown.plan.transports);
    view.show(
      shown,
      `Read from ${file.name}: measured at ${shown.environment.url} on ${shown.startedAt}. The samples are the file’s word.`,
    );
    element('#verdict', HTMLElement).scrollIntoView();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problem.textContent = error.message;
  }
});

/** Looks how far away the server is; until then nothing can be started. */
async function prepare() {
  try {
    form.setRoundTrip(await probe(createTransports({}).xhr, now));
  } catch (error) {
    form.say(
      `The server does not answer ${labelOf('xhr')}: ${/** @type {Error} */ (error).message} Load the page again.`,
    );
    return;
  }
  form.setEnabled(true);
  if (new URLSearchParams(location.search).get('autostart') !== '1') return;
  await whenVisible();
  form.submit();
}

await prepare();
