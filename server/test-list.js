/** The list of all tests, in groups, each with how long it takes, in the words of its page. */
import { parseFields } from '../core/experiment/plan/fields.js';
import { parsePlan } from '../core/experiment/plan/plan-link.js';
import { EXPERIMENTS } from '../core/experiments/all.js';
import { FIELDS as COUNTDOWN, KINDS } from '../core/experiments/countdown/plan.js';
import { fullTest } from '../core/full-test/all.js';
import { describeMost, describeRange, describeRoundTrips } from '../core/experiment/run/duration.js';
import { membersOf, parseFullTest } from '../core/full-test/plan.js';
import { pagePartialsOf, TEST_GROUPS } from './page-partials.js';

/**
 * @import { Experiment } from '../core/experiment/contract.js'
 * @import { Member, PlannedPart } from '../core/full-test/plan.js'
 * @typedef {keyof typeof TEST_GROUPS} Group
 * @typedef {{ group: Group, path: string, label: string, intro: string, picture?: string, duration?: string }} ListedTest
 */

const MEMBERS = membersOf(EXPERIMENTS);

const { iterations, kind } = parseFields(new URLSearchParams(), COUNTDOWN);
/** How many messages the form of a historic test sends at first, by experiment. @type {Readonly<Record<string, number>>} */
const MESSAGE_COUNTS = Object.freeze({ classic: iterations, countdown: iterations * KINDS[kind].transports.length });

/** The two pages of 2012 are one experiment. @type {readonly ListedTest[]} */
const CLASSIC = [
  {
    path: '/ajaxtest',
    label: 'AJAX echo',
    intro: 'How many numbers per second does jQuery AJAX exchange, one after the other, as in 2012?',
    picture: 'pictures/classic',
  },
  {
    path: '/socktest',
    label: 'SockJS echo',
    intro: 'How many numbers per second does SockJS exchange, one after the other, as in 2012?',
    picture: 'sockjs-picture',
  },
].map((test) => ({ ...test, group: 'historic', duration: describeRoundTrips(MESSAGE_COUNTS.classic) }));

/** @param {number} roundTripMs @returns {readonly PlannedPart[]} if nothing else is chosen */
const planFullTest = (roundTripMs) => parseFullTest(new URLSearchParams(), MEMBERS, { roundTripMs, seed: 1 }).parts;

/** How long a full test takes, if nothing else is chosen. */
export const FULL_TEST_DURATION = describeRange(planFullTest);

/** @param {Experiment} experiment @returns {ListedTest} */
function describe(experiment) {
  const { name, path = '', label, question: intro, fullTest: part } = experiment;
  const { group = 'historic', picture, maxSeconds } = pagePartialsOf(name);
  const count = MESSAGE_COUNTS[name];
  return {
    group,
    path,
    label,
    intro,
    picture,
    ...(count && { duration: describeRoundTrips(count) }),
    ...(part && {
      duration: maxSeconds ? describeMost(maxSeconds) : describeDefault(/** @type {Member} */ (experiment)),
    }),
  };
}

/** @param {Member} experiment @returns {string} how long its page takes, if nothing else is chosen */
function describeDefault(experiment) {
  const plan = parsePlan(experiment, new URLSearchParams('seed=1'));
  return describeRange(() => [{ experiment, plan }]);
}

/** Lists the tests in their groups, as pages show them. @returns {{ title: string, tests: readonly ListedTest[] }[]} */
export function listTests() {
  const { path = '', label, question: intro } = fullTest;
  const picture = 'full-test-picture';
  /** @type {readonly ListedTest[]} */
  const all = [
    { group: 'all', path, label, intro, picture, duration: FULL_TEST_DURATION },
    ...EXPERIMENTS.filter((one) => one.path && one.path !== '/' && one.path !== CLASSIC[0].path).map(describe),
  ];
  return Object.entries(TEST_GROUPS).map(([group, title]) => ({
    title,
    tests: [...(group === 'historic' ? CLASSIC : []), ...all.filter((test) => test.group === group)],
  }));
}
