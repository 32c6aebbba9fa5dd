/** The table of polls: two rows for each, what it does, and what to do about it; and beneath it what that is calculated from. */
import { formatBytes, formatCount, formatDelay } from '../../../../core/base/format.js';
import { node } from '../../../../core/picture/svg.js';
import { withHost } from '../../../../core/recording/sites.js';
import { afterOf, countedBy, formatRhythm, formatShare } from '../../../../core/recording/words.js';
import { create, element, keepAsOne, keepTogether } from '../../base/page.js';
import { createSvg } from '../../charts/svg.js';
import { createPill } from '../answers.js';

/**
 * @import { Answer } from '../../../../core/experiment/answer/answer.js'
 * @import { Poll } from '../../../../core/recording/recording.js'
 * @import { Costs } from '../../../../core/recording/costs.js'
 * @import { PollAdvice } from '../../../../core/recording/advice.js'
 *
 * @typedef {object} Column
 * @property {string} name
 * @property {(poll: Poll) => string} text
 * @property {string} [kind] of its cells
 * @property {boolean} [isNamed] does its name stand beside it on a phone?
 */

/** What is advised, by whether it changes anything. @param {PollAdvice} advice @returns {Pick<Answer, 'mark' | 'word'>} */
const verdictOf = ({ word, label }) => ({ mark: word === 'leave' ? 'same' : 'better', word: label });

/** @type {readonly Column[]} */
const COLUMNS = [
  { name: 'URL', text: addressOf, kind: 'address' },
  { name: 'Polls', text: formatRhythm, isNamed: true },
  { name: 'Per hour', text: ({ perHour }) => Math.round(perHour).toLocaleString('en'), isNamed: true },
  { name: 'Nothing new', text: ({ nothingNewShare }) => formatShare(nothingNewShare), kind: 'share' },
  { name: 'Headers', text: ({ headBytes }) => formatBytes(headBytes), isNamed: true },
  { name: 'Body', text: ({ bodyBytes }) => formatBytes(bodyBytes), isNamed: true },
  { name: 'HTTP version', text: ({ httpVersion }) => httpVersion, kind: 'version' },
];

/** A method that only reads is not said. @param {Poll} poll */
function addressOf(poll) {
  return poll.method === 'GET' ? withHost(poll) : `${poll.method} ${withHost(poll)}`;
}

/** More are made once they are asked for, so many at a time: a file may have thousands. */
const MAX_SHOWN = 8;
const MAX_MORE = 50;

/** Lists each poll with its advice. @param {readonly PollAdvice[]} advised */
export function showPolls(advised) {
  const head = create(
    'tr',
    {},
    ...COLUMNS.map(({ name, kind = '' }) => create('th', { scope: 'col', class: kind }, name)),
  );
  const table = element('#polls');
  table.replaceChildren(create('thead', {}, head));
  const costs = element('#polls-costs');
  costs.replaceChildren();
  const more = element('#more-polls');
  let shownCount = 0;
  /** @param {number} count */
  const showMore = (count) => {
    const next = advised.slice(shownCount, shownCount + count);
    table.append(...next.map(createRows));
    costs.append(...next.map(createCosts));
    shownCount = Math.min(advised.length, shownCount + count);
    more.hidden = shownCount === advised.length;
    more.textContent = nameMore(shownCount, advised.length);
  };
  showMore(MAX_SHOWN);
  more.onclick = () => showMore(MAX_MORE);
}

/** @param {number} shownCount @param {number} count of all */
function nameMore(shownCount, count) {
  const all = formatCount(count, 'poll');
  return count - shownCount > MAX_MORE ? `Show ${MAX_MORE} more of ${all}` : `Show all ${all}`;
}

/** @param {PollAdvice} advised @returns {HTMLElement} */
function createRows(advised) {
  const { poll, reason } = advised;
  const advice = create(
    'td',
    { colspan: String(COLUMNS.length) },
    create('p', {}, createPill(verdictOf(advised)), create('span', {}, ...keepTogether(reason))),
  );
  return create(
    'tbody',
    {},
    create('tr', {}, ...COLUMNS.map((column, i) => createCell(poll, column, i === 0 ? 'th' : 'td'))),
    create('tr', { class: 'advice' }, advice),
  );
}

/** @param {PollAdvice} advised @returns {HTMLElement} */
const createCosts = (advised) =>
  create('li', {}, create('code', {}, addressOf(advised.poll)), ' ', ...keepTogether(describeCosts(advised)));

/** @param {PollAdvice} advised @returns {string} sentences */
function describeCosts({ word, now, then, isDelayMeasured }) {
  const counted = `Polling: ${describeCost(now, 'requests')} (counted)`;
  const by = isDelayMeasured ? 'delay measured, the rest predicted' : 'predicted';
  return word === 'leave'
    ? `${counted}.`
    : `${counted}. ${afterOf(word)}: ${describeCost(then, countedBy(word))} (${by}).`;
}

/** @param {Costs} costs of an hour @param {string} counted */
const describeCost = ({ delayMs, requestsPerHour, bytesPerHour }, counted) =>
  `news ${formatDelay(delayMs)} late, ${Math.round(requestsPerHour).toLocaleString('en')} ${counted} and ${formatBytes(bytesPerHour)} an hour`;

/** @param {Poll} poll @param {Column} column @param {'th' | 'td'} tag */
function createCell(poll, { name, text, kind = '', isNamed = false }, tag) {
  const cell = create(tag, {
    class: kind,
    ...(tag === 'th' && { scope: 'row' }),
    ...(isNamed && { 'data-name': name }),
  });
  if (kind === 'share' && poll.nothingNewShare !== undefined) cell.append(createSvg(drawShare(poll.nothingNewShare)));
  cell.append(keepAsOne(text(poll)));
  return cell;
}

/** A bar filled by the answers without news, as wide as its place. @param {number} share of them */
function drawShare(share) {
  const percent = (/** @type {number} */ part) => `${(100 * part).toFixed(1)}%`;
  return node(
    'svg',
    { 'aria-hidden': 'true' },
    node('rect', { class: 'rest', width: '100%', height: '100%', rx: 4 }),
    node('rect', { width: percent(share), height: '100%', rx: 4 }),
  );
}
