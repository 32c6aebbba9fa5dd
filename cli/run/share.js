/** Shares a run on the site that it measured, as the site's page does. */
import { studyPath } from '../../core/base/base-url.js';
import { isVisible } from '../../core/base/foreign-text.js';
import { describeRefusal } from '../../core/net/refusal.js';
import { quote } from '../../core/experiment/plan/fields.js';
import { RunError, UsageError } from '../program/program.js';

/** For what hangs: a large run takes long over a slow line. */
const LIMIT_MS = 300_000;

/** The limits of what a shared run is given, in characters, as the site has them. */
const MAX_WORDS = Object.freeze({ label: 80, place: 100 });

/**
 * @param {{ url?: string, label?: string, place?: string }} given
 * @returns {{ label: string, place?: string } | undefined} what the run is shared with; absent: it is not shared
 * @throws {UsageError} if it could not be shared afterwards
 */
export function parseShared({ url, label, place }) {
  if (label === undefined && place === undefined) return undefined;
  checkWords('label', label);
  checkWords('place', place);
  if (label === undefined) throw new UsageError('--label: expected the study that --place belongs to, got none');
  // A server that ends with the run keeps nothing.
  if (url === undefined) throw new UsageError('--url: expected the site that --label shares the run on, got none');
  return { label, place };
}

/** @typedef {{ baseUrl: string, label: string, place?: string }} SharedTo `baseUrl` of the site; `label`: of the study */

/** @param {keyof typeof MAX_WORDS} name @param {string} [text] @throws {UsageError} */
function checkWords(name, text) {
  if (text === undefined) return;
  const max = MAX_WORDS[name];
  if (text.trim() !== '' && isVisible(text) && [...text].length <= max) return;
  throw new UsageError(`--${name}: expected a text of at most ${max} characters, got ${quote(text)}`);
}

/**
 * Shares a run on a site.
 * @param {any} document @param {SharedTo} to
 * @returns {Promise<{ run: string, study: string, deleteToken: string }>} the addresses of the run and its study
 * @throws {RunError} if the site refuses it, or does not answer
 */
export async function shareRun(document, { baseUrl, label, place }) {
  const body = JSON.stringify({ document, label, ...(place !== undefined && { place: { name: place } }) });
  const headers = { 'Content-Type': 'application/json' };
  const signal = AbortSignal.timeout(LIMIT_MS);
  const response = await fetch(`${baseUrl}/api/results`, { method: 'POST', headers, body, signal }).catch((error) => {
    throw new RunError(`Not shared: ${baseUrl} does not answer (${error.cause?.message ?? error.message})`);
  });
  const { url, deleteToken, error } = await response.json().catch(() => ({}));
  if (!response.ok) {
    const reason = error
      ? describeRefusal(error, response.headers.get('date'))
      : `${baseUrl} answered ${response.status}`;
    throw new RunError(`Not shared: ${reason}`);
  }
  return { run: new URL(url, baseUrl).href, study: baseUrl + studyPath(label.trim()), deleteToken };
}
