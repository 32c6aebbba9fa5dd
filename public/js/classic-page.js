/**
 * The page of a classic test: a field with presets, and a log; the last figures of both pages; the fine clock's figures
 * beneath.
 */
import { formatMs } from '../../core/base/format.js';
import { sumOf } from '../../core/base/statistics.js';
import { classic } from '../../core/experiments/classic/index.js';
import { toDocument } from '../../core/experiments/classic/schema.js';
import { parseIterations } from '../../core/experiments/classic/plan.js';
import { formatClassic, formatRate } from '../../core/experiments/classic/report.js';
import { rateOf } from '../../core/experiments/classic/summary.js';
import { isReused } from '../../core/experiment/documents/lone-trials.js';
import { labelOf } from '../../core/experiment/answer/labels.js';
import { measureEnvironment, mountIterationsField, mountLonePage, showDuration } from './lone-trials-page.js';
import { addToLog, showDetails, showLog } from './clients/classic.js';
import { startIfLinked } from './run/page-life.js';
import { showBars } from './ui/bars.js';
import { element, onSubmit, tryOrSay } from './base/page.js';
import { fillTable } from './ui/table.js';
import { keep, readKept } from './storage.js';

/** @import { Column } from '../../core/experiment/report/table.js' */
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
    list: 'runs',
    documentOf: () => toDocument(result),
    begin(/** @type {number[]} */ iterations) {
      element('#permalink', HTMLAnchorElement).href = `?iterations=${iterations.join(',')}&autostart=1`;
      return { plan: { iterations }, transport };
    },
    onTrialStart: () => addToLog('start!'),
    onTrialEnd(record) {
      addToLog(formatClassic(record));
      keepRate(name, record);
    },
    words({ iterations }, completedCount) {
      const isConnecting = transport.capabilities.socket && completedCount === 0;
      return isConnecting ? 'Connecting' : `${completedCount} of ${iterations}`;
    },
    reusedBy: (made) => (isReused(made.at(-1)) ? transport : undefined),
    // All of the result comes at once, so that none of it moves.
    onEnd() {
      showDetails(result);
      showRates();
    },
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

/** The field, its presets, and the link that the page was opened with. @param {(iterations: number[]) => void} start */
function mountStartControls(start) {
  const { field, read } = mountIterationsField();
  const presets = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-iterations]'));
  const parseField = () => field.value.split(',').map(parseIterations);
  const readField = () => read(parseField);
  const showItsDuration = () => showDuration(sumOf(tryOrSay(parseField) ?? [], (count) => count));
  const startWithField = () => {
    const iterations = readField();
    if (iterations) start(iterations);
    else field.focus();
  };

  onSubmit('#run-form', startWithField);
  for (const preset of presets) {
    preset.addEventListener('click', () => {
      field.value = String(preset.dataset.iterations);
      showItsDuration();
      startWithField();
    });
  }
  const linked = new URLSearchParams(location.search).get('iterations');
  field.value = linked ?? field.value;
  field.addEventListener('input', showItsDuration);
  showItsDuration();
  if (linked && readField()) startIfLinked(startWithField);
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

/** Those that both pages show. @type {readonly { name: string, label: string }[]} */
const TRANSPORTS = ['ajax', 'sockjs'].map((name) => ({ name, label: labelOf(name) }));

/** @typedef {{ name: string, label: string, iterations: number, rate: number }} Rate */

/** Shows them, as bars and with the time that each message took. */
function showRates() {
  const kept = readRates();
  const rates = TRANSPORTS.flatMap(({ name, label }) =>
    Object.entries(kept[name] ?? {}).flatMap(([iterations, rate]) =>
      typeof rate === 'number' && rate > 0 && Number(iterations) > 0
        ? [{ name, label, iterations: Number(iterations), rate }]
        : [],
    ),
  ).sort((a, b) => a.iterations - b.iterations);
  fillTable(element('#rates', HTMLTableElement), { columns: COLUMNS, rows: rates });
  const bars = rates.map(({ name, label, iterations, rate }) => ({
    name: `${label}, ${iterations}`,
    value: rate,
    figure: formatRate(rate),
    colour: name,
  }));
  const words = bars.map(({ name, figure }) => `${name}: ${figure} messages/s.`).join(' ');
  showBars(element('#rate-bars .bars'), bars, words);
  element('#sockjs-rates').hidden = rates.every(({ name }) => name !== 'sockjs');
}

/** @type {readonly Column<Rate>[]} */
const COLUMNS = [
  { title: 'Transport', isText: true, value: ({ label }) => label },
  { title: 'Iterations', value: ({ iterations }) => iterations },
  { title: 'Messages/s', value: ({ rate }) => rate, format: formatRate },
  { title: 'ms per message', value: ({ rate }) => formatMs(1000 / rate) },
];
