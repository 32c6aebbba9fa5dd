/**
 * The page of a classic test: a field, four buttons, a log; the last figures of both pages; the fine clock's figures
 * beneath.
 */
import { formatMs } from '../../core/base/format.js';
import { classic } from '../../core/experiments/classic/index.js';
import { toDocument } from '../../core/experiments/classic/schema.js';
import { parseIterations } from '../../core/experiments/classic/plan.js';
import { formatClassic } from '../../core/experiments/classic/report.js';
import { rateOf } from '../../core/experiments/classic/summary.js';
import { isReused } from '../../core/experiment/lone-trials.js';
import { measureEnvironment, mountIterationsField, mountLonePage } from './lone-trials-page.js';
import { addToLog, showDetails, showLog } from './clients/classic.js';
import { startIfLinked } from './run/page-life.js';
import { element, onSubmit } from './ui/page.js';
import { keep, readKept } from './storage.js';

/** @import { ClassicRecord, ClassicResult } from '../../core/experiments/classic/schema.js' */
/** @import { Transport } from '../../core/net/echo/index.js' */

/**
 * Messages per second by transport and iterations: this tab keeps them, so that each of the two pages can show both.
 */
const RATES = 'sockshootout/classic-rates/1';

/** @param {Transport} transport */
export function mountClassicPage(transport) {
  const { name } = transport;
  /** @type {ClassicResult} the shown result */
  const result = { transport: name, environment: measureEnvironment(), runs: [] };

  const start = mountLonePage(classic, {
    name,
    result,
    documentOf: () => toDocument(result),
    begin(/** @type {number[]} */ iterations) {
      element('#permalink', HTMLAnchorElement).href = `?iterations=${iterations.join(',')}&autostart=1`;
      return { plan: { iterations }, transport };
    },
    onTrialStart() {
      // It has the room of the headline, so that nothing beneath moves when that comes.
      element('#answer').textContent = 'Measuring…';
      addToLog('start!');
    },
    onTrialEnd(record) {
      addToLog(formatClassic(record));
      keepRate(name, record);
      showRates();
    },
    words({ iterations }, completedCount) {
      const isConnecting = transport.capabilities.socket && completedCount === 0;
      return isConnecting ? 'Connecting' : `${completedCount} of ${iterations}`;
    },
    reusedBy: (made) => (isReused(made.at(-1)) ? transport : undefined),
    onEnd: () => showDetails(result),
    show() {
      showLog(result);
      showDetails(result);
    },
    onClear() {
      forgetRates(name);
      showRates();
    },
  });
  mountStartControls(start);
  // The rates are shown again after Back, if the browser kept the page: the other page may have run since.
  window.addEventListener('pageshow', showRates);
  showRates();
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

  onSubmit('#run-form', () => startWith([field.value]));
  for (const button of document.querySelectorAll('[data-iterations]')) {
    button.addEventListener('click', () => startWith(String(button.getAttribute('data-iterations')).split(',')));
  }
  const query = new URLSearchParams(location.search);
  const linked = query.get('iterations')?.split(',');
  if (!linked) return;
  field.value = linked[0];
  if (parseList(linked)) startIfLinked(() => startWith(linked));
}

const readRates = () => readKept('sessionStorage', RATES) ?? {};

/** @param {string} transport @param {ClassicRecord} record whose rate is kept if it finished */
function keepRate(transport, record) {
  const rate = rateOf(record);
  const rates = readRates();
  const own = { ...rates[transport], [record.trial.iterations]: rate };
  if (rate !== undefined) keep('sessionStorage', RATES, { ...rates, [transport]: own });
}

/** @param {string} transport */
const forgetRates = (transport) => keep('sessionStorage', RATES, { ...readRates(), [transport]: undefined });

/** Shows them, with the time that each message took; a transport that has not run in this tab has empty cells. */
function showRates() {
  const rates = readRates();
  for (const { cells } of element('#rates', HTMLTableElement).tBodies[0].rows) {
    for (const [i, transport] of ['ajax', 'sockjs'].entries()) {
      const rate = rates[transport]?.[String(cells[0].textContent)];
      const isKnown = typeof rate === 'number' && rate > 0;
      cells[1 + i].textContent = isKnown ? rate.toFixed(1) : '';
      cells[3 + i].textContent = isKnown ? formatMs(1000 / rate) : '';
    }
  }
}
