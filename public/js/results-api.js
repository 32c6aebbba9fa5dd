/**
 * The server's saved runs, as this page asks for them.
 */
const PATH = '/api/results';

/** A large run over a slow line takes its time. */
const LIMIT_MS = 120_000;

/**
 * @typedef {object} DescribedRun
 * @property {string} id
 * @property {string} url of its page
 * @property {string} savedAt ISO 8601
 * @property {string} experiment
 * @property {string} [label]
 * @property {string} [note]
 * @property {{ name?: string, latitude?: number, longitude?: number }} [place]
 * @property {{ server: string, headline: string, detail: string }} digest
 */

/** Why the server did not do it, in words for a visitor. */
export class RefusedError extends Error {
  /**
   * @param {string} message
   * @param {string} [code] of the API's error; absent where there was no such answer
   */
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/**
 * @param {{ document: unknown, label?: string, note?: string, place?: DescribedRun['place'] }} submission
 * @returns {Promise<DescribedRun & { deleteToken: string }>} rejects with a RefusedError
 */
export async function saveRun(submission) {
  const headers = { 'Content-Type': 'application/json' };
  return (await ask(PATH, { method: 'POST', headers, body: JSON.stringify(submission) })).json();
}

/**
 * @param {string} id
 * @returns {Promise<DescribedRun & { document: any }>} rejects with a RefusedError
 */
export async function readRun(id) {
  return (await ask(`${PATH}/${id}`)).json();
}

/**
 * @param {string} id
 * @param {string} deleteToken
 * @returns {Promise<void>} rejects with a RefusedError
 */
export async function deleteRun(id, deleteToken) {
  await ask(`${PATH}/${id}`, { method: 'DELETE', headers: { Authorization: `Bearer ${deleteToken}` } });
}

/**
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
async function ask(path, options) {
  const response = await fetch(path, { ...options, signal: AbortSignal.timeout(LIMIT_MS) }).catch((error) => {
    throw new RefusedError(`the server does not answer (${error.message})`);
  });
  if (response.ok) return response;
  // A proxy in front has no JSON.
  const { error } = await response.json().catch(() => ({}));
  if (!error) throw new RefusedError(`the server answered ${response.status}`);
  throw new RefusedError([error.path, error.message].filter(Boolean).join(': '), error.code);
}
