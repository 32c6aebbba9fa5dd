/** Mounts the form of the home page: the choice of a run, and its duration to the chosen servers. */
import { capitalize, formatMostSeconds } from '../../../../core/base/format.js';
import { withoutComparison as shootout } from '../../../../core/experiments/shootout/index.js';
import * as plans from '../../../../core/experiments/shootout/plan.js';
import { longest } from '../../../../core/experiment/plan/blocks.js';
import { secondsOf } from '../../../../core/experiment/run/duration.js';
import { linkOf } from '../../../../core/full-test/plan.js';
import { element, inputs, keepTogether, markField, onSubmit, readPath, sayAtField, tryOrSay } from '../../base/page.js';
import { createChooser } from './chooser.js';
import { formatBlocks, LINKED, mountPlanFields } from './plan-fields.js';
import { nameStart } from '../start-name.js';
import { mountSituation } from '../situation-form.js';
import { at } from '../../site-url.js';

/** @import { RunPlan } from '../../run/measure.js' */
/** @import { Chooser } from './chooser.js' */

/**
 * Mounts the form that makes a plan, or shows a linked one. If the visitor submits it before the round-trip time of
 * each server is known, the run starts when `setRoundTrips` sets them; `forgetRoundTrips`: they are not known yet, or
 * cannot be known.
 * @param {object} options @param {(plan: RunPlan) => void} options.onStart called only with a valid plan
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
  /** @type {RunPlan | undefined} */
  let plan;

  const say = sayerOf(fields);
  const show = () => {
    if (roundTripsMs.length > 0) {
      plan = tryOrSay(() => chooser.choose(fields.preset(), { roundTripsMs, isOwn }), say);
      showPlan(plan, roundTripsMs);
      showPresets(chooser, { roundTripsMs, isOwn });
    }
    fields.summarize(plan && chooser.planEchoes(fields.preset(), roundTripsMs), plan?.situation);
  };
  // What is wrong stands at its field as soon as that is in sight.
  const reveal = () => (fields.reveal(), show());
  const submit = () => {
    if (roundTripsMs.length === 0) {
      isSubmitted ||= isProbing;
      controls.disabled ||= isProbing;
      return;
    }
    show();
    if (!plan) return reveal();
    history.replaceState(history.state, '', withOthers(linkTo(plan)));
    const started = plan;
    chooser.renewSeed();
    show();
    onStart(started);
  };

  sayAtField(linkError);
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
      fields.fitTo(Math.max(...list));
      show();
      if (linkError) sayAtField(linkError);
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
      plan = undefined;
      showPlan(undefined, []);
      return wasSubmitted;
    },
    setEnabled: (/** @type {boolean} */ isEnabled) => (controls.disabled = !isEnabled),
    submit,
    say: sayAtField,
  };
}

/** Of what is typed here, only the payload can be wrong. @param {{ payload: HTMLInputElement }} fields */
const sayerOf =
  ({ payload }) =>
  (/** @type {string} */ words) => {
    markField(payload, words !== '');
    sayAtField(words, payload);
  };

/** Keeps the other parameters of a link: the round-trip time, the list of others, and the label of its study. @param {string} link */
function withOthers(link) {
  const query = new URLSearchParams(location.search);
  const others = ['rtt', 'distances', 'label'].filter((name) => query.has(name));
  return [link, ...others.map((name) => `${name}=${encodeURIComponent(String(query.get(name)))}`)].join('&');
}

/** @param {RunPlan} plan @returns {string} path and query */
const linkTo = ({ situation, parts }) =>
  at(situation ? linkOf({ situation, parts }) : `/?${plans.formatPlan(parts[0].plan)}`);

/**
 * Shows what the button does, and the duration.
 * @param {RunPlan | undefined} plan @param {readonly number[]} roundTripsMs
 */
function showPlan(plan, roundTripsMs) {
  const link = element('#plan-link', HTMLAnchorElement);
  element('#plan').replaceChildren(...keepTogether(plan ? describe(plan, roundTripsMs.length) : ''));
  element('#start').textContent = nameStart(plan && `about ${nameDuration(plan, roundTripsMs)}`);
  link.hidden = !plan;
  if (plan) link.href = linkTo(plan);
}

/**
 * Shows the duration of each preset.
 * @param {Chooser} chooser
 * @param {{ roundTripsMs: readonly number[], isOwn: boolean }} servers
 */
function showPresets(chooser, servers) {
  const { roundTripsMs } = servers;
  for (const { labels, value } of inputs('[name=preset]')) {
    const words = labels?.[0].querySelector('small');
    const plan = tryOrSay(() => chooser.choose(value, servers));
    const numbers = plan && value === LINKED ? `: ${formatBlocks(chooser.planEchoes(value, roundTripsMs))}` : '';
    if (words) words.textContent = plan ? `${numbers}, ${nameDuration(plan, roundTripsMs)}` : '';
  }
}

/** Durations are known to about so much, s. */
const STEP_S = 5;

/** @param {RunPlan} plan @param {readonly number[]} roundTripsMs of each server @returns {string} the longest that it may take, rounded up */
const nameDuration = (plan, roundTripsMs) =>
  formatMostSeconds(STEP_S * Math.ceil(mostSecondsOf(plan, roundTripsMs) / STEP_S));

/** @param {RunPlan} plan @param {readonly number[]} roundTripsMs of each server @returns {number} if no answer is clear before its end */
function mostSecondsOf(plan, roundTripsMs) {
  const { situation, parts } = toLongest(plan);
  if (situation) return Math.max(1, secondsOf(parts, roundTripsMs[0], readPath()));
  const durationMs = roundTripsMs.reduce((sum, ms) => sum + plans.estimateDurationMs(parts[0].plan, ms), 0);
  return Math.max(1, durationMs / 1000);
}

/** @param {RunPlan} plan @returns {RunPlan} whose answers are not clear before its end */
const toLongest = (plan) =>
  // The parts stay of the same experiments.
  /** @type {RunPlan} */ ({ ...plan, parts: plan.parts.map((part) => ({ ...part, plan: longest(part.plan) })) });

/** @param {RunPlan} plan @param {number} serverCount @returns {string} sentences */
function describe({ parts }, serverCount) {
  const servers = serverCount > 1 ? `, to each of ${serverCount} servers` : '';
  const sentences = parts.map(({ experiment, plan }) => {
    if (experiment.name !== shootout.name) return experiment.describePlan(plan);
    const body = plan.payloadBytes > 0 ? ` of ${plan.payloadBytes} bytes` : '';
    return `${capitalize(formatBlocks(plan))} messages${body} per transport${servers}.`;
  });
  return sentences.join(' ');
}
