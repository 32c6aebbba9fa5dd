/** The figures of a list of runs, drawn on one scale for each question: what each run measured, or predicts for users elsewhere. */
import { toMarkup } from '../../core/base/svg.js';
import { formatAmount } from '../../core/experiment/answer.js';
import { scopeOfDigest } from '../../core/experiment/scope.js';
import { createWhiskers } from '../../core/matrix/whiskers.js';

/**
 * @import { Amount } from '../../core/experiment/answer.js'
 * @import { StoredAnswer } from '../../core/experiment/stored-answers.js'
 * @import { Figure } from '../../core/matrix/whiskers.js'
 * @typedef {Figure & { amount: Amount }} Listed
 * @typedef {{ figure: string, picture: string }} Cell `picture`: markup
 */

/** @type {readonly { topic: NonNullable<StoredAnswer['topic']>, name: string, unit: Amount['unit'] }[]} */
const COLUMNS = Object.freeze([
  { topic: 'news', name: 'News sooner by', unit: 'sooner-ms' },
  { topic: 'sending', name: 'Sending, times as fast', unit: 'times-as-fast' },
]);

/**
 * @param {readonly { digest: any, isValid?: boolean }[]} runs
 * @returns {{ heads: { name: string, scale: string }[], cells: (Cell | undefined)[][] }} `scale`: markup, empty if no run has a
 *   figure; `cells`: of each run, for each head
 */
export function drawFigures(runs) {
  const columns = COLUMNS.map(({ topic, name, unit }) => {
    const figures = runs.map((run) => figureIn(run, { topic, unit }));
    const whiskers = createWhiskers(
      unit,
      figures.flatMap((figure) => figure ?? []),
    );
    const draw = (/** @type {Listed | undefined} */ figure) =>
      figure && whiskers && { figure: formatAmount(figure.amount), picture: toMarkup(whiskers.draw(figure)) };
    return { head: { name, scale: whiskers ? toMarkup(whiskers.drawHead()) : '' }, cells: figures.map(draw) };
  });
  return {
    heads: columns.map(({ head }) => head),
    cells: runs.map((_, i) => columns.map(({ cells }) => cells[i])),
  };
}

/**
 * What one machine measured is no figure for a list of places: its prediction is.
 * @param {{ digest: any, isValid?: boolean }} run @param {{ topic: string, unit: string }} column @returns {Listed | undefined}
 */
function figureIn({ digest, isValid }, { topic, unit }) {
  /** @type {readonly StoredAnswer[]} */
  const answers = digest.answers ?? [];
  const answer = answers.find((one) => one.topic === topic);
  if (isValid === false || !answer || answer.isDoubtful) return undefined;
  const isPredicted = scopeOfDigest(digest) !== 'path';
  const { mark, amount } = (isPredicted ? answer.elsewhere : answer) ?? {};
  if (!mark || amount?.unit !== unit || !Number.isFinite(amount.value)) return undefined;
  return { ...amount, mark, isPredicted, amount };
}
