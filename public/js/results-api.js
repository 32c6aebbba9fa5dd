/** The API of shared runs. */
import { InvalidInputError, visible } from '../../core/base/foreign-text.js';
import { openDocument } from '../../core/experiment/documents/contradictions.js';
import { describeRefusal } from '../../core/net/refusal.js';
import { isDocumentOf } from '../../core/experiment/run/open-run.js';
import { at } from './site-url.js';

/** @import { Experiment } from '../../core/experiment/contract.js' */
/** @import { Digest } from '../../core/experiment/documents/digest.js' */
/** @import { Place } from '../../core/experiment/run/names.js' */

const PATH = at('/api/results');
/** The time limit of an upload: a large run takes long over a slow line. */
const LIMIT_MS = 300_000;

/**
 * @typedef {{ id: string, url: string, savedAt: string, experiment: string, label?: string, note?: string, place?:
 *   Place, digest: Digest }} DescribedRun `url`: of its page; `savedAt`: ISO 8601
 */

/** A refusal of the server, with the reason for visitors. */
export class RefusedError extends Error {
  /** @param {string} message @param {string} [code] of the API's error; absent if there was no such answer */
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/**
 * Creates a token of 24 bytes in base64url; it is created here, so that a run whose answer was lost can be saved again,
 * and exists once.
 */
export function createDeleteToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/**
 * @param {{ document: unknown, label?: string, note?: string, place?: DescribedRun['place'] }} submission
 * @param {string} deleteToken the same one for the same document
 * @returns {Promise<DescribedRun & { deleteToken: string }>} rejects with a RefusedError, as all of these do
 */
export async function saveRun(submission, deleteToken) {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': deleteToken };
  return (await ask(PATH, { method: 'POST', headers, body: JSON.stringify(submission) })).json();
}

/**
 * @param {Experiment} experiment that it is of @param {string} id
 * @returns {Promise<DescribedRun & { document: any, marks: string[] }>} with its document, safe to show, and its
 *   contradictions; rejects with an InvalidInputError if this version cannot read its format
 */
export async function readRun(experiment, id) {
  const { document: stored, ...run } = await (await ask(`${PATH}/${id}`)).json();
  if (!isDocumentOf(experiment, stored)) {
    throw new InvalidInputError(`Expected ${experiment.schema}, got ${visible(stored.schema)}. Download the JSON`);
  }
  return { ...run, ...openDocument(experiment, stored, { nowMs: Date.parse(run.savedAt) }) };
}

/**
 * @param {string} id @param {{ label?: string, note?: string, place?: DescribedRun['place'] }} words to change
 * @param {string} deleteToken @returns {Promise<DescribedRun>}
 */
export async function describeRun(id, words, deleteToken) {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${deleteToken}` };
  return (await ask(`${PATH}/${id}`, { method: 'PATCH', headers, body: JSON.stringify(words) })).json();
}

/** Deletes a shared run. @param {string} id @param {string} deleteToken */
export async function deleteRun(id, deleteToken) {
  await ask(`${PATH}/${id}`, { method: 'DELETE', headers: { Authorization: `Bearer ${deleteToken}` } });
}

/** @param {string} path @param {RequestInit} [options] */
async function ask(path, options) {
  const response = await fetch(path, { ...options, signal: AbortSignal.timeout(LIMIT_MS) }).catch(() => {
    throw new RefusedError('The server does not answer. Check your network, then try again');
  });
  if (response.ok) return response;
  // An error of a proxy in front of the server has no JSON.
  const { error } = await response.json().catch(() => ({}));
  if (!error) throw new RefusedError(`The server answered ${response.status}. Try again later`);
  throw new RefusedError(describeRefusal(error, response.headers.get('date')), error.code);
}
