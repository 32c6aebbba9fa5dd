/** Lists what else a recording has: what is pushed already, requests that wait for each other, and all other requests. */
import { formatBytes, formatCount } from '../../../../core/base/format.js';
import { withHost } from '../../../../core/recording/sites.js';
import { formatEvery } from '../../../../core/recording/words.js';
import { create, element } from '../../base/page.js';

/** @import { Recording, Stream } from '../../../../core/recording/recording.js' */
/** @typedef {{ name: string, items: readonly { address: string, words: string }[] }} Group */

/** Of more, only so many are listed. */
const MAX_ITEMS = 50;

/** @param {Recording} recording @returns {void} */
export function showRest(recording) {
  const section = element('#page-rest');
  for (const old of section.querySelectorAll('details, p')) old.remove();
  section.append(...groupsOf(recording).map(createGroup), create('p', {}, describeOthers(recording)));
}

/** @param {Recording} recording @returns {Group[]} without empty ones */
function groupsOf({ longPolls, eventStreams, webSockets, chains }) {
  const groups = [
    {
      name: 'Long polls',
      items: longPolls.map(({ method, count, waitMs, perHour, ...one }) => ({
        address: `${method} ${withHost(one)}`,
        words: `${formatCount(count, 'request')}, each waits ${formatEvery(waitMs)}; ${formatHourly(perHour)} an hour`,
      })),
    },
    { name: 'Event streams', items: eventStreams.map(describeStream) },
    { name: 'WebSockets', items: webSockets.map(describeStream) },
    {
      name: 'Requests that wait for each other',
      items: chains.map(({ steps, ms }) => ({
        address: steps.map(withHost).join(' → '),
        words: `${formatCount(steps.length, 'request')} in ${formatEvery(ms)}`,
      })),
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** @param {Stream} stream */
function describeStream({ count, receivedCount, sentCount, bytes, ...one }) {
  const messages =
    receivedCount === undefined
      ? 'its messages are not in the file'
      : `${receivedCount.toLocaleString('en')} messages received, ${(sentCount ?? 0).toLocaleString('en')} sent (${formatBytes(bytes ?? 0)})`;
  return { address: withHost(one), words: `${formatCount(count, 'connection')}, ${messages}` };
}

/** @param {number} perHour */
const formatHourly = (perHour) => Math.round(perHour).toLocaleString('en');

/** @param {Group} group */
const createGroup = ({ name, items }) =>
  create(
    'details',
    {},
    create('summary', {}, `${name}: ${items.length}`),
    create(
      'ul',
      {},
      ...items
        .slice(0, MAX_ITEMS)
        .map(({ address, words }) => create('li', {}, create('code', {}, address), ` ${words}`)),
    ),
  );

/** @param {Recording} recording */
const describeOthers = ({ rest: { requests, bytes } }) =>
  requests === 0
    ? 'No other request.'
    : `${requests === 1 ? 'One other request' : `${requests.toLocaleString('en')} other requests`}, once or irregularly: ${formatBytes(bytes)}.`;
