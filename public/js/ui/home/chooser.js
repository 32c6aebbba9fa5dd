/** Creates what the home page measures: from a link, and from the visitor's changes. */
import { createSeed } from '../../../../core/base/random.js';
import { BASELINES } from '../../../../core/experiment/answer/compare.js';
import { parseField, parseFields, parseGiven } from '../../../../core/experiment/plan/fields.js';
import { SITUATION_FIELDS } from '../../../../core/experiment/plan/situation.js';
import { parseRtt } from '../../../../core/experiments/shootout/round-trip-times.js';
import { withoutComparison as shootout } from '../../../../core/experiments/shootout/index.js';
import * as plans from '../../../../core/experiments/shootout/plan.js';
import { DISTANCES } from '../../../../core/full-test/distances.js';
import { isFullTestLink } from '../../../../core/full-test/plan.js';
import { LABELS } from '../../../../core/experiment/answer/labels.js';
import { describeLinkError, element, tryOrSay } from '../../base/page.js';
import { parseLinkedJobs, planHome } from '../../run/home-parts.js';
import { isBefore, LINKED } from './plan-fields.js';

/** @import { Situation } from '../../../../core/experiment/plan/situation.js' */
/** @import { RunPlan } from '../../run/measure.js' */
/** @import { PlanFields } from './plan-fields.js' */
/** @import { SituationForm } from '../situation-form.js' */

/** @typedef {ReturnType<typeof createChooser>} Chooser */

/**
 * Creates the choice from a link, and from the visitor's changes.
 * @param {PlanFields} fields @param {SituationForm} situation
 */
export function createChooser(fields, situation) {
  let linkError = '';
  const linked = tryOrSay(readLink, (message) => (linkError = describeLinkError(message)));
  let { isEcho = false, linkedJobs } = linked ?? {};
  let seed = linked?.choices.seed ?? createSeed();
  element('#linked-choice').hidden = linked?.preset !== LINKED;
  if (linked) {
    fields.show(linked);
    // An echo run is what is measured for a page that sends messages.
    situation.show(isEcho ? { does: 'sends' } : linked.situation);
  }
  /** @param {string} preset @param {readonly number[]} roundTripsMs @returns {plans.Plan} */
  const planEchoes = (preset, roundTripsMs) => {
    const isLinked = preset === LINKED;
    const choices = { ...(isLinked && linked?.choices), ...fields.read() };
    // One plan is used for all servers, so that they can be compared; the farthest server determines it.
    const roundTripMs = Math.max(...roundTripsMs);
    return plans.createPlan({ preset: isLinked ? 'standard' : preset, roundTripMs, seed, choices });
  };
  return {
    linkError,
    payloadBytes: linked?.choices.payloadBytes ?? 0,
    planEchoes,
    /**
     * @param {string} preset @param {{ roundTripsMs: readonly number[], isOwn: boolean }} servers
     * @returns {RunPlan} @throws {InvalidInputError} what, expected, got
     */
    choose(preset, { roundTripsMs, isOwn }) {
      const echo = planEchoes(preset, roundTripsMs);
      // Only the page's own server can notify it.
      if (isEcho || !isOwn) return { parts: [{ experiment: shootout, plan: echo }] };
      return planHome({ situation: situation.read(), echo, linkedJobs, roundTripMs: Math.max(...roundTripsMs) });
    },
    /** The visitor changed the situation: the form is no longer what a link asked for. */
    leaveLink() {
      isEcho = false;
      linkedJobs = undefined;
    },
    /** Gives the next press a new seed; a linked plan keeps its own. */
    renewSeed() {
      seed = createSeed();
    },
  };
}

/**
 * Reads a link, in which any part may be missing. `isEcho`: it asks for echoes alone, as links of earlier releases do.
 * @throws {InvalidInputError} what, expected, got
 */
function readLink() {
  const query = new URLSearchParams(location.search);
  parseRtt(query.get('rtt'));
  parseField(query.get(DISTANCES.parameter), DISTANCES);
  const isFull = isFullTestLink(query);
  const situation = parseFields(query, SITUATION_FIELDS);
  const ofEchoes = isFull ? new URLSearchParams(query.get('shootout') ?? '') : query;
  const preset = plans.parsePreset(ofEchoes) ?? 'standard';
  const choices = parseGiven(ofEchoes, plans.FIELDS);
  const isChosen = Object.keys(choices).length > 0;
  const isLinked = [choices.blocks, choices.iterations, choices.warmUpCount].some((number) => number !== undefined);
  return {
    situation,
    areChosen: choices.transports !== undefined,
    preset: isLinked ? LINKED : preset,
    choices: isFull && !isChosen ? { transports: transportsFor(situation) } : choices,
    isEcho: !isFull && (isChosen || query.has('preset')),
    linkedJobs: parseLinkedJobs(query, choices.seed ?? createSeed()),
  };
}

/** The transports of a full test's echoes, by default. @param {Situation} situation @returns {string[]} */
function transportsFor({ uses, considers }) {
  const others = plans.DEFAULT_TRANSPORTS.filter(
    (name) => !BASELINES.includes(name) && !plans.CHALLENGERS.includes(name),
  );
  const socket = plans.DEFAULT_TRANSPORTS.filter(
    (name) => plans.CHALLENGERS.includes(name) && !isBefore(plans.CHALLENGERS, name, considers),
  );
  const chosen = [uses, ...others, ...socket, considers];
  return Object.keys(LABELS).filter((name) => chosen.includes(name));
}
