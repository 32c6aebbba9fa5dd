/** Names browsers, servers and saved runs: “London from California, Firefox 145”. */
import { isolate } from '../../base/foreign-text.js';
import { asClause, cut, formatMinute, listOf } from '../../base/format.js';
import { nameLink } from './emulated-link.js';

/**
 * @import { Environment } from '../contract.js'
 * @typedef {{ server: string, location: string, version: string }} Answered a server as it reports itself
 * @typedef {{ name?: string }} Place of the visitor, as reported
 * @typedef {{ startedAt?: string, origin?: string, link?: string, server: string, location?: string, version?: string, browser?: string }}
 *   Seen the server and the browser, as a digest has them; `startedAt`: ISO 8601
 * @typedef {{ id: string, label?: string, place?: Place, savedAt?: string, digest: Seen }} ListedRun `savedAt`: ISO 8601
 */

/** The first that a user agent names is the one: Edge and Opera call themselves Chrome, and all of them Safari. */
const BROWSERS = /** @type {const} */ ([
  ['Edge', /Edg\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
  ['WebKit', /AppleWebKit\/(\d+)/],
  ['Node.js', /^Node\.js v?(\d+)/],
]);
const UNKNOWN_BROWSER = 'Unknown browser';
export const UNKNOWN_SERVER = 'Unknown server';

/** The names of browsers without versions, by which a list of runs can be filtered. */
export const BROWSER_NAMES = BROWSERS.map(([name]) => name);

/** The id of a saved run: 16 characters of base64url. */
export const RUN_ID = /^[\w-]{16}$/;

/** @param {string} userAgent @returns {boolean} else Node.js measured */
export const isBrowser = (userAgent) => !userAgent.startsWith('Node.js');

/** @param {string} userAgent @returns {string} such as 'Firefox 145'; 'Unknown browser' if it names no known one */
export function nameBrowser(userAgent) {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version) return `${name} ${version}`;
  }
  return UNKNOWN_BROWSER;
}

/**
 * Returns the server as it reports itself; its name is its host if it has none.
 * @param {{ url: string, userAgent: string, link?: Environment['link'] }} environment @param {Answered} [answered]
 */
export function serverOf({ url, userAgent, link }, answered) {
  const browser = nameBrowser(userAgent);
  const { origin, host } = new URL(url);
  const path = { origin, ...(link && { link: nameLink(link) }) };
  if (!answered) return { ...path, server: host, browser };
  const { server, location, version } = answered;
  return { ...path, server: shownNameOf(server) || host, location: location || undefined, version, browser };
}

/**
 * Returns what a server without a name answers in its place. Each machine answers another, so a run that several of them answered
 * differs from one that a single machine did.
 * @param {string} machine eight hexadecimal digits
 */
export const unnamedServer = (machine) => `unnamed-${machine}`;

/** @param {string} server as it answered @returns {string} empty if it has no name */
export const shownNameOf = (server) => (/^unnamed-[0-9a-f]{8}$/.test(server) ? '' : server);

/**
 * @param {Answered} answered @param {string} url at which it was asked: a server without a name is named by its host
 * @returns {string} like 'fra-1, Frankfurt, version 1.2.3'
 */
export function formatServer({ server, location, version }, url) {
  return [shownNameOf(server) || new URL(url).host, location, `version ${version}`].filter(Boolean).join(', ');
}

/**
 * The limit for near servers: a fastest round trip below it stays on a machine or within its network, and says nothing
 * about users elsewhere.
 */
export const NEAR_MS = 5;

/** @param {string} [origin] @returns {boolean} does it name the machine that asks? */
export function isLoopback(origin = '') {
  return /^https?:\/\/(([\w-]+\.)*localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(origin);
}

/** @param {{ label?: string, place?: Place, digest: Seen }} run @returns {string} to which place, from which */
export function titleOf({ label, place, digest: { origin, link, server, location } }) {
  const from = place?.name && isolate(place.name);
  if (link) return from ? `${link} (${from})` : link;
  if (isLoopback(origin)) return from ?? 'localhost';
  const where = isolate(location ?? server);
  if (from) return `${where} from ${from}`;
  return label ? `${where}: ${isolate(label)}` : where;
}

/**
 * Adds the browser to a title, as in 'London from Bonn, Firefox 145'.
 * @param {string} title @param {{ browser?: string }} digest
 */
export function addBrowser(title, { browser }) {
  if (!browser || browser === UNKNOWN_BROWSER || title.endsWith(`(${browser})`)) return title;
  return `${title}, ${browser}`;
}

/**
 * Returns the heading of a run, for titles and links.
 * @param {{ label?: string, place?: Place, digest: Seen & { headline: string } }} run
 * @param {string} experiment its label, as runs of several may have the same headline
 */
export function headingOf({ label, place, digest }, experiment) {
  const title = titleOf({ place, digest });
  const headline = [label, asClause(digest.headline)].filter(Boolean).join(': ');
  return `${headline} (${experiment}, ${addBrowser(title, digest)})`;
}

/**
 * Says when a run was measured: nearly all are shared at once.
 * @param {{ savedAt?: string, digest: { startedAt?: string } }} run
 * @returns {string} ISO 8601, in UTC; when it was shared if that is not known; empty if neither is
 */
export function measuredAtOf({ savedAt, digest: { startedAt = savedAt } }) {
  return startedAt ? new Date(startedAt).toISOString() : '';
}

/** What can tell two runs with the same title apart, the first one that does. */
const APART = /** @type {((run: Titled, index: number) => string | undefined)[]} */ ([
  ({ digest }) => (isLoopback(digest.origin) ? 'localhost' : undefined),
  ({ label }) => label,
  ({ digest }) => digest.server,
  ({ digest: { browser } }) => (browser === UNKNOWN_BROWSER ? undefined : browser),
  (run) => {
    const at = measuredAtOf(run);
    return at && formatMinute(at);
  },
  ({ number }, index) => `run ${number ?? index + 1}`,
]);

/**
 * Returns a title for each run, no two of them equal: those that would be get what tells them apart.
 * @typedef {Omit<ListedRun, 'id'> & { number?: number }} Titled
 * @param {readonly Titled[]} runs
 */
export const titlesOf = (runs) => tellApart(runs.map(titleOf), runs, APART);

/**
 * @param {readonly string[]} given of which some may be equal, or empty @param {readonly Titled[]} runs @param {typeof APART} factsOf
 * @returns {string[]} with what tells the equal ones apart
 */
function tellApart(given, runs, factsOf) {
  let names = [...given];
  for (const factOf of factsOf) {
    const facts = runs.map(factOf);
    names = names.map((name, index) => {
      const alike = runs.flatMap((_, i) => (names[i] === name ? facts[i] : []));
      const fact = alike.length > 1 && new Set(alike).size > 1 && facts[index];
      return fact ? addFact(name, isolate(fact)) : name;
    });
  }
  return names;
}

/** @param {string} name @param {string} fact */
const addFact = (name, fact) => (name ? `${name} (${fact})` : fact);

/** Behind its number, a run that nothing tells from another needs no second one. */
const APART_BESIDE = APART.slice(0, -1);

/** A longer name, in characters, leaves no room for what is said of its run. */
export const MAX_BESIDE = 40;

/** @param {string | undefined} name */
const brief = (name) => name && cut(name, MAX_BESIDE);

/** @param {Titled} run @returns {Titled} with the beginnings of its names */
const withBriefNames = ({ label, place, digest, ...run }) => ({
  ...run,
  label: brief(label),
  place: place && { name: brief(place.name) },
  digest: { ...digest, server: cut(digest.server, MAX_BESIDE), location: brief(digest.location) },
});

/**
 * Returns the names of runs that stand side by side, each behind its number: without the server, if all are to one. Of a long name
 * it has the beginning: the run's page has the whole.
 * @param {readonly Titled[]} given @param {{ isByPlace?: boolean }} [options] `isByPlace`: all runs of a place have one name
 * @returns {string[]}
 */
export function namesBeside(given, { isByPlace = false } = {}) {
  const runs = given.map(withBriefNames);
  const isOneServer = sharedServerOf(given) !== '';
  // Of one emulated link, places tell more.
  const isOneLink = isShared(runs, ({ digest }) => digest.link) && runs.every(({ place }) => place?.name);
  const names = runs.map((run) => {
    if (!isOneServer) return titleOf(run);
    return nameWithoutServer(isOneLink ? { ...run, digest: { ...run.digest, link: undefined } } : run);
  });
  return tellApart(names, runs, isByPlace ? [] : APART_BESIDE).map((name) => name || UNKNOWN_PLACE);
}

/** @param {Titled} run */
const serverIn = ({ digest }) => digest.location ?? digest.server;

/** @param {readonly Titled[]} runs @returns {string} the server of several, which no name of them says; empty for others */
export const sharedServerOf = (runs) => (isShared(runs, serverIn) ? serverIn(runs[0]) : '');

const UNKNOWN_PLACE = 'Unknown place';

/** @param {readonly Titled[]} runs @param {(run: Titled) => string | undefined} factOf @returns {boolean} whether there are several, with one fact */
const isShared = (runs, factOf) => runs.length > 1 && new Set(runs.map(factOf)).size === 1;

/** @param {Titled} run @returns {string} empty if nobody said where it was, and its label does not */
function nameWithoutServer({ label, place, digest: { origin, link } }) {
  const from = place?.name && isolate(place.name);
  if (link) return from ? `${link} (${from})` : link;
  return from ?? (isLoopback(origin) ? 'localhost' : isolate(label ?? ''));
}

/**
 * Formats a comparison, as in 'localhost compared with London and Tokyo'.
 * @param {readonly string[]} titles the baseline first @returns {string}
 */
export function formatBeside([first, ...others]) {
  if (others.length === 0) return first;
  // A title may contain a comma.
  return `${first} compared with ${listOf(others, others.some((title) => title.includes(', ')) ? '; ' : ', ')}`;
}
