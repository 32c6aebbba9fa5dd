import { formatSeconds } from '../../../../core/base/format.js';
import {
  createPlan,
  estimateDurationMs,
  formatPlan,
  parseChoices,
  parsePreset,
} from '../../../../core/experiments/shootout/plan.js';
import { parseRtt } from '../../../../core/experiments/shootout/distance-model.js';
import { createSeed } from '../../../../core/base/random.js';
import { element, inputs, onSubmit } from '../element.js';
import { tryOrSay } from '../fields.js';
import { mountPlanFields } from './plan-fields.js';

/** @import { Plan } from '../../../../core/experiments/shootout/plan.js' */
/** @import { Choices, PlanFields } from './plan-fields.js' */

/** The preset of a link that says how many blocks or iterations. */
const LINKED = 'linked';

/**
 * The form that makes a plan, or shows the one that was linked. Whoever submits before it is known how far away each server
 * is has the run start when `setRoundTrips` says it; `forgetRoundTrips`: it is not known yet, or cannot be known.
 * @param {object} options @param {(plan: Plan) => void} options.onStart called only with a plan that is right
 * @param {(payloadBytes: number) => void} options.onPayload where it becomes another: a message takes another time then
 */
export function createPlanForm({ onStart, onPayload }) {
  const controls = element('#start-controls', HTMLFieldSetElement);
  const fields = mountPlanFields();
  const chooser = createChooser(fields);
  const { linkError } = chooser;
  /** @type {readonly number[]} */
  let roundTripsMs = [];
  let isProbing = true;
  let isSubmitted = false;
  /** @type {Plan | undefined} */
  let plan;

  const show = () => {
    const preset = fields.preset();
    if (roundTripsMs.length > 0) {
      plan = tryOrSay(() => chooser.choose(preset, roundTripsMs), say);
      showPlan(plan, roundTripsMs);
      showPresets((other) => chooser.choose(other, roundTripsMs), roundTripsMs);
    }
    const linked = plan ? formatBlocks(plan) : 'as linked';
    element('#options-summary').textContent = fields.describe(preset === LINKED ? linked : preset);
  };
  const submit = () => {
    if (roundTripsMs.length === 0) {
      isSubmitted ||= isProbing;
      controls.disabled ||= isProbing;
      return;
    }
    show();
    if (!plan) {
      element('#options', HTMLDetailsElement).open = true;
      fields.focusWrong();
      return;
    }
    history.replaceState(history.state, '', withOthers(formatLink(plan)));
    const started = plan;
    chooser.renewSeed();
    show();
    onStart(started);
  };

  sayLinkError(linkError);
  onSubmit('#run-form', submit);
  element('#run-form').addEventListener('input', ({ target }) => {
    // Which servers are measured is no part of a plan.
    if (/** @type {HTMLInputElement} */ (target).name !== 'server') show();
  });
  fields.onPayload(onPayload, say);

  return {
    payloadBytes: chooser.payloadBytes,
    isLinkRefused: linkError !== '',
    /** @param {readonly number[]} list of each server */
    setRoundTrips(list) {
      roundTripsMs = list;
      show();
      sayLinkError(linkError);
      const wasSubmitted = isSubmitted;
      isSubmitted = false;
      if (wasSubmitted) submit();
    },
    /** @param {boolean} isAsked are they probed? @returns {boolean} whether a press that waited for it is in vain */
    forgetRoundTrips(isAsked) {
      const wasSubmitted = isSubmitted;
      isProbing = isAsked;
      isSubmitted &&= isAsked;
      roundTripsMs = [];
      plan = undefined;
      showPlan(undefined, []);
      return wasSubmitted;
    },
    /** @param {boolean} isEnabled */
    setEnabled(isEnabled) {
      controls.disabled = !isEnabled;
    },
    submit,
    say,
  };
}

/**
 * The plan that a link asks for, and what the visitor changes of it.
 * @param {PlanFields} fields are filled with what is linked
 */
function createChooser(fields) {
  let linkError = '';
  const linked = tryOrSay(
    () => readLink(new URLSearchParams(location.search)),
    (message) => (linkError = message),
  );
  let seed = linked?.choices.seed ?? createSeed();
  element('#linked-choice').hidden = linked?.preset !== LINKED;
  if (linked) fields.show(linked);
  return {
    linkError,
    payloadBytes: linked?.choices.payloadBytes ?? 0,
    /** @param {string} preset @param {readonly number[]} roundTripsMs of each server */
    choose(preset, roundTripsMs) {
      const choices = fields.read();
      // One plan for all servers, or they could not be compared; the farthest sets it.
      const roundTripMs = Math.max(...roundTripsMs);
      if (preset !== LINKED) return createPlan({ preset, roundTripMs, seed, choices });
      return createPlan({ preset: 'standard', roundTripMs, seed, choices: { ...linked?.choices, ...choices } });
    },
    /** The next press is a run of its own; a plan that was linked stays what it is. */
    renewSeed() {
      seed = createSeed();
    },
  };
}

/** @param {string} words */
function say(words) {
  element('#form-error').textContent = words;
}

/** @param {string} message empty where nothing is wrong with the link */
function sayLinkError(message) {
  if (message) say(`This link’s plan is not valid: ${message}. Use the options on this page.`);
}

/**
 * @param {URLSearchParams} query @returns {{ preset: string, choices: Choices }} a link may leave out anything
 * @throws {RangeError} what, expected, got
 */
function readLink(query) {
  parseRtt(query.get('rtt'));
  const preset = parsePreset(query) ?? 'standard';
  const choices = parseChoices(query);
  const isLinked = [choices.blocks, choices.iterations, choices.warmUpCount].some((number) => number !== undefined);
  return { preset: isLinked ? LINKED : preset, choices };
}

/** @param {Plan} plan */
const formatLink = (plan) => `?${formatPlan(plan)}`;

/**
 * The round-trip time that a link asks about, and the label of its campaign, are no part of its plan, and stay.
 * @param {string} link
 */
function withOthers(link) {
  const query = new URLSearchParams(location.search);
  const others = ['rtt', 'label'].filter((name) => query.has(name));
  return [link, ...others.map((name) => `${name}=${encodeURIComponent(String(query.get(name)))}`)].join('&');
}

/**
 * What the button will do, and for how long.
 * @param {Plan | undefined} plan @param {readonly number[]} roundTripsMs of each server
 */
function showPlan(plan, roundTripsMs) {
  const link = element('#plan-link', HTMLAnchorElement);
  element('#plan').textContent = plan ? describe(plan, roundTripsMs.length) : '';
  element('#start').textContent = plan ? `Measure, about ${formatDuration(plan, roundTripsMs)}` : 'Measure';
  link.hidden = !plan;
  if (plan) link.href = formatLink(plan);
}

/**
 * How long each of the presets would take.
 * @param {(preset: string) => Plan} choose throws a RangeError @param {readonly number[]} roundTripsMs of each server
 */
function showPresets(choose, roundTripsMs) {
  for (const { labels, value } of inputs('[name=preset]')) {
    const words = labels?.[0].querySelector('small');
    const plan = tryOrSay(() => choose(value));
    const numbers = plan && value === LINKED ? `: ${formatBlocks(plan)}` : '';
    if (words) words.textContent = plan ? `${numbers}, ${formatDuration(plan, roundTripsMs)}` : '';
  }
}

/** @param {Plan} plan @param {readonly number[]} roundTripsMs of each server */
function formatDuration(plan, roundTripsMs) {
  const durationMs = roundTripsMs.reduce((sum, ms) => sum + estimateDurationMs(plan, ms), 0);
  return formatSeconds(Math.max(1, Math.round(durationMs / 1000)));
}

/** @param {Plan} plan */
const formatBlocks = ({ blocks, iterations }) => `${blocks} blocks of ${iterations}`;

/** @param {Plan} plan @param {number} serverCount */
function describe(plan, serverCount) {
  const body = plan.payloadBytes > 0 ? ` of ${plan.payloadBytes} bytes` : '';
  const servers = serverCount > 1 ? `, to each of ${serverCount} servers` : '';
  return `${formatBlocks(plan)} messages${body} per transport${servers}.`;
}
