/**
 * Makes the headline of a run, which pages, lists, comparisons, previews, Markdown, terminals and JSON share. What one
 * machine measured does not hold for users elsewhere, so there it is what it predicts for them; or, if it predicts nothing, what
 * was found, with where that was.
 */
import { cut, uncapitalize } from '../../base/format.js';

/**
 * @import { Ending } from '../contract.js'
 * @import { OwnReport } from './findings.js'
 * @import { Scoped, Scope } from '../run/scope.js'
 */

/** The headlines of runs that ended before their plan did. @type {Readonly<Record<Ending['kind'], string>>} */
export const ENDINGS = Object.freeze({
  cancelled: 'Stopped: no verdict',
  invalid: 'This run is invalid: no verdict',
});

/** In characters: lists would cut a longer one. */
export const MAX_HEADLINE = 300;

/**
 * Makes what stands at the top of a report, and beneath its headline.
 * @param {OwnReport} report @param {Scoped & { ending?: Ending }} run
 * @returns {{ headline: string, notice?: string, sentences: readonly string[] }}
 */
export function wordsOf(report, run) {
  const headline = headlineOf(report, run);
  return {
    headline: cut(headline, MAX_HEADLINE),
    notice: describeNotice(report, run),
    sentences: sentencesBeneath(report, run),
  };
}

/** Where a run measured that did not cross a path between two places. */
export const WHERE = Object.freeze({ machine: 'one machine', network: 'one network' });

/**
 * @param {OwnReport} report @param {{ ending?: Ending, scope: Scope }} run @returns {string} one or more sentences,
 *   or a heading without a full stop
 */
function headlineOf({ conclusion, elsewhere, heading }, { ending, scope }) {
  if (ending) return ENDINGS[ending.kind];
  if (scope === 'path') return conclusion ?? heading;
  if (elsewhere?.headline) return elsewhere.headline;
  return conclusion === undefined ? describeScope(scope) : `On ${WHERE[scope]}, ${uncapitalize(conclusion)}`;
}

/** @param {Exclude<Scope, 'path'>} scope @returns {string} a sentence */
const describeScope = (scope) => `Measured on ${WHERE[scope]}: no prediction for users elsewhere.`;

const CHECK = 'Check it where your users are.';

export const MEASURE_ELSEWHERE = 'To measure for your users, run this test from where they are.';

/**
 * @param {OwnReport} report @param {{ ending?: Ending, scope: Scope }} run
 * @returns {string | undefined} sentences; absent for a path between two places
 */
function describeNotice({ elsewhere, bars }, { ending, scope }) {
  if (scope === 'path') return undefined;
  // What a run compares by bars is for users elsewhere.
  if (elsewhere?.headline && bars && !ending) return `Measured on ${WHERE[scope]}, so this is a prediction. ${CHECK}`;
  // Else the headline says where it was.
  const isSaid = !ending && !elsewhere?.headline;
  return isSaid ? MEASURE_ELSEWHERE : `Client and server were on ${WHERE[scope]}. ${MEASURE_ELSEWHERE}`;
}

/**
 * Lists the findings beneath the headline: of one machine, what was measured stands behind what holds elsewhere.
 * @param {OwnReport} report @param {{ ending?: Ending, scope: Scope }} run @returns {readonly string[]} sentences
 */
function sentencesBeneath({ conclusion, elsewhere, sentences }, { ending, scope }) {
  if (ending || scope === 'path') return sentences;
  const isSaid = conclusion === undefined || !elsewhere?.headline || conclusion === elsewhere.headline;
  // Beneath a prediction, the figures of this run need a name.
  const measured = isSaid ? [] : [elsewhere.here ?? `Measured here: ${uncapitalize(conclusion)}`].filter(Boolean);
  return [...(elsewhere?.evidence ? [elsewhere.evidence] : []), ...measured, ...sentences];
}
