/** Names the origins of polls and connections, where a recording has several. */

import { withoutValues } from './address.js';

/** @import { Poll, Stream } from './recording.js' */

/** @param {readonly (Poll | Stream)[]} found which get their `site`, in the order of the numbers */
export function nameSites(found) {
  const origins = [...new Set(found.map(({ origin }) => origin))];
  if (origins.length < 2) return;
  for (const one of found) one.site = { host: hostOf(one), number: 1 + origins.indexOf(one.origin) };
}

/** @param {Pick<Poll, 'origin'>} one @returns {string} such as 'shop.example' */
const hostOf = ({ origin }) => origin.replace(/^[a-z]+:\/\//, '');

/** @param {Pick<Poll, 'pattern' | 'site'>} one @returns {string} its address, for those who recorded it */
export const withHost = ({ pattern, site }) => `${site ? site.host : ''}${pattern}`;

/** @param {Pick<Poll, 'pattern' | 'site'>} one @returns {string} its address, to be shown to anybody */
export const withNumber = ({ pattern, site }) => `${site ? `origin ${site.number} ` : ''}${withoutValues(pattern)}`;
