/** The cost of a run over sizes, shown before it starts; sizes that exceed a budget are struck out. */
import { InvalidInputError } from '../../../core/base/foreign-text.js';
import { ExchangeError } from '../../../core/net/exchange-error.js';
import { FIELDS, formatSize, PUBLISHED, PUBLISHED_FIELDS, splitSizes } from '../../../core/experiments/payload/plan.js';
import * as budgets from '../../../core/experiments/payload/budget.js';
import { parseField } from '../../../core/experiment/fields.js';
import { element, inputs, now } from './page.js';

/** @import { PayloadPlan } from '../../../core/experiments/payload/plan.js' */

/** The visitor did not ask for this test of the connection, so it is a small one. */
const TEST = Object.freeze({ maxBytes: 100_000, timeoutMs: 5000 });
/** The speed if it is not known: only the bytes count. */
const NO_TIME = Object.freeze({ roundTripMs: 0, upBytesPerSecond: Infinity, downBytesPerSecond: Infinity });

/**
 * Checks whether a page should save bytes: on a phone they may be expensive.
 * @param {object} browser @param {Navigator} browser.navigator @param {typeof window.matchMedia} browser.matchMedia
 * @returns {boolean} also true if the visitor has requested it
 */
export function isSparing({ navigator, matchMedia }) {
  // Some browsers know neither: https://developer.mozilla.org/docs/Web/API/NetworkInformation/saveData
  const { connection, userAgentData } = /** @type {any} */ (navigator);
  const isCostly = connection?.saveData || connection?.type === 'cellular' || userAgentData?.mobile;
  // The primary pointer of a phone is coarse.
  return isCostly || matchMedia('(pointer: coarse)').matches;
}

export function createPayloadForecast() {
  const budget = element('#run-form [name=budget]', HTMLInputElement);
  const seconds = element('#run-form [name=seconds]', HTMLInputElement);
  const boxes = inputs('[name=sizes][type=checkbox]');
  const text = element('#forecast');
  /** @type {budgets.Speed | undefined} */
  let speed;
  /** Of the plan that was fitted last. @type {number | undefined} */
  let fittedMs;
  let timeUnknown = 'its duration is being estimated';

  // A linked plan keeps all of its sizes, whatever their time.
  const link = new URLSearchParams(location.search);
  let isToSpare = isSparing(window) && !link.has('budget');
  if (link.has('sizes')) seconds.value = String(budgets.TIME_BUDGET.max);
  element('#sparing').hidden = !isToSpare;

  // Each preset has its own budget, which the visitor may change.
  const defaultMegabytes = isSparing(window) ? budgets.SPARING_MEGABYTES : FIELDS.budget.default;
  for (const radio of inputs('[name=preset]')) {
    const own = radio.value === PUBLISHED ? PUBLISHED_FIELDS.budget.default : defaultMegabytes;
    radio.addEventListener('input', () => (budget.value = String(own)));
  }

  /** @param {number} size @param {string} why empty: it is not struck out */
  const strike = (size, why) => {
    const label = boxes.find(({ value }) => Number(value) === size)?.closest('label');
    if (!label) return;
    label.classList.toggle('struck', why !== '');
    element(`#why-${size}`).textContent = why && `over the ${why} budget`;
  };

  return {
    clear() {
      // This runs once, after the link has filled the form.
      if (isToSpare) budget.value = String(budgets.SPARING_MEGABYTES);
      isToSpare = false;
      for (const { value } of boxes) strike(Number(value), '');
      text.textContent = '';
    },

    /** Keeps the sizes that fit the time budget. @param {PayloadPlan} plan @throws {InvalidInputError} if none does */
    fitPlan(plan) {
      // The published plan is not shortened; the forecast says how long it takes.
      const budgetMs = plan.preset ? Infinity : 1000 * parseField(seconds.value, budgets.TIME_BUDGET);
      const times = { speed: speed ?? NO_TIME, budgetMs };
      const { plan: fitting, tooSlow, byteCount, durationMs } = budgets.fitTime(plan, times);
      for (const size of splitSizes(plan).leftOut) strike(size, 'byte');
      for (const { size } of tooSlow) strike(size, 'time');
      if (fitting.sizes.length === 0) throw new InvalidInputError(describeLack(plan, times));
      fittedMs = speed && durationMs;
      const time = speed ? ` and takes ${formatAbout(durationMs)}` : `; ${timeUnknown}`;
      text.textContent = `It transfers ${formatSize(Number(byteCount.toPrecision(3)))}${time}.${describeTooSlow(tooSlow)}`;
      return fitting;
    },

    secondsOf: () => fittedMs && fittedMs / 1000,

    /** @param {Parameters<typeof budgets.measureSpeed>[0]['transfer']} transfer */
    async testSpeed(transfer) {
      try {
        speed = await budgets.measureSpeed({ transfer, now, ...TEST });
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        timeUnknown = 'its duration is unknown';
      }
    },
  };
}

/**
 * Describes the lack of time or bytes if not even the smallest size fits.
 * @param {PayloadPlan} plan @param {{ speed: budgets.Speed, budgetMs: number }} times
 */
function describeLack(plan, { speed, budgetMs }) {
  const [{ size, durationMs }] = budgets.costsOf(plan, speed);
  const of = `for the smallest size, ${formatSize(size)}`;
  return `seconds: expected at least ${Math.ceil(durationMs / budgets.TIME_DOUBT / 1000)} ${of}, got ${budgetMs / 1000}`;
}

/** @param {budgets.Fit['tooSlow']} tooSlow @returns {string} a sentence, after a space; empty if there are none */
function describeTooSlow(tooSlow) {
  if (tooSlow.length === 0) return '';
  const list = tooSlow.map(({ size, durationMs }) => `${formatSize(size)} (${formatAbout(durationMs)} in all)`);
  return ` Left out by the time budget: ${list.join(', ')}.`;
}

/** @param {number} ms */
function formatAbout(ms) {
  if (ms < 1500) return 'about a second';
  return ms < 90_000 ? `about ${Math.round(ms / 1000)} s` : `about ${Math.round(ms / 60_000)} min`;
}
