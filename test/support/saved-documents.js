/**
 * The documents in test/fixtures/saved-runs, with what was listed of them; its README says what they are.
 */
import { readdirSync, readFileSync } from 'node:fs';
import * as valibot from 'valibot';
import { digestOf } from '../../core/experiment/documents/document-digest.js';
import { createDocumentCheck } from '../../core/experiments/all.js';

/** @import { Experiment } from '../../core/experiment/contract.js' */

const FOLDER = new URL('../fixtures/saved-runs/', import.meta.url);

/** Their names, without `.json`. */
export const SAVED_DOCUMENTS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json') && file !== 'list.json')
  .map((file) => file.replace('.json', ''));

const check = createDocumentCheck(valibot);

/** As `GET /api/results` gave it then: newest first. @type {any[]} */
export const LISTED = JSON.parse(readFixture('list.json')).results;

/** @param {string} name of the document @returns {string} its CSV of then */
export const readCsv = (name) => readFixture(`${name}.csv`);

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
  const digest = JSON.parse(JSON.stringify(digestOf(experiment, document)));
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
