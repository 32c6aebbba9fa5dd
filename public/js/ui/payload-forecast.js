/** The cost of a run over sizes, shown before it starts; sizes that exceed the budgets are struck out. */
import { InvalidInputError } from '../../../core/base/foreign-text.js';
import { ExchangeError } from '../../../core/net/exchange-error.js';
import { formatSize } from '../../../core/experiments/payload/plan.js';
import {
  BUDGETS,
  costsOf,
  fitBudget,
  SPARING_MEGABYTES,
  TIME_DOUBT,
  measureSpeed,
} from '../../../core/experiments/payload/budget.js';
import { parseFields } from '../../../core/experiment/fields.js';
import { element, inputs } from './element.js';

/** @import { Fit } from '../../../core/experiments/payload/budget.js' */
/** @import { PayloadPlan } from '../../../core/experiments/payload/plan.js' */
/** @import { Speed } from '../../../core/experiments/payload/budget.js' */
/** @import { TransferMethod } from '../../../core/net/transfer/index.js' */

/** The visitor did not ask for this test of the connection, so it is a small one. */
const TEST_BYTES = 100_000;
const TEST_LIMIT_MS = 5000;

/** If the time is not known, only the bytes count. */
const NO_TIME = Object.freeze({ roundTripMs: 0, upBytesPerSecond: Infinity, downBytesPerSecond: Infinity });

/**
 * Should a page be sparing with bytes here? On a phone they may be paid for one by one.
 * @param {object} browser @param {Navigator} browser.navigator @param {typeof window.matchMedia} browser.matchMedia
 * @returns {boolean} also where the visitor has said so
 */
export function isSparing({ navigator, matchMedia }) {
  // Neither is known to all browsers: https://developer.mozilla.org/docs/Web/API/NetworkInformation/saveData
  const { connection, userAgentData } = /** @type {{ connection?: { saveData?: boolean, type?: string },
    userAgentData?: { mobile?: boolean } } & Navigator} */ (navigator);
  if (connection?.saveData || connection?.type === 'cellular' || userAgentData?.mobile) return true;
  // The first way to point there is a finger.
  return matchMedia('(pointer: coarse)').matches;
}

/**
 * `fitPlan` gives a plan with the sizes that fit, and throws an InvalidInputError if none does, or if a budget is wrong;
 * `testSpeed` is of the connection to the server.
 */
export function createPayloadForecast() {
  const fields = ['seconds', 'megabytes'].map((name) => element(`#run-form [name=${name}]`, HTMLInputElement));
  const boxes = inputs('[name=sizes][type=checkbox]');
  const text = element('#forecast');
  /** @type {Speed | undefined} */
  let speed;
  let timeUnknown = 'its duration is being estimated';

  if (isSparing(window)) {
    element('#run-form [name=megabytes]', HTMLInputElement).value = String(SPARING_MEGABYTES);
    element('#sparing').hidden = false;
  }

  /** @param {number} size @param {string} why empty: it is not struck out */
  const strike = (size, why) => {
    const label = boxes.find(({ value }) => Number(value) === size)?.closest('label');
    if (!label) return;
    label.classList.toggle('struck', why !== '');
    element(`#why-${size}`).textContent = why && `struck out: ${why}`;
  };

  return {
    clear() {
      for (const { value } of boxes) strike(Number(value), '');
      text.textContent = '';
    },

    /** @param {PayloadPlan} plan */
    fitPlan(plan) {
      const query = new URLSearchParams(fields.map(({ name, value }) => [name, value]));
      const { seconds, megabytes } = parseFields(query, BUDGETS);
      const budgets = { speed: speed ?? NO_TIME, budgetBytes: megabytes * 1e6, budgetMs: seconds * 1000 };
      const { sizes, struckOut, byteCount, durationMs } = fitBudget(plan, budgets);
      for (const { size, why } of struckOut) strike(size, why.join(' and '));
      if (sizes.length === 0) throw new InvalidInputError(describeLack(plan, budgets));
      const time = speed ? ` and takes ${formatAbout(durationMs)}` : `; ${timeUnknown}`;
      text.textContent = `It transfers ${formatAmount(byteCount)}${time}.${describeStruckOut(struckOut)}`;
      return { ...plan, sizes };
    },

    /** @param {TransferMethod} transfer */
    async testSpeed(transfer) {
      const now = () => performance.now();
      try {
        speed = await measureSpeed({ transfer, now, maxBytes: TEST_BYTES, timeoutMs: TEST_LIMIT_MS });
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        timeUnknown = 'its duration is unknown';
      }
    },
  };
}

/**
 * @param {PayloadPlan} plan of which not even the smallest size fits
 * @param {{ speed: Speed, budgetBytes: number, budgetMs: number }} budgets @returns {string} field, expected, got
 */
function describeLack(plan, { speed, budgetBytes, budgetMs }) {
  const [{ size, byteCount, durationMs }] = costsOf(plan, speed);
  const of = `for the smallest size, ${formatSize(size)}`;
  if (byteCount > budgetBytes)
    return `megabytes: expected at least ${Math.ceil(byteCount / 1e6)} ${of}, got ${budgetBytes / 1e6}`;
  return `seconds: expected at least ${Math.ceil(durationMs / TIME_DOUBT / 1000)} ${of}, got ${budgetMs / 1000}`;
}

/** @param {Fit['struckOut']} struckOut @returns {string} a sentence, after a space; empty if there are none */
function describeStruckOut(struckOut) {
  if (struckOut.length === 0) return '';
  const list = struckOut.map(({ size, why, byteCount, durationMs }) => {
    const needs = {
      time: `time: ${formatAbout(durationMs)} in all`,
      bytes: `bytes: ${formatAmount(byteCount)} in all`,
    };
    return `${formatSize(size)} (${why.map((reason) => needs[reason]).join(', ')})`;
  });
  return ` Left out by the budget: ${list.join(', ')}.`;
}

/** @param {number} ms */
function formatAbout(ms) {
  if (ms < 1500) return 'about a second';
  return ms < 90_000 ? `about ${Math.round(ms / 1000)} s` : `about ${Math.round(ms / 60_000)} min`;
}

/** @param {number} bytes @returns {string} of three digits */
function formatAmount(bytes) {
  return formatSize(Number(bytes.toPrecision(3)));
}
