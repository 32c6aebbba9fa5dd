/** What a study's page and exports show of its users. */
import { LRUCache } from 'lru-cache';
import { CSV_FILE_START } from '../../core/base/foreign-text.js';
import { formatCount, uncapitalize } from '../../core/base/format.js';
import { sumOf } from '../../core/base/statistics.js';
import { toMarkup } from '../../core/picture/svg.js';
import { SAME_PERCENT } from '../../core/experiment/answer/verdict.js';
import { drawShareCard } from '../../core/picture/share-card.js';
import { cellsOf, headsOf } from '../../core/experiment/report/table.js';
import {
  describeRoundTrips,
  describeUsers,
  formatQuantile,
  formatUsersCsv,
  formatUsersJson,
  formatUsersMarkdown,
  GOT_LABELS,
  listApart,
  listZones,
  OTHERS_TITLE,
  tabulateUsers,
  USERS_LIMITS,
} from '../../core/field/export.js';
import { findUsers, GOT, MIN_ZONE_BROWSERS } from '../../core/field/find.js';
import { formatLine, formatSample } from '../../core/field/line.js';
import { describeLimit } from '../../core/field/limit.js';
import { drawDistances, legendOf } from '../../core/field/picture.js';
import { formatBrowsers, formatShare, summarizeSpeed, summarizeUsers, withCommas } from '../../core/field/sentence.js';
import { EXAMPLE_RECORD } from '../../core/field/record.js';

/**
 * @import { Column, Table } from '../../core/experiment/report/table.js'
 * @import { FieldFindings, NamedUsers, Users } from '../../core/field/find.js'
 * @import { FieldStudy } from '../store/field.js'
 * @typedef {{ study: FieldStudy, findings: FieldFindings }} StudyOfUsers
 * @typedef {object} StudyStore the store, of which it needs two methods
 * @property {(label: string) => Promise<FieldStudy | undefined>} getFieldStudy
 * @property {(label: string) => Promise<Map<string, number>>} readFieldCounts
 * @typedef {{ read: (label: string) => Promise<StudyOfUsers | undefined> }} UsersReader `read`: absent where the label has no study of users
 */

/** Counters of a busy study change all the time: all who look within a moment get the same. */
const KEPT_MS = 2000;
/** Groups that a page shows before the others are asked for, and how many are worth a press. */
const [SHOWN_ROWS, MIN_FOLDED] = [7, 3];
/** Of pictures, in CSS pixels: none is shown smaller, as its words would be. */
const SIZES = Object.freeze({ wide: { width: 500, height: 300 }, narrow: { width: 250, height: 300 } });

/** With a line for each block, which fits on a phone. */
const EXAMPLE = JSON.stringify(EXAMPLE_RECORD, null, 2).replaceAll(/\{\s+("requestMs".*)\s+(.*)\s+\}/g, '{$1 $2}');

/** The exports; that of a PNG file is the SVG of which it is made. @type {Record<string, (users: StudyOfUsers) => string>} */
export const USERS_FORMS = {
  json: ({ study, findings }) => formatUsersJson(study, findings),
  csv: ({ findings }) => CSV_FILE_START + formatUsersCsv(findings),
  markdown: ({ study, findings }) => formatUsersMarkdown(study, findings),
  png: ({ study, findings }) =>
    drawShareCard({
      sentence: summarizeUsers(findings.all),
      place: study.label,
      about: describeUsers(study, findings),
    }),
};

/** Creates what reads the studies of users. @param {StudyStore} store @returns {UsersReader} */
export function createUsersReader(store) {
  /** @type {LRUCache<string, Promise<StudyOfUsers | undefined>>} */
  const kept = new LRUCache({ max: 100, ttl: KEPT_MS });
  return {
    read(label) {
      const found = kept.get(label);
      if (found) return found;
      const made = readUsers(store, label);
      kept.set(label, made);
      made.catch(() => kept.delete(label));
      return made;
    },
  };
}

/** @param {StudyStore} store @param {string} label */
async function readUsers(store, label) {
  const study = await store.getFieldStudy(label);
  return study && { study, findings: findUsers(await store.readFieldCounts(label)) };
}

/**
 * Describes the part of a study's page.
 * @param {StudyOfUsers} users @param {{ url: string, integrity: string }} site `url`: its own, without a slash; `integrity`: of its
 *   script, as HTML has it
 */
export function describeUsersPart({ study, findings }, { url, integrity }) {
  const { all, bands, browsers, zones, others } = findings;
  return {
    ...study,
    browserCount: all.count,
    sentence: summarizeUsers(all),
    about: uncapitalize(describeUsers(study, findings)),
    paragraphs: [summarizeSpeed(all), describeRoundTrips(all)].filter(Boolean),
    got: describeGot(all),
    pictures: all.count >= MIN_ZONE_BROWSERS ? drawAll(findings) : undefined,
    hasSpeedUps: bands.some(({ speedUp }) => speedUp !== undefined),
    limit: describeLimit(bands),
    samePercent: SAME_PERCENT,
    legend: legendOf(bands),
    zones: describeTable('time zone', tabulateUsers('Time zone', listZones(findings)), {
      groupCount: zones.length + (others?.users ? others.zoneCount : 0),
      browserCount: all.count,
    }),
    browsers: describeTable('browser', tabulateUsers('Browser', browsers, { hasOthers: true }), {
      groupCount: browsers.length,
      browserCount: all.count,
    }),
    notes: [...listApart(findings), USERS_LIMITS],
    line: formatLine(url, study),
    share: study.sample < 1 ? formatSample(study.sample) : '',
    integrity,
    allowed: `script-src ${url}; connect-src ${url} ${url.replace(/^http/, 'ws')}`,
    example: EXAMPLE,
  };
}

/** @param {FieldFindings} findings */
const drawAll = ({ bands }) =>
  Object.fromEntries(Object.entries(SIZES).map(([name, size]) => [name, toMarkup(drawDistances(bands, size))]));

/** @param {Users} users what each part of its bar says, the best first */
const describeGot = ({ got }) =>
  GOT.map((name) => ({
    name,
    label: GOT_LABELS[name],
    count: withCommas(got[name].count),
    percent: got[name].of > 0 ? (100 * got[name].count) / got[name].of : 0,
    share: got[name].of > 0 ? formatShare(got[name].count / got[name].of) : '',
  }));

/**
 * Describes a table for a page, which folds away all but the first rows: hundreds of time zones are not read one by one.
 * @param {string} noun of its rows @param {Table<NamedUsers>} table
 * @param {{ groupCount: number, browserCount: number }} of all rows and of the study: the last row may sum up many groups
 */
function describeTable(noun, table, { groupCount, browserCount }) {
  const rows = cellsOf(table).map(([name, ...cells], i) => ({
    name,
    figures: describeFigures(table.rows[i]),
    cells: cells.map(splitRange),
  }));
  const shownCount = rows.length < SHOWN_ROWS + MIN_FOLDED ? rows.length : SHOWN_ROWS;
  const moreRows = rows.slice(shownCount);
  const foldedCount = sumOf(table.rows.slice(shownCount), ({ count }) => count);
  return {
    title: `By ${noun}`,
    heads: headsOf(table).map((text, i) => ({ text, place: placeOf(table.columns[i]) })),
    rows: rows.slice(0, shownCount),
    moreRows,
    moreName: `And ${formatCount(groupCount - shownCount, `more ${noun}`)}, ${formatShare(foldedCount / browserCount)} of browsers`,
  };
}

/**
 * A narrow page has columns for shares only.
 * @param {Column<NamedUsers>} column @returns {string} its class: `wide` stands below the name there, `line` in a line of its own
 */
const placeOf = ({ title, isText }) => (title === OTHERS_TITLE ? 'line' : isText ? '' : 'wide');

/** @param {NamedUsers} users @returns {string} like '412 browsers, round trip 24 ms' */
const describeFigures = ({ count, rttMs: { p50 } }) =>
  [formatBrowsers(count), p50 === undefined ? '' : `round trip ${formatQuantile(p50)}\u00a0ms`]
    .filter(Boolean)
    .join(', ');

/** @param {string} cell @returns {{ text: string, range?: string }} a share, and apart from it its interval */
function splitRange(cell) {
  const [text, range] = cell.split(/ \(95% CI ([^)]*)\)$/);
  return { text, range };
}
