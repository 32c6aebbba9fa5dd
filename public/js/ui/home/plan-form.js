import { formatSeconds } from '../../../../core/base/format.js';
import {
  createPlan,
  estimateDurationMs,
  formatPlan,
  parseChoices,
  parsePreset,
} from '../../../../core/experiments/shootout/plan.js';
import { parseRtt } from '../../../../core/experiments/shootout/decision/rtt.js';
import { createSeed } from '../../../../core/base/random.js';
import { element } from '../element.js';
import { mountPlanFields } from './plan-fields.js';

/**
 * @import { Plan } from '../../../../core/experiments/shootout/plan.js'
 * @import { Choices } from './plan-fields.js'
 */

/** The preset of a link that says how many blocks or iterations. */
const LINKED = 'linked';

/**
 * The form that makes a plan, or shows the one that was linked.
 *
 * @param {object} options
 * @param {(plan: Plan) => void} options.onStart called only with a plan that is right
 * @param {(payloadBytes: number) => void} options.onPayload where it becomes another: a message takes another time then
 * @returns {{ payloadBytes: number, isLinkRefused: boolean, setRoundTrips(list: readonly number[]): void,
 *   forgetRoundTrips(isLooking: boolean): boolean, setEnabled(isEnabled: boolean): void, submit(): void, say(error: string): void }}
 *   `setRoundTrips` tells how far away each server is: whoever submits before that is known has it start then;
 *   `forgetRoundTrips`: it is not known yet, or, where nobody looks, cannot be known, and a press that waited for it is in
 *   vain, which it tells
 */
export function createPlanForm({ onStart, onPayload }) {
  const form = element('#run-form', HTMLFormElement);
  const controls = element('#start-controls', HTMLFieldSetElement);
  const fields = mountPlanFields(form);
  const presets = /** @type {RadioNodeList} */ (form.elements.namedItem('preset'));
  const link = element('#plan-link', HTMLAnchorElement);
  const error = element('#form-error', HTMLElement);
  /** @type {readonly number[]} */
  let roundTripsMs = [];
  let isLooking = true;
  let isSubmitted = false;
  let seed = createSeed();
  /** @type {Plan | undefined} */
  let plan;

  /** @param {string} words */
  const say = (words) => {
    error.textContent = words;
  };

  /** @template T @param {() => T} work */
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

  const linked = tryOrSay(() => readLink(new URLSearchParams(location.search)));
  const linkError = error.textContent;
  const sayLinkError = () => {
    if (linkError) say(`The link’s plan cannot be used: ${linkError}`);
  };
  if (linked) {
    seed = linked.choices.seed ?? seed;
    fields.show(linked.choices);
    element('#linked-choice', HTMLElement).hidden = linked.preset !== LINKED;
    presets.value = linked.preset;
  }
  sayLinkError();

  /** @param {string} preset */
  const choosePlan = (preset) => {
    const { choices } = fields.read();
    // One plan for all servers, or they could not be compared; the farthest sets it.
    const roundTripMs = Math.max(...roundTripsMs);
    if (preset !== LINKED) return createPlan({ preset, roundTripMs, seed, choices });
    return createPlan({ preset: 'standard', roundTripMs, seed, choices: { ...linked?.choices, ...choices } });
  };

  const show = () => {
    if (roundTripsMs.length === 0) {
      showSummary('');
      return;
    }
    plan = tryOrSay(() => choosePlan(presets.value));
    showPlan(plan, roundTripsMs);
    for (const radio of /** @type {NodeListOf<HTMLInputElement>} */ (presets)) {
      showPreset(
        radio,
        tryPlan(() => choosePlan(radio.value)),
        roundTripsMs,
      );
    }
    showSummary(presets.value === LINKED && plan ? `${plan.blocks} blocks of ${plan.iterations}` : '');
    link.hidden = !plan;
    if (plan) link.href = `?${formatPlan(plan)}`;
  };

  /** @param {string} words instead of the preset's name */
  const showSummary = (words) => {
    element('#options-summary', HTMLElement).textContent = fields.describe(
      words || (presets.value === LINKED ? 'as linked' : presets.value),
    );
  };

  const submit = () => {
    if (roundTripsMs.length === 0) {
      if (!isLooking) return;
      isSubmitted = true;
      controls.disabled = true;
      return;
    }
    show();
    if (!plan) {
      element('#options', HTMLDetailsElement).open = true;
      fields.focusWrong();
      return;
    }
    history.replaceState(history.state, '', withOthers(link.href));
    const started = plan;
    // The next press is a run of its own; a plan that was linked stays what it is.
    seed = createSeed();
    show();
    onStart(started);
  };

  form.addEventListener('input', ({ target }) => {
    const { name } = /** @type {HTMLInputElement} */ (target);
    // Which servers are measured is no part of a plan.
    if (name !== 'server') show();
  });
  element('#payload', HTMLInputElement).addEventListener('change', () => {
    const payloadBytes = tryOrSay(fields.readPayload);
    if (payloadBytes !== undefined) onPayload(payloadBytes);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });

  return {
    payloadBytes: linked?.choices.payloadBytes ?? 0,
    isLinkRefused: linkError !== '',
    setRoundTrips(list) {
      roundTripsMs = list;
      show();
      sayLinkError();
      if (!isSubmitted) return;
      isSubmitted = false;
      submit();
    },
    forgetRoundTrips(isAsked) {
      const wasSubmitted = isSubmitted;
      isLooking = isAsked;
      if (!isLooking) isSubmitted = false;
      roundTripsMs = [];
      plan = undefined;
      showPlan(undefined, []);
      link.hidden = true;
      return wasSubmitted;
    },
    setEnabled(isEnabled) {
      controls.disabled = !isEnabled;
    },
    submit,
    say,
  };
}

/**
 * @param {URLSearchParams} query
 * @returns {{ preset: string, choices: Choices }} a link may leave out anything
 * @throws {RangeError} what, expected, got
 */
function readLink(query) {
  parseRtt(query.get('rtt'));
  const preset = parsePreset(query) ?? 'standard';
  const choices = parseChoices(query);
  const isLinked = [choices.blocks, choices.iterations, choices.warmUpCount].some((number) => number !== undefined);
  return { preset: isLinked ? LINKED : preset, choices };
}

/**
 * The round-trip time that a link asks about, and the label of its campaign, are no part of its plan, and stay.
 *
 * @param {string} href
 */
function withOthers(href) {
  const query = new URLSearchParams(location.search);
  const others = ['rtt', 'label'].filter((name) => query.has(name));
  return [href, ...others.map((name) => `${name}=${encodeURIComponent(String(query.get(name)))}`)].join('&');
}

/**
 * What the button will do, and for how long.
 *
 * @param {Plan | undefined} plan
 * @param {readonly number[]} roundTripsMs of each server
 */
function showPlan(plan, roundTripsMs) {
  const text = element('#plan', HTMLElement);
  const button = element('#start', HTMLButtonElement);
  text.textContent = plan ? describe(plan, roundTripsMs.length) : '';
  button.textContent =
    plan && roundTripsMs.length > 0 ? `Measure, about ${formatDuration(plan, roundTripsMs)}` : 'Measure';
}

/**
 * How long it would take.
 *
 * @param {HTMLInputElement} radio
 * @param {Plan | undefined} plan that it would lead to
 * @param {readonly number[]} roundTripsMs of each server
 */
function showPreset(radio, plan, roundTripsMs) {
  const words = radio.labels?.[0].querySelector('small');
  if (!words) return;
  const numbers = plan && radio.value === LINKED ? `: ${plan.blocks} blocks of ${plan.iterations}` : '';
  words.textContent = plan ? `${numbers}, ${formatDuration(plan, roundTripsMs)}` : '';
}

/** @param {Plan} plan @param {readonly number[]} roundTripsMs of each server */
function formatDuration(plan, roundTripsMs) {
  const durationMs = roundTripsMs.reduce((sum, ms) => sum + estimateDurationMs(plan, ms), 0);
  return formatSeconds(Math.max(1, Math.round(durationMs / 1000)));
}

/** @template T @param {() => T} make @returns {T | undefined} absent where there can be none */
function tryPlan(make) {
  try {
    return make();
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem;
    return undefined;
  }
}

/** @param {Plan} plan @param {number} serverCount */
function describe({ blocks, iterations, payloadBytes }, serverCount) {
  const body = payloadBytes > 0 ? ` of ${payloadBytes} bytes` : '';
  const servers = serverCount > 1 ? `, to each of ${serverCount} servers` : '';
  return `${blocks} blocks of ${iterations} messages${body} per transport${servers}.`;
}
