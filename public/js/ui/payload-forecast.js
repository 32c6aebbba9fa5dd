/** The cost of a run over sizes: its bytes before it starts, its time as it starts. Sizes over a budget are struck out. */
import { formatSeconds } from '../../../core/base/format.js';
import { sumOf } from '../../../core/base/statistics.js';
import { ExchangeError } from '../../../core/net/exchange-error.js';
import {
  bytesOf,
  FIELDS,
  formatSize,
  PUBLISHED,
  PUBLISHED_FIELDS,
  splitSizes,
} from '../../../core/experiments/payload/plan.js';
import * as budgets from '../../../core/experiments/payload/budget.js';
import { measureSpeed } from '../../../core/experiments/payload/speed.js';
import { parseField } from '../../../core/experiment/plan/fields.js';
import { describeMost } from '../../../core/experiment/run/duration.js';
import { element, inputs, keepTogether, now } from '../base/page.js';
import { isSparing } from './sparing.js';

/** @import { PayloadPlan } from '../../../core/experiments/payload/plan.js' */
/** @import { Speed } from '../../../core/experiments/payload/speed.js' */

/** The test of the connection at the start of a run is a small one. */
const TEST = Object.freeze({ maxBytes: 100_000, timeoutMs: 5000 });
const AFTER_TEST = ', after a connection test of up to 0.7 MB';
/** The speed if it is not known: only the bytes count. */
const NO_TIME = Object.freeze({ roundTripMs: 0, upBytesPerSecond: Infinity, downBytesPerSecond: Infinity });

export function createPayloadForecast() {
  const budget = element('#run-form [name=budget]', HTMLInputElement);
  const seconds = element('#run-form [name=seconds]', HTMLInputElement);
  const boxes = inputs('[name=sizes][type=checkbox]');
  /** As the last run found it. @type {Speed | undefined} */
  let speed;
  /** Has the visitor just chosen one more size? */
  let isLarger = false;

  // A linked plan keeps all of its sizes, whatever their time.
  const link = new URLSearchParams(location.search);
  let isToSpare = isSparing(window) && !link.has('budget');
  if (link.has('sizes')) seconds.value = String(budgets.TIME_BUDGET.max);

  /** Chooses the sizes and the budget of a preset, which the visitor may change. @param {string} preset */
  const usePreset = (preset) => {
    const own = preset === PUBLISHED ? PUBLISHED_FIELDS : isSparing(window) ? budgets.SPARING_FIELDS : FIELDS;
    budget.value = String(own.budget.default);
    for (const box of boxes) box.checked = Boolean(own.sizes.default?.includes(Number(box.value)));
  };
  for (const radio of inputs('[name=preset]')) radio.addEventListener('input', () => usePreset(radio.value));
  for (const box of boxes) box.addEventListener('input', () => (isLarger = box.checked));

  return {
    clear() {
      // This runs once, after the link has filled the form.
      if (isToSpare && (link.has('sizes') || link.has('preset')))
        budget.value = String(budgets.SPARING_FIELDS.budget.default);
      else if (isToSpare) usePreset('');
      isToSpare = false;
      for (const { value } of boxes) strike(boxes, Number(value), '');
      element('#forecast').textContent = '';
    },

    /** Raises the byte budget for a size that the visitor has just chosen. @param {PayloadPlan} plan */
    fitPlan(plan) {
      const neededBytes = sumOf(plan.sizes, (size) => bytesOf(plan, size));
      const megabytes = Math.min(Math.ceil(neededBytes / 1e6), FIELDS.budget.max);
      const asked = isLarger && megabytes > Number(plan.budget) ? { ...plan, budget: megabytes } : plan;
      isLarger = false;
      if (asked !== plan) budget.value = String(megabytes);
      for (const size of splitSizes(asked).leftOut) strike(boxes, size, 'byte');
      // A wrong time budget is refused before the run.
      if (!asked.preset) readBudget(seconds);
      const fit = budgets.fitTime(asked, { speed: speed ?? NO_TIME });
      say(fit, `${speed ? ` and takes ${formatAbout(fit.durationMs)}` : ''}${asked.preset ? '' : AFTER_TEST}`);
      return asked;
    },

    /** @param {PayloadPlan} plan @returns {string | undefined} its limit before the connection is tested, if it has one */
    describeDuration(plan) {
      const fittedMs = speed && budgets.fitTime(plan, { speed }).durationMs;
      return fittedMs
        ? `about ${formatSeconds(Math.ceil(fittedMs / 1000))}`
        : describeLimit(plan.preset ? undefined : seconds);
    },

    /**
     * Tests the connection, and keeps the sizes that fit the time budget, the smallest in any case. The published plan is
     * not shortened.
     * @param {PayloadPlan} plan
     * @param {{ transfer: Parameters<typeof measureSpeed>[0]['transfer'], signal: AbortSignal }} options
     * @returns {Promise<PayloadPlan>}
     */
    async fitTime(plan, { transfer, signal }) {
      if (plan.preset) return plan;
      speed = await testSpeed({ transfer, signal });
      const budgetMs = 1000 * readBudget(seconds);
      const fit = budgets.fitTime(plan, { speed: speed ?? NO_TIME, budgetMs });
      say(fit, speed ? ` and takes ${formatAbout(fit.durationMs)}` : '; its duration is unknown');
      for (const { size } of fit.tooSlow) strike(boxes, size, 'time');
      return fit.plan.sizes.length > 0 ? fit.plan : { ...plan, sizes: plan.sizes.slice(0, 1) };
    },
  };
}

/** @param {HTMLInputElement} seconds @returns {number} the time budget, s @throws {InvalidInputError} */
const readBudget = ({ value }) => parseField(value, budgets.TIME_BUDGET);

/**
 * Strikes a size out, and says why.
 * @param {readonly HTMLInputElement[]} boxes @param {number} size @param {string} why empty: it is not struck out
 */
function strike(boxes, size, why) {
  const label = boxes.find(({ value }) => Number(value) === size)?.closest('label');
  if (!label) return;
  label.classList.toggle('struck', why !== '');
  element(`#why-${size}`).textContent = why && `over the ${why} budget`;
}

/** @param {HTMLInputElement} [seconds] @returns {string | undefined} absent where nothing limits the time */
function describeLimit(seconds) {
  const most = seconds && budgets.maxSecondsOf(readBudget(seconds));
  return most ? describeMost(most) : undefined;
}

/** Says what a plan costs. @param {budgets.Fit} fit @param {string} time */
function say({ byteCount, tooSlow }, time) {
  element('#forecast').replaceChildren(
    ...keepTogether(`It transfers ${formatDigits(byteCount)}${time}.${describeTooSlow(tooSlow)}`),
  );
}

/** What a plan transfers within its byte budget. @param {PayloadPlan} plan @returns {string} such as '15.6 MB' */
export const formatBytesOf = (plan) => formatDigits(budgets.fitTime(plan, { speed: NO_TIME }).byteCount);

/** @param {number} byteCount */
const formatDigits = (byteCount) => formatSize(Number(byteCount.toPrecision(3)));

/**
 * @param {{ transfer: Parameters<typeof measureSpeed>[0]['transfer'], signal: AbortSignal }} options
 * @returns {Promise<Speed | undefined>} absent if a message fails, which the run says
 */
async function testSpeed({ transfer, signal }) {
  try {
    return await measureSpeed({ transfer, now, signal, ...TEST });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ExchangeError)) throw error;
    return undefined;
  }
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
  return `about ${formatSeconds(Math.round(ms / 1000))}`;
}
