/** Cuts: what happens to messages when the connection breaks, by each method that people deploy. */
import { createFind, withLead } from '../../experiment/report/find.js';
import { transports } from '../../net/echo/index.js';
import { FEED_LABELS, feedMethods } from '../../net/feed/index.js';
import { formatCsv } from './csv.js';
import { fullTest } from './full-test.js';
import { leadOf } from './lead.js';
import { measurement } from './measure.js';
import { checkPlan, describePlan, feedFor, feedsOf, FIELDS, KINDS } from './plan.js';
import { report } from './report.js';
import { faultOf, trialSchema } from './schema.js';
import { figuresOf, summarize } from './summary.js';
import { timelineSoFar } from './timeline.js';

/**
 * @import { Experiment, LiveChecks, LiveItem, LiveRun, Trust } from '../../experiment/contract.js'
 * @import { CutsPlan, PlannedTrial } from './plan.js'
 * @import { CutsTrial } from './schema.js'
 */

/**
 * Lists the cuts of a plan, with what each cost, and shows the messages of the one that is under way.
 * @param {LiveRun<CutsPlan, CutsTrial>} run @returns {LiveChecks}
 */
const live = ({ plan, trials, underWay }) => ({
  items: listCuts(plan, trials, underWay?.planned),
  timeline: underWay?.soFar && timelineSoFar(underWay.soFar, plan),
});

/** @param {CutsPlan} plan @param {readonly CutsTrial[]} trials @param {PlannedTrial} [current] under way @returns {LiveItem[]} */
const listCuts = (plan, trials, current) =>
  feedsOf(plan).map(({ block, cut, options }) => {
    const own = trials.filter((trial) => trial.block === block && trial.cut === cut && !trial.failure);
    const label = `Block ${block + 1}: ${KINDS[cut]}`;
    const isCurrent = current?.block === block && current.cut === cut;
    if (own.length === 0) return { label, result: 'waiting', ...(isCurrent && { word: 'under way' }) };
    const counts = own.map((trial) => figuresOf(trial, options).lostCount);
    const lostCount = Math.max(...counts);
    if (lostCount === 0) return { label, result: 'pass', word: 'none lost' };
    return { label, result: 'fail', word: `${FEED_LABELS[own[counts.indexOf(lostCount)].delivery]} lost ${lostCount}` };
  });

/** @param {CutsTrial} trial */
const readTrial = ({ delivery, arrivals, failure }) => ({
  answerCount: arrivals.n.length,
  failures: failure ? [failure] : [],
  method: delivery,
  protocols: transports[feedMethods[delivery].transport].protocols,
});

/** @param {{ trials: readonly CutsTrial[] }} run @returns {number[]} ms */
const roundTripsOf = ({ trials }) => trials.flatMap(({ requestMs, failure }) => (failure ? [] : [requestMs]));

/** What its cuts break on purpose; whoever cuts by hand may restart the server. @param {{ plan: CutsPlan }} run @returns {Trust} */
const trustOf = ({ plan }) => ({ breaks: plan.cuts.includes('watch') ? ['connection', 'server'] : ['connection'] });

/** What measures a run, and reports it: all that a full test needs. @satisfies {Experiment} */
export const withoutLead = Object.freeze({
  ...measurement,
  name: 'cuts',
  label: fullTest.question,
  path: '/cuts',
  question: 'Which messages are late or lost when a connection breaks, and who notices?',
  fields: FIELDS,
  presets: [
    { label: 'One minute', plan: 'cuts=dead&seconds=15&blocks=2' },
    { label: 'Deploy and silence', plan: 'cuts=close,dead' },
    { label: 'Both kinds of silence', plan: 'cuts=stall,dead' },
    { label: 'Cut it yourself', plan: 'cuts=watch&watch=60&blocks=1' },
  ],
  checkPlan,
  describePlan,
  progressOf: (/** @type {PlannedTrial} */ trial, /** @type {CutsPlan} */ plan) => ({
    label: `${FEED_LABELS[trial.delivery]}, ${KINDS[trial.cut].toLowerCase()}`,
    totalCount: plan.deliveries.length * Number(feedFor(plan, trial)?.options.count),
  }),
  live,
  transportsOf: ({ deliveries }) => [
    ...new Set(deliveries.map((/** @type {string} */ name) => feedMethods[name].transport)),
  ],
  trialSchema,
  faultOf,
  formatCsv,
  readTrial,
  find: createFind({ summarize, report, roundTripsOf, trustOf }),
  fullTest,
});

/** The whole experiment. A bundler leaves out the card where only the other is imported. */
export const cuts = /* @__PURE__ */ withLead(withoutLead, leadOf);

export default cuts;
