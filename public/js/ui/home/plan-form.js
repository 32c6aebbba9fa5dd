/** Mounts the form of the home page: the choice of a run, and its duration to the chosen servers. */
import { formatSeconds } from '../../../../core/base/format.js';
import * as plans from '../../../../core/experiments/shootout/plan.js';
import { linkOf, secondsOf } from '../../../../core/full-test/plan.js';
import { element, inputs, onSubmit, tryOrSay } from '../../base/page.js';
import { createChooser } from './chooser.js';
import { formatBlocks, LINKED, mountPlanFields } from './plan-fields.js';
import { mountSituation } from '../situation-form.js';
import { at } from '../../site-url.js';

/** @import { Choice } from './chooser.js' */

/**
 * Mounts the form that makes a plan, or shows a linked one. If the visitor submits it before the round-trip time of
 * each server is known, the run starts when `setRoundTrips` sets them; `forgetRoundTrips`: they are not known yet, or
 * cannot be known.
 * @param {object} options @param {(choice: Choice) => void} options.onStart called only with a valid plan
 * @param {(payloadBytes: number) => void} options.onPayload called when it changes, as messages then take another time
 */
export function createPlanForm({ onStart, onPayload }) {
  const controls = element('#start-controls', HTMLFieldSetElement);
  const fields = mountPlanFields();
  const situation = mountSituation();
  const chooser = createChooser(fields, situation);
  const { linkError } = chooser;
  /** @type {readonly number[]} of each server */
  let roundTripsMs = [];
  let [isOwn, isProbing, isSubmitted] = [true, true, false];
  /** @type {Choice | undefined} */
  let choice;

  const show = () => {
    if (roundTripsMs.length > 0) {
      const choose = (/** @type {string} */ preset) => chooser.choose(preset, { roundTripsMs, isOwn });
      choice = tryOrSay(() => choose(fields.preset()), say);
      showChoice(choice, roundTripsMs);
      showPresets(choose, roundTripsMs);
    }
    fields.summarize(choice?.plan);
  };
  const submit = () => {
    if (roundTripsMs.length === 0) {
      isSubmitted ||= isProbing;
      controls.disabled ||= isProbing;
      return;
    }
    show();
    if (!choice) {
      fields.reveal();
      return;
    }
    history.replaceState(history.state, '', withOthers(linkTo(choice)));
    const started = choice;
    chooser.renewSeed();
    show();
    onStart(started);
  };

  say(linkError);
  onSubmit('#run-form', submit);
  element('#run-form').addEventListener('input', ({ target }) => {
    if (situation.has(target)) chooser.leaveLink();
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
    /** @param {readonly number[]} list of each server @param {boolean} isOwnAlone is it the page's own alone? */
    setRoundTrips(list, isOwnAlone) {
      roundTripsMs = list;
      isOwn = isOwnAlone;
      show();
      if (linkError) say(linkError);
      const wasSubmitted = isSubmitted;
      isSubmitted = false;
      if (wasSubmitted) submit();
    },
    /** @param {boolean} isAsked are they probed? @returns {boolean} is a press that waited for it in vain? */
    forgetRoundTrips(isAsked) {
      const wasSubmitted = isSubmitted;
      isProbing = isAsked;
      isSubmitted &&= isAsked;
      roundTripsMs = [];
      choice = undefined;
      showChoice(undefined, []);
      return wasSubmitted;
    },
    setEnabled: (/** @type {boolean} */ isEnabled) => (controls.disabled = !isEnabled),
    submit,
    say,
  };
}

/** @param {string} words */
function say(words) {
  element('#form-error').textContent = words;
}

/** Keeps the other parameters of a link: the round-trip time, and the label of its study. @param {string} link */
function withOthers(link) {
  const query = new URLSearchParams(location.search);
  const others = ['rtt', 'label'].filter((name) => query.has(name));
  return [link, ...others.map((name) => `${name}=${encodeURIComponent(String(query.get(name)))}`)].join('&');
}

/** @param {Choice} choice @returns {string} path and query, or a query */
const linkTo = ({ plan, full }) => (full ? at(linkOf(full)) : at(`/?${plans.formatPlan(plan)}`));

/**
 * Shows what the button does, and the duration.
 * @param {Choice | undefined} choice @param {readonly number[]} roundTripsMs
 */
function showChoice(choice, roundTripsMs) {
  const link = element('#plan-link', HTMLAnchorElement);
  element('#plan').textContent = choice ? describe(choice, roundTripsMs.length) : '';
  element('#start').textContent = choice ? `Measure, about ${formatDuration(choice, roundTripsMs)}` : 'Measure';
  link.hidden = !choice;
  if (choice) link.href = linkTo(choice);
}

/**
 * Shows the duration of each preset.
 * @param {(preset: string) => Choice} choose throws an InvalidInputError @param {readonly number[]} roundTripsMs
 */
function showPresets(choose, roundTripsMs) {
  for (const { labels, value } of inputs('[name=preset]')) {
    const words = labels?.[0].querySelector('small');
    const choice = tryOrSay(() => choose(value));
    const numbers = choice && value === LINKED ? `: ${formatBlocks(choice.plan)}` : '';
    if (words) words.textContent = choice ? `${numbers}, ${formatDuration(choice, roundTripsMs)}` : '';
  }
}

/** @param {Choice} choice @param {readonly number[]} roundTripsMs of each server */
function formatDuration({ plan, full }, roundTripsMs) {
  if (full) return formatSeconds(Math.max(1, secondsOf(full.parts, roundTripsMs[0])));
  const durationMs = roundTripsMs.reduce((sum, ms) => sum + plans.estimateDurationMs(plan, ms), 0);
  return formatSeconds(Math.max(1, Math.round(durationMs / 1000)));
}

/** @param {Choice} choice @param {number} serverCount @returns {string} sentences */
function describe({ plan, full }, serverCount) {
  const body = plan.payloadBytes > 0 ? ` of ${plan.payloadBytes} bytes` : '';
  const servers = serverCount > 1 ? `, to each of ${serverCount} servers` : '';
  const echoes = `${formatBlocks(plan)} messages${body} per transport${servers}.`;
  if (!full) return echoes;
  return full.parts
    .map(({ experiment, plan: own }) => (own === plan ? echoes : experiment.describePlan(own)))
    .join(' ');
}
