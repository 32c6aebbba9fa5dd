/**
 * The documents in test/fixtures/saved-runs, with what was listed of them; its README says what they are.
 */
import { readdirSync, readFileSync } from 'node:fs';
import * as valibot from 'valibot';
import { nestPart } from '../../core/experiment/documents/digest.js';
import { createDocumentCheck, findExperiment } from '../../core/experiments/all.js';

/** @import { Experiment } from '../../core/experiment/contract.js' */

const FOLDER = new URL('../fixtures/saved-runs/', import.meta.url);

/** Their names, without `.json`. */
export const SAVED_DOCUMENTS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json') && file !== 'list.json')
  .map((file) => file.replace('.json', ''));

const check = createDocumentCheck(valibot);

/** As `GET /api/results` gave it then: newest first. @type {any[]} */
export const LISTED_THEN = JSON.parse(readFixture('list.json')).results;
/**
 * The experiments whose WebSocket has another name today: that of SockJS's endpoint for one, which they do not measure,
 * was its name then.
 */
const RENAMED = ['countdown', 'jobs', 'reach'];

/** The same, each digest and place in the form of today. @type {any[]} */
export const LISTED = LISTED_THEN.map(({ place, ...run }) => ({
  ...run,
  ...(place && { place: { name: place.name } }),
  digest: { ...nestPart(run.digest, findExperiment(run.experiment)), transports: transportsOf(run) },
}));

/** @param {{ experiment: string, digest: { transports: string[] } }} run of then @returns {string[]} by today's names */
function transportsOf({ experiment, digest: { transports } }) {
  return transports.map((name) => (RENAMED.includes(experiment) && name === 'websocket' ? 'ws' : name));
}

/** @param {string} name of the document @returns {string} its CSV of then, by today's names */
export function readCsv(name) {
  const csv = readFixture(`${name}.csv`);
  return name.startsWith('countdown-') ? csv.replaceAll(/^(\d+,\d+),websocket,/gm, '$1,ws,') : csv;
}

/**
 * @param {string} name of the file
 * @returns {string}
 */
export function readFixture(name) {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}

/**
 * @param {string} name of the document
 * @returns {{ experiment: Experiment, document: any, digest: any, listed: any }} `digest` as JSON has it; throws a
 *   DocumentError where the document is refused
 */
export function readSavedDocument(name) {
  const { experiment, document } = check(JSON.parse(readFixture(`${name}.json`)));
  const digest = JSON.parse(JSON.stringify(experiment.digest(document)));
  return { experiment, document, digest, listed: LISTED.find((run) => run.digest.startedAt === digest.startedAt) };
}

/**
 * @template {object} T
 * @param {T} digest
 * @returns {T} without its words, which may become better ones, and without what those of then did not have
 */
export function figuresOf(digest) {
  // Of then only a shootout's had a smallest round trip.
  const { shootout, floorMs } = /** @type {{ shootout?: object, floorMs?: number }} */ (digest);
  return {
    ...digest,
    warningCount: undefined,
    answers: undefined,
    scope: undefined,
    browser: '',
    headline: '',
    detail: '',
    floorMs: shootout && floorMs,
  };
}
