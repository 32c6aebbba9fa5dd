/** The link of a study: the plan that everyone is asked to measure, and a sentence from whoever sends it. */
import { pagePathOf, parseUrl } from '../base/base-url.js';
import { InvalidInputError, isVisible, visible } from '../base/foreign-text.js';
import { linkPath, parsePlan } from '../experiment/plan/plan-link.js';
import { ELSEWHERE_RTT_MS } from '../experiment/run/scope.js';
import { SITUATION_FIELDS } from '../experiment/plan/situation.js';
import { describeRange } from '../experiment/run/duration.js';
import { isFullTestLink, isNeeded, membersOf, parseFullTest } from '../full-test/plan.js';

/**
 * @import { Experiment } from '../experiment/contract.js'
 * @import { Member } from '../full-test/plan.js'
 * @typedef {object} AskedPlan
 * @property {string} path of its page
 * @property {string} query that makes it, as that page reads it
 * @property {string} description a sentence or two
 * @property {string} duration such as '20–30 s' or 'up to 2 min': beside the server if its answers are soon clear, and on another continent if not
 * @typedef {{ plan?: AskedPlan, say: string }} Invitation `say`: empty for none
 * @typedef {{ experiments: readonly Experiment[], fullTest: { path?: string }, seed?: number }} Known
 */

/** The limit of the sentence, in characters. */
export const MAX_SAY = 200;
/** A plan link is no longer than what servers take as an address. */
const MAX_LINK = 4000;
/** The site of links that have none. */
const ANY_SITE = 'http://localhost';

/** @param {URLSearchParams} query of a study's link @param {Known} known @returns {Invitation} @throws {InvalidInputError} */
export function parseInvitation(query, known) {
  const say = parseSay(query.get('say') ?? '');
  const link = query.get('plan');
  // Earlier releases had the home page's plan in the query itself.
  const plan = link === null ? parseHome(query, known) : parsePlanLink(link, known);
  return { ...(plan && { plan }), say };
}

/** @param {string} given @returns {string} @throws {InvalidInputError} */
function parseSay(given) {
  const text = given.normalize('NFC').trim();
  if ([...text].length > MAX_SAY || !isVisible(text)) {
    throw new InvalidInputError(
      `say: expected at most ${MAX_SAY} characters, without direction-changing or control characters`,
    );
  }
  return text;
}

/** @param {URLSearchParams} query @param {Known} known */
function parseHome(query, { experiments, seed = 1 }) {
  const home = membersOf(experiments).find(({ path }) => path === '/');
  const plan = home && parsePlan(home, query, { seed });
  return home && plan ? describe(home, plan) : undefined;
}

/**
 * @param {string} given a link to a plan of any experiment or of the full test, with or without its site; its query alone is
 *   one of the home page
 * @param {Known} known @returns {AskedPlan | undefined} absent for no text @throws {InvalidInputError} what, expected, got
 */
function parsePlanLink(given, known) {
  const text = given.trim();
  if (text === '') return undefined;
  const { experiments, fullTest, seed = 1 } = known;
  const members = membersOf(experiments);
  const isLink = text.length <= MAX_LINK && /^(https?:\/|\/|\?)/.test(text);
  const url = isLink ? parseUrl(text, ANY_SITE) : undefined;
  if (url) {
    const { searchParams } = url;
    const page = pagePathOf(url.pathname);
    const isFull = page === fullTest.path || (page === '/' && isFullTestLink(searchParams));
    if (isFull) return parseFull(page, searchParams, known);
    const experiment = members.find(({ path }) => path === page);
    const plan = experiment && parsePlan(experiment, searchParams, { seed });
    if (experiment && plan) return describe(experiment, plan);
  }
  const paths = members.map(({ path }) => path);
  throw new InvalidInputError(
    `plan: expected a link to a plan of ${[fullTest.path, ...paths].join(', ')}, got “${visible(text.slice(0, 60))}”`,
  );
}

/** @param {Member} experiment @param {any} plan @returns {AskedPlan} */
function describe(experiment, plan) {
  const { pathname: path, search } = new URL(linkPath(experiment, plan), ANY_SITE);
  return {
    path,
    query: search.slice(1),
    description: experiment.describePlan(plan),
    duration: describeRange(() => [{ experiment, plan }]),
  };
}

/**
 * Keeps of a full test's link what it says: each place makes the plan that fits its round-trip time of the rest.
 * @param {string} path of its page @param {URLSearchParams} query @param {Known} known @returns {AskedPlan}
 */
function parseFull(path, query, { experiments, seed = 1 }) {
  const members = membersOf(experiments);
  const partsAt = (/** @type {number} */ roundTripMs) => {
    const { situation, parts } = parseFullTest(query, members, { roundTripMs, seed });
    // The home page measures what the situation is about, and no more.
    const isHome = path === '/' && !query.has('tests');
    return isHome ? parts.filter(({ experiment }) => isNeeded(experiment, situation)) : parts;
  };
  const names = [...Object.values(SITUATION_FIELDS).map(({ parameter }) => parameter), 'tests'];
  const kept = [...query].filter(([name]) => names.includes(name) || members.some((one) => one.name === name));
  return {
    path,
    query: String(new URLSearchParams(kept)).replaceAll('%2C', ','),
    description: `${partsAt(ELSEWHERE_RTT_MS)
      .map(({ experiment }) => experiment.fullTest.question)
      .join(', ')}.`,
    duration: describeRange(partsAt),
  };
}

/**
 * What is asked for, if a link has no plan: what others measured.
 * @param {Known} known @param {readonly string[]} [measured] experiments @returns {AskedPlan}
 */
export function usualPlan(known, measured = []) {
  const { experiments, fullTest } = known;
  const tests = membersOf(experiments).filter(({ name }) => measured.includes(name));
  const isHome = tests.length > 0 && tests.every(({ fullTest: part }) => part.isNeeded);
  const query = new URLSearchParams(tests.length > 0 ? { tests: tests.map(({ name }) => name).join(',') } : {});
  return parseFull(isHome ? '/' : String(fullTest.path), query, known);
}

/** @param {AskedPlan} plan @returns {string} its link, without its site */
export const linkOfPlan = ({ path, query }) => (query ? `${path}?${query}` : path);

/** @param {Invitation} invitation @returns {string} the query of a study's link; empty for none */
export function formatInvitation({ plan, say }) {
  const query = new URLSearchParams();
  if (plan) query.set('plan', linkOfPlan(plan));
  if (say) query.set('say', say);
  return String(query);
}
