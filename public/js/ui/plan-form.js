import {
  BASELINES,
  baselineOf,
  createPlan,
  estimateDurationMs,
  formatPlan,
  NUMBERS,
  parseNumber,
  parsePlan,
  parsePreset,
} from '../../../core/plan.js';
import { createSeed } from '../../../core/random.js';
import { labelOf } from '../../../core/transports/labels.js';
import { element } from './element.js';

/**
 * The form that makes a plan, or shows the one that was linked.
 *
 * @param {object} options
 * @param {(plan: import('../../../core/plan.js').Plan) => void} options.onStart called only with a plan that is right
 * @param {(payloadBytes: number) => void} options.onPayload where it becomes another: a message takes another time then
 * @returns {{ payloadBytes: number, isLinkRefused: boolean, setRoundTrips(list: readonly number[]): void,
 *   forgetRoundTrips(words: string): void, setEnabled(isEnabled: boolean): void, submit(): void, say(error: string): void }}
 *   `setRoundTrips` tells how far away each server is: whoever submits before that is known has it start then;
 *   `forgetRoundTrips`: it is not known yet, which is said in these words, or, without any, cannot be known
 */
export function createPlanForm({ onStart, onPayload }) {
  const form = element('#run-form', HTMLFormElement);
  const controls = element('#start-controls', HTMLFieldSetElement);
  const planText = element('#plan', HTMLElement);
  const link = element('#plan-link', HTMLAnchorElement);
  const error = element('#form-error', HTMLElement);
  const payload = element('#payload', HTMLInputElement);
  const presets = /** @type {RadioNodeList} */ (form.elements.namedItem('preset'));
  const boxes = [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('[name=transport]'))];
  /** @type {readonly number[]} */
  let roundTripsMs = [];
  let isLooking = true;
  let isSubmitted = false;
  let seed = createSeed();
  /** @type {import('../../../core/plan.js').Plan | undefined} */
  let plan;

  const show = () => {
    if (roundTripsMs.length === 0) return;
    plan = tryOrSay(choosePlan);
    planText.textContent = plan ? describe(plan, roundTripsMs) : '';
    link.hidden = !plan;
    if (plan) link.href = `?${formatPlan(plan)}`;
  };

  /** @returns {import('../../../core/plan.js').Plan} */
  const choosePlan = () => {
    if (presets.value === 'linked' && linked) return linked;
    const payloadBytes = parsePayload();
    const transports = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    if (!BASELINES.some((name) => transports.includes(name))) {
      throw new RangeError(`Transports: expected ${BASELINES.map(labelOf).join(' or ')}, got neither`);
    }
    if (transports.length < 2) {
      throw new RangeError(`Transports: expected at least one beside ${labelOf(baselineOf({ transports }))}, got none`);
    }
    // One plan for all, or they could not be compared; the farthest sets it.
    return createPlan({
      preset: presets.value,
      roundTripMs: Math.max(...roundTripsMs),
      seed,
      payloadBytes,
      transports,
    });
  };

  const parsePayload = () =>
    parseNumber(payload.value, { ...NUMBERS.payloadBytes, parameter: String(payload.labels?.[0].textContent) });

  /**
   * @template T
   * @param {() => T} work
   * @returns {T | undefined}
   */
  const tryOrSay = (work) => {
    try {
      say('');
      return work();
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      say(problem.message);
      return undefined;
    }
  };

  /** @param {string} words */
  const say = (words) => {
    error.textContent = words;
  };

  const query = new URLSearchParams(location.search);
  const linked = tryOrSay(() => {
    presets.value = parsePreset(query) ?? presets.value;
    return parsePlan(query);
  });
  const showLinked = () => {
    if (!linked) return;
    presets.value = 'linked';
    payload.value = String(linked.payloadBytes);
    for (const box of boxes) {
      box.checked = linked.transports.includes(box.value);
      // The page's own baseline stays ticked, but where the link does without it, it may be added.
      if (!box.checked) box.disabled = false;
    }
  };
  showLinked();
  element('#linked-choice', HTMLElement).hidden = !linked;
  const linkError = error.textContent;
  const sayLinkError = () => {
    if (linkError) say(`The link’s plan cannot be used: ${linkError}`);
  };
  sayLinkError();

  form.addEventListener('input', ({ target }) => {
    const { name } = /** @type {HTMLInputElement} */ (target);
    // Which servers are measured is no part of a plan.
    if (name === 'server') return;
    // Whoever changes something wants a plan of its own.
    const isPreset = name === 'preset';
    if (isPreset && presets.value === 'linked') showLinked();
    else if (presets.value === 'linked') presets.value = 'standard';
    show();
  });
  payload.addEventListener('change', () => {
    const payloadBytes = tryOrSay(parsePayload);
    if (payloadBytes !== undefined) onPayload(payloadBytes);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });

  const submit = () => {
    if (roundTripsMs.length === 0) {
      if (!isLooking) return;
      isSubmitted = true;
      controls.disabled = true;
      return;
    }
    show();
    if (!plan) {
      const options = element('#options', HTMLDetailsElement);
      options.open = true;
      (tryOrSay(parsePayload) === undefined ? payload : boxes[1]).focus();
      show();
      return;
    }
    history.replaceState(undefined, '', link.href);
    const started = plan;
    // The next press is a run of its own; a plan that was linked stays what it is.
    seed = createSeed();
    show();
    onStart(started);
  };

  return {
    payloadBytes: linked?.payloadBytes ?? 0,
    isLinkRefused: linkError !== '',
    setRoundTrips(list) {
      roundTripsMs = list;
      show();
      sayLinkError();
      if (!isSubmitted) return;
      isSubmitted = false;
      submit();
    },
    forgetRoundTrips(words) {
      isLooking = words !== '';
      if (!isLooking) isSubmitted = false;
      roundTripsMs = [];
      plan = undefined;
      planText.textContent = words;
      link.hidden = true;
    },
    setEnabled(isEnabled) {
      controls.disabled = !isEnabled;
    },
    submit,
    say,
  };
}

/**
 * @param {import('../../../core/plan.js').Plan} plan
 * @param {readonly number[]} roundTripsMs of each server
 */
function describe(plan, roundTripsMs) {
  const { transports, blocks, iterations, payloadBytes } = plan;
  const names = transports.map(labelOf).join(', ');
  const durationMs = roundTripsMs.reduce((sum, ms) => sum + estimateDurationMs(plan, ms), 0);
  const seconds = Math.max(1, Math.round(durationMs / 1000));
  const duration = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
  const servers = roundTripsMs.length > 1 ? `, to each of ${roundTripsMs.length} servers in turn` : '';
  const body = payloadBytes > 0 ? `, ${payloadBytes} bytes each` : '';
  return `${blocks} blocks; in each, ${iterations} messages by each of ${names}, in random order${body}${servers}. About ${duration} from here.`;
}
