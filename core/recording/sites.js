/** Names the origins of what was found in a recording, where it has several. */

import { withoutValues } from './address.js';

/**
 * @import { Site } from './recording.js'
 * @typedef {{ pattern: string, origin: string, site?: Site }} Placed an address that was asked for
 */

/** @param {readonly Placed[]} found which get their `site`, in the order of the numbers */
export function nameSites(found) {
  const origins = [...new Set(found.map(({ origin }) => origin))];
  if (origins.length < 2) return;
  for (const one of found) one.site = { host: hostOf(one), number: 1 + origins.indexOf(one.origin) };
}

/** @param {{ origin: string }} one @returns {string} such as 'shop.example' */
const hostOf = ({ origin }) => origin.replace(/^[a-z]+:\/\//, '');

/** @param {{ pattern: string, site?: Site }} one @returns {string} its address, for those who recorded it */
export const withHost = ({ pattern, site }) => `${site ? site.host : ''}${pattern}`;

/** @param {{ pattern: string, site?: Site }} one @returns {string} its address, to be shown to anybody */
export const withNumber = ({ pattern, site }) => `${site ? `origin ${site.number} ` : ''}${withoutValues(pattern)}`;
