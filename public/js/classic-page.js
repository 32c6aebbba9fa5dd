/**
 * The page of a classic test: a field, four buttons, a log; the last figures of both pages; the fine clock's figures beneath.
 */
import { formatMs } from '../../core/base/format.js';
import { measureColdSetUp } from '../../core/net/probe.js';
import { classic, formatJson, formatMarkdown, toDocument } from '../../core/experiments/classic/index.js';
import { parseIterations, rateOf } from '../../core/experiments/classic/measure.js';
import { hasFigures, isReused } from '../../core/experiment/lone-trials.js';
import {
  makeTrials,
  mountIterationsField,
  mountLoneExports,
  mountPresses,
  now,
  readEnvironment,
} from './lone-trials-page.js';
import { createClassicView } from './experiments/classic.js';
import { element, onSubmit } from './ui/element.js';
import { keep, readKept } from './storage.js';
import { createProgressBar } from './ui/progress.js';

/** @import { ClassicRecord, ClassicResult } from '../../core/experiments/classic/index.js' */
/** @import { Transport } from '../../core/net/echo/index.js' */

const RATES = 'sockshootout/classic-rates/1';
/** How many messages the figures are of that this tab remembers, so that each of the two pages can show both. */
const COUNTS = Object.freeze([10, 100, 1000]);
const TRANSPORTS = Object.freeze(['ajax', 'sockjs']);

/** @typedef {Record<string, number>} Rates messages per second by iterations */

/**
 * @typedef {object} ClassicPage
 * @property {Transport} transport
 * @property {ClassicResult} result what is on the page
 * @property {ReturnType<typeof createProgressBar>} progressBar
 * @property {ReturnType<typeof createClassicView>} view
 */

/** @param {Transport} transport */
export function mountClassicPage(transport) {
  const { name } = transport;
  /** @type {ClassicResult} */
  const result = { transport: name, environment: readEnvironment(), runs: [] };
  const progressBar = createProgressBar();
  const view = createClassicView();
  const exports = mountLoneExports({
    name,
    records: () => result.runs,
    documentOf: () => toDocument(result),
    formatJson: () => formatJson(result),
    formatMarkdown: () => formatMarkdown(result),
  });

  mountStartControls(
    mountPresses({
      say: progressBar.say,
      measure(/** @type {number[]} */ iterations, press) {
        exports.withdraw();
        progressBar.begin(iterations.reduce((sum, count) => sum + count, 0));
        return measure({ transport, result, progressBar, view }, iterations, press);
      },
      onEnd(iterations) {
        if (result.runs.some(hasFigures)) view.showDetails(result);
        exports.offer();
        element('#permalink', HTMLAnchorElement).href = `?iterations=${iterations.join(',')}&autostart=1`;
      },
    }),
  );
  // Also on Back, when the browser kept the page: the other page may have run since.
  window.addEventListener('pageshow', showLastRates);
  showLastRates();
}

/**
 * All that one press asks for.
 * @param {ClassicPage} page @param {number[]} iterations at least one
 * @param {{ clickedAtMs: number, signal: AbortSignal }} press
 */
async function measure({ transport, result, progressBar, view }, iterations, press) {
  const waiting = transport.capabilities.socket ? 'Connecting' : undefined;
  let unfollow = () => {};
  const { made, unfinished, ending } = await makeTrials(classic, {
    ...press,
    plan: { iterations },
    transport,
    records: result.runs,
    onTrialStart(planned, progress) {
      view.addStart();
      unfollow = progressBar.follow(progress, planned.iterations, waiting);
    },
    onTrialEnd: (record) => show(record, { result, view }),
    pause: () => unfollow(),
  });
  const last = made.at(-1);
  if (!ending && last && isReused(last)) {
    progressBar.say('Measuring what a new connection costs…');
    result.coldSetUpMs = await measureColdSetUp({ transport, now, signal: press.signal });
  }
  return { unfinished, ending };
}

/** @param {ClassicRecord} record @param {Pick<ClassicPage, 'result' | 'view'>} page */
function show(record, { result, view }) {
  view.addEnd(record);
  const rate = rateOf(record);
  if (rate !== undefined) keepLastRate(result.transport, record.trial.iterations, rate);
  showLastRates();
}

/** The field, the buttons, and the link that the page was opened with. @param {(iterations: number[]) => void} start */
function mountStartControls(start) {
  const { field, read } = mountIterationsField();
  /** @param {string[]} texts */
  const parseList = (texts) => read(() => texts.map(parseIterations));
  /** @param {string[]} texts */
  const startWith = (texts) => {
    const iterations = parseList(texts);
    if (iterations) start(iterations);
    else field.focus();
  };

  onSubmit('#controls', () => startWith([field.value]));
  for (const button of document.querySelectorAll('[data-iterations]')) {
    button.addEventListener('click', () => startWith(String(button.getAttribute('data-iterations')).split(',')));
  }
  const query = new URLSearchParams(location.search);
  const linked = query.get('iterations')?.split(',');
  if (!linked) return;
  field.value = linked[0];
  if (query.get('autostart') === '1') startWith(linked);
  else parseList(linked);
}

/** @returns {Record<string, Rates>} by transport; a transport that has not run has none */
function readLastRates() {
  const kept = readKept('sessionStorage', RATES);
  return Object.fromEntries(TRANSPORTS.map((transport) => [transport, pickRates(kept?.[transport])]));
}

/** @param {any} kept @returns {Rates} */
function pickRates(kept) {
  const isRate = (/** @type {unknown} */ rate) => typeof rate === 'number' && Number.isFinite(rate) && rate > 0;
  return Object.fromEntries(COUNTS.filter((count) => isRate(kept?.[count])).map((count) => [count, kept[count]]));
}

/** @param {string} transport @param {number} iterations of a run that finished @param {number} rate messages per second */
function keepLastRate(transport, iterations, rate) {
  const rates = readLastRates();
  rates[transport] = pickRates({ ...rates[transport], [iterations]: rate });
  keep('sessionStorage', RATES, rates);
}

/** Shows them, with the time that each message took; a transport that has not run in this tab has empty cells. */
function showLastRates() {
  const rates = readLastRates();
  for (const [row, count] of COUNTS.entries()) {
    const { cells } = element('#rates', HTMLTableElement).tBodies[0].rows[row];
    for (const [i, transport] of TRANSPORTS.entries()) {
      const rate = rates[transport][count];
      cells[1 + i].textContent = rate === undefined ? '' : rate.toFixed(1);
      cells[3 + i].textContent = rate === undefined ? '' : formatMs(1000 / rate);
    }
  }
}
