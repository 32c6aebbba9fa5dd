/** Mounts the form of the home page: the choice of a run, and its duration to the chosen servers. */
import { formatSeconds } from '../../../../core/base/format.js';
import * as plans from '../../../../core/experiments/shootout/plan.js';
import { parseRtt } from '../../../../core/experiments/shootout/distance-model.js';
import { CHALLENGERS, challengerOf } from '../../../../core/experiments/shootout/verdict.js';
import { BASELINES } from '../../../../core/experiment/compare.js';
import { parseField } from '../../../../core/experiment/fields.js';
import { labelOf } from '../../../../core/net/labels.js';
import { createSeed } from '../../../../core/base/random.js';
import { element, inputs, onSubmit, tryOrSay } from '../page.js';

/** The preset of a link that has a number of blocks or iterations. */
const LINKED = 'linked';

/**
 * Mounts the form that makes a plan, or shows a linked one. If the visitor submits it before the round-trip time of
 * each server is known, the run starts when `setRoundTrips` sets them; `forgetRoundTrips`: they are not known yet, or
 * cannot be known.
 * @param {object} options @param {(plan: plans.Plan) => void} options.onStart called only with a valid plan
 * @param {(payloadBytes: number) => void} options.onPayload called when it changes, as messages then take another time
 */
export function createPlanForm({ onStart, onPayload }) {
  const controls = element('#start-controls', HTMLFieldSetElement);
  const fields = mountPlanFields();
  const chooser = createChooser(fields);
  const linkError =
    chooser.linkError && `The plan in this link is invalid: ${chooser.linkError}. Use the options on this page.`;
  /** @type {readonly number[]} of each server */
  let roundTripsMs = [];
  let isProbing = true;
  let isSubmitted = false;
  /** @type {plans.Plan | undefined} */
  let plan;

  const show = () => {
    if (roundTripsMs.length > 0) {
      plan = tryOrSay(() => chooser.choose(fields.preset(), roundTripsMs), say);
      showPlan(plan, roundTripsMs);
      showPresets((other) => chooser.choose(other, roundTripsMs), roundTripsMs);
    }
    fields.summarize(plan);
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
      fields.payload.focus();
      return;
    }
    history.replaceState(history.state, '', withOthers(`?${plans.formatPlan(plan)}`));
    const started = plan;
    chooser.renewSeed();
    show();
    onStart(started);
  };

  say(linkError);
  onSubmit('#run-form', submit);
  element('#run-form').addEventListener('input', ({ target }) => {
    // The choice of servers is not a part of the plan.
    if (/** @type {HTMLInputElement} */ (target).name !== 'server') show();
  });
  fields.payload.addEventListener('change', () => {
    const payloadBytes = tryOrSay(fields.readPayload, say);
    if (payloadBytes !== undefined) onPayload(payloadBytes);
  });

  return {
    payloadBytes: chooser.payloadBytes,
    isLinkRefused: linkError !== '',
    transports: fields.readTransports,
    /** @param {readonly number[]} list of each server */
    setRoundTrips(list) {
      roundTripsMs = list;
      show();
      if (linkError) say(linkError);
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
    setEnabled: (/** @type {boolean} */ isEnabled) => (controls.disabled = !isEnabled),
    submit,
    say,
  };
}

/** Mounts the fields of a plan. */
function mountPlanFields() {
  const baseline = element('#baseline', HTMLSelectElement);
  const candidate = element('#candidate', HTMLSelectElement);
  const payload = element('#payload', HTMLInputElement);
  const boxes = inputs('[name=transport]');
  const presets = /** @type {RadioNodeList} */ (element('#run-form', HTMLFormElement).elements.namedItem('preset'));
  const payloadField = { ...plans.FIELDS.payloadBytes, parameter: String(payload.labels?.[0].textContent) };
  const readPayload = () => parseField(payload.value, payloadField);
  const readTransports = () => boxes.filter(({ checked }) => checked).map(({ value }) => value);

  // A run is about the first baseline, and the first challenger, that it has.
  const tickChosen = () => {
    for (const box of boxes) {
      const isChosen = box.value === baseline.value || box.value === candidate.value;
      const isOther =
        isBefore(BASELINES, box.value, baseline.value) || isBefore(CHALLENGERS, box.value, candidate.value);
      if (isChosen || isOther) box.checked = isChosen;
      box.disabled = isChosen || isOther;
    }
  };
  for (const select of [baseline, candidate]) select.addEventListener('input', tickChosen);
  tickChosen();

  return {
    payload,
    readTransports,
    /** @throws {InvalidInputError} what, expected, got */
    readPayload,
    read: () => ({ transports: readTransports(), payloadBytes: readPayload() }),
    preset: () => presets.value,
    /** @param {ReturnType<typeof readLink>} linked */
    show({ preset, choices: { transports, payloadBytes } }) {
      presets.value = preset;
      if (payloadBytes !== undefined) payload.value = String(payloadBytes);
      if (!transports) return;
      const challenger = challengerOf({ transports });
      const isOffered = [...candidate.options].some(({ value }) => value === challenger);
      if (!isOffered) candidate.append(new Option(labelOf(challenger), challenger));
      baseline.value = plans.baselineOf({ transports });
      candidate.value = challenger;
      for (const box of boxes) box.checked = transports.includes(box.value);
      tickChosen();
    },
    /** Says what is chosen in a few words, beside the closed options. @param {plans.Plan} [plan] */
    summarize(plan) {
      const linked = plan ? formatBlocks(plan) : 'as linked';
      const preset = presets.value === LINKED ? linked : presets.value;
      const bytes = payload.value.trim();
      const size = bytes === '0' ? '' : `, ${bytes} bytes`;
      element('#options-summary').textContent = `Options: ${preset}, ${readTransports().length} transports${size}`;
    },
  };
}

/**
 * Checks whether a run would be about a transport instead of the chosen one.
 * @param {readonly string[]} order @param {string} name @param {string} chosen
 */
function isBefore(order, name, chosen) {
  const end = order.includes(chosen) ? order.indexOf(chosen) : order.length;
  return order.slice(0, end).includes(name);
}

/** Creates the plan from a link, and from the visitor's changes. @param {ReturnType<typeof mountPlanFields>} fields */
function createChooser(fields) {
  let linkError = '';
  const linked = tryOrSay(readLink, (message) => (linkError = message));
  let seed = linked?.choices.seed ?? createSeed();
  element('#linked-choice').hidden = linked?.preset !== LINKED;
  if (linked) fields.show(linked);
  return {
    linkError,
    payloadBytes: linked?.choices.payloadBytes ?? 0,
    /** @param {string} preset @param {readonly number[]} roundTripsMs of each server */
    choose(preset, roundTripsMs) {
      const isLinked = preset === LINKED;
      const choices = { ...(isLinked && linked?.choices), ...fields.read() };
      // One plan is used for all servers, so that they can be compared; the farthest server determines it.
      const roundTripMs = Math.max(...roundTripsMs);
      return plans.createPlan({ preset: isLinked ? 'standard' : preset, roundTripMs, seed, choices });
    },
    /** Gives the next press a new seed; a linked plan keeps its own. */
    renewSeed() {
      seed = createSeed();
    },
  };
}

/** Reads a link, in which any part may be missing. @throws {InvalidInputError} what, expected, got */
function readLink() {
  const query = new URLSearchParams(location.search);
  parseRtt(query.get('rtt'));
  const preset = plans.parsePreset(query) ?? 'standard';
  const choices = plans.parseChoices(query);
  const isLinked = [choices.blocks, choices.iterations, choices.warmUpCount].some((number) => number !== undefined);
  return { preset: isLinked ? LINKED : preset, choices };
}

/** @param {string} words */
function say(words) {
  element('#form-error').textContent = words;
}

/** Keeps the other parameters of a link: the round-trip time, and the label of its campaign. @param {string} link */
function withOthers(link) {
  const query = new URLSearchParams(location.search);
  const others = ['rtt', 'label'].filter((name) => query.has(name));
  return [link, ...others.map((name) => `${name}=${encodeURIComponent(String(query.get(name)))}`)].join('&');
}

/**
 * Shows what the button does, and the duration.
 * @param {plans.Plan | undefined} plan @param {readonly number[]} roundTripsMs
 */
function showPlan(plan, roundTripsMs) {
  const link = element('#plan-link', HTMLAnchorElement);
  element('#plan').textContent = plan ? describe(plan, roundTripsMs.length) : '';
  element('#start').textContent = plan ? `Measure, about ${formatDuration(plan, roundTripsMs)}` : 'Measure';
  link.hidden = !plan;
  if (plan) link.href = `?${plans.formatPlan(plan)}`;
}

/**
 * Shows the duration of each preset.
 * @param {(preset: string) => plans.Plan} choose throws an InvalidInputError @param {readonly number[]} roundTripsMs
 */
function showPresets(choose, roundTripsMs) {
  for (const { labels, value } of inputs('[name=preset]')) {
    const words = labels?.[0].querySelector('small');
    const plan = tryOrSay(() => choose(value));
    const numbers = plan && value === LINKED ? `: ${formatBlocks(plan)}` : '';
    if (words) words.textContent = plan ? `${numbers}, ${formatDuration(plan, roundTripsMs)}` : '';
  }
}

/** @param {plans.Plan} plan @param {readonly number[]} roundTripsMs of each server */
function formatDuration(plan, roundTripsMs) {
  const durationMs = roundTripsMs.reduce((sum, ms) => sum + plans.estimateDurationMs(plan, ms), 0);
  return formatSeconds(Math.max(1, Math.round(durationMs / 1000)));
}

/** @param {plans.Plan} plan */
const formatBlocks = ({ blocks, iterations }) => `${blocks} blocks of ${iterations}`;

/** @param {plans.Plan} plan @param {number} serverCount */
function describe(plan, serverCount) {
  const body = plan.payloadBytes > 0 ? ` of ${plan.payloadBytes} bytes` : '';
  const servers = serverCount > 1 ? `, to each of ${serverCount} servers` : '';
  return `${formatBlocks(plan)} messages${body} per transport${servers}.`;
}
