/**
 * The page of messages in flight.
 */
import {
  DEPTH_TITLES,
  describeDepths,
  formatDepthMarkdown,
  formatDepthRow,
  summarizeDepths,
} from '../core/experiments/in-flight-report.js';
import { DEPTHS, measureDepths, trialsOf } from '../core/experiments/in-flight.js';
import { createSeed } from '../core/random.js';
import { labelOf } from '../core/transports/labels.js';
import { loadLibraries } from './libraries.js';
import { createTransports } from './page-transports.js';
import { watchForEnd } from './run-end.js';
import { createDepthChart } from './ui/depth-chart.js';
import { element } from './ui/element.js';
import { mountCopyButton, mountDownloadButton } from './ui/export-buttons.js';
import { nextPaint } from './ui/frames.js';
import { createRow } from './ui/table.js';

const form = element('#run-form', HTMLFormElement);
const controls = element('#start-controls', HTMLFieldSetElement);
const cancel = element('#cancel', HTMLButtonElement);
const bar = element('#progress', HTMLProgressElement);
const progressText = element('#progress-text', HTMLOutputElement);
const isText = (/** @type {number} */ column) => column < 2;

/** @type {import('../core/experiments/in-flight.js').DepthRun & { plan: import('../core/experiments/in-flight.js').DepthPlan, startedAt: string }} */
let shown;
/** @type {{ destroy(): void } | undefined} */
let chart;

/** @param {number} blocks */
async function start(blocks) {
  const plan = {
    transports: ['ajax', 'sockjs'],
    depths: DEPTHS,
    blocks,
    seed: createSeed(),
  };
  const { signal, stop } = watchForEnd(cancel);
  setRunning(true);
  progressText.focus({ preventScroll: true });
  try {
    const { uPlot, ...libraries } = await loadLibraries();
    const startedAt = new Date().toISOString();
    const trialCount = trialsOf(plan).length;
    const run = await measureDepths({
      plan,
      transports: createTransports(libraries),
      now: () => performance.now(),
      signal,
      async onTrialEnd({ trials }) {
        const { transport, depth, block } = trials[trials.length - 1];
        bar.max = trialCount;
        bar.value = trials.length;
        progressText.value = `Block ${block + 1} of ${blocks}: ${labelOf(transport)}, ${depth} in flight`;
        await nextPaint();
      },
    });
    shown = { plan, startedAt, ...run };
    show(uPlot);
    progressText.value = run.ending ? 'Ended early' : 'Finished';
  } catch (error) {
    element('#form-error', HTMLElement).textContent = `The run broke off: ${error}`;
    throw error;
  } finally {
    stop();
    setRunning(false);
  }
  element('#depths-headline', HTMLElement).focus();
}

/** @param {import('./ui/chart.js').UPlot} uPlot */
function show(uPlot) {
  const { plan, trials, ending } = shown;
  const rows = summarizeDepths(plan, trials);
  chart?.destroy();
  element('#result', HTMLElement).hidden = false;
  element('#depths-ending', HTMLElement).textContent = ending
    ? `${ending.reason} What was measured until then is below; do not rely on it.`
    : '';
  element('#depths-words', HTMLElement).textContent = ending ? '' : describeDepths(rows).join(' ');
  element('#depths thead', HTMLElement).replaceChildren(createRow(DEPTH_TITLES, 'col', isText));
  element('#depths tbody', HTMLElement).replaceChildren(
    ...rows.map((row) => createRow(formatDepthRow(row), 'row', isText)),
  );
  chart = createDepthChart(uPlot, plan, rows);
}

/** @param {boolean} isRunning */
function setRunning(isRunning) {
  controls.disabled = isRunning;
  cancel.disabled = !isRunning;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  start(Number(new FormData(form).get('blocks')));
});
mountDownloadButton('#download-json', {
  type: 'application/json',
  text: () => `${JSON.stringify({ schema: 'sockshootout/in-flight/1', ...shown })}\n`,
  fileName: () => `sockshootout-in-flight-${shown.startedAt.replace(/[:.]/g, '-')}.json`,
});
mountCopyButton('#copy-markdown', () => formatDepthMarkdown(summarizeDepths(shown.plan, shown.trials)));
setRunning(false);
