/** The table of polls: two rows for each, what it does, and what to do about it. */
import { node } from '../../../../core/base/svg.js';
import { formatBytes, formatEvery, formatShare } from '../../../../core/recording/words.js';
import { create, element, keepAsOne, keepTogether } from '../../base/page.js';
import { createSvg } from '../../charts/svg.js';
import { createPill } from '../answers.js';

/**
 * @import { Answer } from '../../../../core/experiment/answer.js'
 * @import { Poll } from '../../../../core/recording/recording.js'
 * @import { Advised } from '../../../../core/recording/advice.js'
 *
 * @typedef {object} Column
 * @property {string} name
 * @property {(poll: Poll) => string} text
 * @property {string} [kind] of its cells
 * @property {boolean} [isNamed] does its name stand beside it on a phone?
 */

/** What is advised, in a word. @type {Readonly<Record<Advised['word'], { mark: Answer['mark'], word: string }>>} */
const WORDS = Object.freeze({
  leave: { mark: 'same', word: 'Keep polling' },
  interval: { mark: 'better', word: 'Poll less often' },
  conditional: { mark: 'better', word: 'Conditional requests' },
  'event-stream': { mark: 'better', word: 'Push it: EventSource' },
  socket: { mark: 'better', word: 'Push it: SockJS' },
});

/** @type {readonly Column[]} */
const COLUMNS = [
  { name: 'Address', text: addressOf, kind: 'address' },
  { name: 'Every', text: ({ everyMs }) => formatEvery(everyMs), isNamed: true },
  { name: 'Per hour', text: ({ perHour }) => Math.round(perHour).toLocaleString('en'), isNamed: true },
  { name: 'Nothing new', text: ({ nothingNewShare }) => formatShare(nothingNewShare), kind: 'share' },
  { name: 'Head', text: ({ headBytes }) => formatBytes(headBytes), isNamed: true },
  { name: 'Body', text: ({ bodyBytes }) => formatBytes(bodyBytes), isNamed: true },
  { name: 'Version', text: ({ httpVersion }) => httpVersion },
];

/** A method that only reads is not said. @param {Poll} poll */
function addressOf({ method, pattern }) {
  return method === 'GET' ? pattern : `${method} ${pattern}`;
}

/** @param {readonly Advised[]} advised */
export function showPolls(advised) {
  const head = create('tr', {}, ...COLUMNS.map(({ name, kind = '' }) => create('th', { scope: 'col', class: kind }, name)));
  element('#polls').replaceChildren(create('thead', {}, head), ...advised.map(createRows));
}

/** @param {Advised} advised @returns {HTMLElement} */
function createRows({ poll, word, reason, figures }) {
  const advice = create(
    'td',
    { colspan: String(COLUMNS.length) },
    create('p', {}, createPill(WORDS[word]), create('span', {}, ...keepTogether(reason))),
    ...(figures ? [create('small', {}, ...keepTogether(figures))] : []),
  );
  return create(
    'tbody',
    {},
    create('tr', {}, ...COLUMNS.map((column, i) => createCell(poll, column, i === 0 ? 'th' : 'td'))),
    create('tr', { class: 'advice' }, advice),
  );
}

/** @param {Poll} poll @param {Column} column @param {'th' | 'td'} tag */
function createCell(poll, { name, text, kind = '', isNamed = false }, tag) {
  const cell = create(tag, {
    class: kind,
    ...(tag === 'th' && { scope: 'row' }),
    ...(isNamed && { 'data-name': name }),
  });
  if (kind === 'share') cell.append(createSvg(drawShare(poll.nothingNewShare)));
  cell.append(keepAsOne(text(poll)));
  return cell;
}

const SHARE_PX = 56;

/** A bar whose filled end are the answers with news. @param {number} share of the others */
function drawShare(share) {
  const at = (SHARE_PX * share).toFixed(1);
  return node(
    'svg',
    { viewBox: `0 0 ${SHARE_PX} 10`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    node('rect', { class: 'rest', x: 0.5, y: 0.5, width: SHARE_PX - 1, height: 9, rx: 4 }),
    node('rect', { x: at, y: 0.5, width: (SHARE_PX * (1 - share)).toFixed(1), height: 9 }),
  );
}
