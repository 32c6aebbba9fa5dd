/** Exports what is known of a study's users: for programs, to paste, and for a terminal. */
import { escape } from '../base/foreign-text.js';
import { formatCount, formatMs } from '../base/format.js';
import { VERDICTS } from '../experiment/answer/verdict.js';
import { fixed, toCsv, toMarkdown, toText, words } from '../experiment/report/table.js';
import { GOT, MIN_ZONE_BROWSERS } from './find.js';
import {
  describeOthers,
  formatBrowsers,
  withCommas,
  formatShareWithRange,
  summarizeSpeed,
  summarizeUsers,
} from './sentence.js';

/**
 * @import { Column, Table } from '../experiment/report/table.js'
 * @import { FieldFindings, NamedUsers, Users } from './find.js'
 * @typedef {{ label: string, origins: readonly string[], sample: number, isOn: boolean, createdAt: string }} About the study
 * @typedef {{ kind: 'all' | 'browser' | 'zone' | 'other zones', users: Users & { name?: string } }} Row of a CSV
 */

export const GOT_LABELS = Object.freeze({
  opened: 'WebSocket',
  stream: 'Event stream only',
  batched: 'Event stream in batches',
  requests: 'Requests only',
});

/** @param {FieldFindings} findings @returns {Row[]} */
const rowsOf = ({ all, browsers, zones, others }) => [
  { kind: 'all', users: all },
  ...browsers.map((users) => ({ kind: /** @type {const} */ ('browser'), users })),
  ...zones.map((users) => ({ kind: /** @type {const} */ ('zone'), users })),
  ...(others?.users ? [{ kind: /** @type {const} */ ('other zones'), users: others.users }] : []),
];

/** @type {readonly Column<Row>[]} */
const CSV_COLUMNS = [
  words('group', ({ kind }) => kind),
  words('name', ({ users }) => users.name),
  { title: 'browsers', value: ({ users }) => users.count },
  ...GOT.flatMap((got) => [
    { title: `${got}_count`, value: (/** @type {Row} */ { users }) => users.got[got].count },
    .../** @type {const} */ ([
      ['share', 'estimate'],
      ['share_low', 'low'],
      ['share_high', 'high'],
    ]).map(([title, of]) => ({
      title: `${got}_${title}`,
      value: (/** @type {Row} */ { users }) => users.got[got].share?.[of],
      format: fixed(4),
    })),
  ]),
  ...VERDICTS.map((verdict) => ({
    title: `${verdict.replace('-', '_')}_count`,
    value: (/** @type {Row} */ { users }) => users.verdicts[verdict].count,
  })),
  .../** @type {const} */ (['p50', 'p75', 'p95']).map((name) => ({
    title: `rtt_${name}_ms`,
    value: (/** @type {Row} */ { users }) => users.rttMs[name],
    format: formatMs,
  })),
];

/** @param {FieldFindings} findings @returns {string} a line for all browsers, for each browser, and for each time zone */
export const formatUsersCsv = (findings) => toCsv({ columns: CSV_COLUMNS, rows: rowsOf(findings) });

/** @param {About} about @param {FieldFindings} findings @returns {string} */
export const formatUsersJson = ({ label, ...users }, findings) =>
  JSON.stringify({ label, users: { ...users, sentence: summarizeUsers(findings.all), ...findings } });

/**
 * Bins of round trips are 5% wide: more digits would not be known.
 * @param {number} ms a quantile @returns {string} with two digits, like '8.5', '20', '200'
 */
export const formatQuantile = (ms) => String(Number(ms.toPrecision(2)));

/** The column of what those without a WebSocket got. */
export const OTHERS_TITLE = 'Others got';

/**
 * @param {string} noun of the names @param {readonly NamedUsers[]} rows @param {{ hasOthers?: boolean }} [options] `hasOthers`: with what
 *   those without a WebSocket got @returns {Table<NamedUsers>}
 */
export const tabulateUsers = (noun, rows, { hasOthers = false } = {}) => ({
  columns: [
    words(noun, ({ name }) => name),
    { title: 'Browsers', value: ({ count }) => count, format: withCommas },
    { title: 'Round trip (median)', unit: 'ms', value: ({ rttMs }) => rttMs.p50, format: formatQuantile },
    { title: 'Got a WebSocket', value: ({ got }) => formatShareWithRange(got.opened), isText: true },
    ...(hasOthers ? [words(OTHERS_TITLE, (/** @type {NamedUsers} */ { got }) => describeOthers(got))] : []),
    {
      title: 'Browsers with faster messages',
      value: ({ verdicts }) => formatShareWithRange(verdicts.faster),
      isText: true,
    },
  ],
  rows,
});

/** @param {FieldFindings} findings @returns {NamedUsers[]} the time zones, and all others as one row */
export const listZones = ({ zones, others }) => [
  ...zones,
  ...(others?.users ? [{ name: nameOthers(others.zoneCount, zones.length), ...others.users }] : []),
];

/** @param {number} count @param {number} shown @returns {string} */
const nameOthers = (count, shown) => formatCount(count, shown > 0 ? 'other time zone' : 'time zone');

/** @param {About} about @param {FieldFindings} findings @returns {string} like '1,204 browsers in 18 time zones, 2026-11-14 to 2026-11-28, from https://shop.example' */
export function describeUsers({ origins }, { all, zones, others, days }) {
  if (all.count === 0) return `From ${origins.join(', ')}`;
  const count = zones.length + (others?.zoneCount ?? 0);
  const [from, to] = [days[0].name, days[days.length - 1].name];
  const when = from === to ? from : `${from} to ${to}`;
  return `${formatBrowsers(all.count)} in ${formatCount(count, 'time zone')}, ${when}, from ${origins.join(', ')}`;
}

/** @param {Users} users @returns {string} a sentence on round-trip times, or none where too few were measured */
export function describeRoundTrips({ rttMs: { p50, p75, p95 } }) {
  const known = [
    p50 === undefined ? '' : `for half of the browsers at most about ${formatQuantile(p50)} ms`,
    p75 === undefined ? '' : `for three in four ${formatQuantile(p75)} ms`,
    p95 === undefined ? '' : `for 95% ${formatQuantile(p95)} ms`,
  ].filter(Boolean);
  return known.length === 0 ? '' : `Round trips by request: ${known.join(', ')}.`;
}

/** @param {FieldFindings} findings @returns {string[]} a sentence for each kind of records that nothing else counts */
export function listApart({ others, apart: { automated, contradictory, cut } }) {
  const said = (/** @type {number} */ count, /** @type {string} */ why) =>
    count > 0 ? `Not counted: ${formatCount(count, 'record')} ${why}.` : '';
  return [
    others && !others.users
      ? `Not in a row: ${formatBrowsers(others.count)} in ${nameOthers(others.zoneCount, 1)}.`
      : '',
    said(cut, 'of pages that were hidden, left or busy before the end'),
    said(automated, 'of browsers that a program drives'),
    said(contradictory, 'that contradict themselves'),
  ].filter(Boolean);
}

/** Who is not among those counted. */
export const USERS_LIMITS =
  `Time zones, browsers and connection types are as browsers report them. A time zone has a row from ${MIN_ZONE_BROWSERS} browsers on. ` +
  'Browsers that block scripts of other sites, save data or refuse storage are not measured.';

/** @param {FieldFindings} findings @returns {Table<NamedUsers>[]} without empty ones */
const tablesOf = (findings) =>
  [
    tabulateUsers('Time zone', listZones(findings)),
    tabulateUsers('Browser', findings.browsers, { hasOthers: true }),
  ].filter(({ rows }) => rows.length > 0);

/** @param {FieldFindings} findings @returns {string[]} paragraphs */
const paragraphsOf = (findings) =>
  [summarizeUsers(findings.all), summarizeSpeed(findings.all), describeRoundTrips(findings.all)].filter(Boolean);

/** @param {About} about @param {FieldFindings} findings @returns {string} to paste into an issue or a wiki */
export function formatUsersMarkdown(about, findings) {
  const [sentence, ...others] = paragraphsOf(findings);
  return [
    `### SockShootout: users of study ${escape(about.label)}`,
    `**${escape(sentence)}**`,
    ...[describeUsers(about, findings), ...others].map(escape),
    ...tablesOf(findings).map((table) => toMarkdown(table).join('\n')),
    ...[...listApart(findings), USERS_LIMITS].map(escape),
    '',
  ].join('\n\n');
}

/** @param {About} about @param {FieldFindings} findings @returns {string} for a terminal, the sentence last */
export function formatUsersText(about, findings) {
  const [sentence, ...others] = paragraphsOf(findings);
  return [
    describeUsers(about, findings),
    ...tablesOf(findings).flatMap((table) => ['', ...toText(table)]),
    '',
    ...listApart(findings),
    ...others,
    sentence,
    '',
  ].join('\n');
}
