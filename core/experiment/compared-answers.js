/** Says in a sentence or two how the answers of compared runs differ, from their digests. */
import { foldName } from '../base/fold.js';
import { asClause } from '../base/format.js';
import { listOf, withoutLimit } from './compare.js';
import { MEASURE_ELSEWHERE, WHERE } from './headline.js';
import { scopeOfDigest } from './scope.js';

/**
 * @import { Described } from './contract.js'
 * @import { Digest } from './digest.js'
 * @import { Place } from './names.js'
 * @typedef {{ number: number, place?: Place, digest: Digest }} Answered a run with its number on the page
 * @typedef {typeof describeByScope} DescribeByScope
 */

/** What may differ besides the answers, by its name. @type {Readonly<Record<string, (run: Answered) => unknown>>} */
const FACTS = {
  place: ({ place }) => place?.name && foldName(place.name),
  server: ({ digest: { origin, server } }) => origin ?? server,
  browser: ({ digest }) => digest.browser,
};

/**
 * @param {Pick<Described, 'describeDigests'>} experiment @param {readonly Answered[]} runs
 * @returns {string} sentences; empty for a single run
 */
export const describeAnswers = ({ describeDigests = (all) => describeByScope(all) }, runs) =>
  runs.length < 2 ? '' : describeDigests(runs, { describeByScope });

/**
 * @param {readonly Answered[]} runs
 * @param {{ describeFar?: (runs: readonly Answered[]) => string | undefined }} [options] `describeFar`: a sentence about those
 *   with a verdict over a path between places; absent if there is none
 * @returns {string} sentences
 */
function describeByScope(runs, { describeFar } = {}) {
  const ended = runs.filter(({ digest }) => digest.isValid === false);
  const others = runs.filter((run) => !ended.includes(run));
  const far = others.filter(({ digest }) => scopeOfDigest(digest) === 'path');
  const answer = far.length > 0 ? (describeFar?.(far) ?? describeAlike(far, runs.length)) : '';
  return [
    answer,
    ...describeNear(others),
    far.length === 0 && others.length > 0 ? MEASURE_ELSEWHERE : '',
    ended.length > 0 ? `${nameRuns(ended)} gave no verdict.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** @param {readonly Answered[]} runs @param {number} count of all runs @returns {string} a sentence */
function describeAlike(runs, count) {
  const [{ number, digest }] = runs;
  if (runs.length === 1) return `Run ${number}: ${asClause(digest.headline)}.`;
  const answers = new Set(runs.map(({ digest }) => answerIn(digest)));
  const who = runs.length === count ? `The ${count} runs` : nameRuns(runs);
  const facts = Object.entries(FACTS).flatMap(([name, of]) => (new Set(runs.map(of)).size > 1 ? [name] : []));
  const [kind, also] = answers.size === 1 ? ['the same answer', ''] : ['different answers', 'also '];
  return `${who} have ${kind}${facts.length > 0 ? `; they ${also}differ in ${listOf(facts)}` : ''}.`;
}

/** @param {Digest} digest @returns {string} its verdicts; figures differ from run to run */
const answerIn = ({ answers, headline }) =>
  answers
    ? answers.map(({ experiment, mark, word }) => `${experiment} ${mark} ${withoutLimit(word)}`).join()
    : headline;

/** @param {readonly Answered[]} runs @returns {string[]} a sentence for each scope that leads to no user elsewhere */
function describeNear(runs) {
  return /** @type {const} */ (['machine', 'network']).flatMap((scope) => {
    const own = runs.filter(({ digest }) => scopeOfDigest(digest) === scope);
    if (own.length === 0) return [];
    return [`${nameRuns(own)} ${own.length === 1 ? 'was' : 'were'} measured on ${WHERE[scope]}.`];
  });
}

/** @param {readonly Answered[]} runs @returns {string} like 'Runs 1 and 3' */
function nameRuns(runs) {
  const numbers = listOf(runs.map(({ number }) => String(number)));
  return `${runs.length === 1 ? 'Run' : 'Runs'} ${numbers}`;
}
